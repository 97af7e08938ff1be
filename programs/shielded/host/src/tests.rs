//! Known answers, the rules one by one, and the guest's check against the rules on bytes.

mod reference;

use guest_test::Guest;
use primitives::blake2s::{self, digest_from_words, digest_to_words};
use shielded_guest::{Amount, Digest, Hasher, Refusal, Spend, main, tag};

use crate::{
    BYTES, ELF, IndexTooLong, MAX_SPENDS, TooMany, advice, benchmark_spend, benchmark_spends, from_bytes,
    output, statement, to_bytes, tree::Tree,
};

const GUEST: Guest = Guest { elf: ELF, main };

/// A published private transfer: 1680 bytes in hexadecimal.
const TRANSFER: &str = include_str!("../vectors/transfer.hex");

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn hex_words(words: &[u64]) -> String {
    hex(&words
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect::<Vec<u8>>())
}

fn transfer() -> [u8; BYTES] {
    let digits: Vec<u32> = TRANSFER.chars().filter_map(|digit| digit.to_digit(16)).collect();
    let bytes: Vec<u8> = digits
        .as_chunks()
        .0
        .iter()
        .map(|[high, low]| (high << 4 | low) as u8)
        .collect();
    bytes.try_into().expect("the file has 1680 bytes")
}

fn words(spends: &[Spend]) -> Vec<u64> {
    advice(spends).expect("the spends fit")
}

#[test]
fn the_published_transfer_has_the_published_statement() {
    let bytes = transfer();
    let spend = from_bytes(&bytes);
    assert_eq!(to_bytes(&spend), Ok(bytes));
    assert_eq!(spend.inputs.map(|input| input.value.value()), [700, 300]);
    assert_eq!(spend.inputs.map(|input| input.index), [807_917, 882_002]);
    let digest = statement(&spend).expect("the spend is valid");
    assert_eq!(
        hex_words(&digest),
        "37a779984566a1458c797e4bdcfe4c2f57351f86990b339e3c687c2774d28371"
    );
    assert_eq!(reference::statement(&bytes), Ok(digest_from_words(&digest)));
}

#[test]
fn the_values_on_the_way_are_the_reference_s() {
    let spend = from_bytes(&transfer());
    let mut hasher = Hasher::new();
    let [input, _] = &spend.inputs;
    let owner = hasher.one(tag::OWNER, input.spend_key);
    assert_eq!(
        hex_words(&owner),
        "b8f99218428cef556bbfb64b9c304aa7f365d31d6c6580788c654d92aa9f5de0"
    );
    let inner = hasher.two(tag::INNER, &owner, &input.rho);
    let mut commitment =
        |inner: Digest, Amount { high, low }: Amount| hasher.one_and_two(tag::COMMITMENT, inner, [high, low]);
    let note = commitment(inner, input.value);
    assert_eq!(
        hex_words(&note),
        "4320be814a5c5cedfc44e4f26f69e2e5158deede7914d044694085f600a0c18f"
    );
    assert_eq!(
        spend
            .outputs
            .map(|output| hex_words(&commitment(output.inner, output.value))),
        [
            "f66756f0ca77895b039a69465d08300e070088f2a364bba6182b11574b23d182",
            "a1bd40e6224aa42c84cda291180f1b2a2b87b517153d828d87d82b23acaff6ca"
        ]
    );
    let nullifiers = spend.inputs.map(|input| {
        let owner = hasher.one(tag::OWNER, input.spend_key);
        let inner = hasher.two(tag::INNER, &owner, &input.rho);
        let note = hasher.one_and_two(tag::COMMITMENT, inner, [input.value.high, input.value.low]);
        let key = hasher.two(tag::NULLIFIER_KEY, &spend.header.domain, &input.spend_key);
        let index = (input.index as u32).swap_bytes();
        let occurrence = hasher.one_and_half(tag::OCCURRENCE, note, index);
        hex_words(&hasher.two(tag::NULLIFIER, &key, &occurrence))
    });
    assert_eq!(
        nullifiers,
        [
            "5136cb4d3e23768b0c3bbc529c29cf8dccd46c0766948932e91fa7951961c280",
            "92b9ba2856cb561eedc4fd552c190a43d9cbf882ef0276959afdc1453a8ed32c"
        ]
    );
    assert_eq!(
        hex_words(&Tree::new([].into()).root()),
        "b2e710724110adafa273a4797c943fafce28f1961a656a9364622621817c7d76"
    );
}

