//! Names that look alike: the sound they begin with, the s they end in, their length, their capitals.

/// A substitute with the capitals of what it stands for.
pub(super) fn like(substitute: &str, surface: &str) -> String {
    let caps = surface.chars().any(char::is_uppercase) && !surface.chars().any(char::is_lowercase);
    if caps && surface.chars().nth(1).is_some() {
        substitute.to_uppercase()
    } else {
        substitute.to_owned()
    }
}

/// Which article the book puts before a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Article {
    /// It puts none.
    #[default]
    Any,
    A,
    An,
}

/// Whether a name may stand behind the article, by its sound; what is doubtful may not.
pub(super) fn fits(name: &str, article: Article) -> bool {
    let begins = |begins: &[&str]| begins.iter().any(|begin| name.starts_with(begin));
    match article {
        Article::Any => true,
        Article::A => !is_vowel(name) && !begins(&["Hon", "Heir", "Hour"]),
        Article::An => is_vowel(name) && !begins(&["U", "Eu", "Ew", "One"]),
    }
}

fn is_vowel(name: &str) -> bool {
    name.starts_with(['A', 'E', 'I', 'O', 'U', 'É', 'Á', 'Ö', 'Ü'])
}

/// How far a candidate is from a name: what changes `a` to `an`, or `James’` to `James’s`, weighs most.
pub(super) fn distance(name: &str, candidate: &str) -> usize {
    let s = |name: &str| name.ends_with(['s', 'x', 'z']);
    let length = |name: &str| name.chars().count();
    4 * usize::from(is_vowel(name) != is_vowel(candidate))
        + 4 * usize::from(s(name) != s(candidate))
        + length(name).abs_diff(length(candidate))
}

/// The plurals that a name may have, the best first.
pub(super) fn plurals_of(name: &str) -> Vec<String> {
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| name.ends_with(end));
    if hisses {
        return vec![format!("{name}es")];
    }
    let consonant = |stem: &str| stem.ends_with(|c: char| !"aeiou".contains(c));
    let ies =
        name.strip_suffix('y').filter(|stem| consonant(stem)).map(|stem| format!("{stem}ies"));
    std::iter::once(format!("{name}s")).chain(ies).collect()
}
