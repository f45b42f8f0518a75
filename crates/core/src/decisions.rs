//! The decisions of a workflow: which of all lines count.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Decision, Digest, Fault, FaultKind, Review, ReviewRule, Standing};

/// The decisions of a workflow, by review item, and the rule that turns votes into them.
///
/// What counts for an item are the lines that none replaces, however old. Clocks play no part, nor does the order of
/// the lines: files are put together as sets are, and a line that stands twice is one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decisions {
    lines: BTreeMap<Digest, Decision>,
    /// The lines on each review item.
    of: BTreeMap<Digest, BTreeSet<Digest>>,
    /// For each line, those that take its place.
    replaced: BTreeMap<Digest, BTreeSet<Digest>>,
    rule: ReviewRule,
}

impl Default for Decisions {
    fn default() -> Self {
        Self {
            lines: BTreeMap::new(),
            of: BTreeMap::new(),
            replaced: BTreeMap::new(),
            rule: ReviewRule::PLAIN,
        }
    }
}

impl Decisions {
    /// No decisions.
    pub const NONE: &'static Self = &Self {
        lines: BTreeMap::new(),
        of: BTreeMap::new(),
        replaced: BTreeMap::new(),
        rule: ReviewRule::PLAIN,
    };

    /// Decisions from the lines of files; each line is a decision in JSON. Blank lines are passed over.
    ///
    /// # Errors
    ///
    /// A line that is no decision, named by its place.
    pub fn parse<'l>(lines: impl IntoIterator<Item = (String, &'l str)>) -> Result<Self, Fault> {
        let mut all = Self::default();
        for (place, line) in lines {
            if line.trim().is_empty() {
                continue;
            }
            let decision: Decision = serde_json::from_str(line).map_err(|error| {
                Fault::new(FaultKind::Input, format!("{place}: not a decision: {error}"))
            })?;
            all.take(decision);
        }
        Ok(all)
    }

    /// The same under a rule.
    #[must_use]
    pub fn with_rule(self, rule: ReviewRule) -> Self {
        Self { rule, ..self }
    }

    /// The rule.
    pub fn rule(&self) -> &ReviewRule {
        &self.rule
    }

    /// Adds a line. Whether it is new.
    pub fn take(&mut self, line: Decision) -> bool {
        let id = line.id();
        if self.lines.contains_key(&id) {
            return false;
        }
        self.of.entry(line.review).or_default().insert(id);
        for replaced in &line.replaces {
            self.replaced.entry(*replaced).or_default().insert(id);
        }
        self.lines.insert(id, line);
        true
    }

    /// Every line, by its id.
    pub fn lines(&self) -> impl Iterator<Item = (&Digest, &Decision)> {
        self.lines.iter()
    }

    /// The line of an id.
    pub fn line(&self, id: &Digest) -> Option<&Decision> {
        self.lines.get(id)
    }

    /// Every line on an item, counted or not, by id.
    pub fn all_on(&self, review: &Review) -> Vec<(Digest, &Decision)> {
        self.all_of(&self.ids(review))
    }

    fn all_of(&self, ids: &[Digest]) -> Vec<(Digest, &Decision)> {
        let of = ids.iter().filter_map(|id| self.of.get(id)).flatten();
        of.map(|id| (*id, &self.lines[id])).collect()
    }

    /// The ids under which an item is decided. Without decisions nothing has to be digested.
    fn ids(&self, review: &Review) -> Vec<Digest> {
        if self.lines.is_empty() { Vec::new() } else { vec![review.id(), review.former_id()] }
    }

    /// The decisions that count and are on none of these items: what they were made on may have changed.
    pub fn idle<'s, 'r: 's>(
        &'s self,
        items: impl IntoIterator<Item = &'r Review>,
    ) -> impl Iterator<Item = &'s Decision> {
        let items = items.into_iter().filter(|_| !self.lines.is_empty());
        let known: BTreeSet<Digest> =
            items.flat_map(|item| [item.id(), item.former_id()]).collect();
        self.idle_but(known)
    }

    /// The decisions that count and are under none of these ids.
    pub fn idle_but(&self, known: BTreeSet<Digest>) -> impl Iterator<Item = &Decision> {
        let others = self.of.keys().filter(move |review| !known.contains(*review));
        others.flat_map(|review| {
            let heads = self.heads_of(&[*review]);
            heads.into_iter().filter(|head| !head.is_withdrawn())
        })
    }

    /// What was decided on an item, if it is decided.
    pub fn choice(&self, review: &Review) -> Option<&str> {
        self.standing(review).choice()
    }

    /// The lines that count for an item: those that none replaces, without what was taken back.
    pub fn on(&self, review: &Review) -> impl Iterator<Item = &Decision> {
        self.heads(review).into_iter().filter(|head| !head.is_withdrawn())
    }

    /// The lines that none replaces, those that take something back among them.
    pub fn heads(&self, review: &Review) -> Vec<&Decision> {
        self.heads_of(&self.ids(review))
    }

    fn heads_of(&self, ids: &[Digest]) -> Vec<&Decision> {
        let all = self.all_of(ids).into_iter();
        all.filter(|(id, line)| !self.is_replaced(id, line)).map(|(_, line)| line).collect()
    }

    /// The last lines of a person on an item: those that no line of theirs replaces.
    pub fn last_of(&self, review: &Review, by: &str) -> Vec<&Decision> {
        let own = self.last_of_ids(&self.ids(review), by).into_iter();
        own.map(|(_, line)| line).collect()
    }

    /// The same of an item by its ids, with the ids of the lines.
    pub fn last_of_ids(&self, ids: &[Digest], by: &str) -> Vec<(Digest, &Decision)> {
        let own = self.all_of(ids).into_iter().filter(|(_, line)| line.by == by);
        own.filter(|(id, line)| self.after(id, line).next().is_none()).collect()
    }

    /// Each person's vote, whoever settled it since: for agreement, and to be published. What settles is no vote.
    pub fn votes(&self, review: &Review) -> Vec<&Decision> {
        self.votes_of(&self.ids(review))
    }

    /// The same of an item by its ids.
    pub fn votes_of(&self, ids: &[Digest]) -> Vec<&Decision> {
        let all = self.all_of(ids).into_iter();
        all.filter(|(id, line)| {
            !line.is_withdrawn()
                && !self.settles(line)
                && !self.later(id, line, &|after| after.is_withdrawn() || !self.settles(after))
        })
        .map(|(_, line)| line)
        .collect()
    }

    /// How an item stands under the rule.
    pub fn standing(&self, review: &Review) -> Standing<'_> {
        self.standing_of(&self.ids(review))
    }

    /// The same of an item by its ids.
    pub fn standing_of(&self, ids: &[Digest]) -> Standing<'_> {
        let mut votes = self.heads_of(ids);
        votes.retain(|head| !head.is_withdrawn());
        let settling: Vec<&Decision> =
            votes.iter().copied().filter(|head| self.settles(head)).collect();
        self.rule.of(votes, &settling)
    }

    /// Whether a line takes the place of what others said of the same item, or of an own line that did: who settled
    /// something and thinks again settles it otherwise. Who may not settle disputes has a vote like others.
    pub fn settles(&self, line: &Decision) -> bool {
        if !self.rule.may_adjudicate(&line.by) {
            return false;
        }
        let mut seen: BTreeSet<&Digest> = BTreeSet::new();
        let mut open: Vec<&Decision> = vec![line];
        while let Some(line) = open.pop() {
            for id in line.replaces.iter().filter(|id| !seen.contains(id)).collect::<Vec<_>>() {
                seen.insert(id);
                let Some(before) = self.lines.get(id).filter(|line| !line.is_withdrawn()) else {
                    continue;
                };
                // Lines of older versions stand under another id and name no item.
                let same_item = before.review == line.review || before.item.is_empty();
                match before.by == line.by {
                    true => open.push(before),
                    false if same_item => return true,
                    false => {}
                }
            }
        }
        false
    }

    /// Lines of the same person that take the place of one.
    fn after<'s>(
        &'s self,
        id: &Digest,
        line: &'s Decision,
    ) -> impl Iterator<Item = (&'s Digest, &'s Decision)> + use<'s> {
        let after = self.replaced.get(id).into_iter().flatten();
        after.map(|id| (id, &self.lines[id])).filter(move |(_, other)| other.by == line.by)
    }

    /// Whether a later line of the same person, however far on, is of a kind.
    fn later(&self, id: &Digest, line: &Decision, is: &dyn Fn(&Decision) -> bool) -> bool {
        let mut seen: BTreeSet<Digest> = BTreeSet::new();
        let mut open: Vec<(&Digest, &Decision)> = self.after(id, line).collect();
        while let Some((id, line)) = open.pop() {
            if is(line) {
                return true;
            }
            if seen.insert(*id) {
                open.extend(self.after(id, line));
            }
        }
        false
    }

    /// Whether a line counts no more: the person said something else since, or somebody settled it who may, and did
    /// not take that back.
    fn is_replaced(&self, id: &Digest, line: &Decision) -> bool {
        let after = self.replaced.get(id).into_iter().flatten();
        after.map(|id| (id, &self.lines[id])).any(|(id, other)| {
            other.by == line.by
                || (self.rule.may_adjudicate(&other.by)
                    && !self.later(id, other, &Decision::is_withdrawn))
        })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}

#[cfg(test)]
mod tests;
