//! `keywords`: the words of an answer that matter.

use minijinja::context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Answer, Cx, Edge, Reason, Resource, Review, Rows, SetQuestion, Stage, Stop, stage,
};
use storymill_mixing::Idle;
use storymill_text::Language;

use super::{
    asking::{evidence, labelled, tagged, told},
    asks, each_question, language,
};
use crate::{
    asking::{Asks, asking},
    retelling::prompt::AGAIN_SETS,
};

/// Adds answer keywords where a question has none: proposed by a model, or the words of the answer
/// that our lists do not call idle.
///
/// ```
/// use storymill_transforms::Keywords;
/// let stage: Keywords = toml::from_str("from = 'sets'").unwrap();
/// assert!(stage.model.is_none());
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Keywords {
    /// The source of question sets, or a step that adds to its questions.
    pub from: Edge<SetQuestion>,
    /// The model that proposes them, by its name in the workflow. None: by rule.
    #[serde(default)]
    pub model: Option<String>,
    /// How often to ask at most until an answer passes the checks. Default: 10.
    #[serde(default = "crate::defaults::tries")]
    pub tries: u32,
    /// A template to use instead of those that come with storymill (data/prompts).
    #[serde(default)]
    pub prompt: Option<Resource>,
}

asking!(Keywords, ["keywords-en.jinja", "keywords-zh.jinja"], AGAIN_SETS, [prompt]);

impl Stage for Keywords {
    stage!("keywords", 3, Rows<SetQuestion> => SetQuestion, from);

    fn run(&self, rows: Rows<SetQuestion>, cx: &mut Cx<'_>) -> Result<Vec<SetQuestion>, Stop> {
        let language = language(&rows);
        let idle = Idle::of(language);
        let asking = self.asking(&[&self.prompt])?;
        each_question(cx, &rows, |cx, row| {
            let mut row = row.clone();
            if !asks(&row) || !row.keywords.is_empty() {
                return Ok(row);
            }
            let answer = row.answers.first().cloned().unwrap_or_default();
            if self.model.is_none() {
                row.keywords = by_rule(&answer, language, &idle);
                return Ok(row);
            }
            let variables = context! { question => &row.question, answer => &answer };
            let check = |given: &Answer| check(given, &answer, language, &idle);
            let taken = asking.of(language).first(cx, 0, &variables, check)?;
            row.asked.push(taken.digest());
            row.keywords = taken.value;
            let rule = by_rule(&answer, language, &idle);
            let review = Review {
                item: row.id.clone(),
                code: "answer-keywords".into(),
                question:
                    "do these keywords tell right answers from wrong ones better than the words below them do?"
                        .to_owned(),
                about: format!("{}\n{answer}\n{}", row.question, row.keywords),
                excerpt: format!(
                    "{}\nkeywords: {}\nif dropped, all of: {rule}",
                    told(&row.question, &row.answers),
                    row.keywords
                ),
                text: evidence(&row),
                choices: vec!["keep".to_owned(), "drop".to_owned()],
                default: "keep".to_owned(),
                ..Review::default()
            };
            let doubtful = is_doubtful(&row.keywords, &rule, language);
            let choice = if doubtful { cx.decide(review)? } else { cx.settle(review)? };
            if choice == "drop" {
                row.keywords = rule;
            }
            Ok(row)
        })
    }
}

/// The words of an answer that are not idle. Chinese is written without blanks: there the whole
/// answer stands for its words.
fn by_rule(answer: &str, language: Language, idle: &Idle) -> String {
    if language == Language::Chinese {
        return answer.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    }
    let words = answer.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    let told = words.filter(|word| !word.is_empty() && !idle.is(&word.to_lowercase()));
    told.collect::<Vec<_>>().join(" ")
}

