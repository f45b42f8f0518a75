//! What may be typed after `storymill books`.

use std::path::PathBuf;

use clap::ValueEnum;

#[derive(Debug, clap::Args)]
pub(crate) struct Books {
    /// A catalog: Project Gutenberg's pg_catalog.csv or a CSV with columns `id` and `title`, packed with
    /// gzip or not.
    pub(crate) catalog: PathBuf,
    /// Only books that fit: `language = en and subject ~ fiction and author.death < 1956`.
    #[arg(long = "where", value_name = "FILTER")]
    pub(crate) filter: Option<String>,
    /// Flag the books whose ids a file lists: `--flag pg19=ids.txt`; may be given several times.
    #[arg(long = "flag", value_name = "NAME=FILE", value_parser = flag)]
    pub(crate) flags: Vec<(String, PathBuf)>,
    /// How the books are printed: `text`, `json`, `ids` (one a line), or `csv`, which is a catalog again.
    #[arg(long, value_name = "FORM", default_value = "text", hide_possible_values = true)]
    pub(crate) format: Form,
}

/// A flag's name and the file with its books.
fn flag(text: &str) -> Result<(String, PathBuf), String> {
    let (name, file) = text.split_once('=').ok_or("a flag is `NAME=FILE`")?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    if name.is_empty() || !name.chars().all(plain) {
        return Err(format!("`{name}` is not a name of a flag: use A-Z a-z 0-9 . _ -"));
    }
    if file.is_empty() {
        return Err("the file with the ids is missing: a flag is `NAME=FILE`".to_owned());
    }
    Ok((name.to_owned(), file.into()))
}

/// How books are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// For `storymill fetch --ids`.
    Ids,
    /// A catalog.
    Csv,
}

/// What a filter may say, for the help.
pub(crate) fn fields() -> String {
    use std::fmt::Write;
    let mut text = "Fields of a filter:\n".to_owned();
    for field in storymill_sources::catalog::filter::FIELDS {
        let _ = writeln!(text, "  {:13} {}", field.name, field.about);
    }
    text += "\nTests: = != (the whole text), ~ !~ (has it at the beginning of a word), < <= > >= (numbers, years,\n\
        days); joined by `and`. `= A, B` is either of them, `!= A, B` neither. Values with blanks or commas\n\
        stand in quotes. Capitals and accents do not count. A test of an author's years holds if every\n\
        author's year is known and fits.\n\n\
        Examples:\n  \
        storymill books pg_catalog.csv --where 'language = en and locc = PR, PS'\n  \
        storymill books pg_catalog.csv.gz --where 'author.death < 1956' --format ids > ids.txt\n  \
        storymill books pg_catalog.csv --flag pg19=ids.txt --where 'flag = pg19' --format csv > catalog.csv";
    text
}
