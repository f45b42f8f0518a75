//! How far a version may go up.

use serde::Serialize;

use super::{AnswerChange, TableChange};

/// Whether users of the old version are in for a surprise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The same rows.
    Same,
    /// Rows were added, or texts changed whose answers stand.
    Differs,
    /// Rows changed, and only their locks were compared: whether answers are among what changed cannot be told.
    Unsure,
    /// Ids or columns are gone, rows moved between splits, or answers changed: scores on the old
    /// version say nothing of this one.
    Breaking,
}

/// The least step by which a version should go up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// None: nothing changed.
    None,
    /// 1.2.3 to 1.2.4: the card, or texts whose answers stand.
    Patch,
    /// 1.2.3 to 1.3.0: more rows or columns.
    Minor,
    /// 1.2.3 to 2.0.0: what was there is gone or has another answer.
    Major,
}

pub(super) fn of(tables: &[TableChange], answers: &[AnswerChange], card: bool) -> (Verdict, Step) {
    let any = |is: &dyn Fn(&TableChange) -> bool| tables.iter().any(is);
    let gone = any(&|table| {
        let rows = table.rows();
        rows.removed + rows.moved > 0
            || !table.columns_removed.is_empty()
            || !table.columns_retyped.is_empty()
    });
    if gone || !answers.is_empty() {
        return (Verdict::Breaking, Step::Major);
    }
    if any(&|table| table.rows().added > 0 || !table.columns_added.is_empty()) {
        return (Verdict::Differs, Step::Minor);
    }
    if any(&|table| table.rows().changed > 0) {
        return (Verdict::Differs, Step::Patch);
    }
    (Verdict::Same, if card { Step::Patch } else { Step::None })
}

impl Step {
    /// The version that a step leads to; none if the version is no `1.2.3`.
    pub fn from(self, version: &str) -> Option<String> {
        let [major, minor, patch] = numbers(version)?;
        let [major, minor, patch] = match self {
            Self::None => [major, minor, patch],
            Self::Patch => [major, minor, patch.checked_add(1)?],
            Self::Minor => [major, minor.checked_add(1)?, 0],
            Self::Major if major == 0 => [0, minor.checked_add(1)?, 0],
            Self::Major => [major.checked_add(1)?, 0, 0],
        };
        Some(format!("{major}.{minor}.{patch}"))
    }

    /// Whether a version went up by at least this step; none if one of them is no `1.2.3`.
    pub fn is_taken(self, old: &str, new: &str) -> Option<bool> {
        Some(numbers(new)? >= numbers(&self.from(old)?)?)
    }
}

/// The three numbers of a version; what follows `-` or `+` is left out.
fn numbers(version: &str) -> Option<[u64; 3]> {
    storymill_core::version(version.split(['-', '+']).next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_go_up() {
        let cases = [
            (Step::Major, "1.2.3", "2.0.0"),
            (Step::Major, "0.2.3", "0.3.0"),
            (Step::Minor, "1.2.3", "1.3.0"),
            (Step::Patch, "1.2.3-rc.1", "1.2.4"),
            (Step::None, "1.2.3", "1.2.3"),
        ];
        for (step, old, new) in cases {
            assert_eq!(step.from(old).as_deref(), Some(new));
            assert_eq!(step.is_taken(old, new), Some(true));
        }
        assert_eq!(Step::Minor.is_taken("1.2.3", "1.2.9"), Some(false));
        assert_eq!(Step::Minor.from("2026-11"), None);
        assert_eq!(Step::Patch.from("1.0.18446744073709551615"), None);
    }
}
