//! Mentions grouped into characters.
//!
//! A full name says which part is given and which is the family's. A single part joins the full
//! name it fits: *Elizabeth* the Elizabeth most named, *Mr. Darcy* the only man of that family; *Mrs.
//! Bennet* is a character of her own. Pet names join the name they stand for.

use std::collections::{BTreeMap, BTreeSet};

use storymill_text::{one_line, word::fold};

use super::{
    Character, Gender, Locale, Policy,
    parts::{Census, Mention},
    sex::Votes,
};
use crate::{
    knowledge::{Known, long_forms},
    words::Words,
};

/// Titles before a family's name; others stand before given names.
const FAMILY_TITLES: &[&str] = &[
    "mr",
    "mrs",
    "miss",
    "ms",
    "dr",
    "doctor",
    "lord",
    "captain",
    "colonel",
    "major",
    "general",
    "professor",
    "rev",
    "reverend",
    "lieutenant",
    "judge",
    "inspector",
    "admiral",
    "monsieur",
    "madame",
    "mademoiselle",
    "mme",
    "mlle",
    "herr",
    "frau",
    "signor",
    "signora",
    "mister",
    "capt",
    "col",
    "gen",
    "sergeant",
    "sergt",
];

/// A character in the making: parts by number.
#[derive(Clone, Debug, Default)]
struct Person {
    given: BTreeSet<usize>,
    family: Option<usize>,
    /// The fullest name that was seen, and how often each is.
    names: BTreeMap<String, u32>,
    seen: u32,
    votes: Votes,
    /// The title that tells them from others of the family.
    title: Option<String>,
    /// Whether they are ever named without a title, as those are who have pet names.
    familiar: bool,
}

pub(super) fn group(
    words: &Words<'_>,
    census: &Census,
    policy: Policy,
) -> (Vec<Character>, Vec<Locale>) {
    let family = families(census);
    let mut people: Vec<Person> = Vec::new();
    // The fullest names first, so that shorter ones find whom they belong to; equals by the text.
    let mut order: Vec<usize> = (0..census.mentions.len()).collect();
    order.sort_by_key(|at| (usize::MAX - census.mentions[*at].parts.len(), *at));
    let mut known: BTreeMap<(Vec<usize>, Option<&str>), usize> = BTreeMap::new();
    let mut owner = vec![0; census.mentions.len()];
    let mut singles = Vec::new();
    for at in order {
        let mention = &census.mentions[at];
        if mention.parts.len() == 1 {
            singles.push(at);
            continue;
        }
        let last = *mention.parts.last().expect("a mention has parts");
        let surname = family[last].then_some(last);
        let given: Vec<usize> =
            mention.parts.iter().copied().filter(|part| Some(*part) != surname).collect();
        let first = given.first().copied();
        let same = people.iter().position(|one| {
            one.family == surname && first.is_some_and(|first| one.given.contains(&first))
        });
        owner[at] = same.unwrap_or_else(|| {
            people.push(Person { family: surname, ..Person::default() });
            people.len() - 1
        });
        take(words, &mut people[owner[at]], mention, &given);
    }
    // A plain family name belongs to somebody whom a title may have brought first.
    singles.sort_by_key(|at| (census.mentions[*at].title.is_none(), *at));
    for at in singles {
        let mention = &census.mentions[at];
        let part = mention.parts[0];
        let title = mention.title.as_deref().filter(|_| family[part]);
        owner[at] = *known
            .entry((mention.parts.clone(), title))
            .or_insert_with(|| single(&mut people, census, part, family[part], title));
        let given = if family[part] { vec![] } else { vec![part] };
        take(words, &mut people[owner[at]], mention, &given);
    }
    for (at, mention) in census.mentions.iter().enumerate() {
        let next = census.mentions.get(at + 1).map_or(usize::MAX, |next| next.words.start);
        let title = mention.title.as_deref().map(Votes::of_title).unwrap_or_default();
        people[owner[at]].votes.add(title);
        people[owner[at]].votes.add(Votes::of_pronouns(words, mention, next));
    }
    let mut characters: Vec<Character> =
        people.iter().map(|person| character(person, census, policy)).collect();
    characters
        .sort_by(|one, other| other.seen.cmp(&one.seen).then_with(|| one.name.cmp(&other.name)));
    agree(&mut characters);
    (characters, places(census, policy))
}

/// Counts a mention for a character.
fn take(words: &Words<'_>, person: &mut Person, mention: &Mention, given: &[usize]) {
    person.given.extend(given);
    person.seen += 1;
    person.familiar |= mention.title.is_none();
    let range = words.all()[mention.words.start].start as usize
        ..words.all()[mention.words.end - 1].end as usize;
    let name = one_line(&words.text()[range]);
    *person.names.entry(name).or_default() += 1;
}

