//! The check of a pull request, as `integrations/github-action` does it: bash and git over a dataset repository
//! in a temporary folder, and the rules that its workflow files keep.

use std::process::Command;

use crate::{
    gates::{knowing, rows, stubborn},
    models::Server,
    project::{Project, top},
};

const DIFF: &str = "report/diff.md";

/// A dataset repository with a first version on `main`, and somebody's branch of it.
struct Repository {
    project: Project,
}

impl Repository {
    /// None, with a line that says so, where there is no git or bash.
    fn new(branch: &str) -> Option<Self> {
        let there = |name: &str| Command::new(name).arg("--version").output().is_ok();
        if !there("git") || !there("bash") {
            println!("skip: the check of pull requests needs git and bash");
            return None;
        }
        let repository = Self { project: Project::new() };
        repository.project.book("one", 3).book("two", 2).book("three", 2).workflow(&[]);
        repository.project.write(".gitignore", "/out\n/.storymill\n/report\n/summary.md\n");
        repository.lock("my.toml");
        repository.git(&["init", "-q", "-b", "main"]);
        repository.commit();
        repository.git(&["checkout", "-q", "-b", branch]);
        Some(repository)
    }

    fn git(&self, args: &[&str]) {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
        let mut git = Command::new("git");
        let ran = git.args(identity).args(args).current_dir(self.project.path(".")).output();
        let ran = ran.unwrap();
        assert!(ran.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&ran.stderr));
    }

    fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "-q", "-m", "a change"]);
    }

    /// Builds and takes the lock, as the check asks people to.
    fn lock(&self, workflow: &str) {
        self.project.run(&["build", "--out", "out/mine", "--", workflow]).exits(0);
        self.project.write("dataset.lock", self.project.read("out/mine/dataset.lock"));
    }

    /// Runs the check against `main`; its exit status with all it said.
    fn check(&self, settings: &[(&str, &str)]) -> (i32, String) {
        let mut bash = Command::new("bash");
        let report = self.project.path("report");
        _ = std::fs::remove_dir_all(&report);
        _ = std::fs::remove_file(self.project.path("summary.md"));
        bash.arg(top().join("integrations/github-action/check.sh"))
            .current_dir(self.project.path("."))
            .env("STORYMILL_BIN", env!("CARGO_BIN_EXE_storymill"))
            .env("STORYMILL_BASE", "main")
            .env("STORYMILL_WORKFLOW", "my.toml")
            .env("STORYMILL_REPORT", report)
            .env("GITHUB_STEP_SUMMARY", self.project.path("summary.md"))
            .envs(settings.iter().copied());
        let ran = bash.output().unwrap();
        let said = [ran.stdout, ran.stderr].map(|said| String::from_utf8_lossy(&said).into_owned());
        (ran.status.code().unwrap(), said.concat())
    }

    #[track_caller]
    fn checked(&self, settings: &[(&str, &str)], exits: i32, says: &[&str]) -> String {
        let (code, said) = self.check(settings);
        assert_eq!(code, exits, "{said}");
        for one in says {
            assert!(said.contains(one), "expected `{one}` in\n{said}");
        }
        said
    }
}

#[test]
fn a_fine_pull_request_and_one_without_its_lock() {
    let Some(repository) = Repository::new("more-books") else { return };
    repository.checked(&[], 0, &["the one that this change leads to", "Rows were compared"]);
    repository.project.book("four", 2);
    repository.commit();
    let says = ["the committed lock is out of date", "commit the dataset.lock"];
    let said = repository.checked(&[], 1, &says.map(|says| &says[4..]));
    assert!(said.contains("1 added"), "the difference is told all the same: {said}");
    let summary = repository.project.read("summary.md");
    assert!(summary.contains("- **The committed lock is out of date"), "{summary}");
    repository.lock("my.toml");
    repository.commit();
    repository.checked(&[], 0, &["added: four", "Rows were compared"]);
    let summary = repository.project.read("summary.md");
    assert!(summary.contains("Fine: built from recorded answers"), "{summary}");
    assert!(summary.contains("| config | split | added |"), "{summary}");
    repository.checked(&[("STORYMILL_FAIL_ON", "differs")], 1, &["allow no difference"]);
    // Locks alone know units, not rows.
    repository.checked(&[("STORYMILL_ROWS", "no")], 0, &["Locks were compared", "1 added"]);
    assert!(!repository.project.read(DIFF).contains("| config |"));
}

