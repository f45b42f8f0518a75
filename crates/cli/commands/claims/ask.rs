//! `claims ask`: the requests of a private set, of a sealed bundle or of a folder, put to a model by the
//! engine. Answers to private requests are sealed wherever they lie, also on the way.

use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::json;
use storymill::{Bill, ModelOptions, Project, Workspace};
use storymill_claims::{
    answers::{self, Head},
    exposure,
};
use storymill_core::{ClaimAnswer, Fault, FaultKind, did_you_mean};
use storymill_llm::{Described, Limits, ModelConfig, elsewhere};
use storymill_shelf::{Access, MOUNT, Private, Shelf};
use storymill_sources::RequestLines;

use super::{answered, bundle, private_requests, set_store::Sealed};
use crate::{
    args::{Messages, claims::ClaimsAsk, prices, shelf::Place, usd},
    calendar::today,
    commands::bill,
    exit::{DONE, Exit, Failure},
    next::on_shelf,
    novel,
    progress::Progress,
    secrets,
    session::Session,
    table::plural,
};

pub(super) fn run(args: &ClaimsAsk, session: &Session) -> Result<Exit, Failure> {
    session.stop_on_signals()?;
    let asking = Asking::read(args, session)?;
    match (&args.set, &args.bundle, &args.out) {
        (Some(set), ..) => of_set(args, &asking, set),
        (_, Some(bundle), Some(out)) => of_bundle(args, &asking, bundle, out),
        _ => {
            Err(Failure::Usage("name a set on a shelf, or give `--bundle` and `--out`".to_owned()))
        }
    }
}

/// Asks the requests of a private set; the answers stay in its shelf.
fn of_set(args: &ClaimsAsk, asking: &Asking<'_>, set: &Path) -> Result<Exit, Failure> {
    let Some(shelf) = &args.on.shelf else {
        return Err(Failure::Usage("`--shelf DIR` names the shelf of the set".to_owned()));
    };
    let place = Place { shelf: shelf.clone(), key: args.on.key.clone() };
    let sealed = Sealed::open(set, &place, Access::Change)?;
    let ids = private_requests::ids(&sealed);
    if let (None, true) = (&args.requests, ids.len() > 1) {
        let hint = format!("say which: `--requests` with one of {}", ids.join(", "));
        let message = "the set has several requests";
        return Err(Fault::new(FaultKind::Input, message).hint(hint).into());
    }
    let id = args.requests.clone().or_else(|| ids.first().cloned()).unwrap_or_default();
    private_requests::bundle(&sealed, &id)?;
    let key = private_requests::key(&sealed, &id)?;
    let requests = Arc::new(private_requests::made(&sealed, &id, &key));
    let mut workspace = Workspace::shelf(Arc::clone(&sealed.shelf));
    // The other store of the shelf is that of workflows over its books.
    workspace.store = Path::new(MOUNT).join("claims");
    let allowed = &asking.described.send_private_to;
    let before = || {
        let shown = exposure::of_key(&key, &asking.provider, &asking.system, &today());
        // What is sent cannot be taken back: it is written down first.
        private_requests::expose(&sealed, &shown)
    };
    let Some(rows) = asking.ask(requests, allowed, workspace, before)? else { return Ok(DONE) };
    answered::keep(&sealed, &id, &asking.system, rows.text.expose())?;
    let place = on_shelf(Some(shelf), args.on.key.key.as_deref());
    let next = format!("storymill claims score {}{place}", sealed.name);
    tell(&rows, asking, &format!("kept in the shelf; next: `{next}`"))
}

/// Asks the requests of a bundle; the answers go into a file for whoever made it.
fn of_bundle(
    args: &ClaimsAsk,
    asking: &Asking<'_>,
    bundle: &Path,
    out: &Path,
) -> Result<Exit, Failure> {
    let (about, lines) = bundle::open(bundle, &args.on.key)?;
    if out.exists() && !args.plan {
        let message = "this file already exists, and was left as it is";
        return Err(Fault::new(FaultKind::Input, message).at(out).into());
    }
    let work = beside(out);
    let workspace = match lines.key() {
        None => Workspace::folder(work.join("store")),
        // Answers may tell of the book: until they are sealed to the maintainers they are sealed to
        // whoever asks.
        Some(key) => {
            let disk = secrets::disk();
            let shelf = if work.join("index").exists() {
                Shelf::open(&work, disk, key, Access::Change)?
            } else {
                Shelf::make(&work, disk, key, &[])?
            };
            Workspace::shelf(Arc::new(shelf))
        }
    };
    let private = workspace.is_private();
    let lines = Arc::new(lines);
    let Some(rows) = asking.ask(lines, &about.send_private_to, workspace, || Ok(()))? else {
        return Ok(DONE);
    };
    let head = Head {
        format: answers::FORMAT.to_owned(),
        bundle: about.id.clone(),
        system: asking.system.clone(),
        provider: asking.provider.clone(),
        endpoint: asking.elsewhere.clone(),
        date: today(),
    };
    bundle::write_answers(out, &head, &rows.text, &about, private)?;
    let whom = if private { ", sealed to the maintainers of the set" } else { "" };
    let rest = format!("{}{whom}; {} can go", out.display(), work.display());
    tell(&rows, asking, &rest)
}

