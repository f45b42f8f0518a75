//! Told order: true retellings of four scenes that lie far apart, all of them read. Which of them is told first, second,
//! third or last? In which order are they told?
//!
//! Each place is asked for equally often: so a scene is right in a quarter of the questions that it stands in, wherever in
//! the book it lies, and other questions do not give it away.

use storymill_core::{QuestionType, Stop, Stream};

use super::{
    drawn::{Told, draw_one, recent, too_alike},
    pool::Pool,
    posed::{Offered, Posed},
};

/// The questions that are asked after a scene: for one place, and for the whole order.
pub(super) const PARTS: [&str; 2] = ["", ALL];
const ALL: &str = "-all";

/// The places, as the kind of a question has them and in words.
pub(super) const PLACES: [(&str, &str); 4] =
    [("-first", "first"), ("-second", "second"), ("-third", "third"), ("-last", "last")];

/// How many orders stand to choose from.
const ORDERS: usize = 6;

/// A question after scene `t`; none where no four scenes lie `apart`.
pub(super) fn pose<'r>(
    pool: &'r Pool<'_>,
    t: usize,
    (apart, part): (usize, &str),
    draw: &mut Stream,
) -> Result<Option<Posed<'r>>, Stop> {
    let Some(four) = four(pool, t, apart, draw)? else { return Ok(None) };
    let needed = four.iter().map(|told| told.scene).collect();
    Ok(Some(if part == ALL { whole(four, needed, draw) } else { one_place(four, needed, draw) }))
}

/// Which is told first, second, third or last?
fn one_place<'r>(mut four: Vec<Told<'r>>, needed: Vec<usize>, draw: &mut Stream) -> Posed<'r> {
    let place = draw.index(PLACES.len()).expect("there are four");
    let scene = needed[place];
    draw.shuffle(&mut four);
    let right = four.iter().position(|told| told.scene == scene).expect("it is one of them");
    let (ending, word) = PLACES[place];
    Posed {
        ending,
        task: format!(
            "All of these happen in what you have read. Which of them is told {word} there?"
        )
        .into(),
        given: Vec::new(),
        options: Offered::each(QuestionType::ToldOrder, right, four, Offered::told),
        right,
        needed,
    }
}

/// In which order are they told? The orders to choose from are drawn before it is drawn which of them is right, and the
/// retellings get their letters last: so the orders alone tell nothing.
fn whole<'r>(four: Vec<Told<'r>>, needed: Vec<usize>, draw: &mut Stream) -> Posed<'r> {
    let mut centre = [0, 1, 2, 3];
    draw.shuffle(&mut centre);
    let mut orders = near(centre);
    draw.shuffle(&mut orders);
    orders.truncate(ORDERS);
    let right = draw.index(ORDERS).expect("there are some");
    let mut given = four.clone();
    for (told, letter) in four.into_iter().zip(orders[right]) {
        given[letter] = told;
    }
    let letters = |order: [usize; 4]| order.map(|letter| ["A", "B", "C", "D"][letter]).join(", ");
    let offered = |kind, order| Offered::text(kind, letters(order), None);
    Posed {
        ending: ALL,
        task:
            "Four accounts of scenes stand below, and all of them happen in what you have read. In \
               which order are they told there, the first one first?"
                .into(),
        given,
        options: Offered::each(QuestionType::ToldOrder, right, orders, offered),
        right,
        needed,
    }
}

/// An order, and all that come of it by swapping neighbours once or twice: nine.
fn near(centre: [usize; 4]) -> Vec<[usize; 4]> {
    let mut all = vec![centre];
    for from in 0..4 {
        // The first three that come are those of one swap.
        for at in 0..3 {
            let Some(order) = all.get(from) else { continue };
            let mut order = *order;
            order.swap(at, at + 1);
            if !all.contains(&order) {
                all.push(order);
            }
        }
    }
    all
}

/// Retellings of four scenes in the order of the text. The first of them is drawn first, more often near than far back.
fn four<'r>(
    pool: &'r Pool<'_>,
    t: usize,
    apart: usize,
    draw: &mut Stream,
) -> Result<Option<Vec<Told<'r>>>, Stop> {
    let read = pool.truths[..=t].iter().flatten();
    let all: Vec<usize> = read.clone().map(|truth| truth.told.scene).collect();
    if spread(&all, apart).len() < PLACES.len() {
        return Ok(None);
    }
    let far: Vec<usize> =
        read.filter(|truth| truth.is_far(t)).map(|truth| truth.told.scene).collect();
    let starts: Vec<&[usize]> = (0..far.len())
        .map(|at| &far[at..])
        .filter(|rest| spread(rest, apart).len() == PLACES.len())
        .collect();
    let from = draw_one(&recent(starts.into_iter().rev()), draw).ok_or_else(too_alike)?;
    let mut scenes = Vec::new();
    for _ in 0..TRIES {
        let mut rest = from[1..].to_vec();
        draw.shuffle(&mut rest);
        rest.insert(0, from[0]);
        scenes = spread(&rest, apart);
        if scenes.len() == PLACES.len() {
            break;
        }
    }
    if scenes.len() < PLACES.len() {
        scenes = spread(from, apart);
    }
    scenes.sort_unstable();
    Ok(Some(scenes.into_iter().filter_map(|scene| pool.told(scene)).collect()))
}

/// How often four scenes are drawn before the next ones are taken.
const TRIES: usize = 20;

/// Up to four of some scenes, each taken where more than `apart` scenes part it from all before it.
pub(super) fn spread(scenes: &[usize], apart: usize) -> Vec<usize> {
    let mut taken: Vec<usize> = Vec::with_capacity(PLACES.len());
    for scene in scenes {
        if taken.len() < PLACES.len() && taken.iter().all(|one| one.abs_diff(*scene) > apart) {
            taken.push(*scene);
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_orders_are_nine() {
        let all = near([2, 0, 3, 1]);
        assert_eq!(all.len(), 9);
        assert_eq!(all[..4], [[2, 0, 3, 1], [0, 2, 3, 1], [2, 3, 0, 1], [2, 0, 1, 3]]);
        for order in &all {
            let mut sorted = *order;
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2, 3]);
        }
    }
}
