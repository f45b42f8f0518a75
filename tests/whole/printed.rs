//! What is printed as the next command does what is said, where it is printed: each is run. One that holds a word to be put in
//! (`FILE`, `1.0.0`, `...`) has a verb that there is.

use std::{
    collections::{BTreeSet, VecDeque},
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Command, Stdio},
};

use crate::project::{Project, top};

/// Commands that a text tells to type: between grave accents, or a line that begins with one.
fn printed(text: &str) -> Vec<String> {
    // A row that is cut may have a mark without its other one.
    let quoted = text.split("`storymill ").skip(1).filter_map(|rest| rest.split_once('`'));
    let quoted = quoted.map(|(command, _)| format!("storymill {command}"));
    // One that begins elsewhere goes there first: `next: cd my-project && storymill build ...`.
    let begins = |line: &&str| line.starts_with("storymill ") || line.starts_with("cd ");
    let lines = text.lines().map(|line| line.trim().trim_start_matches("next: "));
    let all = quoted.chain(lines.filter(begins).map(str::to_owned));
    let plain =
        all.map(|command| command.split("  #").next().unwrap_or_default().trim().to_owned());
    plain.filter(|one| !one.contains(['\n', '`'])).collect()
}

/// Whether something of a command is still to be put in.
fn is_open(command: &str) -> bool {
    let is_word = |word: &str| {
        let word = word.rsplit('=').next().unwrap_or(word).trim_matches(['[', '"', '\'']);
        word.chars().take_while(char::is_ascii_uppercase).count() > 1
    };
    command.contains("...") || command.contains('…') || command.split_whitespace().any(is_word)
}

/// Where a command goes first (`cd my-project && `), and the command.
fn place(command: &str) -> (&str, &str) {
    let begins = command.find("storymill ").filter(|_| command.starts_with("cd "));
    command.split_at(begins.unwrap_or(0))
}

/// Whether a command serves pages until somebody ends it.
fn serves(command: &str) -> bool {
    let words: Vec<&str> = place(command).1.split_whitespace().collect();
    let other = [
        "--list",
        "--decide",
        "--undo",
        "--export",
        "--import",
        "--votes",
        "--agreement",
        "--out",
        "--help",
    ];
    matches!(words[1], "view" | "review")
        && !words.iter().any(|word| other.contains(&word.split('=').next().unwrap()))
}

struct World {
    project: Project,
    seen: BTreeSet<String>,
    next: VecDeque<(String, String)>,
    wrong: Vec<String>,
}

impl World {
    fn new() -> Self {
        let project = Project::new();
        Self { project, seen: BTreeSet::new(), next: VecDeque::new(), wrong: Vec::new() }
    }

    fn shell(&self, line: &str) -> Command {
        let program = Path::new(env!("CARGO_BIN_EXE_storymill"));
        let path = std::env::var("PATH").unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(self.project.path(""));
        shell.env("PATH", format!("{}:{path}", program.parent().unwrap().display()));
        shell.env("STORYMILL_NO_PROGRESS", "1").env("NO_COLOR", "1").stdin(Stdio::null());
        shell
    }

    /// Runs a command; what it prints is to be run later. Its exit code and its words.
    fn run(&mut self, command: &str) -> (i32, String) {
        let ran = self.shell(command).output().unwrap();
        let told = format!(
            "{}{}",
            String::from_utf8_lossy(&ran.stdout),
            String::from_utf8_lossy(&ran.stderr)
        );
        // What is printed there is typed there.
        let there = place(command).0;
        for one in printed(&told).iter().map(|one| format!("{there}{one}")) {
            if self.seen.insert(one.clone()) {
                self.next.push_back((one, command.to_owned()));
            }
        }
        (ran.status.code().unwrap_or(-1), told)
    }

    /// A command of ours, which may fail, since it is there for what it prints.
    fn seed(&mut self, command: &str) {
        self.seen.insert(command.to_owned());
        let (code, told) = self.run(command);
        assert!(![2, 70, 101, -1].contains(&code), "{command}: {code}\n{told}");
    }

