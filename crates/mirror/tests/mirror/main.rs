//! The mirror client against a mirror on this machine: order of addresses, pauses, faults, restarts.

#![allow(
    clippy::unwrap_used,
    clippy::pedantic,
    unreachable_pub,
    missing_docs,
    missing_debug_implementations,
    reason = "a test may fail loudly"
)]

mod changes;
mod faults;
mod parts;
mod places;
mod server;
#[path = "../../../../tests/golden/sets.rs"]
mod sets;

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use server::World;
use storymill_core::Fault;
use storymill_mirror::{Caps, Changed, Client, Family, Order, Report, fetch, mirror};

/// A made-up page.
pub fn page(id: &str) -> String {
    let words = "The miller of the slow river told a story for every sack of grain, and told it to nobody else. ";
    format!(
        "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>Book {id}</title></head><body>\n\
         <section id=\"pg-header\"><p>Title: Book {id}</p><p>[eBook #{id}]</p></section>\n<h2>CHAPTER I</h2>\n\
         <p>{}</p>\n<p>It was the {id}th caf\u{e9} of the town. {words}</p>\n<section id=\"pg-footer\"><p>End.</p></section></body></html>\n",
        words.repeat(6)
    )
}

pub fn bytes(id: &str) -> Vec<u8> {
    page(id).into_bytes()
}

/// A folder of pages that a test works on.
pub struct Books {
    dir: tempfile::TempDir,
    pub order: Order,
}

impl Books {
    pub fn from(client: Client, harvest: bool) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("books");
        let order = Order {
            client,
            harvest,
            lock: out.join("books.lock"),
            out,
            wanted: Vec::new(),
            refresh: false,
            changed: Changed::Report,
        };
        Self { dir, order }
    }

    pub fn of(base: &str, world: &World) -> Self {
        let mut client = Client::new(mirror(base, true).unwrap(), "ann@example.org");
        client.lookup = world.lookup();
        client.caps = Caps {
            bytes: 1 << 20,
            idle: Duration::from_millis(1_200),
            total: Duration::from_secs(9),
        };
        Self::from(client, false)
    }

    pub fn client(&mut self) -> &mut Client {
        &mut self.order.client
    }

    pub fn layouts(mut self, layouts: &[Family]) -> Self {
        self.client().layouts = layouts.to_vec();
        self
    }

    pub fn want(mut self, ids: &[&str]) -> Self {
        self.order.wanted = ids.iter().map(|id| id.parse().unwrap()).collect();
        self
    }

    pub fn run(&self, world: &World) -> Result<Report, Fault> {
        fetch(&self.order, world, world)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.order.out.join(name)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn lock(&self) -> String {
        fs::read_to_string(&self.order.lock).unwrap()
    }

    pub fn top(&self) -> &Path {
        self.dir.path()
    }
}
