//! Who is asked about after which scene, laid out for a whole book at once: a book has few people, so what is asked of them
//! at one moment would tell of other moments.
//!
//! Who is named often is right no more often than others: in turn the right one is named most, second, third and least of
//! four. People stand in about as many questions each, so that nobody is wrong more often than others; a pair stands in
//! one question, since it would be wrong in all of them or right in all.

use std::collections::BTreeMap;

use storymill_core::Stream;

use super::people::{Named, Pair, People};

/// What is asked of people, by the last scene that was read.
#[derive(Default)]
pub(super) struct Layout {
    pub(super) places: BTreeMap<usize, Four>,
    pub(super) meetings: BTreeMap<usize, Meeting>,
}

/// Four people, in the order in which they are first named, and for whose place it is asked.
pub(super) struct Four {
    pub(super) people: Vec<usize>,
    pub(super) place: usize,
    /// Where the right one stands among the options.
    pub(super) right: usize,
}

/// Pairs, by their numbers.
pub(super) struct Meeting {
    /// Three whose names never stood near each other.
    pub(super) wrong: Vec<usize>,
    /// Two who were named together.
    pub(super) met: usize,
    /// Where they stand among the options.
    pub(super) right: usize,
}

/// How many options there are.
const SHOWN: usize = 4;
/// Each is asked after every so many scenes, one between two of the other.
const EVERY: usize = 4;
/// How often options are drawn, to find some that fit.
const TRIES: usize = 60;

impl Layout {
    /// What is asked while a book of so many scenes is read, where more than `apart` scenes part those who are held
    /// against each other.
    pub(super) fn of(people: &People, scenes: usize, apart: usize, draw: &mut Stream) -> Self {
        let mut layout = Self::default();
        let mut stood = vec![0; people.all.len()];
        let (mut turns, mut rights): (Vec<(usize, usize)>, Vec<usize>) = (Vec::new(), Vec::new());
        for t in (EVERY / 2 - 1..scenes).step_by(EVERY) {
            refill(&mut turns, all_turns(), draw);
            let found = four(people, t, apart, (&turns, &stood), draw);
            if let Some((turn, people)) = found {
                for at in &people {
                    stood[*at] += 1;
                }
                let (place, _) = turns.remove(turn);
                let right = next_place(&mut rights, draw);
                layout.places.insert(t, Four { people, place, right });
            }
        }
        let mut open: Vec<usize> = (0..people.pairs.len()).collect();
        let mut turns: Vec<(usize, usize)> = Vec::new();
        for t in (EVERY - 1..scenes).step_by(EVERY) {
            refill(&mut turns, all_turns(), draw);
            if let Some((turn, (wrong, met))) = meeting(people, t, (&turns, &open), draw) {
                open.retain(|at| *at != met && !wrong.contains(at));
                turns.remove(turn);
                let right = next_place(&mut rights, draw);
                layout.meetings.insert(t, Meeting { wrong, met, right });
            }
        }
        layout
    }
}

/// Four by four.
fn all_turns() -> impl Iterator<Item = (usize, usize)> {
    (0..SHOWN).flat_map(|one| (0..SHOWN).map(move |other| (one, other)))
}

/// Puts all turns on the list where every one was taken.
fn refill<T>(turns: &mut Vec<T>, all: impl Iterator<Item = T>, draw: &mut Stream) {
    if turns.is_empty() {
        turns.extend(all);
        draw.shuffle(turns);
    }
}

/// The place of the next right option: each equally often.
fn next_place(rights: &mut Vec<usize>, draw: &mut Stream) -> usize {
    refill(rights, 0..SHOWN, draw);
    rights.pop().expect("it was filled")
}

/// Four people who are first named far apart, for the first turn that some fit: whose place is asked for, and how many of
/// the others are named more often. Of all that are drawn those who stood in the fewest questions.
fn four(
    people: &People,
    t: usize,
    apart: usize,
    (turns, stood): (&[(usize, usize)], &[u32]),
    draw: &mut Stream,
) -> Option<(usize, Vec<usize>)> {
    let all = &people.all;
    let mut known: Vec<usize> = (0..all.len()).filter(|at| all[*at].is_known(t)).collect();
    let times: Vec<u32> = all.iter().map(|one| one.times(t)).collect();
    let mut best: Vec<Option<(u32, Vec<usize>)>> = turns.iter().map(|_| None).collect();
    for _ in 0..TRIES {
        draw.shuffle(&mut known);
        let mut four: Vec<usize> = Vec::with_capacity(SHOWN);
        let far = |one: &Named, at: &usize| all[*at].first.abs_diff(one.first) > apart;
        for at in &known {
            if four.len() < SHOWN && four.iter().all(|other| far(&all[*at], other)) {
                four.push(*at);
            }
        }
        if four.len() < SHOWN {
            continue;
        }
        four.sort_by_key(|at| all[*at].first);
        let cost = four.iter().map(|at| stood[*at] * stood[*at]).sum();
        for ((place, rank), best) in turns.iter().zip(&mut best) {
            let own = times[four[*place]];
            let above = four.iter().filter(|at| times[**at] > own).count();
            let equal = four.iter().filter(|at| times[**at] == own).count() > 1;
            if above == *rank && !equal && best.as_ref().is_none_or(|(least, _)| cost < *least) {
                *best = Some((cost, four.clone()));
            }
        }
    }
    best.into_iter().enumerate().find_map(|(turn, best)| Some((turn, best?.1)))
}

/// Three wrong pairs and a right one that stood in no question so far, for the first turn that some fit: how many of the
/// wrong ones are named more often, and how many have longer names.
fn meeting(
    people: &People,
    t: usize,
    (turns, open): (&[(usize, usize)], &[usize]),
    draw: &mut Stream,
) -> Option<(usize, (Vec<usize>, usize))> {
    let known = |pair: &Pair| pair.of.iter().all(|who| people.all[*who].is_known(t));
    let known: Vec<usize> = open.iter().copied().filter(|at| known(&people.pairs[*at])).collect();
    let (mut apart, mut met) = (Vec::new(), Vec::new());
    for at in known {
        let pair = &people.pairs[at];
        if pair.near > t {
            apart.push(at);
        } else if pair.met_by(t).is_some() {
            met.push(at);
        }
    }
    if apart.len() < SHOWN - 1 {
        return None;
    }
    let each: Vec<u32> = people.all.iter().map(|one| one.times(t)).collect();
    let times = |at: &usize| -> u32 { people.pairs[*at].of.iter().map(|who| each[*who]).sum() };
    let length = |at: &usize| -> usize {
        people.pairs[*at].of.iter().map(|who| people.all[*who].name.len()).sum()
    };
    for _ in 0..TRIES {
        draw.shuffle(&mut apart);
        let wrong = &apart[..SHOWN - 1];
        let ranks = |right: &usize| {
            let above = wrong.iter().filter(|at| times(at) > times(right)).count();
            let longer = wrong.iter().filter(|at| length(at) > length(right)).count();
            let differ = |at: &usize| times(at) != times(right) && length(at) != length(right);
            wrong.iter().all(differ).then_some((above, longer))
        };
        draw.shuffle(&mut met);
        let fitting = met.iter().find_map(|right| {
            let ranks = ranks(right)?;
            Some((turns.iter().position(|turn| *turn == ranks)?, *right))
        });
        if let Some((turn, right)) = fitting {
            return Some((turn, (wrong.to_vec(), right)));
        }
    }
    None
}
