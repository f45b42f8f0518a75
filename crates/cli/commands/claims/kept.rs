//! What is kept beside the pairs of a set: what people decided, by which rule, which pairs went and which proposals were taken.
//! It lies in files of the set's folder, or under names of its shelf.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    sync::Arc,
};

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::json;
use storymill::{file_of_set, retired_pairs};
use storymill_claims::{
    deciding::{
        Taken,
        table::{self, Vote},
        votes,
    },
    pair::{Half, Pair},
    set,
    standing::words_of,
};
use storymill_core::{Decision, Decisions, Digest, Fault, FaultKind, ReviewRule, canonical};
use storymill_disk::RealDisk;
use storymill_review::file::File;
use storymill_shelf::{MOUNT, Mount, Private, sets};

use super::{
    bytes, folder, refused,
    set_store::{Home, Lies, Sealed},
};
use crate::{exit::Failure, table::plural, whole_file};

/// What was decided about a set.
pub(super) const DECISIONS: &str = "decisions";
/// Which proposals became which pairs.
const TAKEN: &str = "taken";
/// Which votes decide.
const RULE: &str = "rule.json";
/// Pairs that went, and why.
pub(super) const REMOVED: &str = "removed.jsonl";
/// Tables of votes on claims: what second readers said before that stood among the decisions, and what lies in a folder.
const VOTES: &str = "votes/";

/// The file of decisions of a set in a folder.
pub(super) fn file_in(folder: &Path) -> File {
    File::new(Arc::new(RealDisk), folder.join(format!("{DECISIONS}.jsonl")))
}

/// Where the decisions on a private set lie inside of its shelf.
pub(super) fn path_in_shelf(set: &str) -> std::path::PathBuf {
    Path::new(MOUNT).join(sets::place(set, DECISIONS))
}

/// The file of decisions of a set that is open.
pub(super) fn file(home: &Home) -> File {
    match &home.lies {
        Lies::Folder { path, .. } => file_in(path),
        Lies::Shelf(sealed) => {
            let disk = Arc::new(Mount::new(Arc::clone(&sealed.shelf)));
            File::new(disk, path_in_shelf(&sealed.name))
        }
    }
}

/// What is kept of a set under a name; nothing where there is no such thing.
pub(super) fn read(home: &Home, name: &str) -> Result<Private<Vec<u8>>, Fault> {
    match &home.lies {
        Lies::Folder { path, .. } if name.contains('.') => {
            Ok(Private::new(file_of_set(path, name)?))
        }
        Lies::Folder { path, .. } => Ok(Private::new(file_of_set(path, &format!("{name}.jsonl"))?)),
        Lies::Shelf(sealed) => sealed.read(name),
    }
}

/// The lines of JSON that are kept of a set under a name.
pub(super) fn lines<T: DeserializeOwned>(home: &Home, name: &str) -> Result<Vec<T>, Fault> {
    lines_of(read(home, name)?.expose())
}

fn lines_of<T: DeserializeOwned>(kept: &[u8]) -> Result<Vec<T>, Fault> {
    let lines = kept.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).map_err(|_| other_version())).collect()
}

fn other_version() -> Fault {
    Fault::new(FaultKind::Store, "what is kept of the set was written by another version")
}

/// What was decided of a set, by its rule.
pub(super) fn decisions(home: &Home) -> Result<Decisions, Failure> {
    let mut decisions = Decisions::default().with_rule(rule(home)?);
    for line in before(home)?.into_iter().chain(lines(home, DECISIONS)?) {
        decisions.take(line);
    }
    Ok(decisions)
}

/// The votes of tables, as decisions. On a shelf it was noted of which words they are.
pub(super) fn before(home: &Home) -> Result<Vec<Decision>, Failure> {
    let gone = removed(home)?;
    let words = |vote: &Vote| words(home, &gone, vote);
    let read = |bytes: &[u8], place: &Path| {
        table::votes(bytes).map_err(|faults| refused(place, "the votes cannot be used", &faults))
    };
    let mut all = Vec::new();
    match &home.lies {
        Lies::Folder { path, .. } => {
            let mut files: Vec<_> = match fs::read_dir(path.join(VOTES)) {
                Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
                Err(_) => Vec::new(),
            };
            files.retain(|file| file.extension().is_some_and(|ending| ending == "csv"));
            files.sort();
            for file in files {
                let cast = read(&bytes(&file)?, &file)?;
                votes::check(&home.set, &cast, |pair| gone.contains_key(pair))
                    .map_err(|faults| refused(&file, "the votes cannot be used", &faults))?;
                all.extend(votes::lines(&cast, words));
            }
        }
        Lies::Shelf(sealed) => {
            for name in sets::Sets(&sealed.shelf).files(&sealed.name, VOTES) {
                let name = format!("{VOTES}{name}");
                let cast = read(sealed.read(&name)?.expose(), sealed.shelf.root())?;
                let noted = noted(sealed, &name)?;
                all.extend(votes::lines(&cast, |vote| {
                    noted.get(&(vote.pair.clone(), vote.claim)).copied().or_else(|| words(vote))
                }));
            }
        }
    }
    Ok(all)
}

/// The words of the claim of a vote that is cast now: of a pair that went, those that it had then.
pub(super) fn words(home: &Home, gone: &BTreeMap<String, Removed>, vote: &Vote) -> Option<Digest> {
    let pair = home.set.pairs.iter().find(|pair| pair.id == vote.pair);
    let now = pair.map(|pair| words_of(pair.claim(vote.claim)));
    let place = usize::from(vote.claim == Half::False);
    now.or_else(|| Some(gone.get(&vote.pair)?.words?[place]))
}

