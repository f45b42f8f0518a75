//! The contexts of one question at all levels.

use storymill_core::{Context, Heading, Reason, Rule, Seed, SetQuestion, Stream, UnitId};

use crate::{
    Language, Pool, Replacer,
    language::heading,
    layout::{Piece, Target, WHOLE, order, sides},
    pool::hash,
    recipe::{Placed, Plan},
};

/// How contexts are mixed.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that users turn")]
pub struct Options {
    /// The lengths that are wanted, by LV-Eval's rule, ascending.
    pub levels: Vec<u32>,
    /// The line above each passage; the language's own where nobody chose one.
    pub heading: Option<Heading>,
    /// Whether each supporting document has a place of its own; else they stand together.
    pub disperse: bool,
    /// Whether the depths of evidence are balanced over questions, a tenth each; else drawn.
    pub balance: bool,
    /// Whether confusing facts go in.
    pub confusing: bool,
    /// Whether rules are applied.
    pub replace: bool,
    /// Whether passages that hold the answer are kept and flagged; else they distract nobody.
    pub flag: bool,
}

/// A level that could not be mixed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmixable {
    /// The level.
    pub level: u32,
    /// Why.
    pub reason: Reason,
}

/// What came of one question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mixed {
    /// The recipes, a level each.
    pub contexts: Vec<Context>,
    /// The levels that could not be mixed.
    pub unmixable: Vec<Unmixable>,
    /// How many passages were passed over because they hold the answer.
    pub answered: u32,
    /// How many were passed over because rules do not leave them clean.
    pub unclean: u32,
}

/// Mixes the contexts of a row. `turn` is its turn among the chosen questions, which decides its
/// depth; `ends` finds the ends of sentences, behind the blanks; `each` sees every recipe with its
/// text.
///
/// Laws: a shorter context is a longer one with passages left out; a context is as long as its
/// level, and longer by less than a passage and what edits add; choices hang on the question's id,
/// on the texts of passages and on the seed, so that a passage more changes few of them.
#[expect(clippy::too_many_arguments, reason = "each is another thing that a context is made of")]
pub fn mix(
    set: &UnitId,
    row: usize,
    question: &SetQuestion,
    pool: &Pool,
    options: &Options,
    turn: usize,
    seed: Seed,
    ends: &dyn Fn(&str) -> Vec<usize>,
    each: &mut dyn FnMut(&Context, &str),
) -> Mixed {
    let language = Language::of_tag(&question.language).unwrap_or(Language::English);
    let rules: &[Rule] = if options.replace { &question.rules } else { &[] };
    let job = Job {
        set,
        question,
        pool,
        options,
        language,
        heading: options.heading.unwrap_or(language.heading()),
        rules,
        replacer: Replacer::new(rules, language),
        seed,
    };
    let own = pool.documents(row);
    let supporting: Vec<u32> =
        question.supporting.iter().filter_map(|at| own.get(*at as usize).copied()).collect();
    job.run(&supporting, turn, ends, each)
}

pub(crate) struct Job<'a> {
    pub(crate) set: &'a UnitId,
    pub(crate) question: &'a SetQuestion,
    pub(crate) pool: &'a Pool,
    pub(crate) options: &'a Options,
    pub(crate) language: Language,
    pub(crate) heading: Heading,
    pub(crate) rules: &'a [Rule],
    pub(crate) replacer: Replacer,
    pub(crate) seed: Seed,
}

