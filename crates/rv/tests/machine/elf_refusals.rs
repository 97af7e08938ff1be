//! The loader: what it takes, and each thing that it refuses.

use proptest::prelude::*;
use rv::asm::assemble;
use rv::elf::{LoadError, load};
use rv::program::{ADVICE_BASE, ProgramError, RAM_BASE, TEXT_BASE};
use rv::{Limits, run};

use super::elf_writer::{EXECUTE, Elf, LOAD, READ, Segment, WRITE, note};
use super::{CASES, config};

/// A program that loads the first word of RAM and exits with it.
const SOURCE: &str = "
    main:   lui a1, 0x40000
            ld a0, 0(a1)
            li a7, 93
            ecall";

fn whole() -> Elf {
    Elf::whole(
        &assemble(SOURCE).unwrap().words,
        &[1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0, 9],
        100,
        5,
    )
}

fn refusal(change: impl FnOnce(&mut Elf)) -> LoadError {
    let mut elf = whole();
    change(&mut elf);
    load(&elf.bytes()).expect_err("the file is refused")
}

#[test]
fn a_whole_file_loads_and_runs() {
    let mut elf = whole();
    elf.symbols = vec![
        ("main", TEXT_BASE),
        ("_RNvCskwGfYPst2Cb_3foo16example_function", TEXT_BASE + 8),
    ];
    let program = load(&elf.bytes()).unwrap();
    assert_eq!((program.log_ram(), program.log_advice()), (7, 5));
    assert_eq!(program.image(), [(0, 0x0807_0605_0403_0201), (2, 9)]);
    assert_eq!(
        program.symbols().locate(TEXT_BASE + 12).unwrap().to_string(),
        "foo::example_function+0x4"
    );
    assert_eq!(
        run(&program, &[], Limits::default(), &mut ()).unwrap().output[0],
        0x0807_0605_0403_0201
    );
}

#[test]
fn stripping_loses_names_alone() {
    let mut named = whole();
    named.symbols = vec![("main", TEXT_BASE)];
    let (named, stripped) = (load(&named.bytes()).unwrap(), load(&whole().bytes()).unwrap());
    assert_eq!(named.digest(), stripped.digest());
    assert_eq!(stripped.symbols().locate(TEXT_BASE), None);
}

#[test]
fn several_data_segments_make_one_image() {
    let mut elf = whole();
    elf.segments[1].bytes.truncate(4);
    elf.segments[1].memory_size = 4;
    elf.segments.push(Segment {
        kind: LOAD,
        flags: READ,
        address: RAM_BASE + 4,
        bytes: vec![7; 2],
        memory_size: 60,
    });
    let program = load(&elf.bytes()).unwrap();
    assert_eq!(program.image(), [(0, 0x0707_0403_0201)]);
    assert_eq!(program.log_ram(), 3);
}

#[test]
fn another_kind_of_file_is_refused() {
    assert_eq!(load(b"").unwrap_err(), LoadError::NotElf);
    assert_eq!(load(b"#!/bin/sh").unwrap_err(), LoadError::NotElf);
    assert_eq!(load(b"\x7fELF\x02").unwrap_err(), LoadError::NotElf);
    assert_eq!(refusal(|elf| elf.class = 1), LoadError::Class);
    assert_eq!(refusal(|elf| elf.encoding = 2), LoadError::Class);
    assert_eq!(
        refusal(|elf| elf.machine = 62),
        LoadError::Machine { machine: 62 }
    );
    assert_eq!(refusal(|elf| elf.kind = 1), LoadError::Kind { kind: 1 });
}

#[test]
fn code_for_another_machine_is_refused() {
    assert_eq!(refusal(|elf| elf.flags = 1), LoadError::Compressed);
    assert_eq!(refusal(|elf| elf.flags = 4), LoadError::FloatAbi);
}

#[test]
fn dynamic_linking_is_refused() {
    assert_eq!(refusal(|elf| elf.kind = 3), LoadError::Dynamic);
    for kind in [2, 3] {
        let segment = Segment {
            kind,
            flags: READ,
            address: 0,
            bytes: vec![0; 16],
            memory_size: 16,
        };
        assert_eq!(refusal(|elf| elf.segments.push(segment)), LoadError::Dynamic);
    }
}

#[test]
fn no_entry_point_is_refused() {
    assert_eq!(refusal(|elf| elf.entry = 0), LoadError::NoEntry);
    for entry in [TEXT_BASE - 4, TEXT_BASE + 2, TEXT_BASE + 16, RAM_BASE] {
        let expected = ProgramError::EntryPoint {
            entry,
            end: TEXT_BASE + 16,
        };
        assert_eq!(refusal(|elf| elf.entry = entry), expected.into());
    }
}

#[test]
fn segments_outside_the_map_are_refused() {
    let (text, text_limit) = (TEXT_BASE, TEXT_BASE + (4 << 21));
    let (ram, ram_limit) = (RAM_BASE, RAM_BASE + (8 << 26));
    let outside = |segment: usize, address: u64| {
        refusal(|elf| {
            elf.segments[segment].address = address;
            elf.segments[segment].memory_size = elf.segments[segment].bytes.len() as u64;
        })
    };
    for address in [0, text - 4, text_limit - 12, ADVICE_BASE, ram] {
        let (executable, start, limit) = (true, text, text_limit);
        assert_eq!(
            outside(0, address),
            LoadError::Outside {
                address,
                end: address + 16,
                executable,
                start,
                limit
            }
        );
    }
    for address in [0, text, ADVICE_BASE, ram - 1, ram_limit - 16] {
        let (executable, start, limit) = (false, ram, ram_limit);
        assert_eq!(
            outside(1, address),
            LoadError::Outside {
                address,
                end: address + 17,
                executable,
                start,
                limit
            }
        );
    }
    assert!(
        matches!(outside(1, u64::MAX - 3), LoadError::Malformed { .. }),
        "the segment wraps around"
    );
}

