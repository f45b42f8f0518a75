//! Which words mean the same, or are forms of one.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

/// Forms of irregular verbs, the base first; a line each.
const VERBS: &str = include_str!("../../../../data/claims/verbs.txt");
/// Words and phrases of nearly the same meaning; a group in each line, parted by commas.
const SYNONYMS: &str = include_str!("../../../../data/claims/synonyms.txt");

static BASES: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
    let forms = lines(VERBS).flat_map(|line| {
        let base = line.split_whitespace().next().unwrap_or(line);
        line.split_whitespace().map(move |form| (form, base))
    });
    // The first line that has a form counts: `lay` is a form of `lie` and of itself.
    let mut bases = BTreeMap::new();
    for (form, base) in forms {
        bases.entry(form).or_insert(base);
    }
    bases
});

static GROUPS: LazyLock<BTreeMap<String, BTreeSet<usize>>> = LazyLock::new(|| {
    let mut groups: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (group, line) in lines(SYNONYMS).enumerate() {
        for phrase in line.split(',') {
            let roots: Vec<_> = phrase.split_whitespace().map(root).collect();
            groups.entry(roots.join(" ")).or_default().insert(group);
        }
    }
    groups
});

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// What the forms of a word have in common: the base of an irregular verb, else the stem without
/// endings of verbs and plurals.
pub(super) fn root(word: &str) -> Cow<'_, str> {
    if let Some(base) = BASES.get(word) {
        return Cow::Borrowed(base);
    }
    let stem =
        |ending: &str, least: usize| word.strip_suffix(ending).filter(|stem| stem.len() >= least);
    let cut = stem("ies", 2).or_else(|| stem("ied", 2)).map(|stem| format!("{stem}y"));
    if let Some(cut) = cut {
        return Cow::Owned(cut);
    }
    let cut = ["ing", "ed", "es", "s", "e"].iter().find_map(|ending| stem(ending, 3));
    let cut = cut.filter(|_| !word.ends_with("ss")).unwrap_or(word);
    // `planned` is of `plan`; `called` of `call` loses a letter too, and so does `call`.
    let mut letters = cut.chars().rev();
    let (last, before) = (letters.next(), letters.next());
    let doubled =
        last == before && last.is_some_and(|c| c.is_ascii_lowercase() && !"aeiou".contains(c));
    let cut = if doubled && cut.len() > 3 { &cut[..cut.len() - 1] } else { cut };
    Cow::Borrowed(cut.strip_suffix('e').filter(|cut| cut.len() > 2).unwrap_or(cut))
}

/// Whether two words stand in one group of the list.
pub(super) fn alike(a: &str, b: &str) -> bool {
    phrases_alike(&[a.to_owned()], &[b.to_owned()])
}

/// Whether two phrases stand in one group of the list.
pub(super) fn phrases_alike(a: &[String], b: &[String]) -> bool {
    let group = |words: &[String]| {
        GROUPS.get(&words.iter().map(|word| root(word)).collect::<Vec<_>>().join(" "))
    };
    match (group(a), group(b)) {
        (Some(a), Some(b)) => !a.is_disjoint(b),
        _ => false,
    }
}

/// Whether two words are spellings of one: `grey` and `gray`, `honour` and `honor`.
pub(super) fn spelt_alike(a: &str, b: &str) -> bool {
    let plain = |word: &str| {
        word.replace("our", "or")
            .replace("ise", "ize")
            .replace("yse", "yze")
            .replace("grey", "gray")
            .replace("theatre", "theater")
            .replace("centre", "center")
            .replace('-', "")
    };
    plain(a) == plain(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table() {
        for (a, b, same) in [
            ("goes", "went", true),
            ("loves", "loved", true),
            ("planned", "plans", true),
            ("called", "calls", true),
            ("cries", "cried", true),
            ("cry", "cries", true),
            ("boxes", "box", true),
            ("house", "houses", true),
            ("dress", "dresses", true),
            ("yacht", "boat", false),
            ("green", "yellow", false),
        ] {
            assert_eq!(root(a) == root(b), same, "{a} {b}: {} {}", root(a), root(b));
        }
        assert!(alike("angry", "furious") && !alike("angry", "happy"));
        assert!(spelt_alike("grey", "gray") && !spelt_alike("grey", "green"));
    }

    #[test]
    fn the_lists_hold_what_they_should() {
        for line in lines(VERBS) {
            assert!(line.split_whitespace().count() > 1, "{line}");
        }
        for line in lines(SYNONYMS) {
            assert!(
                line.split(',').count() > 1
                    && line.split(',').all(|phrase| !phrase.trim().is_empty()),
                "{line}"
            );
        }
    }
}
