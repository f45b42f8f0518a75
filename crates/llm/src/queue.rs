//! Which request of a model is sent next.

use std::{
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use tokio::time::Instant;

use crate::sharing::Row;

/// A text of which nothing was asked for so long goes first: caches keep what is used within five minutes.
const KEEP: Duration = Duration::from_mins(2);

/// The requests of a model, in their order. A wave may have a million, so nothing looks at all of them.
pub(crate) struct Queue<'a> {
    pub(crate) rows: Vec<Row<'a>>,
    /// The requests that wait for each.
    behind: Vec<Vec<usize>>,
    texts: HashMap<usize, Text>,
    /// What can be sent and begins no text.
    ready: BTreeSet<usize>,
    /// What can be sent and begins one.
    fresh: BTreeSet<usize>,
    /// The texts that are begun and of which something can be sent, the coldest first.
    warm: BTreeSet<(Instant, usize)>,
    /// How many texts are begun and not all sent.
    begun: usize,
    /// How many requests are on their way, and how many wait for these.
    flying: usize,
    soon: usize,
}

/// The requests that begin alike.
#[derive(Default)]
struct Text {
    /// When one of them was sent last.
    last: Option<Instant>,
    /// How many are not sent.
    left: usize,
    /// Which of them can be.
    ready: BTreeSet<usize>,
}

impl<'a> Queue<'a> {
    pub(crate) fn new(rows: Vec<Row<'a>>) -> Self {
        let mut behind = vec![Vec::new(); rows.len()];
        let mut texts: HashMap<usize, Text> = HashMap::new();
        let (mut ready, mut fresh) = (BTreeSet::new(), BTreeSet::new());
        for (at, row) in rows.iter().enumerate() {
            if !row.shares() {
                ready.insert(at);
                continue;
            }
            let text = texts.entry(row.place.text).or_default();
            text.left += 1;
            if let Some(parent) = row.place.parent {
                behind[parent].push(at);
            } else {
                text.ready.insert(at);
                fresh.insert(at);
            }
        }
        let warm = BTreeSet::new();
        Self { rows, behind, texts, ready, fresh, warm, begun: 0, flying: 0, soon: 0 }
    }

    /// The next request to be sent, where so many can be; none if all that are left wait for others.
    ///
    /// A text is worked on until nothing of it can be sent. Another is begun where places would stay empty: but not if
    /// what is on its way will fill them soon, as then its beginning would grow cold.
    pub(crate) fn next(&mut self, free: usize, now: Instant) -> Option<usize> {
        let cold = self.warm.first().filter(|(last, _)| now.duration_since(*last) > KEEP);
        let cold = cold.and_then(|(_, text)| self.texts[text].ready.first());
        let may_begin = self.soon < self.flying + free || self.begun < 2;
        let fresh = self.fresh.first().filter(|_| may_begin);
        let at = *cold.or_else(|| self.ready.first().into_iter().chain(fresh).min())?;
        self.send(at, now);
        Some(at)
    }

    fn send(&mut self, at: usize, now: Instant) {
        self.ready.remove(&at);
        self.fresh.remove(&at);
        self.flying += 1;
        self.soon += self.behind[at].len();
        let name = self.rows[at].place.text;
        let Some(text) = self.texts.get_mut(&name).filter(|_| self.rows[at].shares()) else {
            return;
        };
        text.ready.remove(&at);
        text.left -= 1;
        match text.last.replace(now) {
            Some(last) => {
                self.warm.remove(&(last, name));
                self.begun -= 1;
            }
            None => {
                for other in &text.ready {
                    self.fresh.remove(other);
                    self.ready.insert(*other);
                }
            }
        }
        self.begun += usize::from(text.left > 0);
        if !text.ready.is_empty() {
            self.warm.insert((now, name));
        }
    }

    /// A request is answered, or will not be: what waited for it can go.
    pub(crate) fn ended(&mut self, at: usize) {
        let behind = std::mem::take(&mut self.behind[at]);
        self.flying -= 1;
        self.soon -= behind.len();
        for next in behind {
            let name = self.rows[next].place.text;
            let text = self.texts.entry(name).or_default();
            text.ready.insert(next);
            match text.last {
                Some(last) => {
                    self.ready.insert(next);
                    self.warm.insert((last, name));
                }
                None => _ = self.fresh.insert(next),
            }
        }
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

    #[test]
    fn thirty_thousand_are_sent_in_seconds() {
        let wave: Vec<Asked> =
            (0..30_000).map(|number| asked(number / 1_000, 5_000, number)).collect();
        let (mut queue, now) = (queue(&wave), Instant::now());
        let (mut flying, mut sent) = (std::collections::VecDeque::new(), 0);
        while sent < wave.len() {
            flying.extend(filled(&mut queue, 8 - flying.len(), now));
            queue.ended(flying.pop_front().unwrap());
            sent += 1;
        }
        assert!(queue.next(8, now).is_none() && now.elapsed() < Duration::from_secs(20));
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
