//! How a text looks to somebody who does not read it: what decoys have to share with what is true.
//!
//! A text of the right book is told by its style before anybody looks at what it tells. So all texts of a question
//! are set in one style, and decoys are chosen that look like the true one. How near a text is to the book is
//! measured on the retellings of the whole book, never on what a reader of the question would compare it with.

use storymill_core::{Scene, Stream, Summary};
use storymill_metrics::grams::CharGrams;
use storymill_names::{Case, Words, with_small_titles};
use storymill_text::{Language, Voice, in_one_style};

/// The style of a book, as its retellings have it.
pub(super) struct Style {
    language: Language,
    book: CharGrams,
}

/// What is seen of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Look {
    /// How near its characters are to those of the book's retellings, in millionths: a cosine.
    likeness: u32,
    /// Whether it is told by somebody in the story.
    first_person: bool,
    /// Whether somebody speaks in it.
    speech: bool,
    /// How many words have a capital inside a sentence: none, few, many.
    names: u8,
    /// Its length in steps of half an octave.
    length: u32,
}

/// The side of the true text's likeness on which a decoy stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Nearer,
    Farther,
}

impl Style {
    /// The style of a book with these scenes and retellings, and its retellings in one style.
    pub(super) fn of(scenes: &[Scene], told: &[&Summary]) -> (Self, Vec<String>) {
        let sample: String = scenes.iter().take(4).map(|scene| &scene.text[..]).collect();
        let language = Language::of_text(&sample);
        let texts: Vec<String> =
            told.iter().map(|summary| plain(&summary.text, language)).collect();
        let book = CharGrams::of_all(texts.iter().map(String::as_str));
        (Self { language, book }, texts)
    }

    /// A text in one style.
    pub(super) fn plain(&self, text: &str) -> String {
        plain(text, self.language)
    }

    /// How a text in one style looks; `own` if it is among the book's retellings.
    pub(super) fn look(&self, text: &str, own: bool) -> Look {
        let grams = CharGrams::of(text);
        let cosine = if own { self.book.cosine_without(&grams) } else { self.book.cosine(&grams) };
        let voice = Voice::of(text);
        let words = Words::new(text);
        let names = (0..words.len()).filter(|at| {
            words.all()[*at].case == Case::Inside && !matches!(words.surface(*at), "I" | "O")
        });
        let symbols = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        Look {
            likeness: millionths(cosine),
            first_person: voice.first_person > 0,
            speech: text.contains(['"', '「', '“']),
            names: match names.count() {
                0 => 0,
                1 | 2 => 1,
                _ => 2,
            },
            // Twice the binary logarithm.
            length: symbols.max(1).saturating_mul(symbols.max(1)).ilog2(),
        }
    }
}

/// A text in the style of all options: marks, spaces, spelling and titles by themselves.
fn plain(text: &str, language: Language) -> String {
    let text = in_one_style(text, language);
    if language == Language::English { with_small_titles(&text) } else { text }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to a million")]
fn millionths(share: f64) -> u32 {
    (share.clamp(0.0, 1.0) * 1e6).round() as u32
}

/// What a difference costs, in millionths of a cosine: it is paid before a decoy of nearer likeness is passed over.
const PERSON: u32 = 200_000;
const SPEECH: u32 = 100_000;
const NAMES: u32 = 50_000;
const LENGTH: u32 = 50_000;
const SIDE: u32 = 150_000;

impl Look {
    /// How unlike a decoy is to this, the look of the true text, when it is to stand on a side of it.
    pub(super) fn unlike(&self, decoy: &Self, side: Side) -> u32 {
        let wrong = match side {
            Side::Nearer => decoy.likeness < self.likeness,
            Side::Farther => decoy.likeness >= self.likeness,
        };
        let cost = |is: bool, cost: u32| if is { cost } else { 0 };
        let names = u32::from(self.names.abs_diff(decoy.names));
        self.likeness.abs_diff(decoy.likeness)
            + cost(self.first_person != decoy.first_person, PERSON)
            + cost(self.speech != decoy.speech, SPEECH)
            + cost(wrong, SIDE)
            + names * NAMES
            + self.length.abs_diff(decoy.length) * LENGTH
    }
}

/// How many of a thousand decoys are to be nearer to the book than what is true: drawn once for a question. Were it
/// evenly drawn and always met, each rank of the true text would be as likely as any other. But nearer texts of other
/// books are often not there, so the largest of three draws is taken: by that the true text is not the nearest much
/// more often than chance, nor the farthest (docs/questions.md has the figures).
pub(super) fn draw_share(draw: &mut Stream) -> u32 {
    [draw.below(1001), draw.below(1001), draw.below(1001)].into_iter().max().unwrap_or_default()
}

/// The side of one decoy.
pub(super) fn draw_side(share: u32, draw: &mut Stream) -> Side {
    if draw.below(1000) < share { Side::Nearer } else { Side::Farther }
}
