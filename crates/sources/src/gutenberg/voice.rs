//! Of what a section speaks: whether it tells a story, explains a book, or sells others.
//!
//! A title says little: a prelude may be story, and a story be called a note. What stands below speaks
//! for itself. In a story somebody speaks, and people who come again in other chapters do what `he` and
//! `she` do; a preface speaks of books, readers and the one who wrote it.

use std::{collections::BTreeSet, ops::Range};

use super::{
    blocks::Leaves,
    lists::{BOOKS, PEOPLE},
    matter::is_prose,
    vocabulary::of_word,
};

/// Of a section so many letters are heard.
const HEARD: u32 = 6_000;

/// From so many points on a section tells a story, down to so many it does not.
pub(super) const TELLS: i32 = 4;
pub(super) const EXPLAINS: i32 = -3;

/// The names in a stretch: words with a capital inside a sentence.
pub(super) fn names(leaves: &Leaves, blocks: Range<usize>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    each_line(leaves, blocks, |line| {
        let mut last = '.';
        for word in line.split_whitespace() {
            let bare = word.trim_matches(|c: char| !of_word(c));
            let bare = bare.strip_suffix("'s").or_else(|| bare.strip_suffix("’s")).unwrap_or(bare);
            let inside = last.is_lowercase() || last == ',';
            let mut letters = bare.chars();
            let upper = letters.next().is_some_and(char::is_uppercase);
            if inside && upper && letters.next().is_some_and(char::is_lowercase) && bare.len() > 2 {
                names.insert(bare.to_owned());
            }
            last = word.chars().next_back().unwrap_or(' ');
        }
    });
    names
}

/// Hands on the running text, as far as it is heard.
fn each_line(leaves: &Leaves, blocks: Range<usize>, mut take: impl FnMut(&str)) {
    let mut heard = 0;
    for at in blocks.filter(|at| is_prose(leaves, *at)) {
        take(&leaves.line(&leaves.blocks[at]));
        heard += leaves.blocks[at].letters;
        if heard >= HEARD {
            break;
        }
    }
}

/// How much a section tells rather than explains, with the names of the chapters beside it.
pub(super) fn tells(leaves: &Leaves, blocks: Range<usize>, others: Range<usize>) -> i32 {
    let (mut words, mut people, mut books, mut lines, mut spoken) = (0, 0, 0, 0, 0);
    each_line(leaves, blocks.clone(), |line| {
        lines += 1;
        let speaks = line.starts_with(['“', '"', '„', '«', '—', '‘', '»']);
        spoken += i32::from(speaks);
        for word in line.split_whitespace() {
            let word = word.trim_matches(|c: char| !of_word(c)).to_lowercase();
            words += 1;
            people += i32::from(PEOPLE.contains(&word.as_str()));
            // Whoever is heard may speak of a book too.
            books += i32::from(!speaks && BOOKS.contains(&word.as_str()));
        }
    });
    if words == 0 {
        return 0;
    }
    let own = names(leaves, blocks);
    let shared = own.intersection(&names(leaves, others)).take(3).count();
    let shared = i32::try_from(shared).unwrap_or(0);
    let in_hundred = |count: i32| (count * 100 + words / 2) / words;
    let told = in_hundred(people).min(4) + (spoken * 8 / lines).min(2) + shared - 1;
    told - (books * 200 / words).min(8)
}
