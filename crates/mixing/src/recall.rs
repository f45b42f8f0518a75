//! One fact at many depths of a long text (LV-Eval's factrecall).

use storymill_core::{
    Context, Heading, Insertion, InsertionKind, Reason, Rule, SetQuestion, Span, UnitId,
};
use storymill_text::Language;

use crate::{
    Pool, Replacer, Unmixable,
    borders::borders,
    language::{length, unit},
    recipe::{ablation, finish, too_long},
    survivor::leaves_clean,
};

/// How a fact is put into a text.
#[derive(Clone, Debug)]
pub struct Recall {
    /// The lengths that are wanted, ascending.
    pub levels: Vec<u32>,
    /// How many depths, evenly spaced from the beginning to the end.
    pub depths: u32,
    /// Whether confusing facts go in.
    pub confusing: bool,
    /// Whether rules are applied.
    pub replace: bool,
}

/// Puts a fact into the passages of a pool, in their order, at every depth of every level.
/// `question` says what is asked: its only document is the fact itself. `ends` finds the ends of
/// sentences.
///
/// Confusing facts go to the thirds of the text, the same at all depths. A level that the pool
/// cannot fill is unmixable; a depth goes to the sentence end that is nearest.
pub fn recall(
    set: &UnitId,
    question: &SetQuestion,
    pool: &Pool,
    options: &Recall,
    ends: &dyn Fn(&str) -> Vec<usize>,
    each: &mut dyn FnMut(&Context, &str),
) -> (Vec<Context>, Vec<Unmixable>) {
    let language = Language::of_tag(&question.language);
    let rules: Vec<Rule> = if options.replace { question.rules.clone() } else { Vec::new() };
    let replacer = Replacer::new(&rules, language);
    let fact = question.documents.first().map(|document| replacer.replaced(&document.text));
    let fact = fact.unwrap_or_default();
    let (mut contexts, mut unmixable) = (Vec::new(), Vec::new());
    for level in &options.levels {
        // The fact is invented: who bears a part of its names elsewhere is somebody else.
        let clean = |text: &str| leaves_clean(&replacer, &rules, language, text, &|_| false);
        let (passages, total) = filled(pool, length(&fact, language), *level, &clean);
        if total < *level || passages.is_empty() {
            let missing = level.saturating_sub(total);
            let detail = format!("{missing} {} are missing to reach {level}", unit(language));
            unmixable.push(Unmixable {
                level: *level,
                reason: Reason::new("too-few-distractors", detail),
            });
            continue;
        }
        let borders = Borders::new(pool, &passages, ends, language);
        for depth in 0..options.depths {
            let mut insertions =
                vec![borders.at(depth, options.depths, InsertionKind::Fact, &fact)];
            if options.confusing {
                let of = u32::try_from(question.confusing.len()).unwrap_or(0) + 2;
                insertions.extend((1..).zip(&question.confusing).map(|(at, text)| {
                    borders.at(at, of, InsertionKind::Confusing, &replacer.replaced(text))
                }));
            }
            insertions.sort_by_key(|one| (one.place, one.at));
            let replaced = |text: &String| replacer.replaced(text);
            let name = Context::level_name(*level);
            let confusing = insertions.iter().filter(|one| one.kind == InsertionKind::Confusing);
            let mut context = Context {
                id: format!("{set}_{name}/{}-{depth:03}", question.id),
                set: set.clone(),
                item: format!("{}-{depth:03}", question.id),
                level: *level,
                ablation: ablation(insertions.len() > 1, !rules.is_empty()).to_owned(),
                language: language.tag().to_owned(),
                question: replaced(&question.question),
                answers: question.answers.iter().map(replaced).collect(),
                keywords: replaced(&question.keywords),
                confusing: confusing.map(|one| one.text.clone()).collect(),
                heading: Heading::Plain,
                passages: passages.clone(),
                rules: rules.clone(),
                evidence: Vec::new(),
                decile: u8::try_from((depth * 10 / options.depths.max(1)).min(9)).unwrap_or(9),
                flagged: Vec::new(),
                length: 0,
                symbols: 0,
                insertions,
            };
            let at = context.insertions.iter().position(|one| one.kind == InsertionKind::Fact);
            let text = finish(&mut context, &replacer, pool, |places| {
                at.map(|at| places.insertions[at].clone()).into_iter().collect()
            });
            let last = passages.last().map_or(0, |last| pool.passages[*last as usize].length);
            if let Some(reason) = too_long(&context, last) {
                unmixable.push(Unmixable { level: *level, reason });
                break;
            }
            each(&context, &text);
            contexts.push(context);
        }
    }
    (contexts, unmixable)
}

/// Passages that make a length up to the level, as far as the pool goes, and the length then.
fn filled(
    pool: &Pool,
    mut total: u32,
    level: u32,
    clean: &dyn Fn(&str) -> bool,
) -> (Vec<u32>, u32) {
    let mut passages = Vec::new();
    // A long document stands there in pieces, and whole only where it is some question's evidence.
    let single = pool.passages().iter().zip(&pool.facts).filter(|(_, fact)| fact.distracts);
    for (passage, _) in single {
        if total >= level {
            break;
        }
        if clean(&passage.text) {
            passages.push(passage.number);
            total += passage.length;
        }
    }
    (passages, total)
}

/// The ends of sentences in some passages where a fact may stand, the beginning and the end of all.
struct Borders {
    /// Bytes before it in the whole, its passage, its byte there.
    all: Vec<(u64, u32, u32)>,
    whole: u64,
}

impl Borders {
    fn new(
        pool: &Pool,
        passages: &[u32],
        ends: &dyn Fn(&str) -> Vec<usize>,
        language: Language,
    ) -> Self {
        let (mut all, mut prose, mut whole) = (vec![(0, 0, 0)], vec![(0, 0, 0)], 0_u64);
        for (place, number) in (0..).zip(passages) {
            let text = pool.text(*number);
            let ends = ends(text);
            let border =
                |end: &usize| (whole + *end as u64, place, u32::try_from(*end).unwrap_or(u32::MAX));
            all.extend(ends.iter().map(border));
            prose.extend(borders(text, &ends, language).iter().map(border));
            whole += text.len() as u64;
        }
        // Where little of a text is prose in long lines, depth counts for more than where a fact stands.
        if prose.len() * 8 >= all.len() {
            prose.extend(all.last());
            prose.dedup();
            all = prose;
        }
        Self { all, whole }
    }

    /// A sentence at this of so many depths.
    fn at(&self, depth: u32, of: u32, kind: InsertionKind, text: &str) -> Insertion {
        let wanted = (self.whole * u64::from(depth))
            .checked_div(u64::from(of.saturating_sub(1)))
            .unwrap_or(0);
        let behind = self.all.partition_point(|(before, _, _)| *before < wanted);
        let near = [behind.saturating_sub(1), behind.min(self.all.len() - 1)];
        let (_, place, at) = near
            .map(|at| self.all[at])
            .into_iter()
            .min_by_key(|(before, _, _)| before.abs_diff(wanted))
            .expect("the beginning is always there");
        Insertion { kind, text: text.to_owned(), place, at, span: Span::default() }
    }
}
