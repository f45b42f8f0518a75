//! Synonyms from the user's own WordNet files, looked up where they lie.
//!
//! WordNet's index files are sorted and hold byte offsets into its data files (wndb(5WN)), so
//! nothing has to be parsed before the first word: a look-up is a binary search. What counts as a
//! form of a word follows nltk's reader: the exception lists, else one rule of detachment, over
//! all four parts of speech (morphy(7WN)).

/// The three files of one part of speech, as bytes.
#[derive(Clone, Debug, Default)]
pub struct PartFiles {
    /// `index.noun` and so on.
    pub index: Vec<u8>,
    /// `data.noun` and so on.
    pub data: Vec<u8>,
    /// `noun.exc` and so on.
    pub exceptions: Vec<u8>,
}

/// The files of a WordNet folder.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// Nouns.
    pub noun: PartFiles,
    /// Verbs.
    pub verb: PartFiles,
    /// Adjectives.
    pub adj: PartFiles,
    /// Adverbs.
    pub adv: PartFiles,
}

/// Files that are no WordNet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordNetError {
    /// No licence header with a version.
    #[error("`{0}` does not start with the header of a WordNet file")]
    Header(String),
    /// Two versions in one folder.
    #[error("`{file}` is of WordNet {found}, others are of {expected}")]
    Mixed {
        /// The file that differs.
        file: String,
        /// Its version.
        found: String,
        /// The version of the first file.
        expected: String,
    },
    /// An index entry that points to nothing.
    #[error("`index.{part}` points at byte {offset} of `data.{part}`, where no entry starts")]
    Offset {
        /// The part of speech.
        part: &'static str,
        /// The offset.
        offset: usize,
    },
    /// An index that cannot be searched.
    #[error("`index.{part}` is not sorted at `{word}`")]
    Unsorted {
        /// The part of speech.
        part: &'static str,
        /// The word out of order.
        word: String,
    },
}

/// A WordNet to look synonyms up in.
#[derive(Clone, Debug)]
pub struct WordNet {
    parts: [Part; 4],
    version: String,
}

#[derive(Clone, Debug)]
struct Part {
    files: PartFiles,
    /// Where the entries of the index start.
    body: usize,
    /// Where in them the words of each letter start, and after the last.
    letters: [usize; 27],
    endings: &'static [(&'static str, &'static str)],
}

/// The files' names and the endings that may be detached, per part of speech.
const PARTS: [(&str, &[(&str, &str)]); 4] = [
    (
        "noun",
        &[
            ("s", ""),
            ("ses", "s"),
            ("ves", "f"),
            ("xes", "x"),
            ("zes", "z"),
            ("ches", "ch"),
            ("shes", "sh"),
            ("men", "man"),
            ("ies", "y"),
        ],
    ),
    (
        "verb",
        &[
            ("s", ""),
            ("ies", "y"),
            ("es", "e"),
            ("es", ""),
            ("ed", "e"),
            ("ed", ""),
            ("ing", "e"),
            ("ing", ""),
        ],
    ),
    ("adj", &[("er", ""), ("est", ""), ("er", "e"), ("est", "e")]),
    ("adv", &[]),
];

impl WordNet {
    /// Checks the files' headers and a sample of their entries.
    pub fn parse(files: Files) -> Result<Self, WordNetError> {
        let mut version: Option<String> = None;
        let mut checked = |(name, endings): (&'static str, _), files: PartFiles| {
            for (kind, bytes) in [("index", &files.index), ("data", &files.data)] {
                let file = format!("{kind}.{name}");
                let found =
                    header_version(bytes).ok_or_else(|| WordNetError::Header(file.clone()))?;
                let expected = version.get_or_insert_with(|| found.clone());
                if *expected != found {
                    return Err(WordNetError::Mixed { file, found, expected: expected.clone() });
                }
            }
            let body = lines(&files.index)
                .take_while(|line| line.starts_with(b" "))
                .map(|line| line.len() + 1)
                .sum();
            let entries = &files.index[body..];
            let letters = std::array::from_fn(|at| {
                let letter = b"abcdefghijklmnopqrstuvwxyz{"[at];
                body + lower_bound(entries, &[letter])
            });
            let part = Part { files, body, letters, endings };
            part.check(name).map(|()| part)
        };
        let [noun, verb, adj, adv] = PARTS;
        let parts = [
            checked(noun, files.noun)?,
            checked(verb, files.verb)?,
            checked(adj, files.adj)?,
            checked(adv, files.adv)?,
        ];
        Ok(Self { parts, version: version.unwrap_or_default() })
    }

