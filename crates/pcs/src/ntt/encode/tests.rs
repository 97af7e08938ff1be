use primitives::backend::{Token, available};
use primitives::field::{E, K};
use proptest::prelude::*;

use super::*;
use crate::ntt::basis::point;
use crate::ntt::reference;
use crate::tests::{CASES, config, symbols, words};

/// The codeword by the reference network on every lane, as whole images.
fn images<T>(message: &[T], shape: &Interleaving) -> Vec<Vec<K>>
where
    T: Symbol + core::ops::Mul<K, Output = T> + core::ops::Add<Output = T> + core::ops::AddAssign,
{
    let lanes: Vec<Vec<T>> = message
        .chunks(1 << shape.log_message)
        .map(|lane| reference::encode(lane, shape.log_inv_rate))
        .collect();
    (0..1 << shape.log_rows())
        .map(|x| {
            let absent = vec![T::zeroed(); (1 << shape.log_lanes) - shape.lanes];
            let column: Vec<T> = absent
                .into_iter()
                .chain(lanes.iter().map(|lane| lane[x]))
                .collect();
            bytemuck::cast_slice(&column).to_vec()
        })
        .collect()
}

/// Rows as whole images.
fn images_of_rows<T: Symbol>(rows: &[Block], shape: &Interleaving) -> Vec<Vec<K>> {
    let absent = vec![K::ZERO; shape.absent_blocks::<T>() * 8];
    rows.chunks(shape.row_blocks::<T>())
        .map(|row| absent.iter().chain(bytemuck::cast_slice(row)).copied().collect())
        .collect()
}

/// Checks the order and the size of what reaches a sink, and keeps it.
struct Collector {
    rows: Vec<Block>,
    row: usize,
    whole: usize,
}

impl RowSink for Collector {
    fn rows(&mut self, rows: &[Block]) {
        let count = rows.len() / self.row;
        assert!(count == self.whole || count.is_multiple_of(self.whole.min(MIN_TILE_ROWS)));
        self.rows.extend_from_slice(rows);
    }
}

fn check<T>(message: &[T], shape: &Interleaving, plan: &Plan)
where
    T: Symbol + core::ops::Mul<K, Output = T> + core::ops::Add<Output = T> + core::ops::AddAssign,
{
    let tasks = 1 << (shape.log_rows() - plan.log_region);
    let mut collected: Vec<Collector> = (0..tasks)
        .map(|_| Collector {
            rows: Vec::new(),
            row: plan.row,
            whole: 1 << shape.log_rows(),
        })
        .collect();
    let codeword = encode_by_plan(message, shape, plan, collected.iter_mut().collect());
    assert!(
        images_of_rows::<T>(&codeword, shape) == images(message, shape),
        "{shape:?} {plan:?}"
    );
    let collected: Vec<Block> = collected.into_iter().flat_map(|sink| sink.rows).collect();
    assert!(collected[..] == codeword[..], "{shape:?} {plan:?}");
}

impl RowSink for &mut Collector {
    fn rows(&mut self, rows: &[Block]) {
        (**self).rows(rows);
    }
}

#[test]
fn every_number_of_lanes_is_encoded_as_the_network_does() {
    for lanes in 1..=64 {
        for (log_message, log_inv_rate) in [(0, 1), (3, 2), (4, 1), (10, 1)] {
            if log_message == 10 && lanes % 9 != 0 {
                continue;
            }
            let shape = Interleaving {
                log_message,
                log_inv_rate,
                log_lanes: 6,
                lanes,
            };
            check(&words(shape.message_symbols()), &shape, &Plan::new::<K>(&shape));
        }
    }
    for lanes in 1..=16 {
        let shape = Interleaving {
            log_message: 4,
            log_inv_rate: 3,
            log_lanes: 4,
            lanes,
        };
        check(&symbols(shape.message_symbols()), &shape, &Plan::new::<E>(&shape));
    }
}

#[test]
fn every_message_length_and_rate_is_encoded_as_the_network_does() {
    for log_message in 0..12 {
        for log_inv_rate in 0..=13 {
            if log_message + log_inv_rate > 14 {
                continue;
            }
            let shape = Interleaving::full(log_message, log_inv_rate, 3);
            check(&words(shape.message_symbols()), &shape, &Plan::new::<K>(&shape));
            check(&symbols(shape.message_symbols()), &shape, &Plan::new::<E>(&shape));
        }
    }
}

#[test]
fn every_plan_computes_the_same() {
    for log_message in 0..9 {
        for log_tile in 0..4 {
            for pass in 0..=3 {
                for max_comb_layers in 1..8 {
                    let shape = Interleaving {
                        log_message,
                        log_inv_rate: 1,
                        log_lanes: 4,
                        lanes: 11,
                    };
                    let log_region = (log_tile + pass).min(shape.log_rows());
                    let plan = Plan {
                        log_tile: log_tile.min(log_region),
                        log_region,
                        max_comb_layers,
                        log_comb_blocks: max_comb_layers + 1,
                        ..Plan::new::<K>(&shape)
                    };
                    if plan.log_message.min(plan.log_region) > log_tile + 3 {
                        continue;
                    }
                    let message = words(shape.message_symbols());
                    check_codeword_only(&message, &shape, &plan);
                }
            }
        }
    }
}

fn check_codeword_only(message: &[K], shape: &Interleaving, plan: &Plan) {
    let tasks = 1 << (shape.log_rows() - plan.log_region);
    let codeword = encode_by_plan(message, shape, plan, vec![(); tasks]);
    assert!(
        images_of_rows::<K>(&codeword, shape) == images(message, shape),
        "{shape:?} {plan:?}"
    );
}

#[test]
fn every_number_of_threads_and_every_back_end_computes_the_same() {
    let shape = Interleaving {
        log_message: 11,
        log_inv_rate: 1,
        log_lanes: 6,
        lanes: 43,
    };
    let extension_shape = Interleaving::full(5, 5, 4);
    let message = words(shape.message_symbols());
    let extension = symbols(extension_shape.message_symbols());
    for token in available().map(Token::kind) {
        primitives::backend::force(token).unwrap();
        for threads in [1, 2, 3, 8] {
            pool::with_threads(threads, || {
                check(&message, &shape, &Plan::new::<K>(&shape));
                check(&extension, &extension_shape, &Plan::new::<E>(&extension_shape));
            });
        }
    }
}

proptest! {
    #![proptest_config(config(CASES))]

    #[test]
    fn a_codeword_is_the_polynomial_at_its_points(
        log_message in 0usize..6,
        log_inv_rate in 1usize..5,
        lanes in 1usize..=8,
        seed: u64,
    ) {
        let shape = Interleaving { log_message, log_inv_rate, log_lanes: 3, lanes };
        let message: Vec<K> = words(shape.message_symbols()).into_iter().map(|w| w * K(seed | 1)).collect();
        let plan = Plan::new::<K>(&shape);
        let sinks = vec![(); 1 << (shape.log_rows() - plan.log_region)];
        let codeword = encode(&message, &shape, sinks);
        let index = seed as usize % codeword.len();
        for (lane, message) in message.chunks(1 << log_message).enumerate() {
            let expected = reference::evaluate(message, index as u32);
            prop_assert_eq!(codeword[index].0[8 - lanes + lane], expected, "at {:?}", point(index as u32));
        }
    }
}
