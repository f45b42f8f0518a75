//! A public statement, the one before it and a revealed pair, between lines of three hyphens. What is read is written and
//! read again the same; nothing that a stranger wrote ends the check early.
#![no_main]

use storymill_shelf::proof::{Reveal, Statement, verify};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let mut parts = text.split("\n---\n");
    let mut next = || parts.next().unwrap_or_default();
    let Ok(statement) = Statement::parse(next()) else { return };
    let before = Statement::parse(next()).ok();
    let reveals: Vec<Reveal> = Reveal::parse(next()).into_iter().collect();
    let again =
        Statement::parse(&statement.to_text()).expect("a statement that was written is read");
    assert_eq!(again, statement);
    assert_eq!(again.digest(), statement.digest());
    let found = verify(&statement, before.as_ref(), &reveals);
    assert_eq!(verify(&again, before.as_ref(), &reveals), found);
    // No statement follows itself.
    assert!(!verify(&statement, Some(&statement), &[]).wrong.is_empty());
});
