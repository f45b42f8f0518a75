//! `storymill audit`: what of a dataset can be answered without understanding it.

use std::{io::Write, num::NonZeroUsize};

use storymill::{AuditOptions, Dataset};
use storymill_dataset::audit::{AuditFigures, AuditedSet, Exceeded, Figure, IntervalOf, Share};

use crate::{
    args::{self, Format},
    exit::{DONE, Exit, Failure, VERIFY},
    table::{Table, plain, plural, prose},
};

pub(crate) fn run(args: &args::Audit) -> Result<Exit, Failure> {
    let dataset = Dataset::open(&args.folder)?;
    let (config, without_book) = (args.config.clone(), args.without_book);
    let options = AuditOptions { config, without_book, sample: args.sample.map(NonZeroUsize::get) };
    let figures = dataset.audit(&options)?;
    let exceeded = dataset.exceeded(&figures)?;
    match args.format {
        Format::Json => _ = super::json(&figures)?,
        Format::Text => show(&figures, &exceeded)?,
    }
    Ok(if exceeded.is_empty() { DONE } else { VERIFY })
}

fn show(figures: &AuditFigures, exceeded: &[Exceeded]) -> std::io::Result<()> {
    let mut out = crate::screen::out();
    let (name, version) = (plain(&figures.name), plain(&figures.version));
    writeln!(out, "{}", prose(&format!("{name} {version}  digest {}", figures.digest)))?;
    if figures.sets.is_empty() {
        writeln!(out, "nothing is asked in these tables")?;
    }
    for set in &figures.sets {
        show_set(&mut out, set)?;
    }
    for one in exceeded {
        let Exceeded { config, kind, measure, found, limit } = one;
        let of = plain(&format!("{config} {kind}"));
        let (measure, of) = (measure.name(), of.trim());
        let text = format!("past its limit: {measure} in {of}: {:.4}, limit {limit}", found.value);
        writeln!(out, "{}", prose(&text))?;
    }
    Ok(())
}

fn show_set(out: &mut impl Write, set: &AuditedSet) -> std::io::Result<()> {
    let name = plain(&format!("{} {}", set.config, set.kind));
    let groups = if set.by_author {
        plural(set.groups, "group") + " of authors"
    } else {
        "authors unknown, each book by itself".to_owned()
    };
    let (questions, books) = (plural(set.questions, "question"), plural(set.books, "book"));
    let head = format!("== {}  {questions}, {books}, {groups}", name.trim());
    writeln!(out, "\n{}", prose(&head))?;
    if let Some(chance) = set.chance {
        let of = set.questions.to_string();
        let none = set
            .none_right
            .map_or(String::new(), |none| format!("; none of the above right in {none} of {of}"));
        let places = &set.positions;
        let text = format!("chance {chance:.3}; right answers by place {places:?}{none}");
        writeln!(out, "{}", prose(&text))?;
    }
    if set.figures.is_empty() {
        return writeln!(out, "free text without a text to copy: there is nothing to measure");
    }
    if set.sampled < set.questions {
        writeln!(
            out,
            "looked at {} of {}, {} of them in their books; `--sample N` looks at more",
            set.sampled,
            plural(set.questions, "question"),
            set.searched
        )?;
    }
    if set.broken > 0 {
        writeln!(out, "{} without a right option left out", plural(set.broken, "question"))?;
    }
    if set.equal_options > 0 {
        writeln!(out, "{} with two equal options", plural(set.equal_options, "question"))?;
    }
    let mut table =
        Table::new(&["measure", ">share", ">low", ">high", ">questions", "what it does"]);
    for figure in &set.figures {
        table.row(cells(figure));
    }
    write!(out, "{table}")?;
    for flagged in &set.flags {
        let asked = plural(flagged.questions, "question");
        writeln!(out, "{asked} of books flagged {}", plain(&flagged.flag))?;
    }
    Ok(())
}

fn cells(figure: &Figure) -> [String; 6] {
    let about = figure.measure.about().to_owned();
    let name = figure.measure.name().to_owned();
    let Some(Share { value, low, high, questions, interval }) = figure.share else {
        let none = || "-".to_owned();
        return [name, none(), none(), none(), none(), format!("undefined: {}", figure.undefined)];
    };
    let over = match interval {
        IntervalOf::Authors => "",
        IntervalOf::Books => " (interval over books)",
        IntervalOf::Questions => " (interval over single questions)",
    };
    let shares = [value, low, high].map(|share| format!("{share:.3}"));
    let [value, low, high] = shares;
    [name, value, low, high, questions.to_string(), about + over]
}
