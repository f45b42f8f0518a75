//! Damage to the answer log: told before anything is asked again, and set aside where that is wanted. Damage
//! to the store, which is made anew by itself: told afterwards.

use std::{ops::Deref, path::Path};

use storymill_core::{Disk, Fault};
use storymill_llm::{
    AnswerLog, Prices,
    log::{Damage, mend},
};

use storymill_pipeline::Store;

use crate::{models::Models, report, table::plural};

/// Warns, in a plan, of answers that are lost; the plan then goes on as if they had never been given.
pub(crate) fn warn(models: &Models) -> Result<(), Fault> {
    let (Some(log), Some(asker)) = (models.log(), models.model_asker()) else { return Ok(()) };
    let damage = log.pass_over_damage()?;
    told(&damage, asker.prices(), report::warn);
    if !damage.is_empty() {
        report::hint(
            "put the file back from a copy, or build with `--ask-again`; without either a build stops before it asks",
        );
    }
    Ok(())
}

/// Sets aside what is damaged of a log that is to be asked for again, and tells of it.
pub(crate) fn set_aside(
    log: &AnswerLog,
    folder: &Path,
    disk: &dyn Disk,
    prices: &Prices,
) -> Result<(), Fault> {
    told(&log.damage()?, prices, |line| report::say(line));
    for (was, now) in mend(folder, disk)? {
        report::say(format!(
            "{} is now {}; what is sound of it is kept",
            was.display(),
            now.display()
        ));
    }
    Ok(())
}

/// A store that is open for a run. What was found damaged is told when it is closed, whatever came of the
/// run: a disk that turns bits seldom does so once.
#[derive(Debug)]
pub(crate) struct Watched(pub(crate) Store);

impl Deref for Watched {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.0
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let damaged = self.damaged();
        if damaged > 0 {
            let (were, they) = if damaged == 1 { ("was", "it is") } else { ("were", "they are") };
            report::warn(&format!(
                "{} of the store {were} damaged; {they} moved to {} and made anew where needed",
                plural(damaged, "file"),
                self.damaged_folder().display()
            ));
        }
    }
}

fn told(damage: &[Damage], prices: &Prices, tell: impl Fn(&str)) {
    for one in damage {
        tell(&format!("{} is damaged and has lost {}", one.path.display(), one.shown(prices)));
    }
}
