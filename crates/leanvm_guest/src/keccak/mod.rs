//! The permutation Keccak-f\[1600\] (FIPS 202, section 3) and the state that it permutes, in ordinary instructions:
//! what SHA-3, SHAKE and keccak256 are made of. Padding, rate and what is squeezed are the caller's.

#[cfg(target_os = "none")]
mod kernel;
mod portable;

/// Lanes of a state.
pub const LANES: usize = 25;

/// The lanes that a state holds complemented: then a row of the step chi needs a complement once, not five times.
const COMPLEMENTED: [usize; 6] = [1, 2, 8, 12, 17, 20];

/// Zero lanes, as a state holds them.
const ZERO: [u64; LANES] = {
    let mut lanes = [0; LANES];
    let mut i = 0;
    while i < COMPLEMENTED.len() {
        lanes[COMPLEMENTED[i]] = u64::MAX;
        i += 1;
    }
    lanes
};

/// A state: 25 lanes of 64 bits, lane (x, y) being number x + 5 y. The bytes of a message fill lanes from number 0 on,
/// little-endian.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct State {
    /// The lanes, those of [`COMPLEMENTED`] complemented.
    lanes: [u64; LANES],
    /// Where the permutation keeps its caller's registers.
    saved: [u64; 16],
    /// The constants of the rounds, then a zero.
    constants: [u64; 25],
}

impl Default for State {
    fn default() -> Self {
        Self::new()
    }
}

impl State {
    /// All lanes zero.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            lanes: ZERO,
            saved: [0; 16],
            constants: portable::CONSTANTS,
        }
    }

    /// Makes all lanes zero.
    #[inline(always)]
    pub fn clear(&mut self) {
        // Not copied, which would load every lane.
        self.lanes = [0; LANES];
        for i in COMPLEMENTED {
            self.lanes[i] = u64::MAX;
        }
    }

    /// Adds words to the lanes from number 0 on, each to one (exclusive or). More than [`LANES`] are ignored.
    #[inline(always)]
    pub fn absorb(&mut self, words: &[u64]) {
        for (lane, word) in self.lanes.iter_mut().zip(words) {
            *lane ^= word;
        }
    }

    /// Adds a word to lane `i`.
    ///
    /// # Panics
    /// If there is no such lane.
    #[inline(always)]
    pub const fn add(&mut self, i: usize, word: u64) {
        self.lanes[i] ^= word;
    }

    /// Lane `i`. A constant `i` costs no look-up of how the lane is held.
    ///
    /// # Panics
    /// If there is no such lane.
    #[inline(always)]
    #[must_use]
    pub const fn lane(&self, i: usize) -> u64 {
        self.lanes[i] ^ ZERO[i]
    }

    /// Permutes the lanes.
    #[inline(always)]
    pub fn permute(&mut self) {
        #[cfg(target_os = "none")]
        // SAFETY: a `State` is what the kernel works on, borrowed exclusively.
        unsafe {
            kernel::permute(self);
        }
        #[cfg(not(target_os = "none"))]
        {
            let mut lanes = core::array::from_fn(|i| self.lane(i));
            portable::permute(&mut lanes);
            self.lanes = core::array::from_fn(|i| lanes[i] ^ ZERO[i]);
        }
    }
}
