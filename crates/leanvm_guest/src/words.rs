//! Values made of whole words.

/// A value whose memory is whole words of 64 bits and for which every content of them is a valid value: what
/// can lie in the advice and what can be committed.
///
/// Structs get it by [`words!`](crate::words!).
///
/// # Safety
/// The size is a multiple of 8, the alignment is 8, there is no padding, no interior mutability, and every
/// bit pattern is a value.
pub unsafe trait Words: Copy + 'static {}

// SAFETY: one word.
unsafe impl Words for u64 {}
// SAFETY: one word.
unsafe impl Words for i64 {}
// SAFETY: N values one after the other, each of whole words. (No type here has alignment 8 and size 0, and
// an array of length 0 has no word to read.)
unsafe impl<T: Words, const N: usize> Words for [T; N] {}

/// The words of values that lie one after the other.
#[inline(always)]
pub(crate) fn as_words<T: Words>(values: &[T]) -> &[u64] {
    // SAFETY: by the trait's contract the memory of the values is initialised whole words, aligned to words;
    // the borrow keeps it alive and unchanged.
    unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values) / 8) }
}

/// Declares a struct of fields that are [`Words`](crate::Words), itself `Words`, laid out in order.
///
/// ```
/// leanvm_guest::words! {
///     /// A key and the number of its leaf.
///     pub struct Claim {
///         /// Root, then parameter.
///         pub key: [u64; 4],
///         /// The leaf.
///         pub leaf: u64,
///     }
/// }
/// assert_eq!(size_of::<Claim>(), 40);
/// ```
#[macro_export]
macro_rules! words {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident {
            $($(#[$field_attribute:meta])* $field_visibility:vis $field:ident: $type:ty),* $(,)?
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(C)]
        $visibility struct $name {
            $($(#[$field_attribute])* $field_visibility $field: $type,)*
        }

        const _: () = {
            const fn fields_are_words<T: $crate::Words>() {}
            $(fields_are_words::<$type>();)*
        };

        // SAFETY: `repr(C)` lays the fields out in order, each of whole words aligned to words (checked
        // above), so there is no padding; every pattern is valid because it is for each field.
        unsafe impl $crate::Words for $name {}
    };
}
