//! Keys restricted to one leaf, and their signatures.

use leanxmss_guest::{CHAINS, Claim, Encoding, HEIGHT, Half, LAST, PublicKey, Signature, tweak};
use primitives::blake2s::{self, lanes::Prefix};
use thiserror::Error;

use crate::hash::{bytes, half, hash_many};

/// A key whose only real leaf is one: the seed is the whole secret.
#[derive(Clone)]
pub struct SecretKey {
    seed: [u64; 4],
    leaf: u32,
    public: PublicKey,
    path: [Half; HEIGHT],
}

/// No randomness gave a valid encoding: about one in 2^15 does, so this does not happen to honest messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("none of {trials} trials gave a valid encoding of the message")]
pub struct GaveUp {
    /// The trials made.
    pub trials: u64,
}

/// The most trials of a signature.
const MAX_TRIALS: u64 = 1 << 32;

/// Trials that are hashed together: many vectors' worth, and few beside the 2^15 that a signature takes.
const BATCH: usize = 1 << 9;
const BATCH_MASK: u32 = BATCH as u32 - 1;

impl SecretKey {
    /// The key of a 32-byte seed, restricted to the leaf number `leaf`.
    #[must_use]
    pub fn new(seed: &[u8; 32], leaf: u32) -> Self {
        let seed = blake2s::digest_to_words(seed);
        let parameter = half(&[0; 2], tweak::PARAMETER, 0, 0, &seed);
        let path = std::array::from_fn(|level| {
            let index = leaf >> level ^ 1;
            half(&parameter, tweak::FILLER, level as u32, index, &seed)
        });
        let public = PublicKey {
            root: [0; 2],
            parameter,
        };
        let mut key = Self {
            seed,
            leaf,
            public,
            path,
        };
        key.public.root = key.root();
        key
    }

    /// The public key.
    #[must_use]
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// The claim that a signature of `message` shows.
    #[must_use]
    pub fn claim(&self, message: &[u8; 32]) -> Claim {
        Claim {
            key: self.public,
            leaf: self.leaf.into(),
            message: blake2s::digest_to_words(message),
        }
    }

    /// Signs a message of 32 bytes, by the first trial whose encoding is valid.
    ///
    /// # Errors
    /// [`GaveUp`] after 2^32 trials.
    pub fn sign(&self, message: &[u8; 32]) -> Result<Signature, GaveUp> {
        let message = blake2s::digest_to_words(message);
        let (_, rho, encoding) = self.randomness(&message)?;
        let chains = std::array::from_fn(|i| self.walk(i, self.start(i), 0, encoding.digit(i)));
        Ok(Signature {
            chains,
            rho,
            path: self.path,
        })
    }

    /// The first trial whose encoding is valid, its randomness and its encoding.
    pub(crate) fn randomness(&self, message: &[u64; 4]) -> Result<(u32, [u64; 3], Encoding), GaveUp> {
        (0..=u32::MAX)
            .step_by(BATCH)
            .find_map(|first| self.first_valid(message, first))
            .ok_or(GaveUp { trials: MAX_TRIALS })
    }

    /// The first valid trial among `first..first + BATCH`: the randomness of all at once, then the encodings.
    fn first_valid(&self, message: &[u64; 4], first: u32) -> Option<(u32, [u64; 3], Encoding)> {
        let parameter = self.public.parameter;
        let trials = first..=first | BATCH_MASK;
        let tried: Vec<u64> = trials
            .clone()
            .flat_map(|trial| {
                let tweak = tweak::words(tweak::RANDOMNESS, trial, self.leaf);
                tweak
                    .into_iter()
                    .chain(parameter)
                    .chain(self.seed)
                    .chain(*message)
            })
            .collect();
        let rhos = hash_many(&Prefix::EMPTY, &tried, 12).map(|[r0, r1, r2, _]| [r0, r1, r2]);
        let rhos: Vec<[u64; 3]> = rhos.collect();

        let [t0, t1] = tweak::words(tweak::ENCODING, 0, self.leaf);
        let [p0, p1] = parameter;
        let [m0, m1, m2, m3] = *message;
        // The first of an encoding's two blocks is the same for every trial.
        let block = bytes(&[t0, t1, p0, p1, m0, m1, m2, m3]);
        let prefix = Prefix::of_blocks(block.as_chunks().0);
        let tails: Vec<u64> = rhos.iter().flat_map(|&[r0, r1, r2]| [r0, r1, r2, 0]).collect();
        hash_many(&prefix, &tails, 4)
            .zip(trials.zip(&rhos))
            .find_map(|([d0, d1, ..], (trial, rho))| Some((trial, *rho, Encoding::new([d0, d1])?)))
    }

    /// The secret start of chain `i`.
    pub(crate) fn start(&self, i: usize) -> Half {
        half(
            &self.public.parameter,
            tweak::START,
            i as u32,
            self.leaf,
            &self.seed,
        )
    }

    /// Value `to` of chain `i`, from its value `from`.
    pub(crate) fn walk(&self, i: usize, value: Half, from: u64, to: u64) -> Half {
        (from..to).fold(value, |value, s| {
            half(
                &self.public.parameter,
                tweak::STEP,
                8 * i as u32 + s as u32,
                self.leaf,
                &value,
            )
        })
    }

    /// The leaf.
    pub(crate) fn leaf(&self) -> Half {
        let ends: Vec<u64> = (0..CHAINS)
            .flat_map(|i| self.walk(i, self.start(i), 0, LAST))
            .collect();
        half(&self.public.parameter, tweak::LEAF, 0, self.leaf, &ends)
    }

    /// The siblings on the leaf's path, the leaf's first.
    #[cfg(test)]
    pub(crate) fn path(&self) -> &[Half; HEIGHT] {
        &self.path
    }

    /// The root: the fold of the leaf along its path.
    fn root(&self) -> Half {
        (0u32..)
            .zip(&self.path)
            .fold(self.leaf(), |at, (level, sibling)| {
                let (left, right) = if self.leaf >> level & 1 == 0 {
                    (at, *sibling)
                } else {
                    (*sibling, at)
                };
                let parent = u64::from(self.leaf) >> (level + 1);
                half(
                    &self.public.parameter,
                    tweak::NODE,
                    level + 1,
                    parent as u32,
                    &[left, right].concat(),
                )
            })
    }
}
