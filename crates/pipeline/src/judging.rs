//! What becomes of answers while a run asks: counted stage by stage and round by round, and the end of a
//! stage of whose answers next to none can be used.
//!
//! As long as little is known of a stage, little is asked for it: so many answers as the workflow wants to
//! look at, then three times as many as were judged. A run that finds answers in the log begins small too: in
//! what order these came is not known, so the last of them may all be bad.
//!
//! A stage is stopped by its *first* answers, those to questions that were not asked before: later rounds are
//! about what is hard, and would look bad of any model. Only where questions are fewer than the answers to look
//! at, later rounds make up the number. That a stage was found fit is kept (`store/fit`): a build that goes on after
//! a kill, and has only hard questions left, goes on as one that was never disturbed. One that was stopped is looked
//! at anew, by whatever is asked first.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

use storymill_core::{Asked, Asker, Fault, FaultKind, Judged, Refusal, RequestKey, Round, UnitId};

use crate::{Asking, Event, Events, Share, Step, Workflow};

/// The most requests of a stage that are asked at once.
const MOST: usize = 2000;

/// What became of the answers of each step in this run.
pub(crate) struct Judging<'w> {
    asking: &'w Asking,
    steps: BTreeMap<&'w str, Mutex<Count>>,
}

/// A refusal, with the unit it stands in: of several the first is told.
type First = Option<(UnitId, Refusal)>;

#[derive(Default)]
struct Count {
    /// What was known when this run first asked.
    before: Option<Round>,
    /// Whether it was found fit when it was last judged, in this run or one before.
    fit: Option<bool>,
    rounds: Vec<Round>,
    /// What of this was told.
    told: Vec<Round>,
    /// The first refusal of each round that was not told.
    first: BTreeMap<usize, First>,
    /// First answers since the stage was last found fit, and the first refusal since then.
    recent: Round,
    shown: First,
    /// The answers of units that still wait: they are judged again each time.
    open: BTreeMap<UnitId, BTreeMap<RequestKey, bool>>,
}

impl Count {
    fn add(&mut self, unit: &UnitId, judged: &Judged, accepted: bool) {
        let attempt = judged.attempt as usize;
        let one = Round { accepted: u64::from(accepted), refused: u64::from(!accepted) };
        *Round::of(&mut self.rounds, attempt) += one;
        if attempt == 0 {
            self.recent += one;
        }
        if let Some(refusal) = &judged.refused {
            earlier(self.first.entry(attempt).or_default(), unit, refusal);
            earlier(&mut self.shown, unit, refusal);
        }
    }

    /// Takes back what was said of an answer that is judged otherwise now.
    fn take_back(&mut self, judged: &Judged) {
        let attempt = judged.attempt as usize;
        let take = |round: &mut Round| {
            let was =
                if judged.refused.is_some() { &mut round.accepted } else { &mut round.refused };
            *was = was.saturating_sub(1);
        };
        take(Round::of(&mut self.rounds, attempt));
        if attempt == 0 {
            take(&mut self.recent);
        }
    }
}

/// Units finish in any order: the refusal of the first unit is kept, and of one unit the first.
fn earlier(kept: &mut First, unit: &UnitId, refusal: &Refusal) {
    if kept.as_ref().is_none_or(|(other, _)| unit < other) {
        *kept = Some((unit.clone(), refusal.clone()));
    }
}

impl<'w> Judging<'w> {
    pub(crate) fn new(workflow: &'w Workflow) -> Self {
        let steps = workflow.steps.iter().map(|step| (step.name.as_str(), Mutex::default()));
        Self { asking: &workflow.asking, steps: steps.collect() }
    }

    fn count(&self, step: &str) -> MutexGuard<'_, Count> {
        self.steps[step].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what was judged of a unit; `waits` if it will be judged again.
    pub(crate) fn note(&self, step: &Step, unit: &UnitId, judged: &[Judged], waits: bool) {
        let mut count = self.count(&step.name);
        let mut known = count.open.remove(unit).unwrap_or_default();
        for judged in judged {
            let accepted = judged.refused.is_none();
            match known.insert(judged.key, accepted) {
                Some(before) if before == accepted => continue,
                Some(_) => count.take_back(judged),
                None => {}
            }
            count.add(unit, judged, accepted);
        }
        if waits && !known.is_empty() {
            count.open.insert(unit.clone(), known);
        }
    }

    /// Tells what became of answers since it was last told.
    pub(crate) fn tell(&self, events: &dyn Events) {
        for (step, count) in &self.steps {
            let mut count = count.lock().unwrap_or_else(PoisonError::into_inner);
            let count = &mut *count;
            count.told.resize(count.rounds.len(), Round::default());
            for (at, (round, told)) in count.rounds.iter().zip(&mut count.told).enumerate() {
                let accepted = round.accepted.saturating_sub(told.accepted);
                let refused = round.refused.saturating_sub(told.refused);
                *told = *round;
                if accepted + refused == 0 {
                    continue;
                }
                let first = count.first.remove(&at).flatten().filter(|_| refused > 0);
                let first = first.map(|(_, refusal)| refusal);
                events.emit(Event::Judged {
                    step: (*step).to_owned(),
                    round: at as u64 + 1,
                    accepted,
                    refused,
                    item: first.as_ref().map(|first| first.item.clone()),
                    reason: first.map(|first| first.reason),
                });
            }
        }
    }

