//! A true account, and what the book itself tells at that place.

use storymill_core::{Scene, Span, Summary};
use storymill_text::Language;

use crate::retelling::{summarize::language_of, tokens::Telling};

/// The scenes of a book, read once.
pub(super) struct Sources<'s> {
    scenes: &'s [Scene],
    tellings: Vec<Telling>,
    language: Language,
}

/// A true retelling with the scenes that it covers.
pub(super) struct Account<'s> {
    pub(super) summary: &'s Summary,
    /// What it tells.
    pub(super) telling: Telling,
    /// What its scenes tell; a false event must not be among it.
    pub(super) scenes: Vec<&'s Telling>,
    pub(super) span: Option<Span>,
    /// The language of the book and that of the account.
    pub(super) languages: [Language; 2],
}

impl<'s> Sources<'s> {
    pub(super) fn of(scenes: &'s [Scene]) -> Self {
        let language = language_of(scenes.iter().map(|scene| &scene.text[..]));
        let telling = |scene: &Scene| Telling::of(&scene.text, language);
        Self { scenes, tellings: scenes.iter().map(telling).collect(), language }
    }

    pub(super) fn account<'a>(&'a self, summary: &'a Summary) -> Account<'a> {
        let from = self.scenes.partition_point(|scene| scene.scene < summary.first_scene);
        let to = self.scenes.partition_point(|scene| scene.scene <= summary.last_scene);
        let covered = self.scenes.get(from..to).unwrap_or_default();
        let ends = covered.first().zip(covered.last());
        Account {
            summary,
            telling: Telling::of(&summary.text, self.language),
            scenes: self.tellings.get(from..to).unwrap_or_default().iter().collect(),
            span: ends.map(|(one, last)| Span { start: one.span.start, end: last.span.end }),
            languages: [self.language, Language::of_text(&summary.text)],
        }
    }
}
