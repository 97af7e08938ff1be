//! The verification of a signature.

use leanvm_guest::blake2s::{Block, Blocks, Template};

use leanxmss_guest::{tree, winternitz};

use crate::{Claim, Encoding, Half, OneTime, Opening, Position, Selection, Signature, tweak};

/// Why a signature is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The message's digest opens another leaf than number 0 of the tree that does not exist.
    Digest,
    /// On this layer the counter is 2^32 or more, or what is signed has no valid encoding under it.
    Encoding {
        /// The layer, 0 at the top.
        layer: usize,
    },
    /// The topmost tree's root is not the key's.
    Root,
}

/// Verifies signatures, one after the other, in memory that is laid out once.
#[derive(Debug)]
pub struct Verifier {
    /// A secret or a chain's value: tweak, parameter, value.
    value: Template<48>,
    /// An inner node: tweak, parameter, left, right.
    node: Template<64>,
    /// An encoding: tweak, parameter, what is signed, the counter.
    encoding: Template<52>,
    /// The longer hashes.
    long: Block,
}

impl Default for Verifier {
    fn default() -> Self {
        Self::new()
    }
}

impl Verifier {
    /// Ready for any signature.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            value: Template::new(),
            node: Template::new(),
            encoding: Template::new(),
            long: Block::new(),
        }
    }

    /// Checks that `signature` shows `claim`.
    ///
    /// # Errors
    /// Which check refused it.
    #[inline(always)]
    pub fn verify(&mut self, claim: &Claim, signature: &Signature) -> Result<(), Refusal> {
        let digest = self.digest(claim, &signature.rho);
        let selection = Selection::new(&digest).ok_or(Refusal::Digest)?;
        self.set_parameter(&claim.key.parameter);
        let key = self.few_time_key(&claim.key.parameter, selection, &signature.fors);

        // From the bottom to the top, each layer's tree signed by a one-time key of the next.
        let mut signed = key;
        for (layer, one_time, path) in [
            (2, &signature.bottom, &signature.bottom_path[..]),
            (1, &signature.middle, &signature.middle_path),
            (0, &signature.top, &signature.top_path),
        ] {
            signed = self
                .layer(
                    layer,
                    selection.position(layer),
                    &claim.key.parameter,
                    signed,
                    one_time,
                    path,
                )
                .ok_or(Refusal::Encoding { layer })?;
        }
        if signed == claim.key.root {
            Ok(())
        } else {
            Err(Refusal::Root)
        }
    }

    /// Writes the key's parameter where every hash has it.
    #[inline(always)]
    fn set_parameter(&mut self, parameter: &Half) {
        let [p0, p1] = *parameter;
        self.value.set(2, p0);
        self.value.set(3, p1);
        self.node.set(2, p0);
        self.node.set(3, p1);
        self.encoding.set(2, p0);
        self.encoding.set(3, p1);
    }

    /// The digest of the claim's message under the randomizer `rho`.
    #[inline(always)]
    pub fn digest(&mut self, claim: &Claim, rho: &Half) -> [u64; 4] {
        let mut hasher = Blocks::new(&mut self.long);
        let [t0, t1] = tweak::words(tweak::DIGEST, 0, 0, 0, 0);
        let [p0, p1] = claim.key.parameter;
        let [r0, r1] = claim.key.root;
        set_all(&mut hasher, [t0, t1, p0, p1, rho[0], rho[1], r0, r1]);
        hasher.advance();
        let [m0, m1, m2, m3] = claim.message;
        set_all(&mut hasher, [m0, m1, m2, m3, 0, 0, 0, 0]);
        *hasher.finish(32)
    }

    /// The few-time public key, from the opened leaf of each of its trees.
    #[inline(always)]
    fn few_time_key(&mut self, parameter: &Half, selection: Selection, openings: &[Opening]) -> Half {
        let mut hasher = Blocks::new(&mut self.long);
        let key = selection.key();
        let [t0, t1] = tweak::words(tweak::FORS_KEY, 0, key, 0, 0);
        hasher.set(0, t0);
        hasher.set(1, t1);
        hasher.set(2, parameter[0]);
        hasher.set(3, parameter[1]);
        let [_, leaf] = tweak::words(tweak::FORS_LEAF, 0, key, 0, 0);
        self.value.set_half(1, 0);
        self.value.set(1, leaf);
        self.node.set(1, leaf);

        // Unrolled: each tree has its own place in the hash, and its own bits in the digest.
        macro_rules! trees {
            ($($i:literal)*) => {
                $(
                    let place = (4 + 2 * $i) % 8;
                    if $i > 0 && place == 0 {
                        hasher.advance();
                    }
                    let (r0, r1) = fors_root(&mut self.value, &mut self.node, $i, selection.leaf($i), &openings[$i]);
                    hasher.set(place, r0);
                    hasher.set(place + 1, r1);
                )*
            };
        }
        trees!(0 1 2 3 4 5 6 7 8 9 10 11 12 13);

        let [z0, z1, ..] = *hasher.finish(64);
        [z0, z1]
    }

    /// The root of a layer's tree, one of whose one-time keys signed `signed`; none if its encoding is not valid.
    #[inline(never)]
    fn layer(
        &mut self,
        layer: usize,
        Position { tree, leaf }: Position,
        parameter: &Half,
        signed: Half,
        one_time: &OneTime,
        path: &[Half],
    ) -> Option<Half> {
        let tweak = |kind| tweak::words(kind, layer as u64, tree, 0, leaf);
        let counter = u32::try_from(one_time.counter).ok()?;
        let [t0, t1] = tweak(tweak::ENCODING);
        self.encoding.set(0, t0);
        self.encoding.set(1, t1);
        self.encoding.set(4, signed[0]);
        self.encoding.set(5, signed[1]);
        self.encoding.set_half(12, counter);
        let [d0, d1, ..] = *self.encoding.hash();
        let encoding = Encoding::new([d0, d1])?;

        let [t0, t1] = tweak(tweak::STEP);
        self.value.set(0, t0);
        self.value.set(1, t1);
        let [t0, t1] = tweak(tweak::ONE_TIME_KEY);
        let prefix = [t0, t1, parameter[0], parameter[1]];
        let key = winternitz::public_key(
            &mut self.value,
            &mut self.long,
            prefix,
            encoding,
            &one_time.chains,
        );

        let [t0, t1] = tweak(tweak::NODE);
        self.node.set(0, t0);
        self.node.set(1, t1);
        Some(tree::climb::<7>(&mut self.node, leaf.into(), key, path))
    }
}

/// The root of FORS tree `tree`, above its opened leaf number `leaf`, as a pair: that is returned in registers.
#[inline(never)]
fn fors_root(
    value: &mut Template<48>,
    node: &mut Template<64>,
    tree: u32,
    leaf: u32,
    opening: &Opening,
) -> (u64, u64) {
    const LEAF: u32 = 1 | (tweak::FORS_LEAF as u32) << 8;
    const NODE: u32 = 1 | (tweak::FORS_NODE as u32) << 8;
    value.set_half(0, LEAF | tree << 16);
    value.set_half(3, leaf);
    value.set(4, opening.secret[0]);
    value.set(5, opening.secret[1]);
    let [z0, z1, ..] = *value.hash();
    node.set_half(0, NODE | tree << 16);
    let [r0, r1] = tree::climb::<10>(node, leaf.into(), [z0, z1], &opening.path);
    (r0, r1)
}

#[inline(always)]
fn set_all(hasher: &mut Blocks<'_>, words: [u64; 8]) {
    for (i, word) in words.into_iter().enumerate() {
        hasher.set(i, word);
    }
}
