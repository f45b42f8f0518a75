//! What a server's answer means, and what it is told beside the address.

use reqwest::Url;
use storymill_core::{Fault, FaultKind};

use crate::{
    ask::Asker,
    http::Head,
    journal::Marks,
    page::{gunzip, too_large},
    part::Part,
};

/// So many refusals in a row mean that we are not wanted.
const REFUSALS: u32 = 3;

/// What came of asking for an address.
pub(crate) enum Answer {
    /// A body, unpacked as far as the server had packed it for the way.
    Body { body: Vec<u8>, url: Url, marks: Marks },
    /// It is as it was.
    Unchanged,
    /// There is nothing of use there.
    Nothing(Nothing, String),
    /// It must not be asked for.
    Barred(String),
    /// It could not be had this time.
    Failed(String),
}

/// Why there is nothing of use at an address: what is certain is not asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nothing {
    /// The server knows nothing there.
    Gone,
    /// The server does not give it to us.
    Refused,
    /// It is larger than a page may be.
    TooLarge,
    /// The answer makes no sense.
    Odd,
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
        part: &mut Part,
        known: bool,
    ) -> Result<Option<Sent>, Fault> {
        let nothing = |kind, why: String| Ok(Some(Sent::Done(Answer::Nothing(kind, why))));
        if !matches!(head.status, 401 | 403 | 451) && head.status < 429 {
            self.refusals = 0;
        }
        match head.status {
            206 if part.unfit.is_some() => Ok(None),
            200 | 206 if !part.is_whole() => {
                part.unfit = Some("the answer is not as long as the server says");
                Ok(None)
            }
            200 | 206 => {
                let most = self.client.caps.bytes;
                let body = match part.encoding.as_str() {
                    "" | "identity" => std::mem::take(&mut part.body),
                    "gzip" | "x-gzip" => match gunzip(&part.body, most) {
                        Ok(Some(body)) => body,
                        Ok(None) => return nothing(Nothing::TooLarge, too_large(most)),
                        Err(why) => {
                            part.clear()?;
                            return Ok(Some(Sent::Done(Answer::Failed(why))));
                        }
                    },
                    other => {
                        return nothing(
                            Nothing::Odd,
                            format!("it is packed as `{other}`, unasked"),
                        );
                    }
                };
                let marks = part.marks.clone();
                Ok(Some(Sent::Done(Answer::Body { body, url: url.clone(), marks })))
            }
            304 if known => Ok(Some(Sent::Done(Answer::Unchanged))),
            301 | 302 | 303 | 307 | 308 => {
                match head.get("location").and_then(|to| url.join(to).ok()) {
                    Some(next) => Ok(Some(Sent::Redirect(next))),
                    None => nothing(Nothing::Odd, "it leads nowhere".to_owned()),
                }
            }
            401 | 403 | 451 => {
                self.refusals += 1;
                if self.refusals >= REFUSALS {
                    let message = format!(
                        "`{}` refuses us ({})",
                        url.host_str().unwrap_or_default(),
                        head.status
                    );
                    return Err(Fault::new(FaultKind::Input, message)
                        .hint("choose another mirror; going on would not be polite"));
                }
                nothing(Nothing::Refused, format!("the server refuses it ({})", head.status))
            }
            304 | 416 | 429 | 500..=599 => Ok(None),
            404 | 410 => nothing(Nothing::Gone, "it is not there".to_owned()),
            status @ 400..=499 => nothing(Nothing::Refused, format!("the server answers {status}")),
            status => nothing(Nothing::Odd, format!("the server answers {status}")),
        }
    }
}

/// The headers of a request.
pub(crate) fn headers(
    url: &Url,
    range: Option<String>,
    had: usize,
    known: Option<&Marks>,
) -> Vec<(&'static str, String)> {
    // An archive is packed already.
    let packed = url.path().to_ascii_lowercase().ends_with(".zip");
    let mut headers =
        vec![("accept-encoding", if packed { "identity" } else { "gzip" }.to_owned())];
    if let Some(mark) = range {
        headers.extend([("range", format!("bytes={had}-")), ("if-range", mark)]);
    } else if let Some(known) = known {
        headers.extend(known.etag.clone().map(|etag| ("if-none-match", etag)));
        headers.extend(known.modified.clone().map(|day| ("if-modified-since", day)));
    }
    headers
}
