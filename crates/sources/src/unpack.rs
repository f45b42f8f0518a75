//! From the bytes of a file to the bytes of a page: gzip undone, limits kept.

use std::{borrow::Cow, io::Read};

use flate2::read::MultiGzDecoder;
use storymill_core::Reason;

use crate::encoding::check_bytes;

/// The largest page.
pub const LARGEST: usize = 64 * 1024 * 1024;

/// How many times larger than its file a page may be.
const RATIO: usize = 100;

/// Unpacks a file if its first bytes say that it is packed.
pub fn unpack(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Reason> {
    if bytes.is_empty() {
        return Err(Reason::new("empty", "the file is empty"));
    }
    let page =
        if bytes.starts_with(b"\x1f\x8b") { gunzip(bytes)?.into() } else { Cow::from(bytes) };
    if page.starts_with(b"PK\x03\x04") {
        return Err(Reason::new("nested-archive", "there is a zip archive inside the gzip file"));
    }
    if page.len() > LARGEST {
        return Err(too_large());
    }
    if page.trim_ascii().is_empty() {
        return Err(Reason::new("empty", "the page is empty"));
    }
    check_bytes(&page, "")?;
    Ok(page)
}

fn gunzip(bytes: &[u8]) -> Result<Vec<u8>, Reason> {
    let limit = LARGEST.min(bytes.len().saturating_mul(RATIO).max(LARGEST / 1024));
    let mut page = Vec::with_capacity(limit.min(bytes.len() * 4));
    let mut source = MultiGzDecoder::new(bytes).take(limit as u64 + 1);
    source
        .read_to_end(&mut page)
        .map_err(|error| Reason::new("bad-gzip", format!("the gzip data are damaged: {error}")))?;
    if page.len() <= limit {
        return Ok(page);
    }
    if limit == LARGEST {
        return Err(too_large());
    }
    let detail = format!("the page is more than {RATIO} times larger than its file");
    Err(Reason::new("packed-too-tight", detail))
}

fn too_large() -> Reason {
    let detail = format!("the page is larger than {} MB", LARGEST / 1024 / 1024);
    Reason::new("too-large", detail)
}
