//! `labels check`: counts, contradictions, agreement.

use std::{collections::BTreeMap, io::Write};

use storymill_faithfulness::{
    annotators::Agreement,
    check::{Checked, Retellings, check},
    fables::Fables,
    found::Found,
};
use storymill_metrics::bootstrap::Plan;

use super::{text, unread};
use crate::{
    args::{Format, labels::LabelsCheck},
    exit::{DONE, Exit, FINDINGS, Failure},
    report,
    table::{Table, plural},
};

pub(super) fn run(args: &LabelsCheck) -> Result<Exit, Failure> {
    let json = text(&args.file)?;
    let plan = Plan { seed: args.seed, ..Plan::default() };
    let found = check(&json, &args.models, plan).map_err(|error| unread(&args.file, error))?;
    let exit = if found.defects() > 0 { FINDINGS } else { DONE };
    if args.format == Format::Json {
        super::super::json(&found)?;
        return Ok(exit);
    }
    let path = args.file.display();
    match &found {
        Checked::Retellings(found) => {
            show(found)?;
            for one in &found.dataset.defects {
                let place = format!("{path}, line {}, column {}", one.line, one.column);
                report::warn(&format!("{place}: `{}`: {}", one.id, one.what));
            }
        }
        Checked::Fables(found) => {
            fables(found)?;
            for one in &found.defects {
                report::warn(&format!("{path}: {}: {}", one.claim, one.what));
            }
        }
    }
    Ok(exit)
}

fn show(found: &Retellings) -> std::io::Result<()> {
    let mut out = crate::screen::out();
    let data = &found.dataset;
    writeln!(
        out,
        "{} of {}: {} faithful, {} not ({} easy to see, {} hard)",
        plural(data.summaries as u64, "retelling"),
        plural(data.stories as u64, "story"),
        data.faithful,
        data.summaries - data.faithful,
        data.easy,
        data.hard
    )?;
    writeln!(
        out,
        "{}, {}; {}\n",
        plural(data.sentences as u64, "sentence"),
        plural(data.sentence_labels as u64, "label"),
        counts(found.labels.iter().map(|(name, count)| (*name, *count)))
    )?;
    let mut table = Table::new(&["model", ">retellings", ">faithful", ">easy", ">hard"]);
    for (model, of) in &data.by_model {
        let numbers = [of.n, of.faithful, of.easy, of.hard].map(|number| number.to_string());
        table.row([model.clone()].into_iter().chain(numbers));
    }
    writeln!(out, "{table}")?;
    let mut table = Table::new(&["split", ">retellings", ">faithful"]);
    for (split, count) in &data.per_split {
        let faithful = data.faithful_by_split.get(split).copied().unwrap_or_default();
        table.row([split.clone(), count.to_string(), faithful.to_string()]);
    }
    writeln!(out, "{table}")?;
    if !found.kinds.is_empty() {
        let kinds = found.kinds.iter().map(|(name, count)| (name.as_str(), *count));
        writeln!(out, "sentences of each kind: {}\n", counts(kinds))?;
    }
    if found.people.is_empty() {
        return writeln!(out, "no votes: agreement is undefined");
    }
    let mut table = Table::new(&["protocol", "person", ">votes", ">adjudicated", ">errors"]);
    for person in &found.people {
        let name = if person.name.is_empty() { "(unknown)" } else { person.name.as_str() };
        let numbers = [person.votes, person.adjudicated, person.errors].map(|one| one.to_string());
        table.row([person.protocol.clone(), name.to_owned()].into_iter().chain(numbers));
    }
    writeln!(out, "{table}")?;
    agreement(&mut out, found)?;
    found.found.as_ref().map_or(Ok(()), |found| errors(&mut out, found))
}

fn agreement(out: &mut impl Write, found: &Retellings) -> std::io::Result<()> {
    let all = found.within.iter().chain(&found.between);
    let mut table = Table::new(&["agreement", "one", "other", ">sentences", ">agreed", "kappa"]);
    for of in all.clone() {
        for pair in &of.agreement.pairs {
            table.row([
                name(of),
                pair.one.clone(),
                pair.other.clone(),
                pair.items.to_string(),
                pair.agreed.to_string(),
                pair.kappa.told(3),
            ]);
        }
    }
    if all.clone().any(|of| !of.agreement.pairs.is_empty()) {
        writeln!(out, "{table}")?;
    }
    for of in all {
        let sentences = plural(of.agreement.items as u64, "sentence");
        writeln!(out, "alpha, {}: {} (on {sentences})", name(of), of.agreement.alpha.told(3))?;
    }
    Ok(())
}

fn name(of: &Agreement) -> String {
    if of.protocol.is_empty() { "between protocols".to_owned() } else { of.protocol.clone() }
}

fn errors(out: &mut impl Write, found: &Found) -> std::io::Result<()> {
    let mut table = Table::new(&["errors by", "found by", ">retellings", ">errors", ">only there"]);
    for by in &found.protocols {
        let who = if by.by_models { "models" } else { "people" };
        let numbers = [by.retellings, by.errors, by.alone].map(|number| number.to_string());
        table.row([by.protocol.clone(), who.to_owned()].into_iter().chain(numbers));
    }
    writeln!(out, "\n{table}")?;
    if found.compared > 0 {
        writeln!(
            out,
            "errors in {} that both looked at: {} found only by people, {} only by models, {} by both",
            plural(found.compared as u64, "retelling"),
            found.only_people,
            found.only_models,
            found.both
        )?;
    } else {
        writeln!(
            out,
            "no retelling has votes both of people and of models (`--models` names the protocols)"
        )?;
    }
    writeln!(
        out,
        "{} overruled by adjudication, {} with as many votes for as against",
        plural(found.overruled as u64, "sentence"),
        found.unsettled
    )?;
    if !found.otherwise.is_empty() {
        let ids = found.otherwise.join(", ");
        writeln!(out, "labels that are not the union of the protocols' verdicts: {ids}")?;
    }
    Ok(())
}

fn counts<'n>(all: impl Iterator<Item = (&'n str, usize)>) -> String {
    all.map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
}

fn fables(found: &Fables) -> std::io::Result<()> {
    let mut out = crate::screen::out();
    let of = |counts: &BTreeMap<&'static str, usize>| {
        let words = ["faithful", "partial", "unfaithful", "inapplicable"];
        words.map(|word| counts.get(word).copied().unwrap_or_default().to_string())
    };
    writeln!(
        out,
        "FABLES: {} of {} by {}; {} have no unfaithful or partial claim\n",
        plural(found.summaries as u64, "summary"),
        plural(found.books as u64, "book"),
        plural(found.models as u64, "model"),
        found.faithful
    )?;
    let mut table =
        Table::new(&["model", ">claims", ">faithful", ">partial", ">unfaithful", ">inapplicable"]);
    for (model, counts) in &found.by_model {
        let all = counts.values().sum::<usize>().to_string();
        table.row([model.clone(), all].into_iter().chain(of(counts)));
    }
    table.row(["all".to_owned(), found.claims.to_string()].into_iter().chain(of(&found.labels)));
    write!(out, "{table}")
}
