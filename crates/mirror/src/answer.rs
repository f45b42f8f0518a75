//! What a server's answer means, and what it is told beside the address.

use reqwest::Url;
use storymill_core::{Fault, FaultKind};

use crate::{
    ask::Asker,
    http::Head,
    journal::Marks,
    page::{gunzip, too_large},
};

/// So many refusals in a row mean that we are not wanted.
const REFUSALS: u32 = 3;

/// What came of asking for an address: a body, or why there is none.
pub(crate) type Answer = Result<Body, (Nothing, String)>;

/// What a server sent.
pub(crate) struct Body {
    /// Unpacked as far as the server had packed it for the way.
    pub(crate) bytes: Vec<u8>,
    /// Where it lay in the end.
    pub(crate) url: Url,
    pub(crate) marks: Marks,
}

/// Why there is nothing of use at an address: what is certain is not asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nothing {
    /// Nothing new: it is as it was.
    New,
    /// The server knows nothing there.
    Gone,
    /// The server does not give it to us.
    Refused,
    /// It is larger than a page may be.
    TooLarge,
    /// The answer makes no sense.
    Odd,
    /// It must not be asked for.
    Barred,
    /// It could not be had this time.
    Failed,
}

/// What became of one address.
pub(crate) enum Sent {
    /// It leads to another.
    Redirect(Url),
    /// It is done with.
    Done(Answer),
}

impl Asker<'_> {
    /// What an answer means; nothing if the address has to be asked again. `known`: whether only what is
    /// new was asked for.
    pub(crate) fn judge(
        &mut self,
        url: &Url,
        head: &Head,
        bytes: Vec<u8>,
        known: bool,
    ) -> Result<Option<Sent>, Fault> {
        let most = self.client.caps.bytes;
        if !matches!(head.status, 401 | 403 | 451) && head.status < 429 {
            self.refusals = 0;
        }
        let bytes = match head.status {
            200 => {
                match head.get("content-encoding").unwrap_or_default().to_ascii_lowercase().as_str()
                {
                    "" | "identity" => Ok(bytes),
                    "gzip" | "x-gzip" => match gunzip(&bytes, most) {
                        Ok(bytes) => bytes.ok_or_else(|| (Nothing::TooLarge, too_large(most))),
                        Err(why) => Err((Nothing::Failed, why)),
                    },
                    other => Err((Nothing::Odd, format!("it is packed as `{other}`, unasked"))),
                }
            }
            304 if known => Err((Nothing::New, "it is as it was".to_owned())),
            301 | 302 | 303 | 307 | 308 => {
                match head.get("location").and_then(|to| url.join(to).ok()) {
                    Some(next) => return Ok(Some(Sent::Redirect(next))),
                    None => Err((Nothing::Odd, "it leads nowhere".to_owned())),
                }
            }
            401 | 403 | 451 => {
                self.refusals += 1;
                if self.refusals >= REFUSALS {
                    let host = url.host_str().unwrap_or_default();
                    let message = format!("`{host}` refuses us ({})", head.status);
                    return Err(Fault::new(FaultKind::Input, message)
                        .hint("choose another mirror; going on would not be polite"));
                }
                Err((Nothing::Refused, format!("the server refuses it ({})", head.status)))
            }
            304 | 429 | 500..=599 => return Ok(None),
            404 | 410 => Err((Nothing::Gone, "it is not there".to_owned())),
            status @ 400..=499 => Err((Nothing::Refused, format!("the server answers {status}"))),
            status => Err((Nothing::Odd, format!("the server answers {status}"))),
        };
        let text = |name| head.get(name).map(str::to_owned);
        let body = bytes.map(|bytes| {
            let marks =
                Marks { url: url.to_string(), etag: text("etag"), modified: text("last-modified") };
            Body { bytes, url: url.clone(), marks }
        });
        Ok(Some(Sent::Done(body)))
    }
}

/// The headers of a request.
pub(crate) fn headers(url: &Url, known: Option<&Marks>) -> Vec<(&'static str, String)> {
    // An archive is packed already.
    let packed = url.path().to_ascii_lowercase().ends_with(".zip");
    let mut headers =
        vec![("accept-encoding", if packed { "identity" } else { "gzip" }.to_owned())];
    if let Some(known) = known {
        headers.extend(known.etag.clone().map(|etag| ("if-none-match", etag)));
        headers.extend(known.modified.clone().map(|day| ("if-modified-since", day)));
    }
    headers
}
