//! Shares with their intervals.

use storymill_metrics::{
    binomial::wilson,
    bootstrap::{FEWEST, Interval, Plan, mean_of_sums},
};

use super::figures::{Figure, IntervalOf, Measure, Share};

/// What a rule earned, book by book.
#[derive(Clone, Debug, Default)]
pub(super) struct Earned(Vec<(f64, usize)>);

impl Earned {
    /// Adds what it earned for a question of a book.
    pub(super) fn add(&mut self, book: usize, credit: f64) {
        if self.0.len() <= book {
            self.0.resize(book + 1, (0.0, 0));
        }
        let (sum, questions) = &mut self.0[book];
        *sum += credit;
        *questions += 1;
    }

    /// The figure over all, where `groups` has the group of each book.
    pub(super) fn figure(&self, measure: Measure, groups: &[usize]) -> Figure {
        match self.share(groups) {
            Some(share) => Figure { measure, share: Some(share), undefined: String::new() },
            None => undefined(measure, "there are no such questions"),
        }
    }

    fn share(&self, groups: &[usize]) -> Option<Share> {
        let mut by_group = vec![(0.0, 0); groups.iter().max().map_or(0, |last| last + 1)];
        for (book, (sum, questions)) in self.0.iter().enumerate() {
            let group: &mut (f64, usize) = by_group.get_mut(*groups.get(book)?)?;
            *group = (group.0 + sum, group.1 + questions);
        }
        let (sum, questions) = self
            .0
            .iter()
            .fold((0.0, 0), |(sum, all), (more, questions)| (sum + more, all + questions));
        let many = |all: &[(f64, usize)]| {
            all.iter().filter(|(_, questions)| *questions > 0).count() >= FEWEST
        };
        let drawn = |all: &[(f64, usize)]| mean_of_sums(all, Plan::default()).ok();
        let (found, interval) = if many(&by_group) {
            (drawn(&by_group)?, IntervalOf::Authors)
        } else if many(&self.0) {
            (drawn(&self.0)?, IntervalOf::Books)
        } else {
            (single(sum, questions)?, IntervalOf::Questions)
        };
        Some(Share {
            value: four_digits(found.value),
            low: four_digits(found.low),
            high: four_digits(found.high),
            questions: questions as u64,
            interval,
        })
    }
}

/// Wilson's interval; a share of a credit counts as the nearest whole one for its width.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "counts of questions"
)]
fn single(sum: f64, questions: usize) -> Option<Interval> {
    let found = wilson((sum.round() as u64).min(questions as u64), questions as u64, 0.95).ok()?;
    let value = sum / questions as f64;
    Some(Interval { value, low: found.low.min(value), high: found.high.max(value) })
}

/// A figure that does not exist, and why.
pub(super) fn undefined(measure: Measure, why: &str) -> Figure {
    Figure { measure, share: None, undefined: why.to_owned() }
}

/// Four digits behind the point: what a card prints must not depend on the last bit.
pub(super) fn four_digits(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_depends_on_how_much_there_is() {
        let mut earned = Earned::default();
        (0..60).for_each(|at| earned.add(at % 6, f64::from(u8::from(at % 3 == 0))));
        let interval = |groups: [usize; 6]| earned.share(&groups).unwrap().interval;
        assert_eq!(interval([0, 1, 2, 3, 4, 5]), IntervalOf::Authors);
        assert_eq!(interval([0, 0, 0, 1, 1, 1]), IntervalOf::Books);
        let share = earned.share(&[0, 1, 2, 3, 4, 5]).unwrap();
        assert!((share.value - 0.3333).abs() < 1e-9 && share.low <= share.value, "{share:?}");
        let mut few = Earned::default();
        (0..10).for_each(|at| few.add(0, f64::from(u8::from(at < 8))));
        let share = few.share(&[0]).unwrap();
        assert_eq!(
            (share.interval, share.low, share.high),
            (IntervalOf::Questions, 0.4902, 0.9433)
        );
        assert!(Earned::default().share(&[]).is_none());
    }
}
