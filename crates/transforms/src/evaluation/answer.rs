//! `answer`: puts the questions of a published dataset to a model, in one setting or several.

use minijinja::context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Answer, Chat, Content, Cx, Edge, Encoding, Exam, ExamQuestion, Fault, FaultKind, Form, Item,
    ModelAnswer, Reckoned, Request, Resource, Rows, Setting, Size, Spent, Stage, Status, Stop,
};

use super::{
    parse,
    shown::{Page, Shown, TooLong, count},
};
use crate::{
    asking::{Asks, asking},
    retelling::{prompt::Prompt, summarize::model},
};

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
    #[serde(default = "model")]
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
    #[serde(default = "encoding")]
    pub tokens: Encoding,
    /// How many tokens may be written, thinking among them. Default: 1024.
    #[serde(default = "max_tokens")]
    pub max_tokens: u32,
    /// How often to ask: always once, since whatever is said counts. Default: 1.
    #[serde(default = "once")]
    pub tries: u32,
    /// A template to use instead of the one that comes with storymill (data/prompts).
    #[serde(default)]
    pub prompt: Option<Resource>,
}

fn full() -> Vec<String> {
    vec!["full".to_owned()]
}

fn encoding() -> Encoding {
    Encoding::O200kBase
}

fn max_tokens() -> u32 {
    1_024
}

fn once() -> u32 {
    1
}

asking!(
    AnswerStage,
    ["answer.jinja"],
    std::iter::empty(),
    [prompt],
    least = [(max_tokens, 1)],
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
        faults
    }
);

/// Where the part ends that other requests begin with too, as the template says it.
const SHARED_ENDS: &str = "\u{e000}";

impl Stage for AnswerStage {
    const KIND: &'static str = "answer";
    const VERSION: u32 = 1;
    type In = Rows<Exam>;
    type Out = ModelAnswer;

    fn edges(&self) -> Edge<Exam> {
        self.from.clone()
    }

    fn reckon(&self, input: &[Size]) -> Reckoned {
        let exams = input.first().copied().unwrap_or_default();
        let rows = Size { rows: exams.rows, symbols: exams.rows * ANSWER };
        let each = (exams.of_row(), ANSWER);
        Reckoned::questions(rows, (&self.model, 1), exams.rows, each)
    }

    fn run(&self, exams: Rows<Exam>, cx: &mut Cx<'_>) -> Result<Vec<ModelAnswer>, Stop> {
        let asking = self.asking(&[&self.prompt])?;
        let prompt = asking.with(0).prompt;
        let mut answers = Vec::new();
        let mut waits = false;
        for exam in exams.iter() {
            let page = Page::new(exam, self.tokens);
            match self.exam(exam, &page, prompt, cx) {
                Ok(more) => answers.extend(more),
                Err(Stop::Waiting) => waits = true,
                Err(other) => return Err(other),
            }
        }
        if waits { Err(Stop::Waiting) } else { Ok(answers) }
    }
}

/// About how many symbols an answer has: some reasons and a number.
const ANSWER: u64 = 400;

/// A question in a setting.
struct Put<'e> {
    asked: &'e ExamQuestion,
    setting: Setting,
}

impl Item for Put<'_> {
    fn item_id(&self) -> String {
        format!("{}/{}", self.asked.item_id(), self.setting)
    }
}

impl AnswerStage {
    fn exam(
        &self,
        exam: &Exam,
        page: &Page<'_>,
        prompt: &Prompt,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<ModelAnswer>, Stop> {
        let settings = self.settings.iter().map(|name| name.parse::<Setting>());
        let settings: Vec<Setting> = settings.collect::<Result<_, _>>().map_err(|wrong| {
            Fault::new(FaultKind::Input, "a setting cannot be read").because(wrong)
        })?;
        // What begins alike is asked one after another: that is what servers' caches are made for.
        let puts: Vec<Put<'_>> = settings
            .into_iter()
            .flat_map(|setting| exam.questions.iter().map(move |asked| Put { asked, setting }))
            .collect();
        cx.each(&puts, |cx, put| self.put(exam, put, page, prompt, cx))
    }

    fn put(
        &self,
        exam: &Exam,
        put: &Put<'_>,
        page: &Page<'_>,
        prompt: &Prompt,
        cx: &mut Cx<'_>,
    ) -> Result<ModelAnswer, Stop> {
        let (asked, setting) = (put.asked, put.setting);
        let question = &asked.question;
        let shown = page.offered(question, setting)?;
        let shown = page.within(shown, self.room(exam, put, prompt)?, self.too_long)?;
        let mut row = ModelAnswer {
            question: question.id.clone(),
            config: asked.config.clone(),
            of: exam.of.clone(),
            model: if self.called.is_empty() { &self.model } else { &self.called }.clone(),
            setting: setting.to_string(),
            status: Status::DoesNotFit,
            said: String::new(),
            answer: String::new(),
            spent: Spent {
                offered: shown.offered,
                shown: shown.left,
                cut: shown.cut.to_owned(),
                limit: Some(self.max_tokens),
                ..Spent::default()
            },
        };
        if !shown.fits {
            return Ok(row);
        }
        let chat = self.chat(exam, put, &shown, prompt)?;
        let request = |_: Option<&_>| Request {
            model: self.model.clone(),
            content: Content::Chat(chat.clone()),
            tries: 1,
        };
        let answer: Answer = cx.ask(0, request, |answer| Ok(answer.clone()))?;
        let written = cx.written()?;
        (row.status, row.answer) = parse::read(question, &answer, written, self.max_tokens);
        row.said = answer.text;
        row.spent.output = written.map(|one| one.output.saturating_sub(one.thinking));
        row.spent.thinking = written.map(|one| one.thinking);
        Ok(row)
    }

    /// How many tokens of context there is room for.
    fn room(&self, exam: &Exam, put: &Put<'_>, prompt: &Prompt) -> Result<Option<u32>, Fault> {
        let Some(window) = self.window else { return Ok(None) };
        let bare = self.chat(exam, put, &Shown::default(), prompt)?;
        let told: u32 = bare.texts().filter_map(|text| count(text, self.tokens)).sum();
        Ok(Some(window.saturating_sub(self.max_tokens).saturating_sub(told)))
    }

    fn chat(
        &self,
        exam: &Exam,
        put: &Put<'_>,
        shown: &Shown<'_>,
        prompt: &Prompt,
    ) -> Result<Chat, Fault> {
        let question = &put.asked.question;
        let form = match &question.form {
            Form::Options { .. } => "options",
            Form::FreeText { .. } => "free-text",
            Form::Verdict { .. } => "verdict",
        };
        let named = put.setting == Setting::Title;
        let options: Vec<String> = question.options().iter().map(|one| one.text.clone()).collect();
        let setting = put.setting.to_string();
        let setting = setting.split('-').next().unwrap_or_default();
        let mut chat = prompt.chat(&context! {
            context => &*shown.text,
            setting,
            title => if named { &*exam.title } else { "" },
            author => if named { &*exam.author } else { "" },
            form,
            task => &question.task,
            given => question.given(),
            options,
            language => &exam.language,
            shared_ends => SHARED_ENDS,
        })?;
        // A template of one's own need not say where what is shared ends.
        if let Some(turn) = chat.turns.first_mut()
            && let Some(at) = turn.text.find(SHARED_ENDS)
        {
            turn.text = turn.text.replace(SHARED_ENDS, "");
            chat.shared = at;
        }
        Ok(Chat { max_tokens: Some(self.max_tokens), ..chat })
    }
}
