//! Scores of systems on a set: pair accuracy over all pairs, over the common set, and by what the
//! set knows of pairs and books.

mod agreed;
mod cuts;
mod early;
mod explained;
mod quotes;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use storymill_core::{Decisions, did_you_mean};
use storymill_metrics::{
    Undefined, Variant,
    bootstrap::{self, Interval, Plan},
    pair_accuracy::{self, Accuracy, Judged, Verdict, accuracy, common_set, verdict},
};

pub use agreed::Agreed;
pub use early::Early;
pub use explained::Explained;
pub use quotes::Quotes;

use crate::{import::Set, mistake::Mistake, pair::Half, read::Response};

/// What is scored, and how.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Systems whose answered pairs make up the common set.
    pub common: Vec<String>,
    /// How intervals are drawn.
    pub plan: Plan,
    /// Pairs that are not counted: exposed ones, retired ones.
    pub leave_out: BTreeSet<String>,
    /// What people said of pairs and of explanations.
    pub decisions: Decisions,
}

/// The scores of all systems.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scores {
    /// What pair accuracy is here.
    pub variant: Variant,
    /// What the intervals are.
    pub intervals: Variant,
    /// Pairs of the set that are counted.
    pub pairs: usize,
    /// Books they are on.
    pub books: usize,
    /// Pairs that were left out on demand.
    pub left_out: usize,
    /// Answers to pairs that the set does not have, or no longer: they count nowhere.
    pub unknown: usize,
    /// Pairs of the common set; none if no system was named for it.
    pub common: Option<usize>,
    /// How far people agree on pairs and on explanations; empty where no two judged the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub agreed: Vec<Agreed>,
    /// The systems in the order of their first answers, each prompt on its own.
    pub systems: Vec<System>,
}

/// One system under one prompt.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct System {
    /// Its name.
    pub name: String,
    /// The prompt: form and digest; none if nobody said.
    pub prompt: Option<String>,
    /// Over all pairs.
    pub all: Cell,
    /// Over the common set.
    pub common: Option<Cell>,
    /// Over parts of the set.
    pub cuts: Vec<Cut>,
    /// How its explanations begin; none if it gave none.
    pub explanations: Option<Early>,
    /// What people said of the explanations of its right verdicts; none if they said nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explained: Option<Explained>,
    /// What it quotes; none if it quotes nothing, or no book's text is at hand.
    pub quotations: Option<Quotes>,
    /// Every claim and what was read out of its answer, in the order of the set.
    pub labels: Vec<Label>,
}

/// Numbers over some pairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// Pair accuracy and its parts.
    pub accuracy: Accuracy,
    /// Pair accuracy with its interval over books.
    pub interval: Option<Interval>,
    /// Why there is none, where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_interval: Option<&'static str>,
}

/// Numbers over the pairs of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cut {
    /// What the set is cut by: `genre`.
    pub by: &'static str,
    /// Which part: `historical`.
    pub value: String,
    /// Its numbers.
    pub cell: Cell,
}

/// What was read out of one answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Label {
    /// The pair.
    pub pair: String,
    /// Which claim.
    pub claim: Half,
    /// The verdict; none if the system was not asked or gave a word in place of an answer.
    pub verdict: Option<Verdict>,
}

/// The responses of one system under one prompt, by pair: to the true and to the false claim.
struct Asked<'r> {
    name: &'r str,
    prompt: Option<&'r str>,
    responses: Vec<[Option<&'r str>; 2]>,
    verdicts: Vec<[Option<Verdict>; 2]>,
}

/// Scores responses on a set; `texts` are the books by id, as far as they are at hand.
///
/// A response on no pair of the set is left out and counted, unless none is on one; a second one of a system under one prompt to one claim is a
/// mistake. Laws: the order of responses changes no number; a pair counts only if both its
/// claims were answered.
pub fn score(
    set: &Set,
    responses: &[Response],
    texts: &BTreeMap<String, &str>,
    options: &Options,
) -> Result<Scores, Vec<Mistake>> {
    let places: BTreeMap<&str, usize> =
        set.pairs.iter().enumerate().map(|(at, pair)| (pair.id.as_str(), at)).collect();
    let known = |one: &Response| places.contains_key(one.pair.as_str());
    let unknown = responses.iter().filter(|one| !known(one) && one.answer.is_some()).count();
    if let Some(Response { pair, .. }) = responses.first()
        && !responses.iter().any(known)
    {
        return Err(vec![Mistake::new("no answer is to a pair that the set has").pair(pair)]);
    }
    let asked = sorted(set, &places, responses, options)?;
    let judged: Vec<Vec<Judged<usize>>> = asked.iter().map(judge).collect();
    let common = shared(&asked, &judged, options)?;
    let counted = |pair: &usize| !options.leave_out.contains(&set.pairs[*pair].id);
    let pairs: Vec<usize> = (0..set.pairs.len()).filter(counted).collect();
    let cuts = cuts::of(set, &pairs);
    let books: BTreeSet<&str> = pairs.iter().map(|pair| set.pairs[*pair].book.as_str()).collect();
    let mut quotations = quotes::check(set, &asked, texts);
    let systems = asked.iter().zip(&judged).enumerate().map(|(at, (asked, judged))| {
        let cell = |members: &[usize]| cell(set, judged, members, options.plan);
        System {
            name: asked.name.to_owned(),
            prompt: asked.prompt.map(str::to_owned),
            all: cell(&pairs),
            common: common.as_ref().map(|common| cell(common)),
            cuts: cuts
                .iter()
                .map(|(by, value, members)| Cut { by, value: value.clone(), cell: cell(members) })
                .filter(|cut| cut.cell.accuracy.pairs.total > 0)
                .collect(),
            explanations: early::count(set, &pairs, asked),
            explained: explained::count(set, &pairs, asked, &options.decisions, options.plan),
            quotations: quotations[at].take(),
            labels: labels(set, &pairs, asked),
        }
    });
    Ok(Scores {
        variant: pair_accuracy::VARIANT,
        intervals: bootstrap::VARIANT,
        pairs: pairs.len(),
        books: books.len(),
        left_out: set.pairs.len() - pairs.len(),
        unknown,
        common: common.as_ref().map(Vec::len),
        agreed: agreed::count(set, &pairs, &asked, &options.decisions),
        systems: systems.collect(),
    })
}

