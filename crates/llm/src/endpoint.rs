//! Where requests go: the address of an endpoint, its key, and the connection to it.

use std::{
    fmt,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use reqwest::{
    Client, Url,
    header::{HeaderMap, HeaderName, HeaderValue},
    redirect,
};
use storymill_core::{Fault, FaultKind};

use crate::{ModelConfig, secret::Secret, wire::Wire};

/// The most of a response that is read.
pub const MAX_RESPONSE: usize = 8 << 20;

/// An endpoint, ready to be asked.
#[derive(Clone)]
pub(crate) struct Endpoint {
    pub(crate) client: Client,
    /// What is spoken there.
    pub(crate) wire: &'static dyn Wire,
    /// Where requests are answered.
    pub(crate) address: Url,
    /// The address without what follows the path: safe to show and to store.
    pub(crate) label: String,
    pub(crate) headers: HeaderMap,
    pub(crate) secret: Secret,
    pub(crate) connect: Duration,
    pub(crate) idle: Duration,
    pub(crate) total: Duration,
    /// Whether what is sent there is private.
    pub(crate) private: bool,
    /// Whether anything has come back from it in this run. One that was there is waited for; one that never was may not be at
    /// this address at all.
    pub(crate) was_there: Arc<AtomicBool>,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint").field("label", &self.label).finish_non_exhaustive()
    }
}

impl Endpoint {
    /// Makes the client. `env` looks up the key: nothing else here reads the environment. What is
    /// private goes through no proxy, and no proxy knows this machine by the names that it has here.
    pub(crate) fn new(
        config: &ModelConfig,
        wire: &'static dyn Wire,
        env: &dyn Fn(&str) -> Option<String>,
        private: bool,
    ) -> Result<Self, Fault> {
        let mut address = base(config)?;
        let path = wire.path(address.path().trim_end_matches('/'));
        address.set_path(&path);
        refuse_in_clear(config, &address)?;
        let secret = secret(config, env)?;
        let seconds = |seconds: u32| Duration::from_secs(u64::from(seconds));
        let connect = seconds(config.connect_seconds);
        let slots = usize::try_from(config.concurrency).unwrap_or(usize::MAX);
        let builder = builder(&address)?
            // HTTP/2 came with the client of stores: requests in flight are counted by connections here.
            .http1_only()
            .redirect(redirect::Policy::none())
            .connect_timeout(connect)
            .pool_max_idle_per_host(slots)
            .tcp_nodelay(true)
            .user_agent(concat!("storymill/", env!("CARGO_PKG_VERSION")));
        let builder = if private || is_here(&address) { builder.no_proxy() } else { builder };
        let client = builder.build().map_err(|error| {
            Fault::new(FaultKind::Internal, "cannot make an HTTP client").because(error)
        })?;
        Ok(Self {
            client,
            wire,
            label: label(&address, &secret),
            address,
            headers: headers(config, wire, &secret)?,
            secret,
            private,
            connect,
            idle: seconds(config.idle_seconds),
            total: seconds(config.total_seconds),
            was_there: Arc::default(),
        })
    }
}

fn label(address: &Url, secret: &Secret) -> String {
    let mut url = address.clone();
    url.set_query(None);
    url.set_fragment(None);
    secret.scrub(url.to_string())
}

/// The address that the user wrote.
fn base(config: &ModelConfig) -> Result<Url, Fault> {
    parse_url(&config.url).map_err(|mistake| Fault::new(FaultKind::Input, mistake))
}

/// An address of an endpoint. A mistake is a fragment that repeats nothing of the URL.
pub(crate) fn parse_url(text: &str) -> Result<Url, String> {
    // `localhost:8080` parses, with `localhost` for its scheme.
    if !text.starts_with("http://") && !text.starts_with("https://") {
        return Err("`url` must begin with http:// or https://, as http://127.0.0.1:8080/v1 does"
            .to_owned());
    }
    let url = Url::parse(text).map_err(|error| format!("`url` is not a URL: {error}"))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("`url` must not hold credentials: use `api_key_env`".to_owned());
    }
    Ok(url)
}

