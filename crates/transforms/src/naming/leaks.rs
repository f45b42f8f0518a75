//! `check-names`: looks for names that still stand in rows with other names, and ends the build if there
//! are any that should have been replaced.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Book, BookId, Cx, Distortion, Edge, Fault, FaultKind, Leak, Options, ReadAlongQuestion,
    Reconstruction, Scene, Stage, Stop, Substitution, Summary, stage,
};
use storymill_names::{LEFT_LIST, LISTS, NamesLeft};

use super::{
    looked::{Listed, Looked, Text, Undecoded, rows, search, specs},
    mapped::{Names, excerpt},
};

/// Looks through rows with other names for the old ones: for parts that have a substitute, with a capital or in
/// capitals, whatever their accents, possessives too, and those that a line end cuts; and, with `originals`, without
/// the cast, for whatever looks like a name by capitals, titles and what was replaced elsewhere.
///
/// ```
/// use storymill_transforms::CheckNames;
/// assert!(toml::from_str::<CheckNames>("substitutes = 's'\nscenes = 'other-scenes'").is_ok());
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckNames {
    /// The step that draws the substitutes.
    pub substitutes: Edge<Substitution>,
    /// The step that makes the books with their own names: with it, names are searched without the cast too.
    #[serde(default)]
    pub originals: Option<Edge<Book>>,
    /// The step that makes the books with other names.
    #[serde(default)]
    pub books: Option<Edge<Book>>,
    /// The step that makes the scenes with other names.
    #[serde(default)]
    pub scenes: Option<Edge<Scene>>,
    /// The step that makes the true retellings with other names.
    #[serde(default)]
    pub summaries: Option<Edge<Summary>>,
    /// The step that makes the false retellings with other names.
    #[serde(default)]
    pub distortions: Option<Edge<Distortion>>,
    /// The step that makes the read-along questions with other names.
    #[serde(default)]
    pub questions: Option<Edge<ReadAlongQuestion>>,
    /// The step that makes the reconstruction questions with other names.
    #[serde(default)]
    pub reconstructions: Option<Edge<Reconstruction>>,
    /// Whether a part that should have been replaced ends the build. If not, all that is left are rows that can be
    /// published; what the search without the cast found alone is a row in any case. Default: yes.
    #[serde(default = "crate::defaults::yes")]
    pub fail: bool,
}

impl Options for CheckNames {
    fn check(&self) -> Vec<(&'static str, String)> {
        if !self.looked().is_empty() {
            return Vec::new();
        }
        vec![(
            "substitutes",
            "is all that is named: name rows to look through, such as `scenes`".into(),
        )]
    }

    fn embedded(&self) -> Vec<&'static str> {
        [&LISTS[..], &[LEFT_LIST]].concat()
    }
}

impl CheckNames {
    fn looked(&self) -> Vec<storymill_core::EdgeSpec> {
        specs!(self, books, scenes, summaries, distortions, questions, reconstructions)
    }
}

impl Stage for CheckNames {
    stage!("check-names", 5, Undecoded => Leak);

    fn edges(&self) -> Listed {
        Listed([specs!(self, substitutes, originals), self.looked()].concat())
    }

    fn run(&self, input: Undecoded, cx: &mut Cx<'_>) -> Result<Vec<Leak>, Stop> {
        let mut parts = input.0.iter();
        let mut next = || parts.next().map_or(&[][..], Vec::as_slice);
        let names = Names::new(&rows::<Substitution>(next())?)?;
        let originals = self.originals.as_ref().map(|_| rows::<Book>(next())).transpose()?;
        let looked: Vec<Looked> = self
            .looked()
            .iter()
            .map(|spec| Looked::read(spec.record, next(), cx.unit()))
            .collect::<Result<_, _>>()?;
        let search = originals.map(|books| search(&books, &looked));
        let mut leaks = Vec::new();
        for one in &looked {
            for (row, texts) in &one.rows {
                for found in texts.iter().flat_map(|text| left_in(&names, search.as_ref(), text)) {
                    let book: BookId = cx.unit().clone();
                    let at = u32::try_from(leaks.len()).unwrap_or(u32::MAX);
                    let (record, row) = (one.record.to_owned(), row.clone());
                    let FoundName { part, excerpt, sign, has_substitute } = found;
                    leaks.push(Leak { book, at, record, row, part, excerpt, sign, has_substitute });
                }
            }
        }
        if self.fail
            && let Some(fault) = fault(&leaks, cx.unit())
        {
            return Err(fault.into());
        }
        Ok(leaks)
    }
}

/// What ends the build: parts that should have been replaced.
fn fault(leaks: &[Leak], unit: &BookId) -> Option<Fault> {
    let sure: Vec<&Leak> = leaks.iter().filter(|leak| leak.has_substitute).collect();
    let shown: Vec<String> = sure
        .iter()
        .take(5)
        .map(|leak| format!("`{}` in {} {}: …{}…", leak.part, leak.record, leak.row, leak.excerpt))
        .collect();
    let message =
        format!("{} names are left in the rows of {unit}: {}", sure.len(), shown.join("; "));
    let hint = "`fail = false` under the step lists them all; put the cast right with `casts` under the `cast` step";
    (!sure.is_empty()).then(|| Fault::new(FaultKind::Input, message).hint(hint))
}

/// A name at one place, whoever found it.
struct FoundName {
    part: String,
    excerpt: String,
    sign: String,
    has_substitute: bool,
}

/// What is left in a text: parts that have a substitute first, then what the search found beside them.
fn left_in(names: &Names, search: Option<&NamesLeft>, text: &Text) -> Vec<FoundName> {
    let mut free = search.map_or(Vec::new(), |one| one.look(&text.text, text.other_book).left);
    let mut found = Vec::new();
    for part in names.left_in(&text.text) {
        let mut sign = String::new();
        if let Some(bytes) = part.bytes {
            free.retain(|left| {
                let same = left.bytes.start < bytes.end && bytes.start < left.bytes.end;
                if same {
                    left.sign.name().clone_into(&mut sign);
                }
                !same
            });
        }
        let (part, excerpt) = (part.name, part.excerpt);
        found.push(FoundName { part, excerpt, sign, has_substitute: true });
    }
    found.extend(free.into_iter().map(|left| FoundName {
        part: text.text[left.bytes.clone()].to_owned(),
        excerpt: excerpt(&text.text, &left.bytes),
        sign: left.sign.name().to_owned(),
        has_substitute: false,
    }));
    found
}
