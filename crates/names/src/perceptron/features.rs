//! What the small tagger looks at: a capitalised word, its neighbours, and what the book says of it.
//!
//! A feature is a short string. Those of a word's form alone are the same at all its places, so they
//! are added up once; those of the place are a dozen.

use std::fmt::Write;

use super::signs::Signs;
use crate::{
    knowledge::Known,
    lists::is_honorific,
    words::{Case, Low, Words},
};

/// How often a form stands where, over the book.
#[derive(Clone, Copy, Debug, Default)]
struct Stands {
    low: u32,
    capital: u32,
    inside: u32,
    title: u32,
    speech: u32,
    place: u32,
    the: u32,
    article: u32,
    possessive: u32,
    verb: u32,
    before_capital: u32,
    behind_capital: u32,
}

/// A book seen by the tagger.
pub(super) struct Book<'w, 't> {
    words: &'w Words<'t>,
    stands: Vec<Stands>,
    known: Vec<Known>,
    signs: Vec<Signs>,
}

impl<'w, 't> Book<'w, 't> {
    pub(super) fn new(words: &'w Words<'t>) -> Self {
        let signs: Vec<Signs> = words.lows().iter().map(|low| Signs::of(low)).collect();
        let known = words.lows().iter().map(|low| Known::of(low)).collect();
        let mut book = Self { words, stands: vec![Stands::default(); words.forms()], known, signs };
        book.count();
        book
    }

    fn count(&mut self) {
        let all = self.words.all();
        for (at, word) in all.iter().enumerate().filter(|(_, word)| word.letter) {
            if word.case == Case::Low {
                self.stands[word.low as usize].low += 1;
                continue;
            }
            let sign = |at: Option<usize>| {
                at.and_then(|at| all.get(at))
                    .map(|word| self.signs[word.low as usize])
                    .unwrap_or_default()
            };
            let capital = |at: Option<usize>| {
                at.and_then(|at| all.get(at)).is_some_and(|word| word.case != Case::Low)
            };
            let before = self.before(at);
            let (previous, next) = (sign(before), sign(Some(at + 1)));
            let possessive = next.apostrophe && sign(Some(at + 2)).s;
            let stands = &mut self.stands[word.low as usize];
            if word.case != Case::Caps {
                stands.capital += 1;
                stands.inside += u32::from(word.case == Case::Inside);
            }
            stands.title += u32::from(previous.title);
            stands.speech += u32::from(previous.speech || next.speech);
            stands.place += u32::from(previous.place);
            stands.the += u32::from(previous.the);
            stands.article += u32::from(previous.article);
            stands.possessive += u32::from(possessive);
            stands.verb += u32::from(next.verb);
            stands.before_capital += u32::from(capital(Some(at + 1)));
            stands.behind_capital += u32::from(capital(before) && word.case == Case::Inside);
        }
    }

    /// The word before, where the point of an abbreviation is no word.
    fn before(&self, at: usize) -> Option<usize> {
        let before = at.checked_sub(1)?;
        let sign = |at: usize| self.signs[self.words.all()[at].low as usize];
        if sign(before).point && before > 0 && sign(before - 1).short && !self.words.gap(before) {
            return Some(before - 1);
        }
        Some(before)
    }

    /// Whether the label of the word before the last still counts: after a hyphen or apostrophe inside a name.
    pub(super) fn holds(&self, at: usize) -> bool {
        let sign = self.signs[self.words.all()[at].low as usize];
        let tight = !self.words.gap(at) && at + 1 < self.words.len() && !self.words.gap(at + 1);
        ((sign.hyphen || sign.apostrophe) && tight)
            || (sign.point && self.before(at + 1) != Some(at))
    }

