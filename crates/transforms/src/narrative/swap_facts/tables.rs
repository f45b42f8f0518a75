//! What may be swapped for what: `data/swaps.txt`.

use crate::narrative::lexicon::{Lines, Pairs, lines, pairs, words};

const FILE: &str = include_str!("../../../data/swaps.txt");

/// Words and phrases, each with what is told instead. Each pair goes both ways. The first that fits wins.
pub(crate) static REVERSALS: Pairs = Pairs::new(|| pairs(FILE, "reversals"));
/// Words in front of which, or behind which, a reversal would break an idiom: `before | after`, each a list separated
/// by blanks.
pub(crate) static UNLESS: Pairs = Pairs::new(|| pairs(FILE, "unless"));
/// Reversals that hold only in front of certain words; `NAME` stands for any name.
pub(crate) static ONLY_BEFORE: Pairs = Pairs::new(|| pairs(FILE, "only-before"));
/// Nouns that stand behind an article, a possessive or a number: a class a line.
pub(crate) static NOUNS: Lines = Lines::new(|| lines(FILE, "nouns"));
/// Words that stand anywhere: a class a line.
pub(crate) static WORDS: Lines = Lines::new(|| lines(FILE, "words"));
/// Words behind which a noun of a class is the thing itself and no figure of speech.
pub(crate) static BEFORE_NOUN: Lines = Lines::new(|| words(FILE, "before-noun").collect());
/// Words that a swapped-in word must not stand in front of or behind: fixed phrases.
pub(crate) static FIXED: Lines = Lines::new(|| lines(FILE, "fixed"));
/// Nouns that need no article.
pub(crate) static MASS: Lines = Lines::new(|| words(FILE, "mass").collect());
/// Units that are swapped only behind a number.
pub(crate) static MEASURES: Lines = Lines::new(|| words(FILE, "measures").collect());
/// Words too near to each other for a swap to be false.
pub(crate) static SAME: Lines = Lines::new(|| lines(FILE, "same"));
/// Colours that are swapped for others but that nothing is swapped for: few things have them.
pub(crate) static RARE: Lines = Lines::new(|| words(FILE, "rare").collect());
/// What has the colours of nature, and which those are.
pub(crate) static NATURAL: Pairs = Pairs::new(|| pairs(FILE, "natural"));
