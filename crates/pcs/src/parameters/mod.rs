//! The parameters of an opening: which variables each level folds, at which rate, with how many queries.
//!
//! Everything is read from an integer table (`table`), indexed by the rate and the size. The table is
//! derived from the soundness formulas by a test of `security`, so prover and verifier compute no logarithm.

#[cfg(feature = "prover")]
pub mod security;
mod table;

use core::ops::RangeInclusive;

use alloc::vec::Vec;

use fiat_shamir::{QueryPlan, QueryPlanError};

/// The sizes that can be committed: log2 of the words of the stack.
pub const LOG_WORDS: RangeInclusive<usize> = 15..=28;

/// The rates that can be chosen: level 0 has rate 2^-r for r in this range.
pub const LOG_INV_RATE: RangeInclusive<usize> = 1..=4;

/// Bits of the proof of work before each level's queries.
pub const GRINDING_BITS: usize = 17;

/// The variables that every level but the first folds.
pub const LOG_FOLD: usize = 4;

/// At most so many variables remain when the table is sent in the clear.
pub const MAX_RESIDUAL: usize = 5;

/// log2 of the factor between the rates of two successive levels.
pub const RATE_STEP: usize = 3;

/// One level of an opening: an oracle, the rounds that fold it and the queries that check the fold.
///
/// The oracle is a function of `log_message + log_fold` variables, cut by its top `log_fold` variables into
/// lanes; each lane is encoded, and leaf `x` is coordinate `x` of every lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// log2 of the lanes, which is also the number of sumcheck rounds of the level.
    pub log_fold: usize,
    /// log2 of the message of one lane.
    pub log_message: usize,
    /// The rate is 2^-`log_inv_rate`.
    pub log_inv_rate: usize,
    /// The queries, in strata.
    pub plan: QueryPlan,
}

impl Level {
    /// The variables of the function that the level's oracle commits to.
    #[must_use]
    pub fn variables(&self) -> usize {
        self.log_message + self.log_fold
    }

    /// log2 of the leaves: the length of the code.
    #[must_use]
    pub fn log_leaves(&self) -> usize {
        self.log_message + self.log_inv_rate
    }
}

/// The shape of an opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    log_words: usize,
    log_inv_rate: usize,
    levels: Vec<Level>,
    log_residual: usize,
    grinding_bits: usize,
}

/// Why there are no parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParametersError {
    /// The size is outside the table.
    #[error("a stack of 2^{log_words} words is outside the sizes 2^{min} to 2^{max}")]
    Size {
        /// The size that was asked for.
        log_words: usize,
        /// The least size.
        min: usize,
        /// The greatest size.
        max: usize,
    },
    /// The rate is outside the table.
    #[error("a code of rate 2^-{log_inv_rate} is outside the rates 2^-{min} to 2^-{max}")]
    Rate {
        /// The rate that was asked for.
        log_inv_rate: usize,
        /// The least value.
        min: usize,
        /// The greatest value.
        max: usize,
    },
    /// The table asks for queries that a tree does not have; a test shows that no entry does.
    #[error("the parameter table has an impossible entry, a bug of ours: {0}")]
    Plan(#[from] QueryPlanError),
}

impl Parameters {
    /// The parameters for a stack of 2^`log_words` words, encoded at rate 2^-`log_inv_rate`.
    ///
    /// # Errors
    /// A size outside [`LOG_WORDS`] or a rate outside [`LOG_INV_RATE`].
    pub fn new(log_words: usize, log_inv_rate: usize) -> Result<Self, ParametersError> {
        let (min, max) = (*LOG_INV_RATE.start(), *LOG_INV_RATE.end());
        let of_rate = log_inv_rate
            .checked_sub(min)
            .and_then(|row| table::TABLE.get(row))
            .ok_or(ParametersError::Rate {
                log_inv_rate,
                min,
                max,
            })?;
        let (min, max) = (*LOG_WORDS.start(), *LOG_WORDS.end());
        let queries = log_words
            .checked_sub(min)
            .and_then(|row| of_rate.get(row))
            .ok_or(ParametersError::Size { log_words, min, max })?;
        Self::assemble(log_words, log_inv_rate, table::LOG_LANES, queries)
    }

    /// The parameters that the soundness formulas give for 2^`log_lanes` lanes ([`security::derive`]); [`new`](Self::new)
    /// has those of the table. To compare numbers of lanes.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    ///
    /// # Panics
    /// If the lanes are more than the words, or no slack makes the code sound.
    #[cfg(feature = "prover")]
    pub fn derived(log_words: usize, log_inv_rate: usize, log_lanes: usize) -> Result<Self, ParametersError> {
        Self::new(log_words, log_inv_rate)?;
        let queries = security::derive(log_words, log_inv_rate, log_lanes);
        Self::assemble(log_words, log_inv_rate, log_lanes, &queries)
    }

