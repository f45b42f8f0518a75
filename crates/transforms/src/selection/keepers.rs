//! Which book stands for each work, and why.
//!
//! A work is what copies and editions of one text make. It is left out as a part only where the
//! whole is kept, so that nothing gets lost because a collection holds it.

use std::cmp::Reverse;

use storymill_core::{ByUnit, Duplicate, Relation, UnitId, few};

use super::{
    duplicates_fact::{DuplicatesFact, FEWEST},
    groups::{COPY, Groups, Link},
};

/// What is known of all books when the keepers are chosen.
pub(super) struct Keepers<'a> {
    units: Vec<&'a UnitId>,
    facts: Vec<&'a DuplicatesFact>,
    before: &'a ByUnit<Duplicate>,
    groups: Groups,
    same: u16,
    /// Of each work, the book that stands for it: one of its own, or one that is kept instead.
    stand: Vec<usize>,
}

/// Texts whose lengths differ by less than this, of a thousand, count as equally long.
const AS_LONG_PM: u64 = 30;

impl<'a> Keepers<'a> {
    /// Chooses for every work, the longest first: what holds a part is settled before it.
    pub(super) fn choose(
        facts: &'a ByUnit<DuplicatesFact>,
        before: &'a ByUnit<Duplicate>,
        same: u16,
        overlap: u16,
    ) -> Self {
        let (units, facts): (Vec<_>, Vec<_>) = facts.iter().unzip();
        let groups = Groups::of(&facts, same, overlap);
        let mut all = Self { units, facts, before, groups, same, stand: Vec::new() };
        let own: Vec<usize> = all.groups.works.iter().map(|work| all.chosen(work)).collect();
        let mut order: Vec<usize> = (0..own.len()).collect();
        order.sort_by_key(|work| {
            let longest = all.groups.works[*work].iter().map(|at| all.facts[*at].words).max();
            (!all.settled(own[*work]), Reverse(longest), all.units[own[*work]])
        });
        let mut kept = vec![false; all.units.len()];
        let mut stand = own.clone();
        for work in order {
            if !all.settled(own[work]) {
                let whole = all.whole(work, &own, &kept);
                stand[work] = whole.or_else(|| all.parts(own[work], &kept)).unwrap_or(own[work]);
            }
            kept[own[work]] = stand[work] == own[work];
        }
        all.stand = stand;
        all
    }

    /// Whether the base lock kept it.
    fn settled(&self, at: usize) -> bool {
        self.before.get(self.units[at]).is_some_and(|verdict| verdict.kept)
    }

    /// The best book of a work: what the base lock kept, else the longest; of equally long ones
    /// that with most chapters, and at last the smallest id.
    fn chosen(&self, work: &[usize]) -> usize {
        let longest = work.iter().map(|at| self.facts[*at].words).max().unwrap_or(0);
        let rank = |at: &usize| {
            let fact = self.facts[*at];
            let shorter = u64::from(longest - fact.words) * 1000 > u64::from(longest) * AS_LONG_PM;
            (!self.settled(*at), shorter, Reverse(fact.chapters), self.units[*at])
        };
        work.iter().copied().min_by_key(rank).expect("a work has a book")
    }

    /// The kept book that a work is a part of. Where another edition of the whole is kept, it has
    /// to hold the part as well.
    fn whole(&self, work: usize, own: &[usize], kept: &[bool]) -> Option<usize> {
        let held = |at: usize, link: &Link| {
            let whole = own[self.groups.work[link.other]];
            let holds = whole == link.other
                || self.link(link.other, whole).is_some_and(|link| link.relation == Relation::Copy)
                || self.link(at, whole).is_some_and(|link| link.mine >= self.same);
            (kept[whole] && holds).then_some(whole)
        };
        let members = self.groups.works[work].iter();
        let parts = members.flat_map(|at| {
            let links = self.groups.links[*at].iter();
            let links = links.filter(|link| link.relation == Relation::Part);
            links.filter_map(|link| Some((link.mine, Reverse(held(*at, link)?))))
        });
        parts.max().map(|(_, Reverse(whole))| whole)
    }

    /// The longest of the parts of a book, where the base lock kept so many of them that nearly
    /// nothing would be new in the whole.
    fn parts(&self, whole: usize, kept: &[bool]) -> Option<usize> {
        let links = self.groups.links[whole].iter().filter(|link| {
            link.relation == Relation::Itself && kept[link.other] && self.settled(link.other)
        });
        let held: u32 = links.clone().map(|link| u32::from(link.mine)).sum();
        let most = links.max_by_key(|link| (link.mine, Reverse(link.other)));
        most.filter(|_| held >= u32::from(COPY)).map(|link| link.other)
    }

