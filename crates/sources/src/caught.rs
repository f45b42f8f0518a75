//! The cleaner's own mistakes: a page that it cannot bear is a reject, and the build goes on.

use std::panic::{AssertUnwindSafe, catch_unwind};

use storymill_core::Reason;

/// Does some work on a page; where it panics, that is a reason to leave the page out.
pub(crate) fn caught<T>(work: impl FnOnce() -> Result<T, Reason>) -> Result<T, Reason> {
    // What it worked on goes with it, so nobody sees anything half done.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        Err(Reason::new("cleaner-failed", "the cleaner failed on this page: please report it"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_reason() {
        assert_eq!(caught(|| Ok(1)), Ok(1));
        let failed = caught(|| Ok("a".split_at(2)));
        assert_eq!(failed.unwrap_err().code, "cleaner-failed");
    }
}