    /// Levels of the given queries and strata.
    ///
    /// The caller sees to it that there is an entry for every level.
    fn assemble(
        log_words: usize,
        log_inv_rate: usize,
        log_lanes: usize,
        queries: &[(u16, u8)],
    ) -> Result<Self, ParametersError> {
        let mut variables = log_words;
        let mut levels = Vec::with_capacity(queries.len());
        let folds = core::iter::once(log_lanes).chain(core::iter::repeat(LOG_FOLD));
        let rates = (log_inv_rate..).step_by(RATE_STEP);
        for ((log_fold, log_inv_rate), &(queries, log_strata)) in folds.zip(rates).zip(queries) {
            variables -= log_fold;
            let log_leaves = variables + log_inv_rate;
            let plan = QueryPlan::new(usize::from(queries), log_leaves, usize::from(log_strata))?;
            levels.push(Level {
                log_fold,
                log_message: variables,
                log_inv_rate,
                plan,
            });
        }
        debug_assert!(variables <= MAX_RESIDUAL);
        Ok(Self {
            log_words,
            log_inv_rate,
            levels,
            log_residual: variables,
            grinding_bits: GRINDING_BITS,
        })
    }

    /// Parameters of no security for stacks below the table, so that tests reach every size: two
    /// queries a stratum, two strata where there are as many leaves.
    #[cfg(test)]
    pub(crate) fn insecure(log_words: usize, log_inv_rate: usize, log_lanes: usize) -> Self {
        let levels = levels_of(log_words, log_lanes);
        let parameters =
            Self::assemble(log_words, log_inv_rate, log_lanes, &alloc::vec![(4, 1); levels]).unwrap();
        Self {
            grinding_bits: 3,
            ..parameters
        }
    }

    /// log2 of the words of the stack.
    #[must_use]
    pub fn log_words(&self) -> usize {
        self.log_words
    }

    /// Level 0 has rate 2^-`log_inv_rate`.
    #[must_use]
    pub fn log_inv_rate(&self) -> usize {
        self.log_inv_rate
    }

    /// log2 of the lanes of the stack.
    #[must_use]
    pub fn log_lanes(&self) -> usize {
        self.log_words - self.log_lane_words()
    }

    /// log2 of the words of one lane of the stack.
    #[must_use]
    pub fn log_lane_words(&self) -> usize {
        self.levels
            .first()
            .map_or(self.log_words, |level| level.log_message)
    }

    /// The levels, that of the stack itself first.
    #[must_use]
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Bits of the proof of work before each level's queries.
    #[must_use]
    pub fn grinding_bits(&self) -> usize {
        self.grinding_bits
    }

    /// log2 of the scalars of the table sent in the clear: the variables left after the last level.
    #[must_use]
    pub fn log_residual(&self) -> usize {
        self.log_residual
    }
}

/// The number of levels of a stack of 2^`log_words` words in 2^`log_lanes` lanes.
#[cfg(any(test, feature = "prover"))]
fn levels_of(log_words: usize, log_lanes: usize) -> usize {
    let left = (log_words - log_lanes).saturating_sub(MAX_RESIDUAL);
    1 + left.div_ceil(LOG_FOLD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_rates_outside_the_table_are_refused_with_their_bounds() {
        assert_eq!(
            Parameters::new(14, 1),
            Err(ParametersError::Size {
                log_words: 14,
                min: 15,
                max: 28
            })
        );
        assert_eq!(
            Parameters::new(29, 4),
            Err(ParametersError::Size {
                log_words: 29,
                min: 15,
                max: 28
            })
        );
        assert_eq!(
            Parameters::new(20, 0),
            Err(ParametersError::Rate {
                log_inv_rate: 0,
                min: 1,
                max: 4
            })
        );
        assert_eq!(
            Parameters::new(20, 5),
            Err(ParametersError::Rate {
                log_inv_rate: 5,
                min: 1,
                max: 4
            })
        );
        assert_eq!(
            Parameters::new(usize::MAX, usize::MAX),
            Err(ParametersError::Rate {
                log_inv_rate: usize::MAX,
                min: 1,
                max: 4
            })
        );
    }

    #[test]
    fn every_level_is_well_formed() {
        let small = (4..15).map(|log_words| Parameters::insecure(log_words, 1, 3));
        for log_inv_rate in LOG_INV_RATE {
            let table = LOG_WORDS.map(|log_words| Parameters::new(log_words, log_inv_rate).unwrap());
            let five = LOG_WORDS.map(|log_words| Parameters::derived(log_words, log_inv_rate, 5).unwrap());
            for parameters in table.chain(five).chain(small.clone()) {
                let log_words = parameters.log_words();
                let levels = parameters.levels();
                assert_eq!(levels.len(), levels_of(log_words, parameters.log_lanes()));
                let folded: usize = levels.iter().map(|level| level.log_fold).sum();
                assert_eq!(folded + parameters.log_residual(), log_words);
                assert!(parameters.log_residual() <= MAX_RESIDUAL);
                for level in levels {
                    assert_eq!(level.plan.log_leaves(), level.log_leaves());
                    assert!(level.plan.log_strata() < level.log_leaves());
                }
                for pair in levels.windows(2) {
                    assert_eq!(pair[1].variables(), pair[0].log_message);
                    assert_eq!(pair[1].log_leaves() + 1, pair[0].log_leaves());
                }
            }
        }
    }
}
