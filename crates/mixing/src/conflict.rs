//! Rules that cannot hold, found before anything is replaced.

use std::collections::BTreeSet;

use storymill_core::{Rule, Scope, SetQuestion};
use storymill_metrics::porter::stem;
use storymill_text::Language;

use crate::{
    Holds, Idle, Replacer, agreement,
    ordinary::too_short,
    survivor::{part, survivor},
};

/// A rule that cannot hold: which, where, why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The rule, from 0.
    pub rule: usize,
    /// Where: `question`, `answer`, `document 2`, `rule 3`.
    pub place: String,
    /// A short stable word: `chain`.
    pub code: &'static str,
    /// What is wrong, in a few words.
    pub detail: String,
}

/// Every conflict of a question's rules, in the order of rules. `synonyms` are groups of words that
/// mean the same.
///
/// | code | |
/// | --- | --- |
/// | `blank-rule` | one side is blank, or has no letter |
/// | `one-character` | in Chinese, a phrase of one character, which is part of many words |
/// | `ordinary-word` | in Chinese, a phrase of two characters that is an ordinary word too |
/// | `not-different` | the sides share a content word or a stem; in Chinese, a character |
/// | `synonym` | the sides, or a word of each, are of one group of synonyms |
/// | `hits-nothing` | the phrase does not stand where the rule's scope says |
/// | `chain` | what it writes is, or holds, what a rule replaces |
/// | `agreement` | verbs or possessives would not agree: a plural for what is none, `Marsh’ hat` |
/// | `collision` | two rules write or replace the same; or the texts say the substitute already |
/// | `left-over` | a text still holds the old word: inside a longer one, written otherwise, or a part of a name that may be another word |
/// | `answer-lost` | the evidence said the answer or its keywords, and no longer does |
/// | `empty-answer` | nothing is left of the answer, or nothing that tells |
pub fn conflicts(
    question: &SetQuestion,
    language: Language,
    synonyms: &[Vec<String>],
) -> Vec<Conflict> {
    let check = Check {
        replacer: Replacer::new(&question.rules, language),
        idle: Idle::of(language),
        question,
        language,
        synonyms,
    };
    let mut found: Vec<Conflict> = Vec::new();
    for at in 0..question.rules.len() {
        found.extend(check.alone(at).or_else(|| check.beside(at)).or_else(|| check.hits(at)));
    }
    if found.is_empty() {
        found.extend(check.texts());
    }
    found
}

/// The place of a confusing fact.
const CONFUSING: &str = "confusing fact";

struct Check<'a> {
    replacer: Replacer,
    idle: Idle,
    question: &'a SetQuestion,
    language: Language,
    synonyms: &'a [Vec<String>],
}