    /// The version in the files' headers, such as `3.0`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// All single words that share a sense with a word in lower case, sorted, each once.
    ///
    /// The word itself is among them if WordNet has it. Names keep their capitals.
    pub fn synonyms(&self, word: &str) -> Vec<&str> {
        let mut found = Vec::new();
        for part in &self.parts {
            for form in part.forms(word) {
                for offset in part.offsets(&form).into_iter().flatten() {
                    part.words(offset, &mut found);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl Part {
    /// Looks at some sixty entries spread over the index.
    fn check(&self, name: &'static str) -> Result<(), WordNetError> {
        let body = &self.files.index[self.body..];
        let mut before: &[u8] = b"";
        for step in 0..64 {
            let Some(line) = line_at(body, body.len() / 64 * step) else { continue };
            let word = first_field(line);
            if word < before {
                let word = String::from_utf8_lossy(word).into_owned();
                return Err(WordNetError::Unsorted { part: name, word });
            }
            before = word;
            for offset in entry_offsets(line) {
                let digits = self.files.data.get(offset..offset + 8);
                if digits.is_none_or(|digits| number(digits) != Some(offset)) {
                    return Err(WordNetError::Offset { part: name, offset });
                }
            }
        }
        Ok(())
    }

    /// The forms of a word that the index has, each once.
    fn forms(&self, word: &str) -> Vec<String> {
        let mut forms = vec![word.to_owned()];
        if let Some(line) = find(&self.files.exceptions, word.as_bytes()) {
            let bases = line.split(u8::is_ascii_whitespace).skip(1).filter(|base| !base.is_empty());
            forms.extend(bases.map(|base| String::from_utf8_lossy(base).into_owned()));
        } else {
            forms.extend(self.endings.iter().filter_map(|(old, new)| {
                word.strip_suffix(old).map(|head| format!("{head}{new}"))
            }));
        }
        let mut kept: Vec<String> = Vec::new();
        for form in forms {
            if !kept.contains(&form) {
                kept.push(form);
            }
        }
        kept
    }

    fn offsets(&self, form: &str) -> Option<impl Iterator<Item = usize> + use<'_>> {
        let from_to = match form.bytes().next() {
            Some(letter @ b'a'..=b'z') => {
                let at = usize::from(letter - b'a');
                self.letters[at]..self.letters[at + 1]
            }
            _ => self.body..self.files.index.len(),
        };
        find(&self.files.index[from_to], form.as_bytes()).map(entry_offsets)
    }

    /// The single words of the entry at an offset.
    fn words<'s>(&'s self, offset: usize, found: &mut Vec<&'s str>) {
        let Some(line) = self.files.data.get(offset..).and_then(|rest| lines(rest).next()) else {
            return;
        };
        let mut fields = line.split(|&b| b == b' ');
        let count = fields.nth(3).and_then(|hex| std::str::from_utf8(hex).ok());
        let count = count.and_then(|hex| usize::from_str_radix(hex, 16).ok()).unwrap_or(0);
        for word in fields.step_by(2).take(count) {
            let Ok(mut word) = std::str::from_utf8(word) else { continue };
            // An adjective's place is marked behind its name: `galore(ip)`.
            if let Some(at) = word.find('(').filter(|_| word.ends_with(')')) {
                word = &word[..at];
            }
            if !word.contains('_') {
                found.push(word);
            }
        }
    }
}

/// The byte offsets at the end of an index entry.
fn entry_offsets(line: &[u8]) -> impl Iterator<Item = usize> + use<'_> {
    let mut fields = line.split(|&b| b == b' ').filter(|field| !field.is_empty());
    let senses = fields.nth(2).and_then(number).unwrap_or(0);
    let pointers = fields.next().and_then(number).unwrap_or(0);
    fields.skip(pointers.saturating_add(2)).take(senses).filter_map(number)
}

/// The line of a sorted file whose first field is this word; the last of several (`offer` has two
/// lines among the exceptions, and nltk's reader lets the second overwrite the first).
fn find<'f>(file: &'f [u8], word: &[u8]) -> Option<&'f [u8]> {
    let start = lower_bound(file, word);
    lines(&file[start..]).take_while(|line| first_field(line) == word).last()
}

