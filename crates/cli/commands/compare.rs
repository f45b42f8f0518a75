//! `storymill inspect --compare`: a dataset's figures beside those of a published one.

use std::io::Write;

use serde_json::{Number, Value, json};
use storymill::Site;
use storymill_dataset::{Compared, NARRATIVE_XL, Original, Query, compare};

use crate::{
    args::{self, Format},
    exit::{DONE, Exit, Failure},
    table::Table,
};

pub(crate) fn run(
    args: &args::Inspect,
    site: &Site,
    query: &Query,
    original: args::Original,
) -> Result<Exit, Failure> {
    let original = match original {
        args::Original::NarrativeXl => NARRATIVE_XL,
    };
    let compared = compare(site, query, &original)?;
    if args.format == Format::Json {
        return super::json(&as_json(&compared, &original));
    }
    let head = ["", ">ours", &format!(">{}", original.name), "place"];
    let mut table = Table::new(&head);
    for one in &compared {
        let told = |tenths| in_words(tenths, one.is_count);
        let ours = one.ours_tenths.map_or_else(|| "-".to_owned(), told);
        table.row([one.what.to_owned(), ours, told(one.theirs_tenths), one.place.to_owned()]);
    }
    let mut out = crate::screen::out();
    write!(out, "{table}")?;
    writeln!(out, "\n{}: {}", original.name, original.paper)?;
    Ok(DONE)
}

/// Counts whole, all else with one decimal.
fn in_words(tenths: u64, is_count: bool) -> String {
    if is_count { (tenths / 10).to_string() } else { format!("{}.{}", tenths / 10, tenths % 10) }
}

fn as_json(compared: &[Compared], original: &Original) -> Value {
    let number = |tenths: u64, one: &Compared| -> Option<Number> {
        in_words(tenths, one.is_count).parse().ok()
    };
    let row = |one: &Compared| {
        json!({
            "what": one.what.trim(), "ours": one.ours_tenths.and_then(|tenths| number(tenths, one)),
            "theirs": number(one.theirs_tenths, one), "place": one.place,
        })
    };
    let rows: Vec<_> = compared.iter().map(row).collect();
    json!({ "original": original.name, "paper": original.paper, "figures": rows })
}
