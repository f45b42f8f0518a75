//! The second reading in a build without the feature of that name: it says that it is not there.

use storymill_core::Fault;

use crate::{Cleaned, difference::Difference};

/// What a second reading finds otherwise.
///
/// # Errors
///
/// This build has none.
pub fn second_reading(_: &Cleaned) -> Result<Vec<Difference>, Fault> {
    Err(Fault::left_out("second reading of pages"))
}
