//! Which sentences of a book a model reads, and what follows for those that it does not.
//!
//! A model need not see every place of a name to tell that it is one. The perceptron proposes: it reads the whole
//! book, a hundred times as fast. Where it is sure of a place, nothing is read for its sake; of the other places of each
//! form so many are read, spread over the book, and all where what the model says of them differs. A place
//! that was not read has the mean of those that were. This is fixed by the book, the number of occurrences and what the model
//! said, whoever asks it in whatever order.

use std::{num::NonZeroU32, ops::Range};

use crate::{
    counts::Counts,
    perceptron::Perceptron,
    tagger::{Odds, WHOLE, Window},
    words::{Case, Low, Words},
};
use storymill_metrics::shortcut::Map;

/// What the perceptron leaves to chance where it is sure.
const CHANCE: u16 = WHOLE / 50;

/// The model says now this and now that of a form if its mean leaves more than this open.
const DOUBT: u64 = WHOLE as u64 / 10;

/// A model's way through a book, in rounds: what it says in one decides what is read in the next.
///
/// ```
/// use storymill_names::{Cutter, Reading, Words};
/// let words = Words::new("Ann ran. It rained. Then Mr. Fox saw Ann.");
/// let mut reading = Reading::new(&words, None);
/// let sentences = reading.round().unwrap();
/// assert_eq!(Cutter::new().windows(&words, &sentences).len(), 1);
/// assert!(reading.round().is_none());
/// ```
#[derive(Debug)]
pub struct Reading<'w> {
    words: &'w Words<'w>,
    /// The sentences that may hold a name.
    sentences: Vec<Range<usize>>,
    sample: Option<Sample>,
    rounds: usize,
    read: Vec<bool>,
    odds: Vec<Odds>,
}

/// What is needed where not everything is read.
#[derive(Debug)]
struct Sample {
    occurrences: u32,
    /// What the perceptron says of every word.
    proposed: Vec<Odds>,
    /// The forms in each sentence that may be names, where the perceptron is not sure of the place.
    places: Vec<Vec<Low>>,
}

impl<'w> Reading<'w> {
    /// The reading of a book, of so many occurrences of a form, or of all.
    pub fn new(words: &'w Words<'w>, occurrences: Option<NonZeroU32>) -> Self {
        let counts = Counts::new(words);
        let mut sentences = words.sentences();
        sentences.retain(|sentence| sentence.clone().any(|at| counts.candidate(words, at)));
        let sample = occurrences.map(|most| Sample::new(words, &counts, &sentences, most.get()));
        let (read, odds) = (vec![false; words.len()], vec![Odds::NONE; words.len()]);
        Self { words, sentences, sample, rounds: 0, read, odds }
    }

    /// The sentences to be read next, in order; nothing where the reading is at its end.
    pub fn round(&mut self) -> Option<Vec<Range<usize>>> {
        let wanted = match (&self.sample, self.rounds) {
            (None, 0) => vec![true; self.sentences.len()],
            (Some(sample), 0) => sample.first(self.words.forms()),
            (Some(sample), 1) => sample.doubtful(&self.doubts()),
            _ => return None,
        };
        self.rounds += 1;
        let chosen = self.sentences.iter().zip(wanted);
        let chosen = chosen.filter(|(sentence, wanted)| *wanted && !self.read[sentence.start]);
        Some(chosen.map(|(sentence, _)| sentence.clone()).collect())
    }

    /// Notes what the model said of a window.
    pub fn note(&mut self, window: &Window, said: Vec<Odds>) {
        for (at, odds) in window.words().zip(said) {
            self.odds[at] = odds;
            self.read[at] = true;
        }
    }

    /// The odds of every word. Words in sentences that cannot hold a name are in none.
    pub fn odds(mut self) -> Vec<Odds> {
        if let Some(sample) = self.sample.take() {
            self.fill(&sample.proposed);
        }
        self.odds
    }

