//! The prover from the definitions, slow and in scalars: what the prover that ships is held to, byte for byte, and
//! what forges proofs in tests.

use alloc::vec;
use alloc::vec::Vec;

use fiat_shamir::Prover;
use pcs::commit::commit;
use pcs::stack::{Claims, Column, Family, Member, PointRef, Statement};
use pcs::whir::prove::stack_shape;
use primitives::field::{E, K};
use primitives::multilinear::eq_at_index;

use crate::layout::{Layout, Leaves, Place, Source};
use crate::machine::{Coordinate, FixedValue, Form, Machine, PublicColumn, Side};

/// A message that is about to be sent. What `forge` changes is what both transcripts absorb, and what the prover
/// goes on with.
#[derive(Clone, Copy)]
pub(crate) enum Message<'m> {
    /// The root of the grand product.
    Root,
    /// The first values of a side.
    First(usize),
    /// `h_1 .. h_4` of a round of the layer that starts from layer d, or four values at its end.
    Layer(usize),
    /// The value of a column that a boundary names.
    Named,
    /// `h_1` and `h_2` of a round of the tables.
    Round,
    /// The values of a present table's columns, of which the terminal check has this function.
    Columns(usize, &'m dyn Fn(&[E]) -> E),
    /// The slices of a producer, then its product.
    Producer,
}

/// What is proven, truly or not.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) layout: &'a Layout<'a>,
    pub(crate) announced: &'a [u64],
    /// The present lanes of the stack.
    pub(crate) stack: &'a [K],
}

/// Proves what a verifier checks by [`verify_core`](crate::verify_core), and lets `forge` change every message.
pub(crate) fn prove(prover: &mut Prover, input: Input<'_>, mut forge: impl FnMut(Message<'_>, &mut [E])) {
    let Input { layout, stack, .. } = input;
    let lanes = stack.len() >> layout.parameters.log_lane_words();
    let oracle = commit(stack, &stack_shape(&layout.parameters, lanes));
    prover.send_digest(oracle.root());
    let alpha = prover.challenges(4);
    let beta = prover.challenge();
    let mut reference = Reference {
        input,
        alpha,
        beta,
        send: |prover: &mut Prover, message: Message<'_>, scalars: &mut [E]| {
            forge(message, scalars);
            prover.send_scalars(scalars);
        },
    };
    let zeta = reference.grand_product(prover);
    let named = reference.named(prover, &zeta);
    let (r, tables, slices) = reference.tables(prover, &zeta);

    let mut claims = Claims {
        points: Vec::new(),
        families: Vec::new(),
        columns: Vec::new(),
    };
    if let Some(batch) = &layout.batch {
        let regions: Vec<_> = layout
            .tables
            .iter()
            .flat_map(|place| place.blocks.clone())
            .collect();
        let witness = |(region, member): (&pcs::stack::Region, &flock::Member)| flock::prove::Witness {
            words: &stack[region.range()],
            live: 1 << member.log_instances,
        };
        let witnesses: Vec<_> = regions.iter().zip(batch.members()).map(witness).collect();
        let reduction = flock::prove::prove(prover, batch, &witnesses);
        claims.families = reduction.families(&regions);
        claims.points = reduction.points;
    }
    input.claim(&mut claims, r, zeta, named, tables, slices);
    let statement = Statement::new(layout.parameters.log_words(), claims).unwrap();
    pcs::stack::prove::prove(prover, &layout.parameters, stack, &oracle, &statement);
}