    /// Runs all that was printed, and what that prints, and so on.
    fn follow(&mut self) {
        while let Some((command, by)) = self.next.pop_front() {
            if is_open(&command) {
                let verbs: Vec<&str> = place(&command).1.split_whitespace().skip(1).collect();
                let verbs = verbs.iter().take_while(|word| {
                    word.chars().all(|c| c.is_ascii_lowercase() || c == '-')
                        && !word.starts_with('-')
                });
                let verbs = verbs.copied().collect::<Vec<_>>();
                let found = (1..=verbs.len()).rev().any(|many| {
                    let help = format!("storymill {} --help", verbs[..many].join(" "));
                    self.shell(&help).output().unwrap().status.success()
                });
                if !found {
                    self.wrong.push(format!("`{command}`, printed by `{by}`: no such command"));
                }
            } else if serves(&command) {
                self.serve(&command, &by);
            } else {
                let (code, told) = self.run(&command);
                // Some are named and not told to type: `storymill shelf state SET --retire PAIR --undo` takes a reason back.
                let words = || command.split_whitespace().skip(1);
                let names =
                    words().all(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
                if code == 2 && names && told.contains("required arguments") {
                    continue;
                }
                // Documented endings of a command that was right: rows that are judged, findings, rows that went.
                if ![0, 10, 11, 13, 14, 15].contains(&code) {
                    self.wrong
                        .push(format!("`{command}`, printed by `{by}`: exit code {code}\n{told}"));
                }
            }
        }
    }

    fn serve(&mut self, command: &str, by: &str) {
        // The program itself is to be ended, and not a shell around it.
        let (there, command) = place(command);
        let mut child = self.shell(&format!("{there}exec {command} --port 0"));
        let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let is_served = line.contains("http://127.0.0.1:");
        child.kill().unwrap();
        let mut told = String::new();
        child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        child.wait().unwrap();
        if !is_served {
            self.wrong.push(format!("`{command}`, printed by `{by}`: {line}{told}"));
        }
    }

    fn ends(self, least: usize) {
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n\n"));
        assert!(self.seen.len() >= least, "only {:?}", self.seen);
    }
}

#[test]
fn what_is_printed_can_be_typed() {
    let mut world = World::new();
    for id in ["one", "two", "three"] {
        world.project.book(id, 8);
    }
    let pairs = "id,book,true_claim,false_claim\none/1,one,Ann paid 1 pound.,Ann paid 10 pounds.\n";
    world.project.write("claims.csv", pairs);
    let archive = top().join("tests/archives/narrativexl");
    std::os::unix::fs::symlink(archive, world.project.path("archive")).unwrap();
    world.seed("storymill claims import claims.csv --into 'my set' --books books");
    for command in [
        "storymill quickstart demo",
        "storymill build demo/quickstart.toml --store s --out o",
        "storymill plan demo/quickstart.toml --store s",
        "storymill plan demo/quickstart.toml --store s2 --steps",
        "storymill build demo/quickstart.toml --store s2 --step 1 --shard 1/1",
        "storymill plan demo/quickstart.toml --store s2",
        "storymill build demo/quickstart.toml --store s3 --shard 1/2",
        "storymill plan demo/quickstart.toml --store s3",
        "storymill build demo/quickstart.toml --store s4 --pilot 5",
        "storymill review demo/quickstart.toml --store s --list",
        "storymill release o --first",
        "storymill release demo/quickstart.toml --store s2",
        "storymill inspect o",
        "storymill evaluate o --config eval-small --baselines --out results",
        "storymill evaluate o --config eval-small --plan",
        "storymill audit o",
        "storymill verify o",
        "storymill doctor demo/quickstart.toml",
        "storymill explain",
        "storymill explain options",
        "storymill explain cut-too-much",
        "storymill book clean books/one.html",
        "storymill book cast books/one.html --tagger perceptron --out one.toml",
        "storymill report results",
        "storymill diff o o",
        "storymill init study.toml --books books --for evaluation",
        "storymill init mine.toml",
        "storymill init 'in a folder/long.toml' --for long-contexts --books books",
        "storymill init claims.toml --for claims --books 'my set'",
        "storymill claims lint 'my set'",
        "storymill claims lint 'my set' --balance",
        "storymill import narrativexl archive --out archived",
        "storymill view o --html pages",
        "storymill build mine.toml --store mine",
    ] {
        world.seed(command);
    }
    world.follow();
    world.ends(44);
}

#[test]
#[cfg(feature = "private")]
fn what_is_printed_about_a_shelf_can_be_typed() {
    let mut world = World::new();
    world.project.book("n01", 4);
    let rows: String = (1..=6)
        .map(|at| format!("n01/{at:04},n01,Ann paid {at} pounds.,Ann paid {at}0 pounds.\n"))
        .collect();
    world.project.write("claims.csv", format!("id,book,true_claim,false_claim\n{rows}"));
    for command in [
        "storymill shelf init --shelf sealed --key ann.key --no-passphrase",
        "storymill shelf add books/n01.html --shelf sealed --key ann.key",
        "storymill claims import claims.csv --into family --shelf sealed --key ann.key",
        "storymill claims lint family --shelf sealed --key ann.key",
        "storymill shelf state family --version 1.0.0 --out one.json --shelf sealed --key ann.key",
        "storymill shelf state family --retire n01/0001 --reason why --shelf sealed --key ann.key",
        "storymill claims remove family n01/0001 --reason why --shelf sealed --key ann.key",
        "storymill shelf publish family --public public --shelf sealed --key ann.key",
        "storymill shelf list --shelf sealed --key ann.key",
    ] {
        world.seed(command);
    }
    world.follow();
    world.ends(10);
}
