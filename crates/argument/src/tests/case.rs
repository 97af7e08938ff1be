//! A machine with a witness.

use alloc::vec;
use alloc::vec::Vec;

use fiat_shamir::{Channel, Kind, Label, Native, Proof, Prover, VerifyError};
use pcs::stack::layout::present_lanes;
use primitives::field::{E, K};

use crate::layout::Layout;
use crate::machine::Machine;
use crate::reference::{self, Input, Message};
use crate::shape::Shape;
use crate::{check_deferred, verify_core};

/// No forgery.
pub(crate) const HONEST: fn(Message<'_>, &mut [E]) = |_, _| {};

/// The words of a table: columns, then all blocks of each block of a row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    pub(crate) columns: Vec<Vec<u64>>,
    pub(crate) blocks: Vec<Vec<u64>>,
}

/// A machine with a witness.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) machine: Machine,
    pub(crate) shape: Shape,
    pub(crate) announced: Vec<u64>,
    /// Of each table its rows; none if it is absent.
    pub(crate) tables: Vec<Option<Rows>>,
    pub(crate) columns: Vec<Vec<u64>>,
    pub(crate) counts: Vec<Vec<u64>>,
}

impl Case {
    pub(crate) fn layout(&self) -> Layout<'_> {
        Layout::new(&self.machine, &self.shape).unwrap()
    }

    /// The present lanes of the stack.
    pub(crate) fn stack(&self, layout: &Layout<'_>) -> Vec<K> {
        let lanes = present_lanes(&layout.parameters, layout.placed);
        let mut stack = vec![K::ZERO; lanes << layout.parameters.log_lane_words()];
        let mut put = |region: &pcs::stack::Region, words: &[u64]| {
            let slots = &mut stack[region.range()];
            assert_eq!(slots.len(), words.len(), "the words of a column");
            for (slot, &word) in slots.iter_mut().zip(words) {
                *slot = K(word);
            }
        };
        let present = self.tables.iter().flatten();
        for (place, rows) in layout.tables.iter().zip(present) {
            let regions = place.columns.iter().chain(&place.blocks);
            for (region, words) in regions.zip(rows.columns.iter().chain(&rows.blocks)) {
                put(region, words);
            }
        }
        for (region, words) in layout.columns.iter().zip(&self.columns) {
            put(region, words);
        }
        for (place, words) in layout.producers.iter().zip(&self.counts) {
            put(&place.region, words);
        }
        stack
    }

    /// The proof of the prover from the definitions, which lets `forge` change its messages.
    pub(crate) fn prove(&self, forge: impl FnMut(Message<'_>, &mut [E])) -> Proof {
        self.prove_announcing(&self.announced, forge)
    }

    /// A proof that announces other words than those it is made with.
    pub(crate) fn prove_announcing(
        &self,
        announced: &[u64],
        forge: impl FnMut(Message<'_>, &mut [E]),
    ) -> Proof {
        let mut prover = self.prover(announced);
        self.with_input(|input| reference::prove(&mut prover, input, forge));
        prover.finish().0
    }

    /// A proof that ends before circuits and opening, for what is refused earlier.
    pub(crate) fn reduce(&self, forge: impl FnMut(Message<'_>, &mut [E])) -> Proof {
        let mut prover = self.prover(&self.announced);
        self.with_input(|input| reference::reduce(&mut prover, input, forge));
        prover.finish().0
    }

    /// A transcript with the words that the caller sends.
    pub(crate) fn prover(&self, announced: &[u64]) -> Prover {
        let mut prover = Prover::new(Kind::Opening, self.shape.to_words());
        for &word in announced {
            prover.send_word(K(word));
        }
        prover
    }

    pub(crate) fn with_input<T>(&self, f: impl FnOnce(Input<'_>) -> T) -> T {
        let layout = self.layout();
        f(Input {
            machine: &self.machine,
            layout: &layout,
            announced: &self.announced,
            stack: &self.stack(&layout),
        })
    }

    /// All that a verifier does.
    pub(crate) fn verify(&self, proof: &Proof) -> Result<(), VerifyError> {
        self.verify_by(&Native::new(proof), proof)
    }

    /// The same, by a given instance.
    pub(crate) fn verify_by(&self, arith: &Native<'_>, proof: &Proof) -> Result<(), VerifyError> {
        let shape = Shape::parse(&self.machine, &proof.shape).unwrap();
        let layout = Layout::new(&self.machine, &shape).unwrap();
        let mut channel = Channel::new(arith, Kind::Opening, &proof.shape);
        let announced = (0..self.announced.len()).map(|_| channel.read_word());
        let announced: Vec<K> = announced.collect::<Result<_, _>>()?;
        let deferred = verify_core(&mut channel, &self.machine, &layout, &announced)?;
        channel.finish()?;
        check_deferred(&self.machine, &layout, &deferred)
    }
}

/// A false statement: what a prover proves, what it announces, and the machine that it is not true of.
#[derive(Clone, Debug)]
pub(crate) struct Forged {
    pub(crate) what: &'static str,
    pub(crate) honest: Case,
    pub(crate) prover: Case,
    pub(crate) announced: Vec<u64>,
    /// The check that refuses it.
    pub(crate) refused: Label,
}

impl Forged {
    /// An honest case with a change.
    pub(crate) fn of(honest: &Case, what: &'static str, refused: Label, change: &dyn Fn(&mut Case)) -> Self {
        let mut prover = honest.clone();
        change(&mut prover);
        Self {
            what,
            honest: honest.clone(),
            announced: prover.announced.clone(),
            prover,
            refused,
        }
    }

    /// What the verifier of the honest machine says.
    pub(crate) fn verdict(&self) -> Result<(), VerifyError> {
        self.honest
            .verify(&self.prover.prove_announcing(&self.announced, HONEST))
    }
}

/// The label of the check that refused.
pub(crate) fn refused_by<T>(result: &Result<T, VerifyError>) -> Label {
    match result {
        Err(VerifyError::Check { label, .. }) => *label,
        Err(other) => panic!("refused by no check: {other}"),
        Ok(_) => panic!("accepted"),
    }
}
