//! The fields of a form as what a person says of an item.

use storymill_core::{
    Label, NameChange, NamedPerson, Place, Review, ReviewField, ReviewForm, ReviewPassage, Said,
    SaidFields, SaidGrounds, SentenceLabel, Span,
};
use storymill_review::{Ballot, Sight};

use super::{Books, text};

/// The fields of a form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form<'f>(pub(super) &'f [(String, String)]);

impl<'f> Form<'f> {
    /// The first value of a name; blank if there is none. Line breaks are those of texts here, not of browsers.
    pub(super) fn get(self, name: &str) -> String {
        self.all(name).next().unwrap_or_default().replace("\r\n", "\n")
    }

    fn all(self, name: &str) -> impl Iterator<Item = &'f str> {
        let own = self.0.iter().filter(move |(own, _)| own == name);
        own.map(|(_, value)| value.as_str())
    }

    /// What a person says of an item.
    pub(super) fn ballot(self, sight: &Sight<'_>, books: &dyn Books) -> Ballot {
        let review = &sight.item.review;
        let before = sight.own.map(|own| &own.said);
        Ballot {
            choice: self.get("choice"),
            said: self.said(review, before, books),
            note: self.get("note").trim().to_owned(),
            seconds: self.get("seconds").parse().unwrap_or(0),
            proposal_shown: sight.proposal.is_some(),
            ..Ballot::default()
        }
    }

    fn said(self, review: &Review, before: Option<&Said>, books: &dyn Books) -> Said {
        let choice = self.get("choice");
        // Changes that were made for another choice are not carried along.
        let of = |said: Said, of: &str| match before {
            Some(before) if choice != of && *before == said => Said::Nothing,
            _ => said,
        };
        match &review.form {
            ReviewForm::Choice => Said::Nothing,
            ReviewForm::Text { text, of: takes } => {
                let edited = self.get("text");
                if edited.trim().is_empty() || edited.trim() == text.trim() {
                    return Said::Nothing;
                }
                of(Said::Text(edited.trim().to_owned()), takes)
            }
            ReviewForm::Names { people, of: takes } => {
                let changes: Vec<NameChange> =
                    people.iter().enumerate().flat_map(|(at, one)| self.changes(at, one)).collect();
                if changes.is_empty() { Said::Nothing } else { of(Said::Names(changes), takes) }
            }
            ReviewForm::Labels { of: takes, .. } if choice != *takes => Said::Nothing,
            ReviewForm::Labels { sentences, .. } => {
                let labels: Vec<SentenceLabel> =
                    (0..sentences.len()).filter_map(|at| self.label(at)).collect();
                if labels.is_empty() { Said::Nothing } else { Said::Labels(labels) }
            }
            ReviewForm::Evidence => {
                let spans = self.spans(review, before, books);
                let takes = review.choices.iter().find(|choice| *choice == ReviewForm::MARKED);
                match (spans.is_empty(), takes) {
                    (true, _) => Said::Nothing,
                    (_, Some(takes)) => of(Said::Spans(spans), takes),
                    _ => Said::Spans(spans),
                }
            }
            ReviewForm::Fields { fields, of: takes } => {
                let values = fields.iter().filter_map(|field| self.field(field)).collect();
                // Marks alone do not make another choice one that writes something anew.
                let spans = Some(self.spans(review, before, books))
                    .filter(|all| choice == *takes && *all != known(review));
                let said = SaidFields { values, spans };
                if said == SaidFields::default() {
                    Said::Nothing
                } else {
                    of(Said::Fields(said), takes)
                }
            }
            ReviewForm::Grounds { .. } => {
                let kinds = self.all("kind").filter(|kind| !kind.is_empty());
                let kinds = kinds.map(str::to_owned).collect();
                let said = SaidGrounds { kinds, spans: self.spans(review, before, books) };
                if said == SaidGrounds::default() { Said::Nothing } else { Said::Grounds(said) }
            }
        }
    }

    /// The passages that are marked: those of the page, and those marked before that it does not show.
    fn spans(
        self,
        review: &Review,
        before: Option<&Said>,
        books: &dyn Books,
    ) -> Vec<ReviewPassage> {
        let mut spans: Vec<ReviewPassage> =
            self.all("span").filter_map(|span| passage(span, review, books)).collect();
        let kept: Vec<&str> = self.all("kept").collect();
        spans.extend(
            marked(review, before).into_iter().filter(|one| kept.contains(&&*text::named(one))),
        );
        // Passages that are shown may lie over each other.
        spans.sort();
        spans.dedup();
        spans
    }

    /// A field that has another value than before.
    fn field(self, field: &ReviewField) -> Option<(String, String)> {
        let name = format!("field.{}", field.name);
        self.all(&name).next()?;
        let value = self.get(&name).trim().to_owned();
        (value != field.text.trim()).then(|| (field.name.clone(), value))
    }

    /// What is to change of somebody in a cast.
    fn changes(self, at: usize, one: &NamedPerson) -> Vec<NameChange> {
        let of = || one.name.clone();
        let mut changes = Vec::new();
        let gender = self.get(&format!("gender.{at}"));
        if !gender.is_empty() && gender != one.gender {
            changes.push(NameChange::Gender { of: of(), gender });
        }
        if self.all(&format!("keep.{at}")).next().is_some() && !one.keep {
            changes.push(NameChange::Keep { of: of() });
        }
        let name = self.get(&format!("split.{at}"));
        if !name.is_empty() {
            changes.push(NameChange::Split { of: of(), name });
        }
        for (number, name) in one.names.iter().enumerate() {
            let by = self.get(&format!("by.{at}.{number}")).trim().to_owned();
            if !by.is_empty() {
                changes.push(NameChange::Substitute { name: name.clone(), by });
            }
        }
        let into = self.get(&format!("into.{at}"));
        if !into.is_empty() {
            changes.push(NameChange::Merge { one: into, with: of() });
        }
        changes
    }

    fn label(self, at: usize) -> Option<SentenceLabel> {
        let word = self.get(&format!("label.{at}"));
        let label = Label::ALL.into_iter().find(|label| label.name() == word)?;
        let has_kinds = matches!(label, Label::Unfaithful | Label::Partial);
        let name = format!("kind.{at}");
        let kinds = self.all(&name).filter(|kind| has_kinds && !kind.is_empty());
        Some(SentenceLabel {
            label,
            kinds: kinds.map(str::to_owned).collect(),
            explanation: self.get(&format!("why.{at}")).trim().to_owned(),
        })
    }
}

