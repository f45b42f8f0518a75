//! Mentions grouped into characters.
//!
//! Families come first: a full name says which part is given and which is the family's. Then first names find
//! the person who bears them, pet names the name they stand for; a title and a family's name find the one of
//! that family whom they fit, and a family's name alone its head.

use std::collections::{BTreeMap, BTreeSet};

use storymill_text::{one_line, word::fold};

use super::{
    Character, Gender, Locale, Policy,
    parts::{Census, Mention},
    person::{Person, is_rank},
    roles::{MISS, Shape, WIFE, families, last, shape},
    sex::Votes,
};
use crate::{
    knowledge::{Known, are_forms},
    lists::PARTICLES,
    titles::Title,
    words::{Case, Words},
};

pub(super) fn group(
    words: &Words<'_>,
    census: &Census,
    policy: Policy,
) -> (Vec<Character>, Vec<Locale>) {
    let people = People::of(words, census);
    let mut characters: Vec<Character> =
        people.all.iter().map(|person| person.character(census, policy)).collect();
    characters
        .sort_by(|one, other| other.seen.cmp(&one.seen).then_with(|| one.name.cmp(&other.name)));
    agree(&mut characters);
    (characters, places(census, policy))
}

/// Everybody so far.
struct People<'c> {
    census: &'c Census,
    words: &'c Words<'c>,
    all: Vec<Person>,
}

/// A mention with all that is known of it.
struct Told<'c> {
    mention: &'c Mention,
    shape: Shape,
    votes: Votes,
}

/// A few pages, in words: a pet name and the name it stands for are met that near somewhere.
const NEAR: usize = 4000;
/// A page: who is mostly called by a title is met that near by a pet name most of the time.
const BESIDE: usize = 400;

/// First names that so many bear that two of one name are two people.
const COMMON: &[&str] =
    &["mary", "jane", "ann", "anne", "elizabeth", "catherine", "sarah", "margaret"];

impl<'c> People<'c> {
    fn of(words: &'c Words<'c>, census: &'c Census) -> Self {
        let family = families(census);
        let last = last(census);
        let known: Vec<Told<'c>> = census
            .mentions
            .iter()
            .enumerate()
            .map(|(at, mention)| {
                let next = census.mentions.get(at + 1).map_or(usize::MAX, |next| next.words.start);
                let shape = shape(census, &family, &last, mention);
                let mut votes = Votes::of_titles(&mention.titles);
                votes.add(Votes::of_pronouns(words, mention, next));
                Told { mention, shape, votes }
            })
            .collect();
        let mut people = People { census, words, all: Vec::new() };
        people.full(&known);
        people.merge_forms();
        people.merge_married(&known);
        people.given(&known);
        people.titled(&known);
        people.bare(&known);
        people.called(&known);
        people.husbands(&family);
        people
    }

    /// Who is called by two names, as the book says itself: Charles Evremonde, called Darnay.
    fn called(&mut self, known: &[Told<'_>]) {
        for pair in known.windows(2) {
            let [one, other] = pair else { continue };
            let between: Vec<&str> = (one.mention.words.end..other.mention.words.start)
                .take(4)
                .map(|at| self.words.low(Some(at)))
                .filter(|low| *low != ",")
                .collect();
            if !matches!(between[..], ["called" | "alias"] | ["known", "as"]) {
                continue;
            }
            let bearer = |told: &Told<'_>, beside: Option<usize>| {
                let has = |at: &usize| {
                    let person = &self.all[*at];
                    let part = |part: &usize| {
                        person.given.contains_key(part) || person.family.contains(part)
                    };
                    told.mention.parts.iter().all(part)
                };
                let agrees = |at: &usize| beside.is_none_or(|beside| self.agree(beside, *at));
                let all = (0..self.all.len()).filter(has).filter(agrees);
                all.max_by_key(|at| (self.all[*at].seen, usize::MAX - at))
            };
            let Some(a) = bearer(one, None) else { continue };
            let Some(b) = bearer(other, Some(a)) else { continue };
            if a != b {
                let [big, small] =
                    if self.all[a].seen < self.all[b].seen { [b, a] } else { [a, b] };
                let gone = std::mem::take(&mut self.all[small]);
                self.all[big].join(gone);
            }
        }
    }