/// Whether private text may go to a model: its endpoint is on this machine, or its scheme, host and
/// port are those of a listed address.
pub(crate) fn may_have_private(
    name: &str,
    config: &ModelConfig,
    allowed: &[String],
) -> Result<(), Fault> {
    let url = base(config)?;
    let here = is_here(&url);
    let listed = addresses(allowed)?.iter().any(|other| other.origin() == url.origin());
    if here || listed {
        return Ok(());
    }
    let message = format!("the model `{name}` is not on this machine, and the books are private");
    Err(Fault::new(FaultKind::Input, message).hint(format!(
        "`send_private_to = [\"{0}\"]` in the workflow lets its endpoint have their text, and so does `evaluate --send-private-to {0}`",
        url.origin().ascii_serialization()
    )))
}

/// Whether an address is on this machine.
fn is_here(url: &Url) -> bool {
    match url.host_str().unwrap_or_default() {
        "localhost" => true,
        host => host
            .trim_matches(['[', ']'])
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback()),
    }
}

/// Scheme, host and port of a model's endpoint; none if it is on this machine.
pub fn elsewhere(config: &ModelConfig) -> Result<Option<String>, Fault> {
    let url = base(config)?;
    Ok((!is_here(&url)).then(|| url.origin().ascii_serialization()))
}

fn addresses(allowed: &[String]) -> Result<Vec<Url>, Fault> {
    let address = |text: &String| {
        Url::parse(text).map_err(|error| {
            Fault::new(FaultKind::Input, "`send_private_to` holds something that is not a URL")
                .because(error)
                .hint("an endpoint is written `https://host:port`")
        })
    };
    allowed.iter().map(address).collect()
}

/// Refuses to send a key that everybody on the way can read. To this machine there is no way, and no proxy on it.
fn refuse_in_clear(config: &ModelConfig, address: &Url) -> Result<(), Fault> {
    let Some(name) = &config.api_key_env else { return Ok(()) };
    if address.scheme() == "https" || config.allow_http || is_here(address) {
        return Ok(());
    }
    let origin = address.origin().ascii_serialization();
    let message = format!("the key in `{name}` would go to {origin} unencrypted");
    Err(Fault::new(FaultKind::Input, message).hint(
        "use an `https://` address; or, on a network that you trust, write `allow_http = true` into the model's table",
    ))
}

fn secret(config: &ModelConfig, env: &dyn Fn(&str) -> Option<String>) -> Result<Secret, Fault> {
    let Some(name) = &config.api_key_env else { return Ok(Secret::default()) };
    let secret = Secret::new(env(name));
    if secret.reveal().is_none() {
        let message = format!("the environment variable `{name}` holds no key");
        let hint = format!("set `{name}`, or remove `api_key_env` from the model's table");
        return Err(Fault::new(FaultKind::Model, message).hint(hint));
    }
    Ok(secret)
}

fn headers(config: &ModelConfig, wire: &dyn Wire, secret: &Secret) -> Result<HeaderMap, Fault> {
    let own = wire.headers().iter();
    let own =
        own.map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
    let mut headers: HeaderMap = own.collect();
    let Some(key) = secret.reveal() else { return Ok(headers) };
    let (name, value) = match &config.api_key_header {
        Some(name) => (name.as_str(), key.to_owned()),
        None => wire.key_header(key),
    };
    let bad = |what: &str| Fault::new(FaultKind::Input, format!("{what} cannot stand in a header"));
    let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad("`api_key_header`"))?;
    let mut value = HeaderValue::from_str(&value).map_err(|_| bad("the endpoint's key"))?;
    value.set_sensitive(true);
    headers.insert(name, value);
    Ok(headers)
}

