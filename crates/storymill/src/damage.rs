//! Damage to the answer log: told before anything is asked again, and set aside where that is wanted. Damage
//! to the store, which is made anew by itself: told afterwards.

use std::{ops::Deref, path::Path, sync::Arc};

use storymill_core::{Disk, Fault};
use storymill_llm::{AnswerLog, Damage, Prices, mend};

use storymill_pipeline::Store;

use crate::{
    events::{Events, Notice, tell},
    models::Models,
    words::plural,
};

/// Warns, in a plan, of answers that are lost; the plan then goes on as if they had never been given.
pub(crate) fn warn(models: &Models, events: &dyn Events) -> Result<(), Fault> {
    let (Some(log), Some(asker)) = (models.log(), models.model_asker()) else { return Ok(()) };
    let mut notices: Vec<_> =
        lost(&log.pass_over_damage()?, asker.prices()).map(Notice::warning).collect();
    if let Some(last) = notices.last_mut() {
        last.hints.push("put the file back from a copy, or build with `--ask-again`; without either a build stops before it asks".to_owned());
    }
    tell(events, notices);
    Ok(())
}

/// Sets aside what is damaged of a log that is to be asked for again, and tells of it.
pub(crate) fn set_aside(
    log: &AnswerLog,
    folder: &Path,
    disk: &dyn Disk,
    prices: &Prices,
    events: &dyn Events,
) -> Result<(), Fault> {
    lost(&log.damage()?, prices).for_each(|line| events.notice(Notice::note(line)));
    for (was, now) in mend(folder, disk)? {
        events.notice(Notice::note(format!(
            "{} is now {}; what is sound of it is kept",
            was.display(),
            now.display()
        )));
    }
    Ok(())
}

/// A store that is open for a run. What was found damaged is told when it is closed, whatever came of the
/// run: a disk that turns bits seldom does so once.
pub(crate) struct Watched {
    store: Store,
    events: Arc<dyn Events>,
}

impl Watched {
    pub(crate) fn new(store: Store, events: &Arc<dyn Events>) -> Self {
        Self { store, events: Arc::clone(events) }
    }
}

impl Deref for Watched {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.store
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let damaged = self.damaged();
        if damaged > 0 {
            let (were, they) = if damaged == 1 { ("was", "it is") } else { ("were", "they are") };
            self.events.notice(Notice::warning(format!(
                "{} of the store {were} damaged; {they} moved to {} and made anew where needed",
                plural(damaged, "file"),
                self.damaged_folder().display()
            )));
        }
    }
}

/// What was lost, a line each.
fn lost<'a>(damage: &'a [Damage], prices: &'a Prices) -> impl Iterator<Item = String> + 'a {
    let line = move |one: &Damage| {
        format!("{} is damaged and has lost {}", one.path.display(), one.shown(prices))
    };
    damage.iter().map(line)
}
