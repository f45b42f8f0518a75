//! What a corpus costs, worked out from what one book costs: the tables of `docs/scale.md`.
//!
//! `docs/scale.toml` has the measured figures, each with the command that measured it, and what is assumed of prices,
//! models and machines. Whoever has other figures writes a file of their own.

use std::{fmt::Write as _, fs, path::PathBuf};

use serde::Deserialize;

use crate::{Done, top};

/// Works out what many books cost from what one costs
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The figures [default: docs/scale.toml]
    figures: Option<PathBuf>,
}

impl Args {
    pub(crate) fn run(self) -> Done {
        let file = self.figures.unwrap_or_else(|| top().join("docs/scale.toml"));
        print!("{}", tables(&fs::read_to_string(file)?)?);
        Ok(())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Figures {
    book: Book,
    corpus: Corpus,
    assumed: Assumed,
}

/// What one book costs. Every figure has the command that measured it in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Book {
    /// All steps that work book by book and ask no model outside.
    cpu_s: f64,
    calls: f64,
    tokens_in: f64,
    tokens_out: f64,
    page_kb: f64,
    store_kb: f64,
    store_files: f64,
    published_kb: f64,
}

/// What grows with the corpus and is done by one process.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Corpus {
    plan_ms_a_book: f64,
    nothing_to_do_ms_a_book: f64,
    finalize_ms_a_book: f64,
    memory_kb_a_book: f64,
}

/// What is not measured here and everybody has to put in for themselves.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Assumed {
    books: Vec<f64>,
    nodes: Vec<f64>,
    cores_a_node: f64,
    usd_a_million_in: f64,
    usd_a_million_out: f64,
    batch_share: f64,
    seconds_a_call: f64,
    calls_at_once_a_node: f64,
    tokens_a_minute: f64,
    batch_rounds: f64,
    hours_a_batch: f64,
}

const SECONDS: f64 = 3600.0;

/// The tables, as Markdown.
fn tables(figures: &str) -> Done<String> {
    let Figures { book, corpus, assumed } = toml::from_str(figures)?;
    let mut text = String::from(
        "| | calls | tokens in | tokens out | live | in batches | pages | store | files in it | published |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for books in &assumed.books {
        let usd = books
            * (book.tokens_in * assumed.usd_a_million_in
                + book.tokens_out * assumed.usd_a_million_out)
            / 1e6;
        let cells = [
            format!("{} books", count(*books)),
            count(books * book.calls),
            count(books * book.tokens_in),
            count(books * book.tokens_out),
            format!("${}", count(usd)),
            format!("${}", count(usd * assumed.batch_share)),
            size(books * book.page_kb),
            size(books * book.store_kb),
            count(books * book.store_files),
            size(books * book.published_kb),
        ];
        writeln!(text, "| {} |", cells.join(" | "))?;
    }
    text.push_str(
        "\n| | CPU unit by unit | waiting for models, live | at the longest, in batches | finalize, one process | plan | nothing to do | memory of these |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for books in &assumed.books {
        for nodes in &assumed.nodes {
            let cpu = books * book.cpu_s;
            let calls = books * book.calls * assumed.seconds_a_call
                / (nodes * assumed.calls_at_once_a_node);
            let tokens =
                books * (book.tokens_in + book.tokens_out) / assumed.tokens_a_minute * 60.0;
            let s = if *nodes > 1.0 { "s" } else { "" };
            let limit = if tokens > calls { "tokens a minute" } else { "calls at once" };
            let cells = [
                format!("{} books, {nodes} node{s}", count(*books)),
                time(cpu / (nodes * assumed.cores_a_node)),
                format!("{} ({limit})", time(calls.max(tokens))),
                time(assumed.batch_rounds * assumed.hours_a_batch * SECONDS),
                time(books * corpus.finalize_ms_a_book / 1e3),
                time(books * corpus.plan_ms_a_book / 1e3),
                time(books * corpus.nothing_to_do_ms_a_book / 1e3),
                size(books * corpus.memory_kb_a_book),
            ];
            writeln!(text, "| {} |", cells.join(" | "))?;
        }
    }
    Ok(text)
}

/// Two figures that count, and as many zeros as it takes.
fn round(number: f64) -> f64 {
    if number <= 0.0 {
        return 0.0;
    }
    let unit = 10_f64.powf(number.log10().floor() - 1.0);
    (number / unit).round() * unit
}

/// A number with a word for what is large: `1.2 million`.
fn count(number: f64) -> String {
    let number = round(number);
    match number {
        _ if number >= 1e9 => short(number / 1e9, " billion"),
        _ if number >= 1e6 => short(number / 1e6, " million"),
        _ if number >= 1e4 => format!("{},000", (number / 1e3).round()),
        _ if number >= 1e3 => {
            format!("{},{:03.0}", (number / 1e3).floor(), number % 1e3)
        }
        _ => short(number, ""),
    }
}

/// At most one decimal, and none where it says nothing.
fn short(number: f64, unit: &str) -> String {
    let text = if number < 10.0 { format!("{number:.1}") } else { format!("{number:.0}") };
    format!("{}{unit}", text.strip_suffix(".0").unwrap_or(&text))
}

/// A size that is given in kB.
fn size(kb: f64) -> String {
    let kb = round(kb);
    match kb {
        _ if kb >= 1e9 => short(kb / 1e9, " TB"),
        _ if kb >= 1e6 => short(kb / 1e6, " GB"),
        _ if kb >= 1e3 => short(kb / 1e3, " MB"),
        _ => short(kb, " kB"),
    }
}

/// How long seconds are.
fn time(seconds: f64) -> String {
    let seconds = round(seconds);
    match seconds {
        _ if seconds >= 48.0 * SECONDS => short(seconds / 24.0 / SECONDS, " days"),
        _ if seconds >= SECONDS => short(seconds / SECONDS, " h"),
        _ if seconds >= 60.0 => short(seconds / 60.0, " min"),
        _ => short(seconds, " s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_told_in_words_that_people_use() {
        let told = [0.0, 3.14, 42.0, 999.0, 1500.0, 70_000.0, 1_234_567.0, 9.96e9].map(count);
        assert_eq!(
            told,
            ["0", "3.1", "42", "1,000", "1,500", "70,000", "1.2 million", "10 billion"]
        );
        assert_eq!(
            [0.4, 90.0, 5400.0, 86_400.0, 1e6].map(time),
            ["0.4 s", "1.5 min", "1.5 h", "24 h", "12 days"]
        );
        assert_eq!([12.0, 2500.0, 3.2e9].map(size), ["12 kB", "2.5 MB", "3.2 TB"]);
    }

    #[test]
    fn the_page_says_what_its_figures_come_to() {
        let read = |name: &str| fs::read_to_string(top().join("docs").join(name)).unwrap();
        let tables = tables(&read("scale.toml")).unwrap();
        assert!(read("scale.md").contains(&tables), "write into docs/scale.md:\n{tables}");
    }
}
