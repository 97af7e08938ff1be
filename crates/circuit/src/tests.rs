//! Tests of the builder, the layout, the walks and the witness.

use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use primitives::backend::{available, force};
use primitives::field::{E, K};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use crate::layout::{Gate, NO_WIRE};
use crate::{Builder, Circuit, Violation, Wire};

/// Cases of every property.
pub(crate) const CASES: u32 = 64;

/// The configuration of every property: fixed seeds, nothing written to disk.
pub(crate) fn config() -> Config {
    Config {
        cases: CASES,
        rng_seed: RngSeed::Fixed(4),
        failure_persistence: None,
        ..Config::default()
    }
}

/// Runs `f` on every back end that this machine has. The choice is the process's, so a test beside it can
/// change it meanwhile: results never depend on it.
pub(crate) fn on_every_back_end(mut f: impl FnMut()) {
    for token in available() {
        force(token.kind()).expect("it is available");
        f();
    }
}

/// The splitmix64 generator: every test's own source of words.
pub(crate) struct Words(pub(crate) u64);

impl Iterator for Words {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        Some(z ^ z >> 31)
    }
}

impl Words {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        self.next().expect("the generator does not end")
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }

    pub(crate) fn elements(&mut self, length: usize) -> Vec<E> {
        (0..length)
            .map(|_| E::from_words([self.word(), self.word(), self.word()]))
            .collect()
    }
}

/// Input words for a circuit: random under its masks.
pub(crate) fn random_inputs(circuit: &Circuit, words: &mut Words) -> Vec<u64> {
    (0..circuit.inputs())
        .map(|input| words.word() & circuit.input_mask(input))
        .collect()
}

/// The ripple-carry adder of two words.
pub(crate) fn adder() -> Circuit {
    let mut b = Builder::new();
    let (p, q) = (b.input(), b.input());
    let sum = b.add(&p, &q);
    b.output(&sum);
    b.build()
}

/// A circuit of `gates` random gates over partial ports, some of them made late, with outputs that copy and
/// outputs that are products.
pub(crate) fn random_circuit(words: &mut Words, gates: usize) -> Circuit {
    let mut b = Builder::new();
    let mut wires = vec![Wire::ONE, Wire::ZERO];
    wires.extend(b.input());
    for gate in 0..gates {
        if gate == gates / 2 {
            wires.extend(b.input_with_bits(words.word() & words.word()));
        }
        let mut pick = || wires[words.below(wires.len())];
        let wire = match gate % 3 {
            0 => b.and(pick(), pick()),
            1 => b.xor_all([pick(), pick(), pick(), pick()]),
            _ => b.mux(pick(), pick(), pick()),
        };
        wires.push(wire);
    }
    for length in [64, 40, 1] {
        let bits: Vec<Wire> = (0..length).map(|_| wires[words.below(wires.len())]).collect();
        b.output(&bits);
    }
    if words.word() & 1 == 1 {
        b.constant_at(1, 50);
    }
    b.build()
}

/// A and B by definition: every wire expanded to the set of committed positions that it is the sum of.
fn matrices(circuit: &Circuit) -> [Vec<Vec<bool>>; 2] {
    let size = 1 << circuit.log_block();
    let unit = |position: usize| (0..size).map(|p| p == position).collect::<Vec<bool>>();
    let mut expansions = vec![unit(circuit.constant_position())];
    expansions.extend(circuit.input_positions().map(unit));
    for gate in &circuit.gates {
        let expansion = match *gate {
            Gate::And { position, .. } => unit(position as usize),
            Gate::Xor { a, b } => {
                let (a, b) = (&expansions[a as usize], &expansions[b as usize]);
                a.iter().zip(b).map(|(a, b)| a ^ b).collect()
            }
        };
        expansions.push(expansion);
    }
    let (mut a, mut b) = (vec![vec![false; size]; size], vec![vec![false; size]; size]);
    for (position, &wire) in circuit
        .wire_at
        .iter()
        .enumerate()
        .filter(|(_, wire)| **wire != NO_WIRE)
    {
        let first_gate = 1 + circuit.input_positions().count();
        let operands = match (wire as usize)
            .checked_sub(first_gate)
            .map(|gate| circuit.gates[gate])
        {
            Some(Gate::And { a, b, position: home }) if home as usize == position => (a, b),
            _ => (wire, 0),
        };
        a[position].clone_from(&expansions[operands.0 as usize]);
        b[position].clone_from(&expansions[operands.1 as usize]);
    }
    [a, b]
}

