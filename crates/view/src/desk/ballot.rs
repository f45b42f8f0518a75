//! The fields of a form as what a person says of an item.

use storymill_core::{
    Fault, FaultKind, Label, NameChange, NamedPerson, Place, Review, ReviewField, ReviewForm,
    ReviewPassage, Said, SaidFields, SaidGrounds, SentenceLabel, Span,
};
use storymill_review::{Ballot, Sight};

use super::{
    Books,
    fields::{SHOWN, Stands, stands},
    text,
};

/// The fields of a form. Whatever of them would not be kept is refused, so that what is saved is what the page shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form<'f> {
    fields: &'f [(String, String)],
    /// The name of the field that every form holds.
    session: &'f str,
}

impl<'f> Form<'f> {
    /// A form, and the name of the field that every form holds.
    pub(super) fn new(fields: &'f [(String, String)], session: &'f str) -> Self {
        Self { fields, session }
    }

    /// The first value of a name; blank if there is none. Line breaks are those of texts here, not of browsers.
    pub(super) fn get(self, name: &str) -> String {
        self.sent(name).unwrap_or_default()
    }

    /// The same; none if there is none.
    pub(super) fn sent(self, name: &str) -> Option<String> {
        self.all(name).next().map(|value| value.replace("\r\n", "\n"))
    }

