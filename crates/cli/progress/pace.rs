//! How far a run is with what it asks, and how long it goes on like that.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use storymill::Pace as Known;

use crate::table::plural;

/// Where no bar is drawn, lines about the pace are at least so far apart.
const SELDOM: Duration = Duration::from_secs(10);

/// How far a run is with what it asks.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// When the first request was sent.
    pub(super) since: Option<Instant>,
    /// The steps that are asked for now.
    pub(super) steps: Vec<String>,
    /// What is asked for now, to be told once it is asked.
    pub(super) asks: Option<String>,
    /// Answers that came so far.
    pub(super) answered: u64,
    /// Requests that wait until it is known what those before are worth.
    pub(super) waiting: u64,
    /// All that is known to be asked, answered or not.
    all: u64,
    /// What was to come and how long it had gone on when a line was last told of it.
    told: Option<(u64, Duration)>,
    /// How many answers of each step were refused so far.
    pub(super) refused: BTreeMap<String, u64>,
}

impl Pace {
    /// A wave begins: what was answered before it, and all that is known to be asked, whatever waves it is asked in.
    pub(super) fn wave(&mut self, requests: u64) -> (u64, u64) {
        self.since.get_or_insert_with(Instant::now);
        self.all = self.answered + requests + self.waiting;
        (self.answered, self.all)
    }

    /// What a bar says of it, first what matters most: how long it goes on like that, how it goes, what is asked for.
    pub(super) fn said(&self, flying: usize, ahead: u64) -> String {
        let mut said = match self.since {
            _ if self.answered == 0 => "waiting for the first answer, ".to_owned(),
            Some(since) => {
                self.left(since.elapsed(), ahead).map_or_else(String::new, |left| left + ", ")
            }
            None => String::new(),
        };
        said += &format!("{flying} in flight");
        let refused: u64 = self.refused.values().sum();
        if refused > 0 {
            said += &format!(", {refused} refused");
        }
        said + ": " + &self.steps.join(", ")
    }

    /// How long it goes on like that; none while it is too early to say.
    fn left(&self, since: Duration, ahead: u64) -> Option<String> {
        (self.answered >= Known::ENOUGH && ahead > 0).then(|| {
            let all = since.as_nanos() * u128::from(ahead) / u128::from(self.answered);
            let all = Duration::from_nanos(u64::try_from(all).unwrap_or(u64::MAX));
            format!("{} left", about(all))
        })
    }

    /// What a log says now and then, where there is no bar: at first after a while, then whenever half of what was left is
    /// done, and not too often.
    pub(super) fn now_and_then(&mut self, since: Duration) -> Option<String> {
        let ahead = self.all.saturating_sub(self.answered);
        let (last, when) = self.told.unwrap_or((u64::MAX, Duration::ZERO));
        if ahead > last / 2 || since < when + SELDOM {
            return None;
        }
        let left = self.left(since, ahead)?;
        self.told = Some((ahead, since));
        let answers = plural(self.answered, "answer");
        Some(format!("{answers} so far, {ahead} to come: at this pace {left}"))
    }
}

/// A time in words.
pub(crate) fn about(all: Duration) -> String {
    let all = all.as_secs_f64();
    match all {
        ..90.0 => format!("about {all:.0} s"),
        ..5_400.0 => format!("about {:.0} min", all / 60.0),
        _ => format!("about {:.1} h", all / 3_600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_forecasts_how_long_it_goes_on() {
        let mut pace = Pace { steps: vec!["`summaries`".to_owned()], ..Pace::default() };
        assert_eq!(pace.said(8, 20), "waiting for the first answer, 8 in flight: `summaries`");
        pace.answered = 3;
        pace.refused = BTreeMap::from([("summaries".to_owned(), 2)]);
        pace.since = Some(Instant::now());
        assert_eq!(pace.said(8, 20), "8 in flight, 2 refused: `summaries`");
        pace.answered = Known::ENOUGH;
        assert!(
            pace.said(8, 20).starts_with("about 0 s left, 8 in flight"),
            "{}",
            pace.said(8, 20)
        );
        assert!(!pace.said(0, 0).contains("left"));
        assert_eq!(about(Duration::from_millis(250) * 100), "about 25 s");
        assert_eq!(about(Duration::from_secs(1) * 1_374), "about 23 min");
        assert_eq!(about(Duration::from_secs(5) * 7_631), "about 10.6 h");
    }

    #[test]
    fn a_log_tells_of_the_pace_now_and_then() {
        let mut pace = Pace::default();
        assert_eq!(pace.wave(1_000), (0, 1_000));
        let mut at = |answered: u64, seconds: u64| {
            pace.answered = answered;
            pace.now_and_then(Duration::from_secs(seconds))
        };
        assert_eq!((at(9, 20), at(10, 9)), (None, None), "too few, too early");
        let first = "20 answers so far, 980 to come: at this pace about 16 min left";
        assert_eq!(at(20, 20).unwrap(), first);
        assert_eq!((at(500, 500), at(511, 29)), (None, None), "not half, too soon");
        let half = "511 answers so far, 489 to come: at this pace about 8 min left";
        assert_eq!(at(511, 511).unwrap(), half);
        assert_eq!(at(1_000, 1_000), None, "nothing is left");
    }
}
