//! What one opening settles: every claim on a committed column.

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

use flock::Reduction;
use pcs::stack::{Claims, ClaimsError, Column, Family, Member, PointRef, Region, Statement};

use crate::blocks::{Named, NamedColumn};
use crate::layout::Layout;
use crate::machine::{Fixed, Port};
use crate::tables::Values;

/// What claims follow from.
pub(crate) struct Opened<'a, S> {
    /// What the batch of circuits leaves.
    pub(crate) circuits: Option<&'a Reduction<S>>,
    /// What the sumcheck of the tables leaves.
    pub(crate) values: &'a Values<S>,
    /// The point where the grand product ends.
    pub(crate) zeta: &'a [S],
    /// The columns that boundaries name, with their values.
    pub(crate) named: &'a [(Named, S)],
    /// The fixed words, with their values.
    pub(crate) fixed: &'a [(Fixed, S)],
}

impl<S: Copy> Opened<'_, S> {
    /// The claims, in the order of the protocol (`doc/argument.md`, "Opening").
    ///
    /// # Errors
    /// The layout is another machine's.
    pub(crate) fn statement(&self, layout: &Layout<'_>) -> Result<Statement<S>, ClaimsError> {
        let mut points = self
            .circuits
            .map_or_else(Vec::new, |reduction| reduction.points.clone());
        let r = points.len();
        points.push(self.values.point.clone());
        let zeta = points.len();
        points.push(self.zeta.to_vec());

        let mut columns = self.of_boundaries(layout, zeta);
        columns.extend(self.of_tables(layout, r));
        columns.extend(self.of_fixed(layout, r));
        Statement::new(
            layout.parameters.log_words(),
            Claims {
                points,
                families: self.families(layout, r),
                columns,
            },
        )
    }

    /// The groups of circuits, then one family for each producer.
    fn families(&self, layout: &Layout<'_>, r: usize) -> Vec<Family<S>> {
        let blocks: Vec<Region> = layout
            .tables
            .iter()
            .flat_map(|place| place.blocks.iter().copied())
            .collect();
        let mut families = self
            .circuits
            .map_or_else(Vec::new, |reduction| reduction.families(&blocks));
        let producers = layout.producers.iter().zip(&self.values.producers);
        families.extend(producers.map(|(place, values)| {
            Family {
                members: [Member {
                    region: place.region,
                    point: PointRef {
                        index: r,
                        variables: place.region.log_words,
                    },
                    weight: None,
                }]
                .into(),
                slices: values.slices.clone(),
            }
        }));
        families
    }

    /// The free columns of boundaries.
    fn of_boundaries(&self, layout: &Layout<'_>, zeta: usize) -> Vec<Column<S>> {
        let column = |&(Named { log_len, column }, value): &(Named, S)| match column {
            NamedColumn::Public(_) => None,
            NamedColumn::Free(number) => layout.columns.get(number).map(|&region| Column {
                region,
                log_block: 0,
                word: 0,
                point: PointRef {
                    index: zeta,
                    variables: log_len,
                },
                value,
            }),
        };
        self.named.iter().filter_map(column).collect()
    }

    /// The columns of the present tables: committed ones, then ports.
    fn of_tables(&self, layout: &Layout<'_>, r: usize) -> Vec<Column<S>> {
        let mut columns = Vec::new();
        for (place, values) in layout.tables.iter().zip(&self.values.tables) {
            let point = PointRef {
                index: r,
                variables: place.log_rows,
            };
            let committed = place.columns.iter().map(|&region| (region, 0, 0));
            let ports = place.table.ports.iter().filter_map(|&Port { block, word }| {
                let log_block = *place.log_block_words.get(block)?;
                Some((*place.blocks.get(block)?, log_block, word))
            });
            let claims = committed.chain(ports).zip(values);
            columns.extend(claims.map(|((region, log_block, word), &value)| Column {
                region,
                log_block,
                word,
                point,
                value,
            }));
        }
        columns
    }

    /// The fixed words: a block each of their columns, that is the whole column.
    fn of_fixed(&self, layout: &Layout<'_>, r: usize) -> Vec<Column<S>> {
        let column = |&(fixed, value): &(Fixed, S)| {
            layout.columns.get(fixed.column).map(|&region| Column {
                region,
                log_block: region.log_words,
                word: fixed.index,
                point: PointRef {
                    index: r,
                    variables: 0,
                },
                value,
            })
        };
        self.fixed.iter().filter_map(column).collect()
    }
}
