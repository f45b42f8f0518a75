//! Makes one false retelling: asks for pairs and for twins, or for all in one go.

use minijinja::{Value, context};
use storymill_core::{Answer, Cx, Distortion, Edit, Fault, Item, Reason, Schema, Stop, Summary};

use super::{Distort, How, Wanted, account::Account, repeated::Made, variants};
use crate::{
    asking::{Asking, Asks},
    retelling::{
        answer::{Protocol, pairs, pairs_schema, retelling, retelling_schema},
        checks::{similarity_pm, too_near},
        event,
        prompt::{Ask, Prompt, Taken},
        tokens::{Telling, content, tokens},
    },
};

/// The places of its templates.
const EDITS: usize = 0;
const RETELL: usize = 1;
const REWRITE: usize = 2;

/// How many questions one false retelling takes.
pub(super) fn questions(how: How) -> u64 {
    match how {
        // Pairs of events, then the true twin and the false one.
        How::Edits => 3,
        How::Rewrite => 1,
    }
}

/// About how many symbols the words of one question have, without what it is about.
pub(super) fn prompt_symbols(how: How) -> u64 {
    let length = |at: usize| Distort::TEMPLATES[at].1.len();
    let symbols = match how {
        How::Edits => (length(EDITS) + 2 * length(RETELL)) / 3,
        How::Rewrite => length(REWRITE),
    };
    symbols as u64
}

/// The options of a run with its templates and schemas.
pub(super) struct Maker<'d> {
    stage: &'d Distort,
    asking: Asking<'d>,
    /// What asks for pairs whose events change places, where several false retellings are made of them.
    exchanges: Option<Prompt>,
    pairs: Option<Schema>,
    text: Option<Schema>,
    instructions: String,
}

impl<'d> Maker<'d> {
    pub(super) fn new(stage: &'d Distort) -> Result<Self, Fault> {
        let json = stage.answers == Protocol::Json;
        let (name, text) = variants::EXCHANGES;
        let exchanges =
            (stage.variants > 1).then(|| Prompt::new(stage.prompt_edits.as_ref(), name, text));
        let mut maker = Self {
            stage,
            exchanges: exchanges.transpose()?,
            asking: stage.asking(&[
                &stage.prompt_edits,
                &stage.prompt_retell,
                &stage.prompt_rewrite,
            ])?,
            pairs: json.then(pairs_schema),
            text: json.then(|| retelling_schema(stage.checks.longest)),
            instructions: String::new(),
        };
        let events: Vec<&str> = Vec::new();
        let blank = maker.variables("", 0, 0, context! { words => 0, events => events });
        let template = if stage.protocol == How::Edits { RETELL } else { REWRITE };
        maker.instructions = maker.asking.with(template).prompt.instructions(&blank);
        Ok(maker)
    }

    /// By pairs of events, with a true twin.
    pub(super) fn edit(&self, wanted: &Wanted<'_>, cx: &mut Cx<'_>) -> Result<Made, Stop> {
        let edits = self.pairs(wanted, cx)?;
        let checks = &self.stage.checks;
        let events = edits.value.iter().map(|edit| edit.true_event.clone()).collect();
        let truth = self.twin(wanted, events, cx, |_, told| {
            event::true_twin(told, &edits.value, &wanted.account.telling, checks)
        });
        if let Err(stop @ (Stop::Reject(_) | Stop::LeftOut(_) | Stop::Fault(_))) = truth {
            return Err(stop);
        }
        // The false twin is asked for even while the true one is on its way; that the two differ
        // is looked at last, so that a reason seen without the true one stays the reason.
        let events = edits.value.iter().map(|edit| edit.false_event.clone()).collect();
        let lie = self.twin(wanted, events, cx, |text, told| {
            event::false_twin(told, &edits.value, checks)?;
            truth.as_ref().map_or(Ok(()), |truth| too_near(text, &truth.value, checks.twin_pm))
        });
        let (truth, lie) = (truth?, lie?);
        let tries = edits.tries.max(truth.tries).max(lie.tries);
        let answers = vec![edits.digest(), truth.digest(), lie.digest()];
        let row = row(wanted, "edits", lie.value, truth.value, edits.value);
        Ok(Made { row: Distortion { answers, ..row }, span: wanted.account.span, tries })
    }

    /// Several of one list of pairs, with a true twin that they share.
    pub(super) fn variants(&self, wanted: &Wanted<'_>, cx: &mut Cx<'_>) -> Result<Vec<Made>, Stop> {
        let edits = self.pairs(wanted, cx)?;
        let mut draw = cx.stream(&wanted.item_id(), "variants");
        let changes = variants::draw(edits.value.len(), self.stage.variants, &mut draw);
        // All are asked for at once, so that none waits for another.
        let told: Vec<_> = std::iter::once(0)
            .chain(changes.iter().copied())
            .map(|changed| {
                let (lies, truths) = variants::parted(&edits.value, changed);
                let event = |(at, edit): (usize, &Edit)| match changed >> at & 1 {
                    0 => edit.true_event.clone(),
                    _ => edit.false_event.clone(),
                };
                let events = edits.value.iter().enumerate().map(event).collect();
                self.twin(wanted, events, cx, |_, told| {
                    let (account, checks) = (&wanted.account.telling, &self.stage.checks);
                    event::variant(told, (&lies, &truths), account, checks)
                })
            })
            .collect();
        let told = told.into_iter().collect::<Result<Vec<_>, Stop>>()?;
        let (truth, lies) = told.split_first().expect("the true twin comes first");
        let made = lies.iter().zip(changes).zip(0..).map(|((lie, changed), sample)| {
            let (changed, _) = variants::parted(&edits.value, changed);
            let row = row(wanted, "exchanges", lie.value.clone(), truth.value.clone(), changed);
            let answers = vec![edits.digest(), truth.digest(), lie.digest()];
            let tries = edits.tries.max(truth.tries).max(lie.tries);
            Made { row: Distortion { sample, answers, ..row }, span: wanted.account.span, tries }
        });
        Ok(made.collect())
    }