#[test]
fn a_changed_row_and_a_gate_that_is_not_passed() {
    let Some(repository) = Repository::new("edit") else { return };
    let page = repository.project.read("books/two.html");
    repository.project.write("books/two.html", page.replacen("shillings", "pounds", 1));
    repository.lock("my.toml");
    repository.commit();
    repository.checked(&[], 0, &["changed pages: two", "Changed cells", "5 samples"]);
    // What reviewers may accept, a stricter setting does not.
    let seed = ("seed = 7", "seed = 8");
    repository.project.workflow(&[seed]);
    repository.lock("my.toml");
    repository.checked(&[], 0, &["breaking", "the seed: 7 -> 8"]);
    let refused = [("STORYMILL_FAIL_ON", "breaking")];
    repository.checked(&refused, 1, &["columns or answers of the base are gone"]);
    let canary = ("0123456789abcdef", "fedcba9876543210");
    repository.project.workflow(&[canary]);
    repository.lock("my.toml");
    repository.commit();
    repository.checked(&[], 1, &["A gate is not passed", "the canary differs"]);
    let summary = repository.project.read("summary.md");
    assert!(summary.contains("not passed: the canary differs"), "{summary}");
}

#[test]
fn a_model_that_is_asked_passes_its_gates() {
    let Some(repository) = Repository::new("ask") else { return };
    let all = [rows(&repository.project, "out/mine", "eval")].concat();
    let (right, stubborn) = (knowing(all, 0), stubborn());
    let table = |name: &str, server: &Server| {
        format!("[model.{name}]\nurl = \"http://127.0.0.1:{}/v1\"\nmodel = \"m\"\n", server.port)
    };
    let tables = [table("right", &right), table("stubborn", &stubborn)].concat();
    repository.project.write("models.toml", tables);
    repository.commit();
    let model = |name| ("STORYMILL_MODEL", name);
    let smoke = ("STORYMILL_SMOKE", "yes");
    repository.checked(&[model("right"), smoke], 0, &["passed: smoke"]);
    let said = ["not passed: smoke", "does not pass the gate of the evaluation (smoke)"];
    repository.checked(&[model("stubborn"), smoke], 1, &said);
    // Three books are too few for an interval.
    let below = ("STORYMILL_FAIL_BELOW", "0.1");
    let said = ["has no interval", "does not pass the gate of the evaluation (score)"];
    repository.checked(&[model("right"), below], 1, &said);
    repository.checked(&[model("nobody"), smoke], 1, &["ended with exit code 4"]);
    repository.checked(&[smoke], 2, &["need STORYMILL_MODEL"]);
}

