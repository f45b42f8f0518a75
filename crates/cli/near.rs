//! What somebody may have meant by a path that leads nowhere.

use std::{fs, path::Path};

use storymill_core::{Fault, FaultKind, few, nearest};
use storymill_shelf::MOUNT;

/// The manifest of a dataset: a folder without one may hold datasets.
const MANIFEST: &str = "manifest.json";

/// How many names are told.
const SHOWN: usize = 5;

/// What was meant by the path of a fault, if it leads nowhere: a file or folder with almost that name, or the datasets
/// in a folder that is none itself.
pub(crate) fn meant(fault: &Fault) -> Option<String> {
    let path = fault.path.as_deref()?;
    // A disk that is full or refuses is no typing error.
    let is_named = fault.kind == FaultKind::Input;
    if !is_named || path.starts_with(MOUNT) || path.exists() {
        return None;
    }
    // The last of the ancestors of `a/b` is blank, and not a path.
    let lost = path.ancestors().filter(|one| !one.as_os_str().is_empty());
    let lost = lost.take_while(|one| !one.exists()).last()?;
    let folder = lost.parent()?;
    if lost.file_name()? == MANIFEST {
        return datasets(folder);
    }
    let names = names(folder);
    let word = lost.file_name()?.to_str()?;
    let near = nearest(word, names.iter().map(String::as_str))?;
    let rest = path.strip_prefix(lost).ok()?.iter().filter(|part| *part != MANIFEST);
    let mut whole = folder.join(near);
    whole.extend(rest);
    // What was asked for has to be there too, and not only a folder on the way.
    whole.exists().then(|| format!("did you mean `{}`?", whole.display()))
}

/// The datasets in a folder.
fn datasets(folder: &Path) -> Option<String> {
    let mut found = names(folder);
    found.retain(|name| folder.join(name).join(MANIFEST).is_file());
    let shown = found.iter().map(|name| format!("`{}`", folder.join(name).display()));
    let shown: Vec<_> = shown.collect();
    (!shown.is_empty()).then(|| format!("in this folder there are {}", few(&shown, SHOWN)))
}

/// The names in a folder, in order; hidden ones are nobody's typing error.
fn names(folder: &Path) -> Vec<String> {
    // A path of one part has a blank parent.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use storymill_core::FaultKind;

    use super::*;

    #[test]
    fn near_names_and_datasets_are_told() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        fs::create_dir_all(at("out/quickstart")).unwrap();
        fs::write(at("out/quickstart/manifest.json"), "{}").unwrap();
        fs::write(at("mill.toml"), "").unwrap();
        let told = |path: &str| {
            let told = meant(&Fault::new(FaultKind::Input, "cannot read").at(at(path)));
            told.map(|told| told.replace(&format!("{}/", root.path().display()), ""))
        };
        for (typed, expected) in [
            ("mil.toml", Some("did you mean `mill.toml`?")),
            ("out/qiuckstart", Some("did you mean `out/quickstart`?")),
            ("out/qiuckstart/manifest.json", Some("did you mean `out/quickstart`?")),
            ("ouz/quickstart", Some("did you mean `out/quickstart`?")),
            ("out/manifest.json", Some("in this folder there are `out/quickstart`")),
            ("ouz/other", None),
            ("something-else", None),
            ("mill.toml", None),
        ] {
            assert_eq!(told(typed).as_deref(), expected, "{typed}");
        }
    }
}
