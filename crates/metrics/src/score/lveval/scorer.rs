//! The score of one prediction, and what else is told of it.

use super::{Item, Options, Row, Score, name};
use crate::{
    f1::{self, YesNo},
    keyword::{Keyword, Rule},
    normalize::Words,
};

/// What scores one prediction.
pub(super) struct Scorer<'o> {
    pub(super) options: &'o Options<'o>,
}

impl Scorer<'_> {
    pub(super) fn row(&self, item: &Item, prediction: &str) -> Row {
        let answers: &[String] = match self.options.score {
            Score::AsInPaper => &item.answers,
            _ => &item.answers[..item.answers.len().min(1)],
        };
        let score =
            answers.iter().map(|answer| self.score(item, prediction, answer)).fold(0.0, f64::max);
        Row {
            id: item.id.clone(),
            set: item.set.clone(),
            level: item.level,
            prediction: prediction.to_owned(),
            score,
            repeats: self.repeats(item, prediction).cloned(),
            cut: item.cut.map(|cut| is_cut(item, cut)),
        }
    }

    fn score(&self, item: &Item, prediction: &str, answer: &str) -> f64 {
        let kind = self.kind(&item.set);
        let rule = if kind == Score::AsInPaper { Rule::AsInPaper } else { Rule::AsReleased };
        let keyword = Keyword { rule, lists: self.options.lists };
        let keywords = Some(&item.keywords[..]).filter(|keywords| !keywords.trim().is_empty());
        if !item.chinese {
            return match kind {
                Score::PlainF1 => f1::score(prediction, answer, YesNo::Plain).f1,
                Score::RougeL => crate::rouge_unique::l(prediction, answer).f1,
                _ => keyword.english(prediction, answer, keywords).score,
            };
        }
        let mut cut = [prediction, answer].map(|text| self.words(text));
        if kind == Score::RougeL {
            // LV-Eval joins the words with spaces and cuts that again.
            cut = cut.map(|words| self.words(&words.join(" ")));
        }
        let [prediction, answer] = cut.each_ref().map(|words| views(words));
        match kind {
            Score::PlainF1 => keyword.chinese_f1(&prediction, &answer).f1,
            Score::RougeL => keyword.chinese_rouge_l(&prediction, &answer).f1,
            _ => {
                let words = keywords.map(|keywords| self.words(keywords));
                let words = words.as_deref().map(views);
                keyword.chinese(&prediction, &answer, words.as_deref()).score
            }
        }
    }

    /// The score of a set.
    fn kind(&self, set: &str) -> Score {
        match self.options.score {
            Score::AsReleased => name::released(set),
            other => other,
        }
    }

    /// The words of a Chinese text.
    fn words(&self, text: &str) -> Vec<String> {
        self.options.cutter.map(|cutter| (cutter.words)(text)).unwrap_or_default()
    }

    /// The confusing fact that a prediction repeats: it has a third of the words that the fact has
    /// for itself, those that neither question nor answers say and that are not listed.
    fn repeats<'i>(&self, item: &'i Item, prediction: &str) -> Option<&'i String> {
        let said = self.plain(item.chinese, prediction);
        let known: Vec<String> = item
            .answers
            .iter()
            .chain([&item.question])
            .flat_map(|text| self.plain(item.chinese, text))
            .collect();
        item.confusing.iter().find(|fact| {
            let mut own = self.plain(item.chinese, fact);
            own.retain(|word| !known.contains(word));
            let hits = own.iter().filter(|word| said.contains(word)).count();
            !own.is_empty() && hits >= own.len().div_ceil(3)
        })
    }

    /// The words of a text that are not listed, each once.
    fn plain(&self, chinese: bool, text: &str) -> Vec<String> {
        let lists = self.options.lists;
        let mut words: Vec<String> = if chinese {
            self.words(text)
                .iter()
                .map(|word| lists.clean(word))
                .filter(|word| !word.is_empty() && !lists.has_chinese(word))
                .collect()
        } else {
            Words::of(text)
                .iter()
                .filter(|word| !lists.has_english(word))
                .map(str::to_owned)
                .collect()
        };
        words.sort();
        words.dedup();
        words
    }

    /// The name of a set's score.
    pub(super) fn variant(&self, set: &str, chinese: bool) -> String {
        let lists = self.options.lists;
        let name = match self.kind(set) {
            Score::AsReleased => Keyword { rule: Rule::AsReleased, lists }.variant().to_string(),
            Score::AsInPaper => Keyword { rule: Rule::AsInPaper, lists }.variant().to_string(),
            Score::PlainF1 => f1::PLAIN.to_string(),
            Score::RougeL => format!("rouge-1.0.1+{}", lists.name()),
        };
        match self.options.cutter.filter(|_| chinese) {
            Some(cutter) => format!("{name}, Chinese words by {}", cutter.dictionary),
            None => name,
        }
    }
}

fn views(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

/// Whether nothing is left of a piece of the evidence. A question over several documents needs each.
pub(super) fn is_cut(item: &Item, (from, upto): (u32, u32)) -> bool {
    let gone = |(start, end): &(u32, u32)| start < end && *start >= from && *end <= upto;
    item.evidence.iter().any(gone)
}
