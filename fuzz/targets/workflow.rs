//! The text of a workflow. Files that it names are looked for where the target runs. Mistakes lie in the text; a comment
//! more changes nothing of a workflow that is accepted.
#![no_main]

use std::{path::Path, sync::LazyLock};

use storymill::{NotAWorkflow, Registry, Workflow};

static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);

fn read(text: &str) -> Result<Workflow, NotAWorkflow> {
    Workflow::of_text(Path::new("fuzzed.toml"), text, REGISTRY.kinds())
}

fn steps(workflow: &Workflow) -> Vec<(String, &'static str, String)> {
    workflow.steps.iter().map(|step| (step.name.clone(), step.kind(), step.options())).collect()
}

libfuzzer_sys::fuzz_target!(|text: &str| {
    // A device is a file that never ends.
    if ["/dev", "/proc", "\\"].iter().any(|part| text.contains(part)) {
        return;
    }
    match read(text) {
        Ok(workflow) => {
            let again = read(&format!("{text}\n# the end\n")).expect("a comment is no mistake");
            assert_eq!(steps(&again), steps(&workflow));
        }
        Err(NotAWorkflow::Problems(problems)) => {
            assert!(!problems.problems.is_empty());
            for problem in &problems.problems {
                let inside = problem.span.clone().is_none_or(|span| text.get(span).is_some());
                assert!(inside, "{problem:?} is not in the text");
            }
            let _ = problems.to_string();
        }
        Err(NotAWorkflow::Fault(_)) => {}
    }
});
