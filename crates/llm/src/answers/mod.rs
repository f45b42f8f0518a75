//! What one can do with a log of answers besides asking: count, time, verify, pack, import, sweep,
//! explain, settle a conflict. Plain functions with plain results; the binary prints them.

mod calls;
mod explain;
mod gc;
mod import;
mod notes;
mod pack;
mod stats;
mod verify;

pub use crate::log::keep;
pub use calls::{Call, calls};
pub use explain::{Difference, Explained, explain};
pub use gc::{Swept, gc};
pub use import::{Imported, Refused, import};
pub use notes::notes;
pub use pack::{Packed, pack};
pub use stats::{Stats, UseRow, stats};
pub use verify::{Finding, Verified, verify};
