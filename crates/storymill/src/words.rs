//! Counts, texts and paths as messages show them.

use std::path::{MAIN_SEPARATOR, Path};

pub use storymill_core::plural;

/// Text that came from a book, a model or a file name, made safe for a terminal: without control
/// characters, which could move the cursor or change colours, and without what turns the text around it.
pub fn plain(text: &str) -> String {
    let safe = |symbol: char| {
        matches!(symbol, '\n' | '\t') || !symbol.is_control() && !storymill_core::turns(symbol)
    };
    text.chars().map(|symbol| if safe(symbol) { symbol } else { '\u{FFFD}' }).collect()
}

/// A path as it can be typed behind a command: in quotes where a shell would take it apart.
pub fn typed(path: &Path) -> String {
    let path = plain(&path.display().to_string());
    let safe = |c: char| c.is_alphanumeric() || "/._-+:@%,=".contains(c) || c == MAIN_SEPARATOR;
    if !path.is_empty() && path.chars().all(safe) {
        return path;
    }
    format!("'{}'", path.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn nothing_moves_or_turns_a_terminal() {
        assert_eq!(plain("a\u{1b}[2J\u{202e}b\u{2069}\tc\n"), "a\u{fffd}[2J\u{fffd}b\u{fffd}\tc\n");
    }
}
