//! `rules`: what is replaced by what, from a file of the user's or proposed by a model.

use minijinja::context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Answer, Cx, Edge, Fault, FaultKind, Reason, Resource, Review, Rows, Rule, Scope, SetQuestion,
    Stage, Stop, stage,
};
use storymill_mixing::{self as mixing, Replacer, conflicts, cover};
use storymill_text::Language;

use super::{
    asking::{evidence, tagged, told},
    asks, each_question, language,
    mix::{check_rules, groups},
};
use crate::{
    asking::{Asks, asking},
    retelling::prompt::AGAIN_SETS,
};

/// Adds rules to questions: those of a file, and for questions without any those that a model
/// proposes. No rule passes that conflicts with its question.
///
/// ```
/// use storymill_transforms::Rules;
/// let stage: Rules = toml::from_str("from = 'sets'\nmodel = 'default'").unwrap();
/// assert_eq!(stage.count, 2);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The source of question sets, or a step that adds to its questions.
    pub from: Edge<SetQuestion>,
    /// A file of JSON lines: `set`, `question`, `from`, `to`, and `scope`, a list of `context`,
    /// `question` and `answer` where the phrase must stand.
    #[serde(default)]
    pub file: Option<Resource>,
    /// The model that proposes rules, by its name in the workflow. None: nobody does.
    #[serde(default)]
    pub model: Option<String>,
    /// How many rules to ask for. Default: 2.
    #[serde(default = "crate::defaults::count::<2>")]
    pub count: u32,
    /// How often to ask at most until an answer passes the checks. Default: 10.
    #[serde(default = "crate::defaults::tries")]
    pub tries: u32,
    /// Groups of words that mean the same, in place of ours: a group a line, separated by commas.
    #[serde(default)]
    pub synonyms: Option<Resource>,
    /// A template to use instead of those that come with storymill (data/prompts).
    #[serde(default)]
    pub prompt: Option<Resource>,
}

asking!(
    Rules,
    ["rules-en.jinja", "rules-zh.jinja"],
    AGAIN_SETS,
    [file, synonyms, prompt],
    least = [(count, 1)],
    check = |rules, faults| {
        let file = ("file", "is missing, and no `model` proposes rules".to_owned());
        let missing = rules.file.is_none() && rules.model.is_none();
        missing.then_some(file).into_iter().chain(faults).collect()
    },
    always = true
);

impl Stage for Rules {
    stage!("rules", 8, Rows<SetQuestion> => SetQuestion, from);

    fn run(&self, rows: Rows<SetQuestion>, cx: &mut Cx<'_>) -> Result<Vec<SetQuestion>, Stop> {
        let language = language(&rows);
        let asking = self.asking(&[&self.prompt])?;
        let groups = groups(self.synonyms.as_ref());
        let lines = self.file.as_ref().map(lines).transpose()?.unwrap_or_default();
        let set = cx.unit().as_str().to_owned();
        let own = |row: &SetQuestion| {
            let mine = lines.iter().filter(|line| {
                line.set.as_ref().is_none_or(|of| *of == set) && line.question == row.id
            });
            mine.map(Line::rule).collect::<Vec<Rule>>()
        };
        for line in lines.iter().filter(|line| line.set.as_deref() == Some(&set[..])) {
            if !rows.iter().any(|row| row.id == line.question) {
                let message = format!(
                    "a rule is for question `{}`, and the set `{set}` has none of that id",
                    line.question
                );
                return Err(self.fault(message).into());
            }
        }
        each_question(cx, &rows, |cx, row| {
            let mut row = row.clone();
            if !asks(&row) {
                return Ok(row);
            }
            row.rules.extend(own(&row));
            if !row.rules.is_empty() {
                common_nouns(cx, &mut row, &rows, language)?;
            }
            if !row.rules.is_empty() {
                check_rules(&row, language, &groups)?;
                if leaves_much(&row, language) {
                    let question = "rules replace less than half of what ties the question to its evidence: is that all that can be?";
                    if cx.decide(review(&row, language, "few-replaced", question))? == "drop" {
                        row.rules.clear();
                    }
                }
                return Ok(row);
            }
            if self.model.is_none() {
                return Ok(row);
            }
            let answer = row.answers.first().cloned().unwrap_or_default();
            let variables = context! { question => &row.question, answer, evidence => evidence(&row), count => self.count };
            let check = |given: &Answer| propose(given, &row, language, &groups);
            let taken = asking.of(language).first(cx, 0, &variables, check)?;
            row.asked.push(taken.digest());
            row.rules = taken.value;
            common_nouns(cx, &mut row, &rows, language)?;
            let question =
                "does the answer still follow from the evidence with these words replaced?";
            let doubtful = is_doubtful(&row, language);
            let review = review(&row, language, "proposed-rules", question);
            if (if doubtful { cx.decide(review)? } else { cx.settle(review)? }) == "drop" {
                row.rules.clear();
            }
            Ok(row)
        })
    }
}

