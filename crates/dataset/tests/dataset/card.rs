//! The data card: what it tells is what the rows are.

use std::fs;

use storymill_core::{
    Choice, Demand, Digest, Encoding, Form, Length, OptionKind, Question, QuestionType,
    ReadAlongQuestion, Recipe, Record, Stretch, Tokens, UnitId,
};
use storymill_dataset::{
    Asked, Config, Depth, NARRATIVE_XL, Publication, Query, RejectCount, Tables, check, compare,
    publish,
};

use crate::{
    publishing::published,
    support::{TestDisk, publication, small, texts, work},
};

#[test]
fn the_card_says_first_that_no_model_was_used() {
    let (spec, shelf) = small();
    let (folder, _) = published(&spec, &shelf);
    let card = fs::read_to_string(folder.path().join("README.md")).unwrap();
    let body = card.splitn(3, "---\n").nth(2).unwrap().trim_start();
    assert!(body.starts_with("# The Mill 1.0.0\n"), "{body}");
    let begins = body.split("\n| ").next().unwrap();
    assert!(begins.contains("The retellings in this dataset were made by rule"), "{body}");
    assert!(body.contains(r"The \*Mill\* &lt;of&gt; b1"), "{body}");
    assert!(!body.contains("{{") && !body.contains("\n\n\n"), "{body}");

    let spec = Publication { models: vec!["some-model".to_owned()], ..spec };
    let (folder, _) = published(&spec, &shelf);
    let card = fs::read_to_string(folder.path().join("README.md")).unwrap();
    // The summaries of every third scene have no answer behind them, the distortions none at all.
    let first = "Retellings made by rule (sentences picked, facts swapped; no language model): \
                 all of `distortions`, 4 of 9 in `summaries`; questions with such texts: all of `reconstruction`; the column `made_by` tells row by row.\n\
                 Other retellings were written by language models: some-model.\n";
    let body = card.splitn(3, "---\n").nth(2).unwrap().trim_start();
    assert!(body.split("\n| ").next().unwrap().contains(first), "{body}");
    assert!(card.contains("Rules pick sentences; they do not understand them."), "{card}");
}

#[test]
fn the_card_tells_what_was_asked_and_what_was_left_out() {
    let (mut spec, shelf) = small();
    let prompt = Digest::of(b"prompt");
    spec.models = vec!["some-model".to_owned()];
    spec.asked = vec![Asked {
        step: "sum|marize".to_owned(),
        models: spec.models.clone(),
        prompts: vec![prompt],
        answers: 3_000,
        changes: [("seed".to_owned(), None), ("max_tokens".to_owned(), Some("most".to_owned()))]
            .into(),
    }];
    spec.left_out =
        vec![RejectCount { step: "ask".to_owned(), reason: "too-near".to_owned(), count: 4 }];
    spec.reviews = 2;
    let (folder, _) = published(&spec, &shelf);
    let card = fs::read_to_string(folder.path().join("README.md")).unwrap();
    for told in [
        "asked refused `max_tokens`, which was sent as `most`, `seed`;",
        &format!(r"| sum\|marize | some-model | 3,000 | `{}` |", &prompt.to_string()[..16]),
        "| summaries | too-short | 3 |",
        "| ask | too-near | 4 |",
        "2 decisions were doubtful",
    ] {
        assert!(card.contains(told), "{told}\n{card}");
    }
    assert!(!card.contains("\n\n\n"), "{card}");
}

#[test]
fn the_card_counts_and_measures_the_questions() {
    let works = [work("b1", 1, 4, 600), work("b2", 2, 3, 500), work("b3", 3, 2, 700)];
    let (folder, _) = published(&publication(&works).0, &publication(&works).1);
    let card = fs::read_to_string(folder.path().join("README.md")).unwrap();
    assert!(card.contains("| `reconstruction` | train |  | 0 | 4 |"), "{card}");
    let kinds = card.split("## Figures").nth(1).unwrap();
    let at = |split: &str| kinds.find(&format!("| `summaries` | {split} |")).unwrap();
    assert!(at("train") < at("validation") && at("validation") < at("test"));

    let questions = || works.iter().flat_map(|work| &work.questions);
    let asked = |of: fn(&str) -> u64| {
        let both = questions().map(|q| of(&q.0.task) + of(texts(&mut q.clone())[0]));
        mean(&both.collect::<Vec<_>>())
    };
    let contexts = |of: fn(&Length) -> u32| -> Vec<u64> {
        questions().map(|q| of(&q.0.context.length()).into()).collect()
    };
    let demands = |of: fn(&Demand) -> u32| -> Vec<u64> {
        questions().map(|q| of(&q.0.demand).into()).collect()
    };
    for (what, unit, mean) in [
        ("question", "words", asked(|text| text.split_whitespace().count() as u64)),
        ("question", "symbols", asked(|text| text.chars().count() as u64)),
        ("context", "words", mean(&contexts(|length| length.words))),
        ("context", "scenes", mean(&contexts(|length| length.scenes))),
        ("retention demand", "scenes", mean(&demands(|demand| demand.to_start.scenes))),
        ("retention demand", "words", mean(&demands(|demand| demand.to_start.words))),
    ] {
        let line = format!("| `reconstruction` | {what} | {unit} | {mean} |");
        assert!(card.contains(&line), "{line}\n{card}");
    }
}

