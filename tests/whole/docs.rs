//! The documentation holds together: links lead somewhere, every page is in the book, what it shows to type runs.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use crate::{
    models::Server,
    project::{Project, Ran, full, top},
};

/// Markdown files of the repository that people read: the first pages, and all below these folders.
fn pages() -> Vec<PathBuf> {
    let first = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];
    let mut found: Vec<PathBuf> = first.iter().map(|name| top().join(name)).collect();
    let mut folders: Vec<PathBuf> =
        ["docs", "data", "integrations"].iter().map(|name| top().join(name)).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The lines of a page that are no code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fence && !fenced
    })
}

/// What a page links to, outside of code.
fn links(text: &str) -> Vec<String> {
    let prose: Vec<&str> = prose(text).collect();
    let prose = prose.join("\n");
    let plain: String = prose.split('`').step_by(2).collect();
    let targets = plain.split("](").skip(1);
    targets.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())).collect()
}

/// The anchors of a page's headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let headings = prose(text).filter(|line| line.starts_with('#'));
    let slug = |line: &str| -> String {
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    let mut found = BTreeSet::new();
    for slug in headings.map(slug) {
        let times = seen.entry(slug.clone()).or_default();
        found.insert(if *times == 0 { slug } else { format!("{slug}-{times}") });
        *times += 1;
    }
    found
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let (mut checked, mut dead) = (0, Vec::new());
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for link in links(&text).iter().filter(|link| !link.contains("://")) {
            checked += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target =
                if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            let headed =
                || fs::read_to_string(&target).is_ok_and(|text| anchors(&text).contains(anchor));
            // The book has no page for what lies outside of it.
            let outside = target.canonicalize().is_ok_and(|to| !to.starts_with(top().join("docs")))
                && page.starts_with(top().join("docs"));
            if !target.exists() || outside || !(anchor.is_empty() || headed()) {
                dead.push(format!("{}: {link}", page.strip_prefix(top()).unwrap().display()));
            }
        }
    }
    assert!(dead.is_empty(), "links that lead nowhere:\n{}", dead.join("\n"));
    assert!(checked > 300, "{checked}");
}

#[test]
fn every_page_stands_in_the_contents_once() {
    let docs = top().join("docs");
    let contents = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let mut listed: Vec<PathBuf> = links(&contents).iter().map(|link| docs.join(link)).collect();
    listed.sort();
    let of_book = |page: &PathBuf| page.starts_with(&docs) && !page.ends_with("SUMMARY.md");
    let pages: Vec<PathBuf> = pages().into_iter().filter(of_book).collect();
    assert_eq!(listed, pages);
}

/// The book as mdBook makes it, where that is installed.
#[test]
fn the_book_is_built_without_a_warning() {
    if !full() {
        return;
    }
    let made = tempfile::tempdir().unwrap();
    let mut build = Command::new("mdbook");
    build.args(["build", "--dest-dir"]).arg(made.path()).arg(top().join("docs"));
    let Ok(output) = build.output() else {
        println!("skip: the book: mdbook is not installed");
        return;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !said.contains("WARN"), "{said}");
    assert!(made.path().join("tutorial.html").exists());
}

/// The fenced blocks of a page in this language, in order.
fn blocks(page: &Path, language: &str) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let fence = format!("```{language}\n");
    let blocks = text.split(&fence).skip(1);
    blocks.map(|rest| rest.split("\n```").next().unwrap().to_owned() + "\n").collect()
}

