//! Verifiers that exist replayed as rows: values are those of values, every equality is a row's, and nothing depends
//! on a proof.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Debug;

use circuit::{Builder, Circuit};
use fiat_shamir::{Arith, Channel, Kind, Label, Native, Proof, Prover, Source, VerifyError};
use flock::{Batch, Part, Reduction};
use pcs::commit::commit;
use pcs::parameters::Parameters;
use pcs::stack::layout::present_lanes;
use pcs::stack::{Claims, Column, Layout, PointRef, Statement};
use pcs::whir::prove::stack_shape;
use primitives::field::{E, K};
use primitives::multilinear::eq_table;

use super::{checked, words};
use crate::check::{Violation, check};
use crate::table::Table;
use crate::{Recorder, Wire, hash};

/// Circuits in a stack, with one column besides.
struct Case {
    circuits: Vec<Circuit>,
    /// log2 of the instances of each circuit.
    instances: Vec<usize>,
}

/// What a verifier gives: Flock's deferred claims, and the final state.
type Verified<A> = Result<(flock::Deferred<<A as Arith>::Scalar>, <A as Arith>::Digest), <A as Arith>::Error>;

/// log2 of the words of the column.
const COLUMN: usize = 8;

impl Case {
    /// A batch of two groups, of two block sizes.
    fn new() -> Self {
        let mut builder = Builder::new();
        let (p, q) = (builder.input(), builder.input());
        let sum = builder.add(&p, &q);
        builder.output(&sum);
        let adder = builder.build();
        Self {
            circuits: vec![adder.clone(), hash::circuit(), adder],
            instances: vec![5, 3, 6],
        }
    }

    fn batch(&self) -> Batch<'_> {
        let parts = self.circuits.iter().zip(&self.instances);
        let parts = parts.map(|(circuit, &log_instances)| Part {
            circuit,
            log_instances,
        });
        Batch::new(&parts.collect::<Vec<_>>()).unwrap()
    }

    fn layout(&self) -> Layout {
        let batch = self.batch();
        let sizes = batch.members().iter().map(|member| member.log_words);
        Layout::new(&sizes.chain([COLUMN]).collect::<Vec<_>>()).unwrap()
    }

    fn parameters(&self) -> Parameters {
        self.layout().parameters(1).unwrap()
    }

    fn proof(&self) -> Proof {
        let (batch, layout, parameters) = (self.batch(), self.layout(), self.parameters());
        let lanes = present_lanes(&parameters, layout.placed());
        let mut stack = vec![K::ZERO; lanes << parameters.log_lane_words()];
        for (seed, (circuit, region)) in self.circuits.iter().zip(layout.regions()).enumerate() {
            let mut blocks = words(1 << region.log_words, seed as u64);
            for block in blocks.chunks_mut(circuit.block_words()) {
                for (port, word) in block.iter_mut().enumerate().take(circuit.inputs()) {
                    *word &= circuit.input_mask(port);
                }
            }
            circuit.fill(&mut blocks);
            for (slot, word) in stack[region.range()].iter_mut().zip(blocks) {
                *slot = K(word);
            }
        }
        let column = layout.regions()[self.circuits.len()];
        for (slot, word) in stack[column.range()].iter_mut().zip(words(1 << COLUMN, 99)) {
            *slot = K(word);
        }

        let oracle = commit(&stack, &stack_shape(&parameters, lanes));
        let mut prover = Prover::new(Kind::Opening, Vec::new());
        prover.send_digest(oracle.root());
        let regions = layout.regions().iter().take(self.circuits.len());
        let witness = |region: &pcs::stack::Region| flock::prove::Witness {
            words: &stack[region.range()],
            live: usize::MAX,
        };
        let witnesses: Vec<_> = regions.map(witness).collect();
        let reduction = flock::prove::prove(&mut prover, &batch, &witnesses);
        let point = &reduction.points[0][..COLUMN];
        let terms = stack[column.range()].iter().zip(eq_table(point));
        let value = terms.map(|(&word, eq)| eq * word).sum();
        prover.send_scalar(value);
        let statement = self.statement(&reduction, value);
        pcs::stack::prove::prove(&mut prover, &parameters, &stack, &oracle, &statement);
        prover.finish().0
    }

    fn statement<S: Copy + Debug>(&self, reduction: &Reduction<S>, value: S) -> Statement<S> {
        let layout = self.layout();
        let column = Column {
            region: layout.regions()[self.circuits.len()],
            log_block: 0,
            word: 0,
            point: PointRef {
                index: 0,
                variables: COLUMN,
            },
            value,
        };
        let claims = Claims {
            points: reduction.points.clone(),
            families: reduction.families(layout.regions()),
            columns: vec![column],
        };
        Statement::new(layout.log_words(), claims).unwrap()
    }

    fn verify<A: Source>(&self, arith: &A) -> Verified<A>
    where
        A::Scalar: Debug,
    {
        let mut channel = Channel::new(arith, Kind::Opening, &[]);
        let root = channel.read_digest()?;
        let reduction = flock::verify_core(&mut channel, &self.batch())?;
        let value = channel.read_scalar()?;
        let statement = self.statement(&reduction, value);
        let (parameters, placed) = (self.parameters(), self.layout().placed());
        pcs::stack::verify::verify(&mut channel, &parameters, root, placed, &statement)?;
        Ok((reduction.deferred, channel.finish()?))
    }
}

