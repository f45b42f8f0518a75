//! JSON that any two readers read as the same: what is signed, and what is checked by strangers.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{self, DeserializeOwned, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Number, Value};
use storymill_core::{Fault, FaultKind, canonical};

/// Reads a value of one of some forms, written as this program writes it, but for blanks and the order of keys.
///
/// # Errors
///
/// `Input`: it is of none of these forms. `Store`: it says that it is, and a field stands twice, at whatever depth, is left
/// out, or has its value in another spelling (a digest in capitals, `null` for what is not there). No message says what is in it.
pub(super) fn read<T: DeserializeOwned + Serialize>(
    text: &str,
    forms: &[&str],
    what: &str,
) -> Result<T, Fault> {
    let lax = serde_json::from_str::<Value>(text).ok();
    let Some(form) = lax.as_ref().and_then(|value| value["format"].as_str()) else {
        return Err(Fault::new(FaultKind::Input, format!("this is not {what}")));
    };
    if !forms.contains(&form) {
        let message = format!("this is not {what} of a form that this version knows");
        return Err(Fault::new(FaultKind::Input, message));
    }
    strictly(text).ok_or_else(|| {
        let message = format!(
            "this is not {what} that can be read in one way: a field stands twice, is missing or unknown, or is written in another way"
        );
        Fault::new(FaultKind::Store, message)
    })
}

fn strictly<T: DeserializeOwned + Serialize>(text: &str) -> Option<T> {
    let Once(value) = serde_json::from_str(text).ok()?;
    let written = canonical::json(&value);
    let read: T = serde_json::from_value(value).ok()?;
    (canonical::json(&read) == written).then_some(read)
}

/// JSON in which no object has a key twice.
struct Once(Value);

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OnceVisitor).map(Self)
    }
}

struct OnceVisitor;

impl<'de> Visitor<'de> for OnceVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number is too large"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(Once(item)) = items.next_element()? {
            all.push(item);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut all = Map::new();
        while let Some((key, Once(value))) = fields.next_entry::<String, _>()? {
            if all.insert(key, value).is_some() {
                return Err(de::Error::custom("a field stands twice"));
            }
        }
        Ok(Value::Object(all))
    }
}