impl Job<'_> {
    fn run(
        &self,
        supporting: &[u32],
        turn: usize,
        ends: &dyn Fn(&str) -> Vec<usize>,
        each: &mut dyn FnMut(&Context, &str),
    ) -> Mixed {
        let mut mixed = Mixed::default();
        let highest = self.options.levels.last().copied().unwrap_or(0);
        let (groups, decile, targets) = self.groups(supporting, turn);
        let own: u32 = supporting.iter().map(|number| self.length(*number)).sum();
        let (chosen, flagged) = self.distractors(supporting, own, highest, &mut mixed);
        let pieces: Vec<Piece> = chosen
            .iter()
            .map(|number| {
                let fact = self.pool.facts[*number as usize];
                Piece { symbols: fact.symbols, rank: mix64(fact.hash ^ self.salt("order")) }
            })
            .collect();
        let evidence: Vec<u64> = groups
            .iter()
            .map(|group| {
                group.iter().map(|at| self.pool.facts[supporting[*at] as usize].symbols).sum()
            })
            .collect();
        let sides = sides(&evidence, &targets, &pieces);
        let mut facts: Option<Vec<Placed>> = None;
        for level in &self.options.levels {
            match self.cut(*level, own, supporting.len(), &chosen) {
                Err(reason) => mixed.unmixable.push(Unmixable { level: *level, reason }),
                Ok(count) => {
                    let placed =
                        facts.get_or_insert_with(|| self.place(&chosen[..count], supporting, ends));
                    let slots = order(groups.len(), &sides[..count], &pieces[..count]);
                    let plan = Plan {
                        level: *level,
                        slots: &slots,
                        groups: &groups,
                        chosen: &chosen,
                        supporting,
                        decile,
                    };
                    let (mut context, text) = self.context(&plan, placed);
                    context.flagged = flagged
                        .iter()
                        .copied()
                        .filter(|one| context.passages.contains(one))
                        .collect();
                    each(&context, &text);
                    mixed.contexts.push(context);
                }
            }
        }
        mixed
    }

    /// The pieces of evidence with their documents, the tenth of the first, and where each is wanted.
    fn groups(&self, supporting: &[u32], turn: usize) -> (Vec<Vec<usize>>, u8, Vec<Target>) {
        let count = if self.options.disperse { supporting.len().max(1) } else { 1 };
        let first = if self.options.balance {
            // Of each ten questions every tenth of the context gets one.
            let mut tenths: Vec<u64> = (0..10).collect();
            let block = format!("{}", turn / 10);
            self.seed.derive("mix", self.set, &block, "tenths").shuffle(&mut tenths);
            tenths[turn % 10]
        } else {
            u64::from(self.stream("tenth").below(10))
        };
        let tenth = WHOLE / 10;
        let wanted: Vec<u64> =
            (0..count as u64).map(|at| (first + at * 10 / count as u64) % 10).collect();
        let mut order: Vec<usize> = (0..supporting.len()).collect();
        if !self.options.disperse {
            let target = wanted[0] * tenth + tenth / 2;
            return (vec![order], u8::try_from(first).unwrap_or(0), vec![target]);
        }
        self.stream("documents").shuffle(&mut order);
        let mut both: Vec<(u64, usize)> = wanted.into_iter().zip(order).collect();
        both.sort_unstable();
        let lowest = both.first().map_or(0, |(tenth, _)| *tenth);
        let groups = both.iter().map(|(_, at)| vec![*at]).collect();
        let targets = both.iter().map(|(at, _)| at * tenth + tenth / 2).collect();
        (groups, u8::try_from(lowest).unwrap_or(0), targets)
    }

    /// How many distractors the level takes.
    fn cut(
        &self,
        level: u32,
        own: u32,
        supporting: usize,
        chosen: &[u32],
    ) -> Result<usize, Reason> {
        if supporting == 0 {
            return Err(Reason::new("no-evidence", "the question has no supporting document"));
        }
        let head = |number: usize| self.language.length(&heading(self.heading, number));
        let mut total = own + (1..=supporting).map(head).sum::<u32>();
        if total > level {
            let detail = format!(
                "the evidence alone has {total} {}, and the level is {level}",
                self.language.unit()
            );
            return Err(Reason::new("evidence-too-long", detail));
        }
        let mut count = 0;
        while total < level {
            let Some(number) = chosen.get(count) else {
                let detail = format!(
                    "{} {} are missing to reach {level}: the set has too few documents to distract with",
                    level - total,
                    self.language.unit()
                );
                return Err(Reason::new("too-few-distractors", detail));
            };
            count += 1;
            total += self.length(*number) + head(supporting + count);
        }
        Ok(count)
    }

    /// Where confusing facts go: the same passages and places at all levels, so in those of the
    /// shortest context.
    fn place(
        &self,
        chosen: &[u32],
        supporting: &[u32],
        ends: &dyn Fn(&str) -> Vec<usize>,
    ) -> Vec<Placed> {
        if !self.options.confusing {
            return Vec::new();
        }
        let mut stream = self.stream("confusing");
        let mut free: Vec<u32> = chosen.to_vec();
        stream.shuffle(&mut free);
        let mut placed = Vec::new();
        for (at, text) in self.question.confusing.iter().enumerate() {
            // With fewer passages than facts the last one has several.
            let Some(passage) =
                free.get(at.min(free.len().saturating_sub(1))).or(supporting.first())
            else {
                continue;
            };
            let borders = ends(self.pool.text(*passage));
            let inner = &borders[..borders.len().saturating_sub(1)];
            let end = self.pool.text(*passage).len();
            let byte = stream.choose(inner).copied().unwrap_or(end);
            placed.push(Placed { text: text.clone(), passage: *passage, at: byte });
        }
        placed
    }

    pub(crate) fn length(&self, number: u32) -> u32 {
        self.pool.passages[number as usize].length
    }

    fn stream(&self, purpose: &str) -> Stream {
        self.seed.derive("mix", self.set, &self.question.id, purpose)
    }

    pub(crate) fn salt(&self, purpose: &str) -> u64 {
        let root = self.seed.root().to_le_bytes();
        let parts = [
            &root[..],
            self.set.as_str().as_bytes(),
            self.question.id.as_bytes(),
            purpose.as_bytes(),
        ];
        hash(&parts.join(&0))
    }
}

/// A number that hangs on every bit of another (the last step of SplitMix64).
pub(crate) fn mix64(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
#[path = "mix_tests.rs"]
mod tests;
