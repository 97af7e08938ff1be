//! The public table: how instructions fold into it, the slots behind them, the rules, and the digest.

use rv::Class;
use rv::entry::{Entry, Fault, SINK};
use rv::isa::{DEFINITIONS, Op};
use rv::program::{Parts, Program, ProgramError, RAM_BASE, TEXT_BASE, slot_pc};
use rv::public::Public;
use rv::table::{Table, TableError};

use super::random_program::{Random, wild};
use super::{CASES, program};

/// The entry of one line at the start of the text.
fn entry(line: &str) -> Entry {
    program(line).table().entries()[0]
}

/// An entry of `class` at the start of the text with everything else zero, but its registers.
fn plain(class: Class, [a1, a2, ad]: [u8; 3]) -> Entry {
    Entry {
        class: Some(class),
        a1,
        a2,
        ad,
        next: TEXT_BASE + 4,
        ..Entry::default()
    }
}

#[test]
fn each_class_has_its_tag() {
    for (class, tag) in Class::ALL.into_iter().zip(1..) {
        assert_eq!((class.tag(), class.index()), (tag, usize::from(tag) - 1));
        assert!(DEFINITIONS.iter().any(|d| d.class == class), "{class}");
    }
}

#[test]
fn instructions_fold_as_the_page_says() {
    let addi = |a1, ad, imm| Entry {
        imm,
        ..plain(Class::Addi, [a1, 0, ad])
    };
    assert_eq!(entry("addi a0, a1, -3"), addi(11, 10, 3u64.wrapping_neg()));
    assert_eq!(entry("lui a0, 0x80000"), addi(0, 10, 0xffff_ffff_8000_0000));
    assert_eq!(entry("auipc a0, 0x40"), addi(0, 10, TEXT_BASE + 0x4_0000));
    assert_eq!(
        entry("auipc a0, 0x80000"),
        addi(0, 10, TEXT_BASE.wrapping_sub(1 << 31))
    );
    assert_eq!(entry("nop"), addi(0, SINK, 0));
    assert_eq!(entry("fence"), addi(0, SINK, 0));
    assert_eq!(entry("slli a0, a1, 0"), addi(11, 10, 0));
    assert_eq!(entry("srli a0, a1, 0"), addi(11, 10, 0));
    assert_eq!(entry("srai a0, a1, 0"), addi(11, 10, 0));
    for line in [
        "slliw a0, a1, 0",
        "srliw a0, a1, 0",
        "sraiw a0, a1, 0",
        "addiw a0, a1, 0",
        "addw a0, a1, zero",
    ] {
        assert_eq!(entry(line), plain(Class::Word, [11, 0, 10]), "{line}");
    }
    let jump = |a1, ad, imm| Entry {
        imm,
        ..plain(Class::Jump, [a1, 0, ad])
    };
    assert_eq!(entry("jal ra, 0x10000040"), jump(0, 1, TEXT_BASE + 0x40));
    assert_eq!(entry("jalr zero, 16(ra)"), jump(1, SINK, 16));
    let halt = program("ecall").table().halt();
    assert_eq!(
        entry("ecall"),
        Entry {
            exit: true,
            ..jump(0, SINK, halt)
        }
    );
}

