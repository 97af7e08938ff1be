//! Any bytes as the opening of a stack give an error, and so does a changed honest one.

#![no_main]

use std::sync::LazyLock;

use fiat_shamir::proof::header;
use fiat_shamir::{Channel, Kind, Native, Proof, Prover, VerifyError};
use libfuzzer_sys::fuzz_target;
use pcs::commit::commit;
use pcs::parameters::Parameters;
use pcs::stack::{Claims, Column, Family, Member, PointRef, Region, Statement, prove, verify};
use pcs::whir::prove::stack_shape;
use primitives::field::{E, K};

/// A stack of zeros: all claims on it are zero.
static PARAMETERS: LazyLock<Parameters> = LazyLock::new(|| Parameters::new(15, 4).unwrap());
const PLACED: usize = 3 << 12;

static HONEST: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let lanes = PLACED >> PARAMETERS.log_lane_words();
    let stack = vec![K::ZERO; PLACED];
    let oracle = commit(&stack, &stack_shape(&PARAMETERS, lanes));
    let mut prover = Prover::new(Kind::Opening, Vec::new());
    prover.send_digest(oracle.root());
    prover.send_scalars(&[E::ZERO; 65]);
    prove::prove(
        &mut prover,
        &PARAMETERS,
        &stack,
        &oracle,
        &statement(&[E::ZERO; 65]),
    );
    prover.finish().0.encode()
});

fuzz_target!(|bytes: &[u8]| {
    if let Ok(proof) = Proof::decode(&[&header(Kind::Opening), bytes].concat()) {
        assert!(check(&proof).is_err());
    }
    // A few bytes as changes: a position of three bytes, then the byte there.
    if bytes.len() > 16 || !bytes.len().is_multiple_of(4) {
        return;
    }
    let mut forged = HONEST.clone();
    for change in bytes.chunks_exact(4) {
        let at = usize::from(change[0]) | usize::from(change[1]) << 8 | usize::from(change[2]) << 16;
        let at = at % forged.len();
        forged[at] = change[3];
    }
    if let Ok(proof) = Proof::decode(&forged)
        && proof.kind == Kind::Opening
        && proof.shape.is_empty()
    {
        assert_eq!(check(&proof).is_ok(), forged == *HONEST);
    }
});

fn check(proof: &Proof) -> Result<(), VerifyError> {
    let arith = Native::new(proof);
    let mut channel = Channel::new(&arith, Kind::Opening, &[]);
    let root = channel.read_digest()?;
    let values = channel.read_scalars(65)?;
    verify::verify(&mut channel, &PARAMETERS, root, PLACED, &statement(&values))?;
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
