//! `storymill init`: a workflow to start from, with a canary of its own.

mod ask;

use std::{
    fmt::Write as _,
    fs::OpenOptions,
    io::{IsTerminal, Write},
    path::Path,
};

use rand::{TryRng, rngs::SysRng};
use storymill_core::{BadId, Fault, FaultKind, UnitId};

use storymill_sources::KINDS;

use crate::{
    args::{self, Purpose},
    exit::{DONE, Exit, Failure},
    table::{plural, typed},
};

/// What the workflow is made from.
#[derive(Debug, PartialEq, Eq)]
struct Wanted {
    purpose: Purpose,
    /// The folder of books, else of the set of claims.
    folder: String,
}

pub(crate) fn run(args: &args::Init) -> Result<Exit, Failure> {
    let name = dataset_name(&args.file.with_extension("")).map_err(|error| {
        let message = format!("the dataset would be called after the file, and {error}");
        Fault::new(FaultKind::Input, message).hint("name another file: `storymill init my.toml`")
    })?;
    if args.file.exists() {
        return Err(there(&args.file).into());
    }
    let terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    let wanted = if terminal {
        ask::wanted(args, &mut std::io::stdin().lock(), &mut std::io::stderr().lock())?
    } else {
        let purpose = args.purpose.unwrap_or(Purpose::Evaluation);
        Wanted { purpose, folder: args.books.clone().unwrap_or_else(|| purpose.folder()) }
    };
    look_for_books(&wanted, &args.file, args)?;
    let text = written(&wanted, &name, args.catalog.as_deref(), &canary()?);
    let file = OpenOptions::new().write(true).create_new(true).open(&args.file);
    let mut file = file.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => there(&args.file),
        _ => Fault::io("cannot write the workflow", &args.file, error),
    })?;
    file.write_all(text.as_bytes())
        .map_err(|error| Fault::io("cannot write the workflow", &args.file, error))?;
    if args.format == args::Format::Json {
        let next = next(&wanted, &args.file);
        let next = next.lines().filter_map(|line| line.strip_prefix("  ")).collect::<Vec<_>>();
        return super::json(
            &serde_json::json!({ "workflow": args.file, "name": name, "next": next }),
        );
    }
    writeln!(
        crate::screen::out(),
        "wrote {}\n\n{}",
        args.file.display(),
        next(&wanted, &args.file)
    )?;
    Ok(DONE)
}

/// Refuses a folder that was named and has no books: a workflow over it builds nothing. The folder that nobody named is made later.
fn look_for_books(wanted: &Wanted, file: &Path, args: &args::Init) -> Result<(), Failure> {
    let Some(named) = &args.books else { return Ok(()) };
    let folder = file.with_file_name(&wanted.folder);
    if wanted.purpose == Purpose::Claims
        && !folder.join("pairs.jsonl").exists()
        && storymill_sources::pages(&folder, &mut Vec::new()).is_ok()
    {
        let message = "this folder holds books, and no set of claims; nothing was written";
        let hint =
            "`--books` names the folder of the set, which may be made later: `--books my-set`";
        return Err(Fault::new(FaultKind::Input, message).at(folder).hint(hint).into());
    }
    if matches!(wanted.purpose, Purpose::Private | Purpose::Claims) {
        return Ok(());
    }
    if !folder.exists() {
        let fault =
            Fault::new(FaultKind::Input, "there is no such folder of books; nothing was written");
        // Whoever is elsewhere means the path from there.
        let hint = if Path::new(&named).exists() {
            "`--books` counts from the folder of the workflow file, as `path` in it does".to_owned()
        } else {
            format!("make it and put your books into it ({KINDS}), or leave `--books` out")
        };
        return Err(fault.at(folder).hint(hint).into());
    }
    let pages = storymill_sources::pages(&folder, &mut Vec::new());
    pages.map(drop).map_err(|fault| {
        let message = format!("{}; nothing was written", fault.message);
        Failure::Fault(Fault { message, ..fault })
    })
}

fn there(file: &Path) -> Fault {
    Fault::new(FaultKind::Input, "this already exists, and was left as it is").at(file).hint(
        "name another file: `storymill init other.toml`; name the folder of books with `--books`",
    )
}

/// Which books are asked about, where a folder holds others too.
const NOVELS: &str = r#"# No plays and no poems, and English only: of each book that is left out `storymill review THIS-FILE` says why. Without
# "nonfiction" only fiction is left.
[stage.prose.sort]
from      = "books"
kinds     = ["novel", "stories", "letters", "nonfiction"]
languages = ["en"]

# One book of each work: no second edition, no volume beside the whole.
[stage.twins.duplicates]
from = "prose"

[stage.novels.distinct]
from       = "prose"
duplicates = "twins"

"#;

/// Splits of a dataset that models are only evaluated on: the more books, the narrower the intervals.
const ALL_TEST: &str = r#"# Every book is for evaluation: the more there are, the narrower the intervals of a report. To train on some, name shares
# (`validation = 0.1`, `test = 0.1`); books that share an author stay together.
[stage.splits.split]
from       = "novels"
duplicates = "twins"
by         = "author"
validation = 0.0
test       = 1.0"#;