/// The circuit that a dump describes.
fn parsed(dump: &str) -> Circuit {
    let number = |word: &str| {
        word.trim_matches(|c: char| !c.is_ascii_digit())
            .parse::<usize>()
            .expect("a number")
    };
    let mut lines = dump.lines();
    let head: Vec<usize> = lines
        .next()
        .expect("a head")
        .split(' ')
        .filter(|w| w.contains(char::is_numeric))
        .map(|w| number(w.trim_start_matches("2^")))
        .collect();
    let [_, positions, _, _, inputs, outputs, constant] = head[..] else {
        panic!("seven counts")
    };
    let (mut masks, mut gates, mut wire_at) = (vec![0; inputs], Vec::new(), vec![NO_WIRE; positions]);
    wire_at[constant] = 0;
    let wire = |name: &str| if name == "1" { 0 } else { number(name) as u32 };
    for line in lines {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["input", wires, at] => {
                let (first, last) = at.split_once("..=").expect("a range");
                for (position, wire) in
                    (number(first)..=number(last)).zip(number(wires.split_once("..=").expect("a range").0)..)
                {
                    masks[position / 64] |= 1 << (position % 64);
                    wire_at[position] = wire as u32;
                }
            }
            ["copy", name, at] => wire_at[number(at)] = wire(name),
            [_, "=", a, "+", b] => gates.push(Gate::Xor {
                a: wire(a),
                b: wire(b),
            }),
            [name, "=", a, "*", b, at] => {
                wire_at[number(at)] = wire(name);
                gates.push(Gate::And {
                    a: wire(a),
                    b: wire(b),
                    position: number(at) as u32,
                });
            }
            _ => panic!("no line of a dump: {line}"),
        }
    }
    Circuit::new(masks, outputs, gates, wire_at, constant)
}

fn times(matrix: &[Vec<bool>], vector: &[E]) -> Vec<E> {
    let entry = |row: &Vec<bool>| {
        row.iter()
            .zip(vector)
            .filter(|(bit, _)| **bit)
            .map(|(_, v)| *v)
            .sum()
    };
    matrix.iter().map(entry).collect()
}

fn transposed(matrix: &[Vec<bool>]) -> Vec<Vec<bool>> {
    (0..matrix.len())
        .map(|column| matrix.iter().map(|row| row[column]).collect())
        .collect()
}

fn inner(a: &[E], b: &[E]) -> E {
    a.iter().zip(b).map(|(a, b)| *a * *b).sum()
}

fn forward(circuit: &Circuit, weights: &[E]) -> [Vec<E>; 2] {
    let [mut a, mut b] = [(); 2].map(|()| vec![E::Y; weights.len()]);
    circuit.forward(weights, &mut a, &mut b);
    [a, b]
}

fn backward(circuit: &Circuit, a: &[E], b: &[E]) -> Vec<E> {
    let mut columns = vec![E::Y; a.len()];
    circuit.backward(a, b, &mut columns);
    columns
}

fn flip(block: &mut [u64], position: usize) {
    block[position / 64] ^= 1 << (position % 64);
}

/// Flips every one of `positions` alone, and expects its row, or the constant's check, to refuse it.
pub(crate) fn assert_flips_are_refused(
    circuit: &Circuit,
    block: &[u64],
    positions: impl Iterator<Item = usize>,
) {
    let mut block = block.to_vec();
    for position in positions {
        flip(&mut block, position);
        let refusal = circuit.check(&block).expect_err("a flipped bit is refused");
        if position == circuit.constant_position() {
            assert_eq!(refusal, Violation::Constant { position });
        } else if position >= 64 * circuit.inputs() {
            // The row's operands are earlier wires, so the bit alone has changed, and no lower row sees
            // it unless it is an output.
            assert!(matches!(refusal, Violation::Row { position: p, .. } if p <= position));
        }
        flip(&mut block, position);
    }
    assert_eq!(circuit.check(&block), Ok(()));
}

#[test]
fn the_adder_has_the_layout_of_its_table() {
    let adder = adder();
    assert_eq!((adder.ands(), adder.positions(), adder.log_block()), (63, 256, 8));
    assert_eq!(
        (adder.inputs(), adder.outputs(), adder.constant_position()),
        (2, 1, 192)
    );
    assert_eq!(
        (adder.block_words(), adder.output_word(0), adder.xors()),
        (4, 2, 251)
    );
    // Ports, then the constant, then the carries' products (a + c)(b + c) + c = next carry.
    let block = adder.block(&[3, 1]);
    assert_eq!(block, [3, 1, 4, 0b1011]);
}