/// The mean as the card tells it.
fn mean(numbers: &[u64]) -> String {
    let (sum, count) = (numbers.iter().sum::<u64>(), numbers.len() as u64);
    let tenths = (20 * sum + count) / (2 * count);
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[test]
fn our_figures_stand_beside_those_of_a_paper() {
    let works = [work("b1", 1, 4, 600), work("b2", 2, 3, 500), work("b3", 3, 2, 700)];
    let (spec, shelf) = publication(&works);
    let (folder, _) = published(&spec, &shelf);
    let ours = |query: &Query| {
        let compared = compare(folder.path(), query, &NARRATIVE_XL).unwrap();
        move |what: &str| compared.iter().find(|one| one.what == what).unwrap().ours_tenths
    };
    let all = ours(&Query::default());
    let questions: u64 = works.iter().map(|work| work.questions.len() as u64).sum();
    assert_eq!(all("books"), Some(30));
    assert_eq!(all("reconstructions"), Some(10 * questions));
    assert_eq!(all("questions"), Some(10 * questions));
    assert_eq!(all("  of scenes (level 0)"), Some(10 * questions));
    assert_eq!(all("  of level 4"), Some(0));
    assert_eq!(all("read-along questions"), None);
    assert_eq!(all("words of context, mean"), None);
    let test = Query { split: Some("test".to_owned()), ..Query::default() };
    assert_eq!(ours(&test)("books"), Some(10));
}

/// A table of the same questions under other names tells nothing new; alone it is looked at like any other.
#[test]
fn a_question_in_two_configs_counts_once() {
    let (mut spec, shelf) = small();
    let plain = spec.configs.last().unwrap().clone();
    spec.configs.push(Config { name: "other-reconstruction".to_owned(), ..plain });
    let (folder, _) = published(&spec, &shelf);
    let ours = |config: Option<&str>| {
        let query = Query { config: config.map(str::to_owned), ..Query::default() };
        let compared = compare(folder.path(), &query, &NARRATIVE_XL).unwrap();
        let figure = compared.iter().find(|one| one.what == "reconstructions");
        figure.unwrap().ours_tenths.unwrap()
    };
    assert_eq!(ours(None), ours(Some("reconstruction")));
    assert_eq!(ours(None), ours(Some("other-reconstruction")));
}

#[test]
fn the_card_says_how_to_cite_it() {
    let (spec, shelf) = small();
    let cited = |spec: &Publication| {
        let (folder, manifest) = published(spec, &shelf);
        let card = fs::read_to_string(folder.path().join("README.md")).unwrap();
        let line = card.split("## How to cite it\n\n").nth(1).unwrap().trim_end().to_owned();
        line.replace(&manifest.digest.to_string()[..12], "DIGEST")
    };
    let made = format!("Made with storymill {}.", env!("CARGO_PKG_VERSION"));
    let url = "<https://huggingface.co/datasets/me/mill>";
    assert_eq!(
        cited(&spec),
        format!("> Brook, Ann: mill, version 1.0.0, digest DIGEST, {url}. {made}")
    );
    let authors = ["Brook, Ann", "The *Mill* Project"].map(str::to_owned).to_vec();
    let two = Publication { authors, ..spec.clone() };
    assert!(cited(&two).starts_with(r"> Brook, Ann; The \*Mill\* Project: mill, version 1.0.0"));
    let nobody = Publication { authors: Vec::new(), url: String::new(), ..spec };
    assert_eq!(cited(&nobody), format!("> mill, version 1.0.0, digest DIGEST. {made}"));
}

/// A question whose options have these texts; the last is none of the above, and right if `none`.
fn question(at: u32, of: QuestionType, texts: [&str; 3], none: bool) -> ReadAlongQuestion {
    let book: UnitId = "b1".parse().unwrap();
    let tokens = |count| vec![Tokens { encoding: Encoding::O200kBase, count }];
    let length = |scenes: u32| Length {
        scenes,
        words: 100 * scenes,
        symbols: 500 * scenes,
        tokens: tokens(130 * scenes),
    };
    let demand = |scenes| Demand { to_start: length(scenes), to_end_symbols: 0 };
    let kinds = [if none { OptionKind::Decoy(of) } else { OptionKind::True }]
        .into_iter()
        .chain([OptionKind::Decoy(of), OptionKind::None]);
    let choice = |(kind, text): (OptionKind, &str)| Choice {
        kind,
        text: text.to_owned(),
        names: Vec::new(),
        from: String::new(),
        book: Some(book.clone()),
        scene: None,
        demand: None,
    };
    ReadAlongQuestion(Question {
        id: format!("b1/{at:04}/{}", of.name()),
        of: book.clone(),
        kind: of.name().to_owned(),
        task: "Which one?".to_owned(),
        form: Form::Options {
            given: Vec::new(),
            options: kinds.zip(texts).map(choice).collect(),
            right: if none { 2 } else { 0 },
        },
        about: (!none).then(|| Stretch::scene(0)).into_iter().collect(),
        evidence: Vec::new(),
        demands: Vec::new(),
        demand: demand(at + 1),
        context: Recipe::Read(length(at + 1)),
        made_by: None,
    })
}

#[test]
fn questions_with_options_are_told_by_type() {
    use QuestionType::{Lookahead, SceneDistortion};
    let (mut spec, mut shelf) = small();
    let questions = [
        question(0, SceneDistortion, ["a b c", "d e", "none"], false),
        question(1, SceneDistortion, ["a b\u{a0}c", "d", "none"], true),
        question(1, Lookahead, ["a", "é\u{2003}f", "none"], false),
    ];
    let part = shelf.put(&"b1".parse().unwrap(), &questions);
    spec.configs.push(Config {
        name: "read-along".to_owned(),
        record: ReadAlongQuestion::NAME.to_owned(),
        encodings: vec![Encoding::O200kBase],
        parts: vec![part],
    });
    let (folder, _) = published(&spec, &shelf);
    let card = fs::read_to_string(folder.path().join("README.md")).unwrap();
    for line in [
        "| `read-along` | train | lookahead |  | 1 |",
        "| `read-along` | train | scene-distortion |  | 2 |",
        "In `read-along`, none of the above is right in 1 of 3 questions (33.3 %).",
        // 2 + 5 + 1, 2 + 4 + 1 and 2 + 3 + 1 words; symbols count with blanks.
        "| `read-along` | question | words | 7.0 | 0.8 | 6 | 7 | 8 | 6 | 8 |",
        "| `read-along` | question | symbols | 20.0 | 1.6 | 18 | 20 | 22 | 18 | 22 |",
        "| `read-along` | context | scenes | 1.7 | 0.5 | 1 | 2 | 2 | 1 | 2 |",
        "| `read-along` | context | tokens of o200k\\_base | 216.7 | 61.3 | 130 | 260 | 260 | 130 | 260 |",
        "| `read-along` | retention demand | words | 166.7 | 47.1 | 100 | 200 | 200 | 100 | 200 |",
    ] {
        assert!(card.contains(line), "{line}\n{card}");
    }
    let svg = fs::read_to_string(folder.path().join("demand.svg")).unwrap();
    assert!(svg.contains("read-along · lookahead</tspan> 1 question<"), "{svg}");

    let compared = compare(folder.path(), &Query::default(), &NARRATIVE_XL).unwrap();
    let ours = |what| compared.iter().find(|one| one.what == what).unwrap().ours_tenths;
    assert_eq!(ours("read-along questions"), Some(30));
    assert_eq!(ours("words of a question, mean"), Some(70));
    assert_eq!(ours("words of context, sd"), Some(471));
    assert_eq!(ours("retention demand in words, mean"), Some(1_667));
    assert_eq!(ours("none of the above, %"), Some(333));
}

#[test]
fn the_figure_is_listed_shown_and_verified() {
    let (mut spec, shelf) = small();
    let (folder, manifest) = published(&spec, &shelf);
    let path = folder.path().join("demand.svg");
    let svg = fs::read_to_string(&path).unwrap();
    assert!(svg.contains("reconstruction</tspan> 9 questions"), "{svg}");
    let card = fs::read_to_string(folder.path().join("README.md")).unwrap();
    assert!(card.contains("](demand.svg)"));
    assert_eq!(manifest.figures[0].path, "demand.svg");
    assert_eq!(manifest.figures[0].bytes, svg.len() as u64);
    fs::write(&path, svg.replace("#777c82", "#777c83")).unwrap();
    assert_eq!(check(folder.path(), Depth::Bytes).unwrap()[0].path, path);

    // Where nothing is asked there is nothing to draw, and what was drawn before goes.
    spec.configs.remove(4);
    let published =
        publish(&spec, &Tables::standard(), &shelf, &TestDisk::sound(), folder.path()).unwrap();
    assert!(published.removed.contains(&"demand.svg".to_owned()), "{:?}", published.removed);
    let card = fs::read_to_string(folder.path().join("README.md")).unwrap();
    assert!(published.manifest.figures.is_empty() && !card.contains("demand.svg"));
    assert_eq!(check(folder.path(), Depth::Rows).unwrap(), []);
}
