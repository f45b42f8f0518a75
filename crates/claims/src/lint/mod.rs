//! The lint: what is wrong with pairs, each finding with its reason and how grave it is.
//!
//! The rules are NoCha's for its writers (section 2 of the paper and its guidelines): twins are
//! minimal and about one event, neither subjective nor too similar, and the answer does not show
//! without the book. A finding tells counts and places, never a word of a claim.

mod alone;
mod copied;
mod duplicates;
mod form;
mod judgement;
mod kinship;
mod twins;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::pair::{Half, Pair, is_past};

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Look at it: there are good pairs like that, and bad ones.
    Warning,
    /// The pair cannot be used as it is.
    Error,
}

impl Severity {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

macro_rules! codes {
    ($($name:ident $code:literal $meaning:literal)*) => {
        /// What a finding is about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Code { $(#[doc = $meaning] $name,)* }

        impl Code {
            /// Every code.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Its stable name, by which findings are counted.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// What it means.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning,)* }
            }
        }
    };
}

codes! {
    NotMinimal "not-minimal" "The twins differ in more than one thing."
    TooSimilar "too-similar" "The twins say the same in other words, or nearly."
    SeveralSentences "several-sentences" "A claim has more than one sentence."
    EntitySwap "entity-swap" "The twins differ in nothing but a name."
    NegationOnly "negation-only" "One twin is the other with a negation."
    NamesNobody "names-nobody" "A claim speaks of somebody whom it does not name."
    Subjective "subjective" "A claim holds a judgement that the book cannot decide."
    Copied "copied" "A claim stands in the book word for word."
    AnswerVisible "answer-visible" "Grammar, spelling or length shows which twin is false."
    Duplicate "duplicate" "Another pair of the set says the same."
    PastUse "past-use" "The last day of use has passed."
    OtherVolumes "other-volumes" "The claims are not decided by this volume alone."
    NoExplanation "no-explanation" "Nothing explains why the false claim is false."
    BadEvidence "bad-evidence" "The evidence is not in the book or the story."
    ReadersDisagree "readers-disagree" "Second readers do not say which claim is true as the set does."
    NoText "no-text" "The book's text is not here, so nothing was compared with it."
}

/// Something found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The pair.
    pub pair: String,
    /// The claim; none where both or the pair as a whole are meant.
    pub claim: Option<Half>,
    /// What it is about.
    pub code: Code,
    /// How grave it is.
    pub severity: Severity,
    /// What exactly was found, in counts and places.
    pub reason: String,
}

/// Findings of one pair in the making.
struct Findings<'p> {
    pair: &'p Pair,
    found: Vec<Finding>,
}

impl Findings<'_> {
    fn add(
        &mut self,
        claim: Option<Half>,
        code: Code,
        severity: Severity,
        reason: impl Into<String>,
    ) {
        let pair = self.pair.id.clone();
        self.found.push(Finding { pair, claim, code, severity, reason: reason.into() });
    }

    fn error(&mut self, claim: Option<Half>, code: Code, reason: impl Into<String>) {
        self.add(claim, code, Severity::Error, reason);
    }

    fn note(&mut self, claim: Option<Half>, code: Code, reason: impl Into<String>) {
        self.add(claim, code, Severity::Note, reason);
    }

    fn warn(&mut self, claim: Option<Half>, code: Code, reason: impl Into<String>) {
        self.add(claim, code, Severity::Warning, reason);
    }
}

/// Looks at every pair; `texts` are the books by id, as far as they are at hand.
///
/// Findings come in the order of the pairs, the gravest of a pair first. Laws: the order of pairs
/// changes no finding; a finding holds nothing of a claim's text.
pub fn lint(pairs: &[Pair], texts: &BTreeMap<String, &str>) -> Vec<Finding> {
    let duplicates = duplicates::find(pairs);
    let mut of_book: BTreeMap<&str, Vec<&Pair>> = BTreeMap::new();
    for pair in pairs {
        of_book.entry(&pair.book).or_default().push(pair);
    }
    let mut runs = BTreeMap::new();
    for (book, pairs) in of_book {
        if let Some(text) = texts.get(book) {
            copied::find(text, &pairs, &mut runs);
        }
    }
    let mut all = Vec::new();
    for pair in pairs {
        let mut findings = Findings { pair, found: Vec::new() };
        twins::look(&mut findings);
        alone::look(&mut findings, texts.get(&pair.book).copied());
        judgement::look(&mut findings);
        form::look(&mut findings);
        copied::tell(&mut findings, &runs);
        duplicates::tell(&mut findings, &duplicates);
        rest(&mut findings, texts.get(&pair.book).copied());
        findings.found.sort_by(|a, b| b.severity.cmp(&a.severity).then(a.code.cmp(&b.code)));
        all.append(&mut findings.found);
    }
    all
}

/// The pairs whose last day of use has passed, today being a day such as 2026-11-28.
pub fn past_use(pairs: &[Pair], today: &str) -> Vec<Finding> {
    let finding = |pair: &Pair| {
        let last = pair.retire_after.as_ref().filter(|last| is_past(last, today))?;
        Some(Finding {
            pair: pair.id.clone(),
            claim: None,
            code: Code::PastUse,
            severity: Severity::Warning,
            reason: format!("was to be used until {last} (`retire_after`)"),
        })
    };
    pairs.iter().filter_map(finding).collect()
}

/// What the fields of a pair say by themselves.
fn rest(findings: &mut Findings<'_>, text: Option<&str>) {
    let pair = findings.pair;
    if pair.this_volume_alone == Some(false) {
        findings.error(None, Code::OtherVolumes, "`this_volume_alone` is false");
    }
    if pair.explanation.trim().is_empty() {
        findings.warn(None, Code::NoExplanation, "`explanation` is blank");
    }
    let Some(text) = text else {
        let reason = "the book's text is not here: copies and evidence were not looked at";
        return findings.note(None, Code::NoText, reason);
    };
    let symbols = text.chars().count();
    for half in Half::BOTH {
        if pair.evidence(half).iter().any(|stretch| stretch.end as usize > symbols) {
            let reason = format!("a stretch of evidence ends behind the book's {symbols} symbols");
            findings.error(Some(half), Code::BadEvidence, reason);
        }
    }
}
