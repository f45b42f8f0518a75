//! A packet: one file of HTML that opens itself with a passphrase, for a reader who has neither the program nor a network.
//! What is in it is made by [`App::packed`](crate::desk::App::packed) and sealed by whoever calls; here stands only what
//! everybody may read.

use std::io::Write;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use flate2::{Compression, write::GzEncoder};
use minijinja::context;
use sha2::{Digest as _, Sha256};
use storymill_core::{Fault, FaultKind};

use crate::{draw, links::Links};

/// What runs in a packet: age's format (`files/packet/age`), the packet itself, and the keys of all pages of a desk.
const SCRIPTS: [&str; 3] = [
    include_str!("files/packet/age/age.js"),
    include_str!("files/packet/packet.js"),
    include_str!("files/desk/desk.js"),
];

const STYLE: &str = concat!(
    include_str!("files/tokens.css"),
    include_str!("files/look.css"),
    include_str!("files/desk/desk.css")
);

/// What is to be sealed in a packet, in fewer bytes (gzip): pages are mostly alike.
///
/// # Errors
///
/// None but those of a broken library.
pub fn squeezed(inside: &[u8]) -> Result<Vec<u8>, Fault> {
    let mut squeezed = GzEncoder::new(Vec::new(), Compression::best());
    squeezed
        .write_all(inside)
        .and_then(|()| squeezed.finish())
        .map_err(|error| Fault::new(FaultKind::Internal, "cannot make the packet").because(error))
}

/// The page of a packet around what was sealed. `tag` names the votes that are kept or saved, and says nothing: letters
/// and digits. The page may run its own scripts, take its own style and nothing else, from nowhere
/// (`Content-Security-Policy`).
///
/// # Errors
///
/// The template cannot be filled in: a mistake of ours.
pub fn page(sealed: &[u8], tag: &str) -> Result<String, Fault> {
    let failed = |error: minijinja::Error| {
        Fault::new(FaultKind::Internal, "cannot make the packet").because(error)
    };
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    let scripts = SCRIPTS.map(hash).join(" ");
    let policy = format!(
        "default-src 'none'; script-src {scripts}; style-src {}; base-uri 'none'; form-action 'none'",
        hash(STYLE)
    );
    let mut environment = draw::environment(Links::Served(String::new())).map_err(failed)?;
    let template = include_str!("files/packet/packet.html");
    environment.add_template("packet.html", template).map_err(failed)?;
    let values = context! {
        policy, tag, style => STYLE, scripts => SCRIPTS, sealed => STANDARD.encode(sealed),
    };
    environment.get_template("packet.html").and_then(|page| page.render(values)).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands between two marks, each time they come.
    fn all<'p>(page: &'p str, from: &str, to: &str) -> Vec<&'p str> {
        page.split(from).skip(1).filter_map(|rest| Some(rest.split_once(to)?.0)).collect()
    }

    #[test]
    fn the_policy_lets_nothing_in_but_what_the_packet_holds() {
        let page = page(b"sealed", "0a1b").unwrap();
        let policy =
            all(&page, "Content-Security-Policy\" content=\"", "\">")[0].replace("&#39;", "'");
        assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
        let inline =
            [all(&page, "<script>", "</script>"), all(&page, "<style>", "</style>")].concat();
        assert_eq!(inline.len(), 4);
        for text in inline {
            let hash = format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
            assert!(policy.contains(&hash), "{hash} is not in {policy}");
        }
        assert_eq!(policy.matches("sha256-").count(), 4);
        assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
        assert_eq!(all(&page, "id=\"sealed\">", "</script>"), [STANDARD.encode("sealed")]);
    }

    #[test]
    fn nothing_in_a_script_ends_it_before_its_end() {
        for script in SCRIPTS {
            let lower = script.to_ascii_lowercase();
            assert!(
                !lower.contains("</script")
                    && !lower.contains("<!--")
                    && !lower.contains("<script")
            );
            assert!(
                !script.contains('\r'),
                "browsers read it as another line end, and it has another hash"
            );
        }
        assert!(!STYLE.contains("</") && !STYLE.contains('\r'));
    }

    /// The part that opens and seals is what a packet may weigh.
    #[test]
    fn what_opens_a_packet_is_small() {
        assert!(SCRIPTS[0].len() <= 60_000, "{} bytes", SCRIPTS[0].len());
    }

    #[test]
    fn the_licences_of_what_a_packet_holds_are_in_it() {
        let licences = include_str!("files/packet/age/LICENSE");
        assert!(SCRIPTS[0].starts_with(&format!("/*\n{licences}*/")));
    }
}