    pub(super) fn all(self, name: &str) -> impl Iterator<Item = &'f str> {
        let own = self.fields.iter().filter(move |(own, _)| own == name);
        own.map(|(_, value)| value.as_str())
    }

    /// What somebody typed or chose, field by field, for a page that cannot show it in its place.
    pub(super) fn typed(self) -> Vec<(&'f str, &'f str)> {
        let ours = ["seconds", SHOWN, "kept", "span", self.session];
        let fields = self.fields.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        fields.filter(|(name, value)| !value.trim().is_empty() && !ours.contains(name)).collect()
    }

    /// What a person says of an item.
    ///
    /// # Errors
    ///
    /// Something of the form that would not be kept.
    pub(super) fn ballot(self, sight: &Sight<'_>, books: &dyn Books) -> Result<Ballot, Fault> {
        let review = &sight.item.review;
        self.check(review)?;
        let before = sight.own.map(|own| &own.said);
        let choice = self.get("choice");
        Ok(Ballot {
            said: self.said(review, &choice, before, books)?,
            choice,
            note: self.get("note").trim().to_owned(),
            seconds: self.seconds()?,
            proposal_shown: sight.proposal.is_some(),
            ..Ballot::default()
        })
    }

    /// How long the person took.
    pub(super) fn seconds(self) -> Result<u32, Fault> {
        match self.get("seconds").trim() {
            "" => Ok(0),
            text => text.parse().map_err(|_| refused(format!("`{text}` is no number of seconds"))),
        }
    }

    /// Whether the item takes every field, as often as it stands.
    fn check(self, review: &Review) -> Result<(), Fault> {
        for (at, (name, _)) in self.fields.iter().enumerate() {
            let stands =
                if name == self.session { Some(Stands::Once) } else { stands(name, &review.form) };
            let twice = || self.fields[..at].iter().any(|(own, _)| own == name);
            match stands {
                None => return Err(refused(format!("this item takes no `{name}`")).hint(LOAD)),
                Some(Stands::Once) if twice() => {
                    return Err(refused(format!("`{name}` was sent twice")).hint(LOAD));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    fn said(
        self,
        review: &Review,
        choice: &str,
        before: Option<&Said>,
        books: &dyn Books,
    ) -> Result<Said, Fault> {
        // Changes that were made for another choice are not carried along.
        let of = |said: Said, of: &str| match before {
            Some(before) if choice != of && *before == said => Said::Nothing,
            _ => said,
        };
        Ok(match &review.form {
            ReviewForm::Choice => Said::Nothing,
            ReviewForm::Text { text, of: takes } => match self.sent("text") {
                Some(edited) if edited.trim() != text.trim() => {
                    of(Said::Text(edited.trim().to_owned()), takes)
                }
                _ => Said::Nothing,
            },
            ReviewForm::Names { people, of: takes } => {
                let mut changes: Vec<NameChange> = Vec::new();
                for (at, one) in people.iter().enumerate() {
                    changes.extend(self.changes(at, one)?);
                }
                if changes.is_empty() { Said::Nothing } else { of(Said::Names(changes), takes) }
            }
            ReviewForm::Labels { sentences, of: takes, .. } => {
                let mut labels: Vec<SentenceLabel> = Vec::new();
                for at in 0..sentences.len() {
                    labels.extend(self.label(at)?);
                }
                if labels.is_empty() { Said::Nothing } else { of(Said::Labels(labels), takes) }
            }
            ReviewForm::Evidence => {
                let spans = self.spans(review, before, books)?;
                let takes = review.choices.iter().find(|choice| *choice == ReviewForm::MARKED);
                match (spans.is_empty(), takes) {
                    (true, _) => Said::Nothing,
                    (_, Some(takes)) => of(Said::Spans(spans), takes),
                    _ => Said::Spans(spans),
                }
            }
            ReviewForm::Fields { fields, of: takes } => {
                let values = fields.iter().filter_map(|field| self.field(field)).collect();
                let spans = self.spans(review, before, books)?;
                // Who sends no place at all marks none of their own.
                let marks =
                    choice == takes || self.all("span").chain(self.all("kept")).next().is_some();
                let spans = Some(spans).filter(|all| marks && *all != known(review));
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
                let said = SaidGrounds { kinds, spans: self.spans(review, before, books)? };
                if said == SaidGrounds::default() { Said::Nothing } else { Said::Grounds(said) }
            }
        })
    }

    /// The passages that are marked: those of the page, and those marked before that it does not show. A blank one says
    /// that none is.
    pub(super) fn spans(
        self,
        review: &Review,
        before: Option<&Said>,
        books: &dyn Books,
    ) -> Result<Vec<ReviewPassage>, Fault> {
        let mut spans: Vec<ReviewPassage> = Vec::new();
        for span in self.all("span").filter(|span| !span.is_empty()) {
            let passage = passage(span, review, books);
            spans.push(passage.ok_or_else(|| {
                refused(format!("`{span}` is no place in the passages of this item")).hint(LOAD)
            })?);
        }
        let marked = marked(review, before);
        for kept in self.all("kept") {
            let own = marked.iter().find(|one| text::named(one) == kept);
            spans.push(own.cloned().ok_or_else(|| {
                refused(format!("the place `{kept}` is not marked any more")).hint(LOAD)
            })?);
        }
        // Passages that are shown may lie over each other.
        spans.sort();
        spans.dedup();
        Ok(spans)
    }

    /// A field that has another value than before.
    fn field(self, field: &ReviewField) -> Option<(String, String)> {
        let value = self.sent(&format!("field.{}", field.name))?.trim().to_owned();
        (value != field.text.trim()).then(|| (field.name.clone(), value))
    }

    /// What is to change of somebody in a cast.
    fn changes(self, at: usize, one: &NamedPerson) -> Result<Vec<NameChange>, Fault> {
        let of = || one.name.clone();
        let mut changes = Vec::new();
        let gender = self.get(&format!("gender.{at}"));
        if !gender.is_empty() && !GENDERS.contains(&gender.as_str()) {
            let hint = format!("choose {}", GENDERS.join(", "));
            return Err(refused(format!("`{gender}` is no gender of `{}`", one.name)).hint(hint));
        }
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
        Ok(changes)
    }

    fn label(self, at: usize) -> Result<Option<SentenceLabel>, Fault> {
        let (word, number) = (self.get(&format!("label.{at}")), at + 1);
        let name = format!("kind.{at}");
        let kinds: Vec<String> =
            self.all(&name).filter(|kind| !kind.is_empty()).map(str::to_owned).collect();
        let explanation = self.get(&format!("why.{at}")).trim().to_owned();
        if word.is_empty() && kinds.is_empty() && explanation.is_empty() {
            return Ok(None);
        }
        let Some(label) = Label::ALL.into_iter().find(|label| label.name() == word) else {
            let message = match word.as_str() {
                "" => format!("sentence {number} has a reason and no label"),
                _ => format!("`{word}` is no label of sentence {number}"),
            };
            let names = Label::ALL.map(Label::name).join(", ");
            return Err(refused(message).hint(format!("choose {names}")));
        };
        if !kinds.is_empty() && !matches!(label, Label::Unfaithful | Label::Partial) {
            let message = format!("sentence {number} is `{word}`, so it has no kind of error");
            return Err(refused(message).hint("take the kind away, or choose another label"));
        }
        Ok(Some(SentenceLabel { label, kinds, explanation }))
    }
}

/// The genders of somebody in a cast.
pub(super) const GENDERS: [&str; 3] = ["female", "male", "unknown"];

/// What helps against a page that is not one of ours as they are now.
const LOAD: &str = "open the item in another tab, and decide it there";

fn refused(message: String) -> Fault {
    Fault::new(FaultKind::Input, message)
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
