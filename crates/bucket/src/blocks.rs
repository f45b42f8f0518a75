//! Blocks of objects that were read, kept for a while: answers are read one by one, and a request for each would
//! take longer than the answer.

use std::{
    collections::{BTreeMap, VecDeque},
    io,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// How many bytes are fetched at a time.
pub(crate) const BLOCK: u64 = 256 << 10;
/// How many bytes are kept.
const KEPT: usize = 64 << 20;

type Name = (String, u64);

#[derive(Debug, Default)]
pub(crate) struct Blocks(Mutex<Inside>);

#[derive(Debug, Default)]
struct Inside {
    held: BTreeMap<Name, Vec<u8>>,
    /// The oldest first.
    order: VecDeque<Name>,
    bytes: usize,
}

impl Blocks {
    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes of an object; `fetch` gives a block by its number, the last of an object shorter.
    pub(crate) fn read(
        &self,
        object: &str,
        at: u64,
        length: usize,
        fetch: impl Fn(u64) -> io::Result<Vec<u8>>,
    ) -> io::Result<Vec<u8>> {
        let end = at.checked_add(length as u64).ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut bytes = Vec::with_capacity(length);
        let mut next = at;
        while next < end {
            let (number, from) = (next / BLOCK, next % BLOCK);
            let until = (end - number * BLOCK).min(BLOCK);
            let range = usize::try_from(from).unwrap_or(usize::MAX)
                ..usize::try_from(until).unwrap_or(usize::MAX);
            let name = (object.to_owned(), number);
            let held = self
                .inside()
                .held
                .get(&name)
                .and_then(|block| Some(block.get(range.clone())?.to_vec()));
            let part = if let Some(part) = held {
                part
            } else {
                // What is held may also be the end of an object that was shorter.
                let block = fetch(number)?;
                let part = block.get(range).ok_or(io::ErrorKind::UnexpectedEof)?.to_vec();
                self.keep(name, block);
                part
            };
            bytes.extend_from_slice(&part);
            next += part.len() as u64;
        }
        Ok(bytes)
    }

    fn keep(&self, name: Name, block: Vec<u8>) {
        let mut inside = self.inside();
        inside.bytes += block.len();
        if let Some(before) = inside.held.insert(name.clone(), block) {
            inside.bytes -= before.len();
        } else {
            inside.order.push_back(name);
        }
        while inside.bytes > KEPT
            && let Some(oldest) = inside.order.pop_front()
        {
            let gone = inside.held.remove(&oldest).map_or(0, |block| block.len());
            inside.bytes -= gone;
        }
    }

    /// Forgets an object: it was written anew, or removed.
    pub(crate) fn forget(&self, object: &str) {
        let mut inside = self.inside();
        let own: Vec<Name> =
            inside.held.keys().filter(|(name, _)| name == object).cloned().collect();
        for name in &own {
            let gone = inside.held.remove(name).map_or(0, |block| block.len());
            inside.bytes -= gone;
        }
        if !own.is_empty() {
            inside.order.retain(|(name, _)| name != object);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn what_is_read_is_what_was_written_and_asked_for_once() {
        let size = usize::try_from(BLOCK).unwrap() * 2 + 1000;
        let object: Vec<u8> = (0..size).map(|at| u8::try_from(at % 251).unwrap()).collect();
        let asked = Cell::new(0);
        let fetch = |number: u64| {
            asked.set(asked.get() + 1);
            let from = usize::try_from(number * BLOCK).unwrap();
            Ok(object[from..(from + usize::try_from(BLOCK).unwrap()).min(size)].to_vec())
        };
        let blocks = Blocks::default();
        for (at, length) in [(0, 10), (262_140, 10), (0, size), (size - 5, 5), (7, 0)] {
            let read = blocks.read("a", at as u64, length, fetch).unwrap();
            assert!(read == object[at..at + length], "{at}, {length}");
        }
        assert_eq!(asked.get(), 3);
        let beyond = blocks.read("a", size as u64 - 5, 6, fetch);
        assert_eq!(beyond.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        blocks.forget("a");
        blocks.read("a", 0, 1, fetch).unwrap();
        assert_eq!(asked.get(), 5);
    }

    #[test]
    fn no_more_is_kept_than_there_is_room_for() {
        let blocks = Blocks::default();
        let block = usize::try_from(BLOCK).unwrap();
        for number in 0..400 {
            blocks.read("a", number * BLOCK, block, |_| Ok(vec![0; block])).unwrap();
        }
        let inside = blocks.inside();
        let sum: usize = inside.held.values().map(Vec::len).sum();
        assert!(inside.bytes == sum && sum <= KEPT && sum > KEPT / 2);
        assert_eq!(inside.held.len(), inside.order.len());
    }
}
