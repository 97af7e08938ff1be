//! ELF executables to programs.
//!
//! The map of `doc/machine.md`: executable segments stand in the text region and become instructions, all
//! others stand in RAM and become the image; RAM is what the segments span from its base, rounded up to a
//! power of two. One note, owner `leanVM`, type 1, holds two little-endian words of 32 bits: the version 1 and
//! log2 of the words of advice.

use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use object::LittleEndian;
use object::elf::{
    self, EF_RISCV_FLOAT_ABI, EF_RISCV_RVC, EM_RISCV, ET_DYN, ET_EXEC, FileHeader64, PF_W, PF_X,
    ProgramHeader64, STT_FUNC, STT_NOTYPE, STT_OBJECT,
};
use object::read::elf::{FileHeader, ProgramHeader, Sym};
use thiserror::Error;

use crate::program::{
    ADVICE_BASE, MAX_LOG_ENTRIES, MAX_LOG_WORDS, MIN_LOG_RAM, Parts, Program, ProgramError, RAM_BASE,
    TEXT_BASE,
};
use crate::symbols::{Symbol, Symbols};

/// The note's owner.
pub const NOTE_OWNER: &[u8] = b"leanVM";
/// The note's type.
pub const NOTE_TYPE: u32 = 1;
/// The version of the note that this loader reads.
pub const NOTE_VERSION: u32 = 1;

const ENDIAN: LittleEndian = LittleEndian;

/// Why a file makes no program.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file does not begin as ELF does, or is too short for a header.
    #[error("this is no ELF file")]
    NotElf,
    /// A 32-bit or big-endian file.
    #[error("the ELF file is not 64-bit little-endian: compile for riscv64im")]
    Class,
    /// Another instruction set.
    #[error("the ELF file is for machine {machine}, and RISC-V is {}: compile for riscv64im", EM_RISCV.0)]
    Machine {
        /// The file's machine number.
        machine: u16,
    },
    /// The code may have compressed instructions.
    #[error("the code has compressed instructions: compile for riscv64im, without the extension c")]
    Compressed,
    /// The code passes floating-point values in registers.
    #[error("the code is for a machine with floating-point registers: compile with the ABI lp64")]
    FloatAbi,
    /// A shared object, a position-independent executable, or one that wants a dynamic linker.
    #[error("the ELF file is linked dynamically: link statically, at fixed addresses")]
    Dynamic,
    /// An object file, a core dump, or of unknown kind.
    #[error("the ELF file is of type {kind}, and an executable is {}", ET_EXEC.0)]
    Kind {
        /// The file's type.
        kind: u16,
    },
    /// There is no entry point.
    #[error("the ELF file names no entry point")]
    NoEntry,
    /// A structure reaches over the file's end, or contradicts itself.
    #[error("the ELF file is truncated or corrupted: {what}")]
    Malformed {
        /// The structure.
        what: &'static str,
    },
    /// A segment lies outside the region that it belongs to.
    #[error(
        "the segment {address:#x}..{end:#x} is outside {start:#x}..{limit:#x}, where {} segments belong",
        if *executable { "executable" } else { "data" }
    )]
    Outside {
        /// The segment's first address.
        address: u64,
        /// The address behind it.
        end: u64,
        /// Whether it is executable.
        executable: bool,
        /// The region's base.
        start: u64,
        /// The end of the largest region.
        limit: u64,
    },
    /// A segment is executable and writable.
    #[error("the segment at {address:#x} is executable and writable: text is for fetches only")]
    WritableText {
        /// The segment's first address.
        address: u64,
    },
    /// Two segments share addresses.
    #[error("the segments at {first:#x} and {second:#x} overlap")]
    Overlap {
        /// The lower segment's first address.
        first: u64,
        /// The other's.
        second: u64,
    },
    /// An executable segment is no sequence of whole instructions.
    #[error("the text segment {address:#x}..{end:#x} does not begin and end at multiples of 4")]
    TextAlignment {
        /// The segment's first address.
        address: u64,
        /// The address behind it.
        end: u64,
    },
    /// No segment is executable.
    #[error("the ELF file has no executable segment")]
    NoText,
    /// The note that sizes the advice is missing.
    #[error("the ELF file has no note of owner `leanVM`: link the guest with the leanVM SDK")]
    NoNote,
    /// There are several notes.
    #[error("the ELF file has several notes of owner `leanVM`: size the advice once")]
    SeveralNotes,
    /// The note is of a version that this loader does not read.
    #[error(
        "the note of owner `leanVM` has version {version}, and this is leanVM for version {NOTE_VERSION}"
    )]
    NoteVersion {
        /// The note's version.
        version: u32,
    },
    /// The parts make no program: a size is out of range, or the entry point is outside the text.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

/// A malformed structure, by name.
const fn malformed(what: &'static str) -> LoadError {
    LoadError::Malformed { what }
}