#[test]
fn the_benchmark_s_input_is_the_reference_s() {
    let spend = benchmark_spend(0);
    assert_eq!(
        hex_words(&spend.inputs[0].spend_key),
        "6a2d8242f160fff3c0de30ec2de4b677bcfb4dc3008dc9ec841433ad332998fb"
    );
    assert_eq!(
        spend.inputs.map(|input| input.value.value()),
        [1_378_090_423_299_359_094, 1_544_602_791_999_686_495]
    );
    assert_eq!(spend.inputs.map(|input| input.index), [967_340, 968_660]);
    assert_eq!(spend.header.fee.value(), 2_922_693_215_299_045);
    assert_eq!(
        hex_words(&spend.header.root),
        "05fc3ba83e96c4ed35408df9fe462ecabb9e215d2efe5cf6517a714bc8cb32ef"
    );
    assert_eq!(
        hex(&blake2s::hash(&to_bytes(&spend).expect("the indices are short"))),
        "107ad28ea18e469102b5eec932e48fa6838d054a927609bcaa814a771e42b977"
    );
    let advice = words(&[spend]);
    assert_eq!(advice.len(), 212);
    assert_eq!(
        hex_words(&blake2s::hash_words(&advice[1..])),
        "f24557f0e3e688c88757d6c1c528d77d5bf9bb105f6ccf94e241aa8e36227606"
    );
    let statement = statement(&spend).expect("the spend is valid");
    assert_eq!(
        hex_words(&statement),
        "eac739596bf02b5118c7863e87a8652ec8c7a9112eeb76742b820193ba52cdf1"
    );
    assert_eq!(
        digest_to_words(&output([&statement])),
        [
            0x7116_1435_158d_0fd6,
            0xaa53_d60d_425e_bf84,
            0xbad8_a3e6_db82_0fe9,
            0x5042_8620_eb6f_d56a
        ]
    );
}

#[test]
fn a_benchmark_s_shape_turns_with_its_number() {
    for (i, spend) in (0..).zip(benchmark_spends(6)) {
        assert_eq!(spend, benchmark_spend(i));
        assert_eq!(spend.header.public_amount.is_zero(), i % 3 != 1);
        assert_eq!(spend.outputs[1].value.is_zero(), i % 3 == 1);
        assert_eq!(spend.inputs[1].value.is_zero(), i % 3 == 2);
        assert!(statement(&spend).is_ok(), "spend {i}");
    }
}

#[test]
fn an_index_that_has_no_bytes_is_refused() {
    let mut spend = benchmark_spend(0);
    spend.inputs[1].index = 1 << 32;
    assert_eq!(
        to_bytes(&spend),
        Err(IndexTooLong {
            input: 1,
            index: 1 << 32
        })
    );
}

fn rule(refusal: Refusal) -> u32 {
    match refusal {
        Refusal::Index => 1,
        Refusal::Root => 2,
        Refusal::NoInput => 3,
        Refusal::Balance => 4,
        Refusal::EmptyOutput => 5,
        Refusal::FundedSink => 6,
        Refusal::Authorizer => 7,
        Refusal::Recipient => 8,
        Refusal::SameNullifier => 9,
        Refusal::SameCommitment => 10,
    }
}

/// The message of the guest's panic.
fn message(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Index => "rule 1: an input's index is 2^20 or more",
        Refusal::Root => "rule 2: an input is not in the tree",
        Refusal::NoInput => "rule 3: both inputs have value 0",
        Refusal::Balance => "rule 4: the inputs are not worth what is made of them",
        Refusal::EmptyOutput => "rule 5: an output of value 0 is not its sink",
        Refusal::FundedSink => "rule 6: an output with a value is a sink",
        Refusal::Authorizer => "rule 7: nobody authorises the spend",
        Refusal::Recipient => "rule 8: there is a recipient without an amount, or an amount without",
        Refusal::SameNullifier => "rule 9: both inputs are the same note",
        Refusal::SameCommitment => "rule 10: both outputs are the same note",
    }
}

