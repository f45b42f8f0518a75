//! What a model may answer to the stages that ask for retellings and changes: every request of a stage gets the same text.
//! An answer that a stage takes makes the same rows again, and its text is the model's own words.
#![no_main]

use std::sync::LazyLock;

use storymill_core::{
    Answer, Asked, Asker, Cx, Fault, RequestKey, Scene, Seed, Stage, Stop, Summary, UnitId,
};
use storymill_transforms::{Chunk, Distort, Hierarchy, Summarize};

struct Says(Answer);

impl Asker for Says {
    fn get(&self, _: &RequestKey) -> Result<Option<Answer>, Fault> {
        Ok(Some(self.0.clone()))
    }

    fn ask(&self, _: &[Asked]) -> Result<(), Fault> {
        Ok(())
    }
}

static UNIT: LazyLock<UnitId> = LazyLock::new(|| "t".parse().expect("an id"));

const SCENE: &str = "Anne laughed at the offer. She would not sell the mill, she said, and Ben might have the \
    letter. She had sold the horse to Carl. Then she walked home through the rain, alone.";

static SCENES: LazyLock<Vec<Scene>> = LazyLock::new(|| {
    let text = format!("CHAPTER I\n\n{SCENE}\n\n{SCENE}\n\n{SCENE}");
    let cleaned = storymill_sources::clean(text.as_bytes(), "t.txt").expect("a text");
    let book = cleaned.book("t".parse().expect("an id"), None);
    let chunk: Chunk = toml::from_str("from = 'b'\nmax = 300").expect("options");
    let silent = Says(Answer { text: String::new(), finish_reason: String::new() });
    let scenes = chunk.run(vec![book].into(), &mut Cx::new("chunk", &UNIT, Seed::new(1), &silent));
    scenes.ok().filter(|scenes| scenes.len() > 1).expect("scenes")
});

fn summary(scene: &Scene) -> Summary {
    Summary {
        book: scene.book.clone(),
        level: 0,
        at: scene.scene,
        first_scene: scene.scene,
        last_scene: scene.scene,
        protocol: "tag".into(),
        text: "Anne refuses the merchant's offer for the mill and hands the letter to Ben.".into(),
        answers: Vec::new(),
    }
}

/// The rows that a stage makes of an answer, each as text; none if it takes none.
fn rows<S: Stage>(options: &str, input: impl Fn() -> S::In, says: &Says) -> Vec<S::Out>
where
    S: for<'de> serde::Deserialize<'de>,
    S::Out: PartialEq + std::fmt::Debug,
{
    let stage: S = toml::from_str(options).expect("options");
    let run = || match stage.run(input(), &mut Cx::new(S::KIND, &UNIT, Seed::new(1), says)) {
        Ok(rows) => rows,
        Err(Stop::Fault(fault)) => panic!("{fault}"),
        Err(_) => Vec::new(),
    };
    let rows = run();
    assert_eq!(run(), rows);
    rows
}

libfuzzer_sys::fuzz_target!(|text: &str| {
    let says = Says(Answer { text: text.to_owned(), finish_reason: "stop".into() });
    for protocol in ["tag", "json"] {
        let with = format!("protocol = '{protocol}'\ntries = 1");
        let summaries = || SCENES.iter().map(summary).collect::<Vec<_>>();
        let told =
            rows::<Summarize>(&format!("from = 's'\n{with}"), || SCENES.clone().into(), &says);
        let above = rows::<Hierarchy>(&format!("from = 't'\n{with}"), || summaries().into(), &says);
        for row in told.iter().chain(&above) {
            assert!(!row.text.trim().is_empty());
        }
        // What stands above a single retelling is that one.
        let told = told.iter().map(|row| &row.text);
        for told in told.filter(|_| protocol == "tag") {
            assert!(text.contains(&told[..]), "not the model's words: {told}");
        }
        let options = format!("scenes = 's'\nsummaries = 't'\nanswers = '{protocol}'\ntries = 1");
        rows::<Distort>(&options, || (SCENES.clone().into(), summaries().into()), &says);
    }
});
