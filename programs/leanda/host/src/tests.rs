//! Known answers, twins from the definitions, and every way to spoil a run. The known answers are those of the scheme's
//! public reference implementation and of an independent one.

use std::sync::LazyLock;

use guest_test::Guest;
use leanda_guest::{CELL, CELLS, Digest, Dual, MAX_ROWS, Refusal, Row, SYMBOLS, Scan, Statement, check};
use primitives::blake2s;
use primitives::field::{E, K};

use crate::code::{LOG_SYMBOLS, PAYLOAD, encode, evaluate, interpolate, subspace};
use crate::{
    Count, ELF, advice, benchmark_rows, challenges, commitment, dual_codeword, dual_digest, output, statement,
};

/// The benchmarks' first rows.
static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| benchmark_rows(3));

/// The statement of the first, and its dual codeword.
static HONEST: LazyLock<(Statement, Box<Dual>)> = LazyLock::new(|| statement(&ROWS[0]).expect("a codeword"));

/// The advice of the honest run.
fn honest() -> Vec<u64> {
    advice(&HONEST.1, &ROWS[..1]).expect("one row fits")
}

fn hex(words: &[u64]) -> String {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

fn zero_dual() -> Box<Dual> {
    vec![leanvm_guest::ext::E::ZERO; SYMBOLS]
        .try_into()
        .expect("2^15 entries")
}

fn words_of(row: &Row) -> Vec<u64> {
    row.iter().map(|symbol| symbol.0).collect()
}

fn field_words(entry: E) -> [u64; 3] {
    entry.to_words()
}

#[test]
fn one_blob_has_the_known_answers() {
    let (
        Statement {
            commitment,
            dual: digest,
        },
        dual,
    ) = &*HONEST;
    assert_eq!(ROWS[0][0].0, 0x9e37_79b9_7f4a_7c15);
    assert_eq!(ROWS[0][PAYLOAD].0, 0x5fe3_29ca_45d1_c27f);
    assert_eq!(
        hex(&commitment.rows),
        "ee30be7f96bd716c954a0c4448d26129abe17883f7b3f9c35005b40f6470a020"
    );
    assert_eq!(
        hex(&commitment.columns),
        "c399f74e264443da95255649359bb2dfe6c2f52810ac9dddce86224088dc7f73"
    );
    assert_eq!(
        hex(&commitment.root),
        "142f5d812d9e9dc3049f57c39a270fa56385d40f1be10727176bc834a9eac6dd"
    );
    assert_eq!(
        field_words(challenges(&commitment.root)[0]),
        [
            0x9e5d_9263_b969_61c6,
            0xd8e4_b7f8_84bc_9e4b,
            0xe40c_c02e_afa3_4382
        ]
    );
    assert_eq!(
        dual[PAYLOAD].0,
        [
            0x2f2c_fc8b_5adf_df9a,
            0x55d8_0030_17de_9307,
            0x6c17_0a1b_1124_7c9b
        ]
    );
    assert_eq!(
        hex(digest),
        "c3a6568fee9095e5a88c8f4f41aa875d05237d28be7dbc21cd021b4dd5f6ed94"
    );
}

/// Three rows and a row of padding, in the library alone: the program takes one row.
#[test]
fn three_blobs_have_the_known_answers() {
    let commitment = commitment::<4>(&ROWS);
    assert_eq!(
        hex(&commitment.rows),
        "7f9cc2a25e6d947e557d9095e2715739b999a6119be7fd09ca8276718e878693"
    );
    assert_eq!(
        hex(&commitment.columns),
        "0e64ee3f6b8273aaa0505c7d12fdf6e814c92963d378c6cc18b1eb4a8078e443"
    );
    assert_eq!(
        hex(&commitment.root),
        "dcb553cafc216cbb85fa63840f171bca8638fc1be264c99fe96a50af23c4693f"
    );
    let z = challenges(&commitment.root);
    assert_eq!(
        field_words(z[0]),
        [
            0xfffa_47c0_c51f_98b1,
            0xe460_09d0_491b_5290,
            0xb1b6_d848_1b7a_8364
        ]
    );
    let dual = dual_codeword(&commitment.root);
    assert_eq!(dual[0].0, [1, 0, 0]);
    assert_eq!(dual[1].0, field_words(E::ONE + z[0]));
    let digest = dual_digest(&dual);
    assert_eq!(
        check::<4>(&dual, &ROWS),
        Ok(Statement {
            commitment,
            dual: digest
        })
    );
    for row in 0..3 {
        let mut rows = ROWS.clone();
        rows[row][SYMBOLS - 1].0 ^= 1 << 63;
        assert_eq!(check::<4>(&dual, &rows), Err(Refusal::Row(row)));
    }
}

#[test]
fn the_subspace_polynomials_have_the_known_values_and_are_those_of_the_definition() {
    assert_eq!(subspace(1, 4), K(6));
    assert_eq!(subspace(2, 8), K(0x16));
    assert_eq!(subspace(13, 1 << 14), K(0x1_001b_0151_58ea));
    let point = |p: usize| K(p as u64);
    for i in 0..6 {
        let vanishing = |x: K| (0..1 << i).map(|u| x + point(u)).product::<K>();
        let at_i = vanishing(point(1 << i)).inverse().expect("not zero");
        for p in (0..SYMBOLS).step_by(1021) {
            assert_eq!(subspace(i, p), vanishing(point(p)) * at_i, "{i}, {p}");
        }
    }
    for i in 0..LOG_SYMBOLS {
        assert_eq!(subspace(i, 1 << i), K::ONE);
        assert_eq!(subspace(i, (1 << i) - 1), K::ZERO);
    }
}

/// `X_j(p)`.
fn basis(j: usize, p: usize) -> K {
    (0..LOG_SYMBOLS)
        .filter(|i| j >> i & 1 == 1)
        .map(|i| subspace(i, p))
        .product()
}

#[test]
fn transforms_are_evaluation_by_the_definition_and_its_inverse() {
    for log in 0..8 {
        let coefficients: Vec<K> = (0..1 << log)
            .map(|j: u64| K(j.wrapping_mul(0x1234_5678_9abc_def1) | 1))
            .collect();
        let mut values = coefficients.clone();
        evaluate(&mut values);
        for (p, value) in values.iter().enumerate() {
            let sum = (coefficients.iter().enumerate())
                .map(|(j, c)| *c * basis(j, p))
                .sum::<K>();
            assert_eq!(*value, sum, "2^{log} points, {p}");
        }
        interpolate(&mut values);
        assert_eq!(values, coefficients);
    }
}

#[test]
fn a_codeword_begins_with_its_payload_and_is_a_polynomial_s_values() {
    let payload: Vec<u64> = words_of(&ROWS[1])[..PAYLOAD].to_vec();
    let row = encode(payload.as_slice().try_into().expect("a payload"));
    assert_eq!(*row, ROWS[1]);
    assert_eq!(words_of(&row)[..PAYLOAD], payload);
    let mut coefficients: Vec<K> = words_of(&row).into_iter().map(K).collect();
    interpolate(&mut coefficients);
    assert!(coefficients[PAYLOAD..].iter().all(|c| *c == K::ZERO));
    assert!(coefficients[..PAYLOAD].iter().any(|c| *c != K::ZERO));
}

#[test]
fn any_two_codewords_are_orthogonal() {
    for a in ROWS.iter() {
        for b in ROWS.iter() {
            let products = a.iter().zip(b).map(|(a, b)| K(a.0) * K(b.0));
            assert_eq!(products.sum::<K>(), K::ZERO);
        }
    }
}

#[test]
fn the_dual_codeword_is_the_product_of_the_definition_at_every_point() {
    let z = challenges(&HONEST.0.commitment.root);
    for (p, entry) in HONEST.1.iter().enumerate() {
        let factors = z.iter().enumerate();
        let product = factors.map(|(j, z)| E::ONE + *z * subspace(j, p)).product::<E>();
        assert_eq!(entry.0, field_words(product), "{p}");
    }
}

/// The sum of the definition, in the arithmetic of the proof system.
#[test]
fn the_inner_product_is_the_sum_of_the_products() {
    let mut row = ROWS[0];
    row[77].0 ^= 0x5555;
    row[30_000].0 ^= 1;
    let sum = HONEST
        .1
        .iter()
        .zip(&row)
        .map(|(l, w)| E::from_words(l.0) * K(w.0))
        .sum::<E>();
    assert_eq!(Scan::new(&HONEST.1, &row).product.0, field_words(sum));
    assert_ne!(sum, E::ZERO);
}

/// The root of the definition, tree by tree.
fn definition(rows: &[Row]) -> Digest {
    let hash = |digests: &[Digest]| blake2s::hash_words(digests.as_flattened());
    fn root(digests: &[Digest]) -> Digest {
        match digests {
            [leaf] => *leaf,
            _ => {
                let (left, right) = digests.split_at(digests.len() / 2);
                blake2s::hash_words([root(left), root(right)].as_flattened())
            }
        }
    }
    let zeros = vec![0; SYMBOLS];
    let padding = vec![zeros; rows.len().next_power_of_two() - rows.len()];
    let rows: Vec<Vec<u64>> = rows.iter().map(words_of).chain(padding).collect();
    let cell = |i: usize, j: usize| blake2s::hash_words(&rows[i][CELL * j..CELL * (j + 1)]);
    let row_digests: Vec<Digest> = (0..rows.len())
        .map(|i| hash(&(0..CELLS / 2).map(|j| cell(i, j)).collect::<Vec<_>>()))
        .collect();
    let columns: Vec<Digest> = (0..CELLS)
        .flat_map(|j| (0..rows.len()).map(move |i| (i, j)))
        .map(|(i, j)| cell(i, j))
        .collect();
    hash(&[root(&row_digests), root(&columns)])
}

#[test]
fn commitments_are_those_of_the_definition_for_every_number_of_rows() {
    assert_eq!(HONEST.0.commitment.root, definition(&ROWS[..1]));
    assert_eq!(commitment::<2>(&ROWS[..2]).root, definition(&ROWS[..2]));
    assert_eq!(commitment::<4>(&ROWS).root, definition(&ROWS));
    // The digest of a cell of padding.
    assert_eq!(
        hex(&blake2s::hash_words(&[0; CELL])),
        "6e1093136c6ed33b993eb91d93f62cff09e5ed4b9b8cdafb70355fdabb2006cf"
    );
}

const GUEST: Guest = Guest {
    elf: ELF,
    main: leanda_guest::main,
};

/// The message of the guest's panic, which natively is the same.
fn panic_message(advice: &[u64]) -> String {
    let message = GUEST.panic_message(advice);
    assert_eq!(GUEST.native_panic_message(advice), message);
    message
}

#[test]
fn a_run_has_the_output_of_the_commitment_and_of_the_dual_codeword_drawn_from_it() {
    let expected = output(&HONEST.0.commitment.root);
    let run = GUEST.exit(&honest());
    assert_eq!(run.output_bytes(), expected);
    assert_eq!(GUEST.native_output(&honest()), expected);
    if let Some(found) = GUEST.output_under_qemu(&honest()) {
        assert_eq!(found, expected);
    }
    let committed = [HONEST.0.commitment.root, dual_digest(&HONEST.1)];
    assert_eq!(
        expected,
        blake2s::digest_from_words(&blake2s::hash_words(committed.as_flattened()))
    );
}

/// Every word is a field: the count, an entry's limb or a symbol.
#[test]
fn a_flip_of_a_word_is_refused_by_the_check_that_owns_it() {
    let honest = honest();
    let mut changed = honest.clone();
    let mut refused = |i: usize, bit: usize, message: &str| {
        changed[i] ^= 1 << bit;
        assert_eq!(panic_message(&changed), message, "bit {bit} of word {i}");
        changed[i] = honest[i];
    };
    for bit in [0, 1, 32, 63] {
        refused(0, bit, "the number of rows is not 1");
    }
    let last = honest.len() - 1;
    // A prime step, so that all limbs, and places in blocks and cells, are among them; and the ends.
    let sampled = (1..=last).step_by(8_191);
    for i in sampled.chain([3 * SYMBOLS, 3 * SYMBOLS + 1, last]) {
        refused(i, i % 64, "a row is not a codeword");
    }
    // No digest of a row covers the parity.
    refused(last, 63, "a row is not a codeword");
}

#[test]
fn the_row_of_another_blob_has_another_commitment_and_another_dual_codeword() {
    let (other, dual) = statement(&ROWS[1]).expect("a codeword");
    assert_ne!(other.commitment.root, HONEST.0.commitment.root);
    assert_ne!(dual, HONEST.1);
    // It is orthogonal to this dual codeword as well; the output says which two belong together.
    let run = GUEST.exit(&advice(&HONEST.1, &ROWS[1..2]).expect("one row fits"));
    assert_ne!(run.output_bytes(), output(&other.commitment.root));
    assert_ne!(run.output_bytes(), output(&HONEST.0.commitment.root));
}

/// The guest does not derive the dual codeword: with another one it accepts what is no codeword. The output tells.
#[test]
fn a_row_that_is_no_codeword_never_has_the_output_of_its_commitment() {
    let mut row = ROWS[0];
    row[SYMBOLS - 1].0 ^= 1 << 63;
    assert_eq!(statement(&row).map(|_| ()), Err(Refusal::Row(0)));
    assert_eq!(check::<1>(&HONEST.1, &[]), Err(Refusal::Count));
    let run = GUEST.exit(&advice(&zero_dual(), &[row]).expect("one row fits"));
    let root = commitment::<1>(&[row]).root;
    assert_ne!(run.output_bytes(), output(&root));
    assert_ne!(run.output_bytes(), output(&HONEST.0.commitment.root));
}

#[test]
fn counts_that_the_program_does_not_take_are_refused() {
    assert_eq!(advice(&HONEST.1, &[]), Err(Count { rows: 0, max: 1 }));
    assert_eq!(advice(&HONEST.1, &ROWS[..2]), Err(Count { rows: 2, max: 1 }));
    assert_eq!(MAX_ROWS, 1);
    for count in [0, 2, u64::MAX] {
        assert_eq!(panic_message(&[count]), "the number of rows is not 1");
    }
    // One, and nothing behind it: the region holds zeros, and zero is a codeword; its commitment's is another dual.
    let zeros = GUEST.exit(&[1]);
    let zero_row = [leanvm_guest::ext::K(0); SYMBOLS];
    let root = commitment::<1>(&[zero_row]).root;
    assert_ne!(zeros.output_bytes(), output(&root));
}

#[test]
fn a_blob_costs_at_most_270000_instructions() {
    let cycles = GUEST.exit(&honest()).cycles;
    assert!(cycles <= 270_000, "{cycles} instructions");
}
