//! Votes and answers outlive the claims that they are about: which of them still say something of a set.
//!
//! A pair goes, is written anew, comes back. What was said of it is kept, and counts as long as the set has the
//! claim in the words that it was said of.

use std::collections::{BTreeMap, BTreeSet};

use storymill_core::{Decision, Digest, few, plural};

use crate::{
    deciding::votes::{SCOPE, VERDICT},
    pair::Pair,
    set::Set,
};

/// The digest of a claim's words.
pub fn words_of(claim: &str) -> Digest {
    Digest::of_parts("storymill 2026 words of a claim v1", [claim.as_bytes()])
}

/// Why something that was said of a claim does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    /// The set has no such pair, or no longer.
    Gone,
    /// The pair is still in the set, and it was said why it goes.
    Retired,
    /// The claim has other words by now.
    Reworded,
}

/// Says which decisions on claims find no item any more, and why. Of disputes and proposals that nobody makes any more nothing is
/// said: they are settled.
pub fn idle<'d>(
    lines: impl Iterator<Item = &'d Decision>,
    set: &Set,
    retired: &BTreeSet<String>,
) -> Vec<String> {
    let mut aside: BTreeMap<&str, Aside> = BTreeMap::new();
    for line in lines.filter(|line| line.code != SCOPE && !line.code.contains("proposed")) {
        let of = |pair: &&Pair| {
            let rest = line.item.strip_prefix(pair.id.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let pair = set.pairs.iter().find(of).map(|pair| pair.id.as_str());
        let standing = match pair {
            None => Standing::Gone,
            Some(pair) if retired.contains(pair) => Standing::Retired,
            Some(_) if line.code.contains("disputed") => continue,
            Some(_) => Standing::Reworded,
        };
        let claim = line.item.find("/true").or_else(|| line.item.find("/false"));
        let named = pair.unwrap_or(&line.item[..claim.unwrap_or(line.item.len())]);
        let what = if line.code == VERDICT { "vote" } else { "decision" };
        aside.entry(what).or_default().add(standing, named);
    }
    aside.iter().flat_map(|(what, aside)| aside.told(what)).collect()
}

/// So many pairs are named in a message.
const NAMED: usize = 10;

/// What is kept and does not count: how many of each pair.
#[derive(Debug, Default)]
struct Aside(BTreeMap<Standing, BTreeMap<String, usize>>);

impl Aside {
    /// Notes something that was said of a pair.
    fn add(&mut self, standing: Standing, pair: &str) {
        *self.0.entry(standing).or_default().entry(pair.to_owned()).or_default() += 1;
    }

    /// A sentence for each way in which something does not count. `what` is one of them: `vote`.
    fn told(&self, what: &str) -> Vec<String> {
        let mut said = Vec::new();
        for (standing, pairs) in &self.0 {
            let count: usize = pairs.values().sum();
            let (are, do_not) = if count == 1 { ("is", "does") } else { ("are", "do") };
            let which = match (standing, pairs.len()) {
                (Standing::Gone, _) => "that the set does not have",
                (Standing::Retired, 1) => "that is retired",
                (Standing::Retired, _) => "that are retired",
                (Standing::Reworded, 1) => "that was written anew since",
                (Standing::Reworded, _) => "that were written anew since",
            };
            let (some, on) = (plural(count as u64, what), plural(pairs.len() as u64, "pair"));
            let names = few(pairs.keys(), NAMED);
            said.push(format!("{some} on {on} {which} {are} kept and {do_not} not count: {names}"));
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_by_number_and_pair() {
        let mut aside = Aside::default();
        for at in 0..12 {
            aside.add(Standing::Reworded, &format!("a/{at:02}"));
        }
        aside.add(Standing::Retired, "b/1");
        let told = aside.told("answer");
        assert_eq!(told[0], "1 answer on 1 pair that is retired is kept and does not count: b/1");
        assert!(
            told[1].starts_with("12 answers on 12 pairs that were written anew since are kept")
        );
        assert!(told[1].ends_with("a/09 and 2 more"), "{}", told[1]);
    }
}
