//! First letters that are printed as pictures are put back before their words.
//!
//! A letter that a picture is said to show goes before the text that follows, unless the text has it
//! already. Where nothing says the letter, the book's own words decide: `nce` stands nowhere else in
//! the book and `once` does. Where two letters fit (`HE`), the name of the picture's file must settle
//! it, or the words that follow. What stays open is reported, never guessed.

use std::{collections::HashMap, ops::Range};

use super::{
    blocks::{Initial, Leaves, Piece, is_blank},
    openings::{Case, cases},
    pictures::{Picture, lone_letter},
    vocabulary::{Vocabulary, folded, of_word},
};

/// Letters that are words of their own in some language.
const WORDS: &str = "AIOÀYEÓÔUÉÈ";

/// Words without their first letter, where that may be a word, that are looked for in the book.
const MOST_OPEN: usize = 12;

/// Puts the letters back; gives the places of pictures whose letter could not be told.
pub(crate) fn restore(leaves: &mut Leaves, body: &Range<usize>) -> Vec<Range<u32>> {
    let cases = cases(leaves, body);
    let (mut initials, mut unknown) = (Vec::new(), Vec::new());
    // Most pictures stand before whole words, and say no letter.
    if cases.iter().any(|case| case.picture.says.is_some() || case.goes_on()) {
        let judge = Judge::new(leaves, &cases);
        for case in &cases {
            let page = case.picture.page.clone();
            match judge.letter(case) {
                Some(text) if text.is_empty() => unknown.push(page),
                Some(text) => initials.push(Initial { at: case.from, page, text }),
                None => {}
            }
        }
    }
    leaves.initials = initials;
    leaves.torn = torn(leaves, body);
    unknown
}

/// The ends of first letters in a tag of their own that a blank parts from their words: `<big>T</big> he night`.
/// A letter that may be a word is one where the book's words do not say otherwise.
fn torn(leaves: &Leaves, body: &Range<usize>) -> Vec<u32> {
    let mut found = Vec::new();
    let open = |letter: &str| WORDS.contains(letter);
    let mut headed = true;
    for block in leaves.blocks[body.clone()].iter().filter(|block| block.fate.is_none()) {
        let below = std::mem::replace(&mut headed, block.letters < 60);
        let pieces = &leaves.pieces[block.pieces.start as usize..block.pieces.end as usize];
        let text =
            |piece: &Piece| &leaves.scroll[piece.text.start as usize..piece.text.end as usize];
        let mut shown = pieces.iter().filter(|piece| !text(piece).trim().is_empty());
        let letter =
            |piece: &&Piece| piece.text.len() < 12 && !text(piece).contains(char::is_lowercase);
        let Some(first) = shown.next().filter(letter) else { continue };
        let Some((letter, next)) = lone_letter(text(first).trim()).zip(shown.next()) else {
            continue;
        };
        let rest = &leaves.scroll[first.text.end as usize..next.text.end as usize];
        let word: String = rest.trim_start().chars().take_while(|c| of_word(*c)).collect();
        let upper = |word: &str| word.chars().all(char::is_uppercase);
        if rest.starts_with(is_blank)
            && (below || !open(bare(&letter)))
            && (word.starts_with(char::is_lowercase) || upper(&word))
        {
            found.push((first.text.end, bare(&letter).to_owned(), word));
        }
    }
    let times = |word: &str| {
        let ends = |(at, found): &(usize, &str)| {
            !leaves.scroll[at + found.len()..].starts_with(char::is_alphabetic)
        };
        leaves.scroll.match_indices(word).filter(ends).count()
    };
    let mut known: HashMap<(String, String), bool> = HashMap::new();
    found.retain(|(_, letter, word)| {
        if !open(letter) || word.is_empty() || known.len() >= MOST_OPEN {
            return !open(letter) && !word.is_empty();
        }
        *known.entry((letter.clone(), word.clone())).or_insert_with(|| {
            let word = word.to_lowercase();
            let joined = match times(&format!(" {}{word}", letter.to_lowercase())) {
                0 => times(&format!("{letter}{word}")),
                joined => joined,
            };
            joined > 0 && joined > times(&format!(" {word}")) * 2
        })
    });
    found.into_iter().map(|(end, ..)| end).collect()
}

/// A letter without the quotation marks before it.
fn bare(says: &str) -> &str {
    says.trim_start_matches(|c: char| !c.is_alphabetic())
}

/// Decides by the words of the book.
struct Judge {
    words: Vocabulary,
    /// Families of pictures: those before a torn word, those before a whole one.
    families: HashMap<u64, (u32, u32)>,
}

impl Judge {
    fn new(leaves: &Leaves, cases: &[Case]) -> Self {
        let leave_out: Vec<u32> = cases.iter().map(|case| case.from).collect();
        let (mut asked, mut torn) = (Vec::new(), Vec::new());
        for case in cases.iter().filter(|case| !case.word.is_empty()) {
            asked.extend([folded(&case.word), case.next.clone()]);
            torn.push(folded(&case.word));
            if let Some(bare) = case.picture.says.as_deref().map(bare) {
                asked.extend([folded(bare), case.with(bare)]);
            }
        }
        let words = Vocabulary::of(leaves, &leave_out, asked, torn);
        let mut judge = Self { words, families: HashMap::new() };
        for case in cases.iter().filter(|case| case.picture.says.is_none()) {
            let torn =
                case.goes_on() && !judge.knows(&case.word) && !judge.fitting(case).is_empty();
            let family = judge.families.entry(case.picture.family).or_default();
            family.0 += u32::from(torn);
            family.1 += u32::from(!case.goes_on());
        }
        judge
    }

