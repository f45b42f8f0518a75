//! A question as it is put to a model: one template, for the stage `answer`, for `storymill inspect --ask` and for reports.

use std::borrow::Cow;

use minijinja::{Value, context};
use storymill_core::{Chat, Fault, Form, Question};

use crate::retelling::prompt::Prompt;

/// Where the part ends that other requests begin with too, as the template says it.
pub(super) const SHARED_ENDS: &str = "\u{e000}";

/// What is told of a question besides the question itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Told<'t> {
    /// What is shown of what was read; blank if nothing is.
    pub(super) shown: &'t str,
    /// The setting, without its number.
    pub(super) setting: &'t str,
    /// Blank if they are not told.
    pub(super) title: &'t str,
    pub(super) author: &'t str,
    pub(super) language: &'t str,
}

/// The word that templates have for a form.
pub(super) fn form(question: &Question) -> &'static str {
    match &question.form {
        Form::Options { .. } => "options",
        Form::FreeText { .. } => "free-text",
        Form::Verdict { .. } => "verdict",
    }
}

/// The task, with the texts that stand in it where it has options: templates place what is to be worked on themselves.
fn task(question: &Question) -> Cow<'_, str> {
    match &question.form {
        Form::Options { .. } => question.asked().into(),
        Form::FreeText { .. } | Form::Verdict { .. } => Cow::Borrowed(&question.task),
    }
}

/// What the template is filled with.
pub(super) fn variables(question: &Question, told: Told<'_>) -> Value {
    let options: Vec<String> = question.options().iter().map(|one| one.text.clone()).collect();
    let Told { shown, setting, title, author, language } = told;
    context! {
        context => shown,
        setting,
        title,
        author,
        form => form(question),
        task => task(question),
        given => question.given(),
        options,
        language,
        shared_ends => SHARED_ENDS,
    }
}

/// What the template of several questions is filled with.
pub(super) fn variables_of_several(questions: &[&Question], told: Told<'_>) -> Value {
    let question = |one: &&Question| {
        let options: Vec<String> = one.options().iter().map(|one| one.text.clone()).collect();
        context! { task => task(one), options }
    };
    let questions: Vec<Value> = questions.iter().map(question).collect();
    let Told { shown, setting, title, author, language } = told;
    context! { context => shown, setting, title, author, questions, language, shared_ends => SHARED_ENDS }
}

/// A conversation whose template said where what is shared ends: the mark is taken out. A template of one's own need
/// not say it.
pub(super) fn unmarked(mut chat: Chat) -> Chat {
    if let Some(turn) = chat.turns.first_mut()
        && let Some(at) = turn.text.find(SHARED_ENDS)
    {
        turn.text = turn.text.replace(SHARED_ENDS, "");
        chat.shared = at;
    }
    chat
}

/// A question as the stage `answer` puts it to a model, behind what is shown of what was read; without that if it is
/// blank.
///
/// # Errors
///
/// The template that comes with the stage cannot be filled, which is a mistake of ours.
pub fn prompt_of(question: &Question, shown: &str) -> Result<String, Fault> {
    let prompt = Prompt::new(None, "answer.jinja", ANSWER)?;
    let told =
        Told { shown, setting: if shown.is_empty() { "none" } else { "full" }, ..Told::default() };
    let chat = unmarked(prompt.chat(&variables(question, told))?);
    Ok(chat.turns.into_iter().map(|turn| turn.text).collect())
}

const ANSWER: &str = storymill_data::text("prompts/answer.jinja");
