//! Renders templates into requests, and asks.
//!
//! A template is one file with two blocks, `system` (may be missing) and `user`: what stands above
//! the conversation, and its first turn. An undefined variable is a fault, with the template's name and line.

use std::cell::{Cell, RefCell};

use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, Value, context,
    syntax::SyntaxConfig,
};
use storymill_core::{
    Answer, Chat, Content, Cx, Digest, Fault, FaultKind, Reason, Request, RequestKey, Resource,
    Schema, Stop,
};

use super::answer::{BEGIN, END};

/// A template, compiled.
#[derive(Debug)]
pub(crate) struct Prompt {
    environment: Environment<'static>,
    name: String,
}

/// What every template of ours may include.
pub(crate) const AGAIN: &str = storymill_data::text("prompts/again.jinja");
/// The same for prompts about question sets, in English and in Chinese.
pub(crate) const AGAIN_SETS: [&str; 2] = [
    const { storymill_data::text("prompts/again-sets-en.jinja") },
    const { storymill_data::text("prompts/again-sets-zh.jinja") },
];

impl Prompt {
    /// The user's template, or the one that comes with the stage.
    pub(crate) fn new(
        own: Option<&Resource>,
        name: &str,
        text: &'static str,
    ) -> Result<Self, Fault> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        let mut syntax = SyntaxConfig::builder();
        syntax.trim_blocks(true).lstrip_blocks(true);
        let syntax = syntax.build().map_err(|error| fault(name, error))?;
        environment.set_syntax(syntax);
        let (name, text) = match own {
            None => (name.to_owned(), text.to_owned()),
            Some(file) => {
                let name = file.path().display().to_string();
                let text = std::str::from_utf8(file.content()).map_err(|error| {
                    let message = "a prompt must be UTF-8 text";
                    Fault::new(FaultKind::Input, message).at(file.path()).because(error)
                })?;
                (name, text.to_owned())
            }
        };
        let added = environment
            .add_template("again.jinja", AGAIN)
            .and_then(|()| environment.add_template("again-sets-en.jinja", AGAIN_SETS[0]))
            .and_then(|()| environment.add_template("again-sets-zh.jinja", AGAIN_SETS[1]))
            .and_then(|()| environment.add_template_owned(name.clone(), text));
        added.map_err(|error| fault(&name, error))?;
        Ok(Self { environment, name })
    }

    /// The conversation for these variables.
    pub(crate) fn chat(&self, variables: &Value) -> Result<Chat, Fault> {
        let blocks = || {
            let template = self.environment.get_template(&self.name)?;
            let mut rendered = template.render_captured(variables.clone())?;
            let mut block = |name| rendered.with_state_mut(|state| state.render_block(name));
            let system = match block("system") {
                Err(error) if error.kind() == ErrorKind::UnknownBlock => None,
                other => Some(other?),
            };
            Ok((system, block("user")?))
        };
        let (system, user): (Option<String>, String) =
            blocks().map_err(|error| fault(&self.name, error))?;
        let system = system.map(|text| text.trim().to_owned());
        Ok(Chat { system, ..Chat::new(user.trim()) })
    }

    /// The words of the task itself: the conversation for blank variables. Where a template cannot
    /// do with blanks there are none, and what repeats the task is not noticed.
    pub(crate) fn instructions(&self, blank: &Value) -> String {
        let variables = with_try(blank, None, 0);
        let chat = self.chat(&variables).unwrap_or_default();
        chat.texts().collect::<Vec<_>>().join("\n")
    }
}

/// A fault of a template, with its line.
fn fault(name: &str, error: Error) -> Fault {
    let at = error.line().map_or(String::new(), |line| format!(", line {line}"));
    // An error may lie in a template that the named one includes.
    let name = error.name().unwrap_or(name).to_owned();
    let what = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
    Fault::new(FaultKind::Input, format!("the prompt `{name}`{at}: {what}"))
        .hint("data/prompts/README.md lists the blocks and variables of each prompt")
        .because(error)
}

/// The variables that every template sees, besides those of its stage.
fn with_try(own: &Value, last: Option<&Reason>, attempt: u32) -> Value {
    let again = last.map(|reason| context! { code => &*reason.code, detail => &reason.detail });
    context! { again => again, attempt, tag => BEGIN, end_tag => END, ..own.clone() }
}

