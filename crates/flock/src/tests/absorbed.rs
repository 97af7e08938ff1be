//! Every message that the transcript absorbs, left out on both sides: what is noticed, and what could be forged.

use super::*;
use fiat_shamir::{Digest, Value};
use primitives::blake2s;

/// What a scalar of a proof is, and how many there are.
fn scalars_of(case: &Case) -> Vec<Label> {
    let mut sent = Vec::new();
    case.forge(|message, scalars| sent.extend(scalars.iter().map(|_| message_label(message))));
    sent
}

/// The scalars before the values of the zerocheck: the skip message and the rounds.
fn before_values(case: &Case) -> usize {
    64 + 2 * case.batch().log_words()
}

/// The first scalar of the lincheck's rounds, and the first after them.
fn lincheck_rounds(case: &Case) -> core::ops::Range<usize> {
    let first = before_values(case) + 3 * case.parts.len();
    first..first + 2 * case.batch().log_block_words()
}

/// The proof of a prover that forgets a scalar, counted from the first, and its final state.
fn prove_forgetting(case: &Case, scalar: Option<usize>) -> (Proof, Digest) {
    let mut prover = case.prover();
    if let Some(scalar) = scalar {
        prover.hazmat_forget(scalar);
    }
    let witnesses: Vec<&[K]> = case.witnesses.iter().map(Vec::as_slice).collect();
    let mut forging = Forging {
        prover: &mut prover,
        forge: HONEST,
    };
    reference::prove(&mut forging, &case.batch(), &witnesses);
    prover.finish()
}

/// A verifier that forgets a scalar; the final state beside what is left.
fn verify_forgetting(
    case: &Case,
    proof: &Proof,
    scalar: Option<usize>,
) -> Result<(Reduction<E>, Digest), VerifyError> {
    let arith = Native::new(proof);
    let mut channel = Channel::new(&arith, Kind::Opening, &[]);
    channel.read_digest()?;
    if let Some(scalar) = scalar {
        channel.hazmat_forget(scalar);
    }
    let reduction = verify_core(&mut channel, &case.batch())?;
    Ok((reduction, channel.finish()?))
}

/// The check that refused, and by how much.
fn difference<T>(result: &Result<T, VerifyError>) -> Option<(Label, E)> {
    match result {
        Err(VerifyError::Check {
            label,
            left: Value::Scalar(left),
            right: Value::Scalar(right),
        }) => Some((*label, *left + *right)),
        _ => None,
    }
}

/// The proof with a scalar changed.
fn changed(proof: &Proof, scalar: usize, by: E) -> Proof {
    let mut changed = proof.clone();
    for (word, limb) in changed.stream[4 + 3 * scalar..].iter_mut().zip(by.to_words()) {
        *word ^= limb;
    }
    changed
}

/// A scalar that is not absorbed is chosen after all challenges. A check is affine in it: two differences tell what it
/// has to be for the check to hold.
fn fitted(case: &Case, proof: &Proof, scalar: usize, check: Label) -> Proof {
    let at = |by: E| match difference(&verify_forgetting(
        case,
        &changed(proof, scalar, by),
        Some(scalar),
    )) {
        Some((label, difference)) => {
            assert_eq!(label, check, "scalar {scalar}");
            difference
        }
        None => E::ZERO,
    };
    let (at_0, at_1) = (at(E::ZERO), at(E::ONE));
    changed(proof, scalar, at_0 * (at_0 + at_1).inverse_or_zero())
}

/// A batch with a false bit in one block.
fn false_bit() -> Case {
    let mut case = Case::new(vec![adder(), small()], &[(0, 5), (1, 6)]);
    case.flip(0, 700);
    case
}

/// A batch with a block of zeros, whose constant wire is zero: every row holds.
fn false_constant() -> Case {
    let mut case = Case::new(vec![adder(), small()], &[(0, 5), (1, 6)]);
    case.witnesses[0][4..8].fill(K::ZERO);
    case
}

#[test]
fn the_proof_is_pinned() {
    // Known answer: the digest of the file, as the prover from the definitions writes it. It moves whenever a message
    // is absorbed in another place, or is not.
    let (proof, _) = Case::several().prove(&Case::several().all_live());
    let digest: alloc::string::String = blake2s::hash(&proof.encode())
        .iter()
        .map(|byte| std::format!("{byte:02x}"))
        .collect();
    assert_eq!(digest, PINNED);
}

/// The BLAKE2s digest of the proof of [`Case::several`].
const PINNED: &str = "6c93215d37b4cebc7566c413cc063b2a6de6acba724dd332fedfa904f8aa1bd6";

#[test]
fn a_scalar_that_both_sides_forget_is_not_bound() {
    let case = Case::new(vec![adder(), small()], &[(0, 5), (1, 6)]);
    let count = scalars_of(&case).len();
    let (honest, state) = prove_forgetting(&case, None);
    assert_eq!(verify_forgetting(&case, &honest, None).unwrap().1, state);
    for scalar in 0..count {
        let (proof, forgetful) = prove_forgetting(&case, Some(scalar));
        assert_ne!(forgetful, state, "scalar {scalar}");
        assert_eq!(
            verify_forgetting(&case, &proof, Some(scalar)).unwrap().1,
            forgetful
        );
        // Who does not forget has other challenges at once, or other ones in what follows.
        let honestly = verify_forgetting(&case, &proof, None);
        assert!(
            honestly.is_err() || honestly.unwrap().1 != forgetful,
            "scalar {scalar}"
        );
    }
    assert_eq!(prove_forgetting(&case, Some(count)).1, state, "no scalar is left");
}

