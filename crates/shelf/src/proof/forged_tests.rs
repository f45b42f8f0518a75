//! Statements and revealed pairs that somebody bent: by hand, field by field, and at random, signed anew and not. The program
//! and the script for outsiders say the same of each.

#[path = "forged_bent_tests.rs"]
pub(super) mod bent;
#[path = "forged_world_tests.rs"]
pub(super) mod world;

use std::{
    io::Write,
    process::{Command, Stdio},
};

use rand::{SeedableRng, rngs::ChaCha8Rng};
use serde_json::{Value, json};

use self::{
    bent::{at_random, by_field},
    world::{Case, World, counted, list, signed, value},
};
use super::{
    leaf,
    statement::{Statement, UNSIGNED},
    tree::Salt,
};

/// What a maintainer may not say, signed by herself.
fn forgeries(world: &World) -> Vec<Case> {
    let made_up = || value(&storymill_core::Digest::of(b"made up"));
    let gone =
        |leaf: &Value, version: &str| json!({ "leaf": leaf, "reason": "r", "version": version });
    let held = world.chain[1]["leaves"][0].clone();
    let mut all = vec![
        world.case(2, "a pair that no statement held is retired", |one| {
            list(one, "retired").push(gone(&made_up(), "1.10.0"));
        }),
        world.case(0, "a first statement retires", |one| {
            list(one, "retired").push(gone(&made_up(), "1.0.0"));
        }),
        world.case(2, "an old retired pair is told otherwise", |one| {
            one["retired"][0]["reason"] = json!("another reason");
        }),
        world.case(2, "an old retired pair is no longer told", |one| list(one, "retired").clear()),
        world.case(2, "a retired pair comes back", |one| {
            let leaf = one["retired"][0]["leaf"].clone();
            list(one, "leaves").push(leaf);
            list(one, "leaves").sort_by_key(ToString::to_string);
            counted(one);
        }),
        world.case(2, "a pair goes without a word", |one| {
            list(one, "leaves").retain(|leaf| *leaf != held);
            counted(one);
        }),
        world.case(2, "nobody may sign the next one", |one| list(one, "signers").clear()),
        world.case(2, "a service was shown less", |one| {
            drop(list(&mut one["exposed"][0], "leaves").pop());
        }),
        world.case(2, "no service was shown anything", |one| list(one, "exposed").clear()),
        world.case(2, "a service was shown it later", |one| {
            one["exposed"][0]["since"] = json!("2026-11-29");
        }),
        world.case(2, "on no day", |one| {
            let more =
                json!({ "service": "https://two.example", "since": "today", "leaves": [held] });
            list(one, "exposed").push(more);
        }),
        world.case(2, "nothing was shown to a service", |one| {
            let more =
                json!({ "service": "https://two.example", "since": "2026-11-28", "leaves": [] });
            list(one, "exposed").push(more);
        }),
        world.case(2, "services that are not sorted", |one| {
            let more =
                json!({ "service": "https://a.example", "since": "2026-11-28", "leaves": [held] });
            list(one, "exposed").push(more);
        }),
        world.case(2, "a service was shown what is not in the set", |one| {
            one["exposed"][0]["leaves"] = json!([made_up()]);
        }),
        world.case(2, "what is saturated is not in the set", |one| {
            one["saturated"] = json!([made_up()]);
        }),
        world.case(2, "it is valid until no day", |one| one["valid_until"] = json!("2027-13-01")),
        world.case(2, "it does not say how long it is valid", |one| {
            drop(one.as_object_mut().unwrap().remove("valid_until"));
        }),
        world.case(2, "it is of the form before, and says more", |one| {
            one["format"] = json!("storymill statement 2");
        }),
        world.case(2, "it is of the form before", |one| {
            one["format"] = json!("storymill statement 2");
            let fields = one.as_object_mut().unwrap();
            fields.retain(|field, _| {
                !["valid_until", "saturated", "exposed"].contains(&field.as_str())
            });
        }),
        world.case(2, "who may sign is not sorted", |one| list(one, "signers").reverse()),
        world.case(2, "it is of a form that nobody signs", |one| one["format"] = json!(UNSIGNED)),
        world.case(2, "an endpoint vanishes", |one| drop(list(one, "send_private_to").remove(0))),
        world.case(2, "another canary", |one| one["canary"] = json!("storymill-canary-01")),
        world.case(0, "no canary", |one| one["canary"] = json!("")),
        world.case(2, "another set", |one| one["set"] = json!("families")),
        world.case(2, "another number", |one| one["number"] = json!(4)),
        world.case(0, "number 0", |one| one["number"] = json!(0)),
        world.case(0, "the first statement follows one", |one| one["previous"] = made_up()),
        world.case(2, "it follows another one", |one| one["previous"] = made_up()),
        world.case(2, "a count of others", |one| one["count"] = json!(5)),
        world.case(2, "a root of others", |one| one["root"] = made_up()),
        world.case(2, "leaves that are not sorted", |one| {
            list(one, "leaves").reverse();
            counted(one);
        }),
        world.case(2, "a leaf twice", |one| {
            let leaf = one["leaves"][0].clone();
            list(one, "leaves").insert(0, leaf);
            counted(one);
        }),
    ];
    for version in [
        "1.9.0",
        "1.8.9",
        "0.1.0",
        "latest",
        "1.10",
        "1.10.0.0",
        "1.10.x",
        "01.9.0",
        "1.10.0\u{202e}",
        " 1.10.0",
        "１.10.0",
        "",
        "99999999999999999999.0.0",
        "-1.0.0",
        "+2.0.0",
    ] {
        all.push(
            world.case(2, &format!("version {version:?}"), |one| one["version"] = json!(version)),
        );
        let retired = |one: &mut Value| {
            list(one, "leaves").retain(|leaf| *leaf != held);
            list(one, "retired").push(gone(&held, version));
            counted(one);
        };
        all.push(world.case(2, &format!("retired in version {version:?}"), retired));
    }
    for reason in ["", " ", "\u{a0}\u{2003}\n"] {
        all.push(world.case(1, &format!("reason {reason:?}"), |one| {
            one["retired"][0]["reason"] = json!(reason);
        }));
    }
    let mut stranger = world.case(2, "signed by a stranger", |_| {});
    stranger.statement = signed(&world.chain[2], &world.stranger).to_string();
    let mut skipped = world.case(2, "one is left out", |_| {});
    skipped.before = Some(world.chain[0].to_string());
    let mut bent_before = world.case(1, "the one before it does not hold", |one| drop(one.take()));
    let mut first = world.chain[0].clone();
    list(&mut first, "retired").push(gone(&made_up(), "1.0.0"));
    let first = signed(&first, &world.ann);
    let mut second = world.chain[1].clone();
    second["previous"] = value(&Statement::parse(&world.chain[0].to_string()).unwrap().digest());
    list(&mut second, "retired").insert(0, gone(&made_up(), "1.0.0"));
    second["previous"] =
        value(&serde_json::from_value::<Statement>(first.clone()).unwrap().digest());
    bent_before.statement = signed(&second, &world.ann).to_string();
    bent_before.before = Some(first.to_string());
    all.extend([stranger, skipped, bent_before]);
    // Revealed pairs.
    let bend = |of: &Value, field: &str, to: Value| {
        let mut reveal = of.clone();
        reveal[field] = to;
        reveal
    };
    let (kept, went) = (&world.kept, &world.went);
    let lone = world.chain[1]["retired"][0]["leaf"].clone();
    assert_eq!(
        lone,
        value(&leaf(
            "family",
            "n01/0002",
            &salt(went),
            &storymill_core::canonical::json(&went["content"])
        ))
    );
    let last =
        value(&serde_json::from_value::<Statement>(world.chain[2].clone()).unwrap().digest());
    // In the form of before: among those that went, and of the last statement, which shows nothing.
    let mut bare = bend(went, "at", Value::Null);
    bare["path"] = json!([]);
    bare["statement"].clone_from(&last);
    all.extend([
        world.reveal("other words", 2, &bend(kept, "content", json!({ "true_claim": "other" }))),
        world.reveal("another salt", 2, &bend(kept, "salt", made_up())),
        world.reveal("another set", 2, &bend(kept, "set", json!("families"))),
        world.reveal("another pair", 2, &bend(kept, "pair", json!("n01/0002"))),
        world.reveal(
            "another place",
            2,
            &bend(kept, "at", json!(kept["at"].as_u64().unwrap() ^ 1)),
        ),
        world.reveal("no such place", 2, &bend(kept, "at", json!(1000))),
        world.reveal("no place", 2, &bend(kept, "at", Value::Null)),
        world.reveal("a way that is too short", 2, &bend(kept, "path", json!([]))),
        world.reveal("another statement", 2, &bend(kept, "statement", made_up())),
        world.reveal("went before the statement before", 2, &bare),
        world.reveal("of a statement that is not there", 2, went),
    ]);
    all
}

