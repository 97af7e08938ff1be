//! Every element of every list of the machine matters: without it an honest run is none, or a forged one is one.

use argument::diagnose::{Committed, diagnose};
use argument::layout::Layout;
use argument::machine::{Coordinate, Fixed, Form, Machine, Side};
use argument::shape::Shape;
use leanvm_core::columns::Column;
use leanvm_core::machine::{ADVICE, FINAL_CLOCK};
use primitives::field::K;
use rv::Class;
use rv::program::{RAM_BASE, slot_pc};

use super::fixture::SOURCE;
use super::forge::{BYTECODE, Fixture, Forger, MEMORY, REGISTERS, SEED, STATE, Word};

/// What is committed and announced for the machine of a program.
struct Witness {
    name: &'static str,
    shape: Shape,
    announced: [u64; FINAL_CLOCK + 1],
    stack: Vec<K>,
}

impl Witness {
    fn new(name: &'static str, forger: &Forger<'_>) -> Self {
        let witness = &forger.witness;
        Self {
            name,
            shape: witness.shape.clone(),
            announced: witness.announced,
            stack: witness.stack.clone(),
        }
    }

    /// Whether it satisfies the machine.
    fn is_of(&self, machine: &Machine) -> bool {
        let Ok(layout) = Layout::new(machine, &self.shape) else {
            return false;
        };
        let committed = Committed {
            machine,
            layout: &layout,
            announced: &self.announced,
            stack: &self.stack,
        };
        diagnose(&committed).is_clean()
    }
}

/// What makes a machine lack something.
struct Mutation {
    what: String,
    change: Box<dyn Fn(&mut Machine)>,
}

#[derive(Default)]
struct Mutations(Vec<Mutation>);

impl Mutations {
    fn add(&mut self, what: String, change: impl Fn(&mut Machine) + 'static) {
        self.0.push(Mutation {
            what,
            change: Box::new(change),
        });
    }

    /// Each identity and each of its terms, each flush, the two flushes of each access.
    fn tables(&mut self, machine: &Machine) {
        for (t, table) in machine.tables.iter().enumerate() {
            let name = table.name;
            for (i, identity) in table.identities.iter().enumerate() {
                self.add(format!("identity {i} of {name}"), move |machine| {
                    machine.tables[t].identities.remove(i);
                });
                for (term, form) in shorter(identity).into_iter().enumerate() {
                    self.add(format!("term {term} of identity {i} of {name}"), move |machine| {
                        machine.tables[t].identities[i] = form.clone();
                    });
                }
            }
            for (i, flush) in table.flushes.iter().enumerate() {
                self.add(format!("flush {i} of {name}"), move |machine| {
                    machine.tables[t].flushes.remove(i);
                });
                if i >= 3 && flush.side == Side::Pull {
                    let pair = format!("flushes {i} and {} of {name}", i + 1);
                    self.add(pair, move |machine| {
                        machine.tables[t].flushes.drain(i..i + 2);
                    });
                }
            }
        }
    }

    /// Each coordinate of each flush, and each of its terms.
    fn coordinates(&mut self, machine: &Machine) {
        for (t, table) in machine.tables.iter().enumerate() {
            let name = table.name;
            for (i, flush) in table.flushes.iter().enumerate() {
                for (j, form) in flush.tuple.iter().enumerate() {
                    let coordinate = format!("coordinate {j} of flush {i} of {name}");
                    let other = other_form(form);
                    for (term, form) in shorter(form).into_iter().enumerate() {
                        if form != other {
                            self.add(format!("term {term} of {coordinate}"), move |machine| {
                                machine.tables[t].flushes[i].tuple[j] = form.clone();
                            });
                        }
                    }
                    self.add(coordinate, move |machine| {
                        machine.tables[t].flushes[i].tuple[j] = other.clone();
                    });
                }
            }
        }
    }

    /// Each boundary, the two of each memory, their coordinates; the producer's; each fixed word.
    fn lists(&mut self, machine: &Machine) {
        for (i, boundary) in machine.boundary.iter().enumerate() {
            self.add(format!("boundary {i}"), move |machine| {
                machine.boundary.remove(i);
            });
            if i % 2 == 0 {
                self.add(format!("boundaries {i} and {}", i + 1), move |machine| {
                    machine.boundary.drain(i..i + 2);
                });
            }
            for (j, coordinate) in boundary.tuple.iter().enumerate() {
                let other = other_coordinate(*coordinate);
                self.add(format!("coordinate {j} of boundary {i}"), move |machine| {
                    machine.boundary[i].tuple[j] = other;
                });
            }
        }
        for j in 0..machine.producers[0].tuple.len() {
            let other = other_coordinate(machine.producers[0].tuple[j]);
            self.add(format!("coordinate {j} of the bytecode"), move |machine| {
                machine.producers[0].tuple[j] = other;
            });
        }
        for (i, &Fixed { index, .. }) in machine.fixed.iter().enumerate() {
            self.add(format!("the fixed word {index}"), move |machine| {
                machine.fixed.remove(i);
            });
        }
    }

