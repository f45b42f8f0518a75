//! Releases: what is refused and why, what is written, and that nothing is ever written over.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::Value;

use crate::project::{Project, full};

const NAMED: (&str, &str) = (
    "license = ",
    "authors = [\"Brook, Ann\", \"The Mill Project\"]\nurl = \"https://example.org/mine\"\naudit.with_book = 1.0\nlicense = ",
);
const FIRST: &str = "# Changes\n\n## 1.0.0 (2026-02-28)\n\n- The first version.\n";

/// Two books, built; a changelog beside the workflow.
fn project() -> Project {
    let project = Project::new();
    project.book("one", 2).book("two", 1).workflow(&[NAMED]).write("CHANGELOG.md", FIRST);
    project.run(&["build", "my.toml"]).exits(0);
    project
}

/// A project with its first release.
fn released() -> Project {
    let project = project();
    project.run(&["release", "my.toml", "--first"]).exits(0).says("the first release");
    project
}

/// Every file below a folder with its bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Version 1.1.0, with a book more.
fn grown(project: &Project) {
    project.book("three", 1).workflow(&[
        NAMED,
        ("version = \"1.0.0\"", "version = \"1.1.0\"\nbase = \"releases/mine-1.0.0.lock\""),
    ]);
    project.write("CHANGELOG.md", format!("## 1.1.0 (2026-03-01)\n- Book three.\n\n{FIRST}"));
    project.run(&["build", "my.toml"]).exits(0);
}

#[test]
fn a_first_release_has_all_that_it_should() {
    let project = released();
    let folder = "releases/mine-1.0.0";
    let names: Vec<_> = files(&project.path(folder)).into_keys().collect();
    for name in [
        ".gitattributes",
        "CHANGELOG.md",
        "CITATION.cff",
        "ERRATA.csv",
        "README.md",
        "croissant.json",
        "eval.yaml",
        "prompts/train-00000-of-00001.parquet",
        "dataset.lock",
        "demand.svg",
        "manifest.json",
    ] {
        assert!(names.iter().any(|own| own == name), "{name} in {names:?}");
    }
    project.run(&["verify", folder]).exits(0);
    let again = project.run(&["verify", folder, "--rebuild", "my.toml"]).exits(0);
    drop(again.says("built again, byte for byte: the same"));
    let manifest: Value = serde_json::from_str(&project.manifest(folder)).unwrap();
    assert_eq!(manifest["release"]["date"], "2026-02-28");
    // Every file but the manifest is listed, so that `verify` sees each.
    let listed = manifest["files"].as_array().unwrap().len()
        + manifest["figures"].as_array().unwrap().len()
        + manifest["release"]["documents"].as_array().unwrap().len()
        + 2;
    assert_eq!(listed + 1, names.len());
    // Rows are those of the build, byte for byte.
    let built = files(&project.path("out/mine"));
    let own = files(&project.path(folder));
    let made_anew = ["manifest.json", "README.md"];
    for (name, bytes) in built.iter().filter(|(name, _)| !made_anew.contains(&&***name)) {
        assert_eq!(own.get(name), Some(bytes), "{name}");
    }
    // The card has the whole prompts among its configs, and else the same lines.
    let (old, new) =
        (project.read("out/mine/README.md"), project.read(&format!("{folder}/README.md")));
    let config = "- config_name: \"prompts\"\n  data_files:\n  - split: \"train\"\n    path: \"prompts/train-*.parquet\"\n";
    assert_eq!(new.replacen(config, "", 1), old);
    assert_ne!(new, old);
    let lock = project.read("releases/mine-1.0.0.lock");
    assert_eq!(lock, project.read(&format!("{folder}/dataset.lock")));
    assert!(project.read("releases/.gitignore").contains("/*/"));

    let citation = project.read(&format!("{folder}/CITATION.cff"));
    for line in [
        "cff-version: 1.2.0",
        "date-released: \"2026-02-28\"",
        "  - family-names: \"Brook\"\n    given-names: \"Ann\"",
        "  - name: \"The Mill Project\"",
        "license: \"CC-BY-4.0\"",
    ] {
        assert!(citation.contains(line), "{line}\n{citation}");
    }
    let croissant: Value =
        serde_json::from_str(&project.read(&format!("{folder}/croissant.json"))).unwrap();
    assert_eq!(croissant["conformsTo"], "http://mlcommons.org/croissant/1.1");
    for field in ["dataCollection", "dataAnnotationProtocol", "dataBiases", "dataLimitations"] {
        assert!(!croissant[format!("rai:{field}")].is_null(), "{field}");
    }
    let tables = manifest["files"].as_array().unwrap();
    for file in tables {
        let own = croissant["distribution"].as_array().unwrap().iter();
        let own: Vec<_> = own.filter(|one| one["contentUrl"] == file["path"]).collect();
        assert_eq!(own.len(), 1);
        assert_eq!(own[0]["sha256"], file["sha256"]);
    }
}

