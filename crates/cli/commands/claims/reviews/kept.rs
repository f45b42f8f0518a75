//! What is kept of people's decisions on a set: in its shelf, or in files of its folder.

use std::{collections::BTreeSet, fs, path::Path, sync::Arc};

use storymill::file_of_set;
use storymill_claims::{
    agreement::{Counted, agreement, counted, votes},
    deciding::{Item, Taken, compare, explained, items},
    draft::Proposal,
    read::Response,
    set,
    standing::{Aside, Stands},
};
use storymill_core::{
    Decision, Decisions, Digest, Fault, FaultKind, Review, ReviewRule, UnitId, canonical,
};
use storymill_disk::RealDisk;
use storymill_review::{Desk, file::File};
use storymill_shelf::{Private, sets};

use super::{
    super::{
        agreement as kept_votes, draft, folder,
        kept_words::{self, Removed},
        refused,
        remove::REMOVED,
        results,
        set_store::{Home, Lies, Sealed},
    },
    input,
};
use crate::{
    args::claims::{Explained, ReviewsOf},
    exit::Failure,
    report,
};

/// What was decided about a set.
pub(super) const DECISIONS: &str = "decisions";
/// Which proposals became which pairs.
const TAKEN: &str = "taken";
/// Which votes decide.
const RULE: &str = "rule.json";

/// The name of something in a folder.
pub(super) fn file(what: &str) -> String {
    format!("{what}.jsonl")
}

/// What is kept of a set under a name; nothing where there is no such thing.
fn read(home: &Home, what: &str) -> Result<Private<Vec<u8>>, Fault> {
    match &home.lies {
        Lies::Folder { path, .. } => Ok(Private::new(file_of_set(path, &file(what))?)),
        Lies::Shelf(sealed) => sealed.read(what),
    }
}

/// What is to be decided of a set.
pub(super) fn items_of(
    home: &Home,
    of: ReviewsOf,
    explained: &Explained,
) -> Result<Vec<Item>, Failure> {
    match of {
        ReviewsOf::Doubts => {
            let (items, aside) = doubts(home)?;
            aside.told("vote").iter().for_each(|line| report::warn(line));
            Ok(items)
        }
        ReviewsOf::Pairs => {
            let mut items = compare::comparisons(&home.set);
            if let Lies::Shelf(sealed) = &home.lies {
                let stands = kept_words::stands(sealed, &home.set)?;
                items.retain(|item| !stands.retired().contains(&item.review.item));
            }
            Ok(items)
        }
        ReviewsOf::Explanations => {
            Ok(explained::explanations(&home.set, &answers(home, explained)?))
        }
    }
}

/// What a decision is about.
pub(super) fn of_line(line: &Decision) -> ReviewsOf {
    match line.code.as_str() {
        compare::WHICH => ReviewsOf::Pairs,
        explained::EXPLANATION => ReviewsOf::Explanations,
        _ => ReviewsOf::Doubts,
    }
}

/// The answers whose explanations are judged.
pub(in super::super) fn answers(home: &Home, args: &Explained) -> Result<Vec<Response>, Failure> {
    if matches!(home.lies, Lies::Folder { .. }) && args.results.is_empty() {
        return Err(input(
            "no answers are named whose explanations are to be judged",
            "`--results DIR` names what `storymill evaluate SET` made",
        ));
    }
    results::responses(home, &args.results)
}

/// Proposals and disputes, and which votes of second readers do not count.
pub(super) fn doubts(home: &Home) -> Result<(Vec<Item>, Aside), Failure> {
    let kept = read(home, draft::KEPT)?;
    let lines = kept.expose().split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let proposals: Result<Vec<Proposal>, _> = lines.map(serde_json::from_slice).collect();
    let counted = match &home.lies {
        Lies::Folder { path, .. } => in_folder(home, path)?,
        Lies::Shelf(sealed) => kept_votes::kept_counted(sealed, &home.set)?,
    };
    let disputed = agreement(&home.set, &counted.votes)
        .map_err(|mistakes| refused(home.path(), "the votes cannot be used", &mistakes))?;
    let proposals = proposals.map_err(|_| other_version())?;
    Ok((items(&home.set, proposals, &decisions(home)?, disputed.reviews), counted.aside))
}

/// The votes that lie in a folder of the set's folder.
pub(in super::super) fn in_folder(home: &Home, path: &Path) -> Result<Counted, Failure> {
    let gone = kept_words::removed(&file_of_set(path, REMOVED)?);
    let place = path.join("votes");
    let mut files: Vec<_> = match fs::read_dir(&place) {
        Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
        Err(_) => Vec::new(),
    };
    files.retain(|file| file.extension().is_some_and(|ending| ending == "csv"));
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let read = votes(&super::super::bytes(&file)?)
            .map_err(|mistakes| refused(&file, "the votes cannot be used", &mistakes))?;
        all.extend(read.into_iter().map(|vote| (vote, None)));
    }
    let stands = Stands::new(&home.set, BTreeSet::new());
    Ok(counted(all, &stands, &|pair| gone.contains_key(pair)))
}

/// What was decided of a set, by its rule.
pub(in super::super) fn decisions(home: &Home) -> Result<Decisions, Failure> {
    let mut decisions = Decisions::default().with_rule(rule(home)?);
    for line in lines(home)? {
        decisions.take(line);
    }
    Ok(decisions)
}

/// The items as people see them, with what was said of the set; `step` is the set's name.
pub(super) fn desk(home: &Home, asked: &[Item], step: &str) -> Result<Desk, Failure> {
    desk_of(home, asked, lines(home)?, step)
}

