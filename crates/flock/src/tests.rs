//! Batches proven and refused, by the prover that ships and by forging ones.

use alloc::vec;
use alloc::vec::Vec;

use circuit::{Builder, Circuit};
use fiat_shamir::{Channel, Counting, Counts, Kind, Label, Native, Proof, Prover, VerifyError};
use pcs::commit::commit;
use pcs::stack::layout::present_lanes;
use pcs::stack::{Claims, Layout, Statement};
use pcs::whir::prove::stack_shape;
use primitives::field::{E, K};
use primitives::{backend, pool};

use crate::prove::{Witness, prove};
use crate::reference::{self, Forging, Message};
use crate::{Batch, BatchError, MATRIX, Part, Reduction, check_deferred, lincheck, verify_core, zerocheck};

mod absorbed;
mod properties;

/// Words without a pattern.
pub(crate) fn words(count: usize, seed: u64) -> Vec<K> {
    (1..=count as u64)
        .map(|i| K((i + (seed << 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)).square())
        .collect()
}

/// Elements of E without a pattern.
pub(crate) fn scalars(count: usize, seed: u64) -> Vec<E> {
    let limbs = words(3 * count, seed);
    limbs.chunks_exact(3).map(|w| E([w[0], w[1], w[2]])).collect()
}

/// An adder of two words: blocks of 2^8 bits.
pub(crate) fn adder() -> Circuit {
    let mut builder = Builder::new();
    let (p, q) = (builder.input(), builder.input());
    let sum = builder.add(&p, &q);
    builder.output(&sum);
    builder.build()
}

/// Every sort of position: a masked input, products at and not at an output, copies, empty bits, the constant at
/// an output; blocks of 2^8 bits of which the last word is mostly empty.
pub(crate) fn mixed() -> Circuit {
    let mut builder = Builder::new();
    let p = builder.input_with_bits(0xff);
    let q = builder.input();
    let and = builder.and_words(&p[..8], &q[..8]);
    let mut out = and.clone();
    let parity = builder.xor_all(q.iter().chain(&p[..8]).copied());
    let product = builder.and(parity, p[3]);
    let copied = builder.xor(product, p[0]);
    let inner = builder.and(copied, and[0]);
    let copy = builder.xor(inner, parity);
    out.extend([copied, copy, builder.not(parity)]);
    let number = builder.output(&out);
    builder.constant_at(number, 40);
    builder.build()
}

/// An AND of two halves: blocks of 2^7 bits, one word of them a port.
fn small() -> Circuit {
    let mut builder = Builder::new();
    let p = builder.input();
    let out = builder.and_words(&p[..32], &p[32..]);
    let number = builder.output(&out);
    builder.constant_at(number, 63);
    builder.build()
}

/// A bit of a multiplier: blocks of 2^9 bits.
fn multiplier() -> Circuit {
    let mut builder = Builder::new();
    let (p, q) = (builder.input(), builder.input());
    let low = |port: &[circuit::Wire]| port[..16].to_vec();
    let (x, y) = (low(&p), low(&q));
    let number = circuit::gadgets::Number::unsigned;
    let product = builder.multiply(number(&x), number(&y), 32);
    let rest = builder.and_words(&p[16..], &q[16..]);
    builder.output(&product);
    builder.output(&rest);
    builder.build()
}

/// Honest blocks; those from `live` on are equal.
fn blocks(circuit: &Circuit, log_instances: usize, live: usize, seed: u64) -> Vec<K> {
    let block_words = circuit.block_words();
    let mut blocks: Vec<u64> = words(block_words << log_instances, seed)
        .iter()
        .map(|w| w.0)
        .collect();
    for block in blocks.chunks_mut(block_words) {
        for (input, word) in block.iter_mut().enumerate().take(circuit.inputs()) {
            *word &= circuit.input_mask(input);
        }
    }
    if live < 1 << log_instances {
        let tail = blocks[live * block_words..][..block_words].to_vec();
        for block in blocks[live * block_words..].chunks_mut(block_words) {
            block.copy_from_slice(&tail);
        }
    }
    circuit.fill(&mut blocks);
    blocks.into_iter().map(K).collect()
}

/// A batch with witnesses.
#[derive(Debug)]
pub(crate) struct Case {
    circuits: Vec<Circuit>,
    /// Of each member its circuit and log2 of its instances.
    parts: Vec<(usize, usize)>,
    pub(crate) witnesses: Vec<Vec<K>>,
}

impl Case {
    pub(crate) fn new(circuits: Vec<Circuit>, parts: &[(usize, usize)]) -> Self {
        let witness = |(seed, &(circuit, log)): (usize, &(usize, usize))| {
            blocks(&circuits[circuit], log, 1 << log, seed as u64)
        };
        let witnesses = parts.iter().enumerate().map(witness).collect();
        Self {
            circuits,
            parts: parts.to_vec(),
            witnesses,
        }
    }

    /// Three circuits of two block sizes, two of them twice, of five sizes.
    fn several() -> Self {
        let circuits = vec![adder(), multiplier(), small(), adder()];
        Self::new(circuits, &[(0, 5), (1, 4), (2, 8), (3, 6), (1, 5)])
    }

    /// The smallest batch.
    fn one() -> Self {
        Self::new(vec![small()], &[(0, 6)])
    }

    pub(crate) fn batch(&self) -> Batch<'_> {
        let part = |&(circuit, log_instances): &(usize, usize)| Part {
            circuit: &self.circuits[circuit],
            log_instances,
        };
        let parts: Vec<_> = self.parts.iter().map(part).collect();
        Batch::new(&parts).unwrap()
    }

    /// A transcript that has bound the witnesses, as a commitment would.
    fn prover(&self) -> Prover {
        let mut prover = Prover::new(Kind::Opening, Vec::new());
        prover.send_digest([self.witnesses.len() as u64; 4]);
        prover
    }

    fn prove(&self, live: &[usize]) -> (Proof, Reduction<E>) {
        let witness = |(words, &live)| Witness { words, live };
        let witnesses: Vec<_> = self
            .witnesses
            .iter()
            .map(Vec::as_slice)
            .zip(live)
            .map(witness)
            .collect();
        let mut prover = self.prover();
        let reduction = prove(&mut prover, &self.batch(), &witnesses);
        (prover.finish().0, reduction)
    }

    /// The proof of a prover that changes its messages, from the definitions.
    fn forge(&self, forge: impl FnMut(Message<'_>, &mut [E])) -> Proof {
        let mut prover = self.prover();
        let witnesses: Vec<&[K]> = self.witnesses.iter().map(Vec::as_slice).collect();
        let mut forging = Forging {
            prover: &mut prover,
            forge,
        };
        reference::prove(&mut forging, &self.batch(), &witnesses);
        prover.finish().0
    }

    pub(crate) fn all_live(&self) -> Vec<usize> {
        self.parts.iter().map(|&(_, log)| 1 << log).collect()
    }

    fn verify(&self, proof: &Proof) -> Result<Reduction<E>, VerifyError> {
        let arith = Native::new(proof);
        let mut channel = Channel::new(&arith, Kind::Opening, &[]);
        channel.read_digest()?;
        let reduction = verify_core(&mut channel, &self.batch())?;
        channel.finish()?;
        Ok(reduction)
    }

    /// The stack that the witnesses are committed in.
    pub(crate) fn layout(&self) -> Layout {
        let sizes: Vec<_> = self
            .batch()
            .members()
            .iter()
            .map(|member| member.log_words)
            .collect();
        Layout::new(&sizes).unwrap()
    }

    /// Commits to the witnesses, proves, and opens the slices that `forge` leaves.
    fn prove_and_open(&self, forge: impl FnMut(Message<'_>, &mut [E])) -> Proof {
        let layout = self.layout();
        let parameters = layout.parameters(1).unwrap();
        let mut stack = vec![K::ZERO; 1 << layout.log_words()];
        for (region, words) in layout.regions().iter().zip(&self.witnesses) {
            stack[region.range()].copy_from_slice(words);
        }
        let lanes = present_lanes(&parameters, layout.placed());
        stack.truncate(lanes << parameters.log_lane_words());
        let oracle = commit(&stack, &stack_shape(&parameters, lanes));
        let mut prover = Prover::new(Kind::Opening, Vec::new());
        prover.send_digest(oracle.root());
        let witnesses: Vec<&[K]> = self.witnesses.iter().map(Vec::as_slice).collect();
        let mut forging = Forging {
            prover: &mut prover,
            forge,
        };
        reference::prove(&mut forging, &self.batch(), &witnesses);
        // The claims are what a verifier finds in the proof so far.
        let sent = prover.proof().clone();
        let arith = Native::new(&sent);
        let mut channel = Channel::new(&arith, Kind::Opening, &[]);
        channel.read_digest().unwrap();
        let reduction = verify_core(&mut channel, &self.batch()).unwrap();
        let statement = statement(&layout, &reduction);
        pcs::stack::prove::prove(&mut prover, &parameters, &stack, &oracle, &statement);
        prover.finish().0
    }

    /// All that a verifier does.
    fn verify_opening(&self, proof: &Proof) -> Result<(), VerifyError> {
        let layout = self.layout();
        let parameters = layout.parameters(1).unwrap();
        let arith = Native::new(proof);
        let mut channel = Channel::new(&arith, Kind::Opening, &[]);
        let root = channel.read_digest()?;
        let reduction = verify_core(&mut channel, &self.batch())?;
        let statement = statement(&layout, &reduction);
        pcs::stack::verify::verify(&mut channel, &parameters, root, layout.placed(), &statement)?;
        channel.finish()?;
        check_deferred(&self.batch(), &reduction.deferred)
    }

    /// Whether the slices are those of the witnesses, as an opening would find.
    fn slices_hold(&self, reduction: &Reduction<E>) -> bool {
        reduction.groups.iter().all(|group| {
            let mut slices = vec![E::ZERO; 64];
            for member in &group.members {
                let point = &reduction.points[member.point.index][..member.point.variables];
                let eq = primitives::multilinear::scaled_eq_table(point, member.weight);
                for (word, eq) in self.witnesses[member.member].iter().zip(eq) {
                    for (i, slice) in slices.iter_mut().enumerate() {
                        if word.0 >> i & 1 == 1 {
                            *slice += eq;
                        }
                    }
                }
            }
            slices == group.slices
        })
    }

    fn flip(&mut self, member: usize, bit: usize) {
        self.witnesses[member][bit / 64].0 ^= 1 << (bit % 64);
    }
}

pub(crate) fn statement(layout: &Layout, reduction: &Reduction<E>) -> Statement<E> {
    let claims = Claims {
        points: reduction.points.clone(),
        families: reduction.families(layout.regions()),
        columns: Vec::new(),
    };
    Statement::new(layout.log_words(), claims).unwrap()
}

/// The label of the check that refused.
fn refused_by<T>(result: &Result<T, VerifyError>) -> Label {
    match result {
        Err(VerifyError::Check { label, .. }) => *label,
        Err(other) => panic!("refused by no check: {other}"),
        Ok(_) => panic!("accepted"),
    }
}

const HONEST: fn(Message<'_>, &mut [E]) = |_, _| {};

#[test]
fn an_honest_batch_is_accepted_and_leaves_true_claims() {
    for case in [Case::one(), Case::several(), Case::new(vec![mixed()], &[(0, 5)])] {
        let proof = case.forge(HONEST);
        let reduction = case.verify(&proof).unwrap();
        assert!(case.slices_hold(&reduction));
        check_deferred(&case.batch(), &reduction.deferred).unwrap();
    }
}

#[test]
fn the_prover_is_the_one_from_the_definitions() {
    let cases = [
        Case::one(),
        Case::several(),
        Case::new(vec![mixed()], &[(0, 5)]),
        // More than one task of the first rounds.
        Case::new(vec![multiplier(), small()], &[(1, 9), (0, 4), (0, 10)]),
    ];
    for case in cases {
        let (proof, reduction) = case.prove(&case.all_live());
        assert!(proof == case.forge(HONEST), "the proofs differ");
        assert_eq!(case.verify(&proof).unwrap(), reduction);
    }
}

#[test]
fn the_proof_does_not_depend_on_threads_or_back_ends() {
    let case = Case::several();
    let (expected, _) = case.prove(&case.all_live());
    for threads in [1, 2, 3] {
        for token in backend::available() {
            backend::force(token.kind()).unwrap();
            let (proof, _) = pool::with_threads(threads, || case.prove(&case.all_live()));
            assert!(proof == expected, "{threads} threads, {}", token.kind());
        }
    }
}

#[test]
fn a_batch_told_of_its_tail_gives_the_same_proof() {
    // Units are 128 words: 32 blocks of the adder, 16 of the multiplier, 64 of the small circuit; a walk takes
    // 512 blocks, a task of a round 4,096 words.
    for (circuit, log, lives) in [
        (adder(), 6, vec![0, 1, 31, 32, 33, 63]),
        (small(), 9, vec![0, 5, 64, 65, 255, 256, 300, 448, 449]),
        (
            multiplier(),
            10,
            vec![0, 15, 16, 17, 240, 511, 512, 513, 515, 1000, 1009],
        ),
    ] {
        for live in lives {
            let witness = blocks(&circuit, log, live, 3);
            let mut case = Case::new(vec![circuit.clone(), adder()], &[(0, log), (1, 7)]);
            case.witnesses[0] = witness;
            let (told, _) = case.prove(&[live, 1 << 7]);
            let (not_told, _) = case.prove(&case.all_live());
            assert!(told == not_told, "2^{log} instances, {live} live");
            assert!(case.verify(&told).is_ok());
        }
    }
}

#[test]
fn the_verifier_does_the_same_for_every_proof_of_a_shape() {
    let counts = |case: &Case| -> Counts {
        let arith = Counting::default();
        let mut channel = Channel::new(&arith, Kind::Opening, &[]);
        let Ok(()) = channel.read_digest();
        let Ok(reduction) = verify_core(&mut channel, &case.batch());
        assert_eq!(reduction.groups.len(), case.batch().groups().len());
        arith.counts()
    };
    let case = Case::several();
    let counted = counts(&case);
    assert_eq!(counts(&case), counted);
    let (proof, _) = case.prove(&case.all_live());
    assert_eq!(counted.stream_words, proof.stream.len() as u64);
    assert_eq!(counted.assert, 2);
}

#[test]
fn any_flipped_bit_of_a_small_circuit_is_refused() {
    // Fixture: 2^5 blocks of 2^8 bits. Forgery: one bit of one block, every position in turn.
    // Expected: the zerocheck, since some position's constraint does not hold.
    for circuit in [mixed(), adder()] {
        let mut case = Case::new(vec![circuit], &[(0, 5)]);
        let positions = 64 * case.circuits[0].block_words();
        for position in 0..positions {
            let bit = (position * 7 % 32) * positions + position;
            case.flip(0, bit);
            let (proof, _) = case.prove(&case.all_live());
            assert_eq!(
                refused_by(&case.verify(&proof)),
                zerocheck::TERMINAL,
                "position {position}"
            );
            case.flip(0, bit);
        }
    }
}

#[test]
fn a_flipped_bit_is_refused_from_the_definitions_too() {
    let mut case = Case::several();
    for (member, bit) in [(0, 0), (1, 700), (2, 127), (3, 4096), (4, 16000)] {
        case.flip(member, bit);
        assert_eq!(refused_by(&case.verify(&case.forge(HONEST))), zerocheck::TERMINAL);
        case.flip(member, bit);
    }
}

#[test]
fn random_flipped_bits_of_compressions_are_refused() {
    let circuit = circuit::blake2s::compression();
    let mut case = Case::new(vec![circuit], &[(0, 1)]);
    let proof = case.prove(&case.all_live()).0;
    let reduction = case.verify(&proof).unwrap();
    assert!(case.slices_hold(&reduction));
    check_deferred(&case.batch(), &reduction.deferred).unwrap();
    for word in words(24, 11) {
        let bit = (word.0 % (2 << 14)) as usize;
        case.flip(0, bit);
        let (proof, _) = case.prove(&case.all_live());
        assert_eq!(refused_by(&case.verify(&proof)), zerocheck::TERMINAL, "bit {bit}");
        case.flip(0, bit);
    }
}

#[test]
fn a_free_bit_in_an_empty_position_is_refused() {
    // Position 20 of the masked input port has no wire.
    let mut case = Case::new(vec![mixed()], &[(0, 5)]);
    assert_eq!(case.circuits[0].input_mask(0) >> 20 & 1, 0);
    case.flip(0, 3 * 256 + 20);
    assert_eq!(refused_by(&case.verify(&case.forge(HONEST))), zerocheck::TERMINAL);
}

#[test]
fn a_constant_wire_of_zero_is_refused() {
    // A block of zeros satisfies every row: only the claim that the constant is one is false.
    let mut case = Case::several();
    let block = case.circuits[1].block_words();
    case.witnesses[1][5 * block..6 * block].fill(K::ZERO);
    assert_eq!(refused_by(&case.verify(&case.forge(HONEST))), lincheck::TERMINAL);
    let (proof, _) = case.prove(&case.all_live());
    assert_eq!(refused_by(&case.verify(&proof)), lincheck::TERMINAL);
}

#[test]
fn a_change_of_any_scalar_is_refused_by_the_check_that_owns_it() {
    for case in [Case::one(), Case::new(vec![adder(), small()], &[(0, 5), (1, 6)])] {
        let mut sent = Vec::new();
        case.forge(|message, scalars| sent.extend(scalars.iter().map(|_| message_label(message))));
        assert_eq!(case.prove(&case.all_live()).0.stream.len(), 4 + 3 * sent.len());
        for (index, &owner) in sent.iter().enumerate() {
            let mut at = 0;
            let proof = case.forge(|_, scalars| {
                let range = at..at + scalars.len();
                at = range.end;
                if range.contains(&index) {
                    scalars[index - range.start] += E::Y;
                }
            });
            assert_eq!(refused_by(&case.verify(&proof)), owner, "scalar {index}");
        }
    }
}

fn message_label(message: Message<'_>) -> Label {
    match message {
        Message::Skip | Message::Round(_) | Message::Values(_) => zerocheck::TERMINAL,
        Message::Lincheck(_) | Message::Slices(..) | Message::Matrix(..) => lincheck::TERMINAL,
    }
}

#[test]
fn values_that_agree_with_the_zerocheck_are_refused_by_the_lincheck() {
    // Forgery: v_a, v_b or v_c is changed, and another one so that v_a v_b + v_c is as before.
    let case = Case::several();
    for forged in 0..3 {
        for member in 0..5 {
            let proof = case.forge(|message, scalars| {
                if let (Message::Values(f), [a, b, c]) = (message, scalars)
                    && f == member
                {
                    let sum = *a * *b + *c;
                    match forged {
                        0 => *a += E::ONE,
                        1 => *b += E::ONE,
                        _ => *a = E::Y,
                    }
                    *c = sum + *a * *b;
                }
            });
            assert_eq!(refused_by(&case.verify(&proof)), lincheck::TERMINAL);
        }
    }
}

#[test]
fn slices_that_agree_with_the_lincheck_are_left_to_the_opening() {
    // Forgery: two slices are changed so that the form they enter has the same value.
    let case = Case::several();
    for group in 0..3 {
        let proof = case.forge(|message, scalars| {
            if let Message::Slices(number, form) = message
                && number == group
            {
                scalars[5] += form[6];
                scalars[6] += form[5];
            }
        });
        let reduction = case.verify(&proof).unwrap();
        check_deferred(&case.batch(), &reduction.deferred).unwrap();
        assert!(!case.slices_hold(&reduction));
    }
}

#[test]
fn a_batch_is_committed_proven_and_opened() {
    let case = Case::several();
    let proof = case.prove_and_open(HONEST);
    assert_eq!(case.verify_opening(&proof), Ok(()));
}

#[test]
fn slices_that_agree_with_the_lincheck_are_refused_by_the_opening() {
    let case = Case::several();
    let proof = case.prove_and_open(|message, scalars| {
        if let Message::Slices(1, form) = message {
            scalars[5] += form[6];
            scalars[6] += form[5];
        }
    });
    assert_eq!(refused_by(&case.verify_opening(&proof)), pcs::whir::TERMINAL);
}

#[test]
fn matrix_values_that_agree_with_the_lincheck_are_refused_by_their_circuits() {
    // Forgery: the values of two groups are changed so that their sum in the lincheck is as before.
    let case = Case::several();
    for [first, second] in [[0, 1], [1, 2], [2, 0]] {
        let proof = case.forge(|message, scalars| {
            if let Message::Matrix(number, scales) = message {
                if number == first {
                    scalars[0] += scales[second];
                } else if number == second {
                    scalars[0] += scales[first];
                }
            }
        });
        let reduction = case.verify(&proof).unwrap();
        assert!(case.slices_hold(&reduction));
        let refusal = check_deferred(&case.batch(), &reduction.deferred);
        assert_eq!(refused_by(&refusal), MATRIX.at(first.min(second)));
    }
}

#[test]
fn another_circuit_is_refused_by_its_matrix_value() {
    // The blocks of both circuits have one shape; the proof is of the adder, the verifier's circuit subtracts.
    let case = Case::new(vec![adder()], &[(0, 5)]);
    let mut builder = Builder::new();
    let (p, q) = (builder.input(), builder.input());
    let difference = builder.subtract(&p, &q);
    builder.output(&difference);
    let other = Case {
        circuits: vec![builder.build()],
        parts: case.parts.clone(),
        witnesses: case.witnesses.clone(),
    };
    assert_eq!(other.circuits[0].log_block(), case.circuits[0].log_block());
    let proof = case.forge(HONEST);
    let reduction = other.verify(&proof).unwrap();
    let refusal = check_deferred(&other.batch(), &reduction.deferred);
    assert_eq!(refused_by(&refusal), MATRIX.at(0));
}

#[test]
fn a_proof_cut_short_is_refused() {
    let case = Case::one();
    let (proof, _) = case.prove(&case.all_live());
    for length in 0..proof.stream.len() {
        let mut cut = proof.clone();
        cut.stream.truncate(length);
        assert!(
            matches!(case.verify(&cut), Err(VerifyError::StreamEnded { .. })),
            "{length} words"
        );
    }
    let mut long = proof;
    long.stream.push(0);
    assert!(matches!(case.verify(&long), Err(VerifyError::StreamLeft { .. })));
}

#[test]
fn members_of_one_gate_list_are_a_group() {
    let case = Case::several();
    let batch = case.batch();
    let groups: Vec<_> = batch.groups().iter().map(|group| group.members.clone()).collect();
    assert_eq!(groups, [vec![0, 3], vec![1, 4], vec![2]]);
    let (_, reduction) = case.prove(&case.all_live());
    // Three sizes of blocks: one point each, as long as the longest member needs.
    let lengths: Vec<_> = reduction.points.iter().map(Vec::len).collect();
    assert_eq!(lengths, [8, 9, 9]);
}

#[test]
fn parts_that_are_no_batch_are_refused() {
    assert_eq!(Batch::new(&[]).unwrap_err(), BatchError::Empty);
    let circuit = adder();
    for log_instances in [0, 4, 27, usize::MAX] {
        let part = Part {
            circuit: &circuit,
            log_instances,
        };
        let refusal = BatchError::Words {
            part: 0,
            log_block: 8,
            log_instances,
            min: 7,
            max: 28,
        };
        assert_eq!(Batch::new(&[part]).unwrap_err(), refusal);
    }
}

#[test]
fn the_error_of_every_batch_that_fits_is_far_below_the_target() {
    let circuit = circuit::blake2s::compression();
    // One member is the largest stack; there are no more members than the largest stack has room for rows of 32.
    let part = |log_instances| Part {
        circuit: &circuit,
        log_instances,
    };
    let parts: Vec<_> = (0..256).map(|i| part(if i == 0 { 20 } else { 0 })).collect();
    let error = Batch::new(&parts).unwrap().error();
    assert_eq!(error, (28 - 7) + 255 + 127 + 56 + 20 + 1023 + 16);
    let bits = 192.0 - (error as f64).log2();
    std::println!("256 circuits, the largest of 2^28 words: 2^-{bits:.1} for one witness");
    // Times the list of the commitment, at most 2^12.
    assert!(bits > 180.0 && bits - 12.0 > 128.0);
}
