//! `claims requests`: the claims of a set under a prompt, for others to run. A public set writes a folder
//! and its key; a private one keeps both in the shelf ([`private_requests`]).

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
};

use rand::{TryRng, rngs::SysRng};
use storymill_claims::{
    exposure,
    import::Set,
    mistake::Mistakes,
    pair::is_date,
    request::{self, Bundle, Form, KeyLine, Plan, Prompt, Shown},
    set::lines,
};
use storymill_core::{Digest, Fault, FaultKind};
use storymill_shelf::Access;

use super::{
    batch_files::{Files, Whose},
    bytes,
    measured::BookTokens,
    private_requests, refused,
    set_store::{Home, Lies, Texts, borrowed},
};
use crate::{
    args::{self, claims::ClaimsRequests},
    calendar::today,
    exit::{DONE, Exit, Failure},
    secrets,
    table::plural,
};

/// Why no requests were made.
pub(super) enum Stopped {
    Mistakes(Mistakes),
    Fault(Fault),
}

impl From<Mistakes> for Stopped {
    fn from(mistakes: Mistakes) -> Self {
        Self::Mistakes(mistakes)
    }
}

impl From<Fault> for Stopped {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl Stopped {
    pub(super) fn failure(self, path: &Path) -> Failure {
        match self {
            Self::Mistakes(mistakes) => refused(path, "no requests were made", &mistakes),
            Self::Fault(fault) => Failure::Fault(fault),
        }
    }
}

pub(super) fn run(args: &ClaimsRequests) -> Result<Exit, Failure> {
    let shown = shown(args)?;
    let prompt = prompt(args, shown)?;
    let date = args.date.clone().unwrap_or_else(today);
    if !is_date(&date) {
        return Err(Failure::Usage("`--date` is a day such as 2026-11-21".into()));
    }
    for path in [&args.out, &args.bundle_key, &args.clear].into_iter().flatten() {
        if path.exists() {
            return Err(Fault::new(
                FaultKind::Input,
                "this file already exists, and was left as it is",
            )
            .at(path)
            .hint("name another: a bundle and its key are made once")
            .into());
        }
    }
    let home = Home::open(&args.at, Access::Change)?;
    let handed = private_requests::Handed::check(args, &date)?;
    if let (Lies::Shelf(sealed), true) = (&home.lies, args.list) {
        let mut out = crate::screen::out();
        private_requests::ids(sealed).iter().try_for_each(|id| writeln!(out, "{id}"))?;
        return Ok(DONE);
    }
    if let (Lies::Shelf(sealed), Some(id)) = (&home.lies, &args.drop) {
        return private_requests::forget(sealed, id);
    }
    if let (Lies::Shelf(sealed), Some(id)) = (&home.lies, &args.made) {
        return private_requests::hand_out(sealed, id, &handed);
    }
    let mut secret = [0; 32];
    SysRng.try_fill_bytes(&mut secret).map_err(|error| {
        Fault::new(FaultKind::Internal, "the system gives no random bits").because(error)
    })?;
    let canary = match &home.lies {
        Lies::Shelf(sealed) => Some(args.canary.clone().unwrap_or_else(|| sealed.shelf.canary())),
        Lies::Folder { .. } => args.canary.clone(),
    };
    let model = args.model.as_deref().unwrap_or_default();
    let plan = Plan {
        prompt: &prompt,
        shown,
        model,
        max_tokens: args.max_tokens,
        window: args.window,
        secret: &secret,
        canary: canary.as_deref(),
    };
    let texts = home.texts()?;
    match &home.lies {
        Lies::Shelf(sealed) => {
            let id = private_requests::make(sealed, &home.set, &texts, &plan)?;
            private_requests::hand_out(sealed, &id, &handed).map_err(|failure| match failure {
                Failure::Fault(fault) => {
                    let hint = format!(
                        "the requests are made, and kept in the shelf: `--made {id}` hands them out"
                    );
                    fault.hint(hint).into()
                }
                other => other,
            })
        }
        Lies::Folder { .. } => into_folder(args, &home, &texts, &plan, &date),
    }
}

/// The bundle of a public set, its key, and a line in the ledger for each pair.
fn into_folder(
    args: &ClaimsRequests,
    home: &Home,
    texts: &Texts,
    plan: &Plan<'_>,
    date: &str,
) -> Result<Exit, Failure> {
    let (Some(out), Some(key_path)) = (&args.out, &args.bundle_key) else {
        return Err(Failure::Usage(
            "give `--out DIR` and `--bundle-key FILE`: the bundle, and the key that stays with you"
                .to_owned(),
        ));
    };
    let whose = Whose::of(args, plan.model);
    let (key, files) = write(out, &home.set, texts, plan, whose.as_ref()).map_err(|stopped| {
        // What is half is of no use; the folder is of our making.
        let _ = fs::remove_dir_all(out);
        stopped.failure(home.path())
    })?;
    secrets::write_secret(key_path, lines(&key).as_bytes())
        .map_err(|error| Fault::io("cannot write the key", key_path, error))?;
    if let Some(provider) = &args.provider {
        home.expose(&exposure::of_key(&key, provider, plan.model, date))?;
    }
    writeln!(
        crate::screen::out(),
        "{}: {}\nthe key, which tells the answers: {}",
        out.display(),
        told(&key, &plan.name()),
        key_path.display()
    )?;
    if let Some(whose) = whose {
        let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
        writeln!(crate::screen::out(), "for {}'s batches: {}", whose.name(), names.join(", "))?;
    }
    must_fit(&key, plan.window)?;
    Ok(DONE)
}

/// What is made and asks nothing is told by the exit code.
pub(super) fn must_fit(key: &[KeyLine], window: Option<u64>) -> Result<(), Fault> {
    if key.is_empty() || key.iter().any(|line| line.skipped.is_none()) {
        return Ok(());
    }
    let window = window.map_or_else(String::new, |window| format!(" of {window} tokens"));
    Err(Fault::new(
        FaultKind::Input,
        format!("no claim fits the window{window}: there is nothing to ask"),
    )
    .hint("name a larger `--window`, or show excerpts: `--show bm25:25`"))
}

/// How many requests there are, in words.
pub(super) fn told(key: &[KeyLine], plan: &str) -> String {
    let skipped = key.iter().filter(|line| line.skipped.is_some()).count();
    let requests = plural((key.len() - skipped) as u64, "request");
    format!("{requests} under {plan}; {skipped} not asked because they do not fit")
}

fn shown(args: &ClaimsRequests) -> Result<Shown, Failure> {
    let k = args.show.strip_prefix("bm25:").and_then(|k| k.parse().ok()).filter(|k| *k > 0);
    match (args.show.as_str(), k) {
        ("book", _) => Ok(Shown::Book),
        ("story", _) => Ok(Shown::Story),
        (_, Some(k)) => Ok(Shown::Bm25 { k, book_order: args.book_order }),
        _ => Err(Failure::Usage("`--show` is `book`, `story`, or `bm25:K` with K from 1".into())),
    }
}

fn prompt(args: &ClaimsRequests, shown: Shown) -> Result<Prompt, Failure> {
    if let Some(path) = &args.prompt {
        let text = String::from_utf8(bytes(path)?).map_err(|error| {
            Fault::new(FaultKind::Input, "a prompt must be UTF-8 text").at(path).because(error)
        })?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        return Prompt::new(&name, &text)
            .map_err(|mistake| Fault::new(FaultKind::Input, mistake.to_string()).at(path).into());
    }
    Ok(Prompt::ours(match args.form {
        Some(args::claims::Form::AnswerFirst) => Form::AnswerFirst,
        Some(args::claims::Form::AnswerOnly) => Form::AnswerOnly,
        Some(args::claims::Form::Simple) => Form::Simple,
        Some(args::claims::Form::Excerpts) => Form::Excerpts,
        None if matches!(shown, Shown::Bm25 { .. }) => Form::Excerpts,
        Some(args::claims::Form::ExplainFirst) | None => Form::ExplainFirst,
    }))
}

/// Writes the bundle, its own description last.
fn write(
    out: &Path,
    set: &Set,
    texts: &Texts,
    plan: &Plan<'_>,
    whose: Option<&Whose>,
) -> Result<(Vec<KeyLine>, Vec<PathBuf>), Stopped> {
    let path = out.join("requests.jsonl");
    let failed = |error| Stopped::Fault(Fault::io("cannot write", &path, error));
    fs::create_dir_all(out).map_err(failed)?;
    let mut files = Files::begin(&path, whose, |path| File::create(path))?;
    let mut count = 0;
    let tokens = BookTokens::of(texts, &BTreeMap::new(), plan.shown == Shown::Book);
    let counting = |text: &str, encoding| tokens.count(text, encoding);
    let key = request::requests(set, &borrowed(texts), plan, &counting, &mut |line| {
        count += 1;
        files.put(line.whole().as_bytes()).map_err(Stopped::Fault)
    })?;
    let (files, digest) = files.end(Ok(()))?;
    let mut about = about(plan, count, digest);
    about.batch = whose.map(|whose| whose.name().to_owned());
    let text = serde_json::to_string_pretty(&about).expect("a plain struct becomes JSON") + "\n";
    fs::write(out.join("bundle.json"), text).map_err(failed)?;
    Ok((key, files))
}

/// What a bundle says of itself.
pub(super) fn about(plan: &Plan<'_>, requests: usize, digest: Digest) -> Bundle {
    Bundle {
        format: 1,
        id: None,
        canary: plan.canary.map(str::to_owned),
        batch: None,
        requests,
        digest,
        prompt: plan.name(),
        model: plan.model.to_owned(),
        max_tokens: plan.max_tokens,
        answers_to: Vec::new(),
        send_private_to: Vec::new(),
    }
}
