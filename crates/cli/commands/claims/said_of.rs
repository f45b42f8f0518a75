//! What a private set keeps of people's words on one pair, for who takes it out or brings it back.

use storymill_claims::import::Set;

use super::{agreement, reviews, set_store::Sealed};
use crate::{exit::Failure, table::plural};

/// Votes on a pair that count and that do not, and decisions on its claims.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Said {
    votes: (usize, usize),
    decisions: usize,
}

impl Said {
    /// What is kept of a pair.
    pub(super) fn on(sealed: &Sealed, set: &Set, pair: &str) -> Result<Self, Failure> {
        let votes = agreement::kept_counted(sealed, set)?;
        let counts = votes.votes.iter().filter(|vote| vote.pair == pair).count();
        Ok(Self {
            votes: (counts, votes.aside.on(pair)),
            decisions: reviews::decided_on(sealed, pair)?,
        })
    }

    /// What is kept of a pair that is gone or retired; none if it is nothing.
    pub(super) fn of_gone(self) -> Option<String> {
        let all = [(self.votes.1, "vote"), (self.decisions, "decision")];
        let said: Vec<String> = all
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| plural(*count as u64, what))
            .collect();
        let total: usize = all.iter().map(|(count, _)| count).sum();
        let does = if total == 1 { "is kept and does" } else { "are kept and do" };
        (total > 0).then(|| format!("{} on it {does} not count", said.join(", ")))
    }

    /// What is kept of a pair that came back; none if it is nothing.
    pub(super) fn of_returned(self) -> Option<String> {
        let (votes, others) = self.votes;
        let told = |count: usize| plural(count as u64, "vote");
        (votes + others > 0).then(|| {
            let (votes, others) = (told(votes), told(others));
            format!("{votes} from before count again, {others} on other words do not")
        })
    }
}
