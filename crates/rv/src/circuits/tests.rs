//! Each circuit computes its reference and has the size that is pinned here; the reference of division refuses
//! every wrong hint.

use alloc::vec::Vec;

use circuit::Circuit;

use super::{Hints, Shape, adder, and, hints, less, load, shift, store, word};
use crate::class::Class;
use crate::entry::Entry;
use crate::forms::padding;

/// The number of random operands of each circuit.
const CASES: usize = 512;

/// Words at which carries, signs and bytes meet.
const EDGES: [u64; 14] = [
    0,
    1,
    2,
    7,
    0x7f,
    0x80,
    0xffff_8000,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x8000_0000_0000_0000,
    0x7fff_ffff_ffff_ffff,
    0xffff_ffff_ffff_ffff,
    0x0123_4567_89ab_cdef,
];

/// A generator of pseudo-random words (splitmix64, Steele, Lea and Flood 2014), some short and some of few bits.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn operand(&mut self) -> u64 {
        let (word, kind) = (self.word(), self.word());
        let shift = kind >> 8 & 63;
        match kind & 3 {
            0 => word,
            1 => word >> shift,
            2 => (word.cast_signed() >> shift).cast_unsigned(),
            _ => EDGES[(word % EDGES.len() as u64) as usize],
        }
    }
}

/// The immediates, or flags, that entries of the shape's class can have; every one for few, else edges.
fn immediates(shape: Shape) -> Vec<u64> {
    match shape {
        Shape::Shift => (0..512)
            .filter(|imm| imm & 0x80 == 0 || imm & 0x40 != 0)
            .collect(),
        Shape::Load | Shape::Store => {
            let signs = if shape == Shape::Load { 2 } else { 1 };
            let flags = [0, 1, 3]
                .into_iter()
                .flat_map(|width| (0..signs).map(move |s| width | s << 2));
            flags
                .flat_map(|flags: u64| [0, 1, 2, 3, 4, 5, 6, 7, 0x7ff, 0x800, 0xfff].map(|i| i | flags << 12))
                .collect()
        }
        Shape::Mul => [0, 1].into(),
        Shape::Mulh => [0, 1, 3].into(),
        Shape::Div => (0..8).collect(),
        _ => [0].into(),
    }
}

/// The inputs of an honest row for operands and a cell.
fn inputs(shape: Shape, [x, y, cell]: [u64; 3], imm: u64) -> Vec<u64> {
    match shape {
        Shape::Adder | Shape::And | Shape::Less | Shape::Word => [x, y].into(),
        Shape::Shift | Shape::Mul | Shape::Mulh => [x, y, imm].into(),
        Shape::Load => [x, imm, cell].into(),
        Shape::Store => [x, y, imm, cell].into(),
        Shape::Div => {
            let Hints { q, r } = hints(x, y, imm);
            [x, y, imm, q, r].into()
        }
        Shape::Compression => {
            let flags = if y & 1 == 1 { 0xffff_ffff } else { 0 };
            let mut inputs: Vec<u64> = [x, flags].into();
            inputs.extend((0..12).map(|i| x.rotate_left(i).wrapping_mul(y ^ cell)));
            inputs
        }
    }
}

/// The block computed on words, of a shape that has such a generator here.
fn on_words(shape: Shape, inputs: &[u64]) -> Option<Vec<u64>> {
    Some(match (shape, inputs) {
        (Shape::Adder, &[p, q]) => adder::block(p, q).into(),
        (Shape::And, &[p, q]) => and::block(p, q).into(),
        (Shape::Less, &[a, b]) => less::block(a, b).into(),
        (Shape::Word, &[p, q]) => word::block(p, q).into(),
        (Shape::Shift, &[v1, v2, imm]) => shift::block(v1, v2, imm).into(),
        (Shape::Load, &[v1, imm, cell]) => load::block(v1, imm, cell).into(),
        (Shape::Store, &[v1, v2, imm, cell]) => store::block(v1, v2, imm, cell).into(),
        _ => return None,
    })
}

