//! `scene-set`: a book as a question set. Its scenes are the documents, and a model writes questions
//! about some of them.

use minijinja::context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Answer, BookId, Cx, Digest, Document, Edge, Inputs, Item, Near, Partners, Reason, Reckoned,
    Resource, Review, Rows, Scene, SetQuestion, Size, Stage, Stop, stage,
};
use storymill_mixing::{Holds, Idle};
use storymill_text::{Language, word_count};

use super::asking::{labelled, tagged, telling};
use crate::{
    asking::{Asks, asking},
    retelling::prompt::AGAIN_SETS,
};

/// Turns the scenes of a book, and those of its partners, into a question set.
///
/// ```
/// use storymill_transforms::SceneSet;
/// let stage: SceneSet = toml::from_str("scenes = 'scenes'\nmodel = 'default'").unwrap();
/// assert_eq!(stage.questions, 20);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SceneSet {
    /// The step that makes the scenes.
    pub scenes: Edge<Scene>,
    /// The corpus stage on partners, whose scenes distract too. Default: none, the book's own scenes are
    /// all there is.
    #[serde(default)]
    pub partners: Option<Edge<Partners>>,
    /// The model that writes questions, by its name in the workflow. None: there are only documents.
    #[serde(default)]
    pub model: Option<String>,
    /// How many scenes are asked about, all of them if the book has no more. Default: 20.
    #[serde(default = "crate::defaults::count::<20>")]
    pub questions: u32,
    /// How often to ask at most until an answer passes the checks. Default: 10.
    #[serde(default = "crate::defaults::tries")]
    pub tries: u32,
    /// A template to use instead of those that come with storymill (data/prompts).
    #[serde(default)]
    pub prompt: Option<Resource>,
}

asking!(
    SceneSet,
    ["scene-question-en.jinja", "scene-question-zh.jinja"],
    AGAIN_SETS,
    [prompt],
    least = [(questions, 1)]
);

impl Stage for SceneSet {
    stage!("scene-set", 1, (Rows<Scene>, Option<(Rows<Partners>, Near<Scene>)>) => SetQuestion);

    fn edges(&self) -> <Self::In as Inputs>::Edges {
        let others = self.partners.as_ref();
        let others = others.map(|partners| (partners.clone(), self.scenes.near(partners)));
        (self.scenes.clone(), others)
    }

    fn reckon(&self, input: &[Size]) -> Reckoned {
        let rows = input.first().copied().unwrap_or_default();
        let Some(model) = &self.model else { return Reckoned { rows, ..Reckoned::default() } };
        let asked = rows.rows.min(u64::from(self.questions));
        let each = (Self::TEMPLATES[0].1.len() as u64 + rows.of_row(), 200);
        // Rows that only bring a scene are asked nothing further.
        let rows = Size { rows: asked, symbols: asked * rows.of_row() };
        Reckoned::questions(rows, (model, self.tries), asked, each)
    }

    fn run(&self, (scenes, others): Self::In, cx: &mut Cx<'_>) -> Result<Vec<SetQuestion>, Stop> {
        let first = scenes.first().map_or("", |scene| &scene.text);
        let chinese = Language::of_text(first) == Language::Chinese;
        let language = if chinese { Language::Chinese } else { Language::English };
        let mut rows: Vec<SetQuestion> =
            scenes.iter().map(|scene| documents(scene, language)).collect();
        if self.model.is_some() {
            let asking = self.asking(&[&self.prompt])?;
            let idle = Idle::of(language);
            let asked = self.asked(&scenes, cx);
            let written = cx.each(&asked, |cx, asked| {
                let text = scenes[asked.at].text.trim();
                let check = |given: &Answer| check(given, text, language, &idle);
                let variables = context! { scene => text };
                let taken = asking.of(language).first(cx, 0, &variables, check)?;
                let digest = taken.digest();
                let [question, answer] = taken.value;
                let review = Review {
                    item: asked.id.clone(),
                    code: "scene-question".into(),
                    question: "does this scene answer the question, and no other?".to_owned(),
                    excerpt: format!("{question}\n{answer}"),
                    text: text.to_owned(),
                    choices: vec!["keep".to_owned(), "drop".to_owned()],
                    default: "keep".to_owned(),
                    ..Review::default()
                };
                let keep = cx.decide(review)? == "keep";
                Ok(keep.then_some((asked.at, question, answer, digest)))
            })?;
            for (at, question, answer, digest) in written.into_iter().flatten() {
                let row = &mut rows[at];
                row.question = question;
                row.answers = vec![answer];
                row.supporting = vec![0];
                row.asked = vec![digest];
            }
        }
        if let Some((partners, near)) = others {
            let mut places: Vec<_> = partners.iter().flat_map(|row| &row.places).collect();
            places.sort();
            places.dedup();
            let scenes = places.into_iter().filter_map(|unit| near.of(unit)).flat_map(|s| s.iter());
            rows.extend(scenes.map(|scene| documents(scene, language)));
        }
        Ok(rows)
    }
}

