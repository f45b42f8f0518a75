//! The client for mirrors of Project Gutenberg: pages by id, fetched politely and pinned.
//!
//! What it may ask is decided in one place each: `hosts` (the mirror's own name and those that were allowed;
//! the main site never unasked), `robots` (each host's rules), `pace` (two seconds between requests, one
//! request at a time). Clock and sleep come from outside. A folder of pages has a lock, `books.lock`, with the
//! digest of every page; a page whose bytes are others than those pinned is told, laid aside, and taken only
//! when asked to.
//!
//! It needs `storymill_sources` for what a page is: a page of which no book can be made is not kept, and where a
//! page changed, the change of its text is shown.

mod answer;
mod ask;
mod change;
mod fetch;
mod harvest;
mod hosts;
mod http;
mod journal;
mod keep;
mod layout;
mod lock;
mod pace;
mod page;
mod page_folder;
mod robots;

use std::{path::PathBuf, sync::Arc, time::Duration};

use reqwest::Url;
use storymill_core::BookId;

pub use change::Change;
pub use fetch::{Missing, Report, fetch};
pub use hosts::{is_main_site, mirror};
pub use http::Lookup;
pub use layout::Family;
pub use lock::{Lock, Pin};

/// What is fetched, from where, to where.
#[derive(Clone, Debug)]
pub struct Order {
    /// The mirror, and how it is asked.
    pub client: Client,
    /// Whether the mirror's address is a harvest: the pages that it lists are fetched, page by page.
    pub harvest: bool,
    /// The folder of pages.
    pub out: PathBuf,
    /// The lock; in the folder of pages unless the user names another.
    pub lock: PathBuf,
    /// The books, in the order in which they are fetched.
    pub wanted: Vec<BookId>,
    /// Whether pages that are there are asked for again, in case they changed.
    pub refresh: bool,
    /// What becomes of pages whose bytes changed.
    pub changed: Changed,
}

/// How a mirror is asked.
#[derive(Clone)]
pub struct Client {
    /// The mirror's top address, or the first harvest page.
    pub base: Url,
    /// Other hosts that may be asked, where the mirror leads there.
    pub hosts: Vec<String>,
    /// Whether the main site may be asked at all.
    pub main_site: bool,
    /// Who asks: a mail or web address, told to the mirror.
    pub contact: String,
    /// The layouts to try, in order of preference.
    pub layouts: Vec<Family>,
    /// The least time between two requests to a host.
    pub gap: Duration,
    /// Limits of one page.
    pub caps: Caps,
    /// How names become addresses.
    pub lookup: Lookup,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("base", &self.base.as_str()).finish_non_exhaustive()
    }
}

/// The least time between two requests to a host, as Project Gutenberg asks for.
pub const LEAST_GAP: Duration = Duration::from_secs(2);

impl Client {
    /// A client with the usual limits.
    pub fn new(base: Url, contact: impl Into<String>) -> Self {
        Self {
            base,
            hosts: Vec::new(),
            main_site: false,
            contact: contact.into(),
            layouts: Family::ALL.to_vec(),
            gap: LEAST_GAP,
            caps: Caps::default(),
            lookup: Arc::new(http::lookup),
        }
    }
}

/// Limits of one page.
#[derive(Clone, Copy, Debug)]
pub struct Caps {
    /// Bytes, as sent and unpacked.
    pub bytes: usize,
    /// The longest silence of a server.
    pub idle: Duration,
    /// The longest time for one answer.
    pub total: Duration,
}

impl Default for Caps {
    fn default() -> Self {
        let (idle, total) = (Duration::from_secs(30), Duration::from_mins(10));
        Self { bytes: storymill_sources::unpack::LARGEST, idle, total }
    }
}

/// What becomes of pages whose bytes changed since they were pinned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Changed {
    /// They are laid aside and told.
    #[default]
    Report,
    /// They are taken and pinned.
    Accept,
    /// They are thrown away, the old ones stay.
    Keep,
}

/// The world outside: time, and whether the user wants to stop.
pub trait Clock {
    /// Time since some moment that stays the same; never runs backwards.
    fn now(&self) -> Duration;
    /// Seconds since 1970, for `Retry-After` dates and the age of robots.txt.
    fn unix(&self) -> u64;
    /// Waits. May return early if the user wants to stop.
    fn sleep(&self, time: Duration);
    /// Whether the user wants to stop.
    fn stopped(&self) -> bool {
        false
    }
}

/// Who hears how it goes.
pub trait Events {
    /// Something happened.
    fn emit(&self, event: Event<'_>);
}

/// What happens while pages are fetched.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'e> {
    /// So many books are wanted, of which so many have no page yet.
    Started {
        /// All.
        wanted: usize,
        /// Without a page, or to be asked again.
        open: usize,
    },
    /// A page of a harvest was read; it listed so many files.
    Harvested {
        /// The address.
        url: &'e str,
        /// How many.
        files: usize,
    },
    /// A request goes out.
    Asking {
        /// The address.
        url: &'e str,
    },
    /// The server asks to wait, or something failed and is tried again.
    Waiting {
        /// The host.
        host: &'e str,
        /// How long.
        time: Duration,
        /// Why.
        why: &'e str,
    },
    /// A page is there.
    Page {
        /// The book.
        id: &'e BookId,
        /// Bytes of the page.
        bytes: u64,
    },
    /// A book is done without a page.
    NoPage {
        /// The book.
        id: &'e BookId,
        /// Why.
        why: &'e str,
    },
}