    /// The words that were read.
    fn seen(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.words.len()).filter(|at| self.read[*at])
    }

    /// What was said of each form with a capital.
    fn means(&self) -> Vec<Mean> {
        let mut means = vec![Mean::default(); self.words.forms()];
        for at in self.seen() {
            let word = self.words.all()[at];
            if word.case != Case::Low {
                means[word.low as usize].add(self.odds[at]);
            }
        }
        means
    }

    /// Whether what was said of a form differs.
    fn doubts(&self) -> Vec<bool> {
        self.means().iter().map(Mean::is_doubtful).collect()
    }

    /// Gives the words that were not read what follows from those that were.
    fn fill(&mut self, proposed: &[Odds]) {
        let means = self.means();
        // Small words have a mean before each form: `van` before `der` is in a name, `of` mostly not.
        let mut pairs: Map<(Low, Low), Mean> = Map::default();
        let all = self.words.all();
        let pair = |at: usize| Some((all[at].low, all.get(at + 1)?.low));
        for at in self.seen().filter(|at| all[*at].case == Case::Low) {
            if let Some(pair) = pair(at) {
                pairs.entry(pair).or_default().add(self.odds[at]);
            }
        }
        for sentence in self.sentences.iter().filter(|sentence| !self.read[sentence.start]) {
            for at in sentence.clone() {
                if all[at].case == Case::Low {
                    let mean = pair(at).and_then(|pair| pairs.get(&pair)?.odds());
                    self.odds[at] = mean.unwrap_or(Odds::NONE);
                    continue;
                }
                let mean = means[all[at].low as usize].odds();
                let own = mean.filter(|_| !is_sure(proposed[at])).unwrap_or(proposed[at]);
                let goes_on = at > sentence.start && self.odds[at - 1].none < WHOLE / 2;
                self.odds[at] = placed(own, goes_on);
            }
        }
    }
}

impl Sample {
    fn new(
        words: &Words<'_>,
        counts: &Counts,
        sentences: &[Range<usize>],
        occurrences: u32,
    ) -> Self {
        let proposed = Perceptron::new().propose(words, 0..words.len());
        let unsure = |at: &usize| counts.candidate(words, *at) && !is_sure(proposed[*at]);
        let forms = |sentence: &Range<usize>| {
            sentence.clone().filter(unsure).map(|at| words.all()[at].low).collect()
        };
        let places = sentences.iter().map(forms).collect();
        Self { occurrences, proposed, places }
    }

    /// The sentences of the first round.
    fn first(&self, forms: usize) -> Vec<bool> {
        let mut all = vec![0_u32; forms];
        for form in self.places.iter().flatten() {
            all[*form as usize] += 1;
        }
        let mut seen = vec![0_u32; forms];
        let mut wanted = vec![false; self.places.len()];
        // What is rare is read wherever it stands, and what stands beside it counts for the others.
        let rare = |form: &Low| all[*form as usize] <= self.occurrences;
        for at in (0..wanted.len()).filter(|at| self.places[*at].iter().any(rare)) {
            wanted[at] = true;
            self.places[at].iter().for_each(|form| seen[*form as usize] += 1);
        }
        let mut spread: Vec<u32> = (0..).take(wanted.len()).collect();
        spread.sort_unstable_by_key(|at| at.reverse_bits());
        for at in spread.into_iter().map(|at| at as usize) {
            let lacks = |form: &Low| seen[*form as usize] < self.occurrences;
            if !wanted[at] && self.places[at].iter().any(lacks) {
                wanted[at] = true;
                self.places[at].iter().for_each(|form| seen[*form as usize] += 1);
            }
        }
        wanted
    }

    /// The sentences with a place of a doubtful form that the perceptron is not sure of.
    fn doubtful(&self, doubts: &[bool]) -> Vec<bool> {
        let doubtful = |form: &Low| doubts[*form as usize];
        self.places.iter().map(|places| places.iter().any(doubtful)).collect()
    }
}

/// The sums of what was said, to take a mean of.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sums: [u64; 5],
    count: u64,
}

