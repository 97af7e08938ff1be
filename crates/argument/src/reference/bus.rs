//! The bus: leaves, their grand product, the values of the columns that boundaries name.

use alloc::vec;
use alloc::vec::Vec;

use fiat_shamir::Prover;
use primitives::field::{E, K};
use primitives::multilinear::eq_at_index;

use super::{Input, Message, Reference, bind, extension, gap_after, interpolate, power_of_two};
use crate::layout::{Layout, Leaves, Source};
use crate::machine::Coordinate;

/// What the grand product leaves.
pub(super) struct Product {
    /// The point where it ends.
    pub(super) point: Vec<E>,
    /// What the claim on each side's leaves is off by.
    gaps: [E; 2],
}

impl<F: FnMut(Message<'_>, &mut [E])> Reference<'_, F> {
    /// `beta + pi(tuple)`.
    pub(super) fn leaf<T: Copy + Into<E>>(&self, tuple: &[T]) -> E {
        let terms = tuple.iter().enumerate();
        let terms = terms.map(|(i, &word)| eq_at_index(&self.alpha, i) * word.into());
        self.beta + terms.sum::<E>()
    }

    /// Leaf `i` of a block.
    fn leaf_of(&self, block: &Leaves, i: usize) -> E {
        let Input {
            machine,
            layout,
            stack,
            ..
        } = self.input;
        match block.source {
            Source::Flush { place, flush } => {
                let place = &layout.tables[place];
                let row = self.input.row(place, i);
                let tuple = place.table.flushes[flush].tuple.iter();
                self.leaf(&tuple.map(|form| form.evaluate(&row)).collect::<Vec<_>>())
            }
            Source::Boundary(number) => self.leaf(&self.input.tuple(&machine.boundary[number].tuple, i)),
            Source::Bit { producer, bit } => {
                let entry = self.leaf(&self.input.tuple(&machine.producers[producer].tuple, i));
                let times = stack[layout.producers[producer].region.offset + i];
                let set = E::from(K(times.0 >> bit & 1));
                E::ONE + set * (E::ONE + power_of_two(entry, bit))
            }
        }
    }

    /// The leaves of a side.
    fn leaves(&self, side: usize) -> Vec<E> {
        let layout = self.input.layout;
        let mut leaves = vec![E::ONE; 1 << layout.log_leaves];
        for block in &layout.leaves[side] {
            for i in 0..1 << block.log_len {
                leaves[block.offset + i] = self.leaf_of(block, i);
            }
        }
        leaves
    }

    pub(super) fn grand_product(&mut self, prover: &mut Prover) -> Product {
        let log_leaves = self.input.layout.log_leaves;
        let honest = [0, 1].map(|side| self.leaves(side));
        let mut leaves = honest.clone();
        for (side, leaves) in leaves.iter_mut().enumerate() {
            (self.forge)(Message::Leaves(side), leaves);
        }
        let mut root = [layer(&leaves[0], 0)[0]];
        self.send(prover, Message::Root, &mut root);

        let mut d = if log_leaves % 2 == 1 { 1 } else { 2 };
        let mut added = [const { Vec::new() }; 2];
        for side in 0..2 {
            let mut values = layer(&leaves[side], d);
            let product = root[0];
            added[side] = self.send(prover, Message::First { side, product }, &mut values);
        }
        let mut point = prover.challenges(d);
        let mut gaps = added.map(|added| extension(&added, &point));
        while d < log_leaves {
            let below = leaves.each_ref().map(|leaves| layer(leaves, d + 2));
            (point, gaps) = self.layer(prover, below, &point, gaps);
            d += 2;
        }
        for side in 0..2 {
            gaps[side] += extension(&leaves[side], &point) + extension(&honest[side], &point);
        }
        Product { point, gaps }
    }

    /// From claims at a point of `V_d` to claims on `below`, the tables `V_(d+2)`.
    fn layer(
        &mut self,
        prover: &mut Prover,
        below: [Vec<E>; 2],
        point: &[E],
        gaps: [E; 2],
    ) -> (Vec<E>, [E; 2]) {
        let d = point.len();
        let batching = prover.challenge();
        let mut gap = gaps[0] + batching * gaps[1];
        // The tables V(a; .) of both sides.
        let mut tables: [Vec<Vec<E>>; 2] = below.map(|table| {
            let of = |a: usize| table.iter().copied().skip(a).step_by(4).collect();
            (0..4).map(of).collect()
        });
        let mut bound = Vec::new();
        for round in 0..d {
            let rest = &point[round + 1..];
            let at = |x: E| -> E {
                let half = tables[0][0].len() / 2;
                let of_side = |tables: &[Vec<E>]| -> E {
                    let tables: Vec<_> = tables.iter().map(|table| bind(table, x)).collect();
                    let product = |y: usize| tables.iter().map(|table| table[y]).product::<E>();
                    (0..half).map(|y| eq_at_index(rest, y) * product(y)).sum()
                };
                of_side(&tables[0]) + batching * of_side(&tables[1])
            };
            let mut message: Vec<E> = interpolate(4, at).split_off(1);
            let added = self.send(prover, Message::LayerRound { d }, &mut message);
            let challenge = prover.challenge();
            gap = gap_after(gap, point[round], &added, challenge);
            for table in tables.iter_mut().flatten() {
                *table = bind(table, challenge);
            }
            bound.push(challenge);
        }
        let mut added = [const { Vec::new() }; 2];
        for side in 0..2 {
            let mut values: Vec<E> = tables[side].iter().map(|table| table[0]).collect();
            let honest: E = values.iter().copied().product();
            // The second side makes up for what the first leaves of the gap.
            let product = if side == 0 {
                honest
            } else {
                honest + gap * batching.inverse_or_zero()
            };
            added[side] = self.send(prover, Message::LayerValues { d, side, product }, &mut values);
            gap += values.iter().copied().product::<E>() + honest;
        }
        let mut point = prover.challenges(2);
        let gaps = added.map(|added| extension(&added, &point));
        point.extend(bound);
        (point, gaps)
    }

    /// The values of the columns that boundaries name, and what is left of the gaps.
    pub(super) fn named(&mut self, prover: &mut Prover, product: &Product) -> (Vec<E>, [E; 2]) {
        let Input { machine, layout, .. } = self.input;
        let (zeta, mut gaps) = (&product.point, product.gaps);
        let mut sent = Vec::new();
        for (boundary_number, boundary) in machine.boundary.iter().enumerate() {
            let is_it = |block: &&Leaves| block.source == Source::Boundary(boundary_number);
            let side = boundary.side as usize;
            let selector = selector(layout.leaves[side].iter().find(is_it).unwrap(), zeta);
            for (i, coordinate) in boundary.tuple.iter().enumerate() {
                if !matches!(coordinate, Coordinate::Column(_) | Coordinate::Public(_)) {
                    continue;
                }
                let words = (0..1 << boundary.log_len).map(|i| self.input.coordinate(coordinate, i));
                let mut value = [extension(&words.collect::<Vec<K>>(), zeta)];
                let slope = selector * eq_at_index(&self.alpha, i);
                let message = Message::Named {
                    number: sent.len(),
                    gap: gaps[side],
                    slope,
                };
                let added = self.send(prover, message, &mut value);
                gaps[side] += slope * added[0];
                sent.extend(value);
            }
        }
        (sent, gaps)
    }
}

/// `V_d` of these leaves.
fn layer(leaves: &[E], d: usize) -> Vec<E> {
    let nodes = leaves.chunks(leaves.len() >> d);
    nodes.map(|chunk| chunk.iter().copied().product()).collect()
}

/// `eq(zeta_>=t, o >> t)`.
pub(super) fn selector(block: &Leaves, zeta: &[E]) -> E {
    eq_at_index(&zeta[block.log_len..], block.offset >> block.log_len)
}

/// The selectors of a producer's blocks, bit 0 first.
pub(super) fn selectors_of_bits(layout: &Layout<'_>, zeta: &[E], producer: usize) -> Vec<E> {
    let of_bit = |bit: usize| {
        let is_it = |block: &&Leaves| block.source == Source::Bit { producer, bit };
        selector(layout.leaves[0].iter().find(is_it).unwrap(), zeta)
    };
    (0..layout.producers[producer].bits).map(of_bit).collect()
}