    /// Who is known by his wife alone: the John of Mrs. John Dashwood. What is a family's name too stays hers.
    fn husbands(&mut self, is_family: &[bool]) {
        for at in 0..self.all.len() {
            let (family, first): (Vec<usize>, Vec<usize>) =
                self.all[at].husband.iter().partition(|part| is_family[**part]);
            self.all[at].family.extend(family);
            let own = self.all[at].family.clone();
            for part in first {
                let his = |one: &Person| {
                    one.given.contains_key(&part)
                        && (own.is_empty() || !own.is_disjoint(&one.family))
                };
                if self.all.iter().any(his) {
                    continue;
                }
                let name = own.iter().fold(self.shown(part).to_owned(), |name, family| {
                    format!("{name} {}", self.shown(*family))
                });
                // The only gentleman of the family, where it has one wife who is called so.
                let unnamed = |one: &&mut Person| {
                    one.given.is_empty() && one.has_title("mr") && !own.is_disjoint(&one.family)
                };
                let rivals = self
                    .all
                    .iter()
                    .filter(|one| !one.husband.is_empty() && !own.is_disjoint(&one.family));
                let alone = rivals.count() == 1;
                if let Some(one) = self.all.iter_mut().find(unnamed).filter(|_| alone) {
                    one.is_named(part, name);
                    continue;
                }
                self.all.push(Person::husband_of(part, own.clone(), name));
            }
        }
        self.all.retain(|one| !one.given.is_empty() || !one.family.is_empty());
    }

    /// A mention as it is written, with the small words before it: van der Lee, St. Clare.
    fn name(&self, mention: &Mention) -> String {
        let all = self.words.all();
        let mut first = mention.words.start;
        while let Some(before) = first.checked_sub(1).filter(|_| !all[first].breaks) {
            let low = self.words.low(Some(before));
            let particle = PARTICLES.contains(&low) && !matches!(low, "of" | "and" | "the" | "'");
            let saint = Title::of(low).has(Title::SAINT) && all[before].case != Case::Low;
            let point = low == "." && self.words.low(before.checked_sub(1)) == "st";
            if !(particle || saint || point) {
                break;
            }
            first = before;
        }
        let range = all[first].start as usize..all[mention.words.end - 1].end as usize;
        one_line(&self.words.text()[range])
    }

    fn take(&mut self, at: usize, one: &Told<'_>) {
        let name = self.name(one.mention);
        self.all[at].take(one.mention, &one.shape, name, one.votes);
    }

    fn gender(&self, at: usize) -> Gender {
        self.all[at].gender(self.census)
    }

    fn shown(&self, part: usize) -> &str {
        &self.census.parts[part].shown
    }