#[test]
fn a_product_is_committed_at_its_port_and_a_second_use_is_a_copy() {
    let mut b = Builder::new();
    let (p, q) = (b.input(), b.input());
    let products = b.and_words(&p, &q);
    assert_eq!(b.output(&products), 0);
    assert_eq!(b.output(&products[..3]), 1);
    let circuit = b.build();
    assert_eq!(
        (circuit.ands(), circuit.positions(), circuit.constant_position()),
        (64, 257, 256)
    );
    assert_eq!(circuit.evaluate(&[0xff0f, 0x1115]), [0x1105, 0b101]);
    assert_flips_are_refused(&circuit, &circuit.block(&[0xff0f, 0x1115]), 128..512);
}

#[test]
fn the_constant_wire_may_stand_at_a_free_bit_of_an_output() {
    let mut b = Builder::new();
    let (p, q) = (b.input(), b.input());
    let less = b.less(&p, &q);
    let port = b.output(&[less]);
    b.constant_at(port, 1);
    let circuit = b.build();
    assert_eq!(
        (circuit.ands(), circuit.positions(), circuit.log_block()),
        (64, 256, 8)
    );
    assert_eq!(circuit.constant_position(), 129);
    assert_eq!(circuit.evaluate(&[1, 2]), [0b11]);
    assert_eq!(circuit.evaluate(&[2, 2]), [0b10]);
    assert_flips_are_refused(&circuit, &circuit.block(&[5, 9]), 128..256);
}

#[test]
#[should_panic(expected = "bit 0 of output 0 is taken")]
fn the_constant_wire_takes_no_bit_of_an_output() {
    let mut b = Builder::new();
    let p = b.input();
    let port = b.output(&p);
    b.constant_at(port, 0);
}

#[test]
#[should_panic(expected = "input 0 has bits that the port does not have")]
fn an_input_with_a_bit_outside_its_port_is_refused() {
    let mut b = Builder::new();
    let p = b.input_with_bits(0xff);
    b.output(&p);
    let _ = b.build().block(&[0x100]);
}

#[test]
fn gates_on_constants_are_folded_and_unused_gates_left_out() {
    let mut b = Builder::new();
    let p = b.input();
    assert_eq!(b.and(p[0], Wire::ONE), p[0]);
    assert_eq!(b.and(Wire::ZERO, p[0]), Wire::ZERO);
    assert_eq!(b.and(p[0], p[0]), p[0]);
    assert_eq!(b.xor_all([p[1], p[0], p[1], Wire::ZERO]), p[0]);
    assert_eq!(b.xor_all([p[1], p[0], p[1], p[0]]), Wire::ZERO);
    assert_eq!(b.not(Wire::ONE), Wire::ZERO);
    let unused = b.and(p[2], p[3]);
    let _ = b.xor(unused, p[0]);
    b.output(&[p[5], Wire::ONE]);
    let circuit = b.build();
    assert_eq!((circuit.ands(), circuit.xors(), circuit.positions()), (0, 0, 129));
    assert_eq!(circuit.evaluate(&[0xf0]), [0b11]);
}

#[test]
fn the_dump_is_stable() {
    let mut b = Builder::new();
    let (p, q) = (b.input_with_bits(0b111), b.input_with_bits(0b1011));
    let (sum, _) = b.add_with_carry(&p[..3], &q[..3], Wire::ZERO);
    b.output(&sum);
    let and = b.and_words(&p[..2], &q[..2]);
    b.output(&and);
    b.constant_at(1, 7);
    assert_eq!(
        b.build().to_string(),
        "\
block 2^9, positions 258, ands 4, xors 6, inputs 2, outputs 2, constant @199
input w1..=w3 @0..=2
input w4..=w5 @64..=65
input w6..=w6 @67..=67
w7 = w1 * w4 @256
w8 = w1 + w4
w9 = w2 + w7
w10 = w5 + w7
w11 = w9 * w10 @257
w12 = w5 + w9
w13 = w7 + w11
w14 = w3 + w13
w15 = w1 * w4 @192
w16 = w2 * w5 @193
copy w8 @128
copy w12 @129
copy w14 @130
"
    );
}

#[test]
fn equal_gate_lists_are_one_shape_and_others_are_not() {
    let mut b = Builder::new();
    let (p, q) = (b.input(), b.input());
    let _ = b.less(&p, &q);
    let sum = b.add(&p, &q);
    b.output(&sum);
    assert_eq!(b.build(), adder());
    assert_eq!(b.build().digest(), adder().digest());
    let difference = b.subtract(&p, &q);
    b.output(&difference);
    assert_ne!(b.build(), adder());
    assert_ne!(b.build().digest(), adder().digest());
}

