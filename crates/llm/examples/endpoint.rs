//! Tries an endpoint by hand: waits until it is ready, examines it, asks it a few things twice.
//!
//! `cargo run --release -p storymill-llm --example endpoint -- http://127.0.0.1:8080/v1 MODEL`

#![expect(clippy::print_stdout, reason = "an example says what it sees")]

use std::{
    collections::BTreeMap,
    error::Error,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use storymill_core::{Asked, Asker, Chat, Content, Request};
use storymill_llm::{
    AnswerLog, AskerOptions, ModelAsker, ModelConfig,
    doctor::{doctor, wait_ready},
    log::RealDisk,
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let url = arguments.next().ok_or("give the address of an endpoint")?;
    let model = arguments.next().unwrap_or_else(|| "default".to_owned());
    let text = format!(
        "url = \"{url}\"\nmodel = \"{model}\"\nmax_tokens = 48\nconcurrency = 2\nextra = {{ cache_prompt = false }}"
    );
    let config = ModelConfig::parse(&text)?;
    let stop = Arc::new(AtomicBool::new(false));
    wait_ready(&config, &|_| None, Duration::from_mins(1), &stop)?;
    let diagnosis = doctor(&config, &|_| None, Some(4000), &stop)?;
    println!("{}", diagnosis.endpoint);
    for check in &diagnosis.checks {
        println!("  {:8} {:?}: {}", check.name, check.verdict, check.detail);
    }
    let folder = tempfile::tempdir()?;
    let models = BTreeMap::from([("default".to_owned(), config)]);
    for round in 1..=2 {
        let log = Arc::new(AnswerLog::open(folder.path(), &[], Arc::new(RealDisk))?);
        let (log, models, stop) = (Arc::clone(&log), models.clone(), Arc::clone(&stop));
        let options = AskerOptions::default();
        let asker = ModelAsker::new(log, models, options, Box::new(|_| None), Arc::new(()), stop)?;
        let start = Instant::now();
        let wave = (0..4).map(|sample| asked(&asker, sample)).collect::<Result<Vec<_>, _>>()?;
        asker.ask(&wave)?;
        println!("round {round}: {:.2} s, {:?}", start.elapsed().as_secs_f64(), asker.ledger());
        for asked in &wave {
            println!("  {:?}", asker.get(&asked.key)?);
        }
    }
    Ok(())
}

fn asked(asker: &ModelAsker, sample: u32) -> Result<Asked, Box<dyn Error>> {
    let chat = Chat::new("Tell in one sentence what happens in a fairy tale.");
    let content = Content::Chat(chat);
    let request = Request { model: "default".to_owned(), content, tries: 1 };
    let unit = "84".parse()?;
    let key = asker.key(&unit, &request, sample, 0)?;
    Ok(Asked { key, stage: "try", unit, item: None, request, sample, attempt: 0 })
}
