//! Forms that a browser sends: how large they may be, how long they may take, what their fields are.

use std::time::Duration;

use axum::{
    body::{Body, to_bytes},
    http::{HeaderMap, StatusCode, header},
};

/// The largest form, in bytes.
pub(super) const LARGEST: usize = 1 << 20;

/// The fields of a form in the order in which they were sent. What says that it is larger is refused before any of it
/// is read.
pub(super) async fn read(
    headers: &HeaderMap,
    body: Body,
    patience: Duration,
) -> Result<Vec<(String, String)>, (StatusCode, &'static str)> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = text(header::CONTENT_TYPE).split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, "only forms are taken here"));
    }
    let too_large = (StatusCode::PAYLOAD_TOO_LARGE, "a form may have 1 MiB");
    let length = headers.get(header::CONTENT_LENGTH).map(|_| text(header::CONTENT_LENGTH));
    let says = length.map_or(Ok(0), str::parse::<usize>);
    if says.map_or(true, |bytes| bytes > LARGEST) {
        return Err(too_large);
    }
    match tokio::time::timeout(patience, to_bytes(body, LARGEST)).await {
        Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "this form took too long")),
        Ok(Err(_)) => Err(too_large),
        Ok(Ok(bytes)) => Ok(form_urlencoded::parse(&bytes).into_owned().collect()),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    const KIND: &str = "application/x-www-form-urlencoded";

    fn sent(
        kind: &'static str,
        length: Option<&'static str>,
        body: Body,
    ) -> Result<Vec<(String, String)>, StatusCode> {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        if let Some(length) = length {
            headers.insert(header::CONTENT_LENGTH, HeaderValue::from_static(length));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let read = read(&headers, body, Duration::from_millis(50));
        runtime.block_on(read).map_err(|(status, _)| status)
    }

    #[test]
    fn fields_come_as_they_were_sent() {
        let read = sent(KIND, Some("34"), "choice=a+b&note=%C3%A4%26&note=&x".into()).unwrap();
        let read: Vec<(&str, &str)> = read.iter().map(|(a, b)| (&**a, &**b)).collect();
        assert_eq!(read, [("choice", "a b"), ("note", "ä&"), ("note", ""), ("x", "")]);
        assert!(sent("application/x-www-form-urlencoded; charset=UTF-8", None, "".into()).is_ok());
    }

    #[test]
    fn what_is_too_large_or_no_form_is_refused() {
        let refused = |kind, length, body: Body| sent(kind, length, body).unwrap_err().as_u16();
        assert_eq!(refused("text/plain", None, "choice=a".into()), 415);
        assert_eq!(refused("multipart/form-data", None, "choice=a".into()), 415);
        // What says that it is large is not waited for; what does not say so is measured.
        assert_eq!(refused(KIND, Some("100000000"), Body::empty()), 413);
        assert_eq!(refused(KIND, Some("-1"), Body::empty()), 413);
        assert_eq!(refused(KIND, None, vec![b'a'; LARGEST + 1].into()), 413);
        assert!(sent(KIND, None, vec![b'a'; LARGEST].into()).is_ok());
    }

    /// A body of which nothing ever comes.
    struct Silent;

    impl hyper::body::Body for Silent {
        type Data = axum::body::Bytes;
        type Error = std::convert::Infallible;

        fn poll_frame(
            self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<Result<hyper::body::Frame<Self::Data>, Self::Error>>> {
            std::task::Poll::Pending
        }
    }

    #[test]
    fn a_slow_form_is_cut_off() {
        assert_eq!(sent(KIND, Some("9"), Body::new(Silent)).unwrap_err().as_u16(), 408);
    }
}
