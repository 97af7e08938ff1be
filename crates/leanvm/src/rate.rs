//! The rate of the commitment.

/// The rate of the code that a proof commits with: the user's choice between a fast prover and small proofs, which are
/// also cheap to aggregate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Rate {
    /// 1/2: the fastest prover.
    #[default]
    Half,
    /// 1/4.
    Quarter,
    /// 1/8.
    Eighth,
    /// 1/16: the smallest proofs.
    Sixteenth,
}

impl Rate {
    /// All rates, the greatest first.
    pub const ALL: [Self; 4] = [Self::Half, Self::Quarter, Self::Eighth, Self::Sixteenth];

    /// The rate 2^-`log`, if there is one: `log` is 1 to 4.
    #[must_use]
    pub fn from_log_inv(log: usize) -> Option<Self> {
        log.checked_sub(1).and_then(|index| Self::ALL.get(index)).copied()
    }

    /// The negative of the rate's log2.
    #[must_use]
    pub const fn log_inv(self) -> usize {
        match self {
            Self::Half => 1,
            Self::Quarter => 2,
            Self::Eighth => 3,
            Self::Sixteenth => 4,
        }
    }
}
