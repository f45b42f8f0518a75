//! `check-names`: looks for names that still stand in rows with other names, and ends the build if there
//! are any.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Book, BookId, Cx, Distortion, Edge, EdgeSet, EdgeSpec, Fault, FaultKind, Found, Inputs, Leak,
    Options, Parts, ReadAlongQuestion, Reconstruction, Record, Scene, Stage, Stop, Substitution,
    Summary,
};
use storymill_names::{Case, Words};
use storymill_text::word::fold;

use super::told::Told;

/// Looks through rows with other names for parts of the old ones: with a capital or in capitals, whatever
/// their accents, possessives too, and those that a line end cuts.
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
    /// Whether a leak ends the build. If not, leaks are rows that can be published. Default: yes.
    #[serde(default = "yes")]
    pub fail: bool,
}

fn yes() -> bool {
    true
}

impl Options for CheckNames {
    fn check(&self) -> Vec<(&'static str, String)> {
        if self.edges().0.len() > 1 {
            return Vec::new();
        }
        vec![(
            "substitutes",
            "is all that is named: name rows to look through, such as `scenes`".into(),
        )]
    }
}

/// Edges of which some are left out.
#[derive(Debug)]
pub struct Listed(Vec<EdgeSpec>);

impl EdgeSet for Listed {
    fn specs(&self) -> Vec<EdgeSpec> {
        self.0.clone()
    }
}

/// Rows in canonical bytes, in the order of the edges.
#[derive(Debug)]
pub struct Undecoded(Vec<Vec<u8>>);

impl Undecoded {
    /// Rows that are at hand.
    pub fn of(parts: Vec<Vec<u8>>) -> Self {
        Self(parts)
    }
}

impl Inputs for Undecoded {
    type Edges = Listed;

    fn load(edges: &Listed, found: &mut Found<'_>, from: &dyn Parts) -> Result<Self, Fault> {
        let read = |_| from.read(&found.next_edge()[0]);
        edges.0.iter().map(read).collect::<Result<_, _>>().map(Self)
    }
}

/// A row's id and its texts.
type Texts = (String, Vec<String>);

impl Stage for CheckNames {
    const KIND: &'static str = "check-names";
    const VERSION: u32 = 2;
    type In = Undecoded;
    type Out = Leak;

    fn edges(&self) -> Listed {
        let mut specs = self.substitutes.specs();
        specs.extend(self.books.iter().flat_map(EdgeSet::specs));
        specs.extend(self.scenes.iter().flat_map(EdgeSet::specs));
        specs.extend(self.summaries.iter().flat_map(EdgeSet::specs));
        specs.extend(self.distortions.iter().flat_map(EdgeSet::specs));
        specs.extend(self.questions.iter().flat_map(EdgeSet::specs));
        specs.extend(self.reconstructions.iter().flat_map(EdgeSet::specs));
        Listed(specs)
    }

    fn run(&self, input: Undecoded, cx: &mut Cx<'_>) -> Result<Vec<Leak>, Stop> {
        let specs = self.edges().0;
        let mut parts = specs.iter().zip(&input.0);
        let substitutions: Vec<Substitution> = match parts.next() {
            Some((_, bytes)) => rows(bytes)?,
            None => Vec::new(),
        };
        let names = Names::new(&substitutions)?;
        let mut leaks = Vec::new();
        for (spec, bytes) in parts {
            for (row, texts) in texts(spec.record, bytes)? {
                for (part, excerpt) in texts.iter().flat_map(|text| names.left_in(text)) {
                    let book: BookId = cx.unit().clone();
                    let record = spec.record.to_owned();
                    let at = u32::try_from(leaks.len()).unwrap_or(u32::MAX);
                    leaks.push(Leak { book, at, record, row: row.clone(), part, excerpt });
                }
            }
        }
        if self.fail && !leaks.is_empty() {
            let shown: Vec<String> = leaks
                .iter()
                .take(5)
                .map(|leak| {
                    format!("`{}` in {} {}: …{}…", leak.part, leak.record, leak.row, leak.excerpt)
                })
                .collect();
            let message = format!(
                "{} names are left in the rows of {}: {}",
                leaks.len(),
                cx.unit(),
                shown.join("; ")
            );
            let hint = "`fail = false` under the step lists them all; put the cast right with `casts` under the `cast` step";
            return Err(Fault::new(FaultKind::Input, message).hint(hint).into());
        }
        Ok(leaks)
    }
}

fn rows<R: Record>(bytes: &[u8]) -> Result<Vec<R>, Fault> {
    R::decode(bytes).map_err(|error| {
        Fault::new(FaultKind::Internal, format!("these are no {} rows", R::NAME)).because(error)
    })
}

