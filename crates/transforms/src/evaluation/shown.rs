//! What a model is shown of what a question is asked of: settings, and windows that it has to fit into.

use std::{borrow::Cow, cell::OnceCell};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{Exam, Fault, FaultKind, Question, Recipe, Setting, Stream};
use storymill_metrics::bm25::{self, Cut, Index};
use storymill_text::excerpt::{WORDS, excerpts};

use super::counting::{Counting, no_tokens};

/// What becomes of a context that is longer than the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TooLong {
    /// It is not asked: `does-not-fit`.
    #[default]
    Refuse,
    /// The middle is cut out.
    Middle,
    /// The beginning is cut off.
    Front,
}

/// What one request shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shown<'t> {
    pub(super) text: Cow<'t, str>,
    /// Tokens of what the setting offers, and of what of it is left.
    pub(super) offered: Option<u32>,
    pub(super) left: Option<u32>,
    /// Where it was cut: `middle`, `front`; blank if it was not.
    pub(super) cut: &'static str,
    /// Why nobody is asked, where nobody is.
    pub(super) unasked: Option<Unasked>,
}

/// Why a question is not put to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unasked {
    /// What the setting shows is longer than the window. It counts as a question that was not answered.
    DoesNotFit,
    /// Nobody knows its evidence, so there is nothing that the setting `evidence` could show. It does not count.
    NoEvidence,
}

/// The text of an exam, with what is worked out once for all of its questions.
pub(super) struct Page<'e> {
    pub(super) exam: &'e Exam,
    pub(super) counting: &'e Counting,
    /// The byte at which every [`STEP`]th symbol begins.
    steps: Vec<usize>,
    /// Where each token ends, in bytes; none if this build counts none.
    ends: OnceCell<Option<Vec<usize>>>,
    found: OnceCell<(Vec<std::ops::Range<usize>>, Index)>,
}

const STEP: usize = 1_024;
/// What stands between pieces that are not neighbours.
pub(super) const GAP: &str = "\n\n[...]\n\n";

impl<'e> Page<'e> {
    pub(super) fn new(exam: &'e Exam, counting: &'e Counting) -> Self {
        let steps = exam.text.char_indices().step_by(STEP).map(|(at, _)| at).collect();
        Self { exam, counting, steps, ends: OnceCell::new(), found: OnceCell::new() }
    }

    /// The byte before which so many symbols stand; the end of the text if it has fewer.
    pub(super) fn byte(&self, symbols: u32) -> usize {
        let (text, symbols) = (&self.exam.text, symbols as usize);
        let Some(step) = self.steps.get(symbols / STEP) else { return text.len() };
        let mut places = text[*step..].char_indices().map(|(at, _)| step + at);
        places.nth(symbols % STEP).unwrap_or(text.len())
    }

