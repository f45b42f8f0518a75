//! Statements and revealed pairs that somebody bent: by hand, field by field, and at random, signed anew and not. The program
//! and the script for outsiders say the same of each.

use std::{
    io::Write,
    process::{Command, Stdio},
    sync::Arc,
};

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use serde_json::{Value, json};
use storymill_disk::RealDisk;

use super::{
    statement::{Reveal, STATEMENT, Statement, UNSIGNED, verify},
    tree::{self, Salt},
    *,
};
use crate::{Access, Key, Shelf, random};

/// What a reviewer is given.
#[derive(Clone)]
struct Case {
    what: String,
    statement: String,
    before: Option<String>,
    reveal: Option<String>,
}

impl Case {
    fn holds(&self) -> bool {
        let read = || {
            let statement = Statement::parse(&self.statement)?;
            let before = self.before.as_deref().map(Statement::parse).transpose()?;
            let reveals = self.reveal.as_deref().map(Reveal::parse).transpose()?;
            Ok::<_, storymill_core::Fault>((statement, before, reveals))
        };
        let Ok((statement, before, reveal)) = read() else { return false };
        let reveals: Vec<Reveal> = reveal.into_iter().collect();
        let verdict = verify(&statement, before.as_ref(), &reveals);
        verdict.wrong.is_empty() && verdict.revealed == reveals.len() as u64
    }
}

/// Three statements of Ann and Bob: a pair goes with the second, another comes with the third.
struct World {
    ann: Key,
    stranger: Key,
    chain: Vec<Value>,
    /// Of a pair that is there from the first to the last, and of one that went with the second.
    kept: Value,
    went: Value,
}

fn value(of: &impl serde::Serialize) -> Value {
    serde_json::to_value(of).unwrap()
}

impl World {
    fn new() -> Self {
        let (ann, bob, stranger) =
            (Key::mint().unwrap(), Key::mint().unwrap(), Key::mint().unwrap());
        let folder = tempfile::tempdir().unwrap();
        let disk = Arc::new(RealDisk);
        let shelf = Shelf::make(folder.path(), disk, &ann, &[bob.recipient()]).unwrap();
        assert_eq!(shelf.access, Access::Change);
        let mut ledger = Ledger::of(&shelf, "family").unwrap().expose().clone();
        let mut pairs: Vec<(String, Value)> = (0..6)
            .map(|at| (format!("n01/{at:04}"), json!({ "true_claim": format!("Zoë \u{7f} {at}") })))
            .collect();
        let endpoints = ["https://one.example".to_owned(), "https://two.example".to_owned()];
        let mut chain = Vec::new();
        for (version, seen) in [("1.0.0", 1), ("1.9.0", 1), ("1.10.0", 2)] {
            match version {
                "1.9.0" => {
                    ledger.retire("n01/0002", "two events in one").unwrap();
                    pairs.remove(2);
                }
                "1.10.0" => pairs.push(("n01/0009".to_owned(), json!({ "number": 7 }))),
                _ => {}
            }
            ledger.state(version, &pairs, "storymill-canary-00", &endpoints[..seen]).unwrap();
            chain.push(value(&ledger.sign(&shelf).unwrap().unwrap()));
        }
        let reveal = |pair: &str| value(ledger.reveal(pair).unwrap().expose());
        let (kept, went) = (reveal("n01/0001"), reveal("n01/0002"));
        Self { ann, stranger, chain, kept, went }
    }

    /// The statement at a place of the chain, bent and signed by one of the maintainers.
    fn case(&self, at: usize, what: &str, bend: impl FnOnce(&mut Value)) -> Case {
        let mut bent = self.chain[at].clone();
        bend(&mut bent);
        let before = at.checked_sub(1).map(|at| self.chain[at].to_string());
        let statement = signed(&bent, &self.ann).to_string();
        Case { what: what.to_owned(), statement, before, reveal: None }
    }

    fn reveal(&self, what: &str, at: usize, reveal: &Value) -> Case {
        let reveal = Some(reveal.to_string());
        Case { reveal, ..self.case(at, what, |_| {}) }
    }
}

