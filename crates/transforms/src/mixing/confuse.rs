//! `confuse`: two confusing facts for each question, written by a model.
//!
//! LV-Eval's annotators found three faults in facts that a model wrote: they interfere with
//! nothing, they contradict the evidence, they answer the question. Each is looked for by the words
//! that a fact shares with question, answer and evidence; what is near the line becomes a review.

use std::collections::BTreeSet;

use minijinja::context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Answer, Cx, Edge, Reason, Resource, Review, Rows, SetQuestion, Stage, Stop, stage,
};
use storymill_mixing::{Holds, Idle};
use storymill_text::Language;

use super::{
    asking::{evidence, labelled, tagged, telling, told},
    asks, each_question, ends, language,
};
use crate::{
    asking::{Asks, asking},
    retelling::prompt::AGAIN_SETS,
};

/// Has a model write two confusing facts for each question that has none: one about another
/// subject, one about another object.
///
/// ```
/// use storymill_transforms::Confuse;
/// let stage: Confuse = toml::from_str("from = 'sets'").unwrap();
/// assert_eq!((&stage.model[..], stage.tries), ("default", 10));
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Confuse {
    /// The source of question sets, or a step that adds to its questions.
    pub from: Edge<SetQuestion>,
    /// The model's name in the workflow. Default: `default`.
    #[serde(default = "crate::defaults::model")]
    pub model: String,
    /// How often to ask at most until an answer passes the checks. Default: 10.
    #[serde(default = "crate::defaults::tries")]
    pub tries: u32,
    /// A template to use instead of those that come with storymill (data/prompts).
    #[serde(default)]
    pub prompt: Option<Resource>,
}

asking!(Confuse, ["confuse-en.jinja", "confuse-zh.jinja"], AGAIN_SETS, [prompt]);

impl Stage for Confuse {
    stage!("confuse", 4, Rows<SetQuestion> => SetQuestion, from);

    fn run(&self, rows: Rows<SetQuestion>, cx: &mut Cx<'_>) -> Result<Vec<SetQuestion>, Stop> {
        let language = language(&rows);
        let asking = self.asking(&[&self.prompt])?;
        each_question(cx, &rows, |cx, row| {
            let mut row = row.clone();
            if !asks(&row) {
                return Ok(row);
            }
            let judge = Judge::new(&row, language);
            if !row.confusing.is_empty() {
                let facts = row.confusing.clone();
                row.confusing = kept(cx, &row, facts.clone(), |fact| judge.brought(fact, &facts))?;
                return Ok(row);
            }
            let answer = row.answers.first().cloned().unwrap_or_default();
            let variables =
                context! { question => &row.question, answer, evidence => &judge.evidence };
            let taken = asking.of(language).first(cx, 0, &variables, |given| judge.check(given))?;
            row.asked.push(taken.digest());
            let doubt = |fact: &str| judge.doubt(fact).map(str::to_owned);
            row.confusing = kept(cx, &row, taken.value.to_vec(), doubt)?;
            Ok(row)
        })
    }
}

/// The facts that people keep of those that are in doubt, and all others.
fn kept(
    cx: &mut Cx<'_>,
    row: &SetQuestion,
    facts: Vec<String>,
    doubt: impl Fn(&str) -> Option<String>,
) -> Result<Vec<String>, Stop> {
    let mut kept = Vec::new();
    for fact in facts {
        let mut choice = "keep".to_owned();
        if let Some(doubt) = doubt(&fact) {
            choice = cx.decide(Review {
                item: row.id.clone(),
                code: "confusing-fact".into(),
                question: doubt,
                about: format!("{}\n{}\n{fact}", row.question, row.answers.join(" / ")),
                excerpt: format!("{}\nfact: {fact}", told(&row.question, &row.answers)),
                text: evidence(row),
                choices: vec!["keep".to_owned(), "drop".to_owned()],
                default: "keep".to_owned(),
                ..Review::default()
            })?;
        }
        if choice == "keep" {
            kept.push(fact);
        }
    }
    Ok(kept)
}

/// What a question's facts are held against.
struct Judge {
    language: Language,
    evidence: String,
    /// Telling words of the question, and of the evidence.
    question: BTreeSet<String>,
    told: BTreeSet<String>,
    /// The telling words by which the question names what it is about: those that titles say too, or
    /// of each document the sentence that is likest the question.
    named: BTreeSet<String>,
    holds: Holds,
    idle: Idle,
}

