//! What follows from each choice, kind of item by kind of item: pages say it beside the choice.

/// A line of codes, and below it a line for each of their choices.
const TOLD: &str = include_str!("follows.txt");

/// Codes of items, with what follows from each of their choices.
pub type Kind = (Vec<&'static str>, Vec<(&'static str, &'static str)>);

/// Every kind of item that a stage, a source or a set of claims puts before people.
pub fn kinds() -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    for line in TOLD.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match (line.strip_prefix("  ").and_then(|line| line.split_once(": ")), kinds.last_mut()) {
            (Some(choice), Some((_, choices))) => choices.push(choice),
            _ => kinds.push((line.split(", ").collect(), Vec::new())),
        }
    }
    kinds
}

/// What follows from a choice of an item; none where the code is not known, or the item has nothing of the kind.
///
/// ```
/// use storymill_review::follows::follows;
/// assert_eq!(follows("preface", "cut"), Some("it is left out of the book"));
/// assert_eq!(follows("what nobody knows", "cut"), None);
/// ```
pub fn follows(code: &str, choice: &str) -> Option<&'static str> {
    let (_, choices) = kinds().into_iter().find(|(codes, _)| codes.contains(&code))?;
    choices.into_iter().find(|(one, _)| *one == choice).map(|(_, what)| what)
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::*;
    use crate::queue;

    #[test]
    fn every_code_of_a_queue_says_what_follows() {
        let told: Vec<&str> = kinds().into_iter().flat_map(|(codes, _)| codes).collect();
        let queued: BTreeSet<&str> = queue::ALL.iter().flat_map(|one| one.codes).copied().collect();
        assert_eq!(told.len(), queued.len(), "a code stands once");
        assert_eq!(told.into_iter().collect::<BTreeSet<_>>(), queued);
    }

    /// The files that make items, with how many they make and the codes of these. A new one without a line here fails: it
    /// needs a queue, words for its choices, and a page that shows enough to decide it.
    const MADE: &[(&str, usize, &[&str])] = &[
        ("claims/src/deciding/compare.rs", 2, &["which-is-true", "pair-disputed"]),
        ("claims/src/deciding/explained.rs", 1, &["explanation"]),
        (
            "claims/src/deciding/votes.rs",
            3,
            &["claim-verdict", "claim-scope", "claim-disputed", "scope-disputed"],
        ),
        ("claims/src/draft.rs", 2, &["claim-pair-proposed", "claim-proposed"]),
        ("sources/src/asked.rs", 1, &["second-reading"]),
        ("sources/src/clean.rs", 1, &["encoding", "language"]),
        ("sources/src/narrativexl/mod.rs", 2, &["perhaps-cut", "original-warning"]),
        ("transforms/src/documents/join.rs", 1, &["other-book"]),
        ("transforms/src/documents/locate.rs", 1, &["evidence"]),
        ("transforms/src/documents/revising.rs", 1, &["question-left-out", "question-changed"]),
        ("transforms/src/judging/label.rs", 1, &["sentence-labels"]),
        ("transforms/src/judging/propose.rs", 1, &["inconsistency"]),
        ("transforms/src/mixing/closed_book.rs", 1, &["known-without-context"]),
        ("transforms/src/mixing/confuse.rs", 1, &["confusing-fact"]),
        ("transforms/src/mixing/keywords.rs", 1, &["answer-keywords"]),
        ("transforms/src/mixing/mix.rs", 1, &["other-script"]),
        ("transforms/src/mixing/rules.rs", 2, &["few-replaced", "proposed-rules", "common-noun"]),
        ("transforms/src/mixing/scene_set.rs", 1, &["scene-question"]),
        (
            "transforms/src/naming/cast.rs",
            6,
            &["names-not-english", "name-or-word", "shared-name", "gender", "missed", "cast"],
        ),
        ("transforms/src/questions/draft_state/mod.rs", 1, &["state-question"]),
        ("transforms/src/retelling/adequacy.rs", 1, &["adequacy"]),
        ("transforms/src/selection/distinct.rs", 1, &["duplicate"]),
        ("transforms/src/selection/sort.rs", 1, &["kind"]),
    ];

    /// Doubts about what is cut have their codes where the rules are.
    const CUTS: &[(&str, &[&str])] = &[
        ("sources/src/gutenberg/matter.rs", &["heading", "preface", "back-matter", "long-cut"]),
        ("sources/src/gutenberg/back.rs", &["behind-the-end", "back-matter"]),
        ("sources/src/gutenberg/front.rs", &["title-story"]),
        ("sources/src/gutenberg/run_in.rs", &["run-in"]),
        ("sources/src/gutenberg/gaps.rs", &["chapter-numbers"]),
    ];

    #[test]
    fn a_new_kind_of_item_needs_a_line_here() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let mut made = Vec::new();
        for room in ["claims", "sources", "transforms"] {
            search(&crates.join(room).join("src"), &mut made);
        }
        made.sort();
        let known: Vec<(String, usize)> =
            MADE.iter().map(|(file, count, _)| ((*file).to_owned(), *count)).collect();
        let crates = format!("{}/", crates.display());
        let made: Vec<(String, usize)> =
            made.into_iter().map(|(file, count)| (file.replace(&crates, ""), count)).collect();
        assert_eq!(made, known);
        let files = MADE.iter().map(|(file, _, codes)| (file, codes));
        let mut all = BTreeSet::new();
        for (file, codes) in files.chain(CUTS.iter().map(|(file, codes)| (file, codes))) {
            let source = fs::read_to_string(format!("{crates}{file}")).unwrap();
            for code in *codes {
                assert!(source.contains(&format!("\"{code}\"")), "{code} in {file}");
                assert_ne!(queue::of(code), queue::OTHERS, "{code}");
                all.insert(*code);
            }
        }
        let told: BTreeSet<&str> = kinds().into_iter().flat_map(|(codes, _)| codes).collect();
        assert_eq!(all, told, "what says what follows is of items that are made");
    }

    /// How many items each file makes, tests aside.
    fn search(folder: &Path, made: &mut Vec<(String, usize)>) {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                search(&entry, made);
                continue;
            }
            let source = fs::read_to_string(&entry).unwrap();
            let source = source.split("#[cfg(test)]").next().unwrap();
            let types = ["-> ", "struct ", "impl ", "for "];
            let count = source.match_indices("Review {").filter(|(at, _)| {
                let before = &source[..*at];
                !types.iter().any(|one| before.ends_with(one))
                    && !before.ends_with(char::is_alphanumeric)
            });
            let is_test = entry.to_string_lossy().contains("tests.rs");
            match count.count() {
                0 => {}
                _ if is_test => {}
                count => made.push((entry.to_string_lossy().replace('\\', "/"), count)),
            }
        }
    }
}
