//! The binary alone, away from its checkout, as `cargo install` leaves it: where it finds the models of
//! taggers, and what it does without them.

use std::{fs, process::Command};

use crate::project::{Project, Ran, top};

const STORY: &str = "CHAPTER I\n\nMr. Weston smiled. “Come,” said Emma Weston to Harriet Lorne. Mr. Weston’s horse was lame, and \
    Harriet laughed. “Will you ride?” asked Emma. “I will,” said Harriet.\n\nThe Westons rode home with Harriet.\n";

const GOLD: &str = r#"{"book":1,"text":"Mr. Weston smiled. “Come,” said Emma Weston to Harriet.","spans":[[4,10,"PER","Weston"],[32,43,"PER","Emma Weston"],[47,54,"PER","Harriet"]]}"#;

/// The binary in `bin` of a project, with a home that has nothing in it.
pub struct Away(pub Project);

impl Away {
    pub fn new() -> Self {
        let project = Project::new();
        project.write("work/story.txt", STORY).write("work/gold.jsonl", GOLD);
        fs::create_dir_all(project.path("bin")).unwrap();
        let (from, to) = (env!("CARGO_BIN_EXE_storymill"), project.path("bin/storymill"));
        // A link where both are on one disk: the binary is large.
        fs::hard_link(from, &to).or_else(|_| fs::copy(from, &to).map(drop)).unwrap();
        Self(project)
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(self.0.path("bin/storymill"));
        command.args(args).current_dir(self.0.path("work")).env("HOME", self.0.path("home"));
        for name in ["STORYMILL_DATA", "XDG_DATA_HOME", "LOCALAPPDATA", "NO_COLOR"] {
            command.env_remove(name);
        }
        command
    }

    #[track_caller]
    pub fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(args))
    }
}

/// Where there is no checkout, the sample comes out of the program, and is the same dataset.
#[test]
fn the_sample_needs_no_checkout() {
    let away = Away::new();
    let ran = away.run(&["quickstart"]).exits(0);
    let said = ran.says("storymill evaluate quickstart/out/quickstart --baselines");
    assert_eq!(format!("{}{}", said.out(), said.err()).matches("next:").count(), 1);
    away.run(&["verify", "quickstart/out/quickstart"]).exits(0);
    // Whoever stopped it goes on in the folder that it made.
    away.run(&["quickstart"]).exits(0).says("storymill evaluate quickstart/out/quickstart");
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
    std::fs::write(away.0.path("work/quickstart/quickstart.toml"), "# of my own").unwrap();
    let again = away.run(&["quickstart"]).exits(4).says("this folder is not empty");
    again.says("storymill quickstart other");
}

#[test]
fn names_are_found_without_a_model_and_it_is_said() {
    let away = Away::new();
    let cast = away.run(&["book", "cast", "story.txt"]).exits(0);
    assert!(cast.out().contains("tagger = \"perceptron "), "{}", cast.out());
    assert!(cast.out().contains("Emma Weston"));
    let cast = cast.says("so the perceptron finds the names");
    if cfg!(feature = "litner") {
        let home = away.0.path("home/.local/share/storymill").display().to_string();
        let cast = cast.says("the model of the tagger `litner` was not found (looked in");
        cast.says(&format!("into `{home}`")).says("STORYMILL_DATA");
    } else {
        cast.says("this build of storymill has no tagger `litner`").says("--features full");
    }

    away.run(&["score", "names", "gold.jsonl"])
        .exits(0)
        .says("tagger: perceptron ")
        .says("so the perceptron finds the names");
    let json = away.run(&["score", "names", "gold.jsonl", "--format", "json"]).exits(0).out();
    assert!(json.contains("\"tagger\": \"perceptron\""), "{json}");

    // It reads everything, so whoever wants less of it is told so.
    for tagger in [&[][..], &["--tagger", "perceptron"]] {
        let ran =
            away.run(&[&["book", "cast", "story.txt", "--occurrences", "3"], tagger].concat());
        ran.exits(4).says("reads the whole book").says("leave the option out");
    }

    // Who names the tagger gets that one or an error.
    for named in [
        &["--tagger", "litner"][..],
        &["--tagger-models", "nowhere"],
        &["--tagger", "litner-small"],
    ] {
        let ran = away.run(&[&["book", "cast", "story.txt"], named].concat()).exits(4);
        assert!(!ran.out().contains("perceptron"), "{}", ran.out());
        let ran = ran.says("--tagger perceptron");
        if cfg!(feature = "litner") {
            ran.says("was not found; looked for").says("STORYMILL_DATA");
        }
    }
    // Who names the perceptron is told nothing.
    let ran = away.run(&["book", "cast", "story.txt", "--tagger", "perceptron"]).exits(0);
    assert_eq!(ran.err(), "");
}
