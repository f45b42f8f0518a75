//! Claims that stand in the book word for word.

use std::collections::{BTreeMap, HashMap};

use storymill_text::word::{plain, words};

use super::{Code, Findings};
use crate::pair::{Half, Pair};

/// The longest run of words that each claim shares with its book: by pair and claim, the run and
/// the claim's words.
pub(super) type Runs = BTreeMap<(String, Half), (usize, usize)>;

/// How many words in a row are looked for first.
const SEED: usize = 5;

/// Finds the longest runs of the claims on one book.
pub(super) fn find(text: &str, pairs: &[&Pair], runs: &mut Runs) {
    let mut ids: HashMap<String, u32> = HashMap::new();
    let mut claims = Vec::new();
    let mut seeds: HashMap<[u32; SEED], Vec<(usize, usize)>> = HashMap::new();
    for pair in pairs {
        for half in Half::BOTH {
            let words = plain(pair.claim(half));
            let numbers: Vec<u32> = words
                .into_iter()
                .map(|word| {
                    let next = u32::try_from(ids.len()).expect("claims have fewer words");
                    *ids.entry(word).or_insert(next)
                })
                .collect();
            for (at, window) in numbers.windows(SEED).enumerate() {
                let seed = window.try_into().expect("a window of this length");
                seeds.entry(seed).or_default().push((claims.len(), at));
            }
            claims.push((pair.id.clone(), half, numbers));
        }
    }
    let strange = u32::MAX;
    let book: Vec<u32> =
        words(text).map(|word| ids.get(&word.plain()).copied().unwrap_or(strange)).collect();
    for (from, window) in book.windows(SEED).enumerate() {
        if window.contains(&strange) {
            continue;
        }
        let seed: &[u32; SEED] = window.try_into().expect("a window of this length");
        for (claim, at) in seeds.get(seed).into_iter().flatten() {
            let (id, half, numbers) = &claims[*claim];
            let same = numbers[*at..].iter().zip(&book[from..]).take_while(|(a, b)| a == b).count();
            let entry = runs.entry((id.clone(), *half)).or_insert((0, numbers.len()));
            entry.0 = entry.0.max(same);
        }
    }
}

/// Tells of runs that are too long.
pub(super) fn tell(findings: &mut Findings<'_>, runs: &Runs) {
    for half in Half::BOTH {
        let Some((run, of)) = runs.get(&(findings.pair.id.clone(), half)) else { continue };
        let reason = format!("{run} of its {of} words stand in the book in a row");
        if *run >= 12 || 10 * run >= 7 * of {
            findings.warn(Some(half), Code::Copied, reason);
        } else if *run >= 8 {
            findings.note(Some(half), Code::Copied, reason);
        }
    }
}
