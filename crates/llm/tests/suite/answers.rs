//! What one can do with a log besides asking.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use serde_json::json;
use storymill_core::{Asker, Disk, FaultKind};
use storymill_disk::RealDisk;
use storymill_llm::{
    AnswerLog,
    answers::{calls, explain, gc, import, notes, pack, stats, verify},
};

use crate::{
    log::{answer, key, only_file, open, put},
    server::{Act, Server, answer as say},
    world::{Setting, request, world},
};

#[test]
fn a_pack_for_a_lock_rebuilds_with_no_model() {
    let server = Server::start(|number, _| say(&format!("answer {number}")));
    let folder = tempfile::tempdir().unwrap();
    let live = world(
        folder.path(),
        &server.url,
        Setting { lines: "concurrency = 1", ..Setting::default() },
    );
    let wave = live.wave(10);
    live.asker.ask(&wave).unwrap();
    let packs = tempfile::tempdir().unwrap();
    let keys = wave.iter().take(7).map(|asked| asked.key);
    let packed = pack(&live.log, keys, packs.path()).unwrap();
    assert_eq!((packed.answers, packed.files.len(), packed.missing.len()), (7, 1, 0));
    let bytes = std::fs::read(&packed.files[0]).unwrap();
    let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds("answer 3") && !holds("messages") && !holds("127.0.0.1"), "key and answer only");

    let empty = tempfile::tempdir().unwrap();
    let setting = Setting { packs: vec![packs.path().to_owned()], ..Setting::default() };
    let frozen = world(empty.path(), "http://127.0.0.1:9", setting);
    frozen.asker.ask(&wave[..7]).unwrap();
    assert_eq!(frozen.asker.get(&wave[6].key).unwrap().unwrap().text, "answer 6");
    assert!(RealDisk.list(empty.path()).unwrap().is_empty(), "reading writes nothing");

    let imported = import(&frozen.log, &[packs.path().to_owned()], "a friend").unwrap();
    assert_eq!((imported.added, imported.same), (0, 7));
    let fresh = AnswerLog::open(empty.path(), &[], Arc::new(RealDisk)).unwrap();
    let imported = import(&fresh, &[packs.path().to_owned()], "a friend").unwrap();
    assert_eq!((imported.added, imported.refused.len()), (7, 0));
    let mut origins = BTreeSet::new();
    notes(empty.path(), &RealDisk, None, |_, note| {
        origins.insert(note.origin);
    })
    .unwrap();
    assert!(origins.iter().all(|origin| origin.starts_with("a friend: ")), "{origins:?}");
}

#[test]
fn lines_are_imported_under_keys_that_are_computed_here() {
    let folder = tempfile::tempdir().unwrap();
    let world = world(folder.path(), "http://127.0.0.1:9", Setting::default());
    let asked = world.asked("84", request("0"), 0, 0);
    let body: serde_json::Value =
        serde_json::from_str(&world.asker.canonical(&asked.request, 0, 0).unwrap()).unwrap();
    let good = json!({ "unit": "84", "model_id": "tiny", "body": body, "text": "Told by hand.",
        "finish_reason": "stop", "headers": { "Set-Cookie": "x", "Server": "a pen" } });
    let mut wrong = good.clone();
    wrong["key"] = json!(key(5).0.to_string());
    let rows = [
        good.to_string(),
        wrong.to_string(),
        "{".to_owned(),
        json!({ "text": "no key" }).to_string(),
        json!({ "key": key(9).0.to_string(), "text": "by key alone" }).to_string(),
        json!({ "key": key(9).0.to_string(), "text": "x", "surprise": 1 }).to_string(),
        json!({ "unit": "../x", "model_id": "tiny", "body": {}, "text": "x" }).to_string(),
    ];
    let path = folder.path().join("rows.jsonl");
    std::fs::write(&path, rows.join("\n")).unwrap();
    let imported = import(&world.log, std::slice::from_ref(&path), "by hand").unwrap();
    assert_eq!((imported.added, imported.same, imported.conflicts), (2, 0, 0));
    let lines: Vec<u64> = imported.refused.iter().map(|refused| refused.at).collect();
    assert_eq!(lines, [2, 3, 4, 6, 7]);
    assert_eq!(world.asker.get(&asked.key).unwrap().unwrap().text, "Told by hand.");
    notes(folder.path(), &RealDisk, Some(&asked.unit), |_, note| {
        assert_eq!(
            note.headers.into_iter().collect::<Vec<_>>(),
            [("server".into(), "a pen".into())]
        );
    })
    .unwrap();
    let none = import(&world.log, &[folder.path().join("nothing")], "").unwrap_err();
    assert_eq!(none.kind, FaultKind::Input);
}