impl Rules {
    fn fault(&self, message: String) -> Fault {
        let fault = Fault::new(FaultKind::Input, message);
        match &self.file {
            Some(file) => fault.at(file.path()),
            None => fault,
        }
    }
}

/// One line of a rule file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(default)]
    set: Option<String>,
    question: String,
    from: String,
    to: String,
    #[serde(default)]
    scope: Vec<Scope>,
}

impl Line {
    fn rule(&self) -> Rule {
        let scope = if self.scope.is_empty() { vec![Scope::Context] } else { self.scope.clone() };
        Rule { from: self.from.clone(), to: self.to.clone(), scope }
    }
}

fn lines(file: &Resource) -> Result<Vec<Line>, Fault> {
    let wrong = |line: usize, what: String| {
        Fault::new(FaultKind::Input, format!("line {line} of the rules: {what}")).at(file.path())
    };
    let text = std::str::from_utf8(file.content()).map_err(|error| {
        Fault::new(FaultKind::Input, "the rules must be UTF-8 text").at(file.path()).because(error)
    })?;
    let filled = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    filled
        .map(|(at, line)| serde_json::from_str(line).map_err(|error| wrong(at, error.to_string())))
        .collect()
}

/// The rules that a model proposes, or the first reason why they cannot hold.
fn propose(
    given: &Answer,
    row: &SetQuestion,
    language: Language,
    groups: &[Vec<String>],
) -> Result<Vec<Rule>, Reason> {
    let text = tagged(given)?;
    let marks = |c: char| c.is_whitespace() || matches!(c, '`' | '"' | '“' | '”' | '*' | '-');
    let side = |side: &str| side.trim_matches(marks).to_owned();
    let pairs = text.lines().filter_map(|line| {
        let (from, to) = line.split_once(">>").or_else(|| line.split_once("》》"))?;
        Some((side(from), side(to)))
    });
    let rules: Vec<Rule> =
        pairs.map(|(from, to)| Rule { from, to, scope: vec![Scope::Context] }).collect();
    if rules.is_empty() {
        return Err(Reason::new("no-rules", "no line `old >> new`"));
    }
    let mut row = row.clone();
    row.rules = rules;
    if let Some(one) = conflicts(&row, language, groups).into_iter().next() {
        let detail = format!("rule {}, {}: {}", one.rule + 1, one.place, one.detail);
        return Err(Reason::new(one.code, detail));
    }
    scope(&mut row, language);
    Ok(row.rules)
}

/// Says of each rule where it hits, so that a later change of the texts is noticed.
fn scope(row: &mut SetQuestion, language: Language) {
    let replacer = Replacer::new(&row.rules, language);
    let count = row.rules.len();
    let question = replacer.hits(&row.question, count);
    let answer = replacer.hits(row.answers.first().map_or("", String::as_str), count);
    for (at, rule) in row.rules.iter_mut().enumerate() {
        rule.scope.extend((question[at] > 0).then_some(Scope::Question));
        rule.scope.extend((answer[at] > 0).then_some(Scope::Answer));
    }
}

