//! `storymill init`: a workflow to start from, with a canary of its own.

use std::{fmt::Write as _, fs::OpenOptions, io::Write, path::Path};

use rand::{TryRng, rngs::SysRng};
use storymill_core::{BadId, Fault, FaultKind, UnitId};

use storymill_sources::KINDS;

use crate::{
    args,
    exit::{DONE, Exit, Failure},
    table::{plural, typed},
};

const TEMPLATE: &str = include_str!("init.toml");

pub(crate) fn run(args: &args::Init) -> Result<Exit, Failure> {
    let name = dataset_name(&args.file.with_extension("")).map_err(|error| {
        let message = format!("the dataset would be called after the file, and {error}");
        Fault::new(FaultKind::Input, message).hint("name another file: `storymill init my.toml`")
    })?;
    let catalog = match &args.catalog {
        Some(catalog) => format!("catalog = {}", quoted(catalog)),
        None => "# catalog = \"pg_catalog.csv\"   # titles and authors; without it they are read from the pages".to_owned(),
    };
    let text = TEMPLATE
        .replace("{{name}}", &name)
        .replace("{{canary}}", &canary()?)
        .replace("{{books}}", &quoted(&args.books))
        .replace("{{catalog}}", &catalog);
    let file = OpenOptions::new().write(true).create_new(true).open(&args.file);
    let mut file = file.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            Fault::new(FaultKind::Input, "this file is there already, and was left as it is")
                .at(&args.file)
                .hint("name another file: `storymill init other.toml`")
        }
        _ => Fault::io("cannot write the workflow", &args.file, error),
    })?;
    file.write_all(text.as_bytes())
        .map_err(|error| Fault::io("cannot write the workflow", &args.file, error))?;
    writeln!(
        std::io::stdout().lock(),
        "wrote {}\n\n{}\n  storymill plan {file}\n  storymill build {file}",
        args.file.display(),
        books(&args.file.with_file_name(&args.books)),
        file = typed(&args.file),
    )?;
    Ok(DONE)
}

/// What is to be done about the folder of books before a build.
fn books(folder: &Path) -> String {
    let shown = folder.display();
    match storymill_sources::pages(folder) {
        _ if !folder.exists() => {
            format!(
                "there is no folder {shown} yet: make it and put your books into it ({KINDS}), then:"
            )
        }
        Ok(pages) => format!("{} in {shown}; next:", plural(pages.len() as u64, "book")),
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
