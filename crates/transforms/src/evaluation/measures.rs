//! What a free text is worth, by the measures of its task, in millionths.

use storymill_core::{Fault, Question};
use storymill_metrics::{
    exact,
    keyword::{Keyword, Rule},
    meteor::Meteor,
    rouge::{self, Stem},
    score::{
        Cutter,
        lveval::{Item, Options, Score, one, released},
    },
    treebank,
    wordlists::WordLists,
    wordnet::WordNet,
};

/// What texts are measured with.
pub(super) struct Measures<'m> {
    lists: &'m WordLists,
    meteor: Option<Meteor<'m>>,
}

/// The measures of a text by name.
pub(super) type Measured = Vec<(String, u32)>;

impl<'m> Measures<'m> {
    pub(super) fn new(lists: &'m WordLists, wordnet: Option<&'m WordNet>) -> Self {
        Self { lists, meteor: wordnet.map(|wordnet| Meteor::new(Some(wordnet))) }
    }

    /// The measures of what was said to a question, the one that counts first; none was said: 0.
    pub(super) fn of(
        &mut self,
        question: &Question,
        references: &[String],
        language: &str,
        said: Option<&str>,
    ) -> Result<Measured, Fault> {
        match question.given() {
            "" => self.answer(question, references, language, said),
            given => Ok(self.repair(given, references, said)),
        }
    }

    /// A retelling that was to be put right: how near it comes to the true one, and how near it was before.
    fn repair(&mut self, given: &str, references: &[String], said: Option<&str>) -> Measured {
        let mut measured = Vec::new();
        let rouge = |text: &str| best(references, |one| rouge::text_l(text, one, Stem::None).f1);
        measured.push(("rouge-l".to_owned(), said.map_or(0, rouge)));
        measured.push(("copy-rouge-l".to_owned(), rouge(given)));
        if let Some(meteor) = &mut self.meteor {
            let words: Vec<Vec<_>> = references.iter().map(|one| treebank::words(one)).collect();
            let mut score =
                |text: &str| ppm(meteor.best(&treebank::words(text), &words).unwrap_or(0.0));
            let (own, copy) = (said.map_or(0, &mut score), score(given));
            measured.push(("meteor".to_owned(), own));
            measured.push(("copy-meteor".to_owned(), copy));
        }
        measured
    }

    /// An answer in a few words: what LV-Eval's program gives its set comes first.
    fn answer(
        &self,
        question: &Question,
        references: &[String],
        language: &str,
        said: Option<&str>,
    ) -> Result<Measured, Fault> {
        let keywords = match &question.form {
            storymill_core::Form::FreeText { keywords, .. } => keywords.clone(),
            _ => String::new(),
        };
        let item = Item {
            id: question.id.clone(),
            set: question.of.to_string(),
            chinese: language == "zh",
            question: question.task.clone(),
            answers: references.to_vec(),
            keywords,
            ..Item::default()
        };
        let gated = Item { set: String::new(), ..item.clone() };
        let exact = said.map_or(0, |said| self.exact(&item, said));
        let score = |item: &Item, score: Score| -> Result<u32, Fault> {
            let options = Options {
                score,
                lists: self.lists,
                cutter: cutter(),
                window: None,
                partial: false,
            };
            let Some(said) = said else { return Ok(0) };
            let score = one(item, said, &options)
                .ok_or_else(|| Fault::left_out("dictionary to cut Chinese into words"))?;
            Ok(ppm(score))
        };
        let mut measured = vec![
            ("keyword-f1".to_owned(), score(&gated, Score::AsReleased)?),
            ("f1".to_owned(), score(&item, Score::PlainF1)?),
        ];
        match released(&item.set) {
            Score::PlainF1 => measured.reverse(),
            Score::RougeL => {
                measured.insert(0, ("rouge-l".to_owned(), score(&item, Score::RougeL)?));
            }
            _ => {}
        }
        measured.push(("em".to_owned(), exact));
        Ok(measured)
    }

    fn exact(&self, item: &Item, said: &str) -> u32 {
        let same = match cutter().filter(|_| item.chinese) {
            None => exact::matches_any(said, &item.answers),
            Some(cutter) => {
                let keyword = Keyword { rule: Rule::AsReleased, lists: self.lists };
                let said = (cutter.words)(said);
                let said: Vec<&str> = said.iter().map(String::as_str).collect();
                item.answers.iter().any(|answer| {
                    let answer = (cutter.words)(answer);
                    let answer: Vec<&str> = answer.iter().map(String::as_str).collect();
                    keyword.chinese_match(&said, &answer)
                })
            }
        };
        ppm(f64::from(u8::from(same)))
    }
}

fn best(references: &[String], score: impl Fn(&str) -> f64) -> u32 {
    ppm(references.iter().map(|one| score(one)).fold(0.0, f64::max))
}

/// A score from 0 to 1 in millionths: records have no floats.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it lies in 0 to 1,000,000"
)]
fn ppm(score: f64) -> u32 {
    (score.clamp(0.0, 1.0) * 1e6).round() as u32
}

/// What cuts Chinese into words. Its dictionary is a constant that takes a while to read.
#[cfg(feature = "jieba")]
#[expect(clippy::unnecessary_wraps, reason = "a build without jieba has none")]
fn cutter() -> Option<Cutter<'static>> {
    use std::sync::LazyLock;

    use storymill_metrics::segment::{DICTIONARY, Segmenter};

    static SEGMENTER: LazyLock<Segmenter> = LazyLock::new(Segmenter::new);
    fn words(text: &str) -> Vec<String> {
        SEGMENTER.words(text).into_iter().map(str::to_owned).collect()
    }
    Some(Cutter { dictionary: DICTIONARY, words: &words })
}

#[cfg(not(feature = "jieba"))]
fn cutter() -> Option<Cutter<'static>> {
    None
}
