//! A book as it is read, scene by scene: how long any stretch of scenes is, and how far back one
//! lies.

use std::ops::Range;

use storymill_core::{
    BookId, Choice, Demand, Encoding, Form, Given, Length, OptionKind, Question, ReadAlongQuestion,
    Recipe, Scene, Span, Stretch, Tokens,
};

/// The scenes of a book in order, with sums that make the length of any stretch of them cheap.
pub(crate) struct Reading<'s> {
    scenes: &'s [Scene],
    words: Sums,
    tokens: Vec<(Encoding, Sums)>,
}

/// Sums over scenes. A stretch may be less (or more) than its parts, where a border cuts something
/// in two: `seams` says what joining a scene to the one before adds.
struct Sums {
    upto: Vec<i64>,
    seams: Vec<i64>,
}

impl Sums {
    fn new(parts: impl Iterator<Item = (i64, i64)>) -> Self {
        let (mut upto, mut seams, mut sum) = (vec![0], Vec::new(), 0);
        for (count, seam) in parts {
            sum += count + seam;
            upto.push(sum);
            seams.push(seam);
        }
        Self { upto, seams }
    }

    fn of(&self, scenes: &Range<usize>) -> u32 {
        if scenes.is_empty() {
            return 0;
        }
        let sum = self.upto[scenes.end] - self.upto[scenes.start] - self.seams[scenes.start];
        u32::try_from(sum).expect("no stretch of a book has a negative length or 2^32 words")
    }
}

/// Where the answer to a question stands, how far back that is, and what is read before.
pub(crate) struct Placed {
    pub(crate) evidence: Vec<Span>,
    pub(crate) demands: Vec<Demand>,
    pub(crate) demand: Demand,
    pub(crate) context: Recipe,
}

/// What a question says; where it stands in the book follows from the scenes.
pub(crate) struct Said {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) question: String,
    /// Retellings that stand in it.
    pub(crate) given: Vec<Given>,
    pub(crate) options: Vec<Choice>,
    /// Which of the options is right, from 0.
    pub(crate) answer: u8,
}

impl<'s> Reading<'s> {
    /// The scenes of one book, all of them and in order.
    pub(crate) fn new(scenes: &'s [Scene]) -> Self {
        let cut = |at: usize| {
            // A word that a border cuts was counted on both sides.
            at > 0
                && scenes[at - 1].text.ends_with(|c: char| !c.is_whitespace())
                && scenes[at].text.starts_with(|c: char| !c.is_whitespace())
        };
        let words = (0..scenes.len()).map(|at| (i64::from(scenes[at].words), -i64::from(cut(at))));
        let encodings = scenes.first().map_or(&[][..], |scene| &scene.tokens);
        let tokens = (0..encodings.len()).map(|place| {
            let parts = scenes.iter().map(|scene| {
                let tokens = scene.tokens[place];
                (i64::from(tokens.count), i64::from(tokens.seam))
            });
            (encodings[place].encoding, Sums::new(parts))
        });
        Self { scenes, words: Sums::new(words), tokens: tokens.collect() }
    }

    /// How many scenes there are.
    pub(crate) fn scenes(&self) -> usize {
        self.scenes.len()
    }

    /// How long neighbouring scenes are together.
    pub(crate) fn length(&self, scenes: Range<usize>) -> Length {
        let tokens = self.tokens.iter();
        Length {
            scenes: u32::try_from(scenes.len()).unwrap_or(u32::MAX),
            words: self.words.of(&scenes),
            symbols: self.symbols(&scenes),
            tokens: tokens
                .map(|(encoding, sums)| Tokens { encoding: *encoding, count: sums.of(&scenes) })
                .collect(),
        }
    }

    /// How far back some scenes lie when all before `read` were read.
    pub(crate) fn demand(&self, evidence: &Range<usize>, read: usize) -> Demand {
        Demand {
            to_start: self.length(evidence.start..read),
            to_end_symbols: self.symbols(&(evidence.end..read)),
        }
    }

