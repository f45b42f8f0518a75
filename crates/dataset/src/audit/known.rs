//! Texts, each once: questions have most of their options in common.

use storymill_metrics::shortcut::Map;

/// Texts in the order in which they first came, and their places.
#[derive(Debug, Default)]
pub(super) struct Known<'t> {
    pub(super) texts: Vec<&'t str>,
    places: Map<&'t str, usize>,
}

impl<'t> Known<'t> {
    /// The place of a text, which is its own from now on.
    pub(super) fn place(&mut self, text: &'t str) -> usize {
        let next = self.texts.len();
        let place = *self.places.entry(text).or_insert(next);
        if place == next {
            self.texts.push(text);
        }
        place
    }

    /// The places of several.
    pub(super) fn places(&mut self, texts: impl IntoIterator<Item = &'t str>) -> Vec<usize> {
        texts.into_iter().map(|text| self.place(text)).collect()
    }
}
