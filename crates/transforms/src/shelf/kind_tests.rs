//! Tests of kinds.

use super::*;

#[test]
fn points_add_up() {
    assert_eq!((likely(0), likely(3), likely(10), likely(70)), (1_000_000, 501_187, 100_000, 0));
    assert_eq!(band(5, &[(10, 1)]), 0);
    assert_eq!(band(15, &[(0, -1), (10, 1), (20, 2)]), 1);
}
