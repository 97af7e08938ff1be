//! An executor written from the RISC-V unprivileged specification (RV64I, M) and from `doc/machine.md`, on
//! byte-addressed memory. It shares no code with the crate: it reads bit fields by itself, and computes
//! products, quotients, BLAKE2s and extension-field products in another way. It is slow and plain.

/// Why a step has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    Exit,
    Illegal,
    Fetch,
    Memory,
    Ecall,
}

/// The machine: registers, program counter, and memory byte by byte.
pub(crate) struct Oracle {
    pub(crate) x: [u64; 32],
    pub(crate) pc: u64,
    text: Vec<u8>,
    /// Base and bytes of each region of data.
    regions: [(u64, Vec<u8>); 2],
}

const TEXT: u64 = 0x1000_0000;

/// Bits `high..=low` of a word.
fn bits(word: u32, high: u32, low: u32) -> u64 {
    (0..=high - low)
        .map(|i| u64::from(word >> (low + i) & 1) << i)
        .sum()
}

/// `value` of `width` bits, its top bit repeated upwards.
fn sign_extend(value: u64, width: u32) -> u64 {
    let below = (u128::from(value) % (1u128 << width)) as u64;
    if width < 64 && below >> (width - 1) == 1 {
        below.wrapping_sub(1 << width)
    } else {
        below
    }
}

impl Oracle {
    pub(crate) fn new(text: &[u32], entry: u64, ram_words: usize, advice_words: usize) -> Self {
        Self {
            x: [0; 32],
            pc: entry,
            text: text.iter().flat_map(|word| word.to_le_bytes()).collect(),
            regions: [(0x4000_0000, ram_words), (0x2000_0000, advice_words)]
                .map(|(base, words)| (base, vec![0; 8 * words])),
        }
    }

    /// The byte at `address`, if there is memory.
    fn byte(&self, address: u64) -> Option<u8> {
        self.regions.iter().find_map(|(base, bytes)| {
            bytes
                .get(usize::try_from(address.checked_sub(*base)?).ok()?)
                .copied()
        })
    }

    /// The `width` bytes at `address`, little-endian, which need not be aligned.
    pub(crate) fn peek(&self, address: u64, width: u64) -> u64 {
        (0..width)
            .rev()
            .fold(0, |v, i| v << 8 | u64::from(self.byte(address + i).unwrap()))
    }

    pub(crate) fn poke(&mut self, address: u64, width: u64, value: u64) {
        for i in 0..width {
            let byte = self.regions.iter_mut().find_map(|(base, bytes)| {
                bytes.get_mut(usize::try_from((address + i).checked_sub(*base)?).ok()?)
            });
            *byte.unwrap() = (value >> (8 * i)) as u8;
        }
    }

    fn accessible(&self, address: u64, width: u64) -> Result<(), Stop> {
        let aligned = address.is_multiple_of(width);
        let inside = (0..width).all(|i| address.checked_add(i).and_then(|at| self.byte(at)).is_some());
        if aligned && inside {
            Ok(())
        } else {
            Err(Stop::Memory)
        }
    }

    fn load(&self, address: u64, width: u64) -> Result<u64, Stop> {
        self.accessible(address, width)?;
        Ok(self.peek(address, width))
    }

    fn store(&mut self, address: u64, width: u64, value: u64) -> Result<(), Stop> {
        self.accessible(address, width)?;
        self.poke(address, width, value);
        Ok(())
    }

    fn fetchable(&self, address: u64) -> bool {
        address.is_multiple_of(4) && address >= TEXT && address < TEXT + self.text.len() as u64
    }

