//! FABLES' released file: claims of summaries of novels, each with a label of four (Kim et al. 2024).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize, de::IgnoredAny};
use storymill_core::Label;
use storymill_metrics::score::FileError;

use crate::entries::Entries;

/// The file's counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Fables {
    /// Books.
    pub books: usize,
    /// Models that wrote summaries.
    pub models: usize,
    /// Summaries.
    pub summaries: usize,
    /// Claims.
    pub claims: usize,
    /// Claims of each label, by its word here; the file says `Yes`, `PartialSupport`, `No`, `Inapplicable`.
    pub labels: BTreeMap<&'static str, usize>,
    /// Claims of each label for each model.
    pub by_model: BTreeMap<String, BTreeMap<&'static str, usize>>,
    /// Summaries of which no claim is labelled unfaithful, in part or whole.
    pub faithful: usize,
    /// What is wrong with a claim: its place in the file's own words.
    pub defects: Vec<ClaimDefect>,
}

/// Something wrong with a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClaimDefect {
    /// Book, model and number.
    pub claim: String,
    /// What is wrong.
    pub what: String,
}

#[derive(Deserialize)]
struct File {
    #[serde(rename = "FABLES")]
    books: Entries<Entries<Summary>>,
}

#[derive(Deserialize)]
struct Summary {
    claims: Entries<Claim>,
}

/// The page of the file names its fields with capital letters, the file does not.
#[derive(Deserialize)]
struct Claim {
    #[serde(alias = "Claim")]
    claim: String,
    #[serde(alias = "Label")]
    label: String,
}

#[derive(Deserialize)]
struct Probe {
    #[serde(rename = "FABLES")]
    fables: Option<IgnoredAny>,
}

/// Whether this is FABLES' file: an object with the key `FABLES`.
pub fn is_fables(json: &str) -> Result<bool, FileError> {
    let probe: Probe =
        serde_json::from_str(json).map_err(|source| FileError::json(source, json, 1))?;
    Ok(probe.fables.is_some())
}

/// The label of a word of the file.
pub fn label(word: &str) -> Option<Label> {
    match word.trim() {
        "Yes" => Some(Label::Faithful),
        "PartialSupport" => Some(Label::Partial),
        "No" => Some(Label::Unfaithful),
        "Inapplicable" => Some(Label::Inapplicable),
        _ => None,
    }
}

/// Counts the file.
pub fn read(json: &str) -> Result<Fables, FileError> {
    let File { books: Entries(books) } =
        serde_json::from_str(json).map_err(|source| FileError::json(source, json, 1))?;
    if books.is_empty() {
        return Err(FileError::Empty);
    }
    let mut found = Fables { books: books.len(), ..Fables::default() };
    let mut models = BTreeSet::new();
    for (book, Entries(summaries)) in &books {
        for (model, Summary { claims: Entries(claims) }) in summaries {
            models.insert(model);
            found.summaries += 1;
            found.claims += claims.len();
            let mut wrong = claims.is_empty();
            for (number, claim) in claims {
                let place = format!("{book}, {model}, claim {number}");
                let mut note = |what: String| {
                    found.defects.push(ClaimDefect { claim: place.clone(), what });
                };
                if claim.claim.trim().is_empty() {
                    note("a label without a claim".to_owned());
                }
                let Some(label) = label(&claim.label) else {
                    note(format!(
                        "`{}` is not a label; use Yes, PartialSupport, No or Inapplicable",
                        claim.label
                    ));
                    wrong = true;
                    continue;
                };
                wrong |= crate::votes::is_error(label);
                *found.labels.entry(label.name()).or_default() += 1;
                let of_model = found.by_model.entry(model.clone()).or_default();
                *of_model.entry(label.name()).or_default() += 1;
            }
            found.faithful += usize::from(!wrong);
        }
    }
    found.models = models.len();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"{"canary": "x", "FABLES": {"A Book": {"M1": {"summary": "s", "general_comment": "n/a", "claims": {
        "0": {"claim": "c", "label": "Yes", "evidence": ["n/a"], "reason": ["n/a"]},
        "1": {"Claim": "d", "Label": "PartialSupport", "evidence": [], "reason": []}}},
        "M2": {"claims": {"0": {"claim": "c", "label": "Inapplicable"}, "1": {"claim": " ", "label": "Maybe"}}}},
        "B": {"M1": {"claims": {"0": {"claim": "e", "label": "Yes"}}}}}}"#;

    #[test]
    fn claims_are_counted_by_label_and_model() {
        assert!(is_fables(FILE).unwrap() && !is_fables("{\"a\": {}}").unwrap());
        let found = read(FILE).unwrap();
        assert_eq!((found.books, found.models, found.summaries, found.claims), (2, 2, 3, 5));
        let labels: Vec<_> = found.labels.iter().map(|(name, n)| format!("{name} {n}")).collect();
        assert_eq!(labels, ["faithful 2", "inapplicable 1", "partial 1"]);
        assert_eq!(found.by_model["M1"]["faithful"], 2);
        // One has a claim that is true in part, one a claim without a label.
        assert_eq!(found.faithful, 1);
        let told: Vec<_> =
            found.defects.iter().map(|one| format!("{}: {}", one.claim, one.what)).collect();
        assert_eq!(
            told,
            [
                "A Book, M2, claim 1: a label without a claim",
                "A Book, M2, claim 1: `Maybe` is not a label; use Yes, PartialSupport, No or Inapplicable"
            ]
        );
    }

    #[test]
    fn bad_files_say_where() {
        let error =
            read("{\"FABLES\": {\n \"A\": {\"M\": {\"claims\": {\"0\": {\"claim\": 1}}}}}}")
                .unwrap_err();
        assert!(error.to_string().starts_with("line 2, column 40: "), "{error}");
        assert_eq!(read("{\"FABLES\": {}}").unwrap_err().to_string(), "the file has no rows");
    }
}
