//! Runs by which a mutation is noticed: honest ones, which it must not allow any more, and forged ones, which it allows.

use leanvm_core::columns::Column;
use leanvm_core::machine::{ADVICE, FINAL_CLOCK, machine};
use leanvm_core::witness::{Target, witness};
use rv::program::{RAM_BASE, slot_pc};
use rv::{Class, Limits};

use super::{Runs, Witness};
use crate::fixture::SOURCE;
use crate::forge::{Fixture, Forger, MEMORY, SEED, Word};
use crate::random_program::{Random, wild};

/// The program with every class, with branches that skip something, and the number of its call from the advice; on these
/// operands, and with what the last jump adds to its target's address.
fn every_class_on([x6, x7]: [u64; 2], dropped: u64) -> Fixture {
    let branches = "skip: bne x9, x18, same\n unimp\nsame: beq x9, x9, jal\n unimp\njal: ";
    let source = SOURCE
        .replace("li a7, 93", "call: ld a7, 24(x18)")
        .replace("\njal: ", &format!("\n{branches}"));
    assert!(source.contains("call: ") && source.contains("skip: "));
    Fixture::new(&source, |labels| [x6, x7, labels["end"] + dropped, 93].into())
}

/// Fixtures of one program: other signs, equal operands, a target with a low bit.
pub(super) fn fixtures() -> [Fixture; 3] {
    [
        every_class_on([0x8123_4567_89ab_cdef, 0x0000_0003_0000_0005], 0),
        every_class_on([0x7654_3210_fedc_ba98; 2], 1),
        every_class_on([0x0000_0001_8000_0001, 0xf0f0_f0f0_8f8f_8f8f], 1),
    ]
}

/// Runs of random programs.
pub(super) fn random() -> impl Iterator<Item = Runs> {
    let mut random = Random::new(41);
    let programs = std::iter::repeat_with(move || wild(&mut random, 300));
    let runs = programs.filter_map(|(program, advice)| {
        let machine = machine(program.public());
        let target = Target::Least { log_inv_rate: 1 };
        let honest = witness(&machine, &program, &advice, Limits { cycles: 1000 }, target).ok()?;
        let honest = [Witness::new("honest", &honest)].into();
        Some(Runs {
            machine,
            honest,
            forged: Vec::new(),
        })
    });
    runs.take(RANDOM_PROGRAMS)
}