#[test]
fn hostile_names_are_only_names() {
    // git refuses blanks and newlines in the names of branches, and takes all of this.
    let branch = "x;$(touch${IFS}pwned)`touch${IFS}pwned`'\"|&";
    let Some(repository) = Repository::new(branch) else { return };
    let project = &repository.project;
    let title = "title = \"::error::pwned\\n::set-output name=a::b\\n```\\n$(touch pwned) `touch pwned` <img src=x> @everyone\"";
    project.workflow(&[("title = \"Mine\"", title)]);
    let workflow = "-my $(touch pwned)\n\"'.toml";
    project.write(workflow, project.read("my.toml"));
    repository.lock(workflow);
    let lock = "a 'lock' \"$(touch pwned)\"\nof.mine";
    project.write(lock, project.read("dataset.lock"));
    let page = project.read("books/one.html");
    let text = page.replacen("shillings", "``` ::error::pwned <script>$(touch pwned)</script>", 1);
    project.write("books/one.html", text);
    repository.commit();
    let named = [("STORYMILL_WORKFLOW", workflow), ("STORYMILL_LOCK", lock)];
    repository.checked(&named, 1, &["out of date", "this is the first version"]);
    repository.git(&["branch", "-f", "main", "HEAD~1"]);
    let base = [("STORYMILL_WORKFLOW", workflow), ("STORYMILL_BASE", branch)];
    repository.lock(workflow);
    repository.commit();
    repository.checked(&base, 0, &["the same rows"]);
    let runner = [("STORYMILL_WORKFLOW", workflow), ("GITHUB_ACTIONS", "true")];
    let said = repository.checked(&runner, 0, &["Rows could not be compared"]);
    let mut stopped: Option<&str> = None;
    for line in said.lines().map(str::trim_start) {
        if let Some(token) = line.strip_prefix("::stop-commands::") {
            stopped = Some(token);
        } else if stopped.is_some_and(|token| line == format!("::{token}::")) {
            stopped = None;
        } else if stopped.is_none() {
            assert!(!line.starts_with("::") && !line.contains("##["), "obeyed: {line}\n{said}");
        }
    }
    assert!(!project.path("pwned").exists() && !project.path("report/pwned").exists());
    // In Markdown a fence is longer than any in the text.
    let told = project.read("summary.md");
    let mut fence: Option<&str> = None;
    for line in told.lines() {
        match fence {
            Some(open) if line == open => fence = None,
            Some(_) => {}
            None if line.starts_with("```") => fence = Some(line.trim_end_matches("text")),
            None => assert!(!line.contains("pwned") && !line.contains("<script"), "{line}\n{told}"),
        }
    }
    assert_eq!(fence, None, "{told}");
}

#[test]
fn what_cannot_be_checked_says_why() {
    let Some(repository) = Repository::new("branch") else { return };
    let cannot = |name: &str, value: &str, says: &str| {
        repository.checked(&[(name, value)], 2, &[says]);
    };
    cannot("STORYMILL_BASE", "--help", "is not a revision here");
    cannot("STORYMILL_BASE", "", "names no revision");
    cannot("STORYMILL_BIN", "/nowhere/storymill", "storymill is not here");
    cannot("STORYMILL_DIR", "nowhere", "is not a folder");
    cannot("STORYMILL_FAIL_ON", "never", "gates, breaking or differs");
    let asks = [("[stage.summaries.extract]", "[stage.summaries.summarize]")];
    let model = "[model.default]\nurl = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\n\n[publish]";
    repository.project.workflow(&[asks[0], ("[publish]", model)]);
    repository.checked(&[], 1, &["Answers are missing", "answers pack"]);
    // The name of a dataset names a folder; others never get past the workflow.
    for name in ["name = 1", "name = \"$(touch pwned)\"", "name = \"a\\n::error::pwned\""] {
        repository.project.workflow(&[("name = \"mine\"", name)]);
        repository.checked(&[], 1, &["The workflow has mistakes"]);
    }
    assert!(!repository.project.path("pwned").exists());
    repository.project.workflow(&[]);
    std::fs::remove_file(repository.project.path("dataset.lock")).unwrap();
    repository.checked(&[], 1, &["There is no committed lock"]);
}

