//! What the project weighs, against the upper bounds of `tests/weight.toml`: they only fall.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use crate::{
    architecture::tree,
    project::{Project, top},
};

/// The packages that others wrote, `name v1.2.3` each.
fn of_others(arguments: &[&str]) -> BTreeSet<String> {
    let name_and_version = |line: &String| {
        let words: Vec<_> = line.split_whitespace().take(2).collect();
        words.join(" ")
    };
    let all = tree(&[&["--format", "{p}"], arguments].concat());
    all.iter().map(name_and_version).filter(|one| !one.starts_with("storymill")).collect()
}

/// Names that several of these versions share.
fn twice(packages: &BTreeSet<String>) -> usize {
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for package in packages {
        *names.entry(package.split(' ').next().unwrap()).or_default() += 1;
    }
    names.values().filter(|count| **count > 1).count()
}

/// The files in a folder and the folders in it.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files
}

/// Lines of code of a file: no blanks, no comments, nothing from `#[cfg(test)]` above a module on.
fn code_lines(path: &Path) -> u64 {
    let text = fs::read_to_string(path).unwrap();
    let is_code = |line: &&str| !line.is_empty() && !line.starts_with("//");
    let lines = text.lines().map(str::trim).collect::<Vec<_>>();
    let tests = lines.windows(2).position(|two| {
        two[0].starts_with("#[cfg(") && two[0].contains("test") && two[1].starts_with("mod ")
    });
    lines[..tests.unwrap_or(lines.len())].iter().filter(|line| is_code(line)).count() as u64
}

/// The lines of code of each crate, tests left out.
fn code() -> BTreeMap<String, u64> {
    let mut crates: BTreeMap<String, u64> = BTreeMap::new();
    for path in files_below(&top().join("crates")) {
        let inside = path.strip_prefix(top().join("crates")).unwrap();
        let name = inside.iter().next().unwrap().to_str().unwrap().to_owned();
        let parts: Vec<_> = inside.iter().map(|part| part.to_str().unwrap()).collect();
        let is_test = parts[1..].iter().any(|part| {
            let stem = part.trim_end_matches(".rs");
            matches!(stem, "tests" | "test" | "benches") || stem.ends_with("_tests")
        });
        if path.extension().is_some_and(|end| end == "rs") && !is_test {
            *crates.entry(name).or_default() += code_lines(&path);
        }
    }
    crates
}

/// Options of all commands, by their help; those that every command has, and those that mean the same in each of several
/// (`storymill explain options`), are counted once.
fn flags() -> usize {
    let page = fs::read_to_string(top().join("docs/cli.md")).unwrap();
    // A line has a command and those below it, each in marks; behind them, an example.
    let lines = page.lines().filter(|line| line.starts_with("- `"));
    let marked = lines.flat_map(|line| line.split('`').skip(1).step_by(2));
    let commands = marked.filter(|words| !words.starts_with("storymill "));
    let project = Project::new();
    let mut seen = BTreeSet::new();
    let page = project.run(&["explain", "options"]).exits(0).out();
    let shared = page.lines().filter_map(|line| line.split_whitespace().next());
    let shared: BTreeSet<String> =
        shared.filter(|word| word.starts_with("--")).map(ToOwned::to_owned).collect();
    assert!(shared.len() > 10, "{page}");
    for command in commands {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        for line in project.run(&words).exits(0).out().lines() {
            let option = line.split_whitespace().take(2).find(|word| word.starts_with("--"));
            if let Some(option) = option.filter(|_| line.starts_with(' ')) {
                let option = option.trim_end_matches(',').split(['=', '[']).next().unwrap();
                let everywhere = matches!(option, "--help" | "--color" | "--version")
                    || matches!(command, "build" | "evaluate") && shared.contains(option);
                seen.insert((if everywhere { "" } else { command }.to_owned(), option.to_owned()));
            }
        }
    }
    seen.extend(shared.into_iter().map(|option| (String::new(), option)));
    seen.len()
}

fn words() -> usize {
    let pages = files_below(&top().join("docs"));
    let pages = pages.iter().filter(|path| path.extension().is_some_and(|end| end == "md"));
    pages.map(|path| fs::read_to_string(path).unwrap().split_whitespace().count()).sum()
}

#[test]
fn nothing_grows_past_its_bound() {
    let bounds: toml::Table =
        fs::read_to_string(top().join("tests/weight.toml")).unwrap().parse().unwrap();
    let program = of_others(&["-p", "storymill-cli", "-e", "normal"]);
    let tests = of_others(&["--workspace", "-e", "normal,build,dev"]);
    let mut found = BTreeMap::from([
        ("crates.program".to_owned(), program.len() as u64),
        ("crates.with_tests".to_owned(), tests.len() as u64),
        ("crates.several_versions".to_owned(), twice(&program) as u64),
        ("crates.ours".to_owned(), code().len() as u64),
        ("flags.all".to_owned(), flags() as u64),
        ("docs.words".to_owned(), words() as u64),
    ]);
    // The program of README's first command; debug builds and more features make others.
    if !cfg!(debug_assertions) && !cfg!(feature = "private") {
        let program = fs::metadata(env!("CARGO_BIN_EXE_storymill")).unwrap();
        found.insert("program.megabytes".to_owned(), program.len() / 1_000_000);
    }
    found.extend(code().into_iter().map(|(name, lines)| (format!("code.{name}"), lines)));
    found.insert("code.all".to_owned(), code().values().sum());
    let mut wrong = Vec::new();
    for (what, found) in &found {
        let (table, key) = what.split_once('.').unwrap();
        let bound = bounds[table].get(key).and_then(toml::Value::as_integer);
        println!("{what} = {found}");
        match bound.map(|bound| u64::try_from(bound).unwrap()) {
            None => wrong.push(format!("`{what}` has no bound; it is {found}")),
            Some(bound) if *found > bound => {
                wrong.push(format!("`{what}` is {found}, past {bound}"))
            }
            Some(bound) if found * 50 < bound * 49 => {
                println!("lower the bound of `{what}`, {bound}")
            }
            Some(_) => {}
        }
    }
    assert!(wrong.is_empty(), "tests/weight.toml:\n{}", wrong.join("\n"));
}
