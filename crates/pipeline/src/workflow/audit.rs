//! The table `[publish.audit]`: how much of a dataset may be answered without understanding it.

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, Visitor},
};

/// Limits on what `storymill audit` measures. `storymill release` refuses a dataset with a figure past its limit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditLimits {
    /// The share of questions of a set that any measure without the book may answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_book: Option<Limit>,
    /// The share that searching the book may answer. Where this is not said, searching strings may answer 0.9 of ten questions and more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with_book: Option<Limit>,
    /// The first option.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Limit>,
    /// The longest option.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<Limit>,
    /// The option nearest in style to the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<Limit>,
    /// The option with most words in common with the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centre: Option<Limit>,
    /// The option that was least often a wrong one elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrong_elsewhere: Option<Limit>,
    /// What words of the options tell, learned from books of other authors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Limit>,
    /// The same for runs of characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub characters: Option<Limit>,
    /// The share of questions with two options that are nearly the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near_equal: Option<Limit>,
    /// What a copy of the given text scores in ROUGE-1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy_rouge_1: Option<Limit>,
    /// The same in ROUGE-L.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy_rouge_l: Option<Limit>,
    /// The option nearest in style to the beginning of the book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<Limit>,
    /// Sentences of the options searched in the context as strings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strings: Option<Limit>,
    /// The same by BM25.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bm25: Option<Limit>,
    /// Order by where sentences or names stand in the context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strings_place: Option<Limit>,
    /// Order by where BM25 finds the sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bm25_place: Option<Limit>,
    /// The name that stands most often in the context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Limit>,
    /// The same in the stretch of the book that is most like all options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene_bm25: Option<Limit>,
    /// Pairs and triples of words of the options in that stretch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene_ngrams: Option<Limit>,
    /// So many names may be left per 100,000 words with other names, by the rows of `count-names` steps, which have to
    /// be published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names_left_per_100k: Option<u32>,
}

impl AuditLimits {
    /// Whether nothing is limited beyond what always is.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A share from 0 to 1, to four digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limit(u16);

/// Parts of a whole share.
const WHOLE: u16 = 10_000;

impl Limit {
    /// The limit; none if it does not lie between 0 and 1.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 10,000")]
    pub fn new(share: f64) -> Option<Self> {
        let fits = (0.0..=1.0).contains(&share);
        fits.then(|| Self((share * f64::from(WHOLE)).round() as u16))
    }

    /// The share.
    pub fn share(self) -> f64 {
        f64::from(self.0) / f64::from(WHOLE)
    }
}

impl Serialize for Limit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.share())
    }
}

impl<'de> Deserialize<'de> for Limit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Shares;

        impl Visitor<'_> for Shares {
            type Value = Limit;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a share from 0 to 1")
            }

            fn visit_f64<E: Error>(self, share: f64) -> Result<Limit, E> {
                Limit::new(share)
                    .ok_or_else(|| E::custom(format!("{share} is not a share from 0 to 1")))
            }

            fn visit_i64<E: Error>(self, share: i64) -> Result<Limit, E> {
                match share {
                    0 => Ok(Limit(0)),
                    1 => Ok(Limit(WHOLE)),
                    _ => Err(E::custom(format!("{share} is not a share from 0 to 1"))),
                }
            }

            fn visit_u64<E: Error>(self, share: u64) -> Result<Limit, E> {
                self.visit_i64(i64::try_from(share).unwrap_or(i64::MAX))
            }
        }

        deserializer.deserialize_any(Shares)
    }
}

impl JsonSchema for Limit {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Limit".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "maximum": 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_limit() {
        let limits: AuditLimits =
            serde_json::from_str(r#"{ "without_book": 0.3, "with_book": 1, "bm25": 0 }"#).unwrap();
        assert_eq!(limits.without_book, Limit::new(0.3));
        assert_eq!(limits.with_book.map(Limit::share), Some(1.0));
        let text = serde_json::to_string(&limits).unwrap();
        assert_eq!(text, r#"{"without_book":0.3,"with_book":1.0,"bm25":0.0}"#);
        for wrong in [r#"{ "words": 1.5 }"#, r#"{ "words": 30 }"#, r#"{ "wrods": 0.3 }"#] {
            serde_json::from_str::<AuditLimits>(wrong).unwrap_err();
        }
    }
}
