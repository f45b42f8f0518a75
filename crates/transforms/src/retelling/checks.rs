//! What makes an answer unfit: a small library, each check with a reason of its own.
//!
//! Models answer with HTTP 200 and a text that is not a retelling: a loop, the scene word for word,
//! the true account again where a false one was asked for. Every check takes plain texts and
//! gives a [`Reason`] whose code stays the same for ever; the limits are [`Checks`].
//!
//! | code | what is wrong |
//! | --- | --- |
//! | `tag-missing`, `tag-repeated` | the begin tag does not stand there exactly once |
//! | `not-json` | no object, or not the one that was asked for |
//! | `empty`, `too-short`, `too-long` | no text, fewer words than `least_words`, more symbols than `longest` |
//! | `withheld`, `cut-off` | a filter or the end of the room took the text |
//! | `loop` | the same words over and over |
//! | `about-prompt` | talks of the task or repeats it |
//! | `wrong-language` | not in the language of what it retells |
//! | `copied` | a long run of words stands in the source |
//! | `leaked` | tells what stands only in a neighbouring scene |
//! | `too-near` | a false account that is the true one again |
//! | `no-pairs`, `event-empty`, `true-side-foreign`, `false-side-told`, `same-event` | pairs of events that are none |
//! | `event-missing`, `false-event-told`, `true-event-told` | a twin without its events, or with the other's |

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::Reason;
use storymill_text::Language;

use super::{
    answer::Found,
    tokens::{in_order, longest_run, numbered, pm, tokens},
};

/// The limits of the checks. Shares are per mille; 0 turns a limit off.
///
/// ```
/// use storymill_transforms::Checks;
/// let checks: Checks = toml::from_str("copy_words = 60").unwrap();
/// assert_eq!((checks.copy_words, checks.rewrite_pm), (60, 800));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Checks {
    /// How many words a text has at least. Default: 8.
    pub least_words: u32,
    /// How many symbols a text has at most; a schema says so to the server. Default: no limit.
    pub longest: Option<u32>,
    /// A run of this many words counts as the same thing said again. Default: 8.
    pub loop_words: u32,
    /// How often a run must come back to be a loop. Default: 3.
    pub loop_times: u32,
    /// A run of this many words that stands in the source is a copy. Default: 40.
    pub copy_words: u32,
    /// So is a run of 12 words or more that is this share of the text. Default: 350.
    pub copy_pm: u32,
    /// How many names that stand only in a neighbouring scene make a leak. Default: 1.
    pub leak_names: u32,
    /// How many rare words that stand only in a neighbouring scene make one. Default: 2.
    pub leak_words: u32,
    /// How alike a `rewrite` and the true account may be at most. Default: 800.
    pub rewrite_pm: u32,
    /// How alike a false twin and its true twin may be at most. Default: 950.
    pub twin_pm: u32,
    /// How much of a true event must stand in the account it is taken from. Default: 600.
    pub event_pm: u32,
    /// How much of each of its events a twin must tell. Default: 500.
    pub told_pm: u32,
    /// Whether the language is looked at. Default: true.
    pub language: bool,
}

impl Default for Checks {
    fn default() -> Self {
        Self {
            least_words: 8,
            longest: None,
            loop_words: 8,
            loop_times: 3,
            copy_words: 40,
            copy_pm: 350,
            leak_names: 1,
            leak_words: 2,
            rewrite_pm: 800,
            twin_pm: 950,
            event_pm: 600,
            told_pm: 500,
            language: true,
        }
    }
}

impl Checks {
    /// What is wrong with the limits themselves.
    pub(crate) fn faults(&self) -> Vec<(&'static str, String)> {
        let shares = [self.copy_pm, self.rewrite_pm, self.twin_pm, self.event_pm, self.told_pm];
        let mut faults = Vec::new();
        if shares.iter().any(|share| *share > 1000) {
            faults.push(("checks", "shares are per mille, 1000 at most".into()));
        }
        if self.loop_times == 1 {
            faults.push(("checks", "`loop_times` must be 0 or at least 2".into()));
        }
        if self.longest.is_some_and(|longest| longest < 20) {
            faults.push(("checks", "`longest` must be at least 20".into()));
        }
        faults
    }

    /// All checks that a retelling goes through, the plainest first.
    pub(super) fn text(
        &self,
        found: &Found,
        source: &str,
        instructions: &str,
        languages: &[Language],
    ) -> Result<(), Reason> {
        self.looped(&found.text)?;
        if found.cut {
            return Err(Reason::new("cut-off", "the answer ended before its text did"));
        }
        self.length(&found.text)?;
        about_prompt(&found.text, instructions)?;
        self.language(&found.text, languages)?;
        self.copied(&found.text, source)
    }

    /// Whether a text has enough words and not too many symbols.
    pub fn length(&self, text: &str) -> Result<(), Reason> {
        if text.trim().is_empty() {
            return Err(Reason::new("empty", "the answer holds no text"));
        }
        let words = tokens(text).len();
        if words < self.least_words as usize {
            return Err(Reason::new(
                "too-short",
                format!("{words} words, fewer than {}", self.least_words),
            ));
        }
        let symbols = text.chars().count();
        match self.longest {
            Some(longest) if symbols > longest as usize => {
                Err(Reason::new("too-long", format!("{symbols} symbols, where {longest} may be")))
            }
            _ => Ok(()),
        }
    }

