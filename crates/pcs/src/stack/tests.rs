//! Openings of stacks, honest and forged.

extern crate std;

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use fiat_shamir::{Channel, Counting, Counts, Kind, Native, Proof, Prover, VerifyError};
use primitives::backend;
use primitives::blake2s;
use primitives::field::{E, K};
use primitives::multilinear::eq_table;
use primitives::pool;
use proptest::prelude::*;

use super::layout::{Region, present_lanes};
use super::{Claims, Column, Family, Member, PointRef, Statement, prove, reference, verify};
use crate::commit::commit;
use crate::parameters::Parameters;
use crate::tests::{CASES, config};
use crate::whir::reference::{Forgery, Oracle};
use crate::whir::tests::{refused_at, scalars, words};
use crate::whir::{self, TERMINAL};

/// A committed stack with claims on it.
pub(crate) struct Case {
    pub(crate) parameters: Parameters,
    pub(crate) placed: usize,
    pub(crate) stack: Vec<K>,
    pub(crate) statement: Statement<E>,
}

/// The slices of a family: their definition.
fn slices(stack: &[K], points: &[Vec<E>], members: &[Member<E>]) -> Vec<E> {
    let mut slices = vec![E::ZERO; 64];
    for member in members {
        let eq = eq_table(&points[member.point.index][..member.point.variables]);
        let weight = member.weight.unwrap_or(E::ONE);
        for (word, eq) in stack[member.region.range()].iter().zip(eq) {
            let weighted = weight * eq;
            for (_, slice) in slices
                .iter_mut()
                .enumerate()
                .filter(|(i, _)| word.0 >> i & 1 == 1)
            {
                *slice += weighted;
            }
        }
    }
    slices
}

/// The value of a column: its definition.
fn value(stack: &[K], points: &[Vec<E>], column: &Column<E>) -> E {
    let eq = eq_table(&points[column.point.index][..column.point.variables]);
    let words = stack[column.region.range()]
        .chunks(1 << column.log_block)
        .map(|block| block[column.word]);
    words.zip(eq).map(|(word, eq)| eq * word).sum()
}

/// A stack with a sixteenth of it unused and claims of every kind on it: two families, one of two members at
/// different points and with weights; columns at prefixes of one point, words of blocks, one word alone.
pub(crate) fn case(parameters: Parameters) -> Case {
    let mu = parameters.log_words();
    let placed = (1 << mu) - (1 << (mu - 4));
    let mut stack = words(1 << mu, 17);
    stack[placed..].fill(K::ZERO);
    let points = vec![scalars(mu, 21), scalars(mu, 22), scalars(mu, 23)];
    let half = Region {
        offset: 0,
        log_words: mu - 1,
    };
    let quarter = Region {
        offset: 1 << (mu - 1),
        log_words: mu - 2,
    };
    let eighth = Region {
        offset: 3 << (mu - 2),
        log_words: mu - 3,
    };
    let last = Region {
        offset: placed - (1 << (mu - 4)),
        log_words: mu - 4,
    };
    let word = Region {
        offset: last.offset + 5,
        log_words: 0,
    };
    let at = |index, variables| PointRef { index, variables };
    let whole = |region: Region, index| Column {
        region,
        log_block: 0,
        word: 0,
        point: at(index, region.log_words),
        value: E::ZERO,
    };
    let block = |region: Region, log_block, word| Column {
        region,
        log_block,
        word,
        point: at(2, region.log_words - log_block),
        value: E::ZERO,
    };
    let member = |region: Region, index, weight| Member {
        region,
        point: at(index, region.log_words),
        weight,
    };
    let weights = scalars(2, 24);
    let mut families = vec![
        Family {
            members: vec![
                member(quarter, 0, Some(weights[0])),
                member(eighth, 1, Some(weights[1])),
            ],
            slices: vec![],
        },
        Family {
            members: vec![member(half, 0, None)],
            slices: vec![],
        },
    ];
    for family in &mut families {
        family.slices = slices(&stack, &points, &family.members);
    }
    let mut columns = vec![
        whole(half, 2),
        whole(eighth, 2),
        whole(last, 2),
        whole(last, 1),
        whole(word, 0),
        block(half, 2, 3),
        block(quarter, 1, 0),
    ];
    for column in &mut columns {
        column.value = value(&stack, &points, column);
    }
    let statement = Statement::new(
        mu,
        Claims {
            points,
            families,
            columns,
        },
    )
    .unwrap();
    Case {
        parameters,
        placed,
        stack,
        statement,
    }
}

