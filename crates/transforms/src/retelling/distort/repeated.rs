//! Finds false retellings of one account that are the same text.

use storymill_core::{Distortion, Item, Span};

use crate::retelling::tokens::tokens;

/// One that was made, and how often was asked for it at most.
#[derive(Clone)]
pub(super) struct Made {
    pub(super) row: Distortion,
    pub(super) span: Option<Span>,
    pub(super) tries: usize,
}

/// One that was made, and the id of the one whose text it repeats.
pub(super) struct Judged {
    pub(super) made: Made,
    pub(super) same_as: Option<String>,
}

impl Item for Judged {
    fn item_id(&self) -> String {
        self.made.row.id()
    }

    fn item_span(&self) -> Option<Span> {
        self.made.span
    }
}

/// Tells for each one whether another has its text and stays. Of equals the one stays that took
/// fewest tries, then the first: so allowing more tries never takes a row away.
pub(super) fn judge(made: Vec<Made>) -> Vec<Judged> {
    let mut same_as = Vec::with_capacity(made.len());
    for samples in made.chunk_by(|one, other| one.row.summary == other.row.summary) {
        let words: Vec<_> = samples.iter().map(|made| tokens(&made.row.text)).collect();
        same_as.extend((0..samples.len()).map(|at| {
            let equals = (0..samples.len()).filter(|other| words[*other] == words[at]);
            let stays = equals.min_by_key(|other| (samples[*other].tries, *other));
            stays.filter(|stays| *stays != at).map(|stays| samples[stays].row.id())
        }));
    }
    made.into_iter().zip(same_as).map(|(made, same_as)| Judged { made, same_as }).collect()
}