#[test]
fn overlapping_segments_are_refused() {
    let segment = Segment {
        kind: LOAD,
        flags: READ | WRITE,
        address: RAM_BASE + 799,
        bytes: vec![],
        memory_size: 8,
    };
    let expected = LoadError::Overlap {
        first: RAM_BASE,
        second: RAM_BASE + 799,
    };
    assert_eq!(refusal(|elf| elf.segments.push(segment)), expected);
}

#[test]
fn text_that_cannot_be_text_is_refused() {
    assert_eq!(
        refusal(|elf| elf.segments[0].flags = READ | WRITE | EXECUTE),
        LoadError::WritableText { address: TEXT_BASE }
    );
    let odd = |elf: &mut Elf| {
        elf.segments[0].bytes.pop();
        elf.segments[0].memory_size -= 1;
    };
    assert_eq!(
        refusal(odd),
        LoadError::TextAlignment {
            address: TEXT_BASE,
            end: TEXT_BASE + 15
        }
    );
    let remove = |elf: &mut Elf| drop(elf.segments.remove(0));
    assert_eq!(refusal(remove), LoadError::NoText);
}

#[test]
fn sizes_over_the_limits_are_refused() {
    let max = (1 << 21) - 19;
    assert_eq!(
        refusal(|elf| elf.segments[0].memory_size = 4 * (max + 1)),
        ProgramError::TextSize {
            words: max as usize + 1,
            max: max as usize
        }
        .into()
    );
    let advice = refusal(|elf| elf.segments[2] = note(b"leanVM", 1, &[1, 27]));
    assert_eq!(
        advice,
        ProgramError::RegionSize {
            region: "advice",
            log_words: 27,
            min: 0,
            max: 26
        }
        .into()
    );
    assert!(matches!(
        refusal(|elf| elf.segments[1].memory_size = (8 << 26) + 1),
        LoadError::Outside { .. }
    ));
}

#[test]
fn the_note_is_required_once() {
    assert_eq!(refusal(|elf| drop(elf.segments.pop())), LoadError::NoNote);
    assert_eq!(
        refusal(|elf| elf.segments[2] = note(b"GNU", 1, &[1, 5])),
        LoadError::NoNote
    );
    assert_eq!(
        refusal(|elf| elf.segments[2] = note(b"leanVM", 2, &[1, 5])),
        LoadError::NoNote
    );
    assert_eq!(
        refusal(|elf| elf.segments.push(note(b"leanVM", 1, &[1, 5]))),
        LoadError::SeveralNotes
    );
    assert_eq!(
        refusal(|elf| elf.segments[2] = note(b"leanVM", 1, &[2, 5])),
        LoadError::NoteVersion { version: 2 }
    );
    assert!(matches!(
        refusal(|elf| elf.segments[2] = note(b"leanVM", 1, &[1])),
        LoadError::Malformed { .. }
    ));
}

#[test]
fn every_truncation_is_refused() {
    let mut elf = whole();
    elf.symbols = vec![("main", TEXT_BASE)];
    let bytes = elf.bytes();
    // The last section header's fields behind its sizes are not read.
    for length in 0..bytes.len() {
        assert!(
            load(&bytes[..length]).is_err(),
            "{length} of {} bytes",
            bytes.len()
        );
    }
}

#[test]
fn segments_cannot_share_the_files_bytes() {
    let mut elf = whole();
    elf.segments.push(Segment {
        address: RAM_BASE + 4096,
        ..elf.segments[1].clone()
    });
    let mut file = elf.bytes();
    // The last program header's offset and size become the whole file's.
    let header = 64 + 3 * 56;
    file[header + 8..header + 16].copy_from_slice(&0u64.to_le_bytes());
    let length = (file.len() as u64).to_le_bytes();
    file[header + 32..header + 40].copy_from_slice(&length);
    file[header + 40..header + 48].copy_from_slice(&length);
    assert!(matches!(load(&file), Err(LoadError::Malformed { what }) if what.contains("share")));
}

proptest! {
    #![proptest_config(config(4 * CASES))]

    #[test]
    fn no_bytes_make_the_loader_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut elf = whole();
        elf.symbols = vec![("main", TEXT_BASE)];
        let mut bytes = elf.bytes();
        for (index, byte) in changes {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(program) = load(&bytes) {
            program.table().check().unwrap();
            // A mutated size may ask for much memory, which is no panic but slow.
            if program.log_ram() < 16 && program.log_advice() < 16 {
                let _ = run(&program, &[], Limits { cycles: 100 }, &mut ());
            }
        }
    }

    #[test]
    fn random_bytes_after_the_magic_are_refused(tail in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut bytes = b"\x7fELF\x02\x01\x01".to_vec();
        bytes.extend(tail);
        prop_assert!(load(&bytes).is_err());
    }
}
