//! The claims that one opening settles, written out.

use alloc::vec;
use alloc::vec::Vec;

use pcs::stack::{Claims, Column, Family, Member, PointRef};
use primitives::field::{E, K};

use super::Input;
use super::tables::Values;
use crate::machine::{Coordinate, FixedValue};

impl Input<'_> {
    /// The claims on columns, and the producers' families.
    pub(super) fn claim(&self, claims: &mut Claims<E>, zeta: Vec<E>, named: Vec<E>, values: Values) {
        let layout = self.layout;
        let at_r = |variables| PointRef {
            index: claims.points.len(),
            variables,
        };
        let at_zeta = |variables| PointRef {
            index: claims.points.len() + 1,
            variables,
        };
        for (place, slices) in layout.producers.iter().zip(values.slices) {
            let member = Member {
                region: place.region,
                point: at_r(place.region.log_words),
                weight: None,
            };
            claims.families.push(Family {
                members: vec![member],
                slices,
            });
        }
        let mut named = named.into_iter();
        for boundary in &self.machine.boundary {
            for coordinate in &boundary.tuple {
                let value = match coordinate {
                    Coordinate::Column(_) | Coordinate::Public(_) => named.next().unwrap(),
                    _ => continue,
                };
                if let Coordinate::Column(column) = *coordinate {
                    claims.columns.push(Column {
                        region: layout.columns[column],
                        log_block: 0,
                        word: 0,
                        point: at_zeta(boundary.log_len),
                        value,
                    });
                }
            }
        }
        for (place, values) in layout.tables.iter().zip(values.tables) {
            for (i, value) in values.into_iter().enumerate().take(place.table.opened()) {
                let (region, log_block, word) = match i.checked_sub(place.table.columns) {
                    None => (place.columns[i], 0, 0),
                    Some(port) => {
                        let port = place.table.ports[port];
                        (
                            place.blocks[port.block],
                            place.log_block_words[port.block],
                            port.word,
                        )
                    }
                };
                claims.columns.push(Column {
                    region,
                    log_block,
                    word,
                    point: at_r(place.log_rows),
                    value,
                });
            }
        }
        for fixed in &self.machine.fixed {
            let region = layout.columns[fixed.column];
            let value = match fixed.value {
                FixedValue::Constant(word) => word,
                FixedValue::Announced(word) => K(self.announced[word]),
            };
            claims.columns.push(Column {
                region,
                log_block: region.log_words,
                word: fixed.index,
                point: at_r(0),
                value: value.into(),
            });
        }
        claims.points.extend([values.point, zeta]);
    }
}
