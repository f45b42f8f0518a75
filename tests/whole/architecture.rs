//! What each room must not have, checked over the dependency tree and the sources.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

use crate::project::top;

/// Direct dependencies (not of tests) of each crate of the workspace.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(top())
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let name = |package: &serde_json::Value| package["name"].as_str().unwrap().to_owned();
    let normal = |package: &serde_json::Value| {
        let all = package["dependencies"].as_array().unwrap().iter();
        all.filter(|dependency| dependency["kind"].is_null()).map(name).collect()
    };
    packages.iter().map(|package| (name(package), normal(package))).collect()
}

#[test]
fn knowledge_points_one_way() {
    let allowed = BTreeMap::from([
        ("storymill-core", &[][..]),
        ("storymill-data", &[]),
        ("storymill-metrics", &[]),
        ("storymill-text", &["storymill-core"]),
        (
            "storymill-sources",
            &["storymill-core", "storymill-disk", "storymill-faithfulness", "storymill-text"],
        ),
        ("storymill-faithfulness", &["storymill-core", "storymill-metrics"]),
        ("storymill-mirror", &["storymill-core", "storymill-sources"]),
        (
            "storymill-mixing",
            &["storymill-core", "storymill-data", "storymill-metrics", "storymill-text"],
        ),
        (
            "storymill-transforms",
            &[
                "storymill-claims",
                "storymill-core",
                "storymill-data",
                "storymill-faithfulness",
                "storymill-metrics",
                "storymill-mixing",
                "storymill-names",
                "storymill-text",
            ],
        ),
        ("storymill-disk", &["storymill-core"]),
        ("storymill-bucket", &["storymill-core", "storymill-disk"]),
        ("storymill-pipeline", &["storymill-core", "storymill-disk"]),
        (
            "storymill-dataset",
            &[
                "storymill-core",
                "storymill-disk",
                "storymill-faithfulness",
                "storymill-metrics",
                "storymill-mixing",
                "storymill-report",
                "storymill-text",
            ],
        ),
        ("storymill-llm", &["storymill-core", "storymill-disk"]),
        (
            "storymill-names",
            &["storymill-core", "storymill-data", "storymill-metrics", "storymill-text"],
        ),
        ("storymill-shelf", &["storymill-core"]),
        (
            "storymill-claims",
            &[
                "storymill-core",
                "storymill-data",
                "storymill-faithfulness",
                "storymill-metrics",
                "storymill-text",
            ],
        ),
        ("storymill-report", &["storymill-core", "storymill-metrics"]),
        (
            "storymill-review",
            &["storymill-core", "storymill-faithfulness", "storymill-metrics", "storymill-text"],
        ),
        (
            "storymill-view",
            &["storymill-core", "storymill-dataset", "storymill-review", "storymill-text"],
        ),
    ]);
    // What knows everybody: the program, the same for Python, and what maintainers run by hand.
    let knows_all = ["storymill", "storymill-cli", "storymill-python", "storymill-xtask"];
    for (name, own) in dependencies() {
        if knows_all.contains(&name.as_str()) {
            continue;
        }
        let allowed = allowed.get(name.as_str());
        let allowed = allowed.unwrap_or_else(|| panic!("say here what {name} may know"));
        for dependency in own.iter().filter(|dependency| dependency.starts_with("storymill-")) {
            assert!(allowed.contains(&dependency.as_str()), "{name} must not know {dependency}");
        }
    }
}

#[test]
fn heavy_libraries_stay_in_their_rooms() {
    let only: [(&str, &[&str]); 19] = [
        ("object_store", &["storymill-bucket"]),
        ("backon", &["storymill-core"]),
        ("httpdate", &["storymill-core"]),
        ("age", &["storymill-shelf"]),
        ("ed25519", &["storymill-shelf"]),
        ("rustix", &["storymill-cli"]),
        ("arrow", &["storymill-dataset"]),
        ("parquet", &["storymill-dataset"]),
        ("reqwest", &["storymill-bucket", "storymill-llm", "storymill-mirror"]),
        ("tokio", &["storymill-bucket", "storymill-cli", "storymill-llm", "storymill-mirror"]),
        ("axum", &["storymill-cli"]),
        ("hyper", &["storymill-cli"]),
        ("rustls", &["storymill-bucket", "storymill-llm", "storymill-mirror"]),
        ("rten", &["storymill-names"]),
        ("rust-bert", &["storymill-names"]),
        ("tch", &["storymill-names"]),
        ("clap", &["storymill-cli", "storymill-xtask"]),
        ("miette", &["storymill-cli"]),
        ("indicatif", &["storymill-cli"]),
    ];
    for (name, own) in dependencies() {
        for dependency in own {
            for (library, rooms) in only {
                assert!(
                    !dependency.starts_with(library) || rooms.contains(&name.as_str()),
                    "{name} must not use {dependency}"
                );
            }
        }
    }
}