/// The deferred claims as one list of scalars.
fn flat<S: Copy>(deferred: &flock::Deferred<S>) -> Vec<S> {
    let mut scalars = deferred.lagrange.clone();
    scalars.extend(&deferred.row_point);
    scalars.push(deferred.batching);
    for claim in &deferred.claims {
        scalars.extend(&claim.slices);
        scalars.extend(&claim.column_point);
        scalars.push(claim.value);
    }
    scalars
}

fn scalar(recorder: &Recorder<'_>, wire: Wire) -> E {
    let [a0, a1, a2, rest] = recorder.value(wire);
    assert_eq!(rest, 0, "a scalar has three words");
    E::from_words([a0, a1, a2])
}

#[test]
fn a_batch_and_its_opening_have_the_values_of_values_in_rows() {
    let case = Case::new();
    let proof = case.proof();
    let (expected, expected_state) = case.verify(&Native::new(&proof)).unwrap();

    let recorder = Recorder::new();
    recorder.read(Some(&proof));
    let (deferred, state) = case.verify(&recorder).unwrap();
    let values: Vec<E> = flat(&deferred)
        .into_iter()
        .map(|wire| scalar(&recorder, wire))
        .collect();
    assert!(values == flat(&expected), "deferred claims differ");
    assert_eq!(recorder.value(state), expected_state);
    let (rows, _) = checked(&recorder);

    let blank = Recorder::without_values();
    let _ = case.verify(&blank).unwrap();
    assert!(blank.finish().0 == rows, "the rows depend on the proof");
}

#[test]
fn an_equality_that_is_left_out_shows() {
    // Equalities by label; of each the first and the last are left out in turn.
    let case = Case::new();
    let recorder = Recorder::without_values();
    let _ = case.verify(&recorder).unwrap();
    let (rows, _) = recorder.finish();
    let mut of_label: BTreeMap<&'static str, [usize; 2]> = BTreeMap::new();
    for (number, label) in recorder.labels().iter().enumerate() {
        of_label.entry(label.name).or_insert([number; 2])[1] = number;
    }
    let names: Vec<_> = of_label.keys().copied().collect();
    assert_eq!(
        names,
        [
            "flock: lincheck",
            "flock: zerocheck",
            "merkle: cap",
            "merkle: path",
            "rows: root",
            "transcript: grinding",
            "whir: terminal"
        ]
    );
    for (name, numbers) in of_label {
        for number in numbers {
            assert!(
                recorder.hazmat_finish_without(number).0 != rows,
                "{name}, equality {number}"
            );
        }
    }
}

#[test]
fn a_changed_proof_is_refused_as_values_refuse_it_and_by_its_rows() {
    let case = Case::new();
    let proof = case.proof();
    let length = proof.stream.len();
    for word in [0, 4, length / 3, length / 2, length - 1] {
        let mut changed = proof.clone();
        changed.stream[word] ^= 1 << 40;
        let expected = case.verify(&Native::new(&changed)).unwrap_err();
        let strict = Recorder::new();
        strict.read(Some(&changed));
        assert_eq!(case.verify(&strict).unwrap_err(), expected, "word {word}");
    }
    // The same with rows that go on to the end.
    let mut changed = proof.clone();
    changed.stream[length - 1] ^= 1;
    let expected = case.verify(&Native::new(&changed)).unwrap_err();
    let lenient = Recorder::hazmat_lenient();
    lenient.read(Some(&changed));
    let _ = case.verify(&lenient).unwrap();
    let violated: Vec<Label> = lenient.violated();
    assert!(
        matches!(expected, VerifyError::Check { label, .. } if violated.contains(&label)),
        "{expected}, {violated:?}"
    );
    let (rows, assignment) = lenient.finish();
    let refusal = check(&rows, &assignment).unwrap_err();
    assert!(matches!(refusal, Violation::Copy { .. }), "{refusal}");
    assert!(rows.count(Table::Hash) > 0);
}
