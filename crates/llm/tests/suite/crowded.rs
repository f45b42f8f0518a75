//! How much a crowded server is asked, and how the flow comes back once it is well again.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use storymill_core::Asker;

use crate::{
    server::{Act, Server, answer, error},
    world::{Setting, world},
};

/// How long an answer takes.
const ANSWER: Duration = Duration::from_millis(300);
const AT_ONCE: usize = 8;

/// Asks a server that refuses some requests, by their number and how long the run takes already; when each
/// answer was begun, and how long all of them took.
fn asked(
    count: usize,
    refuses: impl Fn(usize, Duration) -> bool + Send + Sync + 'static,
    headers: &'static [(&'static str, &'static str)],
) -> (Vec<Duration>, Duration) {
    let start = Instant::now();
    let begun = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&begun);
    let server = Server::start(move |number, _| {
        let now = start.elapsed();
        if refuses(number, now) {
            return error(429, headers, "");
        }
        heard.lock().unwrap().push(now);
        Act::Wait(ANSWER, Box::new(answer("good")))
    });
    let folder = tempfile::tempdir().unwrap();
    let world = world(folder.path(), &server.url, Setting::default());
    world.asker.ask(&world.wave(count)).unwrap();
    let begun = begun.lock().unwrap().clone();
    assert_eq!(begun.len(), count);
    (begun, start.elapsed())
}

/// When as many answers were under way at once as may be.
fn full_at(begun: &[Duration]) -> Option<Duration> {
    let at =
        |now: Duration| begun.iter().filter(|one| **one <= now && now < **one + ANSWER).count();
    begun.iter().copied().find(|now| at(*now) == AT_ONCE)
}

#[test]
fn after_a_burst_of_refusals_all_places_are_taken_again_within_seconds() {
    let cases: [(_, &[_]); 2] = [("no word", &[]), ("a wait", &[("retry-after", "1")])];
    std::thread::scope(|scope| {
        for (name, headers) in cases {
            scope.spawn(move || {
                let burst = Duration::from_secs(4);
                let (_, calm) = asked(120, |_, _| false, &[]);
                let (begun, took) = asked(120, move |_, now| now < burst, headers);
                let full = full_at(&begun).unwrap_or_else(|| panic!("{name}: never"));
                // What the machine itself takes longer than it should.
                let slow = calm.saturating_sub(ANSWER * 120 / u32::try_from(AT_ONCE).unwrap());
                let soon = burst + Duration::from_secs(5) + slow;
                assert!(full < soon, "{name}: full at {full:?}, {calm:?} without refusals");
                let rest = calm + Duration::from_secs(2);
                assert!(took < full + rest, "{name}: took {took:?}, {calm:?} without refusals");
            });
        }
    });
}

#[test]
fn a_refusal_now_and_then_costs_little() {
    let count = 160;
    let cases: [&[_]; 2] = [&[], &[("retry-after", "1")]];
    std::thread::scope(|scope| {
        for headers in cases {
            scope.spawn(move || {
                // What the machine itself takes counts in both.
                let (_, calm) = asked(count, |_, _| false, &[]);
                let (_, took) = asked(count, |number, _| number % 50 == 25, headers);
                let ratio = took.as_secs_f64() / calm.as_secs_f64();
                eprintln!("2 % refused, {headers:?}: {ratio:.2} of the time without");
                assert!(ratio < 1.35, "{headers:?}: {took:?}, without {calm:?}");
            });
        }
    });
}

/// Asks a server that takes some requests at once for a while each, and either refuses others or lets them wait.
fn at_once(
    takes: usize,
    refuses: bool,
    headers: &'static [(&'static str, &'static str)],
) -> (usize, Duration) {
    const COUNT: usize = 60;
    let places: Vec<_> = (0..takes).map(|_| Mutex::new(())).collect();
    let server = Server::start(move |number, _| {
        let free = places.iter().find_map(|place| place.try_lock().ok());
        let place = free.or_else(|| (!refuses).then(|| places[number % takes].lock().unwrap()));
        if place.is_none() {
            return error(429, headers, "");
        }
        std::thread::sleep(Duration::from_millis(100));
        answer("good")
    });
    let folder = tempfile::tempdir().unwrap();
    let world = world(folder.path(), &server.url, Setting::default());
    let start = Instant::now();
    world.asker.ask(&world.wave(COUNT)).unwrap();
    (server.count() - COUNT, start.elapsed())
}

#[test]
fn a_server_that_takes_few_at_once_is_asked_few_at_once() {
    std::thread::scope(|scope| {
        for takes in [1, 2] {
            for headers in [&[][..], &[("retry-after", "1")]] {
                scope.spawn(move || {
                    let (_, calm) = at_once(takes, false, headers);
                    let (refused, took) = at_once(takes, true, headers);
                    let name = format!("{takes} at once, {headers:?}: {refused} refused");
                    assert!(refused <= 20, "{name}");
                    let bar = calm * 3 / 2 + Duration::from_secs(2);
                    assert!(took < bar, "{name}, {took:?}, {calm:?} without");
                });
            }
        }
    });
}
