//! A small world for tests: a log in a folder, a model on loopback, waves of requests.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Arc, Mutex, atomic::AtomicBool},
};

use storymill_core::{Asked, Asker, Chat, Content, Disk, Fault, Request};
use storymill_disk::RealDisk;
use storymill_llm::{
    AnswerLog, AskEvent, AskEvents, AskerOptions, Limits, Mode, ModelAsker, ModelConfig, Prices,
    wire::Wires,
};

/// Keeps what it hears.
#[derive(Default)]
pub(crate) struct Ear(pub(crate) Mutex<Vec<AskEvent>>, pub(crate) Mutex<Vec<String>>);

impl AskEvents for Ear {
    fn emit(&self, event: AskEvent) {
        self.0.lock().unwrap().push(event);
    }

    fn leaving(&self, asked: &Asked, _: &ModelConfig) -> Result<(), Fault> {
        let Content::Chat(chat) = &asked.request.content else { unreachable!("all are chats") };
        self.1.lock().unwrap().push(chat.turns[0].text.clone());
        Ok(())
    }
}

pub(crate) struct World {
    pub(crate) asker: ModelAsker,
    pub(crate) log: Arc<AnswerLog>,
    pub(crate) ear: Arc<Ear>,
    pub(crate) stop: Arc<AtomicBool>,
}

/// How a world differs from the plain one.
#[derive(Default)]
pub(crate) struct Setting {
    pub(crate) lines: &'static str,
    pub(crate) mode: Mode,
    pub(crate) limits: Limits,
    pub(crate) prices: &'static str,
    pub(crate) key: Option<&'static str>,
    pub(crate) disk: Option<Arc<dyn Disk>>,
    pub(crate) packs: Vec<std::path::PathBuf>,
    pub(crate) wires: Wires,
    /// Where what is asked may go, beside this machine, where it is private.
    pub(crate) private: Option<Vec<String>>,
}

pub(crate) fn world(folder: &Path, url: &str, setting: Setting) -> World {
    let text = format!("url = \"{url}\"\nmodel = \"tiny\"\nretries = 4\n{}", setting.lines);
    let config = ModelConfig::parse(&text).unwrap();
    let disk = setting.disk.unwrap_or_else(|| Arc::new(RealDisk));
    let log = Arc::new(AnswerLog::open(folder, &setting.packs, disk).unwrap());
    let (ear, stop) = (Arc::new(Ear::default()), Arc::new(AtomicBool::new(false)));
    let options = AskerOptions {
        mode: setting.mode,
        limits: setting.limits,
        prices: Prices::parse(setting.prices).unwrap(),
        wires: setting.wires,
        private_to: setting.private,
    };
    let models = BTreeMap::from([("default".to_owned(), config)]);
    let env = move |_: &str| setting.key.map(str::to_owned);
    let (log2, ear2, stop2) = (Arc::clone(&log), Arc::clone(&ear), Arc::clone(&stop));
    let asker = ModelAsker::new(log2, models, options, Box::new(env), ear2, stop2).unwrap();
    World { asker, log, ear, stop }
}

pub(crate) fn request(text: &str) -> Request {
    of_chat(Chat::new(text))
}

pub(crate) fn of_chat(chat: Chat) -> Request {
    Request { model: "default".to_owned(), content: Content::Chat(chat), tries: 3 }
}

impl World {
    /// A request as the engine would note it.
    pub(crate) fn asked(&self, unit: &str, request: Request, sample: u32, attempt: u32) -> Asked {
        let unit = unit.parse().unwrap();
        let key = self.asker.key(&unit, &request, sample, attempt).unwrap();
        Asked {
            key,
            stage: "summarize",
            item: Some(format!("{unit}/0")),
            unit,
            request,
            sample,
            attempt,
        }
    }

    /// Requests `0`, `1`, ... of unit `84`.
    pub(crate) fn wave(&self, count: usize) -> Vec<Asked> {
        let one = |number: usize| self.asked("84", request(&number.to_string()), 0, 0);
        (0..count).map(one).collect()
    }

    /// Asks one request; its text.
    pub(crate) fn ask_one(&self) -> Result<String, Fault> {
        let wave = self.wave(1);
        self.asker.ask(&wave)?;
        Ok(self.asker.get(&wave[0].key)?.unwrap().text)
    }

    pub(crate) fn events(&self) -> Vec<AskEvent> {
        self.ear.0.lock().unwrap().clone()
    }

    pub(crate) fn retries(&self) -> usize {
        let retry = |event: &&AskEvent| matches!(event, AskEvent::Retrying { .. });
        self.events().iter().filter(retry).count()
    }
}

/// A fault with everything it says.
pub(crate) fn whole(fault: &Fault) -> String {
    let mut text = format!("{fault} {:?}", fault.hint);
    let mut source = std::error::Error::source(fault);
    while let Some(error) = source {
        text = format!("{text} {error} {error:?}");
        source = error.source();
    }
    text
}
