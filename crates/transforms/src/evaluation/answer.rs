//! `answer`: puts the questions of a published dataset to a model, in one setting or several.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_claims::prompt::Form;
use storymill_core::{
    Cx, Edge, Encoding, Exam, ModelAnswer, Reckoned, Resource, Rows, Setting, Size, Stage, Stop,
    stage,
};

use super::{
    counting::Counting,
    shown::{Page, TooLong},
};
use crate::asking::{all, asking};

/// Asks a model every question once in each setting. Whatever comes of it is a row, with how it ended.
///
/// ```
/// use storymill_core::Options;
/// use storymill_transforms::AnswerStage;
/// let stage: AnswerStage =
///     toml::from_str("from = 'exam'\nsettings = ['full', 'none', 'recent-8000']").unwrap();
/// assert!(stage.check().is_empty());
/// assert_eq!(stage.models(), ["default"]);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerStage {
    /// The source of the questions: `published`.
    pub from: Edge<Exam>,
    /// The model's name in the workflow. Default: `default`.
    #[serde(default = "crate::defaults::model")]
    pub model: String,
    /// What rows call the model. Default: its name in the workflow.
    #[serde(default)]
    pub called: String,
    /// What is shown, each in turn: `full`, `none`, `title`, `evidence`, `recent-N` (tokens), `retrieved-K`
    /// (excerpts), `summaries`. Default: `full`.
    #[serde(default = "full")]
    pub settings: Vec<String>,
    /// The model's window in tokens of `tokens`, request and answer together. Default: none is kept.
    #[serde(default)]
    pub window: Option<u32>,
    /// What becomes of a context that is longer: `refuse`, `middle` or `front`. Default: `refuse`.
    #[serde(default)]
    pub too_long: TooLong,
    /// The encoding that contexts are counted and cut in. Default: `o200k_base`.
    #[serde(default = "crate::defaults::encoding")]
    pub tokens: Encoding,
    /// A file `tokenizer.json` to count and cut in, in place of `tokens`. Default: none.
    #[serde(default)]
    pub tokenizer: Option<Resource>,
    /// How many questions a request holds: those that stand one after another, have options and are asked of the same
    /// text. Default: 1.
    #[serde(default = "crate::defaults::count::<1>")]
    pub per_request: u32,
    /// The prompt that claims are put in: `explain-first`, `answer-first`, `answer-only`, `simple` or `excerpts`, NoCha's in our own
    /// words; excerpts of a book are always shown in the last. Default: the one of other questions.
    #[serde(default)]
    pub form: Option<String>,
    /// Show the story that a claim is about where it is about one of a collection, not the whole book. Default: no.
    #[serde(default)]
    pub story: bool,
    /// With `form`, excerpts stand in the order of the book, not the best one first. Default: no.
    #[serde(default)]
    pub book_order: bool,
    /// How many tokens may be written, thinking among them. Default: 1024.
    #[serde(default = "crate::defaults::count::<1024>")]
    pub max_tokens: u32,
    /// How often to ask: always once, since whatever is said counts. Default: 1.
    #[serde(default = "crate::defaults::count::<1>")]
    pub tries: u32,
    /// A template to use instead of the one that comes with storymill (data/prompts).
    #[serde(default)]
    pub prompt: Option<Resource>,
}

fn full() -> Vec<String> {
    vec!["full".to_owned()]
}

asking!(
    AnswerStage,
    ["answer.jinja", "answers.jinja"],
    Form::ALL.map(Form::text),
    [prompt, tokenizer],
    least = [(max_tokens, 1), (per_request, 1)],
    check = |stage, mut faults| {
        let mut known = Vec::new();
        for name in &stage.settings {
            match name.parse::<Setting>() {
                Err(wrong) => faults.push(("settings", format!("holds `{name}`: {wrong}"))),
                Ok(setting) if known.contains(&setting) => {
                    faults.push(("settings", format!("holds `{name}` twice")));
                }
                Ok(setting) => known.push(setting),
            }
        }
        if known.is_empty() && faults.is_empty() {
            faults.push(("settings", "must name at least one".to_owned()));
        }
        if stage.tokenizer.is_some() && !cfg!(feature = "tokenizers") {
            let message =
                "this storymill reads no such files: install it with `--features tokenizers`";
            faults.push(("tokenizer", message.to_owned()));
        }
        if let Some(name) = &stage.form
            && Form::named(name).is_none()
        {
            let known = Form::ALL.map(Form::name).join(", ");
            faults.push(("form", format!("is not a form of prompt: `{name}`; known: {known}")));
        }
        if stage.per_request > 100 {
            faults.push(("per_request", "must be at most 100".to_owned()));
        }
        faults
    }
);

impl Stage for AnswerStage {
    stage!("answer", 4, Rows<Exam> => ModelAnswer, from);

    fn reckon(&self, input: &[Size]) -> Reckoned {
        let exams = input.first().copied().unwrap_or_default();
        let rows = Size { rows: exams.rows, symbols: exams.rows * ANSWER };
        let each = (exams.of_row(), ANSWER);
        Reckoned::questions(rows, (&self.model, 1), exams.rows, each)
    }

    fn run(&self, exams: Rows<Exam>, cx: &mut Cx<'_>) -> Result<Vec<ModelAnswer>, Stop> {
        let asking = self.prompts()?;
        let counting = Counting::new(self.tokens, self.tokenizer.as_ref())?;
        let answers = all(exams.iter(), |exam| {
            let page = Page::new(exam, &counting);
            self.exam(exam, &page, &asking, cx)
        })?;
        Ok(answers.into_iter().flatten().collect())
    }
}

/// About how many symbols an answer has: some reasons and a number.
const ANSWER: u64 = 400;
