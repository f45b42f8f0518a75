//! Where a book's page may lie on a mirror: every layout there is, and in which order they are tried.
//!
//! HTML comes before archives of HTML, these before plain text, these before archives of it. Within
//! each, the layout that gave the last page comes first, and layouts that never gave one are left out
//! after three books: a mirror has one or two.

use std::collections::BTreeMap;

use storymill_core::BookId;

/// A layout of paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// The main collection: `1/3/4/1342/1342-h/1342-h.htm`.
    Main,
    /// What is generated from it, on the main site and mirrors of it: `cache/epub/1342/pg1342-images.html`.
    Cache,
    /// A mirror of the generated files alone: `1342/pg1342-images.html`.
    Epub,
    /// The main site's short paths: `files/1342/1342-h/1342-h.htm`.
    Files,
    /// The main site's addresses for people, which lead on: `ebooks/1342.html.images`.
    Ebooks,
}

impl Family {
    /// All, in order of preference.
    pub const ALL: [Self; 5] = [Self::Main, Self::Cache, Self::Epub, Self::Files, Self::Ebooks];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Cache => "cache",
            Self::Epub => "epub",
            Self::Files => "files",
            Self::Ebooks => "ebooks",
        }
    }
}

/// What a path should hold, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Html,
    HtmlZip,
    Text,
    TextZip,
}

/// A path where a page may lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The layout that has it; none of an address that a harvest or a lock names.
    pub(crate) family: Option<Family>,
    kind: Kind,
    /// The path below the mirror's top, or a whole address.
    pub(crate) path: String,
}

impl Candidate {
    /// An address that a harvest or a lock names.
    pub(crate) fn named(path: &str) -> Self {
        Self { family: None, kind: kind_of(path), path: path.to_owned() }
    }
}

/// What a name promises, the better the smaller.
pub(crate) fn rank(name: &str) -> u8 {
    kind_of(name) as u8
}

fn kind_of(name: &str) -> Kind {
    let lower = name.to_ascii_lowercase();
    let stem = lower.rsplit('/').next().unwrap_or_default();
    if let Some(stem) = stem.strip_suffix(".zip") {
        return if stem.ends_with('h') { Kind::HtmlZip } else { Kind::TextZip };
    }
    if stem.contains(".txt") { Kind::Text } else { Kind::Html }
}

/// The folder of a book in the main collection: all digits but the last, then the id.
///
/// One digit has the folder `0` in place of digits.
pub(crate) fn folder(id: &str) -> String {
    let mut path = String::new();
    for digit in id[..id.len() - 1].chars() {
        path.push(digit);
        path.push('/');
    }
    if path.is_empty() {
        path += "0/";
    }
    path + id
}

/// Every path where a book's page may lie, in order of preference.
pub(crate) fn candidates(id: &BookId, families: &[Family]) -> Vec<Candidate> {
    let id = id.as_str();
    let mut all = Vec::new();
    if id.bytes().all(|byte| byte.is_ascii_digit()) {
        for family in families {
            for path in paths(*family, id) {
                all.push(Candidate { family: Some(*family), kind: kind_of(&path), path });
            }
        }
    }
    all.sort_by_key(|candidate| candidate.kind);
    all
}

fn paths(family: Family, id: &str) -> Vec<String> {
    let endings = |top: &str| {
        ["-h/ID-h.htm", "-h.zip", "-0.txt", "-8.txt", ".txt", "-0.zip", "-8.zip", ".zip"]
            .map(|ending| format!("{top}/{id}{}", ending.replace("ID", id)))
            .to_vec()
    };
    let generated = |top: &str| {
        ["-images.html", ".html", "-h.zip", ".txt"]
            .map(|end| format!("{top}{id}/pg{id}{end}"))
            .to_vec()
    };
    match family {
        Family::Main => endings(&folder(id)),
        Family::Files => endings(&format!("files/{id}")),
        Family::Cache => generated("cache/epub/"),
        Family::Epub => generated(""),
        Family::Ebooks => {
            vec![format!("ebooks/{id}.html.images"), format!("ebooks/{id}.txt.utf-8")]
        }
    }
}

/// Which layouts a mirror has, as far as it showed.
#[derive(Debug, Default)]
pub(crate) struct Learned {
    last: Option<Family>,
    tried: BTreeMap<Family, (u32, u32)>,
}

impl Learned {
    /// The candidates that are worth asking for, the likely ones of each kind first.
    pub(crate) fn order(&self, mut candidates: Vec<Candidate>) -> Vec<Candidate> {
        let given = self.tried.values().any(|(given, _)| *given > 0);
        candidates.retain(|candidate| {
            let tried = candidate.family.and_then(|family| self.tried.get(&family));
            tried.is_none_or(|(gave, failed)| !given || *gave > 0 || *failed < 3)
        });
        candidates.sort_by_key(|candidate| (candidate.kind, candidate.family != self.last));
        candidates
    }

    /// A book was asked for under these layouts, and this one gave it.
    pub(crate) fn learn(&mut self, asked: &[Family], gave: Option<Family>) {
        for family in asked.iter().filter(|family| Some(**family) != gave) {
            self.tried.entry(*family).or_default().1 += 1;
        }
        if let Some(family) = gave {
            self.tried.entry(family).or_default().0 += 1;
            self.last = Some(family);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(id: &str) -> Vec<String> {
        let found = candidates(&id.parse().unwrap(), &Family::ALL);
        found.into_iter().map(|candidate| candidate.path).collect()
    }

    #[test]
    fn paths_in_order_of_preference() {
        let paths = all("12345");
        let expect = [
            "1/2/3/4/12345/12345-h/12345-h.htm",
            "cache/epub/12345/pg12345-images.html",
            "cache/epub/12345/pg12345.html",
            "12345/pg12345-images.html",
            "12345/pg12345.html",
            "files/12345/12345-h/12345-h.htm",
            "ebooks/12345.html.images",
            "1/2/3/4/12345/12345-h.zip",
            "cache/epub/12345/pg12345-h.zip",
            "12345/pg12345-h.zip",
            "files/12345/12345-h.zip",
            "1/2/3/4/12345/12345-0.txt",
            "1/2/3/4/12345/12345-8.txt",
            "1/2/3/4/12345/12345.txt",
        ];
        assert_eq!(&paths[..expect.len()], expect);
        assert_eq!(paths.last().unwrap(), "files/12345/12345.zip");
        assert_eq!(all("9")[0], "0/9/9-h/9-h.htm");
        assert_eq!(all("10")[0], "1/10/10-h/10-h.htm");
        assert!(all("my-book").is_empty());
    }

    #[test]
    fn a_mirror_shows_its_layout() {
        let mut learned = Learned::default();
        let wanted = || candidates(&"77".parse().unwrap(), &Family::ALL);
        for _ in 0..3 {
            assert_eq!(learned.order(wanted()).len(), wanted().len());
            learned.learn(&[Family::Main, Family::Cache], Some(Family::Cache));
        }
        let left = learned.order(wanted());
        assert_eq!(left[0].path, "cache/epub/77/pg77-images.html");
        assert!(left.iter().all(|candidate| candidate.family != Some(Family::Main)));
    }
}
