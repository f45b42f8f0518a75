//! What `init` asks on a terminal.

use std::io::{BufRead, Write};

use clap::ValueEnum;

use super::Wanted;
use crate::{
    args::{self, Purpose},
    exit::Failure,
};

/// Asks for what was not typed; an empty line takes what stands in brackets.
pub(super) fn wanted(
    args: &args::Init,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> Result<Wanted, Failure> {
    let purpose = match args.purpose {
        Some(purpose) => purpose,
        None if args.books.is_some() => Purpose::Evaluation,
        None => purpose(input, out)?,
    };
    let folder = match (args.books.clone(), purpose) {
        (Some(folder), _) => folder,
        (None, Purpose::Private) => purpose.folder(),
        (None, Purpose::Claims) => line(input, out, "folder of the set", &purpose.folder())?,
        (None, _) => line(input, out, "folder with your books", &purpose.folder())?,
    };
    Ok(Wanted { purpose, folder })
}

fn purpose(input: &mut impl BufRead, out: &mut impl Write) -> Result<Purpose, Failure> {
    writeln!(out, "What do you want to make?")?;
    let all = Purpose::value_variants();
    for (at, purpose) in all.iter().enumerate() {
        let value = purpose.to_possible_value().expect("none is hidden");
        let help = value.get_help().map(ToString::to_string).unwrap_or_default();
        writeln!(out, "  {}  {:<14} {help}", at + 1, value.get_name())?;
    }
    loop {
        let typed = line(input, out, "number or name", "1")?;
        let by_number = typed.parse::<usize>().ok().and_then(|at| all.get(at.checked_sub(1)?));
        if let Some(purpose) = by_number.copied().or_else(|| Purpose::from_str(&typed, true).ok()) {
            return Ok(purpose);
        }
        writeln!(out, "`{typed}` is not one of them: type a number from 1 to {}", all.len())?;
    }
}

fn line(
    input: &mut impl BufRead,
    out: &mut impl Write,
    what: &str,
    default: &str,
) -> Result<String, Failure> {
    write!(out, "{what} [{default}]: ")?;
    out.flush()?;
    let mut typed = String::new();
    if input.read_line(&mut typed)? == 0 {
        writeln!(out)?;
        return Err(Failure::Usage("nothing was answered, and nothing was written".to_owned()));
    }
    let typed = typed.trim();
    Ok(if typed.is_empty() { default.to_owned() } else { typed.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(args: &args::Init, typed: &str) -> (Option<Wanted>, String) {
        let mut out = Vec::new();
        let wanted = wanted(args, &mut typed.as_bytes(), &mut out).ok();
        (wanted, String::from_utf8(out).unwrap())
    }

    fn nothing() -> args::Init {
        args::Init {
            file: "my.toml".into(),
            purpose: None,
            books: None,
            catalog: None,
            format: args::Format::Text,
        }
    }

    #[test]
    fn what_is_not_typed_is_asked_and_an_empty_line_takes_the_default() {
        let is = |typed: &str, purpose, folder: &str| {
            let (wanted, _) = asked(&nothing(), typed);
            assert_eq!(wanted, Some(Wanted { purpose, folder: folder.to_owned() }), "{typed:?}");
        };
        is("\n\n", Purpose::Evaluation, "books");
        is("questions\n\n", Purpose::Training, "books");
        is("3\nnovels\n", Purpose::LongContexts, "novels");
        is("claims\n\n", Purpose::Claims, "my-set");
        is("5\n", Purpose::Private, "shelf");
        is("five\n0\n9\n3\n\n", Purpose::LongContexts, "books");
        let (none, said) = asked(&nothing(), "five\n");
        assert_eq!(none, None);
        assert!(said.contains("`five` is not one of them") && said.contains("long-contexts"));
        let books = args::Init { books: Some("mine".to_owned()), ..nothing() };
        let (wanted, said) = asked(&books, "");
        assert_eq!(wanted.unwrap().folder, "mine");
        assert!(said.is_empty(), "{said}");
    }
}
