//! Other books: the wrong options are true retellings of scenes of other books, told in this book's
//! names.
//!
//! Whoever knows the names that were read so far learns nothing from them: a retelling is used only
//! once everybody in it was named. Which book stands at which place is ruled over all books
//! (`partners`); here only places are drawn, so that one more book changes what it stands for and no
//! other question.

use std::collections::BTreeMap;

use storymill_core::{BookId, Cast, Digest, Near, Partners, Scene, Stop, Stream, Summary, UnitId};
use storymill_names::{CastFile, Exchange, Pair, Substitutes, Sure};

use super::{
    drawn::{Drawn, SHOWN, Told, some_is_right, too_alike},
    near::Nearness,
    pool::Pool,
};

/// The retellings of other books, by place.
#[derive(Default)]
pub(super) struct Others {
    books: Vec<Vec<Foreign>>,
    /// Which of the books stands at each place.
    places: Vec<usize>,
}

/// A retelling of another book's scene in this book's names.
struct Foreign {
    book: BookId,
    scene: usize,
    from: String,
    text: String,
    /// The scene with which everybody in it has been named.
    known: usize,
    /// The first scene whose retelling it comes too near to.
    near: Option<usize>,
}

impl Foreign {
    fn is_usable(&self, t: usize) -> bool {
        self.known <= t && self.near.is_none_or(|near| near > t)
    }
}

impl Others {
    /// The retellings of a book's partners in its names. `nearness` is none where rules do not look at it; then
    /// neither does it matter who was named when.
    pub(super) fn new(
        partners: &Partners,
        cast: &Cast,
        scenes: &[Scene],
        (summaries, casts): (&Near<Summary>, &Near<Cast>),
        nearness: Option<&Nearness<'_>>,
    ) -> Result<Self, Stop> {
        let own = CastFile::parse(&cast.toml)?;
        let known = if nearness.is_some() { first_named(&own, scenes)? } else { BTreeMap::new() };
        let mut others = Self::default();
        let mut at: BTreeMap<&UnitId, usize> = BTreeMap::new();
        for unit in &partners.places {
            if let Some(at) = at.get(unit) {
                others.places.push(*at);
                continue;
            }
            let (Some(summaries), Some(cast)) =
                (summaries.of(unit), casts.of(unit).and_then(|rows| rows.first()))
            else {
                continue;
            };
            let exchange = Exchange::between(&CastFile::parse(&cast.toml)?, &own)?;
            let tell = |summary: &Summary| {
                let told = exchange.tell(&summary.text)?;
                let named = |name: &String| match nearness {
                    Some(_) => known.get(name).copied(),
                    None => Some(0),
                };
                let named: Option<Vec<usize>> = told.names.iter().map(named).collect();
                Some(Foreign {
                    book: summary.book.clone(),
                    scene: summary.at as usize,
                    from: summary.id(),
                    known: named?.into_iter().max().unwrap_or(0),
                    near: nearness.and_then(|nearness| nearness.first(&told.text, None)),
                    text: told.text,
                })
            };
            let told = summaries.iter().filter(|summary| summary.level == 0).filter_map(tell);
            at.insert(unit, others.books.len());
            others.places.push(others.books.len());
            others.books.push(told.collect());
        }
        Ok(others)
    }

    /// Draws a question after scene `t` with retellings of different books as its decoys; of the same book only
    /// where there are too few.
    pub(super) fn draw<'r>(
        &'r self,
        pool: &'r Pool<'_>,
        t: usize,
        draw: &mut Stream,
    ) -> Result<Option<Drawn<'r>>, Stop> {
        let read: Vec<_> = pool.truths[..=t].iter().flatten().collect();
        if read.is_empty() {
            return Ok(None);
        }
        if self.places.is_empty() {
            return Err(Stop::left_out(
                "no-other-book",
                "no other book shares its split and none of its authors",
            ));
        }
        // As many draws as there are places, whatever stands there.
        let mut order: Vec<(usize, u32)> =
            (0..self.places.len()).map(|place| (place, draw.below(u32::MAX))).collect();
        draw.shuffle(&mut order);
        let truth = draw.choose(&read).expect("a retelling was read").told;
        let some = some_is_right(draw);
        let decoys = self.decoys(&order, t, truth.text);
        if decoys.len() < SHOWN {
            return Err(if self.books.iter().flatten().any(|one| one.known <= t) {
                too_alike()
            } else {
                Stop::left_out(
                    "few-names",
                    "too few names were read to tell scenes of other books in",
                )
            });
        }
        let wanted = if some { SHOWN - 1 } else { SHOWN };
        let decoys = decoys.into_iter().take(wanted).collect();
        Ok(Some(Drawn { truth: some.then_some(truth), decoys }))
    }

    /// Five texts from the places in this order, one from each book; then, if these are too few, more.
    fn decoys(&self, order: &[(usize, u32)], t: usize, truth: &str) -> Vec<Told<'_>> {
        let mut decoys: Vec<(usize, Told<'_>)> = Vec::with_capacity(SHOWN);
        // Once around with each book once; then as often as something is left.
        for round in 0..=SHOWN {
            for (place, draw) in order {
                let book = self.places[*place];
                if decoys.len() == SHOWN || (round == 0 && decoys.iter().any(|(of, _)| *of == book))
                {
                    continue;
                }
                let fresh = |one: &&Foreign| {
                    one.is_usable(t)
                        && one.text != truth
                        && decoys.iter().all(|(_, told)| told.text != one.text)
                };
                let best = self.books[book].iter().filter(fresh).min_by_key(|one| rank(one, *draw));
                decoys.extend(best.map(|one| (book, one.told())));
            }
        }
        decoys.into_iter().map(|(_, told)| told).collect()
    }
}

impl Foreign {
    fn told(&self) -> Told<'_> {
        Told { book: &self.book, scene: self.scene, text: &self.text, from: &self.from }
    }
}

/// What comes first among a book's retellings for a draw: by hash, so that one more or less changes
/// the choice of its own alone.
fn rank(one: &Foreign, draw: u32) -> [u8; 32] {
    let parts = [&draw.to_le_bytes()[..], one.from.as_bytes()];
    *Digest::of_parts("storymill 2026 other book v1", parts).as_bytes()
}

/// The scene that names each part of the cast's names first.
fn first_named(cast: &CastFile, scenes: &[Scene]) -> Result<BTreeMap<String, usize>, Stop> {
    let people = cast.characters.iter().flat_map(|one| one.given.iter().chain(&one.family));
    let parts = people.chain(cast.places.iter().flat_map(|place| &place.parts));
    let mut parts: Vec<&String> = parts.collect();
    parts.sort_unstable();
    parts.dedup();
    let itself = |part: &&String| Pair {
        part: (*part).clone(),
        substitute: (*part).clone(),
        careful: false,
        role: String::new(),
        written: Vec::new(),
    };
    let search = Substitutes::of(parts.iter().map(itself).collect())?;
    let mut first = BTreeMap::new();
    for (at, scene) in scenes.iter().enumerate() {
        for edit in search.apply(&scene.text, Sure::Beside).edits {
            first.entry(parts[edit.pair].clone()).or_insert(at);
        }
    }
    Ok(first)
}
