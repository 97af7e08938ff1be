//! The operations, each as its instruction and as its definition.

/// An operation on two registers.
pub(crate) type Binary = fn(u64, u64) -> u64;
/// An operation on a register, its immediate fixed.
pub(crate) type Unary = fn(u64) -> u64;
/// An operation whose result is fixed.
pub(crate) type Nullary = fn() -> u64;

/// `rd = rs1 op rs2`.
macro_rules! binary {
    ($($name:literal: $definition:expr),* $(,)?) => {
        [$({
            #[cfg(target_os = "none")]
            fn operation(a: u64, b: u64) -> u64 {
                let result: u64;
                // SAFETY: the instruction only computes.
                unsafe {
                    core::arch::asm!(
                        concat!($name, " {}, {}, {}"), out(reg) result, in(reg) a, in(reg) b, options(pure, nomem, nostack),
                    );
                }
                result
            }
            #[cfg(not(target_os = "none"))]
            fn operation(a: u64, b: u64) -> u64 {
                let definition: Binary = $definition;
                definition(a, b)
            }
            operation as Binary
        }),*]
    };
}

/// 1 if the branch is taken, else 0.
macro_rules! branches {
    ($($name:literal: $definition:expr),* $(,)?) => {
        [$({
            #[cfg(target_os = "none")]
            fn operation(a: u64, b: u64) -> u64 {
                let result: u64;
                // SAFETY: the branch stays in the block.
                unsafe {
                    core::arch::asm!(
                        "li {taken}, 1",
                        concat!($name, " {a}, {b}, 2f"),
                        "li {taken}, 0",
                        "2:",
                        taken = out(reg) result,
                        a = in(reg) a,
                        b = in(reg) b,
                        options(pure, nomem, nostack),
                    );
                }
                result
            }
            #[cfg(not(target_os = "none"))]
            fn operation(a: u64, b: u64) -> u64 {
                let definition: fn(u64, u64) -> bool = $definition;
                definition(a, b).into()
            }
            operation as Binary
        }),*]
    };
}

/// `rd = rs1 op immediate` for each immediate of a list.
macro_rules! immediate {
    ($($name:literal [$($immediate:literal)*]: $definition:expr),* $(,)?) => {
        [$($({
            #[cfg(target_os = "none")]
            fn operation(a: u64) -> u64 {
                let result: u64;
                // SAFETY: the instruction only computes.
                unsafe {
                    core::arch::asm!(
                        concat!($name, " {}, {}, ", $immediate), out(reg) result, in(reg) a, options(pure, nomem, nostack),
                    );
                }
                result
            }
            #[cfg(not(target_os = "none"))]
            fn operation(a: u64) -> u64 {
                let definition: fn(u64, i64) -> u64 = $definition;
                definition(a, $immediate)
            }
            operation as Unary
        }),*),*]
    };
}

/// `lui` for each immediate of a list.
macro_rules! lui {
    ($($immediate:literal)*) => {
        [$({
            #[cfg(target_os = "none")]
            fn operation() -> u64 {
                let result: u64;
                // SAFETY: the instruction only computes.
                unsafe {
                    core::arch::asm!(concat!("lui {}, ", $immediate), out(reg) result, options(pure, nomem, nostack));
                }
                result
            }
            #[cfg(not(target_os = "none"))]
            fn operation() -> u64 {
                extend($immediate << 12)
            }
            operation as Nullary
        }),*]
    };
}

