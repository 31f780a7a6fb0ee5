//! The slices that a column can be encoded from and decoded into.

use super::I256;

macro_rules! slices {
    ($($(#[$cfg:meta])* $variant:ident $type:ty, $doc:literal;)*) => {
        /// The values of a column, as the caller has them.
        #[derive(Clone, Copy, Debug)]
        #[non_exhaustive]
        pub enum Values<'a> {
            $( $(#[$cfg])* #[doc = $doc] $variant(&'a [$type]), )*
        }

        /// Where decoded values go. The length says how many are decoded.
        #[derive(Debug)]
        #[non_exhaustive]
        pub enum ValuesMut<'a> {
            $( $(#[$cfg])* #[doc = $doc] $variant(&'a mut [$type]), )*
        }

        impl Values<'_> {
            /// How many values there are.
            pub fn len(&self) -> usize {
                match self {
                    $( $(#[$cfg])* Self::$variant(values) => values.len(), )*
                }
            }

            /// Whether there is none.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }
        }

        impl ValuesMut<'_> {
            /// How many values are decoded.
            pub fn len(&self) -> usize {
                match self {
                    $( $(#[$cfg])* Self::$variant(values) => values.len(), )*
                }
            }

            /// Whether there is none.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }
        }

        $(
            $(#[$cfg])*
            impl<'a> From<&'a [$type]> for Values<'a> {
                fn from(values: &'a [$type]) -> Self {
                    Self::$variant(values)
                }
            }

            $(#[$cfg])*
            impl<'a> From<&'a mut [$type]> for ValuesMut<'a> {
                fn from(values: &'a mut [$type]) -> Self {
                    Self::$variant(values)
                }
            }

            $(#[$cfg])*
            impl<'a> From<&'a alloc::vec::Vec<$type>> for Values<'a> {
                fn from(values: &'a alloc::vec::Vec<$type>) -> Self {
                    Self::$variant(values)
                }
            }

            $(#[$cfg])*
            impl<'a> From<&'a mut alloc::vec::Vec<$type>> for ValuesMut<'a> {
                fn from(values: &'a mut alloc::vec::Vec<$type>) -> Self {
                    Self::$variant(values)
                }
            }

            $(#[$cfg])*
            impl<'a, const N: usize> From<&'a [$type; N]> for Values<'a> {
                fn from(values: &'a [$type; N]) -> Self {
                    Self::$variant(values)
                }
            }

            $(#[$cfg])*
            impl<'a, const N: usize> From<&'a mut [$type; N]> for ValuesMut<'a> {
                fn from(values: &'a mut [$type; N]) -> Self {
                    Self::$variant(values)
                }
            }
        )*
    };
}

slices! {
    I32 i32, "Unscaled 32-bit integers.";
    I64 i64, "Unscaled 64-bit integers.";
    I128 i128, "Unscaled 128-bit integers (Arrow's Decimal128).";
    I256 I256, "Unscaled 256-bit integers (Arrow's Decimal256).";
    #[cfg(feature = "num-bigint")]
    BigInt num_bigint::BigInt, "Unscaled integers of arbitrary size.";
    #[cfg(feature = "rust_decimal")]
    RustDecimal rust_decimal::Decimal, "Scaled numbers: brought to the column's scale, each from its own.";
}
