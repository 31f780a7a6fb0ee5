//! Which columns exist, and which physical type a rule gives them.

use crate::codec::decimal::{Column, ColumnError, Physical};

#[test]
fn the_limits_of_a_declaration_are_those_of_the_specification() {
    let new = Column::new;
    assert_eq!(new(0, 0, Physical::ByteArray), Err(ColumnError::ZeroPrecision));
    assert_eq!(new(3, 4, Physical::ByteArray), Err(ColumnError::ScaleExceedsPrecision { scale: 4, precision: 3 }));
    // https://github.com/aloneguid/parquet-dotnet/issues/503
    assert!(new(6, 6, Physical::Int32).is_ok());
    assert!(new(20, 0, Physical::Fixed(9)).is_ok());
    assert!(new(9, 0, Physical::Int32).is_ok());
    assert_eq!(new(10, 0, Physical::Int32), Err(ColumnError::PrecisionExceedsType { precision: 10, max: 9 }));
    // https://github.com/trinodb/trino/issues/18271
    assert!(new(17, 6, Physical::Int64).is_ok());
    assert!(new(18, 0, Physical::Int64).is_ok());
    assert_eq!(new(19, 0, Physical::Int64), Err(ColumnError::PrecisionExceedsType { precision: 19, max: 18 }));
    assert_eq!(new(1, 0, Physical::Fixed(0)), Err(ColumnError::PrecisionExceedsType { precision: 1, max: 0 }));
    assert!(new(38, 0, Physical::Fixed(16)).is_ok());
    assert_eq!(new(39, 0, Physical::Fixed(16)), Err(ColumnError::PrecisionExceedsType { precision: 39, max: 38 }));
    assert!(new(u32::MAX, u32::MAX, Physical::ByteArray).is_ok());
    assert!(new(u32::MAX, 0, Physical::always_fixed(u32::MAX)).is_ok());
}

#[test]
fn the_rules_give_the_type_that_they_are_named_for() {
    assert_eq!(Physical::smallest(1), Physical::Int32);
    assert_eq!(Physical::smallest(9), Physical::Int32);
    assert_eq!(Physical::smallest(10), Physical::Int64);
    assert_eq!(Physical::smallest(18), Physical::Int64);
    assert_eq!(Physical::smallest(19), Physical::Fixed(9));
    assert_eq!(Physical::smallest(38), Physical::Fixed(16));
    assert_eq!(Physical::smallest(76), Physical::Fixed(32));
    assert_eq!(Physical::always_fixed(1), Physical::Fixed(1));
    assert_eq!(Physical::always_fixed(18), Physical::Fixed(8));
    for precision in 1..2000 {
        assert!(Column::new(precision, precision, Physical::smallest(precision)).is_ok());
        assert!(Column::new(precision, 0, Physical::always_fixed(precision)).is_ok());
    }
}

#[test]
fn a_column_says_what_it_is() {
    let column = Column::new(38, 2, Physical::Fixed(16)).expect("a valid column");
    assert_eq!(alloc::format!("{column}"), "DECIMAL(38,2) as FIXED_LEN_BYTE_ARRAY(16)");
}