#[test]
fn constants_and_selectors_stand_where_the_page_says() {
    let constants = |line| entry(line).constants;
    assert_eq!(entry("add a0, a1, a2"), plain(Class::Add, [11, 12, 10]));
    assert_eq!(constants("sub a0, a1, a2"), [u64::MAX, 0, 0]);
    assert_eq!(constants("subw a0, a1, a2"), [u64::MAX, 0, 0]);
    assert_eq!(
        [
            constants("xor a0, a1, a2"),
            constants("or a0, a1, a2"),
            constants("and a0, a1, a2")
        ],
        [[1, 0, 0], [1, 1, 0], [0, 1, 0]]
    );
    let logic = Entry {
        imm: u64::MAX,
        constants: [0, 1, 0],
        ..plain(Class::Logic, [11, 0, 10])
    };
    assert_eq!(entry("andi a0, a1, -1"), logic);
    let less = Entry {
        imm: 5,
        constants: [1, 0, 0],
        ..plain(Class::Lt, [11, 0, 10])
    };
    assert_eq!(entry("slti a0, a1, 5"), less);
    let delta = (TEXT_BASE + 4) ^ (TEXT_BASE - 64);
    let branch = Entry {
        delta,
        constants: [0, 1, 0],
        ..plain(Class::Lt, [11, 12, SINK])
    };
    assert_eq!(entry("bgeu a1, a2, 0x0fffffc0"), branch);
    let equal = Entry {
        delta,
        constants: [1, 0, 0],
        ..plain(Class::Eq, [11, 12, 0])
    };
    assert_eq!(entry("bne a1, a2, 0x0fffffc0"), equal);
    assert_eq!(
        entry("lb a0, -1(a1)"),
        Entry {
            imm: 0xfff | 1 << 14,
            ..plain(Class::Load, [11, 0, 10])
        }
    );
    assert_eq!(
        entry("lwu a0, 4(a1)"),
        Entry {
            imm: 4 | 3 << 12,
            ..plain(Class::Load, [11, 0, 10])
        }
    );
    assert_eq!(
        entry("sh a2, -2(a1)"),
        Entry {
            imm: 0xffe | 1 << 12,
            ..plain(Class::Store, [11, 12, 0])
        }
    );
    assert_eq!(
        entry("sd a2, -8(a1)"),
        Entry {
            imm: 8u64.wrapping_neg(),
            ..plain(Class::Sd, [11, 12, 0])
        }
    );
    assert_eq!(
        entry("sraiw a0, a1, 5"),
        Entry {
            imm: 5 | 7 << 6,
            ..plain(Class::Shift, [11, 0, 10])
        }
    );
    assert_eq!(
        entry("remw a0, a1, a2"),
        Entry {
            imm: 7,
            ..plain(Class::Div, [11, 12, 10])
        }
    );
    assert_eq!(
        entry("blake2s.final a1, a2"),
        Entry {
            imm: 0xffff_ffff,
            ..plain(Class::Hash, [11, 12, 0])
        }
    );
    assert_eq!(
        entry("extmack a0, a1, a2"),
        Entry {
            imm: 3,
            ..plain(Class::Ext, [11, 12, 10])
        }
    );
}

#[test]
fn an_undefined_word_has_tag_0() {
    assert_eq!(entry("unimp\nnop"), Entry::default());
    assert_eq!(entry("unimp\nnop").tuple(7, TEXT_BASE)[..3], [7, TEXT_BASE, 0]);
}

#[test]
fn fillers_follow_the_program_in_class_order_and_the_halt_slot_is_last() {
    let program = program("nop\nnop\nli a7, 93\necall");
    let table = program.table();
    assert_eq!(
        (table.entries().len(), table.log_entries(), table.program_slots()),
        (32, 5, 4)
    );
    assert_eq!(table.halt(), TEXT_BASE + 31 * 4);
    for class in Class::ALL {
        let slot = 4 + class.index();
        assert_eq!(table.filler_slot(class), slot);
        let filler = table.entries()[slot];
        let pc = slot_pc(slot);
        assert_eq!(filler.class, Some(class));
        assert_eq!(
            (filler.next, filler.delta, filler.exit, filler.a1, filler.a2),
            (pc, 0, false, 0, 0)
        );
        assert_eq!(filler.ad, if class.registers().ad { SINK } else { 0 });
        assert_eq!(filler.imm == pc, class == Class::Jump);
    }
    assert!(
        table.entries()[22..]
            .iter()
            .all(|entry| *entry == Entry::default())
    );
    assert_eq!(table.check(), Ok(()));
}

#[test]
fn the_decoded_table_of_every_program_is_well_formed() {
    let mut random = Random::new(3);
    for _ in 0..CASES {
        let (program, _) = wild(&mut random, 300);
        assert_eq!(program.table().check(), Ok(()));
    }
}