    /// Whether some run of words comes back again and again.
    pub fn looped(&self, text: &str) -> Result<(), Reason> {
        let width = self.loop_words as usize;
        if width == 0 || self.loop_times == 0 {
            return Ok(());
        }
        let (words, _) = numbered(text, "");
        let mut counts: HashMap<&[u32], u32> = HashMap::new();
        for (at, run) in words.windows(width).enumerate() {
            let count = counts.entry(run).or_default();
            *count += 1;
            if *count >= self.loop_times {
                let run = tokens(text)[at..at + width].join(" ");
                return Err(Reason::new("loop", format!("`{run}` comes back {count} times")));
            }
        }
        Ok(())
    }

    /// Whether a long run of words stands in the source as it is.
    pub fn copied(&self, text: &str, source: &str) -> Result<(), Reason> {
        const LEAST: usize = 12;
        let (text, source) = numbered(text, source);
        let run = longest_run(&text, &source);
        let long = self.copy_words > 0 && run >= self.copy_words as usize;
        let much = self.copy_pm > 0 && run >= LEAST && pm(run, text.len(), 0) >= self.copy_pm;
        if long || much {
            let detail = format!("{run} of {} words are copied in one run", text.len());
            return Err(Reason::new("copied", detail));
        }
        Ok(())
    }

    /// Whether a text is in one of these languages, as far as small words and scripts tell.
    pub fn language(&self, text: &str, expected: &[Language]) -> Result<(), Reason> {
        const FEW: usize = 20;
        if !self.language || tokens(text).len() < FEW {
            return Ok(());
        }
        let found = Language::of_text(text);
        // Where nobody knows the language there is nothing to say; a script that no expected
        // language is written in is told apart as `Other`.
        let known = |language: &Language| *language != Language::Other;
        let foreign = if known(&found) {
            expected.iter().all(|language| known(language) && *language != found)
        } else {
            expected.iter().all(known) && !is_latin(text) && !expected.contains(&Language::Chinese)
        };
        if foreign && !expected.is_empty() {
            let detail =
                format!("the text looks like {found:?}, the source like {:?}", expected[0]);
            return Err(Reason::new("wrong-language", detail));
        }
        Ok(())
    }
}

/// Whether most letters are Latin.
fn is_latin(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (latin, all) = letters
        .fold((0_usize, 0_usize), |(latin, all), c| (latin + usize::from(c < '\u{250}'), all + 1));
    latin * 2 >= all
}

/// Whether an answer talks of its task: of itself, of the instructions, or in their words.
pub(crate) fn about_prompt(text: &str, instructions: &str) -> Result<(), Reason> {
    const ECHO: usize = 12;
    let words = tokens(text);
    let holds = |phrase: &&&str| {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        words.windows(phrase.len()).any(|run| run == phrase)
    };
    let opens = |phrase: &&&str| {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        words.len() >= phrase.len() && words[..phrase.len()] == phrase[..]
    };
    if let Some(phrase) = OPENERS.iter().find(opens).or_else(|| ANYWHERE.iter().find(holds)) {
        return Err(Reason::new("about-prompt", format!("`{phrase}` speaks of the task")));
    }
    let (text, instructions) = numbered(text, instructions);
    let run = longest_run(&text, &instructions);
    if run >= ECHO {
        return Err(Reason::new("about-prompt", format!("{run} words of the task are repeated")));
    }
    Ok(())
}

/// Beginnings that no retelling has.
#[rustfmt::skip]
const OPENERS: &[&str] = &[
    "sure here", "sure i", "certainly here", "of course here", "okay here", "here is", "here's",
    "here are", "below is", "i'm sorry but", "i am sorry but", "i apologize", "i cannot provide",
    "i can't provide", "i cannot help", "i can't help", "i cannot assist", "i can't assist",
    "i cannot fulfill", "i can't fulfill", "as requested", "the following is", "summary",
];

/// Words that no retelling has anywhere.
#[rustfmt::skip]
const ANYWHERE: &[&str] = &[
    "as an ai", "an ai language model", "a language model", "this summary", "the original summary",
    "the true summary", "the false summary", "the summary above", "the summary below", "begin answer",
    "end answer", "i hope this helps", "let me know if you", "the setting remains unchanged",
    "the setting remains the same",
];

/// How alike two texts are: twice the words they have in the same order by the words of both,
/// per mille.
pub(crate) fn similarity_pm(one: &str, other: &str) -> u16 {
    let (one, other) = numbered(one, other);
    let all = one.len() + other.len();
    u16::try_from(pm(2 * in_order(&one, &other), all, 1000)).unwrap_or(1000)
}

/// Whether a false account says something else than the true one: it is not the same words, not
/// the same words and a tail, and not more alike than `most_pm`.
pub(crate) fn too_near(text: &str, truth: &str, most_pm: u32) -> Result<(), Reason> {
    if tokens(text) == tokens(truth) {
        return Err(Reason::new("too-near", "it is the true account again"));
    }
    if most_pm == 0 {
        return Ok(());
    }
    let alike = u32::from(similarity_pm(text, truth));
    if alike > most_pm {
        let detail = format!("it is the true account to {alike} per mille");
        return Err(Reason::new("too-near", detail));
    }
    let (words, true_words) = numbered(text, truth);
    let held = pm(longest_run(&words, &true_words), true_words.len(), 0);
    if held > most_pm {
        let detail = format!("{held} per mille of the true account stand in it in one run");
        return Err(Reason::new("too-near", detail));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
