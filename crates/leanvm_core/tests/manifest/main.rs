//! Every field of a proof of a run: what it is called, where it stands, and which check owns it.
//!
//! The list is made from the layout alone, and has every bit of the stream once. With the challenges of the honest proof
//! fixed, a change of a field is refused by its own check; what is then accepted is the transcript's.

use std::ops::Range;
use std::thread;

use argument::check_deferred;
use argument::layout::Layout;
use argument::prove::uninterrupted;
use argument::shape::{Shape, ShapeError};
use fiat_shamir::proof::DecodeError;
use fiat_shamir::{Channel, Digest, Kind, Native, Proof, VerifyError};
use leanvm_core::machine::FINAL_CLOCK;
use leanvm_core::parts::{TABLES, number};
use leanvm_core::prove::prove_witness;
use leanvm_core::verify::{self, verify_core};
use leanvm_core::witness::Target;
use rv::Class;

use corpus::Case;
use fields::{Field, Manifest, Owner};

#[path = "../both_parts/mod.rs"]
mod both_parts;
mod challenges;
#[path = "../corpus/mod.rs"]
mod corpus;
mod drawing;
mod fields;
#[path = "../forgeries/fixture.rs"]
#[allow(dead_code, reason = "the tests of forgeries use more of it")]
mod fixture;
#[path = "../forgeries/forge.rs"]
#[allow(dead_code, reason = "the tests of forgeries use more of it")]
mod forge;

/// The machine of a program with every class, and the proof of its run.
struct Honest {
    fixture: forge::Fixture,
    proof: Proof,
    file: Vec<u8>,
}

impl Honest {
    fn new() -> Self {
        let fixture = fixture::every_class();
        // One table of every class, in turns the first and the second.
        let mut shape = fixture.honest().witness.shape;
        for class in Class::ALL.into_iter().skip(1).step_by(2) {
            shape.heights.swap(number(class, 0), number(class, 1));
        }
        let honest = fixture.honest_in(Target::Shape(&shape));
        let proof = prove_witness(&fixture.riscv, &honest.witness, &mut uninterrupted);
        let proof = proof.continue_value().expect("nobody interrupts");
        let present = proof.shape[1..].iter().filter(|&&word| word != 0);
        assert_eq!(
            present.count(),
            Class::COUNT,
            "one table of every class is present"
        );
        Self {
            file: proof.encode(),
            fixture,
            proof,
        }
    }

    fn layout(&self) -> Layout<'_> {
        let shape = Shape::parse(self.fixture.machine(), &self.proof.shape).unwrap();
        Layout::new(self.fixture.machine(), &shape).unwrap()
    }

    /// What a verifier says that takes challenges from this instance.
    fn verify_by(&self, layout: &Layout<'_>, arith: &Native<'_>) -> Result<(), VerifyError> {
        let mut channel = Channel::new(arith, Kind::Run, &self.proof.shape);
        let reduction = verify_core(&mut channel, &self.fixture.riscv, layout)?;
        channel.finish()?;
        check_deferred(self.fixture.machine(), layout, &reduction.deferred)
    }

    /// What a verifier says that takes the challenges of the honest proof.
    fn verify_frozen(
        &self,
        layout: &Layout<'_>,
        forged: &Proof,
        states: &[Digest],
    ) -> Result<(), VerifyError> {
        self.record(&forged.encode(), true);
        self.verify_by(layout, &Native::hazmat_frozen(forged, states))
    }

    /// Writes a file to the corpus, if one is made.
    fn record(&self, file: &[u8], frozen: bool) {
        let case = Case {
            program: self.fixture.program.public(),
            riscv: &self.fixture.riscv,
            file,
            honest: Some(&self.file),
            frozen,
        };
        case.record();
    }

    fn is_refused(&self, forged: &Proof) -> bool {
        self.record(&forged.encode(), false);
        verify::verify(&self.fixture.riscv, forged).is_err()
    }
}

