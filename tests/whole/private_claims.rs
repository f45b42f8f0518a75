//! Claims of a private set: from an EPUB and a table to scores and a statement, and nowhere a word in
//! clear. The pages that users read are played here.

use std::{
    fs,
    process::{Command, Stdio},
    time::Duration,
};

use serde_json::Value;
use storymill_shelf::{Recipient, letter};

use crate::{
    leaks::{MARKS, Private, Said, epub, files, marked, nothing_leaks},
    models::Server,
    project::{full, top},
};

pub(crate) const SHELF: [&str; 4] = ["--shelf", "shelf", "--key", "ann.key"];

/// A table of pairs with words that stand nowhere else.
pub(crate) fn table(from: usize, count: usize) -> String {
    let mut text =
        "id,book,true_claim,false_claim,explanation,true_scope,false_scope,published_on,added_in\n"
            .to_owned();
    for at in from..from + count {
        let (day, price) = (4 + at % 20, 3 + at);
        text += &format!(
            "n01/{at:04},n01,\"Captain {0} found the {1} at the mill on day {day}, and paid {price} shillings.\",\"Captain {0} found the {1} at the mill on day {day}, and paid {2} pounds.\",It was {price} for {3}.,sentence,passage,2024-05,1.0.0\n",
            MARKS[at % 4],
            MARKS[1],
            price + 40,
            MARKS[2]
        );
    }
    text
}

/// A shelf with a book and a set of ten pairs.
pub(crate) fn set() -> Private {
    let private = Private::new(3, 5);
    private.add();
    let table = at(&private, "claims.csv", table(1, 10));
    private
        .run(&cat(&["claims", "import", &table, "--into", "family"]))
        .exits(0)
        .says("10 pairs added");
    private
}

/// A file beside the books: what the maintainer starts from.
pub(crate) fn at(private: &Private, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = private.books.path().join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

pub(crate) fn cat<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [args, &SHELF[..]].concat()
}

/// A file of models, with one on this machine.
pub(crate) fn models(private: &Private, port: u16) -> String {
    let text = format!(
        "[model.default]\nurl = \"http://127.0.0.1:{port}/v1\"\nmodel = \"teller\"\nconcurrency = 4\nretries = 2\n"
    );
    at(private, "models.toml", text)
}

