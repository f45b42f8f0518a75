//! `storymill verify`: is a published folder what its manifest says, and can it be built again?

use std::io::Write;

use serde_json::json;
use storymill_dataset::{Checked, Depth, Manifest, check_all};
use storymill_pipeline::Lock;

use super::rebuild::{Rebuild, rebuild};
use crate::{
    args::{self, Format},
    exit::{DONE, Exit, Failure, VERIFY},
    table::{plain, plural},
};

pub(crate) fn run(args: &args::Verify) -> Result<Exit, Failure> {
    if args.folder.is_file() || args.before.is_some() || !args.revealed.is_empty() {
        return super::statement::run(args);
    }
    let manifest = Manifest::of(&args.folder)?;
    let depth = match (args.rows, args.bytes) {
        (true, _) => Depth::Rows,
        (_, true) => Depth::Bytes,
        _ => Depth::Both,
    };
    let Checked { damage, findings } = check_all(&args.folder, depth)?;
    let files = manifest.listed().count();
    let sound = damage.is_empty();
    let lock = args.folder.join(&manifest.lock.path);
    let lock = if sound { Some(Lock::read(&lock)?) } else { None };
    let complaints = lock.as_ref().map(|lock| complaints(&manifest, lock)).unwrap_or_default();
    let again = match (&args.rebuild, &lock) {
        (Some(workflow), Some(lock)) => Some(rebuild(args, workflow, &manifest, lock)?),
        _ => None,
    };
    let same = again.as_ref().is_none_or(|again| again.files.differing.is_empty());
    if args.format == Format::Json {
        let damage = damage.iter();
        let damage = damage.map(|one| json!({ "path": one.path, "wrong": one.wrong.to_string() }));
        super::json(&json!({
            "digest": manifest.digest, "files": files, "damage": damage.collect::<Vec<_>>(),
            "findings": findings, "complaints": complaints, "rebuilt": again.as_ref().map(as_json),
        }))?;
    } else {
        let mut out = std::io::stdout().lock();
        for one in &damage {
            writeln!(
                out,
                "{}: {}",
                plain(&one.path.display().to_string()),
                plain(&one.wrong.to_string())
            )?;
        }
        for one in &findings {
            let rows = plural(one.rows, "row");
            let told =
                format!("{}: not so: {} ({rows}, {})", one.place, one.gate.about(), one.example);
            writeln!(out, "{}", plain(&told))?;
        }
        for one in &complaints {
            writeln!(out, "{}", plain(one))?;
        }
        let all = plural(files as u64, "file");
        match damage.len() {
            0 => writeln!(out, "{all} as the manifest says; digest {}", manifest.digest)?,
            bad => writeln!(out, "{bad} of {all} not as the manifest says")?,
        }
        if let Some(again) = &again {
            tell(again, &mut out)?;
        } else if args.rebuild.is_some() {
            writeln!(out, "not built again: the folder is damaged")?;
        }
    }
    let passed = sound && findings.is_empty() && complaints.is_empty() && same;
    Ok(if passed { DONE } else { VERIFY })
}

/// What the lock says otherwise than the manifest, or does not say.
fn complaints(manifest: &Manifest, lock: &Lock) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut hold = |what: &str, listed: &str, locked: &str| {
        if listed != locked {
            complaints.push(format!("{what}: `{listed}` in the manifest, `{locked}` in the lock"));
        }
    };
    hold("the name", &manifest.name, &lock.name);
    hold("the version", &manifest.version, &lock.version);
    hold("the seed", &manifest.seed.to_string(), &lock.seed.to_string());
    if let Some(publish) = &lock.publish {
        hold("the canary", &manifest.canary, &publish.canary);
        if publish.license.trim().is_empty() {
            complaints.push("no licence is named".to_owned());
        }
    }
    for (group, splits, _) in lock.groups_across_splits() {
        let splits = splits.join(", ");
        complaints
            .push(format!("books of one group stand in more than one split: {group} in {splits}"));
    }
    complaints
}

fn as_json(again: &Rebuild) -> serde_json::Value {
    let differing = again.files.differing.iter();
    let differing = differing.map(|(path, how)| json!({ "path": path, "how": how.to_string() }));
    json!({
        "compared": if again.files.bytes { "bytes" } else { "rows" },
        "documents": again.files.documents, "same_lock": again.lock_is_same,
        "differing": differing.collect::<Vec<_>>(), "causes": again.causes, "units": again.units,
    })
}

fn tell(again: &Rebuild, out: &mut impl Write) -> std::io::Result<()> {
    const SHOWN: usize = 5;
    for (path, how) in &again.files.differing {
        writeln!(out, "built again: {}: {how}", plain(path))?;
    }
    for (config, units) in &again.units {
        let named: Vec<_> = units.iter().take(SHOWN).map(ToString::to_string).collect();
        let more = units.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        writeln!(out, "built again: other rows in {config} of {}{more}", named.join(", "))?;
    }
    for cause in &again.causes {
        writeln!(out, "built again: {}", plain(cause))?;
    }
    let what = match (again.files.bytes, again.files.documents) {
        (true, true) => "byte for byte",
        (true, false) => "tables byte for byte; the card is another tool's",
        _ => "row for row; another writer's bytes cannot be compared",
    };
    match again.files.differing.len() {
        0 => writeln!(out, "built again, {what}: the same"),
        files => {
            writeln!(out, "built again, {what}: {} not the same", plural(files as u64, "file"))
        }
    }
}
