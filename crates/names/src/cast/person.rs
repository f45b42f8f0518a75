//! A character in the making.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Character, Gender,
    mentions::Mention,
    parts::Census,
    roles::{Shape, is_miss, is_wife},
    sex::Votes,
    signs::is_listed,
};
use crate::titles::Title;

/// Somebody, by parts, titles and everything that speaks for a gender.
#[derive(Clone, Debug, Default)]
pub(super) struct Person {
    pub(super) given: BTreeMap<usize, u32>,
    /// Those of them that stand first: a second one may be a family's, and says little of a gender.
    firsts: BTreeSet<usize>,
    pub(super) family: BTreeSet<usize>,
    /// First names of her husband.
    pub(super) husband: BTreeSet<usize>,
    pub(super) titles: BTreeMap<String, u32>,
    /// The names that were seen, and how often each is.
    names: BTreeMap<String, u32>,
    pub(super) seen: u32,
    pub(super) votes: Votes,
    /// How often a first name stands alone and without a title, as those are called who have pet names.
    pub(super) familiar: u32,
    /// The families before whose name Miss stands with the first name.
    full_miss: BTreeSet<usize>,
    /// The words of the mentions, in order.
    pub(super) at: BTreeSet<usize>,
}

impl Person {
    /// Somebody of whom the book only names the wife.
    pub(super) fn husband_of(part: usize, family: BTreeSet<usize>, name: String) -> Self {
        Self {
            given: BTreeMap::from([(part, 1)]),
            firsts: BTreeSet::from([part]),
            family,
            names: BTreeMap::from([(name, 1)]),
            seen: 1,
            votes: Votes::of_title("mr"),
            ..Self::default()
        }
    }

    /// Gives somebody the first name by which his wife is called.
    pub(super) fn is_named(&mut self, first: usize, name: String) {
        self.given.insert(first, 1);
        self.firsts.insert(first);
        self.names.insert(name, 1);
    }

    /// Counts a mention.
    pub(super) fn take(&mut self, mention: &Mention, shape: &Shape, name: String, votes: Votes) {
        for part in &shape.given {
            if shape.husband {
                self.husband.insert(*part);
            } else {
                *self.given.entry(*part).or_default() += 1;
            }
        }
        self.firsts.extend(shape.given.first().filter(|_| !shape.husband));
        self.family.extend(shape.family);
        for title in &mention.titles {
            *self.titles.entry(title.clone()).or_default() += 1;
        }
        self.seen += 1;
        let miss = mention.titles.first().is_some_and(|title| is_miss(title));
        self.full_miss.extend(shape.family.filter(|_| miss));
        let bare = mention.titles.is_empty() && shape.family.is_none();
        self.familiar += u32::from(bare);
        *self.names.entry(name).or_default() += 1;
        self.votes.add(votes);
        self.at.insert(mention.words.start);
    }

    /// Takes another over: both are one.
    pub(super) fn join(&mut self, other: Self) {
        for (part, count) in other.given {
            *self.given.entry(part).or_default() += count;
        }
        self.firsts.extend(other.firsts);
        self.family.extend(other.family);
        self.husband.extend(other.husband);
        for (title, count) in other.titles {
            *self.titles.entry(title).or_default() += count;
        }
        for (name, count) in other.names {
            *self.names.entry(name).or_default() += count;
        }
        self.seen += other.seen;
        self.familiar += other.familiar;
        self.full_miss.extend(other.full_miss);
        self.votes.add(other.votes);
        self.at.extend(other.at);
    }

    /// What titles, lists and pronouns say together. What a list says of a first name weighs the more the
    /// oftener it stands, since pronouns behind it err in one way all over a book.
    pub(super) fn gender(&self, census: &Census) -> Gender {
        self.all_votes(census).gender()
    }

    /// Whether only pronouns say that somebody with a first name is a woman.
    pub(super) fn is_woman_by_pronouns(&self, census: &Census) -> bool {
        let listed =
            |part: &usize| Votes::of_given(&census.parts[*part].shown).gender() == Gender::Female;
        let titled =
            self.titles.keys().any(|title| Votes::of_title(title).gender() == Gender::Female);
        !titled
            && !self.given.is_empty()
            && !self.given.keys().any(listed)
            && self.gender(census) == Gender::Female
    }

    /// Which way the votes lean, if they do not decide.
    pub(super) fn leans(&self, census: &Census) -> Gender {
        self.all_votes(census).leans()
    }

    fn all_votes(&self, census: &Census) -> Votes {
        let mut votes = self.votes;
        for (part, count) in self.given.iter().filter(|(part, _)| self.firsts.contains(part)) {
            let list = Votes::of_given(&census.parts[*part].shown);
            votes.add(list);
            if list.is_listed() {
                votes.add(list.times(count / 16));
            }
        }
        votes
    }

    /// Whether somebody is called Sir or Lady more often than by a first name alone.
    pub(super) fn is_noble(&self) -> bool {
        let titles = ["lady", "sir", "lord", "dame"].iter();
        titles.filter_map(|title| self.titles.get(*title)).sum::<u32>() > self.familiar
    }

    /// The rank that tells a general from a captain of one family, if the book gives one.
    pub(super) fn rank(&self) -> Option<&str> {
        self.titles.keys().map(String::as_str).find(|title| is_listed("rank", title))
    }

    pub(super) fn is_wife(&self) -> bool {
        self.titles.keys().any(|title| is_wife(title))
    }

    /// Whether a part is one of the names.
    pub(super) fn has(&self, part: usize) -> bool {
        self.given.contains_key(&part) || self.family.contains(&part)
    }

    pub(super) fn is_miss(&self) -> bool {
        self.titles.keys().any(|title| is_miss(title))
    }

    pub(super) fn is_miss_of(&self, family: usize) -> bool {
        self.full_miss.contains(&family)
    }

    pub(super) fn has_title(&self, title: &str) -> bool {
        self.titles.contains_key(title)
    }

    pub(super) fn character(&self, census: &Census) -> Character {
        let shown = |part: &usize| census.parts[*part].shown.clone();
        let fullest = self.names.iter().max_by_key(|(name, count)| {
            let caps = !name.chars().any(char::is_lowercase);
            (!caps, name.split(' ').count(), **count)
        });
        let family = || self.family.iter().map(shown).collect::<Vec<_>>().join(" ");
        let name = fullest.map_or_else(family, |(name, _)| name.clone());
        let title = self.titles.iter().max_by_key(|(_, count)| **count);
        let name = match title {
            Some((title, _)) if self.given.is_empty() && !name.is_empty() => {
                format!("{} {name}", written(title))
            }
            _ => name,
        };
        let own = self.given.keys().filter(|part| !self.husband.contains(part));
        Character {
            name,
            gender: self.gender(census),
            given: own.chain(self.husband.difference(&self.family)).map(shown).collect(),
            husband: self.husband.difference(&self.family).map(shown).collect(),
            family: self.family.iter().map(shown).collect(),
            seen: self.seen,
            keep: false,
        }
    }
}

/// A title as it is printed.
fn written(title: &str) -> String {
    let point = Title::of(title).has(Title::SHORT) || is_listed("pointed", title);
    let mut letters = title.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let mut out: String = first.chain(letters).collect();
    out.push_str(if point { "." } else { "" });
    out
}
