//! Questions that a search for places answers: who finds every text that a question tells of can put them in order. What it
//! earns measures no understanding and no memory, where somebody may search.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap},
};

use storymill_core::QuestionType;
use storymill_metrics::shortcut::credit;

use super::sample::Sampled;

/// What is asked of places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Which option comes first, or at another place, from 0.
    Place(usize),
    /// The order of what is given, whose letters the options are.
    Whole,
    /// Which option comes behind what is given.
    Since,
    /// Whose name comes first, or at another place.
    Named(usize),
    /// Which two names stand near each other.
    Met,
}

impl Order {
    /// What a kind of question asks of places; none for most.
    pub(super) fn of(kind: &str) -> Option<Self> {
        let of = QuestionType::of_name(kind)?;
        let ending = kind.strip_prefix(of.name())?;
        let place = ["-first", "-second", "-third", "-last"].iter().position(|one| *one == ending);
        match (of, ending) {
            (QuestionType::Since, _) => Some(Self::Since),
            (QuestionType::ToldOrder, "-all") => Some(Self::Whole),
            (QuestionType::ToldOrder, _) => place.map(Self::Place),
            (QuestionType::WhoWhen, "-met") => Some(Self::Met),
            (QuestionType::WhoWhen, _) => place.map(Self::Named),
            _ => None,
        }
    }

    /// Whether options are names.
    pub(super) fn is_of_names(self) -> bool {
        matches!(self, Self::Named(_) | Self::Met)
    }

    /// What it earns to answer by the places at which texts were found: those of the options, and of what is given.
    pub(super) fn earned(
        self,
        question: &Sampled,
        options: &[Option<usize>],
        given: &[Option<usize>],
    ) -> f64 {
        let scores: Vec<Option<f64>> = match self {
            Self::Place(place) | Self::Named(place) => {
                let mut order: Vec<usize> = (0..options.len()).collect();
                order.sort_by_key(|at| (options[*at].is_none(), options[*at]));
                let taken = order.get(place).copied();
                (0..options.len()).map(|at| Some(f64::from(u8::from(Some(at) == taken)))).collect()
            }
            Self::Whole => {
                question.options.iter().map(|text| Some(f64::from(in_order(text, given)))).collect()
            }
            Self::Since => {
                let from = given.first().copied().flatten().unwrap_or(0);
                let behind = |at: usize| options[at].filter(|at| *at > from);
                let none = (0..options.len()).all(|at| behind(at).is_none());
                let score = |at: usize| match (question.none == Some(at), behind(at)) {
                    (true, _) => f64::from(u8::from(none)),
                    (false, Some(place)) => {
                        f64::from(u32::try_from(place).unwrap_or(u32::MAX)) + 1.0
                    }
                    (false, None) => 0.0,
                };
                (0..options.len()).map(|at| Some(score(at))).collect()
            }
            // What was found of a pair is how far apart its names stand.
            Self::Met => {
                let near = options.iter().flatten().min();
                let score = |apart: &Option<usize>| {
                    f64::from(u8::from(apart.is_some() && apart.as_ref() == near))
                };
                options.iter().map(|apart| Some(score(apart))).collect()
            }
        };
        credit(&scores, question.right)
    }
}

/// How many pairs of the letters of an order, as `B, A, D, C`, stand in the order of their places.
fn in_order(order: &str, places: &[Option<usize>]) -> u8 {
    let letters =
        order.bytes().filter(u8::is_ascii_uppercase).map(|letter| usize::from(letter - b'A'));
    let places: Vec<_> =
        letters.filter_map(|letter| places.get(letter).copied().flatten()).collect();
    let pairs = (0..places.len()).flat_map(|a| (a + 1..places.len()).map(move |b| (a, b)));
    u8::try_from(pairs.filter(|(a, b)| places[*a] < places[*b]).count()).unwrap_or(u8::MAX)
}

/// Where the words of names stand in a book.
pub(super) struct Names<'b>(HashMap<&'b str, Vec<usize>>);

impl<'b> Names<'b> {
    /// The words of the options of some questions, as far as these are names.
    pub(super) fn of(book: &'b str, questions: &[&Sampled]) -> Self {
        let named = questions.iter().filter(|one| one.order.is_some_and(Order::is_of_names));
        let options = named.flat_map(|one| &one.options);
        let all: BTreeSet<&str> =
            options.flat_map(|option| words(option)).map(|(_, word)| word).collect();
        let mut found: HashMap<&str, Vec<usize>> = HashMap::new();
        if !all.is_empty() {
            for (at, word) in words(book).filter(|(_, word)| all.contains(word)) {
                found.entry(word).or_default().push(at);
            }
        }
        Self(found)
    }