/// Puts the rules before people that are no name and stand in other documents of the set, where they
/// may mean something else: kept, those documents distract nobody.
fn common_nouns(
    cx: &mut Cx<'_>,
    row: &mut SetQuestion,
    rows: &[SetQuestion],
    language: Language,
) -> Result<(), Stop> {
    let others = rows.iter().filter(|other| other.id != row.id);
    let others: Vec<&str> =
        others.flat_map(|other| &other.documents).map(|document| &document.text[..]).collect();
    let found = mixing::common_nouns(&row.rules, language, others.iter().copied());
    let mut dropped = Vec::new();
    for (at, count) in found {
        let Rule { from, to, .. } = &row.rules[at];
        let (say, be) = if count == 1 { ("says", "is") } else { ("say", "are") };
        let review = Review {
            item: row.id.clone(),
            code: "common-noun".into(),
            question: format!(
                "replaced, `{from}` cannot be answered by heart; but {count} of {} other documents {say} it too, and {be} then not mixed into this question's context: is it worth that?",
                others.len(),
            ),
            about: format!("{}\n{}\n{from} >> {to}", row.question, row.answers.join(" / ")),
            excerpt: format!("{}\nrule: {from} >> {to}", told(&row.question, &row.answers)),
            text: evidence(row),
            choices: vec!["keep".to_owned(), "drop".to_owned()],
            default: "keep".to_owned(),
            ..Review::default()
        };
        // A few passages fewer to distract with are no loss.
        let doubtful = count as usize * 20 > others.len();
        if (if doubtful { cx.decide(review)? } else { cx.settle(review)? }) == "drop" {
            dropped.push(at);
        }
    }
    for at in dropped.into_iter().rev() {
        row.rules.remove(at);
    }
    Ok(())
}

/// Whether rules replace less than half of what ties a question to its evidence.
fn leaves_much(row: &SetQuestion, language: Language) -> bool {
    let found = cover(row, language);
    found.left.len() * 2 > found.telling.len()
}

/// Whether a person should look at proposed rules: they leave much, and touch not both question and answer.
fn is_doubtful(row: &SetQuestion, language: Language) -> bool {
    let both = [Scope::Question, Scope::Answer];
    let hit = |scope| row.rules.iter().any(|rule| rule.scope.contains(&scope));
    leaves_much(row, language) && !both.into_iter().all(hit)
}

/// What people see of a question's rules: what is asked, what is replaced, and what is not.
fn review(row: &SetQuestion, language: Language, code: &'static str, question: &str) -> Review {
    let rules: Vec<String> =
        row.rules.iter().map(|rule| format!("{} >> {}", rule.from, rule.to)).collect();
    let left = cover(row, language).left.join(", ");
    let left = if left.is_empty() { "nothing" } else { &left };
    let about = format!("{}\n{}\n{}", row.question, row.answers.join(" / "), rules.join("\n"));
    Review {
        item: row.id.clone(),
        code: code.into(),
        question: question.to_owned(),
        excerpt: format!(
            "{}\nrules: {}\nleft as it is: {left}",
            told(&row.question, &row.answers),
            rules.join("; ")
        ),
        text: evidence(row),
        about,
        choices: vec!["keep".to_owned(), "drop".to_owned()],
        default: "keep".to_owned(),
        ..Review::default()
    }
}

