//! What people decide of a set: proposed pairs and disputed claims as items, with the passages of the book that tell of
//! them; and what follows from decisions for the set.

pub mod compare;
pub mod explained;
mod follow;
pub mod judged;
mod passages;
pub mod table;
pub mod votes;

use storymill_core::{Decisions, Review, ReviewField, ReviewForm};

pub use follow::{Followed, Taken, follow};
pub use passages::Finder;

use crate::{
    draft::Proposal,
    import::Set,
    pair::{Half, Pair, Scope},
};

/// Something to decide, and what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The question.
    pub review: Review,
    /// What it is about.
    pub of: Subject,
}

/// What an item is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A pair that is proposed.
    Proposal(Box<Pair>),
    /// A pair of the set.
    Pair(String),
    /// A claim of the set.
    Claim {
        /// Its pair.
        pair: String,
        /// Which of the two.
        half: Half,
    },
}

/// The choice that takes what is written in the fields.
const CHANGE: &str = "change";
/// The choice that takes a proposal as it is.
const TAKE: &str = "take";
/// The choice that takes a pair out.
const REMOVE: &str = "remove";

/// The items of a set: what drafts propose, then what second readers dispute by `decisions`: pairs, and claims.
pub fn items(set: &Set, proposals: Vec<Proposal>, decisions: &Decisions) -> Vec<Item> {
    let disputed = votes::disputed(set, decisions);
    let proposed = proposals.into_iter().map(|Proposal { mut review, pair }| {
        review.form = fields(&pair, &Half::BOTH);
        Item { review, of: Subject::Proposal(Box::new(pair)) }
    });
    let disputed = disputed.into_iter().filter_map(|mut review| {
        let (id, half) = review.item.rsplit_once('/')?;
        let half = Half::BOTH.into_iter().find(|one| one.name() == half)?;
        let pair = set.pairs.iter().find(|pair| pair.id == id)?;
        let takes_words = review.choices.iter().any(|choice| choice == CHANGE);
        review.form = if takes_words { fields(pair, &[half]) } else { ReviewForm::Evidence };
        Some(Item { review, of: Subject::Claim { pair: pair.id.clone(), half } })
    });
    proposed.chain(compare::disputed(set, decisions)).chain(disputed).collect()
}

impl Item {
    /// The pair that it is about; none if the set does not have it any more.
    pub fn pair<'p>(&'p self, set: &'p Set) -> Option<&'p Pair> {
        match &self.of {
            Subject::Proposal(pair) => Some(pair),
            Subject::Pair(pair) | Subject::Claim { pair, .. } => {
                set.pairs.iter().find(|one| one.id == *pair)
            }
        }
    }

    /// The claims that it is about.
    fn halves(&self) -> &[Half] {
        match &self.of {
            Subject::Proposal(_) | Subject::Pair(_) => &Half::BOTH,
            Subject::Claim { half, .. } => std::slice::from_ref(half),
        }
    }
}

/// What may be written anew of some claims of a pair.
fn fields(pair: &Pair, halves: &[Half]) -> ReviewForm {
    let mut fields = Vec::new();
    let field = |name: String, text: &str| ReviewField {
        name,
        text: text.to_owned(),
        ..ReviewField::default()
    };
    for half in halves {
        let words = field(format!("{half}_claim"), pair.claim(*half));
        fields.push(ReviewField { needed: true, ..words });
    }
    fields.push(field("explanation".to_owned(), &pair.explanation));
    for half in halves {
        let scope = pair.scope_of(*half).map_or("", Scope::name);
        let options = Scope::ALL.map(|scope| scope.name().to_owned()).to_vec();
        fields.push(ReviewField { options, ..field(format!("{half}_scope"), scope) });
    }
    ReviewForm::Fields { fields, of: CHANGE.to_owned() }
}

#[cfg(test)]
#[path = "deciding/tests.rs"]
mod tests;
