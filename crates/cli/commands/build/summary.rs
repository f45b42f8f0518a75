//! The last screen of a build: what is where, what was rejected, what it cost, what to type next.

mod job;
mod why;

use std::{collections::BTreeMap, io::Write, time::Duration};

use serde_json::json;
use storymill::{Asked, Built, Dataset, End};
use storymill_core::Context;
use storymill_llm::Cost;
use storymill_pipeline::StepReject;

use crate::{
    args::{self, Format, Messages},
    commands::bill,
    exit::Failure,
    next::{Next, on_shelf},
    progress::Progress,
    table::{self, Table, plain, plural, prose, typed},
};

/// The kinds of stages that stand in for a model that retells.
pub(in crate::commands) const BY_RULE: [&str; 2] = ["extract", "swap-facts"];

/// Items of a kind by step and reason: how many, and the first of them.
pub(super) fn counts(items: &[StepReject]) -> BTreeMap<(String, String), (u64, &StepReject)> {
    let mut counts = BTreeMap::new();
    for item in items {
        let key = (item.step.clone(), item.reject.reason.code.to_string());
        counts.entry(key).or_insert((0, item)).0 += 1;
    }
    counts
}

fn by_reason(items: &[StepReject]) -> Table {
    let mut table = Table::new(&["stage", "reason", ">items", "first of them"]);
    for ((step, reason), (count, first)) in counts(items) {
        let detail = cut(&first.reject.reason.detail);
        let first = format!("{}: {detail}", first.reject.item);
        table.row([step, reason, count.to_string(), first]);
    }
    table
}

/// The last screen.
pub(super) struct Summary<'a> {
    pub(super) built: &'a Built,
    pub(super) took: Duration,
    /// What is typed next where a dataset is published; nothing, and it is looked at.
    pub(super) next: &'a [String],
}

