//! `storymill verify`: is a published folder what its manifest says, and can it be built again?

use std::{io::Write, path::Path, sync::Arc};

use serde_json::json;
use storymill::{Dataset, Depth, Rebuild};
use storymill_core::{Fault, FaultKind, few};
use storymill_shelf::proof::Receipt;

use crate::{
    args::{self, Format, Messages},
    exit::{DONE, Exit, Failure, VERIFY},
    novel,
    progress::Progress,
    session::Session,
    table::{plain, plural, typed},
};

pub(crate) fn run(args: &args::Verify, session: &Session) -> Result<Exit, Failure> {
    let folder = match (&args.folder, args.on.place()) {
        (Some(folder), _) => folder,
        (None, Some(place)) => return super::shelf::check(&place, args),
        (None, None) => return Err(Failure::Usage("name a folder, a statement or a shelf".into())),
    };
    if folder.is_file() && folder.extension().is_some_and(|ending| ending == "lock") {
        return Err(lock_file(folder).into());
    }
    if folder.is_file() {
        let text = novel::text(folder)?;
        if Receipt::is_one(&text) {
            return super::scores::verify(&text, args, session.registry.wires());
        }
    }
    if args.on.shelf.is_some() {
        let message = "with `--shelf` name a receipt, or nothing to check the shelf itself";
        return Err(Failure::Usage(message.to_owned()));
    }
    let is_named = args.before.is_some() || args.signer.is_some() || !args.pairs.is_empty();
    if folder.is_file() || is_named {
        return super::statement::run(folder, args);
    }
    if !folder.exists() {
        let message = "no such file or folder";
        return Err(Fault::new(FaultKind::Input, message).at(folder).into());
    }
    let dataset = Dataset::open(folder)?;
    let depth = match (args.rows, args.bytes) {
        (true, _) => Depth::Rows,
        (_, true) => Depth::Bytes,
        _ => Depth::Both,
    };
    let verified = dataset.verify(depth)?;
    let (damage, findings) = (&verified.checked.damage, &verified.checked.findings);
    let (complaints, manifest) = (&verified.complaints, dataset.manifest());
    let files = manifest.listed().count();
    let workflow = args.rebuild.as_ref().filter(|_| damage.is_empty());
    let again = workflow.map(|workflow| rebuilt(workflow, args, &dataset, session)).transpose()?;
    let same = again.as_ref().is_none_or(|again| again.files.differing.is_empty());
    if args.format == Format::Json {
        let damage = damage.iter();
        let damage = damage.map(|one| json!({ "path": one.path, "wrong": one.wrong.to_string() }));
        super::json(&json!({
            "digest": manifest.digest, "files": files, "damage": damage.collect::<Vec<_>>(),
            "findings": findings, "complaints": complaints, "rebuilt": again.as_ref().map(as_json),
        }))?;
    } else {
        let mut out = crate::screen::out();
        for one in damage {
            writeln!(out, "{}", plain(&format!("{}: {}", one.path.display(), one.wrong)))?;
        }
        for one in findings {
            let rows = plural(one.rows, "row");
            let told =
                format!("{}: not so: {} ({rows}, {})", one.place, one.gate.about(), one.example);
            writeln!(out, "{}", plain(&told))?;
        }
        for one in complaints {
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
    Ok(if verified.is_sound() && same { DONE } else { VERIFY })
}

fn rebuilt(
    workflow: &Path,
    args: &args::Verify,
    dataset: &Dataset,
    session: &Session,
) -> Result<Rebuild, Failure> {
    session.stop_on_signals()?;
    let progress = Arc::new(Progress::new(Messages::Text));
    let project = session.project(workflow)?.told_to(Arc::clone(&progress) as _);
    let again = project.rebuild(dataset, &args.packs);
    progress.finish();
    Ok(again?)
}

/// The lock of a dataset, where its folder is meant.
fn lock_file(path: &Path) -> Fault {
    let message = "expected a dataset folder; this is a lock file";
    let beside = [path.parent().map(Path::to_owned), Some(path.with_extension(""))];
    let dataset = beside.into_iter().flatten().find(|it| it.join("manifest.json").is_file());
    let hint = match dataset {
        Some(folder) => format!("try `storymill verify {}`", typed(&folder)),
        None => {
            "`storymill verify FOLDER` checks a dataset, `storymill diff` compares locks".to_owned()
        }
    };
    Fault::new(FaultKind::Input, message).at(path).hint(hint)
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
        writeln!(out, "built again: other rows in {config} of {}", few(units, SHOWN))?;
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
