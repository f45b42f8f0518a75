//! Fetching: which books need a page, where to look for it, and what becomes of what comes.

use std::collections::BTreeSet;

use reqwest::Url;
use storymill_core::{BookId, Fault, FaultKind};

use crate::{
    Change, Clock, Event, Events, Lock, Order, Pin,
    answer::Nothing,
    ask::{self, Asker},
    journal::{Entry, Journal, Marks, Under},
    layout::{self, Candidate, Learned},
    page::{self, Page},
    page_folder::PageFolder,
};

/// So many books in a row that could not be had mean that the mirror is not well.
const FAILURES: u32 = 3;

/// The lock is written anew after so many pages.
const BETWEEN_LOCKS: usize = 50;

/// What became of an order.
#[derive(Debug, Default)]
pub struct Report {
    /// Pages that came and were pinned.
    pub fetched: Vec<Pin>,
    /// Pages that were there as pinned, or were as before when asked again.
    pub there: usize,
    /// Pages that lay in the folder without a pin, and have one now.
    pub adopted: usize,
    /// Pages whose bytes are others than those pinned, and that were not taken.
    pub changed: Vec<Change>,
    /// Books without a page.
    pub missing: Vec<Missing>,
    /// Files of a harvest whose names tell no book.
    pub nameless: usize,
    /// Requests sent.
    pub requests: u64,
    /// Bytes received.
    pub bytes: u64,
}

/// A book without a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The book.
    pub id: BookId,
    /// Why.
    pub why: String,
    /// Whether another run may have more luck.
    pub passing: bool,
}

/// Fetches what an order wants. What was done is kept, however it ends.
pub fn fetch(order: &Order, clock: &dyn Clock, events: &dyn Events) -> Result<Report, Fault> {
    let shelf = PageFolder::open(&order.out)?;
    let journal = Journal::open(&shelf.aside)?;
    let mut lock = Lock::open(&order.lock)?;
    for (id, pin) in &journal.pages {
        lock.pins.entry(id.clone()).or_insert_with(|| pin.clone());
    }
    let mut run = Run {
        order,
        shelf,
        journal,
        lock,
        asker: Asker::new(&order.client, clock, events)?,
        clock,
        events,
        learned: Learned::default(),
        report: Report::default(),
    };
    let done = run.run();
    run.lock.write(&order.lock)?;
    done?;
    (run.report.requests, run.report.bytes) = (run.asker.requests, run.asker.bytes);
    Ok(run.report)
}

/// One order being carried out.
pub(crate) struct Run<'a> {
    pub(crate) order: &'a Order,
    pub(crate) shelf: PageFolder,
    pub(crate) journal: Journal,
    pub(crate) lock: Lock,
    pub(crate) asker: Asker<'a>,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) events: &'a dyn Events,
    pub(crate) learned: Learned,
    pub(crate) report: Report,
}

/// A book that is wanted, and the addresses of its pages where a harvest named them.
pub(crate) type Book = (BookId, Option<Vec<String>>);

/// What came of looking for a page.
pub(crate) enum Found {
    Page { page: Page, from: String, marks: Marks },
    Unchanged,
    Missing { why: String, passing: bool },
}