/// Responses by system and prompt, and by pair.
fn sorted<'r>(
    set: &Set,
    places: &BTreeMap<&str, usize>,
    responses: &'r [Response],
    options: &Options,
) -> Result<Vec<Asked<'r>>, Vec<Mistake>> {
    let mut columns: BTreeMap<(&str, Option<&str>), usize> = BTreeMap::new();
    let mut asked: Vec<Asked<'r>> = Vec::new();
    let mut faults = Vec::new();
    for response in responses {
        let Some(&place) = places.get(response.pair.as_str()) else { continue };
        let (name, prompt) = (response.system.as_str(), response.prompt.as_deref());
        let column = *columns.entry((name, prompt)).or_insert_with(|| {
            let none = vec![[None; 2]; set.pairs.len()];
            asked.push(Asked { name, prompt, responses: none, verdicts: Vec::new() });
            asked.len() - 1
        });
        if options.leave_out.contains(&response.pair) {
            continue;
        }
        let cell = &mut asked[column].responses[place][usize::from(response.claim == Half::False)];
        match (&cell, response.answer.as_deref()) {
            (Some(old), Some(new)) if *old != new => {
                let reason = format!("two answers of one system to the {} claim", response.claim);
                faults.push(Mistake::new(reason).pair(&response.pair));
            }
            (_, Some(new)) => *cell = Some(new),
            (_, None) => {}
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    for asked in &mut asked {
        let read = |pair: usize, half: Half, answer: Option<&str>| {
            verdict(answer?, set.pairs[pair].claim(half))
        };
        let rows = asked.responses.iter().enumerate();
        asked.verdicts = rows
            .map(|(pair, [yes, no])| [read(pair, Half::True, *yes), read(pair, Half::False, *no)])
            .collect();
    }
    Ok(asked)
}

/// The claims that were asked, or could have been.
fn judge(asked: &Asked<'_>) -> Vec<Judged<usize>> {
    let both = |(pair, verdicts): (usize, &[Option<Verdict>; 2])| {
        [(true, verdicts[0]), (false, verdicts[1])].map(|(truth, verdict)| Judged {
            pair,
            truth,
            verdict,
        })
    };
    asked.verdicts.iter().enumerate().flat_map(both).collect()
}

/// The common set.
fn shared(
    asked: &[Asked<'_>],
    judged: &[Vec<Judged<usize>>],
    options: &Options,
) -> Result<Option<Vec<usize>>, Vec<Mistake>> {
    if options.common.is_empty() {
        return Ok(None);
    }
    let mut chosen: Vec<&[Judged<usize>]> = Vec::new();
    for name in &options.common {
        let known = asked.iter().zip(judged).filter(|(asked, _)| asked.name == name);
        let before = chosen.len();
        chosen.extend(known.map(|(_, judged)| judged.as_slice()));
        if chosen.len() == before {
            let systems: BTreeSet<&str> = asked.iter().map(|asked| asked.name).collect();
            let hint = did_you_mean(name, systems).unwrap_or_default();
            let reason = format!("no answers are of the system `{name}`, named for the common set");
            return Err(vec![Mistake::new(format!("{reason}: {hint}"))]);
        }
    }
    Ok(Some(common_set(&chosen)))
}

/// The numbers over some pairs.
fn cell(set: &Set, judged: &[Judged<usize>], members: &[usize], plan: Plan) -> Cell {
    // Twins stand side by side.
    let twins = |pair: &usize| &judged[2 * pair..2 * pair + 2];
    let kept: Vec<Judged<usize>> = members.iter().flat_map(twins).copied().collect();
    let right = |claim: &Judged<usize>| {
        let truth = if claim.truth { Verdict::True } else { Verdict::False };
        claim.verdict.map(|verdict| verdict == truth)
    };
    let rows: Vec<(&str, f64)> = members
        .iter()
        .filter_map(|pair| {
            let [one, two] = twins(pair) else { return None };
            let both = right(one)? & right(two)?;
            Some((set.pairs[*pair].book.as_str(), f64::from(u8::from(both))))
        })
        .collect();
    let drawn = bootstrap::mean(&rows, plan);
    let too_few = matches!(drawn, Err(Undefined::FewClusters { .. }));
    let no_interval = too_few.then_some(bootstrap::TOO_FEW);
    Cell { accuracy: accuracy(&kept), interval: drawn.ok(), no_interval }
}

fn labels(set: &Set, pairs: &[usize], asked: &Asked<'_>) -> Vec<Label> {
    let of = |&pair: &usize| {
        let verdicts = asked.verdicts[pair];
        Half::BOTH.into_iter().zip(verdicts).map(move |(claim, verdict)| Label {
            pair: set.pairs[pair].id.clone(),
            claim,
            verdict,
        })
    };
    pairs.iter().flat_map(of).collect()
}
