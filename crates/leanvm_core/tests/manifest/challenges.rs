//! Every challenge that the verifier draws is one of the list, at its place, and is charged by the account of soundness.

use argument::layout::Layout;
use argument::machine::Machine;
use argument::security::{Message, security};
use argument::shape::Shape;
use fiat_shamir::{Channel, Kind};
use leanvm_core::parts::TABLES;
use leanvm_core::riscv::Riscv;
use leanvm_core::verify::verify_core;
use pcs::parameters::LOG_INV_RATE;
use rv::program::{Parts, TEXT_BASE};
use rv::{Class, Program, asm};

use super::drawing::Drawing;
use super::fields::Manifest;

/// The machine of a program of which only the sizes matter here.
fn riscv(log_ram: u32, log_advice: u32) -> Riscv {
    let program = Program::new(Parts {
        text: asm::assemble("ecall").unwrap().words,
        entry: TEXT_BASE,
        log_ram,
        log_advice,
        ..Parts::default()
    });
    Riscv::new(program.unwrap().public())
}

/// How many words the verifier has read at each of its challenges. It has no values: the shape fixes them.
fn drawn(riscv: &Riscv, shape: &Shape, layout: &Layout<'_>) -> Vec<usize> {
    let arith = Drawing::default();
    let mut channel = Channel::new(&arith, Kind::Run, &shape.to_words());
    let Ok(_) = verify_core(&mut channel, riscv, layout);
    arith.challenges()
}

/// The messages that the challenges are of, each once, in order.
fn messages(challenges: &[(usize, Message)]) -> Vec<Message> {
    let mut messages: Vec<Message> = Vec::new();
    for &(_, message) in challenges {
        // The rounds of a layer stand between challenges of other messages, and the account has them once.
        if !messages.contains(&message) {
            messages.push(message);
        }
    }
    messages
}

/// Compares verifier, list and account.
fn assert_charged(riscv: &Riscv, shape: &Shape) {
    let machine: &Machine = riscv.machine();
    let layout = Layout::new(machine, shape).unwrap();
    let manifest = Manifest::new(machine, &layout);
    let listed: Vec<usize> = manifest.challenges.iter().map(|&(words, _)| words).collect();
    assert_eq!(drawn(riscv, shape, &layout), listed, "{shape:?}");
    let account = security(machine, &layout);
    let charged: Vec<Message> = account.rounds.iter().map(|round| round.message).collect();
    assert_eq!(charged, messages(&manifest.challenges), "{shape:?}");
}

#[test]
fn every_challenge_of_every_kind_of_shape_is_charged() {
    for (log_ram, log_advice) in [(2, 0), (20, 3)] {
        let riscv = riscv(log_ram, log_advice);
        let floor = |table: usize| riscv.machine().tables[table].min_log_rows(riscv.machine());
        let mut sets: Vec<Vec<usize>> = (0..TABLES).map(|table| vec![table]).collect();
        sets.push((0..Class::COUNT).collect());
        sets.push((0..TABLES).collect());
        for (present, higher) in sets.iter().flat_map(|set| [(set, 0), (set, 3), (set, 6)]) {
            let mut heights = vec![None; TABLES];
            for &table in present {
                heights[table] = Some(floor(table) + higher);
            }
            for log_inv_rate in LOG_INV_RATE {
                let shape = Shape {
                    log_inv_rate,
                    heights: heights.clone(),
                };
                assert_charged(&riscv, &shape);
            }
        }
    }
}
