//! Grades of models to figures, charts and one HTML file.
//!
//! [`Collected`] takes grades one by one, [`Report::of`] makes the figures, [`charts`](Report::charts) draws them, and
//! [`html`](Report::html) puts all into one page that needs nothing else. Nothing here reads or writes a file, and no
//! figure depends on the clock or on the order of a hash map.

mod audit;
mod bins;
mod cell;
mod charts;
mod claim_pairs;
mod collect;
mod evidence;
mod family;
mod figures;
mod html;
mod matrix;
mod matrix_changes;
mod options;
mod paired;
mod report;
mod system;
mod unit;
mod warnings;
mod words;

pub use audit::{Baseline, NotAnAudit, baselines};
pub use cell::{Cell, ClusteredBy, Shift};
pub use charts::Chart;
pub use collect::Collected;
pub use evidence::Against;
pub use family::family;
pub use figures::{Group, Line, Table};
pub use html::NotDrawn;
pub use matrix::{Matrix, NotAMatrix, Row};
pub use matrix_changes::{Change, Changes};
pub use options::{Options, Price};
pub use paired::{Difference, Pair, Side};
pub use report::{Part, Report};
pub use system::{System, Tokens};
pub use unit::Unit;
pub use words::{decimal, thousands};
