//! Queues: which items belong together, in the order in which they are best decided.

/// A queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queue {
    /// A short stable word, for addresses: `book-kinds`.
    pub name: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// The codes of its items.
    pub codes: &'static [&'static str],
}

/// All queues, in the order in which they are best decided: what is left out early needs no decision later.
pub const ALL: [Queue; 13] = [
    Queue { name: "book-kinds", title: "Kinds of books", codes: &["kind"] },
    Queue {
        name: "cuts",
        title: "Cuts",
        codes: &[
            "preface",
            "back-matter",
            "behind-the-end",
            "long-cut",
            "title-story",
            "heading",
            "run-in",
            "chapter-numbers",
            "second-reading",
            "language",
            "encoding",
            "perhaps-cut",
            "original-warning",
        ],
    },
    Queue { name: "duplicates", title: "Duplicates", codes: &["duplicate", "other-book"] },
    Queue {
        name: "casts",
        title: "Casts",
        codes: &["cast", "name-or-word", "gender", "missed", "shared-name", "names-not-english"],
    },
    Queue {
        name: "facts",
        title: "Confusing facts",
        codes: &["confusing-fact", "known-without-context", "other-script"],
    },
    Queue {
        name: "rules",
        title: "Replacement rules",
        codes: &["few-replaced", "proposed-rules", "common-noun", "answer-keywords"],
    },
    Queue {
        name: "claims",
        title: "Claim pairs",
        codes: &[
            "claim-pair-proposed",
            "claim-proposed",
            "pair-disputed",
            "claim-disputed",
            "scope-disputed",
        ],
    },
    Queue {
        name: "faithfulness",
        title: "Faithfulness of retellings",
        codes: &["inconsistency", "sentence-labels"],
    },
    Queue {
        name: "corrections",
        title: "Corrections of questions and answers",
        codes: &["question-left-out", "question-changed", "scene-question", "state-question"],
    },
    Queue { name: "evidence", title: "Evidence for answers", codes: &["evidence"] },
    Queue {
        name: "adequacy",
        title: "Which of the two is true",
        codes: &["adequacy", "which-is-true", "claim-verdict", "claim-scope"],
    },
    Queue {
        name: "explanations",
        title: "Explanations of right verdicts",
        codes: &["explanation"],
    },
    OTHERS,
];

/// The queue of codes that no other knows.
pub const OTHERS: Queue = Queue { name: "others", title: "Other items", codes: &[] };

/// The queue of a code.
///
/// ```
/// assert_eq!(storymill_review::queue::of("preface").name, "cuts");
/// assert_eq!(storymill_review::queue::of("what nobody knows").name, "others");
/// ```
pub fn of(code: &str) -> Queue {
    ALL.into_iter().find(|queue| queue.codes.contains(&code)).unwrap_or(OTHERS)
}

/// Whether each person has a vote of their own on such items, however many have to vote: what they say is compared.
pub fn is_compared(code: &str) -> bool {
    ["which-is-true", "explanation", "claim-verdict", "claim-scope"].contains(&code)
}

/// Whether the choices of such items are steps of a scale.
pub fn is_ordered(code: &str) -> bool {
    code == "claim-scope"
}

/// The queue of a name.
pub fn named(name: &str) -> Option<Queue> {
    ALL.into_iter().find(|queue| queue.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_one_queue_and_a_queue_one_name() {
        let mut codes: Vec<_> = ALL.iter().flat_map(|queue| queue.codes).collect();
        let mut names: Vec<_> = ALL.iter().map(|queue| queue.name).collect();
        let counts = (codes.len(), names.len());
        codes.sort_unstable();
        names.sort_unstable();
        codes.dedup();
        names.dedup();
        assert_eq!((codes.len(), names.len()), counts);
        assert!(ALL.iter().all(|queue| named(queue.name) == Some(*queue)));
    }
}
