//! What a model is shown of what a question is asked of: settings, and windows that it has to fit into.

use std::{
    borrow::Cow,
    cell::{OnceCell, RefCell},
    collections::BTreeMap,
    ops::Range,
    rc::Rc,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{Exam, Fault, FaultKind, Form, Question, Recipe, Setting, Stream};
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

/// A question that something is shown for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer<'e> {
    pub(super) question: &'e Question,
    /// The story that is shown in place of the whole text, in symbols.
    pub(super) story: Option<&'e Range<u32>>,
    /// How excerpts are shown where each is marked as one: in the order of the book, else the best one first. None: joined in
    /// the order of the book.
    pub(super) marked: Option<bool>,
}

/// Excerpts of a part of the text, and their index.
type Excerpts = (Vec<Range<usize>>, Index);

/// The text of an exam, with what is worked out once for all of its questions.
pub(super) struct Page<'e> {
    pub(super) exam: &'e Exam,
    pub(super) counting: &'e Counting,
    /// The byte at which every [`STEP`]th symbol begins.
    steps: Vec<usize>,
    /// Where each token ends, in bytes; none if this build counts none.
    ends: OnceCell<Option<Vec<usize>>>,
    /// The excerpts of the text, or of stories of it, by where these stand.
    found: RefCell<BTreeMap<(usize, usize), Rc<Excerpts>>>,
}

const STEP: usize = 1_024;
/// What stands between pieces that are not neighbours.
pub(super) const GAP: &str = "\n\n[...]\n\n";

impl<'e> Page<'e> {
    pub(super) fn new(exam: &'e Exam, counting: &'e Counting) -> Self {
        let steps = exam.text.char_indices().step_by(STEP).map(|(at, _)| at).collect();
        Self { exam, counting, steps, ends: OnceCell::new(), found: RefCell::default() }
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
        offer: &Offer<'_>,
        setting: Setting,
        stream: Stream,
    ) -> Result<Shown<'e>, Fault> {
        let (text, question) = (&self.exam.text, offer.question);
        let whole = match &question.context {
            Recipe::Nothing => 0,
            Recipe::Read(length) => self.byte(length.symbols),
            Recipe::Mixed(_) => text.len(),
        };
        let story = offer.story.map(|story| self.byte(story.start)..self.byte(story.end));
        let read = story.map_or(0..whole, |story| story.start.min(whole)..story.end.min(whole));
        let shown = match setting {
            Setting::Full => {
                let tokens = match read.start {
                    0 => self.ends().map(|ends| upto(ends, read.end)),
                    _ => self.counting.count(&text[read.clone()]),
                };
                return Ok(of(text[read].into(), tokens));
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
                let first = upto(ends, read.start) as usize;
                let (have, most) = (upto(ends, read.end) as usize, tokens as usize);
                let from = if have - first > most { ends[have - most - 1] } else { read.start };
                let from = text.ceil_char_boundary(from);
                let shown = u32::try_from((have - first).min(most)).unwrap_or(u32::MAX);
                return Ok(of(text[from.min(read.end)..read.end].into(), Some(shown)));
            }
            Setting::Retrieved(excerpts) => self.retrieved(offer, &read, excerpts)?.into(),
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

    /// The excerpts of a part of the text, all of which or a story.
    fn excerpts(&self, part: &Range<usize>) -> Result<Rc<Excerpts>, Fault> {
        let key = (part.start, part.end);
        if let Some(known) = self.found.borrow().get(&key) {
            return Ok(Rc::clone(known));
        }
        let text = &self.exam.text[part.clone()];
        let places = excerpts(text, WORDS);
        let texts: Vec<&str> = places.iter().map(|at| &text[at.clone()]).collect();
        let index = Index::new(&texts, Cut::Words, bm25::Parameters::default());
        let index = index.map_err(|error| {
            Fault::new(FaultKind::Internal, "cannot index a text").because(error)
        })?;
        let places = places.iter().map(|at| at.start + part.start..at.end + part.start).collect();
        let found = Rc::new((places, index));
        self.found.borrow_mut().insert(key, Rc::clone(&found));
        Ok(found)
    }

    /// The best excerpts of what was read, in the order of the book. They are looked for with the words of the
    /// options or of the text that is to be worked on; where there are none, with those of the question.
    fn retrieved(
        &self,
        offer: &Offer<'_>,
        read: &Range<usize>,
        most: u32,
    ) -> Result<String, Fault> {
        let Offer { question, story, marked } = *offer;
        // One index serves all questions that are asked of the text as it is.
        let part = if story.is_some() { read.clone() } else { 0..self.exam.text.len() };
        let found = self.excerpts(&part)?;
        let (places, index) = &*found;
        let own =
            question.options().iter().filter(|one| one.kind != storymill_core::OptionKind::None);
        let mut query: Vec<&str> = own.map(|option| option.text.as_str()).collect();
        query.push(question.given());
        if let Form::Options { given, .. } = &question.form {
            query.extend(given.iter().map(|one| one.text.as_str()));
        }
        let mut query = query.join("\n");
        if query.trim().is_empty() {
            query.clone_from(&question.task);
        }
        let hits = index.top(&query, places.len());
        let best = hits.iter().map(|hit| &places[hit.passage]).filter(|at| at.start < read.end);
        let mut best: Vec<_> = best.take(most as usize).collect();
        if marked != Some(false) {
            best.sort_by_key(|at| at.start);
        }
        let piece = |at: &Range<usize>| &self.exam.text[at.start..at.end.min(read.end)];
        let pieces = best.into_iter().map(piece);
        if marked.is_none() {
            return Ok(pieces.collect::<Vec<_>>().join(GAP));
        }
        let excerpt = |(at, text): (u32, &str)| format!("<excerpt_{at}>\n{text}\n</excerpt_{at}>");
        Ok((1..).zip(pieces).map(excerpt).collect::<Vec<_>>().join("\n\n"))
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
