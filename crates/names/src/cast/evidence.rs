//! What the book does with each word that has a capital, tagged or not: who speaks, bears a title or a first name, is
//! called; and where somebody goes. Words that are common ones too are told apart by it.

use storymill_metrics::shortcut::Map;
use storymill_text::word::fold;

use super::{
    nobody::begin,
    signs::{is_called, is_listed},
};
use crate::{
    decision::{Found, Kind},
    knowledge::{Known, is_given, is_god},
    lists::SPEECH,
    titles::{self, Title},
    words::{Case, Words},
};

/// How a folded word stands over the book.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Use {
    /// Without a capital.
    pub(super) small: usize,
    /// With one inside a sentence.
    pub(super) capital: usize,
    /// With one behind a small word or a comma, where it says most.
    pub(super) bare: usize,
    /// Behind a verb of speech, as *said Will*, or behind `name was`.
    pub(super) said: usize,
    /// A first name before a family's: *Will Ladislaw*.
    full: usize,
    /// Alone in quotation marks, or called.
    called: usize,
    /// Behind `in`, `into`, `near`, or where somebody goes.
    pub(super) placed: usize,
    /// Beside another word with a capital that no title is.
    pub(super) joined: usize,
    /// Behind `at` or `from`, where a place would stand now and then.
    from: usize,
    /// Behind `on` or `upon`, where a world or an island stands.
    on: usize,
    /// Behind a word that says where: *past Willowmere*; behind `by`.
    there: usize,
    by: usize,
    /// Alone behind `a` or the like; behind `the`.
    one: usize,
    the: usize,
    /// The same with one word between: *the great Leviathan*.
    such: usize,
    /// Where somebody calls *it* so, or reads it.
    thing: usize,
    /// Near a word for gods.
    holy: usize,
}

/// What is said of gods, and so many words from their names.
const GODS: &[&str] = &["god", "gods", "goddess", "idol", "idols", "deity", "deities"];
const NEAR: usize = 8;

impl Use {
    /// Whether the book speaks of somebody, though a tagger may have missed it or the word is a common one too. `first`
    /// says whether a list of first names has it.
    pub(super) fn is_person(&self, first: bool) -> bool {
        let strong = self.said + self.full;
        if first && self.small == 0 && 3 * (strong + self.called) > self.placed {
            return strong + self.called > 0;
        }
        let often = strong > 1 || (first && strong + self.called > 1);
        strong > 0
            && (self.bare > self.small || (first && often))
            && 12 * strong >= self.bare
            && 2 * strong >= self.placed
    }

    /// The use of a name of two words, by those of the first and the last.
    pub(super) fn with(self, last: Self) -> Self {
        Self {
            small: self.small.max(last.small),
            said: self.said + last.said,
            called: self.called + last.called,
            ..self
        }
    }

    /// Whether the book speaks of somewhere.
    pub(super) fn is_place(&self) -> bool {
        let there = 2 * self.placed + self.from + self.on;
        (self.placed > 0 || self.on > 3)
            && there > 3
            && there > 6 * (self.said + self.full + self.called)
            && 4 * there >= self.bare
    }

    /// Whether what has a capital is mostly somebody who is called, and no common word.
    pub(super) fn is_call(&self) -> bool {
        self.small == 0 && self.capital > 2 && 2 * self.called >= self.capital
    }

    /// Whether nobody says anything, or bears it before a family's name.
    pub(super) fn is_silent(&self) -> bool {
        self.said + self.full == 0
    }

    /// Whether it is one of many, as *a Sagamore* is.
    pub(super) fn is_one_of_many(&self, listed: bool) -> bool {
        let rare = if listed { 3 } else { 8 };
        self.one > 0 && rare * (self.one + self.the) >= self.capital
    }

    /// Whether it is what somebody or something is, more than a name: *the Leviathan*, *a grey Manxman*.
    pub(super) fn is_kind(&self) -> bool {
        self.capital > 4 && 5 * (self.one + self.the + self.such) >= 3 * self.capital
    }

    /// Whether it is the name of a god, of which nobody says anything else.
    pub(super) fn is_holy(&self) -> bool {
        self.holy > 2 && 5 * self.holy >= self.capital
    }

    /// Whether it is the plural of a word that stands half as often by itself at most.
    pub(super) fn is_many(&self, one: Self) -> bool {
        self.capital > 1 && self.capital >= 2 * one.capital
    }

