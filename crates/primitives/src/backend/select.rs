//! Which back ends there are here, and which one runs.

use core::fmt;
use core::str::FromStr;
use core::sync::atomic::{AtomicU8, Ordering};

#[cfg(target_arch = "aarch64")]
use super::Neon;
use super::Portable;
#[cfg(target_arch = "x86_64")]
use super::{Avx2, Avx512, Pclmul};

/// The back ends, from the slowest to the fastest of each architecture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum Kind {
    /// Integer instructions alone, on every CPU.
    Portable = 1,
    /// AVX2, and PCLMULQDQ on 128 bits.
    Pclmul,
    /// AVX2, and VPCLMULQDQ on 256 bits.
    Avx2,
    /// AVX-512 (F, BW, DQ, VL, VBMI), VPCLMULQDQ on 512 bits, GFNI.
    Avx512,
    /// NEON with PMULL.
    Neon,
}

/// The token of an available back end, as a value.
#[derive(Clone, Copy, Debug)]
pub enum Token {
    /// The token of [`Kind::Portable`].
    Portable(Portable),
    /// The token of [`Kind::Pclmul`].
    #[cfg(target_arch = "x86_64")]
    Pclmul(Pclmul),
    /// The token of [`Kind::Avx2`].
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// The token of [`Kind::Avx512`].
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    /// The token of [`Kind::Neon`].
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
}

/// A back end that was asked for cannot be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SelectError {
    /// No back end has that name.
    Unknown,
    /// This CPU lacks the back end's instructions.
    Unsupported(Kind),
}

impl fmt::Display for SelectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("no back end has this name; the names are")?,
            Self::Unsupported(kind) => {
                write!(
                    f,
                    "this CPU lacks the instructions of the back end {kind}; it has those of"
                )?;
            }
        }
        for kind in Kind::ALL {
            if matches!(self, Self::Unknown) || kind.token().is_ok() {
                write!(f, " {kind}")?;
            }
        }
        Ok(())
    }
}

impl core::error::Error for SelectError {}

impl Kind {
    /// All back ends, of every architecture.
    pub const ALL: [Self; 5] = [Self::Portable, Self::Pclmul, Self::Avx2, Self::Avx512, Self::Neon];

    /// The name that `LEANVM_BACKEND` takes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Pclmul => "pclmul",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
        }
    }

    /// The token, if the CPU has the instructions.
    ///
    /// # Errors
    /// [`SelectError::Unsupported`] if it has not.
    pub fn token(self) -> Result<Token, SelectError> {
        match self {
            Self::Portable => Some(Token::Portable(Portable)),
            #[cfg(target_arch = "x86_64")]
            Self::Pclmul => Pclmul::detect().map(Token::Pclmul),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => Avx2::detect().map(Token::Avx2),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => Avx512::detect().map(Token::Avx512),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => Neon::detect().map(Token::Neon),
            #[allow(
                unreachable_patterns,
                reason = "which kinds are left depends on the architecture"
            )]
            _ => None,
        }
        .ok_or(SelectError::Unsupported(self))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = SelectError;
    fn from_str(name: &str) -> Result<Self, SelectError> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or(SelectError::Unknown)
    }
}

impl Token {
    /// Which back end this is.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self {
            Self::Portable(_) => Kind::Portable,
            #[cfg(target_arch = "x86_64")]
            Self::Pclmul(_) => Kind::Pclmul,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => Kind::Avx2,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => Kind::Avx512,
            #[cfg(target_arch = "aarch64")]
            Self::Neon(_) => Kind::Neon,
        }
    }
}

/// The back ends that this CPU has, from the slowest to the fastest.
pub fn available() -> impl Iterator<Item = Token> {
    Kind::ALL.into_iter().filter_map(|kind| kind.token().ok())
}

/// The selected [`Kind`], or 0 before the first use.
static SELECTED: AtomicU8 = AtomicU8::new(0);