/// Splits of a dataset to train on.
const PARTS: &str = r#"# Which split a book is in. Books that share an author stay together; with three or more authors, no split is empty.
[stage.splits.split]
from       = "books"
by         = "author"
validation = 0.1
test       = 0.1"#;

/// The workflow's text.
fn written(wanted: &Wanted, name: &str, catalog: Option<&str>, canary: &str) -> String {
    let template = match wanted.purpose {
        Purpose::Evaluation | Purpose::Training | Purpose::Private => {
            include_str!("questions.toml")
        }
        Purpose::LongContexts => include_str!("long-contexts.toml"),
        Purpose::Claims => include_str!("claims.toml"),
    };
    let private = wanted.purpose == Purpose::Private;
    let evaluation = wanted.purpose == Purpose::Evaluation;
    let below = |file: &str| quoted(&format!("{}/{file}", wanted.folder.trim_end_matches('/')));
    template
        .replace("{{source}}", &source(wanted, catalog))
        .replace("{{novels}}", if evaluation { NOVELS } else { "" })
        .replace("{{books}}", if evaluation { "novels" } else { "books" })
        .replace("{{splits}}", if evaluation { ALL_TEST } else { PARTS })
        .replace("{{shelf}}", if private { " --shelf shelf --key ann.key" } else { "" })
        .replace("{{set-books}}", &below("books"))
        .replace("{{set-pairs}}", &below("pairs.jsonl"))
        .replace("{{name}}", name)
        .replace("{{canary}}", canary)
}

/// The tables that say where the books come from.
fn source(wanted: &Wanted, catalog: Option<&str>) -> String {
    if wanted.purpose == Purpose::Private {
        return "# The books of the shelf. Whatever is made of them stays in there; a model must run on this machine, or its endpoint stands in\n\
                # `send_private_to` at the top.\n[source.books.shelf]"
            .to_owned();
    }
    let catalog = match catalog {
        Some(catalog) => format!("catalog = {}", quoted(catalog)),
        None => "# catalog = \"pg_catalog.csv\"   # titles and authors; without it they are read from the pages".to_owned(),
    };
    format!(
        "# Where the books come from: .epub, and .html, .htm, .xhtml or .txt, packed as .gz or not.\n\
         [source.books.folder]\npath = {}\n{catalog}",
        quoted(&wanted.folder)
    )
}

/// What is to be done next.
fn next(wanted: &Wanted, file: &Path) -> String {
    let beside = file.with_file_name(&wanted.folder);
    let file = typed(file);
    match wanted.purpose {
        Purpose::Evaluation | Purpose::Training | Purpose::LongContexts => {
            format!("{}\n  storymill plan {file}\n  storymill build {file}", books(&beside))
        }
        Purpose::Claims => {
            let set = typed(&beside);
            let import =
                format!("  storymill claims import claims.csv --into {set} --books books\n");
            let has_pairs = beside.join("pairs.jsonl").exists();
            let first = if has_pairs && beside.join("books").is_dir() {
                "next:\n".to_owned()
            } else if has_pairs {
                let texts = typed(&beside.join("books"));
                format!("{set} has no texts yet: put them into {texts} as `ID.txt`, then:\n")
            } else {
                format!(
                    "there is no set {set} yet: write a table with the columns `book`, `true_claim` and `false_claim`, then:\n{import}"
                )
            };
            format!("{first}  storymill claims lint {set}\n  storymill build {file}")
        }
        Purpose::Private => format!(
            "next: a shelf with a key of your own, books in it, and a build that stays inside:\n\
             \x20 storymill shelf init --key ann.key\n  storymill shelf add novel.epub --id n01 --key ann.key\n\
             \x20 storymill build {file} --shelf shelf --key ann.key"
        ),
    }
}

/// What is to be done about the folder of books before a build.
fn books(folder: &Path) -> String {
    let shown = folder.display();
    let mut notes = Vec::new();
    match storymill_sources::pages(folder, &mut notes) {
        _ if !folder.exists() => {
            format!(
                "there is no folder {shown} yet: make it and put your books into it ({KINDS}), then:"
            )
        }
        Ok(pages) => {
            notes.insert(0, format!("{} in {shown}", plural(pages.len() as u64, "book")));
            format!("{}; next:", notes.join("; "))
        }
        Err(fault) => {
            format!("{}, in {shown}: put your books there ({KINDS}), then:", fault.message)
        }
    }
}

/// A dataset's name after a file or folder.
pub(super) fn dataset_name(path: &Path) -> Result<String, BadId> {
    let last = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let name: String = last.chars().map(|c| if fits(c) { c } else { '-' }).collect();
    let name = name.trim_start_matches('.').to_owned();
    name.parse::<UnitId>().map(|_| name)
}

/// A basic TOML string.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::String(text.to_owned()).to_string()
}

/// A canary that no other family of datasets has: 128 random bits from the system.
pub(super) fn canary() -> Result<String, Failure> {
    let mut bytes = [0_u8; 16];
    SysRng.try_fill_bytes(&mut bytes).map_err(|error| {
        Fault::new(FaultKind::Internal, "the system gives no random bits").because(error)
    })?;
    let mut text = "storymill-canary-".to_owned();
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}
