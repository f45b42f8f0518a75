//! The source `claim-requests`: requests about claims, as sets on shelves and bundles hold them.
//!
//! A unit holds the requests whose digests begin alike, one in 256. Keys of answers hold the unit, so it may hang
//! on nothing but what a request says: then requests that are made anew for a set that has grown find the answers
//! to those that say the same. A unit for each request would do as well, but makes three files of the store for
//! each, and a shelf writes its index anew with every file. A unit for each book cannot be made: bundles do not say
//! which requests are about one book. Two thousand requests on books of 600 kB are 1.2 GB, or 5 MB a unit. They lie
//! in the set or the bundle already, so the store keeps none of that ([`Source::KEPT`]), and each unit is read
//! where it lies when it is asked.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    ClaimRequest, Digest, Env, Fault, FaultKind, Known, Listing, OpenSource, Options, Reviews,
    Role, Source, SourceUnit, Stop, Turn, UnitId,
};

/// Whoever has requests and gives them one by one, a line each: a set on a shelf, a bundle.
pub trait RequestLines: Send + Sync {
    /// Their ids, each once.
    fn ids(&self) -> Vec<String>;
    /// Whether they must not be seen by others.
    fn is_private(&self) -> bool;
    /// One of them: a line as batch runners of the OpenAI API read it.
    ///
    /// # Errors
    ///
    /// It is not there any more, or it cannot be read.
    fn line(&self, id: &str) -> Result<Vec<u8>, Fault>;
    /// The digest of [what it says](ClaimRequest::said), where that is known without reading it again.
    ///
    /// # Errors
    ///
    /// As of [`line`](Self::line).
    fn said(&self, id: &str) -> Result<Digest, Fault> {
        Ok(read_request(&self.line(id)?)?.said())
    }
}

/// Requests about claims, those of an `Arc<dyn RequestLines>` that whoever runs the workflow lends it.
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
        let lent = env.lent.get::<Arc<dyn RequestLines>>().cloned();
        let lent = lent.ok_or_else(|| {
            let message = "this workflow runs only through `storymill claims ask`";
            Fault::new(FaultKind::Input, message)
                .hint("that hands it the requests of a set or of a bundle")
        })?;
        let mut units = BTreeMap::<UnitId, BTreeMap<String, Digest>>::new();
        for id in lent.ids() {
            let said = lent.said(&id)?;
            units.entry(unit(&said)).or_default().insert(id, said);
        }
        Ok(Box::new(Open { lent, units }))
    }
}

/// The unit of a request that says this.
fn unit(said: &Digest) -> UnitId {
    format!("claims-{}", &said.to_string()[..2]).parse().expect("it is short and plain")
}

struct Open {
    lent: Arc<dyn RequestLines>,
    /// The requests of each unit, with the digests of what they say.
    units: BTreeMap<UnitId, BTreeMap<String, Digest>>,
}

impl OpenSource<ClaimRequest> for Open {
    fn units(&self, _: &Known) -> Result<Listing, Fault> {
        let unit = |(unit, held): (&UnitId, &BTreeMap<String, Digest>)| {
            let parts = held.iter().flat_map(|(id, said)| [id.as_bytes(), &said.as_bytes()[..]]);
            let digest = Digest::of_parts("storymill 2026 claim request unit v1", parts);
            let (unit, path) = (unit.clone(), PathBuf::new());
            SourceUnit { unit, path, digest, spoiled: None, stamp: None }
        };
        Ok(Listing { units: self.units.iter().map(unit).collect(), notes: Vec::new() })
    }

