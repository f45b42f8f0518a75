//! Where the files lie that come with storymill and are not in the binary: the models of taggers.

use std::path::{Path, PathBuf};

/// The variable that names a folder with them.
pub(crate) const VARIABLE: &str = "STORYMILL_DATA";

/// Under which names a model may lie in a folder: as in a checkout, as in its `data`, as in its
/// `data/models`, or by itself.
const INSIDE: [&str; 4] = ["data/models", "models", "", "."];

/// The folders that are looked through, the likeliest first.
#[derive(Clone, Debug)]
pub(crate) struct Places(Vec<PathBuf>);

impl Places {
    /// The one folder that the user named.
    pub(crate) fn only(folder: &Path) -> Self {
        Self(vec![folder.to_owned()])
    }

    /// What the user's variable names, a workflow's folder and the one above, this folder, those of
    /// the binary (`target/release` lies two below a checkout), and the user's data.
    pub(crate) fn of(workflow: Option<&Path>) -> Self {
        let mut places: Vec<PathBuf> = variable(VARIABLE).into_iter().collect();
        // The folder of `my.toml` has no name: it is this one.
        let beside = workflow.filter(|dir| *dir != Path::new(""));
        places.extend(beside.into_iter().flat_map(|dir| [dir.to_owned(), dir.join("..")]));
        places.push(PathBuf::from("."));
        let binary = std::env::current_exe().and_then(|binary| binary.canonicalize()).ok();
        let above = binary.iter().flat_map(|binary| binary.ancestors().skip(1).take(3));
        places.extend(above.map(Path::to_owned));
        let installed = binary.as_deref().and_then(Path::parent).and_then(Path::parent);
        places.extend(installed.map(|prefix| prefix.join("share/storymill")));
        places.extend(home().map(|data| data.join("storymill")));
        let mut once: Vec<PathBuf> = Vec::new();
        for place in places {
            if !once.contains(&place) {
                once.push(place);
            }
        }
        Self(once)
    }

    /// The first folder of this name, in `data/models` of one of them or nearer, that has the file.
    pub(crate) fn find(&self, name: &str, file: &str) -> Option<PathBuf> {
        let inside = |place: &PathBuf| {
            // A folder that was named may be the model's own.
            INSIDE.map(|at| if at == "." { place.clone() } else { place.join(at).join(name) })
        };
        self.0.iter().flat_map(inside).find(|folder| folder.join(file).is_file())
    }

    /// The folders as a message lists them.
    pub(crate) fn told(&self) -> String {
        let shown: Vec<_> = self.0.iter().map(|place| place.display().to_string()).collect();
        shown.join(", ")
    }
}

/// The folder for the data of a user's programs.
pub(crate) fn home() -> Option<PathBuf> {
    // A path that is not absolute does not count, as the XDG rules have it.
    let named = variable("XDG_DATA_HOME").filter(|path| path.is_absolute());
    named
        .or_else(|| variable("LOCALAPPDATA"))
        .or_else(|| Some(variable("HOME")?.join(".local/share")))
}

fn variable(name: &str) -> Option<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "the binary reads the environment")]
    let value = std::env::var_os(name);
    value.filter(|value| !value.is_empty()).map(PathBuf::from)
}