impl Check<'_> {
    /// What is wrong with a rule by itself.
    fn alone(&self, rule: usize) -> Option<Conflict> {
        let (from, to) = self.sides(rule);
        let fault = |code, detail| {
            Some(Conflict { rule, place: format!("rule {}", rule + 1), code, detail })
        };
        for (side, text) in [("from", from), ("to", to)] {
            if !text.contains(char::is_alphanumeric) {
                let emptied = (side == "to").then(|| self.emptied(from)).flatten();
                if let Some(answer) = emptied {
                    let detail = format!("nothing would be left of `{answer}`: `to` is blank");
                    return Some(Conflict {
                        rule,
                        place: "answer".into(),
                        code: "empty-answer",
                        detail,
                    });
                }
                return fault("blank-rule", format!("`{side}` is blank"));
            }
        }
        let chinese = self.language == Language::Chinese;
        if let Some((code, detail)) = chinese.then(|| too_short(from, &self.idle)).flatten() {
            return fault(code, detail);
        }
        if let Some(shared) = self.shared(from, to) {
            return fault("not-different", format!("`{from}` and `{to}` share `{shared}`"));
        }
        let pair = self.synonyms.iter().find_map(|group| {
            let said = |text: &str| group.iter().find(|one| self.says(text, one));
            said(from).zip(said(to))
        });
        if let Some((one, other)) = pair {
            let detail = format!("`{from}` and `{to}` mean the same: `{one}`, `{other}`");
            return fault("synonym", detail);
        }
        let english = self.language == Language::English;
        let broken = english.then(|| agreement::fault(from, to)).flatten();
        broken.and_then(|detail| fault("agreement", detail))
    }

    /// The answer of which nothing is left without a phrase.
    fn emptied(&self, from: &str) -> Option<&String> {
        // A mark of no language: it stands where the phrase stood, whatever form it had.
        let mark = "\u{e000}";
        let rule = Rule { from: from.to_owned(), to: mark.to_owned(), scope: Vec::new() };
        let replacer = Replacer::new(&[rule], self.language);
        self.question.answers.iter().find(|answer| {
            let rest = replacer.replaced(answer);
            let gone = rest.contains(mark);
            let rest: String = if self.language == Language::Chinese {
                rest.replace(mark, "")
            } else {
                let kept = rest.split_whitespace().filter(|word| !word.contains(mark));
                kept.collect::<Vec<_>>().join(" ")
            };
            gone && !self.idle.tells(&rest)
        })
    }

    /// What two sides share: a content word or stem; in Chinese a character.
    fn shared(&self, from: &str, to: &str) -> Option<String> {
        if self.language == Language::Chinese {
            let shared = from.chars().find(|c| c.is_alphanumeric() && to.contains(*c));
            return shared.map(String::from);
        }
        let stems = |text: &str| -> BTreeSet<String> { self.stems(text).into_iter().collect() };
        stems(from).intersection(&stems(to)).next().cloned()
    }

    /// The stems of the words that tell something.
    fn stems(&self, text: &str) -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
        let content = words.filter(|word| !word.is_empty() && !self.idle.is(word));
        content.map(|word| stem(&word).into_owned()).collect()
    }

    /// Whether a side says a word or phrase of a group, in any form.
    fn says(&self, side: &str, one: &str) -> bool {
        if self.language == Language::Chinese {
            // A single character is part of too many words.
            return side == one || (one.chars().count() > 1 && side.contains(one));
        }
        let (side, one) = (self.stems(side), self.stems(one));
        !one.is_empty() && side.windows(one.len()).any(|words| words == one)
    }

    /// What is wrong between a rule and the others.
    fn beside(&self, rule: usize) -> Option<Conflict> {
        let (from, to) = self.sides(rule);
        let fault = |other: usize, code, detail| {
            Some(Conflict { rule, place: format!("rule {}", other + 1), code, detail })
        };
        if let Some((by, late, form)) = &self.replacer.torn
            && *late == rule
        {
            return fault(*by, "collision", format!("both replace `{form}`"));
        }
        for other in (0..self.question.rules.len()).filter(|other| *other != rule) {
            let (other_from, other_to) = self.sides(other);
            if other < rule && other_from == from {
                return fault(other, "collision", format!("both replace `{from}`"));
            }
            if other < rule && other_to == to {
                return fault(other, "collision", format!("both write `{to}`"));
            }
        }
        self.replacer.first(to).and_then(|(other, place)| {
            fault(other, "chain", format!("it writes `{}`, which that rule replaces", &to[place]))
        })
    }

    /// Whether a rule hits what it should.
    fn hits(&self, rule: usize) -> Option<Conflict> {
        let rules = self.question.rules.len();
        let count = |text: &str| self.replacer.hits(text, rules)[rule];
        let missing = |place: &str| {
            let detail = format!("`{}` does not stand there", self.question.rules[rule].from);
            Some(Conflict { rule, place: place.into(), code: "hits-nothing", detail })
        };
        for scope in &self.question.rules[rule].scope {
            let hits = match scope {
                Scope::Context => self.evidence().map(|(_, text)| count(text)).sum(),
                Scope::Question => count(&self.question.question),
                Scope::Answer => self.question.answers.first().map_or(0, |answer| count(answer)),
            };
            if hits == 0 {
                return missing(if *scope == Scope::Context { "evidence" } else { scope.name() });
            }
        }
        let anywhere = self.texts_of().any(|(_, text)| count(&text) > 0);
        if anywhere { None } else { missing("evidence, question and answer") }
    }

    /// What is wrong with the texts once all rules are applied.
    fn texts(&self) -> Option<Conflict> {
        let back = self.question.rules.iter();
        let back = back.map(|rule| Replacer::new(&[turned(rule)], self.language));
        let back: Vec<Replacer> = back.collect();
        for (place, text) in self.texts_of() {
            if let Some((rule, code, detail)) = self.unclean(&text, &back) {
                return Some(Conflict { rule, place, code, detail });
            }
            // A confusing fact is about somebody else, who may have a word of the phrase.
            let (rules, own) = (&self.question.rules, place != CONFUSING);
            if let Some((rule, word, excerpt)) =
                part(&self.replacer, &text, rules, self.language, own)
            {
                let detail = format!(
                    "`{word}` would be left, a part of it that may be another word (`{excerpt}`): it needs a rule of its own"
                );
                return Some(Conflict { rule, place, code: "left-over", detail });
            }
        }
        let blame = |text: &str| self.replacer.first(text).map_or(0, |(rule, _)| rule);
        for answer in &self.question.answers {
            let other = self.replacer.replaced(answer);
            let fault = |code, detail: String| {
                Some(Conflict { rule: blame(answer), place: "answer".into(), code, detail })
            };
            if self.idle.tells(answer) && !self.idle.tells(&other) {
                return fault("empty-answer", format!("`{answer}` would be `{other}`"));
            }
            let said =
                |text: &str, answer: &str| text.to_lowercase().contains(&answer.to_lowercase());
            let before = self.evidence().any(|(_, text)| said(text, answer));
            let now = self.evidence().any(|(_, text)| said(&self.replacer.replaced(text), &other));
            if before && !now {
                return fault(
                    "answer-lost",
                    format!("the evidence says `{answer}` and would not say `{other}`"),
                );
            }
        }
        self.keywords()
    }

    /// Whether the evidence has the keywords of the answer and would not have those that stand for
    /// them.
    fn keywords(&self) -> Option<Conflict> {
        let keywords = &self.question.keywords;
        let idle = |word: &str| self.idle.is(word);
        let whole: Vec<&str> = self.evidence().map(|(_, text)| text).collect();
        let whole = whole.join("\n");
        let has = |text: &str, keywords: &str| {
            Holds::new(&[], keywords, self.language, &idle).is_in(text)
        };
        let other = self.replacer.replaced(keywords);
        let lost = has(&whole, keywords) && !has(&self.replacer.replaced(&whole), &other);
        let rule = self.replacer.first(keywords).map_or(0, |(rule, _)| rule);
        lost.then(|| Conflict {
            rule,
            place: "keywords".into(),
            code: "answer-lost",
            detail: format!("the evidence has `{keywords}` and would not have `{other}`"),
        })
    }

    /// Why a text cannot be replaced and put back: the rule, a code, a detail. `back` has each rule turned.
    fn unclean(&self, text: &str, back: &[Replacer]) -> Option<(usize, &'static str, String)> {
        for (at, other) in back.iter().enumerate() {
            if let Some((_, found)) = other.first(text) {
                let detail = format!("the text says `{}` already", &text[found]);
                return Some((at, "collision", detail));
            }
        }
        let replaced = self.replacer.replaced(text);
        if let Some((rule, word)) = survivor(&replaced, &self.question.rules, self.language) {
            return Some((rule, "left-over", format!("`{word}` would be left")));
        }
        if let Some((rule, slip)) = self.replacer.slip(text) {
            return Some((rule, "agreement", slip));
        }
        (!self.replacer.is_clean(text)).then(|| {
            let rule = self.replacer.first(text).map_or(0, |(rule, _)| rule);
            let back = self.replacer.restored(&replaced);
            let same = text.chars().zip(back.chars()).take_while(|(one, other)| one == other);
            let upto: usize = same.map(|(one, _)| one.len_utf8()).sum();
            let around = |text: &str| {
                let from = text[..upto].rfind(char::is_whitespace).map_or(0, |at| at + 1);
                text[from..].split_whitespace().take(3).collect::<Vec<_>>().join(" ")
            };
            let (own, back) = (around(text), around(&back));
            (rule, "collision", format!("`{own}` would be put back as `{back}`"))
        })
    }

    fn sides(&self, rule: usize) -> (&str, &str) {
        let rule = &self.question.rules[rule];
        (rule.from.trim(), rule.to.trim())
    }

    fn evidence(&self) -> impl Iterator<Item = (u32, &str)> {
        self.question.supporting.iter().filter_map(|at| {
            let document = self.question.documents.get(*at as usize)?;
            Some((*at, &document.text[..]))
        })
    }

    /// Everything that the question says, and where.
    fn texts_of(&self) -> impl Iterator<Item = (String, String)> + '_ {
        let question = self.question;
        let documents = question.supporting.iter().filter_map(|at| {
            let document = question.documents.get(*at as usize)?;
            Some((format!("document {}", at + 1), format!("{}\n{}", document.title, document.text)))
        });
        let named = |name: &'static str| move |text: &String| (name.to_owned(), text.clone());
        let facts = question.confusing.iter().map(named(CONFUSING));
        let answers = question.answers.iter().map(named("answer"));
        [("question".to_owned(), question.question.clone())]
            .into_iter()
            .chain(answers)
            .chain([("keywords".to_owned(), question.keywords.clone())])
            .chain(facts)
            .chain(documents)
    }
}

/// The rule the other way round.
fn turned(rule: &storymill_core::Rule) -> storymill_core::Rule {
    storymill_core::Rule { from: rule.to.clone(), to: rule.from.clone(), scope: rule.scope.clone() }
}

#[cfg(test)]
mod tests;