/// Checks that a changed spend breaks this rule: for the library, the rules on bytes, and the guest natively and on
/// the machine.
fn breaks(expected: Refusal, spend: u64, change: impl Fn(&mut Spend)) {
    let honest = benchmark_spend(spend);
    let mut changed = honest;
    change(&mut changed);
    assert_ne!(changed, honest);
    assert_eq!(statement(&changed), Err(expected));
    if let Ok(bytes) = to_bytes(&changed) {
        assert_eq!(reference::statement(&bytes), Err(rule(expected)));
    }
    let advice = words(&[honest, changed]);
    assert_eq!(GUEST.panic_message(&advice), message(expected));
    assert_eq!(GUEST.native_panic_message(&advice), message(expected));
}

/// Lets the fee take what the outputs and the public amount leave of the inputs.
fn balance(spend: &mut Spend) {
    let [input_0, input_1] = spend.inputs.map(|input| input.value.value());
    let [output_0, output_1] = spend.outputs.map(|output| output.value.value());
    let public_amount = spend.header.public_amount.value();
    spend.header.fee = Amount::new(input_0 + input_1 - output_0 - output_1 - public_amount);
}

const TRANSFER_SPEND: u64 = 0;
const WITHDRAWAL: u64 = 1;
const WITH_DUMMY: u64 = 2;

#[test]
fn rule_1_an_index_is_below_2_to_the_20() {
    for bit in [20, 31, 32, 63] {
        breaks(Refusal::Index, TRANSFER_SPEND, |spend| {
            spend.inputs[0].index |= 1 << bit;
        });
        // A dummy's too.
        breaks(Refusal::Index, WITH_DUMMY, |spend| {
            spend.inputs[1].index |= 1 << bit;
        });
    }
}

#[test]
fn rule_2_an_input_with_a_value_is_in_the_tree() {
    for level in 0..20 {
        breaks(Refusal::Root, TRANSFER_SPEND, |spend| {
            spend.inputs[level % 2].path[level][level % 4] ^= 1 << (3 * level);
        });
        breaks(Refusal::Root, TRANSFER_SPEND, |spend| {
            spend.inputs[level % 2].index ^= 1 << level;
        });
    }
    breaks(Refusal::Root, TRANSFER_SPEND, |spend| {
        spend.inputs[1].spend_key[3] ^= 1;
    });
    breaks(Refusal::Root, TRANSFER_SPEND, |spend| spend.inputs[1].rho[0] ^= 1);
    breaks(Refusal::Root, TRANSFER_SPEND, |spend| spend.header.root[2] ^= 1);
    // An input that claims another value than its note's; one that is worth something and was a dummy.
    breaks(Refusal::Root, TRANSFER_SPEND, |spend| {
        spend.inputs[0].value = Amount::new(1);
    });
    breaks(Refusal::Root, WITH_DUMMY, |spend| {
        spend.inputs[1].value = Amount::new(1);
    });
}

/// A dummy needs no note: its siblings are looked at by nobody.
#[test]
fn a_dummy_s_siblings_do_not_matter() {
    let honest = benchmark_spend(WITH_DUMMY);
    for level in 0..20 {
        let mut changed = honest;
        changed.inputs[1].path[level][level % 4] ^= 1 << (3 * level);
        assert_eq!(statement(&changed), statement(&honest));
        let run = GUEST.exit(&words(&[changed]));
        let expected = statement(&honest).expect("the spend is valid");
        assert_eq!(run.output_bytes(), output([&expected]));
    }
}

#[test]
fn rule_3_an_input_has_a_value() {
    breaks(Refusal::NoInput, TRANSFER_SPEND, |spend| {
        spend.inputs[0].value = Amount::new(0);
        spend.inputs[1].value = Amount::new(0);
    });
}