    /// Executes one instruction.
    pub(crate) fn step(&mut self) -> Result<(), Stop> {
        if !self.fetchable(self.pc) {
            return Err(Stop::Fetch);
        }
        let at = (self.pc - TEXT) as usize;
        let word = u32::from_le_bytes(self.text[at..at + 4].try_into().unwrap());
        let (rd, rs1, rs2) = (
            bits(word, 11, 7) as usize,
            bits(word, 19, 15) as usize,
            bits(word, 24, 20) as usize,
        );
        let (funct3, funct7) = (bits(word, 14, 12), bits(word, 31, 25));
        let (a, b) = (self.x[rs1], self.x[rs2]);
        let i_imm = sign_extend(bits(word, 31, 20), 12);
        let s_imm = sign_extend(bits(word, 31, 25) << 5 | bits(word, 11, 7), 12);
        let b_imm = sign_extend(
            bits(word, 31, 31) << 12
                | bits(word, 7, 7) << 11
                | bits(word, 30, 25) << 5
                | bits(word, 11, 8) << 1,
            13,
        );
        let u_imm = sign_extend(bits(word, 31, 12) << 12, 32);
        let j_imm = sign_extend(
            bits(word, 31, 31) << 20
                | bits(word, 19, 12) << 12
                | bits(word, 20, 20) << 11
                | bits(word, 30, 21) << 1,
            21,
        );
        let mut next = self.pc + 4;
        let mut result = None;
        match bits(word, 6, 0) {
            0b011_0111 => result = Some(u_imm),
            0b001_0111 => result = Some(self.pc.wrapping_add(u_imm)),
            0b110_1111 => (result, next) = (Some(next), self.pc.wrapping_add(j_imm)),
            0b110_0111 if funct3 == 0 => (result, next) = (Some(next), a.wrapping_add(i_imm) / 2 * 2),
            0b110_0011 => {
                let taken = match funct3 {
                    0b000 => a == b,
                    0b001 => a != b,
                    0b100 => below_signed(a, b),
                    0b101 => !below_signed(a, b),
                    0b110 => a < b,
                    0b111 => a >= b,
                    _ => return Err(Stop::Illegal),
                };
                if taken {
                    next = self.pc.wrapping_add(b_imm);
                }
            }
            0b000_0011 if funct3 != 7 => {
                let width = 1 << (funct3 % 4);
                let value = self.load(a.wrapping_add(i_imm), width)?;
                result = Some(if funct3 < 4 {
                    sign_extend(value, 8 * width as u32)
                } else {
                    value
                });
            }
            0b010_0011 if funct3 < 4 => self.store(a.wrapping_add(s_imm), 1 << funct3, b)?,
            0b001_0011 => {
                let (top, amount) = (bits(word, 31, 26), bits(word, 25, 20));
                result = Some(match (funct3, top) {
                    (0b001, 0) => shift_left(a, amount, 64),
                    (0b101, 0) => shift_right(a, amount, 64, false),
                    (0b101, 0b010_000) => shift_right(a, amount, 64, true),
                    (0b001 | 0b101, _) => return Err(Stop::Illegal),
                    _ => simple(funct3, a, i_imm),
                });
            }
            0b011_0011 if funct7 == 1 => result = Some(multiply_divide(funct3, a, b, 64)),
            0b011_0011 => {
                result = Some(match (funct7, funct3) {
                    (0b010_0000, 0b000) => a.wrapping_add(!b).wrapping_add(1),
                    (0b010_0000, 0b101) => shift_right(a, b % 64, 64, true),
                    (0, 0b001) => shift_left(a, b % 64, 64),
                    (0, 0b101) => shift_right(a, b % 64, 64, false),
                    (0, _) => simple(funct3, a, b),
                    _ => return Err(Stop::Illegal),
                });
            }
            0b001_1011 => {
                let amount = bits(word, 24, 20);
                let low = match (funct3, funct7) {
                    (0b000, _) => a.wrapping_add(i_imm),
                    (0b001, 0) => shift_left(a, amount, 32),
                    (0b101, 0) => shift_right(a, amount, 32, false),
                    (0b101, 0b010_0000) => shift_right(a, amount, 32, true),
                    _ => return Err(Stop::Illegal),
                };
                result = Some(sign_extend(low, 32));
            }
            0b011_1011 => {
                let low = match (funct7, funct3) {
                    (1, 0 | 4..=7) => multiply_divide(funct3, a, b, 32),
                    (0, 0b000) => a.wrapping_add(b),
                    (0b010_0000, 0b000) => a.wrapping_add(!b).wrapping_add(1),
                    (0, 0b001) => shift_left(a, b % 32, 32),
                    (0, 0b101) => shift_right(a, b % 32, 32, false),
                    (0b010_0000, 0b101) => shift_right(a, b % 32, 32, true),
                    _ => return Err(Stop::Illegal),
                };
                result = Some(sign_extend(low, 32));
            }
            0b000_1111 if funct3 == 0 => {}
            0b111_0011 if word == 0x73 => {
                return Err(if self.x[17] == 93 { Stop::Exit } else { Stop::Ecall });
            }
            0b000_1011 if funct7 == 0 && rd == 0 && funct3 < 2 => self.blake2s(a, b, funct3 == 1)?,
            0b010_1011 if funct7 == 0 && rd != 0 && funct3 < 4 => {
                self.extension(a, b, self.x[rd], funct3 % 2 == 1, funct3 / 2 == 1)?;
            }
            _ => return Err(Stop::Illegal),
        }
        if next != self.pc + 4 && !self.fetchable(next) {
            return Err(Stop::Fetch);
        }
        if let Some(value) = result
            && rd != 0
        {
            self.x[rd] = value;
        }
        self.pc = next;
        Ok(())
    }