#[test]
fn the_page_on_private_sets_is_played() {
    let server = Server::start(0, Duration::ZERO);
    let private = Private::new(1, 1);
    fs::remove_dir_all(private.project.path("shelf")).unwrap();
    fs::remove_file(private.project.path("ann.key")).unwrap();
    private.workflow(None);
    // What the page takes for granted: two books, three tables, a file of models.
    let inputs = ["novel.epub", "anne.epub", "claims.csv", "votes.csv", "corrected.csv"];
    let checker = top().join("integrations/private-sets/check_statement.py");
    private.project.write("novel.epub", epub(4, 6)).write("anne.epub", epub(2, 6));
    private.project.write("claims.csv", table(1, 10));
    let corrected = table(3, 1).replace(" pounds", " guineas");
    private.project.write("corrected.csv", corrected);
    let vote = |at: usize| {
        format!("n01/{at:04},true,ann,true\nn01/{at:04},true,bob,{}\n", !at.is_multiple_of(3))
    };
    let votes: String = (1..=10).map(vote).collect();
    private.project.write("votes.csv", format!("pair,claim,reader,verdict\n{votes}"));
    let table = |name: &str| {
        format!(
            "[model.{name}]\nurl = \"http://127.0.0.1:{}/v1\"\nmodel = \"teller\"\n",
            server.port
        )
    };
    private.project.write("models.toml", table("small") + &table("large"));
    let page = fs::read_to_string(top().join("docs/private-sets.md")).unwrap();
    let mut script = format!(
        "set -eu\nstorymill() {{ case \"$1 $2\" in 'shelf init') set -- \"$@\" --no-passphrase;; esac; '{}' \"$@\"; }}\n",
        env!("CARGO_BIN_EXE_storymill")
    );
    let mut commands = 0;
    for block in page.split("```sh\n").skip(1) {
        let block = block.split("```").next().unwrap();
        commands += block.lines().filter(|line| line.contains("storymill ")).count();
        script += block;
    }
    assert!(commands > 20, "{commands}");
    let mut played = Command::new("sh");
    played.args(["-c", &script]).current_dir(private.project.path(""));
    played.env("TMPDIR", private.project.path("tmp")).env("STORYMILL_NO_PROGRESS", "1");
    let said = Said::of(&played.stdin(Stdio::null()).output().unwrap());
    let said = said.exits(0).says("10 pairs").says("9 kept, 1 added; 1 retired").says("1 of 1");
    let said = said.says("of 10 (").says("of 9 (");
    assert_eq!(marked(said.text.as_bytes()), None, "{}", said.text);
    let said = said.says("2 retired in all");
    let said = said.says("3 retired in all").says("signed by");
    // On the machine of the drill everything is there, and nothing is paid again.
    let drill = said.text.rsplit("taken as it is").next().unwrap();
    for line in [
        "all of them whole",
        "no model is asked next",
        "revealed pairs that it holds: 1 of 1",
        "of part 3/10",
    ] {
        assert!(drill.contains(line), "{line}: {drill}");
    }
    // The year's statements, by people who came and went, as an outsider checks them.
    let check = |args: &[&str], code: i32| {
        let args = [&["verify"], args].concat();
        Said::of(&private.command(&args).output().unwrap()).exits(code);
    };
    // The pair went with the third statement: the second held it.
    check(&["statement-2.json", "pair.json"], 0);
    check(&["statement-3.json", "pair.json", "--before", "statement-2.json"], 0);
    check(&["statement-3.json", "pair.json"], 7);
    check(&["statement-4.json", "--before", "statement-2.json"], 7);
    check(&["statement-4.json", "--signer", &"0".repeat(64)], 7);
    by_python(&private, &checker);
    // The inputs are the maintainer's own, the revealed pair is everybody's, and so is the open book.
    for (path, bytes) in files(&private.project.path("")) {
        let name = path.file_name().unwrap().to_str().unwrap();
        if !inputs.contains(&name) && name != "pair.json" {
            assert_eq!(marked(&bytes), None, "in {}", path.display());
        }
    }
    nothing_leaks(&private.project.path("shelf"));
}

/// The script for outsiders says what the program says. Where its two libraries are not at hand it is not played.
fn by_python(private: &Private, checker: &std::path::Path) {
    let python = |args: &[&str]| {
        Command::new("python3").args(args).current_dir(private.project.path("")).output()
    };
    if !python(&["-c", "import blake3, cryptography"]).is_ok_and(|ran| ran.status.success()) {
        println!("not played: python3 with blake3 and cryptography");
        return;
    }
    let checker = checker.to_str().unwrap();
    let forged = private.project.read("statement-4.json").replace("1.3.0", "1.4.0");
    private.project.write("forged.json", forged);
    for (args, code) in [
        (&["statement-1.json"][..], 0),
        (&["statement-2.json", "--before", "statement-1.json"], 0),
        (&["statement-3.json", "--before", "statement-2.json"], 0),
        (&["statement-2.json", "pair.json"], 0),
        (&["statement-3.json", "pair.json", "--before", "statement-2.json"], 0),
        (&["statement-4.json", "pair.json", "--before", "statement-3.json"], 7),
        (&["statement-4.json", "--before", "statement-2.json"], 7),
        (&["statement-3.json", "pair.json"], 7),
        (&["statement-4.json", "--signer", "00"], 7),
        (&["forged.json"], 7),
    ] {
        let ran = python(&[&[checker], args].concat()).unwrap();
        let said = String::from_utf8_lossy(&ran.stdout);
        assert_eq!(ran.status.code(), Some(code), "{args:?}: {said}");
        let ours = [&["verify"], args].concat();
        let ours: Vec<&str> =
            ours.into_iter().map(|one| if one == "00" { SIGNER } else { one }).collect();
        Said::of(&private.command(&ours).output().unwrap()).exits(code);
    }
    fs::remove_file(private.project.path("forged.json")).unwrap();
}