#[test]
fn an_adders_block_with_any_bit_flipped_is_refused() {
    let adder = adder();
    let mut words = Words(1);
    for inputs in [vec![0, 0], vec![u64::MAX, 1], random_inputs(&adder, &mut words)] {
        assert_flips_are_refused(&adder, &adder.block(&inputs), 0..256);
    }
}

#[test]
fn instances_do_not_mix_at_any_count() {
    let adder = adder();
    let mut words = Words(2);
    for count in [0, 1, 2, 63, 64, 65, 251, 511, 512, 513, 1024, 1100] {
        let blocks: Vec<u64> = (0..4 * count).map(|_| words.word()).collect();
        on_every_back_end(|| {
            let mut filled = blocks.clone();
            adder.fill(&mut filled);
            for (filled, block) in filled.chunks(4).zip(blocks.chunks(4)) {
                assert_eq!(filled[..3], [block[0], block[1], block[0].wrapping_add(block[1])]);
                assert_eq!(adder.check(filled), Ok(()));
            }
        });
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_walks_are_the_matrices(seed: u64, gates in 0_usize..120) {
        let mut words = Words(seed);
        let circuit = random_circuit(&mut words, gates);
        let [a, b] = matrices(&circuit);
        let size = 1 << circuit.log_block();
        let (x, y, zero) = (words.elements(size), words.elements(size), vec![E::ZERO; size]);
        prop_assert_eq!(forward(&circuit, &x), [times(&a, &x), times(&b, &x)]);
        prop_assert_eq!(backward(&circuit, &x, &zero), times(&transposed(&a), &x));
        prop_assert_eq!(backward(&circuit, &zero, &x), times(&transposed(&b), &x));
        let both = times(&transposed(&a), &x).into_iter().zip(times(&transposed(&b), &y));
        prop_assert_eq!(backward(&circuit, &x, &y), both.map(|(a, b)| a + b).collect::<Vec<E>>());
    }

    #[test]
    fn the_dump_says_all_of_the_circuit(seed: u64, gates in 0_usize..200) {
        let circuit = random_circuit(&mut Words(seed), gates);
        prop_assert_eq!(parsed(&circuit.to_string()), circuit);
    }

    #[test]
    fn backward_is_the_transpose_of_forward(seed: u64, gates in 0_usize..1000) {
        let mut words = Words(seed);
        let circuit = random_circuit(&mut words, gates);
        let size = 1 << circuit.log_block();
        let (w, x, y) = (words.elements(size), words.elements(size), words.elements(size));
        let [a, b] = forward(&circuit, &w);
        prop_assert_eq!(inner(&x, &a) + inner(&y, &b), inner(&backward(&circuit, &x, &y), &w));
    }

    #[test]
    fn a_walked_block_satisfies_the_constraints_and_no_flip_of_it_does(seed: u64, gates in 0_usize..200) {
        let mut words = Words(seed);
        let circuit = random_circuit(&mut words, gates);
        let block = circuit.block(&random_inputs(&circuit, &mut words));
        // The constraints by definition.
        let [a, b] = matrices(&circuit);
        let bit = |position: usize| block[position / 64] >> (position % 64) & 1 == 1;
        let row = |row: &[bool]| (0..row.len()).fold(false, |sum, p| sum ^ (row[p] && bit(p)));
        for position in 0..a.len() {
            prop_assert_eq!(row(&a[position]) && row(&b[position]), bit(position));
        }
        // Flipping an input makes another instance, which may agree with the rest of the block.
        let inputs = 64 * circuit.inputs();
        assert_flips_are_refused(&circuit, &block, inputs..1 << circuit.log_block());
        let empty = (0..inputs).filter(|p| circuit.input_mask(p / 64) >> (p % 64) & 1 == 0);
        assert_flips_are_refused(&circuit, &block, empty);
    }

    #[test]
    fn walks_over_k_agree_with_walks_over_e(seed: u64) {
        let mut words = Words(seed);
        let circuit = random_circuit(&mut words, 100);
        let weights: Vec<K> = (0..1 << circuit.log_block()).map(|_| K(words.word())).collect();
        let [mut a, mut b] = [(); 2].map(|()| vec![K::ZERO; weights.len()]);
        circuit.forward(&weights, &mut a, &mut b);
        let embed = |k: &[K]| k.iter().map(|&k| E::from(k)).collect::<Vec<E>>();
        prop_assert_eq!(forward(&circuit, &embed(&weights)), [embed(&a), embed(&b)]);
    }
}