/// The blocks of rows that begin with these inputs.
fn blocks(circuit: &Circuit, rows: &[Vec<u64>]) -> Vec<u64> {
    let mut blocks = alloc::vec![0; circuit.block_words() * rows.len()];
    for (block, row) in blocks.chunks_mut(circuit.block_words()).zip(rows) {
        block[..row.len()].copy_from_slice(row);
    }
    circuit.fill(&mut blocks);
    blocks
}

#[test]
fn every_circuit_equals_its_reference() {
    let mut random = Random(1);
    for shape in Shape::ALL {
        let circuit = shape.circuit();
        let immediates = immediates(shape);
        let mut operands: Vec<[u64; 3]> = Vec::new();
        for x in EDGES {
            operands.extend(EDGES.map(|y| [x, y, 0xf0e1_d2c3_b4a5_9687]));
        }
        operands.extend((0..CASES).map(|_| [random.operand(), random.operand(), random.word()]));
        // Shifts meet every immediate with a few operands, the others a few immediates with every operand.
        let mut rows = Vec::new();
        for (i, operands) in operands.into_iter().enumerate() {
            let some = immediates.len().min(44);
            rows.extend((0..some).map(|j| inputs(shape, operands, immediates[(i + j) % immediates.len()])));
        }
        let words = circuit.block_words();
        let blocks = blocks(&circuit, &rows);
        for (block, row) in blocks.chunks(words).zip(&rows) {
            let outputs = &block[circuit.output_word(0)..][..circuit.outputs()];
            assert_eq!(outputs, shape.reference(row), "{shape:?} {row:x?}");
            if let Some(on_words) = on_words(shape, row) {
                assert_eq!(on_words, block, "{shape:?} {row:x?}");
            }
        }
        for block in blocks.chunks(words).step_by(rows.len() / 64 + 1) {
            assert_eq!(circuit.check(block), Ok(()), "{shape:?}");
        }
    }
}

#[test]
fn the_sizes_of_the_circuits() {
    // Ports, ANDs, positions, log2 of the block.
    let expected = [
        (Shape::Adder, 3, 63, 256, 8),
        (Shape::And, 3, 64, 193, 8),
        (Shape::Less, 3, 64, 256, 8),
        (Shape::Word, 3, 31, 224, 8),
        (Shape::Shift, 4, 515, 772, 10),
        (Shape::Load, 5, 148, 466, 9),
        (Shape::Store, 6, 161, 480, 9),
        (Shape::Mul, 4, 2176, 2433, 12),
        (Shape::Mulh, 4, 3691, 3948, 12),
        (Shape::Div, 7, 3007, 3456, 12),
        (Shape::Compression, 18, 14_874, 16_027, 14),
    ];
    let actual = Shape::ALL.map(|shape| {
        let c = shape.circuit();
        (
            shape,
            c.inputs() + c.outputs(),
            c.ands(),
            c.positions(),
            c.log_block(),
        )
    });
    assert_eq!(actual, expected);
}

#[test]
fn every_filler_has_a_padding_row() {
    for class in Class::ALL {
        let filler = Entry::filler(class, 0x1000_0040);
        let row = padding(&filler);
        let (words, bus) = (row.words(&filler), row.bus(&filler));
        assert!(words.identities(class).iter().all(|word| word.0 == 0), "{class}");
        assert_eq!(
            (bus.v1.0, bus.v2.map_or(0, |v| v.0), bus.bad.0),
            (0, 0, 0),
            "{class}"
        );
        assert_eq!(bus.next_pc.0, filler.next, "{class}");
        assert_eq!(bus.imm.0, filler.imm, "{class}");
        let accesses = words.accesses(class);
        assert!(accesses.iter().all(|(_, cell)| cell.old == cell.new), "{class}");
        // The cell written, the sink, holds what is written.
        let expected = if class == Class::Jump { filler.next } else { 0 };
        assert_eq!(bus.new.map_or(expected, |new| new.0), expected, "{class}");
        let pointers = (class == Class::Ext).then(circuit::pointers::circuit);
        if let Some(circuit) = class.shape().map(Shape::circuit).or(pointers) {
            let block = circuit.block(&row.inputs);
            assert_eq!(circuit.check(&block), Ok(()), "{class}");
            assert_eq!(
                block[circuit.output_word(0)..][..circuit.outputs()],
                row.outputs,
                "{class}"
            );
        }
    }
}

