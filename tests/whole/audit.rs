//! The audit of a published folder, and a release that is refused for what it finds.

use serde_json::Value;

use crate::project::Project;

const NAMED: &str = "authors = [\"Brook, Ann\"]\nurl = \"https://example.org/mine\"\nlicense = ";

/// A built project with these lines in `[publish]`.
fn project(limits: &str) -> Project {
    let project = Project::new();
    let named = format!("{limits}\n{NAMED}");
    project.book("one", 2).book("two", 2).workflow(&[("license = ", &named)]);
    project.write("CHANGELOG.md", "# Changes\n\n## 1.0.0 (2026-02-28)\n\n- The first version.\n");
    project.run(&["build", "my.toml"]).exits(0);
    project
}

#[test]
fn a_figure_past_its_limit_refuses_a_release() {
    let project = project("audit.with_book = 1\naudit.copy_rouge_l = 0.01");
    project.run(&["audit", "out/mine"]).exits(7).says("past its limit: copy-rouge-l");
    let audit = project.run(&["audit", "out/mine", "--format", "json"]).exits(7);
    let figures: Value = serde_json::from_str(&audit.out()).unwrap();
    assert_eq!(figures["format"], "storymill-audit/1");
    assert!(
        figures["sets"].as_array().unwrap().iter().any(|set| set["config"] == "reconstruction")
    );
    let release = ["release", "my.toml", "--first"];
    project.run(&release).exits(7).says("`copy-rouge-l`").says("the limit is 0.01");
}

#[test]
fn limits_that_hold_let_a_release_pass() {
    let project = project("audit.with_book = 1\naudit.without_book = 1.0");
    project.run(&["audit", "out/mine", "--without-book"]).exits(0).says("the longest option");
    project.run(&["audit", "out/mine", "--config", "mine"]).exits(4).says("no config `mine` here");
    project.run(&["audit", "nowhere"]).exits(4).says("manifest");
    project.run(&["release", "my.toml", "--first"]).exits(0);
}

#[test]
fn a_limit_is_a_share() {
    let project = Project::new();
    project.book("one", 1).workflow(&[("license = ", "audit.words = 30\nlicense = ")]);
    project.run(&["plan", "my.toml"]).exits(3).says("30 is not a share from 0 to 1");
    project.workflow(&[("license = ", "audit.wrods = 0.3\nlicense = ")]);
    project.run(&["plan", "my.toml"]).exits(3).says("wrods");
}
