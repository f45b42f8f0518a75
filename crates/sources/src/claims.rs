//! The source `claim-requests`: requests about claims, as sets on shelves and bundles hold them.
//!
//! A unit is a request, however many of them show the same book: the keys of answers hold the unit, so it has to
//! be what stays the same whatever else lies in the bundle. Two thousand requests on books of 600 kB take 1.2 GB
//! and lie in the set or the bundle already, so the store keeps none of that ([`Source::KEPT`]): each is read
//! where it lies when it is asked. Held at once are those of one wave, which the engine bounds by their bytes.

use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    ClaimRequest, Digest, Env, Fault, FaultKind, Known, Listing, OpenSource, Options, Reviews,
    Role, Source, SourceUnit, Stop, Turn, UnitId,
};

/// Whoever has requests and gives them one by one: a set on a shelf, a bundle.
pub trait Requests: Send + Sync {
    /// A digest over all of them.
    fn digest(&self) -> Digest;
    /// Their ids.
    fn ids(&self) -> Vec<String>;
    /// One of them: a line as batch runners of the OpenAI API read it.
    ///
    /// # Errors
    ///
    /// It is not there any more, or it cannot be read.
    fn line(&self, id: &str) -> Result<Vec<u8>, Fault>;
}

/// Requests about claims, those of an `Arc<dyn Requests>` that whoever runs the workflow lends it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimRequests {}

impl Options for ClaimRequests {}

impl Source for ClaimRequests {
    const KIND: &'static str = "claim-requests";
    const VERSION: u32 = 1;
    const KEPT: bool = false;
    type Out = ClaimRequest;

    fn open(&self, env: &Env<'_>) -> Result<Box<dyn OpenSource<ClaimRequest>>, Fault> {
        let lent = env.lent.get::<Arc<dyn Requests>>().cloned();
        let lent = lent.ok_or_else(|| {
            Fault::new(FaultKind::Input, "the workflow reads requests, and none were lent to it")
                .hint("`storymill claims ask` lends it those of a set or of a bundle")
        })?;
        Ok(Box::new(Open(lent)))
    }
}

struct Open(Arc<dyn Requests>);

impl OpenSource<ClaimRequest> for Open {
    fn units(&self, _: &Known) -> Result<Listing, Fault> {
        let (all, mut seen) = (self.0.digest(), BTreeSet::new());
        let unit = |id: String| {
            let unit: UnitId = id.parse().map_err(|_| unread())?;
            if !seen.insert(unit.clone()) {
                return Err(Fault::new(FaultKind::Input, "two requests have one id"));
            }
            let parts = [&all.as_bytes()[..], id.as_bytes()];
            let digest = Digest::of_parts("storymill 2026 claim request unit v1", parts);
            Ok(SourceUnit { unit, path: PathBuf::new(), digest, spoiled: None, stamp: None })
        };
        let units = self.0.ids().into_iter().map(unit).collect::<Result<_, _>>()?;
        Ok(Listing { units, notes: Vec::new() })
    }

    fn read(&self, unit: &SourceUnit, _: &mut Reviews<'_>) -> Result<Vec<ClaimRequest>, Stop> {
        let id = unit.unit.as_str();
        let request = parse(&self.0.line(id)?)?;
        if request.id != id {
            return Err(unread().into());
        }
        Ok(vec![request])
    }
}

/// What of a line is asked. The model and its parameters are those of who asks.
#[derive(Deserialize)]
struct Line {
    custom_id: String,
    body: Body,
}

#[derive(Deserialize)]
struct Body {
    messages: Vec<Message>,
    max_tokens: u32,
}