impl Run<'_> {
    fn run(&mut self) -> Result<(), Fault> {
        let books = if self.order.harvest {
            self.harvest()?
        } else {
            self.order.wanted.iter().map(|id| (id.clone(), None)).collect()
        };
        let mut open = Vec::new();
        for (id, addresses) in &books {
            if self.look(id)? {
                open.push((id, addresses));
            }
        }
        self.events.emit(Event::Started { wanted: books.len(), open: open.len() });
        let mut failures = 0;
        for (done, (id, addresses)) in open.into_iter().enumerate() {
            if self.clock.stopped() {
                return Err(ask::stopped());
            }
            let candidates = self.candidates(id, addresses.as_deref());
            match self.find(id, &candidates)? {
                Found::Page { page, from, marks } => {
                    failures = 0;
                    self.take(id, &page, from, marks)?;
                }
                Found::Unchanged => {
                    failures = 0;
                    self.report.there += 1;
                    self.events.emit(Event::Page { id, bytes: 0 });
                }
                Found::Missing { why, passing } => {
                    self.events.emit(Event::NoPage { id, why: &why });
                    failures = if passing { failures + 1 } else { 0 };
                    if failures >= FAILURES {
                        let message =
                            format!("{FAILURES} books in a row could not be fetched: {why}");
                        return Err(Fault::new(FaultKind::Again, message)
                            .hint("run the same command again later: what is done is kept"));
                    }
                    self.report.missing.push(Missing { id: id.clone(), why, passing });
                }
            }
            if done % BETWEEN_LOCKS == BETWEEN_LOCKS - 1 {
                self.lock.write(&self.order.lock)?;
            }
        }
        Ok(())
    }

    /// The paths or addresses under which a book may be found, best first.
    fn candidates(&self, id: &BookId, addresses: Option<&[String]>) -> Vec<Candidate> {
        let all = match addresses {
            Some(addresses) => addresses.iter().map(|url| Candidate::named(url)).collect(),
            None => self.learned.order(layout::candidates(id, &self.order.client.layouts)),
        };
        // Where the page came from is the best guess where it is.
        let pinned = self.lock.pins.get(id.as_str()).map(|pin| pin.from.as_str());
        let known =
            pinned.filter(|from| Url::parse(from).is_ok_and(|url| self.asker.check(&url).is_ok()));
        known.map(Candidate::named).into_iter().chain(all).collect()
    }

    fn find(&mut self, id: &BookId, candidates: &[Candidate]) -> Result<Found, Fault> {
        let mut base = self.order.client.base.clone();
        if !base.path().ends_with('/') {
            base.set_path(&format!("{}/", base.path()));
        }
        base.set_query(None);
        let most = self.order.client.caps.bytes;
        let (mut why, mut told) = ("no layout has a path for it".to_owned(), false);
        let (mut asked, mut seen, mut nothing) = (Vec::new(), BTreeSet::new(), 0);
        let known = self.journal.marks.get(id.as_str()).cloned();
        for candidate in candidates {
            let Ok(url) = base.join(&candidate.path) else { continue };
            if self.journal.has_nothing(url.as_str(), most) && !self.order.refresh {
                "there was nothing of use when it was asked for before (`--refresh` asks again)"
                    .clone_into(&mut why);
                continue;
            }
            if !seen.insert(url.to_string()) {
                continue;
            }
            let same = known.as_ref().filter(|marks| {
                marks.url == url.as_str() && self.order.refresh && self.shelf.file(id).is_some()
            });
            let answer = self.asker.ask(&url, same, Some(&mut self.journal))?;
            asked.extend(candidate.family.filter(|family| !asked.contains(family)));
            // What hangs on options, or may pass, is no verdict for ever.
            let (reason, under) = match answer {
                Ok(body) => match page::page(id, body.url.path(), body.bytes, most) {
                    Ok(page) => {
                        self.learned.learn(&asked, candidate.family);
                        let from = body.url.to_string();
                        return Ok(Found::Page { page, from, marks: body.marks });
                    }
                    Err(reason) => (reason, Some(Under::no_book(most))),
                },
                Err((Nothing::New, _)) => return Ok(Found::Unchanged),
                Err((Nothing::Failed, reason)) => {
                    return Ok(Found::Missing { why: format!("{url}: {reason}"), passing: true });
                }
                Err((Nothing::Gone, reason)) => (reason, Some(Under::default())),
                Err((Nothing::TooLarge, reason)) => (reason, Some(Under::most(most))),
                Err((Nothing::Refused | Nothing::Odd | Nothing::Barred, reason)) => (reason, None),
            };
            nothing += 1;
            // Of several reasons the last that says more than that nothing is there.
            let says_more = under != Some(Under::default());
            if says_more || !told {
                why = format!("{url}: {reason}");
                told = says_more;
            }
            if let Some(under) = under {
                self.journal.write(Entry::Nothing { url: url.to_string(), under })?;
            }
        }
        self.learned.learn(&asked, None);
        if nothing > 1 {
            why = format!("nothing of use at {nothing} addresses; {why}");
        }
        Ok(Found::Missing { why, passing: false })
    }
}