#[test]
fn a_false_bit_could_be_proven_if_any_message_before_the_values_were_forgotten() {
    let case = false_bit();
    for scalar in 0..before_values(&case) {
        let (proof, _) = prove_forgetting(&case, Some(scalar));
        let forged = fitted(&case, &proof, scalar, zerocheck::TERMINAL);
        let (reduction, _) = verify_forgetting(&case, &forged, Some(scalar)).unwrap();
        check_deferred(&case.batch(), &reduction.deferred).unwrap();
        assert!(case.slices_hold(&reduction), "scalar {scalar}");
        assert_eq!(refused_by(&case.verify(&forged)), zerocheck::TERMINAL);
    }
}

#[test]
fn a_false_constant_could_be_proven_if_any_message_of_the_linchecks_rounds_were_forgotten() {
    let case = false_constant();
    for scalar in lincheck_rounds(&case) {
        let (proof, _) = prove_forgetting(&case, Some(scalar));
        let forged = fitted(&case, &proof, scalar, lincheck::TERMINAL);
        let (reduction, _) = verify_forgetting(&case, &forged, Some(scalar)).unwrap();
        check_deferred(&case.batch(), &reduction.deferred).unwrap();
        assert!(case.slices_hold(&reduction), "scalar {scalar}");
        assert_eq!(refused_by(&case.verify(&forged)), lincheck::TERMINAL);
    }
}

#[test]
fn one_forgotten_value_meets_one_of_two_checks() {
    // A value enters both checks: fitted to the zerocheck, it is refused by the lincheck.
    let case = false_bit();
    for scalar in before_values(&case)..lincheck_rounds(&case).start {
        let (proof, _) = prove_forgetting(&case, Some(scalar));
        let forged = fitted(&case, &proof, scalar, zerocheck::TERMINAL);
        assert_eq!(
            refused_by(&verify_forgetting(&case, &forged, Some(scalar))),
            lincheck::TERMINAL
        );
    }
}

#[test]
fn values_that_agree_with_both_checks_exist_so_the_transcript_binds_them() {
    // With the honest challenges frozen, three values of a member are changed so that v_a v_b + v_c and
    // v_a + a v_b + a^2 v_c are as before.
    let case = Case::new(vec![adder(), small()], &[(0, 5), (1, 6)]);
    let (honest, _) = prove_forgetting(&case, None);
    let recording = Native::hazmat_recording(&honest);
    let verify = |arith: &Native<'_>| -> Result<Reduction<E>, VerifyError> {
        let mut channel = Channel::new(arith, Kind::Opening, &[]);
        channel.read_digest()?;
        let reduction = verify_core(&mut channel, &case.batch())?;
        channel.finish()?;
        Ok(reduction)
    };
    let a = verify(&recording).unwrap().deferred.batching;
    let states = recording.hazmat_states();
    for member in 0..2 {
        let scalar = before_values(&case) + 3 * member;
        let value = |i: usize| {
            let words = &honest.stream[4 + 3 * (scalar + i)..][..3];
            E::from_words([words[0], words[1], words[2]])
        };
        let (v_a, v_b) = (value(0), value(1));
        // v_b grows by 1, v_a by d, v_c by (d + a) / a^2; then v_b d + v_a + d + (d + a) / a^2 = 0.
        let inverse = a.inverse().unwrap();
        let d = (v_a + inverse) * (v_b + E::ONE + inverse.square()).inverse().unwrap();
        let forged = changed(&honest, scalar, d);
        let forged = changed(&forged, scalar + 1, E::ONE);
        let forged = changed(&forged, scalar + 2, (d + a) * inverse.square());
        let reduction = verify(&Native::hazmat_frozen(&forged, &states)).unwrap();
        check_deferred(&case.batch(), &reduction.deferred).unwrap();
        assert!(case.verify(&forged).is_err());
    }
}

#[test]
fn slices_and_matrix_values_are_bound_by_what_follows() {
    // Forgotten, a slice is fitted to the lincheck whatever another one is; only the opening, whose challenges come
    // later, tells. So the state after the lincheck has to depend on every one of them.
    let case = Case::new(vec![adder(), small()], &[(0, 5), (1, 6)]);
    let scalars = lincheck_rounds(&case).end..scalars_of(&case).len();
    assert_eq!(scalars.len(), 2 * 65);
    for scalar in scalars {
        let (honest, state) = prove_forgetting(&case, Some(scalar));
        // Any other scalar of the last messages is changed first.
        let other = if scalar == lincheck_rounds(&case).end {
            scalar + 1
        } else {
            scalar - 1
        };
        let proof = changed(&honest, other, E::Y);
        let forged = fitted(&case, &proof, scalar, lincheck::TERMINAL);
        let (reduction, forged_state) = verify_forgetting(&case, &forged, Some(scalar)).unwrap();
        assert_ne!(forged_state, state, "the other scalar is absorbed");
        let holds =
            case.slices_hold(&reduction) && check_deferred(&case.batch(), &reduction.deferred).is_ok();
        assert!(!holds, "scalar {scalar}");
    }
}
