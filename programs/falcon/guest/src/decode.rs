//! Keys and signatures from their bits.
//!
//! Coefficients are written as `forward` takes them: a multiple of q higher than they are, and not negative.

use crate::lanes::{Lanes as _, Word, both};
use crate::packed::Poly;
use crate::{MODULUS, PublicKey, Refusal};

/// What the coefficients of a key are higher by, as a multiple of q.
pub(crate) const KEY_LIFT: u32 = 4;

/// What the coefficients of a signature are higher by, as a multiple of q.
pub(crate) const BODY_LIFT: u32 = 5;

/// Bits of a signature's body; what its words have beyond is padding.
const BODY_BITS: usize = 5000;

/// The polynomial h of a key: each coefficient in 14 bits, the highest first.
///
/// # Errors
/// [`Refusal::Key`] if one is not below q.
#[inline(never)]
pub(crate) fn key(key: &PublicKey, h: &mut Poly) -> Result<(), Refusal> {
    // Seven words are 32 coefficients. Bit 31 of a lane gets set iff the coefficient is q or more.
    let mut at_least_q = 0;
    let groups = key.as_chunks::<7>().0;
    for (bits, words) in groups.iter().zip(h.0.as_chunks_mut::<16>().0) {
        for (word, pair) in words.iter_mut().zip(pairs(bits)) {
            *word = pair + Word::multiple(KEY_LIFT);
            at_least_q |= (*word + Word::both((1 << 31) - (1 + KEY_LIFT) * MODULUS)).0;
        }
    }
    if at_least_q & both(1 << 31) == 0 {
        Ok(())
    } else {
        Err(Refusal::Key)
    }
}

/// The 32 numbers of fourteen bits in these words, two a word.
#[inline(always)]
const fn pairs(words: &[u64; 7]) -> [Word; 16] {
    // Constants, so that the shifts are.
    [
        pair::<0>(words),
        pair::<1>(words),
        pair::<2>(words),
        pair::<3>(words),
        pair::<4>(words),
        pair::<5>(words),
        pair::<6>(words),
        pair::<7>(words),
        pair::<8>(words),
        pair::<9>(words),
        pair::<10>(words),
        pair::<11>(words),
        pair::<12>(words),
        pair::<13>(words),
        pair::<14>(words),
        pair::<15>(words),
    ]
}

/// The numbers 2 I and 2 I + 1.
#[inline(always)]
const fn pair<const I: usize>(words: &[u64; 7]) -> Word {
    Word(fourteen(words, 28 * I) | fourteen(words, 28 * I + 14) << 32)
}

/// Fourteen bits from bit `start` on, the highest bit of a word being its first.
#[inline(always)]
const fn fourteen(words: &[u64; 7], start: usize) -> u64 {
    let (i, end) = (start / 64, start % 64 + 14);
    let bits = if end <= 64 {
        words[i] >> (64 - end)
    } else {
        words[i] << (end - 64) | words[i + 1] >> (128 - end)
    };
    bits & 0x3fff
}

/// The polynomial s2 of a signature; its squared norm.
///
/// A coefficient is its sign, seven low bits of its magnitude, and the rest of it as so many zeros and a one.
///
/// # Errors
/// [`Refusal::Encoding`] if the body is not the one encoding of 512 coefficients.
#[inline(never)]
pub(crate) fn body(body: &[u64; 80], s2: &mut Poly) -> Result<u64, Refusal> {
    let mut bits = Bits::new(body);
    let mut norm = 0;
    for coefficient in s2.halves_mut() {
        bits.fill()?;
        let head = bits.head();
        let high = bits.zeros()?;
        if head < 0x180 {
            let magnitude = high + (head - 0x100);
            *coefficient = BODY_LIFT * MODULUS + magnitude as u32;
            norm += magnitude * magnitude;
        } else {
            let magnitude = high + (head - 0x180);
            if magnitude == 0 {
                return Err(Refusal::Encoding);
            }
            *coefficient = BODY_LIFT * MODULUS - magnitude as u32;
            norm += magnitude * magnitude;
        }
    }
    bits.finish()?;
    Ok(norm)
}

/// The bits of a body. The next ones stand at the top of a window, behind the one that ended the coefficient before:
/// so that one is dropped together with the next coefficient's first bits.
struct Bits<'a> {
    /// The body's words.
    body: &'a [u64; 80],
    /// Halves of words that were taken, the upper half of each word first.
    taken: usize,
    /// The window; zeros behind the bits that it has.
    window: u64,
    /// How many it has, the one in front included.
    count: u32,
}

/// The bits that a coefficient takes at most, and the one in front.
const LONGEST: u32 = 1 + 8 + 16;

impl<'a> Bits<'a> {
    #[inline(always)]
    const fn new(body: &'a [u64; 80]) -> Self {
        Self {
            body,
            taken: 0,
            window: 1 << 63,
            count: 1,
        }
    }

    /// Makes sure that the window has the bits of a coefficient.
    #[inline(always)]
    fn fill(&mut self) -> Result<(), Refusal> {
        if self.count < LONGEST {
            let word = self.body.get(self.taken / 2).ok_or(Refusal::Encoding)?;
            let half = if self.taken.is_multiple_of(2) {
                word >> 32
            } else {
                word & 0xffff_ffff
            };
            self.taken += 1;
            self.window |= half << (32 - self.count);
            self.count += 32;
        }
        Ok(())
    }

    /// The one in front, and the eight bits behind it.
    #[inline(always)]
    const fn head(&mut self) -> u64 {
        let head = self.window >> 55;
        self.window <<= 9;
        self.count -= 9;
        head
    }

    /// 128 times the number of zeros up to the next one, which is then in front.
    #[inline(always)]
    const fn zeros(&mut self) -> Result<u64, Refusal> {
        let mut high = 0;
        while self.window >> 63 == 0 {
            high += 128;
            if high == 16 * 128 {
                return Err(Refusal::Encoding);
            }
            self.window <<= 1;
            self.count -= 1;
        }
        Ok(high)
    }

    /// Checks that nothing but zeros is behind the last coefficient, and that it ended in the body.
    #[inline(always)]
    fn finish(&self) -> Result<(), Refusal> {
        // The one in front belongs to the last coefficient.
        let end = 32 * self.taken + 1 - self.count as usize;
        let mut untaken = self.body.iter().skip(self.taken / 2);
        let half = if self.taken.is_multiple_of(2) {
            0
        } else {
            untaken.next().map_or(0, |word| word << 32)
        };
        let rest = untaken.fold(self.window << 1 | half, |rest, word| rest | word);
        if end <= BODY_BITS && rest == 0 {
            Ok(())
        } else {
            Err(Refusal::Encoding)
        }
    }
}
