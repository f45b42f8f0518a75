//! Which words are forms of one word. English only, and only so fine that `refuses`, `refused` and
//! `refusing` are one; scores that must equal published ones have Porter's stems, in `metrics`.

use std::{borrow::Cow, collections::HashMap, sync::LazyLock};

use crate::lists::lines;

/// The base of each irregular form. The first line that has a form counts: `lay` is a form of `lie`
/// and of itself.
static BASES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let mut bases = HashMap::new();
    for line in lines(include_str!("../data/forms.txt")) {
        let base = line.split(' ').next().unwrap_or(line);
        for form in line.split(' ') {
            bases.entry(form).or_insert(base);
        }
    }
    bases
});

/// What the forms of a word in small letters have in common: `refus` of `refusing`, `giv` of `gave`.
///
/// ```
/// use storymill_text::stem::stem;
/// assert_eq!(stem("carried"), stem("carries"));
/// assert_eq!(stem("went"), stem("going"));
/// ```
pub fn stem(word: &str) -> String {
    let base = BASES.get(word).copied().unwrap_or(word);
    let mut stem = Cow::Borrowed(base);
    // Plurals and persons first, then tenses, then adverbs: `buildings` is of `build`.
    for endings in [&["ies", "es", "s"][..], &["ied", "ing", "ed"], &["ly"]] {
        stem = without(stem, endings);
    }
    // `planned` is of `plan`; `called` of `call` loses a letter too, and so does `call`.
    let mut stem = stem.into_owned();
    let mut last = stem.chars().rev();
    let (one, other) = (last.next(), last.next());
    let doubled =
        one == other && one.is_some_and(|c| c.is_ascii_lowercase() && !"aeiou".contains(c));
    if doubled && stem.len() > 3 {
        stem.pop();
    }
    while stem.len() > 3 && stem.ends_with('e') {
        stem.pop();
    }
    if stem.ends_with('y') {
        stem.pop();
        stem.push('i');
    }
    stem
}

/// A word without the first ending of a list that it has.
fn without<'w>(word: Cow<'w, str>, endings: &[&str]) -> Cow<'w, str> {
    let cut = endings.iter().find_map(|ending| {
        let left = word.strip_suffix(ending)?;
        let of_y = ending.starts_with("ie");
        let fits =
            left.len() >= if of_y { 2 } else { 3 } && !(*ending == "s" && left.ends_with('s'));
        fits.then(|| left.to_owned() + if of_y { "y" } else { "" })
    });
    cut.map_or(word, Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_are_one_word() {
        for forms in [
            "refuse refuses refused refusing",
            "carry carries carried carrying",
            "cry cries cried",
            "stop stopped stopping stops",
            "give gave given gives",
            "go goes went",
            "come came comes coming",
            "love loves loved",
            "plan planned plans",
            "call called calls",
            "travel travelled travels",
            "pass passed passes",
            "family families",
            "day days",
            "agree agrees agreed",
            "letter letters",
            "building buildings build",
            "box boxes",
            "house houses",
            "dress dresses",
            "cut cutting",
        ] {
            let stems: Vec<String> = forms.split(' ').map(stem).collect();
            assert!(stems.windows(2).all(|two| two[0] == two[1]), "{forms}: {stems:?}");
        }
        assert_ne!(stem("accept"), stem("except"));
        assert_ne!(stem("green"), stem("yellow"));
    }

    #[test]
    fn every_base_has_forms() {
        let mut all = lines(include_str!("../data/forms.txt"));
        assert!(all.all(|line| line.contains(' ')));
    }
}
