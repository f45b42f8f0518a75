//! One request over the wire: sent once, read up to a limit, understood.

use std::{
    collections::BTreeMap,
    error::Error,
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use reqwest::{
    Response,
    header::{CONTENT_TYPE, HeaderMap},
};
use serde_json::{Map, Value};
use tokio::{net::TcpStream, time::timeout};

use crate::{
    delay,
    endpoint::{Endpoint, MAX_RESPONSE},
    failure::{self, Again, Failure, Refusal, Why},
    wire::{self, Body, Reply, mend},
};

/// The headers of a response that are kept. Cookies and account names are not among them.
pub(crate) const KEPT_HEADERS: [&str; 7] = [
    "content-type",
    "openai-model",
    "openai-processing-ms",
    "openai-version",
    "request-id",
    "server",
    "x-request-id",
];

/// What came back.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    pub(crate) reply: Reply,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) millis: u64,
    /// Whether something of it was no text, and is replaced.
    pub(crate) mended: bool,
}

/// Sends a request once. No text that comes back holds the endpoint's key.
pub(crate) async fn once(
    endpoint: &Endpoint,
    body: &Map<String, Value>,
) -> Result<Exchange, Failure> {
    let start = Instant::now();
    let exchange = async {
        let request = endpoint
            .client
            .post(endpoint.address.clone())
            .headers(endpoint.headers.clone())
            .header(CONTENT_TYPE, "application/json")
            .body(serde_json::to_vec(body).map_err(|_| garbage("a body that is not JSON"))?);
        let response = request.send().await.map_err(transport)?;
        endpoint.was_there.store(true, Ordering::Relaxed);
        understand(endpoint, response).await
    };
    let result = timeout(endpoint.total, exchange).await.unwrap_or_else(|_| {
        let what = format!("no answer within {} s", endpoint.total.as_secs());
        Err(Again::transport(what, true))
    });
    let scrub = |text| endpoint.secret.scrub(text);
    let told = |what| scrub(if endpoint.private { failure::without_words(what) } else { what });
    match result {
        Ok((mut reply, headers, mended)) => {
            reply.answer.text = scrub(reply.answer.text);
            reply.answer.finish_reason = scrub(reply.answer.finish_reason);
            let headers = kept(&headers).map(|(name, value)| (name, scrub(value))).collect();
            let millis = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
            Ok(Exchange { reply, headers, millis, mended })
        }
        Err(Failure::Again(again)) => {
            Err(Failure::Again(Again { what: told(again.what), ..again }))
        }
        Err(Failure::Never(refusal)) => {
            Err(Failure::Never(Refusal { what: told(refusal.what), ..refusal }))
        }
    }
}

/// Whether the endpoint takes a connection, which goes round no proxy: nothing is sent.
pub(crate) async fn reach(endpoint: &Endpoint) -> Result<(), Failure> {
    let host = endpoint.address.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let port = endpoint.address.port_or_known_default().unwrap_or_default();
    let (what, unreached) = match timeout(endpoint.connect, TcpStream::connect((host, port))).await
    {
        Ok(Ok(_)) => return Ok(()),
        Ok(Err(error)) => (plain(&error), true),
        Err(_) => (format!("no answer within {} s", endpoint.connect.as_secs()), false),
    };
    let what = format!("cannot connect: {what}");
    Err(Failure::Again(Again { what, after: None, crowded: false, costly: false, unreached }))
}

async fn understand(
    endpoint: &Endpoint,
    mut response: Response,
) -> Result<(Reply, HeaderMap, bool), Failure> {
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    let success = response.status().is_success();
    let body = whole(&mut response, endpoint.idle, success).await?;
    if !success {
        let word = headers.get("x-should-retry").and_then(|value| value.to_str().ok());
        let asked_again = word.and_then(|word| word.parse().ok());
        return Err(failure::classify(status, &body, asked_again, delay::asked(&headers)));
    }
    let mended = mend::mended(&body);
    match wire::read(endpoint.wire, mended.as_ref().map_or(&body, |text| text.as_bytes())) {
        Body::Reply(reply) => Ok((reply, headers, mended.is_some())),
        Body::Error(value) => Err(failure::classify_inside(endpoint.wire, &value)),
        Body::Garbage(what) => Err(garbage(what)),
    }
}

/// The whole body, if it is not too long and never pauses for too long. Of an error's body, the
/// beginning is enough.
async fn whole(response: &mut Response, idle: Duration, success: bool) -> Result<Vec<u8>, Failure> {
    let most = if success { MAX_RESPONSE } else { 64 << 10 };
    let mut body = Vec::new();
    loop {
        let chunk = match timeout(idle, response.chunk()).await {
            Ok(Ok(chunk)) => chunk,
            Ok(Err(_)) if !success => return Ok(body),
            Ok(Err(error)) => return Err(transport(error)),
            Err(_) => {
                let what = format!("the answer paused for {} s", idle.as_secs());
                return Err(Again::transport(what, true));
            }
        };
        let Some(chunk) = chunk else { return Ok(body) };
        if body.len() + chunk.len() > most {
            if success {
                return Err(garbage("more than 8 MB"));
            }
            return Ok(body);
        }
        body.extend_from_slice(&chunk);
    }
}

fn garbage(what: &str) -> Failure {
    Again::transport(format!("the endpoint sent {what}"), true)
}

/// A failure below HTTP. The URL is left out of it: a query may hold what nobody should see.
fn transport(error: reqwest::Error) -> Failure {
    let error = error.without_url();
    if error.is_builder() || error.is_redirect() {
        return Failure::Never(Refusal::new(Why::Other, error.to_string()));
    }
    let mut last: &dyn Error = &error;
    while let Some(source) = last.source() {
        last = source;
    }
    let what = if error.is_connect() { "cannot connect" } else { "the connection broke" };
    Failure::Again(Again {
        what: format!("{what}: {}", plain(last)),
        after: None,
        crowded: false,
        costly: !error.is_connect(),
        // One that does not even refuse may be slow, or far away.
        unreached: error.is_connect() && !error.is_timeout(),
    })
}

/// An error without the number that the system has for it.
fn plain(error: &dyn Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

/// The headers to keep, of any list of headers.
pub(crate) fn kept(headers: &HeaderMap) -> impl Iterator<Item = (String, String)> {
    let keep = |name: &&str| {
        let value = headers.get(*name)?.to_str().ok()?;
        Some(((*name).to_owned(), value.chars().take(200).collect()))
    };
    KEPT_HEADERS.iter().filter_map(keep)
}
