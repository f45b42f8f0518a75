//! Other books: the wrong options are true retellings of scenes of other books, told in this book's
//! names.
//!
//! Whoever knows the names that were read so far learns nothing from them: a retelling is used only
//! once everybody in it was named. Nor does its look tell: see [`look`]. Which book stands at which
//! place is ruled over all books (`partners`); here only places are drawn, so that one more book
//! changes what it stands for and no other question.

mod look;

use std::collections::BTreeMap;

use storymill_core::{
    BookId, Cast, Digest, Near, NewName, Partners, Scene, Stop, Stream, Summary, UnitId,
};
use storymill_names::{CastFile, Exchange, Ground};

use self::look::{Look, Side, Style, draw_share, draw_side};
use super::{
    drawn::{Drawn, SHOWN, Told, some_is_right, too_alike},
    near::Nearness,
    pool::Pool,
    spares::Shown,
};

/// The retellings of other books, by place.
#[derive(Default)]
pub(super) struct Others {
    books: Vec<Vec<Foreign>>,
    /// Which of the books stands at each place.
    places: Vec<usize>,
    /// This book's own retellings by scene, in the style that all options have; none where rules leave them alone.
    own: BTreeMap<usize, (String, Look)>,
}

/// A retelling of another book's scene in this book's names.
struct Foreign {
    book: BookId,
    scene: usize,
    from: String,
    text: String,
    names: Vec<NewName>,
    /// The scene with which everybody in it has been named.
    known: usize,
    /// The first scene whose retelling it comes too near to.
    near: Option<usize>,
    look: Option<Look>,
}

impl Foreign {
    fn is_usable(&self, t: usize) -> bool {
        self.known <= t && self.near.is_none_or(|near| near > t)
    }

    fn told(&self) -> Told<'_> {
        Told {
            book: &self.book,
            scene: self.scene,
            text: &self.text,
            from: &self.from,
            names: &self.names,
        }
    }
}

/// A place where a partner stands, with what is drawn for it whoever that is.
struct Place {
    book: usize,
    draw: u32,
    side: Side,
}

impl Others {
    /// The retellings of a book's partners in its names. `nearness` is none where rules do not look at it; then
    /// neither does it matter who was named when, nor how texts look.
    pub(super) fn new(
        partners: &Partners,
        cast: &Cast,
        (scenes, own): (&[Scene], &[Summary]),
        (summaries, casts): (&Near<Summary>, &Near<Cast>),
        nearness: Option<&Nearness<'_>>,
    ) -> Result<Self, Stop> {
        let ground =
            Ground::new(&CastFile::parse(&cast.toml)?, scenes.iter().map(|scene| &scene.text[..]));
        let own: Vec<&Summary> = own.iter().filter(|summary| summary.level == 0).collect();
        let styled = nearness.map(|_| Style::of(scenes, &own));
        let mut others = Self::default();
        if let Some((style, texts)) = &styled {
            let looks = own.iter().zip(texts).map(|(summary, text)| {
                (summary.at as usize, (text.clone(), style.look(text, true)))
            });
            others.own = looks.collect();
        }
        let style = styled.as_ref().map(|(style, _)| style);
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
            let summaries = || summaries.iter().filter(|summary| summary.level == 0);
            let texts = summaries().map(|summary| &summary.text[..]);
            let exchange = Exchange::new(&CastFile::parse(&cast.toml)?, &ground, texts);
            let tell = |summary| foreign(summary, &exchange, nearness, style);
            at.insert(unit, others.books.len());
            others.places.push(others.books.len());
            others.books.push(summaries().filter_map(tell).collect());
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
        let share = draw_share(draw);
        let places = self.places.iter().map(|book| {
            let side = draw_side(share, draw);
            Place { book: *book, draw: draw.below(u32::MAX), side }
        });
        let mut order: Vec<Place> = places.collect();
        draw.shuffle(&mut order);
        let truth = draw.choose(&read).expect("a retelling was read").told;
        // Where none is right, decoys look like one that would have been.
        let (truth, look) = match self.own.get(&truth.scene) {
            Some((text, look)) => (Told { text, ..truth }, Some(look)),
            None => (truth, None),
        };
        let some = some_is_right(draw);
        let decoys = self.decoys(&order, t, (look, SHOWN), &[truth.text]);
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

    /// Draws more decoys for a question after scene `t`; `truth` is the scene whose retelling is its right option, if one is.
    pub(super) fn spares<'r>(
        &'r self,
        pool: &'r Pool<'_>,
        (t, truth): (usize, Option<usize>),
        (count, shown): (usize, &Shown<'_>),
        draw: &mut Stream,
    ) -> Vec<Told<'r>> {
        let share = draw_share(draw);
        let places = self.places.iter().map(|book| {
            let side = draw_side(share, draw);
            Place { book: *book, draw: draw.below(u32::MAX), side }
        });
        let mut order: Vec<Place> = places.collect();
        draw.shuffle(&mut order);
        // Books that the question has no option of come first.
        order.sort_by_key(|place| {
            self.books[place.book].first().is_some_and(|one| shown.books.contains(&&one.book))
        });
        let read: Vec<_> = pool.truths[..=t].iter().flatten().collect();
        let drawn = draw.choose(&read).map(|truth| truth.told.scene);
        let look = truth.or(drawn).and_then(|scene| self.own.get(&scene)).map(|(_, look)| look);
        self.decoys(&order, t, (look, count), &shown.texts)
    }

