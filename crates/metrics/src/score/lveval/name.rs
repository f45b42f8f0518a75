//! What LV-Eval's names say: a set, a level, a language, a score.

use super::Score;

/// A set at a level, as a file is called: `hotpotwikiqa_mixup_16k`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    /// The set.
    pub(super) set: String,
    /// The level; 0 where the name has none.
    pub(super) level: u32,
}

/// Sets of LV-Eval in Chinese whose name does not end in `_zh`.
const CHINESE: [&str; 3] = ["cmrc_mixup", "lic_mixup", "dureader_mixup"];

impl Name {
    /// Reads a name, up to its first point.
    pub(super) fn of(name: &str) -> Self {
        let name = name.split('.').next().unwrap_or(name);
        let level = |digits: &str| {
            let (digits, times) = match digits.strip_suffix('k') {
                Some(digits) => (digits, 1_000),
                None => (digits, 1),
            };
            digits.parse::<u32>().ok()?.checked_mul(times)
        };
        let split = name.rsplit_once('_').and_then(|(set, digits)| Some((set, level(digits)?)));
        let (set, level) = split.unwrap_or((name, 0));
        Self { set: set.to_owned(), level }
    }

    /// The id of what stands on a line of a file of this name, where it says none.
    pub(super) fn id(&self, line: usize) -> String {
        match self.level {
            0 => format!("{}/{line}", self.set),
            level if level % 1_000 == 0 => format!("{}_{}k/{line}", self.set, level / 1_000),
            level => format!("{}_{level}/{line}", self.set),
        }
    }

    /// Whether its questions are in Chinese: LV-Eval's own sets by name, others by their letters.
    pub(super) fn is_chinese(&self, answers: &[String]) -> bool {
        let han = |letter: char| matches!(letter, '\u{4e00}'..='\u{9fff}');
        CHINESE.contains(&&self.set[..])
            || self.set.contains("_zh")
            || (!self.set.contains("_en") && answers.iter().any(|answer| answer.contains(han)))
    }
}

/// Which score LV-Eval's program gives a set: three of its sets have one of their own.
pub fn released(set: &str) -> Score {
    match set {
        "factrecall_en" | "factrecall_zh" => Score::PlainF1,
        "dureader_mixup" => Score::RougeL,
        _ => Score::AsReleased,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (text, set, level, id) in [
            (
                "hotpotwikiqa_mixup_16k.jsonl",
                "hotpotwikiqa_mixup",
                16_000,
                "hotpotwikiqa_mixup_16k/3",
            ),
            ("lanterns_1500", "lanterns", 1_500, "lanterns_1500/3"),
            ("factrecall_en", "factrecall_en", 0, "factrecall_en/3"),
            ("p.jsonl", "p", 0, "p/3"),
        ] {
            let name = Name::of(text);
            assert_eq!((&name.set[..], name.level, &name.id(3)[..]), (set, level, id));
        }
    }
}
