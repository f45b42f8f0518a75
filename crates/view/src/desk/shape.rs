//! What may be said of an item beyond a note, as a form shows it.

use serde::Serialize;
use storymill_core::{Label, NameChange, NamedPerson, ReviewField, ReviewForm, Said};
use storymill_review::Shown;

use super::ballot::{Form, GENDERS};

#[derive(Serialize)]
pub(super) struct Choice {
    word: String,
    /// What the page calls it: of texts that are compared the first is A, whichever it is.
    pub(super) called: String,
    /// What follows from it, where that is to be told.
    pub(super) follows: &'static str,
    digit: String,
    chosen: bool,
    is_default: bool,
}

#[derive(Default, Serialize)]
pub(super) struct Shape {
    kind: &'static str,
    /// The choice that takes changes.
    of: String,
    text: String,
    /// How much evidence is marked, in words.
    pub(super) marked: String,
    kinds: Vec<String>,
    sentences: Vec<Sentence>,
    people: Vec<Person>,
    fields: Vec<FieldLine>,
    /// Texts that are compared: the choice, and the text.
    texts: Vec<(String, String)>,
    /// Kinds of error that may be named.
    errors: Vec<Choice>,
    /// Whether the fields say something else than the item.
    changed: bool,
}

#[derive(Serialize)]
struct FieldLine {
    name: String,
    label: String,
    text: String,
    needed: bool,
    options: Vec<Choice>,
}

#[derive(Serialize)]
struct Sentence {
    at: usize,
    text: String,
    labels: Vec<Choice>,
    kinds: Vec<Choice>,
    why: String,
}

#[derive(Serialize)]
struct Person {
    at: usize,
    name: String,
    seen: String,
    keep: bool,
    /// Whether it is found so, which no change takes back.
    is_kept: bool,
    genders: Vec<Choice>,
    /// Their names, and what was said that replaces them.
    names: Vec<(String, String)>,
    split: String,
    into: String,
}

/// The choices of an item, by digits.
pub(super) fn choices(words: &[String], chosen: &str, default: &str) -> Vec<Choice> {
    let choice = |(at, word): (usize, &String)| Choice {
        word: word.clone(),
        called: word.clone(),
        follows: "",
        digit: match at {
            0..=8 => (at + 1).to_string(),
            9 => "0".to_owned(),
            _ => String::new(),
        },
        chosen: word == chosen,
        is_default: word == default,
    };
    words.iter().enumerate().map(choice).collect()
}

/// What a form asks beyond the choice, with what the person said before. Texts that are compared stand in the order of
/// their `choices`, under the letters of these.
pub(super) fn shape(form: &ReviewForm, said: Option<&Said>, order: &[Shown]) -> Shape {
    match form {
        ReviewForm::Choice => Shape { kind: "choice", ..Shape::default() },
        ReviewForm::Text { text, of } => {
            let text = if let Some(Said::Text(edited)) = said { edited } else { text };
            Shape { kind: "text", of: of.clone(), text: text.clone(), ..Shape::default() }
        }
        ReviewForm::Names { people, of } => {
            let changes = if let Some(Said::Names(changes)) = said { &changes[..] } else { &[] };
            let person = |(at, one): (usize, &NamedPerson)| person(at, one, changes);
            let people = people.iter().enumerate().map(person).collect();
            Shape { kind: "names", of: of.clone(), people, ..Shape::default() }
        }
        ReviewForm::Labels { sentences, kinds, of } => {
            let given = if let Some(Said::Labels(labels)) = said { &labels[..] } else { &[] };
            let names: Vec<String> =
                Label::ALL.iter().map(|label| label.name().to_owned()).collect();
            let sentence = |(at, text): (usize, &String)| {
                let own = given.get(at);
                let label = own.map_or("", |own| own.label.name());
                let mut all = choices(kinds, "", "");
                for kind in &mut all {
                    kind.chosen = own.is_some_and(|own| own.kinds.contains(&kind.word));
                }
                let why = own.map_or_else(String::new, |own| own.explanation.clone());
                Sentence {
                    at,
                    text: text.clone(),
                    labels: choices(&names, label, ""),
                    kinds: all,
                    why,
                }
            };
            let sentences = sentences.iter().enumerate().map(sentence).collect();
            let (of, kinds) = (of.clone(), kinds.clone());
            Shape { kind: "labels", of, kinds, sentences, ..Shape::default() }
        }
        ReviewForm::Evidence => Shape { kind: "evidence", ..Shape::default() },
        ReviewForm::Fields { fields, of } => {
            let own = if let Some(Said::Fields(own)) = said { Some(own) } else { None };
            let line = |field: &ReviewField| {
                let text = own.and_then(|own| own.values.get(&field.name)).unwrap_or(&field.text);
                FieldLine {
                    name: field.name.clone(),
                    label: field.name.replace('_', " "),
                    text: text.clone(),
                    needed: field.needed,
                    options: choices(&field.options, text, ""),
                }
            };
            Shape {
                kind: "fields",
                of: of.clone(),
                fields: fields.iter().map(line).collect(),
                changed: own.is_some_and(|own| !own.values.is_empty()),
                ..Shape::default()
            }
        }
        ReviewForm::Grounds { texts, kinds } => {
            let own = if let Some(Said::Grounds(own)) = said { Some(own) } else { None };
            let mut errors = choices(kinds, "", "");
            for kind in &mut errors {
                kind.chosen = own.is_some_and(|own| own.kinds.contains(&kind.word));
            }
            let text = |one: &Shown| {
                let text = texts.iter().find(|text| text.choice == one.choice)?;
                Some((one.called.clone(), text.text.clone()))
            };
            Shape {
                kind: "grounds",
                texts: order.iter().filter_map(text).collect(),
                errors,
                ..Shape::default()
            }
        }
    }
}

