//! Digital rights management: named and refused. Obfuscated fonts are none.

use storymill_core::Reason;

use super::{
    archive::Archive,
    xml::{self, Step},
};
use crate::encoding;

/// What makes a font unreadable outside its book, and nothing else.
const FONTS: [&str; 2] = ["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"];

/// Fails by name where the book is locked.
pub(super) fn check(archive: &mut Archive<'_>) -> Result<(), Reason> {
    for (path, kind) in [
        ("META-INF/rights.xml", "a rights file (Adobe's or another vendor's)"),
        ("META-INF/sinf.xml", "Apple's FairPlay"),
        ("META-INF/license.lcpl", "Readium LCP"),
    ] {
        if archive.has(path) {
            return Err(locked(&format!("`{path}`, {kind}")));
        }
    }
    let path = "META-INF/encryption.xml";
    let Some(bytes) = archive.read(path)? else { return Ok(()) };
    let text = encoding::decode(&bytes).text;
    let mut found: Option<String> = None;
    xml::walk(path, &text, |step| {
        if let Step::Open(element) = step
            && element.name == "EncryptionMethod"
        {
            let method = element.get("Algorithm").unwrap_or("an unnamed method");
            if !FONTS.contains(&method) {
                found.get_or_insert_with(|| method.to_owned());
            }
        }
    })?;
    match found {
        Some(method) => Err(locked(&format!("`{path}`, {method}"))),
        None => Ok(()),
    }
}

fn locked(how: &str) -> Reason {
    Reason::new("drm", format!("the book is locked by digital rights management: {how}"))
}
