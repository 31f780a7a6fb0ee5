//! Integers as text: `7, 0 x 128, 1..=32, (0, 5) x 16`.

use crate::case::TextError;

/// A run or a range is written from so many values on.
const WORTH: usize = 4;

/// Most values that a text may stand for.
const LIMIT: usize = 1 << 22;

/// Writes values: runs of one value as `0 x 128`, steps of 1 as `0..=128`.
pub fn write(values: &[i64]) -> String {
    let mut parts = Vec::new();
    let mut rest = values;
    while let [first, ..] = rest {
        let run = rest.iter().take_while(|value| *value == first).count();
        let range = rest.iter().zip(0..).take_while(|(value, at)| first.checked_add(*at) == Some(**value)).count();
        let (part, taken) = if run >= WORTH {
            (format!("{first} x {run}"), run)
        } else if range >= WORTH {
            (format!("{first}..={}", rest[range - 1]), range)
        } else {
            (first.to_string(), 1)
        };
        parts.push(part);
        rest = &rest[taken..];
    }
    parts.join(", ")
}

/// Reads values. A list in brackets may be repeated as well; it is never written.
pub fn read(text: &str) -> Result<Vec<i64>, TextError> {
    let error = || TextError::new("values", text, "integers, 0 x 128, 0..=128 or (0, 5) x 16, separated by commas");
    let mut values: Vec<i64> = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        // What follows a comma, so that `1,` and `, 1` are no lists.
        let group = rest.strip_prefix('(');
        let end = match group {
            Some(_) => rest.find(')').ok_or_else(error)? + 1,
            None => 0,
        };
        let end = rest[end..].find(',').map_or(rest.len(), |comma| end + comma);
        let (part, after) = (rest[..end].trim(), &rest[end..]);
        let (items, times) = match part.split_once(" x ") {
            Some((items, times)) => (items.trim(), times.trim().parse().map_err(|_| error())?),
            None => (part, 1),
        };
        let items = match items.strip_prefix('(').map(|items| items.strip_suffix(')')) {
            Some(Some(items)) => items.split(',').map(|item| item.trim().parse().map_err(|_| error())).collect(),
            Some(None) => Err(error()),
            None => one_or_range(items).filter(|items| items.len() <= LIMIT).ok_or_else(error),
        }?;
        if items.len().saturating_mul(times) > LIMIT - values.len() {
            return Err(TextError::new("values", text, format!("at most {LIMIT} values")));
        }
        (0..times).for_each(|_| values.extend_from_slice(&items));
        rest = after.strip_prefix(',').map_or("", str::trim_start);
        if rest.is_empty() && !after.is_empty() {
            return Err(error());
        }
    }
    Ok(values)
}

fn one_or_range(text: &str) -> Option<Vec<i64>> {
    let Some((first, last)) = text.split_once("..=") else { return Some(vec![text.parse().ok()?]) };
    let (first, last): (i64, i64) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    let within = last.checked_sub(first).is_some_and(|span| (0..LIMIT as i64).contains(&span));
    within.then(|| (first..=last).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_back_as_they_were_written() {
        let lists: [&[i64]; 6] =
            [&[], &[7], &[1, 2, 3], &[3; 5], &[i64::MAX, i64::MIN, i64::MIN], &[0, 0, 1, 2, 3, 4, 9]];
        for list in lists {
            assert_eq!(read(&write(list)).as_deref(), Ok(list));
        }
        assert_eq!(write(&(0..=128).chain([1000]).collect::<Vec<_>>()), "0..=128, 1000");
        assert_eq!(write(&[0; 128]), "0 x 128");
    }

    #[test]
    fn a_list_in_brackets_can_be_repeated() {
        assert_eq!(read("1, (0, 5) x 2, 9"), Ok(vec![1, 0, 5, 0, 5, 9]));
        assert_eq!(read("1..=2 x 2"), Ok(vec![1, 2, 1, 2]));
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for text in ["1,", ",", "x", "1 x", "1 x -1", "3..=1", "(1, 2", "1 2", "0 x 99999999", "0..=99999999999"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
