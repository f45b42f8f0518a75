//! What agrees with a replaced phrase beside its article: the number of verbs, the mark of the
//! possessive. Articles are put right where phrases are replaced; these are not touched, and a rule
//! or a text in which they would be wrong is refused.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use storymill_text::article;

use crate::forms::{is_invariant, is_irregular_plural};

static LISTS: LazyLock<HashMap<&str, HashSet<&str>>> = LazyLock::new(|| {
    let list = const { storymill_data::text("mixing/numbers.txt") };
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let parted = lines.filter_map(|line| line.split_once(": "));
    parted.map(|(key, words)| (key, words.split(' ').collect())).collect()
});

fn listed(list: &str, word: &str) -> bool {
    LISTS.get(list).is_some_and(|words| words.contains(word))
}

/// The word that a phrase is about: the last, or the one before `of` and the like.
fn head(phrase: &str) -> Option<&str> {
    let words: Vec<&str> = phrase.split_whitespace().collect();
    let upto = words.iter().skip(1).position(|word| listed("behind", word));
    words.get(upto.unwrap_or(words.len().checked_sub(1)?)).copied()
}

/// Whether two things are joined: `salt and pepper`.
fn is_joined(phrase: &str) -> bool {
    phrase.split_whitespace().any(|word| matches!(word, "and" | "or"))
}

/// Whether a phrase of common nouns is a plural; none where its form does not tell: names, `news`,
/// `sheep`, two things joined.
pub(crate) fn is_plural(phrase: &str) -> Option<bool> {
    let head = head(phrase)?;
    if is_joined(phrase) || !head.chars().all(|c| c.is_lowercase() || c == '-') {
        return None;
    }
    if head == "one" || is_irregular_plural(head) {
        return Some(head != "one");
    }
    let unsure = ["ss", "us", "is", "as", "os"].iter().any(|end| head.ends_with(end));
    let unsure = unsure || is_invariant(head) || listed("either", head);
    (!unsure).then_some(listed("counts", head) || head.ends_with('s'))
}

/// Why a rule would break the grammar around it, whatever the text.
pub(crate) fn fault(from: &str, to: &str) -> Option<String> {
    let wrong = article::slips(to).next().map(|at| format!("it writes `{}`", &to[at]));
    wrong.or_else(|| {
        let (own, other) = (is_plural(from)?, is_plural(to)?);
        let [one, many] = if own { [to, from] } else { [from, to] };
        (own != other).then(|| format!("`{many}` is a plural and `{one}` is not"))
    })
}

/// The number that a phrase may have, as far as it tells: one, several.
fn numbers(phrase: &str) -> [bool; 2] {
    let many = is_plural(phrase).or_else(|| {
        let head = head(phrase)?;
        if phrase.contains(" and ") {
            return Some(true);
        }
        match head {
            "1" => Some(false),
            // Names in -s are of either number: `James`, `the Weavers`.
            _ if head.starts_with(char::is_uppercase) && !head.ends_with('s') => Some(false),
            _ => None,
        }
    });
    many.map_or([true, true], |many| [!many, many])
}

/// Whether the words around a phrase show it to be several; none where they show nothing.
fn shown(before: &str, behind: &str) -> Option<bool> {
    let sign = |word: &str| {
        let word = word.to_lowercase().replace('’', "'");
        if listed("one", &word) {
            Some(false)
        } else {
            (listed("many", &word) || listed("counts", &word)).then_some(true)
        }
    };
    let tie = |c: char| !(c.is_alphanumeric() || matches!(c, '’' | '\'' | '-'));
    let mut last = before.strip_suffix([' ', '\n']).unwrap_or("").rsplit([' ', '\n']);
    let word = last.next().unwrap_or("").trim_start_matches(tie);
    let prior = last.next().filter(|_| listed("between", word)).unwrap_or("");
    // With another thing before it, a verb is of both.
    let joins = |word: &str| matches!(word, "and" | "or" | "nor") || word.ends_with(',');
    let joined = joins(word) || joins(prior);
    let own = if matches!(word, "a" | "an" | "A" | "An") { Some(false) } else { sign(word) };
    let first = behind.strip_prefix([' ', '\n']).unwrap_or("").split(tie).next().unwrap_or("");
    own.or_else(|| sign(prior)).or_else(|| sign(first).filter(|_| !joined))
}

