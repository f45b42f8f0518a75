//! `closed-book`: can a question be answered without its context? Asked of a model, it tells what
//! replacing words is worth, and which questions ask for what models know.

use minijinja::context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Cx, Edge, Reason, Resource, Review, Rows, Rule, SetQuestion, Stage, Stop, stage,
};
use storymill_mixing::{Holds, Idle, Replacer};

use super::{
    asking::{tagged, told},
    asks, each_question, language,
};
use crate::{
    asking::{Asks, asking},
    retelling::prompt::AGAIN_SETS,
};

/// Asks a model every question without a context. Questions that it answers are flagged for review,
/// and by option no longer asked.
///
/// ```
/// use storymill_transforms::ClosedBook;
/// let stage: ClosedBook = toml::from_str("from = 'sets'\ndrop = true").unwrap();
/// assert!(stage.drop && stage.replace);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClosedBook {
    /// The source of question sets, or a step that adds to its questions.
    pub from: Edge<SetQuestion>,
    /// The model's name in the workflow. Default: `default`.
    #[serde(default = "crate::defaults::model")]
    pub model: String,
    /// Whether the rules of the question are applied before it is asked. Default: true.
    #[serde(default = "crate::defaults::yes")]
    pub replace: bool,
    /// Whether questions that are answered without context are no longer asked. Their documents
    /// stay. Default: false.
    #[serde(default)]
    pub drop: bool,
    /// How often to ask at most until an answer can be read. Default: 10.
    #[serde(default = "crate::defaults::tries")]
    pub tries: u32,
    /// A template to use instead of those that come with storymill (data/prompts).
    #[serde(default)]
    pub prompt: Option<Resource>,
}

asking!(ClosedBook, ["closed-book-en.jinja", "closed-book-zh.jinja"], AGAIN_SETS, [prompt]);

impl Stage for ClosedBook {
    stage!("closed-book", 3, Rows<SetQuestion> => SetQuestion, from);

    fn run(&self, rows: Rows<SetQuestion>, cx: &mut Cx<'_>) -> Result<Vec<SetQuestion>, Stop> {
        let language = language(&rows);
        let idle = Idle::of(language);
        let idle = |word: &str| idle.is(word);
        let asking = self.asking(&[&self.prompt])?;
        let mut dropped = Vec::new();
        let rows = each_question(cx, &rows, |cx, row| {
            let mut row = row.clone();
            if !asks(&row) {
                return Ok(row);
            }
            let rules: &[Rule] = if self.replace { &row.rules } else { &[] };
            let replacer = Replacer::new(rules, language);
            let question = replacer.replaced(&row.question);
            let answers: Vec<String> =
                row.answers.iter().map(|answer| replacer.replaced(answer)).collect();
            let keywords = replacer.replaced(&row.keywords);
            let variables = context! { question => &question };
            let taken = asking.of(language).first(cx, 0, &variables, tagged)?;
            row.asked.push(taken.digest());
            let given = taken.value.trim().to_owned();
            if !Holds::new(&answers, &keywords, language, &idle).is_in(&given) {
                return Ok(row);
            }
            let choice = cx.decide(Review {
                item: row.id.clone(),
                code: "known-without-context".into(),
                question: "a model answers this without its context; is it worth asking?"
                    .to_owned(),
                about: format!("{question}\n{}\n{given}", answers.join(" / ")),
                excerpt: format!("{}\nthe model: {given}", told(&question, &answers)),
                choices: vec!["keep".to_owned(), "drop".to_owned()],
                default: if self.drop { "drop" } else { "keep" }.to_owned(),
                ..Review::default()
            })?;
            if choice == "drop" {
                let detail = format!("answered without its context: {given}");
                dropped.push((row.id.clone(), Reason::new("known-without-context", detail)));
                row.question.clear();
            }
            Ok(row)
        })?;
        for (id, reason) in dropped {
            cx.stop(id, Stop::LeftOut(reason))?;
        }
        Ok(rows)
    }
}