/// A statement, signed as it stands.
fn signed(statement: &Value, by: &Key) -> Value {
    let mut statement = statement.clone();
    statement["signer"] = json!(by.signing().signer().to_string());
    let mut bare = statement.clone();
    bare.as_object_mut().unwrap().remove("signature");
    let digest = storymill_core::Digest::of(storymill_core::canonical::json(&bare).as_bytes());
    let message = format!("storymill statement {digest}");
    statement["signature"] = json!(random::hex(&by.signing().sign_bytes(message.as_bytes())));
    statement
}

/// The root and the count as the leaves have them.
fn counted(statement: &mut Value) {
    let leaves: Vec<storymill_core::Digest> =
        serde_json::from_value(statement["leaves"].clone()).unwrap();
    statement["count"] = json!(leaves.len());
    statement["root"] = value(&tree::root(&leaves));
}

fn list<'v>(statement: &'v mut Value, field: &str) -> &'v mut Vec<Value> {
    statement[field].as_array_mut().unwrap()
}

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

/// Other values for one that stands in a field.
fn bent(of: &Value) -> Vec<Value> {
    let mut all = vec![
        Value::Null,
        json!(true),
        json!(1),
        json!(-1),
        json!(1.5),
        json!(""),
        json!([]),
        json!({}),
    ];
    match of {
        Value::String(text) => {
            all.extend([
                json!(text.to_uppercase()),
                json!(format!("{text} ")),
                json!(format!("{text}0")),
            ]);
            all.push(json!(text.chars().rev().collect::<String>()));
        }
        Value::Number(number) => {
            all.extend([json!(number.as_u64().unwrap_or(0) + 1), json!(number.to_string())]);
            all.push(json!(number.as_f64().unwrap()));
        }
        Value::Array(items) => {
            let mut twice = items.clone();
            twice.extend(items.first().cloned());
            all.extend([
                json!(twice),
                json!(items.iter().rev().collect::<Vec<_>>()),
                json!(items.get(1..)),
            ]);
            all.push(json!([items]));
        }
        _ => {}
    }
    all.retain(|other| other != of);
    all
}

/// Each field bent, dropped, doubled, and one too many: of a statement as it is signed, and signed anew.
fn by_field(world: &World) -> Vec<(Case, bool)> {
    let mut all = Vec::new();
    let texts = |whole: &Value| {
        let mut all = Vec::new();
        for (field, there) in whole.as_object().unwrap() {
            let mut other = whole.clone();
            other.as_object_mut().unwrap().remove(field);
            all.push((format!("without {field}"), other.to_string()));
            let text = whole.to_string();
            let again =
                [format!("{{{}:{there},", json!(field)), format!("{{{}:null,", json!(field))];
            let again =
                again.iter().map(|start| (format!("{field} twice"), text.replacen('{', start, 1)));
            all.extend(again);
            for to in bent(there) {
                let mut other = whole.clone();
                other[field] = to;
                all.push((format!("{field}: {}", other[field]), other.to_string()));
            }
        }
        let mut more = whole.clone();
        more["more"] = json!(1);
        all.push(("a field too many".to_owned(), more.to_string()));
        let text = whole.to_string();
        all.push(("a byte order mark".to_owned(), format!("\u{feff}{text}")));
        all.push(("something after it".to_owned(), format!("{text} {{}}")));
        all.push(("cut off".to_owned(), text[..text.len() - 1].to_owned()));
        all
    };
    let sound = world.case(2, "", |_| {});
    for (what, statement) in texts(&world.chain[2]) {
        // Signed by whom it names no longer, but for what the signature is not about.
        all.push((
            Case {
                what: format!("unsigned: {what}"),
                statement: statement.clone(),
                ..sound.clone()
            },
            false,
        ));
        let Ok(bent) = serde_json::from_str::<Value>(&statement) else { continue };
        let statement = signed(&bent, &world.ann).to_string();
        all.push((Case { what: format!("signed: {what}"), statement, ..sound.clone() }, true));
    }
    for (what, before) in texts(&world.chain[1]) {
        all.push((
            Case { what: format!("before: {what}"), before: Some(before), ..sound.clone() },
            false,
        ));
    }
    for (what, reveal) in texts(&world.kept) {
        all.push((
            Case { what: format!("reveal: {what}"), reveal: Some(reveal), ..sound.clone() },
            false,
        ));
    }
    let mut inner = sound.clone();
    inner.what = "a key of the pair twice".to_owned();
    let text = world.kept.to_string();
    inner.reveal =
        Some(text.replacen("\"true_claim\":", "\"true_claim\":\"other\",\"true_claim\":", 1));
    assert_ne!(inner.reveal, Some(text));
    all.push((inner, false));
    all
}

