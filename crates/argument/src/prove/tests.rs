//! Kernels against their definitions, on every back end.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use primitives::backend::{self, Token};
use primitives::dispatch;
use primitives::field::{E, EWide, K};
use primitives::multilinear::eq_at_index;

use super::chunks::{self, CHUNK, Chunk, Chunks, ONES, ROW, SCALARS, position};
use super::columns::{self, TILE, TileColumn, TileScalars};
use super::dense::{Message, linear_message, products_message};
use super::grid::{self, GROUPS, Grid, POINTS};
use super::mass::mass_from;
use super::rounds::{Layer, Table, Values};

/// Words without a pattern.
fn words(count: usize, seed: u64) -> Vec<K> {
    let word = |i: u64| K((i + (seed << 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)).square();
    (1..=count as u64).map(word).collect()
}

/// Elements of E without a pattern.
fn scalars(count: usize, seed: u64) -> Vec<E> {
    let limbs = words(3 * count, seed);
    limbs.as_chunks().0.iter().map(|&limbs| E(limbs)).collect()
}

fn column(seed: u64) -> TileColumn {
    *words(TILE, seed).as_array().unwrap()
}

fn planes<const N: usize>(scalars: &[E]) -> [[K; N]; 3] {
    core::array::from_fn(|c| core::array::from_fn(|i| scalars[i].0[c]))
}

/// Every scalar of a chunk, written one by one.
fn chunk(scalars: &[E]) -> Chunk {
    let mut chunk = ONES;
    chunks::write(&mut chunk, scalars);
    chunk
}

fn scalar(chunk: &Chunk, i: usize) -> E {
    E(chunk[i % 4].each_ref().map(|plane| plane[position(i / 4)]))
}

fn for_every_back_end(test: impl Fn(Token)) {
    backend::available().for_each(test);
}

#[test]
fn scalars_in_order_are_written_as_one_by_one() {
    let scalars = scalars(SCALARS, 1);
    for_every_back_end(|token| {
        let mut written = ONES;
        let planes = planes(&scalars);
        dispatch!(token, |be| chunks::write_in_order(be, &planes, &mut written));
        assert!(written == chunk(&scalars), "{}", token.kind());
    });
}

#[test]
fn a_parent_has_the_products_of_groups() {
    let scalars = scalars(4 * SCALARS, 2);
    let children: Vec<Chunk> = scalars.chunks(SCALARS).map(chunk).collect();
    let products: Vec<E> = scalars
        .chunks(4)
        .map(|group| group.iter().copied().product())
        .collect();
    for_every_back_end(|token| {
        let mut parent = ONES;
        let children = core::array::from_fn(|i| &children[i]);
        dispatch!(token, |be| chunks::parent_of(be, children, &mut parent));
        assert!(parent == chunk(&products), "{}", token.kind());
    });
}

#[test]
fn rows_of_sixteen_chunks_are_one_chunk() {
    let scalars = scalars(SCALARS, 3);
    let rows: Vec<Chunk> = (0..CHUNK / ROW)
        .map(|part| {
            let mut chunk = ONES;
            for (i, scalar) in scalars[4 * ROW * part..][..4 * ROW].iter().enumerate() {
                for (plane, word) in chunk[i % 4].iter_mut().zip(scalar.0) {
                    plane[i / 4] = word;
                }
            }
            chunk
        })
        .collect();
    for_every_back_end(|token| {
        let mut joined = ONES;
        let rows = core::array::from_fn(|i| &rows[i]);
        dispatch!(token, |be| chunks::repack(be, rows, &mut joined));
        assert!(joined == chunk(&scalars), "{}", token.kind());
    });
}

/// Chunks of these slots, and the scalars of the table of 2^`log_scalars` that they are.
fn table(slots: &[u32], log_scalars: usize) -> (Chunks, Vec<E>) {
    let count = slots.iter().max().map_or(0, |&slot| slot as usize + 1);
    let stored: Vec<Chunk> = (0..count)
        .map(|i| chunk(&scalars(SCALARS, 4 + i as u64)))
        .collect();
    let mut all = vec![E::ONE; 1 << log_scalars];
    for (out, &slot) in all.chunks_mut(SCALARS).zip(slots) {
        for (i, out) in out.iter_mut().enumerate() {
            *out = scalar(&stored[slot as usize], i);
        }
    }
    let slots = slots.to_vec();
    (Chunks { slots, stored }, all)
}

#[test]
fn rounds_in_chunks_are_rounds_of_groups_in_order() {
    let equal: Vec<u32> = (0..3).chain([3; 18]).collect();
    for (slots, log_scalars) in [(&[][..], 9), (&[0][..], 9), (&[0, 1, 1, 1, 1], 12), (&equal, 14)] {
        for token in backend::available() {
            backend::force(token.kind()).unwrap();
            let (chunks, all) = table(slots, log_scalars);
            let mut in_chunks = Table::new(Layer::Chunks(chunks));
            let mut in_order = Table::new(Layer::Scalars(all));
            let point = scalars(log_scalars - 2, 8);
            let challenges = scalars(log_scalars - 2, 9);
            let mut bound = None;
            for (round, &challenge) in challenges.iter().enumerate() {
                let rest = &point[round + 1..];
                assert_eq!(
                    in_chunks.round(bound, rest),
                    in_order.round(bound, rest),
                    "round {round}"
                );
                bound = Some(challenge);
            }
            assert_eq!(in_chunks.finish(bound), in_order.finish(bound));
        }
    }
}

#[test]
fn a_layer_in_chunks_has_the_products_of_its_groups_above() {
    let equal: Vec<u32> = (0..3).chain([3; 18]).collect();
    let (chunks, all) = table(&equal, 14);
    let products = |scalars: &[E]| -> Vec<E> {
        scalars
            .chunks(4)
            .map(|group| group.iter().copied().product())
            .collect()
    };
    let parents = chunks.parents();
    for (i, &product) in products(&all)
        .iter()
        .enumerate()
        .take(parents.slots.len() * SCALARS)
    {
        let slot = parents.slots[i / SCALARS] as usize;
        assert_eq!(scalar(&parents.stored[slot], i % SCALARS), product, "scalar {i}");
    }
    assert!(
        parents.stored.len() < parents.slots.len(),
        "equal parents are stored once"
    );
    assert_eq!(parents.products(10), products(&products(&all)));
}

#[test]
fn values_of_a_polynomial_give_its_coefficients() {
    for seed in 0..10 {
        let h = scalars(5, 10 + seed);
        let at = |x: E| h.iter().rev().fold(E::ZERO, |sum, &h| sum * x + h);
        let values = Values {
            at_one: at(E::ONE),
            leading: h[4],
            at_y: at(E::Y),
            at_y_plus_one: at(E::Y + E::ONE),
        };
        assert_eq!(values.coefficients(h[0])[..], h);
    }
}

#[test]
fn the_mass_of_an_end_is_the_sum_of_its_weights() {
    for variables in 0..5 {
        let point = scalars(variables, 20);
        for from in 0..=1 << variables {
            let weights = (from..1 << variables).map(|u| eq_at_index(&point, u));
            assert_eq!(mass_from(&point, from), weights.sum());
        }
    }
}

#[test]
fn combinations_of_columns_are_sums_of_terms() {
    let columns: Vec<TileColumn> = (0..4).map(|i| column(30 + i)).collect();
    let columns: Vec<&TileColumn> = columns.iter().collect();
    let weights = scalars(4, 34);
    let terms = [(2, weights[0]), (0, weights[1]), (3, weights[2])];
    for_every_back_end(|token| {
        for count in 0..=terms.len() {
            let terms = &terms[..count];
            let mut out = [[K::ZERO; TILE]; 3];
            dispatch!(token, |be| columns::combine_columns(
                be, weights[3], terms, &columns, &mut out
            ));
            let value = |i: usize| terms.iter().map(|&(c, weight)| weight * columns[c][i]).sum::<E>();
            let expected: Vec<E> = (0..TILE).map(|i| weights[3] + value(i)).collect();
            assert!(
                out == planes::<TILE>(&expected),
                "{count} terms, {}",
                token.kind()
            );
        }
    });
}

/// `sum_x w(x) f g` on the grid, x being the groups of eight rows.
fn on_grid(weights: &[E], f: &[E], g: &[E]) -> [E; POINTS] {
    core::array::from_fn(|point| {
        let digits = [point % 3, point / 3 % 3, point / 9];
        // The rows whose sum is a factor at the point.
        let rows = (0..ROW).filter(|row| {
            digits
                .iter()
                .enumerate()
                .all(|(i, &digit)| digit == 2 || digit == row >> i & 1)
        });
        let at = |factor: &[E], x: usize| rows.clone().map(|row| factor[ROW * x + row]).sum::<E>();
        (0..GROUPS).map(|x| weights[x] * at(f, x) * at(g, x)).sum()
    })
}

fn embedded(column: &TileColumn) -> Vec<E> {
    column.iter().map(|&word| E::from(word)).collect()
}

#[test]
fn products_on_the_grid_are_those_of_the_definition() {
    let (f, g, powers) = (column(40), column(41), scalars(TILE, 42));
    let eq: Box<[E; GROUPS]> = Box::new(*scalars(GROUPS, 43).as_array().unwrap());
    let scale = scalars(1, 44)[0];
    let weights: Vec<E> = eq.iter().map(|&eq| scale * eq).collect();
    let bit_5: TileColumn = f.map(|word| K(word.0 >> 5 & 1));
    let of_words = on_grid(&weights, &embedded(&f), &embedded(&g));
    let of_bits = on_grid(&weights, &embedded(&bit_5), &powers);
    let powers: TileScalars = planes(&powers);
    for_every_back_end(|token| {
        let weights = dispatch!(token, |be| grid::group_weights(be, &eq, scale));
        let mut sums = [EWide::ZERO; POINTS];
        dispatch!(token, |be| grid::add_words(be, &weights, &f, &g, &mut sums));
        assert_eq!(sums.map(EWide::reduce), of_words, "{}", token.kind());
        let mut sums = [E::ZERO; POINTS];
        dispatch!(token, |be| grid::add_bits(
            be, &weights, &f, 5, &powers, &mut sums
        ));
        assert_eq!(sums, of_bits, "{}", token.kind());
    });
}

#[test]
fn three_variables_bound_are_sums_of_eight_rows() {
    let (words, values) = (column(50), scalars(TILE, 51));
    let eq: [E; ROW] = *scalars(ROW, 52).as_array().unwrap();
    let bound = |values: &[E]| -> Vec<E> {
        let groups = values.chunks(ROW);
        groups
            .map(|group| group.iter().zip(&eq).map(|(&value, &eq)| eq * value).sum())
            .collect()
    };
    for_every_back_end(|token| {
        let mut out = [E::ZERO; GROUPS];
        dispatch!(token, |be| grid::bind_words(be, &words, &eq, &mut out));
        assert_eq!(out[..], bound(&embedded(&words)), "{}", token.kind());
        dispatch!(token, |be| grid::bind_scalars(
            be,
            &planes(&values),
            &eq,
            &mut out
        ));
        assert_eq!(out[..], bound(&values), "{}", token.kind());
    });
}

/// The coefficients of X and X^2 of `sum_x eq(point, x) (t(X, x) + sum w f g)`.
fn message(point: &[E], t: &[E], factors: &[Vec<E>], products: &[(usize, usize, E)]) -> Message {
    let mut sum = Message::default();
    for x in 0..t.len() / 2 {
        let eq = eq_at_index(point, x);
        let line = |table: &[E]| (table[2 * x], table[2 * x] + table[2 * x + 1]);
        sum.h_1 += eq * line(t).1;
        for &(f, g, weight) in products {
            let ((f_0, f_1), (g_0, g_1)) = (line(&factors[f]), line(&factors[g]));
            sum.h_1 += eq * weight * (f_0 * g_1 + f_1 * g_0);
            sum.h_2 += eq * weight * f_1 * g_1;
        }
    }
    sum
}

#[test]
fn messages_of_scalars_are_those_of_the_definition() {
    for token in backend::available() {
        backend::force(token.kind()).unwrap();
        for variables in [0, 1, 2, 3, 4, 7, 8, 9, 12] {
            let factors: Vec<Vec<E>> = (0..3).map(|i| scalars(1 << variables, 60 + i)).collect();
            let [point, t, weights] = [variables, 1 << variables, 2].map(|count| scalars(count, 63));
            let products = [(0, 1, weights[0]), (2, 2, weights[1])];
            let mut found = products_message(&factors, &products, &point);
            found.h_1 += linear_message(&t, &point);
            let point = &point[..variables.max(1) - 1];
            assert_eq!(found, message(point, &t, &factors, &products), "2^{variables}");
        }
    }
}

#[test]
fn the_grid_gives_the_messages_of_three_rounds() {
    let (f, g) = (scalars(TILE, 70), scalars(TILE, 71));
    let point = scalars(9, 72);
    let weights: Vec<E> = (0..GROUPS).map(|x| eq_at_index(&point[3..], x)).collect();
    let mut grid = Grid::new(on_grid(&weights, &f, &g));
    let mut factors = [f, g].to_vec();
    for (round, &r) in scalars(3, 73).iter().enumerate() {
        let rest = &point[round + 1..];
        let zeros = vec![E::ZERO; factors[0].len()];
        assert_eq!(
            grid.message(rest),
            message(rest, &zeros, &factors, &[(0, 1, E::ONE)])
        );
        grid.bind(r);
        for factor in &mut factors {
            *factor = super::dense::bind(factor, r);
        }
    }
}
