//! Pages for one person on this machine: a server on the loopback address that nobody else gets anything from.
//!
//! The first address holds a token that is exchanged for a cookie; pages lie below a path that nobody
//! can guess. A page of another site gets nothing: its requests bear no cookie, and a name that was bent to this
//! machine (DNS rebinding) is refused by the host that it asks for. Forms are taken only where the server was told to
//! take them; each says which page it comes from and holds a secret of the session.

pub(crate) mod desk;
mod form;
mod guard;

use std::{
    collections::VecDeque,
    io::Write,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{HeaderValue, Method, StatusCode, header},
    response::Response,
};
use hyper::service::Service;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use rand::{TryRng, rngs::SysRng};
use storymill::{Fault, FaultKind};

use self::guard::{Door, Guard};
use crate::args::Format;

/// What a browser asks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    /// The path below the base, in percent, without a slash before it.
    pub(crate) path: &'a str,
    /// What stands behind the question mark.
    pub(crate) query: &'a str,
    /// The fields of a form that is sent; none where a page is asked for.
    pub(crate) form: Option<&'a [(String, String)]>,
}

/// What a browser gets.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// A page: status, media type, bytes.
    Page(u16, &'static str, Vec<u8>),
    /// The way to a page: its whole path.
    Go(String),
}

/// Opens an address in the browser; whether the system took it.
fn opened(address: &str) -> bool {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = std::process::Command::new(program);
    command
        .args(before)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().and_then(|mut child| child.wait()).is_ok_and(|status| status.success())
}

