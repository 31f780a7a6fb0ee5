//! Walks through tables and arrays.

use super::{Field, Values};
use crate::codec::amqp_table::{Entry, List};

/// The elements, to be changed.
pub(super) fn owned<'a, T: Clone>(list: &'a mut List<'static, T>) -> &'a mut Vec<T> {
    if let List::Borrowed(slice) = list {
        *list = List::Owned(slice.to_vec());
    }
    match list {
        List::Owned(vec) => vec,
        List::Borrowed(_) => unreachable!("it was made owned above"),
    }
}

/// Changes every table, the innermost first.
pub(super) fn each_table(values: &mut Values, change: &mut dyn FnMut(&mut Vec<Entry<'static>>)) {
    each(values, &mut |field| {
        if let Field::Table(table) = field {
            change(owned(&mut table.entries));
        }
    });
    if let Values::Table(table) = values {
        change(owned(&mut table.entries));
    }
}

/// Changes every value, those inside of it first.
pub(super) fn each(values: &mut Values, change: &mut dyn FnMut(&mut Field)) {
    match values {
        Values::Table(table) => {
            owned(&mut table.entries).iter_mut().for_each(|entry| inside(&mut entry.value, change));
        }
        Values::Array(array) => owned(&mut array.values).iter_mut().for_each(|value| inside(value, change)),
    }
}

fn inside(field: &mut Field, change: &mut dyn FnMut(&mut Field)) {
    match field {
        Field::Table(table) => {
            owned(&mut table.entries).iter_mut().for_each(|entry| inside(&mut entry.value, change));
        }
        Field::Array(array) => owned(&mut array.values).iter_mut().for_each(|value| inside(value, change)),
        _ => {}
    }
    change(field);
}

/// Shows every value with its name and the levels around it.
pub(super) fn look<'a>(values: &'a Values, see: &mut dyn FnMut(Option<&'a [u8]>, &'a Field, usize)) {
    match values {
        Values::Table(table) => {
            table.entries.iter().for_each(|entry| look_at(Some(&entry.name), &entry.value, 1, see));
        }
        Values::Array(array) => array.values.iter().for_each(|value| look_at(None, value, 1, see)),
    }
}

fn look_at<'a>(
    name: Option<&'a [u8]>,
    field: &'a Field,
    level: usize,
    see: &mut dyn FnMut(Option<&'a [u8]>, &'a Field, usize),
) {
    see(name, field, level);
    match field {
        Field::Table(table) => {
            table.entries.iter().for_each(|entry| look_at(Some(&entry.name), &entry.value, level + 1, see));
        }
        Field::Array(array) => array.values.iter().for_each(|value| look_at(None, value, level + 1, see)),
        _ => {}
    }
}

/// Values, nested ones included, and levels of tables and arrays.
pub(super) fn size(values: &Values) -> (usize, usize) {
    let (mut count, mut levels) = (0, 1);
    look(values, &mut |_, field, level| {
        count += 1;
        let nested = matches!(field, Field::Table(_) | Field::Array(_));
        levels = levels.max(level + usize::from(nested));
    });
    (count, levels)
}
