//! The page: figures, pictures and words filled into one template. Nothing in it comes from elsewhere.

mod view;

use minijinja::{AutoEscape, Environment, UndefinedBehavior, syntax::SyntaxConfig, value::Serde};

use crate::{options::Options, report::Report};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = concat!(include_str!("page.css"), include_str!("chart.css"));

/// A page that could not be filled: a mistake of ours.
#[derive(Debug, thiserror::Error)]
#[error("cannot fill the page of the report")]
pub struct NotDrawn(#[from] minijinja::Error);

impl Report {
    /// The report as one HTML file.
    pub fn html(&self, options: &Options) -> Result<String, NotDrawn> {
        let mut environment = Environment::new();
        let mut syntax = SyntaxConfig::builder();
        syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
        environment.set_syntax(syntax.build()?);
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        environment.add_template("page.html", PAGE)?;
        let view = view::Page::of(self, options, STYLE);
        Ok(environment.get_template("page.html")?.render(Serde(view))?)
    }
}
