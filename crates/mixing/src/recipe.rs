//! One context put together: its recipe, and what only its text tells.

use std::ops::Range;

use storymill_core::{Context, Evidence, Insertion, InsertionKind, Reason, Span, SymbolIndex};
use storymill_text::Language;

use crate::{
    Pool, Replacer,
    job::Job,
    language::{heading, length, unit},
    layout::Slot,
    write::{Places, write},
};

/// What one context is put together from.
pub(crate) struct Plan<'a> {
    pub(crate) level: u32,
    pub(crate) slots: &'a [Slot],
    pub(crate) groups: &'a [Vec<usize>],
    pub(crate) chosen: &'a [u32],
    pub(crate) supporting: &'a [u32],
    pub(crate) decile: u8,
}

/// A confusing fact with its passage and the byte where it goes.
pub(crate) struct Placed {
    pub(crate) text: String,
    pub(crate) passage: u32,
    pub(crate) at: usize,
}

impl Job<'_> {
    /// The recipe of no context at all.
    pub(crate) fn bare(&self) -> (Context, String) {
        let plan =
            Plan { level: 0, slots: &[], groups: &[], chosen: &[], supporting: &[], decile: 0 };
        let (mut context, text) = self.context(&plan, &[]);
        let name = if self.rules.is_empty() { "bare" } else { "bare+kpr" };
        name.clone_into(&mut context.ablation);
        (context, text)
    }

    /// The recipe of a context, and its text.
    pub(crate) fn context(&self, plan: &Plan<'_>, placed: &[Placed]) -> (Context, String) {
        let mut passages = Vec::new();
        let mut stands: Vec<Vec<usize>> = Vec::new();
        for slot in plan.slots {
            match slot {
                Slot::Distractor(at) => passages.push(plan.chosen[*at]),
                Slot::Evidence(group) => {
                    let own = plan.groups[*group].iter().map(|at| plan.supporting[*at]);
                    stands.push((passages.len()..passages.len() + own.len()).collect());
                    passages.extend(own);
                }
            }
        }
        let mut insertions: Vec<Insertion> = placed
            .iter()
            .filter_map(|fact| {
                let place = passages.iter().position(|number| *number == fact.passage)?;
                Some(Insertion {
                    kind: InsertionKind::Confusing,
                    text: self.replacer.replaced(&fact.text),
                    place: u32::try_from(place).ok()?,
                    at: u32::try_from(fact.at).ok()?,
                    span: Span::default(),
                })
            })
            .collect();
        insertions.sort_by_key(|one| (one.place, one.at));
        let replaced = |text: &String| self.replacer.replaced(text);
        let name = Context::level_name(plan.level);
        let mut context = Context {
            id: format!("{}_{name}/{}", self.set, self.question.id),
            set: self.set.clone(),
            item: self.question.id.clone(),
            level: plan.level,
            ablation: ablation(!insertions.is_empty(), !self.rules.is_empty()).to_owned(),
            language: self.language.tag().to_owned(),
            question: replaced(&self.question.question),
            answers: self.question.answers.iter().map(replaced).collect(),
            keywords: replaced(&self.question.keywords),
            confusing: insertions.iter().map(|one| one.text.clone()).collect(),
            heading: self.heading,
            passages,
            insertions,
            rules: self.rules.to_vec(),
            evidence: Vec::new(),
            decile: plan.decile,
            flagged: Vec::new(),
            length: 0,
            symbols: 0,
        };
        let text = finish(&mut context, &self.replacer, self.pool, |places| {
            let stretch = |own: &Vec<usize>| {
                Some(places.passages[*own.first()?].start..places.passages[*own.last()?].end)
            };
            stands.iter().filter_map(stretch).collect()
        });
        (context, text)
    }
}

/// Writes the text of a recipe, and into the recipe what only the text tells: spans, lengths.
pub(crate) fn finish(
    context: &mut Context,
    replacer: &Replacer,
    pool: &Pool,
    evidence: impl Fn(&Places) -> Vec<Range<usize>>,
) -> String {
    let own: u64 = context.passages.iter().map(|number| pool.text(*number).len() as u64 + 24).sum();
    let mut text = String::with_capacity(usize::try_from(own + own / 32).unwrap_or(0));
    let places = write(context, replacer, |number| pool.text(number), &mut text);
    let index = SymbolIndex::new(&text);
    for (insertion, place) in context.insertions.iter_mut().zip(&places.insertions) {
        insertion.span = index.span(place.clone());
    }
    context.symbols = index.place(text.len()).symbol;
    let whole = u64::from(context.symbols);
    context.evidence = evidence(&places)
        .into_iter()
        .map(|place| {
            let span = index.span(place);
            let rest = whole - u64::from(span.symbols());
            let depth = (u64::from(span.start.symbol) * 1_000).checked_div(rest).unwrap_or(0);
            Evidence { span, depth_pm: u16::try_from(depth.min(1_000)).unwrap_or(1_000) }
        })
        .collect();
    context.length = length_of(context, pool, &text, &places);
    text
}

/// The length of a context by LV-Eval's rule, as the sum of its pieces. Nearly all passages stand as
/// they are, and their lengths are known.
fn length_of(context: &Context, pool: &Pool, text: &str, places: &Places) -> u32 {
    let language = Language::of_tag(&context.language);
    let pieces = (1..).zip(context.passages.iter().zip(&places.passages));
    let piece = |(place, (number, range)): (usize, (&u32, &Range<usize>))| {
        let own = &pool.passages[*number as usize];
        let written = &text[range.clone()];
        let own = if written == own.text { own.length } else { length(written, language) };
        own + length(&heading(context.heading, place), language)
    };
    pieces.map(piece).sum()
}

/// Why a context is not to be had at its level: it is longer by more than its last passage brings with it, and by more
/// than a tenth, which is what edits may add.
pub(crate) fn too_long(context: &Context, last: u32) -> Option<Reason> {
    let most = context.level + last + context.level / 10;
    (context.length > most).then(|| {
        let unit = unit(Language::of_tag(&context.language));
        let detail = format!(
            "with what is put in and replaced it has {} {unit}, and the level is {}",
            context.length, context.level
        );
        Reason::new("over-level", detail)
    })
}

/// The name of what was done to a context.
pub(crate) fn ablation(confusing: bool, replace: bool) -> &'static str {
    match (confusing, replace) {
        (true, true) => "cf+kpr",
        (true, false) => "cf",
        (false, true) => "kpr",
        (false, false) => "none",
    }
}
