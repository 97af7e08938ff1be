//! Names of addresses, for diagnostics and profiles.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// A named range of addresses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The first address.
    pub address: u64,
    /// The length in bytes, or 0 if it is not known: then it reaches to the next symbol.
    pub size: u64,
    /// The name, demangled.
    pub name: String,
}

/// Symbols by ascending address, at most one an address.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Symbols(Vec<Symbol>);

/// An address as a symbol and an offset in bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The symbol's name.
    pub name: String,
    /// Bytes from the symbol's address.
    pub offset: u64,
}

impl Symbols {
    /// Sorts the symbols; of several at one address the one with the largest size stays, then the first by
    /// name.
    #[must_use]
    pub fn new(mut symbols: Vec<Symbol>) -> Self {
        symbols.sort_by(|a, b| (a.address, b.size, &a.name).cmp(&(b.address, a.size, &b.name)));
        symbols.dedup_by_key(|symbol| symbol.address);
        Self(symbols)
    }

    /// All symbols by ascending address.
    #[must_use]
    pub fn as_slice(&self) -> &[Symbol] {
        &self.0
    }

    /// The position of the nearest symbol at or below `address`.
    #[must_use]
    pub fn find(&self, address: u64) -> Option<usize> {
        self.0
            .partition_point(|symbol| symbol.address <= address)
            .checked_sub(1)
    }

    /// `address` as the nearest symbol at or below it and an offset.
    #[must_use]
    pub fn locate(&self, address: u64) -> Option<Place> {
        let symbol = self.0.get(self.find(address)?)?;
        Some(Place {
            name: symbol.name.clone(),
            offset: address - symbol.address,
        })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{:#x}", self.name, self.offset)
    }
}
