//! Where a program that was built with the tagger `litner` finds its models, and what it remembers of them.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use crate::{
    installed::Away,
    project::{Ran, page, top},
};

impl Away {
    /// Puts a link to the models where a path of the project says.
    fn link(&self, from: &Path, to: &str) -> PathBuf {
        let to = self.0.path(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        symlink(from, &to).unwrap();
        to
    }
}

#[test]
fn the_model_is_found_wherever_it_may_lie() {
    let models = top().join("data/models");
    for place in [
        "home/.local/share/storymill/models",
        "bin/models",
        "bin/data/models",
        "share/storymill/models",
        "work/data/models",
        "work/models",
    ] {
        let away = Away::new();
        away.link(&models, place);
        let ran = away.run(&["book", "cast", "story.txt"]).exits(0);
        assert!(ran.out().contains("tagger = \"litner "), "{place}: {}{}", ran.out(), ran.err());
        assert_eq!(ran.err(), "", "{place}");
    }
    let away = Away::new();
    let data = away.link(&top().join("data"), "elsewhere");
    let with = |name: &str, value: &Path| {
        let mut command = away.command(&["score", "names", "gold.jsonl"]);
        Ran::of({
            command.env(name, value);
            command
        })
    };
    with("STORYMILL_DATA", &data).exits(0).says("tagger: litner ");
    with("STORYMILL_DATA", &models.join("litner")).exits(0).says("tagger: litner ");
    away.link(&models, "data-home/storymill/models");
    with("XDG_DATA_HOME", &away.0.path("data-home")).exits(0).says("tagger: litner ");
    // A relative one does not count, by the rules that the variable comes from.
    with("XDG_DATA_HOME", Path::new("../data-home")).exits(0).says("tagger: perceptron ");
    with("STORYMILL_DATA", Path::new("")).exits(0).says("tagger: perceptron ");
}

const STEPS: &str = "\n[stage.casts.cast]\nfrom = \"books\"\n\n[stage.names.substitutes]\nfrom = \"casts\"\nbooks = \"books\"\n\n[dataset.names]\nfrom = \"names\"\n";

/// A project with a step that names no tagger, and the text of its workflow.
fn unnamed() -> (Away, String) {
    let away = Away::new();
    away.0.workflow(&[]).book("b1", 3).book("b2", 3);
    fs::rename(away.0.path("books"), away.0.path("work/books")).unwrap();
    let text = away.0.read("my.toml") + STEPS;
    away.0.write("work/my.toml", &text);
    (away, text)
}

#[test]
fn a_build_that_names_no_tagger_says_which_it_took() {
    let (away, text) = unnamed();
    let plan = away.run(&["plan", "my.toml"]).exits(0);
    plan.says("`casts` names no tagger").says("tagger = \"perceptron\"");
    away.run(&["build", "my.toml"]).exits(0).says("`casts` names no tagger");
    let card = away.0.read("work/out/mine/README.md");
    assert!(card.contains("| casts | cast (tagger `perceptron`) |"), "{card}");
    let lock = away.0.read("work/out/mine/dataset.lock");
    assert!(lock.contains("\"tagger\": \"perceptron\""), "{lock}");
    away.run(&["plan", "my.toml"]).exits(0).says("nothing to build");
    assert!(!away.run(&["reviews", "my.toml"]).exits(0).err().contains("still to be built"));
    // Nobody is asked, so it is what was built; in a new store it is what can be built.
    away.run(&["plan", "my.toml", "--frozen"]).exits(0).says("nothing to build");
    away.run(&["build", "my.toml", "--frozen"]).exits(0).says("is as it was");
    away.run(&["build", "my.toml", "--frozen", "--store", "new", "--out", "out/new"])
        .exits(0)
        .says("no answers of `litner` are recorded");

    // Where the model is, the lock says what is to be built again; a new build asks the model.
    let models = away.link(&top().join("data/models"), "work/models");
    let (lock, folder) = ("out/mine/dataset.lock", "out/mine");
    away.run(&["verify", folder, "--rebuild", "my.toml"]).exits(0);
    away.run(&["build", "my.toml", "--frozen"]).exits(0).says("is as it was");
    away.run(&["build", "my.toml", "--locked", lock]).exits(0);
    away.run(&["build", "my.toml", "--out", "again"]).exits(0);
    let again = away.0.read("work/again/dataset.lock");
    assert!(again.contains("\"tagger\": \"litner\""), "{again}");
    fs::remove_file(models).unwrap();
    let locked = away.run(&["build", "my.toml", "--locked", lock]).exits(0);
    assert!(!locked.err().contains("was not found"), "{}", locked.err());

    // A step that names its tagger takes no other.
    away.0.write(
        "work/my.toml",
        text.replace("[stage.casts.cast]\n", "[stage.casts.cast]\ntagger = \"litner-small\"\n"),
    );
    let named = away.run(&["build", "my.toml", "--out", "named"]).exits(4);
    named
        .says("`litner-small` was not found; looked for `litner-small.onnx` in")
        .says("--tagger-models DIR");
}

#[test]
fn what_the_model_said_is_found_again_without_it() {
    let (away, text) = unnamed();
    // A name that is a common word is doubtful.
    let hope =
        "<p>“Mr. Hope had hope,” said Ann Hope. Hope rode home, and there was hope.</p>\n<p>";
    away.0.write("work/books/b3.html", page("b3", 3).replace("<p>", hope));
    let models = top().join("data/models").display().to_string();
    away.run(&["build", "my.toml", "--tagger-models", &models]).exits(0);
    let reviews = away.run(&["reviews", "my.toml"]).exits(0);
    assert!(reviews.out().contains("(casts, "), "{}{}", reviews.out(), reviews.err());
    away.run(&["release", "my.toml", "--first", "--dry-run"]).exits(12).says("was not released");
    away.run(&["build", "my.toml", "--frozen"]).exits(0).says("is as it was");
    away.run(&["answers", "pack", "my.toml", "--to", "packs"]).exits(0);

    // Packs with what it said take its place; packs of other models do not.
    let new = |packs: &str, name: &str| {
        away.0.write("work/my.toml", format!("answers = [\"{packs}\"]\n{text}"));
        let out = format!("out/{name}");
        away.run(&["build", "my.toml", "--store", name, "--out", &out]).exits(0);
        away.0.read(&format!("work/{out}/dataset.lock"))
    };
    assert!(new("packs", "litner").contains("\"tagger\": \"litner\""));
    away.link(&top().join("data/answers/lveval"), "work/others");
    assert!(new("others", "perceptron").contains("\"tagger\": \"perceptron\""));
}