impl Mean {
    fn add(&mut self, odds: Odds) {
        let all = [odds.none, odds.person, odds.person_on, odds.place, odds.place_on];
        self.sums.iter_mut().zip(all).for_each(|(sum, one)| *sum += u64::from(one));
        self.count += 1;
    }

    fn odds(&self) -> Option<Odds> {
        let mean = |sum: u64| u16::try_from((sum + self.count / 2) / self.count).ok();
        if self.count == 0 {
            return None;
        }
        let [none, person, person_on, place, place_on] = self.sums.map(mean);
        Some(Odds {
            none: none?,
            person: person?,
            person_on: person_on?,
            place: place?,
            place_on: place_on?,
        })
    }

    fn is_doubtful(&self) -> bool {
        let [none, person, person_on, place, place_on] = self.sums;
        let most = none.max(person + person_on).max(place + place_on);
        most + self.count * DOUBT < self.sums.iter().sum()
    }
}

/// Whether the perceptron is sure: in no name, a person's or a place's.
fn is_sure(odds: Odds) -> bool {
    let most = odds.none.max(odds.person + odds.person_on).max(odds.place + odds.place_on);
    most >= WHOLE - CHANCE
}

/// The same, of a word that goes on with a name or of one that does not.
fn placed(odds: Odds, goes_on: bool) -> Odds {
    let (person, place) = (odds.person + odds.person_on, odds.place + odds.place_on);
    if goes_on {
        Odds { none: odds.none, person: 0, person_on: person, place: 0, place_on: place }
    } else {
        Odds { none: odds.none, person, person_on: 0, place, place_on: 0 }
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, collections::BTreeSet, thread};

    use proptest::prelude::*;
    use storymill_core::{Digest, Fault};

    use super::*;
    use crate::tagger::NameTagger;

    /// Says of each occurrence of a form in turn what it was told to, and then again.
    #[derive(Default)]
    struct Told {
        said: Vec<(&'static str, Vec<u16>)>,
        read: RefCell<Vec<usize>>,
    }

    impl NameTagger for Told {
        fn name(&self) -> &'static str {
            "told"
        }

        fn digest(&self) -> Digest {
            Digest::of(b"told")
        }

        fn windows(&self, _: &Words<'_>, sentences: &[Range<usize>]) -> Vec<Window> {
            let window =
                |one: &Range<usize>| Window { stretches: vec![one.clone()], input: Vec::new() };
            sentences.iter().map(window).collect()
        }

        fn read(&self, words: &Words<'_>, window: &Window) -> Result<Vec<Odds>, Fault> {
            let said = |at: usize| {
                let form = words.surface(at);
                let before =
                    self.read.borrow().iter().filter(|at| words.surface(**at) == form).count();
                self.read.borrow_mut().push(at);
                let told = self.said.iter().find(|(name, _)| *name == form);
                let person = told.map_or(0, |(_, all)| all[before % all.len()]);
                Odds { none: WHOLE - person, person, ..Odds::NONE }
            };
            Ok(window.words().map(said).collect())
        }
    }

    const SURE: u16 = 58_000;

    /// How often a form is read, and the share of a person at each of its places.
    fn check(
        text: &str,
        said: &[(&'static str, Vec<u16>)],
        most: u32,
        form: &str,
    ) -> (usize, Vec<u16>) {
        let words = Words::new(text);
        let told = Told { said: said.to_vec(), ..Told::default() };
        let odds = told.tag_by(&words, NonZeroU32::new(most)).unwrap();
        let places: Vec<usize> = (0..words.len()).filter(|at| words.surface(*at) == form).collect();
        let read = told.read.borrow();
        let person = |at: &usize| odds[*at].person + odds[*at].person_on;
        (
            read.iter().filter(|at| words.surface(**at) == form).count(),
            places.iter().map(person).collect(),
        )
    }

    /// Of `Will` and `Quorn` the perceptron is not sure here.
    fn text(times: usize) -> String {
        "They thought of the Quorn again. ".repeat(times)
    }

    #[test]
    fn what_was_not_read_has_the_mean_of_what_was() {
        let (read, persons) = check(&text(20), &[("Quorn", vec![SURE])], 4, "Quorn");
        assert_eq!((read, persons), (4, vec![SURE; 20]));
        let (read, persons) = check(&text(20), &[("Quorn", vec![SURE])], 30, "Quorn");
        assert_eq!((read, persons), (20, vec![SURE; 20]));
    }

    #[test]
    fn all_is_read_of_what_differs() {
        let (read, persons) = check(&text(20), &[("Quorn", vec![SURE, 0])], 4, "Quorn");
        assert_eq!((read, persons.iter().filter(|one| **one == SURE).count()), (20, 10));
    }

    #[test]
    fn a_name_goes_on_over_small_words() {
        let text = "They thought of Paul van der Quorn again. ".repeat(9);
        let words = Words::new(&text);
        let said = ["Paul", "van", "der", "Quorn"].map(|form| (form, vec![SURE]));
        let told = Told { said: said.to_vec(), ..Told::default() };
        let odds = told.tag_by(&words, NonZeroU32::new(2)).unwrap();
        assert!(told.read.borrow().len() < words.len() / 2);
        for at in (0..words.len()).filter(|at| words.surface(*at) == "van") {
            assert!(odds[at].person > WHOLE / 2, "{:?}", odds[at]);
            assert!(odds[at + 2].person + odds[at + 2].person_on > WHOLE / 2, "{:?}", odds[at + 2]);
        }
        let unread = odds.iter().filter(|one| one.person_on > WHOLE / 2).count();
        assert!(unread > 0);
    }

    fn sentences() -> impl Strategy<Value = String> {
        let word = prop::sample::select(vec![
            "Ann", "Quorn", "may", "May", "Will", "van", "the", "saw", "Mr.",
        ]);
        let sentence = prop::collection::vec(word, 1..7).prop_map(|words| words.join(" ") + ". ");
        prop::collection::vec(sentence, 0..40).prop_map(|all| all.concat())
    }

    proptest! {
        // Each case tags its text nine times.
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// Enough of every form is read, everything where everything is wanted, nothing twice, and the same whoever asks.
        #[test]
        fn every_form_is_read(text in sentences(), most in 1_u32..6) {
            let words = Words::new(&text);
            let mut reading = Reading::new(&words, NonZeroU32::new(most));
            let first = reading.round().unwrap();
            let chosen: BTreeSet<usize> = first.iter().map(|sentence| sentence.start).collect();
            prop_assert_eq!(chosen.len(), first.len());
            let sample = reading.sample.as_ref().unwrap();
            let unsure = |form: Low, all: bool| {
                let sentences = reading.sentences.iter().zip(&sample.places);
                let sentences = sentences.filter(|(sentence, _)| all || chosen.contains(&sentence.start));
                sentences.flat_map(|(_, places)| places).filter(|one| **one == form).count()
            };
            for form in (0..).take(words.forms()) {
                prop_assert!(unsure(form, false) >= unsure(form, true).min(most as usize));
            }
            let everything = Reading::new(&words, None).round().unwrap();
            prop_assert!(first.iter().all(|sentence| everything.contains(sentence)));

            let tag = || {
                let told = Told { said: vec![("Ann", vec![SURE]), ("May", vec![SURE, 0])], ..Told::default() };
                (told.tag_by(&words, NonZeroU32::new(most)).unwrap(), told.read.into_inner())
            };
            let (odds, read) = tag();
            prop_assert_eq!(read.iter().collect::<BTreeSet<_>>().len(), read.len());
            prop_assert_eq!(odds.len(), words.len());
            let others: Vec<_> =
                thread::scope(|scope| [(); 8].map(|()| scope.spawn(tag)).map(|one| one.join().unwrap()).into());
            prop_assert!(others.iter().all(|other| *other == (odds.clone(), read.clone())));
        }
    }
}