    /// Where somebody is named in what was read: the places of the word of their name that is rarest there.
    fn places(&self, name: &str, end: usize) -> &[usize] {
        let read = |word| {
            let all = self.0.get(word).map_or(&[][..], Vec::as_slice);
            &all[..all.partition_point(|at| *at < end)]
        };
        let all = words(name).map(|(_, word)| read(word)).filter(|all| !all.is_empty());
        all.min_by_key(|all| all.len()).unwrap_or_default()
    }

    /// The place of an option: where the name first stands, or how near each other those of two come.
    pub(super) fn place(&self, order: Order, option: &str, end: usize) -> Option<usize> {
        if order != Order::Met {
            return self.places(option, end).first().copied();
        }
        let (one, other) = option.split_once(BOTH)?;
        let other = self.places(other, end);
        let apart = self.places(one, end).iter().filter_map(|at| {
            let next = other.partition_point(|other| other < at);
            let around = [next.checked_sub(1), Some(next)].into_iter().flatten();
            around.filter_map(|near| other.get(near)).map(|other| other.abs_diff(*at)).min()
        });
        apart.min()
    }

    /// What it earns to take the option that is named most.
    pub(super) fn most(&self, question: &Sampled, end: usize) -> f64 {
        let times = |text: &str| text.split(BOTH).map(|name| self.places(name, end).len()).sum();
        let times: Vec<usize> = question.options.iter().map(|text| times(text)).collect();
        let scores: Vec<_> =
            times.iter().map(|times| u32::try_from(*times).ok().map(f64::from)).collect();
        credit(&scores, question.right)
    }
}

/// What stands between the names of a pair.
const BOTH: &str = " and ";

/// The words of a text with their places.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let all = text.split(|symbol: char| !symbol.is_alphanumeric()).filter(|word| !word.is_empty());
    all.map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// The place of the sentence that was found best: of equals the first.
pub(super) fn best(found: impl Iterator<Item = (f64, usize)>) -> Option<usize> {
    let key = |(score, place): &(f64, usize)| (*score, Reverse(*place));
    found
        .max_by(|one, other| key(one).partial_cmp(&key(other)).unwrap_or(std::cmp::Ordering::Equal))
        .map(|(_, place)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(kind: &str, options: &[&str], right: usize, none: Option<usize>) -> Sampled {
        let options = options.iter().map(|text| Box::from(*text)).collect();
        Sampled { order: Order::of(kind), options, right, none, ..Sampled::default() }
    }

    #[track_caller]
    fn check(question: &Sampled, options: &[Option<usize>], given: &[Option<usize>], earned: f64) {
        let found = question.order.unwrap().earned(question, options, given);
        assert!((found - earned).abs() < 1e-9, "{found}");
    }

    #[test]
    fn places_answer_what_is_asked_of_order() {
        let places = [Some(70), Some(10), None, Some(40)];
        check(&asked("told-order-first", &["a", "b", "c", "d"], 1, None), &places, &[], 1.0);
        check(&asked("told-order-third", &["a", "b", "c", "d"], 0, None), &places, &[], 1.0);
        check(&asked("told-order-last", &["a", "b", "c", "d"], 0, None), &places, &[], 0.0);
        let given = [Some(30), Some(10), Some(20), Some(90)];
        let orders = ["A, B, C, D", "B, C, A, D", "B, C, D, A"];
        check(&asked("told-order-all", &orders, 1, None), &[None; 3], &given, 1.0);
        let since = asked("since", &["a", "b", "none"], 1, Some(2));
        check(&since, &[Some(5), Some(9), None], &[Some(7)], 1.0);
        check(&since, &[Some(5), Some(6), None], &[Some(7)], 0.0);
        assert_eq!(["lookahead", "same-scene"].map(Order::of), [None; 2]);
    }

    #[test]
    fn names_are_counted_and_placed() {
        let book = "Ann Gray met Bob. Ann wrote. Much later, and far from Bob and all of them, Cara Gray saw Dan, and Ann slept.";
        let named = asked("who-when-last", &["Ann Gray", "Bob", "Cara Gray", "Dan"], 3, None);
        let met = asked("who-when-met", &["Ann Gray and Bob", "Bob and Dan"], 0, None);
        let names = Names::of(book, &[&named, &met]);
        let places = |one: &Sampled| -> Vec<_> {
            one.options
                .iter()
                .map(|text| names.place(one.order.unwrap(), text, book.len()))
                .collect()
        };
        check(&named, &places(&named), &[], 1.0);
        check(&met, &places(&met), &[], 1.0);
        // Cara is named by the word that only she bears.
        assert_eq!(names.places("Cara Gray", book.len()).len(), 1);
        assert!((names.most(&named, book.len()) - 0.0).abs() < 1e-9);
    }
}
