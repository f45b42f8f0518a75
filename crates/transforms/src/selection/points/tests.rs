//! Tests of points.

use super::*;

impl Points {
    /// Every sum that is not nothing, as `-14 telling`.
    pub(in crate::selection) fn account(&self) -> Vec<String> {
        let sums = [(self.telling, "telling"), (self.parts, "parts")].into_iter();
        let kinds = Kind::ALL.map(|kind| (self.kinds[kind as usize], kind.name()));
        let sums = sums.chain(kinds).filter(|(points, _)| *points != 0);
        sums.map(|(points, what)| format!("{points} {what}")).collect()
    }
}

#[test]
fn points_add_up() {
    assert_eq!((likely(0), likely(3), likely(10), likely(70)), (1_000_000, 501_187, 100_000, 0));
    assert_eq!(band(5, &[(10, 1)]), 0);
    assert_eq!(band(15, &[(0, -1), (10, 1), (20, 2)]), 1);
}