#[test]
fn an_import_never_overrides_what_a_lock_has_read() {
    let (mine, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let read = if answer("a").digest() < answer("b").digest() { ["b", "a"] } else { ["a", "b"] };
    let other = open(theirs.path());
    put(&other, 1, read[1]);
    other.seal().unwrap();
    let log = open(mine.path());
    put(&log, 1, read[0]);
    let imported = import(&log, &[theirs.path().to_owned()], "").unwrap();
    assert_eq!(imported.conflicts, 1);
    let log = open(mine.path());
    log.favour([(key(1), answer(read[0]).digest())]);
    assert_eq!(log.get(&key(1)).unwrap(), Some(answer(read[0])));
    assert_eq!(stats(&log).unwrap().conflicts, 1);
}

#[test]
fn a_bomb_in_a_pack_is_refused() {
    let (folder, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let other = open(theirs.path());
    put(&other, 1, &"x".repeat(100_000));
    other.seal().unwrap();
    let path = only_file(theirs.path(), "pack");
    let whole = std::fs::read(&path).unwrap();
    // The unpacked length stands behind head, key and tag: 16 + 18 + 64.
    for length in [u32::MAX, 1 << 25, 0, 5] {
        let mut bytes = whole.clone();
        bytes[98..102].copy_from_slice(&length.to_le_bytes());
        let payload = u32::from_le_bytes(bytes[20..24].try_into().unwrap()) as usize;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&bytes[20..26]);
        hasher.update(&bytes[34..34 + payload]);
        let sum = hasher.finalize();
        bytes[26..34].copy_from_slice(&sum.as_bytes()[..8]);
        std::fs::write(&path, &bytes).unwrap();
        let imported = import(&open(folder.path()), std::slice::from_ref(&path), "").unwrap();
        assert_eq!((imported.added, imported.refused.len()), (0, 1), "{length}");
    }
}

#[test]
fn a_sweep_keeps_what_is_to_be_kept() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path());
    (0..20).for_each(|number| put(&log, number, "an answer"));
    let keep: BTreeSet<_> = (0..5).map(key).collect();
    let busy = gc(folder.path(), &RealDisk, &keep, false).unwrap_err();
    assert_eq!(busy.kind, FaultKind::Again, "a living writer is not swept under");
    log.seal().unwrap();
    let dry = gc(folder.path(), &RealDisk, &keep, true).unwrap();
    assert_eq!((dry.kept, dry.removed, dry.bytes_before), (5, 15, dry.bytes_after));
    assert_eq!(open(folder.path()).len(), 20);
    let swept = gc(folder.path(), &RealDisk, &keep, false).unwrap();
    assert!(swept.bytes_after < swept.bytes_before);
    let log = open(folder.path());
    assert_eq!(log.keys(), keep.into_iter().collect::<Vec<_>>());
    assert!(verify(&[folder.path()], &RealDisk).unwrap().findings.is_empty());
}

#[test]
fn verification_finds_every_changed_byte_of_a_pack() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path());
    (0..3).for_each(|number| put(&log, number, "an answer"));
    log.seal().unwrap();
    assert!(verify(&[folder.path()], &RealDisk).unwrap().findings.is_empty());
    let path = only_file(folder.path(), "pack");
    let whole = std::fs::read(&path).unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        assert!(!verify(&[folder.path()], &RealDisk).unwrap().findings.is_empty(), "byte {at}");
        // Whatever it is, what is read is right or refused, and opening never fails.
        let log = open(folder.path());
        for number in 0..3 {
            if let Ok(Some(read)) = log.get(&key(number)) {
                assert_eq!(read, answer("an answer"));
            }
        }
    }
}

#[test]
fn a_miss_is_explained_by_its_nearest_neighbour() {
    let server = Server::start(|_, _| say("good"));
    let folder = tempfile::tempdir().unwrap();
    let before = world(folder.path(), &server.url, Setting::default());
    before.asker.ask(&before.wave(5)).unwrap();
    let after = world(
        folder.path(),
        &server.url,
        Setting { lines: "temperature = 0.7", ..Setting::default() },
    );
    let unit = "84".parse().unwrap();
    let found = explain(&after.log, &after.asker, &unit, &request("3"), (0, 0)).unwrap();
    assert!(!found.in_log && found.request.contains("\"temperature\":0.7"));
    assert_eq!(found.nearest, Some(before.wave(5)[3].key));
    assert_eq!(found.differences.len(), 1, "{found:?}");
    let difference = &found.differences[0];
    assert_eq!(difference.field, "temperature");
    assert_eq!((difference.here.as_deref(), difference.there.as_deref()), (Some("0.7"), Some("0")));
    let again = explain(&before.log, &before.asker, &unit, &request("3"), (0, 0)).unwrap();
    assert!(again.in_log && again.nearest.is_none());
    let other = explain(&after.log, &after.asker, &"85".parse().unwrap(), &request("3"), (0, 0));
    assert_eq!(other.unwrap().nearest, None);
}

#[test]
fn statistics_add_up() {
    let server = Server::start(|_, _| say("good"));
    let folder = tempfile::tempdir().unwrap();
    let world = world(folder.path(), &server.url, Setting::default());
    world.asker.ask(&world.wave(4)).unwrap();
    world.asker.ask(&[world.asked("85", request("x"), 0, 0)]).unwrap();
    world.log.seal().unwrap();
    let stats = stats(&open(folder.path())).unwrap();
    assert_eq!((stats.answers, stats.packs, stats.segments, stats.conflicts), (5, 1, 0, 0));
    assert_eq!(stats.uses.len(), 1);
    let row = &stats.uses[0];
    assert_eq!(
        (row.stage.as_str(), row.answers, row.units, row.usage.prompt),
        ("summarize", 5, 2, 50)
    );
}

#[test]
fn calls_tell_how_long_answers_took() {
    let slow = Duration::from_millis(120);
    let server = Server::start(move |_, _| Act::Wait(slow, Box::new(say("good"))));
    let folder = tempfile::tempdir().unwrap();
    let world = world(folder.path(), &server.url, Setting::default());
    world.asker.ask(&world.wave(3)).unwrap();
    // Nobody waited for this one.
    put(&world.log, 9, "by hand");
    let calls = calls(&open(folder.path())).unwrap();
    assert_eq!(calls.len(), 3, "{calls:?}");
    for call in &calls {
        assert!((120..60_000).contains(&call.millis), "{call:?}");
        assert_eq!(
            (call.stage.as_str(), call.tokens_in, call.tokens_out),
            ("summarize", Some(10), Some(5))
        );
    }
    assert!(calls.is_sorted());
}
