//! What a tagger took for a place and is somebody: behind Mr. or Mrs., beside a first name, or by all that the book
//! says of it.

use std::collections::BTreeMap;

use super::{
    evidence::Use,
    halves::Name,
    pieces::{Piece, piece, saint},
    signs::is_listed,
};
use crate::{
    decision::Kind,
    knowledge::Known,
    titles::{self, Title},
    words::Words,
};
use storymill_metrics::shortcut::Map;

/// How often each name of several words was taken for a person's, and for a place's.
pub(super) struct Named(BTreeMap<Vec<String>, [usize; 2]>);

impl Named {
    pub(super) fn of(names: &[(Kind, Name)]) -> Self {
        let mut all: BTreeMap<Vec<String>, [usize; 2]> = BTreeMap::new();
        for (kind, (_, pieces)) in names.iter().filter(|(_, name)| name.1.len() > 1) {
            let [person, place] = all.entry(keys(pieces)).or_default();
            match kind {
                Kind::Person => *person += 1,
                Kind::Place => *place += 1,
            }
        }
        Self(all)
    }

    /// Whether what a tagger took for a place is somebody by all that the book says of it, and nowhere that lists know.
    pub(super) fn is_somebody(&self, pieces: &[Piece], uses: &Map<String, Use>) -> bool {
        let [first, rest @ ..] = pieces else { return false };
        let known = [Known::PLACE, Known::PLACE_WORD, Known::PEOPLES, Known::CAPITAL];
        let real = pieces.iter().map(|piece| piece.surface.to_lowercase()).any(|low| {
            ["places", "real-places", "peoples"].into_iter().any(|list| is_listed(list, &low))
                || known.into_iter().any(|list| Known::of(&low).has(list))
        });
        let of = |piece: &Piece| uses.get(&piece.key()).copied().unwrap_or_default();
        let Some(last) = rest.last() else {
            let own = of(first);
            let person = own.is_person(first.is_first_name());
            let somebody = own.placed == 0 && (person || (own.is_nowhere() && own.small == 0));
            return somebody && (!real || own.said > 1);
        };
        // What is a person's name at half of its places is one at the others too.
        let [person, place] = self.0.get(&keys(pieces)).copied().unwrap_or_default();
        !real && ((person > 0 && person >= place) || of(first).with(of(last)).is_person(false))
    }
}

fn keys(pieces: &[Piece]) -> Vec<String> {
    pieces.iter().map(Piece::key).collect()
}

/// A first name that a tagger left out before what it took for a place: Immanuel Hildesheim.
pub(super) fn first_name_before(words: &Words<'_>, place: &[Piece]) -> Option<Piece> {
    let at = place.first()?.at;
    let before = at.checked_sub(1).filter(|_| !words.all()[at].breaks && words.gap(at))?;
    let piece = piece(words, before).filter(Piece::is_first_name)?;
    let known = Known::of(words.low(Some(before)));
    let other = [Known::PLACE, Known::PLACE_WORD, Known::CALENDAR, Known::CAPITAL];
    (!other.into_iter().any(|list| known.has(list))).then_some(piece)
}

/// Whether what a tagger took for a place is somebody: behind Mr. or Mrs., or a first name with a word behind
/// that no place has.
pub(super) fn is_person(words: &Words<'_>, pieces: &[Piece]) -> bool {
    let Some(first) = pieces.first() else { return false };
    let strict = |title: &&str| {
        let of = Title::of(title);
        of.has(Title::FAMILY) || matches!(*title, "miss" | "aunt" | "uncle" | "citizen")
    };
    let word = |piece: &Piece| Known::of(&piece.surface.to_lowercase());
    let of_place =
        |piece: &Piece| word(piece).has(Known::PLACE) || word(piece).has(Known::PLACE_WORD);
    let full = pieces.len() > 1 && first.is_first_name() && !pieces.iter().any(of_place);
    full && saint(words, first.at).is_none()
        || titles::before(words, first.at).first().is_some_and(strict)
            && !pieces.last().is_some_and(|last| word(last).has(Known::PLACE_WORD))
}