fn salt(reveal: &Value) -> Salt {
    let salt: storymill_core::Digest = serde_json::from_value(reveal["salt"].clone()).unwrap();
    Salt(*salt.as_bytes())
}

/// What a script for outsiders says of each: it reads a line of JSON a case, and prints 1 or 0. None where its two libraries are
/// not at hand.
pub(super) fn by_python(driver: &str, cases: impl Iterator<Item = Value>) -> Option<Vec<bool>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../integrations/private-sets");
    let mut known = Command::new("python3");
    known.args(["-c", "import blake3, cryptography"]).stderr(Stdio::null());
    if !known.status().is_ok_and(|ran| ran.success()) {
        println!("skip: the script for outsiders: python3 with blake3 and cryptography");
        return None;
    }
    let mut child = Command::new("python3")
        .args(["-B", "-c", driver, script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let lines: Vec<String> = cases.map(|case| case.to_string() + "\n").collect();
    let writer = std::thread::spawn(move || {
        for line in lines {
            stdin.write_all(line.as_bytes()).unwrap();
        }
    });
    let ran = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(ran.status.success());
    Some(String::from_utf8(ran.stdout).unwrap().lines().map(|line| line == "1").collect())
}

const DRIVER: &str = "
import json, sys
sys.path.insert(0, sys.argv[1])
import check_statement as c
for line in sys.stdin:
    statement, before, reveal = json.loads(line)
    try:
        of = c.parse_statement(statement), before and c.parse_statement(before), [c.parse_reveal(reveal)] if reveal else []
        print(int(not c.check(*of)))
    except ValueError:
        print(0)
";

#[test]
fn what_is_forged_is_refused_by_both() {
    let world = World::new();
    let mut rng = ChaCha8Rng::seed_from_u64(40);
    let mut cases: Vec<(Case, Option<bool>)> = Vec::new();
    for at in 0..3 {
        cases.push((world.case(at, "as it is", |_| {}), Some(true)));
    }
    cases.push((world.reveal("a pair that stays", 2, &world.kept), Some(true)));
    cases.push((world.reveal("a pair that went, by the one before", 1, &world.went), Some(true)));
    // In the form of before: by the statement that it went with, and the one that held it.
    let mut bare = world.went.clone();
    bare["at"] = Value::Null;
    bare["path"] = json!([]);
    bare["statement"] =
        value(&serde_json::from_value::<Statement>(world.chain[1].clone()).unwrap().digest());
    cases.push((world.reveal("a pair that went, as it was told before", 1, &bare), Some(true)));
    let alone = Case { before: None, ..world.reveal("the same without the one before", 1, &bare) };
    cases.push((alone, Some(false)));
    let forged = forgeries(&world);
    assert_eq!(forged.len(), 80, "docs/robustness.md says how many");
    cases.extend(forged.into_iter().map(|case| (case, Some(false))));
    for (case, is_signed) in by_field(&world) {
        cases.push((case, (!is_signed).then_some(false)));
    }
    for _ in 0..1_000 {
        cases.push((at_random(&world, &mut rng), None));
    }
    let ours: Vec<bool> = cases.iter().map(|(case, _)| case.holds()).collect();
    for ((case, expected), holds) in cases.iter().zip(&ours) {
        assert!(expected.is_none_or(|expected| expected == *holds), "{}: {holds}", case.what);
    }
    // Of those at random some hold, and most do not.
    let held = ours.iter().rev().take(1_000).filter(|holds| **holds).count();
    assert!((50..500).contains(&held), "{held}");
    let cases: Vec<Case> = cases.into_iter().map(|(case, _)| case).collect();
    let lines = cases.iter().map(|case| json!([case.statement, case.before, case.reveal]));
    let Some(theirs) = by_python(DRIVER, lines) else { return };
    assert_eq!(theirs.len(), ours.len());
    for ((case, ours), theirs) in cases.iter().zip(ours).zip(theirs) {
        assert_eq!(ours, theirs, "{}", case.what);
    }
}
