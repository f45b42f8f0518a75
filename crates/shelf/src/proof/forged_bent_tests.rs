//! Statements that are bent field by field, and at random.

use rand::{RngExt, rngs::ChaCha8Rng};
use serde_json::{Value, json};

use super::world::{Case, World, counted, signed};

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

/// Each field of a whole bent, dropped, doubled, and one too many; and what is no JSON.
pub(in super::super) fn texts(whole: &Value) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (field, there) in whole.as_object().unwrap() {
        let mut other = whole.clone();
        other.as_object_mut().unwrap().remove(field);
        all.push((format!("without {field}"), other.to_string()));
        let text = whole.to_string();
        let again = [format!("{{{}:{there},", json!(field)), format!("{{{}:null,", json!(field))];
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
}

/// Each field bent, dropped, doubled, and one too many: of a statement as it is signed, and signed anew.
pub(super) fn by_field(world: &World) -> Vec<(Case, bool)> {
    let mut all = Vec::new();
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
pub(super) fn at_random(world: &World, rng: &mut ChaCha8Rng) -> Case {
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
