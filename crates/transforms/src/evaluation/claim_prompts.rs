//! The prompts of the stage `answer`: one for all questions, and NoCha's forms for claims.

use storymill_claims::prompt::{Filling, Form, Prompt};
use storymill_core::{Chat, Fault, FaultKind, Question, Role, Setting, Turn};

use super::{answer::AnswerStage, shown::Shown};
use crate::asking::{Asking, Asks};

/// The prompts of a run.
pub(super) struct Prompts<'a> {
    pub(super) asking: Asking<'a>,
    claims: Option<ForClaims>,
}

/// The prompts of claims, for a text and for excerpts of it.
struct ForClaims {
    text: Prompt,
    excerpts: Prompt,
    book_order: bool,
}

impl AnswerStage {
    /// Reads the prompts. One of the user's takes the place of all that would be used.
    pub(super) fn prompts(&self) -> Result<Prompts<'_>, Fault> {
        let Some(form) = self.form.as_deref().and_then(Form::named) else {
            return Ok(Prompts { asking: self.asking(&[&self.prompt])?, claims: None });
        };
        let prompt = |form: Form| match &self.prompt {
            None => Ok(Prompt::ours(form)),
            Some(own) => {
                let refuse = |why: &dyn std::fmt::Display| {
                    Fault::new(FaultKind::Input, format!("this prompt cannot be used: {why}"))
                        .at(own.path())
                };
                let text = std::str::from_utf8(own.content()).map_err(|error| refuse(&error))?;
                Prompt::new(text).map_err(|mistake| refuse(&mistake))
            }
        };
        let claims = ForClaims {
            text: prompt(form)?,
            excerpts: prompt(Form::Excerpts)?,
            book_order: self.book_order,
        };
        Ok(Prompts { asking: self.asking(&[])?, claims: Some(claims) })
    }
}

impl Prompts<'_> {
    /// Whether excerpts that are marked as such stand in the order of the book, where a prompt wants them marked.
    pub(super) fn marks(&self, question: &Question) -> Option<bool> {
        self.claims.as_ref().filter(|_| question.pair().is_some()).map(|claims| claims.book_order)
    }

    /// A claim in its form; none where the question is none, or where nothing of the book is shown.
    pub(super) fn claim(
        &self,
        question: &Question,
        setting: Setting,
        shown: &Shown<'_>,
        story: bool,
    ) -> Result<Option<Chat>, Fault> {
        let Some(claims) = self.claims.as_ref().filter(|_| question.pair().is_some()) else {
            return Ok(None);
        };
        let (prompt, book_order) = match setting {
            Setting::Full | Setting::Recent(_) => (&claims.text, false),
            Setting::Retrieved(_) => (&claims.excerpts, claims.book_order),
            Setting::Evidence => (&claims.excerpts, true),
            Setting::Nothing | Setting::Title | Setting::Summaries => return Ok(None),
        };
        let book = &*shown.text;
        let filling = Filling { book, claim: question.given(), story, book_order };
        let text = prompt.fill(filling).map_err(|mistake| {
            Fault::new(FaultKind::Input, "a claim cannot be put into the prompt").because(mistake)
        })?;
        let shared = match book {
            "" => 0,
            book => text.find(book).map_or(0, |at| at + book.len()),
        };
        let turns = vec![Turn { role: Role::User, text }];
        Ok(Some(Chat { turns, shared, ..Chat::default() }))
    }
}
