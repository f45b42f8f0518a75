//! Published rows as the one record of what is asked, whichever table they stand in.

use std::path::Path;

use serde_json::Value;
use storymill_core::{
    Choice, Demand, Encoding, Fault, FaultKind, Form, Given, Length, MadeBy, NewName, OptionKind,
    Place, Question, QuestionType, Recipe, Span, Stretch, Tokens, UnitId,
};

use crate::materialize::context_of;

/// The columns of an id: of a question, of a long context.
pub(crate) const IDS: [&str; 2] = ["question_id", "context_id"];

/// The columns of questions about books that say what is asked and what it takes to read it.
pub(crate) fn columns() -> impl Iterator<Item = String> {
    let plain = [
        "question_id",
        "book_id",
        "question",
        "given",
        "options",
        "distorted",
        "answer",
        "answers",
        "reference",
        "context_symbols",
        "made_by",
    ];
    let counted = Encoding::ALL.map(|one| format!("context_tokens_{one}"));
    plain.into_iter().map(str::to_owned).chain(counted)
}

/// What a published row asks; none if it asks nothing. Id, book and the context's symbols must be there; other
/// columns that were not read count as blank.
///
/// # Errors
///
/// A row that asks something and cannot be understood: its right answer is none of its options, a recipe is
/// of another form, its book has no id.
pub fn question(row: &Value) -> Result<Option<Question>, Fault> {
    if row["context_id"].is_string() {
        let context = context_of(row.clone(), Path::new(""))?;
        return Ok(Some(Question::from(&context)));
    }
    let (Some(id), Some(context)) = (row["question_id"].as_str(), length(row, "context")) else {
        return Ok(None);
    };
    let wrong = |why: String| {
        Fault::new(FaultKind::Input, format!("the row of question `{id}` {why}"))
            .hint("it was written by another version or another tool, or was changed since")
    };
    let mut question = Question {
        id: id.to_owned(),
        of: unit(row, "book_id").ok_or_else(|| wrong("has no id of a book".to_owned()))?,
        kind: kind_of(row).to_owned(),
        task: text(row, "question"),
        form: form(row).map_err(wrong)?,
        about: about(row).into_iter().collect(),
        evidence: evidence(row),
        demands: demands(row),
        demand: Demand {
            to_start: length(row, "demand").unwrap_or_default(),
            to_end_symbols: number(&row["demand_end_symbols"]).unwrap_or(0),
        },
        context: Recipe::Read(context),
        made_by: row["made_by"].as_str().and_then(MadeBy::of_name),
    };
    give(&mut question, row);
    Ok(Some(question))
}

/// What kind of question a row is: what it says, else what follows from its columns.
pub(crate) fn kind_of(row: &Value) -> &str {
    row["type"].as_str().unwrap_or(if row["context_id"].is_string() {
        "long-context"
    } else if row["claim"].is_string() {
        "claim"
    } else {
        "reconstruction"
    })
}

/// The text that a question of the table `eval` is to have put right stands there behind the task.
fn give(question: &mut Question, row: &Value) {
    if row["source_config"] != "reconstruction" || !question.given().is_empty() {
        return;
    }
    if let (Form::FreeText { given, .. }, Some((task, text))) =
        (&mut question.form, question.task.split_once("\n\n"))
    {
        let from = question.id.strip_suffix("/reconstruct").unwrap_or_default();
        *given = Some(Given { text: text.to_owned(), from: from.to_owned() });
        question.task = task.to_owned();
    }
}