#[cfg(feature = "tls")]
#[expect(clippy::unnecessary_wraps, reason = "without TLS it can fail")]
fn builder(_: &Url) -> Result<reqwest::ClientBuilder, Fault> {
    // Another crate of the program may have chosen a provider already; then that one serves.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Ok(Client::builder())
}

#[cfg(not(feature = "tls"))]
fn builder(url: &Url) -> Result<reqwest::ClientBuilder, Fault> {
    if url.scheme() == "https" {
        let message = "this storymill was built without TLS, and the endpoint needs https";
        return Err(Fault::new(FaultKind::Input, message).hint("build it with the feature `tls`"));
    }
    Ok(Client::builder())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Wires;

    fn openai() -> &'static dyn Wire {
        Wires::default().of("openai").unwrap()
    }

    #[test]
    fn private_text_goes_to_this_machine_and_to_what_is_listed() {
        let allowed = ["https://models.example:8443/v1".to_owned()];
        let may = |url: &str| {
            let config = ModelConfig::parse(&format!("url = \"{url}\"\nmodel = \"m\"")).unwrap();
            may_have_private("default", &config, &allowed).is_ok()
        };
        for url in [
            "http://127.0.0.1:1/v1",
            "http://[::1]:1/v1",
            "http://localhost/v1",
            "http://127.9.9.9/",
            "https://models.example:8443/other",
        ] {
            assert!(may(url), "{url}");
        }
        for url in [
            "http://models.example:8443/v1",
            "https://models.example/v1",
            "https://x.models.example:8443/v1",
            "http://192.168.0.1/v1",
            "http://localhost.example/v1",
            "http://0.0.0.0/v1",
            "http://127.0.0.1.example/v1",
        ] {
            assert!(!may(url), "{url}");
        }
    }

    #[test]
    fn a_key_goes_unencrypted_to_this_machine_alone_unless_that_is_allowed() {
        let opens = |url: &str, line: &str| {
            let lines = format!("url = \"{url}\"\nmodel = \"m\"\n{line}");
            let config = ModelConfig::parse(&lines).unwrap();
            Endpoint::new(&config, openai(), &|_| Some("a-key".to_owned()), false)
        };
        let key = "api_key_env = \"KEY\"";
        for here in
            ["http://127.0.0.1:1/v1", "http://localhost:1/v1", "http://[::1]/v1", "https://h/v1"]
        {
            assert!(opens(here, key).is_ok(), "{here}");
        }
        for there in ["http://h/v1", "http://10.0.0.7:8000/v1", "http://127.0.0.1.example/v1"] {
            let fault = opens(there, key).unwrap_err();
            assert!(fault.hint.unwrap().contains("`allow_http = true`"), "{there}");
            assert!(opens(there, &format!("{key}\nallow_http = true")).is_ok(), "{there}");
            assert!(opens(there, "").is_ok(), "without a key there is none to read: {there}");
        }
    }

    #[test]
    fn the_base_and_the_whole_address_are_the_same() {
        let address = |text: &str, wire: &str| {
            let lines = format!("url = \"{text}\"\nwire = \"{wire}\"\nmodel = \"m\"");
            let config = ModelConfig::parse(&lines).unwrap();
            let wire = Wires::default().of(wire).unwrap();
            Endpoint::new(&config, wire, &|_| None, true).unwrap().address.to_string()
        };
        for text in ["http://h:1/v1", "http://h:1/v1/", "http://h:1/v1/chat/completions"] {
            assert_eq!(address(text, "openai"), "http://h:1/v1/chat/completions");
        }
        let azure = address("http://h/openai/deployments/d?api-version=1", "openai");
        assert_eq!(azure, "http://h/openai/deployments/d/chat/completions?api-version=1");
        for text in ["http://h:1", "http://h:1/", "http://h:1/v1/", "http://h:1/v1/messages"] {
            assert_eq!(address(text, "anthropic"), "http://h:1/v1/messages");
        }
        assert_eq!(address("http://h/to/v1", "anthropic"), "http://h/to/v1/messages");
    }
}
