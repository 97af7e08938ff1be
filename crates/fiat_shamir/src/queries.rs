//! Query indices, cut from challenges, in strata.
//!
//! The leaves of a tree are split by the top bits of their index into `2^log_strata` strata, which are whole
//! subtrees, and each gets the same number of queries: query `j` of `t` belongs to stratum
//! `floor(j 2^log_strata / t)`, and only the low bits of its index are drawn.

use alloc::vec::Vec;

/// How many leaves are queried, and of how many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueryPlan {
    per_stratum: usize,
    log_leaves: usize,
    log_strata: usize,
}

/// log2 of the number of leaves of the largest tree.
const MAX_LOG_LEAVES: usize = 31;

/// A plan of queries that no tree has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueryPlanError {
    /// The tree is too high for an index to be a machine word everywhere.
    #[error("a tree of 2^{log_leaves} leaves is asked for, and at most 2^{max} are possible")]
    Leaves {
        /// log2 of the number of leaves.
        log_leaves: usize,
        /// The largest that is possible.
        max: usize,
    },
    /// There are more strata than leaves.
    #[error("2^{log_strata} strata are asked for in a tree of 2^{log_leaves} leaves: a stratum needs a leaf")]
    Strata {
        /// log2 of the number of strata.
        log_strata: usize,
        /// log2 of the number of leaves.
        log_leaves: usize,
    },
    /// The strata cannot have the same number of queries, at least one.
    #[error(
        "{count} queries are asked for in 2^{log_strata} strata: give each the same number, at least one"
    )]
    Count {
        /// The number of queries.
        count: usize,
        /// log2 of the number of strata.
        log_strata: usize,
    },
}

impl QueryPlan {
    /// `count` queries of `2^log_leaves` leaves in `2^log_strata` strata.
    ///
    /// # Errors
    /// The tree has more than 2^31 leaves, or fewer than strata, or `count` is zero or no multiple of the
    /// number of strata.
    pub const fn new(count: usize, log_leaves: usize, log_strata: usize) -> Result<Self, QueryPlanError> {
        if log_leaves > MAX_LOG_LEAVES {
            return Err(QueryPlanError::Leaves {
                log_leaves,
                max: MAX_LOG_LEAVES,
            });
        }
        if log_strata > log_leaves {
            return Err(QueryPlanError::Strata {
                log_strata,
                log_leaves,
            });
        }
        let per_stratum = count >> log_strata;
        if per_stratum == 0 || per_stratum << log_strata != count {
            return Err(QueryPlanError::Count { count, log_strata });
        }
        Ok(Self {
            per_stratum,
            log_leaves,
            log_strata,
        })
    }

    /// The number of queries.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.per_stratum << self.log_strata
    }

    /// log2 of the number of leaves.
    #[must_use]
    pub const fn log_leaves(&self) -> usize {
        self.log_leaves
    }

    /// log2 of the number of strata.
    #[must_use]
    pub const fn log_strata(&self) -> usize {
        self.log_strata
    }

    /// How many bits of an index are drawn.
    #[must_use]
    pub const fn drawn_bits(&self) -> usize {
        self.log_leaves.saturating_sub(self.log_strata)
    }
}

/// The queries of one tree: for each, the bits that were drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Queries<B> {
    plan: QueryPlan,
    /// `plan.count()` lists of `plan.drawn_bits()` bits, low bit first.
    drawn: Vec<Vec<B>>,
}

/// One query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Query<'q, B> {
    /// The top bits of the leaf's index: they are fixed by the number of the query.
    pub stratum: usize,
    /// The other bits of the leaf's index, low bit first.
    pub drawn: &'q [B],
}

impl<B: Copy> Queries<B> {
    /// The queries of `plan`, which calls `draw` for the words to cut them from.
    ///
    /// A word gives `floor(64 / bits)` indices, low bits first, and what is left of it is dropped. Where no
    /// bits are drawn, no word is.
    pub(crate) fn cut(plan: QueryPlan, mut draw: impl FnMut() -> Vec<[B; 64]>) -> Self {
        let bits = plan.drawn_bits();
        let mut drawn: Vec<Vec<B>> = Vec::new();
        if bits == 0 {
            drawn.resize(plan.count(), Vec::new());
        }
        while drawn.len() < plan.count() {
            for word in draw() {
                drawn.extend(word.chunks_exact(bits).map(<[B]>::to_vec));
            }
        }
        drawn.truncate(plan.count());
        Self { plan, drawn }
    }

    /// What was asked for.
    #[must_use]
    pub const fn plan(&self) -> &QueryPlan {
        &self.plan
    }

    /// The same queries with every bit replaced.
    #[must_use]
    pub fn map<C>(&self, mut replace: impl FnMut(B) -> C) -> Queries<C> {
        let drawn = self.drawn.iter();
        Queries {
            plan: self.plan,
            drawn: drawn
                .map(|query| query.iter().map(|&bit| replace(bit)).collect())
                .collect(),
        }
    }

    /// The queries in order.
    pub fn iter(&self) -> impl Iterator<Item = Query<'_, B>> {
        self.drawn
            .chunks(self.plan.per_stratum)
            .enumerate()
            .flat_map(|(stratum, queries)| queries.iter().map(move |drawn| Query { stratum, drawn }))
    }
}

impl Queries<bool> {
    /// The leaves' indices, in the order of the queries, repetitions included.
    #[must_use]
    pub fn indices(&self) -> Vec<usize> {
        self.iter()
            .map(|query| {
                query
                    .drawn
                    .iter()
                    .rev()
                    .fold(query.stratum, |index, &bit| index << 1 | usize::from(bit))
            })
            .collect()
    }
}