/// Where the first line starts whose first field is not before this word.
fn lower_bound(file: &[u8], word: &[u8]) -> usize {
    let (mut low, mut high) = (0, file.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let start = memchr::memrchr(b'\n', &file[low..middle]).map_or(low, |at| low + at + 1);
        if is_before(&file[start..], word) {
            low = memchr::memchr(b'\n', &file[middle..]).map_or(file.len(), |at| middle + at + 1);
        } else {
            high = start;
        }
    }
    low
}

/// Whether the field that a line starts with is before this word.
fn is_before(line: &[u8], word: &[u8]) -> bool {
    for (at, letter) in word.iter().enumerate() {
        match line.get(at) {
            None | Some(b' ' | b'\n') => return true,
            Some(other) if other != letter => return other < letter,
            Some(_) => {}
        }
    }
    false
}

fn line_at(file: &[u8], at: usize) -> Option<&[u8]> {
    let start = file[..at].iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    lines(&file[start..]).next()
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let line = &rest[..end];
            rest = rest.get(end + 1..).unwrap_or_default();
            if !line.is_empty() {
                return Some(line);
            }
        }
        None
    })
}

fn first_field(line: &[u8]) -> &[u8] {
    line.split(|&b| b == b' ').next().unwrap_or(line)
}

fn number(digits: &[u8]) -> Option<usize> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The version in `WordNet 3.0 Copyright`, somewhere in the first lines, which start with a space.
fn header_version(bytes: &[u8]) -> Option<String> {
    lines(bytes).take_while(|line| line.starts_with(b" ")).find_map(|line| {
        let (before, _) = std::str::from_utf8(line).ok()?.split_once(" Copyright")?;
        let (_, version) = before.rsplit_once("WordNet ")?;
        Some(version.to_owned())
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A WordNet of three nouns and a verb, with true offsets.
    pub(crate) fn small() -> WordNet {
        WordNet::parse(files()).unwrap()
    }

    fn files() -> Files {
        let head = "  1 This is WordNet 3.0 Copyright 2006\n";
        let empty = || PartFiles { index: head.into(), data: head.into(), exceptions: Vec::new() };
        let cat = head.len();
        let line = format!("{cat:08} 05 n 03 cat 0 true_cat 0 feline(a) 0 000 | an animal\n");
        let man = cat + line.len();
        let noun = PartFiles {
            data: format!("{head}{line}{man:08} 18 n 02 man 0 fellow 0 000 | a person\n").into(),
            index: format!(
                "{head}cat n 1 2 @ ~ 1 0 {cat:08}  \nfeline n 1 0 1 0 {cat:08}  \nfellow n 1 0 1 0 {man:08}  \nman n 1 0 1 0 {man:08}  \n"
            ).into(),
            exceptions: b"catties cat\n".to_vec(),
        };
        Files { noun, verb: empty(), adj: empty(), adv: empty() }
    }

    #[test]
    fn looks_up_forms() {
        let net = small();
        assert_eq!(net.version(), "3.0");
        for (word, expect) in [
            ("cat", vec!["cat", "feline"]),
            ("cats", vec!["cat", "feline"]),
            ("catties", vec!["cat", "feline"]),
            ("men", vec!["fellow", "man"]),
            ("true_cat", vec![]),
            ("dog", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(net.synonyms(word), expect, "{word}");
        }
    }

    #[test]
    fn bad_files_are_named() {
        let mut bad = files();
        bad.verb.data = b"hello".to_vec();
        assert_eq!(WordNet::parse(bad).unwrap_err(), WordNetError::Header("data.verb".into()));
        let mut bad = files();
        bad.adv.index = b"  1 WordNet 3.1 Copyright\n".to_vec();
        assert!(matches!(WordNet::parse(bad).unwrap_err(), WordNetError::Mixed { .. }));
        let mut bad = files();
        bad.noun.data.insert(0, b' ');
        assert!(matches!(
            WordNet::parse(bad).unwrap_err(),
            WordNetError::Offset { part: "noun", .. }
        ));
    }
}
