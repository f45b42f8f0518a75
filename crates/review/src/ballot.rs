//! What a person says of an item, and whether it can be said.

use storymill_core::{
    Fault, FaultKind, Review, ReviewField, ReviewForm, ReviewPassage, Said, SaidFields, person,
    who_is_who,
};
use storymill_text::word::fold;

/// What a person says of an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ballot {
    /// One of its choices.
    pub choice: String,
    /// What is said beyond the choice.
    pub said: Said,
    /// Why.
    pub note: String,
    /// How it was reached: `independent`, `hybrid`; blank where one person decides.
    pub protocol: String,
    /// Whether a model's proposal was visible.
    pub proposal_shown: bool,
    /// How long it took, in seconds.
    pub seconds: u32,
}

/// The longest that somebody looks at an item, in seconds: a day.
pub(crate) const LONGEST: u32 = 86_400;

/// A note and an edited text have at most so many symbols.
const TEXT: usize = 100_000;

impl Ballot {
    /// A choice and nothing else.
    pub fn of(choice: &str) -> Self {
        Self { choice: choice.to_owned(), ..Self::default() }
    }

    /// Checks it against its item.
    ///
    /// # Errors
    ///
    /// What cannot be said of the item, and why.
    pub fn check(&self, review: &Review) -> Result<(), Fault> {
        let id = review.id().short();
        if !review.is_open_to_votes() {
            let hint = "nothing follows from this item, so it cannot be decided";
            return Err(input(format!("{id} has one choice alone")).hint(hint));
        }
        if !review.choices.contains(&self.choice) {
            let hint = format!("choices: {}", review.choices.join(", "));
            let message = format!("`{}` is not a choice of {id}", self.choice);
            return Err(input(message).hint(hint));
        }
        if self.note.chars().count() > TEXT {
            return Err(input(format!("the note on {id} is too long (max {TEXT} symbols)")));
        }
        match (&review.form, &self.said) {
            (ReviewForm::Labels { of, .. }, Said::Nothing) if self.choice == *of => {
                let hint = "each sentence needs one; the pages of `storymill review` take them";
                Err(input(format!("`{of}` has no labels of {id}")).hint(hint))
            }
            (ReviewForm::Fields { fields, of }, Said::Nothing) if self.choice == *of => {
                filled(&SaidFields::default(), fields, &id)
            }
            (ReviewForm::Evidence, Said::Nothing) if self.choice == ReviewForm::MARKED => {
                let hint = "the pages of `storymill review` take them";
                Err(input(format!("`{}` has no passages of {id}", self.choice)).hint(hint))
            }
            (_, Said::Nothing) => Ok(()),
            (ReviewForm::Text { of, .. }, Said::Text(text)) => {
                self.only_with(of, &id)?;
                if text.chars().count() > TEXT {
                    let message = format!("the edited text of {id} is too long");
                    return Err(input(message).hint(format!("max {TEXT} symbols")));
                }
                if text.trim().is_empty() {
                    return Err(input(format!("the edited text of {id} is blank")));
                }
                Ok(())
            }
            (ReviewForm::Names { people, of }, Said::Names(changes)) => {
                self.only_with(of, &id)?;
                let changed = who_is_who(people, changes, fold);
                changed.map(drop).map_err(|fault| {
                    let message = format!("{id}: {}", fault.message);
                    Fault { message, ..fault }
                })
            }
            (ReviewForm::Labels { sentences, kinds, of }, Said::Labels(labels)) => {
                self.only_with(of, &id)?;
                if labels.len() != sentences.len() {
                    let (have, want) = (labels.len(), sentences.len());
                    return Err(input(format!("{have} labels for the {want} sentences of {id}")));
                }
                known(labels.iter().flat_map(|label| &label.kinds), kinds, &id)
            }
            (ReviewForm::Evidence, Said::Spans(passages)) => {
                if review.choices.iter().any(|choice| choice == ReviewForm::MARKED) {
                    self.only_with(ReviewForm::MARKED, &id)?;
                }
                if passages.is_empty() {
                    return Self { said: Said::Nothing, ..self.clone() }.check(review);
                }
                marked(passages, &id)
            }
            (ReviewForm::Fields { fields, of }, Said::Fields(said)) => {
                self.only_with(of, &id)?;
                marked(said.spans.as_deref().unwrap_or_default(), &id)?;
                filled(said, fields, &id)
            }
            (ReviewForm::Grounds { kinds, .. }, Said::Grounds(said)) => {
                marked(&said.spans, &id)?;
                known(&said.kinds, kinds, &id)
            }
            (_, said) => {
                let message = format!("{} cannot be said of {id}", said.kind());
                Err(input(message).hint("this item takes something else, or a choice alone"))
            }
        }
    }