/// The same with some lines.
pub(super) fn desk_of(
    home: &Home,
    asked: &[Item],
    lines: Vec<Decision>,
    step: &str,
) -> Result<Desk, Failure> {
    let unit = |item: &Item| {
        let book = item.pair(&home.set).map_or("", |pair| &pair.book);
        book.parse::<UnitId>().or_else(|_| "set".parse())
    };
    let on_desk = |item: &Item| {
        let unit = unit(item).ok()?;
        Some(storymill_review::Item { step: step.to_owned(), unit, review: item.review.clone() })
    };
    let items = asked.iter().filter_map(on_desk).collect();
    // In the order in which they came, so that the last one is the one to undo.
    Ok(Desk::new(items, lines, rule(home)?))
}

/// Which votes decide; of a set that says nothing, one.
pub(super) fn rule(home: &Home) -> Result<ReviewRule, Failure> {
    let kept = match &home.lies {
        Lies::Folder { path, .. } => file_of_set(path, RULE)?,
        Lies::Shelf(sealed) => sealed.read(RULE)?.expose().clone(),
    };
    if kept.is_empty() {
        return Ok(ReviewRule::PLAIN);
    }
    let rule: ReviewRule = serde_json::from_slice(&kept).map_err(|error| {
        let hint = "`storymill claims reviews SET --rule majority` writes another one";
        input(&format!("the set's rule (`{RULE}`) cannot be read: {error}"), hint)
    })?;
    check_rule(&rule).map(|()| rule)
}

/// Keeps with a set which votes decide.
pub(super) fn keep_rule(home: &Home, rule: &ReviewRule) -> Result<(), Failure> {
    check_rule(rule)?;
    let text = canonical::json(rule) + "\n";
    match &home.lies {
        Lies::Folder { path, .. } => Ok(folder::replace(&path.join(RULE), text.as_bytes())?),
        Lies::Shelf(sealed) => Ok(sealed.put(RULE, text.as_bytes())?),
    }
}

fn check_rule(rule: &ReviewRule) -> Result<(), Failure> {
    match rule.faults().first() {
        Some((option, why)) => Err(input(
            &format!("`{option}` of the set's rule {why}"),
            "`--voters`, `--adjudicator` and `--rule` set it",
        )),
        None => Ok(()),
    }
}

/// The lines of people's decisions on a set, in the order in which they came.
pub(super) fn lines(home: &Home) -> Result<Vec<Decision>, Failure> {
    Ok(lines_of(read(home, DECISIONS)?.expose())?)
}

/// The lines of what is kept.
pub(super) fn lines_of(kept: &[u8]) -> Result<Vec<Decision>, Fault> {
    let lines = kept.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).map_err(|_| other_version())).collect()
}

/// Lines as they are kept.
pub(super) fn as_kept(lines: &[Decision]) -> Private<Vec<u8>> {
    let mut kept = Private::new(Vec::new());
    for line in lines {
        let line = Private::new(canonical::json(line) + "\n");
        kept.expose_mut().extend_from_slice(line.expose().as_bytes());
    }
    kept
}

/// The proposals that were taken before.
pub(super) fn taken(home: &Home) -> Result<Vec<Taken>, Failure> {
    let kept = read(home, TAKEN)?;
    let lines = kept.expose().split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let taken: Result<_, _> = lines.map(serde_json::from_slice).collect();
    Ok(taken.map_err(|_| other_version())?)
}

/// The words of pairs that went.
pub(super) fn gone(home: &Home) -> Result<BTreeSet<[Digest; 2]>, Failure> {
    let removed = match &home.lies {
        Lies::Folder { path, .. } => kept_words::removed(&file_of_set(path, REMOVED)?),
        Lies::Shelf(sealed) => kept_words::removed_from(sealed)?,
    };
    Ok(removed.into_values().filter_map(|Removed { words, .. }| words).collect())
}

/// Keeps decisions and what followed from them: on a shelf in one step, in a folder so that a run that was cut off is
/// finished by the next.
pub(super) fn keep(
    home: &Home,
    decided: &[Decision],
    new: &[Taken],
    set_changed: bool,
) -> Result<(), Fault> {
    match &home.lies {
        Lies::Folder { path, .. } => {
            if !decided.is_empty() {
                decisions_file(path).append(decided)?;
            }
            if set_changed {
                folder::write(path, &home.set)?;
            }
            if new.is_empty() {
                return Ok(());
            }
            folder::append(&path.join(file(TAKEN)), set::lines(new).as_bytes())
        }
        Lies::Shelf(sealed) => {
            let said = as_kept(decided);
            let add = |change: &mut storymill_shelf::Change<'_>| {
                for (what, bytes) in
                    [(DECISIONS, &said.expose()[..]), (TAKEN, set::lines(new).as_bytes())]
                {
                    if !bytes.is_empty() {
                        change.append(&sets::place(&sealed.name, what), bytes)?;
                    }
                }
                Ok(())
            };
            if set_changed { sealed.keep_with(&home.set, add) } else { sealed.shelf.change(add) }
        }
    }
}

/// The file of decisions of a set in a folder.
pub(super) fn decisions_file(path: &Path) -> File {
    File::new(Arc::new(RealDisk), path.join(file(DECISIONS)))
}

/// How many decisions were made on the claims of a pair.
pub(in super::super) fn decided_on(sealed: &Sealed, pair: &str) -> Result<usize, Failure> {
    let mut decisions = Decisions::default();
    for line in lines_of(sealed.read(DECISIONS)?.expose())? {
        decisions.take(line);
    }
    let none = std::iter::empty::<&Review>();
    let of_pair = |one: &&Decision| {
        one.item.strip_prefix(pair).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    Ok(decisions.idle(none).filter(of_pair).count())
}

fn other_version() -> Fault {
    Fault::new(FaultKind::Store, "what is kept of the set was written by another version")
}
