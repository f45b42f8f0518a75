//! Which hosts may be asked: the mirror's own and those the user allowed; the main site never unasked.

use reqwest::Url;
use storymill_core::{Fault, FaultKind};

/// The names of the main site. Mirrors may have names below it (`aleph.gutenberg.org`).
const MAIN_SITE: [&str; 8] = [
    "gutenberg.org",
    "www.gutenberg.org",
    "www1.gutenberg.org",
    "m.gutenberg.org",
    "dev.gutenberg.org",
    "gutenberg.net",
    "www.gutenberg.net",
    "promo.net",
];

const HINT: &str = "name a mirror from https://www.gutenberg.org/MIRRORS.ALL; the main site is for people, and blocks programs";

/// Whether a host is the main site, which is for people only.
///
/// ```
/// use storymill_mirror::is_main_site;
///
/// assert!(is_main_site("WWW.Gutenberg.org.") && !is_main_site("aleph.gutenberg.org"));
/// ```
pub fn is_main_site(host: &str) -> bool {
    let host = host.trim_end_matches('.');
    MAIN_SITE.iter().any(|name| host.eq_ignore_ascii_case(name))
}

/// Reads the address of a mirror; what may not be asked is refused here, before any name is looked up.
pub fn mirror(address: &str, main_site: bool) -> Result<Url, Fault> {
    let fault = |what: String| Fault::new(FaultKind::Input, what);
    let is_bare = |hint: &str| {
        fault(format!("`{address}` does not begin with http:// or https://")).hint(hint)
    };
    if !address.contains("://") {
        let whole = format!("https://{address}");
        return Err(match mirror(&whole, main_site) {
            Ok(_) => is_bare(&format!("did you mean `{whole}`?")),
            Err(fault) => fault,
        });
    }
    let mut url = Url::parse(address).map_err(|error| {
        fault(format!("`{address}` is not an address of a mirror: {error}")).hint(HINT)
    })?;
    match url.scheme() {
        "http" | "https" => {}
        "rsync" => {
            return Err(is_bare(
                "copy with rsync itself, and put the pages into the folder of pages as ID.html",
            ));
        }
        _ => return Err(is_bare(HINT)),
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(fault("the address of a mirror must not hold credentials".to_owned()));
    }
    let host = url.host_str().unwrap_or_default();
    if is_main_site(host) && !main_site {
        return Err(
            fault(format!("`{host}` is Project Gutenberg's main site, not a mirror")).hint(HINT)
        );
    }
    url.set_fragment(None);
    Ok(url)
}

/// The hosts that may be asked.
#[derive(Clone, Debug)]
pub(crate) struct Hosts {
    names: Vec<String>,
    main_site: bool,
}

impl Hosts {
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = &'n str>, main_site: bool) -> Self {
        let name = |name: &str| name.trim_end_matches('.').to_ascii_lowercase();
        Self { names: names.into_iter().map(name).collect(), main_site }
    }

    /// Whether a name may be looked up and asked.
    pub(crate) fn allow(&self, host: &str) -> bool {
        let host = host.trim_end_matches('.');
        let host = host.trim_start_matches('[').trim_end_matches(']');
        (self.main_site || !is_main_site(host))
            && self
                .names
                .iter()
                .any(|name| name.trim_matches(['[', ']']).eq_ignore_ascii_case(host))
    }

    /// Whether an address may be asked.
    pub(crate) fn check(&self, url: &Url) -> Result<(), String> {
        let host = url.host_str().unwrap_or_default();
        if matches!(url.scheme(), "http" | "https") && self.allow(host) {
            return Ok(());
        }
        Err(if is_main_site(host) {
            format!("it leads to `{host}`, Project Gutenberg's main site")
        } else {
            format!("it leads to `{host}`, which is not among the allowed hosts")
        })
    }
}
