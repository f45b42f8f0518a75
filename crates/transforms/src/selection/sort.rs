//! `sort`: tells novels from plays, poems, stories, letters and everything else.
//!
//! It judges by the text, the title and the catalog's subjects, and says how sure it is and why.
//! What it leaves out is left out on purpose; what it doubts it lists for people.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Book, Cx, Edge, Options, Review, ReviewPassage, Rows, Stage, Stop, SymbolIndex, stage,
};
use storymill_text::short_tag;

use super::{
    kind::{Kind, Verdict},
    languages::Tongue,
};

/// Keeps books of some kinds and languages.
///
/// ```
/// use storymill_transforms::{Kind, Sort};
/// let sort: Sort = toml::from_str("from = 'books'\nkinds = ['novel']").unwrap();
/// assert_eq!((sort.kinds, sort.doubt), (vec![Kind::Novel], 800));
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sort {
    /// The step that makes the books.
    pub from: Edge<Book>,
    /// The kinds to keep. Default: all of them.
    #[serde(default = "all")]
    pub kinds: Vec<Kind>,
    /// The languages to keep, as tags: `en`, `eng` or `en-GB`, which all mean English. What counts
    /// is the language of the text itself. Default: every language.
    #[serde(default)]
    pub languages: Vec<String>,
    /// The share of a text, in percent, that has to be in one of these languages. Default: 80.
    #[serde(default = "crate::defaults::small::<80>")]
    pub least: u8,
    /// A kind that is less sure than this, of a thousand, is listed for people. A book that is left
    /// out is listed unless that is twenty times as sure: where a wanted kind is likelier than 10
    /// of a thousand. Default: 800.
    #[serde(default = "crate::defaults::thousandths::<800>")]
    pub doubt: u16,
    /// Whether to believe the column `kind` of the catalog, where it has one of the kinds.
    /// Default: false; then it decides nothing, and a kind that disagrees is listed for people.
    #[serde(default)]
    pub trust_catalog: bool,
}

fn all() -> Vec<Kind> {
    Kind::ALL.to_vec()
}

impl Options for Sort {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        if self.kinds.is_empty() {
            faults.push(("kinds", "is empty; leave it out to keep every kind".into()));
        }
        if let Some(tag) = self.languages.iter().find(|tag| !is_tag(tag)) {
            faults.push(("languages", format!("`{tag}` is not a language tag such as `en`")));
        } else if let Some(tag) = self.languages.iter().find(|tag| short_tag(tag).is_none()) {
            faults
                .push(("languages", format!("storymill cannot tell whether a text is in `{tag}`")));
        }
        if self.least > 100 {
            faults.push(("least", format!("is {} and a percentage is at most 100", self.least)));
        }
        if self.doubt > 1000 {
            faults.push(("doubt", format!("is {} and must be at most 1000", self.doubt)));
        }
        faults
    }
}

fn is_tag(tag: &str) -> bool {
    let first = tag.split(['-', '_']).next().unwrap_or("");
    matches!(first.len(), 2 | 3) && first.chars().all(|c| c.is_ascii_lowercase())
}

impl Stage for Sort {
    stage!("sort", 4, Rows<Book> => Book, from);

    fn run(&self, books: Rows<Book>, cx: &mut Cx<'_>) -> Result<Vec<Book>, Stop> {
        books.iter().map(|book| self.sort(book, cx)).collect()
    }
}

impl Sort {
    fn sort(&self, book: &Book, cx: &mut Cx<'_>) -> Result<Book, Stop> {
        self.in_language(book)?;
        let verdict = Verdict::of(book);
        let said = Kind::ALL.into_iter().find(|kind| kind.name() == book.kind);
        let trusted = said.filter(|_| self.trust_catalog);
        let mut kind = trusted.unwrap_or(verdict.kind);
        let mut sure = trusted.map(|_| "the catalog says so");
        let differs = said.is_some_and(|said| said != verdict.kind);
        if differs || trusted.is_none() && self.doubts(&verdict) {
            let choice = cx.decide(review(book, &verdict, kind, said.filter(|_| differs)))?;
            if choice != kind.name() {
                kind = Kind::ALL.into_iter().find(|one| one.name() == choice).unwrap_or(kind);
                sure = Some("people decided so");
            }
        }
        // What the text says is evidence only for the kind that it says.
        let (sure_pm, evidence) = match sure {
            Some(why) => (1000, vec![why.to_owned()]),
            None => (verdict.sure_pm, verdict.evidence.into_iter().take(MOST_EVIDENCE).collect()),
        };
        if !self.kinds.contains(&kind) {
            let detail = format!("{} ({} %): {}", kind.name(), sure_pm / 10, evidence.join("; "));
            return Err(Stop::left_out("other-kind", detail));
        }
        let book = Book {
            kind: kind.name().to_owned(),
            kind_sure_pm: sure_pm,
            kind_evidence: evidence,
            ..book.clone()
        };
        Ok(book)
    }

