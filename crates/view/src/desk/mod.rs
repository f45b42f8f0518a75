//! The pages on which people decide: queues, items, disputes. What a person sends comes as the fields of a form.
//!
//! A page is made from what the file of decisions says now, so that two tabs, or two programs on the same file, lose
//! nothing; "saved" is said of what is on disk. Whoever serves the pages lets one person in and checks where forms
//! come from.

mod ballot;
mod fields;
mod item;
mod lists;
pub mod packet;
mod shape;
mod shown;
mod taking;
mod text;
mod words;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard},
};

use minijinja::{Environment, Value, context, value::Serde};
use serde::Serialize;
use storymill_core::{Decision, Digest, Fault, FaultKind, person};
use storymill_review::Desk;

use crate::{
    Reply,
    address::{Query, decoded},
    draw,
    links::Links,
    site::asset,
};

const TEMPLATES: [(&str, &str); 11] = [
    ("desk/base.html", include_str!("../files/desk/base.html")),
    ("desk/parts.html", include_str!("../files/desk/parts.html")),
    ("desk/start.html", include_str!("../files/desk/start.html")),
    ("desk/queue.html", include_str!("../files/desk/queue.html")),
    ("desk/item.html", include_str!("../files/desk/item.html")),
    ("desk/disputes.html", include_str!("../files/desk/disputes.html")),
    ("desk/done.html", include_str!("../files/desk/done.html")),
    ("desk/keys.html", include_str!("../files/desk/keys.html")),
    ("desk/lost.html", include_str!("../files/desk/lost.html")),
    ("desk/packet.html", include_str!("../files/desk/packet.html")),
    ("desk/packet_book.html", include_str!("../files/desk/packet_book.html")),
];

/// Finds texts of books, so that passages are shown with what stands around them.
pub trait Books: Send + Sync {
    /// The text of a book; none if it is not there.
    fn text(&self, book: &str) -> Option<Arc<str>>;
}

/// A desk, and the files of its decisions.
pub trait Kept: Send {
    /// Items and votes.
    fn desk(&self) -> &Desk;

    /// Takes in what others have written since.
    ///
    /// # Errors
    ///
    /// A file of decisions cannot be read.
    fn refresh(&mut self) -> Result<(), Fault>;

    /// Saves what people said. It is on disk once this returns.
    ///
    /// # Errors
    ///
    /// It cannot be written; then nothing was saved.
    fn save(&mut self, lines: &[Decision]) -> Result<(), Fault>;

    /// Lets go of lines that were read or saved, and that stand in no file any more.
    fn forget_gone(&mut self);
}

/// What pages say of the build, or the set, around the items.
#[derive(Clone, Debug, Default)]
pub struct Setting {
    /// `lveval 0.1.0`.
    pub title: String,
    /// The command that uses what was decided.
    pub uses: String,
    /// What becomes of a name, in a sentence.
    pub names: String,
    /// What people should know before they decide: that a build is not whole.
    pub warnings: Vec<String>,
}

/// What a browser gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A page.
    Page(Reply),
    /// The way to another one: its whole path.
    Go(String),
}

/// The pages over a desk and the files of its decisions.
pub struct App {
    state: Mutex<State>,
    books: Box<dyn Books>,
    setting: Setting,
    base: String,
    /// The name of the field that every form holds.
    session: String,
    environment: Environment<'static>,
}

struct State {
    kept: Box<dyn Kept>,
    person: String,
    /// Whom the page of an item was shown to.
    shown_to: BTreeMap<Digest, BTreeSet<String>>,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").field("setting", &self.setting).finish_non_exhaustive()
    }
}

/// A page, or why there is none.
type Page = Result<Told, Fault>;

impl App {
    /// Pages below the path `base`. `field` is the name and the value that every form must hold.
    ///
    /// # Errors
    ///
    /// A template cannot be read: a mistake of ours.
    pub fn new(
        kept: Box<dyn Kept>,
        books: Box<dyn Books>,
        setting: Setting,
        base: &str,
        field: (&str, &str),
    ) -> Result<Self, Fault> {
        let (name, value) = field;
        let field = format!("<input type=\"hidden\" name=\"{name}\" value=\"{value}\">");
        let mut environment =
            draw::environment(Links::Served(base.to_owned())).map_err(not_drawn)?;
        environment.add_function("session", move || Value::from_safe_string(field.clone()));
        for (file, source) in TEMPLATES {
            environment.add_template(file, source).map_err(not_drawn)?;
        }
        let state = Mutex::new(State { kept, person: String::new(), shown_to: BTreeMap::new() });
        let (base, session) = (base.to_owned(), name.to_owned());
        Ok(Self { state, books, setting, base, session, environment })
    }