impl SceneSet {
    /// The scenes that are asked about, by lots of their ids, in the order of the book.
    fn asked(&self, scenes: &[Scene], cx: &Cx<'_>) -> Vec<AskedAbout> {
        let seed = cx.seed().root().to_le_bytes();
        let mut lots: Vec<(Digest, AskedAbout)> = scenes
            .iter()
            .enumerate()
            .map(|(at, scene)| {
                let id = id(&scene.book, scene.scene);
                let lot = Digest::of_parts("storymill 2026 scene-set", [&seed[..], id.as_bytes()]);
                (lot, AskedAbout { at, id })
            })
            .collect();
        lots.sort_unstable_by_key(|(lot, _)| *lot);
        lots.truncate(self.questions as usize);
        let mut asked: Vec<AskedAbout> = lots.into_iter().map(|(_, asked)| asked).collect();
        asked.sort_unstable_by_key(|asked| asked.at);
        asked
    }
}

/// A scene that is asked about.
struct AskedAbout {
    at: usize,
    id: String,
}

impl Item for AskedAbout {
    fn item_id(&self) -> String {
        self.id.clone()
    }
}

/// The id of a scene's row: `84-0012`.
fn id(book: &BookId, scene: u32) -> String {
    format!("{book}-{scene:04}")
}

/// A row that only brings a scene.
fn documents(scene: &Scene, language: Language) -> SetQuestion {
    SetQuestion {
        id: id(&scene.book, scene.scene),
        language: language.tag().to_owned(),
        documents: vec![Document { title: String::new(), text: scene.text.trim().to_owned() }],
        ..SetQuestion::default()
    }
}

/// How many words or Chinese characters an answer may have.
const LONGEST: [usize; 2] = [8, 20];
/// How many telling words a question must share with its scene, to be about it and no other.
const FEWEST: usize = 3;
/// What a question says that speaks of the text instead of what it tells.
const OF_TEXT: [&str; 14] = [
    "passage",
    "excerpt",
    "text",
    "scene",
    "chapter",
    "narrator",
    "paragraph",
    "文中",
    "本文",
    "这段",
    "上文",
    "原文",
    "文章",
    "片段",
];

/// A question and its answer, or why they are unfit.
fn check(
    given: &Answer,
    scene: &str,
    language: Language,
    idle: &Idle,
) -> Result<[String; 2], Reason> {
    let text = tagged(given)?;
    let line = |label| {
        labelled(&text, label)
            .ok_or_else(|| Reason::new("no-question", format!("no line `{label}:`")))
    };
    let (question, answer) = (line("QUESTION")?, line("ANSWER")?);
    let answer = answer.trim_end_matches(['.', '。']).to_owned();
    let fault = |code, detail: String| Err(Reason::new(code, detail));
    if !question.ends_with(['?', '？']) {
        return fault("not-asking", format!("`{question}` does not end in a question mark"));
    }
    let chinese = Language::of_text(&question) == Language::Chinese;
    if chinese != (language == Language::Chinese) {
        return fault("wrong-language", format!("`{question}` is in another language"));
    }
    let low = question.to_lowercase();
    let words: Vec<&str> = low.split(|c: char| !c.is_alphanumeric()).collect();
    let speaks = |word: &&&str| words.contains(*word) || (chinese && low.contains(**word));
    if let Some(word) = OF_TEXT.iter().find(speaks) {
        return fault("speaks-of-text", format!("`{question}` speaks of the text: `{word}`"));
    }
    let is_idle = |word: &str| idle.is(word);
    let holds = Holds::new(std::slice::from_ref(&answer), "", language, &is_idle);
    if !holds.is_in(&answer) {
        return fault("answer-idle", format!("`{answer}` could stand in any text"));
    }
    let length = if chinese { answer.chars().count() } else { word_count(&answer) as usize };
    if length > LONGEST[usize::from(chinese)] {
        return fault("answer-long", format!("`{answer}` is no short answer"));
    }
    if !holds.is_in(scene) {
        return fault("answer-foreign", format!("`{answer}` does not stand in the scene"));
    }
    if holds.is_in(&question) {
        return fault("answer-given", format!("`{question}` says the answer"));
    }
    let told = telling(scene, language, idle);
    let shared = telling(&question, language, idle).intersection(&told).count();
    if shared < FEWEST {
        return fault("too-vague", format!("`{question}` shares {shared} words with the scene"));
    }
    Ok([question, answer])
}

