//! Which request of a model is sent next.

use std::{
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use tokio::time::Instant;

use crate::sharing::Row;

/// A text of which nothing was asked for so long goes first: caches keep what is used within five minutes.
const KEEP: Duration = Duration::from_mins(2);

/// The requests of a model, in their order.
pub(crate) struct Queue<'a> {
    pub(crate) rows: Vec<Row<'a>>,
    states: Vec<State>,
    /// How many requests wait for each.
    children: Vec<usize>,
    /// The texts of which something was sent, and when that was last.
    open: HashMap<usize, Instant>,
    /// All before this one are sent.
    first: usize,
    /// Whether any of them shares a text.
    shares: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Waiting,
    Flying,
    Ended,
}

impl<'a> Queue<'a> {
    pub(crate) fn new(rows: Vec<Row<'a>>) -> Self {
        let mut children = vec![0; rows.len()];
        for parent in rows.iter().filter_map(|row| row.place.parent) {
            children[parent] += 1;
        }
        let states = vec![State::Waiting; rows.len()];
        let shares = rows.iter().any(Row::shares);
        Self { rows, states, children, open: HashMap::new(), first: 0, shares }
    }

    /// The next request to be sent, where so many can be; none if all that are left wait for others.
    ///
    /// A text is worked on until nothing of it can be sent. Another is begun where places would stay empty: but not if
    /// what is on its way will fill them soon, as then its beginning would grow cold.
    pub(crate) fn next(&mut self, free: usize, now: Instant) -> Option<usize> {
        while self.states.get(self.first).is_some_and(|state| *state != State::Waiting) {
            self.first += 1;
        }
        if !self.shares {
            let at = (self.first < self.rows.len()).then_some(self.first)?;
            self.states[at] = State::Flying;
            return Some(at);
        }
        let flying = (0..self.rows.len()).filter(|at| self.states[*at] == State::Flying);
        let (places, soon) =
            flying.fold((free, 0), |(n, soon), at| (n + 1, soon + self.children[at]));
        let begun = self.waiting().filter(|at| self.idle(*at, now).is_some());
        let begun: BTreeSet<usize> = begun.map(|at| self.rows[at].place.text).collect();
        let ready = self.waiting().filter(|at| {
            self.rows[*at].place.parent.is_none_or(|parent| self.states[parent] == State::Ended)
        });
        let ready: Vec<usize> = ready.collect();
        let cold = ready.iter().filter_map(|at| Some((self.idle(*at, now)?, *at)));
        let cold =
            cold.filter(|(idle, _)| *idle > KEEP).max_by_key(|(idle, at)| (*idle, usize::MAX - at));
        let may_begin = soon < places || begun.len() < 2;
        let first = ready
            .iter()
            .copied()
            .find(|at| may_begin || !self.rows[*at].shares() || self.idle(*at, now).is_some());
        let at = cold.map(|(_, at)| at).or(first)?;
        self.states[at] = State::Flying;
        if let Some(parent) = self.rows[at].place.parent {
            self.children[parent] -= 1;
        }
        self.open.insert(self.rows[at].place.text, now);
        Some(at)
    }

    /// A request is answered, or will not be: what waited for it can go.
    pub(crate) fn ended(&mut self, at: usize) {
        self.states[at] = State::Ended;
    }

    fn waiting(&self) -> impl Iterator<Item = usize> {
        (self.first..self.rows.len()).filter(|at| self.states[*at] == State::Waiting)
    }

    /// How long nothing was asked of the text of a request; none if nothing of it was.
    fn idle(&self, at: usize, now: Instant) -> Option<Duration> {
        self.open.get(&self.rows[at].place.text).map(|last| now.duration_since(*last))
    }
}

#[cfg(test)]
mod tests {
    use storymill_core::{Asked, Chat, Content, Digest, Request, RequestKey};

    use super::*;
    use crate::sharing::order;

    /// A request behind so much of a book; of none, one that shares nothing.
    fn asked(book: usize, read: usize, number: usize) -> Asked {
        let text = format!("Book {book} tells something here.\n").repeat(2_000)[..read].to_owned();
        let chat = Chat { shared: read, ..Chat::new(format!("{text}{number}?")) };
        Asked {
            key: RequestKey(Digest::of(&number.to_le_bytes())),
            stage: "answer",
            unit: "84".parse().unwrap(),
            item: None,
            request: Request { model: "m".to_owned(), content: Content::Chat(chat), tries: 1 },
            sample: 0,
            attempt: 0,
        }
    }

