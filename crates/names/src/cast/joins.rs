//! Persons that are one: two forms of a first name, a maiden name, a name that the book gives beside another.

use std::collections::BTreeSet;

use super::{
    Gender,
    people::{People, Told},
    person::Person,
    roles::is_wife,
};
use crate::knowledge::{Known, are_forms};

/// Of so many places of a first name one may be where its bearer seems to call himself by another form.
const RARELY: usize = 8;

/// First names that so many bear that two of one name are two people.
const COMMON: &[&str] =
    &["mary", "jane", "ann", "anne", "elizabeth", "catherine", "sarah", "margaret"];

impl People<'_> {
    /// One person under two forms of a first name: Elizabeth Bennet and Eliza Bennet.
    pub(super) fn merge_forms(&mut self) {
        self.merge(|people, one, other| {
            let [one, other] = [one, other].map(|at| &people.all[at]);
            let same = |one: &Person, other: &Person| {
                let forms = |a: &usize, b: &usize| a == b || people.are_forms(*a, *b);
                one.given.keys().any(|a| other.given.keys().any(|b| forms(a, b)))
            };
            !one.family.is_empty() && !one.family.is_disjoint(&other.family) && same(one, other)
        });
    }

    /// Somebody under the first of several names, and under all: Zebulon Pike and Zebulon Pike Parker.
    pub(super) fn merge_longer(&mut self) {
        self.merge(|people, one, other| {
            let [one, other] = [one, other].map(|at| &people.all[at]);
            let begins = |short: &Person, long: &Person| {
                let mut parts = short.given.keys().chain(&short.family);
                short.given.len() + short.family.len() > 1
                    && !long.family.is_empty()
                    && short.family.is_disjoint(&long.family)
                    && parts.all(|part| long.given.contains_key(part))
            };
            begins(one, other) || begins(other, one)
        });
        for one in self.all.iter_mut().filter(|one| one.family.len() > 1) {
            one.family.retain(|part| !one.given.contains_key(part));
        }
    }

    /// Whether two first names are forms of one, and the book does not make two people of them.
    pub(super) fn are_forms(&self, one: usize, other: usize) -> bool {
        let calls = self.apart.get(&[one.min(other), one.max(other)]).copied().unwrap_or(0);
        let places = |part: usize| self.census.parts[part].places.len();
        let two = calls > 0 && RARELY * calls >= places(one).min(places(other));
        are_forms(self.shown(one), self.shown(other)) && !two
    }

    /// A woman under her own family's name and her husband's: a rare first name, and one of them a wife.
    pub(super) fn merge_married(&mut self, known: &[Told<'_>]) {
        let wife = |title: &String| is_wife(title) || title == "lady" || title == "countess";
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
            // Cora Belle and Cora Jane have two first names each.
            let given = |part: &usize| {
                let known = people.census.parts[*part].known;
                known.has(Known::FEMALE) && !known.has(Known::SURNAME)
            };
            female(one)
                && female(other)
                && !a.family.is_empty()
                && !b.family.is_empty()
                && !(&a.family | &b.family).iter().all(given)
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

    /// Who is called by two names, as the book says itself: Charles Evremonde, called Darnay; Theodosia became Mrs.
    /// Hargrave; Mr. Hargrave married Theodosia.
    pub(super) fn called(&mut self, known: &[Told<'_>]) {
        for pair in known.windows(2) {
            let [one, other] = pair else { continue };
            let between: Vec<&str> = (one.mention.words.end..other.mention.words.start)
                .take(7)
                .map(|at| self.words.low(Some(at)))
                .filter(|low| {
                    !matches!(
                        *low,
                        "," | "." | "who" | "had" | "has" | "then" | "now" | "at" | "last"
                    )
                })
                .filter(|low| !other.mention.titles.iter().any(|title| title == low))
                .collect();
            let name = |told: &Told<'_>| {
                let named =
                    |at: &usize| told.mention.parts.iter().all(|part| self.all[*at].has(*part));
                let wanted = told.votes.gender();
                let fits = |at: &usize| {
                    let gender = self.gender(*at);
                    wanted == Gender::Unknown || gender == Gender::Unknown || gender == wanted
                };
                let all = (0..self.all.len()).filter(named).filter(fits);
                all.max_by_key(|at| (self.all[*at].seen, usize::MAX - at))
            };
            let (a, b) = match between[..] {
                // Charles Evremonde, called Darnay; but not: Ada called Ben.
                ["called"] if self.words.low(Some(one.mention.words.end)) != "," => continue,
                ["called" | "alias"] | ["known", "as"] => (name(one), name(other)),
                ["became" | "become"] if other.is_wife() => (name(one), name(other)),
                ["married"] => {
                    let [her, him] =
                        if one.shape.given.is_empty() { [other, one] } else { [one, other] };
                    (name(her).filter(|_| !her.shape.given.is_empty()), self.wife_of(him))
                }
                _ => continue,
            };
            let (Some(a), Some(b)) = (a, b) else { continue };
            if a != b && self.agree(a, b) {
                let [big, small] =
                    if self.all[a].seen < self.all[b].seen { [b, a] } else { [a, b] };
                let gone = std::mem::take(&mut self.all[small]);
                self.all[big].join(gone);
            }
        }
    }

    /// The only one who bears the family's name of somebody as his wife, and no first name.
    fn wife_of(&self, him: &Told<'_>) -> Option<usize> {
        let family = him.shape.family?;
        let wife = |at: &usize| {
            let one = &self.all[*at];
            one.family.contains(&family) && one.given.is_empty() && one.is_wife()
        };
        let mut wives = (0..self.all.len()).filter(wife);
        wives.next().filter(|_| wives.next().is_none())
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