#[test]
fn what_is_missing_is_told_all_at_once_and_nothing_is_written() {
    let project = Project::new();
    project.book("one", 2).workflow(&[]);
    project.run(&["release", "my.toml", "--first"]).exits(4).says("storymill build my.toml");
    project.run(&["build", "my.toml"]).exits(0);
    let ran = project.run(&["release", "my.toml"]).exits(12).says("mine 1.0.0 was not released");
    let ran = ran.says("no release before is at hand").says("no `authors` are named");
    ran.says("no `url` says").says("the changelog has no heading for 1.0.0");
    assert!(!project.path("releases").exists());

    project.workflow(&[NAMED]).write("CHANGELOG.md", "## 1.0.0\n- x\n");
    // The words on the dataset are in the lock, so the folder is no longer this workflow's.
    project.run(&["release", "my.toml", "--first"]).exits(6).says("as it is now");
    project.run(&["build", "my.toml"]).exits(0);
    project.run(&["release", "my.toml", "--first"]).exits(12).says("names no day");
    project.write("CHANGELOG.md", "## 1.0.0 (2026-13-01)\n- x\n");
    project.run(&["release", "my.toml", "--first"]).exits(12).says("names no day");
    project.write("CHANGELOG.md", "## 1.0.0 (2026-12-01)\n\n## 0.9.0 (2026-01-01)\n- x\n");
    project.run(&["release", "my.toml", "--first"]).exits(12).says("says nothing");
    project.write("CHANGELOG.md", FIRST).write("ERRATA.csv", "id,version,reason\none,1.0.0,typo\n");
    project.run(&["release", "my.toml", "--first"]).exits(12).says("neither gone nor changed");
    project.write("ERRATA.csv", "what,why\n");
    project.run(&["release", "my.toml", "--first"]).exits(4).says("id,version,reason");
    fs::remove_file(project.path("ERRATA.csv")).unwrap();
    project.run(&["release", "my.toml", "--first", "--dry-run"]).exits(0).says("can be released");
    assert!(!project.path("releases").exists());
    project.run(&["release", "out/mine", "--first"]).exits(0);
}

#[test]
fn a_release_is_never_written_over() {
    let project = released();
    let before = files(&project.path("releases"));
    project.run(&["release", "my.toml"]).exits(9).says("released before");
    project
        .run(&["release", "releases/mine-1.0.0", "--releases", "more"])
        .exits(4)
        .says("a release already");
    // A build into it.
    project
        .run(&["build", "my.toml", "--out", "releases/mine-1.0.0"])
        .exits(9)
        .says("never changed");
    // The folder is elsewhere by now, and its lock tells that this version is taken.
    fs::rename(project.path("releases/mine-1.0.0"), project.path("moved")).unwrap();
    project.workflow(&[NAMED, ("seed = 7", "seed = 8")]);
    project.run(&["build", "my.toml"]).exits(0);
    project.run(&["release", "my.toml"]).exits(12).says("at least 1.0.1; this is 1.0.0");
    let again = ["release", "my.toml", "--previous", "moved"];
    project.run(&again).exits(12).says("at least 2.0.0; this is 1.0.0");
    fs::rename(project.path("moved"), project.path("releases/mine-1.0.0")).unwrap();
    assert_eq!(files(&project.path("releases")), before);
}

#[test]
fn a_book_more_is_a_minor_version_and_needs_no_errata() {
    let project = released();
    grown(&project);
    project.run(&["diff", "releases/mine-1.0.0", "out/mine"]).exits(10).says("a minor step");
    let ran = project.run(&["release", "my.toml", "--dry-run", "--format", "json"]).exits(0).out();
    let told: Value = serde_json::from_str(&ran).unwrap();
    assert_eq!((&told["previous"], &told["withdrawn"]), (&"1.0.0".into(), &0.into()));

    // With the lock alone: only added rows, so nothing more is needed.
    fs::rename(project.path("releases/mine-1.0.0"), project.path("moved")).unwrap();
    project.run(&["release", "my.toml", "--dry-run"]).exits(0).says("after 1.0.0");
    fs::rename(project.path("moved"), project.path("releases/mine-1.0.0")).unwrap();

    // A day before the last release's: a clock that went backwards, or a slip.
    let log = project.read("CHANGELOG.md");
    project.write("CHANGELOG.md", log.replace("2026-03-01", "2025-03-01"));
    project.run(&["release", "my.toml"]).exits(12).says("dates it 2025-03-01, before 1.0.0");
    project.write("CHANGELOG.md", log);
    project.run(&["release", "my.toml", "--first"]).exits(12).says("1.0.0 was released already");
    project.run(&["release", "my.toml"]).exits(0).says("mine 1.1.0 is released, after 1.0.0");
    project.run(&["verify", "releases/mine-1.1.0"]).exits(0);
    project.run(&["verify", "releases/mine-1.0.0"]).exits(0);
}