impl Case {
    pub(crate) fn root(&self) -> [u64; 4] {
        let (log_lanes, log_inv_rate) = (self.parameters.log_lanes(), self.parameters.log_inv_rate());
        let lanes = present_lanes(&self.parameters, self.placed);
        Oracle::of_stack(&self.stack, log_lanes, lanes, log_inv_rate).root()
    }

    /// Sends the root and the claims of `statement`.
    fn announce(&self, statement: &Statement<E>, root: [u64; 4]) -> Prover {
        let mut prover = Prover::new(Kind::Opening, Vec::new());
        prover.send_digest(root);
        for family in statement.families() {
            prover.send_scalars(&family.slices);
        }
        for column in statement.columns() {
            prover.send_scalar(column.value);
        }
        prover
    }

    /// A proof by a prover that claims `statement`.
    fn prove(&self, statement: &Statement<E>, forgery: Forgery) -> Proof {
        let mut prover = self.announce(statement, self.root());
        reference::prove(
            &mut prover,
            &self.parameters,
            &self.stack,
            self.placed,
            statement,
            forgery,
        );
        prover.finish().0
    }

    /// A proof by the prover that ships.
    pub(crate) fn prove_shipped(&self) -> Proof {
        let lanes = present_lanes(&self.parameters, self.placed);
        let stack = &self.stack[..lanes << self.parameters.log_lane_words()];
        let oracle = commit(stack, &whir::prove::stack_shape(&self.parameters, lanes));
        let mut prover = self.announce(&self.statement, oracle.root());
        prove::prove(&mut prover, &self.parameters, stack, &oracle, &self.statement);
        prover.finish().0
    }

    /// Reads the root and the claims, and checks them; what else a statement has is the case's.
    pub(crate) fn verify(&self, proof: &Proof) -> Result<(), VerifyError> {
        self.verify_as(proof, &self.statement)
    }

    fn verify_as(&self, proof: &Proof, expected: &Statement<E>) -> Result<(), VerifyError> {
        let arith = Native::new(proof);
        let mut channel = Channel::new(&arith, Kind::Opening, &[]);
        let root = channel.read_digest()?;
        let mut families = expected.families().to_vec();
        let mut columns = expected.columns().to_vec();
        for family in &mut families {
            family.slices = channel.read_scalars(family.slices.len())?;
        }
        for column in &mut columns {
            column.value = channel.read_scalar()?;
        }
        let claims = Claims {
            points: expected.points().to_vec(),
            families,
            columns,
        };
        let statement = Statement::new(expected.log_words(), claims).unwrap();
        verify::verify(&mut channel, &self.parameters, root, self.placed, &statement)?;
        channel.finish().map(|_| ())
    }

    /// The case's statement with one change.
    fn changed(&self, change: impl FnOnce(&mut Claims<E>)) -> Statement<E> {
        let mut claims = Claims {
            points: self.statement.points().to_vec(),
            families: self.statement.families().to_vec(),
            columns: self.statement.columns().to_vec(),
        };
        change(&mut claims);
        Statement::new(self.statement.log_words(), claims).unwrap()
    }
}

#[test]
fn an_honest_stack_is_accepted() {
    for log_words in 6..13 {
        let case = case(Parameters::insecure(log_words, 1, 4));
        let proof = case.prove(&case.statement, Forgery::Honest);
        assert_eq!(case.verify(&proof), Ok(()), "2^{log_words} words");
    }
}

#[test]
fn the_prover_is_the_one_from_the_definitions() {
    for (log_words, log_lanes) in [(10, 3), (11, 4), (12, 3), (13, 5)] {
        let case = case(Parameters::insecure(log_words, 1, log_lanes));
        assert!(
            case.prove_shipped() == case.prove(&case.statement, Forgery::Honest),
            "2^{log_words} words"
        );
    }
}

