//! How much of what tells the answer rules replace.

use storymill_core::SetQuestion;
use storymill_text::Language;

use crate::{Idle, Replacer};

/// What rules replace of the words that tie a question to its evidence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cover {
    /// The telling words of question and answers that stand in the evidence, each once.
    pub telling: Vec<String>,
    /// Those of them that no rule replaces.
    pub left: Vec<String>,
}

/// The telling words that a question and its answers share with the evidence, and which of them its
/// rules leave as they are: LV-Eval replaces as many as it can. English words are compared in small
/// letters; Chinese is not cut into words, so there the longest stretches that stand in the evidence
/// count, of two characters and more.
pub fn cover(question: &SetQuestion, language: Language) -> Cover {
    let replacer = Replacer::new(&question.rules, language);
    let idle = Idle::of(language);
    let documents =
        question.supporting.iter().filter_map(|at| question.documents.get(*at as usize));
    let evidence: Vec<&str> = documents.map(|document| &document.text[..]).collect();
    let evidence = evidence.join("\n");
    let asked = || question.answers.iter().chain([&question.question]);
    let all = |texts: &mut dyn Iterator<Item = String>| {
        let mut found: Vec<String> = if language == Language::Chinese {
            texts.flat_map(|text| stretches(&text, &evidence)).collect()
        } else {
            let known: Vec<String> = words(&evidence).collect();
            let said = texts.flat_map(|text| words(&text).collect::<Vec<_>>());
            said.filter(|word| known.contains(word) && !idle.is(word)).collect()
        };
        found.sort();
        found.dedup();
        found
    };
    let telling = all(&mut asked().cloned());
    let left = all(&mut asked().map(|text| replacer.rest(text)));
    Cover { telling, left }
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// The longest stretches of a text that another says too, from the left.
fn stretches(text: &str, other: &str) -> Vec<String> {
    let symbols: Vec<char> = text.chars().collect();
    let (mut found, mut from) = (Vec::new(), 0);
    while from < symbols.len() {
        let run = symbols[from..].iter().take_while(|c| c.is_alphanumeric()).count();
        let piece = |upto: usize| symbols[from..from + upto].iter().collect::<String>();
        let longest = (2..=run).rev().map(piece).find(|piece| other.contains(&piece[..]));
        from += longest.as_ref().map_or(1, |piece| piece.chars().count());
        found.extend(longest);
    }
    found
}

#[cfg(test)]
mod tests {
    use storymill_core::{Document, Rule};

    use super::*;

    #[track_caller]
    fn check(texts: [&str; 3], rules: &[(&str, &str)], telling: &[&str], left: &[&str]) {
        let [question, answer, evidence] = texts.map(str::to_owned);
        let language = if question.is_ascii() { Language::English } else { Language::Chinese };
        let rule = |(from, to): &(&str, &str)| Rule {
            from: (*from).into(),
            to: (*to).into(),
            scope: vec![],
        };
        let question = SetQuestion {
            question,
            answers: vec![answer],
            documents: vec![Document { title: String::new(), text: evidence }],
            supporting: vec![0],
            rules: rules.iter().map(rule).collect(),
            ..SetQuestion::default()
        };
        let found = cover(&question, language);
        assert_eq!(
            (found.telling, found.left),
            (
                telling.iter().map(|s| (*s).to_owned()).collect(),
                left.iter().map(|s| (*s).to_owned()).collect()
            )
        );
    }

    #[test]
    fn what_no_rule_replaces_is_listed() {
        let texts = [
            "What did Ivo Marsh carve at Pellan?",
            "a heron",
            "At Pellan Ivo Marsh carved a heron.",
        ];
        let all = ["heron", "ivo", "marsh", "pellan"];
        check(texts, &[], &all, &all);
        check(texts, &[("Ivo Marsh", "Jonas Thrale"), ("heron", "ram")], &all, &["pellan"]);
        let texts = ["老彭在哪里下船？", "七号码头", "那天老彭在七号码头下船。"];
        check(texts, &[("老彭", "阿旺")], &["七号码头", "下船", "老彭在"], &["七号码头", "下船"]);
    }
}
