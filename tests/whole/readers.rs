//! `storymill evaluate --reader`: the examples and a reader of known skill on the quickstart; what a reader may not do, and how
//! a run that was stopped goes on.

#![cfg(unix)]

use std::{
    fs,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    evaluate::rows,
    project::{Project, texts, top},
};

/// Whether Python is here, and whether it has a module.
fn python(module: &str) -> bool {
    let run = Command::new("python3").args(["-c", &format!("import {module}")]).output();
    let is_here = run.is_ok_and(|run| run.status.success());
    if !is_here {
        println!("skip: python3 with {module} is not here, so no reader that needs it is tried");
    }
    is_here
}

/// Remembers the scenes that it read last, and knows by the key which text holds the answer.
const REMEMBERS: &str = r#"
import json, sys
from collections import deque
key = json.load(open(sys.argv[1], encoding="utf-8"))
scenes = deque(maxlen=int(sys.argv[2]))
for line in sys.stdin:
    said = json.loads(line)
    reply = {}
    if "reset" in said:
        assert said["reset"]["format"] == "storymill-reader/1"
        scenes.clear()
    elif "read" in said:
        scenes.append(said["read"]["text"])
    else:
        ask = said["ask"]
        places, right = key["\n".join([ask["question"].split("\n")[0], *ask["options"]])]
        known = all(place in "".join(scenes) for place in places)
        reply = {"id": ask["id"], "answer": right + 1 if known else (right + 1) % len(ask["options"]) + 1}
        reply.update(tokens=len("".join(scenes).split()), written=1, seconds=0.25)
    print(json.dumps(reply), flush=True)
"#;

/// The texts that hold the answer to each question, and the right option.
fn key(project: &Project, out: &str) -> Value {
    let pieces = rows(project, out, "books-text");
    let texts = texts(pieces.iter().map(|row| &row["values"]));
    let text = |book: &Value| -> Vec<char> { texts[book.as_str().unwrap()].chars().collect() };
    let mut key = json!({});
    for row in rows(project, out, "read-along") {
        let row = &row["values"];
        let text = text(&row["book_id"]);
        let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
        let cut = |from: usize, to: usize| text[from..to].iter().collect::<String>();
        let mut places: Vec<String> = row["evidence"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| cut(number(&one["start_symbols"]), number(&one["end_symbols"])))
            .collect();
        if places.is_empty() {
            // None of the above: all that was read is needed.
            places.push(cut(0, number(&row["context_symbols"])));
        }
        // The question is known by its words: its id would say too much.
        let said = [row["question"].as_str().unwrap().lines().next().unwrap()].into_iter();
        let options = row["options"].as_array().unwrap().iter();
        let said: Vec<&str> = said.chain(options.map(|one| one.as_str().unwrap())).collect();
        key[said.join("\n")] = json!([places, row["answer"]]);
    }
    key
}

