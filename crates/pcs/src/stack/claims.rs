//! Claims on a stack, as both sides have them.

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

use alloc::vec::Vec;

use super::layout::{Region, power};
use crate::ring_switch::SLICES;

/// The first `variables` coordinates of a point, by its place in the list of points.
///
/// Claims at one point, or at prefixes of one, share what is computed from it on both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointRef {
    /// The point.
    pub index: usize,
    /// How many of its coordinates, variable 0 first.
    pub variables: usize,
}

/// A claim on a column, or on one word of every block of a column:
/// `value = sum_j eq(point, j) stack[offset + word + j 2^log_block]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column<S> {
    /// The column.
    pub region: Region,
    /// log2 of the words of a block; 0 for a whole column.
    pub log_block: usize,
    /// The word of the block.
    pub word: usize,
    /// The point: a coordinate for each variable of the blocks' index.
    pub point: PointRef,
    /// What is claimed.
    pub value: S,
}

/// A column of packed bits in a family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Member<S> {
    /// The column.
    pub region: Region,
    /// The point: a coordinate for each variable of the column.
    pub point: PointRef,
    /// The weight of the column in the family's slices; 1 if absent.
    pub weight: Option<S>,
}

/// A claim on packed columns: `slices[i] = sum over members of weight sum_u eq(point, u) bit_i(column[u])`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Family<S> {
    /// The columns.
    pub members: Vec<Member<S>>,
    /// At most 64; those that are missing at the end are claimed to be zero.
    pub slices: Vec<S>,
}

/// The claims that one opening settles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claims<S> {
    /// The points.
    pub points: Vec<Vec<S>>,
    /// The ring-switched families.
    pub families: Vec<Family<S>>,
    /// The claims on columns.
    pub columns: Vec<Column<S>>,
}

/// Claims that fit a stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement<S> {
    log_words: usize,
    claims: Claims<S>,
}

/// Why claims do not fit a stack: the caller's mistake, since their form is no part of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClaimsError {
    /// There is nothing to open.
    #[error("there is no claim to open")]
    Empty,
    /// A region is not aligned, or does not lie in the stack.
    #[error("2^{log_words} words at {offset} are no column of a stack of 2^{stack} words")]
    Region {
        /// The first word.
        offset: usize,
        /// log2 of the words.
        log_words: usize,
        /// log2 of the words of the stack.
        stack: usize,
    },
    /// A claim has not one coordinate for each variable.
    #[error("{coordinates} coordinates are given for {variables} variables")]
    Coordinates {
        /// The coordinates of the claim.
        coordinates: usize,
        /// The variables of what is claimed.
        variables: usize,
    },
    /// A point is not in the list, or shorter than a claim says.
    #[error("{variables} coordinates of point {index} are asked for, and there are {available}")]
    Point {
        /// The point.
        index: usize,
        /// The coordinates that are asked for.
        variables: usize,
        /// The coordinates that it has.
        available: usize,
    },
    /// A word is not one of its block.
    #[error("word {word} of blocks of 2^{log_block} words in 2^{log_words} words is claimed")]
    Word {
        /// The word.
        word: usize,
        /// log2 of the words of a block.
        log_block: usize,
        /// log2 of the words of the column.
        log_words: usize,
    },
    /// A family has more slices than words have bits.
    #[error("a family has {slices} slices, and a word has {max} bits")]
    Slices {
        /// The slices.
        slices: usize,
        /// Bits of a word.
        max: usize,
    },
}

impl<S> Statement<S> {
    /// The claims on a stack of 2^`log_words` words.
    ///
    /// # Errors
    /// There is none, or one does not fit.
    pub fn new(log_words: usize, claims: Claims<S>) -> Result<Self, ClaimsError> {
        if claims.families.is_empty() && claims.columns.is_empty() {
            return Err(ClaimsError::Empty);
        }
        let statement = Self { log_words, claims };
        for family in &statement.claims.families {
            if family.slices.len() > SLICES {
                return Err(ClaimsError::Slices {
                    slices: family.slices.len(),
                    max: SLICES,
                });
            }
            for member in &family.members {
                statement.check_region(member.region)?;
                statement.check_point(member.point, member.region.log_words)?;
            }
        }
        for &Column {
            region,
            log_block,
            word,
            point,
            ..
        } in &statement.claims.columns
        {
            statement.check_region(region)?;
            let log_words = region.log_words;
            let Some(variables) = log_words
                .checked_sub(log_block)
                .filter(|_| word < power(log_block))
            else {
                return Err(ClaimsError::Word {
                    word,
                    log_block,
                    log_words,
                });
            };
            statement.check_point(point, variables)?;
        }
        Ok(statement)
    }

