//! Who gets a page: host, origin, token, cookie.

use axum::http::{HeaderName, HeaderValue, StatusCode, header};

/// Headers of every answer: nothing from elsewhere, no frame.
pub(super) const HEADERS: [(HeaderName, &str); 4] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The field of a form that holds the secret of the session.
pub(crate) const FORM: &str = "session";

/// What is told to other pages about where somebody comes from. Of a form that comes from a page without a referrer
/// browsers hide the origin too, which has to be seen; so pages with forms tell it to themselves alone.
pub(super) fn referrer(takes_forms: bool) -> &'static str {
    if takes_forms { "same-origin" } else { "no-referrer" }
}

/// How long a browser may keep something: pages not at all. Styles and scripts are the same on every page and hold
/// nothing of anybody's; the path to them is of this session alone.
pub(super) fn kept(kind: Option<&HeaderValue>) -> &'static str {
    let kind = kind.map(HeaderValue::as_bytes).unwrap_or_default();
    let is_asset = [&b"text/css"[..], b"text/javascript"].iter().any(|one| kind.starts_with(one));
    if is_asset { "private, max-age=86400, immutable" } else { "no-store" }
}

/// What a request comes to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Door {
    /// Nothing, and why.
    Shut(StatusCode, &'static str),
    /// Nothing, and nothing is wrong: the sign of the site, which browsers ask for by themselves.
    Blank,
    /// The token was right: the cookie is set.
    Enter {
        /// The header's value.
        cookie: String,
    },
    /// The page at this path below the base.
    Open {
        /// In percent, without a slash before it.
        path: String,
    },
}

/// The secrets of one run of the server.
#[derive(Debug)]
pub(super) struct Guard {
    port: u16,
    base: String,
    token: String,
    secret: String,
    form: String,
}

impl Guard {
    /// A guard with four secrets: the path that pages lie below, the token of the first address, the cookie, and
    /// what every form of this session holds.
    pub(super) fn new(port: u16, [base, token, secret, form]: [String; 4]) -> Self {
        let base = format!("/{base}/");
        Self { port, base, token, secret, form }
    }

    /// What every form of this session holds.
    pub(super) fn form(&self) -> &str {
        &self.form
    }

    /// Whether a form is one of this session.
    pub(super) fn knows(&self, form: &[(String, String)]) -> bool {
        let mut held = form.iter().filter(|(name, _)| name == FORM);
        held.next().is_some_and(|(_, value)| same(value, &self.form)) && held.next().is_none()
    }

    /// The door for what changes something: as the other one, but the origin must be told.
    pub(super) fn change(
        &self,
        path: &str,
        host: Option<&str>,
        origin: Option<&str>,
        cookies: Option<&str>,
    ) -> Door {
        if path.starts_with("/enter/") {
            return Door::Shut(StatusCode::METHOD_NOT_ALLOWED, "this address is only opened");
        }
        match self.door(path, host, origin, cookies) {
            Door::Open { path } if origin.is_some() => Door::Open { path },
            Door::Open { .. } | Door::Blank => {
                Door::Shut(StatusCode::FORBIDDEN, "this form does not say which page it comes from")
            }
            other => other,
        }
    }

    pub(super) fn base(&self) -> &str {
        &self.base
    }

    pub(super) fn first_address(&self) -> String {
        format!("http://127.0.0.1:{}/enter/{}", self.port, self.token)
    }

    pub(super) fn door(
        &self,
        path: &str,
        host: Option<&str>,
        origin: Option<&str>,
        cookies: Option<&str>,
    ) -> Door {
        let ours = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        if host.is_none_or(|host| !ours.iter().any(|own| own == host)) {
            return Door::Shut(
                StatusCode::MISDIRECTED_REQUEST,
                "this server answers to 127.0.0.1 alone",
            );
        }
        let from_us =
            |origin: &str| ours.iter().any(|own| origin.strip_prefix("http://") == Some(own));
        if origin.is_some_and(|origin| !from_us(origin)) {
            return Door::Shut(StatusCode::FORBIDDEN, "this page asks from another site");
        }
        if path == "/favicon.ico" {
            return Door::Blank;
        }
        if let Some(token) = path.strip_prefix("/enter/") {
            if !same(token, &self.token) {
                return Door::Shut(StatusCode::FORBIDDEN, "this address lets nobody in");
            }
            let cookie =
                format!("storymill={}; Path={}; HttpOnly; SameSite=Strict", self.secret, self.base);
            return Door::Enter { cookie };
        }
        let cookie = cookies
            .into_iter()
            .flat_map(|all| all.split(';'))
            .find_map(|one| one.trim().strip_prefix("storymill="));
        match (path.strip_prefix(&*self.base), cookie) {
            (Some(path), Some(cookie)) if same(cookie, &self.secret) => {
                Door::Open { path: path.to_owned() }
            }
            _ => Door::Shut(StatusCode::FORBIDDEN, "use the address that the command printed"),
        }
    }
}

