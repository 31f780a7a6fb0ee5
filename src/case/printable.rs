//! What others say, before it is shown on a terminal.

use std::borrow::Cow;

/// `text` with an escape in place of every character that would do something to a terminal rather than be seen there:
/// control characters, changes of direction, spaces of no width. Line feeds are left where there may be many `lines`.
pub fn printable(text: &str, lines: bool) -> Cow<'_, str> {
    let seen = |c: char| matches!(c, '"' | '\'' | '\\') || lines && c == '\n' || c.escape_debug().len() == 1;
    if text.chars().all(seen) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if seen(c) { shown.push(c) } else { shown.extend(c.escape_debug()) }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped_and_the_rest_is_left_as_it_is() {
        let plain = "C:\\new \"naïve\" 価 'x' 🦀";
        assert!(matches!(printable(plain, false), Cow::Borrowed(same) if same == plain));
        assert_eq!(
            printable("\x1b[2J\x07a\r\u{9b}31m\u{202e}b\u{200b}\u{7f}", true),
            r"\u{1b}[2J\u{7}a\r\u{9b}31m\u{202e}b\u{200b}\u{7f}"
        );
        assert_eq!((printable("a\nb", true), printable("a\nb", false)), ("a\nb".into(), "a\\nb".into()));
    }
}
