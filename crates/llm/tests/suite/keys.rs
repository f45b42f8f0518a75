//! Keys: pinned, so that no refactoring can void answers that somebody paid for.

use std::collections::BTreeSet;

use storymill_core::{Chat, UnitId};
use storymill_llm::{
    ModelConfig,
    keys::{NOT_IN_KEY, canonical_chat, key},
};

fn config(lines: &str) -> ModelConfig {
    ModelConfig::parse(&format!("url = \"http://h/v1\"\nmodel = \"tiny\"\n{lines}")).unwrap()
}

const TEXT: &str = "Naïve “quotes”\n\u{1f409}";

fn canonical(lines: &str) -> String {
    canonical_chat(&config(lines), &Chat::new(TEXT), 0, 0)
}

#[test]
fn keys_are_what_they_were() {
    let unit: UnitId = "84".parse().unwrap();
    let cases = [
        ("", 0, 0),
        ("", 1, 0),
        ("", 0, 1),
        ("temperature = 0.7\nextra = { repeat_penalty = 1.1 }\nmodel_id = \"tiny@q4\"", 0, 0),
    ];
    let mut keys = Vec::new();
    for (lines, sample, attempt) in cases {
        let config = config(lines);
        let canonical = canonical_chat(&config, &Chat::new(TEXT), sample, attempt);
        keys.push(key(&unit, config.id(), &canonical, sample, attempt).0.to_string());
    }
    assert_eq!(keys, GOLDEN);
}

const GOLDEN: [&str; 4] = [
    "247acd950a233b8ac98caacd673b6b9a3d2c2bf3b647eac02b61edf6f4ce1b35",
    "bdff86afc6cb992eba6846c48549b922d775a3b2684212d262812aa707d53d9a",
    "d1c514ea9a0fdea2022ac19b44f21ebd3943c5912b6b647b7032ee67edd6b637",
    "fc65ade051ba94b385a8460384ec72a13e896cd338077501fc8ce9b160c91c84",
];

#[test]
fn the_canonical_request_has_one_form() {
    assert_eq!(
        canonical(""),
        "{\"max_tokens\":1024,\"messages\":[{\"content\":\"Naïve “quotes”\\n\u{1f409}\",\"role\":\"user\"}],\
         \"model\":\"tiny\",\"seed\":0,\"temperature\":0,\"top_p\":1}"
    );
    // Numbers have one form, however they are written.
    assert_eq!(canonical("extra = { n_keep = 2.0 }"), canonical("extra = { n_keep = 2 }"));
}

#[test]
fn what_others_begin_with_and_marks_for_caches_are_in_no_key() {
    let config = config("wire = \"anthropic\"");
    let chat = Chat { shared: 5_000, marks: vec![4_000], ..Chat::new("word ".repeat(2_000)) };
    let plain = Chat { shared: 0, marks: Vec::new(), ..chat.clone() };
    assert_eq!(canonical_chat(&config, &chat, 0, 0), canonical_chat(&config, &plain, 0, 0));
}

#[test]
fn what_an_endpoint_refuses_is_not_sent_for_a_stage_either() {
    let chat = Chat { max_tokens: Some(7), ..Chat::new(TEXT) };
    let said = |lines| canonical_chat(&config(lines), &chat, 0, 0);
    assert!(said("max_tokens = 9").contains("\"max_tokens\":7"));
    assert!(!said("omit = [\"max_tokens\"]").contains("max_tokens"));
}

/// Every line of a model's table either changes the key or is listed here, with its reason.
#[test]
fn every_line_of_the_table_is_in_the_key_or_has_a_reason_not_to_be() {
    let in_key = [
        ("model", "model = \"other\""),
        ("temperature", "temperature = 0.5"),
        ("top_p", "top_p = 0.5"),
        ("max_tokens", "max_tokens = 5"),
        ("seed", "seed = 5"),
        ("effort", "effort = \"low\""),
        ("extra", "extra = { min_p = 0.1 }"),
        ("omit", "omit = [\"seed\"]"),
    ];
    // `model_id` goes into the key beside the body; `response_format` decides whether the
    // stage's schema is in the body. Both are tested elsewhere.
    let beside = ["model_id", "response_format"];
    let how_it_is_sent = [
        "url",
        "wire",
        "api_key_env",
        "api_key_header",
        "allow_http",
        "stream",
        "concurrency",
        "requests_per_minute",
        "tokens_per_minute",
        "retries",
        "longest_wait_seconds",
        "connect_seconds",
        "idle_seconds",
        "total_seconds",
        "too_long",
        "cache",
    ];
    let plain = canonical("");
    for (field, line) in in_key {
        let text = if field == "model" {
            let text = format!("url = \"http://h/v1\"\n{line}");
            canonical_chat(&ModelConfig::parse(&text).unwrap(), &Chat::new(TEXT), 0, 0)
        } else {
            canonical(line)
        };
        assert_ne!(text, plain, "{field}");
    }
    assert_eq!(canonical("stream = true"), plain);
    for wire in ["anthropic", "responses"] {
        assert_eq!(canonical(&format!("wire = \"{wire}\"")), plain);
    }
    // A workflow that has it as a further field finds its answers again.
    assert_eq!(canonical("effort = \"low\""), canonical("extra = { reasoning_effort = \"low\" }"));
    let schema = schemars::schema_for!(ModelConfig);
    let fields: BTreeSet<&str> =
        schema.get("properties").unwrap().as_object().unwrap().keys().map(String::as_str).collect();
    let classified: BTreeSet<&str> =
        in_key.map(|(field, _)| field).into_iter().chain(beside).chain(how_it_is_sent).collect();
    assert_eq!(fields, classified, "a new field: does it change answers?");
}

#[test]
fn fields_nobody_knows_are_in_the_key() {
    for field in ["min_p", "x_new_field", "reasoning_effort"] {
        assert_ne!(canonical(&format!("extra = {{ {field} = 1 }}")), canonical(""), "{field}");
    }
    for field in ["user", "metadata", "store"] {
        assert!(NOT_IN_KEY.contains(&field));
        assert_eq!(canonical(&format!("extra = {{ {field} = \"me\" }}")), canonical(""), "{field}");
    }
}

#[test]
fn variants_and_re_asks_send_seeds_of_their_own() {
    for (sample, attempt, seed) in [(0, 0, 7), (0, 1, 8), (2, 1, 2008)] {
        let canonical = canonical_chat(&config("seed = 7"), &Chat::default(), sample, attempt);
        assert!(canonical.contains(&format!("\"seed\":{seed},")), "{canonical}");
    }
}
