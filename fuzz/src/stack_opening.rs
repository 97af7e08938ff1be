//! The opening of a stack of zeros: all claims on it are zero.

use fiat_shamir::{Channel, Kind, Native, Proof, Prover, VerifyError};
use pcs::commit::commit;
use pcs::parameters::Parameters;
use pcs::stack::{Claims, Column, Family, Member, PointRef, Region, Statement, prove, verify};
use pcs::whir::prove::stack_shape;
use primitives::field::{E, K};

use crate::{Subject, Verifier};

const PLACED: usize = 3 << 12;

/// The verifier of the opening.
pub struct StackOpening(Parameters);

impl Verifier for StackOpening {
    const KIND: Kind = Kind::Opening;

    fn accepts_by(&self, _: &Proof, arith: &Native<'_>) -> bool {
        check(&self.0, arith).is_ok()
    }
}

/// The opening, honest.
#[must_use]
pub fn subject() -> Subject<StackOpening> {
    let parameters = Parameters::new(15, 4).unwrap();
    let lanes = PLACED >> parameters.log_lane_words();
    let stack = vec![K::ZERO; PLACED];
    let oracle = commit(&stack, &stack_shape(&parameters, lanes));
    let mut prover = Prover::new(Kind::Opening, Vec::new());
    prover.send_digest(oracle.root());
    prover.send_scalars(&[E::ZERO; 65]);
    let statement = statement(&[E::ZERO; 65]);
    prove::prove(&mut prover, &parameters, &stack, &oracle, &statement);
    Subject::new(StackOpening(parameters), prover.finish().0)
}

fn check(parameters: &Parameters, arith: &Native<'_>) -> Result<(), VerifyError> {
    let mut channel = Channel::new(arith, Kind::Opening, &[]);
    let root = channel.read_digest()?;
    let values = channel.read_scalars(65)?;
    verify::verify(&mut channel, parameters, root, PLACED, &statement(&values))?;
    channel.finish().map(|_| ())
}

fn statement(values: &[E]) -> Statement<E> {
    let (slices, value) = values.split_at(64);
    let point = |variables| PointRef { index: 0, variables };
    let packed = Region {
        offset: 0,
        log_words: 13,
    };
    let column = Region {
        offset: 1 << 13,
        log_words: 12,
    };
    let claims = Claims {
        points: vec![(2..15).map(|i| E::from_words([i, i << 7, !i])).collect()],
        families: vec![Family {
            members: vec![Member {
                region: packed,
                point: point(13),
                weight: None,
            }],
            slices: slices.to_vec(),
        }],
        columns: vec![Column {
            region: column,
            log_block: 3,
            word: 5,
            point: point(9),
            value: value[0],
        }],
    };
    Statement::new(15, claims).unwrap()
}