    fn queue(wave: &[Asked]) -> Queue<'_> {
        Queue::new(order(wave, |_| false))
    }

    /// All that can be sent now in so many places.
    fn filled(queue: &mut Queue<'_>, mut free: usize, now: Instant) -> Vec<usize> {
        let mut sent = Vec::new();
        while free > 0
            && let Some(at) = queue.next(free, now)
        {
            sent.push(at);
            free -= 1;
        }
        sent
    }

    #[test]
    fn one_request_goes_alone_then_all_that_share_its_text_and_no_text_grows_cold() {
        let wave: Vec<Asked> = (0..40).map(|number| asked(number / 20, 30_000, number)).collect();
        let mut queue = queue(&wave);
        let start = Instant::now();
        // The first of each of two books: more would wait for their turn.
        assert_eq!(filled(&mut queue, 8, start), [0, 20]);
        queue.ended(0);
        assert_eq!(filled(&mut queue, 7, start), [1, 2, 3, 4, 5, 6, 7]);
        queue.ended(20);
        queue.ended(1);
        let late = start + Duration::from_mins(3);
        assert_eq!(filled(&mut queue, 1, late), [8], "both are cold: the first goes first");
        queue.ended(2);
        assert_eq!(filled(&mut queue, 1, late), [21]);
    }

    #[test]
    fn texts_that_grow_are_worked_on_side_by_side() {
        let wave: Vec<Asked> =
            (0..40).map(|number| asked(number / 4, 9_000 * (number % 4 + 1), number)).collect();
        let mut queue = queue(&wave);
        let now = Instant::now();
        assert_eq!(filled(&mut queue, 8, now), [0, 4, 8, 12, 16, 20, 24, 28]);
        queue.ended(4);
        assert_eq!(filled(&mut queue, 1, now), [5]);
    }

    proptest::proptest! {
        /// Every request goes once, behind its parent, and something goes as long as anything waits.
        #[test]
        fn all_are_sent_each_behind_its_parent(
            wave in proptest::collection::vec((0_usize..4, 0_usize..40), 1..40),
            places in 1_usize..6,
            turns in proptest::collection::vec((0_usize..6, 0_u64..300), 50),
        ) {
            let row = |(number, (book, read)): (usize, &(usize, usize))| asked(*book, read * 1_000, number);
            let wave: Vec<Asked> = wave.iter().enumerate().map(row).collect();
            let mut queue = queue(&wave);
            let (mut now, mut flying, mut ended) = (Instant::now(), Vec::new(), BTreeSet::new());
            for (which, seconds) in turns.iter().cycle() {
                for at in filled(&mut queue, places - flying.len(), now) {
                    let parent = queue.rows[at].place.parent;
                    proptest::prop_assert!(parent.is_none_or(|parent| ended.contains(&parent)));
                    flying.push(at);
                }
                if flying.is_empty() {
                    break;
                }
                let at = flying.remove(which % flying.len());
                proptest::prop_assert!(ended.insert(at));
                queue.ended(at);
                now += Duration::from_secs(*seconds);
            }
            proptest::prop_assert_eq!(ended.len(), wave.len());
        }

        /// Blocks of a shorter text are blocks of the longer one, and marks stand at their ends, four at most.
        #[test]
        fn blocks_of_a_beginning_are_those_of_the_whole(text in "[a-zé\n]{2000,9000}", share in 0.0..1.0_f64) {
            let text = text.repeat(4);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a share")]
            let upto = text.floor_char_boundary((text.len() as f64 * share) as usize);
            let whole = crate::sharing::borders(&text, text.len());
            let part = crate::sharing::borders(&text, upto);
            let (last, all) = part.split_last().map_or((upto, &part[..]), |(last, rest)| (*last, rest));
            proptest::prop_assert!(whole.starts_with(all));
            proptest::prop_assert_eq!(last, upto);
            proptest::prop_assert!(whole.windows(2).all(|pair| pair[0] < pair[1] && text.is_char_boundary(pair[0])));
        }
    }
}
