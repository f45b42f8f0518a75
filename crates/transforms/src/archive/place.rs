//! Finds the scenes that the options of an archived question tell of.
//!
//! The original keeps texts, not places. A text is looked for among the summaries and the
//! distortions of the book, blanks apart; the original's own figure, how many chunks lie between
//! the true one and the last one read, has to agree.

use std::collections::{BTreeSet, HashMap};

use storymill_core::{
    Archive, ArchivedQuestion, Distortion, OptionKind, QuestionType, Reason, Summary,
};
use storymill_text::one_line;

use super::options;

/// Where the retellings of a book stand, by their text.
pub(super) struct Places {
    truths: HashMap<String, Vec<usize>>,
    lies: HashMap<String, Vec<(usize, usize)>>,
    ids: BTreeSet<String>,
}

/// A question whose options are found.
#[derive(Debug)]
pub(super) struct Placed<'q> {
    pub(super) asked_at: usize,
    pub(super) of: QuestionType,
    pub(super) stem: &'q str,
    pub(super) options: Vec<PlacedOption<'q>>,
    pub(super) answer: u8,
    /// The true scene; none where none of the above is right.
    pub(super) scene: Option<usize>,
}

/// An option, and where it is from where that is known.
#[derive(Debug)]
pub(super) struct PlacedOption<'q> {
    pub(super) kind: OptionKind,
    pub(super) text: &'q str,
    pub(super) scene: Option<usize>,
    /// The id of the retelling, blank if it has no row.
    pub(super) from: String,
}

impl Places {
    /// The retellings of an archived book. `summaries` and `distortions` say which have rows.
    pub(super) fn of(archive: &Archive, summaries: &[Summary], distortions: &[Distortion]) -> Self {
        let mut truths: HashMap<_, Vec<_>> = HashMap::new();
        let mut lies: HashMap<_, Vec<_>> = HashMap::new();
        for (scene, chunk) in archive.chunks.iter().enumerate() {
            if !chunk.summary.is_empty() {
                truths.entry(one_line(&chunk.summary)).or_default().push(scene);
            }
            for (sample, lie) in chunk.distortions.iter().enumerate() {
                lies.entry(one_line(lie)).or_default().push((scene, sample));
            }
        }
        let ids = summaries.iter().map(Summary::id).chain(distortions.iter().map(Distortion::id));
        Self { truths, lies, ids: ids.collect() }
    }

