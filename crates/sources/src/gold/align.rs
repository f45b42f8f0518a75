//! Two streams of tokens aligned in order: runs that are unique on both sides first, then what
//! lies between them.

use std::collections::HashMap;

/// Cells of a table that is filled in full.
const TABLE: usize = 4_000_000;

/// Sizes of runs that anchor, the surest first.
const RUNS: [usize; 4] = [8, 5, 3, 2];

/// The place in `b` of each token of `a`.
pub(super) fn align(a: &[String], b: &[String]) -> Vec<Option<usize>> {
    let (a, b) = numbered(a, b);
    let mut pairs = vec![None; a.len()];
    let mut todo = vec![(0, a.len(), 0, b.len())];
    while let Some((mut a0, mut a1, mut b0, mut b1)) = todo.pop() {
        while a0 < a1 && b0 < b1 && a[a0] == b[b0] {
            pairs[a0] = Some(b0);
            (a0, b0) = (a0 + 1, b0 + 1);
        }
        while a0 < a1 && b0 < b1 && a[a1 - 1] == b[b1 - 1] {
            (a1, b1) = (a1 - 1, b1 - 1);
            pairs[a1] = Some(b1);
        }
        let cells = (a1 - a0).saturating_mul(b1 - b0);
        if cells == 0 {
            continue;
        }
        let found = (cells > 20_000).then(|| {
            RUNS.iter().find_map(|size| {
                let found = anchors(&a[a0..a1], &b[b0..b1], *size);
                (!found.is_empty()).then_some((*size, found))
            })
        });
        if let Some((size, found)) = found.flatten() {
            let (mut i, mut j) = (a0, b0);
            for (x, y) in found.into_iter().map(|(x, y)| (x + a0, y + b0)) {
                if x < i || y < j {
                    continue;
                }
                todo.push((i, x, j, y));
                (0..size).for_each(|step| pairs[x + step] = Some(y + step));
                (i, j) = (x + size, y + size);
            }
            todo.push((i, a1, j, b1));
        } else if cells <= TABLE {
            for (x, y) in longest(&a[a0..a1], &b[b0..b1]) {
                pairs[x + a0] = Some(y + b0);
            }
        }
    }
    lone(&mut pairs, b.len());
    pairs
}

/// Whether two words differ as spellings do: three quarters of their letters in one order.
pub(super) fn alike(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    a == b || longest(&a, &b).len() * 8 >= (a.len() + b.len()) * 3
}

/// Tokens as numbers, the same on both sides.
fn numbered(a: &[String], b: &[String]) -> (Vec<u32>, Vec<u32>) {
    let mut known: HashMap<String, u32> = HashMap::new();
    let mut number = |token: &String| {
        let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
        *known.entry(token.clone()).or_insert(next)
    };
    (a.iter().map(&mut number).collect(), b.iter().map(&mut number).collect())
}

/// Runs that each side has once, as the longest chain that rises on both.
fn anchors(a: &[u32], b: &[u32], size: usize) -> Vec<(usize, usize)> {
    let once = |side: &[u32]| {
        let mut places: HashMap<Vec<u32>, Option<usize>> = HashMap::new();
        for (at, run) in side.windows(size).enumerate() {
            places.entry(run.to_vec()).and_modify(|place| *place = None).or_insert(Some(at));
        }
        places
    };
    let (ours, theirs) = (once(a), once(b));
    let pairs: Vec<_> = a
        .windows(size)
        .enumerate()
        .filter(|(at, run)| ours[*run] == Some(*at))
        .filter_map(|(at, run)| Some((at, theirs.get(run).copied().flatten()?)))
        .collect();
    rising(&pairs)
}

/// The longest chain of pairs that rises in its second part; the first part rises already.
fn rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; pairs.len()];
    for (at, (_, place)) in pairs.iter().enumerate() {
        let rank = ends.partition_point(|end| pairs[*end].1 < *place);
        before[at] = rank.checked_sub(1).map(|rank| ends[rank]);
        if rank == ends.len() {
            ends.push(at);
        } else {
            ends[rank] = at;
        }
    }
    let mut chain = Vec::with_capacity(ends.len());
    let mut at = ends.last().copied();
    while let Some(here) = at {
        chain.push(pairs[here]);
        at = before[here];
    }
    chain.reverse();
    chain
}

/// A longest common subsequence of two short lists, by the plain table.
fn longest<T: PartialEq>(a: &[T], b: &[T]) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    let mut table = vec![0_u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            table[i * width + j] = if a[i] == b[j] {
                table[(i + 1) * width + j + 1] + 1
            } else {
                table[(i + 1) * width + j].max(table[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if table[(i + 1) * width + j] >= table[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// Parts one or two tokens that were paired by chance, alone amid much that was not.
fn lone(pairs: &mut [Option<usize>], theirs: usize) {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in 0..pairs.len() {
        let Some(place) = pairs[at] else { continue };
        match runs.last_mut() {
            Some((_, end)) if *end == at && pairs[at - 1] == place.checked_sub(1) => *end = at + 1,
            _ => runs.push((at, at + 1)),
        }
    }
    let place = |pairs: &[Option<usize>], at: usize| pairs[at].unwrap_or(theirs);
    let mut apart = Vec::new();
    for (number, (start, end)) in runs.iter().enumerate().filter(|(_, (s, e))| e - s < 3) {
        let (before, theirs_before) = match number.checked_sub(1).map(|last| runs[last].1) {
            Some(end) => (end, place(pairs, end - 1) + 1),
            None => (0, 0),
        };
        let (after, theirs_after) = match runs.get(number + 1) {
            Some((next, _)) => (*next, place(pairs, *next)),
            None => (pairs.len(), theirs),
        };
        let left = (start - before) + place(pairs, *start).saturating_sub(theirs_before);
        let right = (after - end) + theirs_after.saturating_sub(place(pairs, end - 1) + 1);
        let small = left.min(right);
        if left > 8 && right > 8 || left + right > 60 && small > 3 {
            apart.push((*start, *end));
        }
    }
    for (start, end) in apart {
        pairs[start..end].fill(None);
    }
}
