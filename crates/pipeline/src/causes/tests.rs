//! Locks that differ in one thing each.

use std::collections::BTreeMap;

use serde_json::json;
use storymill_core::{Digest, UnitId};

use super::{Cause, LockChange};
use crate::{
    Lapsed, Publish,
    lock::{Lock, LockedModel, LockedStep, LockedUnit},
};

fn digest(text: &str) -> Digest {
    Digest::of(text.as_bytes())
}

fn step(kind: &str, reads: &[&str], rows: &str) -> LockedStep {
    let units = ["a", "b"].map(|unit| (unit.parse().unwrap(), digest(&format!("{rows} {unit}"))));
    LockedStep {
        kind: kind.to_owned(),
        version: 1,
        record: "row".to_owned(),
        reads: reads.iter().map(|name| (*name).to_owned()).collect(),
        partners: BTreeMap::new(),
        options: json!({ "max": 3000, "checks": { "copy": 350 }, "prompt": null }),
        texts: vec![digest("a prompt")],
        models: BTreeMap::new(),
        rows: units.into(),
        answers: BTreeMap::new(),
        decisions: BTreeMap::new(),
        asked: BTreeMap::new(),
        exchanged: BTreeMap::new(),
        rejects: BTreeMap::new(),
        left_out: BTreeMap::new(),
    }
}

/// Books, scenes, summaries by a model, questions, and a split by author.
fn lock() -> Lock {
    let unit = |unit: &str| LockedUnit {
        source: "books".to_owned(),
        digest: digest(unit),
        joined: "1.0.0".to_owned(),
    };
    let mut summaries = step("summarize", &["scenes"], "summaries");
    let model =
        LockedModel { id: "told-1".to_owned(), digest: digest("told-1"), changes: BTreeMap::new() };
    summaries.models = [("default".to_owned(), model)].into();
    summaries.answers = summaries.rows.clone();
    summaries.asked = summaries.rows.keys().map(|unit| (unit.clone(), 7)).collect();
    let ruled_on = |split: &str| json!({ "group": "brook", "split": split });
    Lock {
        format: 1,
        name: "mill".to_owned(),
        version: "1.0.0".to_owned(),
        seed: 1,
        base: None,
        steps: [
            ("books", step("folder", &[], "books")),
            ("scenes", step("chunk", &["books"], "scenes")),
            ("summaries", summaries),
            ("questions", step("read-along", &["summaries", "scenes"], "questions")),
            ("splits", step("split", &["books"], "splits")),
        ]
        .map(|(name, step)| (name.to_owned(), step))
        .into(),
        units: ["a", "b"].map(|name| (name.parse().unwrap(), unit(name))).into(),
        ruled: [(
            "splits".to_owned(),
            ["a", "b"].map(|unit| (unit.parse().unwrap(), ruled_on("train"))).into(),
        )]
        .into(),
        lapsed: Vec::new(),
        configs: [("read-along".to_owned(), "questions".to_owned())].into(),
        publish: Some(Publish {
            authors: Vec::new(),
            url: String::new(),
            title: "The Mill".to_owned(),
            description: String::new(),
            license: "cc-by-4.0".to_owned(),
            canary: "c".to_owned(),
            split: Some("splits".to_owned()),
            expected_rejects: None,
            i_hold_rights: false,
            votes: true,
            audit: crate::AuditLimits::default(),
        }),
    }
}

/// Other rows for unit `a` in these steps.
fn follow(lock: &mut Lock, steps: &[&str]) {
    for name in steps {
        let rows = &mut lock.steps.get_mut(*name).unwrap().rows;
        rows.insert("a".parse().unwrap(), digest("other"));
    }
}

fn between(change: impl FnOnce(&mut Lock)) -> LockChange {
    let mut new = lock();
    change(&mut new);
    LockChange::between(&lock(), &new)
}

