//! `count-names`: how many names are left in rows with other names, found without cast and substitutes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Book, Cx, Distortion, Edge, EdgeSet, NameCount, Options, ReadAlongQuestion, Reconstruction,
    Scene, Stage, Stop, Summary, stage,
};
use storymill_names::{LEFT_LIST, LISTS, Look};

use super::looked::{Listed, Looked, Undecoded, rows, search, specs};

/// Counts the names that are left in rows with other names, record by record, with the words that were looked at: from
/// these rows the data card has its rate, and a release its limit. It knows neither the cast nor the substitutes.
///
/// ```
/// use storymill_transforms::CountNames;
/// assert!(toml::from_str::<CountNames>("originals = 'books'\nscenes = 'other-scenes'").is_ok());
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CountNames {
    /// The step that makes the books with their own names.
    pub originals: Edge<Book>,
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
}

impl Options for CountNames {
    fn check(&self) -> Vec<(&'static str, String)> {
        if !self.looked().is_empty() {
            return Vec::new();
        }
        let all = "is all that is named: name rows to look through, such as `scenes`";
        vec![("originals", all.into())]
    }

    fn embedded(&self) -> Vec<&'static str> {
        [&LISTS[..], &[LEFT_LIST]].concat()
    }
}

impl CountNames {
    fn looked(&self) -> Vec<storymill_core::EdgeSpec> {
        specs!(self, books, scenes, summaries, distortions, questions, reconstructions)
    }
}

impl Stage for CountNames {
    stage!("count-names", 3, Undecoded => NameCount);

    fn edges(&self) -> Listed {
        Listed([self.originals.specs(), self.looked()].concat())
    }

    fn run(&self, input: Undecoded, cx: &mut Cx<'_>) -> Result<Vec<NameCount>, Stop> {
        let mut parts = input.0.iter();
        let mut next = || parts.next().map_or(&[][..], Vec::as_slice);
        let originals = rows::<Book>(next())?;
        let looked: Vec<Looked> = self
            .looked()
            .iter()
            .map(|spec| Looked::read(spec.record, next(), cx.unit()))
            .collect::<Result<_, _>>()?;
        let search = search(&originals, &looked);
        let count = |one: &Looked| {
            let texts = one.rows.iter().flat_map(|(_, texts)| texts);
            let mut all = Look::default();
            for look in texts.map(|text| search.look(&text.text, text.other_book)) {
                all.words += look.words;
                all.capitals += look.capitals;
                all.left.extend(look.left);
            }
            NameCount {
                book: cx.unit().clone(),
                record: one.record.to_owned(),
                words: all.words,
                capitals: all.capitals,
                left: u32::try_from(all.left.len()).unwrap_or(u32::MAX),
            }
        };
        Ok(looked.iter().map(count).collect())
    }
}
