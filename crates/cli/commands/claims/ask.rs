//! `claims ask`: the requests of a private set, of a sealed bundle or of a folder, asked over
//! `storymill-llm`. Answers to private requests are sealed wherever they lie, also on the way.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::{Value, json};
use storymill::{Redacted, Surroundings, redact_fault, set_aside};
use storymill_claims::{
    answers::{self, Head},
    exposure,
};
use storymill_core::{
    Answer, Asked, Asker, Chat, Content, Disk, Fault, FaultKind, Request, Role, Turn, UnitId,
};
use storymill_disk::RealDisk;
use storymill_llm::{
    AnswerLog, AskEvents, AskerOptions, Described, Field, Limits, Mode, ModelAsker, ModelConfig,
    Prices, TooLong, elsewhere,
};
use storymill_shelf::{Access, MOUNT, Mount, Private, Shelf};

use super::{
    answered,
    bundle::{Opened, write_answers},
    private_requests,
    set_store::Sealed,
};
use crate::{
    args::{Messages, claims::ClaimsAsk, micro_usd, prices, shelf::Place},
    calendar::today,
    exit::{DONE, Exit, Failure},
    novel,
    progress::{Aloud, Progress},
    session::Session,
    table::{plural, typed},
};

pub(super) fn run(args: &ClaimsAsk, session: &Session) -> Result<Exit, Failure> {
    session.stop_on_signals()?;
    let asking = Asking::read(args, session)?;
    match (&args.set, &args.bundle, &args.out) {
        (Some(set), ..) => of_set(args, &asking, set),
        (_, Some(bundle), Some(out)) => of_bundle(args, &asking, bundle, out),
        _ => Err(Failure::Usage("a set on a shelf, or `--bundle` and `--out`".to_owned())),
    }
}

/// Asks the requests of a private set; the answers stay in its shelf.
fn of_set(args: &ClaimsAsk, asking: &Asking, set: &Path) -> Result<Exit, Failure> {
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
    let disk = Arc::new(Mount::new(Arc::clone(&sealed.shelf)));
    let folder = Path::new(MOUNT).join("answers/claims");
    let asker = asking.asker(&folder, disk, Some(&asking.described.send_private_to))?;
    // What is sent cannot be taken back: it is written down first.
    sealed.shelf.note_endpoints(&asking.described.send_private_to)?;
    let shown = exposure::of_key(&key, &asking.provider, &asking.system, &today());
    private_requests::expose(&sealed, &shown)?;
    let lines = key.iter().filter_map(|one| private_requests::line(&sealed, &id, one).transpose());
    let rows = asking.ask(&asker, lines).map_err(redact_fault)?;
    answered::keep(&sealed, &id, &asking.system, rows.text.expose())?;
    let next = format!("storymill claims score {} --shelf {}", sealed.name, typed(shelf));
    tell(&rows, asking, &format!("kept in the shelf; next: `{next}`"))
}

/// Asks the requests of a bundle; the answers go into a file for whoever made it.
fn of_bundle(
    args: &ClaimsAsk,
    asking: &Asking,
    bundle: &Path,
    out: &Path,
) -> Result<Exit, Failure> {
    let opened = Opened::open(bundle, &args.on.key)?;
    if out.exists() {
        let message = "this is there already, and was left as it is";
        return Err(Fault::new(FaultKind::Input, message).at(out).into());
    }
    let work = beside(out);
    let about = &opened.about;
    let (disk, folder): (Arc<dyn Disk>, PathBuf) = match &opened.key {
        None => (Arc::new(RealDisk), work.clone()),
        // Answers may tell of the book: until they are sealed to the maintainers they are sealed to
        // whoever asks.
        Some(key) => {
            let disk = Arc::new(RealDisk);
            let shelf = if work.join("index").exists() {
                Shelf::open(&work, disk, key, Access::Change)?
            } else {
                Shelf::make(&work, disk, key, &[])?
            };
            let mount = Mount::new(Arc::new(shelf));
            (Arc::new(mount), Path::new(MOUNT).join("answers"))
        }
    };
    let private = opened.key.is_some();
    let allowed = private.then_some(about.send_private_to.as_slice());
    let asker = asking.asker(&folder, disk, allowed)?;
    let rows = asking.ask(&asker, opened.lines()?);
    let rows = if private { rows.map_err(redact_fault)? } else { rows? };
    let head = Head {
        format: answers::FORMAT.to_owned(),
        bundle: about.id.clone(),
        system: asking.system.clone(),
        provider: asking.provider.clone(),
        endpoint: asking.elsewhere.clone(),
        date: today(),
    };
    write_answers(out, &head, &rows.text, about, private)?;
    let whom = if private { ", sealed to the maintainers of the set" } else { "" };
    let rest = format!("{}{whom}; {} can go", out.display(), work.display());
    tell(&rows, asking, &rest)
}

