//! One sentence of a retelling, taken apart, and the grammar of changing a word in it.

use std::ops::Range;

use storymill_text::{
    article::takes_an,
    word::{Word, words},
};

use super::{
    slots::{Change, Slot, SlotKind, Telling},
    tables::FIXED,
};
use crate::narrative::names::{Called, Mention, Names};

/// One sentence of a retelling. All places are bytes of the whole retelling.
#[derive(Debug)]
pub(super) struct Line<'t> {
    pub(super) text: &'t str,
    pub(super) range: Range<usize>,
    pub(super) words: Vec<Word<'t>>,
    pub(super) mentions: Vec<Mention>,
    /// What the names of the mentions share with others, mention by mention.
    pub(super) called: Vec<Called<'t>>,
}

impl<'t> Line<'t> {
    pub(super) fn new(text: &'t str, range: Range<usize>, names: &'t Names) -> Self {
        let from = range.start;
        let mut words: Vec<Word<'t>> = words(&text[range.clone()]).collect();
        for word in &mut words {
            word.start += from;
            word.end += from;
        }
        let mentions = names.mentions_in(text, &words);
        let called = mentions.iter().map(|mention| names.called(&mention.name)).collect();
        Self { text, range, words, mentions, called }
    }

    /// Keeps a slot, if there is anything to tell that the book says too. `said` is how often it says
    /// what is swapped; none where nothing is told that was not told before, only of others.
    pub(super) fn keep(
        &self,
        kind: SlotKind,
        (key, said): (&str, Option<u32>),
        mut tellings: Vec<Telling>,
        slots: &mut Vec<Slot>,
    ) {
        tellings.retain(|telling| telling.said > 0);
        if !tellings.is_empty() {
            let (sentence, key) = (self.range.clone(), key.to_lowercase());
            slots.push(Slot { kind, sentence, key, said, tellings });
        }
    }

    /// The replacement of a run of words, with the capital and the article that it needs.
    pub(super) fn replace(&self, first: usize, last: usize, other: &str) -> Change {
        let (start, end) = (self.words[first].start, self.words[last].end);
        let other = like(self.words[first].text, other);
        let article = first.checked_sub(1).map(|at| &self.words[at]).filter(|word| {
            matches!(word.text, "a" | "an" | "A" | "An") && &self.text[word.end..start] == " "
        });
        match article {
            Some(article) => {
                let an = takes_an(&other).unwrap_or(article.text.len() == 2);
                let sound = like(article.text, if an { "an" } else { "a" });
                (article.start..end, format!("{sound} {other}"))
            }
            None => (start..end, other),
        }
    }

    /// The word in front of another, in small letters.
    pub(super) fn before(&self, at: usize) -> String {
        at.checked_sub(1).map_or_else(String::new, |at| self.words[at].text.to_lowercase())
    }

    /// The word behind another, in small letters.
    pub(super) fn after(&self, at: usize) -> String {
        self.words.get(at + 1).map_or_else(String::new, |word| word.text.to_lowercase())
    }

    /// Whether only a blank stands between a word and the next.
    pub(super) fn is_joined(&self, at: usize) -> bool {
        let next = self.words.get(at + 1);
        next.is_some_and(|next| &self.text[self.words[at].end..next.start] == " ")
    }

    /// Whether a word is part of a name.
    pub(super) fn is_named(&self, at: usize) -> bool {
        let start = self.words[at].start;
        self.mentions.iter().any(|mention| mention.start <= start && start < mention.end)
    }

    /// Whether a name may not be told in it, as somebody of that name is in it.
    pub(super) fn is_taken(&self, name: &Called<'_>) -> bool {
        self.called.iter().any(|called| called.may_be(name))
    }

    /// Whether a hyphen or an apostrophe ties a word to another.
    pub(super) fn is_tied(&self, first: usize, last: usize) -> bool {
        self.text[self.words[last].end..].starts_with(['-', '’', '\''])
            || self.text[..self.words[first].start].ends_with('-')
    }

    /// Whether a word stands in a fixed phrase.
    pub(super) fn is_fixed(&self, at: usize) -> bool {
        let (before, word, after) =
            (self.before(at), self.words[at].text.to_lowercase(), self.after(at));
        FIXED.iter().any(|phrase| {
            let (one, two) = phrase.split_once(' ').unwrap_or_default();
            one == before && two == word || one == word && two == after
        })
    }

    /// Whether a name is part of a longer one: `Anne of Green Gables`, `the Venn farm`.
    pub(super) fn is_part_of_name(&self, mention: &Mention) -> bool {
        let before = &self.text[self.range.start..mention.start];
        let after = &self.text[mention.end..self.range.end];
        let of = before.strip_suffix(" of ").and_then(|rest| rest.rsplit(' ').next());
        let titled = of.is_some_and(|word| word.starts_with(char::is_uppercase));
        let title =
            after.strip_prefix(" of ").is_some_and(|rest| rest.starts_with(char::is_uppercase));
        let article =
            before.ends_with(" the ") || before.ends_with(" a ") || before.ends_with("The ");
        let tied = before.ends_with('-') || after.starts_with('-');
        title || titled || tied || article || after.trim_start().starts_with(char::is_uppercase)
    }
}

/// The second word with the capital of the first.
fn like(model: &str, word: &str) -> String {
    let mut chars = word.chars();
    match chars.next() {
        Some(first) if model.starts_with(char::is_uppercase) => {
            first.to_uppercase().chain(chars).collect()
        }
        _ => word.to_owned(),
    }
}
