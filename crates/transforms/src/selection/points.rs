//! Points for kinds, in decibans: ten make a kind ten times as likely.

use super::kind::{Kind, Verdict};

/// Points for each kind, and why.
#[derive(Debug, Default)]
pub(super) struct Points {
    kinds: [i32; 6],
    /// For a story and against an account of facts.
    telling: i32,
    /// For several stories and against one.
    parts: i32,
    whys: Vec<(i32, String)>,
}

impl Points {
    /// What holds before anything is counted.
    pub(super) fn new(kinds: [i32; 6], telling: i32, parts: i32) -> Self {
        Self { kinds, telling, parts, whys: Vec::new() }
    }

    pub(super) fn add(&mut self, kind: Kind, points: i32, why: String) {
        self.kinds[kind as usize] += points;
        self.why(points, why);
    }

    pub(super) fn telling(&mut self, points: i32, why: String) {
        self.telling += points;
        self.why(points, why);
    }

    pub(super) fn parts(&mut self, points: i32, why: String) {
        self.parts += points;
        self.why(points, why);
    }

    fn why(&mut self, points: i32, why: String) {
        if points != 0 && !why.is_empty() {
            self.whys.push((points.abs(), why));
        }
    }

    /// The sum of each kind.
    fn sums(&self) -> [i32; 6] {
        let mut kinds = self.kinds;
        kinds[Kind::Novel as usize] += self.telling - self.parts.max(0);
        kinds[Kind::Stories as usize] += self.telling - (-self.parts).max(0);
        kinds[Kind::Nonfiction as usize] -= self.telling;
        kinds
    }

    /// The kinds, the likeliest first.
    fn order(&self) -> [Kind; 6] {
        let sums = self.sums();
        let mut order = Kind::ALL;
        // On a tie the kind that is left out more often comes first: nothing passes by chance.
        order.sort_by_key(|kind| (-sums[*kind as usize], std::cmp::Reverse(*kind)));
        order
    }

    /// The likeliest kind.
    pub(super) fn kind(&self) -> Kind {
        self.order()[0]
    }

    /// The verdict, where all but the title says `untitled`: a title never turns that, it only makes
    /// it doubtful.
    pub(super) fn verdict(mut self, untitled: Kind) -> Verdict {
        let (sums, order) = (self.sums(), self.order());
        // What speaks for facts speaks against a story, and most of it hangs together: for a chance
        // it counts once.
        let mut eased = sums;
        eased[Kind::Nonfiction as usize] += self.telling;
        self.whys.sort_by_key(|(points, _)| -points);
        let mut verdict = Verdict {
            kind: order[0],
            sure_pm: shares(sums)[order[0] as usize].min(999),
            second: order[1],
            evidence: self.whys.into_iter().map(|(_, why)| why).collect(),
            chances: shares(eased),
        };
        if order[0] != untitled {
            verdict.kind = untitled;
            verdict.second = order[0];
            verdict.doubt(&format!("the title says {}, and nothing else does", order[0].name()));
        }
        verdict
    }
}

/// How likely each of some sums of decibans is, of a thousand.
fn shares(sums: [i32; 6]) -> [u16; 6] {
    let best = sums.into_iter().max().unwrap_or(0);
    let likely = sums.map(|points| likely(best - points));
    let all: u64 = likely.iter().sum();
    likely.map(|one| u16::try_from(one * 1000 / all.max(1)).unwrap_or(1000))
}

/// How likely a kind is that lies some decibans behind, of a million.
fn likely(behind: i32) -> u64 {
    const TENTH: [u64; 10] = [
        1_000_000, 794_328, 630_957, 501_187, 398_107, 316_228, 251_189, 199_526, 158_489, 125_893,
    ];
    let behind = usize::try_from(behind.max(0)).unwrap_or(0);
    if behind >= 60 {
        0
    } else {
        TENTH[behind % 10] / 10_u64.pow(u32::try_from(behind / 10).unwrap_or(6))
    }
}

/// The points of the last band whose floor is reached; none below the first.
pub(super) fn band(value: u32, bands: &[(u32, i32)]) -> i32 {
    bands.iter().rev().find(|(floor, _)| value >= *floor).map_or(0, |(_, points)| *points)
}

#[cfg(test)]
mod tests;
