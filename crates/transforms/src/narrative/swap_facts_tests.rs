//! Tests of `swap-facts`.

#[test]
fn stub() {}
