//! Keys, and their signatures.

use leansphincs_guest::{
    CHAINS, Claim, Encoding, Half, OneTime, Opening, Position, PublicKey, Selection, Signature, tweak,
};
use primitives::blake2s;
use thiserror::Error;

use crate::secret::{Secret, Tree};

/// A key. The seed is the whole secret; the top tree is kept, since its root is the key and every signature has a
/// path of it.
#[derive(Clone)]
pub struct SecretKey {
    secret: Secret,
    public: PublicKey,
    top: Tree,
}

/// No randomizer or counter was admissible: about one in 2^10, or in 2^15, is, so this does not happen to honest
/// messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("none of {trials} trials gave an admissible digest or a valid encoding")]
pub struct GaveUp {
    /// The trials made.
    pub trials: u64,
}

/// The most trials of a randomizer or of a counter.
const MAX_TRIALS: u64 = 1 << 32;

impl SecretKey {
    /// The key of a 32-byte seed.
    #[must_use]
    pub fn new(seed: &[u8; 32]) -> Self {
        let secret = Secret::new(blake2s::digest_to_words(seed));
        let top = secret.one_time_tree(0, 0);
        let public = PublicKey {
            root: top.root(),
            parameter: secret.parameter,
        };
        Self { secret, public, top }
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
            message: blake2s::digest_to_words(message),
        }
    }

    /// Signs a message of 32 bytes.
    ///
    /// # Errors
    /// [`GaveUp`] after 2^32 trials of a randomizer or of a counter.
    pub fn sign(&self, message: &[u8; 32]) -> Result<Signature, GaveUp> {
        let (_, rho, selection) = self.randomizer(&blake2s::digest_to_words(message))?;
        let (fors, key) = self.few_time(selection);

        let at = |layer| selection.position(layer);
        let tree = self.secret.one_time_tree(2, at(2).tree);
        let bottom = self.one_time(2, at(2), key)?;
        let bottom_path = tree.path(at(2).leaf);
        let signed = tree.root();
        let tree = self.secret.one_time_tree(1, at(1).tree);
        let middle = self.one_time(1, at(1), signed)?;
        let middle_path = tree.path(at(1).leaf);
        let top = self.one_time(0, at(0), tree.root())?;
        let top_path = self.top.path(at(0).leaf);
        Ok(Signature {
            rho,
            fors,
            top,
            top_path,
            middle,
            middle_path,
            bottom,
            bottom_path,
        })
    }

    /// The first trial whose digest is admissible, its randomizer and what the digest selects.
    pub(crate) fn randomizer(&self, message: &[u64; 4]) -> Result<(u32, Half, Selection), GaveUp> {
        let payload = [self.secret.seed, *message].concat();
        (0..=u32::MAX)
            .find_map(|trial| {
                let tweak = tweak::words(tweak::RANDOMIZER, 0, 0, trial, 0);
                let rho = self.secret.half(tweak, &payload);
                let selection = Selection::new(&self.digest(&rho, message))?;
                Some((trial, rho, selection))
            })
            .ok_or(GaveUp { trials: MAX_TRIALS })
    }

    /// The digest of a message under a randomizer.
    fn digest(&self, rho: &Half, message: &[u64; 4]) -> [u64; 4] {
        let [t0, t1] = tweak::words(tweak::DIGEST, 0, 0, 0, 0);
        let ([p0, p1], [r0, r1], [root0, root1]) = (self.public.parameter, *rho, self.public.root);
        let [m0, m1, m2, m3] = *message;
        blake2s::hash_words(&[t0, t1, p0, p1, r0, r1, root0, root1, m0, m1, m2, m3])
    }

    /// The opened leaves of a few-time key, and its public key.
    fn few_time(&self, selection: Selection) -> ([Opening; leansphincs_guest::FORS_TREES], Half) {
        let key = selection.key();
        let mut roots = Vec::new();
        let openings = std::array::from_fn(|tree| {
            let leaf = selection.leaf(tree);
            let whole = self.secret.fors_tree(tree as u64, key);
            roots.extend(whole.root());
            Opening {
                secret: self.secret.fors_secret(tree as u64, key, leaf),
                path: whole.path(leaf),
            }
        });
        let tweak = tweak::words(tweak::FORS_KEY, 0, key, 0, 0);
        (openings, self.secret.half(tweak, &roots))
    }

    /// The one-time signature of `signed`, with the least counter whose encoding is valid.
    fn one_time(&self, layer: usize, at: Position, signed: Half) -> Result<OneTime, GaveUp> {
        let (counter, encoding) = (0..=u32::MAX)
            .find_map(|counter| Some((counter, self.encoding(layer, at, signed, counter)?)))
            .ok_or(GaveUp { trials: MAX_TRIALS })?;
        let chains = std::array::from_fn::<_, CHAINS, _>(|i| {
            self.secret.chain(layer, at, i as u32, encoding.digit(i))
        });
        Ok(OneTime {
            counter: counter.into(),
            chains,
        })
    }

    /// The encoding of `signed` under a counter, if it is valid.
    fn encoding(&self, layer: usize, at: Position, signed: Half, counter: u32) -> Option<Encoding> {
        let [t0, t1] = tweak::words(tweak::ENCODING, layer as u64, at.tree, 0, at.leaf);
        let [p0, p1] = self.secret.parameter;
        let mut message = [0; 52];
        let words = [t0, t1, p0, p1, signed[0], signed[1]];
        for (bytes, word) in message.as_chunks_mut::<8>().0.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
        message[48..].copy_from_slice(&counter.to_le_bytes());
        let [d0, d1, ..] = blake2s::digest_to_words(&blake2s::hash(&message));
        Encoding::new([d0, d1])
    }

    #[cfg(test)]
    pub(crate) fn secret(&self) -> &Secret {
        &self.secret
    }
}
