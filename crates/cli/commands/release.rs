//! `storymill release`: a published folder becomes a release, if nothing blocks it.

use std::io::Write;

use serde_json::json;
use storymill::{Dataset, Release, ReleaseOptions};
use storymill_dataset::release::Objection;

use crate::{
    args::{self, Format},
    calendar,
    exit::{DONE, Exit, Failure, RELEASE, VERIFY},
    report,
    session::Session,
    table::{plain, plural, typed},
};

pub(crate) fn run(args: &args::Release, session: &Session) -> Result<Exit, Failure> {
    let options = ReleaseOptions {
        releases: args.releases.clone(),
        previous: args.previous.clone(),
        first: args.first,
        changelog: args.changelog.clone(),
        errata: args.errata.clone(),
        draft_errata: args.draft_errata.clone(),
        dry_run: args.dry_run,
    };
    let release = if args.what.is_dir() {
        if args.out.is_some() {
            let message = "`--out` goes with a workflow; a folder was named already";
            return Err(Failure::Usage(message.to_owned()));
        }
        Dataset::open(&args.what)?.release(session.registry.tables(), &options)?
    } else {
        let project = session.project(&args.what)?.in_store(&args.store)?;
        project.release(args.out.as_deref(), args.answers.as_deref(), &options)?
    };
    show(&release, args.format)?;
    if let Some(draft) = args.draft_errata.as_ref().filter(|draft| draft.exists()) {
        report::say(format!(
            "{} has the rows that are wanted: write the reasons, and put it in the place of ERRATA.csv",
            typed(draft)
        ));
    }
    Ok(match release.objections.len() {
        0 => DONE,
        // Nothing but figures of the audit blocks it.
        all if all == release.past_limits => VERIFY,
        _ => RELEASE,
    })
}

fn show(release: &Release, format: Format) -> Result<(), Failure> {
    let Release {
        dataset,
        previous,
        withdrawn,
        objections,
        past_limits,
        without_erratum,
        released,
    } = release;
    let manifest = dataset.manifest();
    let (name, version) = (&manifest.name, &manifest.version);
    if format == Format::Json {
        let objections = objections.iter();
        let objections = objections.map(|one| json!({ "what": one.what, "hint": one.hint }));
        super::json(&json!({
            "name": name, "version": version, "digest": manifest.digest,
            "previous": previous, "withdrawn": withdrawn,
            "objections": objections.collect::<Vec<_>>(), "past_limits": past_limits,
            "without_erratum": without_erratum,
            "folder": released.as_ref().map(|released| &released.folder),
            "lock": released.as_ref().map(|released| &released.lock),
            "missing": released.as_ref().map(|released| &released.missing),
        }))?;
        return Ok(());
    }
    let mut out = crate::screen::out();
    if !objections.is_empty() {
        writeln!(out, "{name} {version} was not released:")?;
        for Objection { what, hint } in objections {
            writeln!(out, "- {}", plain(what))?;
            if let Some(hint) = hint {
                writeln!(out, "  hint: {}", plain(hint).replace("YYYY-MM-DD", &calendar::today()))?;
            }
        }
        return Ok(());
    }
    let after = previous.as_ref().map_or_else(
        || "the first release".to_owned(),
        |last| format!("after {last}; {} of it gone or changed", plural(*withdrawn as u64, "id")),
    );
    let Some(released) = released else {
        writeln!(out, "{name} {version} can be released, {after}")?;
        return Ok(());
    };
    writeln!(out, "{name} {version} is released, {after}")?;
    writeln!(out, "  in      {}", released.folder.display())?;
    writeln!(out, "  lock    {}", released.lock.display())?;
    writeln!(out, "  digest  {}", manifest.digest)?;
    if !released.missing.is_empty() {
        let missing = released.missing.join(", ");
        writeln!(
            out,
            "croissant.json lacks {missing}: nothing here tells, so write it in before you submit"
        )?;
    }
    // Nothing that was released before is gone or changed: there is nothing to say in errata.
    let kept = if *withdrawn == 0 {
        "the lock and the changelog"
    } else {
        "the lock, the changelog and the errata"
    };
    writeln!(
        out,
        "next: commit {kept}, and tag them v{version}; then upload the folder, for instance\n  hf upload YOU/{name} {} . --repo-type dataset",
        typed(&released.folder)
    )?;
    Ok(())
}