#[test]
fn four_readers_and_one_of_known_skill_are_in_one_report() {
    if !python("json") {
        return;
    }
    let project = Project::new();
    project
        .run(&["build", &top().join("workflows/quickstart.toml").display().to_string()])
        .exits(0);
    project.write("remembers.py", REMEMBERS);
    project.write("key.json", key(&project, "out/quickstart").to_string());
    let example = |name: &str| {
        let path = top().join("integrations/python/examples").join(format!("reader_{name}.py"));
        format!("{name}=python3 '{}' --mock", path.display())
    };
    let mut readers = vec![
        format!("{} --scenes 4", example("last")),
        example("full"),
        example("bm25"),
        "skilled=python3 remembers.py key.json 4".to_owned(),
    ];
    if python("mem0") {
        readers.push(example("mem0"));
    }
    let mut args = vec!["evaluate", "out/quickstart", "--config", "read-along"];
    args.extend(readers.iter().flat_map(|reader| ["--reader", reader]));
    args.extend(["--where", "book_id = alice", "--out", "results/readers"]);
    project.run(&args).exits(0).says("all answered");

    let grades = rows(&project, "results/readers", "grades");
    let of = |model: &str| {
        grades
            .iter()
            .map(|row| &row["values"])
            .filter(move |row| row["model"] == model)
            .collect::<Vec<_>>()
    };
    let skilled = of("skilled");
    assert_eq!(skilled.len() * readers.len(), grades.len());
    // It is right exactly where all that it needs is in the last four scenes: so it was asked when its context was read,
    // not a scene before or behind.
    let mut near = 0;
    for row in &skilled {
        let is_near = row["demand_scenes"].as_u64().unwrap() <= 4;
        near += usize::from(is_near);
        assert_eq!(row["right"] == 1, is_near, "{row}");
        assert_eq!((&row["status"], &row["setting"]), (&json!("answered"), &json!("full")));
        assert_eq!((&row["output_tokens"], &row["offered_tokens"]), (&json!(1), &json!(-1)));
    }
    assert!(near > 20 && near < skilled.len(), "{near} of {}", skilled.len());
    // What a reader put before its model is what it says, and who sees more has more.
    let shown = |model: &str| -> u64 {
        of(model).iter().map(|row| row["shown_tokens"].as_u64().unwrap()).sum()
    };
    assert_eq!(shown("skilled"), shown("last"));
    assert!(shown("full") > 2 * shown("last") && shown("bm25") < shown("full"));
    // An option that shares words with the scene is found by looking it up, and beside the last four scenes mostly not.
    let right = |model: &str| of(model).iter().filter(|row| row["right"] == 1).count();
    assert!(right("bm25") > right("last"), "{} {}", right("bm25"), right("last"));

    let report = project.run(&["report", "results/readers", "--format", "json"]).exits(0).out();
    let report: Value = serde_json::from_str(&report).unwrap();
    let part = &report["parts"][0];
    let lines = part["demand"]["lines"].as_array().unwrap();
    assert_eq!(lines.len(), readers.len());
    let line = lines.iter().find(|line| line["model"] == "skilled").unwrap();
    let curve: Vec<f64> = line["cells"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|cell| cell["value"].as_f64())
        .collect();
    assert!(curve[0] > 0.9 && curve.last() < Some(&0.01), "{curve:?}");
    assert!(curve.windows(2).all(|pair| pair[0] >= pair[1]), "{curve:?}");
    // How long each answer took is what the reader says.
    let systems = part["systems"].as_array().unwrap();
    let system = systems.iter().find(|system| system["model"] == "skilled").unwrap();
    assert_eq!(system["time"]["millis"], json!(250 * skilled.len()));
    assert!(project.read("results/readers.html").contains("skilled"));

    // All of it is in the log: the workflow alone says the same, and starts nothing.
    let manifest = project.manifest("results/readers");
    let build = ["build", "results/readers.toml", "--out", "again", "--frozen"];
    project.run(&build).exits(0);
    assert_eq!(project.manifest("again"), manifest);
    fs::remove_dir_all(project.path(".storymill")).unwrap();
    project.run(&build[..4]).exits(4).says("a workflow alone starts no program");
}

fn stories() -> Project {
    let project = Project::new();
    project.run(&["build", &top().join("workflows/stories.toml").display().to_string()]).exits(0);
    project
}

/// A reader that says its process for each text that it begins, and does something to a question.
fn shell(project: &Project, name: &str, ask: &str) -> String {
    let script = format!(
        "while read -r line; do case $line in\n{{\\\"reset*) echo $$ >> pids; echo {{}};;\n{{\\\"read*) echo {{}};;\n*) {ask};;\nesac; done\n"
    );
    project.write(name, script);
    format!("sh {name}")
}

