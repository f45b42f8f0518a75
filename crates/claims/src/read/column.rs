//! The columns that a file of claims may have, under each of their names.

use std::fmt;

use storymill_core::did_you_mean;

/// A known column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(
    missing_docs,
    reason = "each is the column of its name; docs/claims.md tells what they hold"
)]
pub enum Column {
    Id,
    Index,
    Book,
    Story,
    Claim,
    Type,
    Scope,
    Evidence,
    TrueClaim,
    FalseClaim,
    Explanation,
    TrueScope,
    FalseScope,
    TrueEvidence,
    FalseEvidence,
    WrittenBy,
    ModelWritten,
    ThisVolumeAlone,
    WriterHasRead,
    Consent,
    PublishedOn,
    AddedIn,
    RetireAfter,
    Title,
    BookAuthor,
    Genre,
    PublicationYear,
    LengthGroup,
    Tokens,
    Words,
    Series,
    /// What a system answered: `response-gpt4o`.
    Response(String),
}

use Column as C;

/// Each column with its own name and the other names it is known by.
const NAMES: [(Column, &str, &[&str]); 31] = [
    (C::Id, "id", &["pair_id"]),
    (C::Index, "index", &["pair", "pair_index"]),
    (C::Book, "book", &["book_title", "book_id"]),
    (C::Story, "story", &["story_title"]),
    (C::Claim, "claim", &["statement"]),
    (C::Type, "type", &["label", "truth"]),
    (C::Scope, "scope", &["evidence_scope"]),
    (C::Evidence, "evidence", &["evidence_spans"]),
    (C::TrueClaim, "true_claim", &["true"]),
    (C::FalseClaim, "false_claim", &["false"]),
    (C::Explanation, "explanation", &["false_claim_explanation"]),
    (C::TrueScope, "true_scope", &["true_claim_scope"]),
    (C::FalseScope, "false_scope", &["false_claim_scope"]),
    (C::TrueEvidence, "true_evidence", &["true_claim_evidence"]),
    (C::FalseEvidence, "false_evidence", &["false_claim_evidence"]),
    (C::WrittenBy, "written_by", &["annotator", "writer", "claim_author"]),
    (C::ModelWritten, "model_written", &["is_model_written"]),
    (C::ThisVolumeAlone, "this_volume_alone", &["decidable_alone"]),
    (C::WriterHasRead, "writer_has_read", &["has_read"]),
    (C::Consent, "consent", &[]),
    (C::PublishedOn, "published_on", &["publication_date"]),
    (C::AddedIn, "added_in", &[]),
    (C::RetireAfter, "retire_after", &[]),
    (C::Title, "title", &[]),
    (C::BookAuthor, "book_author", &["author"]),
    (C::Genre, "genre", &[]),
    (C::PublicationYear, "publication_year", &["year"]),
    (C::LengthGroup, "length_group", &["length_bucket"]),
    (C::Tokens, "tokens", &["length", "tokens_cl100k_base"]),
    (C::Words, "words", &[]),
    (C::Series, "series", &[]),
];

impl Column {
    /// The column of a name, however it is spelt, and whether that is one of its other names.
    pub(super) fn named(name: &str) -> Option<(Self, bool)> {
        let plain = name.trim();
        if let Some(system) =
            plain.strip_prefix("response-").or_else(|| plain.strip_prefix("response_"))
        {
            return (!system.is_empty()).then(|| (C::Response(plain.to_owned()), false));
        }
        let plain = plain.to_lowercase().replace(['-', ' '], "_");
        NAMES.iter().find_map(|(column, own, others)| {
            let other = others.contains(&plain.as_str());
            (*own == plain || other).then(|| (column.clone(), other))
        })
    }

    /// Which column a name may mean, as a question. The name itself is not told: without a head it is a claim.
    pub(super) fn meant(name: &str) -> Option<String> {
        did_you_mean(&name.trim().to_lowercase(), NAMES.iter().map(|(_, own, _)| *own))
    }

    /// Its own name.
    pub fn name(&self) -> &str {
        if let C::Response(field) = self {
            return field;
        }
        NAMES.iter().find(|(column, ..)| column == self).map_or("", |(_, own, _)| own)
    }

    /// The other name under which NoCha's README has it, where the published file has this one.
    pub(super) fn readme_name(&self) -> Option<&'static str> {
        matches!(self, C::LengthGroup).then_some("length_bucket")
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
