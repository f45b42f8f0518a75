//! Pictures of letters: what their alternative text, their class and the name of their file say.
//!
//! Many books print the first letter of a chapter as a picture. Its letter may stand in the picture's
//! `alt`, in words around it (`Drop cap T`), in a hidden element beside it, in the name of the file, or
//! nowhere. Here it is only read; [`initials`](super::initials) decides.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    ops::Range,
};

use super::{
    blocks::{is_blank, small},
    builder::Builder,
    events::Attributes,
    lists::DESCRIBES,
    marks::Marks,
    tags::Tag,
};

/// Pictures that are looked at; illustrated books have some hundreds.
const MOST: usize = 10_000;

/// A picture: where it stands and what is said of it.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    /// The block that it stands in or before.
    pub(crate) block: u32,
    /// Where its letter would stand in the scroll.
    pub(crate) at: u32,
    /// Where the scroll goes on behind it.
    pub(crate) behind: u32,
    pub(crate) page: Range<u32>,
    /// Whether it stands inside its block.
    pub(crate) inside: bool,
    /// The letter that it is said to show, with the quotation marks before it.
    pub(crate) says: Option<String>,
    /// The letter that its file is named after, in small.
    pub(crate) hint: Option<char>,
    /// Whether something says that it is an initial.
    pub(crate) initial: bool,
    /// Whether more than a lone letter in its `alt` does: a class, words, the name of its file.
    pub(crate) named: bool,
    /// What pictures of one use have in common.
    pub(crate) family: u64,
}