#[test]
fn each_rule_of_an_entry_is_checked() {
    let refused = |line: &str, change: &dyn Fn(&mut Entry)| {
        let program = program(line);
        let slots = program.table().program_slots();
        let mut entries = program.table().entries().to_vec();
        change(&mut entries[0]);
        match Table::new(entries, slots) {
            Err(TableError::Entry { pc: TEXT_BASE, fault }) => fault,
            other => panic!("{line}: {other:?}"),
        }
    };
    assert_eq!(refused("unimp", &|e| e.imm = 1), Fault::SlotNotEmpty);
    assert_eq!(refused("unimp", &|e| e.exit = true), Fault::SlotNotEmpty);
    assert_eq!(refused("nop", &|e| e.next = TEXT_BASE), Fault::Successor);
    assert_eq!(refused("nop", &|e| e.next += 4), Fault::Successor);
    assert_eq!(refused("nop", &|e| e.a1 = 32), Fault::Register);
    assert_eq!(refused("add a0, a1, a2", &|e| e.a2 = 32), Fault::Register);
    assert_eq!(refused("nop", &|e| e.a2 = 1), Fault::AbsentField);
    assert_eq!(refused("nop", &|e| e.ad = 0), Fault::Cell);
    assert_eq!(refused("nop", &|e| e.ad = 33), Fault::Cell);
    assert_eq!(refused("sd a0, 0(a1)", &|e| e.ad = SINK), Fault::Cell);
    assert_eq!(refused("extmul a0, a1, a2", &|e| e.ad = SINK), Fault::Cell);
    assert_eq!(refused("nop", &|e| e.delta = 4), Fault::AbsentField);
    assert_eq!(refused("slt a0, a1, a2", &|e| e.delta = 4), Fault::BranchWrites);
    assert_eq!(refused("ecall", &|e| e.a1 = 1), Fault::Exit);
    assert_eq!(refused("ecall", &|e| e.imm -= 4), Fault::Exit);
    assert_eq!(refused("ecall", &|e| e.ad = 1), Fault::Exit);
    assert_eq!(refused("nop", &|e| e.exit = true), Fault::Exit);
    assert_eq!(refused("add a0, a1, a2", &|e| e.imm = 1), Fault::AbsentField);
    assert_eq!(refused("nop", &|e| e.constants[0] = 1), Fault::AbsentField);
    for line in ["add a0, a1, a2", "addw a0, a1, a2"] {
        for mask in [1, u64::MAX - 1, 1 << 63] {
            assert_eq!(refused(line, &|e| e.constants[0] = mask), Fault::Mask);
        }
        assert_eq!(refused(line, &|e| e.constants[1] = 1), Fault::AbsentField);
    }
    for line in [
        "andi a0, a1, 1",
        "slti a0, a1, 1",
        "addiw a0, a1, 1",
        "ld a0, 0(a1)",
        "sd a0, 0(a1)",
    ] {
        for imm in [2048, 2049u64.wrapping_neg(), 1 << 63] {
            assert_eq!(refused(line, &|e| e.imm = imm), Fault::Immediate, "{line}");
        }
    }
    for selector in [0, 1] {
        assert_eq!(
            refused("and a0, a1, a2", &|e| e.constants[selector] = 2),
            Fault::Selector
        );
        assert_eq!(
            refused("blt a0, a1, 0x10000000", &|e| e.constants[selector] = 2),
            Fault::Selector
        );
    }
    assert_eq!(
        refused("beq a0, a1, 0x10000000", &|e| e.constants[0] = 2),
        Fault::Selector
    );
    assert_eq!(
        refused("beq a0, a1, 0x10000000", &|e| e.imm = 1),
        Fault::AbsentField
    );
    for line in ["slli a0, a1, 7", "srli a0, a1, 7"] {
        for mask in [0, u64::MAX, 5, 0x7e] {
            assert_eq!(refused(line, &|e| e.imm = mask), Fault::Mask);
        }
        assert_eq!(refused(line, &|e| e.imm = e.imm << 1 | 1), Fault::ShiftConstants);
        assert_eq!(refused(line, &|e| e.constants[0] ^= 1), Fault::ShiftConstants);
        assert_eq!(refused(line, &|e| e.constants[1] ^= 1), Fault::ShiftConstants);
        assert_eq!(refused(line, &|e| e.constants[2] = 2), Fault::Selector);
    }
    assert_eq!(refused("sll a0, a1, a2", &|e| e.imm = 1 << 9), Fault::Flags);
    assert_eq!(refused("sll a0, a1, a2", &|e| e.imm = 1 << 7), Fault::Flags);
    assert_eq!(refused("slliw a0, a1, 1", &|e| e.imm |= 32), Fault::Immediate);
    assert_eq!(refused("lbu a0, 0(a1)", &|e| e.imm = 1 << 13), Fault::Flags);
    assert_eq!(refused("lbu a0, 0(a1)", &|e| e.imm = 1 << 15), Fault::Flags);
    assert_eq!(refused("sb a0, 0(a1)", &|e| e.imm = 1 << 14), Fault::Flags);
    for (line, flags) in [
        ("mul a0, a1, a2", 2),
        ("mulhu a0, a1, a2", 4),
        ("mulhu a0, a1, a2", 2),
        ("div a0, a1, a2", 8),
        ("blake2s a0, a1", 2),
        ("blake2s.final a0, a1", 0x1_ffff_ffff),
        ("extmul a0, a1, a2", 4),
    ] {
        assert_eq!(refused(line, &|e| e.imm = flags), Fault::Flags);
        assert_eq!(refused(line, &|e| e.constants[2] = 1), Fault::AbsentField);
    }
}

