//! The binary alone, away from its checkout, as `cargo install` leaves it: where it finds the models of
//! taggers, and what it does without them.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use crate::project::{Project, Ran, page, top};

const STORY: &str = "CHAPTER I\n\nMr. Weston smiled. “Come,” said Emma Weston to Harriet Lorne. Mr. Weston’s horse was lame, and \
    Harriet laughed. “Will you ride?” asked Emma. “I will,” said Harriet.\n\nThe Westons rode home with Harriet.\n";

const GOLD: &str = r#"{"book":1,"text":"Mr. Weston smiled. “Come,” said Emma Weston to Harriet.","spans":[[4,10,"PER","Weston"],[32,43,"PER","Emma Weston"],[47,54,"PER","Harriet"]]}"#;

/// The binary in `bin` of a project, with a home that has nothing in it.
struct Away(Project);

impl Away {
    fn new() -> Self {
        let project = Project::new();
        project.write("work/story.txt", STORY).write("work/gold.jsonl", GOLD);
        fs::create_dir_all(project.path("bin")).unwrap();
        let (from, to) = (env!("CARGO_BIN_EXE_storymill"), project.path("bin/storymill"));
        // A link where both are on one disk: the binary is large.
        fs::hard_link(from, &to).or_else(|_| fs::copy(from, &to).map(drop)).unwrap();
        Self(project)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(self.0.path("bin/storymill"));
        command.args(args).current_dir(self.0.path("work")).env("HOME", self.0.path("home"));
        for name in ["STORYMILL_DATA", "XDG_DATA_HOME", "LOCALAPPDATA", "NO_COLOR"] {
            command.env_remove(name);
        }
        command
    }

    #[track_caller]
    fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(args))
    }

    /// Puts a link to the models where a path of the project says.
    fn link(&self, from: &Path, to: &str) -> PathBuf {
        let to = self.0.path(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        symlink(from, &to).unwrap();
        to
    }
}

/// Where there is no checkout, the sample comes out of the program, and is the same dataset.
#[test]
fn the_sample_needs_no_checkout() {
    let away = Away::new();
    let ran = away.run(&["quickstart"]).exits(0);
    ran.says("storymill evaluate quickstart/out/quickstart --baselines");
    away.run(&["verify", "quickstart/out/quickstart"]).exits(0);
    let again = away.run(&["quickstart"]).exits(4).says("this folder is not empty");
    again.says("storymill quickstart other");
    // From inside, nothing is left to be done.
    let mut inside = away.command(&["plan", "quickstart.toml"]);
    inside.current_dir(away.0.path("work/quickstart"));
    Ran::of(inside).exits(0).says("nothing to build");
    let here = Project::new();
    here.run(&["build", &top().join("workflows/quickstart.toml").display().to_string()]).exits(0);
    let digest = |project: &Project, folder: &str| {
        let manifest: serde_json::Value =
            serde_json::from_str(&project.read(&format!("{folder}/manifest.json"))).unwrap();
        manifest["digest"].clone()
    };
    assert_eq!(digest(&away.0, "work/quickstart/out/quickstart"), digest(&here, "out/quickstart"));
}

#[test]
fn names_are_found_without_a_model_and_it_is_said() {
    let away = Away::new();
    let cast = away.run(&["cast", "story.txt"]).exits(0);
    assert!(cast.out().contains("tagger = \"perceptron "), "{}", cast.out());
    assert!(cast.out().contains("Emma Weston"));
    for said in ["the model of the tagger `litner` was not found", "the perceptron", "looked in"] {
        assert!(cast.err().contains(said), "{said} in {}", cast.err());
    }
    let home = away.0.path("home/.local/share/storymill").display().to_string();
    cast.says(&format!("into `{home}`")).says("STORYMILL_DATA");

    away.run(&["eval", "names", "gold.jsonl"])
        .exits(0)
        .says("tagger: perceptron ")
        .says("not found");
    let json = away.run(&["eval", "names", "gold.jsonl", "--format", "json"]).exits(0).out();
    assert!(json.contains("\"tagger\": \"perceptron\""), "{json}");

    // It reads everything, so whoever wants less of it is told so.
    for tagger in [&[][..], &["--tagger", "perceptron"]] {
        let ran = away.run(&[&["cast", "story.txt", "--occurrences", "3"], tagger].concat());
        ran.exits(4).says("reads the whole book").says("leave the option out");
    }

    // Who names the tagger gets that one or an error.
    for named in
        [&["--tagger", "litner"][..], &["--models", "nowhere"], &["--tagger", "litner-small"]]
    {
        let ran = away.run(&[&["cast", "story.txt"], named].concat()).exits(4);
        assert!(!ran.out().contains("perceptron"), "{}", ran.out());
        ran.says("was not found; looked for").says("--tagger perceptron").says("STORYMILL_DATA");
    }
    // Who names the perceptron is told nothing.
    let ran = away.run(&["cast", "story.txt", "--tagger", "perceptron"]).exits(0);
    assert_eq!(ran.err(), "");
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
        let ran = away.run(&["cast", "story.txt"]).exits(0);
        assert!(ran.out().contains("tagger = \"litner "), "{place}: {}{}", ran.out(), ran.err());
        assert_eq!(ran.err(), "", "{place}");
    }
    let away = Away::new();
    let data = away.link(&top().join("data"), "elsewhere");
    let with = |name: &str, value: &Path| {
        let mut command = away.command(&["eval", "names", "gold.jsonl"]);
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