#[cfg(test)]
mod tests {
    use storymill_core::UnitId;

    use super::*;
    use crate::{retelling::tests as scripted, tests};

    const SCENE: &str = "Old Mr. Pym locked the ledger in the clock-case at Hollow Farm and told nobody but the cat. It rained.";

    #[track_caller]
    fn check_given(question: &str, answer: &str, expected: Result<(), &str>) {
        let text = format!("### BEGIN ANSWER ###\nQUESTION: {question}\nANSWER: {answer}");
        let given = Answer { text, finish_reason: "stop".into() };
        let found = check(&given, SCENE, Language::English, &Idle::of(Language::English));
        assert_eq!(
            found.map(|_| ()).map_err(|reason| reason.code.to_string()),
            expected.map_err(str::to_owned)
        );
    }

    #[test]
    fn questions_are_held_against_their_scene() {
        let good = "Where did Mr. Pym lock the ledger of Hollow Farm?";
        check_given(good, "in the clock-case", Ok(()));
        check_given(good, "in the larder", Err("answer-foreign"));
        check_given(good, "the", Err("answer-idle"));
        check_given(
            good,
            "in the clock-case at Hollow Farm and told nobody but the cat",
            Err("answer-long"),
        );
        check_given(good, "Hollow Farm", Err("answer-given"));
        check_given(good, "", Err("no-question"));
        check_given("Mr. Pym locked the ledger.", "in the clock-case", Err("not-asking"));
        check_given("Where did he put it?", "in the clock-case", Err("too-vague"));
        check_given(
            "Where does Pym lock the ledger in this passage?",
            "in the clock-case",
            Err("speaks-of-text"),
        );
        check_given("派姆先生把账本锁在哪里？", "in the clock-case", Err("wrong-language"));
    }

    fn stage(more: &str) -> SceneSet {
        toml::from_str(&format!("scenes = 's'\n{more}")).unwrap()
    }

    fn input() -> <SceneSet as Stage>::In {
        let texts = [SCENE, "It was late in the year. The road was long.", "They came home."];
        let other: UnitId = "u".parse().unwrap();
        let mut others = tests::scenes(&["A ship went by.", "It was green."]);
        for scene in &mut others {
            scene.book = "u".parse().unwrap();
        }
        let partners = Partners {
            unit: "t".parse().unwrap(),
            joined: 0,
            places: vec![other.clone(), "v".parse().unwrap(), other.clone()],
        };
        let near = Near::from(vec![(other, others.into())]);
        (tests::scenes(&texts).into(), Some((vec![partners].into(), near)))
    }

    #[test]
    fn a_book_and_its_partners_become_a_set() {
        let (rows, trace) = tests::run(&stage(""), input());
        let rows = rows.unwrap();
        let ids: Vec<&str> = rows.iter().map(|row| &row.id[..]).collect();
        assert_eq!(ids, ["t-0000", "t-0001", "t-0002", "u-0000", "u-0001"]);
        assert!(rows.iter().all(|row| row.question.is_empty() && row.documents.len() == 1));
        assert_eq!((trace.rejects, trace.reviews), (vec![], vec![]));
    }

    #[test]
    fn a_model_asks_and_what_is_unfit_keeps_its_scene() {
        let asker = || {
            scripted::Scripted::new(|_, text: &str| {
                let lines = if text.contains("Pym") {
                    "QUESTION: Where did Mr. Pym lock the ledger of Hollow Farm?\nANSWER: in the clock-case"
                } else {
                    "QUESTION: When was it late?\nANSWER: never"
                };
                (format!("### BEGIN ANSWER ###\n{lines}"), "stop")
            })
        };
        let (rows, trace, asked) = scripted::run(&stage("model = 'm'\ntries = 2"), input, &asker());
        assert_eq!((rows.len(), asked), (5, 5));
        let told: Vec<_> = rows.iter().filter(|row| !row.question.is_empty()).collect();
        let [row] = told[..] else { panic!("one question") };
        assert_eq!(
            (&row.id[..], &row.answers[0][..], &row.supporting[..]),
            ("t-0000", "in the clock-case", &[0][..])
        );
        assert_eq!((trace.rejects.len(), trace.reviews.len()), (2, 1));
        let (rows, _, asked) =
            scripted::run(&stage("model = 'm'\nquestions = 1\ntries = 1"), input, &asker());
        assert_eq!((rows.len(), asked), (5, 1));
    }
}