    /// Each coordinate but the separator of all tuples of a space.
    fn spaces(&mut self) {
        for (space, name, coordinates) in [
            (STATE, "all states", 1..4),
            (BYTECODE, "all entries", 1..14),
            (REGISTERS, "all registers", 1..4),
            (MEMORY, "all memory", 1..4),
        ] {
            for j in coordinates {
                self.add(format!("coordinate {j} of {name}"), move |machine| {
                    blank(machine, space, j);
                });
            }
        }
    }
}

/// The form without each of its terms.
fn shorter(form: &Form) -> Vec<Form> {
    let mut all = Vec::new();
    if form.constant != K::ZERO {
        let constant = K::ZERO;
        all.push(Form {
            constant,
            ..form.clone()
        });
    }
    for i in 0..form.linear.len() {
        let mut without = form.clone();
        without.linear.remove(i);
        all.push(without);
    }
    for i in 0..form.products.len() {
        let mut without = form.clone();
        without.products.remove(i);
        all.push(without);
    }
    all
}

/// Zero, or one if the form is zero: a zero at the end is no coordinate.
fn other_form(form: &Form) -> Form {
    if *form == Form::default() {
        Form::constant(K::ONE)
    } else {
        Form::default()
    }
}

fn other_coordinate(coordinate: Coordinate) -> Coordinate {
    Coordinate::Constant(if coordinate == Coordinate::Constant(K::ZERO) {
        K::ONE
    } else {
        K::ZERO
    })
}

/// Makes a coordinate zero in all tuples of a space.
fn blank(machine: &mut Machine, space: u64, j: usize) {
    for flush in machine.tables.iter_mut().flat_map(|table| &mut table.flushes) {
        let separator = &flush.tuple[0];
        // EXT reads the limbs of b in memory or in registers: those forms are no constants.
        let is_memory = !separator.linear.is_empty();
        if separator.constant == K(space) && !is_memory || is_memory && space >= REGISTERS {
            flush.tuple[j] = Form::default();
        }
    }
    let boundaries = machine.boundary.iter_mut().map(|boundary| &mut boundary.tuple);
    let producers = machine.producers.iter_mut().map(|producer| &mut producer.tuple);
    for tuple in boundaries.chain(producers) {
        if tuple[0] == Coordinate::Constant(K(space)) {
            tuple[j] = Coordinate::Constant(K::ZERO);
        }
    }
}

/// The program with every class, with a branch that skips something, and the number of its call from the advice; on these
/// operands, and with what the last jump adds to its target's address.
fn every_class_on([x6, x7]: [u64; 2], dropped: u64) -> Fixture {
    let branch = "skip: bne x9, x18, jal\n unimp\njal: ";
    let source = SOURCE
        .replace("li a7, 93", "call: ld a7, 24(x18)")
        .replace("\njal: ", &format!("\n{branch}"));
    assert!(source.contains("call: ") && source.contains("skip: "));
    Fixture::new(&source, |labels| [x6, x7, labels["end"] + dropped, 93].into())
}

/// Honest runs of one program: other signs, equal operands, a target with a low bit.
fn honest_runs() -> [Fixture; 3] {
    [
        every_class_on([0x8123_4567_89ab_cdef, 0x0000_0003_0000_0005], 0),
        every_class_on([0x7654_3210_fedc_ba98; 2], 1),
        every_class_on([0x0000_0001_8000_0001, 0xf0f0_f0f0_8f8f_8f8f], 1),
    ]
}

/// Runs that are none, each by one thing alone.
fn forged_runs(fixture: &Fixture) -> Vec<Witness> {
    let honest = fixture.honest();
    let mut all = Vec::new();
    let mut forge = |name, change: &dyn Fn(&mut Forger<'_>)| {
        let mut forger = honest.clone();
        change(&mut forger);
        all.push(Witness::new(name, &forger));
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

/// What nothing notices; of the coordinates of flushes and their terms one in `step` is tried.
fn survivors(step: usize) -> Vec<String> {
    let fixtures = honest_runs();
    let fixture = &fixtures[0];
    let mut machine = fixture.machine().clone();
    let mut mutations = Mutations::default();
    mutations.coordinates(&machine);
    mutations.0 = mutations.0.into_iter().step_by(step).collect();
    mutations.tables(&machine);
    mutations.lists(&machine);
    mutations.spaces();

    let honest = fixtures
        .iter()
        .map(|fixture| Witness::new("honest", &fixture.honest()));
    let honest: Vec<Witness> = honest.collect();
    let forged = forged_runs(fixture);
    for witness in honest.iter().chain(&forged) {
        let is_honest = witness.name == "honest";
        assert_eq!(witness.is_of(&machine), is_honest, "{}", witness.name);
    }
    let mut survivors = Vec::new();
    for Mutation { what, change } in mutations.0 {
        let whole = (
            machine.tables.clone(),
            machine.boundary.clone(),
            machine.producers.clone(),
            machine.fixed.clone(),
        );
        change(&mut machine);
        let noticed = machine.check().is_err()
            || !honest.iter().all(|witness| witness.is_of(&machine))
            || forged.iter().any(|witness| witness.is_of(&machine));
        if !noticed {
            survivors.push(what);
        }
        (machine.tables, machine.boundary, machine.producers, machine.fixed) = whole;
    }
    survivors
}

#[test]
fn no_element_of_the_machine_can_be_left_out() {
    // A coordinate that is zero on all rows of these runs is not missed in them, so some are tried and not all.
    assert_eq!(survivors(23), [""; 0]);
}