/// Per cent of the question's telling words that a fact may share before it is about the very thing
/// that is asked; from how many on a person should look.
const SAME_THING: usize = 90;
const DOUBTFUL: usize = 70;

impl Judge {
    fn new(row: &SetQuestion, language: Language) -> Self {
        let idle = Idle::of(language);
        let holds = Holds::new(&row.answers, &row.keywords, language, &|word| idle.is(word));
        let evidence = evidence(row);
        let question = telling(&row.question, language, &idle);
        let told = telling(&evidence, language, &idle);
        let named = named(row, &question, language, &idle);
        Self { language, evidence, question, told, named, holds, idle }
    }

    /// The two facts of an answer, or why they are unfit.
    fn check(&self, given: &Answer) -> Result<[String; 2], Reason> {
        let text = tagged(given)?;
        let fact = |label| {
            labelled(&text, label)
                .ok_or_else(|| Reason::new("no-facts", format!("no line `{label}:`")))
        };
        let facts = [fact("SUBJECT")?, fact("OBJECT")?];
        if facts[0] == facts[1] {
            return Err(Reason::new("same-fact", "both sentences are the same"));
        }
        facts.iter().try_for_each(|fact| self.fact(fact))?;
        self.other_subject(&facts[0])?;
        Ok(facts)
    }

    fn fact(&self, fact: &str) -> Result<(), Reason> {
        let fault = |code, detail: &str| Err(Reason::new(code, format!("`{fact}` {detail}")));
        let stops = if self.language == Language::Chinese { ['。', '！'] } else { ['.', '!'] };
        if !fact.trim_end_matches(['”', '"', '」', '’']).ends_with(stops)
            || ends(self.language)(fact).len() != 1
        {
            return fault("not-declarative", "is no single sentence that ends in a full stop");
        }
        let chinese = fact.chars().any(storymill_han);
        if chinese != (self.language == Language::Chinese) {
            return fault("wrong-language", "is in another language");
        }
        if self.evidence.contains(fact.trim_end_matches(stops)) {
            return fault("same-fact", "stands in the evidence");
        }
        let words = telling(fact, self.language, &self.idle);
        let shared = words.intersection(&self.told).count();
        if shared < 2 {
            return fault("no-interference", "shares too little with the evidence");
        }
        if self.share(&words) >= SAME_THING {
            let code = if self.holds.is_in(fact) { "answers-question" } else { "contradicts" };
            return fault(code, "says of the same subject what is asked");
        }
        Ok(())
    }

    /// Whether a fact about another subject names one. `Why do the horses of the station wear red?`:
    /// what is said of the horses of any station answers that.
    fn other_subject(&self, fact: &str) -> Result<(), Reason> {
        let words = telling(fact, self.language, &self.idle);
        if self.named.len() < 2 || !self.named.is_subset(&words) {
            return Ok(());
        }
        let detail = format!(
            "`{fact}` says all by which the question names what it asks, so it is of no other subject"
        );
        Err(Reason::new("no-other-subject", detail))
    }

    /// Why a person should look at a fact that came with its question: nobody can be asked again.
    fn brought(&self, fact: &str, all: &[String]) -> Option<String> {
        // Which of them is about another subject nobody says; but one should be.
        let others = |fact: &String| self.other_subject(fact).is_ok();
        let subject = if all.iter().any(others) { Ok(()) } else { self.other_subject(fact) };
        let fault = self.fact(fact).and(subject).err();
        let fault = fault.map(|reason| format!("is this fact fit to confuse? {}", reason.detail));
        fault.or_else(|| self.doubt(fact).map(str::to_owned))
    }

    /// Why a person should look at a fact that passed.
    fn doubt(&self, fact: &str) -> Option<&'static str> {
        let words = telling(fact, self.language, &self.idle);
        (self.share(&words) >= DOUBTFUL)
            .then_some("with this fact in the context, is the evidence still true and the answer still the only right one?")
    }

    /// How much of the question's telling words is there, in per cent.
    fn share(&self, words: &BTreeSet<String>) -> usize {
        let shared = self.question.intersection(words).count();
        (shared * 100).checked_div(self.question.len()).unwrap_or(0)
    }
}

