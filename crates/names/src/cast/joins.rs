//! Persons that are one: two forms of a first name, a maiden name, a name that the book gives beside another.

use std::collections::BTreeSet;

use super::{
    Gender,
    people::{People, Told},
    person::Person,
    roles::WIFE,
};
use crate::knowledge::are_forms;

/// First names that so many bear that two of one name are two people.
const COMMON: &[&str] =
    &["mary", "jane", "ann", "anne", "elizabeth", "catherine", "sarah", "margaret"];

impl People<'_> {
    /// One person under two forms of a first name: Elizabeth Bennet and Eliza Bennet.
    pub(super) fn merge_forms(&mut self) {
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
    pub(super) fn merge_married(&mut self, known: &[Told<'_>]) {
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

    /// Who is called by two names, as the book says itself: Charles Evremonde, called Darnay.
    pub(super) fn called(&mut self, known: &[Told<'_>]) {
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
    pub(super) fn husbands(&mut self, is_family: &[bool]) {
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
        self.all.retain(|one| {
            !one.given.is_empty() || !one.family.is_empty() || !one.husband.is_empty()
        });
    }
}