/// Whom to ask, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask<'a> {
    pub(crate) prompt: &'a Prompt,
    pub(crate) model: &'a str,
    pub(crate) tries: u32,
    /// Asked of the server where answers are JSON.
    pub(crate) schema: Option<&'a Schema>,
}

/// What an accepted answer gave, and which answer it was.
#[derive(Clone, Debug)]
pub(crate) struct Taken<T> {
    pub(crate) value: T,
    pub(crate) key: RequestKey,
    /// How many answers were looked at.
    pub(crate) tries: usize,
}

impl<T> Taken<T> {
    /// The digest that rows keep.
    pub(crate) fn digest(&self) -> Digest {
        self.key.0
    }
}

impl Ask<'_> {
    /// The first answer that passes `check`.
    pub(crate) fn first<T>(
        &self,
        cx: &mut Cx<'_>,
        sample: u32,
        variables: &Value,
        check: impl Fn(&Answer) -> Result<T, Reason>,
    ) -> Result<Taken<T>, Stop> {
        let before = cx.reads().len();
        let attempt = Cell::new(0);
        let broken: RefCell<Option<Fault>> = RefCell::new(None);
        let request = |last: Option<&Reason>| {
            let variables = with_try(variables, last, attempt.replace(attempt.get() + 1));
            let chat = self.prompt.chat(&variables);
            // No tries: the asking ends here, and the fault is given back below.
            let tries = if chat.is_ok() { self.tries } else { 0 };
            let chat = chat.map_err(|fault| broken.replace(Some(fault))).unwrap_or_default();
            let content = Content::Chat(Chat { schema: self.schema.cloned(), ..chat });
            Request { model: self.model.to_owned(), content, tries }
        };
        let taken = cx.ask(sample, request, check);
        if let Some(fault) = broken.into_inner() {
            return Err(Stop::Fault(fault));
        }
        let value = taken?;
        let Some((key, _)) = cx.reads().last().copied() else {
            let message = "an answer was taken that nobody read";
            return Err(Fault::new(FaultKind::Internal, message).into());
        };
        Ok(Taken { value, key, tries: cx.reads().len() - before })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEMPLATE: &str = "{% block system %}\nBe brief.\n{% endblock %}\n{% block user %}\n\
        Say {{ what }}{% if again %} ({{ again.code }}, {{ attempt }}){% endif %}.\n{% endblock %}";

    #[test]
    fn blocks_become_a_conversation() {
        let prompt = Prompt::new(None, "t.jinja", TEMPLATE).unwrap();
        let reason = Reason::new("loop", "x");
        let variables = with_try(&context! { what => "<a> & {{ b }}" }, Some(&reason), 1);
        let system = Some("Be brief.".to_owned());
        let expected = Chat { system, ..Chat::new("Say <a> & {{ b }} (loop, 1).") };
        assert_eq!(prompt.chat(&variables).unwrap(), expected);
        let prompt = Prompt::new(None, "t.jinja", "{% block user %}A{% endblock %}").unwrap();
        assert_eq!(prompt.chat(&variables).unwrap(), Chat::new("A"));
    }

    #[track_caller]
    fn check_fault(text: &'static str, expected: &str) {
        let prompt = Prompt::new(None, "mine.jinja", text);
        let variables = with_try(&context! { what => "a" }, None, 0);
        let fault = prompt.and_then(|prompt| prompt.chat(&variables)).unwrap_err();
        assert!(fault.message.starts_with(expected), "{}", fault.message);
        assert!(fault.hint.is_some());
    }

    #[test]
    fn mistakes_are_faults_with_their_line() {
        check_fault(
            "{% block user %}\n{{ wat }}{% endblock %}",
            "the prompt `mine.jinja`, line 2: ",
        );
        check_fault(
            "{% block user %}\n\n{% if %}{% endblock %}",
            "the prompt `mine.jinja`, line 3: ",
        );
        check_fault("Say {{ what }}.", "the prompt `mine.jinja`");
        check_fault(
            "{% block user %}{% include 'x' %}{% endblock %}",
            "the prompt `mine.jinja`, line 1: ",
        );
    }
}
