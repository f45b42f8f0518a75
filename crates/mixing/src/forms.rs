//! The forms of a word or phrase: plural, capital, capitals; and the parts of a name.

use std::{collections::BTreeSet, ops::Range, sync::LazyLock};

use storymill_text::{
    Language,
    article::{self, takes_an},
};

use crate::parts::{Care, is_caps, parts};

/// One form of what a rule replaces, and the form that stands for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) from: String,
    pub(crate) to: String,
    /// Whether it stands all in capitals because its text does.
    pub(crate) loud: bool,
    /// Whether it is a plural that a rule made.
    pub(crate) plural: bool,
    /// Whether `an` stands before each side; none in a language without it.
    pub(crate) an: [Option<bool>; 2],
    /// Where a part of a name may be another word.
    pub(crate) care: Care,
    /// The rule's own phrases, that the form is of.
    pub(crate) pair: [String; 2],
}

impl Form {
    /// The form the other way round, to put texts back.
    pub(crate) fn turned(&self) -> Self {
        let ([from, to], [own, other]) = (self.an, self.pair.clone());
        let pair = [other, own];
        Self { from: self.to.clone(), to: self.from.clone(), an: [to, from], pair, ..self.clone() }
    }

    /// The article that a text before this form ends with, and what stands there instead; none if it
    /// fits what is written.
    pub(crate) fn article(&self, before: &str) -> Option<(Range<usize>, &'static str)> {
        let an = self.an[1]?;
        let at = article::at_end(before)?;
        let instead = article::instead(&before[at.clone()], an, self.loud)?;
        Some((at, instead))
    }
}

/// Every form of a phrase, with the form that stands for it; its own first.
pub(crate) fn forms(from: &str, to: &str, language: Language) -> Vec<Form> {
    distinct(of_pair(from, to, language, Care::None))
}

/// Every form of the parts of a name that have a part to stand for them.
pub(crate) fn forms_of_parts(from: &str, to: &str, language: Language) -> Vec<Form> {
    let pairs = parts(from, to, language).into_iter();
    distinct(pairs.flat_map(|(one, other, care)| of_pair(&one, &other, language, care)).collect())
}

/// A form that is another's already says nothing new.
fn distinct(mut all: Vec<Form>) -> Vec<Form> {
    let mut seen = BTreeSet::new();
    all.retain(|form| seen.insert(form.from.clone()));
    all
}

fn of_pair(from: &str, to: &str, language: Language, care: Care) -> Vec<Form> {
    let english = language == Language::English;
    let an = [from, to].map(|side| takes_an(side).filter(|_| english));
    let whole = (from, to);
    let plain = |from: &str, to: &str, plural: bool| Form {
        from: from.to_owned(),
        to: to.to_owned(),
        loud: false,
        plural,
        an,
        care,
        pair: [whole.0.to_owned(), whole.1.to_owned()],
    };
    let mut pairs = vec![plain(from, to, false)];
    if language != Language::Chinese && from.ends_with(char::is_alphabetic) {
        pairs.push(plain(&plural(from), &plural(to), true));
    }
    let mut all = Vec::new();
    for form in pairs {
        let (from, to) = (&form.from, &form.to);
        all.push(form.clone());
        if from.starts_with(char::is_lowercase) {
            all.push(plain(&capital(from), &capital(to), form.plural));
            // As in a title; of a single word that is its capital.
            if from.contains(' ') && to.contains(' ') {
                all.push(plain(&titled(from), &titled(to), form.plural));
            }
        }
        if from.chars().filter(|c| c.is_alphabetic()).nth(1).is_some() && !is_caps(from) {
            let loud = plain(&from.to_uppercase(), &to.to_uppercase(), form.plural);
            all.push(Form { loud: true, ..loud });
        }
    }
    let set: Vec<_> = all.iter().flat_map(set_otherwise).collect();
    all.extend(set);
    all
}

/// A phrase as it is set elsewhere: broken at the end of a line, with the other apostrophe.
fn set_otherwise(form: &Form) -> Vec<Form> {
    let (from, to) = (&form.from, &form.to);
    let as_set = |from: String, to: String| Form { from, to, ..form.clone() };
    let gaps = |text: &str| text.match_indices(' ').map(|(at, _)| at).collect::<Vec<_>>();
    let (own, other) = (gaps(from), gaps(to));
    let broken = |text: &str, at: usize| format!("{}\n{}", &text[..at], &text[at + 1..]);
    let mut all: Vec<_> = (0..own.len())
        .map(|gap| {
            let at = other.get(gap.min(other.len().saturating_sub(1)));
            as_set(broken(from, own[gap]), at.map_or_else(|| to.clone(), |at| broken(to, *at)))
        })
        .collect();
    for (one, another) in [('\'', "’"), ('’', "'")] {
        if from.contains(one) {
            all.push(as_set(from.replace(one, another), to.replace(one, another)));
        }
    }
    all
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn titled(text: &str) -> String {
    text.split(' ').map(capital).collect::<Vec<_>>().join(" ")
}

/// Irregular plurals, each behind its singular.
static IRREGULAR: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let list = const { storymill_data::text("mixing/plurals.txt") };
    list.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.trim().split_once(' '))
        .collect()
});

/// Whether a word in small letters is a plural that no rule makes.
pub(crate) fn is_irregular_plural(word: &str) -> bool {
    let men = |end| word.strip_suffix(end).is_some_and(|start: &str| start.len() > 2);
    IRREGULAR.iter().any(|(one, many)| one != many && *many == word) || men("men") || men("women")
}

/// Whether a word in small letters is its own plural.
pub(crate) fn is_invariant(word: &str) -> bool {
    IRREGULAR.iter().any(|(one, many)| one == many && *one == word)
}

/// The plural of the last word of a phrase: irregular if it is known to be, else regular.
pub(crate) fn plural(phrase: &str) -> String {
    let start = phrase.rfind([' ', '-']).map_or(0, |at| at + 1);
    let (rest, last) = phrase.split_at(start);
    if let Some((_, many)) = IRREGULAR.iter().find(|(one, _)| *one == last) {
        return format!("{rest}{many}");
    }
    if let Some(stem) = last.strip_suffix("man").filter(|stem| stem.len() > 2)
        && last.starts_with(char::is_lowercase)
    {
        return format!("{rest}{stem}men");
    }
    let low = phrase.to_lowercase();
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| low.ends_with(end));
    let before_y = low.strip_suffix('y').and_then(|rest| rest.chars().next_back());
    if hisses {
        format!("{phrase}es")
    } else if before_y.is_some_and(|c| !"aeiou".contains(c))
        && phrase.starts_with(char::is_lowercase)
    {
        format!("{}ies", &phrase[..phrase.len() - 1])
    } else {
        format!("{phrase}s")
    }
}
