//! The workflow at full size, run over the sample stories with a model and a judge of our own: sample, judges, gate, proposals,
//! spare options, pairs for people and audit all work together.

use std::{collections::BTreeMap, fs, time::Duration};

use serde_json::Value;

use crate::{
    models::Server,
    project::{Project, top},
};

const WHO: [&str; 10] = [
    "miller", "boatman", "widow", "smith", "clerk", "pilot", "teacher", "farmer", "doctor",
    "shepherd",
];
const DID: [&str; 10] =
    ["lost", "found", "sold", "hid", "broke", "carried", "mended", "burned", "painted", "buried"];
const WHAT: [&str; 10] = [
    "lantern", "ladder", "letter", "kettle", "saddle", "mirror", "barrel", "anchor", "ledger",
    "blanket",
];
const WHERE: [&str; 10] = [
    "bridge", "orchard", "chapel", "harbour", "market", "stable", "tower", "meadow", "quarry",
    "kitchen",
];

fn draw(text: &str) -> usize {
    let bytes = blake3::hash(text.as_bytes());
    usize::from(u16::from_le_bytes([bytes.as_bytes()[0], bytes.as_bytes()[1]]))
        + (usize::from(bytes.as_bytes()[2]) << 16)
}

fn between<'t>(text: &'t str, tag: &str) -> Option<&'t str> {
    let rest = text.split_once(&format!("<{tag}>\n"))?.1;
    Some(rest.split_once(&format!("\n</{tag}>"))?.0)
}

