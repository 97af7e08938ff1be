//! The block that the `blake2s` instruction works on.

use super::INITIAL;

/// Sixteen words in which one compression runs in place: words 0..4 the chaining value, 4..8 receive the
/// result, 8..16 the message.
///
/// The instruction finds word k at the base address XOR 8k, so from a base `swap` words into the block, word
/// k is word `k ^ swap` of the block. With `swap = 4` the chaining value and the result change places, and
/// so do the halves of the message: a result is the next chaining value without being moved.
#[derive(Clone, Debug)]
#[repr(C, align(128))]
pub struct Block(pub [u64; 16]);

impl Default for Block {
    fn default() -> Self {
        Self::new()
    }
}

impl Block {
    /// The initial chaining value and a message of zeros.
    #[must_use]
    pub const fn new() -> Self {
        let [h0, h1, h2, h3] = INITIAL;
        Self([h0, h1, h2, h3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    }

    /// The compression function F (RFC 7693, section 3.2) on the block seen from word `swap`: word k of the
    /// list above is word `k ^ swap`.
    ///
    /// `counter`: the bytes hashed up to the end of this block; `last`: whether it is the final one.
    ///
    /// # Panics
    /// If `swap` is 16 or more.
    #[inline(always)]
    pub fn compress(&mut self, swap: usize, counter: u64, last: bool) {
        assert!(swap < 16, "a block has 16 words");
        #[cfg(target_os = "none")]
        {
            // The block is aligned to its size, so adding `swap` words is XOR.
            let base = self.0.as_mut_ptr().wrapping_add(swap);
            // SAFETY: the instruction reads and writes the sixteen words at `base ^ 8k`: those of `self`,
            // which is exclusively borrowed.
            unsafe {
                if last {
                    core::arch::asm!(".insn r 0x0b, 1, 0, x0, {}, {}", in(reg) base, in(reg) counter, options(nostack));
                } else {
                    core::arch::asm!(".insn r 0x0b, 0, 0, x0, {}, {}", in(reg) base, in(reg) counter, options(nostack));
                }
            }
        }
        #[cfg(not(target_os = "none"))]
        {
            let word = |k: usize| self.0[k ^ swap];
            let chaining = core::array::from_fn(word);
            let message = core::array::from_fn(|i| word(8 + i));
            let out = super::portable::compress_words(&chaining, &message, counter, last);
            for (k, out) in out.into_iter().enumerate() {
                self.0[(4 + k) ^ swap] = out;
            }
        }
    }

    /// The result of a compression with `swap = 0`.
    #[inline(always)]
    #[must_use]
    pub fn out(&self) -> &[u64; 4] {
        let [_, _, _, _, out @ .., _, _, _, _, _, _, _, _] = &self.0;
        out
    }

    /// The message of a compression with `swap = 0`.
    #[inline(always)]
    pub fn message(&mut self) -> &mut [u64; 8] {
        let [_, _, _, _, _, _, _, _, message @ ..] = &mut self.0;
        message
    }

    /// [`message`](Self::message) as bytes.
    #[inline(always)]
    pub(super) fn message_bytes(&mut self) -> &mut [u8; 64] {
        // SAFETY: 8 words are 64 bytes, bytes need no alignment, and any bytes are words.
        unsafe { &mut *core::ptr::from_mut(self.message()).cast() }
    }

    /// [`message`](Self::message) as 32-bit half-words.
    #[inline(always)]
    pub(super) fn message_halves(&mut self) -> &mut [u32; 16] {
        // SAFETY: 8 words are 16 aligned half-words, and any half-words are words.
        unsafe { &mut *core::ptr::from_mut(self.message()).cast() }
    }

    /// Makes the result of a compression with `swap = 0` the chaining value.
    #[inline(always)]
    pub fn chain(&mut self) {
        let [h0, h1, h2, h3, o0, o1, o2, o3, ..] = &mut self.0;
        (*h0, *h1, *h2, *h3) = (*o0, *o1, *o2, *o3);
    }
}