fn tell(rows: &Rows, asking: &Asking<'_>, rest: &str) -> Result<Exit, Failure> {
    let count = plural(rows.count, "answer");
    writeln!(crate::screen::out(), "{count} of `{}`: {rest}", asking.system)?;
    Ok(DONE)
}

fn beside(out: &Path) -> PathBuf {
    let mut work = out.as_os_str().to_owned();
    work.push(".work");
    PathBuf::from(work)
}

/// Answers as lines of JSON.
struct Rows {
    text: Private<Vec<u8>>,
    count: u64,
}

impl Rows {
    fn of(answers: &[ClaimAnswer]) -> Self {
        let mut text = Private::new(Vec::new());
        for ClaimAnswer { id, answer } in answers {
            let row = Private::new(json!({ "custom_id": id, "answer": answer }).to_string() + "\n");
            text.expose_mut().extend_from_slice(row.expose().as_bytes());
        }
        Self { text, count: answers.len() as u64 }
    }
}

/// Who is asked, and within what limits.
struct Asking<'s> {
    described: Described,
    name: String,
    config: ModelConfig,
    system: String,
    provider: String,
    /// The endpoint, if it is not on this machine.
    elsewhere: Option<String>,
    models: ModelOptions,
    /// Whether it is only told what would be asked.
    plan: bool,
    session: &'s Session,
}

impl<'s> Asking<'s> {
    fn read(args: &ClaimsAsk, session: &'s Session) -> Result<Self, Failure> {
        let text = novel::text(&args.models)?;
        let described = Described::parse(&text).map_err(|fault| fault.at(&args.models))?;
        let config = described.model.get(&args.model).cloned().ok_or_else(|| {
            let message = format!("no model `{}` is described here", args.model);
            let known = described.model.keys().map(String::as_str);
            let hint = did_you_mean(&args.model, known).unwrap_or_else(|| {
                "write a table `[model.default]` with `url` and `model`; `--model` names another"
                    .to_owned()
            });
            Fault::new(FaultKind::Input, message).at(&args.models).hint(hint)
        })?;
        let elsewhere = elsewhere(&config)?;
        let provider =
            args.provider.clone().or_else(|| elsewhere.clone()).unwrap_or("local".to_owned());
        Ok(Self {
            name: args.model.clone(),
            system: args.system.clone().unwrap_or_else(|| config.id().to_owned()),
            provider,
            elsewhere,
            models: ModelOptions {
                limits: Limits {
                    max_requests: args.max_requests,
                    max_usd: args.max_usd.map(usd).transpose()?,
                },
                prices: prices(args.prices.as_deref())?,
                ask_again: args.ask_again,
                ..ModelOptions::default()
            },
            plan: args.plan,
            session,
            config,
            described,
        })
    }

    /// Asks what is not answered yet, and first does what has to be done before; or tells what would be asked.
    fn ask(
        &self,
        requests: Arc<dyn RequestLines>,
        send_private_to: &[String],
        workspace: Workspace,
        before: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<Option<Rows>, Failure> {
        let none = requests.ids().is_empty();
        let Session { registry, surroundings } = self.session;
        let model = (&*self.name, &self.config);
        let project = Project::of_claims(requests, model, send_private_to, Arc::clone(registry))?;
        let progress = Arc::new(Progress::new(Messages::Text));
        let project = project
            .in_workspace(workspace)?
            .with_surroundings(surroundings.clone())
            .told_to(Arc::clone(&progress) as _);
        let answers = self.answers(&project, none, before);
        progress.finish();
        Ok(answers?.as_deref().map(Rows::of))
    }

    /// The answers; none if it is only told what would be asked.
    fn answers(
        &self,
        project: &Project,
        none: bool,
        before: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<Option<Vec<ClaimAnswer>>, Failure> {
        let ready = project.ready(&self.models)?;
        if self.plan {
            // Of claims that all are too long for the window none is asked.
            let bill = if none { Bill::default() } else { ready.bill()? };
            bill::show(&bill, &mut crate::screen::out(), None)?;
            return Ok(None);
        }
        before()?;
        Ok(Some(if none { Vec::new() } else { ready.claim_answers()? }))
    }
}
