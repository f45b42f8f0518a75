//! The contexts of one question at all levels.

use storymill_core::{Context, Heading, Reason, Rule, Seed, SetQuestion, UnitId};
use storymill_text::Language;

use crate::{
    Mixed, Options, Pool, Replacer, Unmixable,
    borders::borders,
    job::{Job, mix64},
    language::{heading, length, unit},
    layout::{Piece, Target, WHOLE, order, sides},
    recipe::{Placed, Plan, too_long},
};

/// Mixes the contexts of a row. `turn` is its turn among the chosen questions, which decides its
/// depth; `ends` finds the ends of sentences, behind the blanks; `each` sees every recipe with its
/// text.
///
/// Laws: where they are nested, a shorter context is a longer one with passages left out; a context is as long as its
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
    let language = Language::of_tag(&question.language);
    let rules: &[Rule] = if options.replace { &question.rules } else { &[] };
    let job = Job {
        set,
        question,
        pool,
        options,
        language,
        heading: options.heading.unwrap_or(if language == Language::Chinese {
            Heading::Chinese
        } else {
            Heading::Released
        }),
        rules,
        replacer: Replacer::new(rules, language),
        seed,
    };
    let own = pool.documents(row);
    let supporting: Vec<u32> =
        question.supporting.iter().filter_map(|at| own.get(*at as usize).copied()).collect();
    job.run(&supporting, turn, ends, each)
}

