//! What people decide on review items: lines that are kept in files and replayed by every build.

use serde::{Deserialize, Serialize};

use crate::{Decisions, Digest, Review, Said};

/// What somebody decided: a line of a file of decisions, which only grows.
///
/// A line that takes the place of lines of the same person is a change of mind; one that takes the place of lines
/// of others settles what they said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The review item ([`Review::id`]).
    pub review: Digest,
    /// The item that it is about, and the code of the doubt, for who reads the file and for the day on which
    /// there is no such item any more. Blank in decisions of older versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub item: String,
    /// See `item`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub code: String,
    /// One of its choices; blank where the person takes back what they said.
    pub choice: String,
    /// Who decided, as they want to be called.
    #[serde(default)]
    pub by: String,
    /// Why.
    #[serde(default)]
    pub note: String,
    /// The decisions that this one takes the place of ([`Decision::id`]).
    #[serde(default)]
    pub replaces: Vec<Digest>,
    /// How it was reached: `independent`, `hybrid`, `adjudicator`; blank where one person decided.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub protocol: String,
    /// The text that it was made on, as it was shown ([`Review::shown`]): once the item has another text, people see
    /// what they decided on. Blank in decisions of older versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub shown: String,
    /// The digest of the text that was shown ([`Review::seen`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Digest>,
    /// Whether a model's proposal was visible.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub proposal_shown: bool,
    /// How long it took, in seconds; 0 where nobody measured.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seconds: u32,
    /// What was said beyond the choice.
    #[serde(default, skip_serializing_if = "Said::is_nothing")]
    pub said: Said,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over the field")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Decision {
    /// A choice of somebody on an item, in the place of what was decided on it before, whoever did.
    pub fn on(review: &Review, choice: &str, by: &str, note: &str, before: &Decisions) -> Self {
        let replaces = before.heads(review).into_iter().map(Self::id).collect();
        Self { choice: choice.to_owned(), note: note.to_owned(), replaces, ..Self::of(review, by) }
    }

    /// A vote of somebody on an item, in the place of their own vote alone.
    pub fn vote(review: &Review, choice: &str, by: &str, note: &str, before: &Decisions) -> Self {
        let replaces = before.last_of(review, by).into_iter().map(Self::id).collect();
        Self { choice: choice.to_owned(), note: note.to_owned(), replaces, ..Self::of(review, by) }
    }

    fn of(review: &Review, by: &str) -> Self {
        let (item, code) = (review.item.clone(), review.code.to_string());
        Self { item, code, by: by.to_owned(), shown: review.shown(), ..Self::blank(review.id()) }
    }

    /// A line on an item of an id that says nothing yet.
    pub fn blank(review: Digest) -> Self {
        Self {
            review,
            item: String::new(),
            code: String::new(),
            choice: String::new(),
            by: String::new(),
            note: String::new(),
            replaces: Vec::new(),
            protocol: String::new(),
            shown: String::new(),
            seen: None,
            proposal_shown: false,
            seconds: 0,
            said: Said::Nothing,
        }
    }

    /// The id: a digest of everything that it says.
    pub fn id(&self) -> Digest {
        Digest::of(crate::canonical::json(self).as_bytes())
    }

    /// Whether the person takes back what they said.
    pub fn is_withdrawn(&self) -> bool {
        self.choice.is_empty()
    }
}