fn only_cause(change: impl FnOnce(&mut Lock)) -> Cause {
    let mut found = between(change).causes;
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

fn units(names: &[&str]) -> Vec<storymill_core::UnitId> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

#[test]
fn the_same_is_nothing() {
    assert!(between(|_| {}).is_nothing());
}

#[test]
fn each_change_has_its_name_and_what_follows_is_none() {
    let page = only_cause(|new| {
        new.units.get_mut("a").unwrap().digest = digest("edited");
        follow(new, &["books", "scenes", "summaries", "questions"]);
        new.steps.get_mut("summaries").unwrap().answers.insert("a".parse().unwrap(), digest("x"));
    });
    assert_eq!(page, Cause::UnitsChanged { units: units(&["a"]) });

    let answer = only_cause(|new| {
        new.steps.get_mut("summaries").unwrap().answers.insert("a".parse().unwrap(), digest("x"));
        follow(new, &["summaries", "questions"]);
    });
    assert_eq!(answer, Cause::Answers { step: "summaries".to_owned(), units: units(&["a"]) });

    let option = only_cause(|new| {
        new.steps.get_mut("summaries").unwrap().options["checks"]["copy"] = 400.into();
        follow(new, &["summaries", "questions"]);
    });
    let Cause::Option { option, old, new, .. } = option else { panic!("{option:?}") };
    assert_eq!((option.as_str(), old, new), ("checks.copy", 350.into(), 400.into()));

    let prompt = only_cause(|new| {
        new.steps.get_mut("summaries").unwrap().texts = vec![digest("another prompt")];
        follow(new, &["summaries", "questions"]);
    });
    assert_eq!(prompt, Cause::Text { step: "summaries".to_owned() });

    let file = only_cause(|new| {
        let step = new.steps.get_mut("summaries").unwrap();
        step.options["prompt"] = digest("my prompt").to_string().into();
        step.texts.push(digest("my prompt"));
        follow(new, &["summaries", "questions"]);
    });
    assert!(file.to_string().contains("the file that option `prompt`"), "{file}");

    let model = only_cause(|new| {
        let model = LockedModel {
            id: "told-2".to_owned(),
            digest: digest("told-2"),
            changes: BTreeMap::new(),
        };
        let step = new.steps.get_mut("summaries").unwrap();
        step.models.insert("default".to_owned(), model);
        step.answers.insert("a".parse().unwrap(), digest("x"));
        follow(new, &["summaries", "questions"]);
    });
    assert_eq!(model.to_string(), "the model of `summaries`: told-1 -> told-2");

    let version = only_cause(|new| {
        new.steps.get_mut("scenes").unwrap().version = 2;
        follow(new, &["scenes", "summaries", "questions"]);
    });
    assert!(matches!(version, Cause::Version { old: 1, new: 2, .. }));

    let seed = only_cause(|new| {
        new.seed = 2;
        follow(new, &["questions", "splits"]);
    });
    assert_eq!(seed, Cause::Seed { old: 1, new: 2 });

    let decision = only_cause(|new| {
        let scenes = new.steps.get_mut("scenes").unwrap();
        scenes.decisions.insert("a".parse().unwrap(), digest("keep"));
        follow(new, &["scenes", "questions"]);
    });
    assert_eq!(decision, Cause::Decisions { step: "scenes".to_owned(), units: units(&["a"]) });

    let title = only_cause(|new| new.publish.as_mut().unwrap().title = "Mills".to_owned());
    assert!(matches!(title, Cause::Publish { what, .. } if what == "title"));

    let added = only_cause(|new| {
        let unit = new.units["a"].clone();
        new.units.insert("c".parse().unwrap(), unit);
        for step in new.steps.values_mut() {
            step.rows.insert("c".parse().unwrap(), digest("c"));
        }
        // A corpus stage looks at all units.
        follow(new, &["splits"]);
    });
    assert_eq!(added, Cause::UnitsAdded { units: units(&["c"]) });

    let mistake = only_cause(|new| follow(new, &["scenes"]));
    assert_eq!(mistake, Cause::Unexplained { step: "scenes".to_owned(), units: units(&["a"]) });
}

#[test]
fn rows_of_partners_explain_what_follows_from_them() {
    let mut old = lock();
    let row = |unit: &str, other: &str| {
        (unit.parse().unwrap(), json!({ "unit": unit, "joined": 0, "places": [other] }))
    };
    old.ruled.insert("partners".to_owned(), [row("a", "b"), row("b", "a")].into());
    let questions = old.steps.get_mut("questions").unwrap();
    questions.partners = [("partners".to_owned(), vec!["summaries".to_owned()])].into();
    // The answers for `b` are others: so are its rows, and what `a` draws from them.
    let mut new = old.clone();
    let b: UnitId = "b".parse().unwrap();
    let summaries = new.steps.get_mut("summaries").unwrap();
    summaries.answers.insert(b.clone(), digest("others"));
    summaries.rows.insert(b.clone(), digest("others"));
    follow(&mut new, &["questions"]);
    let found = LockChange::between(&old, &new);
    assert_eq!(found.causes, [Cause::Answers { step: "summaries".to_owned(), units: vec![b] }]);
    // Nothing of `b` is drawn by `a` that is not in the lock.
    new.steps.get_mut("questions").unwrap().partners.clear();
    old.steps.get_mut("questions").unwrap().partners.clear();
    let found = LockChange::between(&old, &new);
    assert!(matches!(&found.causes[..], [_, Cause::Unexplained { units, .. }] if units.len() == 1));
}

#[test]
fn a_step_of_another_name_is_the_same() {
    let renamed = between(|new| {
        let scenes = new.steps.remove("scenes").unwrap();
        new.steps.insert("pieces".to_owned(), scenes);
        for step in new.steps.values_mut() {
            step.reads.iter_mut().filter(|name| *name == "scenes").for_each(|name| {
                "pieces".clone_into(name);
            });
        }
    });
    assert!(renamed.is_nothing(), "{renamed:?}");
}

#[test]
fn what_follows_is_counted_and_moves_are_named() {
    let found = between(|new| {
        let summaries = new.steps.get_mut("summaries").unwrap();
        summaries.options["max"] = 4.into();
        summaries.answers.insert("a".parse().unwrap(), digest("others"));
        follow(new, &["summaries", "questions"]);
        let split = new.ruled.get_mut("splits").unwrap().get_mut("b").unwrap();
        split["split"] = "test".into();
    });
    let told: Vec<_> =
        found.steps.iter().map(|step| (step.step.as_str(), step.changed, step.answers)).collect();
    assert_eq!(told, [("summaries", 1, 7), ("questions", 1, 0)]);
    // The same answers, read in another way, cost nothing.
    let free = between(|new| {
        new.steps.get_mut("summaries").unwrap().options["max"] = 4.into();
        follow(new, &["summaries"]);
    });
    assert_eq!((free.steps[0].changed, free.steps[0].answers), (1, 0));
    let moved = ("b".parse().unwrap(), "train".to_owned(), "test".to_owned());
    assert_eq!(found.moved, [moved]);
}

#[test]
fn published_rows_are_counted_by_config() {
    let counts = |found: &LockChange| -> Vec<(String, u64, u64, u64)> {
        let configs = found.configs.iter();
        configs.map(|one| (one.step.clone(), one.added, one.removed, one.changed)).collect()
    };
    let gone = between(|new| _ = new.configs.remove("read-along"));
    assert_eq!(counts(&gone), [("read-along".to_owned(), 0, 2, 0)]);
    assert!(
        matches!(&gone.causes[..], [Cause::Publish { what, .. }] if what == "configs.read-along")
    );
    let other = between(|new| _ = new.configs.insert("read-along".to_owned(), "scenes".to_owned()));
    assert_eq!(counts(&other), [("read-along".to_owned(), 0, 0, 2)]);
    assert_eq!(other.causes.len(), 1);
    // What is not published changes nothing that users see.
    let inside = between(|new| {
        new.steps.get_mut("summaries").unwrap().options["max"] = 4.into();
        follow(new, &["summaries"]);
    });
    assert_eq!((inside.steps.len(), counts(&inside)), (1, vec![]));
    let unsplit = between(|new| {
        new.publish.as_mut().unwrap().split = None;
        new.ruled.get_mut("splits").unwrap().clear();
    });
    assert!(unsplit.moved.is_empty(), "all were in train");
}

#[test]
fn another_base_is_named() {
    let cause = only_cause(|new| {
        new.base = Some(digest("the version before"));
        follow(new, &["splits"]);
    });
    assert!(matches!(cause, Cause::Base { old: None, new: Some(_) }));
}

#[test]
fn configs_are_found_behind_others() {
    let mut own = lock();
    for (config, step) in [("scenes", "scenes"), ("books", "books"), ("texts", "summaries")] {
        own.configs.insert(config.to_owned(), step.to_owned());
    }
    assert_eq!(own.configs_behind("read-along"), ["read-along", "texts", "scenes", "books"]);
    assert_eq!(own.configs_behind("books"), ["books"]);
    assert!(own.configs_behind("nothing").is_empty());
}

#[test]
fn groups_in_two_splits_are_found() {
    let mut torn = lock();
    assert_eq!(torn.groups_across_splits(), []);
    let split = torn.ruled.get_mut("splits").unwrap().get_mut("b").unwrap();
    split["split"] = "test".into();
    let splits = vec!["test".to_owned(), "train".to_owned()];
    assert_eq!(torn.groups_across_splits(), [("brook".to_owned(), splits, units(&["a", "b"]))]);
}

#[test]
fn a_decision_that_lost_its_item_is_a_cause_of_its_own() {
    let (old, mut new) = (lock(), lock());
    let (item, code, choice) = ("a".to_owned(), "preface".to_owned(), "cut".to_owned());
    new.lapsed = vec![Lapsed { item, code, choice, review: digest("an item") }];
    let decisions = new.lapsed.clone();
    let causes = LockChange::between(&old, &new).causes;
    assert_eq!(causes, [Cause::DecisionsLapsed { decisions }]);
    assert!(causes[0].to_string().ends_with("`cut` on a (preface)"), "{}", causes[0]);
    assert!(LockChange::between(&new, &new).causes.is_empty());
}
