//! `storymill score names`: figures for each split, and files and models that are not what they should be.

use crate::project::{Project, top};

const LINE: &str = r#"{"book":1,"split":"dev","text":"Mr. Weston smiled. “Come,” said Emma Weston to Harriet.\n\nMr. Weston’s horse was lame.","spans":[[4,10,"PER","Weston"],[32,43,"PER","Emma Weston"],[47,54,"PER","Harriet"],[61,67,"PER","Weston"]]}"#;

fn project() -> Project {
    let project = Project::new();
    project.write("gold.jsonl", format!("{LINE}\n{}\n", LINE.replace("dev", "train")));
    project
}

#[test]
fn taggers_are_measured_split_by_split() {
    let project = project();
    let models = top().join("data/models/litner").display().to_string();
    let all = ["perceptron", "litner-small", "litner"];
    for tagger in all.into_iter().take(if cfg!(feature = "litner") { 3 } else { 1 }) {
        let args = [
            "score",
            "names",
            "gold.jsonl",
            "--tagger",
            tagger,
            "--tagger-models",
            &models,
            "--format",
            "json",
        ];
        let value: serde_json::Value =
            serde_json::from_str(&project.run(&args).exits(0).out()).unwrap();
        assert_eq!(value["lines"].as_array().unwrap().len(), 2);
        let dev = &value["sums"]["dev"];
        assert_eq!((&dev["gold"], &dev["texts"]), (&5.into(), &1.into()), "{value}");
        assert_eq!(dev["f1"], 1.0, "{tagger}: {value}");
    }
    let out = project
        .run(&["score", "names", "gold.jsonl", "--tagger", "perceptron", "--split", "dev"])
        .exits(0)
        .out();
    assert!(out.contains("words/s") && out.contains("100.0") && !out.contains("train"), "{out}");
}

#[cfg(feature = "litner")]
#[test]
fn some_occurrences_are_read_and_it_is_said() {
    let project = project();
    let models = top().join("data/models/litner").display().to_string();
    let ran = ["score", "names", "gold.jsonl", "--tagger-models", &models, "--occurrences", "2"];
    let out = project.run(&ran).exits(0).out();
    assert!(out.contains("tagger: litner ") && out.contains(", 2 occurrences of a form"), "{out}");
}

#[test]
fn what_cannot_be_measured_is_said() {
    let project = project();
    let fast = ["--tagger", "perceptron"];
    let ran = |file: &str| project.run(&["score", "names", file, fast[0], fast[1]]).exits(4);
    ran("none.jsonl").says("none.jsonl");
    project.write("words.jsonl", "{\"text\": 1}\n");
    ran("words.jsonl").says("line 1");
    project.write("off.jsonl", LINE.replace("[4,10", "[5,10"));
    ran("off.jsonl").says("line 1").says("symbols");
    project.write("empty.jsonl", "\n");
    ran("empty.jsonl").says("no lines");
    project
        .run(&["score", "names", "gold.jsonl", "--split", "test", fast[0], fast[1]])
        .exits(4)
        .says("`test`");
}

#[cfg(not(feature = "litner"))]
#[test]
fn a_build_without_the_tagger_says_where_it_is() {
    let project = project();
    for tagger in ["litner", "litner-small"] {
        let ran = project.run(&["score", "names", "gold.jsonl", "--tagger", tagger]).exits(4);
        ran.says(&format!("this build of storymill has no tagger `{tagger}`"))
            .says("--features full")
            .says("--tagger perceptron");
    }
    let ran = project.run(&["score", "names", "gold.jsonl"]).exits(0);
    ran.says("this build of storymill has no tagger `litner`, so the perceptron finds the names");
}

#[cfg(feature = "litner")]
#[test]
fn a_model_that_is_missing_names_both_ways_out() {
    let project = project();
    let ran = project.run(&["score", "names", "gold.jsonl", "--tagger-models", "nowhere"]).exits(4);
    ran.says("nowhere").says("--tagger-models DIR").says("--tagger perceptron");
    project.write("models/litner.onnx", "no model").write("models/vocab.txt", "no\nvocabulary\n");
    project
        .run(&["score", "names", "gold.jsonl", "--tagger-models", "models"])
        .exits(4)
        .says("vocabulary");
}