/// Types what a page shows, in one shell from first to last. What would leave this machine, open a browser or build the
/// program is only named: `cargo`, `hf`, `view`. An audit may end with 7, for a figure past its limit.
#[track_caller]
fn play(project: &Project, page: &str, changes: &[(&str, &str)]) -> Ran {
    let binary = env!("CARGO_BIN_EXE_storymill");
    let mut script = format!(
        "set -eu\nprogram='{binary}'\nstorymill() {{ if [ $1 = view ]; then return 0; fi; \"$program\" \"$@\" || {{ code=$?; [ \"$1 $code\" = 'audit 7' ] || return $code; }}; }}\n\
         cargo() {{ if [ \"$1 $2 $3\" = 'run --release --' ]; then shift 3; storymill \"$@\"; fi; }}\n\
         hf() {{ test \"$1\" = upload && test -d \"$3\"; }}\n"
    );
    let blocks = blocks(&top().join(page), "sh");
    assert!(blocks.len() > 2, "{page}");
    for block in blocks {
        script += &changes.iter().fold(block, |text, (old, new)| text.replace(old, new));
    }
    let mut played = Command::new("sh");
    played.args(["-c", &script]).current_dir(project.path("checkout"));
    played.env("HOME", project.path("")).env("STORYMILL_NO_PROGRESS", "1");
    played.env("GIT_CONFIG_GLOBAL", project.path("gitconfig")).stdin(std::process::Stdio::null());
    Ran::of(played)
}

/// A folder with a checkout in it, as far as the pages need one.
fn checkout() -> Project {
    let project = Project::new();
    fs::create_dir(project.path("checkout")).unwrap();
    for name in ["data", "workflows"] {
        std::os::unix::fs::symlink(top().join(name), project.path("checkout").join(name)).unwrap();
    }
    project
}

#[test]
fn the_tutorial_runs_from_its_first_line_to_its_last() {
    if !full() {
        return;
    }
    let server = Server::scripted(Duration::ZERO, |_, said| {
        let words = if said.contains("<given>") { "Somebody goes." } else { "So.\nAnswer: 2" };
        words.to_owned()
    });
    let project = checkout();
    project.write("gitconfig", "[user]\nname = Ann Brook\nemail = ann@example.org\n");
    let port = format!("127.0.0.1:{}", server.port);
    let ran = play(&project, "docs/tutorial.md", &[("127.0.0.1:8080", &port)]).exits(0);
    drop(ran);
    assert!(server.asked() > 10, "{}", server.asked());
    assert!(project.path("checkout/mill/releases/mill-1.1.0/manifest.json").exists());
}

#[test]
fn the_commands_of_the_readme_run() {
    let server = Server::scripted(Duration::ZERO, |_, _| "Answer: 2".to_owned());
    let project = checkout();
    for story in ["sm02.html", "sm04.html", "sm07.html"] {
        let to = format!("checkout/my-books/{story}");
        project.write(&to, fs::read(top().join("data/books").join(story)).unwrap());
    }
    let model = format!(
        "[model.small]\nurl = \"http://127.0.0.1:{}/v1\"\nmodel = \"small\"\n",
        server.port
    );
    project.write("checkout/models.toml", model);
    project.write("checkout/prices.toml", "[small]\ninput = 1.0\noutput = 1.0\n");
    let ran = play(&project, "README.md", &[]).exits(0);
    drop(ran.says("quickstart 0.1.0 is published").says("my 1.0.0 is published"));
    assert!(project.path("checkout/results/my-small/manifest.json").exists());
}

#[test]
fn the_recipes_for_providers_are_read() {
    let page = top().join("docs/providers.md");
    let recipes = blocks(&page, "toml");
    let models: Vec<_> = recipes
        .iter()
        .flat_map(|recipe| {
            storymill_llm::Described::parse(recipe, &storymill_llm::wire::Wires::default(), None)
                .unwrap()
                .model
                .into_values()
        })
        .collect();
    let hosts = ["openai.com", "anthropic.com", "openrouter.ai", ":8000", ":11434", ":8080"];
    for host in hosts {
        assert!(models.iter().any(|model| model.url.contains(host)), "{host}");
    }
    let dated = |model: &storymill_llm::ModelConfig| {
        let digits = |c: char| !c.is_ascii_digit();
        model.model.split(digits).any(|number| number.starts_with("20") && number.len() >= 4)
    };
    assert!(!models.iter().any(dated), "a model with a date is gone when the page is read");
    for prices in blocks(&page, "toml file=prices.toml") {
        let prices = storymill_llm::Prices::parse(&prices).unwrap();
        assert!(!prices.0.is_empty());
        for name in prices.0.keys() {
            let known = |model: &storymill_llm::ModelConfig| model.id() == name;
            assert!(models.iter().any(known), "`{name}` has a price and no recipe");
        }
    }
}