    /// Whether it stands where places do, at a third of its places, or once where a list knows a place of that name.
    pub(super) fn is_there(&self, real: bool) -> bool {
        self.there > usize::from(!real) && (real || 3 * self.there >= self.capital)
    }

    /// Whether it is a thing by what people call or read.
    pub(super) fn is_thing(&self) -> bool {
        self.thing > 0
    }

    /// Whether it is only ever sworn by.
    pub(super) fn is_sworn(&self) -> bool {
        self.by > 1 && self.by >= self.capital
    }

    /// Whether no place would be named so: often, and nobody is, goes or comes there.
    pub(super) fn is_nowhere(&self) -> bool {
        self.bare > 7 && self.placed + self.from == 0
    }
}

/// All words of a book, folded.
pub(super) fn uses(words: &Words<'_>, found: &[Found]) -> Map<String, Use> {
    let keys: Vec<String> = words.lows().iter().map(|low| fold(low)).collect();
    let mut uses: Map<&str, Use> = keys.iter().map(|key| (&**key, Use::default())).collect();
    let gods: Vec<bool> = words.lows().iter().map(|low| GODS.contains(&&**low)).collect();
    let mut one = |at: usize, count: &dyn Fn(&mut Use)| {
        uses.get_mut(&*keys[words.all()[at].low as usize]).map(count);
    };
    for (at, word) in words.all().iter().enumerate().filter(|(_, word)| word.letter) {
        if word.case == Case::Low {
            one(at, &|one| one.small += 1);
            let near = at.saturating_sub(NEAR)..(at + NEAR).min(words.len());
            let capital = |at: &usize| words.all()[*at].case == Case::Inside;
            for at in near.filter(|_| gods[word.low as usize]).filter(capital) {
                one(at, &|one| one.holy += 1);
            }
            continue;
        }
        let inside = word.case == Case::Inside;
        let bare = inside && is_bare(words, at);
        let before = words.low(at.checked_sub(1));
        let own = matches!(words.low(Some(at + 1)), "'" | "’");
        let alone = bare && words.all().get(at + 1).is_none_or(|next| next.case == Case::Low);
        let goes = || (2..5).any(|back| is_listed("motion", words.low(at.checked_sub(back))));
        let far = words.low(at.checked_sub(2));
        let small = at.checked_sub(1).is_some_and(|at| words.all()[at].case == Case::Low);
        let any = |low| matches!(low, "this" | "these" | "any" | "no");
        let each = |low| matches!(low, "a" | "an" | "every" | "each" | "another");
        let such = small && (far == "the" || any(far) || each(far));
        let land = is_listed("land", before) || (before == "of" && is_listed("land", far));
        let placed =
            land || is_listed("within", before) || (matches!(before, "to" | "from") && goes());
        one(at, &|one| {
            one.capital += usize::from(inside);
            one.called += usize::from(is_called(words, at));
            one.joined += usize::from(is_joined(words, at) || is_joined(words, at + 1));
            one.bare += usize::from(bare);
            one.said += usize::from(bare && is_said(words, at));
            one.placed += usize::from(bare && placed && !own);
            one.from += usize::from(bare && matches!(before, "at" | "from") && !own);
            one.on += usize::from(bare && matches!(before, "on" | "upon") && !own);
            one.there += usize::from(bare && is_there(before));
            one.by += usize::from(bare && before == "by");
            one.one += usize::from(alone && each(before));
            one.the += usize::from(alone && before == "the");
            one.such += usize::from(alone && (such || any(before)));
            one.thing += usize::from(bare && is_called_it(words, at));
        });
    }
    let persons = found.iter().filter(|one| one.kind == Kind::Person);
    for at in persons.filter_map(|name| first_before(words, name.words.start)) {
        one(at, &|one| one.full += 1);
    }
    uses.into_iter().map(|(key, one)| (key.to_owned(), one)).collect()
}

/// Whether a word before a name says where something is, or where somebody goes.
pub(super) fn is_there(before: &str) -> bool {
    matches!(before, "at" | "to" | "from" | "toward" | "towards" | "past" | "beyond")
        || is_listed("within", before)
}

