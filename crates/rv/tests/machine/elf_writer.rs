//! Writes ELF files for tests, whole or broken on purpose.

use rv::program::{RAM_BASE, TEXT_BASE};

pub(crate) const READ: u32 = 4;
pub(crate) const WRITE: u32 = 2;
pub(crate) const EXECUTE: u32 = 1;
pub(crate) const LOAD: u32 = 1;
pub(crate) const NOTE: u32 = 4;

/// A program header and its bytes.
#[derive(Clone)]
pub(crate) struct Segment {
    pub(crate) kind: u32,
    pub(crate) flags: u32,
    pub(crate) address: u64,
    pub(crate) bytes: Vec<u8>,
    pub(crate) memory_size: u64,
}

/// An ELF file in parts.
#[derive(Clone)]
pub(crate) struct Elf {
    pub(crate) class: u8,
    pub(crate) encoding: u8,
    pub(crate) kind: u16,
    pub(crate) machine: u16,
    pub(crate) flags: u32,
    pub(crate) entry: u64,
    /// Each segment's bytes are in the file where its address is, modulo this.
    pub(crate) alignment: u64,
    pub(crate) segments: Vec<Segment>,
    /// Names and addresses.
    pub(crate) symbols: Vec<(&'static str, u64)>,
}

impl Elf {
    /// A whole file: the text, RAM of `ram_words` words of which the first hold `data`, a note.
    pub(crate) fn whole(text: &[u32], data: &[u8], ram_words: u64, log_advice: u32) -> Self {
        let text: Vec<u8> = text.iter().flat_map(|word| word.to_le_bytes()).collect();
        let size = text.len() as u64;
        Self {
            class: 2,
            encoding: 1,
            kind: 2,
            machine: 243,
            flags: 0,
            entry: TEXT_BASE,
            alignment: 1,
            segments: vec![
                Segment {
                    kind: LOAD,
                    flags: READ | EXECUTE,
                    address: TEXT_BASE,
                    bytes: text,
                    memory_size: size,
                },
                Segment {
                    kind: LOAD,
                    flags: READ | WRITE,
                    address: RAM_BASE,
                    bytes: data.to_vec(),
                    memory_size: 8 * ram_words,
                },
                note(b"leanVM", 1, &[1, log_advice]),
            ],
            symbols: Vec::new(),
        }
    }

    /// The file's bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        const HEADER: usize = 64;
        const PROGRAM_HEADER: usize = 56;
        let mut contents = Vec::new();
        let start = HEADER + PROGRAM_HEADER * self.segments.len();
        let mut headers = Vec::new();
        for s in &self.segments {
            while (start + contents.len()) as u64 % self.alignment != s.address % self.alignment {
                contents.push(0);
            }
            let offset = (start + contents.len()) as u64;
            let size = s.bytes.len() as u64;
            headers.extend([s.kind, s.flags].iter().flat_map(|word| word.to_le_bytes()));
            let words = [
                offset,
                s.address,
                s.address,
                size,
                s.memory_size,
                self.alignment.max(4),
            ];
            headers.extend(words.iter().flat_map(|word| word.to_le_bytes()));
            contents.extend(&s.bytes);
        }
        contents.resize(contents.len().next_multiple_of(8), 0);

        let (sections, count) = self.sections(&mut contents, start);
        let section_offset = if count == 0 {
            0
        } else {
            (start + contents.len()) as u64
        };
        let mut file = vec![0x7f, b'E', b'L', b'F', self.class, self.encoding, 1, 0];
        file.resize(16, 0);
        file.extend(self.kind.to_le_bytes());
        file.extend(self.machine.to_le_bytes());
        file.extend(1u32.to_le_bytes());
        for word in [self.entry, HEADER as u64, section_offset] {
            file.extend(word.to_le_bytes());
        }
        file.extend(self.flags.to_le_bytes());
        let counts = [
            HEADER,
            PROGRAM_HEADER,
            self.segments.len(),
            64,
            count,
            count.saturating_sub(1),
        ];
        for half in counts {
            file.extend((half as u16).to_le_bytes());
        }
        file.extend(headers);
        file.extend(contents);
        file.extend(sections);
        file
    }

    /// Appends the symbol table's and the names' bytes; returns the section headers and their number.
    fn sections(&self, contents: &mut Vec<u8>, start: usize) -> (Vec<u8>, usize) {
        if self.symbols.is_empty() {
            return (Vec::new(), 0);
        }
        let mut names = vec![0];
        let mut table = vec![0; 24];
        for (name, address) in &self.symbols {
            table.extend((names.len() as u32).to_le_bytes());
            // Global function, default visibility, section 1.
            table.extend([0x12, 0, 1, 0]);
            table.extend(address.to_le_bytes());
            table.extend(0u64.to_le_bytes());
            names.extend(name.as_bytes());
            names.push(0);
        }
        let mut headers = vec![0; 64];
        let mut section = |kind: u32, bytes: &[u8], link: u32, info: u32, entry_size: u64| {
            headers.extend([0u32, kind].iter().flat_map(|word| word.to_le_bytes()));
            let offset = (start + contents.len()) as u64;
            headers.extend(
                [0, 0, offset, bytes.len() as u64]
                    .iter()
                    .flat_map(|word: &u64| word.to_le_bytes()),
            );
            headers.extend([link, info].iter().flat_map(|word| word.to_le_bytes()));
            headers.extend([8, entry_size].iter().flat_map(|word: &u64| word.to_le_bytes()));
            contents.extend(bytes);
            contents.resize(contents.len().next_multiple_of(8), 0);
        };
        section(2, &table, 2, 1, 24);
        section(3, &names, 0, 0, 0);
        section(3, &[0], 0, 0, 0);
        (headers, 4)
    }
}

/// A note segment of one note of 32-bit words.
pub(crate) fn note(owner: &[u8], kind: u32, words: &[u32]) -> Segment {
    let mut bytes = Vec::new();
    for word in [owner.len() as u32 + 1, 4 * words.len() as u32, kind] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(owner);
    bytes.push(0);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    let memory_size = bytes.len() as u64;
    Segment {
        kind: NOTE,
        flags: READ,
        address: 0,
        bytes,
        memory_size,
    }
}