    /// A question after scene `t` whose answer needs these scenes, or all that was read.
    pub(crate) fn question(
        &self,
        t: usize,
        scenes: impl IntoIterator<Item = usize>,
        said: Said,
    ) -> ReadAlongQuestion {
        self.about(t, scenes.into_iter().map(|scene| Stretch::scene(number(scene))).collect(), said)
    }

    /// The same of stretches of scenes.
    pub(crate) fn about(&self, t: usize, mut about: Vec<Stretch>, said: Said) -> ReadAlongQuestion {
        about.sort_unstable_by_key(|about| about.first_scene);
        let place = self.place(&about, t + 1).expect("scenes that were read are among the scenes");
        ReadAlongQuestion(Question {
            id: said.id,
            of: self.scenes[t].book.clone(),
            kind: said.kind,
            task: said.question,
            form: Form::Options { given: said.given, options: said.options, right: said.answer },
            about,
            evidence: place.evidence,
            demands: place.demands,
            demand: place.demand,
            context: place.context,
            // Whoever knows the retellings says it.
            made_by: None,
        })
    }

    /// Where the answer to a question stands that is asked when all scenes before `read` were read; none if
    /// there are no such scenes.
    pub(crate) fn place(&self, about: &[Stretch], read: usize) -> Option<Placed> {
        let all = self.scenes.get(..read).filter(|all| !all.is_empty())?;
        let (mut evidence, mut demands) = (Vec::new(), Vec::new());
        for about in about {
            let scenes = about.first_scene as usize..about.last_scene as usize + 1;
            let [first, ..] = all.get(scenes.clone())? else { return None };
            evidence.push(Span { start: first.span.start, end: all[scenes.end - 1].span.end });
            demands.push(self.demand(&scenes, read));
        }
        let farthest = demands.iter().max_by_key(|demand| demand.to_start.symbols);
        Some(Placed {
            evidence,
            demand: farthest.cloned().unwrap_or_else(|| self.demand(&(0..read), read)),
            demands,
            context: Recipe::Read(self.length(0..read)),
        })
    }

    /// An option that tells of a scene, or of none. Where the scene is of this book and before
    /// `read`, it says how far back that is.
    pub(crate) fn choice(
        &self,
        kind: OptionKind,
        text: &str,
        from: &str,
        of: Option<(&BookId, usize)>,
        read: usize,
    ) -> Choice {
        let own = |(book, scene): &(&BookId, usize)| {
            *scene < read && self.scenes.first().is_some_and(|first| first.book == **book)
        };
        Choice {
            kind,
            text: text.to_owned(),
            names: Vec::new(),
            from: from.to_owned(),
            book: of.map(|(book, _)| book.clone()),
            scene: of.map(|(_, scene)| number(scene)),
            demand: of.filter(own).map(|(_, scene)| self.demand(&(scene..scene + 1), read)),
        }
    }

    fn symbols(&self, scenes: &Range<usize>) -> u32 {
        match self.scenes.get(scenes.clone()) {
            Some([first, .., last]) => last.span.end.symbol - first.span.start.symbol,
            Some([one]) => one.span.symbols(),
            _ => 0,
        }
    }
}

fn number(at: usize) -> u32 {
    u32::try_from(at).expect("a book has fewer than 2^32 scenes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests;

    #[test]
    fn only_what_was_read_of_this_book_lies_back() {
        let scenes = tests::scenes(&["One. ", "Two. ", "Three. "]);
        let reading = Reading::new(&scenes);
        let other: BookId = "other".parse().unwrap();
        let back = |book: &BookId, scene| {
            let of = Some((book, scene));
            let choice = reading.choice(OptionKind::True, "Text.", "from", of, 2);
            assert_eq!(choice.scene, Some(number(scene)));
            choice.demand.map(|demand| demand.to_start.scenes)
        };
        let own = &scenes[0].book;
        assert_eq!(
            [back(own, 0), back(own, 1), back(own, 2), back(&other, 0)],
            [Some(2), Some(1), None, None]
        );
        assert_eq!(reading.choice(OptionKind::None, "None.", "", None, 2).book, None);
    }
}