/// An event that hangs on a text.
fn event(of: &str) -> String {
    let n = draw(of);
    let word = |words: &[&'static str; 10], by: usize| words[n / by % 10];
    format!(
        "The old {} {} the {} of a young {} behind the {}.",
        word(&WHO, 1),
        word(&DID, 10),
        word(&WHAT, 100),
        word(&WHO, 1_000),
        word(&WHERE, 10_000)
    )
}

/// Another event with the same people at the same place.
fn otherwise(event: &str) -> String {
    let mut words: Vec<&str> = event.split(' ').collect();
    for (at, of) in [(3, &DID), (5, &WHAT)] {
        let own = of.iter().position(|word| *word == words[at]).unwrap();
        words[at] = of[(own + 1 + (draw(event) >> at) % 8) % 10];
    }
    words.join(" ")
}

/// What is written: retellings of five events, false events, and events told one after another.
fn told(text: &str) -> String {
    let sentences = |text: &str| -> Vec<String> {
        text.trim().split_inclusive(". ").map(|one| one.trim().to_owned()).collect()
    };
    let lines = if text.contains("FALSE: the false event") {
        let account = sentences(between(text, "account").unwrap());
        let pairs = account.iter().map(|one| format!("TRUE: {one}\nFALSE: {}", otherwise(one)));
        pairs.collect::<Vec<_>>().join("\n")
    } else if let Some(events) = between(text, "events") {
        events.lines().map(|line| line.trim_start_matches("- ")).collect::<Vec<_>>().join(" ")
    } else {
        let of = between(text, "passage").unwrap_or(text);
        (0..5).map(|at| event(&format!("{of}{at}"))).collect::<Vec<_>>().join(" ")
    };
    format!("### BEGIN ANSWER ###\n{lines}")
}

/// What is judged, by a hash; the last kind of request is for proposals.
fn judged(text: &str) -> String {
    let third = |text: &str| draw(text).is_multiple_of(3);
    if text.contains("SETTING: right or wrong") {
        return "1: no\n2: no\n3: no\n4: no\nSETTING: right".to_owned();
    }
    if text.contains("<passages>") {
        return if third(between(text, "account").unwrap()) { "Yes" } else { "No" }.to_owned();
    }
    if text.contains("into single claims") {
        let summary = between(text, "summary").unwrap();
        return summary.split_inclusive(". ").map(|one| format!("- {}\n", one.trim())).collect();
    }
    if let Some(claim) = between(text, "claim") {
        return if draw(claim).is_multiple_of(9) { "False" } else { "True" }.to_owned();
    }
    assert!(text.contains("Where nothing is wrong, write the single word none."), "{text}");
    if third(text) { "1: nobody does that" } else { "None." }.to_owned()
}

fn rows(project: &Project, config: &str) -> Vec<Value> {
    let args = ["inspect", "out/narrativexl", "--config", config, "-n", "100000", "--full"];
    let out = project.run(&[&args[..], &["--format", "json"]].concat()).exits(0).out();
    let shown: Value = serde_json::from_str(&out).unwrap();
    let tables = shown["tables"].as_array().unwrap().iter();
    let rows = tables.flat_map(|table| table["sample"].as_array().unwrap().clone());
    rows.map(|row| row["values"].clone()).collect()
}

#[test]
fn the_workflow_at_full_size_runs_from_pages_to_a_card() {
    let server = Server::scripted(Duration::ZERO, |_, text| {
        let tells = text.contains("### BEGIN ANSWER ###");
        if tells { told(text) } else { judged(text) }
    });
    let project = Project::new();
    let mut catalog =
        "Text#,Type,Issued,Title,Language,Authors,Subjects,LoCC,Bookshelves\n".to_owned();
    for at in 1..=3 {
        let id = 100 + at;
        let page = fs::read(top().join(format!("data/books/sm0{at}.html"))).unwrap();
        project.write(&format!("gutenberg/{id}.html"), page);
        catalog += &format!(
            "{id},Text,1993-10-01,Tale {id},en,\"Writer{id}, Anna, 1797-1851\",Mills -- Fiction,PR,\n"
        );
    }
    project.write("gutenberg/pg_catalog.csv", catalog);
    let pairs = fs::read_to_string(top().join("data/judges/pairs.json")).unwrap();
    let pairs: BTreeMap<String, Value> = serde_json::from_str(&pairs).unwrap();
    let few: BTreeMap<_, _> = pairs.into_iter().take(6).collect();
    project.write("data/judges/pairs.json", serde_json::to_string(&few).unwrap());
    let mut text = fs::read_to_string(top().join("workflows/narrativexl.toml")).unwrap();
    for (old, new) in [
        ("127.0.0.1:8000", format!("127.0.0.1:{}", server.port)),
        ("127.0.0.1:8001", format!("127.0.0.1:{}", server.port)),
        // Three short stories in place of 1,500 novels.
        ("kinds     = [\"novel\"]", "kinds     = [\"novel\", \"stories\"]".to_owned()),
        ("max    = 3000", "max    = 1200".to_owned()),
        ("[dataset.books]", "[dataset.asked]\nfrom = \"asked\"\n\n[dataset.books]".to_owned()),
        // Where it filters.
        (
            "from       = \"levels\"\njudgements = \"judged\"",
            "from       = \"levels\"\njudgements = \"judged\"\nkeep       = \"not-wrong\""
                .to_owned(),
        ),
    ] {
        assert!(text.contains(old), "the workflow has `{old}`");
        text = text.replacen(old, &new, 1);
    }
    project.write("workflows/narrativexl.toml", text);
    let build = ["build", "workflows/narrativexl.toml"];
    project.run(&build).exits(0);

    // The gate: every retelling has a row, and the card counts both sides.
    let gate = rows(&project, "gate");
    let summaries = rows(&project, "summaries").len();
    let kept = gate.iter().filter(|row| row["kept"] == 1).count();
    assert!(kept == summaries && kept < gate.len(), "{kept} of {}", gate.len());
    let flagged =
        |row: &&Value| row["said"].as_array().unwrap().iter().any(|said| said["flagged"] == 1);
    assert_eq!(gate.iter().filter(flagged).count(), gate.len() - kept);
    let card = project.read("out/narrativexl/README.md");
    let dropped = gate.len() - kept;
    let line = format!("A gate kept {kept} retellings and dropped {dropped}: ");
    assert!(card.contains(&line), "{line}\n{card}");
    let mean = |side: i32| {
        let words: Vec<f64> = gate
            .iter()
            .filter(|row| row["kept"] == side)
            .map(|row| row["words"].as_f64().unwrap())
            .collect();
        words.iter().sum::<f64>() / words.len() as f64
    };
    let line = format!("| words, mean | {:.1} | {:.1} | ", mean(1), mean(0));
    assert!(card.contains(&line), "{line}\n{card}");

    // Ambiguity: the questions that went on are those that were asked, with other options in some places.
    let asked = rows(&project, "asked");
    let questions = rows(&project, "read-along");
    let (mut replaced, mut same) = (BTreeMap::<String, u32>::new(), 0);
    for question in &questions {
        let old = asked.iter().find(|old| old["question_id"] == question["question_id"]).unwrap();
        assert_eq!(old["answer"], question["answer"]);
        let (old, new) =
            (old["options"].as_array().unwrap(), question["options"].as_array().unwrap());
        assert_eq!((old.len(), new.len()), (6, 6));
        let differ = old.iter().zip(new).filter(|(old, new)| old != new).count();
        *replaced.entry(question["type"].as_str().unwrap().to_owned()).or_default() +=
            u32::from(differ > 0);
        same += u32::from(differ == 0);
    }
    assert!(same > 0 && replaced.values().any(|count| *count > 0), "{same} {replaced:?}");
    for (of, count) in replaced {
        let total = asked.iter().filter(|one| one["type"] == of.as_str()).count();
        let left = questions.iter().filter(|one| one["type"] == of.as_str()).count();
        let line = format!("| questions | {of} | {} | {count} | {total} | ", total - left);
        assert!(card.contains(&line) || total == left && count == 0, "{line}\n{card}");
    }

    // The audit, and what people have still to say.
    assert!(card.contains("## Without understanding"), "{card}");
    assert!(card.contains("## Told apart by people") && card.contains("none counts yet"), "{card}");
    let proposals = rows(&project, "proposals");
    assert!(proposals.iter().any(|row| row["faithful"] == 1));
    assert!(proposals.iter().any(|row| row["parts"].as_array().unwrap().len() == 1));
    assert!(proposals.iter().all(|row| row["protocol"] == "propose"));
    let manifest = project.manifest("out/narrativexl");
    project.run(&[&build[..], &["--mode", "frozen"]].concat()).exits(0);
    assert_eq!(project.manifest("out/narrativexl"), manifest);
}
