//! Pages for one person on this machine: a server on the loopback address that nobody else gets anything from.
//!
//! The first address holds a token that works once and is exchanged for a cookie; pages lie below a path that nobody
//! can guess. A page of another site gets nothing: its requests bear no cookie, and a name that was bent to this
//! machine (DNS rebinding) is refused by the host that it asks for.

mod guard;

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
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
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use rand::{TryRng, rngs::SysRng};
use storymill::{Fault, FaultKind};

use self::guard::{Door, Guard};

/// What answers a path and its query: status, media type, bytes.
type Answer = dyn Fn(&str, &str) -> (u16, &'static str, Vec<u8>) + Send + Sync;

/// How long a client may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most connections at a time: one person's browser opens six.
const CONNECTIONS: usize = 64;

/// A server that is bound to its port and does not answer yet.
#[derive(Debug)]
pub(crate) struct Server {
    listener: TcpListener,
    guard: Guard,
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
        Ok(Self { listener, guard: Guard::new(port, &random()?, random()?, random()?) })
    }

    /// The path that pages lie below.
    pub(crate) fn base(&self) -> &str {
        self.guard.base()
    }

    /// The address that lets one browser in, once.
    pub(crate) fn first_address(&self) -> String {
        self.guard.first_address()
    }

    /// Answers until somebody says stop.
    pub(crate) fn serve(
        self,
        stop: &AtomicBool,
        answer: impl Fn(&str, &str) -> (u16, &'static str, Vec<u8>) + Send + Sync + 'static,
    ) -> Result<(), Fault> {
        let failed = |error: std::io::Error| {
            Fault::new(FaultKind::Internal, "the server ended").because(error)
        };
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let shared = Arc::new(Shared { guard: self.guard, answer: Box::new(answer) });
        let router = Router::new().fallback(reply).with_state(shared);
        runtime.block_on(async {
            self.listener.set_nonblocking(true).map_err(failed)?;
            let listener = tokio::net::TcpListener::from_std(self.listener).map_err(failed)?;
            let places = Arc::new(tokio::sync::Semaphore::new(CONNECTIONS));
            while !stop.load(Ordering::SeqCst) {
                let next =
                    tokio::time::timeout(Duration::from_millis(100), listener.accept()).await;
                let Ok(Ok((stream, _))) = next else { continue };
                let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
                let service = TowerToHyperService::new(router.clone());
                tokio::spawn(async move {
                    let mut http = hyper::server::conn::http1::Builder::new();
                    http.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_headers(64);
                    // A client that goes away, or speaks something else, is nobody's concern.
                    let _gone = http.serve_connection(TokioIo::new(stream), service).await;
                    drop(place);
                });
            }
            Ok(())
        })
    }
}

struct Shared {
    guard: Guard,
    answer: Box<Answer>,
}

async fn reply(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let text = |name| parts.headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let door = match parts.method {
        Method::GET | Method::HEAD => shared.guard.door(
            parts.uri.path(),
            text(header::HOST),
            text(header::ORIGIN),
            text(header::COOKIE),
        ),
        _ => Door::Shut(StatusCode::METHOD_NOT_ALLOWED, "only reading is possible here"),
    };
    let mut response = match door {
        Door::Shut(status, why) => said(status, "text/plain; charset=utf-8", why.into()),
        Door::Enter { cookie } => {
            let mut response = said(StatusCode::SEE_OTHER, "text/plain; charset=utf-8", Vec::new());
            for (name, value) in
                [(header::SET_COOKIE, cookie), (header::LOCATION, shared.guard.base().to_owned())]
            {
                if let Ok(value) = HeaderValue::from_str(&value) {
                    response.headers_mut().insert(name, value);
                }
            }
            response
        }
        Door::Open { path } => {
            let query = parts.uri.query().unwrap_or_default().to_owned();
            let made = tokio::task::spawn_blocking(move || (shared.answer)(&path, &query)).await;
            match made {
                Ok((status, kind, body)) => said(
                    StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
                    kind,
                    body,
                ),
                Err(_) => said(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    "text/plain; charset=utf-8",
                    "this page could not be made".into(),
                ),
            }
        }
    };
    for (name, value) in guard::HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn said(status: StatusCode, kind: &'static str, body: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
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