/// Whether a thing is called by the name that a word is in, or somebody reads it: *call it Bonny*, *reading Ben Hur*.
fn is_called_it(words: &Words<'_>, at: usize) -> bool {
    let before = begin(words, at).checked_sub(1);
    let far = words.low(before.and_then(|at| at.checked_sub(1)));
    let calls = ["call", "calls", "called", "calling", "name", "named", "christened"];
    match words.low(before) {
        "it" => calls.contains(&far),
        low => low == "reading",
    }
}

/// Where somebody surely stands of whom no tagger knew: names that are common words too.
pub(super) fn missed(words: &Words<'_>, found: &[Found], uses: &Map<String, Use>) -> Vec<usize> {
    let persons: Vec<bool> = words
        .lows()
        .iter()
        .map(|low| {
            let (known, listed, own) = (Known::of(low), is_given(low), uses[&fold(low)]);
            let other = [Known::PLACE, Known::CALENDAR, Known::PEOPLES, Known::CAPITAL];
            let nobody = Title::of(low).is_title() && !listed
                || is_god(low)
                || low.chars().nth(1).is_none()
                || **low == *"humph"
                || ((!listed || own.placed > 0) && other.into_iter().any(|list| known.has(list)));
            !nobody && own.is_person(listed)
        })
        .collect();
    let mut missed: Vec<usize> = found
        .iter()
        .filter(|one| one.kind == Kind::Person)
        .filter_map(|one| first_before(words, one.words.start))
        .collect();
    let said = |at: &usize| {
        persons[words.all()[*at].low as usize]
            && words.all()[*at].case != Case::Low
            && (is_called(words, *at) || (is_bare(words, *at) && is_said(words, *at)))
    };
    missed.retain(|at| persons[words.all()[*at].low as usize]);
    // Where a tagger found nothing at all, the book may be in another language.
    missed.extend((0..words.len()).filter(said).filter(|_| !found.is_empty()));
    missed.sort_unstable();
    missed.dedup();
    missed
}

/// A listed first name that stands right before a name without one.
fn first_before(words: &Words<'_>, name: usize) -> Option<usize> {
    let at = name
        .checked_sub(1)
        .filter(|at| words.gap(name) && words.all()[*at].case == Case::Inside)?;
    let (first, own) = (is_given(words.low(Some(at))), is_given(words.low(Some(name))));
    let titled = Title::of(words.low(Some(name))).is_title();
    (first && !own && !titled && !words.all()[name].breaks && is_bare(words, at)).then_some(at)
}

/// Whether a word with a capital and the one before it are of one name.
fn is_joined(words: &Words<'_>, at: usize) -> bool {
    let Some(next) = words.all().get(at).filter(|next| next.case == Case::Inside && !next.breaks)
    else {
        return false;
    };
    let before = at.checked_sub(1).filter(|at| words.all()[*at].case == Case::Inside);
    next.letter && words.gap(at) && before.is_some_and(|at| !Title::stands(words, at))
}

/// Whether a small word or a comma stands before a word, so that its capital says something.
pub(super) fn is_bare(words: &Words<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1).filter(|_| !words.all()[at].breaks) else { return false };
    words.all()[before].letter
        || words.surface(before) == ","
        || !titles::before(words, at).is_empty()
}

/// Whether somebody stands at a word: beside a verb of speech, behind *name was* or *a man named*.
pub(super) fn is_said(words: &Words<'_>, at: usize) -> bool {
    let small = |at: Option<usize>| at.filter(|at| words.all()[*at].case == Case::Low);
    let before = small(at.checked_sub(1)).filter(|_| !words.all()[at].breaks && words.gap(at));
    let (low, far) = (words.low(before), words.low(before.and_then(|at| at.checked_sub(1))));
    let named = matches!((far, low), ("name", "was" | "is"))
        || (matches!(low, "poor" | "young") && !matches!(far, "a" | "the"))
        || is_role(low)
        || (matches!(low, "named" | "called") && is_role(far));
    let [next, article, role] = [1, 2, 3].map(|by| words.low(Some(at + by)));
    let role = next == "," && matches!(article, "the" | "a" | "our" | "my") && is_role(role);
    let owned =
        ["the", "a", "an", "his", "her", "my", "your", "our", "their", "this", "that", "no"];
    named || SPEECH.contains(&low) || (!owned.contains(&low) && (role || SPEECH.contains(&next)))
}

/// Whether somebody is what a word in small letters says: *his friend*, *the grocer*.
fn is_role(low: &str) -> bool {
    is_listed("human", low) || is_listed("trade", low) || Title::of(low).has(Title::SURNAME)
}
