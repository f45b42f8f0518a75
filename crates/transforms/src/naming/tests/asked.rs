//! What a tagger that is a model is asked.

use super::*;

/// What a tagger is asked.
fn window(asked: &Asked) -> &serde_json::Value {
    match &asked.request.content {
        Content::Raw(window) => window,
        Content::Chat(chat) => panic!("{chat:?}"),
    }
}

/// Has the answers that it is given.
struct Knows(std::sync::Mutex<std::collections::BTreeMap<RequestKey, Answer>>);

impl Asker for Knows {
    fn get(&self, key: &RequestKey) -> Result<Option<Answer>, Fault> {
        Ok(self.0.lock().unwrap().get(key).cloned())
    }

    fn ask(&self, wave: &[Asked]) -> Result<(), Fault> {
        for asked in wave {
            let words = window(asked)["first"].as_str().unwrap().matches('1').count();
            let text = vec!["0,1000"; words].join(" ");
            let answer = Answer { text, finish_reason: "stop".into() };
            self.0.lock().unwrap().insert(asked.key, answer);
        }
        Ok(())
    }
}

/// The cast of a book, and what is asked for it.
fn run(stage: &CastStage, book: &Book, asker: &Knows) -> (Result<Vec<Cast>, Stop>, Vec<Asked>) {
    let unit: UnitId = "t".parse().unwrap();
    let mut cx = Cx::new(CastStage::KIND, &unit, Seed::new(1), asker);
    let rows = stage.run(vec![book.clone()].into(), &mut cx);
    (rows, cx.finish().1)
}

#[test]
fn what_the_tagger_says_is_asked_for_and_read() {
    let book = tests::book(STORY);
    let stage: CastStage = toml::from_str("from = 'books'").unwrap();
    let asker = Knows(std::sync::Mutex::default());
    let (first, asked) = run(&stage, &book, &asker);
    assert!(matches!(first, Err(Stop::Waiting)) && !asked.is_empty());
    assert!(asked.iter().all(|asked| asked.request.model == "litner"));
    asker.ask(&asked).unwrap();
    let unit: UnitId = "t".parse().unwrap();
    let mut cx = Cx::new(CastStage::KIND, &unit, Seed::new(1), &asker);
    let rows = stage.run(vec![book].into(), &mut cx);
    let (trace, asked) = cx.finish();
    assert!(rows.unwrap()[0].toml.contains("Weston") && asked.is_empty());
    assert!(!trace.reads.is_empty());
}

#[test]
fn some_occurrences_are_asked_for_in_two_rounds() {
    let stage: CastStage = toml::from_str("from = 'books'\noccurrences = 1").unwrap();
    assert!(storymill_core::Options::check(&stage).is_empty());
    let book =
        tests::book(&format!("{STORY} They thought of Hartfield. He may come in May.").repeat(30));
    let asker = Knows(std::sync::Mutex::default());
    let run = |stage: &CastStage| run(stage, &book, &asker);
    let pieces = |asked: &[Asked]| -> usize {
        asked.iter().map(|asked| window(asked)["pieces"].as_array().unwrap().len()).sum()
    };
    let all: CastStage = toml::from_str("from = 'books'").unwrap();
    let (rows, asked) = run(&stage);
    assert!(matches!(rows, Err(Stop::Waiting)));
    assert!(0 < pieces(&asked) && 4 * pieces(&asked) < pieces(&run(&all).1));
    asker.ask(&asked).unwrap();
    let (mut rows, asked) = run(&stage);
    if !asked.is_empty() {
        asker.ask(&asked).unwrap();
        rows = run(&stage).0;
    }
    assert!(rows.unwrap()[0].toml.contains("Weston"));

    let lines = "from = 'books'\ntagger = 'perceptron'\noccurrences = 1";
    let stage: CastStage = toml::from_str(lines).unwrap();
    assert_eq!(storymill_core::Options::check(&stage)[0].0, "occurrences");
}

#[test]
fn a_model_of_ones_own_is_asked_under_its_digest() {
    let book = tests::book(STORY);
    let lines = "from = 'books'\ntagger = 'rust-bert'\nvocabulary = 'vocab.txt'\ndigest = 'd1'";
    let mut stage: CastStage = toml::from_str(lines).unwrap();
    assert!(storymill_core::Options::check(&stage).is_empty());
    let vocabulary: Vec<String> = (0..100).map(|n| format!("[unused{n}]")).collect();
    let vocabulary = vocabulary.join("\n") + "\n[UNK]\n[CLS]\n[SEP]\nEmma\n";
    let asker = Knows(std::sync::Mutex::default());
    let run = |stage: &CastStage| run(stage, &book, &asker);
    stage.vocabulary.as_mut().unwrap().fill(b"no pieces".as_slice());
    assert!(matches!(run(&stage).0, Err(Stop::Fault(_))));
    stage.vocabulary.as_mut().unwrap().fill(vocabulary.as_bytes());
    let asked = run(&stage).1;
    assert!(!asked.is_empty());
    for asked in &asked {
        let body = window(asked);
        assert_eq!((&*asked.request.model, &body["model"]), ("rust-bert", &"d1".into()));
        assert!(body["pieces"].to_string().contains("103"), "{body}");
    }
    asker.ask(&asked).unwrap();
    let (rows, asked) = run(&stage);
    assert!(rows.unwrap()[0].toml.contains("Weston") && asked.is_empty());

    for (lines, field) in [
        ("tagger = 'rust-bert'\ndigest = 'd1'", "vocabulary"),
        ("tagger = 'rust-bert'\nvocabulary = 'v'", "digest"),
        ("tagger = 'perceptron'\ndigest = 'd1'", "digest"),
    ] {
        let stage: CastStage = toml::from_str(&format!("from = 'books'\n{lines}")).unwrap();
        let wrong = storymill_core::Options::check(&stage);
        assert_eq!(wrong.iter().map(|(name, _)| *name).collect::<Vec<_>>(), [field]);
    }
}
