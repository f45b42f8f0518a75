//! The sentences that a reader needs first.

use crate::{
    paired::Pair,
    report::{Part, Report},
    words::{decimal, number},
};

/// What came out, in a sentence or two for each part.
pub(super) fn lead(report: &Report) -> Vec<String> {
    report.parts.iter().filter_map(of_part).collect()
}

fn of_part(part: &Part) -> Option<String> {
    let accuracy = part.is_right_or_wrong();
    let first = part.systems.first()?;
    let setting = part.systems.iter().map(|system| system.setting.as_str());
    let setting = setting.min_by_key(|setting| crate::collect::place_of(setting))?;
    if let Some(pair) = part.pairs.iter().find(|pair| pair.setting == setting) {
        return Some(of_pair(pair, part));
    }
    let best = part.systems.iter().filter(|system| system.setting == setting);
    let best = best
        .max_by(|one, other| {
            one.cell.value.unwrap_or(0.0).total_cmp(&other.cell.value.unwrap_or(0.0))
        })
        .unwrap_or(first);
    let value = decimal(best.cell.value?);
    let what = if accuracy {
        format!("is right on {value} of {}", number(best.cell.questions, part.noun()))
    } else {
        format!(
            "has a mean {} of {value} on {}",
            part.measure,
            number(best.cell.questions, part.noun())
        )
    };
    let interval = match best.cell.low.zip(best.cell.high) {
        Some((low, high)) => format!(" (interval {} to {})", decimal(low), decimal(high)),
        None => " (no interval: fewer than 5 books, or one author)".to_owned(),
    };
    Some(format!("{} {what}{interval}, setting {}.", best.model, best.setting))
}

/// A pair in a sentence.
pub(super) fn of_pair(pair: &Pair, part: &Part) -> String {
    let (left, right) = (&pair.left, &pair.right);
    let value = pair.difference.value.unwrap_or(0.0);
    let common = format!(
        "{} of {} that both were shown whole, setting {}",
        number(pair.common, part.noun()),
        number(left.common.books, "book"),
        pair.setting
    );
    let sides = {
        let [left_value, right_value] =
            [left, right].map(|side| decimal(side.common.value.unwrap_or(0.0)));
        let (left, right) = (&left.model, &right.model);
        if part.is_right_or_wrong() {
            format!("{left} is right on {left_value}, {right} on {right_value}")
        } else {
            format!("{left} has a mean of {left_value}, {right} of {right_value}")
        }
    };
    let more = decimal(value);
    let Some((low, high)) = pair.difference.low.zip(pair.difference.high) else {
        return format!(
            "{sides}: {more} more ({common}). There is no interval: fewer than 5 books, or one author, say too little about others."
        );
    };
    let interval = format!("interval {} to {}", decimal(low), decimal(high));
    if low <= 0.0 {
        return format!("No difference is shown: {sides}, {more} more ({interval}; {common}).");
    }
    format!("{sides}: {more} more ({interval}; {common}).")
}