    fn link(&self, at: usize, other: usize) -> Option<&Link> {
        self.groups.links[at].iter().find(|link| link.other == other)
    }

    /// The book that is kept of the work of a book, or instead of it.
    fn keeper(&self, at: usize) -> usize {
        self.stand[self.groups.work[at]]
    }

    /// The corpus stages on all books.
    pub(super) fn verdicts(&self) -> ByUnit<Duplicate> {
        let rule = |at: usize| (self.units[at].clone(), self.corpus(at));
        (0..self.units.len()).map(rule).collect()
    }

    fn corpus(&self, at: usize) -> Duplicate {
        let keeper = self.keeper(at);
        let (kept, relation, of, shared_pm, why) = if keeper == at {
            let (relation, of, shared_pm, why) = self.kept(at);
            (true, relation, of, shared_pm, why)
        } else {
            let (relation, of, shared_pm, why) = self.left_out(at, keeper);
            (false, relation, of, shared_pm, why)
        };
        Duplicate {
            unit: self.units[at].clone(),
            group: self.units[self.groups.group[at]].clone(),
            kept,
            relation,
            of: self.units[of].clone(),
            shared_pm,
            why,
        }
    }

    fn kept(&self, at: usize) -> (Relation, usize, u16, String) {
        let standing = |link: &&Link| self.keeper(link.other) == link.other;
        let weight = |link: &&Link| (link.mine, Reverse(link.other));
        let links = self.groups.links[at].iter();
        let others: Vec<&str> = (0..self.units.len())
            .filter(|other| *other != at && self.keeper(*other) == at)
            .map(|other| self.units[other].as_str())
            .collect();
        if !others.is_empty() {
            let why = format!(
                "kept of {} books that hold its text: {}",
                others.len() + 1,
                few(&others, MOST_NAMES)
            );
            return (
                Relation::Itself,
                at,
                links.max_by_key(weight).map_or(0, |link| link.mine),
                why,
            );
        }
        let best = links.clone().filter(standing).max_by_key(weight);
        let Some(link) = best.or_else(|| links.max_by_key(weight)) else {
            return (Relation::Itself, at, 0, alone(self.facts[at]));
        };
        let both = if standing(&link) { "; both are kept" } else { ", which is not kept" };
        let why = format!("{} has {} of it{both}", self.units[link.other], percent(link.mine));
        (Relation::Overlap, link.other, link.mine, why)
    }

    fn left_out(&self, at: usize, keeper: usize) -> (Relation, usize, u16, String) {
        // What it is to the one that is kept counts most, then what it is to anything else of
        // their works.
        let strong = |link: &&Link| link.relation != Relation::Overlap;
        let link = self.link(at, keeper).filter(strong).or_else(|| {
            let links =
                self.groups.links[at].iter().filter(|link| self.keeper(link.other) == keeper);
            links.max_by_key(|link| (strong(link), link.mine))
        });
        let (other, relation, mine) = link
            .map_or((keeper, Relation::Edition, 0), |link| (link.other, link.relation, link.mine));
        let (relation, what) = match relation {
            Relation::Copy => (relation, "the same text as"),
            Relation::Part => (relation, "a part of"),
            // The whole of parts that were kept before it came.
            Relation::Itself => (Relation::Edition, "what was kept in parts, among them"),
            _ => (relation, "another edition of"),
        };
        let mut why = format!("{what} {}, which has {} of it", self.units[other], percent(mine));
        if other != keeper {
            why = format!("{why}; {} is kept", self.units[keeper]);
        }
        (relation, other, mine, why)
    }
}

/// Why a book is alike to none.
fn alone(fact: &DuplicatesFact) -> String {
    if fact.words >= FEWEST {
        return "no other book holds its text".into();
    }
    let words = match fact.words {
        1 => "1 word".to_owned(),
        words => format!("{words} words"),
    };
    let notices = match fact.notices {
        0 => String::new(),
        notices => format!(" beside {notices} of a licence or notice"),
    };
    format!("not compared: it has {words} of its own{notices}, too few to be another's")
}

fn percent(pm: u16) -> String {
    format!("{}.{} %", pm / 10, pm % 10)
}

const MOST_NAMES: usize = 8;
