//! Asking a mirror: robots.txt first, then at its pace, again where that may help, and along
//! redirects as far as they stay on the allowed hosts.

use std::{collections::BTreeMap, time::Duration};

use reqwest::Url;
use storymill_core::{Fault, FaultKind};

use crate::{
    Client, Clock, Event, Events, LEAST_GAP,
    answer::{Answer, Body, Nothing, Sent, headers},
    hosts::Hosts,
    http::{Http, Trouble},
    journal::{Entry, Journal, Marks},
    pace::{self, BACK_OFF, Pace},
    page::too_large,
    robots::Robots,
};

/// How often one address is asked for.
const TRIES: u32 = 5;

/// A server that asks for a longer wait is left alone for now.
const LONGEST_WAIT: Duration = Duration::from_mins(15);

/// So many bytes of a robots.txt are read.
const ROBOTS_SIZE: usize = 500 * 1024;

/// For so long a robots.txt is believed, in seconds.
const ROBOTS_AGE: u64 = 24 * 60 * 60;

/// Asks the hosts of one mirror.
pub(crate) struct Asker<'a> {
    pub(crate) client: &'a Client,
    http: Http,
    hosts: Hosts,
    pace: Pace,
    robots: BTreeMap<String, Robots>,
    /// Refusals in a row.
    pub(crate) refusals: u32,
    clock: &'a dyn Clock,
    events: &'a dyn Events,
    /// Requests sent.
    pub(crate) requests: u64,
    /// Bytes received.
    pub(crate) bytes: u64,
}

impl<'a> Asker<'a> {
    pub(crate) fn new(
        client: &'a Client,
        clock: &'a dyn Clock,
        events: &'a dyn Events,
    ) -> Result<Self, Fault> {
        // The address is checked once more: nobody gets past this room.
        crate::mirror(client.base.as_str(), client.main_site)?;
        let own = client.base.host_str().unwrap_or_default();
        let names = client.hosts.iter().map(String::as_str).chain([own]);
        let hosts = Hosts::new(names, client.main_site);
        let http = Http::new(client, hosts.clone())?;
        let (pace, robots) = (Pace::default(), BTreeMap::new());
        Ok(Self {
            client,
            http,
            hosts,
            pace,
            robots,
            refusals: 0,
            clock,
            events,
            requests: 0,
            bytes: 0,
        })
    }

    /// Whether an address may be asked, as far as its host goes.
    pub(crate) fn check(&self, url: &Url) -> Result<(), String> {
        self.hosts.check(url)
    }

    /// Asks for an address. With marks of a page that is there, only for what is new; without a journal,
    /// for a robots.txt, which no other one rules.
    pub(crate) fn ask(
        &mut self,
        first: &Url,
        known: Option<&Marks>,
        mut journal: Option<&mut Journal>,
    ) -> Result<Answer, Fault> {
        let mut url = first.clone();
        for _ in 0..=5 {
            if let Err(why) = self.hosts.check(&url) {
                return Ok(Err((Nothing::Barred, why)));
            }
            if let Some(journal) = journal.as_deref_mut()
                && !self.robots(&url, journal)?
            {
                let why = "the mirror's robots.txt does not allow it".to_owned();
                return Ok(Err((Nothing::Barred, why)));
            }
            match self.send(&url, known)? {
                Sent::Redirect(next) => url = next,
                Sent::Done(answer) => {
                    return Ok(answer.map(|body| {
                        let marks = Marks { url: first.to_string(), ..body.marks };
                        Body { marks, ..body }
                    }));
                }
            }
        }
        Ok(Err((Nothing::Odd, "it leads on and on".to_owned())))
    }

