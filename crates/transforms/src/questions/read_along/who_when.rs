//! Who and when: which of four people is named first, second, third or last, and which two are named together.

use storymill_core::{QuestionType, Stream};

use super::{
    layout::{Four, Meeting},
    people::{Named, Pair, People},
    pool::Pool,
    posed::{Offered, Posed},
    told_order::PLACES,
};

/// The questions that are asked after a scene: for one place, and for a pair.
pub(super) const PARTS: [&str; 2] = ["", MET];
const MET: &str = "-met";

/// A question after scene `t`, as it was laid out.
pub(super) fn pose<'r>(
    pool: &'r Pool<'_>,
    t: usize,
    part: &str,
    draw: &mut Stream,
) -> Option<Posed<'r>> {
    let people = &pool.people;
    if part == MET { met(people, t, draw) } else { named(people, t, draw) }
}

/// Who is named first, second, third or last?
fn named<'r>(people: &People, t: usize, draw: &mut Stream) -> Option<Posed<'r>> {
    let Four { people: four, place, right } = people.layout.places.get(&t)?;
    let mut shuffled = four.clone();
    let own = shuffled.remove(*place);
    draw.shuffle(&mut shuffled);
    shuffled.insert(*right, own);
    let four: Vec<&Named> = shuffled.iter().map(|at| &people.all[*at]).collect();
    let needed = four.iter().map(|one| one.first).collect();
    let (ending, word) = PLACES[*place];
    let offered = |kind, one: &Named| Offered::text(kind, one.name.clone(), Some(one.first));
    Some(Posed {
        ending,
        task: format!("Of these people, who is the {word} to be named in what you have read?")
            .into(),
        given: Vec::new(),
        options: Offered::each(QuestionType::WhoWhen, *right, four, offered),
        right: *right,
        needed,
    })
}

/// Which two are named together?
fn met<'r>(people: &People, t: usize, draw: &mut Stream) -> Option<Posed<'r>> {
    let Meeting { wrong, met, right } = people.layout.meetings.get(&t)?;
    let mut pairs: Vec<&Pair> = wrong.iter().map(|at| &people.pairs[*at]).collect();
    let truth = &people.pairs[*met];
    pairs.insert(*right, truth);
    let mut names = |pair: &Pair| {
        let mut names = pair.of.map(|at| people.all[at].name.as_str());
        draw.shuffle(&mut names);
        names.join(" and ")
    };
    let pairs: Vec<String> = pairs.into_iter().map(&mut names).collect();
    let offered = |kind, text| Offered::text(kind, text, None);
    Some(Posed {
        ending: MET,
        task: "Which two of these are named together in a scene of what you have read? The two of \
               every other pair are never named near each other there."
            .into(),
        given: Vec::new(),
        options: Offered::each(QuestionType::WhoWhen, *right, pairs, offered),
        right: *right,
        // The last time is enough to be sure.
        needed: vec![truth.met_by(t)?],
    })
}