/// Every row of a record with all its texts.
fn texts(record: &str, bytes: &[u8]) -> Result<Vec<Texts>, Fault> {
    Ok(match record {
        Book::NAME => rows::<Book>(bytes)?.into_iter().map(book).collect(),
        Scene::NAME => {
            let id = |scene: &Scene| Scene::id_of(&scene.book, scene.scene);
            rows::<Scene>(bytes)?.into_iter().map(|row| (id(&row), vec![row.text])).collect()
        }
        Summary::NAME => told::<Summary>(bytes)?,
        Distortion::NAME => told::<Distortion>(bytes)?,
        ReadAlongQuestion::NAME => told::<ReadAlongQuestion>(bytes)?,
        _ => told::<Reconstruction>(bytes)?,
    })
}

fn told<R: Told>(bytes: &[u8]) -> Result<Vec<Texts>, Fault> {
    let texts = |mut row: R| (row.item_id(), row.texts().into_iter().map(std::mem::take).collect());
    Ok(rows::<R>(bytes)?.into_iter().map(texts).collect())
}

fn book(row: Book) -> Texts {
    let mut texts: Vec<String> = row.chapters.into_iter().map(|chapter| chapter.title).collect();
    texts.extend(row.authors.into_iter().map(|author| author.name));
    texts.extend([row.title, row.text, row.source_url]);
    texts.extend([row.subjects, row.bookshelves, row.kind_evidence, row.flags].concat());
    (row.id.to_string(), texts)
}

/// The parts of names that must not stand anywhere.
struct Names {
    /// Folded parts, and how they are written.
    words: BTreeMap<String, String>,
}

impl Names {
    /// Also sees to it that no two parts have one substitute, and none has two.
    fn new(substitutions: &[Substitution]) -> Result<Self, Stop> {
        let (mut words, mut taken) = (BTreeMap::new(), BTreeSet::new());
        for row in substitutions {
            if !taken.insert(fold(&row.substitute)) {
                let detail = format!("`{}` stands for two names", row.substitute);
                return Err(Stop::reject("one-substitute-for-two", detail));
            }
            let written = words.insert(fold(&row.part), row.part.clone());
            if written.is_some() {
                let detail = format!("`{}` has two substitutes", row.part);
                return Err(Stop::reject("two-substitutes-for-one", detail));
            }
        }
        // What is a common word too may stand.
        for row in substitutions.iter().filter(|row| row.careful) {
            words.remove(&fold(&row.part));
        }
        Ok(Self { words })
    }

    /// Parts that are left in a text, each with a few words around it.
    fn left_in(&self, text: &str) -> Vec<(String, String)> {
        let mut left = self.found_in(text, |_| true);
        let mut joined = String::new();
        let mut seams = Vec::new();
        for piece in text.split("-\n") {
            joined += piece;
            seams.push(joined.len());
        }
        // Behind the last piece nothing is joined; words that no seam cuts were found before.
        if seams.pop().is_some() && !seams.is_empty() {
            let cut = |word: &Range<usize>| {
                let seam = seams.partition_point(|seam| *seam <= word.start);
                seams.get(seam).is_some_and(|seam| *seam < word.end)
            };
            left.extend(self.found_in(&joined, cut));
        }
        left
    }

    /// Parts that are left in words of which this is true.
    fn found_in(
        &self,
        text: &str,
        wanted: impl Fn(&Range<usize>) -> bool,
    ) -> Vec<(String, String)> {
        let words = Words::new(text);
        let mut left = Vec::new();
        for (at, word) in words.all().iter().enumerate() {
            if !word.letter || word.case == Case::Low {
                continue;
            }
            let mut folded = fold(words.surface(at));
            let mut end = word.end as usize;
            let mark =
                words.all().get(at + 1).filter(|_| matches!(words.surface(at + 1), "'" | "’"));
            if let (Some(_), Some(next)) = (mark, words.all().get(at + 2))
                && !self.words.contains_key(&folded)
                && next.letter
            {
                folded = format!("{folded}'{}", fold(words.surface(at + 2)));
                end = next.end as usize;
            }
            if let Some(part) = self.words.get(&folded)
                && wanted(&(word.start as usize..end))
            {
                let from = text[..word.start as usize]
                    .char_indices()
                    .rev()
                    .nth(25)
                    .map_or(0, |(at, _)| at);
                let to = text[end..].char_indices().nth(25).map_or(text.len(), |(at, _)| end + at);
                left.push((part.clone(), text[from..to].replace('\n', " ")));
            }
        }
        left
    }
}