impl Summary<'_> {
    pub(super) fn show(&self, args: &args::Build) -> Result<(), Failure> {
        if args.message_format == Messages::Json {
            let mut value = self.as_json();
            value["event"] = json!("finished");
            Progress::json(&value);
            return Ok(());
        }
        if args.format == Format::Json {
            super::super::json(&self.as_json())?;
            return Ok(());
        }
        let mut out = crate::screen::out();
        self.steps(&mut out)?;
        self.rejects(&mut out)?;
        self.costs(&mut out)?;
        if matches!(self.built.end, End::Misses | End::StepsDone) {
            self.job(&mut out, args)?;
            return Ok(());
        }
        self.end(&mut out, args)?;
        Ok(())
    }

    fn steps(&self, out: &mut impl Write) -> std::io::Result<()> {
        let units = table::units(self.built.outcome.steps.iter().map(|step| &*step.kind));
        let mut table =
            Table::new(&["stage", "kind", units, ">rows", ">built", ">kept", ">time", ">asking"]);
        for step in &self.built.outcome.steps {
            table.row([
                step.name.clone(),
                step.kind.clone(),
                step.units.to_string(),
                step.rows.to_string(),
                step.made.to_string(),
                step.current.to_string(),
                seconds(step.time),
                if step.answers > 0 { seconds(step.asking) } else { "-".to_owned() },
            ]);
        }
        // What took no time has nothing to say.
        for (what, time) in self.beside().into_iter().filter(|(_, time)| time.as_millis() >= 5) {
            let mut row = ["-"; 8].map(str::to_owned);
            what.clone_into(&mut row[0]);
            row[6] = seconds(time);
            table.row(row);
        }
        table.drop_empty();
        write!(out, "{table}")
    }

    /// What took time beside the steps, so that all rows add up to the whole.
    fn beside(&self) -> [(&'static str, Duration); 3] {
        let [publishing, audit] = self.built.publishing;
        let steps = self.built.outcome.steps.iter().map(|step| step.time + step.asking);
        let known = steps.sum::<Duration>() + publishing;
        [
            ("publishing", publishing.saturating_sub(audit)),
            ("audit of it", audit),
            ("all else", self.took.saturating_sub(known)),
        ]
    }

    pub(super) fn rejects(&self, out: &mut impl Write) -> std::io::Result<()> {
        let (rejects, left_out) = (&self.built.outcome.rejects, &self.built.outcome.left_out);
        if !rejects.is_empty() {
            let expected = match self.built.workflow.publish.expected_rejects {
                Some(expected) => format!("{expected} expected"),
                None => "1 in 10 of a step's items is expected, and no whole book".to_owned(),
            };
            writeln!(out, "\n{} rejected ({expected}):", rejects.len())?;
            write!(out, "{}", by_reason(rejects))?;
        }
        if !left_out.is_empty() {
            writeln!(out, "\n{} left out on purpose:", left_out.len())?;
            write!(out, "{}", by_reason(left_out))?;
        }
        Ok(())
    }

    /// What was asked in this run, by stage and model.
    pub(super) fn costs(&self, out: &mut impl Write) -> std::io::Result<()> {
        let mut sums = BTreeMap::<(&str, &str), (u64, Cost)>::new();
        for row in self.built.asked.iter().flat_map(|asked| &asked.ledger) {
            let (units, sum) = sums.entry((&row.stage, &row.model)).or_default();
            *units += 1;
            *sum += row.cost;
        }
        let (read, new) = self.answers();
        if read > 0 {
            let share = (2_000 * (read - new) + read) / (2 * read);
            writeln!(
                out,
                "\n{} read, {new} of them asked for in this run; {}.{} % were in the log",
                plural(read, "answer"),
                share / 10,
                share % 10
            )?;
        }
        if sums.is_empty() {
            return Ok(());
        }
        let rows = sums.into_iter().map(|((stage, model), (units, cost))| {
            let counts = [units, cost.requests, cost.answers].map(|count| count.to_string());
            let [units, requests, answers] = counts;
            ([stage.to_owned(), model.to_owned(), units, requests, answers], cost)
        });
        let head = ["stage asked", "model", ">units", ">requests", ">answers"];
        write!(out, "\n{}", Table::of_costs(head, false, rows))?;
        match self.built.asked.as_ref().and_then(bill::caches) {
            Some(caches) => writeln!(out, "{caches}"),
            None => Ok(()),
        }
    }

    /// How many answers the rows were made from, and how many of them this run asked for.
    pub(super) fn answers(&self) -> (u64, u64) {
        let read = self.built.outcome.steps.iter().map(|step| step.answers).sum();
        let asked = |asked: &Asked| {
            asked.answered_here + asked.ledger.iter().map(|row| row.cost.answers).sum::<u64>()
        };
        let new = self.built.asked.as_ref().map_or(0, asked);
        (read, new.min(read))
    }

    fn end(&self, out: &mut impl Write, args: &args::Build) -> std::io::Result<()> {
        let next = Next::of_build(args);
        if let Some(shelf) = &args.shelf {
            writeln!(
                out,
                "\nbuilt in {}, sealed in {}; nothing is published outside of it",
                seconds(self.took),
                shelf.display()
            )?;
            self.code(out)?;
            let place = on_shelf(Some(shelf), args.key.key.as_deref());
            return writeln!(out, "next: `storymill shelf list{place}`");
        }
        if self.built.end == End::Empty {
            let configs = plural(self.built.workflow.configs.len() as u64, "table");
            writeln!(
                out,
                "\nnothing is published: {configs} without a row, after {}",
                seconds(self.took)
            )?;
            return self.code(out);
        }
        let Some(dataset) = &self.built.dataset else {
            let pending =
                self.built.outcome.steps.iter().map(|step| step.pending).max().unwrap_or(0);
            let shard = args.shard.map(|shard| shard.to_string()).unwrap_or_default();
            writeln!(
                out,
                "\nshard {shard} is done in {}; {}",
                seconds(self.took),
                units_wait(pending)
            )?;
            self.code(out)?;
            if pending == 0 {
                return writeln!(out, "next: `{}`, which publishes it", next.build(""));
            }
            return writeln!(out, "next: the other shards, then `{}`", next.build(""));
        };
        self.published(out, dataset, &next)
    }

    fn published(
        &self,
        out: &mut impl Write,
        dataset: &Dataset,
        next: &Next<'_>,
    ) -> std::io::Result<()> {
        let (folder, manifest) = (dataset.folder(), dataset.manifest());
        let rows: u64 = manifest.files.iter().map(|file| file.rows).sum();
        let configs = &self.built.workflow.configs;
        let unchanged = self.built.end == End::Unchanged;
        let what = if unchanged { "is as it was" } else { "is published" };
        writeln!(
            out,
            "\n{} {} {what}: {} in {}, in {}",
            self.built.workflow.name,
            self.built.workflow.version,
            plural(rows, "row"),
            plural(configs.len() as u64, "config"),
            seconds(self.took)
        )?;
        writeln!(out, "  in      {}", folder.display())?;
        writeln!(out, "  digest  {}", manifest.digest)?;
        let of = |config: &str| -> u64 {
            let files = manifest.files.iter().filter(|file| file.config == config);
            files.map(|file| file.rows).sum()
        };
        let rows = configs.iter().map(|config| format!("{} {}", of(&config.name), config.name));
        let rows = rows.collect::<Vec<_>>().join(", ");
        writeln!(out, "{}", prose(&format!("  rows    {}", plain(&rows))))?;
        for removed in &self.built.removed {
            writeln!(out, "  removed {}", plain(removed))?;
        }
        if !self.built.books.is_empty() {
            let order =
                |split: &str| ["train", "validation", "test"].iter().position(|one| *one == split);
            let mut dealt: Vec<(&String, &usize)> = self.built.books.iter().collect();
            dealt.sort_by_key(|(split, _)| order(split).unwrap_or(usize::MAX));
            let dealt = dealt.into_iter().map(|(split, units)| format!("{units} {split}"));
            // Of a book, a story of a file of labels, a set: whatever a split deals.
            writeln!(out, "  splits  {}", dealt.collect::<Vec<_>>().join(", "))?;
        }
        if !self.built.lengths.is_empty() {
            let level = |(level, [least, most]): (&i32, &[u64; 2])| {
                let name = Context::level_name((*level).unsigned_abs());
                format!("{name} {least} to {most}")
            };
            let levels: Vec<_> = self.built.lengths.iter().map(level).collect();
            // Words, or characters: a dataset may have both languages.
            let line = format!("  lengths {} (words; characters in Chinese)", levels.join(", "));
            writeln!(out, "{}", prose(&line))?;
        }
        for shortcut in &self.built.shortcuts {
            writeln!(out, "{}", prose(&format!("shortcut {}", plain(shortcut))))?;
        }
        self.chosen(out)?;
        self.stand_ins(out)?;
        self.code(out)?;
        let reviews = self.built.outcome.reviews.len() as u64;
        if reviews > 0 {
            let (doubtful, undecided) = (plural(reviews, "decision"), self.built.outcome.undecided);
            let is_all = undecided.disputed == 0 && undecided.open as u64 == reviews;
            let undecided = if is_all { String::new() } else { format!(" ({undecided})") };
            let review = next.command("review", "");
            writeln!(out, "{doubtful} to look at{undecided}: `{review}`")?;
        }
        match self.next {
            [] => writeln!(out, "next: `storymill inspect {}`", typed(folder)),
            lines => writeln!(out, "next:\n  {}", lines.join("\n  ")),
        }
    }

    /// Retellings by rule build anything at once, and so are easily taken for the real thing.
    fn stand_ins(&self, out: &mut impl Write) -> std::io::Result<()> {
        let by_rule = self.built.outcome.steps.iter().filter(|step| BY_RULE.contains(&&*step.kind));
        let by_rule: Vec<_> = by_rule.map(|step| format!("`{}`", step.name)).collect();
        if by_rule.is_empty() {
            return Ok(());
        }
        let names = by_rule.join(" and ");
        writeln!(out, "note: {names} made by rule, a stand-in for a model: not for a benchmark")
    }

    pub(super) fn as_json(&self) -> serde_json::Value {
        let steps: Vec<_> = self
            .built
            .outcome
            .steps
            .iter()
            .map(|step| {
                json!({
                    "step": step.name, "kind": step.kind, "units": step.units, "rows": step.rows,
                    "built": step.made, "kept": step.current, "pending": step.pending, "answers": step.answers, "rounds": step.rounds,
                    "milliseconds": milliseconds(step.time), "milliseconds_asking": milliseconds(step.asking),
                })
            })
            .collect();
        let items = |items: &[StepReject]| -> Vec<_> {
            let item = |r: &StepReject| json!({ "step": r.step, "unit": r.unit, "item": r.reject.item, "reason": r.reject.reason, "span": r.reject.span });
            items.iter().map(item).collect()
        };
        let (rejects, left_out) =
            (items(&self.built.outcome.rejects), items(&self.built.outcome.left_out));
        let current = self.built.end == End::Unchanged;
        let published = self.built.dataset.as_ref().map(|dataset| {
            let manifest = dataset.manifest();
            json!({ "folder": dataset.folder(), "current": current, "digest": manifest.digest, "files": manifest.files })
        });
        json!({
            "name": self.built.workflow.name, "version": self.built.workflow.version, "steps": steps, "rejects": rejects,
            "answers": { "read": self.answers().0, "asked": self.answers().1 },
            "left_out": left_out, "reviews": self.built.outcome.reviews.len(), "undecided": self.built.outcome.undecided, "lapsed": self.built.outcome.lapsed,
            "empty": self.built.end == End::Empty, "ledger": self.built.asked.as_ref().map(|asked| &asked.ledger),
            "expected_rejects": self.built.workflow.publish.expected_rejects,
            "unexpected_rejects": self.built.unexpected_rejects(),
            "missing": self.built.outcome.missing, "milliseconds": milliseconds(self.took), "lengths": self.built.lengths,
            "milliseconds_beside": self.beside().map(|(what, time)| (what, milliseconds(time))).into_iter().collect::<BTreeMap<_, _>>(),
            "used": self.built.asked.as_ref().map(|asked| asked.cost().as_json()),
            "published": published,
        })
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn units_wait(pending: u64) -> String {
    match pending {
        0 => "no unit waits for another shard".to_owned(),
        1 => "1 unit waits for another shard".to_owned(),
        _ => format!("{pending} units wait for other shards"),
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

/// The beginning of a text, in one line.
pub(super) fn cut(text: &str) -> String {
    let line: String =
        text.chars().take(80).map(|symbol| if symbol == '\n' { ' ' } else { symbol }).collect();
    if text.chars().count() > 80 { format!("{line}…") } else { line }
}