    /// The features of a form, written like this; the same at all its places.
    pub(super) fn of_form(&self, low: Low, case: Case, mut emit: impl FnMut(&str)) {
        let word: &str = &self.words.lows()[low as usize];
        let stands = self.stands[low as usize];
        let known = self.known[low as usize];
        let first = u8::from(case == Case::First);
        let caps = u8::from(case == Case::Caps);
        let mut text = String::new();
        let mut tell = |args: std::fmt::Arguments<'_>| {
            text.clear();
            text.write_fmt(args).expect("a string takes all");
            emit(&text);
        };
        tell(format_args!("b"));
        tell(format_args!("w={word}"));
        let tail =
            |n: usize| word.char_indices().rev().nth(n - 1).map_or(word, |(at, _)| &word[at..]);
        tell(format_args!("s3={}", tail(3)));
        tell(format_args!("s2={}", tail(2)));
        tell(format_args!("first={first}"));
        tell(format_args!("caps={caps}"));
        tell(format_args!("len={}", word.chars().count().min(8)));
        tell(format_args!("hon={}", u8::from(is_honorific(word))));
        let mut lists = 0;
        for (list, name) in Known::ALL {
            if known.has(list) {
                tell(format_args!("k={name}"));
                tell(format_args!("k={name}{first}"));
                lists += 1;
            }
        }
        tell(format_args!("ks={lists}"));
        let capital = stands.capital;
        let ratio =
            bucket(stands.inside, 100, stands.inside + stands.low, &[5, 20, 40, 60, 80, 90, 97]);
        let lows = bucket(stands.low, 1_000, stands.low + capital, &[1, 20, 50, 100, 300, 600]);
        let many = step(capital, &[2, 3, 5, 10, 30, 100, 300]);
        let inside = step(stands.inside, &[1, 2, 5, 20, 100]);
        tell(format_args!("r{ratio}"));
        tell(format_args!("l{lows}"));
        tell(format_args!("c{many}"));
        tell(format_args!("m{inside}"));
        tell(format_args!("r{ratio}l{lows}"));
        tell(format_args!("r{ratio}f{first}"));
        tell(format_args!("l{lows}c{many}"));
        tell(format_args!("l{lows}m{inside}f{first}"));
        tell(format_args!("l{lows}ks{lists}f{first}"));
        let size = capital.max(1).ilog2().min(3);
        for (name, count) in [
            ("tit", stands.title),
            ("say", stands.speech),
            ("plc", stands.place),
            ("the", stands.the),
            ("art", stands.article),
            ("pos", stands.possessive),
            ("vrb", stands.verb),
            ("nxc", stands.before_capital),
            ("pvc", stands.behind_capital),
        ] {
            let share = bucket(count, 100, capital, &[1, 5, 10, 20, 35, 60, 90]);
            tell(format_args!("{name}{share}"));
            tell(format_args!("{name}{share}:{size}"));
        }
        let person = stands.title + stands.speech + stands.verb + stands.possessive;
        let person = bucket(person, 100, capital, &[3, 10, 20, 40]);
        let place = bucket(stands.place, 100, capital, &[3, 10, 20, 40]);
        tell(format_args!("tp{person}{place}"));
        tell(format_args!("tp{person}{place}l{lows}"));
    }

    /// The features of a place; `previous` is the label of the word before.
    pub(super) fn of_place(
        &self,
        at: usize,
        previous: u8,
        text: &mut String,
        mut emit: impl FnMut(&str),
    ) {
        let words = self.words;
        let word = words.all()[at];
        let mut tell = |args: std::fmt::Arguments<'_>| {
            text.clear();
            text.write_fmt(args).expect("a string takes all");
            emit(text);
        };
        let before = self.before(at).filter(|_| !word.breaks);
        let second =
            before.and_then(|before| self.before(before).filter(|_| !words.all()[before].breaks));
        let open = |at: usize| at < words.len() && !words.all()[at].breaks;
        let sign = |at: usize| self.signs[words.all()[at].low as usize];
        let owns = open(at + 1) && open(at + 2) && sign(at + 1).apostrophe && sign(at + 2).s;
        let after = if owns { at + 3 } else { at + 1 };
        let (p1, p2) = (self.written(before), self.written(second));
        let (n1, n2) = if owns {
            ("'s", self.written(Some(after).filter(|at| open(*at))))
        } else {
            let next = Some(after).filter(|at| open(*at));
            (self.written(next), self.written(next.map(|at| at + 1).filter(|at| open(*at))))
        };
        tell(format_args!("p1={p1}"));
        tell(format_args!("n1={n1}"));
        tell(format_args!("p2={p2}|{p1}"));
        tell(format_args!("n2={n1}|{n2}"));
        let left = self.look(before);
        let right = self.look(Some(at + 1).filter(|at| open(*at)));
        tell(format_args!("pl={previous}"));
        tell(format_args!("lw={previous}|{}", words.low(Some(at))));
        tell(format_args!("L{left}"));
        tell(format_args!("R{right}"));
        let own = self.look(Some(at));
        tell(format_args!("L{left}O{own}"));
        tell(format_args!("O{own}R{right}"));
        tell(format_args!("pl={previous}O{own}"));
        let title = before.is_some_and(|before| sign(before).title);
        tell(format_args!("t{}O{own}", u8::from(title)));
    }

    /// A word as a neighbour: quotes are all alike, and the paragraph has ends.
    fn written(&self, at: Option<usize>) -> &str {
        match self.words.low(at) {
            "" => "#",
            "“" | "”" => "\"",
            "‘" | "’" => "'",
            low => low,
        }
    }

    /// What a word looks like: capital or not, which list, how the book writes it.
    fn look(&self, at: Option<usize>) -> Look {
        let Some(word) = at.and_then(|at| self.words.all().get(at)) else {
            return Look('#', '-', 0);
        };
        let stands = self.stands[word.low as usize];
        let known = self.known[word.low as usize];
        let case = match word.case {
            _ if !word.letter => '.',
            Case::Low => return Look('a', '-', 0),
            Case::Caps => 'C',
            Case::First => 'F',
            Case::Inside => 'A',
        };
        let given = known.has(Known::FEMALE) || known.has(Known::MALE);
        let list = match () {
            () if known.has(Known::CALENDAR) || known.has(Known::PEOPLES) => 'n',
            () if known.has(Known::CAPITAL) => 'k',
            () if given && known.has(Known::PLACE) => 'b',
            () if given => 'g',
            () if known.has(Known::PLACE) => 'p',
            () if known.has(Known::PLACE_WORD) => 'w',
            () if known.has(Known::SURNAME) => 's',
            () => '-',
        };
        Look(case, list, bucket(stands.low, 100, stands.low + stands.inside, &[1, 10, 50, 90]))
    }
}

/// A word at a glance.
#[derive(Clone, Copy)]
struct Look(char, char, usize);

impl std::fmt::Display for Look {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}{}", self.0, self.1, self.2)
    }
}

/// Between which of these cuts, in parts of `per`, a share of a whole lies.
fn bucket(part: u32, per: u64, whole: u32, cuts: &[u64]) -> usize {
    let whole = u64::from(whole.max(1));
    cuts.iter().filter(|cut| u64::from(part) * per >= **cut * whole).count()
}

fn step(count: u32, cuts: &[u32]) -> usize {
    cuts.iter().filter(|cut| count >= **cut).count()
}
