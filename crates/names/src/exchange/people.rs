//! The people of a cast, found in texts about its book.

use std::collections::BTreeMap;

use storymill_text::word::fold;

use super::{
    around::{begins, is_particle, joined},
    called::{Called, Form, spelt},
};
use crate::{
    cast::{CastFile, Gender},
    knowledge::{self, Known},
    titles::{self, Title},
    words::{Case, Words},
};

/// Everybody whom a cast would give other names, the most named first.
#[derive(Debug)]
pub(super) struct People {
    pub(super) all: Vec<Person>,
    parts: BTreeMap<String, Part>,
    /// Parts without capitals, as in Chinese.
    pub(super) uncased: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Person {
    pub(super) name: String,
    pub(super) gender: Gender,
    /// How many of the same gender are named more often.
    pub(super) rank: usize,
    pub(super) given: Vec<Spelt>,
    pub(super) family: Vec<Spelt>,
    /// Folded names of her husband's.
    husband: Vec<String>,
    seen: u32,
}

/// A part as it is written, and folded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spelt {
    pub(super) shown: String,
    pub(super) folded: String,
}

#[derive(Clone, Copy, Debug, Default)]
struct Part {
    given: bool,
    family: bool,
    /// It is a common word too.
    careful: bool,
}

/// What was found in a text.
#[derive(Debug, Default)]
pub(super) struct Finds {
    pub(super) called: Vec<Called>,
    /// Whether there is something that may be a name or part of a longer one.
    pub(super) unclear: bool,
}

impl Person {
    pub(super) fn is_kin(&self, other: &Self) -> bool {
        self.family.iter().any(|part| other.family.contains(part))
    }
}

impl People {
    pub(super) fn of(cast: &CastFile) -> Self {
        let part = |part: &String| Spelt { shown: part.clone(), folded: fold(part) };
        let mut people: Vec<_> = cast.characters.iter().filter(|one| !one.keep).collect();
        people.sort_by_key(|one| std::cmp::Reverse(one.seen));
        let mut ranks: BTreeMap<Gender, usize> = BTreeMap::new();
        let mut all = Vec::with_capacity(people.len());
        let mut parts: BTreeMap<String, Part> = BTreeMap::new();
        let mut uncased = Vec::new();
        for one in people {
            let rank = ranks.entry(one.gender).or_default();
            let person = Person {
                name: one.name.clone(),
                gender: one.gender,
                rank: *rank,
                given: one.given.iter().map(part).collect(),
                family: one.family.iter().map(part).collect(),
                husband: one.husband.iter().map(|part| fold(part)).collect(),
                seen: one.seen,
            };
            *rank += 1;
            for part in &person.given {
                parts.entry(part.folded.clone()).or_default().given = true;
            }
            for part in &person.family {
                parts.entry(part.folded.clone()).or_default().family = true;
            }
            let all_parts = person.given.iter().chain(&person.family);
            let small = all_parts.filter(|part| !part.shown.starts_with(char::is_uppercase));
            uncased.extend(small.map(|part| part.shown.clone()));
            all.push(person);
        }
        for careful in &cast.careful {
            parts.entry(fold(&careful.part)).and_modify(|part| part.careful = true);
        }
        Self { all, parts, uncased }
    }

    /// Whether a folded word is part of somebody's name.
    pub(super) fn has(&self, folded: &str) -> bool {
        self.parts.contains_key(folded)
    }

    /// Whether a part is a common word too.
    pub(super) fn is_careful(&self, part: &str) -> bool {
        self.parts.get(&fold(part)).is_some_and(|part| part.careful)
    }

    fn part_at(&self, words: &Words<'_>, at: usize) -> Option<Part> {
        let word = words.all().get(at).filter(|word| word.letter && word.case != Case::Low)?;
        self.parts.get(&fold(words.low(Some(at)))).copied().filter(|_| word.letter)
    }

    /// Every name in a text.
    pub(super) fn find(&self, words: &Words<'_>) -> Finds {
        let mut finds = Finds::default();
        let mut at = 0;
        while at < words.len() {
            let Some(first) = self.part_at(words, at) else {
                at += 1;
                continue;
            };
            let start = Self::start(words, at);
            let mut parts = vec![(at, first)];
            at += 1;
            while let Some((next, part)) = self.next(words, at) {
                parts.push((next, part));
                at = next + 1;
            }
            let titles = titles::before(words, start);
            let alone = titles.is_empty() && parts.iter().all(|(_, part)| part.careful);
            if alone || joined(words, start, at) || titles.iter().any(|one| is_saint(one)) {
                finds.unclear = true;
                continue;
            }
            let own = parts[0].0;
            let mut called = called(words, &parts, &titles, start..at);
            // Dejah Thoris is no family's name alone, even if only the second word is known.
            called.form.given |= (start..own).any(|at| !is_particle(words.low(Some(at))));
            finds.called.push(called);
        }
        finds
    }

    /// Where a name begins of which this is the first part that is known: at a particle with a capital, or at a word
    /// inside the sentence that can only be a name.
    fn start(words: &Words<'_>, first: usize) -> usize {
        let mut start = first;
        while let Some(before) = start.checked_sub(1) {
            let word = words.all()[before];
            let low = words.low(Some(before));
            let large = word.letter && word.case == Case::Inside && !begins(words, before);
            let adjacent = words.gap(start) && !words.all()[start].breaks;
            let name = is_particle(low) || !Title::of(low).is_title();
            if !(large && adjacent && name && low.chars().count() > 1) {
                break;
            }
            start = before;
        }
        // Mr. van der Luyden
        let mut small = start;
        while small > 0 && words.gap(small) && is_particle(words.low(Some(small - 1))) {
            small -= 1;
        }
        let point = usize::from(small > 0 && words.surface(small - 1) == ".");
        let title = small.checked_sub(1 + point).is_some_and(|at| {
            words.all()[at].case != Case::Low && Title::of(words.low(Some(at))).is_title()
        });
        if title { small } else { start }
    }