#[test]
fn the_columns_of_padding_rows_are_those_of_the_page() {
    let row = |class| padding(&Entry::filler(class, 0x1000_0040));
    assert_eq!(row(Class::Eq).columns, [0, 0, 0, 1]);
    assert_eq!(row(Class::Lt).outputs, [2]);
    assert_eq!(
        (row(Class::Shifti).inputs, row(Class::Shifti).outputs),
        ([0, 1].into(), [0].into())
    );
    assert_eq!(
        (row(Class::Div).inputs, row(Class::Div).outputs),
        ([0, 0, 2, 0, 0].into(), [0, 0].into())
    );
    let hash = row(Class::Hash);
    assert_ne!(hash.outputs[0], 0);
    assert_eq!(hash.columns[1..], hash.outputs);
}

#[test]
fn wrong_hints_of_a_division_have_a_verdict() {
    let mut random = Random(2);
    let mut rows = Vec::new();
    for case in 0..4 * CASES {
        let (x, y, flags) = (random.operand(), random.operand(), case as u64 % 8);
        let Hints { q, r } = hints(x, y, flags);
        // The magnitude of a word is its quotient by 1.
        let magnitude = hints(y, 1, flags).q;
        let (wrapped_q, wrapped_r) = wrapped(x, flags, magnitude, 1 + case as u64 % 7);
        let wrong = [
            (q.wrapping_add(1), r),
            (q.wrapping_sub(1), r.wrapping_add(magnitude)),
            (q.wrapping_add(1), r.wrapping_sub(magnitude)),
            (q ^ 1 << (case % 64), r),
            (q, r ^ 1 << (case % 64)),
            (wrapped_q, wrapped_r),
            (random.word(), random.word()),
            (q.wrapping_neg(), r),
            (q, r.wrapping_neg()),
        ];
        let wrong = wrong.into_iter().filter(|hints| *hints != (q, r));
        rows.extend(wrong.map(|(q, r)| Vec::from([x, y, flags, q, r])));
    }
    let circuit = Shape::Div.circuit();
    let mut refused = 0;
    for (block, row) in blocks(&circuit, &rows).chunks(circuit.block_words()).zip(&rows) {
        let &[x, y, flags, _, r] = &row[..] else {
            unreachable!("a division has five inputs")
        };
        let outputs = &block[circuit.output_word(0)..][..2];
        assert_eq!(outputs, Shape::Div.reference(row), "{row:x?}");
        let honest = hints(x, y, flags);
        // Where the divisor is 0, the quotient's hint changes nothing.
        let harmless = hints(y, 1, flags).q == 0 && r == honest.r;
        assert_eq!(outputs[1] == 0, harmless, "{row:x?}");
        if harmless {
            assert_eq!(
                outputs,
                Shape::Div.reference(&[x, y, flags, honest.q, honest.r]),
                "{row:x?}"
            );
        }
        refused += usize::from(!harmless);
    }
    assert!(refused > 16 * CASES);
}

/// Hints that satisfy the equation modulo 2^64 alone: `q d + r = |x| + turns 2^64` with `r < d`.
fn wrapped(x: u64, flags: u64, divisor: u64, turns: u64) -> (u64, u64) {
    let dividend = u128::from(hints(x, 1, flags).q) + (u128::from(turns) << 64);
    match dividend.checked_div(u128::from(divisor)) {
        Some(q) => (q as u64, (dividend % u128::from(divisor)) as u64),
        None => (turns, 0),
    }
}
