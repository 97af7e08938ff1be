//! Where columns lie in the stack: a function of their sizes alone.

#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::as_conversions,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

use alloc::vec;
use alloc::vec::Vec;

use crate::parameters::{LOG_WORDS, Parameters, ParametersError};

/// The words of a column: 2^`log_words` of them from `offset`, a multiple of their number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// The first word.
    pub offset: usize,
    /// log2 of the words.
    pub log_words: usize,
}

impl Region {
    /// The words of the column.
    #[must_use]
    pub fn range(&self) -> core::ops::Range<usize> {
        self.offset..self.offset.saturating_add(power(self.log_words))
    }
}

/// The stack of some columns: largest first, columns of one size in the order in which they are given.
///
/// Every offset is a sum of greater powers of two, so it is a multiple of the column's size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    log_words: usize,
    placed: usize,
    regions: Vec<Region>,
}

/// Why columns have no stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// A column is larger than the largest stack.
    #[error("column {column} has 2^{log_words} words, and a stack has at most 2^{max}")]
    Column {
        /// The column, by its place in the list.
        column: usize,
        /// log2 of its words.
        log_words: usize,
        /// log2 of the words of the largest stack.
        max: usize,
    },
    /// The columns together are larger than the largest stack.
    #[error("the columns have {words} words together, and a stack has at most 2^{max}")]
    Words {
        /// Words of all columns.
        words: usize,
        /// log2 of the words of the largest stack.
        max: usize,
    },
}

impl Layout {
    /// The stack of columns of 2^`sizes[i]` words.
    ///
    /// # Errors
    /// The columns do not fit the largest stack.
    pub fn new(sizes: &[usize]) -> Result<Self, LayoutError> {
        let max = *LOG_WORDS.end();
        let mut order: Vec<(usize, usize)> = sizes.iter().copied().enumerate().collect();
        order.sort_by_key(|&(_, log_words)| core::cmp::Reverse(log_words));
        let mut regions = vec![
            Region {
                offset: 0,
                log_words: 0
            };
            sizes.len()
        ];
        let mut placed = 0usize;
        for (column, log_words) in order {
            if log_words > max {
                return Err(LayoutError::Column {
                    column,
                    log_words,
                    max,
                });
            }
            if let Some(region) = regions.get_mut(column) {
                *region = Region {
                    offset: placed,
                    log_words,
                };
            }
            placed = placed.saturating_add(power(log_words));
        }
        if placed > power(max) {
            return Err(LayoutError::Words { words: placed, max });
        }
        let least = *LOG_WORDS.start();
        let log_words = (least..max)
            .find(|&log_words| placed <= power(log_words))
            .unwrap_or(max);
        Ok(Self {
            log_words,
            placed,
            regions,
        })
    }

    /// log2 of the words of the stack: the least size in the parameter table that holds all columns.
    #[must_use]
    pub fn log_words(&self) -> usize {
        self.log_words
    }

    /// The words of all columns; those of the stack from there on are zero.
    #[must_use]
    pub fn placed(&self) -> usize {
        self.placed
    }

    /// The columns, in the order in which they were given.
    #[must_use]
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The parameters of the stack's opening at rate 2^-`log_inv_rate`.
    ///
    /// # Errors
    /// The rate is outside the table.
    pub fn parameters(&self, log_inv_rate: usize) -> Result<Parameters, ParametersError> {
        Parameters::new(self.log_words, log_inv_rate)
    }
}

/// The lanes that hold words, if the first `placed` words of the stack may be other than zero.
#[must_use]
pub fn present_lanes(parameters: &Parameters, placed: usize) -> usize {
    placed.div_ceil(power(parameters.log_lane_words()))
}

/// 2^`log`, or as many as there can be.
pub(crate) fn power(log: usize) -> usize {
    u32::try_from(log)
        .ok()
        .and_then(|log| 1usize.checked_shl(log))
        .unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_lie_largest_first_and_aligned() {
        let layout = Layout::new(&[3, 16, 0, 16, 3, 15]).unwrap();
        let offsets: Vec<usize> = layout.regions().iter().map(|region| region.offset).collect();
        let large = 1 << 16;
        assert_eq!(
            offsets,
            [
                5 * large / 2,
                0,
                5 * large / 2 + 16,
                large,
                5 * large / 2 + 8,
                2 * large
            ]
        );
        assert_eq!(layout.placed(), 5 * large / 2 + 17);
        assert_eq!(layout.log_words(), 18);
        for region in layout.regions() {
            assert_eq!(region.offset % (1 << region.log_words), 0);
        }
        let parameters = layout.parameters(1).unwrap();
        assert_eq!(present_lanes(&parameters, layout.placed()), 41);
    }

    #[test]
    fn a_small_stack_has_the_least_size_of_the_table() {
        assert_eq!(Layout::new(&[]).unwrap().log_words(), 15);
        assert_eq!(Layout::new(&[15]).unwrap().log_words(), 15);
        assert_eq!(Layout::new(&[15, 0]).unwrap().log_words(), 16);
        assert_eq!(Layout::new(&[28]).unwrap().log_words(), 28);
    }

    #[test]
    fn columns_that_do_not_fit_are_refused() {
        assert_eq!(
            Layout::new(&[1, 29]),
            Err(LayoutError::Column {
                column: 1,
                log_words: 29,
                max: 28
            })
        );
        assert_eq!(
            Layout::new(&[28, 0]),
            Err(LayoutError::Words {
                words: (1 << 28) + 1,
                max: 28
            })
        );
        assert_eq!(
            Layout::new(&[usize::MAX]),
            Err(LayoutError::Column {
                column: 0,
                log_words: usize::MAX,
                max: 28
            })
        );
    }
}