/// Whether two texts are the same, in a time that does not tell how much of them is.
fn same(one: &str, other: &str) -> bool {
    let differ = one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard() -> Guard {
        Guard::new(8_000, ["base", "token", "secret", "form"].map(str::to_owned))
    }

    const HOST: Option<&str> = Some("127.0.0.1:8000");

    #[test]
    fn a_token_lets_in_as_long_as_the_server_lives() {
        let guard = guard();
        assert_eq!(guard.first_address(), "http://127.0.0.1:8000/enter/token");
        assert!(matches!(guard.door("/enter/other", HOST, None, None), Door::Shut(..)));
        let Door::Enter { cookie } = guard.door("/enter/token", HOST, None, None) else { panic!() };
        assert!(cookie.contains("HttpOnly; SameSite=Strict"), "{cookie}");
        let again = guard.door("/enter/token", HOST, None, None);
        assert_eq!(again, Door::Enter { cookie });
    }

    #[test]
    fn nobody_else_gets_a_page() {
        let guard = guard();
        let cookie = Some("a=b; storymill=secret");
        assert_eq!(guard.door("/base/c/x", HOST, None, cookie), Door::Open { path: "c/x".into() });
        let localhost = Some("localhost:8000");
        assert_eq!(
            guard.door("/base/", localhost, Some("http://localhost:8000"), cookie),
            Door::Open { path: String::new() }
        );
        for (path, host, origin, cookie) in [
            ("/base/", HOST, None, None),
            ("/base/", HOST, None, Some("storymill=secre")),
            ("/base/", HOST, None, Some("storymill=other")),
            ("/other/", HOST, None, cookie),
            ("/", HOST, None, cookie),
            ("/base/", Some("evil.example:8000"), None, cookie),
            ("/base/", Some("127.0.0.1:9000"), None, cookie),
            ("/base/", None, None, cookie),
            ("/base/", HOST, Some("http://evil.example"), cookie),
            ("/base/", HOST, Some("null"), cookie),
        ] {
            let door = guard.door(path, host, origin, cookie);
            assert!(
                matches!(door, Door::Shut(..)),
                "{path} {host:?} {origin:?} {cookie:?}: {door:?}"
            );
        }
    }

    #[test]
    fn there_is_no_sign_of_the_site_and_that_is_no_error() {
        let guard = guard();
        assert_eq!(guard.door("/favicon.ico", HOST, None, None), Door::Blank);
        let evil = Some("evil.example");
        assert!(matches!(guard.door("/favicon.ico", evil, None, None), Door::Shut(..)));
        let ours = Some("http://127.0.0.1:8000");
        assert!(matches!(guard.change("/favicon.ico", HOST, ours, None), Door::Shut(..)));
    }

    #[test]
    fn what_changes_something_says_where_it_comes_from() {
        let guard = guard();
        let (ours, cookie) = (Some("http://127.0.0.1:8000"), Some("storymill=secret"));
        let open = Door::Open { path: "undo".into() };
        assert_eq!(guard.change("/base/undo", HOST, ours, cookie), open);
        for (path, host, origin, cookie) in [
            ("/base/undo", HOST, None, cookie),
            ("/base/undo", HOST, Some("null"), cookie),
            ("/base/undo", HOST, Some("http://evil.example"), cookie),
            ("/base/undo", HOST, Some("https://127.0.0.1:8000"), cookie),
            ("/base/undo", Some("evil.example"), ours, cookie),
            ("/base/undo", HOST, ours, None),
            ("/undo", HOST, ours, cookie),
            ("/enter/token", HOST, ours, None),
        ] {
            let door = guard.change(path, host, origin, cookie);
            assert!(matches!(door, Door::Shut(..)), "{path} {host:?} {origin:?}: {door:?}");
        }
    }

    #[test]
    fn a_form_is_known_by_its_secret() {
        let guard = guard();
        let form = |fields: &[(&str, &str)]| -> Vec<(String, String)> {
            fields.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect()
        };
        assert!(guard.knows(&form(&[("choice", "cut"), (FORM, "form")])));
        for wrong in [&[][..], &[("choice", "cut")], &[(FORM, "")], &[(FORM, "forn")]] {
            assert!(!guard.knows(&form(wrong)), "{wrong:?}");
        }
        assert!(!guard.knows(&form(&[(FORM, "form"), (FORM, "other")])));
    }
}
