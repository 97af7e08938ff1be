//! The instruction classes: the rows of a proof are of one each.

use core::fmt;

/// Declares [`Class`] and the list of all classes from one table.
macro_rules! classes {
    ($($(#[$doc:meta])* $class:ident $name:literal [$($register:ident)*])*) => {
        /// A class of instructions, whose rows have tables of their own in a proof; its discriminant is the tag of the
        /// bytecode tuple. Tag 0 belongs to no class.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Class { $($(#[$doc])* $class = Tag::$class as u8 + 1,)* }

        /// The position of each class in the list.
        #[repr(u8)]
        enum Tag { $($class,)* }

        impl Class {
            /// All classes in table order, which is the order of their tags.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$class,)*];
            /// The number of classes.
            pub const COUNT: usize = [$(Tag::$class),*].len();

            /// The name of the table.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$class => $name,)* }
            }

            /// The register numbers that an entry of this class carries.
            #[must_use]
            pub const fn registers(self) -> Registers {
                let mut registers = Registers { a2: false, ad: false };
                match self { $(Self::$class => { $(registers.$register = true;)* })* }
                registers
            }
        }
    };
}

/// Which register numbers an entry has besides `a1`, which every class has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Registers {
    /// A second register is read.
    pub a2: bool,
    /// A third cell is named: the one written, or for [`Class::Ext`] the register that holds the
    /// destination's address.
    pub ad: bool,
}

classes! {
    /// Sums and differences of registers.
    Add "ADD" [a2 ad]
    /// A register plus a constant.
    Addi "ADDI" [ad]
    /// Unconditional jumps and the exit.
    Jump "JUMP" [ad]
    /// Bitwise and, or, exclusive or.
    Logic "LOGIC" [a2 ad]
    /// Logical shifts by a constant of 1 to 63.
    Shifti "SHIFTI" [ad]
    /// Comparisons by order, as values and as branches.
    Lt "LT" [a2 ad]
    /// Branches on equality.
    Eq "EQ" [a2]
    /// Sums and differences of 32 bits.
    Word "WORD" [a2 ad]
    /// Shifts by a register, arithmetic shifts, and shifts of 32 bits.
    Shift "SHIFT" [a2 ad]
    /// Loads of less than a doubleword.
    Load "LOAD" [ad]
    /// Stores of less than a doubleword.
    Store "STORE" [a2]
    /// Loads of a doubleword.
    Ld "LD" [ad]
    /// Stores of a doubleword.
    Sd "SD" [a2]
    /// Low halves of products.
    Mul "MUL" [a2 ad]
    /// High halves of products.
    Mulh "MULH" [a2 ad]
    /// Quotients and remainders.
    Div "DIV" [a2 ad]
    /// The BLAKE2s compression.
    Hash "HASH" [a2]
    /// Products in the extension field.
    Ext "EXT" [a2 ad]
}

impl Class {
    /// The tag in the bytecode tuple: 1 to [`Class::COUNT`].
    #[must_use]
    pub const fn tag(self) -> u8 {
        self as u8
    }

    /// The position in [`Class::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize - 1
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