/// The role of a passage that is evidence already.
const EVIDENCE: &str = "evidence";

/// What is known to bear an item out, before anybody has marked more.
fn known(review: &Review) -> Vec<ReviewPassage> {
    let mut known: Vec<ReviewPassage> =
        review.passages.iter().filter(|one| one.role == EVIDENCE).cloned().collect();
    known.sort();
    known
}

/// The passages that were marked before: by the person, else what is known.
pub(super) fn marked(review: &Review, said: Option<&Said>) -> Vec<ReviewPassage> {
    match said {
        Some(Said::Spans(spans) | Said::Fields(SaidFields { spans: Some(spans), .. })) => {
            spans.clone()
        }
        Some(Said::Grounds(said)) => said.spans.clone(),
        _ if matches!(review.form, ReviewForm::Fields { .. }) => known(review),
        _ => Vec::new(),
    }
}

/// A span of a form, `PASSAGE:START:END` in symbols, as a passage of a book.
fn passage(span: &str, review: &Review, books: &dyn Books) -> Option<ReviewPassage> {
    let mut parts = span.split(':');
    let shown = review.passages.get(parts.next()?.parse::<usize>().ok()?)?;
    let (start, end): (u32, u32) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let text = books.text(&shown.book)?;
    let place = |symbol: u32| {
        let byte =
            text.char_indices().map(|(at, _)| at).chain([text.len()]).nth(symbol as usize)?;
        Some(Place { byte: u32::try_from(byte).ok()?, symbol })
    };
    let span = Span { start: place(start)?, end: place(end)? };
    (start < end).then(|| ReviewPassage { book: shown.book.clone(), span, role: EVIDENCE.into() })
}
