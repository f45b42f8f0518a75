//! Why items have no row: the codes that builds count them under, and what each means.

/// A code and its meaning a line.
const ALL: &str = include_str!("reasons.txt");

/// Every code with its meaning.
pub(super) fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    ALL.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(": "))
}

/// What a code means.
pub(super) fn of(code: &str) -> Option<&'static str> {
    all().find(|(one, _)| *one == code).map(|(_, meaning)| meaning)
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::all;

    fn texts(folder: &Path, all: &mut String) {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name != "tests" {
                texts(&path, all);
            } else if path.extension().is_some_and(|end| end == "rs") && !name.contains("tests") {
                let text = fs::read_to_string(&path).unwrap();
                *all += text.split("#[cfg(test)]\nmod ").next().unwrap();
            }
        }
    }

    /// The codes that the code gives reasons by.
    fn given(text: &str) -> BTreeSet<&str> {
        let calls = ["reject(", "left_out(", "Reason::new("];
        let behind = calls.iter().flat_map(|call| text.split(call).skip(1));
        let plain = |code: &&str| code.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        let quoted = behind.filter_map(|text| text.trim_start().strip_prefix('"'));
        quoted.filter_map(|text| text.split('"').next()).filter(plain).collect()
    }

    #[test]
    fn every_reason_is_explained_and_every_explanation_is_of_one() {
        let mut text = String::new();
        for room in ["core", "mixing", "names", "pipeline", "sources", "transforms"] {
            let top = Path::new(env!("CARGO_MANIFEST_DIR"));
            texts(&top.join("crates").join(room).join("src"), &mut text);
        }
        let explained: Vec<_> = all().map(|(code, _)| code).collect();
        let once: BTreeSet<_> = explained.iter().copied().collect();
        assert_eq!(once.len(), explained.len(), "a code stands there once");
        let given = given(&text);
        assert!(given.len() > 90, "{given:?}");
        assert_eq!(given.difference(&once).collect::<Vec<_>>(), [&""; 0]);
        let gone = once.into_iter().filter(|code| !text.contains(&format!("\"{code}\"")));
        assert_eq!(gone.collect::<Vec<_>>(), [""; 0]);
    }
}
