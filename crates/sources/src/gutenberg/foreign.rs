//! Lines that are of no story: they sell books, praise them, or say what was corrected in one.

use std::{collections::BTreeSet, sync::LazyLock};

use aho_corasick::AhoCorasick;

use super::lists::{CORRECTED, CORRECTS, List, MAY_SELL, SELLS};

/// Of a longer line one word that stories have too says nothing.
const LONG: usize = 150;

/// Whether a line is none of a story.
pub(super) fn sells(line: &str) -> bool {
    let small = line.to_lowercase();
    let words = Words::of(&small);
    words.any(&SELLS)
        || words.count(&MAY_SELL) > usize::from(line.len() > LONG)
        || words.any(&CORRECTS) && words.any(&CORRECTED)
        || looks_sold(line, &small)
}

/// Whether a line sells or praises a book beyond doubt.
pub(super) fn is_sold(line: &str) -> bool {
    let small = line.to_lowercase();
    looks_sold(line, &small) || Words::of(&small).any(&SELLS)
}

/// Whether a line sells a book by its form, whatever its words.
fn looks_sold(line: &str, small: &str) -> bool {
    let priced = small.contains(|c: char| c.is_ascii_digit()) && is_priced(small);
    priced || praises(line) || is_listed(line)
}

/// Which entries of these lists a line has: they are looked for all at once, since every line of a book is read so.
struct Words(BTreeSet<&'static str>);

impl Words {
    fn of(small: &str) -> Self {
        static ALL: LazyLock<(Vec<&'static str>, AhoCorasick)> = LazyLock::new(|| {
            let lists: [&List; 4] = [&SELLS, &MAY_SELL, &CORRECTS, &CORRECTED];
            let all: Vec<&str> = lists.iter().flat_map(|list| list.iter().copied()).collect();
            let machine = AhoCorasick::new(&all).expect("a few short words");
            (all, machine)
        });
        let (all, machine) = &*ALL;
        Self(machine.find_overlapping_iter(small).map(|found| all[found.pattern()]).collect())
    }

    fn count(&self, list: &List) -> usize {
        self.0.iter().filter(|word| list.contains(word)).count()
    }

    fn any(&self, list: &List) -> bool {
        self.count(list) > 0
    }
}

/// Signs of money that stand before a number or behind it.
const MONEY: &[&str] = &[
    "fr", "frs", "francs", "m", "mk", "mark", "pf", "l", "lire", "kr", "réis", "pts", "ptas",
    "pesetas", "fl", "cts", "cents", "net", "s", "d",
];

/// `3s. 6d.`, `$1.50`, `2/6`, `M. 3.—`, `3 fr. 50`.
fn is_priced(line: &str) -> bool {
    let words: Vec<&str> = line
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| "()[],;.:—–-".contains(c)))
        .filter(|word| !word.is_empty())
        .collect();
    let number = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit())
            && word.chars().all(|c| c.is_ascii_digit() || ",.½¼¾—-".contains(c))
    };
    let coins = |word: &str| {
        word.starts_with(['$', '£']) && word.len() > 1
            || word.strip_suffix(['s', 'd']).is_some_and(|rest| number(rest) && rest.len() < 4)
            || word
                .split_once('/')
                .is_some_and(|(one, other)| number(one) && (number(other) || other == "-"))
    };
    words.iter().any(|word| coins(word))
        || words.windows(2).any(|two| {
            number(two[0]) && MONEY.contains(&two[1]) || MONEY.contains(&two[0]) && number(two[1])
        })
}

/// `“A charming tale.”—Daily Courier.`, `Courier.—“Well written.”`
fn praises(line: &str) -> bool {
    let paper = |name: &str| {
        let name = name.trim_matches(|c: char| !c.is_alphanumeric());
        let words = name.split_whitespace().count();
        (1..=6).contains(&words) && name.starts_with(char::is_uppercase)
    };
    let (quotes, closes) = (['“', '"', '«', '„'], ['”', '"', '»', '“']);
    let behind = line.rsplit_once(closes).map(|(_, rest)| rest.trim_start());
    let before = line.split_once(quotes).map(|(rest, _)| rest.trim_end());
    line.starts_with(quotes)
        && behind.is_some_and(|rest| rest.starts_with(['—', '–', '-', '(']) && paper(rest))
        || line.trim_end_matches('.').ends_with(closes)
            && before.is_some_and(|rest| rest.ends_with(['—', '–']) && paper(rest))
}

/// `4. LOST AND WON. By Mrs. Deane.`
fn is_listed(line: &str) -> bool {
    let by = line.split_once(" By ").or_else(|| line.split_once(" BY "));
    by.or_else(|| Some(("", line.strip_prefix("BY ")?))).is_some_and(|(title, name)| {
        !title.chars().any(char::is_lowercase)
            && name.starts_with(char::is_uppercase)
            && name.split_whitespace().count() <= 6
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_sell_and_lines_that_tell() {
        for line in [
            "THE HILL FARM. 3s. 6d.",
            "La Ferme, roman. 1 vol. 3 fr. 50",
            "Der Hügel. Roman. M. 3.—",
            "“Miss Thirlby writes well.”—Daily Courier.",
            "Courier.—“Well written.”",
            "4. LOST AND WON. By Mrs. Deane.",
            "p. 40: a comma was added.",
            "If you like this book, ask your bookseller for others.",
        ] {
            assert!(sells(line), "{line}");
        }
        for line in [
            "“I never asked you to come,” said Anna, “and you need not stay.”",
            "He was 3 years old, and she was 12.",
            "She looked at him.",
            "“Who is there?”",
            "They met by the river. By noon it rained.",
        ] {
            assert!(!sells(line), "{line}");
        }
    }
}
