//! What a server's answer means, and what it is told beside the address.

use reqwest::Url;
use storymill_core::{Fault, FaultKind};

use super::{ask::Asker, http::Head, journal::Marks, page::gunzip, part::Part};

/// So many refusals in a row mean that we are not wanted.
const REFUSALS: u32 = 3;

/// What came of asking for an address.
pub(super) enum Answer {
    /// A body, unpacked as far as the server had packed it for the way.
    Body { body: Vec<u8>, url: Url, marks: Marks },
    /// It is as it was.
    Unchanged,
    /// There is nothing of use there, nor will there be.
    Nothing(String),
    /// It must not be asked for.
    Barred(String),
    /// It could not be had this time.
    Failed(String),
}

/// What became of one address.
pub(super) enum Sent {
    /// It leads to another.
    Redirect(Url),
    /// It is done with.
    Done(Answer),
}

impl Asker<'_> {
    /// What an answer means; nothing if the address has to be asked again.
    pub(super) fn judge(
        &mut self,
        url: &Url,
        head: &Head,
        part: &mut Part,
    ) -> Result<Option<Sent>, Fault> {
        let nothing = |why: String| Ok(Some(Sent::Done(Answer::Nothing(why))));
        if !matches!(head.status, 401 | 403 | 451) && head.status < 429 {
            self.refusals = 0;
        }
        match head.status {
            206 if part.unfit => Ok(None),
            200 | 206 => {
                let body = match part.encoding.as_str() {
                    "" | "identity" => std::mem::take(&mut part.body),
                    "gzip" | "x-gzip" => match gunzip(&part.body, self.client.caps.bytes) {
                        Ok(body) => body,
                        Err(why) => {
                            part.clear()?;
                            return Ok(Some(Sent::Done(Answer::Failed(why))));
                        }
                    },
                    other => return nothing(format!("it is packed as `{other}`, unasked")),
                };
                let marks = part.marks.clone();
                Ok(Some(Sent::Done(Answer::Body { body, url: url.clone(), marks })))
            }
            304 => Ok(Some(Sent::Done(Answer::Unchanged))),
            301 | 302 | 303 | 307 | 308 => {
                match head.get("location").and_then(|to| url.join(to).ok()) {
                    Some(next) => Ok(Some(Sent::Redirect(next))),
                    None => nothing("it leads nowhere".to_owned()),
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
                nothing(format!("the server refuses it ({})", head.status))
            }
            416 | 429 | 500..=599 => Ok(None),
            404 | 410 => nothing("it is not there".to_owned()),
            status => nothing(format!("the server answers {status}")),
        }
    }
}

/// The headers of a request.
pub(super) fn headers(
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