    fn knows(&self, word: &str) -> bool {
        self.words.count(&folded(word)) > 0
    }

    /// The letters that make a word of the book.
    fn fitting(&self, case: &Case) -> Vec<char> {
        self.words.before(&folded(&case.word))
    }

    /// The letter before a word, with a blank behind it where it is a word of its own; nothing where
    /// the word is whole, a blank text where a letter is lost.
    fn letter(&self, case: &Case) -> Option<String> {
        match &case.picture.says {
            Some(says) => self.said(case, says),
            None => self.unsaid(case),
        }
    }

    /// What becomes of a letter that a picture is said to show.
    fn said(&self, case: &Case, says: &str) -> Option<String> {
        let Picture { inside, named, .. } = case.picture;
        if !inside && !case.opens {
            return None;
        }
        let bare = bare(says);
        let mut word = case.word.chars();
        let Some(first) = word.next() else { return (inside || named).then(|| says.to_owned()) };
        let alone = || Some(format!("{says} "));
        let joined = self.words.count(&case.with(bare));
        let whole = self.words.count(&folded(&case.word));
        let title = first.is_uppercase() && word.next().is_some_and(char::is_lowercase);
        if folded(bare) == folded(&first.to_string()) {
            // `T` and `The`: the text has the letter too.
            let has_it = match (joined, whole) {
                (0, 0) => !case.is_lower(),
                (0, _) => true,
                (_, 0) => false,
                _ => title || !case.is_lower() && case.word.chars().count() > 1,
            };
            return (!has_it).then(|| says.to_owned());
        }
        if title {
            let may = WORDS.contains(bare) && case.opens && case.blank.unwrap_or(named);
            return if may { alone() } else { None };
        }
        let is_word = WORDS.contains(bare);
        let pair = self.words.follows(&folded(bare), &folded(&case.word));
        // A plan may be called `B`: where it stands apart, the book must know the word, or lack it.
        let lacks = whole == 0 && case.goes_on() || is_word && pair > 0;
        if !(inside || named || joined > 0 || case.headed && lacks) {
            return None;
        }
        if !is_word {
            return Some(says.to_owned());
        }
        let parted = match (joined, whole, case.blank) {
            (0, 0, blank) => blank.unwrap_or(false),
            (0, _, _) => true,
            (_, 0, _) => false,
            (_, _, Some(blank)) => blank,
            (_, _, None) => pair > joined,
        };
        if parted { alone() } else { Some(says.to_owned()) }
    }

    /// The letter of a picture of which nothing says what it shows.
    fn unsaid(&self, case: &Case) -> Option<String> {
        if case.word.is_empty() || !case.goes_on() {
            return None;
        }
        let (torn, whole) = self.families.get(&case.picture.family).copied().unwrap_or_default();
        let serial = torn >= 2 && torn > whole * 2;
        let initial = (serial || case.picture.initial && torn >= whole)
            && (case.opens || case.picture.inside);
        let known = self.knows(&case.word);
        let fitting = self.fitting(case);
        let hinted = || case.picture.hint.is_some_and(|hint| fitting.contains(&hint));
        let is_torn = !known || (case.is_lower() || case.headed && hinted()) && case.opens;
        if !(initial || is_torn && case.opens) {
            return None;
        }
        let found = |letter: char| Some(letter.to_uppercase().collect::<String>());
        // A file `t.png` before a whole word may show anything.
        if let Some(hint) = case.picture.hint.filter(|hint| fitting.contains(hint))
            && (initial || is_torn)
        {
            return found(hint);
        }
        let lonely = initial || case.picture.inside || case.is_lower();
        if let (&[letter], false, true) = (&fitting[..], known, lonely) {
            return found(letter);
        }
        if lonely && let Some(next) = self.by_next(case, &fitting, known && !serial) {
            return match next {
                Missing::Letter(letter) => found(letter),
                Missing::Nothing => None,
            };
        }
        (initial && (is_torn || serial || !fitting.is_empty())).then(String::new)
    }

    /// The one letter with which the next word follows, or that none is missing; nothing where
    /// neither is sure.
    fn by_next(&self, case: &Case, fitting: &[char], may_be_whole: bool) -> Option<Missing> {
        let follows = |word: &str| self.words.follows(word, &case.next);
        let mut found: Vec<(u32, Missing)> = fitting
            .iter()
            .map(|letter| (follows(&case.with(&letter.to_string())), Missing::Letter(*letter)))
            .collect();
        if may_be_whole {
            found.push((follows(&folded(&case.word)), Missing::Nothing));
        }
        found.sort_unstable();
        let (best, letter) = found.pop()?;
        let second = found.pop().map_or(0, |(count, _)| count);
        (best >= 2 && second * 8 <= best).then_some(letter)
    }
}

/// What a word lacks at its beginning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Missing {
    Nothing,
    Letter(char),
}