/// Whom a single part names, or somebody new.
fn single(
    people: &mut Vec<Person>,
    census: &Census,
    part: usize,
    family: bool,
    title: Option<&str>,
) -> usize {
    let most = |fits: &dyn Fn(&Person) -> bool| {
        let fitting = people.iter().enumerate().filter(|(_, person)| fits(person));
        fitting.max_by_key(|(at, person)| (person.seen, usize::MAX - at)).map(|(at, _)| at)
    };
    let gender = |person: &Person| {
        let mut votes = person.votes;
        person.given.iter().for_each(|part| votes.add(Votes::of_given(census.parts[*part].known)));
        person.title.iter().for_each(|title| votes.add(Votes::of_title(title)));
        votes.gender()
    };
    let found = match title {
        // A lady of the house may be any of its women: she stands alone.
        Some("mrs" | "madame" | "mme" | "frau" | "signora" | "lady") => None,
        Some(title) => {
            let wanted = Votes::of_title(title).gender();
            let fits = |person: &Person| {
                person.family == Some(part)
                    && (wanted == Gender::Unknown || gender(person) == wanted)
            };
            let mut fitting =
                people.iter().enumerate().filter(|(_, person)| fits(person)).map(|(at, _)| at);
            fitting.next().filter(|_| fitting.next().is_none())
        }
        None if family => {
            // The head of a family is called by its name alone, and mostly is a man.
            let of = |person: &Person| person.family == Some(part);
            most(&|person| of(person) && gender(person) == Gender::Male)
                .or_else(|| most(&|person| of(person) && gender(person) == Gender::Unknown))
                .or_else(|| most(&of))
        }
        None => most(&|person| person.given.contains(&part)).or_else(|| {
            let long: Vec<String> = long_forms(&census.parts[part].shown).map(fold).collect();
            most(&|person| {
                let mut given = person.given.iter();
                person.familiar
                    && given.any(|given| long.contains(&fold(&census.parts[*given].shown)))
            })
        }),
    };
    found.unwrap_or_else(|| {
        let title = title.map(str::to_owned);
        people.push(Person { family: family.then_some(part), title, ..Person::default() });
        people.len() - 1
    })
}

/// Which parts are names of families: last in full names and behind titles, more than first.
fn families(census: &Census) -> Vec<bool> {
    let mut votes = vec![0_i64; census.parts.len()];
    for mention in &census.mentions {
        let title = mention.title.as_deref();
        match &mention.parts[..] {
            [only] => match title {
                Some(
                    "mr" | "mrs" | "dr" | "monsieur" | "madame" | "mme" | "herr" | "frau"
                    | "professor",
                ) => votes[*only] += 3,
                Some(title) if FAMILY_TITLES.contains(&title) => votes[*only] += 1,
                Some(_) => votes[*only] -= 2,
                None => {}
            },
            [first @ .., last] => {
                for part in first {
                    votes[*part] -= 3;
                }
                votes[*last] += 3;
            }
            [] => {}
        }
    }
    let decide = |(votes, part): (i64, &super::parts::Part)| {
        let given = part.known.has(Known::FEMALE) || part.known.has(Known::MALE);
        // On the lists of given names alone, a part must stand as a family's name more than once.
        votes > if given && !part.known.has(Known::SURNAME) { 3 } else { 0 }
            || (votes == 0 && !given && part.known.has(Known::SURNAME))
    };
    votes.into_iter().zip(&census.parts).map(decide).collect()
}

/// A title as it is printed.
fn written(title: &str) -> String {
    let point = matches!(
        title,
        "mr" | "mrs" | "dr" | "rev" | "capt" | "col" | "gen" | "sergt" | "prof" | "mme" | "mlle"
    );
    let mut letters = title.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let mut out: String = first.chain(letters).collect();
    out.push_str(if point { "." } else { "" });
    out
}

fn character(person: &Person, census: &Census, policy: Policy) -> Character {
    let mut votes = person.votes;
    person.given.iter().for_each(|part| votes.add(Votes::of_given(census.parts[*part].known)));
    let shown = |part: &usize| census.parts[*part].shown.clone();
    let fullest = person.names.iter().max_by_key(|(name, count)| {
        let caps = !name.chars().any(char::is_lowercase);
        (!caps, name.split(' ').count(), **count)
    });
    let name = fullest.map_or_else(String::new, |(name, _)| name.clone());
    let gender = votes.gender();
    let name = match &person.title {
        Some(title) if person.given.is_empty() => format!("{} {name}", written(title)),
        _ => name,
    };
    let parts = person.given.iter().chain(&person.family);
    let real = parts.clone().all(|part| census.parts[*part].known.only_people());
    let divine = parts.clone().all(|part| census.parts[*part].known.only_capital());
    Character {
        name,
        gender,
        given: person.given.iter().map(shown).collect(),
        family: person.family.iter().map(shown).collect(),
        seen: person.seen,
        keep: divine || (policy.keep_real && real),
    }
}

/// A part is kept or replaced as a whole, so whoever shares one with somebody replaced is replaced too.
fn agree(characters: &mut [Character]) {
    loop {
        let replaced: BTreeSet<String> = characters
            .iter()
            .filter(|one| !one.keep)
            .flat_map(|one| one.given.iter().chain(&one.family))
            .map(|part| fold(part))
            .collect();
        let mut changed = false;
        for one in characters.iter_mut().filter(|one| one.keep) {
            if one.given.iter().chain(&one.family).any(|part| replaced.contains(&fold(part))) {
                one.keep = false;
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

fn places(census: &Census, policy: Policy) -> Vec<Locale> {
    let mut places: Vec<Locale> = census
        .places
        .iter()
        .filter(|(_, (parts, _))| !parts.is_empty())
        .map(|(name, (parts, seen))| {
            let real = parts.iter().all(|part| Known::of(&part.to_lowercase()).has(Known::PLACE));
            let keep = !policy.places || (policy.keep_real && real);
            Locale { name: name.clone(), parts: parts.clone(), seen: *seen, keep }
        })
        .collect();
    places.sort_by(|one, other| other.seen.cmp(&one.seen).then_with(|| one.name.cmp(&other.name)));
    places
}
