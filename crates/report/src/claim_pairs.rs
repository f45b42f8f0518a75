//! Pairs of claims: one is right where both of its claims are judged right (NoCha, section 3).

use std::collections::BTreeMap;

use storymill_core::{Facet, Status};

use crate::collect::{Answer, Collected, PAIRS, Question};

/// The facet of pairs that every model was asked: NoCha's common set.
const COMMON: &str = "asked of";

pub(crate) fn common() -> Facet {
    Facet::new(COMMON, "all models")
}

impl Collected {
    /// The pairs whose claims were answered, as questions of their own, with the same books and systems.
    ///
    /// A claim that was never answered, since the book was too long for the model, a filter stopped it or the server gave
    /// nothing, takes its pair out of what is counted; an answer without a verdict is wrong (NoCha, appendix D).
    pub(crate) fn pairs_of_claims(&self) -> Self {
        let mut of: BTreeMap<(u32, &str), Vec<u32>> = BTreeMap::new();
        for (at, question) in (0..).zip(&self.questions) {
            if !question.pair.is_empty() {
                of.entry((question.book, &question.pair)).or_default().push(at);
            }
        }
        let twins: Vec<(&str, [u32; 2])> = of
            .into_iter()
            .filter_map(|((_, pair), claims)| Some((pair, claims.try_into().ok()?)))
            .collect();
        let mut at: BTreeMap<u32, u32> = BTreeMap::new();
        for (number, (_, claims)) in (0..).zip(&twins) {
            at.extend(claims.map(|claim| (claim, number)));
        }
        let mut found: BTreeMap<(u32, u32), Vec<&Answer>> = BTreeMap::new();
        for answer in self.answers.iter().filter(|answer| answer.status.was_answered()) {
            if let Some(pair) = at.get(&answer.question) {
                found.entry((*pair, answer.system)).or_default().push(answer);
            }
        }
        found.retain(|_, answers| answers.len() == 2);
        let models = (0..)
            .zip(&self.systems)
            .filter(|(_, of)| !of.is_baseline())
            .map(|(at, _)| at)
            .collect::<Vec<u32>>();
        let is_common = |pair: u32| models.iter().all(|model| found.contains_key(&(pair, *model)));
        let questions = (0..).zip(&twins).map(|(number, (pair, claims))| {
            let [one, two] = claims.map(|claim| &self.questions[claim as usize]);
            let mut question = joined(pair, one, two);
            if models.len() > 1 && is_common(number) {
                question.facets.push(common());
            }
            question
        });
        let answers = found.iter().map(|((pair, system), answers)| both(*pair, *system, answers));
        self.with(questions.collect(), answers.collect())
    }
}

/// Both claims of a pair as one question, with what is said of both.
fn joined(pair: &str, one: &Question, two: &Question) -> Question {
    let further = if one.demand.symbols >= two.demand.symbols { one } else { two };
    Question {
        id: pair.to_owned(),
        form: PAIRS.to_owned(),
        choices: one.choices.saturating_mul(two.choices),
        facets: one.facets.iter().filter(|facet| two.facets.contains(facet)).cloned().collect(),
        demand: further.demand.clone(),
        pair: String::new(),
        ..one.clone()
    }
}

/// The answers to both claims as one.
fn both(pair: u32, system: u32, answers: &[&Answer]) -> Answer {
    let right = answers
        .iter()
        .all(|answer| answer.status == Status::Answered && answer.right == Some(true));
    let sum = |count: fn(&Answer) -> Option<u32>| {
        answers.iter().map(|answer| count(answer)).sum::<Option<u32>>()
    };
    Answer {
        question: pair,
        system,
        status: Status::Answered,
        right: Some(right),
        score_ppm: if right { 1_000_000 } else { 0 },
        whole: answers.iter().all(|answer| answer.whole),
        shown: sum(|answer| answer.shown),
        output: sum(|answer| answer.output),
        thinking: sum(|answer| answer.thinking),
    }
}