    /// Whether people are asked: where the kind is not sure enough, and before a book is left out
    /// that may well be of a wanted kind. Nobody misses a book that was left out silently.
    fn doubts(&self, verdict: &Verdict) -> bool {
        doubts(verdict, &self.kinds, self.doubt)
    }

    /// Leaves out what is in other languages.
    fn in_language(&self, book: &Book) -> Result<(), Stop> {
        if self.languages.is_empty() {
            return Ok(());
        }
        let tongue = Tongue::of(book);
        let share = tongue.share_pm(&self.languages);
        if share >= u32::from(self.least) * 10 && share > 0 {
            return Ok(());
        }
        let heard =
            tongue.shares.iter().take(3).map(|(tag, share)| format!("{tag} {} %", share / 10));
        let heard = heard.collect::<Vec<_>>().join(", ");
        let heard =
            if heard.is_empty() { "no language is told from so little text".into() } else { heard };
        Err(Stop::left_out("other-language", heard))
    }
}

/// Whether people are asked about a verdict, where some kinds are wanted and a kind less sure than `doubt` is doubtful.
pub(crate) fn doubts(verdict: &Verdict, kinds: &[Kind], doubt: u16) -> bool {
    let left_out = !kinds.contains(&verdict.kind);
    let unsure = 1000 - doubt.min(1000);
    let refused = left_out && doubt > 0 && verdict.chance_pm(kinds) > unsure / REFUSED;
    verdict.sure_pm < doubt || refused
}

/// To be left out silently, a book has to be so many times as sure as to be kept.
const REFUSED: u16 = 20;

/// So much evidence is published; the rest weighs little.
const MOST_EVIDENCE: usize = 6;

pub(crate) fn review(book: &Book, verdict: &Verdict, kind: Kind, said: Option<Kind>) -> Review {
    let mut excerpt = format!("{}: {}", book.title, verdict.evidence.join("; "));
    if let Some(said) = said {
        excerpt = format!("the catalog says {}; {excerpt}", said.name());
    }
    Review {
        item: book.id.to_string(),
        code: "kind".into(),
        // The evidence may change with every word of the book.
        about: if book.title.is_empty() { "the book".to_owned() } else { book.title.clone() },
        question: format!(
            "is this {} or {}?",
            said_of(verdict.kind),
            said_of(said.unwrap_or(verdict.second))
        ),
        excerpt: excerpt.chars().take(600).collect(),
        choices: Kind::ALL.map(|kind| kind.name().to_owned()).to_vec(),
        default: kind.name().to_owned(),
        passages: glimpses(book),
        ..Review::default()
    }
}

/// What somebody should see of a book who has not read it: how it begins, and a stretch of its middle.
pub(crate) fn glimpses(book: &Book) -> Vec<ReviewPassage> {
    const SHOWN: usize = 1_500;
    let (text, index) = (&book.text, SymbolIndex::new(&book.text));
    let paragraph = |from: usize| text[from..].find("\n\n").map_or(text.len(), |at| from + at + 2);
    let glimpse = |from: usize, role: &str| {
        let upto = text.ceil_char_boundary((from + SHOWN).min(text.len()));
        let span = index.span(from..paragraph(upto));
        ReviewPassage { book: book.id.to_string(), span, role: role.to_owned() }
    };
    let middle = paragraph(text.ceil_char_boundary(text.len() / 2));
    let short = middle + SHOWN > text.len();
    let middle = (!short).then(|| glimpse(middle, "middle"));
    [glimpse(0, "opening")].into_iter().chain(middle).collect()
}

fn said_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Novel => "a novel",
        Kind::Stories => "stories",
        Kind::Play => "a play",
        Kind::Poetry => "poetry",
        Kind::Letters => "letters or a diary",
        Kind::Nonfiction => "no fiction",
    }
}

#[cfg(test)]
mod tests;
