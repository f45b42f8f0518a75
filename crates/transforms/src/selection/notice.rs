//! Licences, imprints and other notices: text that stands in many files and is no part of a work.
//!
//! A cleaner takes away those of libraries that it knows. What is left, or came with a text of one's
//! own, must not make two books alike, nor a licence alone a book.

use super::lists::{KINDS, Lines, lines};
use std::collections::BTreeSet;

use storymill_core::{Book, Paragraph, ParagraphKind};
use storymill_text::word_count;

/// The paragraphs of a book's own text and those of its notices, headings and breaks left out.
pub(super) fn parted(book: &Book) -> (Vec<&Paragraph>, Vec<&Paragraph>) {
    let text = |one: &Paragraph| &book.text[one.text.start as usize..one.text.end as usize];
    let body: Vec<&Paragraph> = book
        .paragraphs
        .iter()
        .filter(|one| !matches!(one.kind, ParagraphKind::Heading | ParagraphKind::Break))
        .collect();
    let mut notices: Vec<bool> = body.iter().map(|one| is_notice(text(one))).collect();
    let found: Vec<usize> = (0..body.len()).filter(|at| notices[*at]).collect();
    for pair in found.windows(2) {
        // What stands between two notices, close to both, belongs to them; a text of some length is
        // what they are about.
        let between = &body[pair[0] + 1..pair[1]];
        let words: u32 = between.iter().map(|one| word_count(text(one))).sum();
        if between.len() < CLOSE && words <= AMONG {
            notices[pair[0]..pair[1]].fill(true);
        }
    }
    let (mut own, mut others) = (Vec::with_capacity(body.len()), Vec::new());
    for (one, notice) in body.into_iter().zip(notices) {
        if notice { others.push(one) } else { own.push(one) }
    }
    (own, others)
}

/// So many paragraphs apart, two notices are one.
const CLOSE: usize = 4;

/// So many words may stand between them.
const AMONG: u32 = 100;

/// Whether a paragraph speaks of rights and terms and of little else.
fn is_notice(text: &str) -> bool {
    let (mut words, mut hits) = (0_usize, 0_usize);
    let mut kinds = BTreeSet::new();
    let mut lower = String::new();
    for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
        words += 1;
        lower.clear();
        lower.extend(word.chars().flat_map(char::to_lowercase));
        if let Some(stem) = LEGAL.iter().find(|stem| lower.starts_with(**stem)) {
            hits += 1;
            kinds.insert(*stem);
        }
    }
    let wanted = if words <= SHORT { 2 } else { 3 };
    kinds.len() >= wanted && hits * ONE_IN >= words
}

/// A notice of one line has no room for many such words.
const SHORT: usize = 15;

/// One word in so many, at least, is of this sort.
const ONE_IN: usize = 20;

/// How words begin that licences are made of, and novels hardly ever have side by side.
static LEGAL: Lines = Lines::new(|| lines(KINDS, "legal"));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::book;

    const LICENCE: &str = "This text is licensed under a Creative Commons Attribution licence. You may copy and \
                           redistribute it under the terms below.";

    #[test]
    fn notices_are_told_from_stories() {
        for notice in [
            LICENCE,
            "All rights reserved.",
            "Copyright 1921. All rights reserved, including that of translation.",
            "Alle Rechte vorbehalten. Das Urheberrecht liegt beim Verlag.",
            "You may use this eBook for nearly any purpose such as creation of derivative works, reports, performances \
             and research. Redistribution is subject to the trademark license.",
            "THE WORK IS PROVIDED WITH NO OTHER WARRANTIES OF ANY KIND; SOME STATES LIMIT THE EXCLUSION OF DAMAGES, \
             AND THE AGREEMENT SHALL BE READ SO.",
        ] {
            assert!(is_notice(notice), "{notice}");
        }
        for story in [
            "“You had no right,” he said, “and the terms of the agreement were never mine.” She gave him the paper, \
             and they stood at the window without a word until the lamps were lit in the street below.",
            "The licence hung above the bar.",
            "He asked for permission to leave.",
            "",
        ] {
            assert!(!is_notice(story), "{story}");
        }
    }

    #[test]
    fn what_stands_between_notices_belongs_to_them() {
        let story = "It was late, and nobody spoke in the house by the river.";
        let text = format!("{story}\n\n{LICENCE}\n\nYou may charge a fee.\n\n{LICENCE}\n\n{story}");
        let parts = |text: &str| {
            let book = book(text);
            let (own, notices) = parted(&book);
            (own.len(), notices.len())
        };
        assert_eq!(parts(&text), (2, 3));
        // A whole text, in one paragraph, between a line of rights and one of a licence.
        let text = format!("{LICENCE}\n\n{}\n\n{LICENCE}", story.repeat(400));
        assert_eq!(parts(&text), (1, 2));
    }
}