impl Shape {
    /// The same with what somebody typed and that was not taken.
    pub(super) fn typed(mut self, form: Form<'_>) -> Self {
        if let Some(text) = form.sent("text") {
            self.text = text;
        }
        for one in &mut self.sentences {
            let (label, kinds) = (format!("label.{}", one.at), format!("kind.{}", one.at));
            typed(&mut one.labels, form, &label);
            typed(&mut one.kinds, form, &kinds);
            one.why = form.get(&format!("why.{}", one.at));
        }
        for one in &mut self.people {
            let at = one.at;
            typed(&mut one.genders, form, &format!("gender.{at}"));
            one.keep = one.is_kept || form.sent(&format!("keep.{at}")).is_some();
            one.split = form.get(&format!("split.{at}"));
            one.into = form.get(&format!("into.{at}"));
            for (number, (_, by)) in one.names.iter_mut().enumerate() {
                *by = form.get(&format!("by.{at}.{number}"));
            }
        }
        for field in &mut self.fields {
            let name = format!("field.{}", field.name);
            typed(&mut field.options, form, &name);
            if let Some(text) = form.sent(&name) {
                field.text = text;
            }
        }
        typed(&mut self.errors, form, "kind");
        self
    }
}

/// Chooses what a form says.
pub(super) fn typed(choices: &mut [Choice], form: Form<'_>, name: &str) {
    for one in choices {
        one.chosen = form.all(name).any(|value| value == one.word);
    }
}

/// How much evidence is marked; who has no keys is told how to mark some.
pub(super) fn marked(count: usize) -> String {
    match count {
        0 => "Tick the sentences from which the answer follows.".to_owned(),
        1 => "1 place is marked".to_owned(),
        many => format!("{many} places are marked"),
    }
}

fn person(at: usize, one: &NamedPerson, changes: &[NameChange]) -> Person {
    let mut gender = one.gender.clone();
    let (mut keep, mut split, mut into) = (one.keep, String::new(), String::new());
    let mut names: Vec<(String, String)> =
        one.names.iter().map(|name| (name.clone(), String::new())).collect();
    for change in changes {
        match change {
            NameChange::Gender { of, gender: said } if *of == one.name => gender.clone_from(said),
            NameChange::Keep { of } if *of == one.name => keep = true,
            NameChange::Split { of, name } if *of == one.name => split.clone_from(name),
            NameChange::Merge { one: stays, with } if *with == one.name => into.clone_from(stays),
            NameChange::Substitute { name, by } => {
                let own = names.iter_mut().filter(|(own, _)| own == name);
                own.for_each(|(_, said)| said.clone_from(by));
            }
            _ => {}
        }
    }
    let genders = GENDERS.map(str::to_owned);
    let seen = crate::numbers::counted(one.seen.into(), "time");
    Person {
        at,
        name: one.name.clone(),
        seen,
        keep,
        is_kept: one.keep,
        genders: choices(&genders, &gender, ""),
        names,
        split,
        into,
    }
}