#[cfg(test)]
mod tests {
    use storymill_core::Document;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<usize, &str>) {
        let row = SetQuestion {
            question: "Where did Ada Penn keep the lamp?".into(),
            answers: vec!["at Kell".into()],
            documents: vec![Document {
                title: String::new(),
                text: "Ada Penn kept the lamp at Kell.".into(),
            }],
            supporting: vec![0],
            ..SetQuestion::default()
        };
        let given =
            Answer { text: format!("### BEGIN ANSWER ###\n{text}"), finish_reason: "stop".into() };
        let found = propose(&given, &row, Language::English, &[]);
        if let Ok(rules) = &found {
            assert!(rules.iter().all(|rule| rule.scope[0] == Scope::Context));
        }
        assert_eq!(found.as_ref().map(Vec::len).map_err(|reason| &*reason.code), expected);
    }

    #[test]
    fn rules_that_leave_much_are_looked_at() {
        let row = |rules: &[(&str, &str)]| SetQuestion {
            id: "q".into(),
            language: "en".into(),
            question: "Where did Ada Penn keep the lamp of Orrin?".into(),
            answers: vec!["at Kell".into()],
            documents: vec![Document {
                title: String::new(),
                text: "Ada Penn of Orrin had the lamp at Kell.".into(),
            }],
            supporting: vec![0],
            rules: rules
                .iter()
                .map(|(from, to)| Rule {
                    from: (*from).into(),
                    to: (*to).into(),
                    scope: vec![Scope::Context],
                })
                .collect(),
            ..SetQuestion::default()
        };
        let stage: Rules = toml::from_str("from = 's'\nmodel = 'm'").unwrap();
        let run = |rules: &[(&str, &str)]| crate::tests::run(&stage, vec![row(rules)].into()).1;
        assert_eq!(run(&[("Ada Penn", "Lise Crane"), ("Kell", "Orm")]).reviews, []);
        let trace = run(&[("Kell", "Orm")]);
        let [review] = &trace.reviews[..] else { panic!("one review") };
        assert_eq!(&*review.code, "few-replaced");
        assert!(
            review.excerpt.ends_with("left as it is: ada, lamp, orrin, penn"),
            "{}",
            review.excerpt
        );
    }

    #[test]
    fn a_rule_that_is_no_name_is_looked_at_where_others_say_it() {
        let document = |text: &str| vec![Document { title: String::new(), text: text.into() }];
        let row = SetQuestion {
            id: "q".into(),
            language: "en".into(),
            question: "What is in the chest at Kell?".into(),
            answers: vec!["a map".into()],
            documents: document("In the chest at Kell lies a map."),
            supporting: vec![0],
            rules: [("map", "portrait"), ("Kell", "Orm")]
                .map(|(from, to)| Rule { from: from.into(), to: to.into(), scope: vec![] })
                .to_vec(),
            ..SetQuestion::default()
        };
        let other = |text: &str| SetQuestion {
            id: "other".into(),
            language: "en".into(),
            documents: document(text),
            ..SetQuestion::default()
        };
        let stage: Rules = toml::from_str("from = 's'\nmodel = 'm'").unwrap();
        let run = |text: &str| {
            let reviews =
                crate::tests::run(&stage, vec![row.clone(), other(text)].into()).1.reviews;
            reviews.into_iter().filter(|review| review.code == "common-noun").collect::<Vec<_>>()
        };
        assert_eq!(run("The road to Kell."), []);
        let found = run("No Ordnance Survey maps of Kell.");
        let [review] = &found[..] else { panic!("one review") };
        assert!(
            review.question.contains("1 of 1 other documents says it too, and is then not mixed")
        );
        assert!(review.excerpt.ends_with("map >> portrait"), "{}", review.excerpt);
    }

    #[test]
    fn proposals_are_held_against_their_question() {
        check("Ada Penn >> Lise Crane\n- `Kell` >> Orm", Ok(2));
        check("Ada Penn and Kell", Err("no-rules"));
        check("Ada Penn >> Ada Crane", Err("not-different"));
        check("Kell >> lamp", Err("collision"));
        check("Kull >> Orm", Err("hits-nothing"));
    }
}