/// Levels that share an order of passages, and what their lots are named by.
struct Draw<'l> {
    levels: &'l [u32],
    name: String,
    depth: String,
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
        if self.options.bare {
            let (context, text) = self.bare();
            each(&context, &text);
            mixed.contexts.push(context);
            return mixed;
        }
        let levels = &self.options.levels;
        let draws: Vec<Draw<'_>> = if self.options.nested {
            vec![Draw { levels, name: String::new(), depth: String::new() }]
        } else {
            let own = |level: &u32| format!("-{level}");
            levels
                .chunks(1)
                .map(|levels| Draw {
                    levels,
                    name: own(&levels[0]),
                    depth: if self.options.same_depth { String::new() } else { own(&levels[0]) },
                })
                .collect()
        };
        for draw in &draws {
            self.draw(draw, supporting, turn, ends, each, &mut mixed);
        }
        mixed
    }

    /// Mixes the levels that share an order of passages.
    fn draw(
        &self,
        draw: &Draw<'_>,
        supporting: &[u32],
        turn: usize,
        ends: &dyn Fn(&str) -> Vec<usize>,
        each: &mut dyn FnMut(&Context, &str),
        mixed: &mut Mixed,
    ) {
        let highest = draw.levels.last().copied().unwrap_or(0);
        let (groups, decile, targets) = self.groups(supporting, turn, &draw.depth);
        let own: u32 = supporting.iter().map(|number| self.length(*number)).sum();
        let (chosen, flagged) = self.distractors(supporting, own, highest, &draw.name, mixed);
        let salt = self.salt(&format!("order{}", draw.name));
        let pieces: Vec<Piece> = chosen
            .iter()
            .map(|number| {
                let fact = self.pool.facts[*number as usize];
                Piece { symbols: fact.symbols, rank: mix64(fact.hash ^ salt) }
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
        for level in draw.levels {
            match self.cut(*level, own, supporting.len(), &chosen) {
                Err(reason) => mixed.unmixable.push(Unmixable { level: *level, reason }),
                Ok(count) => {
                    let placed = facts.get_or_insert_with(|| {
                        self.place(&chosen[..count], supporting, &draw.name, ends)
                    });
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
                    let last = count.checked_sub(1).map_or(0, |last| self.length(chosen[last]));
                    if let Some(reason) = too_long(&context, last) {
                        mixed.unmixable.push(Unmixable { level: *level, reason });
                        continue;
                    }
                    each(&context, &text);
                    mixed.contexts.push(context);
                }
            }
        }
    }

    /// The pieces of evidence with their documents, the tenth of the first, and where each is wanted.
    fn groups(
        &self,
        supporting: &[u32],
        turn: usize,
        draw: &str,
    ) -> (Vec<Vec<usize>>, u8, Vec<Target>) {
        let count = if self.options.disperse { supporting.len().max(1) } else { 1 };
        let first = if self.options.balance {
            // Of each ten questions every tenth of the context gets one.
            let mut tenths: Vec<u64> = (0..10).collect();
            let block = format!("{}{draw}", turn / 10);
            self.seed.derive("mix", self.set, &block, "tenths").shuffle(&mut tenths);
            tenths[turn % 10]
        } else {
            u64::from(self.stream(&format!("tenth{draw}")).below(10))
        };
        let tenth = WHOLE / 10;
        let wanted: Vec<u64> =
            (0..count as u64).map(|at| (first + at * 10 / count as u64) % 10).collect();
        let mut order: Vec<usize> = (0..supporting.len()).collect();
        if !self.options.disperse {
            let target = wanted[0] * tenth + tenth / 2;
            return (vec![order], u8::try_from(first).unwrap_or(0), vec![target]);
        }
        self.stream(&format!("documents{draw}")).shuffle(&mut order);
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
        let head = |number: usize| length(&heading(self.heading, number), self.language);
        let mut total = own + (1..=supporting).map(head).sum::<u32>();
        if total > level {
            let detail = format!(
                "the evidence alone has {total} {}, and the level is {level}",
                unit(self.language)
            );
            return Err(Reason::new("evidence-too-long", detail));
        }
        let mut count = 0;
        while total < level {
            let Some(number) = chosen.get(count) else {
                let detail = format!(
                    "{} {} are missing to reach {level}: the set has too few documents to distract with",
                    level - total,
                    unit(self.language)
                );
                return Err(Reason::new("too-few-distractors", detail));
            };
            count += 1;
            total += self.length(*number) + head(supporting + count);
        }
        Ok(count)
    }

    /// Where confusing facts go: between two sentences of prose, at the same places of the same
    /// passages at all levels that share their passages, so in those of the shortest context.
    fn place(
        &self,
        chosen: &[u32],
        supporting: &[u32],
        draw: &str,
        ends: &dyn Fn(&str) -> Vec<usize>,
    ) -> Vec<Placed> {
        if !self.options.confusing {
            return Vec::new();
        }
        let mut stream = self.stream(&format!("confusing{draw}"));
        let mut free: Vec<u32> = chosen.to_vec();
        stream.shuffle(&mut free);
        let prose = |passage: u32| {
            let text = self.pool.text(passage);
            borders(text, &ends(text), self.language)
        };
        let any = |passage: u32| {
            let mut borders = ends(self.pool.text(passage));
            borders.pop();
            borders
        };
        let with = |borders: &dyn Fn(u32) -> Vec<usize>| -> Vec<(u32, Vec<usize>)> {
            let all = free.iter().map(|passage| (*passage, borders(*passage)));
            all.filter(|(_, borders)| !borders.is_empty())
                .take(self.question.confusing.len())
                .collect()
        };
        let mut fit = with(&prose);
        // Passages of short lines are taken if there are no others, and those of a single sentence,
        // which have no place between two, if there are none but such.
        if fit.is_empty() {
            fit = with(&any);
        }
        if fit.is_empty() {
            fit.extend(free.iter().chain(supporting).map(|passage| (*passage, Vec::new())));
        }
        let mut placed = Vec::new();
        for (at, text) in self.question.confusing.iter().enumerate() {
            // With fewer passages than facts the last one has several.
            let Some((passage, borders)) = fit.get(at).or(fit.last()) else { continue };
            let end = self.pool.text(*passage).len();
            let byte = stream.choose(borders).copied().unwrap_or(end);
            placed.push(Placed { text: text.clone(), passage: *passage, at: byte });
        }
        placed
    }
}

#[cfg(test)]
mod tests;