/// What an answer looks like, or what is wrong with the row.
fn form(row: &Value) -> Result<Form, String> {
    if row["claim"].is_string() {
        let holds = match row["answer"].as_str() {
            Some("true") => true,
            Some("false") => false,
            _ => return Err(format!("says neither true nor false but {}", row["answer"])),
        };
        return Ok(Form::Verdict { claim: text(row, "claim"), pair: text(row, "pair"), holds });
    }
    let options = row["options"].as_array().map_or(&[][..], Vec::as_slice);
    if options.is_empty() {
        let given = row["distorted"].as_str().map(|text| Given {
            text: text.to_owned(),
            from: row["question_id"]
                .as_str()
                .and_then(|id| id.strip_suffix("/reconstruct"))
                .unwrap_or_default()
                .to_owned(),
        });
        let reference = if row["reference"].is_string() { "reference" } else { "answer" };
        let all = row["answers"].as_array().map_or(&[][..], Vec::as_slice);
        let mut references: Vec<String> =
            all.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect();
        if references.is_empty() {
            references.push(text(row, reference));
        }
        return Ok(Form::FreeText { given, references, keywords: String::new() });
    }
    let right = row["answer"].as_u64().and_then(|at| u8::try_from(at).ok());
    let right = right.filter(|at| usize::from(*at) < options.len()).ok_or_else(|| {
        format!("says that option {} of {} is right", row["answer"], options.len())
    })?;
    let choice = |(at, option): (usize, &Value)| Choice {
        kind: kind(row, at, at + 1 == options.len(), usize::from(right) == at),
        text: option.as_str().unwrap_or_default().to_owned(),
        names: names(row["option_names"][at].as_str().unwrap_or_default()),
        from: row["option_ids"][at].as_str().unwrap_or_default().to_owned(),
        book: row["option_books"][at].as_str().and_then(|book| book.parse().ok()),
        scene: number(&row["option_scenes"][at]),
        demand: None,
    };
    let given = row["given"].as_array().into_iter().flatten().enumerate();
    let given = given.map(|(at, text)| Given {
        text: text.as_str().unwrap_or_default().to_owned(),
        from: row["given_ids"][at].as_str().unwrap_or_default().to_owned(),
    });
    let options = options.iter().enumerate().map(choice).collect();
    Ok(Form::Options { given: given.collect(), options, right })
}

/// Names as they are published: `Jane -> Lucy; Darcy -> Harker`.
pub(crate) fn written(names: &[NewName]) -> String {
    let names = names.iter().map(|NewName { old, new }| format!("{old}{STANDS_FOR}{new}"));
    names.collect::<Vec<_>>().join(NEXT)
}

const STANDS_FOR: &str = " -> ";
const NEXT: &str = "; ";

/// Names that were published.
fn names(written: &str) -> Vec<NewName> {
    let pairs = written.split(NEXT).filter_map(|pair| pair.split_once(STANDS_FOR));
    pairs.map(|(old, new)| NewName { old: old.to_owned(), new: new.to_owned() }).collect()
}

/// What an option is: as its row says, else as its place says.
fn kind(row: &Value, at: usize, last: bool, right: bool) -> OptionKind {
    let of = |name: &Value| QuestionType::of_name(name.as_str()?);
    let decoy = |of: Option<QuestionType>| of.map_or(OptionKind::Wrong, OptionKind::Decoy);
    match (row["option_kinds"][at].as_str(), of(&row["type"])) {
        (Some("none"), _) => OptionKind::None,
        (Some("true"), _) => OptionKind::True,
        (Some(_), _) => decoy(of(&row["option_kinds"][at])),
        (None, Some(of)) if last && of.has_none() => OptionKind::None,
        (None, _) if right => OptionKind::True,
        (None, of) => decoy(of),
    }
}

fn about(row: &Value) -> Option<Stretch> {
    let level = number(&row["level"]).and_then(|level| u8::try_from(level).ok()).unwrap_or(0);
    if let (Some(first_scene), Some(last_scene)) =
        (number(&row["first_scene"]), number(&row["last_scene"]))
    {
        return Some(Stretch { level, first_scene, last_scene });
    }
    let right = usize::try_from(row["answer"].as_u64()?).ok()?;
    number(&row["option_scenes"][right]).map(Stretch::scene)
}

fn evidence(row: &Value) -> Vec<Span> {
    let span = |one: &Value| {
        // Bytes are not published.
        let place = |name: &str| Some(Place { byte: 0, symbol: number(&one[name])? });
        Some(Span { start: place("start_symbols")?, end: place("end_symbols")? })
    };
    row["evidence"].as_array().into_iter().flatten().filter_map(span).collect()
}