/// A few changes at once, at random.
fn at_random(world: &World, rng: &mut ChaCha8Rng) -> Case {
    let at = rng.random_range(0..3);
    let mut bent_one = world.chain[at].clone();
    for _ in 0..rng.random_range(0..3) {
        let fields: Vec<String> = bent_one.as_object().unwrap().keys().cloned().collect();
        let field = &fields[rng.random_range(0..fields.len())];
        let other = &world.chain[rng.random_range(0..3)][field];
        match rng.random_range(0..4) {
            0 => bent_one[field] = other.clone(),
            1 => drop(bent_one.as_object_mut().unwrap().remove(field)),
            2 => {
                let all = bent(&bent_one[field]);
                bent_one[field] = all[rng.random_range(0..all.len())].clone();
            }
            _ => {
                if let Some(items) =
                    bent_one[field].as_array_mut().filter(|items| !items.is_empty())
                {
                    let at = rng.random_range(0..items.len());
                    drop(items.remove(at));
                }
            }
        }
        if bent_one["leaves"].as_array().is_some_and(|all| {
            all.iter().all(|one| one.as_str().is_some_and(|one| one.len() == 64))
        }) && rng.random()
        {
            counted(&mut bent_one);
        }
    }
    let statement = match rng.random_range(0..4) {
        0 => bent_one.to_string(),
        1 => signed(&bent_one, &world.stranger).to_string(),
        _ => signed(&bent_one, &world.ann).to_string(),
    };
    let before = match rng.random_range(0..4) {
        0 => None,
        1 => Some(world.chain[rng.random_range(0..3)].to_string()),
        _ => at.checked_sub(1).map(|at| world.chain[at].to_string()),
    };
    let mut reveal = [&world.kept, &world.went][rng.random_range(0..2)].clone();
    if rng.random() {
        reveal["at"] =
            [Value::Null, json!(0), json!(3), json!(u64::MAX)][rng.random_range(0..4)].clone();
    }
    let reveal = rng.random::<bool>().then(|| reveal.to_string());
    Case {
        what: format!("at random: {statement} {before:?} {reveal:?}"),
        statement,
        before,
        reveal,
    }
}

/// What the script for outsiders says of each; none where its two libraries are not at hand.
fn by_python(cases: &[Case]) -> Option<Vec<bool>> {
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
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../integrations/private-sets");
    let mut known = Command::new("python3");
    known.args(["-c", "import blake3, cryptography"]).stderr(Stdio::null());
    if !known.status().is_ok_and(|ran| ran.success()) {
        return None;
    }
    let mut child = Command::new("python3")
        .args(["-B", "-c", DRIVER, script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let lines: Vec<String> = cases
        .iter()
        .map(|case| json!([case.statement, case.before, case.reveal]).to_string() + "\n")
        .collect();
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
    assert!(forged.len() >= 52, "{}", forged.len());
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
    let Some(theirs) = by_python(&cases) else {
        println!(
            "skip: forged statements by the script for outsiders: python3 with blake3 and cryptography"
        );
        return;
    };
    assert_eq!(theirs.len(), ours.len());
    for ((case, ours), theirs) in cases.iter().zip(ours).zip(theirs) {
        assert_eq!(ours, theirs, "{}", case.what);
    }
    assert_eq!(STATEMENT.len(), UNSIGNED.len());
}
