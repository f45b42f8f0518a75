//! Which lines with numbers are headings: of all runs that they can make, the one with most points.
//!
//! A line has points of its own: for its tag and its looks, for the text below it, against its standing inside
//! a sentence. A step from one line to the next has points as well: numbers go up by one, or begin anew below a
//! higher heading. The best run wins, and by how much it wins with a line in it, or without, is how sure that is.

/// A line that may be a heading.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// What its page says for it.
    pub(super) points: i32,
    pub(super) number: u32,
    /// How many higher headings stand before it.
    pub(super) higher: usize,
}

/// So many lines between two of a run are looked at.
const NEAR: usize = 12;

/// How many points the best run has more with each line than without it: below zero, it is left out.
pub(super) fn margins(lines: &[Candidate]) -> Vec<i32> {
    let near = |at: usize| at.saturating_sub(NEAR)..at;
    let far = |at: usize| at + 1..lines.len().min(at + 1 + NEAR);
    let (mut before, mut behind) = (vec![0; lines.len()], vec![0; lines.len()]);
    for at in 0..lines.len() {
        let best = near(at).map(|last| before[last] + step(&lines[last], &lines[at])).max();
        before[at] = lines[at].points + best.unwrap_or(0).max(begin(&lines[at]));
    }
    for at in (0..lines.len()).rev() {
        let best = far(at).map(|next| behind[next] + step(&lines[at], &lines[next])).max();
        behind[at] = lines[at].points + best.unwrap_or(0).max(0);
    }
    let mut ended = 0;
    let mut without = Vec::with_capacity(lines.len());
    for at in 0..lines.len() {
        let across = near(at).flat_map(|last| far(at).map(move |next| (last, next)));
        let across = across
            .map(|(last, next)| before[last] + step(&lines[last], &lines[next]) + behind[next]);
        without.push(across.max().unwrap_or(0).max(ended));
        ended = ended.max(before[at]);
    }
    let mut begun = 0;
    for at in (0..lines.len()).rev() {
        without[at] = without[at].max(begun);
        begun = begun.max(begin(&lines[at]) + behind[at]);
    }
    let with = |at: usize| before[at] + behind[at] - lines[at].points;
    (0..lines.len()).map(|at| with(at) - without[at]).collect()
}

/// What speaks for a run that begins with a line.
fn begin(line: &Candidate) -> i32 {
    if line.number > 1 { -3 } else { 0 }
}

/// What speaks for two lines one behind the other.
fn step(last: &Candidate, next: &Candidate) -> i32 {
    match next.number {
        number if number == last.number + 1 => 4,
        1 if last.number > 1 && next.higher > last.higher => 3,
        1 => 0,
        number if number > last.number => -3,
        _ => -6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of one kind by their numbers; `|` stands for a higher heading.
    #[track_caller]
    fn check(points: i32, lines: &str, expect: &str) {
        let mut higher = 0;
        let mut all = Vec::new();
        for word in lines.split(' ') {
            match word.parse() {
                Ok(number) => all.push(Candidate { points, number, higher }),
                Err(_) => higher += 1,
            }
        }
        let kept = all.iter().zip(margins(&all)).filter(|(_, margin)| *margin > 0);
        let kept: Vec<_> = kept.map(|(line, _)| line.number.to_string()).collect();
        assert_eq!(kept.join(" "), expect, "{lines}");
    }

    #[test]
    fn the_run_with_most_points_wins() {
        check(-2, "1 2 3 4", "1 2 3 4");
        check(-2, "1", "");
        check(-2, "7 1 2 40 3 1", "1 2 3");
        check(-2, "1 2 | 1 2 | 1 2", "1 2 1 2 1 2");
        check(8, "1 2 2 4", "1 2 2 4");
    }

    #[test]
    fn what_hardly_counts_has_a_small_margin() {
        let line = |number| Candidate { points: 8, number, higher: 0 };
        assert_eq!(margins(&[1, 2, 3].map(line)), [15, 19, 12]);
        assert!(margins(&[1, 2, 2, 3].map(line))[1] < 3);
    }
}