#[test]
fn the_slots_behind_the_program_are_checked() {
    let program = program("nop");
    let honest = program.table().entries();
    let fault = |change: &dyn Fn(&mut Vec<Entry>)| {
        let mut entries = honest.to_vec();
        change(&mut entries);
        Table::new(entries, 1).unwrap_err()
    };
    for (class, slot) in Class::ALL.into_iter().zip(1..) {
        let expected = TableError::Entry {
            pc: slot_pc(slot),
            fault: Fault::Filler,
        };
        assert_eq!(fault(&|entries| entries[slot].next += 4), expected, "{class}");
        assert_eq!(
            fault(&|entries| entries[slot] = Entry::default()),
            expected,
            "{class}"
        );
        assert_eq!(fault(&|entries| entries[slot].exit = true), expected, "{class}");
        assert_eq!(fault(&|entries| entries[slot].imm ^= 4), expected, "{class}");
    }
    for slot in [19, 31] {
        let expected = TableError::Entry {
            pc: slot_pc(slot),
            fault: Fault::SlotNotEmpty,
        };
        assert_eq!(fault(&|entries| entries[slot] = honest[0]), expected);
    }
    let size = |entries, program_slots| TableError::Size {
        entries,
        program_slots,
    };
    assert_eq!(fault(&|entries| entries.truncate(31)), size(31, 1));
    assert_eq!(fault(&|entries| entries.truncate(16)), size(16, 1));
    assert_eq!(
        Table::new(honest.to_vec(), usize::MAX).unwrap_err(),
        size(32, usize::MAX)
    );
    assert_eq!(Table::new(Vec::new(), 0).unwrap_err(), size(0, 0));
}

/// A program's parts.
fn parts() -> Parts {
    Parts {
        text: program("nop\nli a7, 93\necall").text().to_vec(),
        entry: TEXT_BASE,
        log_ram: 10,
        log_advice: 3,
        image: vec![(3, 5), (4, 1)],
        ..Parts::default()
    }
}

#[test]
fn the_digest_binds_every_part() {
    let honest = Program::new(parts()).unwrap();
    let changes: [&dyn Fn(&mut Parts); 9] = [
        &|p| p.text[0] = 0x0010_0013,
        &|p| p.text[0] = 0,
        &|p| p.text.push(0),
        &|p| p.entry += 4,
        &|p| p.log_ram += 1,
        &|p| p.log_advice += 1,
        &|p| p.image[0].0 = 2,
        &|p| p.image[0].1 = 6,
        &|p| p.image.truncate(1),
    ];
    for (i, change) in changes.iter().enumerate() {
        let mut changed = parts();
        change(&mut changed);
        assert_ne!(
            Program::new(changed).unwrap().digest(),
            honest.digest(),
            "change {i}"
        );
    }
    // What decodes alike is alike: `fence` and `nop`.
    let mut same = parts();
    same.text[0] = 0x0ff0_000f;
    assert_eq!(Program::new(same).unwrap().digest(), honest.digest());
}

#[test]
fn the_digest_is_the_hash_of_its_parts() {
    let program = Program::new(parts()).unwrap();
    let mut bytes = Vec::new();
    let mut part = |part: &[u8]| {
        bytes.extend((part.len() as u64).to_le_bytes());
        bytes.extend(part);
    };
    let words = |words: &[u64]| {
        words
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect::<Vec<_>>()
    };
    part(b"leanVM program 1");
    part(&words(&[TEXT_BASE, TEXT_BASE + 31 * 4, 3, 5, 10, 3]));
    let registers = |class: Class, a1: u64, a2: u64, ad: u64, exit: u64| {
        u64::from(class.tag()) | a1 << 8 | a2 << 16 | ad << 24 | exit << 32
    };
    let next = TEXT_BASE + 4;
    part(&words(
        &[
            [registers(Class::Addi, 0, 0, 32, 0), 0, next, 0, 0, 0, 0],
            [registers(Class::Addi, 0, 0, 17, 0), 93, next + 4, 0, 0, 0, 0],
            [
                registers(Class::Jump, 0, 0, 32, 1),
                TEXT_BASE + 31 * 4,
                next + 8,
                0,
                0,
                0,
                0,
            ],
        ]
        .concat(),
    ));
    part(&words(&[3, 5, 4, 1]));
    assert_eq!(*program.digest(), primitives::blake2s::hash(&bytes));
}

