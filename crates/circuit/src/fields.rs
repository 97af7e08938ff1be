//! Fields of bits, one after another: what stands behind the ports of a block.

/// A block of `WORDS` words that fields are appended to, low bit first.
///
/// For generators that compute a block on words; positions are known when they are compiled, so the bookkeeping
/// vanishes.
#[derive(Clone, Copy, Debug)]
pub struct Fields<const WORDS: usize> {
    words: [u64; WORDS],
    position: usize,
}

impl<const WORDS: usize> Fields<WORDS> {
    /// A block with these words at its ports, and the constant one behind them.
    ///
    /// # Panics
    /// If the ports leave no room for it.
    #[inline(always)]
    #[must_use]
    pub fn after(ports: &[u64]) -> Self {
        let mut words = [0; WORDS];
        words[..ports.len()].copy_from_slice(ports);
        words[ports.len()] = 1;
        Self {
            words,
            position: 64 * ports.len() + 1,
        }
    }

    /// Appends a field of `bits` bits, at most 64; the others of `field` are zero.
    ///
    /// # Panics
    /// If the block is full.
    #[inline(always)]
    pub fn push(&mut self, field: u64, bits: usize) {
        debug_assert!(bits == 64 || field >> bits == 0, "the field has {bits} bits");
        let (word, bit) = (self.position / 64, self.position % 64);
        self.words[word] |= field << bit;
        if bit + bits > 64 {
            self.words[word + 1] = field >> (64 - bit);
        }
        self.position += bits;
    }

    /// Appends one bit.
    #[inline(always)]
    pub fn bit(&mut self, bit: bool) {
        self.push(bit.into(), 1);
    }

    /// The block: zeros behind the last field.
    #[inline(always)]
    #[must_use]
    pub fn finish(self) -> [u64; WORDS] {
        self.words
    }
}

/// The products of a ripple-carry addition with carries `c`: bit i is `c_i + c_(i+1)`, which is
/// `(a_i + c_i)(b_i + c_i)`; the top bit is without the carry out.
#[inline(always)]
#[must_use]
pub const fn carry_products(carries: u64) -> u64 {
    carries ^ carries >> 1
}
