//! How often a score of a system is published: each one tells a little of what is in the set.

use serde::{Deserialize, Serialize};
use storymill_core::{Digest, Fault, FaultKind};
use storymill_report::Matrix;
use storymill_shelf::sets::{Sets, place};

use crate::{
    calendar::{day, today},
    private::Sealed,
};

/// So many days lie between two scores of a system.
const DAYS: i64 = 30;
/// Which scores were published, a line each.
const SCORES: &str = "scores";

/// A score that was published.
#[derive(Serialize, Deserialize)]
struct Published {
    system: String,
    /// A digest over its verdicts: the same ones again tell nothing new.
    verdicts: Digest,
    date: String,
}

/// Notes that scores are published today.
///
/// # Errors
///
/// A system had another score less than 30 days ago, and nobody says that this one is published anyway.
pub(super) fn note(sealed: &Sealed, set: &str, matrix: &Matrix, anyway: bool) -> Result<(), Fault> {
    let known = Sets(&sealed.shelf).file(set, SCORES)?;
    let known = known.as_ref().map(|lines| lines.expose().as_slice()).unwrap_or_default();
    let known: Vec<Published> = known
        .split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect();
    let mut lines = String::new();
    for system in matrix.systems() {
        let words = matrix
            .pairs
            .iter()
            .filter_map(|row| Some(format!("{} {}", row.name(), row.results.get(system)?)));
        let words: Vec<String> = words.collect();
        let words = words.iter().map(String::as_bytes);
        let verdicts = Digest::of_parts("storymill 2026 published verdicts v1", words);
        let mut own = known.iter().filter(|one| one.system == *system);
        if own.clone().any(|one| one.verdicts == verdicts) {
            continue;
        }
        let age = |one: &Published| (0..DAYS).find(|ago| day(-ago) == one.date);
        if let Some((one, ago)) = own.find_map(|one| Some((one, age(one)?)))
            && !anyway
        {
            let message = format!(
                "another score of `{system}` was published on {}, less than {DAYS} days ago",
                one.date
            );
            let hint = format!(
                "each score tells a little of what is in the set: wait until {}, or say `--anyway`",
                day(DAYS - ago)
            );
            return Err(Fault::new(FaultKind::Input, message).hint(hint));
        }
        let one = Published { system: system.clone(), verdicts, date: today() };
        lines += &serde_json::to_string(&one).map_err(|error| {
            Fault::new(FaultKind::Internal, "cannot note a score").because(error)
        })?;
        lines.push('\n');
    }
    if lines.is_empty() {
        return Ok(());
    }
    sealed.shelf.change(|change| change.append(&place(set, SCORES), lines.as_bytes()))
}