/// All operations on two registers.
pub(crate) static BINARY: [&[Binary]; 3] = [
    &binary! {
        "add": |a, b| a.wrapping_add(b),
        "sub": |a, b| a.wrapping_sub(b),
        "sll": |a, b| a << (b & 63),
        "slt": |a, b| (a.cast_signed() < b.cast_signed()).into(),
        "sltu": |a, b| (a < b).into(),
        "xor": |a, b| a ^ b,
        "srl": |a, b| a >> (b & 63),
        "sra": |a, b| (a.cast_signed() >> (b & 63)).cast_unsigned(),
        "or": |a, b| a | b,
        "and": |a, b| a & b,
        "addw": |a, b| extend(a.wrapping_add(b)),
        "subw": |a, b| extend(a.wrapping_sub(b)),
        "sllw": |a, b| extend(a << (b & 31)),
        "srlw": |a, b| extend(u64::from(a as u32 >> (b & 31))),
        "sraw": |a, b| extend((a as i32 >> (b & 31)).cast_unsigned().into()),
    },
    &binary! {
        "mul": |a, b| a.wrapping_mul(b),
        "mulh": |a, b| ((i128::from(a.cast_signed()) * i128::from(b.cast_signed())) >> 64) as u64,
        "mulhsu": |a, b| ((i128::from(a.cast_signed()) * i128::from(b)) >> 64) as u64,
        "mulhu": |a, b| ((u128::from(a) * u128::from(b)) >> 64) as u64,
        "div": |a, b| match b.cast_signed() {
            0 => u64::MAX,
            b => a.cast_signed().wrapping_div(b).cast_unsigned(),
        },
        "divu": |a, b| a.checked_div(b).unwrap_or(u64::MAX),
        "rem": |a, b| match b.cast_signed() {
            0 => a,
            b => a.cast_signed().wrapping_rem(b).cast_unsigned(),
        },
        "remu": |a, b| a.checked_rem(b).unwrap_or(a),
        "mulw": |a, b| extend(a.wrapping_mul(b)),
        "divw": |a, b| extend(match b as i32 {
            0 => u64::MAX,
            b => (a as i32).wrapping_div(b).cast_unsigned().into(),
        }),
        "divuw": |a, b| extend((a as u32).checked_div(b as u32).map_or(u64::MAX, u64::from)),
        "remw": |a, b| extend(match b as i32 {
            0 => a,
            b => (a as i32).wrapping_rem(b).cast_unsigned().into(),
        }),
        "remuw": |a, b| extend((a as u32).checked_rem(b as u32).map_or(a, u64::from)),
    },
    &branches! {
        "beq": |a, b| a == b,
        "bne": |a, b| a != b,
        "blt": |a, b| a.cast_signed() < b.cast_signed(),
        "bge": |a, b| a.cast_signed() >= b.cast_signed(),
        "bltu": |a, b| a < b,
        "bgeu": |a, b| a >= b,
    },
];

/// All operations on a register and an immediate.
pub(crate) static IMMEDIATE: [&[Unary]; 1] = [&immediate! {
    "addi" [-2048 -1 0 1 2047]: |a, i| a.wrapping_add_signed(i),
    "slti" [-2048 -1 0 1 2047]: |a, i| (a.cast_signed() < i).into(),
    "sltiu" [-2048 -1 0 1 2047]: |a, i| (a < i.cast_unsigned()).into(),
    "xori" [-2048 -1 0 1365 2047]: |a, i| a ^ i.cast_unsigned(),
    "ori" [-2048 -1 0 1365 2047]: |a, i| a | i.cast_unsigned(),
    "andi" [-2048 -1 0 1365 2047]: |a, i| a & i.cast_unsigned(),
    "addiw" [-2048 -1 0 1 2047]: |a, i| extend(a.wrapping_add_signed(i)),
    "slli" [0 1 31 32 63]: |a, i| a << i,
    "srli" [0 1 31 32 63]: |a, i| a >> i,
    "srai" [0 1 31 32 63]: |a, i| (a.cast_signed() >> i).cast_unsigned(),
    "slliw" [0 1 31]: |a, i| extend(a << i),
    "srliw" [0 1 31]: |a, i| extend(u64::from(a as u32 >> i)),
    "sraiw" [0 1 31]: |a, i| extend((a as i32 >> i).cast_unsigned().into()),
}];

/// All operations on an immediate alone.
pub(crate) static CONSTANTS: [&[Nullary]; 1] = [&lui!(0 1 524287 524288 1048575)];

/// The low 32 bits, sign-extended.
#[cfg(not(target_os = "none"))]
fn extend(a: u64) -> u64 {
    i64::from(a as i32).cast_unsigned()
}