type Header = FileHeader64<LittleEndian>;
type Segment = ProgramHeader64<LittleEndian>;

/// The program in the bytes of an ELF file.
///
/// # Errors
/// [`LoadError`]; never a panic, whatever the bytes are. What is allocated is bounded by the file's length and
/// by the text region.
pub fn load(bytes: &[u8]) -> Result<Program, LoadError> {
    let header = header(bytes)?;
    let segments = header
        .program_headers(ENDIAN, bytes)
        .map_err(|_| malformed("program headers"))?;
    if segments
        .iter()
        .any(|s| matches!(s.p_type(ENDIAN), elf::PT_INTERP | elf::PT_DYNAMIC))
    {
        return Err(LoadError::Dynamic);
    }
    let spans = spans(segments, bytes)?;
    if !spans.iter().any(|span| span.executable) {
        return Err(LoadError::NoText);
    }
    let log_advice = log_advice(segments, bytes)?;
    let entry = header.e_entry(ENDIAN);
    if entry == 0 {
        return Err(LoadError::NoEntry);
    }
    let parts = Parts {
        text: text(&spans),
        entry,
        log_ram: log_ram(&spans),
        log_advice,
        image: image(&spans),
        symbols: symbols(header, bytes)?,
    };
    Ok(Program::new(parts)?)
}

/// The file's header, if the file is of the kind that this machine runs.
fn header(bytes: &[u8]) -> Result<&Header, LoadError> {
    if !bytes.starts_with(&elf::ELFMAG) {
        return Err(LoadError::NotElf);
    }
    let Some(&[class, encoding]) = bytes.get(4..6) else {
        return Err(LoadError::NotElf);
    };
    if (class, encoding) != (elf::ELFCLASS64.0, elf::ELFDATA2LSB.0) {
        return Err(LoadError::Class);
    }
    let header = Header::parse(bytes).map_err(|_| malformed("file header"))?;
    let machine = header.e_machine(ENDIAN);
    if machine != EM_RISCV {
        return Err(LoadError::Machine { machine: machine.0 });
    }
    match header.e_type(ENDIAN) {
        ET_EXEC => {}
        ET_DYN => return Err(LoadError::Dynamic),
        kind => return Err(LoadError::Kind { kind: kind.0 }),
    }
    let flags = header.e_flags(ENDIAN);
    if flags.0 & EF_RISCV_RVC.0 != 0 {
        return Err(LoadError::Compressed);
    }
    if flags.0 & EF_RISCV_FLOAT_ABI != 0 {
        return Err(LoadError::FloatAbi);
    }
    Ok(header)
}

/// A loaded segment: its bytes, and zeros after them.
struct Span<'a> {
    address: u64,
    end: u64,
    executable: bool,
    bytes: &'a [u8],
}

/// The loaded segments by ascending address, each inside its region, none overlapping another.
fn spans<'a>(segments: &[Segment], file: &'a [u8]) -> Result<Vec<Span<'a>>, LoadError> {
    let mut spans = Vec::new();
    for segment in segments {
        if segment.p_type(ENDIAN) != elf::PT_LOAD || segment.p_memsz(ENDIAN) == 0 {
            continue;
        }
        spans.push(span(segment, file)?);
    }
    // Linkers give each segment bytes of its own; without this a small file could ask for much memory.
    if spans.iter().map(|span| span.bytes.len()).sum::<usize>() > file.len() {
        return Err(malformed("segments that share bytes of the file"));
    }
    spans.sort_by_key(|span| span.address);
    for pair in spans.windows(2) {
        if let [first, second] = pair
            && first.end > second.address
        {
            return Err(LoadError::Overlap {
                first: first.address,
                second: second.address,
            });
        }
    }
    Ok(spans)
}

/// One loaded segment.
fn span<'a>(segment: &Segment, file: &'a [u8]) -> Result<Span<'a>, LoadError> {
    let bytes = segment
        .data(ENDIAN, file)
        .map_err(|()| malformed("a segment's bytes"))?;
    let (address, size) = (segment.p_vaddr(ENDIAN), segment.p_memsz(ENDIAN));
    if bytes.len() as u64 > size {
        return Err(malformed("a segment with more bytes in the file than in memory"));
    }
    let end = address
        .checked_add(size)
        .ok_or(malformed("a segment that wraps around"))?;
    let flags = segment.p_flags(ENDIAN).0;
    let executable = flags & PF_X.0 != 0;
    if executable && flags & PF_W.0 != 0 {
        return Err(LoadError::WritableText { address });
    }
    let (start, limit) = if executable {
        (TEXT_BASE, TEXT_BASE + (4 << MAX_LOG_ENTRIES))
    } else {
        (RAM_BASE, RAM_BASE + (8 << MAX_LOG_WORDS))
    };
    if address < start || end > limit {
        return Err(LoadError::Outside {
            address,
            end,
            executable,
            start,
            limit,
        });
    }
    if executable && (!address.is_multiple_of(4) || !end.is_multiple_of(4)) {
        return Err(LoadError::TextAlignment { address, end });
    }
    Ok(Span {
        address,
        end,
        executable,
        bytes,
    })
}

