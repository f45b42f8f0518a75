//! `storymill shelf packet`: items of a set for a reader who has no installation, sealed in one file of HTML; and the votes
//! that come back. The shelf remembers which packets it gave out, of what they were made and which were read.

#[cfg(feature = "app")]
mod make;
#[cfg(feature = "app")]
mod read;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use storymill_core::{Digest, Fault, FaultKind};
use storymill_review::Item;
use storymill_shelf::{Private, Shelf, sets};

use crate::{
    args::shelf::ShelfPacket,
    exit::{Exit, Failure},
    table::plural,
};

/// Where the packets of a set lie.
const PACKETS: &str = "packets/";

/// A packet that was given out.
#[derive(Serialize, Deserialize)]
pub(crate) struct Packet {
    /// What people call it: the packets of a set are numbered from 1.
    number: usize,
    /// What its votes name, which nobody knows who has not opened it.
    id: String,
    /// Whom it was made for.
    #[serde(rename = "for")]
    person: String,
    /// The day on which it was made.
    date: String,
    /// The digest of its items.
    digest: Digest,
    /// The items as they were shown.
    items: Vec<Item>,
    /// The digests of the texts that it holds, by book.
    books: BTreeMap<String, Digest>,
    /// What came back.
    read: Option<Read>,
}

/// What came back.
#[derive(Serialize, Deserialize)]
struct Read {
    date: String,
    votes: usize,
    seconds: u64,
}

pub(crate) fn run(args: &ShelfPacket) -> Result<Exit, Failure> {
    #[cfg(feature = "app")]
    match &args.read {
        Some(votes) => read::run(args, votes),
        None => make::run(args),
    }
    #[cfg(not(feature = "app"))]
    {
        let _ = args;
        Err(super::super::super::review::no_pages().into())
    }
}

/// The packets of a set, a line each.
pub(crate) fn told(shelf: &Shelf, set: &str) -> Result<Vec<String>, Fault> {
    Ok(all(shelf, set)?.iter().map(ToString::to_string).collect())
}

/// The packets of a set, by number.
fn all(shelf: &Shelf, set: &str) -> Result<Vec<Packet>, Fault> {
    let kept = sets::Sets(shelf);
    let names = kept.files(set, PACKETS);
    let read = |name: &String| {
        let other = || {
            let message = "what is kept of a packet was written by another version";
            Fault::new(FaultKind::Store, message)
        };
        let bytes = kept.file(set, &format!("{PACKETS}{name}"))?.ok_or_else(other)?;
        serde_json::from_slice(bytes.expose()).map_err(|_| other())
    };
    names.iter().map(read).collect()
}

impl Packet {
    /// Its name in the shelf, and what is kept there.
    #[cfg_attr(not(feature = "app"), expect(dead_code, reason = "no packet is made"))]
    fn kept(&self, set: &str) -> Result<(String, Private<Vec<u8>>), Fault> {
        let place = sets::place(set, &format!("{PACKETS}{:06}", self.number));
        let bytes = serde_json::to_vec(self).map(Private::new);
        let failed = |_| Fault::new(FaultKind::Internal, "cannot write what is kept of a packet");
        Ok((place, bytes.map_err(failed)?))
    }
}

impl std::fmt::Display for Packet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let items = plural(self.items.len() as u64, "item");
        write!(f, "packet {} for {}, {items}, made on {}: ", self.number, self.person, self.date)?;
        match &self.read {
            None => f.write_str("no votes yet"),
            Some(read) => {
                let votes = plural(read.votes as u64, "vote");
                write!(f, "{votes} in {}, read on {}", time(read.seconds), read.date)
            }
        }
    }
}

/// A time in words.
fn time(seconds: u64) -> String {
    if seconds < 90 { plural(seconds, "second") } else { plural((seconds + 30) / 60, "minute") }
}
