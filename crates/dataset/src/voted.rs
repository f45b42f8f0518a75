//! What people said of doubts: the rows of `votes`, counted for the card by kind of item.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use storymill_core::Said;
use storymill_faithfulness::voters::{self, Voted as Vote};

use crate::numbers::thousands;

/// The votes that were noted, by kind of item.
#[derive(Clone, Debug, Default)]
pub(crate) struct Voted(BTreeMap<(String, String), Vec<Row>>);

/// What a vote says.
#[derive(Clone, Debug)]
struct Row {
    review: String,
    of: String,
    person: String,
    choice: String,
    said: Said,
    settles: bool,
    /// Whether it counts for agreement: independent people have seen no proposal.
    counts: bool,
    seconds: u32,
}

/// What the card is filled with.
#[derive(Debug, Serialize)]
pub(crate) struct VotedView {
    votes: String,
    people: String,
    kinds: Vec<KindView>,
}

/// The votes on items of one kind.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct KindView {
    kind: String,
    items: String,
    votes: String,
    people: String,
    settled: String,
    /// Items, or sentences where these are labelled, on which several people voted.
    several: String,
    /// Krippendorff's alpha with its interval, or why there is none.
    alpha: String,
    /// Seconds a vote, the median; blank where nobody measured.
    seconds: String,
}

impl Voted {
    /// Adds a vote.
    pub(crate) fn note(&mut self, vote: &storymill_core::Vote) {
        let hybrid = vote.protocol == "hybrid";
        self.0.entry((vote.queue.clone(), vote.code.clone())).or_default().push(Row {
            review: vote.review.to_string(),
            of: vote.of.to_string(),
            person: vote.person.clone(),
            choice: vote.choice.clone(),
            said: serde_json::from_str(&vote.said).unwrap_or_default(),
            settles: vote.settles,
            counts: !vote.settles && (hybrid || !vote.proposal_shown),
            seconds: vote.seconds,
        });
    }

    /// What the card is filled with.
    pub(crate) fn view(&self) -> VotedView {
        let all = || self.0.values().flatten();
        let people: BTreeSet<&str> = all().map(|row| row.person.as_str()).collect();
        VotedView {
            votes: thousands(all().count() as u64),
            people: people.len().to_string(),
            kinds: self
                .0
                .iter()
                .map(|((queue, code), rows)| kind_view(queue, code, rows))
                .collect(),
        }
    }
}

fn kind_view(queue: &str, code: &str, rows: &[Row]) -> KindView {
    let mut books: BTreeMap<&str, BTreeMap<&str, Vec<Vote<'_>>>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.counts) {
        let vote = Vote { by: &row.person, choice: &row.choice, said: &row.said };
        books.entry(&row.of).or_default().entry(&row.review).or_default().push(vote);
    }
    let books = books.into_values().map(|items| items.into_values().collect());
    let found = voters::of(books);
    let distinct = |of: fn(&Row) -> &str| rows.iter().map(of).collect::<BTreeSet<_>>().len();
    let mut seconds: Vec<u32> = rows.iter().map(|row| row.seconds).filter(|one| *one > 0).collect();
    seconds.sort_unstable();
    KindView {
        kind: format!("{queue}: {code}"),
        items: thousands(distinct(|row| &row.review) as u64),
        votes: thousands(rows.len() as u64),
        people: distinct(|row| &row.person).to_string(),
        settled: thousands(rows.iter().filter(|row| row.settles).count() as u64),
        several: thousands(found.items as u64),
        alpha: found.alpha.told(2),
        seconds: seconds.get(seconds.len() / 2).map(ToString::to_string).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use storymill_core::{Label, SentenceLabel};

    use super::*;

    fn row(review: usize, person: &str, choice: &str) -> Row {
        Row {
            review: format!("r{review}"),
            of: format!("b{}", review % 6),
            person: person.to_owned(),
            choice: choice.to_owned(),
            said: Said::Nothing,
            settles: false,
            counts: true,
            seconds: 9,
        }
    }

    #[test]
    fn agreement_is_told_by_kind() {
        let mut rows = Vec::new();
        for at in 0..60 {
            rows.push(row(at, "reader-01", if at % 3 == 0 { "cut" } else { "keep" }));
            rows.push(row(at, "reader-02", if at % 3 == 0 { "cut" } else { "keep" }));
        }
        rows[1].choice = "keep".into();
        // What settles it is a row, and no vote.
        rows.push(Row { settles: true, counts: false, ..row(0, "reader-03", "cut") });
        let view =
            Voted(BTreeMap::from([(("cuts".to_owned(), "large-cut".to_owned()), rows)])).view();
        assert_eq!((&*view.votes, &*view.people), ("121", "3"));
        let kind = &view.kinds[0];
        assert_eq!((&*kind.items, &*kind.several, &*kind.settled), ("60", "60", "1"));
        // 59 of 60 pairs agree: 1 - 119 * 2 / (120^2 - 39^2 - 81^2) * 1.
        assert!(kind.alpha.starts_with("0.96 ("), "{}", kind.alpha);
        assert_eq!(kind.seconds, "9");
    }

    #[test]
    fn one_person_agrees_with_nobody_and_sentences_are_items() {
        let label = |label| SentenceLabel { label, kinds: Vec::new(), explanation: String::new() };
        let labels = |person: &str, second| Row {
            said: Said::Labels(vec![label(Label::Faithful), label(second)]),
            ..row(1, person, "labelled")
        };
        let alone =
            kind_view("faithfulness", "sentence-labels", &[labels("reader-01", Label::Faithful)]);
        assert!(alone.alpha.contains("needs two voters"), "{}", alone.alpha);
        let two = [labels("reader-01", Label::Unfaithful), labels("reader-02", Label::Unfaithful)];
        let both = kind_view("faithfulness", "sentence-labels", &two);
        assert_eq!((&*both.items, &*both.several), ("1", "2"));
        assert!(both.alpha.starts_with("1.00; no interval"), "{}", both.alpha);
    }
}