/// How far back each place of the evidence is; none where no column says it.
fn demands(row: &Value) -> Vec<Demand> {
    let one = |at: usize| Demand {
        to_start: counted(&|unit| number(&row[format!("demands_{unit}")][at])).unwrap_or_default(),
        to_end_symbols: number(&row["demands_end_symbols"][at]).unwrap_or(0),
    };
    (0..row["demands_symbols"].as_array().map_or(0, Vec::len)).map(one).collect()
}

/// A length in columns such as `context_words`; none if there is none in symbols.
fn length(row: &Value, of: &str) -> Option<Length> {
    counted(&|unit| number(&row[format!("{of}_{unit}")]))
}

/// A length by its units; none if there is none in symbols.
fn counted(count: &dyn Fn(&str) -> Option<u32>) -> Option<Length> {
    let tokens = Encoding::ALL.into_iter().filter_map(|encoding| {
        Some(Tokens { encoding, count: count(&format!("tokens_{encoding}"))? })
    });
    Some(Length {
        symbols: count("symbols")?,
        scenes: count("scenes").unwrap_or(0),
        words: count("words").unwrap_or(0),
        tokens: tokens.collect(),
    })
}

fn unit(row: &Value, column: &str) -> Option<UnitId> {
    row[column].as_str()?.parse().ok()
}

fn text(row: &Value, column: &str) -> String {
    row[column].as_str().unwrap_or_default().to_owned()
}

/// A number; -1 is what nobody counted.
fn number(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|number| u32::try_from(number).ok())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row() -> Value {
        json!({
            "question_id": "b/0004/lookahead", "book_id": "b", "question": "Which?", "type": "lookahead",
            "options": ["A.", "B.", "None."], "answer": 1, "context_symbols": 90, "context_words": 20,
        })
    }

    #[test]
    fn what_is_published_is_asked() {
        let asked = question(&row()).unwrap().unwrap();
        assert_eq!((asked.reference(), asked.context.length().words), ("B.", 20));
        let kinds: Vec<_> = asked.options().iter().map(|option| option.kind.name()).collect();
        assert_eq!(kinds, ["lookahead", "true", "none"]);
        assert_eq!(asked.made_by, None);
        let mut by_rule = row();
        by_rule["made_by"] = json!("both");
        assert_eq!(question(&by_rule).unwrap().unwrap().made_by, Some(MadeBy::Both));
        let book = json!({ "book_id": "b", "text": "It rained." });
        assert_eq!(question(&book).unwrap(), None);
    }

    #[test]
    fn every_answer_is_a_reference() {
        let row = json!({
            "question_id": "b/q001", "book_id": "b", "question": "Who?", "type": "literary",
            "answer": "Ann", "answers": ["Ann", "It is Ann"], "context_symbols": 90,
        });
        let asked = question(&row).unwrap().unwrap();
        let references = vec!["Ann".to_owned(), "It is Ann".to_owned()];
        assert_eq!(asked.form, Form::FreeText { given: None, references, keywords: String::new() });
        assert_eq!(asked.kind, "literary");
    }

    #[test]
    fn exchanged_names_come_back() {
        let pair = |old: &str, new: &str| NewName { old: old.into(), new: new.into() };
        let names = vec![pair("Jane Bennet", "Lucy"), pair("Darcy", "Harker")];
        assert_eq!(written(&names), "Jane Bennet -> Lucy; Darcy -> Harker");
        let mut row = row();
        row["option_names"] = json!([written(&names), "", ""]);
        let asked = question(&row).unwrap().unwrap();
        assert_eq!((&asked.options()[0].names, asked.options()[1].names.len()), (&names, 0));
    }

    #[test]
    fn what_cannot_be_right_is_refused() {
        for answer in [json!(3), json!(255), json!(-1), Value::Null] {
            let mut row = row();
            row["answer"] = answer.clone();
            let fault = question(&row).unwrap_err();
            assert!(fault.message.contains(&format!("option {answer} of 3 is right")), "{fault:?}");
        }
        let mut row = row();
        row["book_id"] = json!("no id of ours");
        assert!(question(&row).unwrap_err().message.contains("no id of a book"));
    }
}
