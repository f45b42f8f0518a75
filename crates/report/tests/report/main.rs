//! Reports on simulated models, whose skill is known.

mod coverage;
mod laws;
mod page;
mod pairs;
mod support;
