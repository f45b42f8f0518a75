//! The page: figures, pictures and words filled into one template. Nothing in it comes from elsewhere.

mod view;

pub(crate) use view::SHOWN;

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

/// A share with two digits, without the nought before the point: `.76`, `1`, `−.09`.
pub fn decimal(value: f64) -> String {
    let text = format!("{:.2}", value.abs());
    let text = match text.as_str() {
        "0.00" => return "0".to_owned(),
        "1.00" => "1".to_owned(),
        text => text.strip_prefix('0').unwrap_or(text).to_owned(),
    };
    if value < 0.0 { format!("−{text}") } else { text }
}

/// A share in hundredths: `22 %`.
pub(crate) fn share(value: f64) -> String {
    format!("{:.0} %", value * 100.0)
}

/// A count with its noun: `1 book`, `2,367 questions`.
pub(crate) fn number(count: usize, noun: &str) -> String {
    if count == 1 {
        return format!("1 {noun}");
    }
    format!("{} {}", thousands(count as u64), storymill_core::many(noun))
}

/// A number with a comma before every three digits from the right: `41,200,000`.
pub fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(
            [0.756, 1.0, 0.0, -0.094, 0.999, -0.001].map(decimal),
            [".76", "1", "0", "−.09", "1", "0"]
        );
        assert_eq!(number(2_367, "question"), "2,367 questions");
        assert_eq!(number(1, "book"), "1 book");
    }
}