#[test]
fn parts_that_are_not_canonical_are_refused() {
    let refused = |change: &dyn Fn(&mut Parts)| {
        let mut parts = parts();
        change(&mut parts);
        Program::new(parts).unwrap_err()
    };
    assert_eq!(refused(&|p| p.text.clear()), ProgramError::EmptyText);
    let end = TEXT_BASE + 12;
    for entry in [end, TEXT_BASE + 1, 0, RAM_BASE] {
        assert_eq!(
            refused(&|p| p.entry = entry),
            ProgramError::EntryPoint { entry, end }
        );
    }
    let size = |region, log_words, min| ProgramError::RegionSize {
        region,
        log_words,
        min,
        max: 26,
    };
    assert_eq!(refused(&|p| p.log_ram = 1), size("RAM", 1, 2));
    assert_eq!(refused(&|p| p.log_ram = 27), size("RAM", 27, 2));
    assert_eq!(refused(&|p| p.log_advice = 27), size("advice", 27, 0));
    let image = |index| ProgramError::Image { index, log_ram: 10 };
    assert_eq!(refused(&|p| p.image = vec![(1, 0)]), image(1));
    assert_eq!(refused(&|p| p.image = vec![(5, 1), (5, 2)]), image(5));
    assert_eq!(refused(&|p| p.image = vec![(5, 1), (4, 2)]), image(4));
    assert_eq!(refused(&|p| p.image = vec![(1024, 1)]), image(1024));
}

#[test]
fn every_instruction_is_in_the_page() {
    let page = include_str!("../../../../doc/machine.md");
    for definition in DEFINITIONS {
        let name = match definition.op {
            Op::Blake2sFinal => "blake2s.final",
            _ => definition.mnemonic,
        };
        assert!(
            page.split(|c: char| !c.is_alphanumeric() && c != '.')
                .any(|word| word == name),
            "{name}"
        );
    }
}

#[test]
fn a_public_program_is_its_bytes() {
    let program = Program::new(parts()).unwrap();
    let bytes = program.public().to_bytes();
    assert_eq!(primitives::blake2s::hash(&bytes), *program.digest());
    assert_eq!(Public::from_bytes(&bytes).as_ref(), Ok(program.public()));
    let mut random = Random::new(6);
    for _ in 0..CASES / 4 {
        let (program, _) = wild(&mut random, 300);
        assert_eq!(
            Public::from_bytes(&program.public().to_bytes()).as_ref(),
            Ok(program.public())
        );
    }
}

#[test]
fn no_other_bytes_are_a_public_program() {
    let bytes = Program::new(parts()).unwrap().public().to_bytes();
    for length in 0..bytes.len() {
        assert!(Public::from_bytes(&bytes[..length]).is_err(), "{length}");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert_eq!(
        Public::from_bytes(&longer),
        Err(ProgramError::Encoding { what: "length" })
    );
    // A changed bit is refused, or it is another program, whose bytes are these.
    for bit in 0..8 * bytes.len() {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        if let Ok(public) = Public::from_bytes(&changed) {
            assert_eq!(public.to_bytes(), changed, "bit {bit}");
        }
    }
}

#[test]
fn each_part_of_a_public_program_is_checked() {
    let bytes = Program::new(parts()).unwrap().public().to_bytes();
    let refused = |at: usize, word: u64| {
        let mut changed = bytes.clone();
        changed[at..at + 8].copy_from_slice(&word.to_le_bytes());
        Public::from_bytes(&changed).unwrap_err()
    };
    let encoding = |what| ProgramError::Encoding { what };
    let (sizes, table, image) = (8 + 16 + 8, 8 + 16 + 8 + 48 + 8, 8 + 16 + 8 + 48 + 8 + 3 * 56 + 8);
    assert_eq!(refused(8, 0), encoding("version"));
    assert_eq!(refused(0, u64::MAX), encoding("version"));
    assert_eq!(
        refused(sizes, 0),
        ProgramError::EntryPoint {
            entry: 0,
            end: TEXT_BASE + 12
        }
    );
    for (word, value) in [(1, TEXT_BASE), (2, 4), (3, 6), (4, 1 << 32), (5, 1 << 32)] {
        assert_eq!(refused(sizes + 8 * word, value), encoding("sizes"), "{word}");
    }
    assert_eq!(
        refused(sizes + 32, 27),
        ProgramError::RegionSize {
            region: "RAM",
            log_words: 27,
            min: 2,
            max: 26
        }
    );
    // Tag 19, exit 2, and a byte that is always zero.
    for registers in [19, 2 << 32 | 2, 1 << 40 | 2] {
        assert_eq!(refused(table, registers), encoding("entry"));
    }
    assert_eq!(
        refused(table + 16, TEXT_BASE),
        TableError::Entry {
            pc: TEXT_BASE,
            fault: Fault::Successor
        }
        .into()
    );
    assert_eq!(refused(image, 1 << 32), encoding("image"));
    assert_eq!(
        refused(image, 4),
        ProgramError::Image {
            index: 4,
            log_ram: 10
        }
    );
}
