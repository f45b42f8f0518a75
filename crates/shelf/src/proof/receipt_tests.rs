//! Receipts that somebody bent, signed anew and not. The program and the script for outsiders say the same of each.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use storymill_core::Digest;

use super::{
    forged_tests::{
        bent::texts,
        by_python,
        world::{World, list, signed_as, value},
    },
    receipt::{Receipt, Results, Score, Served},
    statement::{Reveal, Statement},
    tree,
};

/// What a reviewer is given.
#[derive(Clone)]
struct Case {
    what: String,
    receipt: String,
    statement: Option<String>,
    reveal: Option<String>,
}

impl Case {
    fn holds(&self) -> bool {
        let read = || {
            let receipt = Receipt::parse(&self.receipt)?;
            let statement = self.statement.as_deref().map(Statement::parse).transpose()?;
            let reveals = self.reveal.as_deref().map(Reveal::parse).transpose()?;
            Ok::<_, storymill_core::Fault>((receipt, statement, Vec::from_iter(reveals)))
        };
        read().is_ok_and(|(receipt, statement, reveals)| {
            receipt.check(statement.as_ref(), &reveals).is_empty()
        })
    }
}

const DRIVER: &str = "
import json, sys
sys.path.insert(0, sys.argv[1])
import check_statement as s, check_receipt as c
for line in sys.stdin:
    receipt, statement, reveal = json.loads(line)
    try:
        of = c.parse_receipt(receipt), statement and s.parse_statement(statement), [s.parse_reveal(reveal)] if reveal else []
        print(int(not c.check(*of)))
    except ValueError:
        print(0)
";

/// A receipt of four of the five pairs of the second statement, as Ann signs it.
fn sound(world: &World) -> Value {
    let statement = Statement::parse(&world.chain[1].to_string()).unwrap();
    let kept = serde_json::from_value::<Reveal>(world.kept.clone()).unwrap().leaf();
    let mut asked: BTreeSet<Digest> = statement.leaves.iter().copied().collect();
    let left_out = *statement.leaves.iter().find(|leaf| **leaf != kept).unwrap();
    asked.remove(&left_out);
    let results = Results {
        name: "family-small".to_owned(),
        model: Some(Served {
            id: "small q4".to_owned(),
            name: "small".to_owned(),
            endpoint: Some("https://one.example".to_owned()),
            parameters: Digest::of(b"parameters"),
        }),
        settings: json!({ "settings": ["full"], "max_tokens": 100 }),
        prompts: vec![Digest::of(b"prompt")],
        requests: Digest::of(b"requests"),
        answers: Digest::of(b"answers"),
    };
    let score = Score {
        model: "small q4".to_owned(),
        setting: "full".to_owned(),
        pairs: 3,
        right: 2,
        share_ppm: 666_667,
        interval_ppm: Some([200_000, 900_000]),
    };
    let day = ("2026-11-28".to_owned(), "storymill 0.1.0".to_owned());
    let receipt = Receipt::new(&statement, asked, (vec![results], vec![score]), day);
    signed_as("receipt", &value(&receipt), &world.ann)
}