/// Runs that are none, each by one thing alone.
pub(super) fn forged_runs(fixture: &Fixture) -> Vec<Witness> {
    let honest = fixture.honest();
    let mut all = Vec::new();
    let mut forge = |name, change: &dyn Fn(&mut Forger<'_>)| {
        let mut forger = honest.clone();
        change(&mut forger);
        all.push(Witness::new(name, &forger.witness));
    };
    let own = |i| Word::Column(Column::Own(i));
    let jump_to = |forger: &mut Forger<'_>, target: u64| {
        let (load, jump) = (forger.at("far"), forger.at("jalr"));
        forger.free(ADVICE, 2).0 = target;
        forger.poke(load, own(0), target);
        forger.set(jump, Word::Input(0), target);
        forger.relink();
    };
    let end = fixture.label("end");
    let halt = fixture.program.table().halt();

    // Identities.
    forge("a jump by a low bit that is none", &|forger| {
        jump_to(forger, end ^ 8);
        forger.poke(forger.at("jalr"), own(0), 8);
    });
    forge("equal, by an inverse that is none", &|forger| {
        let row = forger.at("beq");
        forger.poke(row, own(2), forger.get(row, own(2)) ^ 1);
    });
    forge("unequal operands that are equal", &|forger| {
        let row = forger.at("beq");
        forger.poke(row, own(3), 1);
        forger.poke(row, own(2), 0);
    });

    // Fixed words.
    forge("another call", &|forger| {
        let row = forger.at("call");
        forger.free(ADVICE, 3).0 = 94;
        forger.poke(row, own(0), 94);
        forger.relink();
    });
    for register in [10, 11, 12, 13] {
        forge("an output that is no register's", &|forger| {
            forger.witness.announced[register - 10] ^= 1;
        });
    }

    // States.
    forge("a jump to where nothing goes on from", &|forger| {
        let filler = fixture.program.table().filler_slot(Class::Addi);
        jump_to(forger, slot_pc(filler));
    });
    forge("rows that have changed their cycles", &|forger| {
        let [a, b] = ["add", "sub"].map(|label| forger.at(label));
        let [of_a, of_b] = [a, b].map(|row| forger.get(row, Word::Ts));
        forger.set(a, Word::Ts, of_b);
        forger.set(b, Word::Ts, of_a);
        forger.relink();
    });
    let exit_early = |forger: &mut Forger<'_>| {
        jump_to(forger, halt);
        let end = forger.at("end");
        forger.witness.announced[FINAL_CLOCK] = forger.get(end, Word::Ts);
        forger.pad(end);
        forger.relink();
    };
    forge("an end without ecall", &|forger| exit_early(forger));

    // Registers and memory.
    forge("registers that are swapped", &|forger| {
        let [row, next] = ["add", "sub"].map(|label| forger.at(label));
        for words in [[Word::Input(0), Word::Input(1)], [Word::Prev(0), Word::Prev(1)]] {
            let values = words.map(|word| forger.get(row, word));
            forger.set(row, words[0], values[1]);
            forger.set(row, words[1], values[0]);
        }
        let prevs = [0, 1].map(|slot| forger.get(next, Word::Prev(slot)));
        forger.set(next, Word::Prev(0), prevs[1]);
        forger.set(next, Word::Prev(1), prevs[0]);
    });
    forge("a register's word at no time", &|forger| {
        let row = forger.at("add");
        forger.set(row, Word::Prev(0), forger.get(row, Word::Prev(0)) - 1);
    });
    forge("a register that is not what was written", &|forger| {
        let row = forger.at("add");
        forger.set(row, Word::Input(1), forger.get(row, Word::Input(1)) ^ 1);
        forger.follow(row);
    });
    forge("cells that are swapped", &|forger| {
        let (row, cell) = (forger.at("ld"), RAM_BASE + 8 * 101);
        let (clock, word) = (forger.get(row, Word::Prev(1)), forger.get(row, own(0)));
        let other = forger.last_value(MEMORY, cell).0;
        forger.set(row, Word::Prev(1), SEED);
        forger.poke(row, own(0), other);
        forger.follow(row);
        forger.last_clock(MEMORY, cell).0 = clock;
        forger.last_value(MEMORY, cell).0 = word;
    });
    forge("a cell's word at no time", &|forger| {
        let row = forger.at("ld");
        forger.set(row, Word::Prev(1), forger.get(row, Word::Prev(1)) - 1);
    });
    forge("a cell that is not what was written", &|forger| {
        let row = forger.at("ld");
        forger.poke(row, own(0), forger.get(row, own(0)) ^ 1);
        forger.follow(row);
    });

    // The bytecode.
    let column = |label: &'static str, column, flip: u64| {
        move |forger: &mut Forger<'_>| {
            let row = forger.at(label);
            let word = Word::Column(column);
            forger.poke(row, word, forger.get(row, word) ^ flip);
        }
    };
    forge("the next row's entry instead of the own", &|forger| {
        // The ecall is a cycle earlier, at the jump, which is no row.
        let [jump, ecall] = ["jalr", "end"].map(|label| forger.at(label));
        for word in [Word::Column(Column::Old), Word::Ts, Word::Column(Column::Pc)] {
            let value = forger.get(jump, word);
            if word == Word::Column(Column::Pc) {
                forger.pad(jump);
            }
            forger.set(ecall, word, value);
        }
        forger.witness.announced[FINAL_CLOCK] -= 1 << 5;
        forger.relink();
    });
    forge("a product that is a sum", &|forger| {
        let (product, row) = (forger.at("mul"), forger.padding(Class::Add));
        let pc = forger.get(product, Word::Column(Column::Pc));
        let filler = forger.get(row, Word::Column(Column::Pc));
        let entry = [
            Column::Pc,
            Column::A1,
            Column::A2,
            Column::Ad,
            Column::Next,
            Column::Old,
        ];
        let words = entry.map(Word::Column).into_iter();
        let words = words.chain([Word::Input(0), Word::Input(1), Word::Ts]);
        for word in words.chain([0, 1, 2].map(Word::Prev)) {
            forger.set(row, word, forger.get(product, word));
        }
        forger.poke(row, Word::Column(Column::Constant(0)), 0);
        forger.pad(product);
        forger.count(pc).0 += 1;
        forger.count(filler).0 -= 1;
        forger.relink();
    });
    for (register, slot, column) in [(18, 0, Column::A1), (18, 1, Column::A2)] {
        forge("another register that is read", &|forger| {
            let row = forger.at("add");
            forger.poke(row, Word::Column(column), register);
            forger.set(row, Word::Input(slot), 0x2000_0000);
            forger.relink();
        });
    }
    forge("another register that is written", &|forger| {
        let row = forger.at("add");
        forger.poke(row, Word::Column(Column::Ad), 2);
        forger.poke(row, Word::Column(Column::Old), 0);
        forger.relink();
    });
    forge("another immediate", &|forger| {
        let row = forger.at("addi");
        forger.set(row, Word::Input(1), forger.get(row, Word::Input(1)) ^ 1 << 40);
        forger.follow(row);
    });
    forge("another link", &|forger| {
        column("jal", Column::Next, 1 << 40)(forger);
        forger.follow(forger.at("jal"));
    });
    forge("another distance", &column("beq", Column::Delta, 8));
    forge("a sum that is a difference", &|forger| {
        column("add", Column::Constant(0), u64::MAX)(forger);
        let row = forger.at("add");
        forger.set(row, Word::Input(0), !forger.get(row, Word::Input(0)));
        forger.follow(row);
    });
    forge("a conjunction that is none", &|forger| {
        column("logic", Column::Constant(1), 1)(forger);
        forger.follow(forger.at("logic"));
    });
    forge("a shift to the other side", &|forger| {
        column("slli", Column::Constant(2), 1)(forger);
        forger.follow(forger.at("slli"));
    });
    forge("a wrong quotient", &|forger| {
        let row = forger.at("div");
        forger.set(row, Word::Input(3), forger.get(row, Word::Input(3)) ^ 1);
        forger.follow(row);
    });
    forge("an end by what is no ecall", &|forger| {
        exit_early(forger);
        forger.poke(forger.at("jalr"), Word::Column(Column::Exit), 1);
    });
    all
}

/// So many random programs make every word that can be other than zero so on a row.
const RANDOM_PROGRAMS: usize = 8;