#[test]
fn every_changed_id_needs_an_erratum() {
    let project = released();
    let page = project.read("books/two.html");
    let (old, new) = ("the town", "the city");
    assert!(page.contains(old));
    project.write("books/two.html", page.replacen(old, new, 1));
    let version = |version: &str| {
        let line = format!("version = \"{version}\"\nbase = \"releases/mine-1.0.0.lock\"");
        project.workflow(&[NAMED, ("version = \"1.0.0\"", &line)]);
        let log = format!("## {version} (2026-03-01)\n- A word of book two.\n\n{FIRST}");
        project.write("CHANGELOG.md", log);
        project.run(&["build", "my.toml"]).exits(0);
    };
    version("1.0.1");
    let diff = project.run(&["diff", "releases/mine-1.0.0", "out/mine", "--format", "json"]).out();
    let diff: Value = serde_json::from_str(&diff).unwrap();
    let least = diff["least_version"].as_str().unwrap().to_owned();
    if least != "1.0.1" {
        project
            .run(&["release", "my.toml"])
            .exits(12)
            .says(&format!("at least {least}; this is 1.0.1"));
        version(&least);
    }
    let draft = ["release", "my.toml", "--draft-errata", "draft.csv"];
    project.run(&draft).exits(12).says("has no row for");
    project.run(&draft).exits(4).says("left as it is");
    let rows = project.read("draft.csv");
    assert_eq!(rows, format!("id,version,reason\ntwo/*,{least},\n"), "one row for all of a book");
    // A draft is no list of errata.
    project.write("ERRATA.csv", &rows);
    project.run(&["release", "my.toml"]).exits(4).says("has no reason");
    let errata = rows.replace(",\n", ",\"one word, put right\"\n");
    project.write("ERRATA.csv", format!("{errata}two/*,{least},twice\n"));
    project.run(&["release", "my.toml"]).exits(4).says("are both of `two/*`");
    for (row, says) in [("one/*", "mistyped"), ("two", "has no row for")] {
        project.write("ERRATA.csv", format!("id,version,reason\n{row},{least},x\n"));
        project.run(&["release", "my.toml"]).exits(12).says(says);
    }
    project.write("ERRATA.csv", format!("id,version,reason\n*,{least},one word for all\n"));
    project.run(&["release", "my.toml", "--dry-run"]).exits(0);
    project.write("ERRATA.csv", format!("{errata}nobody,{least},x\n"));
    project.run(&["release", "my.toml"]).exits(12).says("mistyped").says("nobody");
    // The lock alone cannot tell the ids.
    fs::rename(project.path("releases/mine-1.0.0"), project.path("moved")).unwrap();
    project.run(&["release", "my.toml"]).exits(12).says("--previous DIR");
    project.write("ERRATA.csv", &errata);
    project.run(&["release", "my.toml", "--previous", "moved"]).exits(0);
    let told = project.read(&format!("releases/mine-{least}/ERRATA.csv"));
    assert_eq!(told, errata);
    // The next release keeps them.
    project.write("ERRATA.csv", "id,version,reason\n");
    let line = format!("version = \"9.0.0\"\nbase = \"releases/mine-{least}.lock\"");
    project.workflow(&[NAMED, ("version = \"1.0.0\"", &line)]);
    project.write("CHANGELOG.md", format!("## 9.0.0 (2026-04-01)\n- Nothing.\n\n{FIRST}"));
    project.run(&["build", "my.toml"]).exits(0);
    project.run(&["release", "my.toml"]).exits(12).says("lacks rows").says("two/* in");
}

#[test]
fn a_damaged_folder_is_not_released_and_a_damaged_release_is_no_base() {
    let project = project();
    let table = project.path("out/mine/scenes/train-00000-of-00001.parquet");
    let bytes = fs::read(&table).unwrap();
    fs::write(&table, &bytes[..bytes.len() / 2]).unwrap();
    project.run(&["release", "out/mine", "--first"]).exits(12).says("cut short");
    fs::write(&table, &bytes).unwrap();
    let stranger = project.path("out/mine/scenes/stranger.parquet");
    fs::copy(&table, &stranger).unwrap();
    project.run(&["release", "out/mine", "--first"]).exits(12).says("stranger.parquet");
    fs::remove_file(stranger).unwrap();
    project.run(&["release", "out/mine", "--first"]).exits(0);
    grown(&project);
    project.write("releases/mine-1.0.0/ERRATA.csv", "id,version,reason\none,1.0.0,x\n");
    project.run(&["release", "my.toml"]).exits(12).says("the release before is damaged");
}

