//! Full names that stand where places stand, though they sound like somebody's: the road *to William Henry*, a fort.

use std::collections::{BTreeMap, BTreeSet};

use super::{evidence::is_there, halves::Name};
use crate::{
    lists::SPEECH,
    titles,
    words::{Case, Low, Words},
};

/// How often such a name stands at least.
const OFTEN: usize = 4;

/// How a name of two words stands over the book.
#[derive(Debug, Default)]
struct Seen {
    at: Vec<usize>,
    /// Behind a small word that stands before places and persons; before places.
    behind: usize,
    there: usize,
    /// Where somebody speaks, or bears a title.
    deeds: usize,
}

impl Seen {
    fn is_place(&self) -> bool {
        let all = self.at.len();
        all >= OFTEN && 4 * self.behind >= 3 * all && 5 * self.there >= all && 10 * self.deeds < all
    }
}

/// The words of full names that are those of places, at all their places, but for words that mostly stand elsewhere.
pub(super) fn somewhere(words: &Words<'_>, names: &[Name]) -> BTreeSet<usize> {
    let low = |at: usize| words.all()[at].low;
    let mut pairs: BTreeMap<[Low; 2], Seen> = BTreeMap::new();
    for (_, pieces) in names {
        if let [first, last] = &pieces[..]
            && first.at + 1 == last.at
        {
            pairs.entry([low(first.at), low(last.at)]).or_default();
        }
    }
    let (mut capitals, mut families) =
        (BTreeMap::<Low, usize>::new(), BTreeMap::<Low, usize>::new());
    for (at, word) in words.all().iter().enumerate().filter(|(_, word)| word.case != Case::Low) {
        *capitals.entry(word.low).or_default() += 1;
        if !titles::before(words, at).is_empty() {
            *families.entry(word.low).or_default() += 1;
        }
        let Some(next) = words.all().get(at + 1).filter(|next| next.case != Case::Low) else {
            continue;
        };
        let Some(pair) = pairs.get_mut(&[word.low, next.low]) else { continue };
        let before = words.low(at.checked_sub(1));
        let there = is_there(before);
        pair.at.push(at);
        pair.there += usize::from(there);
        pair.behind += usize::from(there || matches!(before, "of" | "for" | "against" | "by"));
        let speaks =
            SPEECH.contains(&words.low(Some(at + 2))) || !titles::before(words, at).is_empty();
        pair.deeds += usize::from(speaks);
    }
    let family = |last: Low| families.get(&last).copied().unwrap_or(0);
    let places =
        pairs.iter().filter(|(pair, seen)| seen.is_place() && 5 * family(pair[1]) < seen.at.len());
    let places = places.flat_map(|(pair, seen)| {
        let own = |by: &usize| 3 * seen.at.len() >= 2 * capitals[&pair[*by]];
        [0, 1].into_iter().filter(own).flat_map(|by| seen.at.iter().map(move |at| at + by))
    });
    places.collect()
}
