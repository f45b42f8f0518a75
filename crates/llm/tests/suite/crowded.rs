//! How much a crowded server is asked, and how the flow comes back once it is well again.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
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
                let (begun, took) = asked(120, move |_, now| now < burst, headers);
                let full = full_at(&begun).unwrap_or_else(|| panic!("{name}: never"));
                assert!(full < burst + Duration::from_secs(5), "{name}: full at {full:?}");
                assert!(took < full + Duration::from_secs(6), "{name}: took {took:?}");
            });
        }
    });
}

#[test]
fn a_refusal_now_and_then_costs_little() {
    let count = 160;
    let ideal = ANSWER * u32::try_from(count / AT_ONCE).unwrap();
    let cases: [&[_]; 2] = [&[], &[("retry-after", "1")]];
    std::thread::scope(|scope| {
        for headers in cases {
            scope.spawn(move || {
                let (_, took) = asked(count, |number, _| number % 50 == 25, headers);
                let ratio = took.as_secs_f64() / ideal.as_secs_f64();
                eprintln!("2 % refused, {headers:?}: {ratio:.2} of the time without");
                assert!(ratio < 1.35, "{headers:?}: {took:?}, ideal {ideal:?}");
            });
        }
    });
}

#[test]
fn a_server_that_takes_few_at_once_is_asked_few_at_once() {
    const COUNT: u32 = 60;
    let long = Duration::from_millis(100);
    std::thread::scope(|scope| {
        for takes in [1, 2] {
            for headers in [&[][..], &[("retry-after", "1")]] {
                scope.spawn(move || {
                    let flying = AtomicUsize::new(0);
                    let server = Server::start(move |_, _| {
                        let taken = flying.fetch_add(1, Ordering::SeqCst) < takes;
                        if taken {
                            std::thread::sleep(long);
                        }
                        flying.fetch_sub(1, Ordering::SeqCst);
                        if taken { answer("good") } else { error(429, headers, "") }
                    });
                    let folder = tempfile::tempdir().unwrap();
                    let world = world(folder.path(), &server.url, Setting::default());
                    let start = Instant::now();
                    world.asker.ask(&world.wave(COUNT as usize)).unwrap();
                    let (took, refused) = (start.elapsed(), server.count() - COUNT as usize);
                    let ideal = long * COUNT / u32::try_from(takes).unwrap();
                    let name = format!("{takes} at once, {headers:?}: {refused} refused");
                    assert!(refused <= 20, "{name}");
                    assert!(took < ideal * 3 / 2 + Duration::from_secs(2), "{name}, {took:?}");
                });
            }
        }
    });
}
