//! Where doubts are put, and decisions are read.

use crate::{Decision, Decisions, Digest, Fault, FaultKind, Review, Said, Standing};

const DECIDE_ONCE_MORE: &str = "`storymill review WORKFLOW --decide ITEM=CHOICE` writes one that takes the place of what was decided";

/// Where doubts are put, and decisions are read.
#[derive(Debug)]
pub struct Reviews<'d> {
    decisions: &'d Decisions,
    items: Vec<Review>,
    decided: Vec<(Digest, String)>,
    said: Vec<(Digest, Said)>,
    votes: Vec<(Digest, Digest)>,
}

/// What is taken of an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// The choice.
    pub choice: String,
    /// What was said beyond it.
    pub said: Said,
    /// Who decided, as they want to be called; empty where nobody did, so that this is the default.
    pub by: Vec<String>,
}

impl Taken {
    /// Whether people decided it.
    pub fn is_decided(&self) -> bool {
        !self.by.is_empty()
    }
}

/// What was read of people's decisions, kept beside a part: it is current only while they say the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// The items in order.
    pub items: Vec<Review>,
    /// What was decided on those that people decided.
    pub decided: Vec<(Digest, String)>,
    /// What was said of those beyond the choice, where anything was.
    pub said: Vec<(Digest, Said)>,
    /// A digest of the votes on those whose votes were read, also where there were none.
    pub votes: Vec<(Digest, Digest)>,
}

impl<'d> Reviews<'d> {
    /// What is to be put before people who have made these decisions.
    pub fn new(decisions: &'d Decisions) -> Self {
        let (items, decided) = (Vec::new(), Vec::new());
        Self { decisions, items, decided, said: Vec::new(), votes: Vec::new() }
    }

    /// Puts an item there and takes what people decided, else its default.
    ///
    /// # Errors
    ///
    /// A decision that the item does not offer.
    pub fn decide(&mut self, review: Review) -> Result<String, Fault> {
        Ok(self.take(review)?.choice)
    }

    /// Puts an item there and takes what people decided, with what they said beyond the choice; else its default.
    /// Where too few have voted, or people differ, nothing is decided.
    ///
    /// # Errors
    ///
    /// A decision that the item does not offer.
    pub fn take(&mut self, review: Review) -> Result<Taken, Fault> {
        let taken = match self.decisions.standing(&review) {
            Standing::Decided { choice, .. } if !review.choices.iter().any(|one| one == choice) => {
                let place = format!("{} ({}, {})", review.item, review.code, review.id().short());
                let choices = review.choices.join(", ");
                let message =
                    format!("the decision `{choice}` on {place} is none of its choices: {choices}");
                return Err(Fault::new(FaultKind::Input, message).hint(DECIDE_ONCE_MORE));
            }
            Standing::Decided { choice, said, by, .. } => {
                let id = by.first().map_or_else(|| review.id(), |first| first.review);
                self.decided.push((id, choice.to_owned()));
                if !said.is_nothing() {
                    self.said.push((id, said.clone().into_owned()));
                }
                let by = by.iter().map(|vote| vote.by.clone()).collect();
                Taken { choice: choice.to_owned(), said: said.into_owned(), by }
            }
            Standing::Open(_) | Standing::Disputed(_) => {
                Taken { choice: review.default.clone(), ..Taken::default() }
            }
        };
        self.items.push(review);
        Ok(taken)
    }

    /// Each person's vote on an item, whether or not they decide it, in the order of their ids.
    pub fn votes(&mut self, review: &Review) -> Vec<Decision> {
        let votes: Vec<Decision> = self.decisions.votes(review).into_iter().cloned().collect();
        self.votes.push((review.id(), digest_of_votes(&votes)));
        votes
    }

    /// Whether people decided on an item.
    pub fn is_decided(&self, review: &Review) -> bool {
        self.decisions.choice(review).is_some()
    }

    /// Who decided on an item, as they want to be called; none if nobody did.
    pub fn decided_by(&self, review: &Review) -> Option<&'d str> {
        match self.decisions.standing(review) {
            Standing::Decided { by, .. } => by.first().map(|vote| vote.by.as_str()),
            Standing::Open(_) | Standing::Disputed(_) => None,
        }
    }

    /// Says where items that were put before stand, now that the text is what people decided: those of these items.
    pub fn place(&mut self, placed: &[Review]) {
        for own in &mut self.items {
            let same = |one: &&Review| {
                one.code == own.code && one.item == own.item && one.excerpt == own.excerpt
            };
            own.passages = placed.iter().find(same).map_or(Vec::new(), |one| one.passages.clone());
        }
    }

    /// Puts an item there from which nothing follows yet.
    pub fn note(&mut self, review: Review) {
        self.items.push(review);
    }

    /// The items in order, and what was read of people's decisions on them.
    pub fn finish(self) -> Followed {
        let Self { items, decided, said, votes, .. } = self;
        Followed { items, decided, said, votes }
    }
}

/// A digest of some votes, whatever their order.
pub(crate) fn digest_of_votes<'v>(votes: impl IntoIterator<Item = &'v Decision>) -> Digest {
    let mut ids: Vec<Digest> = votes.into_iter().map(Decision::id).collect();
    ids.sort_unstable();
    let ids = ids.iter().map(|id| &id.as_bytes()[..]);
    Digest::of_parts("storymill 2026 votes read v1", ids)
}

impl Decisions {
    /// The digest of no votes.
    pub fn no_votes() -> Digest {
        digest_of_votes([])
    }

    /// A digest of each person's vote on an item, also of none.
    pub fn votes_digest(&self, review: &Review) -> Digest {
        digest_of_votes(self.votes(review))
    }
}