    /// Full names, each a person: Elizabeth Bennet.
    fn full(&mut self, known: &[Told<'_>]) {
        let mut of: BTreeMap<(usize, Option<usize>), usize> = BTreeMap::new();
        for one in known.iter().filter(|one| one.mention.parts.len() > 1 && !one.shape.husband) {
            let Some(first) = one.shape.given.first() else { continue };
            if self.is_between(one) {
                continue;
            }
            let at = *of.entry((*first, one.shape.family)).or_insert_with(|| {
                self.all.push(Person::default());
                self.all.len() - 1
            });
            self.take(at, one);
        }
    }

    /// Whether the parts of a name that a hyphen holds together are others' names: the Archer-Newland cousins.
    fn is_between(&self, one: &Told<'_>) -> bool {
        one.mention.hyphen
            && one.mention.parts.iter().any(|part| self.census.parts[*part].places.len() > 1)
    }

    /// Whether two may be one by gender.
    fn agree(&self, one: usize, other: usize) -> bool {
        let [one, other] = [one, other].map(|at| self.gender(at));
        one == other || one == Gender::Unknown || other == Gender::Unknown
    }

    /// One person under two forms of a first name: Elizabeth Bennet and Eliza Bennet.
    fn merge_forms(&mut self) {
        self.merge(|people, one, other| {
            let [one, other] = [one, other].map(|at| &people.all[at]);
            let same = |one: &Person, other: &Person| {
                let forms =
                    |a: &usize, b: &usize| a == b || are_forms(people.shown(*a), people.shown(*b));
                one.given.keys().any(|a| other.given.keys().any(|b| forms(a, b)))
            };
            !one.family.is_empty() && !one.family.is_disjoint(&other.family) && same(one, other)
        });
    }

    /// A woman under her own family's name and her husband's: a rare first name, and one of them a wife.
    fn merge_married(&mut self, known: &[Told<'_>]) {
        let wife = |title: &String| {
            WIFE.contains(&title.as_str()) || title == "lady" || title == "countess"
        };
        let wives: BTreeSet<usize> = known
            .iter()
            .filter(|one| {
                one.mention.parts.len() == 1 && one.mention.titles.first().is_some_and(wife)
            })
            .filter_map(|one| one.shape.family)
            .collect();
        self.merge(|people, one, other| {
            let female = |at| people.gender(at) == Gender::Female;
            let common =
                |part: &usize| COMMON.contains(&people.shown(*part).to_lowercase().as_str());
            let [a, b] = [one, other].map(|at| &people.all[at]);
            let first = a.given.keys().find(|part| b.given.contains_key(part));
            female(one)
                && female(other)
                && !a.family.is_empty()
                && !b.family.is_empty()
                && !wives.is_disjoint(&(&a.family | &b.family))
                && first.is_some_and(|part| !common(part))
        });
    }

    /// Joins pairs as long as there are any, each with the one that is named most.
    fn merge(&mut self, is_one: impl Fn(&Self, usize, usize) -> bool) {
        let mut order: Vec<usize> = (0..self.all.len()).collect();
        order.sort_by_key(|at| (std::cmp::Reverse(self.all[*at].seen), *at));
        let mut gone = BTreeSet::new();
        for (nth, small) in order.iter().enumerate().rev() {
            let fits = |big: &&usize| self.agree(**big, *small) && is_one(self, **big, *small);
            let mut fitting = order[..nth].iter().filter(fits);
            if let (Some(big), None) = (fitting.next().copied(), fitting.next()) {
                let small_one = std::mem::take(&mut self.all[*small]);
                self.all[big].join(small_one);
                gone.insert(*small);
            }
        }
        let mut at = 0;
        self.all.retain(|_| {
            at += 1;
            !gone.contains(&(at - 1))
        });
    }

    /// First names alone: Elizabeth, Lizzy, Sir William, Miss Mary.
    fn given(&mut self, known: &[Told<'_>]) {
        let mut of: BTreeMap<usize, Vec<&Told<'_>>> = BTreeMap::new();
        for one in known {
            if one.mention.parts.len() == 1
                && let ([part], None, false) =
                    (&one.shape.given[..], one.shape.family, one.shape.husband)
            {
                of.entry(*part).or_default().push(one);
            }
        }
        // Long forms first, so that pet names find them.
        let long = |part: usize| {
            let short = |other: &usize| {
                *other != part
                    && are_forms(self.shown(part), self.shown(*other))
                    && self.shown(part).len() < self.shown(*other).len()
            };
            !of.keys().any(short)
        };
        let mut order: Vec<(bool, usize, usize)> =
            of.iter().map(|(part, all)| (!long(*part), usize::MAX - all.len(), *part)).collect();
        order.sort_unstable();
        for (_, _, part) in order {
            let mut owner: BTreeMap<Option<String>, usize> = BTreeMap::new();
            for one in &of[&part] {
                let title = one.mention.titles.first().cloned();
                let at = match owner.get(&title) {
                    Some(at) => *at,
                    None => {
                        let at = self.bearer(part, title.as_deref(), &of[&part]);
                        let at = at.unwrap_or_else(|| {
                            self.all.push(Person::default());
                            self.all.len() - 1
                        });
                        owner.insert(title, at);
                        at
                    }
                };
                self.take(at, one);
            }
        }
    }

    /// Who bears a first name: whoever is named most of those whom the title fits, else by a pet name.
    fn bearer(&self, part: usize, title: Option<&str>, all: &[&Told<'_>]) -> Option<usize> {
        let wanted = title.map(Votes::of_title).unwrap_or_default().gender();
        let fits = |at: &usize| {
            let gender = self.gender(*at);
            wanted == Gender::Unknown || gender == Gender::Unknown || gender == wanted
        };
        let has = |at: &usize| self.all[*at].given.contains_key(&part);
        let own = |at: &usize| title.is_some_and(|title| self.all[*at].has_title(title));
        let most = |at: &usize| (own(at), self.all[*at].seen, usize::MAX - at);
        let everybody = || (0..self.all.len()).filter(fits);
        let known = |at: &usize| self.is_introduced(&self.all[*at], all);
        if let Some(at) = everybody().filter(has).filter(known).max_by_key(most) {
            return Some(at);
        }
        // A title that fits nobody, once or twice, is no title: `to her father Jane said`.
        let few = all.iter().filter(|one| one.mention.titles.first().map(String::as_str) == title);
        if wanted != Gender::Unknown && 10 * few.count() < all.len() {
            let borne = (0..self.all.len()).filter(has).max_by_key(most);
            if borne.is_some() {
                return borne;
            }
        }
        let shown = self.shown(part);
        let form = |at: &usize| {
            let person = &self.all[*at];
            let of = |other: &usize| are_forms(shown, self.shown(*other));
            let familiar =
                2 * person.familiar + 2 >= person.seen.min(20) || person.family.len() == 1;
            person.given.keys().any(of)
                && familiar
                && (!person.is_noble() || 2 * self.near(person, all, BESIDE) > all.len())
                && self.near(person, all, NEAR) > 0
        };
        let agrees = |at: &usize| {
            let own = Votes::of_given(shown).gender();
            let gender = self.gender(*at);
            own == gender || own == Gender::Unknown || gender == Gender::Unknown
        };
        everybody().filter(form).filter(agrees).max_by_key(most)
    }

    /// Whether a full name is that of somebody who is mostly called by the first name: it comes early, or often.
    fn is_introduced(&self, person: &Person, all: &[&Told<'_>]) -> bool {
        let first = person.at.first().copied().unwrap_or(usize::MAX);
        let before = all.iter().filter(|one| one.mention.words.start < first).count();
        4 * before <= all.len() || 40 * (person.seen as usize) >= all.len()
    }

    /// How many of these mentions stand within so many words of somebody's.
    fn near(&self, person: &Person, all: &[&Told<'_>], words: usize) -> usize {
        let is_near = |one: &&&Told<'_>| {
            let at = one.mention.words.start;
            let next = person.at.partition_point(|other| *other < at);
            let near =
                |other: Option<&usize>| other.is_some_and(|other| other.abs_diff(at) < words);
            near(person.at.get(next))
                || near(next.checked_sub(1).and_then(|one| person.at.get(one)))
        };
        all.iter().filter(is_near).count()
    }

    /// Titles before families: Mr. Darcy, Mrs. John Dashwood, Aunt Philips.
    fn titled(&mut self, known: &[Told<'_>]) {
        let mut of: BTreeMap<(usize, &str), Vec<&Told<'_>>> = BTreeMap::new();
        let mut wives: BTreeMap<(usize, Option<usize>), Vec<&Told<'_>>> = BTreeMap::new();
        for one in known {
            let title = one.mention.titles.first().map(String::as_str);
            match (one.shape.family, title) {
                (Some(family), Some(title)) if one.shape.given.is_empty() => {
                    of.entry((family, title)).or_default().push(one);
                }
                (family, Some(_)) if one.shape.husband => {
                    wives.entry((one.shape.given[0], family)).or_default().push(one);
                }
                _ => {}
            }
        }
        // Each husband has a wife of his own, whom `Mrs.` and the family's name alone may find.
        for (_, all) in wives {
            self.all.push(Person::default());
            let at = self.all.len() - 1;
            all.into_iter().for_each(|one| self.take(at, one));
        }
        let counts: BTreeMap<(usize, &str), usize> =
            of.iter().map(|(key, all)| (*key, all.len())).collect();
        let mut order: Vec<_> = of.into_iter().collect();
        order.sort_by_key(|((family, title), all)| {
            let wife = WIFE.contains(title);
            (!matches!(*title, "mr" | "m" | "monsieur") && !wife, usize::MAX - all.len(), *family)
        });
        for ((family, title), all) in order {
            let at = self.of_title(family, title, &counts).unwrap_or_else(|| {
                self.all.push(Person::default());
                self.all.len() - 1
            });
            all.into_iter().for_each(|one| self.take(at, one));
        }
    }

    /// Whom a title and a family's name mean, if only one fits, or one far more than the others.
    fn of_title(
        &self,
        family: usize,
        title: &str,
        counts: &BTreeMap<(usize, &str), usize>,
    ) -> Option<usize> {
        let wanted = Votes::of_title(title).gender();
        let wife = WIFE.contains(&title) || title == "lady";
        let rank = Some(title).filter(|title| is_rank(title));
        // Where there is a Miss of the family, its first names are those of daughters.
        let daughters = MISS.iter().any(|miss| counts.contains_key(&(family, *miss)));
        let miss = MISS.contains(&title);
        let often = |title: &str| counts.get(&(family, title)).copied().unwrap_or(0);
        let fits = |at: &usize| {
            let person = &self.all[*at];
            let gender = self.gender(*at);
            let ranks = match (rank, person.rank()) {
                (Some(one), Some(other)) => one == other,
                _ => true,
            };
            let same = match gender {
                Gender::Unknown => {
                    let leans = person.leans(self.census);
                    wanted == Gender::Unknown
                        || leans == wanted
                        || (leans == Gender::Unknown && !wife)
                }
                _ => wanted == Gender::Unknown || gender == wanted,
            };
            let own = person.has_title(title);
            let daughter = wife
                && !person.given.is_empty()
                && !own
                && (daughters
                    || person.is_miss_of(family)
                    || (person.family.len() == 1 && 10 * often(title) < person.seen as usize));
            // Mr. Craven and Dr. Craven are two where both are named often.
            let doctor = matches!(title, "dr" | "doctor") && !own && person.has_title("mr") && {
                let [one, other] = [often(title), often("mr")];
                4 * one.min(other) >= one.max(other) && one.min(other) >= 4
            };
            let lady = person.has_title("lady") && (miss || title == "mrs");
            person.family.contains(&family)
                && same
                && ranks
                && !daughter
                && !doctor
                && !lady
                && !(miss && person.is_wife() && !person.is_miss())
        };
        let mut fitting: Vec<usize> = (0..self.all.len()).filter(fits).collect();
        let own = |at: &usize| self.all[*at].has_title(title);
        if fitting.iter().any(own) {
            fitting.retain(own);
        }
        // Nobody of unknown gender is taken where somebody of the right one is.
        let right = |at: &usize| self.gender(*at) == wanted;
        if wanted != Gender::Unknown && fitting.iter().any(right) {
            fitting.retain(right);
        }
        fitting.sort_by_key(|at| (std::cmp::Reverse(self.all[*at].seen), *at));
        match fitting[..] {
            [] => None,
            [one] => Some(one),
            [one, other, ..] => {
                let times = if wife { 5 } else { 2 };
                (self.all[one].seen >= times * self.all[other].seen).then_some(one)
            }
        }
    }

    /// A family's name alone is its head's, who mostly is a man.
    fn bare(&mut self, known: &[Told<'_>]) {
        let mut owner: BTreeMap<usize, usize> = BTreeMap::new();
        for one in known {
            let (Some(family), true, true) =
                (one.shape.family, one.shape.given.is_empty(), one.mention.titles.is_empty())
            else {
                continue;
            };
            let at = match owner.get(&family) {
                Some(at) => *at,
                None => {
                    let at = self.head(family).unwrap_or_else(|| {
                        self.all.push(Person::default());
                        self.all.len() - 1
                    });
                    owner.insert(family, at);
                    at
                }
            };
            self.take(at, one);
        }
    }

    fn head(&self, family: usize) -> Option<usize> {
        let rank = |gender: Gender| match gender {
            Gender::Male => 2,
            Gender::Unknown => 1,
            Gender::Female => 0,
        };
        // Of women only who is called Miss or Mrs. is called so too.
        let of = |at: &usize| {
            let person = &self.all[*at];
            let titled = !person.titles.is_empty() || person.given.is_empty();
            person.family.contains(&family) && (titled || self.gender(*at) != Gender::Female)
        };
        let best = |at: &usize| (rank(self.gender(*at)), self.all[*at].seen, usize::MAX - at);
        (0..self.all.len()).filter(of).max_by_key(best)
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