#[test]
fn the_same_release_has_the_same_bytes_wherever_it_is_made() {
    let one = released();
    let other = released();
    assert_eq!(files(&one.path("releases")), files(&other.path("releases")));
}

#[test]
fn a_release_that_is_cut_off_leaves_nothing_half() {
    let project = project();
    // What a killed run leaves: some files under a name that nobody reads.
    project.write("releases/.mine-1.0.0.tmp/scenes/half.parquet", "half");
    project.run(&["release", "my.toml", "--first"]).exits(0);
    project.run(&["verify", "releases/mine-1.0.0"]).exits(0);
    assert!(!project.path("releases/mine-1.0.0/scenes/half.parquet").exists());
    assert!(!project.path("releases/.mine-1.0.0.tmp").exists());
}

/// Built on two machines that agree on nothing but the inputs.
#[test]
fn a_frozen_build_has_the_same_bytes_in_any_folder_zone_and_language() {
    let workflow = crate::project::top().join("workflows/stories.toml").display().to_string();
    let places = [("UTC", "C"), ("Asia/Kathmandu", "tr_TR.UTF-8")];
    let mut built = Vec::new();
    for ((zone, language), threads) in places.into_iter().zip(["1", "2"]) {
        let project = Project::new();
        let out = if full() { "a/very long name/out" } else { "out" };
        let build = ["build", &workflow, "--frozen", "--threads", threads, "--out", out];
        let mut command = project.command(&build);
        command.env("TZ", zone).env("LC_ALL", language).env("LANG", language);
        let ran = command.output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        built.push(files(&project.path(out)));
    }
    assert!(built[0].len() > 10);
    assert_eq!(built[0], built[1]);
}

/// The rule of docs/versioning.md: whatever was released can be read for good. A release of each form
/// is kept as it was written.
#[test]
fn what_was_released_can_be_read() {
    let forms = crate::project::top().join("tests/releases");
    let mut forms: Vec<_> = fs::read_dir(forms).unwrap().map(|one| one.unwrap().path()).collect();
    forms.sort();
    assert!(!forms.is_empty());
    for form in &forms {
        let project = Project::new();
        let mut archive = zip::ZipArchive::new(fs::File::open(form).unwrap()).unwrap();
        archive.extract(project.path("old")).unwrap();
        project.run(&["verify", "old"]).exits(0);
        project.run(&["verify", "old", "--rows"]).exits(0);
        project.run(&["inspect", "old"]).exits(0).says("A question of");
        project.run(&["inspect", "old", "-n", "1"]).exits(0).says("question_id");
        project.run(&["diff", "old", "old"]).exits(0);
        let told = ["inspect", "old", "--config", "read-along", "--format", "json"];
        let told: Value = serde_json::from_str(&project.run(&told).exits(0).out()).unwrap();
        let question = first_of(&told, "question_id").unwrap();
        project.run(&["inspect", "old", question]).exits(0).says("CHAPTER 1");
        // Texts are found where those columns have them: by the audit, by exams, on pages.
        let audit = project.run(&["audit", "old"]).exits(0).out();
        let searched = audit.lines().find(|line| line.starts_with("strings ")).unwrap();
        assert!(!searched.contains("undefined"), "{searched}");
        project.run(&["evaluate", "old", "--baselines"]).exits(0).says("baseline:first");
        project.run(&["view", "old", "--html", "pages"]).exits(0);
        let pages = fs::read_dir(project.path("pages")).unwrap();
        let pages: Vec<_> =
            pages.map(|page| fs::read_to_string(page.unwrap().path()).unwrap()).collect();
        assert!(pages.iter().any(|page| page.contains("asked here") || page.contains("evidence")));
        assert!(pages.iter().all(|page| !page.contains("is not published here")));
        // A version grows from it, and is held against it.
        let base = "version = \"9.0.0\"\nbase = \"old/dataset.lock\"";
        project.book("one", 1).workflow(&[NAMED, ("version = \"1.0.0\"", base)]);
        project.run(&["build", "my.toml"]).exits(0);
        let ran = project.run(&["release", "my.toml", "--previous", "old"]).exits(12);
        ran.says("CHANGELOG.md").says("has no row for");
    }
}

/// The first text under a key, wherever it stands.
fn first_of<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    match value {
        Value::Object(fields) => fields
            .get(key)
            .and_then(Value::as_str)
            .or_else(|| fields.values().find_map(|own| first_of(own, key))),
        Value::Array(values) => values.iter().find_map(|own| first_of(own, key)),
        _ => None,
    }
}
