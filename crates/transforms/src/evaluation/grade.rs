//! `grade`: what the answers of a model are worth. Nobody is asked: other rules need no new answers.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_claims::habits::{BookWords, Habits};
use storymill_core::{
    Cx, Edge, Exam, ExamQuestion, Fault, FaultKind, Form, Grade, ModelAnswer, OptionKind, Options,
    Resource, Rows, Stage, Status, Stop, stage,
};
use storymill_metrics::wordlists::WordLists;

use super::{measures::Measures, wordnet::WordNetFolder};

/// Grades answers. Every status stays in the denominator: what is not answered is not right.
///
/// ```
/// use storymill_core::Options;
/// use storymill_transforms::GradeStage;
/// let stage: GradeStage = toml::from_str("from = 'exam'\nanswers = 'answers'").unwrap();
/// assert!(stage.wordnet.is_none());
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GradeStage {
    /// The source of the questions: `published`.
    pub from: Edge<Exam>,
    /// The step that makes the answers: `answer` or `baseline`.
    pub answers: Edge<ModelAnswer>,
    /// A folder with WordNet 3.0, for METEOR. Without one METEOR is left out.
    #[serde(default)]
    pub wordnet: Option<WordNetFolder>,
}

impl Options for GradeStage {
    fn resources(&mut self) -> Vec<&mut Resource> {
        self.wordnet.iter_mut().flat_map(WordNetFolder::resources).collect()
    }
}

impl Stage for GradeStage {
    stage!("grade", 3, (Rows<Exam>, Rows<ModelAnswer>) => Grade, from, answers);

    fn run(
        &self,
        (exams, answers): (Rows<Exam>, Rows<ModelAnswer>),
        cx: &mut Cx<'_>,
    ) -> Result<Vec<Grade>, Stop> {
        let lists = WordLists::ours();
        // Only free text is measured; a WordNet takes a while to read.
        let free = |asked: &ExamQuestion| matches!(asked.question.form, Form::FreeText { .. });
        let measures = exams.iter().any(|exam| exam.questions.iter().any(free));
        let wordnet = self.wordnet.as_ref().filter(|_| measures);
        let wordnet = wordnet.map(WordNetFolder::read).transpose()?;
        let mut measures = Measures::new(&lists, wordnet.as_ref());
        // Only of claims it is asked what is quoted.
        let claims = |exam: &Exam| exam.questions.iter().any(|one| one.question.pair().is_some());
        let words = |exam| BookWords::of(if claims(exam) { &exam.text } else { "" });
        let words: Vec<BookWords> = exams.iter().map(words).collect();
        let asked: BTreeMap<(&str, &str), (&Exam, &ExamQuestion, &BookWords)> = exams
            .iter()
            .zip(&words)
            .flat_map(|(exam, words)| exam.questions.iter().map(move |one| (exam, one, words)))
            .map(|of| ((&*of.1.config, &*of.1.question.id), of))
            .collect();
        cx.each(&answers, |_, answer| {
            let of = asked.get(&(&*answer.config, &*answer.question)).ok_or_else(|| {
                let message = format!("`{}` was answered and never asked", answer.question);
                Fault::new(FaultKind::Internal, message)
            })?;
            Ok(grade(*of, answer, &mut measures)?)
        })
    }
}

/// What an answer to a claim shows beside its verdict, in millionths: whether it has an explanation, gives the answer in the first
/// sentence of it and another one in the end, and how many quotations it has and how many of these stand in the book.
fn habits(said: &str, claim: &str, words: &BookWords) -> Vec<(String, u32)> {
    let Habits { explained, early, contradicted, quotations, verbatim } =
        Habits::of(said, claim, words);
    let counts = [
        ("explained", u32::from(explained)),
        ("early", u32::from(early)),
        ("contradicted", u32::from(contradicted)),
        ("quotations", quotations),
        ("verbatim", verbatim),
    ];
    counts.map(|(name, count)| (name.to_owned(), count.saturating_mul(1_000_000))).into()
}

fn grade(
    (exam, asked, words): (&Exam, &ExamQuestion, &BookWords),
    answer: &ModelAnswer,
    measures: &mut Measures<'_>,
) -> Result<Grade, Fault> {
    let question = &asked.question;
    let said = Some(&*answer.answer).filter(|_| answer.status == Status::Answered);
    let mut none_of_the_above = false;
    let (form, right, choices, pair, measured) = match &question.form {
        Form::Options { options, right, .. } => {
            none_of_the_above = options
                .get(usize::from(*right))
                .is_some_and(|option| option.kind == OptionKind::None);
            let is_right = said.and_then(|said| said.parse::<u8>().ok()) == Some(*right);
            let choices = u8::try_from(options.len()).unwrap_or(u8::MAX);
            ("options", Some(is_right), choices, "", Vec::new())
        }
        Form::Verdict { pair, holds, claim } => {
            let is_right = said == Some(if *holds { "true" } else { "false" });
            ("verdict", Some(is_right), 2, &**pair, habits(&answer.said, claim, words))
        }
        Form::FreeText { references, .. } => {
            let measured = measures.of(question, references, &exam.language, said)?;
            ("free-text", None, 0, "", measured)
        }
    };
    let first = measured.first().map_or(0, |(_, score)| *score);
    Ok(Grade {
        question: answer.question.clone(),
        config: answer.config.clone(),
        of: exam.of.clone(),
        title: exam.title.clone(),
        // Nothing is known to go with it: then it goes alone.
        author: if exam.author.is_empty() { exam.of.to_string() } else { exam.author.clone() },
        split: asked.split.clone(),
        flags: asked.flags.clone(),
        written_by: asked.written_by.clone(),
        model: answer.model.clone(),
        setting: answer.setting.clone(),
        form: form.to_owned(),
        kind: question.kind.clone(),
        status: answer.status,
        right,
        none_of_the_above,
        choices,
        pair: pair.to_owned(),
        facets: asked.facets.clone(),
        score_ppm: right.map_or(first, |right| u32::from(right) * 1_000_000),
        measures: measured,
        demand: question.demand.clone(),
        context: question.context.length(),
        spent: answer.spent.clone(),
    })
}