    /// What a setting offers for a question, uncut. What is shown in place of evidence is drawn from a stream.
    pub(super) fn offered(
        &self,
        question: &Question,
        setting: Setting,
        stream: Stream,
    ) -> Result<Shown<'e>, Fault> {
        let text = &self.exam.text;
        let whole = match &question.context {
            Recipe::Nothing => 0,
            Recipe::Read(length) => self.byte(length.symbols),
            Recipe::Mixed(_) => text.len(),
        };
        let shown = match setting {
            Setting::Full => {
                let tokens = self.ends().map(|ends| upto(ends, whole));
                return Ok(of(text[..whole].into(), tokens));
            }
            Setting::Nothing | Setting::Title => Cow::Borrowed(""),
            Setting::Evidence => match self.evidence(question, whole, stream) {
                Some(evidence) => evidence.into(),
                None => {
                    return Ok(Shown {
                        unasked: Some(Unasked::NoEvidence),
                        ..of("".into(), Some(0))
                    });
                }
            },
            Setting::Recent(tokens) => {
                let Some(ends) = self.ends() else { return Err(no_tokens()) };
                let (have, most) = (upto(ends, whole) as usize, tokens as usize);
                let from = if have > most { ends[have - most - 1] } else { 0 };
                let from = text.ceil_char_boundary(from);
                let shown = u32::try_from(have.min(most)).unwrap_or(u32::MAX);
                return Ok(of(text[from.min(whole)..whole].into(), Some(shown)));
            }
            Setting::Retrieved(excerpts) => self.retrieved(question, whole, excerpts)?.into(),
            Setting::Summaries => self.told(question)?.into(),
        };
        let tokens = match &*shown {
            "" => Some(0),
            text => self.counting.count(text),
        };
        Ok(of(shown, tokens))
    }

    /// The same, cut down to so many tokens if it has more.
    pub(super) fn within(
        &self,
        shown: Shown<'e>,
        room: Option<u32>,
        too_long: TooLong,
    ) -> Result<Shown<'e>, Fault> {
        let Some(room) = room else { return Ok(shown) };
        let Some(have) = shown.left else { return Err(no_tokens()) };
        if have <= room {
            return Ok(shown);
        }
        if too_long == TooLong::Refuse {
            let unasked = Some(Unasked::DoesNotFit);
            return Ok(Shown { unasked, left: Some(0), text: "".into(), ..shown });
        }
        let own;
        let ends = match shown.text {
            // A beginning of the text has the tokens of the text.
            Cow::Borrowed(text) if std::ptr::eq(text.as_ptr(), self.exam.text.as_ptr()) => {
                own = self.ends().map(|ends| ends[..have as usize].to_vec());
                own.as_deref()
            }
            _ => {
                own = self.counting.ends(&shown.text);
                own.as_deref()
            }
        };
        let ends = ends.ok_or_else(no_tokens)?;
        let (text, room) = (&shown.text, room as usize);
        let (text, cut) = if too_long == TooLong::Front {
            let from = ends.len().checked_sub(room + 1).map_or(0, |at| ends[at]);
            (text[text.ceil_char_boundary(from)..].to_owned(), "front")
        } else {
            let cut = storymill_mixing::middle(text, ends, room);
            ([&text[..cut.start], &text[cut.end..]].concat(), "middle")
        };
        let left = u32::try_from(room).unwrap_or(u32::MAX);
        Ok(Shown { text: text.into(), left: Some(left), cut, ..shown })
    }

    fn ends(&self) -> Option<&[usize]> {
        self.ends.get_or_init(|| self.counting.ends(&self.exam.text)).as_deref()
    }

    /// The best excerpts of what was read, in the order of the book. They are looked for with the words of the
    /// options or of the text that is to be worked on; where there are none, with those of the question.
    fn retrieved(&self, question: &Question, whole: usize, most: u32) -> Result<String, Fault> {
        if self.found.get().is_none() {
            let places = excerpts(&self.exam.text, WORDS);
            let texts: Vec<&str> = places.iter().map(|at| &self.exam.text[at.clone()]).collect();
            let index = Index::new(&texts, Cut::Words, bm25::Parameters::default());
            let index = index.map_err(|error| {
                Fault::new(FaultKind::Internal, "cannot index a text").because(error)
            })?;
            let _ = self.found.set((places, index));
        }
        let Some((places, index)) = self.found.get() else { return Ok(String::new()) };
        let own =
            question.options().iter().filter(|one| one.kind != storymill_core::OptionKind::None);
        let mut query: Vec<&str> = own.map(|option| option.text.as_str()).collect();
        query.push(question.given());
        let mut query = query.join("\n");
        if query.trim().is_empty() {
            query.clone_from(&question.task);
        }
        let hits = index.top(&query, places.len());
        let read = hits.iter().map(|hit| &places[hit.passage]).filter(|at| at.start < whole);
        let mut read: Vec<_> = read.take(most as usize).collect();
        read.sort_by_key(|at| at.start);
        let piece = |at: &std::ops::Range<usize>| &self.exam.text[at.start..at.end.min(whole)];
        Ok(read.into_iter().map(piece).collect::<Vec<_>>().join(GAP))
    }

    /// The retellings of what was read.
    fn told(&self, question: &Question) -> Result<String, Fault> {
        if self.exam.retellings.is_empty() {
            let message = format!("there are no retellings of {} to be shown", self.exam.of);
            return Err(Fault::new(FaultKind::Input, message).hint(
                "publish summaries and scenes with the questions, or leave `summaries` out",
            ));
        }
        let Recipe::Read(length) = &question.context else { return Ok(String::new()) };
        let read = self.exam.retellings.iter().filter(|one| one.end_symbol <= length.symbols);
        Ok(read.map(|one| one.text.trim()).collect::<Vec<_>>().join("\n\n"))
    }
}

fn of(text: Cow<'_, str>, tokens: Option<u32>) -> Shown<'_> {
    Shown { text, offered: tokens, left: tokens, cut: "", unasked: None }
}

/// How many tokens end in so many bytes.
fn upto(ends: &[usize], bytes: usize) -> u32 {
    u32::try_from(ends.partition_point(|end| *end <= bytes)).unwrap_or(u32::MAX)
}
