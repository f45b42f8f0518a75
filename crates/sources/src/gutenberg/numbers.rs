//! Numbers as headings write them: Roman, Arabic, in words of several languages.

use std::{collections::HashMap, sync::LazyLock};

static WORDS: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
    let lines =
        include_str!("../../data/ordinals.txt").lines().filter(|line| !line.starts_with('#'));
    // A word of two numbers is the smaller one.
    let of = |(line, number): (&'static str, u32)| line.split(' ').map(move |word| (word, number));
    let mut words: Vec<_> = lines.zip(1..).flat_map(of).collect();
    words.reverse();
    words.into_iter().collect()
});

/// A number in any writing; of several with dots between them, as `2.xiv`, the last.
pub(super) fn number(word: &str) -> Option<u32> {
    let plain = |word: &str| roman(word).or_else(|| arabic(word)).or_else(|| ordinal(word));
    match word.rsplit_once('.') {
        Some((above, last)) => number(above).and_then(|_| plain(last)),
        None => plain(word),
    }
}

/// The number that words begin with, and how many of them it takes: `twenty one` takes two.
pub(super) fn counted(words: &[&str]) -> Option<(u32, usize)> {
    let first = number(words.first()?)?;
    let tens = first % 10 == 0 && first >= 20 && words[0].chars().all(char::is_alphabetic);
    let ones = words.get(1).filter(|_| tens && roman(words[0]).is_none());
    match ones.and_then(|word| ordinal(word)).filter(|ones| *ones < 10) {
        Some(ones) => Some((first + ones, 2)),
        None => Some((first, 1)),
    }
}

/// A number in Chinese: `二十一`, `廿三`, `一〇`.
pub(super) fn chinese(digits: &str) -> u32 {
    let (mut whole, mut digit) = (0_u32, 0_u32);
    for c in digits.chars() {
        match (c, "〇一二三四五六七八九".chars().position(|one| one == c)) {
            ('十', _) => (whole, digit) = (whole + digit.max(1) * 10, 0),
            ('百', _) => (whole, digit) = (whole + digit.max(1) * 100, 0),
            ('廿', _) => whole += 20,
            ('卅', _) => whole += 30,
            (_, value) => {
                let value = value.and_then(|value| u32::try_from(value).ok());
                let value = value.or_else(|| c.to_digit(10)).unwrap_or(0);
                digit = digit.saturating_mul(10).saturating_add(value);
            }
        }
    }
    whole + digit.min(9_999)
}

pub(super) fn arabic(word: &str) -> Option<u32> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
    (word.len() <= 6 && word.len() - digits.len() <= 2).then(|| digits.parse().ok()).flatten()
}

/// A Roman number of small letters.
pub(crate) fn roman(word: &str) -> Option<u32> {
    if word.is_empty() || word.len() > 9 {
        return None;
    }
    let value = |byte| {
        Some(match byte {
            b'i' | b'j' => 1,
            b'v' => 5,
            b'x' => 10,
            b'l' => 50,
            b'c' => 100,
            b'd' => 500,
            b'm' => 1000,
            _ => return None,
        })
    };
    let mut total = 0_u32;
    let mut last = 0_u32;
    for byte in word.bytes().rev() {
        let this = value(byte)?;
        if this < last {
            total = total.checked_sub(this)?;
        } else {
            total += this;
            last = this;
        }
    }
    (total > 0 && total < 400).then_some(total)
}

pub(super) fn ordinal(word: &str) -> Option<u32> {
    const TENS: &[(&str, u32)] = &[
        ("twent", 20),
        ("thirt", 30),
        ("fort", 40),
        ("fift", 50),
        ("sixt", 60),
        ("sevent", 70),
        ("eight", 80),
        ("ninet", 90),
        ("vingt", 20),
        ("zwanzig", 20),
        ("trent", 30),
    ];
    if let Some(number) = WORDS.get(word) {
        return Some(*number);
    }
    let (head, tail) = word.split_once('-').unwrap_or((word, ""));
    let (_, tens) = TENS.iter().find(|(name, _)| {
        head.strip_prefix(name)
            .is_some_and(|rest| matches!(rest, "y" | "ieth" | "" | "ième" | "e" | "stes"))
    })?;
    match tail {
        "" => Some(*tens),
        tail => ordinal(tail).filter(|ones| *ones < 10).map(|ones| tens + ones),
    }
}