const SIGNER: &str = "0000000000000000000000000000000000000000000000000000000000000000";

#[test]
fn a_private_set_stays_in_its_shelf() {
    let server = Server::start(1, Duration::ZERO);
    let private = set();
    let (table, models) = (at(&private, "claims.csv", table(1, 10)), models(&private, server.port));
    let run = |args: &[&str]| private.run(&cat(args));
    run(&["claims", "import", &table, "--into", "family"])
        .exits(0)
        .says("0 pairs added, 0 changed, 10 as they were");
    let lint = run(&["claims", "lint", "family", "--format", "json"]);
    assert!([Some(0), Some(13)].contains(&lint.code), "{}", lint.text);
    run(&["claims", "lint", "family", "--balance"])
        .exits(0)
        .says("10 pairs")
        .says("claim-only shortcut");
    // Its claims go out where somebody says so, and then into no repository and no published dataset.
    run(&["claims", "export", "family"]).exits(4).says("prints the claims of a private set");
    run(&["claims", "export", "family", "--out", "tmp/pairs.csv"])
        .exits(4)
        .says("writes the claims of a private set in clear");
    assert!(!private.project.path("tmp/pairs.csv").exists());
    fs::create_dir_all(private.project.path("tmp/published/.git")).unwrap();
    run(&["claims", "export", "family", "--texts", "--out", "tmp/published/pairs.csv"])
        .exits(4)
        .says("inside a repository");
    fs::remove_dir(private.project.path("tmp/published/.git")).unwrap();
    private.project.write("tmp/published/manifest.json", "{}").write("tmp/published/README.md", "");
    run(&["claims", "export", "family", "--texts", "--out", "tmp/published/pairs.csv"])
        .exits(4)
        .says("inside a published dataset");
    fs::remove_dir_all(private.project.path("tmp/published")).unwrap();
    run(&["claims", "export", "family", "--texts", "--out", "tmp/pairs.csv"])
        .exits(0)
        .says("this is recorded");
    run(&["claims", "import", "tmp/pairs.csv", "--into", "family"])
        .exits(0)
        .says("0 pairs added, 0 changed, 10 as they were");
    // What is edited is changed, and can be changed back.
    let exported = private.project.read("tmp/pairs.csv");
    for edited in [exported.replacen(" pounds", " guineas", 1), exported] {
        private.project.write("tmp/pairs.csv", edited);
        run(&["claims", "import", "tmp/pairs.csv", "--into", "family"])
            .exits(0)
            .says("0 pairs added, 1 changed, 9 as they were");
    }
    // It is listed without its words.
    run(&["claims", "list", "family"]).exits(0).says("n01/0007  n01   in the set").says("--texts");
    run(&["claims", "list", "family", "n01/0007"]).exits(0).says("true_claim").says(" words\n");
    run(&["claims", "list", "family", "n01/07"]).exits(4).says("did you mean `n01/0007`");
    for shown in [&["list", "family"][..], &["list", "family", "n01/0007"]] {
        let args = cat(&[&["claims"], shown, &["--texts"]].concat());
        let shown = Said::of(&private.command(&args).output().unwrap()).exits(0);
        assert!(marked(shown.text.as_bytes()).is_some(), "{}", shown.text);
    }
    fs::remove_file(private.project.path("tmp/pairs.csv")).unwrap();
    // A table that was sealed to the maintainer is in clear nowhere.
    let ann: Recipient = private
        .run(&["shelf", "init", "--key-only", "--key", "ann.key"])
        .exits(0)
        .text
        .parse()
        .unwrap();
    let sealed = letter::seal(self::table(1, 10).as_bytes(), &[ann]).unwrap();
    private.project.write("tmp/claims.csv.age", sealed);
    run(&["claims", "import", "tmp/claims.csv.age", "--into", "family"])
        .exits(0)
        .says("10 as they were");
    fs::remove_file(private.project.path("tmp/claims.csv.age")).unwrap();
    let votes = at(
        &private,
        "votes.csv",
        format!(
            "pair,claim,reader,verdict\nn01/0001,true,ann,true\nn01/0001,true,{},false\n",
            "bob"
        ),
    );
    run(&["review", "family", "--import", &votes]).exits(0).says("2 lines new");
    run(&["review", "family", "--import", &votes]).exits(0).says("0 lines new");
    run(&["review", "family", "--agreement"]).exits(0).says("(0 of 1)");
    run(&["review", "family", "--agreement", "--format", "json"]).exits(0).says("\"agreed\": 0");
    run(&["review", "family", "--list"])
        .exits(0)
        .says("n01/0001/true  claim-disputed")
        .says("1 decision");
    let shown = Said::of(
        &private.command(&cat(&["review", "family", "--list", "--texts"])).output().unwrap(),
    );
    assert!(marked(shown.text.as_bytes()).is_some(), "{}", shown.text);
    let id = shown.text.split(')').next().unwrap().rsplit(' ').next().unwrap();
    run(&["review", "family", "--decide", &format!("{id}=keep")]).exits(0);
    run(&["review", "family", "--list=open"]).exits(0).says("nothing of 1 item is open");

    // Drafts of a private build are proposals; what a person takes is a pair.
    private.workflow(None);
    private.run(&Private::BUILD).exits(0);
    run(&["claims", "draft", "my.toml", "--into", "family"]).exits(0).says("for people to take");
    let items: Value =
        serde_json::from_str(&run(&["review", "family", "--format", "json"]).exits(0).text)
            .unwrap();
    let item = items
        .as_array()
        .unwrap()
        .iter()
        .find(|item| item["review"]["code"] == "claim-pair-proposed")
        .unwrap();
    run(&["review", "family", "--decide", &format!("{}=take", item["id"].as_str().unwrap())])
        .exits(0)
        .says("is new");
    run(&["claims", "lint", "family", "--balance"]).exits(0).says("11 pairs");
    run(&["claims", "remove", "family", "n01/0011", "--reason", "a draft"]).exits(0);

    // Asked here.
    let evaluate = ["evaluate", "family", "--models", &models];
    run(&[&evaluate[..], &["--max-requests", "3"]].concat()).exits(8);
    run(&["report", "family-teller"]).exits(4);
    run(&evaluate).exits(0).says("of 10 (").says("`family-teller` in the shelf");
    let asked = server.asked();
    run(&evaluate).exits(0);
    assert_eq!(server.asked(), asked, "what is in the log is not asked again");
    let report = run(&["report", "family-teller", "--format", "json"]).exits(0).text;
    // Warnings stand behind it.
    let report: Value = serde_json::from_str(&report[..report.rfind("\n}").unwrap() + 2]).unwrap();
    let part = &report["parts"][0];
    assert_eq!((&part["name"], &part["questions"]), (&"pairs".into(), &10.into()));
    // And by somebody else, who gets files that nobody but he opens.
    private.run(&["shelf", "init", "--key-only", "--key", "bob.key", "--no-passphrase"]).exits(0);
    let bob = private.run(&["shelf", "init", "--key-only", "--key", "bob.key"]).exits(0).text;
    let other = at(
        &private,
        "other.toml",
        "[model.other]\nurl = \"http://127.0.0.1:9/v1\"\nmodel = \"other\"\n",
    );
    run(&["evaluate", "family", "--models", &other, "--model", "other", "--plan"]).exits(0);
    let export = ["answers", "export-batch", "family-other", "--format", "openai"];
    let to = [&export[..], &["--to", bob.trim(), "--out", "tmp/batch"]].concat();
    run(&[&export[..], &["--out", "tmp/none"]].concat()).exits(2).says("--to");
    run(&[&export[..], &["--to", "age1zz", "--out", "tmp/none"]].concat())
        .exits(4)
        .says("not a public key");
    run(&to).exits(0).says("statements of `family` say that a holder of sealed requests was shown");
    run(&["claims", "list", "family"]).exits(0).says("a holder of sealed requests 20");
    run(&["shelf", "list"]).exits(0).says("10 pairs shown to a holder of sealed requests");
    run(&to).exits(0).says("nothing is written");
    nothing_leaks(&private.project.path(""));
    let key = fs::read(private.project.path("bob.key")).unwrap();
    let key = storymill_shelf::Key::from_file(&key, || unreachable!("it has no passphrase"));
    let key = key.unwrap();
    let sealed = fs::read(private.project.path("tmp/batch/0001-other.jsonl.age")).unwrap();
    let requests = letter::open(&sealed, &key).unwrap().into_inner();
    let requests = String::from_utf8(requests).unwrap();
    assert_eq!(requests.lines().count(), 20);
    assert!(!requests.contains("n01/") && !requests.contains("\"claims"), "pairs are not named");
    let rows: Vec<Value> =
        requests.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ids: Vec<&str> = rows.iter().map(|row| row["custom_id"].as_str().unwrap()).collect();
    assert!(ids.is_sorted(), "the order says which claims are twins");
    // His answers come back sealed to the maintainer; what is cut off or strange is not taken.
    let answer = |row: &Value| {
        let text = format!("<answer>TRUE</answer> {}", MARKS[0]);
        let body = serde_json::json!({ "choices": [{ "message": { "content": text }, "finish_reason": "stop" }] });
        serde_json::json!({ "custom_id": row["custom_id"], "response": { "status_code": 200, "body": body } }).to_string() + "\n"
    };
    let answers: String = rows.iter().map(answer).collect();
    let ann: Recipient = private
        .run(&["shelf", "init", "--key-only", "--key", "ann.key"])
        .exits(0)
        .text
        .parse()
        .unwrap();
    let whole = letter::seal(answers.as_bytes(), &[ann]).unwrap();
    let import = ["answers", "import-batch", "family-other", "tmp/results.jsonl.age"];
    private.project.write("tmp/results.jsonl.age", &whole[..whole.len() - 1]);
    run(&import).exits(4).says("damaged or cut off");
    let strange = format!("{{\"custom_id\": \"{}\"}}\n{}\n", MARKS[2], MARKS[2]);
    private.project.write("tmp/results.jsonl.age", strange);
    run(&import).exits(4).says("not a result of a request");
    private.project.write("tmp/results.jsonl.age", &whole[..]);
    run(&import).exits(0).says("20 answers added");
    run(&["evaluate", "family", "--models", &other, "--model", "other", "--frozen"])
        .exits(0)
        .says("0 of 10 (0.0 %)");
    let both = run(&["report", "family-teller", "family-other", "--format", "json"]).exits(0);
    assert!(both.text.contains("asked of: all models"), "{}", both.text);
    fs::remove_dir_all(private.project.path("tmp")).unwrap();
    fs::create_dir(private.project.path("tmp")).unwrap();
    private.keeps_quiet();
}