/// What `alt` or `title` says: a letter, and whether words tell that the picture is an initial.
pub(super) fn described(text: &str) -> (Option<String>, bool) {
    let text = text.trim().trim_start_matches(['[', '{']).trim_end_matches([']', '}']);
    let text =
        text.strip_prefix("Illustration").map_or(text, |rest| rest.trim_start_matches([':', ' ']));
    if let Some(letter) = lone_letter(text) {
        return (Some(letter), false);
    }
    let words: Vec<&str> = text
        .split(|c: char| is_blank(c) || ",;:.()-_=".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    let describes = |word: &&str| DESCRIBES.contains(&word.to_ascii_lowercase().as_str());
    if !words.iter().any(describes) {
        return (None, false);
    }
    // In a long description the letter stands right behind its word.
    let near = |at: usize| text.len() <= 80 || at > 0 && describes(&words[at - 1]);
    // `A decorated capital`: the first word is no letter then.
    let lone = |(at, word): (usize, &&str)| {
        let letter = lone_letter(word.trim_matches(|c: char| "\"'“”‘’".contains(c)))?;
        (near(at) && (at > 0 || letter != "A")).then_some(letter)
    };
    (words.iter().enumerate().rev().find_map(lone), true)
}

/// One letter, perhaps with quotation marks before it.
pub(super) fn lone_letter(text: &str) -> Option<String> {
    let text = text.trim_matches(|c: char| is_blank(c) || c == '.');
    let letter = text.trim_start_matches(|c: char| "\"'“‘«„—(".contains(c));
    let mut signs = letter.chars();
    let first = signs.next().filter(|c| c.is_alphabetic())?;
    let quotes = text.len() - letter.len();
    (signs.next().is_none() && text[..quotes].chars().count() <= 2).then(|| {
        let mut whole = text[..quotes].to_owned();
        whole.extend(first.to_uppercase());
        whole
    })
}

/// The words of a file's name: `images/drop_t2.png` to `drop`, `t`, `2`.
fn name_words(source: &str) -> Vec<String> {
    let name = source.rsplit('/').next().unwrap_or("");
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let stem = &stem[..stem.floor_char_boundary(80)];
    let kind = |c: char| (c.is_alphabetic(), c.is_ascii_digit());
    let mut words: Vec<String> = Vec::new();
    let mut last = (false, false);
    for c in stem.chars() {
        let this = kind(c);
        if this.0 || this.1 {
            match words.last_mut() {
                Some(word) if this == last => word.extend(c.to_lowercase()),
                _ => words.push(c.to_lowercase().collect()),
            }
        }
        last = this;
    }
    words
}

/// The letter that a file is named after, and whether its name says that it is an initial.
fn named(source: &str) -> (Option<char>, bool) {
    let words = name_words(source);
    let described = words.iter().any(|word| DESCRIBES.contains(&word.as_str()));
    let letter = |word: &String| {
        let mut signs = word.chars();
        signs.next().filter(|c| c.is_alphabetic() && signs.next().is_none())
    };
    // `i_007` is the number of a picture: the letter stands last, or before one more digit.
    let digit = |word: &&String| word.len() == 1 && word.as_bytes()[0].is_ascii_digit();
    let hint = words.iter().rev().find(|word| !digit(word)).and_then(letter);
    let alone = words.iter().filter(|word| !digit(word)).count() == 1;
    (hint, described || alone && hint.is_some())
}

impl Builder {
    /// A picture shows no text; but one that stands for the first letter of a chapter may say which.
    pub(super) fn image(&mut self, attributes: &Attributes, span: Range<usize>) {
        let marks = self.marks();
        if marks.any(Marks::HIDDEN) {
            return;
        }
        let own = Marks::of_class(&attributes.class, Tag::Img);
        let (mut says, mut initial) = described(&attributes.alt);
        if says.is_none() {
            let (title, also) = described(&attributes.title);
            (says, initial) = (title, initial || also);
        }
        let (hint, by_name) = named(&attributes.source);
        let mut family = DefaultHasher::new();
        (&attributes.class, marks.bits()).hash(&mut family);
        for word in name_words(&attributes.source).iter().filter(|word| word.len() > 2) {
            word.hash(&mut family);
        }
        self.picture(span, says, Some(family.finish()));
        if let Some(picture) = self.leaves.pictures.last_mut() {
            picture.hint = hint;
            picture.named = initial || by_name || (marks | own).any(Marks::INITIAL);
            picture.initial |= picture.named;
        }
    }

    /// A letter that is there and not shown stands for the picture beside it.
    pub(super) fn hidden(&mut self, text: &str, span: Range<usize>) {
        let Some(letter) = lone_letter(text).filter(|_| text.trim().len() < 8) else { return };
        let here = (small(self.leaves.blocks.len()), self.here());
        match self.leaves.pictures.last_mut() {
            Some(last) if (last.block, last.at) == here => {
                last.says.get_or_insert(letter);
                (last.initial, last.named) = (true, true);
            }
            _ => self.picture(span, Some(letter), None),
        }
    }

    /// Where a letter would stand that comes now: blanks that nothing shows before it do not stay.
    fn here(&self) -> u32 {
        small(if self.all == 0 { self.start } else { self.leaves.scroll.len() })
    }

    fn picture(&mut self, span: Range<usize>, says: Option<String>, family: Option<u64>) {
        if self.leaves.pictures.len() >= MOST {
            return;
        }
        self.leaves.pictures.push(Picture {
            block: small(self.leaves.blocks.len()),
            at: self.here(),
            behind: small(self.leaves.scroll.len()),
            page: small(span.start)..small(span.end),
            inside: false,
            initial: says.is_some(),
            // What has no family is a hidden letter.
            named: family.is_none(),
            says,
            hint: None,
            family: family.unwrap_or_default(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_read_from_alternative_texts() {
        let said = |text: &str| described(text).0.unwrap_or_default();
        for text in [
            "T",
            "t",
            "T.",
            "[Illustration: T]",
            "Drop cap T",
            "drop-cap: T",
            "Decorative letter T",
            "Illuminated capital 'T'",
            "T (initial)",
            "A decorated initial T",
            "Initial “T”",
            "Letter T",
        ] {
            assert_eq!(said(text), "T", "{text}");
        }
        assert_eq!(said("“I"), "“I");
        assert_eq!(said("Initial A"), "A");
        for text in
            ["", "A mill", "A decorated capital", "The letter", "Plan A", "TH", "Mr. T at home"]
        {
            assert_eq!(said(text), "", "{text}");
        }
        assert!(described("A decorated capital").1 && !described("A mill").1);
    }

    #[test]
    fn letters_are_read_from_names_of_files() {
        let hint = |name: &str| named(name).0.map(String::from).unwrap_or_default();
        for name in [
            "images/t.jpg",
            "T.png",
            "drop_t.png",
            "initial-t2.png",
            "i_t.jpg",
            "ch01_t.gif",
            "t1.png",
        ] {
            assert_eq!(hint(name), "t", "{name}");
        }
        for name in ["i_007.jpg", "p123.png", "cover.jpg", "", "images/7.png", "img_12345.png"] {
            assert_eq!(hint(name), "", "{name}");
        }
    }
}