    /// The pairs of events that are changed.
    fn pairs(&self, wanted: &Wanted<'_>, cx: &mut Cx<'_>) -> Result<Taken<Vec<Edit>>, Stop> {
        let summary = wanted.account.summary;
        let more = context! { pairs => self.stage.pairs };
        let variables = self.variables(&summary.text, summary.level, wanted.sample, more);
        let usual = self.asking.with(EDITS);
        let prompt = self.exchanges.as_ref().unwrap_or(usual.prompt);
        let ask = Ask { schema: self.pairs.as_ref(), prompt, ..usual };
        let judge = |answer: &Answer| self.good_pairs(answer, &wanted.account);
        ask.first(cx, wanted.sample, &variables, judge)
    }

    /// In one go.
    pub(super) fn rewrite(&self, wanted: &Wanted<'_>, cx: &mut Cx<'_>) -> Result<Made, Stop> {
        let summary = wanted.account.summary;
        let more = context! { words => tokens(&summary.text).len() };
        let variables = self.variables(&summary.text, summary.level, wanted.sample, more);
        let ask = Ask { schema: self.text.as_ref(), ..self.asking.with(REWRITE) };
        let taken = ask.first(cx, wanted.sample, &variables, |answer| {
            let text = self.text(answer, &wanted.account)?;
            too_near(&text, &summary.text, self.stage.checks.rewrite_pm)?;
            Ok(text)
        })?;
        let (answers, tries) = (vec![taken.digest()], taken.tries);
        let row = row(wanted, "rewrite", taken.value, summary.text.clone(), Vec::new());
        Ok(Made { row: Distortion { answers, ..row }, span: wanted.account.span, tries })
    }

    fn variables(&self, summary: &str, level: u8, sample: u32, more: Value) -> Value {
        let protocol = self.stage.answers.word();
        context! { summary, level, sample, protocol, ..more }
    }

    /// The pairs of an answer that are good, where enough of them are.
    fn good_pairs(&self, answer: &Answer, account: &Account<'_>) -> Result<Vec<Edit>, Reason> {
        let mut good: Vec<Edit> = Vec::new();
        let mut first = None;
        for edit in pairs(self.stage.answers, answer)? {
            let known = |other: &Edit| content(&other.true_event) == content(&edit.true_event);
            match event::judge(&edit, &account.telling, &account.scenes, &self.stage.checks) {
                Ok(()) if !good.iter().any(known) => good.push(edit),
                Ok(()) => {}
                Err(reason) => first = first.or(Some(reason)),
            }
        }
        if good.len() < self.stage.least_pairs as usize {
            let few = || Reason::new("no-pairs", format!("{} pairs are too few", good.len()));
            return Err(first.unwrap_or_else(few));
        }
        good.truncate(self.stage.pairs as usize);
        Ok(good)
    }

    /// The account retold so that these events happen in it.
    fn twin(
        &self,
        wanted: &Wanted<'_>,
        events: Vec<String>,
        cx: &mut Cx<'_>,
        check: impl Fn(&str, &Telling) -> Result<(), Reason>,
    ) -> Result<Taken<String>, Stop> {
        let Summary { text, level, .. } = wanted.account.summary;
        let more = context! { words => tokens(text).len(), events };
        let variables = self.variables(text, *level, wanted.sample, more);
        let ask = Ask { schema: self.text.as_ref(), ..self.asking.with(RETELL) };
        ask.first(cx, wanted.sample, &variables, |answer| {
            let text = self.text(answer, &wanted.account)?;
            check(&text, &Telling::of(&text, wanted.account.languages[0]))?;
            Ok(text)
        })
    }

    /// The text of an answer, fit in itself.
    fn text(&self, answer: &Answer, account: &Account<'_>) -> Result<String, Reason> {
        let found = retelling(self.stage.answers, answer)?;
        // The model never saw the scenes, so there is nothing to copy from.
        self.stage.checks.text(&found, "", &self.instructions, &account.languages)?;
        Ok(found.text)
    }
}

fn row(
    wanted: &Wanted<'_>,
    protocol: &str,
    text: String,
    twin: String,
    edits: Vec<Edit>,
) -> Distortion {
    let summary = wanted.account.summary;
    Distortion {
        book: summary.book.clone(),
        summary: summary.id(),
        level: summary.level,
        first_scene: summary.first_scene,
        last_scene: summary.last_scene,
        sample: wanted.sample,
        protocol: protocol.into(),
        similarity_pm: similarity_pm(&text, &twin),
        text,
        twin,
        edits,
        answers: Vec::new(),
    }
}