    /// Takes from a wave what is asked now, each key once, and says of each step how many requests that
    /// are and how many wait. What waits is noted again when its unit is looked at again.
    ///
    /// # Errors
    ///
    /// A stage would go on asking, and too many of its answers were refused.
    pub(crate) fn take(
        &self,
        wave: Vec<(&Step, Asked)>,
        asker: &dyn Asker,
    ) -> Result<(Vec<Asked>, BTreeMap<String, Share>), Fault> {
        let (mut seen, mut by_step) = (BTreeSet::new(), BTreeMap::<&str, Vec<Asked>>::new());
        for (step, asked) in wave {
            if seen.insert(asked.key) {
                by_step.entry(&step.name).or_default().push(asked);
            }
        }
        let (mut taken, mut counts) = (Vec::new(), BTreeMap::new());
        for (step, asked) in by_step {
            let all = asked.len();
            let costs = asked.iter().any(|asked| asker.costs(&asked.request.model));
            let most = if costs { self.most_of(step)? } else { all };
            taken.extend(some(asked, most));
            let share = Share { requests: all.min(most), waiting: all.saturating_sub(most) };
            counts.insert(step.to_owned(), share);
        }
        Ok((taken, counts))
    }

    /// Whether a stage was found fit when it was last judged, in this run or one before; none if it was not judged.
    pub(crate) fn verdict(&self, step: &str) -> Option<bool> {
        self.count(step).fit
    }

    /// Says what a run before found.
    pub(crate) fn know(&self, step: &str, fit: Option<bool>) {
        let mut count = self.count(step);
        count.fit = count.fit.or(fit);
    }

    /// How many requests of a stage may be asked now.
    fn most_of(&self, step: &str) -> Result<usize, Fault> {
        let mut count = self.count(step);
        let (look_at, recent) = (u64::from(self.asking.look_at), count.recent);
        let mut all = Round::default();
        count.rounds.iter().for_each(|round| all += *round);
        let before = *count.before.get_or_insert(all);
        let own = Round {
            accepted: all.accepted.saturating_sub(before.accepted),
            refused: all.refused.saturating_sub(before.refused),
        };
        let bad = |round: Round| share(round) > self.asking.most_refused;
        let shown = count.shown.as_ref().map(|(_, first)| first);
        if recent.answers() >= look_at {
            if bad(recent) {
                let fault = stopped(step, recent, "first answers", shown);
                count.fit = Some(false);
                return Err(fault);
            }
            // What lay in the log of a stage that was stopped tells nothing of how it is now.
            if own.answers() > 0 || count.fit.is_none() {
                count.fit = Some(true);
            }
            count.recent = Round::default();
            count.shown = None;
        } else if all.answers() >= look_at && bad(all) && bad(count.rounds[0]) {
            return Err(stopped(step, all, "answers", shown));
        } else if count.fit != Some(true)
            && own.answers() >= look_at
            && own.accepted == 0
            && bad(own)
        {
            return Err(stopped(step, own, "answers in this run", shown));
        }
        let known = if own.answers() > 0 { all.answers() } else { 0 };
        let most = usize::try_from((3 * known).max(look_at)).unwrap_or(usize::MAX);
        Ok(most.min(MOST.max(self.asking.look_at as usize)))
    }
}

/// The share of answers that were refused.
fn share(round: Round) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    let share = round.refused as f64 / round.answers().max(1) as f64;
    share
}

/// So many requests: while they are few, from all over the wave, so that no one unit speaks for all, and
/// those before others whose answers will be judged. Where requests share a text, one after the other: what is
/// begun with a text is paid for once.
fn some(asked: Vec<Asked>, most: usize) -> Vec<Asked> {
    let (first, later): (Vec<Asked>, Vec<Asked>) =
        asked.into_iter().partition(|asked| asked.attempt == 0 || most >= MOST);
    let left = most.saturating_sub(first.len());
    let spread = |asked: Vec<Asked>, most: usize| {
        let all = asked.len();
        let shares = |one: &Asked| one.request.chat().is_some_and(|chat| chat.shared > 0);
        let in_order = asked.iter().any(shares);
        let asked = asked.into_iter().enumerate();
        let taken = move |at: usize| if in_order { at < most } else { is_taken(at, all, most) };
        asked.filter(move |(at, _)| taken(*at)).map(|(_, one)| one)
    };
    spread(first, most).chain(spread(later, left)).collect()
}

