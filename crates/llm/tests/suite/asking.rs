//! Limits, stops, modes, single flight: what the asker promises with a server that behaves.

use std::time::{Duration, Instant};

use storymill_core::{Asker, Content, FaultKind};
use storymill_llm::{Limits, Mode, Usd};

use crate::{
    server::{Act, Server, answer},
    world::{Setting, whole, world},
};

#[test]
fn limits_hold_and_what_was_answered_is_kept() {
    let server = Server::start(|_, _| answer("good"));
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { max_requests: Some(7), ..Limits::default() };
    let first = world(folder.path(), &server.url, Setting { limits, ..Setting::default() });
    let wave = first.wave(20);
    let fault = first.asker.ask(&wave).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Model);
    assert_eq!((server.count(), first.log.len()), (7, 7));

    // Ten tokens in, five out: 10 + 10 millionths of a dollar each.
    let prices = "[tiny]\ninput = 1.0\noutput = 2.0";
    let limits = Limits { max_usd: Some(Usd::micro(2400)), ..Limits::default() };
    let setting = Setting { limits, prices, ..Setting::default() };
    let second = world(folder.path(), &server.url, setting);
    second.asker.ask(&wave).unwrap();
    assert_eq!(server.count(), 20);
    let ledger = second.asker.ledger();
    assert_eq!(ledger.len(), 1);
    let cost = ledger[0].cost;
    assert_eq!((cost.requests, cost.answers, cost.usd.as_micro()), (13, 13, 260));

    let other = tempfile::tempdir().unwrap();
    let limits = Limits { max_usd: Some(Usd::micro(2200)), ..Limits::default() };
    let third = world(other.path(), &server.url, Setting { limits, prices, ..Setting::default() });
    let fault = third.asker.ask(&third.wave(200)).unwrap_err();
    assert!(whole(&fault).contains("limit of $0.0022"), "{}", whole(&fault));
    let cost = third.asker.ledger()[0].cost;
    assert!(cost.usd <= Usd::micro(2200) && cost.answers > 0, "{cost:?}");

    let unpriced = Setting { limits, ..Setting::default() };
    let fourth = world(other.path(), &server.url, unpriced);
    assert!(whole(&fourth.asker.ask(&fourth.wave(200)).unwrap_err()).contains("has no price"));
}

#[test]
fn a_stop_ends_a_wave_within_a_second() {
    let server = Server::start(|number, _| {
        let wait = if number < 4 { 10 } else { 30_000 };
        Act::Wait(Duration::from_millis(wait), Box::new(answer("good")))
    });
    let folder = tempfile::tempdir().unwrap();
    let world = world(folder.path(), &server.url, Setting::default());
    let stop = std::sync::Arc::clone(&world.stop);
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        stop.store(true, std::sync::atomic::Ordering::SeqCst);
    });
    let start = Instant::now();
    let fault = world.asker.ask(&world.wave(30)).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Interrupted);
    assert!(start.elapsed() < Duration::from_millis(1300), "{:?}", start.elapsed());
    assert_eq!(world.log.len(), 4);
}

#[test]
fn a_stop_beside_a_limit_is_a_stop() {
    let server = Server::start(|number, _| {
        let wait = if number < 4 { 10 } else { 30_000 };
        Act::Wait(Duration::from_millis(wait), Box::new(answer("good")))
    });
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { max_requests: Some(6), ..Limits::default() };
    let world = world(folder.path(), &server.url, Setting { limits, ..Setting::default() });
    let stop = std::sync::Arc::clone(&world.stop);
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(500));
        stop.store(true, std::sync::atomic::Ordering::SeqCst);
    });
    let fault = world.asker.ask(&world.wave(30)).unwrap_err();
    assert_eq!((fault.kind, server.count()), (FaultKind::Interrupted, 6), "{}", whole(&fault));
    assert_eq!(world.log.len(), 4);
}

#[test]
fn at_most_counts_every_try() {
    let folder = tempfile::tempdir().unwrap();
    let prices = "[tiny]\ninput = 1.0\noutput = 2.0";
    let world =
        world(folder.path(), "http://127.0.0.1:1/v1", Setting { prices, ..Setting::default() });
    let mut wave = world.wave(4);
    wave[3].attempt = 2;
    let forecasts = world.asker.forecast(&wave);
    let forecast = forecasts.values().next().unwrap();
    // Three tries each, and one that is left.
    assert_eq!((forecast.once.answers, forecast.most.answers), (4, 10));
    // Twice the two tokens that are reckoned with, 64 of what the server adds, and the longest answer.
    assert_eq!(forecast.most.known_usd(), Some(Usd::micro(10 * (4 + 64 + 2 * 1024))));
    let shown = forecast.to_string();
    assert!(
        shown.ends_with("in one wave; with every try at most 10 requests, $0.02116"),
        "{shown}"
    );
    // A stage may want shorter answers than the model's description.
    let Content::Chat(chat) = &mut wave[0].request.content else { panic!("{wave:?}") };
    chat.max_tokens = Some(10);
    let forecast = world.asker.forecast(&wave[..1]).into_values().next().unwrap();
    assert_eq!(forecast.once.usage.completion, 10);
}

#[test]
fn modes_prefer_the_log_or_do_not() {
    let server = Server::start(|number, _| answer(&number.to_string()));
    let folder = tempfile::tempdir().unwrap();
    let setting = |mode| Setting { mode, ..Setting::default() };
    let frozen = world(folder.path(), &server.url, setting(Mode::Frozen));
    let fault = frozen.asker.ask(&frozen.wave(2)).unwrap_err();
    assert!(whole(&fault).contains("2 answers are not in the log"), "{}", whole(&fault));
    assert!(whole(&fault).contains("2 requests, about"), "{}", whole(&fault));

    let prefer = world(folder.path(), &server.url, setting(Mode::Prefer));
    assert_eq!(prefer.ask_one().unwrap(), "0");
    assert_eq!(prefer.ask_one().unwrap(), "0");
    let frozen = world(folder.path(), &server.url, setting(Mode::Frozen));
    assert_eq!(frozen.ask_one().unwrap(), "0");
    assert_eq!(server.count(), 1);

    let live = world(folder.path(), &server.url, setting(Mode::Live));
    assert_eq!(live.asker.get(&live.wave(1)[0].key).unwrap(), None);
    assert_eq!(live.ask_one().unwrap(), "1");
    assert_eq!(live.ask_one().unwrap(), "1");
    assert_eq!((server.count(), live.log.len(), live.log.conflicts()), (2, 2, 1));
}

#[test]
fn equal_requests_are_asked_once() {
    let server =
        Server::start(|_, _| Act::Wait(Duration::from_millis(50), Box::new(answer("good"))));
    let folder = tempfile::tempdir().unwrap();
    let world = world(folder.path(), &server.url, Setting::default());
    let mut wave = world.wave(3);
    wave.extend(world.wave(3));
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| world.asker.ask(&wave).unwrap());
        }
    });
    assert_eq!(server.count(), 3);
}
