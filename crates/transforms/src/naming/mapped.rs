//! Names that are left, by the substitutes: parts that should have been replaced.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use storymill_core::{Stop, Substitution};
use storymill_names::{Case, Words};
use storymill_text::word::fold;

/// The parts of names that must not stand anywhere.
pub(super) struct Names {
    /// Folded parts, and how they are written.
    words: BTreeMap<String, String>,
}

/// A part that is left.
pub(super) struct Part {
    pub(super) name: String,
    /// Its bytes in the text; none where a line end cuts it.
    pub(super) bytes: Option<Range<usize>>,
    pub(super) excerpt: String,
}

impl Names {
    /// Also sees to it that no two parts have one substitute, and none has two.
    pub(super) fn new(substitutions: &[Substitution]) -> Result<Self, Stop> {
        let (mut words, mut taken) = (BTreeMap::new(), BTreeSet::new());
        for row in substitutions {
            if !taken.insert(fold(&row.substitute)) {
                let detail = format!("`{}` stands for two names", row.substitute);
                return Err(Stop::reject("one-substitute-for-two", detail));
            }
            let written = words.insert(fold(&row.part), row.part.clone());
            if written.is_some() {
                let detail = format!("`{}` has two substitutes", row.part);
                return Err(Stop::reject("two-substitutes-for-one", detail));
            }
        }
        // What is a common word too may stand.
        for row in substitutions.iter().filter(|row| row.careful) {
            words.remove(&fold(&row.part));
        }
        Ok(Self { words })
    }

    /// Parts that are left in a text, each with a few words around it.
    pub(super) fn left_in(&self, text: &str) -> Vec<Part> {
        let mut left = self.found_in(text, |_| true);
        let mut joined = String::new();
        let mut seams = Vec::new();
        for piece in text.split("-\n") {
            joined += piece;
            seams.push(joined.len());
        }
        // Behind the last piece nothing is joined; words that no seam cuts were found before.
        if seams.pop().is_some() && !seams.is_empty() {
            let cut = |word: &Range<usize>| {
                let seam = seams.partition_point(|seam| *seam <= word.start);
                seams.get(seam).is_some_and(|seam| *seam < word.end)
            };
            let cut = self.found_in(&joined, cut).into_iter();
            left.extend(cut.map(|part| Part { bytes: None, ..part }));
        }
        left
    }

    /// Parts that are left in words of which this is true.
    fn found_in(&self, text: &str, wanted: impl Fn(&Range<usize>) -> bool) -> Vec<Part> {
        let words = Words::new(text);
        let mut left = Vec::new();
        for (at, word) in words.all().iter().enumerate() {
            if !word.letter || word.case == Case::Low {
                continue;
            }
            let mut folded = fold(words.surface(at));
            let mut end = word.end as usize;
            let mark =
                words.all().get(at + 1).filter(|_| matches!(words.surface(at + 1), "'" | "’"));
            if let (Some(_), Some(next)) = (mark, words.all().get(at + 2))
                && !self.words.contains_key(&folded)
                && next.letter
            {
                folded = format!("{folded}'{}", fold(words.surface(at + 2)));
                end = next.end as usize;
            }
            let bytes = word.start as usize..end;
            if let Some(part) = self.words.get(&folded)
                && wanted(&bytes)
            {
                let excerpt = excerpt(text, &bytes);
                left.push(Part { name: part.clone(), bytes: Some(bytes), excerpt });
            }
        }
        left
    }
}

/// A few words around a place.
pub(super) fn excerpt(text: &str, bytes: &Range<usize>) -> String {
    let from = text[..bytes.start].char_indices().rev().nth(25).map_or(0, |(at, _)| at);
    let to = text[bytes.end..].char_indices().nth(25).map_or(text.len(), |(at, _)| bytes.end + at);
    text[from..to].replace('\n', " ")
}