fn lines(project: &Project, name: &str) -> Vec<String> {
    let text = fs::read_to_string(project.path(name)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a_stopped_run_goes_on_behind_the_books_that_were_read() {
    let project = stories();
    let reader = shell(
        &project,
        "mine.sh",
        "[ -e slow ] && [ $(wc -l < pids) -gt 2 ] && sleep 300; echo '{\"answer\":1}'",
    );
    project.write("slow", "");
    let args = [
        "evaluate",
        "out/stories",
        "--config",
        "read-along",
        "--reader",
        &reader,
        "--readers-at-once",
        "1",
    ];
    let mut command = project.command(&args);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    // One is the process that only says what it is called.
    while lines(&project, "pids").len() < 3 && begun.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(20));
    }
    thread::sleep(Duration::from_millis(500));
    let stop = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(stop.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    for pid in lines(&project, "pids") {
        assert!(!Command::new("kill").args(["-0", &pid]).output().unwrap().status.success());
    }
    fs::remove_file(project.path("slow")).unwrap();
    let (before, books) =
        (lines(&project, "pids").len(), rows(&project, "out/stories", "books").len());
    project.run(&args).exits(0).says("all answered");
    // What says its name, and all books but the one that was read.
    assert_eq!(lines(&project, "pids").len() - before, 1 + books - 1);
    // Once more: only its name is asked for.
    project.run(&args).exits(0);
    assert_eq!(lines(&project, "pids").len() - before, 1 + books);
}

#[test]
fn a_reader_that_breaks_off_is_told_and_the_others_go_on() {
    let project = stories();
    let breaks = shell(&project, "breaks.sh", "echo 'out of memory' >&2; exit 7");
    let good = shell(&project, "good.sh", "echo '{\"answer\":\"2\"}'");
    let args = [
        "evaluate",
        "out/stories",
        "--config",
        "read-along",
        "--reader",
        &breaks,
        "--reader",
        &good,
    ];
    let ran = project.run(&[&args[..], &["--out", "results/both"]].concat()).exits(0);
    let ran = ran.says("the reader `breaks` left ").says("the program ended (exit status: 7)");
    drop(ran.says("its last words: out of memory").says("`--mode live` has everything read again"));
    let answers = rows(&project, "results/both", "answers");
    for row in &answers {
        let row = &row["values"];
        let expected = if row["model"] == "good" { "answered" } else { "failed" };
        assert_eq!(row["status"], expected, "{row}");
    }
    project.run(&["verify", "results/both"]).exits(0);

    let evaluate = ["evaluate", "out/stories", "--reader"];
    for (more, code, expected) in [
        (&["no-such-program-here"][..], 4, "there is no program `no-such-program-here`"),
        (&["sh -c 'exit 1'"], 8, "cannot begin: the program ended (exit status: 1)"),
        (&["a="], 2, "there is no command"),
        (&["sh good.sh", "--reader", "good=sh breaks.sh"], 2, "two readers are called `good`"),
        (&["sh good.sh", "--shelf", "s"], 2, "readers read no private datasets"),
        (&["sh good.sh", "--setting", "none"], 2, "cannot be used with"),
        (&["sh good.sh", "--baselines"], 2, "cannot be used with"),
        (&["sh good.sh", "--reply-seconds", "0"], 2, "--reply-seconds"),
    ] {
        project.run(&[&evaluate[..], more].concat()).exits(code).says(expected);
    }
    project.run(&["evaluate", "out/stories", "--readers-at-once", "2"]).exits(2);
}

#[test]
fn a_plan_asks_nothing_and_both_tasks_are_asked() {
    let project = stories();
    let reader =
        shell(&project, "mine.sh", "printf '%s\\n' \"$line\" >> asked; echo '{\"answer\":1}'");
    let args = ["evaluate", "out/stories", "--reader", &reader, "--plan"];
    project.run(&args).exits(0).says("the workflow is");
    assert!(lines(&project, "asked").is_empty());
    project.run(&args[..4]).exits(0);
    // Both tasks, each question once for each text: a question has what stands in it and no more.
    let asked = lines(&project, "asked");
    let evaluated = rows(&project, "results/stories-mine", "answers");
    assert_eq!(asked.len(), evaluated.len());
    let with_options = asked.iter().filter(|line| line.contains("\"options\":[")).count();
    assert!(with_options > 0 && with_options < asked.len());
}

#[test]
fn the_example_of_the_page_is_a_reader() {
    if !python("json") {
        return;
    }
    let project = stories();
    let page = fs::read_to_string(top().join("docs/readers.md")).unwrap();
    let code = page.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(code.lines().count() <= 20);
    project.write("my_memory.py", code);
    let args = ["evaluate", "out/stories", "--reader", "python3 my_memory.py"];
    project.run(&args).exits(0).says("last-3 1").says("all answered");
}

/// Says each text that it begins, and finds in it where somebody went.
const FINDS: &str = r#"
import json, re, sys
for line in sys.stdin:
    said = json.loads(line)
    reply = {}
    if "reset" in said:
        text = ""
        print("begins", file=open("texts", "a"))
    elif "read" in said:
        text += said["read"]["text"]
    else:
        who = re.search(r"Ada\d", said["ask"]["question"]).group()
        found = re.search(who + r" went (to \w+)", text)
        assert said["ask"]["id"] == 1
        reply = {"answer": found.group(1) if found else "nowhere"}
    print(json.dumps(reply), flush=True)
"#;

#[test]
fn each_mixed_context_is_a_text_of_its_own() {
    if !python("json") {
        return;
    }
    let project = crate::contexts::project();
    project.write("finds.py", FINDS);
    let args = ["evaluate", "out/mine", "--reader", "python3 finds.py"];
    project.run(&args).exits(0).says("all answered");
    let grades = rows(&project, "results/mine-finds", "grades");
    // One more is the process that only says what it is called.
    assert_eq!(lines(&project, "texts").len(), grades.len() + 1);
    for row in &grades {
        let row = &row["values"];
        // Of the bare ones nothing is read.
        let expected = if row["config"] == "contexts" { 1_000_000 } else { 0 };
        assert_eq!(row["score_ppm"], expected, "{row}");
    }
}

#[test]
fn a_claim_is_asked_without_a_word_of_its_truth() {
    let project = Project::new();
    project.book("b1", 3);
    let pairs = (1..=6).map(|at| {
        let claims = [format!("Fact {at} holds."), format!("Lie {at} holds.")];
        json!({ "id": format!("b1/{at:04}"), "book": "b1", "true_claim": claims[0], "false_claim": claims[1] })
    });
    let pairs: Vec<String> = pairs.map(|pair| pair.to_string()).collect();
    project.write("set/pairs.jsonl", pairs.join("\n"));
    project.write(
        "my.toml",
        "name = \"mine\"\nversion = \"1.0.0\"\nseed = 7\n\n[publish]\ntitle = \"Mine\"\nlicense = \"mit\"\n\
        canary = \"storymill-canary-0123456789\"\n\n[source.books.folder]\npath = \"books\"\n\n\
        [stage.claims.claims]\nfrom = \"books\"\npairs = \"set/pairs.jsonl\"\n\n\
        [dataset.books]\nfrom = \"books\"\n\n[dataset.claims]\nfrom = \"claims\"\n",
    );
    project.run(&["build", "my.toml"]).exits(0);
    let ask = "printf '%s\\n' \"$line\" >> asked; case $line in *'Fact '*) echo '{\"answer\":true}';; *) echo '{\"answer\":2}';; esac";
    let reader = shell(&project, "mine.sh", ask);
    project.run(&["evaluate", "out/mine", "--reader", &reader]).exits(0).says("6 of 6 (100");
    let asked = lines(&project, "asked");
    assert_eq!(asked.len(), 12);
    for line in &asked {
        assert!(
            line.contains("\"options\":[\"true\",\"false\"]") && !line.contains("b1/"),
            "{line}"
        );
    }
}