/// The telling words of a question that stand in the titles of its evidence, or in the sentence of each
/// document that shares most of them.
fn named(
    row: &SetQuestion,
    question: &BTreeSet<String>,
    language: Language,
    idle: &Idle,
) -> BTreeSet<String> {
    let ends = ends(language);
    let shared = |text: &str| -> BTreeSet<String> {
        telling(text, language, idle).intersection(question).cloned().collect()
    };
    let mut named = BTreeSet::new();
    for at in &row.supporting {
        let Some(document) = row.documents.get(*at as usize) else { continue };
        named.extend(shared(&document.title));
        let mut start = 0;
        let sentences = ends(&document.text).into_iter().map(|end| {
            let sentence = &document.text[start..end];
            start = end;
            shared(sentence)
        });
        // The first of those that share as much.
        let nearest = sentences.reduce(|best, one| if one.len() > best.len() { one } else { best });
        named.extend(nearest.unwrap_or_default());
    }
    named
}

fn storymill_han(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c)
}

#[cfg(test)]
mod tests {
    use storymill_core::Document;

    use super::*;

    fn judge() -> Judge {
        let row = SetQuestion {
            question: "What did Ivo Marsh carve above the door of the lock-house?".into(),
            answers: vec!["a heron".into()],
            keywords: "heron".into(),
            documents: vec![Document {
                title: String::new(),
                text: "Above the door of the lock-house Ivo Marsh carved a heron. It took him two winters.".into(),
            }],
            supporting: vec![0],
            ..SetQuestion::default()
        };
        Judge::new(&row, Language::English)
    }

    #[track_caller]
    fn check(fact: &str, expected: Option<&str>) {
        let found = judge().fact(fact).err();
        assert_eq!(found.as_ref().map(|reason| &*reason.code), expected, "{fact}");
    }

    #[test]
    fn facts_that_came_with_a_question_are_looked_at() {
        let doubt = |fact: &str| judge().brought(fact, &[fact.to_owned()]);
        assert_eq!(doubt("Ivo Marsh carved a ram above the gate of the brewery."), None);
        let found = doubt("Ivo Marsh carved a ram above the door of the lock-house.").unwrap();
        assert!(found.contains("says of the same subject what is asked"), "{found}");
        assert!(doubt("The weather was fine that year.").unwrap().contains("too little"));
    }

    #[test]
    fn a_fact_of_no_other_subject_answers_the_question() {
        let judge = |question: &str, answer: &str, text: &str, language: Language| {
            let row = SetQuestion {
                question: question.into(),
                answers: vec![answer.into()],
                documents: vec![Document { title: String::new(), text: text.into() }],
                supporting: vec![0],
                ..SetQuestion::default()
            };
            Judge::new(&row, language)
        };
        let check = |judge: &Judge, fact: &str, expected: Option<&str>| {
            let found = judge.fact(fact).and_then(|()| judge.other_subject(fact)).err();
            assert_eq!(found.as_ref().map(|reason| &*reason.code), expected, "{fact}");
        };
        let text = "驿站在一片盐碱地上。沙井驿的马都系红绳，因为老驿卒只认得红色。";
        let other = Some("no-other-subject");
        // The question names no station: what is said of another one answers it.
        let asks = judge("驿站的马为什么都系红绳？", "老驿卒只认得红色", text, Language::Chinese);
        check(&asks, "泉井驿的马都系红绳，是为了避邪。", other);
        check(&asks, "沙井驿的驴都系白绳，因为老驿卒怕鬼。", None);
        let asks = judge("沙井驿的马为什么都系红绳？", "老驿卒只认得红色", text, Language::Chinese);
        check(&asks, "泉井驿的马都系红绳，是为了避邪。", None);
        let text = "At Dray the horses wear a red cord on the leg, since the groom sees no other colour. A post station has forty.";
        let answer = "the groom sees no other colour";
        let asks = "Why do horses at the post station in the hills wear a red cord?";
        let asks = judge(asks, answer, text, Language::English);
        check(&asks, "At Quell the horses wear a red cord against ghosts.", other);
        check(&asks, "At Dray the mules wear a white cord against ghosts.", None);
    }

    #[test]
    fn the_three_faults_are_found() {
        check("Above the door of the mill Tobias Wren carved a heron.", None);
        check("Ivo Marsh carved a ram above the gate of the brewery.", None);
        check("The weather was fine that year.", Some("no-interference"));
        check("Ivo Marsh carved a ram above the door of the lock-house.", Some("contradicts"));
        check("Ivo Marsh carved the heron above the lock-house door.", Some("answers-question"));
        check("Did Ivo Marsh carve a ram above the gate?", Some("not-declarative"));
        check("Ivo Marsh carved a ram. It stood above the gate.", Some("not-declarative"));
        check("It took him two winters.", Some("same-fact"));
        check("伊沃在门上刻了一只羊。", Some("not-declarative"));
    }
}
