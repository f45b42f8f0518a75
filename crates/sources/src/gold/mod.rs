//! A cleaned text against a gold text: what leaked, what was lost, whether chapters and paragraphs
//! begin where they should.
//!
//! Both texts have one paragraph a line and headings behind `# `; lines of the gold behind `? ` are
//! optional. Tokens are words without case, accents and punctuation, a Chinese symbol each. They
//! are aligned in order; short gaps that differ in spelling alone count as matched. Headings cost
//! nothing on either side.

mod align;
mod texts;
mod tokens;

pub use texts::GoldTexts;
pub use tokens::traces;

use self::{align::align, tokens::Stream};

/// Tokens by which a chapter may be off.
const OFF: usize = 12;

/// Gaps up to this many tokens may be a matter of spelling.
const SPELLING: usize = 12;

/// How well a cleaned text fits its gold text. Shares are between 0 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Of the cleaned tokens those that the gold has.
    pub precision: f64,
    /// Of the gold's tokens those that were kept.
    pub recall: f64,
    /// Tokens before, inside and behind the story that the gold lacks, per 100 of its own.
    pub leak: [f64; 3],
    /// Tokens of the gold that are missing, per 100.
    pub lost: f64,
    /// F1 of chapter beginnings, 12 tokens off at most.
    pub chapters: f64,
    /// F1 of paragraph beginnings, exact.
    pub paragraphs: f64,
}

impl Score {
    /// F1 of tokens.
    pub fn f1(&self) -> f64 {
        f1(self.precision, self.recall)
    }
}

/// Scores a cleaned text.
///
/// ```
/// let gold = "# I\nOnce there was a mill.\nIt stood by the river.";
/// let score = storymill_sources::gold::score("# I\nOnce there was a mill.\nIt stood.", gold);
/// assert_eq!((score.precision, score.chapters), (1.0, 1.0));
/// assert!(score.lost > 0.0);
/// ```
pub fn score(cleaned: &str, gold: &str) -> Score {
    let ours = Stream::of(cleaned, false);
    let gold = Stream::of(gold, true);
    let mut pairs = align(&ours.tokens, &gold.tokens);
    let (ours_ok, gold_ok) = forgive(&ours, &gold, &mut pairs);
    let counts =
        |at: usize| !ours.optional[at] && pairs[at].is_none_or(|place| !gold.optional[place]);
    let body: Vec<usize> = (0..pairs.len())
        .filter(|at| pairs[*at].is_some_and(|place| !gold.optional[place]))
        .collect();
    let (first, last) = match body[..] {
        [] => (pairs.len(), pairs.len()),
        [only] => (only, only),
        [first, .., last] => (first, last),
    };
    let all = gold.optional.iter().filter(|optional| !**optional).count();
    let mut leak = [0; 3];
    let (mut counted, mut hits) = (0, 0);
    for at in (0..pairs.len()).filter(|at| counts(*at)) {
        counted += 1;
        if ours_ok[at] {
            hits += 1;
        } else {
            leak[usize::from(at >= first) + usize::from(at > last)] += 1;
        }
    }
    let found = (0..gold.tokens.len()).filter(|at| !gold.optional[*at] && gold_ok[*at]).count();
    let mut back = vec![None; gold.tokens.len()];
    for (at, place) in pairs.iter().enumerate().filter_map(|(at, place)| Some((at, (*place)?))) {
        back[place] = Some(at);
    }
    Score {
        precision: share(hits, counted),
        recall: share(found, all),
        leak: leak.map(|tokens| 100.0 * share(tokens, all)),
        lost: 100.0 * share(all - found, all),
        chapters: chapters(&ours.chapters, &gold.chapters, &back),
        paragraphs: paragraphs(&ours, &gold, &pairs, &back, &ours_ok),
    }
}

/// Takes short gaps for matched whose letters are alike; says which tokens of each side count.
fn forgive(ours: &Stream, gold: &Stream, pairs: &mut [Option<usize>]) -> (Vec<bool>, Vec<bool>) {
    let mut ours_ok: Vec<bool> = pairs.iter().map(Option::is_some).collect();
    let mut gold_ok = vec![false; gold.tokens.len()];
    pairs.iter().flatten().for_each(|place| gold_ok[*place] = true);
    let (mut i, mut j) = (0, 0);
    while i < pairs.len() || j < gold.tokens.len() {
        if i < pairs.len() && pairs[i] == Some(j) {
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let next = (i..pairs.len()).find(|at| pairs[*at].is_some()).unwrap_or(pairs.len());
        let place = pairs.get(next).copied().flatten().unwrap_or(gold.tokens.len());
        let (left, right) = (next - i, place - j);
        if (1..=SPELLING).contains(&left)
            && (1..=SPELLING).contains(&right)
            && align::alike(&ours.joined(i..next), &gold.joined(j..place))
        {
            ours_ok[i..next].fill(true);
            gold_ok[j..place].fill(true);
            for step in 0..left.min(right) {
                pairs[i + step] = Some(j + step);
            }
        }
        (i, j) = (next, place);
    }
    (ours_ok, gold_ok)
}

/// F1 of chapter beginnings.
fn chapters(ours: &[usize], gold: &[usize], back: &[Option<usize>]) -> f64 {
    let mut free: Vec<usize> = ours.to_vec();
    let mut hits = 0;
    for place in gold {
        let near = (0..9).find_map(|step| {
            back.get(place + step).copied().flatten().map(|at| at.saturating_sub(step))
        });
        let Some(near) = near else { continue };
        let best = (0..free.len()).min_by_key(|at| free[*at].abs_diff(near));
        if let Some(best) = best.filter(|best| free[*best].abs_diff(near) <= OFF) {
            free.remove(best);
            hits += 1;
        }
    }
    f1(share(hits, ours.len()), share(hits, gold.len()))
}

/// F1 of paragraph beginnings.
fn paragraphs(
    ours: &Stream,
    gold: &Stream,
    pairs: &[Option<usize>],
    back: &[Option<usize>],
    ok: &[bool],
) -> f64 {
    let mut begins = vec![false; pairs.len() + 1];
    ours.paragraphs.iter().for_each(|at| begins[*at] = true);
    let hits = gold
        .paragraphs
        .iter()
        .filter(|place| back.get(**place).copied().flatten().is_some_and(|at| begins[at]))
        .count();
    let counted = ours
        .paragraphs
        .iter()
        .filter(|at| ok[**at] && pairs[**at].is_none_or(|place| !gold.optional[place]))
        .count();
    f1(share(hits, counted), share(hits, gold.paragraphs.len()))
}

#[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn f1(precision: f64, recall: f64) -> f64 {
    if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 }
}