/// What a program says that was built without the tagger, and one that was built with it but has no model.
#[test]
fn a_tagger_that_was_not_built_in_says_how_to_have_it() {
    let project = project();
    let says =
        if cfg!(feature = "rust-bert") { "model.safetensors" } else { "feature `rust-bert`" };
    let tagger = ["--tagger", "rust-bert"];
    project.run(&["score", "names", "gold.jsonl", tagger[0], tagger[1]]).exits(4).says(says);
    project.write("b1.txt", STORY);
    project.run(&["book", "cast", "b1.txt", tagger[0], tagger[1]]).exits(4).says(says);
}

const STORY: &str = "CHAPTER I\n\nMr. Weston smiled. “Come,” said Emma Weston to Harriet Lorne. Mr. Weston’s horse was lame, and \
    Harriet laughed. “Will you ride?” asked Emma. “I will,” said Harriet.\n\nThe Westons rode home with Harriet.\n";

#[test]
fn a_cast_is_made_changed_and_replaced() {
    let project = Project::new();
    project.write("b1.txt", STORY);
    let fast = ["--tagger", "perceptron"];
    project.run(&["book", "cast", "b1.txt", "--out", "c.toml", fast[0], fast[1]]).exits(0);
    let cast = project.read("c.toml");
    for line in ["book = \"b1\"", "Emma Weston", "family = [\"Weston\"]", "gender = \"female\""] {
        assert!(cast.contains(line), "`{line}` in\n{cast}");
    }
    project
        .run(&["book", "cast", "b1.txt", "--out", "c.toml", fast[0], fast[1]])
        .exits(4)
        .says("--edit");
    let edited = project
        .command(&["book", "cast", "b1.txt", "--edit", "--out", "c.toml"])
        .env("EDITOR", "true")
        .env_remove("VISUAL")
        .status();
    assert!(edited.unwrap().success());

    project
        .run(&["book", "substitute", "b1.txt", "--cast", "c.toml", "--out", "o.txt"])
        .exits(0)
        .says("o.txt");
    let other = project.read("o.txt");
    for name in ["Weston", "Emma", "Harriet", "Lorne"] {
        assert!(!other.contains(name), "{name} in\n{other}");
    }
    assert!(
        other.contains("CHAPTER I")
            && other.contains("“Will you ride?”")
            && other.contains("’s horse"),
        "{other}"
    );
    let args =
        ["book", "substitute", "b1.txt", "--cast", "c.toml", "--out", "o2.txt", "--format", "json"];
    let value: serde_json::Value =
        serde_json::from_str(&project.run(&args).exits(0).out()).unwrap();
    assert_eq!(project.read("o2.txt"), other);
    for edit in value["edits"].as_array().unwrap() {
        let at = |n: usize| usize::try_from(edit[n].as_u64().unwrap()).unwrap();
        assert!(STORY.is_char_boundary(at(0)) && other.is_char_boundary(at(3)));
        assert_ne!(STORY[at(0)..at(1)], other[at(2)..at(3)]);
    }
    project
        .run(&[
            "book",
            "substitute",
            "b1.txt",
            "--cast",
            "c.toml",
            "--out",
            "o3.txt",
            "--seed",
            "2",
        ])
        .exits(0);
    assert_ne!(project.read("o3.txt"), other);
}

#[test]
fn casts_that_are_wrong_and_books_that_are_none() {
    let project = Project::new();
    project
        .write("b1.txt", STORY)
        .write("bad.toml", "version = 1\nbook = 2\n")
        .write("e.txt", "nobody is here\n");
    project
        .run(&["book", "substitute", "b1.txt", "--cast", "bad.toml", "--out", "o.txt"])
        .exits(4)
        .says("line 2")
        .says("bad.toml");
    project
        .run(&["book", "substitute", "b1.txt", "--cast", "none.toml", "--out", "o.txt"])
        .exits(4)
        .says("none.toml");
    project.run(&["book", "cast", "none.txt"]).exits(4).says("none.txt");
    project.run(&["book", "cast", "e.txt", "--tagger", "perceptron"]).exits(0).says("no names");
}
