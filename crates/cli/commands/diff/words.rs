//! Two texts, word by word: what went in `[-...-]`, what came in `{+...+}`, as git marks them.

use similar::{ChangeTag, TextDiff};

use crate::table::plain;

/// How many words of an unchanged stretch are shown before and after a change.
const AROUND: usize = 6;

/// Texts that share less than this many words in a hundred are shown one after the other: word by word they read as noise.
const ALIKE: usize = 30;

/// Symbols of a text that is shown as a whole.
const WHOLE: usize = 160;

/// The changes between two texts, each with the words around it.
pub(super) fn words(old: &str, new: &str) -> String {
    let diff = TextDiff::from_words(old, new);
    let long = old.chars().count().max(new.chars().count()) > WHOLE;
    let is_word = |change: &similar::Change<&str>| !change.value().trim().is_empty();
    let (mut shared, mut all) = (0, 0);
    for change in diff.iter_all_changes().filter(is_word) {
        // A shared word stands in both.
        let counts = if change.tag() == ChangeTag::Equal { (2, 2) } else { (0, 1) };
        (shared, all) = (shared + counts.0, all + counts.1);
    }
    if long && 100 * shared < ALIKE * all {
        return format!("[-{}-] {{+{}+}}", begins(old), begins(new));
    }
    let mut runs: Vec<(ChangeTag, Vec<String>)> = Vec::new();
    for change in diff.iter_all_changes() {
        let word = plain(change.value());
        match runs.last_mut() {
            Some((tag, run)) if *tag == change.tag() => run.push(word),
            _ => runs.push((change.tag(), vec![word])),
        }
    }
    let last = runs.len().saturating_sub(1);
    let mut out = String::new();
    for (at, (tag, run)) in runs.iter().enumerate() {
        match tag {
            ChangeTag::Delete => out += &marked("[-", run, "-]"),
            ChangeTag::Insert => out += &marked("{+", run, "+}"),
            ChangeTag::Equal => out += &shortened(run, at > 0, at < last),
        }
    }
    out
}

fn begins(text: &str) -> String {
    let mut shown: String = text.chars().take(WHOLE).collect();
    if shown.len() < text.len() {
        shown.push_str("...");
    }
    plain(&shown)
}

/// The marks stand close around the words, blanks outside.
fn marked(open: &str, run: &[String], close: &str) -> String {
    let text = run.concat();
    let inner = text.trim();
    if inner.is_empty() {
        return format!("{open}{text}{close}");
    }
    let start = text.len() - text.trim_start().len();
    let end = text.trim_end().len();
    format!("{}{open}{inner}{close}{}", &text[..start], &text[end..])
}

/// An unchanged stretch without its middle. Words and the blanks between them are counted alike.
fn shortened(run: &[String], after: bool, before: bool) -> String {
    let (head, tail) = (if after { 2 * AROUND } else { 0 }, if before { 2 * AROUND } else { 0 });
    if run.len() <= head + tail + 2 {
        return run.concat();
    }
    format!("{} ... {}", run[..head].concat(), run[run.len() - tail..].concat())
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn changes_are_marked() {
        assert_eq!(words("the red mill", "the blue mill"), "the [-red-]{+blue+} mill");
        assert_eq!(words("same", "same"), "same");
        let other = |word: &str| format!("{word} ").repeat(200);
        let told = words(&other("red"), &other("blue"));
        assert!(told.starts_with("[-red red") && told.contains("-] {+blue"), "{told}");
        assert!(told.chars().count() < 3 * super::WHOLE, "{told}");
        let long = "a b c d e f g h i j k l m n o p q r s t u v w x y z";
        let told = words(&format!("{long} one {long}"), &format!("{long} two {long}"));
        assert_eq!(told, " ... u v w x y z [-one-]{+two+} a b c d e f ... ");
    }
}