    /// The places of a question in a book of so many scenes, or why it has none.
    pub(super) fn place<'q>(
        &self,
        archive: &Archive,
        question: &'q ArchivedQuestion,
        scenes: usize,
    ) -> Result<Placed<'q>, Reason> {
        if !question.broken.is_empty() {
            return Err(Reason::new("broken-row", &question.broken));
        }
        let t = number("WHEN_ASKED", &question.asked_at)?;
        if t >= scenes {
            let detail = format!("asked after scene {t} of a book of {scenes}");
            return Err(Reason::new("no-such-scene", detail));
        }
        if !question.fits {
            let detail = format!("its RAW_CHUNK is not chunk {t} of the book");
            return Err(Reason::new("chunk-disagrees", detail));
        }
        let of = match &question.of[..] {
            "Lookahead" => QuestionType::Lookahead,
            "Change" => QuestionType::SceneDistortion,
            "Otherbook" => QuestionType::OtherBook,
            other => {
                return Err(Reason::new("unknown-type", format!("no decoys are called `{other}`")));
            }
        };
        let asked = options::parse(&question.text)?;
        let count = asked.options.len();
        let number_of_answer = number("QUESTION_ANSWERS", &question.answer)?;
        let in_range = number_of_answer.checked_sub(1).filter(|at| *at < count);
        let place = in_range.and_then(|at| Some((at, u8::try_from(at).ok()?)));
        let (at_answer, answer) = place.ok_or_else(|| {
            let detail = format!("answer {number_of_answer} of {count} options");
            Reason::new("answer-out-of-range", detail)
        })?;
        let memload = number("MEMLOADS", &question.memload)?;
        let scene = if at_answer + 1 == count {
            None
        } else {
            Some(self.true_scene(asked.options[at_answer], t)?)
        };
        let expected = t - scene.unwrap_or(0);
        if memload != expected {
            let detail = match scene {
                Some(scene) => format!(
                    "the true option is the summary of scene {scene}, {expected} before scene {t}, and MEMLOADS says {memload}"
                ),
                None => format!("none of the above after scene {t}, and MEMLOADS says {memload}"),
            };
            return Err(Reason::new("memload-disagrees", detail));
        }
        let mut placed = Vec::with_capacity(count);
        for (at, text) in asked.options.into_iter().enumerate() {
            placed.push(if at + 1 == count {
                PlacedOption { kind: OptionKind::None, text, scene: None, from: String::new() }
            } else if at == at_answer {
                let from = scene.map(|scene| self.id(archive, scene, None)).unwrap_or_default();
                PlacedOption { kind: OptionKind::True, text, scene, from }
            } else {
                self.decoy(archive, text, of, t)?
            });
        }
        Ok(Placed { asked_at: t, of, stem: asked.stem, options: placed, answer, scene })
    }

    /// The one scene up to `t` that a true option tells of.
    fn true_scene(&self, option: &str, t: usize) -> Result<usize, Reason> {
        let found: Vec<usize> = self.told(option).filter(|scene| *scene <= t).collect();
        match found[..] {
            [one] => Ok(one),
            [] => {
                let detail = match self.told(option).next() {
                    Some(later) => {
                        format!("the true option tells of scene {later}, behind scene {t}")
                    }
                    None => "the true option is the summary of no scene".to_owned(),
                };
                Err(Reason::new("no-true-scene", detail))
            }
            [one, other, ..] => {
                let detail =
                    format!("scenes {one} and {other} have the summary of the true option");
                Err(Reason::new("two-scenes-match", detail))
            }
        }
    }

    /// A wrong option. It must not be the summary of a scene that was read, for then it would be
    /// right as well.
    fn decoy<'q>(
        &self,
        archive: &Archive,
        text: &'q str,
        of: QuestionType,
        t: usize,
    ) -> Result<PlacedOption<'q>, Reason> {
        if let Some(scene) = self.told(text).find(|scene| *scene <= t) {
            let detail = format!("a wrong option is the summary of scene {scene}, which was read");
            return Err(Reason::new("decoy-was-read", detail));
        }
        let place = if of == QuestionType::Lookahead {
            self.told(text).next().map(|scene| (scene, None))
        } else if of == QuestionType::SceneDistortion {
            let lies = self.lies.get(&one_line(text)).into_iter().flatten();
            let mut read = lies.filter(|(scene, _)| *scene <= t);
            read.next().map(|(scene, sample)| (*scene, Some(*sample)))
        } else {
            // Names were substituted in what other books tell, so nobody knows its book and scene any more.
            None
        };
        let from = place.map(|(scene, sample)| self.id(archive, scene, sample)).unwrap_or_default();
        let scene = place.map(|(scene, _)| scene);
        Ok(PlacedOption { kind: OptionKind::Decoy(of), text, scene, from })
    }

    /// The scenes whose summary a text is.
    fn told(&self, text: &str) -> impl Iterator<Item = usize> + '_ {
        self.truths.get(&one_line(text)).into_iter().flatten().copied()
    }

    /// The id of a retelling; blank if it has no row, as when its checks refused it.
    fn id(&self, archive: &Archive, scene: usize, sample: Option<usize>) -> String {
        let id = match sample {
            None => format!("{}/{scene:04}/s0", archive.book),
            Some(sample) => format!("{}/{scene:04}/d{sample}", archive.book),
        };
        if self.ids.contains(&id) { id } else { String::new() }
    }
}

fn number(column: &str, text: &str) -> Result<usize, Reason> {
    text.parse().map_err(|_| {
        let start: String = text.chars().take(30).collect();
        Reason::new("bad-number", format!("column {column}: `{start}` is no number here"))
    })
}