/// The keywords in a model's answer, or why they are unfit.
/// Whether a person should look at keywords: they say less than half of what tells in the answer, or leave out a
/// name or a number of it, so that a wrong answer may have them all. `rule` is all that tells.
fn is_doubtful(keywords: &str, rule: &str, language: Language) -> bool {
    if language == Language::Chinese {
        let signs = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
        return signs(keywords) * 2 < signs(rule);
    }
    let low = keywords.to_lowercase();
    let said = |word: &str| low.split_whitespace().any(|own| own == word.to_lowercase());
    let (said, left): (Vec<&str>, Vec<&str>) = rule.split_whitespace().partition(|word| said(word));
    let telling = |word: &&str| word.chars().any(|c| c.is_uppercase() || c.is_ascii_digit());
    said.len() * 2 < rule.split_whitespace().count() || left.iter().any(telling)
}

fn check(given: &Answer, answer: &str, language: Language, idle: &Idle) -> Result<String, Reason> {
    let text = tagged(given)?;
    let line = labelled(&text, "KEYWORDS")
        .ok_or_else(|| Reason::new("no-keywords", "no line `KEYWORDS:`"))?;
    let parts = |c: char| c.is_whitespace() || matches!(c, ',' | '，' | '、' | ';' | '；');
    let trim = |word: &str| word.trim_matches(['.', '。', '"', '“', '”']).to_owned();
    let words: Vec<String> = line.split(parts).map(trim).filter(|word| !word.is_empty()).collect();
    let low = answer.to_lowercase();
    let foreign = |word: &&String| {
        let word = word.to_lowercase();
        if language == Language::Chinese {
            return !low.contains(&word);
        }
        !low.split(|c: char| !c.is_alphanumeric() && c != '-').any(|own| own == word)
    };
    if let Some(word) = words.iter().find(foreign) {
        return Err(Reason::new("keyword-foreign", format!("`{word}` is no word of the answer")));
    }
    if words.iter().all(|word| idle.is(&word.to_lowercase())) {
        return Err(Reason::new("keyword-idle", format!("`{line}` is said in any answer")));
    }
    Ok(words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_given(text: &str, answer: &str, expected: Result<&str, &str>) {
        let language = if answer.is_ascii() { Language::English } else { Language::Chinese };
        let given =
            Answer { text: format!("### BEGIN ANSWER ###\n{text}"), finish_reason: "stop".into() };
        let found = check(&given, answer, language, &Idle::of(language));
        assert_eq!(found.as_deref().map_err(|reason| &*reason.code), expected);
    }

    #[test]
    fn keywords_are_words_of_the_answer() {
        check_given("KEYWORDS: heron, key", "a heron holding a key", Ok("heron key"));
        check_given("KEYWORDS: herons", "a heron holding a key", Err("keyword-foreign"));
        check_given("KEYWORDS: of the", "the house of glass", Err("keyword-idle"));
        check_given("heron", "a heron", Err("no-keywords"));
        check_given("KEYWORDS：摆渡人、老彭", "送给了摆渡人老彭", Ok("摆渡人 老彭"));
    }

    #[test]
    fn keywords_that_a_wrong_answer_may_have_are_doubtful() {
        for (keywords, rule, doubtful) in [
            ("heron key", "heron holding key", false),
            ("heron", "heron holding key", true),
            ("clockmaker", "clockmaker Dorothea Finch", true),
            ("dorothea finch", "clockmaker Dorothea Finch", false),
            ("hundred", "1874 hundred", true),
        ] {
            assert_eq!(is_doubtful(keywords, rule, Language::English), doubtful, "{keywords}");
        }
        assert!(is_doubtful("老彭", "送给了摆渡人老彭", Language::Chinese));
        assert!(!is_doubtful("摆渡人 老彭", "送给了摆渡人老彭", Language::Chinese));
    }

    #[test]
    fn by_rule_idle_words_go() {
        let idle = Idle::of(Language::English);
        assert_eq!(
            by_rule("in the salt pit at Gullane", Language::English, &idle),
            "salt pit Gullane"
        );
    }
}
