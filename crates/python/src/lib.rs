//! storymill as an extension module of Python: the command, and what the package in `integrations/python` calls.
//!
//! Rows and tables come and go as JSON, in the shapes that the program reads and prints, so that both have one
//! meaning. What is refused becomes the package's own exceptions.

mod bootstrap;
mod dataset;
mod refused;
mod scores;

use std::{ffi::OsString, path::PathBuf};

use pyo3::prelude::*;

/// Runs the command with these arguments, its own name first, and gives its exit code.
///
/// `models` is the folder of the models that came with the package.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<OsString>, models: Option<PathBuf>) -> u8 {
    py.detach(|| storymill_cli::run_with(storymill::Registry::standard(), arguments, models))
}

#[pymodule]
mod _storymill {
    #[pymodule_export]
    use crate::{
        bootstrap::{interval, mean},
        dataset::{Contexts, audit},
        main,
        scores::{WordNet, answers, claims, faithfulness, verdict},
    };
}