    fn check_region(&self, region: Region) -> Result<(), ClaimsError> {
        let (size, stack) = (power(region.log_words), power(self.log_words));
        let aligned = region.offset & size.wrapping_sub(1) == 0;
        if size <= stack && aligned && region.offset <= stack.wrapping_sub(size) {
            return Ok(());
        }
        let Region { offset, log_words } = region;
        Err(ClaimsError::Region {
            offset,
            log_words,
            stack: self.log_words,
        })
    }

    fn check_point(&self, point: PointRef, variables: usize) -> Result<(), ClaimsError> {
        if point.variables != variables {
            return Err(ClaimsError::Coordinates {
                coordinates: point.variables,
                variables,
            });
        }
        let available = self.claims.points.get(point.index).map_or(0, Vec::len);
        if available < variables || point.index >= self.claims.points.len() {
            return Err(ClaimsError::Point {
                index: point.index,
                variables,
                available,
            });
        }
        Ok(())
    }

    /// log2 of the words of the stack.
    #[must_use]
    pub fn log_words(&self) -> usize {
        self.log_words
    }

    /// The points.
    #[must_use]
    pub fn points(&self) -> &[Vec<S>] {
        &self.claims.points
    }

    /// The ring-switched families.
    #[must_use]
    pub fn families(&self) -> &[Family<S>] {
        &self.claims.families
    }

    /// The claims on columns.
    #[must_use]
    pub fn columns(&self) -> &[Column<S>] {
        &self.claims.columns
    }

    /// How many claims are batched once the families are one.
    pub(crate) fn batched(&self) -> usize {
        usize::from(!self.claims.families.is_empty()).saturating_add(self.claims.columns.len())
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    fn column(region: Region, log_block: usize, word: usize, point: PointRef) -> Claims<u64> {
        let columns = vec![Column {
            region,
            log_block,
            word,
            point,
            value: 0,
        }];
        Claims {
            points: vec![vec![0; 3]],
            families: vec![],
            columns,
        }
    }

    #[test]
    fn claims_that_do_not_fit_are_refused() {
        let refusal = |claims| Statement::new(4, claims).unwrap_err();
        let region = |offset, log_words| Region { offset, log_words };
        let point = |index, variables| PointRef { index, variables };
        let empty = Claims::<u64> {
            points: vec![],
            families: vec![],
            columns: vec![],
        };
        assert_eq!(refusal(empty), ClaimsError::Empty);
        let unaligned = ClaimsError::Region {
            offset: 4,
            log_words: 3,
            stack: 4,
        };
        assert_eq!(refusal(column(region(4, 3), 0, 0, point(0, 3))), unaligned);
        let outside = ClaimsError::Region {
            offset: 16,
            log_words: 3,
            stack: 4,
        };
        assert_eq!(refusal(column(region(16, 3), 0, 0, point(0, 3))), outside);
        let large = ClaimsError::Region {
            offset: 0,
            log_words: 99,
            stack: 4,
        };
        assert_eq!(refusal(column(region(0, 99), 0, 0, point(0, 3))), large);
        let few = ClaimsError::Coordinates {
            coordinates: 2,
            variables: 3,
        };
        assert_eq!(refusal(column(region(8, 3), 0, 0, point(0, 2))), few);
        let short = ClaimsError::Point {
            index: 0,
            variables: 4,
            available: 3,
        };
        assert_eq!(refusal(column(region(0, 4), 0, 0, point(0, 4))), short);
        let missing = ClaimsError::Point {
            index: 1,
            variables: 0,
            available: 0,
        };
        assert_eq!(refusal(column(region(0, 0), 0, 0, point(1, 0))), missing);
        let word = ClaimsError::Word {
            word: 4,
            log_block: 2,
            log_words: 3,
        };
        assert_eq!(refusal(column(region(0, 3), 2, 4, point(0, 1))), word);
        let block = ClaimsError::Word {
            word: 0,
            log_block: 4,
            log_words: 3,
        };
        assert_eq!(refusal(column(region(0, 3), 4, 0, point(0, 0))), block);
        let slices = Claims {
            points: vec![],
            families: vec![Family {
                members: vec![],
                slices: vec![0; 65],
            }],
            columns: vec![],
        };
        assert_eq!(refusal(slices), ClaimsError::Slices { slices: 65, max: 64 });
        assert!(Statement::new(4, column(region(8, 3), 2, 3, point(0, 1))).is_ok());
    }
}
