//! `fact-recall`: one fact at many depths of a text (LV-Eval's factrecall).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Context, Cx, Document, Edge, Options, Rows, Rule, Scope, SetQuestion, Stage, Stop, stage,
};
use storymill_mixing::{Pool, Recall, Unmixable, recall};
use storymill_text::Language;

use super::{
    ends, language,
    mix::{check_levels, check_rules, groups},
};

/// Puts a fact between two sentences of a set's passages, at evenly spaced depths, once for each
/// length and depth. The passages stand in the order of the set and have no headings.
///
/// ```
/// use storymill_transforms::FactRecall;
/// let stage = "from = 'sets'\nfact = 'Ann Lee hid it.'\nquestion = 'Who hid it?'\nanswer = 'Ann Lee'";
/// let stage: FactRecall = toml::from_str(stage).unwrap();
/// assert_eq!((stage.depths, stage.levels.len()), (200, 5));
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FactRecall {
    /// The source of question sets; only documents count.
    pub from: Edge<SetQuestion>,
    /// The fact, one sentence.
    pub fact: String,
    /// What is asked.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// The words of the answer that matter, separated by spaces.
    #[serde(default)]
    pub keywords: String,
    /// Sentences that look like the fact and are not.
    #[serde(default)]
    pub confusing: Vec<String>,
    /// What is replaced by what, in everything above and in the text.
    #[serde(default)]
    pub rules: Vec<Replacement>,
    /// How many depths. Default: 200.
    #[serde(default = "crate::defaults::count::<200>")]
    pub depths: u32,
    /// The lengths. Default: LV-Eval's five.
    #[serde(default = "crate::defaults::levels")]
    pub levels: Vec<u32>,
}

/// A rule.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Replacement {
    /// The word or phrase; it stands in the fact.
    pub from: String,
    /// What stands for it.
    pub to: String,
}

impl Options for FactRecall {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mut faults: Vec<_> =
            check_levels(&self.levels).into_iter().map(|fault| ("levels", fault)).collect();
        for (name, text) in
            [("fact", &self.fact), ("question", &self.question), ("answer", &self.answer)]
        {
            if text.trim().is_empty() {
                faults.push((name, "is blank".to_owned()));
            }
        }
        if !(2..=1_000).contains(&self.depths) {
            faults.push(("depths", format!("is {}, and can be 2 to 1,000", self.depths)));
        }
        faults
    }
}

impl Stage for FactRecall {
    stage!("fact-recall", 6, Rows<SetQuestion> => Context, from);

    fn run(&self, rows: Rows<SetQuestion>, cx: &mut Cx<'_>) -> Result<Vec<Context>, Stop> {
        let language = language(&rows);
        let pool = Pool::new(cx.unit(), &rows, language, |_| false);
        let question = self.asked(language);
        check_rules(&question, language, &groups(None))?;
        let options = Recall {
            levels: self.levels.clone(),
            depths: self.depths,
            confusing: !self.confusing.is_empty(),
            replace: !self.rules.is_empty(),
        };
        let ends = ends(language);
        let (contexts, failed) =
            recall(cx.unit(), &question, &pool, &options, &ends, &mut |_, _| ());
        for Unmixable { level, reason } in failed {
            cx.stop(format!("fact_{}", Context::level_name(level)), Stop::Reject(reason))?;
        }
        Ok(contexts)
    }
}

impl FactRecall {
    fn asked(&self, language: Language) -> SetQuestion {
        let rule = |one: &Replacement| Rule {
            from: one.from.clone(),
            to: one.to.clone(),
            scope: vec![Scope::Context],
        };
        SetQuestion {
            id: "fact".to_owned(),
            language: language.tag().to_owned(),
            question: self.question.clone(),
            answers: vec![self.answer.clone()],
            keywords: self.keywords.clone(),
            documents: vec![Document { title: String::new(), text: self.fact.clone() }],
            supporting: vec![0],
            confusing: self.confusing.clone(),
            rules: self.rules.iter().map(rule).collect(),
            asked: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::run;

    fn set(words: usize) -> Vec<SetQuestion> {
        let text: String = (0..words)
            .map(|at| match at % 8 {
                0 => format!("Word{} ", at % 71),
                7 => format!("word{}. ", at % 71),
                _ => format!("word{} ", at % 71),
            })
            .collect();
        let pieces: Vec<&str> = text.split_inclusive(". ").collect();
        let documents =
            pieces.chunks(9).map(|chunk| Document { title: String::new(), text: chunk.concat() });
        vec![SetQuestion {
            id: "p".into(),
            language: "en".into(),
            documents: documents.collect(),
            ..SetQuestion::default()
        }]
    }

    fn stage(more: &str) -> FactRecall {
        let lines = "from = 's'\nfact = 'Ada Penn hid the bell in the mill.'\nquestion = 'Where did Ada Penn hide the bell?'\nanswer = 'in the mill'";
        toml::from_str(&format!("{lines}\n{more}")).unwrap()
    }

    #[test]
    fn a_fact_goes_to_every_depth() {
        let more = "levels = [400, 800]\ndepths = 11\nconfusing = ['Ida Ross hid a book in the well.', 'Ada Penn sold a bell.']\nrules = [{ from = 'Ada Penn', to = 'Lise Crane' }]";
        let (contexts, trace) = run(&stage(more), set(2_000).into());
        let contexts = contexts.unwrap();
        assert_eq!((contexts.len(), trace.rejects.len()), (22, 0));
        for context in &contexts {
            let at: u16 = context.item[5..].parse().unwrap();
            let [evidence] = context.evidence[..] else { panic!("one fact") };
            assert!(
                evidence.depth_pm.abs_diff(at * 100) < 30,
                "{} at {}",
                context.id,
                evidence.depth_pm
            );
            assert_eq!(
                (context.confusing.len(), &context.question[..]),
                (2, "Where did Lise Crane hide the bell?")
            );
            assert!(context.length >= context.level && context.length < context.level + 100);
        }
    }

    #[test]
    fn a_short_set_says_what_is_missing() {
        let (contexts, trace) = run(&stage("levels = [400, 9000]\ndepths = 2"), set(2_000).into());
        assert_eq!(contexts.unwrap().len(), 2);
        assert!(trace.rejects[0].reason.detail.contains("words are missing to reach 9000"));
        let (contexts, _) = run(&stage("rules = [{ from = 'Zorn', to = 'Orm' }]"), set(50).into());
        assert!(matches!(contexts, Err(Stop::Reject(reason)) if &*reason.code == "hits-nothing"));
    }
}
