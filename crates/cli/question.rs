//! A published question as people read it: the task, its options, where the answer lies.

use serde_json::Value;
use storymill_core::{Length, Question, Recipe};
use storymill_dataset::context::Asked;

use crate::args::Shown;
use crate::table::{bold, dim, plain, plural};

/// Symbols of an evidence that are shown at either end of it.
const SHOWN: usize = 160;

/// How much is told.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Telling {
    /// Which option is right, and where the answer lies.
    pub(crate) answer: bool,
    /// What kind each option is of, and where it comes from.
    pub(crate) types: bool,
}

impl Telling {
    /// What `--show` asks for.
    pub(crate) fn of(shown: &[Shown], answer: bool) -> Self {
        let answer = answer || shown.contains(&Shown::Answer);
        Self { answer, types: shown.contains(&Shown::Types) }
    }
}

/// The question in words. With the answer, the right option stands out and decoys are dim.
pub(crate) fn words(
    (row, question): (&Value, &Question),
    asked: Option<&Asked>,
    telling: Telling,
) -> String {
    let mut out = format!("{}\n", plain(&question.asked()));
    for (at, option) in question.options().iter().enumerate() {
        let line = format!("  {}) {}", at + 1, plain(&option.text));
        let line = match (telling.answer, question.right().map(usize::from) == Some(at)) {
            (true, true) => bold(&line),
            (true, false) => dim(&line),
            (false, _) => line,
        };
        out += &format!("\n{line}");
        if telling.types {
            // The row's own word, which may be one of a later version.
            let kind = row["option_kinds"][at].as_str().unwrap_or_default();
            let source = format!("{kind} {}", option.from);
            out += &dim(&format!("  [{}]", plain(source.trim())));
        }
    }
    if telling.answer {
        out += &answer(question);
        let evidence = asked.map(Asked::evidence).unwrap_or_default();
        for (span, evidence) in question.evidence.iter().zip(evidence) {
            let (start, end) = (span.start.symbol, span.end.symbol);
            out += &format!("evidence, symbols {start} to {end}:\n  {}\n", bold(&ends(evidence)));
        }
    }
    out
}

/// Which answer is right, and how far back it lies.
fn answer(question: &Question) -> String {
    let right = match question.right() {
        Some(right) => format!("right: {}", u32::from(right) + 1),
        None => format!("reference: {}", plain(question.reference())),
    };
    let (context, demand) = (question.context.length(), &question.demand.to_start);
    let long = |length: &Length| match &question.context {
        Recipe::Read(_) => format!(
            "{}, {}",
            plural(length.scenes.into(), "scene"),
            plural(length.words.into(), "word")
        ),
        Recipe::Mixed(_) | Recipe::Nothing => plural(length.symbols.into(), "symbol"),
    };
    let asked = format!("asked after {}", long(&context));
    let place = if !question.options().is_empty() && question.evidence.is_empty() {
        format!("{asked}; there is no evidence: none of the other options was in it")
    } else {
        format!("{asked}; the answer begins {} back", long(demand))
    };
    format!("\n\n{right}\n{place}\n")
}

/// The beginning and the end of a text in one line.
fn ends(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let symbols: Vec<char> = plain(&line).chars().collect();
    if symbols.len() <= 2 * SHOWN {
        return symbols.into_iter().collect();
    }
    let first: String = symbols[..SHOWN].iter().collect();
    let last: String = symbols[symbols.len() - SHOWN..].iter().collect();
    format!("{first} … {last}")
}