    fn only_with(&self, of: &str, id: &str) -> Result<(), Fault> {
        if self.choice == of {
            return Ok(());
        }
        let is_marked = matches!(self.said, Said::Spans(_));
        let what = if is_marked { "passages" } else { "changes" };
        let message = format!("`{}` takes no {what} of {id}", self.choice);
        Err(input(message).hint(format!("choose `{of}`, or leave the {what} out")))
    }
}

/// Whether the kinds of error are ones that there are.
fn known<'k>(
    given: impl IntoIterator<Item = &'k String>,
    kinds: &[String],
    id: &str,
) -> Result<(), Fault> {
    match given.into_iter().find(|kind| !kinds.contains(kind)) {
        Some(kind) => Err(input(format!("`{kind}` is not a kind of error of {id}"))
            .hint(format!("kinds: {}", kinds.join(", ")))),
        None => Ok(()),
    }
}

/// Whether every passage is one.
fn marked(passages: &[ReviewPassage], id: &str) -> Result<(), Fault> {
    let backward = |span: &storymill_core::Span| {
        span.end.symbol <= span.start.symbol || span.end.byte <= span.start.byte
    };
    if passages.iter().any(|one| one.book.is_empty() || backward(&one.span)) {
        return Err(input(format!("a passage of {id} is empty or of no book")));
    }
    Ok(())
}

/// Whether the fields that are written anew are ones that there are, and none is blank that is needed.
fn filled(said: &SaidFields, fields: &[ReviewField], id: &str) -> Result<(), Fault> {
    let known = |name: &String| fields.iter().any(|field| field.name == *name);
    if let Some(name) = said.values.keys().find(|name| !known(name)) {
        return Err(input(format!("`{name}` is not a field of {id}")));
    }
    for field in fields {
        let value = said.values.get(&field.name).unwrap_or(&field.text);
        let name = field.name.replace('_', " ");
        if value.trim().is_empty() {
            if field.needed {
                return Err(input(format!("the {name} of {id} is blank")).hint("write it first"));
            }
        } else if !field.options.is_empty() && !field.options.contains(value) {
            let hint = format!("write {}", field.options.join(", "));
            return Err(input(format!("`{value}` is not a {name} of {id}")).hint(hint));
        } else if value.chars().count() > TEXT {
            let hint = format!("max {TEXT} symbols");
            return Err(input(format!("the {name} of {id} is too long")).hint(hint));
        }
    }
    Ok(())
}

/// Checks what a person is called: a name in the one form that names have here.
///
/// # Errors
///
/// It is blank, too long, of another form, or has invisible characters.
pub(crate) fn check_person(person: &str) -> Result<(), Fault> {
    if person.trim().is_empty() {
        return Err(input("nobody is named who decides").hint("`--by NAME` says who does"));
    }
    match person::named(person) {
        Ok(name) if name == person => Ok(()),
        Ok(name) => {
            Err(input("the name of who decides has another form")
                .hint(format!("write it as `{name}`")))
        }
        Err(why) => Err(input(format!("the name of who decides {why}"))),
    }
}

pub(crate) fn input(message: impl Into<String>) -> Fault {
    Fault::new(FaultKind::Input, message)
}

#[cfg(test)]
mod tests;
