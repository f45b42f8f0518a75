//! A line of a provider's batch results, of any of the wire formats. The same JSON says the same in other bytes.
#![no_main]

use serde_json::Value;
use storymill_llm::batch::result;

libfuzzer_sys::fuzz_target!(|line: &[u8]| {
    if let Ok(read) = result(line) {
        let value: Value = serde_json::from_slice(line).expect("a result is JSON");
        let again = result(value.to_string().as_bytes());
        assert_eq!(again.expect("the same JSON"), read);
    }
});
