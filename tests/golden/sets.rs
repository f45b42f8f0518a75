//! Where golden data lies: the small set that comes with the project, and the large one of other
//! people's data and figures beside the checkout, where there is one. Included by the tests that run on it.

use std::path::{Path, PathBuf};

/// The folder `what` of each set, ours first. Where there is only ours, a line says so.
#[allow(clippy::print_stdout, clippy::unwrap_used, reason = "a test says what it leaves out")]
pub(crate) fn sets(what: &str) -> Vec<PathBuf> {
    let mut tops = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let top = tops.find(|top| top.join("tests/golden/sets.rs").exists()).unwrap();
    let shared = top.join("../shared");
    let places = [top.join("tests/golden"), shared.join("golden"), shared];
    let found: Vec<_> =
        places.map(|place| place.join(what)).into_iter().filter(|p| p.exists()).collect();
    assert!(!found.is_empty(), "the golden set of the project has no {what}");
    if found.len() < 2 {
        println!("skip: ../shared/{what} is not here");
    }
    found
}
