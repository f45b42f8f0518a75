//! False retellings by rule that have the words of the true one: they tell its events in another order.
//!
//! Every order of the sentences is as good as any other to whoever sees only the orders, so nothing but the scene tells the
//! true one.

use storymill_core::{Cx, Distortion, Edit, Scene, Stop, Stream, Summary};
use storymill_text::{Language, sentence::sentences};

use crate::retelling::checks::similarity_pm;

/// So many false retellings of a true one, no two the same.
pub(super) fn all(
    of: &Summary,
    scenes: &[Scene],
    wanted: u32,
    cx: &Cx<'_>,
) -> Result<Vec<Distortion>, Stop> {
    let covered =
        scenes.iter().filter(|scene| (of.first_scene..=of.last_scene).contains(&scene.scene));
    let text: String = covered.map(|scene| &scene.text[..]).collect();
    let mut events = events(&of.text, &text);
    let id = of.id();
    let mut draw = cx.stream(&id, "orders");
    // Told whole, the true one would be the summary, which other questions show too.
    if events.len() > 3 {
        events.remove(draw.index(events.len()).expect("there are four"));
    }
    let orders = orders(events.len(), wanted as usize, &mut draw);
    if orders.len() < wanted as usize {
        let why = format!("{} events have too few orders for {wanted} variants", events.len());
        return Err(Stop::left_out("few-events", why));
    }
    let told = |order: &[usize]| -> String {
        order.iter().map(|at| &events[*at][..]).collect::<Vec<_>>().join(" ")
    };
    let true_order: Vec<usize> = (0..events.len()).collect();
    let twin = told(&true_order);
    let made = orders.iter().zip(0..).map(|(order, sample)| {
        let text = told(order);
        // Neighbours of which the second came first.
        let turned = order.windows(2).filter(|two| two[0] > two[1]);
        let edits =
            turned.map(|two| Edit { true_event: told(&[two[1], two[0]]), false_event: told(two) });
        Distortion {
            book: of.book.clone(),
            summary: id.clone(),
            level: of.level,
            first_scene: of.first_scene,
            last_scene: of.last_scene,
            sample,
            protocol: "orders".into(),
            similarity_pm: similarity_pm(&twin, &text),
            text,
            twin: twin.clone(),
            edits: edits.collect(),
            answers: Vec::new(),
        }
    });
    Ok(made.collect())
}

/// The sentences of a retelling; those that the text has side by side are one event, for where one ends the other would be
/// looked for.
fn events(retelling: &str, text: &str) -> Vec<String> {
    let words =
        |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
    let text = format!(" {} ", words(text).join(" "));
    let mut events: Vec<String> = Vec::new();
    for sentence in sentences(retelling, Language::English) {
        let (sentence, next) = (sentence.trim(), words(sentence));
        let Some(first) = next.first() else { continue };
        let known = events.iter().any(|event| event == sentence);
        match events.last_mut() {
            Some(before) if text.contains(&format!(" {} {first} ", last_words(before))) => {
                before.push(' ');
                before.push_str(sentence);
            }
            // What is told twice has no order of its own.
            _ if known => {}
            _ => events.push(sentence.to_owned()),
        }
    }
    events
}

/// The last three words of a text.
fn last_words(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    words[words.len().saturating_sub(3)..].join(" ")
}

/// So many orders other than the first, or as many as there are.
fn orders(events: usize, wanted: usize, draw: &mut Stream) -> Vec<Vec<usize>> {
    let first: Vec<usize> = (0..events).collect();
    let there_are = (1..=events.min(12)).product::<usize>() - 1;
    let mut found: Vec<Vec<usize>> = Vec::new();
    while found.len() < wanted.min(there_are) {
        let mut order = first.clone();
        draw.shuffle(&mut order);
        if order != first && !found.contains(&order) {
            found.push(order);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use storymill_core::{Seed, UnitId};

    use super::*;

    #[test]
    fn sentences_side_by_side_are_one_event() {
        let text = "Anne left the mill. Ben saw her\ngo. It rained on the road for days. Carl sold the horse.";
        let told = "Anne left the mill. Ben saw her go. Carl sold the horse.";
        assert_eq!(
            events(told, text),
            ["Anne left the mill. Ben saw her go.", "Carl sold the horse."]
        );
    }

    proptest! {
        /// Orders are all different, none is the true one, and there are as many as there can be.
        #[test]
        fn orders_differ(events in 1..7_usize, wanted in 1..9_usize, seed: u64) {
            let unit: UnitId = "t".parse().unwrap();
            let mut draw = Seed::new(seed).derive("t", &unit, "i", "orders");
            let found = orders(events, wanted, &mut draw);
            let different: BTreeSet<_> = found.iter().collect();
            prop_assert_eq!(different.len(), found.len());
            prop_assert_eq!(found.len(), wanted.min((1..=events).product::<usize>() - 1));
            for order in &found {
                let places: BTreeSet<_> = order.iter().copied().collect();
                prop_assert!(!order.is_sorted() && places == (0..events).collect());
            }
        }
    }
}