#[test]
fn rule_4_the_inputs_are_worth_what_is_made_of_them_without_wrapping_around() {
    let fee_and = |more: u128| {
        move |spend: &mut Spend| spend.header.fee = Amount::new(spend.header.fee.value().wrapping_add(more))
    };
    breaks(Refusal::Balance, TRANSFER_SPEND, fee_and(1));
    breaks(Refusal::Balance, WITHDRAWAL, fee_and(1 << 64));
    breaks(Refusal::Balance, WITH_DUMMY, fee_and(u128::MAX));
    // 2^128 in all.
    breaks(Refusal::Balance, TRANSFER_SPEND, |spend| {
        fee_and(1 << 127)(spend);
        let value = &mut spend.outputs[0].value;
        *value = Amount::new(value.value() + (1 << 127));
    });
    // 2^129 in all.
    breaks(Refusal::Balance, WITHDRAWAL, |spend| {
        for value in [
            &mut spend.header.fee,
            &mut spend.header.public_amount,
            &mut spend.outputs[0].value,
        ] {
            *value = Amount::new(value.value() + (1 << 127));
        }
        spend.outputs[1].value = Amount::new(1 << 127);
        spend.outputs[1].inner = [7; 4];
    });
}

#[test]
fn rule_5_an_output_without_a_value_is_its_sink() {
    breaks(Refusal::EmptyOutput, WITHDRAWAL, |spend| {
        spend.outputs[1].inner = [0, 0, 0, 1 << 56];
    });
    breaks(Refusal::EmptyOutput, WITHDRAWAL, |spend| {
        spend.outputs[1].inner[0] = 1;
    });
    breaks(Refusal::EmptyOutput, WITHDRAWAL, |spend| {
        spend.outputs[1].inner[2] = 1;
    });
    breaks(Refusal::EmptyOutput, TRANSFER_SPEND, |spend| {
        spend.outputs[0].value = Amount::new(0);
        balance(spend);
    });
}

#[test]
fn rule_6_an_output_with_a_value_is_no_sink() {
    for sink in [1, 2] {
        breaks(Refusal::FundedSink, TRANSFER_SPEND, |spend| {
            spend.outputs[0].inner = [0, 0, 0, sink << 56];
        });
        breaks(Refusal::FundedSink, TRANSFER_SPEND, |spend| {
            spend.outputs[1].inner = [0, 0, 0, sink << 56];
        });
    }
    // The number 3 is none.
    let mut spend = benchmark_spend(TRANSFER_SPEND);
    spend.outputs[0].inner = [0, 0, 0, 3 << 56];
    assert!(statement(&spend).is_ok());
}

#[test]
fn rule_7_somebody_authorises() {
    breaks(Refusal::Authorizer, TRANSFER_SPEND, |spend| {
        let [_, _, both, rest @ ..] = &mut spend.header.parties;
        *both &= u64::from(u32::MAX);
        *rest = [0; 2];
    });
    // Any byte of the twenty makes it somebody.
    for byte in 20..40 {
        let mut spend = benchmark_spend(WITHDRAWAL);
        let [_, _, both, rest @ ..] = &mut spend.header.parties;
        *both &= u64::from(u32::MAX);
        *rest = [0; 2];
        spend.header.parties[byte / 8] |= 1 << (8 * (byte % 8));
        assert!(statement(&spend).is_ok(), "byte {byte}");
    }
}

#[test]
fn rule_8_there_is_a_recipient_iff_there_is_an_amount() {
    for byte in 0..20 {
        breaks(Refusal::Recipient, TRANSFER_SPEND, |spend| {
            spend.header.parties[byte / 8] |= 1 << (8 * (byte % 8));
        });
    }
    breaks(Refusal::Recipient, WITHDRAWAL, |spend| {
        let [r0, r1, both, ..] = &mut spend.header.parties;
        (*r0, *r1) = (0, 0);
        *both &= !u64::from(u32::MAX);
    });
    breaks(Refusal::Recipient, WITHDRAWAL, |spend| {
        spend.header.public_amount = Amount::new(0);
        balance(spend);
    });
}

#[test]
fn rule_9_the_inputs_are_two_notes() {
    breaks(Refusal::SameNullifier, TRANSFER_SPEND, |spend| {
        spend.inputs[1] = spend.inputs[0];
        spend.outputs[0].value = Amount::new(1);
        spend.outputs[1].value = Amount::new(2);
        balance(spend);
    });
}

#[test]
fn rule_10_the_outputs_are_two_notes() {
    breaks(Refusal::SameCommitment, TRANSFER_SPEND, |spend| {
        spend.outputs[0] = spend.outputs[1];
        balance(spend);
    });
}

