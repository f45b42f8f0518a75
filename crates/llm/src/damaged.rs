//! Telling of damage to the answer log before a model is asked again for what was lost.

use storymill_core::{Fault, FaultKind, plural};

use crate::{
    Cost, ModelAsker, Prices,
    log::{Damage, Took},
};

impl Damage {
    /// `23 answers: 20 of `tiny-1` (14000 tokens in and 2400 out, $0.02), 3 of which no note tells`.
    pub fn shown(&self, prices: &Prices) -> String {
        let of_model = |(model, took): (&String, &Took)| {
            let Took { answers, usage } = took;
            let cost = Cost::of(*answers, *usage, prices.0.get(model).copied());
            format!("{answers} of `{model}` ({cost})")
        };
        let mut parts: Vec<String> = self.took.iter().map(of_model).collect();
        let untold = self.lost - self.took.values().map(|took| took.answers).sum::<u64>();
        if untold > 0 {
            parts.push(format!("{untold} of which no note tells what it took"));
        }
        let least = if self.and_more { "at least " } else { "" };
        format!("{least}{}: {}", plural(self.lost, "answer"), parts.join(", "))
    }
}

impl ModelAsker {
    /// A fault, if answers are lost to damage and nobody has decided that they are asked for again.
    pub(crate) fn stop_if_damaged(&self) -> Result<(), Fault> {
        let damage = self.log().undecided_damage()?;
        if damage.is_empty() { Ok(()) } else { Err(self.damaged(&damage)) }
    }

    /// A fault of one damaged answer, told as the damage of the whole log.
    pub(crate) fn with_damage(&self, fault: Fault) -> Fault {
        if fault.kind != FaultKind::Damage {
            return fault;
        }
        match self.log().damage() {
            Ok(damage) if !damage.is_empty() => self.damaged(&damage),
            _ => fault,
        }
    }

    fn damaged(&self, damage: &[Damage]) -> Fault {
        const SHOWN: usize = 3;
        let lost =
            |one: &Damage| format!("{} has lost {}", one.path.display(), one.shown(self.prices()));
        let mut told: Vec<String> = damage.iter().take(SHOWN).map(lost).collect();
        if damage.len() > SHOWN {
            let answers = damage[SHOWN..].iter().map(|one| one.lost).sum();
            let files = plural((damage.len() - SHOWN) as u64, "file");
            told.push(format!("{files} more have lost {}", plural(answers, "answer")));
        }
        let message = format!("the answer log is damaged: {}", told.join("; "));
        Fault::new(FaultKind::Damage, message).hint(
            "put the file back from a copy; or say `--ask-again`, which sets a damaged file aside and asks for what is lost (`storymill plan WORKFLOW --cost` tells what that takes)",
        )
    }
}