#[test]
fn sources_have_no_network_and_mirrors_no_clock() {
    for (room, network) in [("sources", &["reqwest", "tokio", "std::net"][..]), ("mirror", &[])] {
        let folder = top().join("crates").join(room).join("src");
        sources(&folder, &mut |path, text| {
            for absent in network.iter().chain(&["SystemTime", "Instant", "thread::sleep"]) {
                let used = text
                    .lines()
                    .any(|line| !line.trim_start().starts_with("//") && line.contains(absent));
                assert!(!used, "{} must not use {absent}", path.display());
            }
        });
    }
}

fn sources(folder: &Path, each: &mut impl FnMut(&Path, &str)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, each);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            each(&path, &fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn pure_rooms_touch_no_files_clock_or_threads() {
    for room in [
        "core",
        "text",
        "transforms",
        "metrics",
        "mixing",
        "names",
        "shelf",
        "claims",
        "faithfulness",
        "report",
        "review",
    ] {
        let folder = top().join("crates").join(room).join("src");
        sources(&folder, &mut |path, text| {
            // Tests may read golden data.
            if path.file_stem().unwrap().to_string_lossy().contains("test") {
                return;
            }
            let code = text.split("#[cfg(test)]").next().unwrap();
            for absent in [
                "std::fs",
                "std::net",
                "SystemTime::now",
                "Instant",
                "std::thread",
                "std::env",
                "rayon",
                "arrow_",
                "parquet::",
            ] {
                let used = code
                    .lines()
                    .any(|line| !line.trim_start().starts_with("//") && line.contains(absent));
                assert!(!used, "{} must not use {absent}", path.display());
            }
        });
    }
}

/// The lines of `cargo tree` over this checkout, one for each package.
pub fn tree(arguments: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--prefix", "none"])
        .args(arguments)
        .current_dir(top())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let crates = String::from_utf8(output.stdout).unwrap();
    let lines = crates.lines().map(|line| line.trim_end_matches(" (*)").to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

/// Crates of others, each with its version and features.
fn built_of(arguments: &[&str]) -> BTreeSet<String> {
    let all = tree(&[&["--format", "{p} [{f}]"], arguments].concat());
    all.into_iter().filter(|line| !line.starts_with("storymill")).collect()
}

/// One feature more of a crate that others build on, and the README's second command compiles most crates again.
#[test]
fn the_program_and_the_wheel_are_built_of_what_the_tests_are_built_of() {
    let tests = built_of(&["--workspace"]);
    for package in ["storymill-cli", "storymill-python"] {
        let program = built_of(&["-e", "normal,build", "-p", package]);
        assert!(program.len() > 200, "{}", program.len());
        let more: Vec<_> = program.difference(&tests).collect();
        assert!(more.is_empty(), "{package}: {more:#?}");
    }
}

/// What is compiled into a crate lies in its package, so that it can be built from one.
#[test]
fn packages_hold_what_they_include() {
    let mut seen = 0;
    for room in fs::read_dir(top().join("crates")).unwrap() {
        let room = room.unwrap().path();
        // The package of the program is the repository, of which it says what it takes.
        let package = if room.ends_with("cli") { top() } else { room.clone() };
        sources(&room, &mut |path, text| {
            let name = path.file_stem().unwrap().to_string_lossy();
            if name.contains("test") || path.starts_with(room.join("tests")) {
                return;
            }
            let code = text.split("#[cfg(test)]").next().unwrap();
            for rest in code.split("include_str!(\"").chain(code.split("include_bytes!(\"")).skip(1)
            {
                let Some((file, _)) = rest.split_once('"') else { continue };
                let file = path.parent().unwrap().join(file);
                let Ok(file) = file.canonicalize() else { continue };
                seen += 1;
                assert!(
                    file.starts_with(package.canonicalize().unwrap())
                        && !file.starts_with(top().join("data").canonicalize().unwrap()),
                    "{} includes {}, which is not in its package",
                    path.display(),
                    file.display()
                );
            }
        });
    }
    assert!(seen > 20, "only {seen} files are included");
}
