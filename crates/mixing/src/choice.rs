//! Which passages distract: enough for the highest level, none that holds the answer or that rules
//! do not leave clean.

use std::cell::OnceCell;

use aho_corasick::AhoCorasick;
use storymill_text::Language;

use crate::{
    Holds, Idle, Mixed, Replacer,
    job::{Job, mix64},
    parts::{is_common, words_of_name},
    survivor::leaves_clean,
};

impl Job<'_> {
    /// Enough passages to distract at the highest level, in the order of choice; and those that
    /// hold the answer, where they are kept.
    pub(crate) fn distractors(
        &self,
        supporting: &[u32],
        own: u32,
        highest: u32,
        draw: &str,
        mixed: &mut Mixed,
    ) -> (Vec<u32>, Vec<u32>) {
        let salt = self.salt(&format!("choice{draw}"));
        let mut order: Vec<(u64, u32)> = (0..)
            .zip(&self.pool.facts)
            .filter(|(_, fact)| fact.distracts)
            .map(|(number, fact)| (mix64(fact.hash ^ salt), number))
            .collect();
        let idle = Idle::of(self.language);
        let idle = |word: &str| idle.is(word);
        let question = self.question;
        let holds = Holds::new(&question.answers, &question.keywords, self.language, &idle);
        let cleaner = Cleaner::new(self);
        let (mut chosen, mut flagged) = (Vec::new(), Vec::new());
        let mut total = u64::from(own);
        // Sorted piece by piece: most of a big pool is never wanted.
        let (mut from, mut step) = (0, 1_024);
        while from < order.len() && total < u64::from(highest) {
            let upto = (from + step).min(order.len());
            if upto < order.len() {
                order[from..].select_nth_unstable(upto - from);
            }
            order[from..upto].sort_unstable();
            for (_, number) in &order[from..upto] {
                if total >= u64::from(highest) {
                    break;
                }
                let text = self.pool.text(*number);
                if supporting.contains(number) {
                    continue;
                }
                if !cleaner.is_clean(text) {
                    mixed.unclean += 1;
                    continue;
                }
                if holds.is_in(text) {
                    if !self.options.flag {
                        mixed.answered += 1;
                        continue;
                    }
                    flagged.push(*number);
                }
                total += u64::from(self.length(*number));
                chosen.push(*number);
            }
            (from, step) = (upto, step * 2);
        }
        (chosen, flagged)
    }
}

/// Tells passages that the question's rules leave clean, whether or not they are applied: so all
/// ablations are mixed from the same passages. Nearly all hold no word of any rule, in any capitals,
/// and need one look.
struct Cleaner<'a> {
    replacer: Replacer,
    any: Option<AhoCorasick>,
    job: &'a Job<'a>,
    /// Of each rule, whether its whole phrase stands in passages that may distract; looked for once.
    known: OnceCell<Vec<bool>>,
}

impl<'a> Cleaner<'a> {
    fn new(job: &'a Job<'a>) -> Self {
        let replacer = Replacer::new(&job.question.rules, job.language);
        // A phrase that is set otherwise is told by its longest word.
        let longest = job.question.rules.iter().filter_map(|rule| {
            let words = rule.from.split_whitespace();
            words.max_by_key(|word| word.len()).filter(|word| word.len() < rule.from.trim().len())
        });
        let rules = job.question.rules.iter();
        let parts = rules.flat_map(|rule| words_of_name(rule.from.trim()));
        let parts = parts.filter(|part| !is_common(part));
        let forms: Vec<&str> = replacer.forms().chain(longest).chain(parts).collect();
        // Capitals beyond ASCII are not seen by this search.
        let plain = forms.iter().all(|form| form.is_ascii()) && job.language != Language::Chinese;
        let any = (plain && !forms.is_empty()).then(|| {
            AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .build(&forms)
                .expect("the rules of one question are few and short")
        });
        Self { replacer, any, job, known: OnceCell::new() }
    }

    fn is_clean(&self, text: &str) -> bool {
        if self.replacer.is_empty() || self.any.as_ref().is_some_and(|any| !any.is_match(text)) {
            return true;
        }
        let known = |rule: usize| self.known()[rule];
        leaves_clean(&self.replacer, &self.job.question.rules, self.job.language, text, &known)
    }

    fn known(&self) -> &[bool] {
        self.known.get_or_init(|| {
            let mut known = vec![false; self.job.question.rules.len()];
            let pool = self.job.pool.passages.iter().zip(&self.job.pool.facts);
            for (passage, _) in pool.filter(|(_, fact)| fact.distracts) {
                let text = &passage.text;
                if self.any.as_ref().is_none_or(|any| any.is_match(text)) {
                    let whole = self.replacer.places(text).filter(|hit| !hit.part);
                    whole.for_each(|hit| known[hit.rule] = true);
                }
            }
            known
        })
    }
}