/// Calls `f` for every item, on two threads.
fn for_each<T: Sync>(items: &[T], f: impl Fn(&T) + Sync) {
    let (left, right) = items.split_at(items.len() / 2);
    thread::scope(|scope| {
        scope.spawn(|| left.iter().for_each(&f));
        right.iter().for_each(&f);
    });
}

#[test]
fn every_word_of_the_stream_belongs_to_one_field() {
    let honest = Honest::new();
    let manifest = Manifest::new(honest.fixture.machine(), &honest.layout());
    let mut owned = vec![0u64; honest.proof.stream.len()];
    for field in &manifest.fields {
        for word in field.words.clone() {
            let word = owned
                .get_mut(word)
                .unwrap_or_else(|| panic!("{} is not in the stream", field.name));
            assert_eq!(*word & field.bits, 0, "{} is another field too", field.name);
            *word |= field.bits;
        }
    }
    let nobodys = owned.iter().position(|&bits| bits != u64::MAX);
    assert_eq!(
        nobodys,
        None,
        "a word behind {:?} belongs to no field",
        manifest.fields.last()
    );
    // As many openings as roots.
    let roots = manifest
        .fields
        .iter()
        .filter(|field| matches!(field.owner, Owner::Opening(_)));
    assert_eq!(roots.count(), honest.proof.openings.len());
}

#[test]
fn a_changed_field_is_refused_by_the_check_that_owns_it() {
    // Forgery: a bit of a field is another, and the challenges are those of the honest proof.
    let honest = Honest::new();
    let layout = honest.layout();
    let recording = Native::hazmat_recording(&honest.proof);
    assert_eq!(honest.verify_by(&layout, &recording), Ok(()));
    let states = recording.hazmat_states();
    for_each(
        &Manifest::new(honest.fixture.machine(), &layout).fields,
        |field| {
            let name = &field.name;
            for (word, bit) in changes(field) {
                let mut forged = honest.proof.clone();
                forged.stream[word] ^= 1 << bit;
                let verdict = honest.verify_frozen(&layout, &forged, &states);
                match (field.owner, verdict) {
                    (Owner::Check(owner), Err(VerifyError::Check { label, .. })) => {
                        assert_eq!(label, owner, "{name}, word {word}");
                    }
                    (Owner::Bit(owner), Err(VerifyError::Check { label, .. })) => {
                        assert_eq!(label, owner.at(bit), "{name}, word {word}");
                    }
                    (Owner::Opening(owner), Err(VerifyError::Opening { number, .. })) => {
                        assert_eq!(number, owner, "{name}, word {word}");
                    }
                    (Owner::Transcript, Ok(())) => assert!(honest.is_refused(&forged), "{name}"),
                    (owner, verdict) => panic!("{name}, word {word}: {owner:?} owns it, and {verdict:?}"),
                }
            }
        },
    );
}

/// Words of a field, and a bit of each that is the field's: the first, the last and some between, or of a single word some
/// bits.
fn changes(field: &Field) -> Vec<(usize, usize)> {
    let Range { start, end } = field.words;
    let bits: Vec<usize> = (0..64).filter(|bit| field.bits >> bit & 1 == 1).collect();
    if end - start == 1 {
        let step = bits.len().div_ceil(5);
        return bits.into_iter().step_by(step).map(|bit| (start, bit)).collect();
    }
    let length = end - start;
    let mut words = vec![
        start,
        start + 1,
        start + length / 3,
        start + 2 * length / 3,
        end - 1,
    ];
    words.sort_unstable();
    words.dedup();
    words
        .into_iter()
        .map(|word| (word, bits[7 * word % bits.len()]))
        .collect()
}