/// Whether one of all requests is among so many.
fn is_taken(at: usize, all: usize, most: usize) -> bool {
    if most < MOST { (at * most) % all < most } else { at < most }
}

/// What an unfit answer was like.
#[derive(Debug, thiserror::Error)]
#[error("{item}: {code}: {detail}")]
struct Unfit {
    item: String,
    code: String,
    detail: String,
    #[source]
    begins: Option<Begins>,
}

#[derive(Debug, thiserror::Error)]
#[error("the answer begins: {0}")]
struct Begins(String);

fn stopped(step: &str, round: Round, what: &str, first: Option<&Refusal>) -> Fault {
    let Round { refused, .. } = round;
    let message =
        format!("`{step}` was stopped: {refused} of its {} {what} were refused", round.answers());
    let fault = Fault::new(FaultKind::Refused, message).hint(
        "every answer is kept; try another model or prompt, or let `most_refused` under `[asking]` be higher (1 stops nothing)",
    );
    let Some(Refusal { item, reason, begins }) = first else { return fault };
    let begins = begins.split_whitespace().collect::<Vec<_>>().join(" ");
    fault.because(Unfit {
        item: item.clone(),
        code: reason.code.to_string(),
        detail: reason.detail.clone(),
        begins: (!begins.is_empty()).then_some(Begins(begins)),
    })
}

#[cfg(test)]
mod tests {
    use storymill_core::{Chat, Content, Digest, Request};

    use super::*;

    #[test]
    fn what_is_taken_first_comes_from_all_over_the_wave() {
        for (all, most) in [(194, 20), (81, 60), (21, 20), (7, 7), (3, 20), (5000, MOST)] {
            let taken: Vec<usize> = (0..all).filter(|at| is_taken(*at, all, most)).collect();
            assert_eq!(taken.len(), all.min(most), "{most} of {all}");
            assert!(
                taken[0] == 0
                    && (most == MOST || taken.last() >= Some(&(all - all.div_ceil(most))))
            );
        }
    }

    fn judge(judging: &Judging<'_>, attempt: u32, count: u64, accepted: bool) {
        let (unit, key) = ("84".parse().unwrap(), RequestKey(Digest::of(b"key")));
        for _ in 0..count {
            let judged = Judged { key, attempt, item: String::new(), refused: None };
            judging.count("s").add(&unit, &judged, accepted);
        }
    }

    #[test]
    fn first_answers_tell_that_a_model_is_bad_now_and_later_ones_do_not() {
        let asking = Asking::default();
        let steps = BTreeMap::from([("s", Mutex::default())]);
        let mut judging = Judging { asking: &asking, steps };
        for attempt in [0, 1] {
            judging.steps.insert("s", Mutex::default());
            judge(&judging, 0, 80, true);
            judge(&judging, 0, 240, false);
            assert_eq!(judging.most_of("s").unwrap(), 20);
            judge(&judging, attempt, 20, false);
            let most = judging.most_of("s");
            if attempt == 0 {
                assert_eq!(most.unwrap_err().kind, FaultKind::Refused);
                judge(&judging, attempt, 5, true);
                assert_eq!(judging.most_of("s").unwrap(), 3 * 345);
            } else {
                // A kill left nothing to ask but what was refused: without it the stage would go on.
                assert_eq!(most.unwrap(), 3 * 340);
                // Not so where the run before ended since the answers were bad.
                judging.steps.insert("s", Mutex::default());
                judging.know("s", Some(false));
                judge(&judging, 0, 80, true);
                judge(&judging, 0, 240, false);
                assert_eq!(judging.most_of("s").unwrap(), 20);
                judge(&judging, 1, 20, false);
                assert_eq!(judging.most_of("s").unwrap_err().kind, FaultKind::Refused);
            }
        }
    }

    #[test]
    fn first_answers_are_asked_for_before_later_ones() {
        let asked = |number: u32, shared: usize| Asked {
            key: RequestKey(Digest::of(&number.to_le_bytes())),
            stage: "s",
            unit: "84".parse().unwrap(),
            item: None,
            request: Request {
                model: "m".to_owned(),
                content: Content::Chat(Chat { shared, ..Chat::default() }),
                tries: 9,
            },
            sample: number,
            attempt: u32::from(!number.is_multiple_of(4)),
        };
        let of = |most| {
            let taken = some((0..100).map(|number| asked(number, 0)).collect(), most);
            (taken.iter().filter(|one| one.attempt == 0).count(), taken.len())
        };
        assert_eq!([of(20), of(60), of(100), of(MOST)], [(20, 20), (25, 60), (25, 100), (25, 100)]);
        // What shares a text is asked for one after the other.
        let alike = some((0..100).map(|number| asked(number * 4, 9)).collect(), 20);
        assert_eq!(alike.iter().map(|one| one.sample).max(), Some(19 * 4));
    }
}
