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

use crate::{
    Prf, Variant,
    f1::{self, YesNo, shared},
    normalize::Words,
    prf::count,
    rouge_unique,
    wordlists::WordLists,
};

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
        let keywords = keywords.map(Words::of).unwrap_or_default();
        self.words(&Words::of(prediction), &Words::of(reference), &keywords)
    }

    /// The same over words that were normalised before.
    pub fn words(&self, prediction: &Words, reference: &Words, keywords: &Words) -> Gated {
        let f1 = f1::words(prediction, reference, YesNo::Plain);
        self.beside(prediction, reference, keywords, f1)
    }

    /// The same where the plain F1 is known.
    pub(crate) fn beside(
        &self,
        prediction: &Words,
        reference: &Words,
        keywords: &Words,
        f1: Prf,
    ) -> Gated {
        let needed = match self.rule {
            Rule::AsReleased => 0.2,
            Rule::AsInPaper => 0.4,
        };
        let listed = |word: &str| self.lists.has_english(word);
        let stage_two = match self.rule {
            Rule::AsReleased => f1,
            Rule::AsInPaper => plain(prediction.iter(), reference.iter(), |word| !listed(word)),
        };
        self.gated(prediction.iter(), keywords.iter(), needed, listed, stage_two)
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
        let released = self.rule == Rule::AsReleased;
        let counts = |word: &str| released || !listed(word);
        let stage_two = plain(views(&prediction), views(&reference), counts);
        self.gated(views(&prediction), views(&keywords), needed, listed, stage_two)
    }

    /// The plain F1 of Chinese words, without a gate.
    pub fn chinese_f1(&self, prediction: &[&str], reference: &[&str]) -> Prf {
        let (prediction, reference) = (self.clean(prediction), self.clean(reference));
        plain(views(&prediction), views(&reference), |_| true)
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

    fn gated<'w>(
        &self,
        prediction: impl Iterator<Item = &'w str>,
        keywords: impl Iterator<Item = &'w str> + Clone,
        needed: f64,
        listed: impl Fn(&str) -> bool,
        stage_two: Prf,
    ) -> Gated {
        let released = self.rule == Rule::AsReleased;
        let hits = |word: &str| !released || !listed(word);
        let wanted = keywords.clone().count();
        let keyword_recall =
            (wanted > 0).then(|| count(shared(prediction, keywords, hits)) / count(wanted));
        let closed = keyword_recall.is_some_and(|recall| recall < needed);
        Gated { score: if closed { 0.0 } else { stage_two.f1 }, keyword_recall, stage_two }
    }
}

fn views(words: &[String]) -> impl Iterator<Item = &str> + Clone {
    words.iter().map(String::as_str)
}