    /// RFC 7693, section 3.2, on the block of 128 bytes at `base`.
    fn blake2s(&mut self, base: u64, counter: u64, last: bool) -> Result<(), Stop> {
        let cell = |k: u64| base ^ (8 * k);
        let mut words = [0u64; 16];
        for k in 0..16 {
            words[k as usize] = self.load(cell(k), 8)?;
        }
        let halves: Vec<u32> = words.iter().flat_map(|&w| [w as u32, (w >> 32) as u32]).collect();
        let (h, m) = (&halves[..8], &halves[16..]);
        let iv: [u32; 8] = [
            0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19,
        ];
        let mut v: Vec<u32> = h.iter().chain(&iv).copied().collect();
        v[12] ^= counter as u32;
        v[13] ^= (counter >> 32) as u32;
        if last {
            v[14] = !v[14];
        }
        let schedule = "0123456789abcdef ea489fd61c02b753 b8c052fdae367194 7931dcbe265a40f8 9057\
                        24afe1bc683d 2c6a0b834d75fe19 c51fed4a0763928b db7ec13950f4862a 6fe9b308\
                        c2d714a5 a2847615fb9e3cd0";
        let sigma: Vec<usize> = schedule
            .chars()
            .filter_map(|c| c.to_digit(16))
            .map(|digit| digit as usize)
            .collect();
        let g = |v: &mut Vec<u32>, a: usize, b: usize, c: usize, d: usize, x: u32, y: u32| {
            v[a] = v[a].wrapping_add(v[b]).wrapping_add(x);
            v[d] = (v[d] ^ v[a]).rotate_left(16);
            v[c] = v[c].wrapping_add(v[d]);
            v[b] = (v[b] ^ v[c]).rotate_left(20);
            v[a] = v[a].wrapping_add(v[b]).wrapping_add(y);
            v[d] = (v[d] ^ v[a]).rotate_left(24);
            v[c] = v[c].wrapping_add(v[d]);
            v[b] = (v[b] ^ v[c]).rotate_left(25);
        };
        for s in sigma.chunks(16) {
            let m = |i: usize| m[s[i]];
            g(&mut v, 0, 4, 8, 12, m(0), m(1));
            g(&mut v, 1, 5, 9, 13, m(2), m(3));
            g(&mut v, 2, 6, 10, 14, m(4), m(5));
            g(&mut v, 3, 7, 11, 15, m(6), m(7));
            g(&mut v, 0, 5, 10, 15, m(8), m(9));
            g(&mut v, 1, 6, 11, 12, m(10), m(11));
            g(&mut v, 2, 7, 8, 13, m(12), m(13));
            g(&mut v, 3, 4, 9, 14, m(14), m(15));
        }
        for k in 0..4 {
            let half = |i: usize| u64::from(h[i] ^ v[i] ^ v[i + 8]);
            self.poke(cell(4 + k as u64), 8, half(2 * k) + (half(2 * k + 1) << 32));
        }
        Ok(())
    }

