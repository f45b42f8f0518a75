//! What is asked of a set: its items, and decisions that find none.

use std::path::PathBuf;

use storymill_claims::{
    deciding::{
        Item, compare,
        explained::{self, EXPLANATION},
        items,
        votes::{VERDICT, voted},
    },
    draft::Proposal,
    read::Response,
    standing,
};
use storymill_core::{Decisions, UnitId};
use storymill_review::queue;

use super::{
    super::{
        draft, kept, results as answers_of_set,
        set_store::{Home, Lies},
    },
    Wants,
};
use crate::{args, exit::Failure, report};

/// What is asked of a set.
pub(super) struct Asked {
    /// What the set is called.
    pub(super) name: String,
    pub(super) items: Vec<Item>,
    /// The same as the desk has them.
    pub(super) on_desk: Vec<storymill_review::Item>,
    pub(super) decisions: Decisions,
    /// Answers of models, whose explanations are judged.
    pub(super) answers: Option<Vec<Response>>,
}

/// The queue in which second readers say which claim of a pair is true.
const BLIND: &str = "adequacy";

impl Asked {
    /// The items that are wanted: of the queue that was named, else of all but that of second readers, who see nothing of the
    /// others; where votes are counted or written, of all.
    pub(super) fn of(
        home: &Home,
        queue: Option<&str>,
        results: &[PathBuf],
        wants: Wants,
    ) -> Result<Self, Failure> {
        let is_wanted = |name: &str| match queue {
            Some(queue) => queue == name,
            None => name != BLIND || wants != Wants::List && wants != Wants::Pages,
        };
        let decisions = kept::decisions(home)?;
        let retired = kept::retired(home)?;
        let mut all = Vec::new();
        if is_wanted("claims") {
            let proposals: Vec<Proposal> = kept::lines(home, draft::KEPT)?;
            all.extend(items(&home.set, proposals, &decisions));
        }
        if is_wanted(BLIND) {
            all.extend(compare::comparisons(&home.set));
            // What tables say stands beside it where votes are counted: it is asked on no page.
            if wants == Wants::Desk {
                all.extend(voted(&home.set, &decisions));
            }
        }
        all.retain(|item| item.pair(&home.set).is_none_or(|pair| !retired.contains(&pair.id)));
        let is_folder = matches!(home.lies, Lies::Folder { .. });
        let answers = if !is_wanted(EXPLANATIONS) || is_folder && results.is_empty() {
            if queue == Some(EXPLANATIONS) {
                let message = "no answers are named whose explanations are to be judged";
                let hint = "`--results DIR` names what `storymill evaluate SET` made";
                return Err(super::review::fault(message, hint).into());
            }
            None
        } else {
            Some(answers_of_set::responses(home, results)?)
        };
        all.extend(answers.iter().flat_map(|answers| explained::explanations(&home.set, answers)));
        let name = home.name();
        let on_desk = |item: &Item| {
            let book = item.pair(&home.set).map_or("", |pair| &pair.book);
            let unit = book.parse::<UnitId>().or_else(|_| "set".parse()).ok()?;
            let (step, review) = (name.clone(), item.review.clone());
            Some(storymill_review::Item { step, unit, review })
        };
        let on_desk = all.iter().filter_map(on_desk).collect();
        Ok(Self { name, items: all, on_desk, decisions, answers })
    }

    /// Says which decisions find no item any more.
    pub(super) fn tell_idle(&self, home: &Home, args: &args::Review) -> Result<(), Failure> {
        let voted = voted(&home.set, &self.decisions);
        let retired = kept::retired(home)?;
        let known = voted
            .iter()
            .filter(|item| item.pair(&home.set).is_some_and(|pair| !retired.contains(&pair.id)));
        let known = known.chain(&self.items).map(|item| &item.review);
        let queues: Vec<&str> =
            self.items.iter().map(|item| queue::of(&item.review.code).name).collect();
        let is_told = |code: &str| {
            let queue = queue::of(code).name;
            match code {
                VERDICT => args.queue.as_deref().is_none_or(|name| name != EXPLANATIONS),
                EXPLANATION => self.answers.is_some(),
                _ => {
                    args.queue.as_deref().is_none_or(|name| name == queue)
                        || queues.contains(&queue)
                }
            }
        };
        let idle = self.decisions.idle(known).filter(|line| is_told(&line.code));
        // Which claim is true is asked elsewhere where it is not among the items.
        let idle = idle.filter(|line| line.code != compare::WHICH || queues.contains(&BLIND));
        for line in standing::idle(idle, &home.set, &retired) {
            report::warn(&line);
        }
        Ok(())
    }
}

/// The queue of explanations in answers of models.
const EXPLANATIONS: &str = "explanations";
