//! LV-Eval's keyword-gated F1: first the answer's keywords must be found, then the F1 counts.
//!
//! Rule: Yuan et al., "LV-Eval" (2024), section on the keyword-recall-based metric. The released
//! program and the paper differ, so there are two rules, by name:
//!
//! | | `as-released` | `as-in-paper` |
//! | --- | --- | --- |
//! | keyword recall needed, English | 0.2 | 0.4 |
//! | keyword recall needed, Chinese | 0.4 | 0.2 |
//! | listed words | no hit for a keyword, but still in its denominator | keywords like any other |
//! | second stage | F1 of all words | F1 without listed words |
//! | no keywords, English | no gate | no gate |
//! | no keywords, Chinese | the reference stands in | no gate |
//!
//! Published scores came from the program. Keywords of which no word is left count as none.

use serde::Serialize;

use crate::{Prf, Variant, f1::shared, normalize, prf::count, rouge_unique, wordlists::WordLists};

/// Which of the two rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// What the released program does.
    AsReleased,
    /// What the paper says.
    AsInPaper,
}

/// The two stages of one score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Gated {
    /// The score: the F1 if the gate was passed, else 0.
    pub score: f64,
    /// The share of keyword words that the prediction has; none without a gate.
    pub keyword_recall: Option<f64>,
    /// The second stage, whether or not the gate was passed.
    pub stage_two: Prf,
}

/// The scorer: a rule and its word lists.
#[derive(Clone, Copy, Debug)]
pub struct Keyword<'l> {
    /// Which rule.
    pub rule: Rule,
    /// Which words carry little meaning, and what is punctuation.
    pub lists: &'l WordLists,
}

impl Keyword<'_> {
    /// The name of the score: rule and word lists.
    pub fn variant(&self) -> Variant {
        let rule = match self.rule {
            Rule::AsReleased => Variant::new("lveval-keyword-f1-as-released", 1),
            Rule::AsInPaper => Variant::new("lveval-keyword-f1-as-in-paper", 1),
        };
        rule.with(self.lists.name())
    }

    /// Scores an English prediction; words are those of SQuAD's normal form.
    ///
    /// Laws: never above the F1 of the second stage; without keywords equal to it; under
    /// `as-released` a prediction equal to the reference scores 1 if the reference holds a fifth
    /// of the keywords in words that are not listed.
    ///
    /// ```
    /// use storymill_metrics::{keyword::{Keyword, Rule}, wordlists::WordLists};
    /// let lists = WordLists::ours();
    /// let keyword = Keyword { rule: Rule::AsReleased, lists: &lists };
    /// assert_eq!(keyword.english("a red house", "the blue house", Some("blue")).score, 0.0);
    /// assert_eq!(keyword.english("a red house", "the blue house", None).score, 0.5);
    /// ```
    pub fn english(&self, prediction: &str, reference: &str, keywords: Option<&str>) -> Gated {
        let [prediction, reference] = [prediction, reference].map(normalize::Words::of);
        let keywords = keywords.map(normalize::Words::of).unwrap_or_default();
        let needed = match self.rule {
            Rule::AsReleased => 0.2,
            Rule::AsInPaper => 0.4,
        };
        let listed = |word: &str| self.lists.has_english(word);
        self.stages(
            &prediction.iter().collect::<Vec<_>>(),
            &reference.iter().collect::<Vec<_>>(),
            &keywords.iter().collect::<Vec<_>>(),
            needed,
            listed,
        )
    }

    /// Scores a Chinese prediction that was cut into words before.
    ///
    /// Each word is lower-cased and loses punctuation and spaces; empty ones fall away.
    pub fn chinese(
        &self,
        prediction: &[&str],
        reference: &[&str],
        keywords: Option<&[&str]>,
    ) -> Gated {
        let (prediction, reference) = (self.clean(prediction), self.clean(reference));
        let mut keywords = keywords.map(|words| self.clean(words)).unwrap_or_default();
        let needed = match self.rule {
            Rule::AsReleased => {
                if keywords.is_empty() {
                    keywords.clone_from(&reference);
                }
                0.4
            }
            Rule::AsInPaper => 0.2,
        };
        let listed = |word: &str| self.lists.has_chinese(word);
        self.stages(&views(&prediction), &views(&reference), &views(&keywords), needed, listed)
    }

    /// The plain F1 of Chinese words, without a gate.
    pub fn chinese_f1(&self, prediction: &[&str], reference: &[&str]) -> Prf {
        let (prediction, reference) = (self.clean(prediction), self.clean(reference));
        plain(&views(&prediction), &views(&reference), |_| true)
    }

    /// Whether two Chinese texts are equal but for case, punctuation and spaces.
    pub fn chinese_match(&self, prediction: &[&str], reference: &[&str]) -> bool {
        self.clean(prediction).concat() == self.clean(reference).concat()
    }

    /// ROUGE-L of Chinese words without those listed, as LV-Eval scores dureader.
    ///
    /// The original joins the words with spaces, cuts that text again and only then drops words;
    /// hand in the words of the second cut for its exact numbers.
    pub fn chinese_rouge_l(&self, prediction: &[&str], reference: &[&str]) -> Prf {
        let joined = |words: &[&str]| {
            let mut words = self.clean(words);
            words.retain(|word| !self.lists.has_chinese(word));
            words.join(" ")
        };
        rouge_unique::l(&joined(prediction), &joined(reference))
    }

    fn clean(&self, words: &[&str]) -> Vec<String> {
        let mut words: Vec<String> = words.iter().map(|word| self.lists.clean(word)).collect();
        words.retain(|word| !word.is_empty());
        words
    }

    fn stages(
        &self,
        prediction: &[&str],
        reference: &[&str],
        keywords: &[&str],
        needed: f64,
        listed: impl Fn(&str) -> bool,
    ) -> Gated {
        let released = self.rule == Rule::AsReleased;
        let hits = |word: &str| !released || !listed(word);
        let keyword_recall = (!keywords.is_empty()).then(|| {
            let found = shared(prediction.iter().copied(), keywords.iter().copied(), hits);
            count(found) / count(keywords.len())
        });
        let stage_two = plain(prediction, reference, |word| released || !listed(word));
        let closed = keyword_recall.is_some_and(|recall| recall < needed);
        Gated { score: if closed { 0.0 } else { stage_two.f1 }, keyword_recall, stage_two }
    }
}

fn views(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

fn plain(prediction: &[&str], reference: &[&str], counts: impl Fn(&str) -> bool) -> Prf {
    let size = |words: &[&str]| words.iter().filter(|word| counts(word)).count();
    let same = shared(prediction.iter().copied(), reference.iter().copied(), &counts);
    Prf::from_counts(same, size(prediction), size(reference))
}
