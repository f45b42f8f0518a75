//! What several tests need: votes and retellings in few letters.

use storymill_core::{Label, LabelVote};

use crate::file::{Labelled, Placed, Vote};

/// Labels by their first letters.
pub(crate) fn labels(words: &str) -> Vec<Label> {
    let named = |letter| move |label: &Label| label.name().starts_with(letter);
    words.chars().map(|letter| Label::ALL.into_iter().find(named(letter)).unwrap()).collect()
}

/// A vote: person, protocol, labels by their first letters; one of the person `!ann` is adjudicated.
pub(crate) fn vote((person, protocol, words): (&str, &str, &str)) -> Vote {
    Vote {
        person: person.trim_start_matches('!').to_owned(),
        protocol: protocol.to_owned(),
        labels: labels(words),
        adjudicated: person.starts_with('!'),
    }
}

/// The same as a record.
pub(crate) fn record(said: (&str, &str, &str)) -> LabelVote {
    let Vote { person, protocol, labels, adjudicated } = vote(said);
    LabelVote { person, protocol, labels, adjudicated }
}

/// A retelling of so many sentences with these votes, labelled faithful throughout.
pub(crate) fn placed(
    id: &str,
    story: i64,
    sentences: usize,
    votes: &[(&str, &str, &str)],
) -> Placed {
    let labelled = Labelled {
        story_id: story,
        summary: (0..sentences).map(|at| format!("Sentence {at}.")).collect(),
        errors: vec![1; sentences],
        label: 1,
        votes: votes.iter().map(|one| vote(*one)).collect(),
        ..Labelled::default()
    };
    Placed { id: id.to_owned(), line: 1, column: 1, labelled }
}