    /// Whether the host's robots.txt lets us ask for an address.
    fn robots(&mut self, url: &Url, journal: &mut Journal) -> Result<bool, Fault> {
        let origin = url.origin().ascii_serialization();
        if !self.robots.contains_key(&origin) {
            let now = self.clock.unix();
            let kept = journal.robots.get(&origin);
            let kept = kept.filter(|(at, _)| (*at..at.saturating_add(ROBOTS_AGE)).contains(&now));
            let text = if let Some((_, text)) = kept {
                text.clone()
            } else {
                let text = self.read_robots(url)?;
                let entry = Entry::Robots { origin: origin.clone(), at: now, text: text.clone() };
                journal.write(entry)?;
                text
            };
            self.robots.insert(origin.clone(), Robots::parse(&text));
        }
        let path = match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        };
        Ok(self.robots.get(&origin).is_none_or(|robots| robots.allow(&path)))
    }

    fn read_robots(&mut self, url: &Url) -> Result<String, Fault> {
        let mut address = url.clone();
        address.set_path("/robots.txt");
        address.set_query(None);
        let (kind, why) = match self.ask(&address, None, None)? {
            Ok(Body { bytes: mut text, .. }) => {
                if text.len() > ROBOTS_SIZE {
                    // A rule that is cut off would say something else.
                    let line = text[..ROBOTS_SIZE].iter().rposition(|byte| *byte == b'\n');
                    text.truncate(line.unwrap_or_default());
                }
                return Ok(String::from_utf8_lossy(&text).into_owned());
            }
            // A host without a robots.txt (4xx) allows all; one whose robots.txt cannot be read, nothing.
            Err((Nothing::Gone | Nothing::Refused, _)) => return Ok(String::new()),
            Err((Nothing::Failed, why)) => (FaultKind::Again, why),
            Err((_, why)) => (FaultKind::Input, why),
        };
        let message =
            format!("`{address}` cannot be read, and without it nothing may be asked: {why}");
        Err(Fault::new(kind, message))
    }

    /// Asks one address, several times if need be.
    fn send(&mut self, url: &Url, known: Option<&Marks>) -> Result<Sent, Fault> {
        let known = known.filter(|known| known.etag.is_some() || known.modified.is_some());
        let headers = headers(url, known);
        let host = url.host_str().unwrap_or_default().to_owned();
        let delay = self.robots.get(&url.origin().ascii_serialization()).and_then(|r| r.delay);
        let gap = self.client.gap.max(LEAST_GAP).max(delay.unwrap_or_default());
        let mut why = String::new();
        for retry in 0..TRIES {
            let closed = self.pace.closed(&host, self.clock);
            if !closed.is_zero() {
                let why = "the server asked for it";
                self.events.emit(Event::Waiting { host: &host, time: closed, why });
            }
            self.pace.wait(&host, gap, self.clock);
            self.stopped()?;
            self.events.emit(Event::Asking { url: url.as_str() });
            self.requests += 1;
            let got = self.http.get(url, &headers, self.clock, &mut self.bytes);
            self.pace.heard(&host, self.clock);
            let mut wait = BACK_OFF.wait(retry);
            match got {
                Ok((head, bytes)) => {
                    if let Some(sent) = self.judge(url, &head, bytes, known.is_some())? {
                        return Ok(sent);
                    }
                    why = format!("the server answers {}", head.status);
                    let after =
                        storymill_core::retry::asked(|name| head.get(name), self.clock.unix());
                    wait = after.map_or(wait, |after| after.max(gap));
                    if after.is_some() && wait <= LONGEST_WAIT {
                        // It holds for whatever is asked next, also after the last try.
                        self.pace.leave(&host, wait, self.clock);
                    }
                }
                Err(Trouble::Passing(trouble)) => why = trouble,
                Err(Trouble::TooLarge) => {
                    let why = too_large(self.client.caps.bytes);
                    return Ok(Sent::Done(Err((Nothing::TooLarge, why))));
                }
                Err(Trouble::Stopped) => self.stopped()?,
            }
            if wait > LONGEST_WAIT {
                let message = format!("`{host}` asks to be left alone for {} s", wait.as_secs());
                return Err(Fault::new(FaultKind::Again, message)
                    .hint("run the same command again later: what is done is kept"));
            }
            if retry + 1 < TRIES {
                self.events.emit(Event::Waiting { host: &host, time: wait, why: &why });
                pace::until(self.clock.now() + wait, self.clock);
            }
        }
        Ok(Sent::Done(Err((Nothing::Failed, why))))
    }

    fn stopped(&self) -> Result<(), Fault> {
        if self.clock.stopped() {
            return Err(stopped());
        }
        Ok(())
    }
}

/// The fault of a fetch that its user stopped.
pub(crate) fn stopped() -> Fault {
    Fault::new(FaultKind::Interrupted, "stopped").hint("what was fetched is kept")
}