    fn read(&self, unit: &SourceUnit, _: &mut Reviews<'_>) -> Result<Vec<ClaimRequest>, Stop> {
        let mut rows = Vec::new();
        for (id, said) in self.units.get(&unit.unit).into_iter().flatten() {
            let request = read_request(&self.lent.line(id)?)?;
            if (&request.id, request.said()) != (id, *said) {
                let message = format!("request {id} has changed since it was listed");
                let fault = Fault::new(FaultKind::Again, message);
                return Err(fault.hint("run the same command again").into());
            }
            rows.push(request);
        }
        Ok(rows)
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

/// Reads a request from its line.
///
/// # Errors
///
/// The line is no request. The message repeats nothing of it: it may be private.
pub fn read_request(line: &[u8]) -> Result<ClaimRequest, Fault> {
    let unread = || Fault::new(FaultKind::Input, "a line is not a request");
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

#[cfg(test)]
mod tests {
    use storymill_core::{Decisions, Lent};

    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Result<&str, &str>) {
        let told = |ClaimRequest { id, system, turns, max_tokens }: ClaimRequest| {
            let turn = |turn: &Turn| format!("{}={}", turn.role.word(), turn.text);
            let turns: Vec<_> = turns.iter().map(turn).collect();
            format!("{id} {system:?} {} {max_tokens}", turns.join(" "))
        };
        let read = read_request(line.as_bytes()).map(told).map_err(|fault| fault.to_string());
        assert_eq!(read, expected.map(str::to_owned).map_err(str::to_owned), "{line}");
    }

    fn line(id: &str, messages: &str, more: &str) -> String {
        format!(
            r#"{{"custom_id":"{id}","method":"POST","body":{{"model":"m","messages":[{messages}]{more}}}}}"#
        )
    }

    const USER: &str = r#"{"role":"user","content":"U"}"#;
    const MOST: &str = ",\"max_tokens\":9";

    #[test]
    fn lines_are_requests_or_told_without_a_word_of_them() {
        let system = r#"{"role":"system","content":"S"}"#;
        let said = r#"{"role":"assistant","content":"A"}"#;
        check(&line("a1", USER, MOST), Ok("a1 None user=U 9"));
        let all = [system, USER, said, USER].join(",");
        check(&line("a1", &all, MOST), Ok("a1 Some(\"S\") user=U assistant=A user=U 9"));
        let no = Err("a line is not a request");
        check(&line("a1", &[USER, system].join(","), MOST), no);
        check(&line("a1", USER, ""), no);
        check(&line("a1", r#"{"role":"tool","content":"U"}"#, MOST), no);
        check("zqx", no);
    }

    /// Requests by number.
    struct Lines(std::ops::Range<u32>, &'static str);

    impl RequestLines for Lines {
        fn is_private(&self) -> bool {
            false
        }

        fn ids(&self) -> Vec<String> {
            self.0.clone().map(|at| format!("{}{at}", self.1)).collect()
        }

        fn line(&self, id: &str) -> Result<Vec<u8>, Fault> {
            let number = id.trim_start_matches(self.1);
            Ok(line(id, &USER.replace('U', number), MOST).into_bytes())
        }
    }

    fn opened(lines: Lines) -> Box<dyn OpenSource<ClaimRequest>> {
        let mut lent = Lent::default();
        lent.lend(Arc::new(lines) as Arc<dyn RequestLines>);
        ClaimRequests {}.open(&Env { root: "".as_ref(), lent: &lent }).unwrap()
    }

    /// What is said, and in which unit.
    fn said(lines: Lines) -> BTreeMap<String, UnitId> {
        let open = opened(lines);
        let mut said = BTreeMap::new();
        for unit in open.units(&Known::default()).unwrap().units {
            let rows = open.read(&unit, &mut Reviews::new(Decisions::NONE)).unwrap();
            assert!(!rows.is_empty() && rows.len() < 30, "{}", rows.len());
            said.extend(rows.into_iter().map(|row| (row.turns[0].text.clone(), unit.unit.clone())));
        }
        said
    }

    #[test]
    fn a_request_stays_in_its_unit_whatever_it_is_called_and_whatever_lies_beside_it() {
        let (few, many) = (said(Lines(0..200, "a")), said(Lines(0..2000, "b")));
        assert_eq!((few.len(), many.len()), (200, 2000));
        assert!(few.iter().all(|(text, unit)| many[text] == *unit));
    }
}
