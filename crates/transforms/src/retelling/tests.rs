//! A model for tests: it looks at the messages and answers by script.

use std::{collections::BTreeMap, sync::Mutex};

use storymill_core::{
    Answer, Asked, Asker, Cx, Fault, RequestKey, Seed, Stage, Stop, Trace, UnitId,
};

/// Says what is answered to a request.
type Script<'s> = dyn Fn(&Asked, &str) -> (String, &'static str) + Sync + 's;

/// Answers by script, and remembers.
pub(crate) struct Scripted<'s> {
    script: Box<Script<'s>>,
    log: Mutex<BTreeMap<RequestKey, Answer>>,
    /// How many requests of a wave are answered before the run goes on, and from which end.
    pub(crate) at_once: usize,
    pub(crate) backwards: bool,
}

impl<'s> Scripted<'s> {
    /// `script` sees the request and the text of its messages, and gives text and finish reason.
    pub(crate) fn new(script: impl Fn(&Asked, &str) -> (String, &'static str) + Sync + 's) -> Self {
        let (script, log) = (Box::new(script), Mutex::default());
        Self { script, log, at_once: usize::MAX, backwards: false }
    }
}

impl Asker for Scripted<'_> {
    fn get(&self, key: &RequestKey) -> Result<Option<Answer>, Fault> {
        Ok(self.log.lock().unwrap().get(key).cloned())
    }

    fn ask(&self, wave: &[Asked]) -> Result<(), Fault> {
        let mut wave: Vec<&Asked> = wave.iter().collect();
        if self.backwards {
            wave.reverse();
        }
        for asked in wave.into_iter().take(self.at_once) {
            let text: Vec<_> = asked.request.chat().unwrap().texts().collect();
            let (text, finish_reason) = (self.script)(asked, &text.join("\n"));
            let answer = Answer { text, finish_reason: finish_reason.into() };
            self.log.lock().unwrap().insert(asked.key, answer);
        }
        Ok(())
    }
}

/// Runs a stage on the unit `t` as the engine does: again and again until nothing waits. Also
/// tells how many requests were asked.
pub(crate) fn run<S: Stage>(
    stage: &S,
    input: impl Fn() -> S::In,
    asker: &Scripted<'_>,
) -> (Vec<S::Out>, Trace, usize) {
    let unit: UnitId = "t".parse().unwrap();
    for _ in 0..5000 {
        let mut cx = Cx::new(S::KIND, &unit, Seed::new(2023), asker);
        let rows = stage.run(input(), &mut cx);
        let (trace, waiting) = cx.finish();
        match rows {
            Ok(rows) => return (rows, trace, asker.log.lock().unwrap().len()),
            Err(Stop::Waiting) => asker.ask(&waiting).unwrap(),
            Err(other) => panic!("{other:?}"),
        }
    }
    panic!("it never ends");
}

/// The reject codes of a trace by item.
pub(crate) fn rejects(trace: &Trace) -> Vec<(&str, &str)> {
    trace.rejects.iter().map(|reject| (&reject.item[..], &reject.reason.code[..])).collect()
}

/// A text in the begin tag.
pub(crate) fn tagged(text: &str) -> (String, &'static str) {
    (format!("### BEGIN ANSWER ###\n{text}"), "stop")
}

/// What stands between a tag and its end in a prompt.
pub(crate) fn between<'t>(text: &'t str, name: &str) -> &'t str {
    let (open, close) = (format!("\n<{name}>\n"), format!("\n</{name}>"));
    let from = text.find(&open).unwrap() + open.len();
    text[from..from + text[from..].find(&close).unwrap()].trim()
}