/// Every byte of three spends changed, against the rules on bytes.
#[test]
fn the_check_is_that_of_the_rules_on_bytes() {
    for shape in 0..3 {
        let honest = to_bytes(&benchmark_spend(shape)).expect("the indices are short");
        for i in 0..BYTES {
            let mut changed = honest;
            changed[i] ^= 1 << (i % 8);
            let expected = reference::statement(&changed);
            let found = statement(&from_bytes(&changed));
            assert_eq!(
                found.map(|statement| digest_from_words(&statement)).map_err(rule),
                expected,
                "byte {i} of shape {shape}"
            );
        }
    }
}

/// Every word of a spend changed: the guest says what the library says, and never what it says of the honest spend.
#[test]
fn a_flip_of_any_word_of_a_spend_is_refused_or_makes_another_statement_on_the_machine() {
    let spend = benchmark_spend(WITHDRAWAL);
    let honest = words(&[spend]);
    let honest_output = GUEST.exit(&honest).output_bytes();
    for i in 1..honest.len() {
        let mut changed = honest.clone();
        changed[i] ^= 1 << (i % 64);
        match GUEST.run(&changed) {
            Ok(run) => {
                assert_ne!(run.output_bytes(), honest_output, "word {i}");
                assert_eq!(run.output_bytes(), GUEST.native_output(&changed), "word {i}");
            }
            Err(_) => assert_eq!(
                GUEST.panic_message(&changed),
                GUEST.native_panic_message(&changed),
                "word {i}"
            ),
        }
    }
}

#[test]
fn runs_have_the_expected_output_whatever_the_number_of_spends() {
    let spends = benchmark_spends(7);
    let statements: Vec<Digest> = spends
        .iter()
        .map(|spend| statement(spend).expect("the spend is valid"))
        .collect();
    for count in 0..=spends.len() {
        let advice = words(&spends[..count]);
        let expected = output(&statements[..count]);
        let run = GUEST.exit(&advice);
        assert_eq!(run.output_bytes(), expected, "{count} spends");
        assert_eq!(GUEST.native_output(&advice), expected, "{count} spends");
    }
}

#[test]
fn a_count_beyond_the_advice_is_refused_on_the_machine() {
    let message = "the guest reads past the end of its advice region";
    for count in [MAX_SPENDS as u64 + 1, u64::MAX / 211 + 1, 1 << 61, u64::MAX] {
        assert_eq!(GUEST.panic_message(&[count]), message, "{count} spends");
    }
    // The region is there, but holds zeros: two dummies, and empty outputs that are no sinks.
    assert_eq!(
        GUEST.panic_message(&[MAX_SPENDS as u64]),
        "rule 5: an output of value 0 is not its sink"
    );
}

#[test]
fn the_host_refuses_more_spends_than_fit_and_says_how_many_do() {
    let spend = benchmark_spend(0);
    assert!(words(&vec![spend; MAX_SPENDS]).len() <= 1 << 18);
    assert_eq!(
        advice(&vec![spend; MAX_SPENDS + 1]),
        Err(TooMany {
            spends: 1243,
            max: 1242
        })
    );
}

#[test]
fn an_amount_is_its_big_endian_bytes() {
    for value in [
        0,
        1,
        0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10,
        u128::MAX,
        1 << 64,
        u64::MAX.into(),
    ] {
        let amount = Amount::new(value);
        let bytes = [amount.high.to_le_bytes(), amount.low.to_le_bytes()].concat();
        assert_eq!(bytes, value.to_be_bytes());
        assert_eq!(amount.value(), value);
        assert_eq!(amount.is_zero(), value == 0);
    }
}

/// The mean of three, one of each shape.
#[test]
fn a_spend_costs_at_most_3650_instructions() {
    let spends = benchmark_spends(6);
    let cycles = |spends: &[Spend]| GUEST.exit(&words(spends)).cycles;
    let three_more = cycles(&spends) - cycles(&spends[..3]);
    assert!(three_more <= 3 * 3650, "{} instructions", three_more / 3);
}

#[test]
fn a_run_under_qemu_has_the_expected_output() {
    let spends = benchmark_spends(3);
    let statements = spends
        .iter()
        .map(|spend| statement(spend).expect("the spend is valid"));
    let statements: Vec<Digest> = statements.collect();
    if let Some(found) = GUEST.output_under_qemu(&words(&spends)) {
        assert_eq!(found, output(&statements));
    }
}