    /// The next part of a name, behind small words that stand inside of names.
    fn next(&self, words: &Words<'_>, at: usize) -> Option<(usize, Part)> {
        for next in at..at + 3 {
            let word = words.all().get(next).filter(|word| !word.breaks)?;
            if !words.gap(next) {
                return None;
            }
            if let Some(part) = self.part_at(words, next) {
                return Some((next, part));
            }
            if word.case != Case::Low || !is_particle(words.low(Some(next))) {
                return None;
            }
        }
        None
    }

    /// Who is called so; none if that is in doubt, or of which gender they are.
    pub(super) fn bearer(&self, called: &Called) -> Option<usize> {
        let sex = called.sex;
        let has = |parts: &[Spelt], names: &[String]| {
            names.iter().all(|name| parts.iter().any(|part| part.folded == *name))
        };
        let fits = |at: &usize| {
            let one = &self.all[*at];
            has(&one.given, &called.given) && has(&one.family, &called.family)
        };
        let all: Vec<usize> = (0..self.all.len()).filter(fits).collect();
        let first = |gender: Gender| all.iter().copied().find(|at| self.all[*at].gender == gender);
        let gender = match sex {
            Some(sex) => sex,
            None => self.gender(&all, !called.form.given)?,
        };
        let opposite = match gender {
            Gender::Female => Known::MALE,
            _ => Known::FEMALE,
        };
        let against = called.given.iter().any(|name| {
            let known = knowledge::given(name);
            known.has(opposite) && !(known.has(Known::MALE) && known.has(Known::FEMALE))
        });
        let at = first(gender).filter(|_| !against && gender != Gender::Unknown)?;
        let husband = &self.all[at].husband;
        (!called.given.iter().any(|name| husband.contains(name))).then_some(at)
    }

    /// The gender of people of whom one is meant. A family's name alone is a man's.
    fn gender(&self, people: &[usize], family: bool) -> Option<Gender> {
        let seen = |gender: Gender| -> u32 {
            let of = people.iter().filter(|at| self.all[**at].gender == gender);
            of.map(|at| self.all[*at].seen).sum()
        };
        let [she, he, unknown] = [Gender::Female, Gender::Male, Gender::Unknown].map(seen);
        match (family, she, he, unknown) {
            (true, she, he, unknown) => (he > 4 * (she + unknown)).then_some(Gender::Male),
            (false, 1.., 0, 0) => Some(Gender::Female),
            (false, 0, 1.., 0) => Some(Gender::Male),
            _ => None,
        }
    }
}

/// What a title says of who bears it.
fn sex_of(title: &str) -> Option<Gender> {
    let known = Title::of(title);
    match (known.has(Title::FEMALE), known.has(Title::MALE) || title == "m") {
        (true, false) => Some(Gender::Female),
        (false, true) => Some(Gender::Male),
        _ => None,
    }
}

fn is_saint(title: &str) -> bool {
    Title::of(title).has(Title::SAINT)
}

fn called(
    words: &Words<'_>,
    parts: &[(usize, Part)],
    titles: &[&str],
    range: std::ops::Range<usize>,
) -> Called {
    let (mut given, mut family) = (Vec::new(), Vec::new());
    for (number, (at, part)) in parts.iter().enumerate() {
        let name = fold(words.low(Some(*at)));
        // What may be both is a first name where another name stands behind it.
        let last = number + 1 == parts.len();
        if part.given && !(part.family && last && parts.len() > 1) {
            given.push(name);
        } else {
            family.push(name);
        }
    }
    let mut from = range.start;
    let mut left = titles.len();
    while left > 0 && from > 0 {
        from -= 1;
        left -= usize::from(titles.contains(&words.low(Some(from))));
    }
    // Her sister Jane may be anybody's; Sister Jane is called so.
    let large = |title: &&&str| {
        let mut before = (from..range.start).rev();
        before.any(|at| words.low(Some(at)) == **title && words.all()[at].case != Case::Low)
    };
    let spelt = titles.iter().filter(large).map(|title| spelt(title).to_owned());
    let titled: Vec<String> = spelt.collect();
    let article = from.checked_sub(1).is_some_and(|at| {
        let article = ["the", "a", "an", "that", "this", "la", "le"];
        words.gap(from) && article.contains(&words.low(Some(at)))
    });
    let plain = titled.len() == titles.len()
        && (from..range.start)
            .all(|at| words.surface(at) == "." || titles.contains(&words.low(Some(at))));
    let form = Form { titles: titled, given: !given.is_empty(), family: !family.is_empty() };
    Called {
        titled: (plain && !article).then(|| words.all()[from].start as usize),
        sex: titles.iter().find_map(|title| sex_of(title)),
        form,
        given,
        family,
        words: from..range.end,
        bytes: words.all()[range.start].start as usize..words.all()[range.end - 1].end as usize,
        caps: range.clone().all(|at| words.all()[at].case == Case::Caps),
    }
}
