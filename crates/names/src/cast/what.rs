//! What a word is that names nobody of the story, by what was counted of it.

use super::{
    evidence::Use,
    nobody::{Nobodies, Seen},
    pieces::singulars,
    signs::is_listed,
};
use crate::knowledge::{Known, is_given, is_god};
use storymill_metrics::shortcut::Map;

/// How words end that name what nobody is.
const ABSTRACT: &[&str] =
    &["tion", "sion", "ness", "ment", "ism", "hood", "alty", "ality", "ology", "smith", "monger"];

/// How words end that name members of a party, a creed or an order, in the plural.
const PARTY: &[&str] = &["ists", "atives", "icans", "arians", "crats", "formers"];

/// How often a common word may be tagged and still be taken for a slip.
const MOST_PASSING: u32 = 3;

impl Nobodies {
    /// What a word is, if it names nobody.
    ///
    /// An epithet mostly stands behind an article, and is not the plural of a family. A word is a common one
    /// that no list of names has, and stands without a title or another name.
    /// `uses` says how folded words stand over the book.
    pub(super) fn what(
        &self,
        word: &str,
        seen: &Seen,
        uses: &Map<String, Use>,
    ) -> Option<&'static str> {
        let own = uses.get(word).copied().unwrap_or_default();
        let known = Known::of(word);
        let listed = [Known::FEMALE, Known::MALE, Known::SURNAME];
        let listed = listed.into_iter().any(|list| known.has(list));
        let mostly = |seen: &Seen| {
            let half = seen.sure == 0 && seen.all > 3 && 2 * seen.articles >= seen.all;
            half || 5 * seen.articles >= 3 * seen.all
        };
        let is_family = |one: &str| {
            Known::of(one).has(Known::SURNAME)
                || self.words.get(one).is_some_and(|one| !mostly(one))
        };
        let plural = || {
            let many = |end: &str| self.words.get(&format!("{word}{end}"));
            ["s", "es"]
                .into_iter()
                .any(|end| many(end).is_some_and(|many| 2 * many.articles > many.all))
        };
        let singular = || singulars(word).any(|one| is_family(&one));
        let family = || plural() || singular();
        if 2 * seen.the > seen.all && 4 * seen.ships > seen.the && seen.ships > 1 && !family() {
            return Some("thing");
        }
        // A shop is hardly ever named without its `s`, though somebody may write to Mr. Quorn himself.
        let owner = seen.all > 5 && 3 * seen.owns >= 2 * seen.all && 3 * seen.shops >= seen.all;
        if (owner && 8 * seen.person <= seen.all)
            || (seen.shops == seen.all
                && seen.person == 0
                && (seen.all > 1 || (!listed && seen.sure == 0 && own.is_there(true))))
        {
            return Some("place");
        }
        if seen.works == seen.all {
            return Some("thing");
        }
        if 2 * seen.kings > seen.all {
            return Some("king");
        }
        if seen.person == 0 && own.is_place() {
            return Some("place");
        }
        if let Some(what) = self.of_things(word, seen, &own, uses) {
            return Some(what);
        }
        let nation = || known.has(Known::PEOPLES) || is_listed("peoples", word);
        if listed && seen.person == 0 && 4 * seen.deeds < seen.all && nation() {
            return Some("people");
        }
        if listed {
            return None;
        }
        if seen.mister == 0 && is_god(word) {
            return Some("god");
        }
        // A capital that only begins a sentence, before the names of several people, is that of a direction: [Enter Jack.]
        let listed = is_listed("direction", word);
        let few = own.capital == 0 || listed && 4 * own.capital < seen.all as usize;
        let opens = few && (listed || (seen.sure == seen.all && seen.beside.len() > 1));
        let capital = known.only_capital() && !is_given(word) && !own.is_call();
        if seen.mister == 0 && (opens || capital) {
            return Some("word");
        }
        if seen.person == 0 && !own.is_person(false) && is_of_country(word, uses) {
            return Some("people");
        }
        // The great Leviathan, an old Manxman.
        if own.is_kind() && 8 * seen.person as usize <= own.capital && !family() {
            return Some("epithet");
        }
        if own.is_person(false) && 2 * seen.articles < seen.all {
            return None;
        }
        // A tribe has a plural as a family has, but no family is *an Oneida*.
        if mostly(seen) && !singular() && (seen.person == 0 || !plural()) {
            return Some("epithet");
        }
        if seen.person > 0 {
            return None;
        }
        // Who is mostly called by a trade bears it as a name.
        let called = || is_listed("address", word) || is_listed("trade", word);
        let is_word = is_listed("personified", word) || (seen.all <= MOST_PASSING && called());
        if seen.sure == 0 && is_word {
            return Some("word");
        }
        if seen.sure == 0 && is_listed("maker", word) {
            return Some("thing");
        }
        // What is only ever said by itself, and of whom nobody tells anything, is a call in a game.
        if seen.all > 5 && seen.sure == 0 && seen.deeds == 0 && 4 * seen.alone > 3 * seen.all {
            return Some("word");
        }
        let of_party = PARTY.iter().any(|end| word.len() > end.len() + 2 && word.ends_with(end));
        if seen.sure == 0 && of_party && !family() {
            return Some("people");
        }
        if known.has(Known::CALENDAR) {
            return Some("calendar");
        }
        let full = seen.sure > 2 && 2 * seen.sure > seen.all && seen.articles == 0;
        if !full && nation() {
            return Some("people");
        }
        // Who is called and does things, where nobody goes, has the name of a place.
        let somebody =
            seen.called > 2 && 2 * (seen.deeds + seen.called) > seen.all && own.placed == 0;
        if !full && !somebody && (known.has(Known::PLACE) || is_listed("places", word)) {
            return Some("place");
        }
        // Arms and wines are called after where they come from: we took Winchesters.
        let many = || singulars(word).any(|one| Known::of(&one).has(Known::PLACE));
        if seen.sure == 0 && many() && !family() {
            return Some("thing");
        }
        // What is named often, and never says, does or has anything, is a game or a tribe.
        let borne = seen.particle || seen.kin || seen.is_borne();
        let of_person = |one: &String| {
            let one = self.words.get(one);
            one.is_some_and(|one| one.person > 0 || (one.all >= 8 && 10 * one.deeds >= one.all))
        };
        let person = borne || seen.beside.iter().any(of_person);
        let idle = 10 * seen.deeds < seen.all && 4 * seen.called < seen.all;
        let of_thing = 8 * seen.articles > seen.all || 2 * own.joined > own.capital;
        if seen.all >= 8 && idle && of_thing && !person && !family() {
            return Some("thing");
        }
        let low = own.small;
        let passing = seen.all <= MOST_PASSING && low > 0;
        let abstract_ =
            ABSTRACT.iter().any(|end| word.len() > end.len() + 2 && word.ends_with(end));
        let common = passing || abstract_ || low >= 3 * seen.all as usize;
        (seen.sure == 0 && common).then_some("word")
    }

    /// What a word is of which nothing is told that is told of somebody, and something that is told of things, places
    /// and peoples.
    fn of_things(
        &self,
        word: &str,
        seen: &Seen,
        own: &Use,
        uses: &Map<String, Use>,
    ) -> Option<&'static str> {
        // *One of those Johnnies*: named in the plural most of all, and never with a title or another name.
        let of = |one: &str| uses.get(one).copied().unwrap_or_default();
        let alone = |one: &str| self.words.get(one).is_none_or(|seen| seen.sure == 0);
        let kinds = |one: &str, many: &str| {
            is_given(one) && alone(one) && alone(many) && of(many).is_many(of(one))
        };
        let many = format!("{word}s");
        if kinds(word, &many) || singulars(word).any(|one| kinds(&one, word)) {
            return Some("epithet");
        }
        if !own.is_silent() {
            return None;
        }
        if own.is_thing() && seen.mister == 0 && seen.called == 0 {
            return Some("thing");
        }
        if seen.person > 0 {
            return None;
        }
        if own.is_holy() && seen.sure == 0 {
            return Some("god");
        }
        let real = is_listed("real-places", word);
        if own.is_there(real) && (real || (seen.called == 0 && !is_given(word))) {
            return Some("place");
        }
        if own.is_sworn() {
            return Some("oath");
        }
        if seen.all > 2 && seen.owns == seen.all {
            return Some("thing");
        }
        // A Sagamore, one of the Sagamores.
        let kind = |one: &str, own: Use| {
            let known = Known::of(one);
            let listed = [Known::FEMALE, Known::MALE, Known::SURNAME];
            own.is_silent() && own.is_one_of_many(listed.into_iter().any(|list| known.has(list)))
        };
        let is = kind(word, *own) || singulars(word).any(|one| alone(&one) && kind(&one, of(&one)));
        let what = if is_of_country(word, uses) { "people" } else { "epithet" };
        (seen.sure == 0 && is).then_some(what)
    }
}

/// Whether a word is that of the people of some place in the book: *Zorvan*, *Zorvans* where *Zorva* stands.
fn is_of_country(word: &str, uses: &Map<String, Use>) -> bool {
    let one = word.strip_suffix('s').unwrap_or(word);
    let named = |name: String| {
        uses.get(&name)
            .is_some_and(|own| own.capital > 2 && own.small == 0 && !own.is_person(false))
    };
    ["ian", "an", "ite", "ese"].into_iter().any(|end| {
        let stem = one.strip_suffix(end).filter(|stem| stem.chars().count() > 3);
        stem.is_some_and(|stem| {
            ["", "a", "e", "ia", "o", "y"].into_iter().any(|rest| named(format!("{stem}{rest}")))
        })
    })
}