#[test]
fn a_changed_opening_is_refused_as_that_opening() {
    let honest = Honest::new();
    let layout = honest.layout();
    for number in 0..honest.proof.openings.len() {
        let words = honest.proof.openings[number].words.len();
        let siblings = honest.proof.openings[number].siblings.len();
        let mut forgeries = Vec::new();
        let mut forge = |change: &dyn Fn(&mut fiat_shamir::merkle::Opening)| {
            let mut forged = honest.proof.clone();
            change(&mut forged.openings[number]);
            forgeries.push(forged);
        };
        for at in [0, words / 2, words - 1] {
            forge(&|opening| opening.words[at] ^= 1 << 63);
        }
        for at in [0, siblings / 2, siblings - 1] {
            forge(&|opening| opening.siblings[at][at % 4] ^= 1);
        }
        forge(&|opening| opening.words.push(0));
        forge(&|opening| {
            opening.words.pop();
        });
        forge(&|opening| opening.siblings.push([0; 4]));
        forge(&|opening| {
            opening.siblings.pop();
        });
        for forged in &forgeries {
            honest.record(&forged.encode(), false);
            match honest.verify_by(&layout, &Native::new(forged)) {
                Err(VerifyError::Opening { number: found, .. }) => assert_eq!(found, number),
                other => panic!("opening {number}: {other:?}"),
            }
        }
    }
}

#[test]
fn a_changed_shape_is_refused() {
    let honest = Honest::new();
    for word in 0..honest.proof.shape.len() {
        for change in [1, 2, 1 << 8, 1 << 63] {
            let mut forged = honest.proof.clone();
            forged.shape[word] ^= change;
            assert!(honest.is_refused(&forged), "word {word} ^ {change}");
        }
        // Absent, or no rate.
        let mut forged = honest.proof.clone();
        if core::mem::take(&mut forged.shape[word]) != 0 {
            assert!(honest.is_refused(&forged), "word {word} is 0");
        }
    }
    for words in [0, 1, Class::COUNT + 1, TABLES, TABLES + 2] {
        let mut forged = honest.proof.clone();
        forged.shape.resize(words, 0);
        let expected = ShapeError::Length {
            found: words,
            expected: TABLES + 1,
        };
        assert_eq!(
            verify::verify(&honest.fixture.riscv, &forged),
            Err(verify::VerifyError::Shape(expected))
        );
    }
}

#[test]
fn a_proof_of_another_kind_is_refused() {
    let honest = Honest::new();
    for kind in [Kind::Opening, Kind::Tree] {
        let mut forged = honest.proof.clone();
        forged.kind = kind;
        assert_eq!(
            verify::verify(&honest.fixture.riscv, &forged),
            Err(verify::VerifyError::Kind(kind))
        );
    }
}

#[test]
fn a_proof_has_one_encoding() {
    let honest = Honest::new();
    let bytes = &honest.file;
    assert_eq!(Proof::decode(bytes).as_ref(), Ok(&honest.proof));
    let length = bytes.len();
    for cut in (0..64)
        .chain((64..length).step_by(997))
        .chain(length - 64..length)
    {
        honest.record(&bytes[..cut], false);
        assert!(Proof::decode(&bytes[..cut]).is_err(), "{cut} bytes");
    }
    for tail in [1, 7, 8, 32] {
        let long = [&bytes[..], &vec![0; tail]].concat();
        honest.record(&long, false);
        assert!(
            matches!(Proof::decode(&long), Err(DecodeError::Trailing { .. })),
            "{tail} bytes more"
        );
    }
    // The header, the shape, the lengths; then some of all the rest.
    let first = 16 + 8 * (1 + TABLES + 1 + 1 + FINAL_CLOCK + 1);
    let positions: Vec<usize> = (0..first).chain((first..length).step_by(length / 300)).collect();
    for_each(&positions, |&at| {
        let mut forged = bytes.clone();
        forged[at] ^= 1 << (at % 8);
        if let Ok(proof) = Proof::decode(&forged) {
            assert!(honest.is_refused(&proof), "byte {at}");
        }
    });
}
