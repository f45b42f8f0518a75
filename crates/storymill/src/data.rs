//! Where the files lie that come with storymill and are not in the program: the models of taggers.

use std::path::{Path, PathBuf};

/// The variable that names a folder with them, wherever a program reads the environment.
pub const VARIABLE: &str = "STORYMILL_DATA";

/// Under which names a model may lie in a folder: as in a checkout, as in its `data`, as in its
/// `data/models`, or by itself.
const INSIDE: [&str; 4] = ["data/models", "models", "", "."];

/// Folders in which models are looked for, beside those of the workflow and the folder that one works in.
#[derive(Clone, Debug, Default)]
pub struct DataFolders {
    /// Looked through first: what the user named.
    pub first: Vec<PathBuf>,
    /// Looked through last: where programs are installed.
    pub last: Vec<PathBuf>,
    /// The user's own folder for data, looked through after these. Messages name it.
    pub home: Option<PathBuf>,
}

impl DataFolders {
    /// All of them, with a workflow's folder and the one above.
    pub(crate) fn around(&self, workflow: Option<&Path>) -> Places {
        let mut places = self.first.clone();
        // The folder of `my.toml` has no name: it is this one.
        let beside = workflow.filter(|folder| *folder != Path::new(""));
        places.extend(beside.into_iter().flat_map(|folder| [folder.to_owned(), folder.join("..")]));
        places.push(PathBuf::from("."));
        places.extend(self.last.iter().chain(&self.home).cloned());
        let mut once: Vec<PathBuf> = Vec::new();
        for place in places {
            if !once.contains(&place) {
                once.push(place);
            }
        }
        Places(once)
    }
}

/// The folders that are looked through, the likeliest first.
#[derive(Clone, Debug)]
pub(crate) struct Places(Vec<PathBuf>);

impl Places {
    /// The one folder that the user named.
    pub(crate) fn only(folder: &Path) -> Self {
        Self(vec![folder.to_owned()])
    }

    /// The first folder of this name, in `data/models` of one of them or nearer, that has the file.
    pub(crate) fn find(&self, name: &str, file: &str) -> Option<PathBuf> {
        let inside = |place: &PathBuf| {
            // A folder that was named may be the model's own.
            INSIDE.map(|at| if at == "." { place.clone() } else { place.join(at).join(name) })
        };
        self.0.iter().flat_map(inside).find(|folder| folder.join(file).is_file())
    }
}

/// The folders as a message lists them.
impl std::fmt::Display for Places {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown: Vec<_> = self.0.iter().map(|place| place.display().to_string()).collect();
        f.write_str(&shown.join(", "))
    }
}