#[test]
fn bad_input_is_told_without_a_word_of_it_and_changes_nothing() {
    let private = set();
    let head = "book,true_claim,false_claim\n";
    let mark = MARKS[0];
    let before = files(&private.project.path("shelf"));
    for (content, says) in [
        (
            format!("{head}n01,\"{mark} came.,x\n"),
            "a quotation mark opens here and is never closed",
        ),
        (format!("{head}n01,“{mark} came, late”,x\n"), "the cell begins with a typographic"),
        (format!("{head}n01,{mark} came.,\n"), "`false_claim`: is missing"),
        (format!("book,index,claim,type\nn01,3,{mark} came.,true\n"), "a claim without its twin"),
        (format!("{head}n07,{mark} came.,{mark} went.\n"), "the set has no text of this book"),
        (format!("{mark},x\n1,2\n"), "no column of the head is known"),
    ] {
        let table = at(&private, "bad.csv", content);
        private.run(&cat(&["claims", "import", &table, "--into", "family"])).exits(4).says(says);
        assert_eq!(files(&private.project.path("shelf")), before, "{says}");
    }
    let unknown = at(&private, "bad.csv", format!("{head}n07,{mark} came.,{mark} went.\n"));
    private
        .run(&cat(&["claims", "import", &unknown, "--into", "family"]))
        .exits(4)
        .says("shelf add");
    private.run(&cat(&["claims", "lint", "friends"])).exits(4).says("no set of this name");
    private.run(&cat(&["claims", "lint", "a/b"])).exits(4).says("not a name of a set");
    let votes =
        at(&private, "bad.csv", format!("pair,claim,reader,verdict\n{mark} x,true,ann,true\n"));
    private.run(&cat(&["review", "family", "--import", &votes])).exits(4).says("row 2, `pair`");
    private
        .run(&cat(&["review", "family", "--decide", "ab=keep"]))
        .exits(4)
        .says("no item is called");
    let models = at(&private, "models.toml", "[model.default]\nurl = 7\n");
    private.run(&cat(&["evaluate", "family", "--models", &models])).exits(4);
    private
        .run(&cat(&["evaluate", "friends", "--baselines"]))
        .exits(4)
        .says("no dataset or results");
    let strange =
        at(&private, "said.jsonl", format!("{{\"system\": \"s\", \"pair\": \"{mark} x\"}}\n"));
    private
        .run(&cat(&["evaluate", "family", "--responses", &strange]))
        .exits(4)
        .says("must be the id of a pair");
    let before = files(&private.project.path("shelf"));
    // Another key, none, and one that was removed.
    let bob = private
        .run(&["shelf", "init", "--key-only", "--key", "bob.key", "--no-passphrase"])
        .exits(0)
        .text;
    private
        .run(&["claims", "lint", "family", "--shelf", "shelf"])
        .exits(4)
        .says("no key was named");
    private
        .run(&["claims", "lint", "family", "--shelf", "shelf", "--key", "bob.key"])
        .exits(4)
        .says("does not open the shelf");
    assert_eq!(files(&private.project.path("shelf")), before);
    private.run(&["shelf", "rekey", "--add", bob.trim(), "--key", "ann.key"]).exits(0);
    let lint = private.run(&["claims", "lint", "family", "--shelf", "shelf", "--key", "bob.key"]);
    assert!([Some(0), Some(13)].contains(&lint.code), "{}", lint.text);
    private.run(&["shelf", "rekey", "--remove", bob.trim(), "--key", "ann.key"]).exits(0);
    private
        .run(&["claims", "lint", "family", "--balance", "--shelf", "shelf", "--key", "bob.key"])
        .exits(4)
        .says("removed");
    // Damage, file by file: told, and never repaired by guessing.
    let whole = files(&private.project.path("shelf"));
    let every = if full() { 1 } else { 4 };
    for (path, bytes) in whole.iter().filter(|(_, bytes)| bytes.len() > 20).step_by(every) {
        fs::write(path, &bytes[..bytes.len() - 9]).unwrap();
        let damaged = files(&private.project.path("shelf"));
        let said = private.run(&cat(&["claims", "lint", "family"]));
        assert!([Some(0), Some(9), Some(13)].contains(&said.code), "{}", said.text);
        assert_eq!(files(&private.project.path("shelf")), damaged);
        fs::write(path, bytes).unwrap();
    }
    private.keeps_quiet();
}