/// The token of the back end that [`dispatch!`](crate::dispatch) enters: the one that [`force`] set, else the one that
/// the environment variable `LEANVM_BACKEND` names (with the feature `std`), else the fastest.
///
/// # Panics
/// If `LEANVM_BACKEND` names no back end or one that the CPU lacks: call [`from_environment`] first to
/// have that as an error.
#[inline(always)]
#[must_use]
pub fn selected() -> Token {
    match SELECTED.load(Ordering::Relaxed) {
        #[cfg(target_arch = "x86_64")]
        kind if kind == Kind::Avx512 as u8 => {
            // SAFETY: the kind was stored after its token was made, so the CPU has the instructions.
            Token::Avx512(unsafe { Avx512::new_unchecked() })
        }
        #[cfg(target_arch = "x86_64")]
        kind if kind == Kind::Avx2 as u8 => {
            // SAFETY: the kind was stored after its token was made, so the CPU has the instructions.
            Token::Avx2(unsafe { Avx2::new_unchecked() })
        }
        #[cfg(target_arch = "x86_64")]
        kind if kind == Kind::Pclmul as u8 => {
            // SAFETY: the kind was stored after its token was made, so the CPU has the instructions.
            Token::Pclmul(unsafe { Pclmul::new_unchecked() })
        }
        #[cfg(target_arch = "aarch64")]
        kind if kind == Kind::Neon as u8 => {
            // SAFETY: the kind was stored after its token was made, so the CPU has the instructions.
            Token::Neon(unsafe { Neon::new_unchecked() })
        }
        kind if kind == Kind::Portable as u8 => Token::Portable(Portable),
        _ => select_first(),
    }
}

/// Whether products one at a time go by integer instructions.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
pub(super) fn portable_is_selected() -> bool {
    match SELECTED.load(Ordering::Relaxed) {
        0 => matches!(select_first(), Token::Portable(_)),
        kind => kind == Kind::Portable as u8,
    }
}

/// Makes `kind` the selected back end of the whole process.
///
/// Results never depend on it, so a change while others compute is harmless.
///
/// # Errors
/// [`SelectError::Unsupported`] if the CPU lacks its instructions.
pub fn force(kind: Kind) -> Result<(), SelectError> {
    kind.token()?;
    SELECTED.store(kind as u8, Ordering::Relaxed);
    Ok(())
}

/// Selects the back end that `LEANVM_BACKEND` names, or the fastest if it is not set.
///
/// # Errors
/// If it names no back end, or one that the CPU lacks.
#[cfg(feature = "std")]
pub fn from_environment() -> Result<Kind, SelectError> {
    let kind = match std::env::var_os("LEANVM_BACKEND") {
        Some(name) => name.to_str().ok_or(SelectError::Unknown)?.parse()?,
        None => fastest(),
    };
    force(kind)?;
    Ok(kind)
}

#[cold]
fn select_first() -> Token {
    #[cfg(feature = "std")]
    let kind = from_environment().unwrap_or_else(|error| panic!("LEANVM_BACKEND: {error}"));
    #[cfg(not(feature = "std"))]
    let kind = fastest();
    SELECTED.store(kind as u8, Ordering::Relaxed);
    selected()
}

fn fastest() -> Kind {
    available().last().map_or(Kind::Portable, Token::kind)
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn names_are_read_back() {
        for kind in Kind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
        assert_eq!("sse".parse::<Kind>(), Err(SelectError::Unknown));
        let text = SelectError::Unknown.to_string();
        assert!(Kind::ALL.iter().all(|kind| text.contains(kind.name())), "{text}");
    }

    #[test]
    fn a_back_end_that_the_cpu_lacks_is_refused_by_name() {
        let mut lacking = 0;
        for kind in Kind::ALL {
            match kind.token() {
                Ok(token) => assert_eq!(token.kind(), kind),
                Err(error) => {
                    lacking += 1;
                    assert_eq!(error, SelectError::Unsupported(kind));
                    assert_eq!(force(kind), Err(error));
                    assert!(error.to_string().contains(kind.name()));
                }
            }
        }
        // No CPU has the back ends of two architectures.
        assert!(lacking > 0);
        assert!(available().any(|token| token.kind() == Kind::Portable));
    }

    #[test]
    fn what_is_forced_is_selected() {
        for token in available() {
            force(token.kind()).unwrap();
            // Another test may have forced another one since; scalar products do not depend on it.
            assert!(available().any(|token| token.kind() == selected().kind()));
            assert_eq!(crate::field::K(3) * crate::field::K(3), crate::field::K(5));
        }
    }
}