    /// `c = [c +] a b` modulo `x^64 + x^4 + x^3 + x + 1` and `y^3 + y + 1`, by long multiplication.
    fn extension(&mut self, a: u64, b: u64, c: u64, accumulate: bool, base_field: bool) -> Result<(), Stop> {
        let read = |base: u64, limbs: u64| {
            let mut words = [0; 3];
            for i in 0..limbs {
                words[i as usize] = self.load(base.wrapping_add(8 * i), 8)?;
            }
            Ok(words)
        };
        let (x, y, old) = (read(a, 3)?, read(b, if base_field { 1 } else { 3 })?, read(c, 3)?);
        let mut product = [0u64; 5];
        for (i, &p) in x.iter().enumerate() {
            for (j, &q) in y.iter().enumerate() {
                product[i + j] ^= multiply_in_k(p, q);
            }
        }
        for degree in [4, 3] {
            let over = product[degree];
            product[degree - 3] ^= over;
            product[degree - 2] ^= over;
        }
        for i in 0..3 {
            let kept = if accumulate { old[i] } else { 0 };
            self.store(c.wrapping_add(8 * i as u64), 8, kept ^ product[i])?;
        }
        Ok(())
    }
}

/// Shift-and-add from the highest coefficient down.
fn multiply_in_k(a: u64, b: u64) -> u64 {
    let mut result = 0u64;
    for i in (0..64).rev() {
        let carry = result >> 63 == 1;
        result <<= 1;
        if carry {
            result ^= 0b11011;
        }
        if b & 1 << i != 0 {
            result ^= a;
        }
    }
    result
}

fn below_signed(a: u64, b: u64) -> bool {
    // Moving the range up by 2^63 keeps the order and makes it unsigned.
    a.wrapping_add(1 << 63) < b.wrapping_add(1 << 63)
}

fn shift_left(value: u64, amount: u64, width: u32) -> u64 {
    let wide = u128::from(value) << amount;
    (wide % (1u128 << width)) as u64
}

fn shift_right(value: u64, amount: u64, width: u32, arithmetic: bool) -> u64 {
    let mut value = (u128::from(value) % (1u128 << width)) as u64;
    for _ in 0..amount {
        let top = value & 1 << (width - 1);
        value = value / 2 + if arithmetic { top } else { 0 };
    }
    value
}

/// The operations that registers and immediates share.
fn simple(funct3: u64, a: u64, b: u64) -> u64 {
    match funct3 {
        0b000 => a.wrapping_add(b),
        0b010 => below_signed(a, b).into(),
        0b011 => (a < b).into(),
        0b100 => a ^ b,
        0b110 => a | b,
        0b111 => a & b,
        _ => unreachable!("shifts are handled apart"),
    }
}

/// The M extension on the low `width` bits, by magnitudes and long division.
fn multiply_divide(funct3: u64, a: u64, b: u64, width: u32) -> u64 {
    let modulus = 1u128 << width;
    let (a, b) = (u128::from(a) % modulus, u128::from(b) % modulus);
    let negative = |v: u128| v >> (width - 1) == 1;
    let magnitude = |v: u128| if negative(v) { modulus - v } else { v };
    let negate_if = |condition: bool, v: u128| {
        if condition {
            (modulus - v % modulus) % modulus
        } else {
            v
        }
    };
    let high = |a: u128, b: u128, negate: bool| {
        let product = a * b;
        let product = if negate { product.wrapping_neg() } else { product };
        product >> width
    };
    let long_division = |a: u128, b: u128| {
        let (mut quotient, mut remainder) = (0, 0);
        for i in (0..width).rev() {
            remainder = 2 * remainder + (a >> i & 1);
            quotient *= 2;
            if remainder >= b {
                remainder -= b;
                quotient += 1;
            }
        }
        (quotient, remainder)
    };
    let (ma, mb) = (magnitude(a), magnitude(b));
    let result = match funct3 {
        0b000 => a.wrapping_mul(b),
        0b001 => high(ma, mb, negative(a) != negative(b)),
        0b010 => high(ma, b, negative(a)),
        0b011 => high(a, b, false),
        0b100 if b == 0 => modulus - 1,
        0b100 => negate_if(negative(a) != negative(b), long_division(ma, mb).0),
        0b101 if b == 0 => modulus - 1,
        0b101 => long_division(a, b).0,
        0b110 if b == 0 => a,
        0b110 => negate_if(negative(a), long_division(ma, mb).1),
        _ if b == 0 => a,
        _ => long_division(a, b).1,
    };
    (result % modulus) as u64
}