/// The instruction words from [`TEXT_BASE`] to the end of the last executable segment; what no segment fills is
/// zero, which is no instruction.
fn text(spans: &[Span<'_>]) -> Vec<u32> {
    let executable = || spans.iter().filter(|span| span.executable);
    let end = executable().map(|span| span.end).max().unwrap_or(TEXT_BASE);
    let mut text = vec![0u32; ((end - TEXT_BASE) / 4) as usize];
    for span in executable() {
        let start = ((span.address - TEXT_BASE) / 4) as usize;
        for (word, bytes) in text[start..].iter_mut().zip(span.bytes.chunks(4)) {
            // A segment may end inside a word in the file, and only its zeros in memory complete it.
            *word = bytes
                .iter()
                .rev()
                .fold(0, |word, &byte| word << 8 | u32::from(byte));
        }
    }
    text
}

/// log2 of the words of RAM.
fn log_ram(spans: &[Span<'_>]) -> u32 {
    let end = spans
        .iter()
        .filter(|span| !span.executable)
        .map(|span| span.end)
        .max();
    let words = (end.unwrap_or(RAM_BASE) - RAM_BASE).div_ceil(8);
    words.next_power_of_two().ilog2().max(MIN_LOG_RAM)
}

/// The words of RAM that are not zero.
fn image(spans: &[Span<'_>]) -> Vec<(u32, u64)> {
    let mut words: Vec<(u32, u64)> = Vec::new();
    for span in spans.iter().filter(|span| !span.executable) {
        for (&byte, address) in span.bytes.iter().zip(span.address - RAM_BASE..) {
            if byte == 0 {
                continue;
            }
            let (index, bits) = ((address / 8) as u32, u64::from(byte) << (8 * (address % 8)));
            match words.last_mut() {
                Some((last, word)) if *last == index => *word |= bits,
                _ => words.push((index, bits)),
            }
        }
    }
    words
}

/// log2 of the words of advice, from the note.
fn log_advice(segments: &[Segment], file: &[u8]) -> Result<u32, LoadError> {
    let mut found = None;
    for segment in segments {
        let notes = segment.notes(ENDIAN, file).map_err(|_| malformed("notes"))?;
        let Some(mut notes) = notes else { continue };
        while let Some(note) = notes.next().map_err(|_| malformed("notes"))? {
            if note.name() != NOTE_OWNER || note.n_type(ENDIAN).0 != NOTE_TYPE {
                continue;
            }
            let [version, log_words] = note
                .desc()
                .as_chunks::<4>()
                .0
                .iter()
                .map(|&word| u32::from_le_bytes(word))
                .collect::<Vec<_>>()
                .try_into()
                .map_err(|_| malformed("the note of owner `leanVM`, which has two words of 32 bits"))?;
            if version != NOTE_VERSION {
                return Err(LoadError::NoteVersion { version });
            }
            if found.replace(log_words).is_some() {
                return Err(LoadError::SeveralNotes);
            }
        }
    }
    found.ok_or(LoadError::NoNote)
}

/// The names of functions, objects and labels in the text and in RAM. A file without section headers has none.
fn symbols(header: &Header, file: &[u8]) -> Result<Symbols, LoadError> {
    let what = malformed("section headers or symbols");
    let sections = header.sections(ENDIAN, file).map_err(|_| what.clone())?;
    let table = sections
        .symbols(ENDIAN, file, elf::SHT_SYMTAB)
        .map_err(|_| what.clone())?;
    let mut symbols = Vec::new();
    for symbol in table.iter() {
        let address = symbol.st_value(ENDIAN);
        let named = matches!(symbol.st_type(), STT_FUNC | STT_OBJECT | STT_NOTYPE);
        if !named || !(TEXT_BASE..RAM_BASE + (8 << MAX_LOG_WORDS)).contains(&address) {
            continue;
        }
        let name = table.symbol_name(ENDIAN, symbol).map_err(|_| what.clone())?;
        let Ok(name) = core::str::from_utf8(name) else {
            continue;
        };
        // Mapping symbols ($x, $d) and assembler-local labels name no function.
        if name.is_empty() || name.starts_with(['$', '.']) || (ADVICE_BASE..RAM_BASE).contains(&address) {
            continue;
        }
        let name = alloc::format!("{:#}", rustc_demangle::demangle(name));
        symbols.push(Symbol {
            address,
            size: symbol.st_size(ENDIAN),
            name: name.to_string(),
        });
    }
    Ok(Symbols::new(symbols))
}