fn tell(rows: &Rows, asking: &Asking, rest: &str) -> Result<Exit, Failure> {
    use std::io::Write;
    let count = plural(rows.count, "answer");
    writeln!(std::io::stdout().lock(), "{count} of `{}`: {rest}", asking.system)?;
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

/// Who is asked, and within what limits.
struct Asking {
    described: Described,
    name: String,
    config: ModelConfig,
    system: String,
    provider: String,
    /// The endpoint, if it is not on this machine.
    elsewhere: Option<String>,
    limits: Limits,
    prices: Prices,
    /// Whether what is lost to damage is asked for again.
    ask_again: bool,
    surroundings: Surroundings,
}

impl Asking {
    fn read(args: &ClaimsAsk, session: &Session) -> Result<Self, Failure> {
        let text = novel::text(&args.models)?;
        let described = Described::parse(&text).map_err(|fault| fault.at(&args.models))?;
        let mut config = described.model.get(&args.model).cloned().ok_or_else(|| {
            let message = format!("no model `{}` is described here", args.model);
            Fault::new(FaultKind::Input, message).at(&args.models).hint(
                "write a table `[model.default]` with `url` and `model`; `--model` names another",
            )
        })?;
        // What does not fit is no answer; the others are asked all the same.
        config.too_long = TooLong::Reject;
        let elsewhere = elsewhere(&config)?;
        let provider =
            args.provider.clone().or_else(|| elsewhere.clone()).unwrap_or("local".to_owned());
        Ok(Self {
            name: args.model.clone(),
            system: args.system.clone().unwrap_or_else(|| config.id().to_owned()),
            provider,
            elsewhere,
            limits: Limits {
                max_requests: args.max_requests,
                max_micro_usd: args.max_usd.map(micro_usd).transpose()?,
            },
            prices: args.prices.as_deref().map(prices).transpose()?.unwrap_or_default(),
            ask_again: args.ask_again,
            surroundings: session.surroundings.clone(),
            config,
            described,
        })
    }

    /// An asker whose log lies in a folder; `private_to` where requests are private.
    fn asker(
        &self,
        folder: &Path,
        disk: Arc<dyn Disk>,
        private_to: Option<&[String]>,
    ) -> Result<ModelAsker, Fault> {
        if self.ask_again {
            let log = AnswerLog::open(folder, &[], Arc::clone(&disk))?;
            set_aside(&log, folder, &*disk, &self.prices, &Aloud)?;
        }
        let log = Arc::new(AnswerLog::open(folder, &[], disk)?);
        let progress = Arc::new(Progress::new(Messages::Text));
        let events: Arc<dyn AskEvents> =
            if private_to.is_some() { Arc::new(Redacted(progress)) } else { progress };
        let options = AskerOptions {
            mode: Mode::Prefer,
            limits: self.limits,
            prices: self.prices.clone(),
            private_to: private_to.map(<[String]>::to_vec),
        };
        let models = BTreeMap::from([(self.name.clone(), self.config.clone())]);
        ModelAsker::new(
            log,
            models,
            options,
            {
                let environment = Arc::clone(&self.surroundings.environment);
                Box::new(move |name| environment(name))
            },
            events,
            Arc::clone(&self.surroundings.stop),
        )
    }

    /// Asks line by line of a bundle, a few at a time: each may hold a whole book.
    fn ask(
        &self,
        asker: &ModelAsker,
        lines: impl Iterator<Item = Result<Private<Vec<u8>>, Fault>>,
    ) -> Result<Rows, Fault> {
        let unit: UnitId = "claims".parse().expect("it is short and plain");
        let wave = 2 * usize::try_from(self.config.concurrency).unwrap_or(8);
        let mut rows = Rows { text: Private::new(Vec::new()), count: 0 };
        let mut lines = lines.peekable();
        while lines.peek().is_some() {
            let mut asked = Vec::with_capacity(wave);
            for line in lines.by_ref().take(wave) {
                let (id, chat) = self.request(line?.expose())?;
                let (model, content) = (self.name.clone(), Content::Chat(chat));
                let request = Request { model, content, tries: 1 };
                let key = asker.key(&unit, &request, 0, 0)?;
                let (unit, stage) = (unit.clone(), "claims");
                asked.push(Asked {
                    key,
                    stage,
                    unit,
                    item: Some(id),
                    request,
                    sample: 0,
                    attempt: 0,
                });
            }
            asker.ask(&asked)?;
            for one in &asked {
                let answer = asker.get(&one.key)?.ok_or_else(|| {
                    Fault::new(FaultKind::Internal, "a request was asked and has no answer")
                })?;
                let row = Private::new(
                    json!({ "custom_id": one.item, "answer": said(answer) }).to_string() + "\n",
                );
                rows.text.expose_mut().extend_from_slice(row.expose().as_bytes());
                rows.count += 1;
            }
        }
        Ok(rows)
    }

    /// The id of a request, and what of it is asked: the model and its parameters are those of who asks.
    fn request(&self, line: &[u8]) -> Result<(String, Chat), Fault> {
        let unread = || Fault::new(FaultKind::Input, "a line of the bundle is no request");
        let line: Value = serde_json::from_slice(line).map_err(|_| unread())?;
        let id = line["custom_id"].as_str().ok_or_else(unread)?.to_owned();
        let body = &line["body"];
        let said = body["messages"].as_array().ok_or_else(unread)?;
        let mut chat = Chat::default();
        for one in said {
            let text = one["content"].as_str().ok_or_else(unread)?.to_owned();
            match one["role"].as_str() {
                Some("system") if chat == Chat::default() => chat.system = Some(text),
                Some("user") => chat.turns.push(Turn { role: Role::User, text }),
                Some("assistant") => chat.turns.push(Turn { role: Role::Assistant, text }),
                _ => return Err(unread()),
            }
        }
        if !self.config.omit.contains(&Field::MaxTokens) {
            let most = body["max_tokens"].as_u64().and_then(|most| most.try_into().ok());
            chat.max_tokens = Some(most.ok_or_else(unread)?);
        }
        Ok((id, chat))
    }
}

/// An answer, or the word of the field for why there is none.
fn said(answer: Answer) -> String {
    match (answer.text.trim().is_empty(), answer.finish_reason.as_str()) {
        (true, "context_overflow") => "SKIPPED".to_owned(),
        // A text that was torn off is no answer.
        (_, "content_filter" | "refusal") => "PROHIBITED_CONTENT".to_owned(),
        (true, _) => "EMPTY_RESPONSE".to_owned(),
        (false, _) => answer.text,
    }
}
