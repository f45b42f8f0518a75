//! Everybody in the making, and full names, with which it begins.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use storymill_text::one_line;

use super::{
    Gender,
    apart::{apart, together},
    mentions::Mention,
    parts::Census,
    person::Person,
    roles::{Shape, families, is_wife, last, shape},
    sex::Votes,
    signs::is_listed,
};
use crate::{
    lists::PARTICLES,
    titles::Title,
    words::{Case, Words},
};

/// Everybody so far.
pub(super) struct People<'c> {
    pub(super) census: &'c Census,
    pub(super) words: &'c Words<'c>,
    pub(super) all: Vec<Person>,
    /// First names of whom the book makes two.
    pub(super) apart: BTreeMap<[usize; 2], usize>,
    pub(super) sentences: Vec<Range<usize>>,
}

/// A mention with all that is known of it.
pub(super) struct Told<'c> {
    pub(super) mention: &'c Mention,
    pub(super) shape: Shape,
    pub(super) votes: Votes,
}

impl Told<'_> {
    /// Whether a wife's title stands before a family's name.
    pub(super) fn is_wife(&self) -> bool {
        let wife = |title: &String| is_wife(title) || title == "lady";
        self.shape.family.is_some() && self.mention.titles.first().is_some_and(wife)
    }
}

impl<'c> People<'c> {
    pub(super) fn of(words: &'c Words<'c>, census: &'c Census) -> Self {
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
                if mention.titles.is_empty() {
                    votes.add(of_land(words, mention.words.start));
                }
                votes.add(Votes::of_pronouns(words, mention, next));
                Told { mention, shape, votes }
            })
            .collect();
        let apart = apart(words, &known);
        let sentences = words.sentences();
        let mut people = People { census, words, all: Vec::new(), apart, sentences };
        people.full(&known);
        people.merge_longer();
        people.merge_forms();
        people.merge_married(&known);
        people.given(&known);
        people.titled(&known);
        people.bare(&known);
        people.called(&known);
        people.husbands(&family);
        people
    }

    /// Somebody new.
    pub(super) fn add(&mut self) -> usize {
        self.all.push(Person::default());
        self.all.len() - 1
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

    pub(super) fn take(&mut self, at: usize, one: &Told<'_>) {
        let name = self.name(one.mention);
        self.all[at].take(one.mention, &one.shape, name, one.votes);
    }

    pub(super) fn gender(&self, at: usize) -> Gender {
        self.all[at].gender(self.census)
    }

    pub(super) fn shown(&self, part: usize) -> &str {
        &self.census.parts[part].shown
    }

    /// Whether two may be one by gender.
    pub(super) fn agree(&self, one: usize, other: usize) -> bool {
        let [one, other] = [one, other].map(|at| self.gender(at));
        one == other || one == Gender::Unknown || other == Gender::Unknown
    }

    /// Whether somebody is named in one sentence with these mentions, as two people are.
    pub(super) fn is_beside(&self, person: &Person, all: &[&Told<'_>]) -> bool {
        let ones: BTreeSet<usize> = all.iter().map(|one| one.mention.words.start).collect();
        together(self.words, &self.sentences, &ones, &person.at)
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
}

/// What the title of somebody says who is called by lands: the Countess of Quorn.
fn of_land(words: &Words<'_>, name: usize) -> Votes {
    let [of, title] = [1, 2].map(|back| name.checked_sub(back));
    let noble = words.low(of) == "of" && is_listed("noble", words.low(title));
    if noble { Votes::of_lands(words.low(title)) } else { Votes::default() }
}
