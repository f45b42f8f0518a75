//! Titles before a family's name, and a family's name alone.

use std::collections::BTreeMap;

use super::{
    Gender,
    people::{People, Told},
    roles::{is_miss, is_wife},
    sex::Votes,
    signs::is_listed,
};

impl People<'_> {
    /// Titles before families: Mr. Darcy, Mrs. John Dashwood, Aunt Philips.
    pub(super) fn titled(&mut self, known: &[Told<'_>]) {
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
            let at = self.add();
            for one in all {
                self.take(at, one);
            }
        }
        let counts: BTreeMap<(usize, &str), usize> =
            of.iter().map(|(key, all)| (*key, all.len())).collect();
        let mut order: Vec<_> = of.into_iter().collect();
        order.sort_by_key(|((family, title), all)| {
            let wife = is_wife(title);
            (!matches!(*title, "mr" | "m" | "monsieur") && !wife, usize::MAX - all.len(), *family)
        });
        for ((family, title), all) in order {
            let at = self.of_title(family, title, &all, &counts).unwrap_or_else(|| self.add());
            for one in all {
                self.take(at, one);
            }
        }
    }

    /// Whom a title and a family's name mean, if only one fits, or one far more than the others.
    fn of_title(
        &self,
        family: usize,
        title: &str,
        all: &[&Told<'_>],
        counts: &BTreeMap<(usize, &str), usize>,
    ) -> Option<usize> {
        let wanted = Votes::of_title(title).gender();
        let wife = is_wife(title) || title == "lady";
        let rank = Some(title).filter(|title| is_listed("rank", title));
        // Where there is a Miss of the family, its first names are those of daughters.
        let daughters = counts.keys().any(|(of, title)| *of == family && is_miss(title));
        let miss = is_miss(title);
        let often = |title: &str| counts.get(&(family, title)).copied().unwrap_or(0);
        let fits = |at: &usize| {
            let person = &self.all[*at];
            let gender = self.gender(*at);
            let ranks = match (rank, person.rank()) {
                (Some(one), Some(other)) => one.get(..3) == other.get(..3),
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
            // Judge Thatcher is not Bessie Thatcher.
            let office = wanted == Gender::Unknown && gender == Gender::Female && !own;
            let lady = person.has_title("lady") && (miss || title == "mrs");
            person.family.contains(&family)
                && same
                && ranks
                && !daughter
                && !doctor
                && !office
                && !lady
                && !(miss && person.is_wife() && !person.is_miss())
        };
        let mut fitting: Vec<usize> = (0..self.all.len()).filter(fits).collect();
        if fitting.is_empty() && wanted == Gender::Male {
            fitting.extend(self.taken_for_a_woman(family));
        }
        fitting.retain(|at| !self.is_beside(&self.all[*at], all));
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

    /// The only one of a family, whom pronouns alone take for a woman, since she speaks whose name stands before: `Mr.`
    /// says more.
    fn taken_for_a_woman(&self, family: usize) -> Option<usize> {
        let mut bearers = (0..self.all.len()).filter(|at| self.all[*at].family.contains(&family));
        let only = bearers.next().filter(|_| bearers.next().is_none());
        only.filter(|at| self.all[*at].is_woman_by_pronouns(self.census))
    }

    /// A family's name alone is its head's, who mostly is a man.
    pub(super) fn bare(&mut self, known: &[Told<'_>]) {
        let mut of: BTreeMap<usize, Vec<&Told<'_>>> = BTreeMap::new();
        for one in known {
            if let (Some(family), true, true) =
                (one.shape.family, one.shape.given.is_empty(), one.mention.titles.is_empty())
            {
                of.entry(family).or_default().push(one);
            }
        }
        for (family, all) in of {
            let mut votes = Votes::default();
            for one in &all {
                votes.add(one.votes);
            }
            // He who is called Toller is not Mrs. Toller.
            let man =
                |at: &usize| votes.gender() == Gender::Male && self.gender(*at) == Gender::Female;
            let at = self.head(family).filter(|at| !man(at)).unwrap_or_else(|| self.add());
            for one in all {
                self.take(at, one);
            }
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