/// What of the words around a phrase would not be of its number once another stands there: `bees
/// were` for `sheep were` is well, `a bee were` is not. Where a form does not tell its number nobody
/// guesses: what the words show must be a number that both may have.
pub(crate) fn number(from: &str, to: &str, before: &str, behind: &str) -> Option<String> {
    let own = numbers(from);
    let many = shown(before, behind);
    let uncounted = |text: &str| head(text).is_some_and(|head| listed("mass", head));
    if uncounted(to) && !uncounted(from) && counted(before) {
        return Some(format!("`{to}` is not counted, and `{from}` is"));
    }
    let other = numbers(to);
    if own == other {
        return None;
    }
    let many = many?;
    let at = usize::from(many);
    (own[at] && !other[at]).then(|| {
        let [shows, is] = if many { ["several", "one"] } else { ["one", "several"] };
        format!("the words around `{from}` show {shows}, and `{to}` is {is}")
    })
}

/// Whether what stands before a phrase counts it: `a`, `each`, `two`.
fn counted(before: &str) -> bool {
    let word = before.trim_end().rsplit(|c: char| c.is_whitespace()).next().unwrap_or("");
    let low = word.to_lowercase();
    let one = matches!(&low[..], "a" | "an" | "one" | "each" | "every" | "another");
    one || listed("counts", &low)
}

/// What is wrong with the mark of the possessive behind a phrase once another stands there: `Marsh’
/// hat` for `James’ hat`, `bakers’s bread` for `men’s bread`.
pub(crate) fn possessive(from: &str, to: &str, plural: bool, behind: &str) -> Option<String> {
    let hisses = |text: &str| text.ends_with(['s', 'S']);
    let mark = behind.chars().next().filter(|c| matches!(c, '’' | '\''))?;
    let rest = &behind[mark.len_utf8()..];
    let word = |text: &str| {
        let mut chars = text.chars();
        chars.next() == Some(' ') && chars.next().is_some_and(char::is_alphabetic)
    };
    let bare = hisses(from) && !hisses(to) && word(rest);
    let double = plural && !hisses(from) && hisses(to) && rest.starts_with("s ");
    (bare || double).then(|| {
        let end = if bare { "" } else { "s" };
        format!("`{from}{mark}{end}` would be `{to}{mark}{end}`")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_by_form() {
        for (phrase, expected) in [
            ("bee", Some(false)),
            ("bees", Some(true)),
            ("pair of scissors", Some(false)),
            ("fishermen", Some(true)),
            ("two", Some(true)),
            ("one", Some(false)),
            ("sheep", None),
            ("glass", None),
            ("salt and pepper", None),
            ("James", None),
            ("1874", None),
            ("", None),
        ] {
            assert_eq!(is_plural(phrase), expected, "{phrase}");
        }
        assert!(fault("bees", "starling").unwrap().contains("`bees` is a plural"));
        assert!(fault("harp", "a accordion").unwrap().contains("`a accordion`"));
        assert_eq!(fault("bees", "starlings"), None);
    }

    #[test]
    fn what_surrounds_a_phrase_shows_its_number() {
        for (before, behind, expected) in [
            ("The ", " were fed.", Some(true)),
            ("The ", " was fed.", Some(false)),
            ("Where were the ", " kept?", Some(true)),
            ("He sold a ", ", black.", Some(false)),
            ("He saw these ", "", Some(true)),
            ("The horse and the ", " were fed.", None),
            ("He fed the ", " at noon.", None),
        ] {
            assert_eq!(shown(before, behind), expected, "{before}…{behind}");
        }
    }

    #[test]
    fn a_number_that_is_not_told_is_not_guessed() {
        for (from, to, before, behind, slips) in [
            ("sheep", "goat", "The ", " were fed.", true),
            ("sheep", "goat", "The ", " was fed.", false),
            ("sheep", "goat", "He fed the ", " at noon.", false),
            ("sheep", "deer", "The ", " were fed.", false),
            ("goat", "sheep", "The ", " was fed.", false),
            ("salt and pepper", "flour", "The ", " are dear.", true),
            ("Weavers", "Guild", "The ", " are rich.", true),
            ("Ivo Marsh", "Silas James", "", " was here.", false),
            ("Ivo Marsh", "Jonas Thrale", "Ada and ", " were here.", false),
            ("loaf", "bread", "He ate a ", ".", true),
            ("loaf", "bread", "He ate the ", ".", false),
            ("honey", "bread", "He ate no ", ".", false),
        ] {
            assert_eq!(number(from, to, before, behind).is_some(), slips, "{from} {to} {before}");
        }
    }

    #[test]
    fn possessives_keep_their_mark_only_where_it_fits() {
        assert!(possessive("James", "Marsh", false, "’ hat").is_some());
        assert!(possessive("men", "bakers", true, "’s bread").is_some());
        for (from, to, behind) in [
            ("James", "Lucas", "’ hat"),
            ("Marsh", "James", "’s hat"),
            ("James", "Marsh", "’s hat"),
        ] {
            assert_eq!(possessive(from, to, false, behind), None);
        }
    }
}
