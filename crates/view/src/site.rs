//! A dataset as a site: which page stands at a path.

use std::collections::BTreeMap;

use minijinja::{Environment, context, value::Serde};
use serde::Serialize;
use storymill_core::{Fault, FaultKind};
use storymill_dataset::look::Look;

use crate::{
    address::{Query, decoded},
    build::{Build, LeftCount},
    draw,
    links::Links,
    pages,
    results::Results,
};

/// A page, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The status of HTTP: 200, 404, 500.
    pub status: u16,
    /// Its media type.
    pub kind: &'static str,
    /// Its bytes.
    pub body: String,
}

/// A file that pages need: its media type and text; none if there is none of this name.
pub fn asset(name: &str) -> Option<(&'static str, &'static str)> {
    match name {
        "look.css" => Some((
            "text/css; charset=utf-8",
            concat!(include_str!("files/tokens.css"), include_str!("files/look.css")),
        )),
        "keys.js" => Some(("text/javascript; charset=utf-8", include_str!("files/keys.js"))),
        _ => None,
    }
}

/// A published folder as pages.
pub struct Site {
    pub(crate) look: Look,
    /// For each config, those behind it, the nearest first: texts are taken from there.
    pub(crate) behind: BTreeMap<String, Vec<String>>,
    pub(crate) results: Results,
    pub(crate) build: Option<Box<dyn Build>>,
    pub(crate) counts: Vec<LeftCount>,
    environment: Environment<'static>,
}

impl std::fmt::Debug for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Site").field("look", &self.look).finish_non_exhaustive()
    }
}

impl Site {
    /// A site over an open folder. `behind` says for each config which ones its texts may be taken from.
    ///
    /// # Errors
    ///
    /// A template cannot be read: a mistake of ours.
    pub fn new(
        look: Look,
        behind: BTreeMap<String, Vec<String>>,
        links: Links,
    ) -> Result<Self, Fault> {
        let environment = draw::environment(links).map_err(not_drawn)?;
        Ok(Self {
            look,
            behind,
            results: Results::default(),
            build: None,
            counts: Vec::new(),
            environment,
        })
    }

    /// Shows what models answered beside the questions.
    #[must_use]
    pub fn with_results(self, results: Results) -> Self {
        Self { results, ..self }
    }

    /// Shows what the build knows too: where items come from, what has no row, casts, pages.
    #[must_use]
    pub fn with_build(self, build: Box<dyn Build>) -> Self {
        Self { build: Some(build), ..self }
    }

    /// Says how many items have no row, by step and reason.
    #[must_use]
    pub fn with_counts(self, counts: Vec<LeftCount>) -> Self {
        Self { counts, ..self }
    }

    /// The folder.
    pub fn look(&self) -> &Look {
        &self.look
    }

    /// The page at a path, in percent and without a slash before it: `c/read-along/84/0040/lookahead`.
    pub fn page(&self, path: &str, query: &str) -> Reply {
        if let Some((kind, text)) = asset(path) {
            return Reply { status: 200, kind, body: text.to_owned() };
        }
        let path = decoded(path);
        let query = Query::of(query);
        let page = match path.split_once('/') {
            None if path.is_empty() => pages::home::page(self),
            None if path == "search" => pages::search::page(self, &query),
            None if path == "left" => pages::left::page(self, &query),
            None if path == "casts" => pages::cast::list(self),
            Some(("left", rest)) => pages::left::item(self, rest),
            Some(("answer", rest)) => pages::left::answer(self, rest),
            Some(("page", book)) => pages::source::page(self, book, &query),
            Some(("cast", book)) => pages::cast::page(self, book),
            Some(("book", book)) => pages::book::page(self, book, &query),
            Some(("c", rest)) => match rest.split_once('/') {
                None => pages::list::page(self, rest, &query),
                Some((config, id)) => pages::row::page(self, config, id),
            },
            _ => Ok(None),
        };
        match page {
            Ok(Some(body)) => html(200, body),
            Ok(None) => self.lost(404, "There is no such page here.", None),
            Err(fault) => self.lost(
                if fault.kind == FaultKind::Input { 404 } else { 500 },
                &fault.message,
                fault.hint.as_deref(),
            ),
        }
    }

    fn lost(&self, status: u16, what: &str, hint: Option<&str>) -> Reply {
        let title = self.title();
        let body = self
            .fill("lost.html", &context! { title, what, hint })
            .unwrap_or_else(|_| what.to_owned());
        html(status, body)
    }

    /// The page of some rows of a config.
    ///
    /// # Errors
    ///
    /// There is no such config, or a row cannot be read.
    pub fn some(&self, config: &str, ids: &[String]) -> Result<String, Fault> {
        pages::list::some(self, config, ids)
    }

    /// `quickstart 0.1.0`.
    pub(crate) fn title(&self) -> String {
        let manifest = self.look.manifest();
        format!("{} {}", manifest.name, manifest.version)
    }

    /// The configs that texts of this one may be taken from; itself first.
    pub(crate) fn behind(&self, config: &str) -> Vec<String> {
        let mut all = vec![config.to_owned()];
        all.extend(
            self.behind.get(config).into_iter().flatten().filter(|one| *one != config).cloned(),
        );
        all
    }

    /// A template filled with values.
    pub(crate) fn draw(
        &self,
        template: &str,
        view: &impl Serialize,
    ) -> Result<Option<String>, Fault> {
        self.fill(template, &minijinja::Value::from(Serde(view))).map(Some)
    }

    fn fill(&self, template: &str, values: &minijinja::Value) -> Result<String, Fault> {
        let template = self.environment.get_template(template).map_err(not_drawn)?;
        template.render(values).map_err(not_drawn)
    }
}

fn html(status: u16, body: String) -> Reply {
    Reply { status, kind: "text/html; charset=utf-8", body }
}

fn not_drawn(error: minijinja::Error) -> Fault {
    Fault::new(FaultKind::Internal, "cannot fill the page").because(error)
}
