//! Commands that are printed as the next to type: with the file, store, folder and shelf of the run that prints them, so
//! that they do what is said where they are printed.

use std::path::Path;

use crate::{args, session::STORE, table::typed};

/// Where a run works.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next<'a> {
    workflow: &'a Path,
    store: &'a Path,
    out: Option<&'a Path>,
    shelf: Option<&'a Path>,
    key: Option<&'a Path>,
}

impl<'a> Next<'a> {
    pub(crate) fn of(workflow: &'a Path, store: &'a Path) -> Self {
        Self { workflow, store, out: None, shelf: None, key: None }
    }

    pub(crate) fn of_build(args: &'a args::Build) -> Self {
        let (shelf, key) = (args.shelf.as_deref(), args.key.key.as_deref());
        Self { out: args.out.as_deref(), shelf, key, ..Self::of(&args.workflow, &args.store) }
    }

    pub(crate) fn of_review(args: &'a args::Review) -> Self {
        let (shelf, key) = (args.shelf.as_deref(), args.key.key.as_deref());
        Self { shelf, key, ..Self::of(&args.of, &args.store) }
    }

    pub(crate) fn workflow(&self) -> &'a Path {
        self.workflow
    }

    pub(crate) fn store(&self) -> &'a Path {
        self.store
    }

    /// The same with the folder of the dataset.
    pub(crate) fn with_out(self, out: Option<&'a Path>) -> Self {
        Self { out, ..self }
    }

    /// `storymill build my.toml --store there --out here`, with these options behind the file.
    pub(crate) fn build(&self, options: &str) -> String {
        let out = self.out.map(|out| format!(" --out {}", typed(out))).unwrap_or_default();
        format!("{}{out}", self.command("build", options))
    }

    /// Another command about the same workflow and store.
    pub(crate) fn command(&self, verb: &str, options: &str) -> String {
        let file = typed(self.workflow);
        let mut line = format!("storymill {verb} {file}");
        if !options.is_empty() {
            line += &format!(" {options}");
        }
        if let Some(shelf) = self.shelf {
            line += &format!(" --shelf {}", typed(shelf));
            if let Some(key) = self.key {
                line += &format!(" --key {}", typed(key));
            }
        } else if self.store != Path::new(STORE) {
            line += &format!(" --store {}", typed(self.store));
        }
        line
    }
}

/// ` --shelf DIR --key FILE`, as they were typed: behind a command about the same shelf.
pub(crate) fn on_shelf(shelf: Option<&Path>, key: Option<&Path>) -> String {
    let option = |name: &str, path: Option<&Path>| {
        path.map_or_else(String::new, |path| format!(" --{name} {}", typed(path)))
    };
    option("shelf", shelf) + &option("key", key)
}

/// The same for commands that look for the folder `shelf` where none is named.
pub(crate) fn at(place: &args::shelf::Place) -> String {
    let shelf = Some(place.shelf.as_path()).filter(|shelf| *shelf != Path::new("shelf"));
    on_shelf(shelf, place.key.key.as_deref())
}