type Answers = dyn Fn(Asked<'_>) -> Answer + Send + Sync;

/// How long a client may take to say what it wants, and then to send its form.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most connections at a time: one person's browser opens six.
const CONNECTIONS: usize = 64;

const PLAIN: &str = "text/plain; charset=utf-8";

/// A server that is bound to its port and does not answer yet.
#[derive(Debug)]
pub(crate) struct Server {
    listener: TcpListener,
    guard: Guard,
    takes_forms: bool,
}

impl Server {
    /// Takes a port of the loopback address; 0 stands for any that is free.
    pub(crate) fn bind(port: u16) -> Result<Self, Fault> {
        let busy = |error: std::io::Error| {
            Fault::new(FaultKind::Input, format!("cannot listen on port {port} of this machine"))
                .because(error)
                .hint("without `--port` any free one is taken")
        };
        let listener =
            TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).map_err(busy)?;
        let port = listener.local_addr().map_err(busy)?.port();
        let guard = Guard::new(port, [random()?, random()?, random()?, random()?]);
        Ok(Self { listener, guard, takes_forms: false })
    }

    /// The same, taking forms.
    pub(crate) fn taking_forms(self) -> Self {
        Self { takes_forms: true, ..self }
    }

    /// The path that pages lie below.
    pub(crate) fn base(&self) -> &str {
        self.guard.base()
    }

    /// The name and the value of the field that every form must have.
    pub(crate) fn form_field(&self) -> (&'static str, &str) {
        (guard::FORM, self.guard.form())
    }

    /// Prints the address that lets browsers in, and what to do with it, or opens it there.
    pub(crate) fn announce(&self, open: bool, format: Format) -> std::io::Result<()> {
        let address = self.guard.first_address();
        let is_open = open && opened(&address);
        if format == Format::Json {
            return writeln!(crate::screen::out(), "{}", serde_json::json!({ "address": address }));
        }
        let mut lines = vec![address];
        if !is_open {
            lines.push("open this address in a browser on this machine".to_owned());
            #[expect(clippy::disallowed_methods, reason = "the binary reads the environment")]
            let far = std::env::var_os("SSH_CONNECTION").is_some();
            if far {
                let port = self.listener.local_addr()?.port();
                let tunnel = format!("ssh -N -L {port}:127.0.0.1:{port} THIS-MACHINE");
                lines.push(format!("from your own machine, with `{tunnel}` running there"));
            }
        }
        lines.push("Ctrl-C ends the server\n".to_owned());
        // Who reads the address alone, and then no more, still wants the pages.
        crate::screen::out().write_all(lines.join("\n").as_bytes())
    }

    /// Answers until somebody says stop.
    pub(crate) fn serve(
        self,
        stop: &AtomicBool,
        answer: impl Fn(Asked<'_>) -> Answer + Send + Sync + 'static,
    ) -> Result<(), Fault> {
        let failed = |error: std::io::Error| {
            Fault::new(FaultKind::Internal, "the server ended").because(error)
        };
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let shared =
            Shared { guard: self.guard, takes_forms: self.takes_forms, answers: Box::new(answer) };
        let router = Router::new().fallback(reply).with_state(Arc::new(shared));
        runtime.block_on(async {
            self.listener.set_nonblocking(true).map_err(failed)?;
            let listener = tokio::net::TcpListener::from_std(self.listener).map_err(failed)?;
            let mut doors = Doors::default();
            while !stop.load(Ordering::SeqCst) {
                let next =
                    tokio::time::timeout(Duration::from_millis(100), listener.accept()).await;
                let Ok(Ok((stream, _))) = next else { continue };
                doors.let_in(stream, &router);
            }
            Ok(())
        })
    }
}

/// Connections that stand open, the oldest first.
#[derive(Debug, Default)]
struct Doors(VecDeque<Standing>);

#[derive(Debug)]
struct Standing {
    task: tokio::task::JoinHandle<()>,
    /// How many requests are being answered on it.
    answering: Arc<AtomicUsize>,
}

impl Doors {
    /// Answers what comes on a connection. Beyond [`CONNECTIONS`] the one that has been silent longest is closed for it; where
    /// all are being answered, it is told to come again.
    fn let_in(&mut self, stream: tokio::net::TcpStream, router: &Router) {
        self.0.retain(|one| !one.task.is_finished());
        let mut router = router.clone();
        if self.0.len() >= CONNECTIONS {
            let silent = |one: &Standing| one.answering.load(Ordering::SeqCst) == 0;
            match self.0.iter().position(silent).and_then(|at| self.0.remove(at)) {
                Some(one) => one.task.abort(),
                // Twice as many is the end: whoever opens these wants no answer.
                None if self.0.len() < 2 * CONNECTIONS => router = Router::new().fallback(busy),
                None => return,
            }
        }
        let answering = Arc::new(AtomicUsize::new(0));
        let (service, counted) = (TowerToHyperService::new(router), Arc::clone(&answering));
        let service = hyper::service::service_fn(move |request| {
            let (answer, counted) = (service.call(request), Arc::clone(&counted));
            async move {
                counted.fetch_add(1, Ordering::SeqCst);
                let answer = answer.await;
                counted.fetch_sub(1, Ordering::SeqCst);
                answer
            }
        });
        let task = tokio::spawn(async move {
            let mut http = hyper::server::conn::http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_headers(64);
            // A client that goes away, or speaks something else, is nobody's concern.
            let _gone = http.serve_connection(TokioIo::new(stream), service).await;
        });
        self.0.push_back(Standing { task, answering });
    }
}

async fn busy() -> Response {
    let mut response = said(
        StatusCode::SERVICE_UNAVAILABLE,
        PLAIN,
        "too many requests at once; try again in a moment".into(),
    );
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

struct Shared {
    guard: Guard,
    takes_forms: bool,
    answers: Box<Answers>,
}

async fn reply(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let referrer = guard::referrer(shared.takes_forms);
    let mut response = match answered(shared, request).await {
        Ok(response) => response,
        Err((status, why)) => said(status, PLAIN, why.into()),
    };
    let kept = guard::kept(response.headers().get(header::CONTENT_TYPE));
    let own = [(header::REFERRER_POLICY, referrer), (header::CACHE_CONTROL, kept)];
    let headers = guard::HEADERS.into_iter().chain(own);
    for (name, value) in headers {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Why nothing is given.
type Refusal = (StatusCode, &'static str);

async fn answered(shared: Arc<Shared>, request: Request) -> Result<Response, Refusal> {
    let (parts, body) = request.into_parts();
    if parts.headers.get_all(header::HOST).iter().count() > 1 {
        return Err((StatusCode::BAD_REQUEST, "a request names one host"));
    }
    let text = |name| parts.headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let path = parts.uri.path();
    let (host, origin) = (text(header::HOST), text(header::ORIGIN));
    let cookies = text(header::COOKIE);
    let (door, sends) = match parts.method {
        Method::GET | Method::HEAD => (shared.guard.door(path, host, origin, cookies), false),
        Method::POST if shared.takes_forms => {
            (shared.guard.change(path, host, origin, cookies), true)
        }
        _ => return Err((StatusCode::METHOD_NOT_ALLOWED, "only reading is possible here")),
    };
    let path = match door {
        Door::Shut(status, why) => return Err((status, why)),
        Door::Blank => return Ok(said(StatusCode::NO_CONTENT, PLAIN, Vec::new())),
        Door::Enter { cookie } => {
            let mut response = gone_to(shared.guard.base());
            if let Ok(cookie) = HeaderValue::from_str(&cookie) {
                response.headers_mut().insert(header::SET_COOKIE, cookie);
            }
            return Ok(response);
        }
        Door::Open { path } => path,
    };
    let form = if sends {
        let form = form::read(&parts.headers, body, PATIENCE).await?;
        if !shared.guard.knows(&form) {
            return Err((
                StatusCode::FORBIDDEN,
                "this form is of another session; load the page again",
            ));
        }
        Some(form)
    } else {
        None
    };
    let query = parts.uri.query().unwrap_or_default().to_owned();
    let answer = tokio::task::spawn_blocking(move || {
        (shared.answers)(Asked { path: &path, query: &query, form: form.as_deref() })
    });
    match answer.await {
        Ok(Answer::Page(status, kind, body)) => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            Ok(said(status, kind, body))
        }
        Ok(Answer::Go(path)) => Ok(gone_to(&path)),
        Err(_) => Err((StatusCode::INTERNAL_SERVER_ERROR, "this page could not be made")),
    }
}

fn said(status: StatusCode, kind: &'static str, body: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

fn gone_to(path: &str) -> Response {
    let mut response = said(StatusCode::SEE_OTHER, PLAIN, Vec::new());
    if let Ok(path) = HeaderValue::from_str(path) {
        response.headers_mut().insert(header::LOCATION, path);
    }
    response
}

/// Thirty-two digits that nobody can guess.
fn random() -> Result<String, Fault> {
    let mut bytes = [0_u8; 16];
    SysRng.try_fill_bytes(&mut bytes).map_err(|error| {
        Fault::new(FaultKind::Internal, "the machine gives no random numbers").because(error)
    })?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}