/// Changes that nobody may make: of a receipt as it is signed, and by a maintainer who signs it anew.
fn planted(world: &World, sound: &Case) -> Vec<Case> {
    let receipt: Value = serde_json::from_str(&sound.receipt).unwrap();
    let made_up = || value(&Digest::of(b"made up"));
    let bend = |what: &str, is_signed: bool, bend: &dyn Fn(&mut Value)| {
        let mut bent = receipt.clone();
        bend(&mut bent);
        let bent = if is_signed { signed_as("receipt", &bent, &world.ann) } else { bent };
        Case { what: what.to_owned(), receipt: bent.to_string(), ..sound.clone() }
    };
    let counted = |one: &mut Value| {
        let asked: Vec<Digest> = serde_json::from_value(one["asked"].clone()).unwrap();
        one["questions"] = value(&tree::root(&asked));
    };
    let mut all = vec![
        bend("one more is right", false, &|one| {
            one["scores"][0]["right"] = json!(3);
            one["scores"][0]["share_ppm"] = json!(1_000_000);
        }),
        bend("another model", false, &|one| one["results"][0]["model"]["name"] = json!("large")),
        bend("other settings", false, &|one| one["results"][0]["settings"] = json!({})),
        bend("another prompt", false, &|one| one["results"][0]["prompts"] = json!([made_up()])),
        bend("other requests", false, &|one| one["results"][0]["requests"] = made_up()),
        bend("other answers", false, &|one| one["results"][0]["answers"] = made_up()),
        bend("another day", false, &|one| one["date"] = json!("2026-11-27")),
        bend("another program", false, &|one| one["program"] = json!("storymill 0.2.0")),
        bend("a pair less was asked", false, &|one| drop(list(one, "asked").pop())),
        bend("a pair that the set never held", true, &|one| {
            list(one, "asked").push(made_up());
            list(one, "asked").sort_by_key(ToString::to_string);
            counted(one);
        }),
        bend("pairs that are not sorted", true, &|one| {
            list(one, "asked").reverse();
            counted(one);
        }),
        bend("a pair twice", true, &|one| {
            let first = one["asked"][0].clone();
            list(one, "asked").insert(0, first);
            counted(one);
        }),
        bend("no pair", true, &|one| {
            list(one, "asked").clear();
            one["scores"][0] = json!({ "model": "m", "setting": "full", "pairs": 0, "right": 0, "share_ppm": 0, "interval_ppm": null });
            counted(one);
        }),
        bend("questions of others", true, &|one| one["questions"] = made_up()),
        bend("a share of other counts", true, &|one| {
            one["scores"][0]["share_ppm"] = json!(666_666);
        }),
        bend("more right than answered", true, &|one| {
            one["scores"][0]["right"] = json!(4);
            one["scores"][0]["share_ppm"] = json!(1_333_333);
            one["scores"][0]["interval_ppm"] = Value::Null;
        }),
        bend("more answered than asked", true, &|one| {
            one["scores"][0] = json!({ "model": "m", "setting": "full", "pairs": 5, "right": 5, "share_ppm": 1_000_000, "interval_ppm": null });
        }),
        bend("an interval beside its share", true, &|one| {
            one["scores"][0]["interval_ppm"] = json!([0, 600_000]);
        }),
        bend("a system with two scores", true, &|one| {
            let first = one["scores"][0].clone();
            list(one, "scores").push(first);
        }),
        bend("no score", true, &|one| list(one, "scores").clear()),
        bend("results twice", true, &|one| {
            let first = one["results"][0].clone();
            list(one, "results").push(first);
        }),
        bend("no day", true, &|one| one["date"] = json!("2026-11-31x")),
        bend("a day after the statement's last", true, &|one| one["date"] = json!("2027-11-29")),
        bend("a version that is none", true, &|one| one["version"] = json!("1.9")),
        bend("another version", true, &|one| one["version"] = json!("1.9.1")),
        bend("another root", true, &|one| one["root"] = made_up()),
        bend("another set", true, &|one| one["set"] = json!("families")),
        bend("another statement", true, &|one| one["statement"] = made_up()),
    ];
    let mut stranger = bend("signed by a stranger", false, &|_| {});
    stranger.receipt = signed_as("receipt", &receipt, &world.stranger).to_string();
    let mut as_statement = bend("signed as a statement", false, &|_| {});
    as_statement.receipt = signed_as("statement", &receipt, &world.ann).to_string();
    let mut other = sound.clone();
    other.what = "the statement before".to_owned();
    other.statement = Some(world.chain[0].to_string());
    let mut bent = sound.clone();
    bent.what = "the statement is bent".to_owned();
    bent.statement = Some(world.chain[1].to_string().replace("two events", "three events"));
    let reveal = |what: &str, reveal: &Value| Case {
        what: what.to_owned(),
        reveal: Some(reveal.to_string()),
        ..sound.clone()
    };
    let mut words = world.kept.clone();
    words["content"] = json!({ "true_claim": "other" });
    let mut of_others = world.kept.clone();
    of_others["set"] = json!("families");
    let alone = Case { statement: None, ..reveal("a pair without the statement", &world.kept) };
    all.extend([
        stranger,
        as_statement,
        other,
        bent,
        reveal("other words", &words),
        reveal("a pair of another set", &of_others),
        reveal("a pair that went before", &world.went),
        alone,
    ]);
    all
}

#[test]
fn receipts_that_are_bent_are_refused_by_both() {
    let world = World::new();
    let receipt = sound(&world);
    let whole = Case {
        what: "as it is".to_owned(),
        receipt: receipt.to_string(),
        statement: Some(world.chain[1].to_string()),
        reveal: None,
    };
    let mut cases = vec![
        (Case { statement: None, ..whole.clone() }, Some(true)),
        (Case { reveal: Some(world.kept.to_string()), ..whole.clone() }, Some(true)),
        (whole.clone(), Some(true)),
    ];
    let planted = planted(&world, &whole);
    assert_eq!(planted.len(), 36, "docs/robustness.md says how many");
    cases.extend(planted.into_iter().map(|case| (case, Some(false))));
    for (what, receipt) in texts(&receipt) {
        let unsigned = Case { what: format!("unsigned: {what}"), receipt, ..whole.clone() };
        if let Ok(bent) = serde_json::from_str::<Value>(&unsigned.receipt) {
            let receipt = signed_as("receipt", &bent, &world.ann).to_string();
            cases.push((Case { what: format!("signed: {what}"), receipt, ..whole.clone() }, None));
        }
        cases.push((unsigned, Some(false)));
    }
    let ours: Vec<bool> = cases.iter().map(|(case, _)| case.holds()).collect();
    for ((case, expected), holds) in cases.iter().zip(&ours) {
        assert!(expected.is_none_or(|expected| expected == *holds), "{}: {holds}", case.what);
    }
    let lines = cases.iter().map(|(case, _)| json!([case.receipt, case.statement, case.reveal]));
    let Some(theirs) = by_python(DRIVER, lines) else { return };
    assert_eq!(theirs.len(), ours.len());
    for (((case, _), ours), theirs) in cases.iter().zip(ours).zip(theirs) {
        assert_eq!(ours, theirs, "{}", case.what);
    }
}

#[test]
fn a_receipt_made_anew_says_what_differs() {
    let world = World::new();
    let receipt = Receipt::parse(&sound(&world).to_string()).unwrap();
    assert_eq!(receipt.differences(&receipt), [""; 0]);
    let mut again = receipt.clone();
    again.date = "2027-01-01".to_owned();
    again.program = "storymill 9.9.9".to_owned();
    assert_eq!(receipt.differences(&again), [""; 0]);
    again.asked.pop();
    again.results[0].answers = Digest::of(b"others");
    again.scores[0].right = 1;
    assert_eq!(
        receipt.differences(&again),
        [
            "the results are of other pairs",
            "the results `family-small` have other answers",
            "the results have another score of `small q4` (full)"
        ]
    );
    again.results.clear();
    assert!(receipt.differences(&again)[1].contains("there are no results `family-small`"));
}
