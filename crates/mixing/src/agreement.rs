//! What agrees with a replaced phrase beside its article: the number of verbs, the mark of the
//! possessive. Articles are put right where phrases are replaced; these are not touched, and a rule
//! or a text in which they would be wrong is refused.

use storymill_text::article;

use crate::forms::{is_invariant, is_irregular_plural};

/// Whether a phrase of common nouns is a plural; none where its form does not tell: names, `news`,
/// `sheep`, two things joined.
pub(crate) fn is_plural(phrase: &str) -> Option<bool> {
    /// What may stand behind the word that a phrase is about.
    const BEHIND: [&str; 12] =
        ["of", "in", "on", "with", "for", "from", "at", "by", "to", "over", "under", "without"];
    /// Words in -s that are one thing, or none.
    const EITHER: &str = "always sometimes perhaps besides towards afterwards upstairs downstairs \
        indoors outdoors news lens series species means works mews barracks headquarters gallows \
        innings crossroads yes hers ours yours theirs";
    let words: Vec<&str> = phrase.split_whitespace().collect();
    let upto = words.iter().skip(1).position(|word| BEHIND.contains(word));
    let head = *words.get(upto.unwrap_or(words.len().checked_sub(1)?))?;
    let joined = words.iter().any(|word| matches!(*word, "and" | "or"));
    if joined || !head.chars().all(|c| c.is_lowercase() || c == '-') {
        return None;
    }
    if head == "one" || is_irregular_plural(head) {
        return Some(head != "one");
    }
    let unsure = ["ss", "us", "is", "as", "os"].iter().any(|end| head.ends_with(end));
    let unsure = unsure || is_invariant(head) || EITHER.split(' ').any(|one| one == head);
    let counts = NUMBERS.split(' ').any(|number| number == head);
    (!unsure).then_some(counts || head.ends_with('s'))
}

/// Numbers that stand before a plural.
const NUMBERS: &str = "two three four five six seven eight nine ten eleven twelve twenty thirty \
    forty fifty sixty seventy eighty ninety both several many";

/// Why a rule would break the grammar around it, whatever the text.
pub(crate) fn fault(from: &str, to: &str) -> Option<String> {
    let wrong = article::slips(to).next().map(|at| format!("it writes `{}`", &to[at]));
    wrong.or_else(|| {
        let (own, other) = (is_plural(from)?, is_plural(to)?);
        let [one, many] = if own { [to, from] } else { [from, to] };
        (own != other).then(|| format!("`{many}` is a plural and `{one}` is not"))
    })
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