/// The lines of a workflow file with how far each is indented, comments left out.
fn lines(text: &str) -> Vec<(usize, &str)> {
    let lines = text.lines().map(|line| (line.len() - line.trim_start().len(), line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).collect()
}

/// What breaks the rules of a workflow file that strangers' changes run through.
fn broken_rules(text: &str) -> Vec<String> {
    let mut broken = Vec::new();
    let mut block: Option<usize> = None;
    for (indent, line) in lines(text) {
        if block.is_some_and(|of| indent <= of) {
            block = None;
        }
        let key = line.trim_start_matches("- ");
        if key.starts_with("run:") {
            block = Some(indent + line.len() - key.len());
        }
        if line.contains("pull_request_target") || line.contains("workflow_run") {
            broken.push(format!("a trigger with secrets: {line}"));
        }
        if line.contains("${{") && (block.is_some() || key.starts_with("shell:")) {
            broken.push(format!("an expression in a shell: {line}"));
        }
        if line.contains("secrets.") || line.contains(": write") {
            broken.push(format!("more than reading: {line}"));
        }
        if let Some(action) = key.strip_prefix("uses:") {
            let action = action.split(" #").next().unwrap_or_default().trim();
            let ours = action == "OWNER/storymill/integrations/github-action@COMMIT";
            let pin = action.split_once('@').map(|(_, pin)| pin).unwrap_or_default();
            let pinned = pin.len() == 40 && pin.bytes().all(|byte| byte.is_ascii_hexdigit());
            if !ours && !pinned {
                broken.push(format!("not pinned by a full commit: {line}"));
            }
        }
    }
    broken
}

#[test]
fn workflow_files_keep_their_rules() {
    let folder = top().join("integrations/github-action");
    for name in ["action.yml", "example.yml"] {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(broken_rules(&text), Vec::<String>::new(), "{name}");
    }
    // GitLab's recipe runs the same check, of a commit that is named in full.
    let gitlab = top().join("integrations/gitlab/dataset.yml");
    let gitlab = std::fs::read_to_string(gitlab).unwrap();
    assert_eq!(broken_rules(&gitlab), Vec::<String>::new());
    let check = "bash /opt/storymill/integrations/github-action/check.sh";
    assert!(lines(&gitlab).iter().any(|(_, line)| line.ends_with(check)));
    let example = std::fs::read_to_string(folder.join("example.yml")).unwrap();
    let all = lines(&example);
    let after = |key: &str| {
        let at = all.iter().position(|line| *line == (0, key)).unwrap();
        let inner = all[at + 1..].iter().take_while(|(indent, _)| *indent > 0);
        inner.map(|(_, line)| *line).collect::<Vec<_>>()
    };
    assert_eq!(after("on:"), ["pull_request:"]);
    assert_eq!(after("permissions:"), ["contents: read"]);
    // Who publishes may ask for a token in one job, which runs nothing of the repository, and at a tag alone.
    let publish = std::fs::read_to_string(folder.join("publish.yml")).unwrap();
    assert_eq!(broken_rules(&publish), ["more than reading: id-token: write"]);
    let all = lines(&publish);
    let place = |line: &str| all.iter().position(|(_, known)| *known == line).unwrap();
    assert_eq!(all[place("on:") + 1..place("permissions:")], [(2, "push:"), (4, "tags: [\"v*\"]")]);
    let uploading = place("upload:");
    assert!(uploading < place("id-token: write"));
    assert!(!all[uploading..].iter().any(|(_, line)| line.contains("actions/checkout")));
    // The rules see what they are for.
    for bad in [
        "on:\n  pull_request_target:\n",
        "    - run: echo ${{ github.head_ref }}\n",
        "    - run: |\n        echo a\n        echo \"${{ inputs.base }}\"\n",
        "    - name: a\n      run: |\n        echo ${{ inputs.base }}\n",
        "      - uses: actions/checkout@v4\n",
        "      - uses: actions/checkout@11bd719 # v4.2.2\n",
        "permissions:\n  contents: write\n",
    ] {
        assert_eq!(broken_rules(bad).len(), 1, "{bad}");
    }
    let fine =
        "    - run: |\n        echo \"$BASE\"\n      env:\n        BASE: ${{ inputs.base }}\n";
    assert_eq!(broken_rules(fine), Vec::<String>::new());
}