    /// Lets somebody decide without being asked for their name.
    #[must_use]
    pub fn with_person(self, person: &str) -> Self {
        person.clone_into(&mut self.state().person);
        self
    }

    /// Answers what a browser asks for, or sends.
    pub fn answer(&self, path: &str, query: &str, form: Option<&[(String, String)]>) -> Told {
        if let Some((kind, text)) = desk_asset(path).or_else(|| asset(path)) {
            return Told::Page(Reply { status: 200, kind, body: text.to_owned() });
        }
        let (path, query) = (decoded(path), Query::of(query));
        let mut state = self.state();
        let page = state.kept.refresh().and_then(|()| match form {
            None => {
                state.shows(&path);
                self.shown(&state, &path, &query)
            }
            Some(form) => self.taken(&mut state, &path, form),
        });
        match page.unwrap_or_else(|fault| self.refused(&state, &path, form, &fault)) {
            Told::Go(path) => Told::Go(format!("{}{path}", self.base)),
            page @ Told::Page(_) => page,
        }
    }

    fn shown(&self, state: &State, path: &str, query: &Query) -> Page {
        let parts: Vec<&str> = path.split('/').collect();
        match parts[..] {
            [""] => lists::start(self, state, query),
            ["keys"] => self.page(state, query, "desk/keys.html", context! { in_packet => false }),
            _ if state.person.is_empty() => Ok(Told::Go(String::new())),
            ["disputes"] => lists::disputes(self, state, query),
            ["disputes", id] => item::page(self, state, id, true, query),
            ["q", queue] => lists::queue(self, state, queue, query),
            ["q", queue, "done"] => lists::done(self, state, queue, query),
            ["q", _, id] => item::page(self, state, id, false, query),
            ["who" | "undo"] => Ok(Told::Go(String::new())),
            _ => Err(lost("there is no such page")),
        }
    }

    fn taken(&self, state: &mut State, path: &str, form: &[(String, String)]) -> Page {
        let form = ballot::Form::new(form, &self.session);
        let parts: Vec<&str> = path.split('/').collect();
        match parts[..] {
            ["who"] => {
                state.person = person::named(&form.get("person")).map_err(|why| {
                    let fault = Fault::new(FaultKind::Input, format!("the name {why}"));
                    fault.hint("a name has 1 to 100 visible letters")
                })?;
                Ok(Told::Go(String::new()))
            }
            _ if state.person.is_empty() => {
                let fault = lost("nobody has said who decides");
                Err(fault.hint("write your name on the first page, and decide it then"))
            }
            ["gone"] => {
                let gone: Vec<Decision> = match form.get("with").as_str() {
                    "save" => state.desk().gone().cloned().collect(),
                    "drop" => Vec::new(),
                    _ => return Err(lost("there is no such page")),
                };
                if !gone.is_empty() {
                    state.kept.save(&gone)?;
                }
                state.kept.forget_gone();
                Ok(Told::Go(String::new()))
            }
            // A script may leave out of whom the page was.
            ["undo"] if form.sent("of").is_some_and(|of| !shown::is_of(state, &of)) => {
                let fault = lost("this page was made for somebody else, so nothing was undone");
                Err(fault.hint(format!("you decide as `{}` by now", state.person)))
            }
            ["undo"] => {
                let Some(line) = state.desk().undo(&state.person) else {
                    return Err(lost("you have decided nothing that could be undone"));
                };
                let on = line.review;
                state.kept.save(&[line])?;
                let sight = state.desk().sight(on, &state.person);
                Ok(Told::Go(sight.map_or_else(String::new, |sight| {
                    format!("q/{}/{}?undone={}", sight.queue, sight.id, sight.id)
                })))
            }
            ["q", _, id] => {
                let now = state.person.clone();
                if let Some(other) = state.sender(id, form) {
                    state.person = other;
                }
                let told = taking::take(self, state, id, false, form);
                state.person = now;
                told
            }
            ["disputes", id] => taking::take(self, state, id, true, form),
            _ => Err(lost("there is no such page")),
        }
    }