impl Input<'_> {
    /// Column `column` of a present table: its word in row `row`.
    fn column(&self, place: &Place<'_>, column: usize, row: usize) -> K {
        match column.checked_sub(place.table.columns) {
            None => self.stack[place.columns[column].offset + row],
            Some(port) => {
                let port = place.table.ports[port];
                let block = row << place.log_block_words[port.block];
                self.stack[place.blocks[port.block].offset + block + port.word]
            }
        }
    }

    fn row(&self, place: &Place<'_>, row: usize) -> Vec<K> {
        let columns = place.table.columns + place.table.ports.len();
        (0..columns)
            .map(|column| self.column(place, column, row))
            .collect()
    }

    /// A coordinate of tuple `i` of a boundary or a producer.
    fn coordinate(&self, coordinate: &Coordinate, i: usize) -> K {
        match *coordinate {
            Coordinate::Constant(word) => word,
            Coordinate::Announced(word) => K(self.announced[word]),
            Coordinate::Index { base, shift } => K(base ^ (i as u64) << shift),
            Coordinate::Column(column) => self.stack[self.layout.columns[column].offset + i],
            Coordinate::Public(column) => match &self.machine.public[column] {
                PublicColumn::Dense(words) => words[i],
                PublicColumn::Sparse { words, .. } => {
                    let word = words.iter().find(|&&(index, _)| index as usize == i);
                    word.map_or(K::ZERO, |&(_, word)| word)
                }
            },
        }
    }

    fn tuple(&self, tuple: &[Coordinate], i: usize) -> Vec<K> {
        tuple
            .iter()
            .map(|coordinate| self.coordinate(coordinate, i))
            .collect()
    }

    /// The claims on columns, and the producers' families.
    fn claim(
        &self,
        claims: &mut Claims<E>,
        r: Vec<E>,
        zeta: Vec<E>,
        named: Vec<E>,
        tables: Vec<Vec<E>>,
        slices: Vec<Vec<E>>,
    ) {
        let layout = self.layout;
        let at_r = |variables| PointRef {
            index: claims.points.len(),
            variables,
        };
        let at_zeta = |variables| PointRef {
            index: claims.points.len() + 1,
            variables,
        };
        for (place, slices) in layout.producers.iter().zip(slices) {
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
        for (place, values) in layout.tables.iter().zip(tables) {
            for (i, value) in values.into_iter().enumerate() {
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
        claims.points.extend([r, zeta]);
    }
}

struct Reference<'a, S> {
    input: Input<'a>,
    alpha: Vec<E>,
    beta: E,
    send: S,
}

impl<S: FnMut(&mut Prover, Message<'_>, &mut [E])> Reference<'_, S> {
    /// `beta + pi(tuple)`.
    fn leaf<T: Copy + Into<E>>(&self, tuple: &[T]) -> E {
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

    /// The point where it ends.
    fn grand_product(&mut self, prover: &mut Prover) -> Vec<E> {
        let log_leaves = self.input.layout.log_leaves;
        let leaves = [0, 1].map(|side| self.leaves(side));
        // V_d of both sides.
        let layer = |d: usize| -> [Vec<E>; 2] {
            leaves.each_ref().map(|leaves| {
                let nodes = leaves.chunks(1 << (log_leaves - d));
                nodes.map(|chunk| chunk.iter().copied().product()).collect()
            })
        };
        let mut root = [layer(0)[0][0]];
        (self.send)(prover, Message::Root, &mut root);
        let mut d = if log_leaves % 2 == 1 { 1 } else { 2 };
        let mut values = layer(d);
        for (side, values) in values.iter_mut().enumerate() {
            (self.send)(prover, Message::First(side), values);
        }
        let mut point = prover.challenges(d);
        while d < log_leaves {
            let batching = prover.challenge();
            // The tables V(a; .) of both sides.
            let mut tables: [Vec<Vec<E>>; 2] = layer(d + 2).map(|table| {
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
                (self.send)(prover, Message::Layer(d), &mut message);
                let challenge = prover.challenge();
                for table in tables.iter_mut().flatten() {
                    *table = bind(table, challenge);
                }
                bound.push(challenge);
            }
            for tables in &tables {
                let mut values: Vec<E> = tables.iter().map(|table| table[0]).collect();
                (self.send)(prover, Message::Layer(d), &mut values);
            }
            point = prover.challenges(2);
            point.extend(bound);
            d += 2;
        }
        point
    }

    /// The values of the columns that boundaries name.
    fn named(&mut self, prover: &mut Prover, zeta: &[E]) -> Vec<E> {
        let machine = self.input.machine;
        let mut sent = Vec::new();
        for boundary in &machine.boundary {
            for coordinate in &boundary.tuple {
                if matches!(coordinate, Coordinate::Column(_) | Coordinate::Public(_)) {
                    let words = (0..1 << boundary.log_len).map(|i| self.input.coordinate(coordinate, i));
                    let mut value = [extension(words, zeta)];
                    (self.send)(prover, Message::Named, &mut value);
                    sent.extend(value);
                }
            }
        }
        sent
    }

    /// The point, the values of the tables' columns, the producers' slices.
    fn tables(&mut self, prover: &mut Prover, zeta: &[E]) -> (Vec<E>, Vec<Vec<E>>, Vec<Vec<E>>) {
        let layout = self.input.layout;
        let xi = prover.challenge();
        let mut columns: Vec<Vec<Vec<E>>> = layout.tables.iter().map(|place| self.columns(place)).collect();
        let mut producers: Vec<Vec<Vec<E>>> = (0..layout.producers.len()).map(|n| self.entries(n)).collect();
        let mut point = Vec::new();
        for round in 0..layout.log_rows {
            let sum_at = |tables: &[Vec<E>], x: E, value: &dyn Fn(&[E]) -> E| -> E {
                if tables[0].len() == 1 {
                    return E::ZERO;
                }
                let bound: Vec<_> = tables.iter().map(|table| bind(table, x)).collect();
                let variables = bound[0].len().ilog2() as usize;
                let rest = &zeta[round + 1..][..variables];
                let row = |y: usize| bound.iter().map(|table| table[y]).collect::<Vec<_>>();
                (0..bound[0].len())
                    .map(|y| eq_at_index(rest, y) * value(&row(y)))
                    .sum()
            };
            let at = |x: E| -> E {
                let tables = columns
                    .iter()
                    .enumerate()
                    .map(|(place, tables)| sum_at(tables, x, &|row| self.of_table(zeta, xi, place, row)));
                let producers = producers
                    .iter()
                    .enumerate()
                    .filter(|(_, tables)| !tables.is_empty());
                let producers = producers
                    .map(|(number, tables)| sum_at(tables, x, &|row| self.of_producer(zeta, number, row)));
                tables.chain(producers).sum()
            };
            let mut message = interpolate(2, at).split_off(1);
            (self.send)(prover, Message::Round, &mut message);
            let challenge = prover.challenge();
            for table in columns.iter_mut().chain(&mut producers).flatten() {
                if table.len() > 1 {
                    *table = bind(table, challenge);
                }
            }
            point.push(challenge);
        }
        let first = |tables: &Vec<Vec<E>>| tables.iter().map(|table| table[0]).collect::<Vec<_>>();
        let mut values: Vec<Vec<E>> = columns.iter().map(first).collect();
        for (place, values) in values.iter_mut().enumerate() {
            values.pop();
            let terminal = weight_of_table(self.input, &self.alpha, self.beta, zeta, xi, place);
            (self.send)(prover, Message::Columns(place, &terminal), values);
        }
        let mut slices: Vec<Vec<E>> = Vec::new();
        for (number, tables) in producers.iter().enumerate() {
            let selectors = selectors_of_bits(layout, zeta, number);
            let bits = selectors.len();
            let (m, p) = (&first(tables)[..bits], &first(tables)[bits..]);
            let product = (0..bits).map(|b| selectors[b] * m[b] * p[b]).sum();
            let mut message = m.to_vec();
            message.push(product);
            (self.send)(prover, Message::Producer, &mut message);
            message.truncate(bits);
            slices.push(message);
        }
        (point, values, slices)
    }

    /// The columns of a present table, and one of zeros, so that there is one.
    fn columns(&self, place: &Place<'_>) -> Vec<Vec<E>> {
        let columns = place.table.columns + place.table.ports.len();
        let rows = 0..1 << place.log_rows;
        let column = |column| {
            rows.clone()
                .map(|row| self.input.column(place, column, row).into())
                .collect()
        };
        let zeros = vec![E::ZERO; rows.len()];
        (0..columns).map(column).chain([zeros]).collect()
    }

    /// The tables `m_b` of a producer, then `P_b`.
    fn entries(&self, number: usize) -> Vec<Vec<E>> {
        let Input {
            machine,
            layout,
            stack,
            ..
        } = self.input;
        let place = layout.producers[number];
        let entries = 0..1 << place.region.log_words;
        let m = |bit| {
            let bit = |i: usize| E::from(K(stack[place.region.offset + i].0 >> bit & 1));
            entries.clone().map(bit).collect()
        };
        let p = |bit| {
            let leaf = |i| self.leaf(&self.input.tuple(&machine.producers[number].tuple, i));
            entries.clone().map(|i| power_of_two(leaf(i), bit)).collect()
        };
        (0..place.bits).map(m).chain((0..place.bits).map(p)).collect()
    }

    /// `B_j` of a row.
    fn of_table(&self, zeta: &[E], xi: E, place: usize, row: &[E]) -> E {
        weight_of_table(self.input, &self.alpha, self.beta, zeta, xi, place)(row)
    }

    /// `sum_b sel_b (1 + m_b (1 + P_b))` of an entry.
    fn of_producer(&self, zeta: &[E], number: usize, row: &[E]) -> E {
        let selectors = selectors_of_bits(self.input.layout, zeta, number);
        let (m, p) = row.split_at(selectors.len());
        let of_bit = |(b, &selector): (usize, &E)| selector * (E::ONE + m[b] * (E::ONE + p[b]));
        selectors.iter().enumerate().map(of_bit).sum()
    }
}

/// `B_j` of a present table, as a function of a row.
fn weight_of_table<'f>(
    input: Input<'f>,
    alpha: &'f [E],
    beta: E,
    zeta: &'f [E],
    xi: E,
    place: usize,
) -> impl Fn(&[E]) -> E + 'f {
    let layout = input.layout;
    let before = layout.tables[..place]
        .iter()
        .map(|place| place.table.identities.len());
    let before = before.sum::<usize>();
    move |row| {
        let table = layout.tables[place].table;
        let mut sum = E::ZERO;
        for (side, blocks) in Side::BOTH.into_iter().zip(&layout.leaves) {
            for block in blocks {
                if let Source::Flush { place: of, flush } = block.source
                    && of == place
                {
                    let tuple = table.flushes[flush].tuple.iter().enumerate();
                    let tuple = tuple.map(|(i, form)| eq_at_index(alpha, i) * form_value(form, row));
                    let leaf = beta + tuple.sum::<E>();
                    let weight = if side == Side::Push { E::ONE } else { xi };
                    sum += weight * selector(block, zeta) * leaf;
                }
            }
        }
        for (i, identity) in table.identities.iter().enumerate() {
            sum += xi.pow((2 + before + i) as u64) * form_value(identity, row);
        }
        sum
    }
}

/// The value of a form on a row over E.
fn form_value(form: &Form, row: &[E]) -> E {
    let linear = form.linear.iter().map(|&(i, k)| row[i] * k);
    let products = form.products.iter().map(|&(i, j, k)| row[i] * row[j] * k);
    linear
        .chain(products)
        .fold(E::from(form.constant), |sum, term| sum + term)
}

/// `eq(zeta_>=t, o >> t)`.
fn selector(block: &Leaves, zeta: &[E]) -> E {
    eq_at_index(&zeta[block.log_len..], block.offset >> block.log_len)
}

/// The selectors of a producer's blocks, bit 0 first.
fn selectors_of_bits(layout: &Layout<'_>, zeta: &[E], number: usize) -> Vec<E> {
    let of_bit = |wanted: usize| {
        let is_it = |block: &&Leaves| {
            block.source
                == Source::Bit {
                    producer: number,
                    bit: wanted,
                }
        };
        selector(layout.leaves[0].iter().find(is_it).unwrap(), zeta)
    };
    (0..layout.producers[number].bits).map(of_bit).collect()
}

/// `a^(2^n)`.
fn power_of_two(a: E, n: usize) -> E {
    (0..n).fold(a, |a, _| a.square())
}

/// The table with its lowest variable bound to x.
fn bind(table: &[E], x: E) -> Vec<E> {
    table
        .chunks(2)
        .map(|pair| pair[0] + x * (pair[0] + pair[1]))
        .collect()
}

/// The extension of words at the first coordinates of a point.
fn extension(words: impl ExactSizeIterator<Item = K>, point: &[E]) -> E {
    let point = &point[..words.len().ilog2() as usize];
    words
        .enumerate()
        .map(|(i, word)| eq_at_index(point, i) * word)
        .sum()
}

/// The coefficients of a polynomial of this degree.
fn interpolate(degree: usize, at: impl Fn(E) -> E) -> Vec<E> {
    let points: Vec<E> = (0..=degree as u64).map(|i| E::from_words([i, 0, i])).collect();
    let mut coefficients = vec![E::ZERO; degree + 1];
    for (i, &x) in points.iter().enumerate() {
        // The basis polynomial of x: the product over the other points o of (X + o) / (x + o).
        let mut basis = vec![at(x)];
        for (_, &o) in points.iter().enumerate().filter(|&(j, _)| j != i) {
            let scale = (x + o).inverse_or_zero();
            let mut next = vec![E::ZERO; basis.len() + 1];
            for (power, &c) in basis.iter().enumerate() {
                next[power + 1] += scale * c;
                next[power] += scale * o * c;
            }
            basis = next;
        }
        for (coefficient, c) in coefficients.iter_mut().zip(basis) {
            *coefficient += c;
        }
    }
    coefficients
}
