//! One request, one answer, over one connection: the only place where a socket is opened.
//!
//! Nothing is followed, unpacked or tried again here.

use std::{
    io,
    net::{SocketAddr, ToSocketAddrs},
    pin::pin,
    sync::Arc,
    time::Duration,
};

use reqwest::{
    Url,
    dns::{Addrs, Name, Resolve, Resolving},
    header::{HeaderMap, HeaderName},
    redirect,
};
use storymill_core::{Fault, FaultKind};
use tokio::{
    runtime::{Builder, Runtime},
    time::timeout,
};

use crate::{Caps, Client, Clock, hosts::Hosts};

/// Bodies that nobody wants are read up to so many bytes.
const SHORT: u64 = 64 * 1024;

/// So long it takes at most until a wish to stop is heard.
const NAP: Duration = Duration::from_millis(100);

/// How names become addresses.
pub type Lookup = Arc<dyn Fn(&str) -> io::Result<Vec<SocketAddr>> + Send + Sync>;

/// The system's lookup.
pub(crate) fn lookup(name: &str) -> io::Result<Vec<SocketAddr>> {
    Ok((name, 0).to_socket_addrs()?.collect())
}

/// The connection to mirrors.
pub(crate) struct Http {
    runtime: Runtime,
    client: reqwest::Client,
    caps: Caps,
}

/// The head of an answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    pub(crate) status: u16,
    headers: HeaderMap,
}

impl Head {
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok().map(str::trim)
    }

    /// Bytes of the body, if it says.
    pub(crate) fn length(&self) -> Option<u64> {
        self.get("content-length")?.parse().ok()
    }
}

/// Why no whole answer came.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// It may work another time.
    Passing(String),
    /// It is larger than a page may be.
    TooLarge,
    /// The user wants to stop.
    Stopped,
}

/// Looks up only what may be asked: a name that is not allowed is never resolved.
struct Guard {
    hosts: Hosts,
    lookup: Lookup,
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let found = if self.hosts.allow(name.as_str()) {
            (self.lookup)(name.as_str())
        } else {
            Err(io::Error::other(format!("`{}` is not among the allowed hosts", name.as_str())))
        };
        Box::pin(async move {
            let found = found?;
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

impl Http {
    pub(crate) fn new(client: &Client, hosts: Hosts) -> Result<Self, Fault> {
        let internal =
            |error| Fault::new(FaultKind::Internal, "cannot make an HTTP client").because(error);
        // Another crate of the program may have chosen a provider already; then that one serves.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| {
            Fault::new(FaultKind::Internal, "cannot start the network").because(error)
        })?;
        let made = reqwest::Client::builder()
            .redirect(redirect::Policy::none())
            .no_proxy()
            .http1_only()
            .pool_max_idle_per_host(1)
            .connect_timeout(client.caps.idle)
            .user_agent(user_agent(&client.contact)?)
            .dns_resolver(Guard { hosts, lookup: Arc::clone(&client.lookup) })
            .build()
            .map_err(internal)?;
        Ok(Self { runtime, client: made, caps: client.caps })
    }

    /// Asks once. Of a page (200) the body comes too; `received` counts its bytes, also where it breaks off.
    pub(crate) fn get(
        &self,
        url: &Url,
        headers: &[(&'static str, String)],
        clock: &dyn Clock,
        received: &mut u64,
    ) -> Result<(Head, Vec<u8>), Trouble> {
        let mut request = self.client.get(url.clone());
        for (name, value) in headers {
            request = request.header(HeaderName::from_static(name), value.as_str());
        }
        let talk = async {
            let sent = timeout(self.caps.idle, request.send()).await;
            let mut answer =
                sent.map_err(|_| silent(self.caps.idle))?.map_err(|error| failed(&error))?;
            let head = Head { status: answer.status().as_u16(), headers: answer.headers().clone() };
            let mut body = Vec::new();
            if head.status != 200 {
                // A short body is read to its end, so that the connection can be used again.
                let mut left = head.length().filter(|length| *length <= SHORT).unwrap_or(0);
                while left > 0
                    && let Ok(Ok(Some(piece))) = timeout(self.caps.idle, answer.chunk()).await
                {
                    left = left.saturating_sub(piece.len() as u64);
                }
                return Ok((head, body));
            }
            if head.length().is_some_and(|length| length > self.caps.bytes as u64) {
                return Err(Trouble::TooLarge);
            }
            loop {
                let piece = timeout(self.caps.idle, answer.chunk()).await;
                let piece =
                    piece.map_err(|_| silent(self.caps.idle))?.map_err(|error| failed(&error))?;
                let Some(piece) = piece else { return Ok((head, body)) };
                body.extend_from_slice(&piece);
                *received += piece.len() as u64;
                if body.len() > self.caps.bytes {
                    return Err(Trouble::TooLarge);
                }
            }
        };
        let slow = || {
            let seconds = self.caps.total.as_secs();
            Trouble::Passing(format!("the answer was not whole within {seconds} s"))
        };
        self.runtime.block_on(async {
            let mut talk = pin!(timeout(self.caps.total, talk));
            loop {
                // A server may be silent for long; who wants to stop need not wait for it.
                if let Ok(done) = timeout(NAP, &mut talk).await {
                    return done.map_err(|_| slow())?;
                }
                if clock.stopped() {
                    return Err(Trouble::Stopped);
                }
            }
        })
    }
}

/// How we name ourselves: with an address under which somebody answers.
fn user_agent(contact: &str) -> Result<String, Fault> {
    let contact = contact.trim();
    let web = contact.starts_with("https://") || contact.starts_with("http://");
    let mail =
        contact.split_once('@').is_some_and(|(who, host)| !who.is_empty() && host.contains('.'));
    let plain = contact.bytes().all(|byte| byte.is_ascii_graphic() && !b"()<>\"\\".contains(&byte));
    if !(plain && (web || mail) && contact.len() <= 200) {
        let message = format!("`{}` is not a contact", contact.escape_debug());
        return Err(Fault::new(FaultKind::Input, message)
            .hint("name a mail or web address of yours, which is sent to the mirror: `--contact ann@example.org`"));
    }
    let contact = if web { contact.to_owned() } else { format!("mailto:{contact}") };
    Ok(format!(concat!("storymill/", env!("CARGO_PKG_VERSION"), " (+{})"), contact))
}

fn silent(idle: Duration) -> Trouble {
    Trouble::Passing(format!("the server was silent for {} s", idle.as_secs_f32().ceil()))
}

fn failed(error: &reqwest::Error) -> Trouble {
    // The innermost cause says most; what lies around it repeats the address.
    let mut cause: &dyn std::error::Error = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    let what = if error.is_connect() { "cannot connect" } else { "the answer broke off" };
    Trouble::Passing(format!("{what}: {cause}"))
}

#[cfg(test)]
mod tests {
    use super::user_agent;

    #[test]
    fn a_contact_is_an_address() {
        assert!(user_agent("ann@example.org").unwrap().ends_with(" (+mailto:ann@example.org)"));
        assert!(
            user_agent("https://example.org/us").unwrap().ends_with("(+https://example.org/us)")
        );
        for bad in ["", "ann", "ann@", "@example.org", "a@b.c\r\nx: y", "a@b.c)"] {
            assert!(user_agent(bad).is_err(), "{bad}");
        }
    }
}