#[derive(Deserialize)]
struct Message {
    role: Speaker,
    content: String,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Speaker {
    System,
    User,
    Assistant,
}

/// Messages repeat nothing of a line: it may be private.
fn unread() -> Fault {
    Fault::new(FaultKind::Input, "a line of the bundle is no request")
}

fn parse(line: &[u8]) -> Result<ClaimRequest, Fault> {
    let Line { custom_id, body } = serde_json::from_slice(line).map_err(|_| unread())?;
    let mut said = body.messages.into_iter().peekable();
    let system = said.next_if(|first| first.role == Speaker::System).map(|first| first.content);
    let turn = |Message { role, content: text }| match role {
        Speaker::System => Err(unread()),
        Speaker::User => Ok(Turn { role: Role::User, text }),
        Speaker::Assistant => Ok(Turn { role: Role::Assistant, text }),
    };
    let turns = said.map(turn).collect::<Result<_, _>>()?;
    Ok(ClaimRequest { id: custom_id, system, turns, max_tokens: body.max_tokens })
}

/// The id of a request, from its line.
///
/// # Errors
///
/// The line is no request.
pub fn request_id(line: &[u8]) -> Result<String, Fault> {
    #[derive(Deserialize)]
    struct Named {
        custom_id: String,
    }
    serde_json::from_slice::<Named>(line).map(|line| line.custom_id).map_err(|_| unread())
}

#[cfg(test)]
mod tests {
    use storymill_core::Lent;

    use super::*;

    /// Lines by hand: their ids are those that they are kept under.
    struct Lines(Vec<(&'static str, String)>);

    impl Requests for Lines {
        fn digest(&self) -> Digest {
            Digest::of(b"all")
        }

        fn ids(&self) -> Vec<String> {
            self.0.iter().map(|(id, _)| (*id).to_owned()).collect()
        }

        fn line(&self, id: &str) -> Result<Vec<u8>, Fault> {
            let line = self.0.iter().find(|(kept, _)| *kept == id).map(|(_, line)| line.clone());
            Ok(line.unwrap_or_default().into_bytes())
        }
    }

    #[track_caller]
    fn check(id: &'static str, line: &str, expected: Result<&str, &str>) {
        let mut lent = Lent::default();
        lent.lend(Arc::new(Lines(vec![(id, line.to_owned())])) as Arc<dyn Requests>);
        let env = Env { root: "".as_ref(), lent: &lent };
        let open = ClaimRequests {}.open(&env).unwrap();
        let read = open.units(&Known::default()).and_then(|listing| {
            let mut reviews = Reviews::new(storymill_core::Decisions::NONE);
            open.read(&listing.units[0], &mut reviews).map_err(|stop| match stop {
                Stop::Fault(fault) => fault,
                other => panic!("{other:?}"),
            })
        });
        let told = |rows: Vec<ClaimRequest>| {
            let ClaimRequest { id, system, turns, max_tokens } = &rows[0];
            let turns: Vec<_> =
                turns.iter().map(|turn| format!("{}={}", turn.role.word(), turn.text)).collect();
            format!("{id} {system:?} {} {max_tokens}", turns.join(" "))
        };
        let read = read.map(told).map_err(|fault| fault.to_string());
        assert_eq!(read, expected.map(str::to_owned).map_err(str::to_owned), "{line}");
    }

    #[test]
    fn lines_are_requests_or_told_without_a_word_of_them() {
        let line = |messages: &str, more: &str| {
            format!(
                r#"{{"custom_id":"a1","method":"POST","body":{{"model":"m","messages":[{messages}]{more}}}}}"#
            )
        };
        let (system, user) =
            (r#"{"role":"system","content":"S"}"#, r#"{"role":"user","content":"U"}"#);
        let said = r#"{"role":"assistant","content":"A"}"#;
        let most = ",\"max_tokens\":9";
        check("a1", &line(user, most), Ok("a1 None user=U 9"));
        let all = [system, user, said, user].join(",");
        check("a1", &line(&all, most), Ok("a1 Some(\"S\") user=U assistant=A user=U 9"));
        let no = Err("a line of the bundle is no request");
        check("a1", &line(&[user, system].join(","), most), no);
        check("a1", &line(user, ""), no);
        check("a1", &line(r#"{"role":"tool","content":"U"}"#, most), no);
        check("a2", &line(user, most), no);
        check("../a", &line(user, most), no);
        check("a1", "zqx", no);
    }

    #[test]
    fn an_id_stands_once() {
        let twice = Lines(vec![("a1", String::new()), ("a1", String::new())]);
        let fault = Open(Arc::new(twice)).units(&Known::default()).unwrap_err();
        assert!(fault.to_string().contains("two requests have one id"), "{fault}");
    }
}
