//! Who did it, to whom, and where: swaps of persons, places and deeds.

use std::ops::Range;

use storymill_core::Summary;
use storymill_text::word_count;

use super::{
    line::Line,
    slots::{Person, Slot, SlotKind, Stock, Telling},
};
use crate::narrative::{
    lexicon::{TITLES, is_past},
    names::{Called, Gender, Mention, Name, NameKind},
};

/// What somebody did in some scene: a sentence of a retelling without its subject.
#[derive(Clone, Debug)]
pub(super) struct Donor<'n> {
    scene: u32,
    gender: Gender,
    /// The rest of the sentence: ` closed the red door.`
    deed: String,
    /// Who did it, and who else is named in it.
    called: Vec<Called<'n>>,
}

/// How many deeds a slot offers at most.
const MOST: usize = 8;

impl<'n> Stock<'n> {
    fn known(&self, mention: &Mention) -> Option<&'n Name> {
        self.names.all.get(&mention.name)
    }

    fn person(&self, mention: &Mention) -> Option<&'n Name> {
        self.known(mention)
            .filter(|name| name.kind == NameKind::Person && name.gender != Gender::Unclear)
    }

    /// Persons and places for others.
    pub(super) fn names_in(&self, line: &Line<'_>, slots: &mut Vec<Slot>) {
        for (at, mention) in line.mentions.iter().enumerate() {
            let again = line.mentions[..at].iter().any(|other| other.name == mention.name);
            let Some(name) =
                self.known(mention).filter(|_| !again && !line.is_part_of_name(mention))
            else {
                continue;
            };
            let (kind, others) = match name.kind {
                NameKind::Person if name.gender != Gender::Unclear => {
                    (SlotKind::Person, self.others(line, &mention.name, name.gender))
                }
                NameKind::Place => (SlotKind::Place, self.elsewhere(line, mention)),
                _ => continue,
            };
            let all = line.mentions.iter().filter(|other| other.name == mention.name);
            let places: Vec<Range<usize>> = all.map(|other| other.start..other.end).collect();
            let telling = |other: &str| Telling {
                changes: places.iter().map(|place| (place.clone(), other.to_owned())).collect(),
                said: self.names.all.get(other).map_or(0, |name| name.mentions),
            };
            let of = (&mention.name[..], Some(name.mentions));
            line.keep(kind, of, others.into_iter().map(telling).collect(), slots);
        }
    }

    /// Other persons of the same gender who are called in the same way, with a title or without.
    fn others(&self, line: &Line<'_>, text: &str, gender: Gender) -> Vec<&'n str> {
        let titled = is_titled(text);
        let alike = |other: &&Person<'_>| other.gender == gender && is_titled(other.text) == titled;
        let others = self.persons.iter().filter(alike);
        others.filter(|other| !line.is_taken(&other.called)).map(|other| other.text).collect()
    }

    fn elsewhere(&self, line: &Line<'_>, mention: &Mention) -> Vec<&'n str> {
        let several = mention.name.contains(' ');
        let places = self.places.iter().filter(|(place, _)| place.contains(' ') == several);
        places.filter(|(_, called)| !line.is_taken(called)).map(|(place, _)| *place).collect()
    }

    /// Two persons of one clause that can change places: who did what to whom.
    pub(super) fn exchanges_in(&self, line: &Line<'_>, slots: &mut Vec<Slot>) {
        let mentions = line.mentions.iter().zip(&line.called);
        let persons: Vec<_> = mentions.filter(|(m, _)| self.person(m).is_some()).collect();
        let [(one, one_called), (other, other_called)] = persons[..] else { return };
        let between = &line.text[one.end..other.start];
        let words = || line.words.iter().filter(|w| w.start >= one.end && w.end <= other.start);
        let pronouns = ["he", "him", "his", "she", "her", "hers", "himself", "herself"];
        let pronoun = line.words.iter().any(|w| pronouns.contains(&w.text));
        let same = self.person(one).map(|n| n.gender) == self.person(other).map(|n| n.gender);
        // `Anne met Diana` is as true the other way round.
        let mutual =
            ["and", "or", "nor", "but", "with", "like", "met", "married", "resembled", "joined"];
        let one_sided =
            words().any(|w| is_past(w.text)) && !words().any(|w| mutual.contains(&w.text));
        let owned = |m: &Mention| line.text[m.end..].starts_with(['’', '\'']);
        let whole = ![one, other].iter().any(|m| owned(m) || line.is_part_of_name(m));
        let close = !between.contains([',', ';', ':', '—', '“', '”', '"']);
        let strangers = !one_called.may_be(other_called);
        if one_sided && whole && close && strangers && (same || !pronoun) {
            let changes = vec![
                (one.start..one.end, other.name.clone()),
                (other.start..other.end, one.name.clone()),
            ];
            let telling = Telling { changes, said: 1 };
            line.keep(SlotKind::Exchange, (&one.name, None), vec![telling], slots);
        }
    }

    /// What persons do in the retellings of a book.
    pub(super) fn donors_of(&self, summaries: &[Summary]) -> Vec<Donor<'n>> {
        let mut donors = Vec::new();
        for summary in summaries.iter().filter(|summary| summary.level == 0) {
            for line in self.lines(&summary.text) {
                donors.extend(self.donor(&line, summary.first_scene));
            }
        }
        donors
    }

    fn donor(&self, line: &Line<'_>, scene: u32) -> Option<Donor<'n>> {
        let (subject, name) = self.doer(line)?;
        let deed = &line.text[subject.end..line.range.end];
        let words = word_count(deed);
        // A deed must be understood far from its scene.
        let leans = [
            "it", "they", "them", "this", "these", "those", "such", "too", "also", "again", "I",
            "my", "me", "you", "we", "us",
        ];
        let plain = !line.words.iter().any(|word| leans.contains(&word.text));
        let whole = !deed.contains(['“', '”', '"', '‘', '(']);
        ((5..=22).contains(&words) && plain && whole).then(|| Donor {
            scene,
            gender: name.gender,
            deed: deed.to_owned(),
            called: line.mentions.iter().map(|mention| self.names.called(&mention.name)).collect(),
        })
    }

    /// The person that a sentence begins with, if a verb stands right behind.
    fn doer<'l>(&self, line: &'l Line<'_>) -> Option<(&'l Mention, &'n Name)> {
        let subject = line.mentions.first().filter(|mention| mention.start == line.range.start)?;
        let name = self.person(subject)?;
        let verb = line.words.iter().find(|word| word.start > subject.end)?;
        let acts = is_past(verb.text);
        let near = &line.text[subject.end..verb.start] == " ";
        (acts && near).then_some((subject, name))
    }

    /// What somebody else did elsewhere, told of whoever this sentence is about.
    pub(super) fn deeds_in(&self, line: &Line<'_>, summary: &Summary, slots: &mut Vec<Slot>) {
        // A retelling of one sentence would be another retelling, not a false one.
        let alone = line.range == (0..line.text.len());
        let Some((subject, name)) = self.doer(line).filter(|_| !alone) else { return };
        let far = |donor: &&Donor<'_>| donor.scene.abs_diff(summary.first_scene) > 1;
        // Whoever a sentence begins with is its first mention.
        let Some(called) = line.called.first() else { return };
        let fits = |donor: &&Donor<'_>| {
            donor.gender == name.gender && !donor.called.iter().any(|other| other.may_be(called))
        };
        // Not always the same few: where to begin depends on the scene.
        let from = (summary.at as usize).wrapping_mul(7) % self.donors.len().max(1);
        let donors = self.donors[from..].iter().chain(&self.donors[..from]);
        let telling = |donor: &Donor<'_>| Telling {
            changes: vec![(subject.end..line.range.end, donor.deed.clone())],
            said: 1,
        };
        let tellings = donors.filter(far).filter(fits).take(MOST).map(telling);
        line.keep(SlotKind::Deed, (&subject.name, None), tellings.collect(), slots);
    }
}

/// Whether a name begins with a title.
fn is_titled(name: &str) -> bool {
    name.split([' ', '.']).next().is_some_and(|first| TITLES.contains(first))
}