fn plain<'w>(
    prediction: impl Iterator<Item = &'w str> + Clone,
    reference: impl Iterator<Item = &'w str> + Clone,
    counts: impl Fn(&str) -> bool,
) -> Prf {
    let predicted = prediction.clone().filter(|word| counts(word)).count();
    let expected = reference.clone().filter(|word| counts(word)).count();
    Prf::from_counts(shared(prediction, reference, &counts), predicted, expected)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LISTS: &str =
        r#"{"blacklist_en":["of","to","in"],"blacklist_zh":["的","是"],"punctuation_zh":"，。"}"#;

    /// The score under both rules, worked by hand.
    #[track_caller]
    fn check(prediction: &str, reference: &str, keywords: Option<&str>, released: f64, paper: f64) {
        let lists = WordLists::parse(LISTS).unwrap();
        for (rule, expect) in [(Rule::AsReleased, released), (Rule::AsInPaper, paper)] {
            let found = Keyword { rule, lists: &lists }.english(prediction, reference, keywords);
            assert!(
                (found.score - expect).abs() < 1e-12,
                "{rule:?}, {prediction} / {reference}: {found:?}"
            );
        }
    }

    #[test]
    fn english_by_hand() {
        // No keywords: plain F1, 3 of 3 and 3 of 4; without `of` 2 of 2 and 2 of 3.
        check("king of spain", "old king of spain", None, 6.0 / 7.0, 0.8);
        // One of two keywords: recall 0.5, open under both.
        check("king", "king arthur", Some("king arthur"), 2.0 / 3.0, 2.0 / 3.0);
        // One of three: 0.33, open as released, closed in the paper.
        check("king", "king arthur pendragon", Some("king arthur pendragon"), 0.5, 0.0);
        // One of five: exactly 0.2, which is enough as released.
        check("king", "king", Some("king b c d e"), 1.0, 0.0);
        // One of six: closed under both.
        check("king", "king", Some("king b c d e f"), 0.0, 0.0);
        // Two of five: exactly 0.4, which is enough in the paper.
        check("king b", "king b", Some("king b c d e"), 1.0, 1.0);
        // The only hit is a listed word: no hit as released; one of two in the paper, but then
        // stage two loses it and shares nothing.
        check("of spain", "of france", Some("of france"), 0.0, 0.0);
        // The same hit with a shared word beside it: recall 0.5, and stage two is 1 of 1 of 2.
        check("of spain", "spain madrid", Some("of france"), 0.0, 2.0 / 3.0);
        // Listed words in the answer alone: 2 of 4 shared as released (gate 1 of 2), 1 of 2 in the paper.
        check("king to of x", "king to in y", Some("king y"), 0.5, 0.5);
        // Both texts are listed words only: nothing is left for the paper's stage two.
        check("of the", "of", None, 1.0, 0.0);
        // A word said twice counts twice: 2 of 3 and 2 of 2.
        check("king king x", "king king", Some("king king"), 0.8, 0.8);
        // Keywords without a word are no keywords.
        check("king", "king", Some("the ..."), 1.0, 1.0);
        check("", "king", Some("king"), 0.0, 0.0);
    }

    #[test]
    fn chinese_by_hand() {
        let lists = WordLists::parse(LISTS).unwrap();
        let [released, paper] =
            [Rule::AsReleased, Rule::AsInPaper].map(|rule| Keyword { rule, lists: &lists });
        let (prediction, reference) = (["他", "是", "国王", "。"], ["国王", "是", "亚瑟"]);
        // Without keywords the reference stands in as released: only 国王 hits, 1 of 3, under 0.4.
        assert_eq!(released.chinese(&prediction, &reference, None).score, 0.0);
        // In the paper there is no gate; without 是 one of two on both sides.
        assert_eq!(paper.chinese(&prediction, &reference, None).score, 0.5);
        // One of four keywords: 0.25, closed as released, open in the paper.
        let four = ["国王", "甲", "乙", "丙"];
        assert_eq!(released.chinese(&prediction, &reference, Some(&four)).score, 0.0);
        assert_eq!(paper.chinese(&prediction, &reference, Some(&four)).score, 0.5);
        // One of two: open under both; as released 2 of 3 on both sides.
        let two = ["国王，", "甲"];
        assert!(
            (released.chinese(&prediction, &reference, Some(&two)).score - 2.0 / 3.0).abs() < 1e-12
        );
        assert_eq!(paper.chinese(&prediction, &reference, Some(&two)).score, 0.5);
        assert_eq!(released.chinese_rouge_l(&["国王", "的", "，"], &["国王"]).recall, 1.0);
        assert!(released.chinese_match(&["国王", "。"], &["国", "王"]));
    }

    proptest! {
        #[test]
        fn laws(a in "[a-d ]{0,20}", b in "[a-d ]{0,20}", k in prop::option::of("[a-d ]{0,8}")) {
            let lists = WordLists::parse(r#"{"blacklist_en":["b"],"blacklist_zh":[],"punctuation_zh":""}"#).unwrap();
            for rule in [Rule::AsReleased, Rule::AsInPaper] {
                let found = Keyword { rule, lists: &lists }.english(&a, &b, k.as_deref());
                prop_assert!((0.0..=1.0).contains(&found.score) && found.score <= found.stage_two.f1);
                prop_assert!(found.keyword_recall.is_none_or(|recall| (0.0..=1.0).contains(&recall)));
                prop_assert!(found.keyword_recall.is_some() || found.score == found.stage_two.f1);
            }
        }
    }
}
