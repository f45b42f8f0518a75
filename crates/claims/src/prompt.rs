//! Prompts: the paper's forms in our own words, or a file of the user's.

use minijinja::{AutoEscape, Environment, UndefinedBehavior, context};
use serde::Serialize;

use crate::mistake::Mistake;

/// The forms that come with the program: NoCha's, section 3 and appendix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An explanation, then the answer.
    ExplainFirst,
    /// The answer, then an explanation.
    AnswerFirst,
    /// The answer alone.
    AnswerOnly,
    /// In a few words, for small models.
    Simple,
    /// Excerpts in the place of the book; an explanation, then the answer.
    Excerpts,
}

impl Form {
    /// Every form.
    pub const ALL: [Self; 5] =
        [Self::ExplainFirst, Self::AnswerFirst, Self::AnswerOnly, Self::Simple, Self::Excerpts];

    /// The form of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }

    /// Its name: `explain-first`.
    pub fn name(self) -> &'static str {
        match self {
            Self::ExplainFirst => "explain-first",
            Self::AnswerFirst => "answer-first",
            Self::AnswerOnly => "answer-only",
            Self::Simple => "simple",
            Self::Excerpts => "excerpts",
        }
    }

    /// Its template.
    pub fn text(self) -> &'static str {
        match self {
            Self::ExplainFirst => {
                const { storymill_data::text("prompts/claims/explain-first.jinja") }
            }
            Self::AnswerFirst => {
                const { storymill_data::text("prompts/claims/answer-first.jinja") }
            }
            Self::AnswerOnly => const { storymill_data::text("prompts/claims/answer-only.jinja") },
            Self::Simple => const { storymill_data::text("prompts/claims/simple.jinja") },
            Self::Excerpts => const { storymill_data::text("prompts/claims/excerpts.jinja") },
        }
    }
}

/// A prompt, ready to be filled.
#[derive(Debug)]
pub struct Prompt {
    text: String,
    /// None for a text with slots.
    template: Option<Environment<'static>>,
}

/// What a prompt is filled with.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Filling<'f> {
    /// What is shown of the book.
    pub book: &'f str,
    /// The claim.
    pub claim: &'f str,
    /// Whether the text is a story of a collection.
    pub story: bool,
    /// Whether excerpts stand in the order of the book.
    pub book_order: bool,
}

/// The slots of the original's files.
const SLOTS: [&str; 2] = ["[book_text]", "[claim]"];

impl Prompt {
    /// A prompt that comes with the program.
    pub fn ours(form: Form) -> Self {
        Self::new(form.text()).expect("our own templates are tried by a test")
    }

    /// A prompt of the user's: a template with `book` and `claim`, or a text with the slots
    /// `[book_text]` and `[claim]`.
    ///
    /// # Errors
    ///
    /// It lacks the book or the claim, or it is not a template.
    pub fn new(text: &str) -> Result<Self, Mistake> {
        let slots = SLOTS.map(|slot| text.contains(slot));
        let prompt = if slots.contains(&true) {
            if slots.contains(&false) {
                return Err(Mistake::new(
                    "the prompt must have both slots, [book_text] and [claim]",
                ));
            }
            Self { text: text.to_owned(), template: None }
        } else {
            let mut environment = Environment::new();
            environment.set_undefined_behavior(UndefinedBehavior::Strict);
            environment.set_auto_escape_callback(|_| AutoEscape::None);
            environment
                .add_template_owned("prompt", text.to_owned())
                .map_err(|error| told(&error))?;
            Self { text: text.to_owned(), template: Some(environment) }
        };
        let tried =
            prompt.fill(Filling { book: "(1)", claim: "(2)", story: false, book_order: false })?;
        if tried.contains("(1)") && tried.contains("(2)") {
            Ok(prompt)
        } else {
            Err(Mistake::new(
                "the prompt shows not both the book and the claim: it needs {{ book }} and {{ claim }}, or [book_text] and [claim]",
            ))
        }
    }

    /// The prompt with everything in its place.
    ///
    /// # Errors
    ///
    /// A template of the user's cannot be filled.
    pub fn fill(&self, filling: Filling<'_>) -> Result<String, Mistake> {
        let Some(environment) = &self.template else {
            return Ok(slots(&self.text, filling));
        };
        let Filling { book, claim, story, book_order } = filling;
        environment
            .get_template("prompt")
            .and_then(|template| template.render(context! { book, claim, story, book_order }))
            .map_err(|error| told(&error))
    }
}

/// Fills slots in one pass, so that a claim that holds a slot's name stays as it is.
fn slots(text: &str, filling: Filling<'_>) -> String {
    let mut filled = String::with_capacity(text.len() + filling.book.len() + filling.claim.len());
    let mut rest = text;
    while let Some((at, slot)) =
        SLOTS.iter().filter_map(|slot| Some((rest.find(slot)?, *slot))).min_by_key(|(at, _)| *at)
    {
        filled.push_str(&rest[..at]);
        filled.push_str(if slot == SLOTS[0] { filling.book } else { filling.claim });
        rest = &rest[at + slot.len()..];
    }
    filled + rest
}

/// What is wrong with a template, without what it was filled with.
fn told(error: &minijinja::Error) -> Mistake {
    let line = error.line().map_or(String::new(), |line| format!(" in line {line}"));
    Mistake::new(format!("the prompt cannot be filled: {}{line}", error.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_can_be_filled_and_differ() {
        let texts: std::collections::BTreeSet<_> = Form::ALL.map(Form::text).into();
        assert_eq!(texts.len(), 5);
        let filling =
            Filling { book: "{{ x }} <b>", claim: "It's & so", story: true, book_order: true };
        for form in Form::ALL {
            let text = Prompt::ours(form).fill(filling).unwrap();
            assert!(text.contains("{{ x }} <b>") && text.contains("It's & so"), "{text}");
        }
    }

    #[test]
    fn own_prompts() {
        let filling =
            Filling { book: "B [claim]", claim: "C [book_text]", story: false, book_order: false };
        let slots = Prompt::new("x [book_text] y [claim] z").unwrap();
        assert_eq!(slots.fill(filling).unwrap(), "x B [claim] y C [book_text] z");
        let template = Prompt::new("{{ claim }}: {{ book }}").unwrap();
        assert_eq!(template.fill(filling).unwrap(), "C [book_text]: B [claim]");
        for (text, expect) in [
            ("[book_text]", "both slots"),
            ("{{ book }}", "not both"),
            ("{{ book }} {{ claim }} {{ other }}", "undefined value"),
            ("{{ book }", "syntax error"),
            ("nothing", "not both"),
        ] {
            let told = Prompt::new(text).unwrap_err().to_string();
            assert!(told.contains(expect), "{text}: {told}");
        }
    }
}