/// The digest of a proof file, as hex.
fn digest(proof: &Proof) -> String {
    blake2s::hash(&proof.encode())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[test]
fn proofs_are_the_same_on_every_back_end_and_any_number_of_threads() {
    let selected = backend::selected().kind();
    let mut found = String::new();
    for (log_words, log_inv_rate) in [(15, 1), (16, 2), (17, 4)] {
        let case = case(Parameters::new(log_words, log_inv_rate).unwrap());
        let proof = case.prove_shipped();
        assert_eq!(case.verify(&proof), Ok(()));
        found += &format!("{log_words} {log_inv_rate} {}\n", digest(&proof));
        for threads in [1, 2, 3, 8] {
            let on_threads = pool::with_threads(threads, || case.prove_shipped());
            assert!(on_threads == proof, "{threads} threads, 2^{log_words} words");
        }
        for token in backend::available() {
            backend::force(token.kind()).unwrap();
            let on_back_end = case.prove_shipped();
            assert!(on_back_end == proof, "{:?}, 2^{log_words} words", token.kind());
        }
        backend::force(selected).unwrap();
    }
    // A digest moves with the protocol only, and then with the version of proof files.
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/known_answers/openings.txt");
    let pinned = std::fs::read_to_string(file).unwrap();
    assert_eq!(
        pinned, found,
        "lines of log2 of words, log2 of the inverse rate, digest of the proof file"
    );
}

#[test]
fn every_size_and_rate_is_accepted() {
    for log_words in 15..=20 {
        for log_inv_rate in 1..=4 {
            let case = case(Parameters::new(log_words, log_inv_rate).unwrap());
            let verified = case.verify(&case.prove_shipped());
            assert_eq!(verified, Ok(()), "2^{log_words} words, rate 2^-{log_inv_rate}");
        }
    }
}

proptest! {
    #![proptest_config(config(CASES))]

    #[test]
    fn changed_proof_files_give_errors(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let case = case(Parameters::insecure(10, 1, 3));
        let honest = case.prove_shipped().encode();
        let mut bytes = honest.clone();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(proof) = Proof::decode(&bytes) {
            // What the proof announces, a caller reads and checks first.
            let announced = proof.kind == Kind::Opening && proof.shape.is_empty();
            prop_assert_eq!(announced && case.verify(&proof).is_ok(), bytes == honest);
        }
    }
}

#[test]
fn few_claims_need_fewer_challenges_and_are_accepted() {
    let case = case(Parameters::insecure(8, 2, 4));
    for (families, columns) in [(0, 1), (0, 2), (1, 0), (1, 1), (2, 0)] {
        let statement = case.changed(|claims| {
            claims.families.truncate(families);
            claims.columns.truncate(columns);
        });
        let proof = case.prove(&statement, Forgery::Honest);
        assert_eq!(
            case.verify_as(&proof, &statement),
            Ok(()),
            "{families} families, {columns} columns"
        );
    }
}

#[test]
fn absent_slices_are_zero_slices() {
    // A producer's multiplicities: the bits from some place up are zero and not sent.
    let mut case = case(Parameters::insecure(8, 2, 4));
    for word in &mut case.stack {
        word.0 &= 0xfff;
    }
    let members = case.statement.families()[1].members.clone();
    let mut few = slices(&case.stack, case.statement.points(), &members);
    few.truncate(12);
    let statement = case.changed(|claims| {
        claims.families = vec![Family { members, slices: few }];
        claims.columns.clear();
    });
    let proof = case.prove(&statement, Forgery::Honest);
    assert_eq!(case.verify_as(&proof, &statement), Ok(()));
    // With a bit set above, the same claim is false.
    case.stack[3].0 |= 1 << 12;
    let proof = case.prove(&statement, Forgery::Honest);
    refused_at(TERMINAL, case.verify_as(&proof, &statement));
}

#[test]
fn a_changed_claim_on_a_column_is_refused_at_the_terminal_check() {
    // The prover claims the changed value itself, so both transcripts agree.
    let case = case(Parameters::insecure(9, 1, 4));
    for column in 0..case.statement.columns().len() {
        let statement = case.changed(|claims| claims.columns[column].value += E::Y);
        let proof = case.prove(&statement, Forgery::Honest);
        refused_at(TERMINAL, case.verify(&proof));
    }
}

#[test]
fn a_changed_slice_of_a_packed_family_is_refused_at_the_terminal_check() {
    let case = case(Parameters::insecure(9, 1, 4));
    for family in 0..2 {
        for slice in [0, 1, 31, 62, 63] {
            let statement = case.changed(|claims| claims.families[family].slices[slice] += E::ONE);
            let proof = case.prove(&statement, Forgery::Honest);
            refused_at(TERMINAL, case.verify(&proof));
        }
    }
}

#[test]
fn changes_that_cancel_in_a_plain_sum_of_slices_are_refused() {
    // x s_0 = s_1: without the map, the packed sum of the errors would be zero.
    let case = case(Parameters::insecure(9, 1, 4));
    let statement = case.changed(|claims| {
        claims.families[0].slices[0] += E::from(K::X);
        claims.families[0].slices[1] += E::ONE;
    });
    let proof = case.prove(&statement, Forgery::Honest);
    refused_at(TERMINAL, case.verify(&proof));
}

#[test]
fn errors_that_cancel_between_claims_are_refused() {
    let case = case(Parameters::insecure(9, 1, 4));
    let between_columns = case.changed(|claims| {
        claims.columns[0].value += E::Y;
        claims.columns[1].value += E::Y;
    });
    let between_families = case.changed(|claims| {
        claims.families[0].slices[5] += E::Y;
        claims.families[1].slices[5] += E::Y;
    });
    for statement in [between_columns, between_families] {
        let proof = case.prove(&statement, Forgery::Honest);
        refused_at(TERMINAL, case.verify(&proof));
    }
}

#[test]
fn a_weight_of_another_region_point_or_word_is_refused_at_the_terminal_check() {
    // The prover opens what it likes; the verifier has the statement that it expects.
    let case = case(Parameters::insecure(9, 1, 4));
    let column = case.statement.columns()[2];
    let beside = Region {
        offset: column.region.offset - (1 << column.region.log_words),
        ..column.region
    };
    type Change<'a> = &'a dyn Fn(&mut Claims<E>);
    let changes: [Change<'_>; 6] = [
        &|claims| claims.columns[2].region = beside,
        &|claims| claims.columns[2].point.index = 0,
        &|claims| claims.columns[5].word = 2,
        &|claims| {
            claims.families[0].members[1].region = Region {
                offset: 0,
                ..claims.families[0].members[1].region
            }
        },
        &|claims| claims.families[0].members[1].point.index = 2,
        &|claims| claims.families[0].members[0].weight = None,
    ];
    for change in changes {
        let statement = case.changed(|claims| {
            change(claims);
            for family in &mut claims.families {
                family.slices = slices(&case.stack, &claims.points, &family.members);
            }
            for column in &mut claims.columns {
                column.value = value(&case.stack, &claims.points, column);
            }
        });
        let proof = case.prove(&statement, Forgery::Honest);
        assert_eq!(case.verify_as(&proof, &statement), Ok(()));
        refused_at(TERMINAL, case.verify(&proof));
    }
}

#[test]
fn the_work_of_a_verifier_is_a_function_of_the_shape() {
    // The counting instance has no values, so what it counts holds for every proof of the shape. The numbers
    // are the cost of a recursive verifier: they move on purpose only.
    let parameters = Parameters::new(22, 1).unwrap();
    let at = |variables| PointRef { index: 0, variables };
    let region = |offset, log_words| Region { offset, log_words };
    let packed = region(0, 21);
    let column = region(1 << 21, 20);
    let claims = || Claims {
        points: vec![vec![(); 21]],
        families: vec![Family {
            members: vec![Member {
                region: packed,
                point: at(21),
                weight: None,
            }],
            slices: vec![(); 64],
        }],
        columns: vec![Column {
            region: column,
            log_block: 0,
            word: 0,
            point: at(20),
            value: (),
        }],
    };
    let count = || {
        let arith = Counting::default();
        let mut channel = Channel::new(&arith, Kind::Opening, &[]);
        channel.read_digest().unwrap();
        let statement = Statement::new(22, claims()).unwrap();
        verify::verify(&mut channel, &parameters, (), 3 << 20, &statement).unwrap();
        channel.finish().unwrap();
        arith.counts()
    };
    let counts = count();
    assert_eq!(counts, count());
    let expected = Counts {
        add: 20947,
        mul: 6854,
        mul_k: 8096,
        mul_add: 6590,
        mul_word_add: 10752,
        square: 4772,
        inverse_frobenius: 1764,
        cast: 9880,
        bits: 76,
        compress: 2091,
        merkle: 4076,
        assert: 409,
        stream_words: 209,
        leaf_words: 16128,
        nodes: 4080,
        ..Counts::default()
    };
    assert_eq!(counts, expected);
}
