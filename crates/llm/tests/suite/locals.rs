//! Models that answer on this machine: logged and replayed like others, and never run where a run is frozen.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use serde_json::{Value, json};
use storymill_core::{Asker, Content, Fault, FaultKind, Request};
use storymill_llm::{Heard, Local, Mode};

use crate::world::{Setting, World, whole, world};

/// Says what it was told, and how often it was asked.
#[derive(Debug, Default)]
struct Parrot {
    asked: AtomicUsize,
    lame: bool,
}

impl Local for Parrot {
    fn id(&self) -> &'static str {
        "parrot 1"
    }

    fn ready(&self) -> Result<(), Fault> {
        if self.lame { Err(Fault::new(FaultKind::Input, "no parrot")) } else { Ok(()) }
    }

    fn answer(&self, raw: &Value, _: &AtomicBool) -> Result<Heard, Fault> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        Ok(raw["say"].to_string().into())
    }
}

fn with(parrot: &Arc<Parrot>, folder: &std::path::Path, mode: Mode) -> World {
    let World { asker, log, ear, stop } =
        world(folder, "http://127.0.0.1:9/v1", Setting { mode, ..Setting::default() });
    World {
        asker: asker.with_local("parrot", Arc::clone(parrot) as Arc<dyn Local>),
        log,
        ear,
        stop,
    }
}

fn wave(world: &World) -> Vec<storymill_core::Asked> {
    let request = |number| {
        let content = Content::Raw(json!({ "say": number }));
        Request { model: "parrot".into(), content, tries: 1 }
    };
    (0..50).map(|number| world.asked("84", request(number), 0, 0)).collect()
}

#[test]
fn answers_made_here_are_logged_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let parrot = Arc::new(Parrot::default());
    let first = with(&parrot, folder.path(), Mode::Prefer);
    let asked = wave(&first);
    first.asker.ask(&asked).unwrap();
    first.asker.ask(&asked).unwrap();
    assert_eq!((parrot.asked.load(Ordering::SeqCst), first.log.len()), (50, 50));
    assert_eq!(first.asker.answered_here(), 50);
    assert_eq!(first.asker.get(&asked[7].key).unwrap().unwrap().text, "7");
    assert!(first.asker.ledger().is_empty() && first.asker.forecast(&asked).is_empty());
    assert_eq!(first.asker.model_id("parrot").unwrap(), "parrot 1");
    drop(first);

    let lame = Arc::new(Parrot { lame: true, ..Parrot::default() });
    let frozen = with(&lame, folder.path(), Mode::Frozen);
    frozen.asker.ask(&wave(&frozen)).unwrap();
    assert_eq!(lame.asked.load(Ordering::SeqCst), 0);

    let live = with(&parrot, folder.path(), Mode::Live);
    assert_eq!(live.asker.get(&asked[7].key).unwrap(), None);
    live.asker.ask(&asked).unwrap();
    assert_eq!(parrot.asked.load(Ordering::SeqCst), 100);
    assert!(live.asker.get(&asked[7].key).unwrap().is_some());
}

#[test]
fn a_frozen_run_does_not_ask_and_a_missing_model_is_said_first() {
    let folder = tempfile::tempdir().unwrap();
    let parrot = Arc::new(Parrot::default());
    let frozen = with(&parrot, folder.path(), Mode::Frozen);
    let fault = frozen.asker.ask(&wave(&frozen)).unwrap_err();
    assert!(
        fault.kind == FaultKind::Lock && whole(&fault).contains("this machine"),
        "{}",
        whole(&fault)
    );
    let lame = Arc::new(Parrot { lame: true, ..Parrot::default() });
    let other = with(&lame, folder.path(), Mode::Prefer);
    assert!(whole(&other.asker.ask(&wave(&other)).unwrap_err()).contains("no parrot"));
    assert_eq!((parrot.asked.load(Ordering::SeqCst), other.log.len()), (0, 0));
    other.stop.store(true, Ordering::SeqCst);
    assert_eq!(other.asker.ask(&wave(&other)).unwrap_err().kind, FaultKind::Interrupted);
}