/// The words that some votes of earlier versions are about, as far as they were noted.
pub(super) fn noted(
    sealed: &Sealed,
    what: &str,
) -> Result<BTreeMap<(String, Half), Digest>, Fault> {
    #[derive(Deserialize)]
    struct Noted {
        pair: String,
        claim: Half,
        words: Digest,
    }
    let all: Vec<Noted> = lines_of(sealed.read(&format!("words/{what}"))?.expose())?;
    Ok(all.into_iter().map(|one| ((one.pair, one.claim), one.words)).collect())
}

/// The pairs of a private set that are to go.
pub(super) fn retired(home: &Home) -> Result<BTreeSet<String>, Fault> {
    match &home.lies {
        Lies::Folder { .. } => Ok(BTreeSet::new()),
        Lies::Shelf(sealed) => retired_pairs(&sealed.shelf, &sealed.name),
    }
}

/// A pair that went.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Removed {
    pair: String,
    pub(super) date: String,
    /// The words of its true and of its false claim; none where nobody noted them.
    pub(super) words: Option<[Digest; 2]>,
}

/// The line that is kept of a pair that goes.
pub(super) fn line_of(pair: &Pair, reason: &str, date: &str) -> String {
    let words = Half::BOTH.map(|half| words_of(pair.claim(half)));
    json!({ "pair": pair.id, "reason": reason, "date": date, "words": words }).to_string() + "\n"
}

/// The pairs that went out of a set, as their lines say; of one that went twice the last.
pub(super) fn removed(home: &Home) -> Result<BTreeMap<String, Removed>, Fault> {
    let kept = read(home, REMOVED)?;
    let lines = kept.expose().split(|byte| *byte == b'\n');
    let all = lines.filter_map(|line| serde_json::from_slice::<Removed>(line).ok());
    Ok(all.map(|one| (one.pair.clone(), one)).collect())
}

/// What is kept of people's words on a pair that is gone or is to go; none if it is nothing.
pub(super) fn of_gone(home: &Home, pair: &str) -> Result<Option<String>, Failure> {
    let said = votes::said_on(decisions(home)?.idle([]), pair);
    let told: Vec<String> =
        said.iter().rev().map(|(what, count)| plural(*count as u64, what)).collect();
    let total: usize = said.values().sum();
    let does = if total == 1 { "is kept and does" } else { "are kept and do" };
    Ok((total > 0).then(|| format!("{} on it {does} not count", told.join(", "))))
}

/// What is kept of people's votes on a pair that came back; none if it is nothing.
pub(super) fn of_returned(home: &Home, pair: &str) -> Result<Option<String>, Failure> {
    let decisions = decisions(home)?;
    let votes = |idle: BTreeMap<_, usize>| idle.get("vote").copied().unwrap_or_default();
    let all = votes(votes::said_on(decisions.idle([]), pair));
    let now = votes::voted(&home.set, &decisions);
    let others = votes(votes::said_on(decisions.idle(now.iter().map(|item| &item.review)), pair));
    let told = |count: usize| plural(count as u64, "vote");
    Ok((all > 0).then(|| {
        let (votes, others) = (told(all - others), told(others));
        format!("{votes} from before count again, {others} on other words do not")
    }))
}

/// Which votes decide; of a set that says nothing, one.
pub(super) fn rule(home: &Home) -> Result<ReviewRule, Failure> {
    let kept = read(home, RULE)?;
    if kept.expose().is_empty() {
        return Ok(ReviewRule::PLAIN);
    }
    let rule: ReviewRule = serde_json::from_slice(kept.expose()).map_err(|error| {
        let message = format!("the set's rule (`{RULE}`) cannot be read: {error}");
        Fault::new(FaultKind::Input, message)
            .hint("`storymill review SET --rule majority` writes another one")
    })?;
    check_rule(&rule).map(|()| rule)
}

/// Keeps with a set which votes decide.
pub(super) fn keep_rule(home: &Home, rule: &ReviewRule) -> Result<(), Failure> {
    check_rule(rule)?;
    let text = canonical::json(rule) + "\n";
    match &home.lies {
        Lies::Folder { path, .. } => Ok(whole_file::put(&path.join(RULE), text.as_bytes())?),
        Lies::Shelf(sealed) => Ok(sealed.put(RULE, text.as_bytes())?),
    }
}

fn check_rule(rule: &ReviewRule) -> Result<(), Failure> {
    let Some((option, why)) = rule.faults().into_iter().next() else { return Ok(()) };
    let message = format!("`{option}` of the set's rule {why}");
    let hint = "`--voters`, `--adjudicator` and `--rule` set it";
    Err(Fault::new(FaultKind::Input, message).hint(hint).into())
}

/// The proposals that were taken before.
pub(super) fn taken(home: &Home) -> Result<Vec<Taken>, Fault> {
    lines(home, TAKEN)
}

/// Keeps what followed from decisions: on a shelf in one step, in a folder so that a run that was cut off is finished by the
/// next.
pub(super) fn keep(home: &Home, new: &[Taken], set_changed: bool) -> Result<(), Fault> {
    let taken = set::lines(new);
    match &home.lies {
        Lies::Folder { path, .. } => {
            if set_changed {
                folder::write(path, &home.set)?;
            }
            if new.is_empty() {
                return Ok(());
            }
            folder::append(&path.join(format!("{TAKEN}.jsonl")), taken.as_bytes())
        }
        Lies::Shelf(sealed) if set_changed => sealed.keep_with(&home.set, |change| {
            change.append(&sets::place(&sealed.name, TAKEN), taken.as_bytes())
        }),
        Lies::Shelf(_) if new.is_empty() => Ok(()),
        Lies::Shelf(sealed) => sealed.append(TAKEN, taken.as_bytes()),
    }
}