    /// So many texts from the places in this order, one from each book; then, if these are too few, more. None that is `shown`.
    fn decoys(
        &self,
        order: &[Place],
        t: usize,
        (look, wanted): (Option<&Look>, usize),
        shown: &[&str],
    ) -> Vec<Told<'_>> {
        let mut decoys: Vec<(usize, Told<'_>)> = Vec::with_capacity(wanted);
        // Once around with each book once; then as often as something is left.
        for round in 0..=wanted {
            for place in order {
                let book = place.book;
                if decoys.len() == wanted
                    || (round == 0 && decoys.iter().any(|(of, _)| *of == book))
                {
                    continue;
                }
                let fresh = |one: &&Foreign| {
                    one.is_usable(t)
                        && !shown.contains(&&*one.text)
                        && decoys.iter().all(|(_, told)| told.text != one.text)
                };
                let fresh = self.books[book].iter().filter(fresh);
                let alike = alike(fresh.collect(), look, place.side);
                let best = alike.into_iter().min_by_key(|one| rank(one, place.draw));
                decoys.extend(best.map(|one| (book, one.told())));
            }
        }
        decoys.into_iter().map(|(_, told)| told).collect()
    }
}

/// A retelling of another book in this book's names; none if it cannot be told in them.
fn foreign(
    summary: &Summary,
    exchange: &Exchange<'_>,
    nearness: Option<&Nearness<'_>>,
    style: Option<&Style>,
) -> Option<Foreign> {
    let told = exchange.tell(&summary.text)?;
    let near = nearness.and_then(|nearness| nearness.first(&told.text, None));
    let text = style.map_or_else(|| told.text.clone(), |style| style.plain(&told.text));
    let names = told.names.into_iter().map(|(old, new)| NewName { old, new });
    Some(Foreign {
        book: summary.book.clone(),
        scene: summary.at as usize,
        from: summary.id(),
        names: names.collect(),
        known: nearness.map_or(0, |_| told.known),
        near,
        look: style.map(|style| style.look(&text, false)),
        text,
    })
}

/// How many decoys of a book that look most like the true text are drawn from.
const ALIKE: usize = 6;

/// The few that look most like what is true; all where nobody looks.
fn alike<'f>(mut from: Vec<&'f Foreign>, look: Option<&Look>, side: Side) -> Vec<&'f Foreign> {
    if let Some(look) = look {
        let unlike = |one: &&Foreign| one.look.map(|decoy| look.unlike(&decoy, side));
        from.sort_by_cached_key(|one| (unlike(one), one.scene));
        from.truncate(ALIKE);
    }
    from
}

/// What comes first among a book's retellings for a draw: by hash, so that one more or less changes
/// the choice of its own alone.
fn rank(one: &Foreign, draw: u32) -> [u8; 32] {
    let parts = [&draw.to_le_bytes()[..], one.from.as_bytes()];
    *Digest::of_parts("storymill 2026 other book v1", parts).as_bytes()
}