    /// Why there is no page; with what was sent, which is not saved.
    fn refused(
        &self,
        state: &State,
        path: &str,
        form: Option<&[(String, String)]>,
        fault: &Fault,
    ) -> Told {
        let status = status(fault);
        let back = (path.starts_with("q/") && status != 404).then_some(path);
        let typed = form.map(|form| ballot::Form::new(form, &self.session).typed());
        let values = context! {
            what => fault.to_string(), hint => value(&fault.hint), back => value(&back),
            sends => form.is_some(), typed => value(&typed.unwrap_or_default()),
        };
        let body = self.fill(state, &Query::default(), "desk/lost.html", values);
        let body = body.unwrap_or_else(|_| fault.message.clone());
        Told::Page(Reply { status, ..html(body) })
    }

    fn page(&self, state: &State, query: &Query, template: &str, values: Value) -> Page {
        self.fill(state, query, template, values).map(|body| Told::Page(html(body)))
    }

    /// A page of values that a type holds.
    fn drawn(&self, state: &State, query: &Query, template: &str, view: &impl Serialize) -> Page {
        self.page(state, query, template, value(view))
    }

    fn fill(
        &self,
        state: &State,
        query: &Query,
        template: &str,
        values: Value,
    ) -> Result<String, Fault> {
        let told = words::told(state.desk(), &state.person, query);
        let gone = words::gone(state.desk());
        let around = context! {
            title => self.setting.title.as_str(), person => state.person.as_str(), told, gone,
            of => shown::person(state),
        };
        let template = self.environment.get_template(template).map_err(not_drawn)?;
        template.render(context! { ..around, ..values }).map_err(not_drawn)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A page that could not be made has changed nothing.
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl State {
    /// Notes whom the page of an item is shown to.
    fn shows(&mut self, path: &str) {
        let ["q", _, id] = path.split('/').collect::<Vec<_>>()[..] else { return };
        if let Ok(id) = self.id(id) {
            self.shown_to.entry(id).or_default().insert(self.person.clone());
        }
    }

    /// Who sends a form that does not say of whom it is: the one person whom its page was shown to, where that is not whoever
    /// decides now.
    fn sender(&self, id: &str, form: ballot::Form<'_>) -> Option<String> {
        let shown_to = self.shown_to.get(&self.id(id).ok()?)?;
        let says = form.sent(shown::FIELD).is_some() || shown_to.contains(&self.person);
        let mut others = shown_to.iter().filter(|name| !name.is_empty());
        match (says, others.next(), others.next()) {
            (false, Some(one), None) => Some(one.clone()),
            _ => None,
        }
    }

    fn desk(&self) -> &Desk {
        self.kept.desk()
    }

    fn id(&self, text: &str) -> Result<Digest, Fault> {
        self.desk()
            .find(text)
            .map_err(|_| lost("there is no such item").hint("its text may have changed since"))
    }
}

/// A value as templates take it.
fn value(of: &impl Serialize) -> Value {
    Value::from(Serde(of))
}

fn desk_asset(name: &str) -> Option<(&'static str, &'static str)> {
    match name {
        "desk.css" => Some(("text/css; charset=utf-8", include_str!("../files/desk/desk.css"))),
        "desk.js" => {
            Some(("text/javascript; charset=utf-8", include_str!("../files/desk/desk.js")))
        }
        _ => None,
    }
}

fn html(body: String) -> Reply {
    Reply { status: 200, kind: "text/html; charset=utf-8", body }
}

/// The status of a page on which a fault is told.
fn status(fault: &Fault) -> u16 {
    match fault.kind {
        FaultKind::Input if fault.message.starts_with("there is no such") => 404,
        FaultKind::Input => 422,
        FaultKind::Again => 409,
        _ => 500,
    }
}

fn lost(what: &str) -> Fault {
    Fault::new(FaultKind::Input, what)
}

fn not_drawn(error: minijinja::Error) -> Fault {
    Fault::new(FaultKind::Internal, "cannot fill the page").because(error)
}

#[cfg(test)]
mod random_tests;
#[cfg(test)]
mod refusal_tests;
#[cfg(test)]
mod tests;
