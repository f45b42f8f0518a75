//! How a judge is asked, and the row that comes of it.

use minijinja::Value;
use storymill_core::{
    Answer, Chat, Content, Cx, Encoding, Fault, Judgement, PartVerdict, Request, Retold, Status,
    Stop,
};

use crate::{
    evaluation::{
        counting::{count, no_tokens},
        parse::heard,
    },
    retelling::prompt::Prompt,
};

/// Who judges, and how much it may read and write.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judge<'a> {
    /// The model's name in the workflow.
    pub(super) model: &'a str,
    /// What rows call it; blank for its name in the workflow.
    pub(super) called: &'a str,
    /// Tokens of request and answer together.
    pub(super) window: Option<u32>,
    /// What they are counted in.
    pub(super) tokens: Encoding,
    /// Tokens of the answer.
    pub(super) max_tokens: u32,
}

impl Judge<'_> {
    /// What the judge says to a prompt, asked once; or how the asking ended.
    pub(super) fn ask(
        &self,
        prompt: &Prompt,
        variables: &Value,
        cx: &mut Cx<'_>,
    ) -> Result<Result<String, Status>, Stop> {
        let chat = Chat { max_tokens: Some(self.max_tokens), ..prompt.chat(variables)? };
        let request = |_: Option<&_>| Request {
            model: self.model.to_owned(),
            content: Content::Chat(chat.clone()),
            tries: 1,
        };
        let answer: Answer = cx.ask(0, request, |answer| Ok(answer.clone()))?;
        let written = cx.written()?;
        Ok(heard(&answer, written, self.max_tokens).map(str::to_owned))
    }

    /// How many tokens of source there is room for beside the rest of a prompt.
    pub(super) fn room(&self, prompt: &Prompt, bare: &Value) -> Result<Option<u32>, Fault> {
        let Some(window) = self.window else { return Ok(None) };
        let mut told = 0;
        for text in prompt.chat(bare)?.texts() {
            told += count(text, self.tokens).ok_or_else(no_tokens)?;
        }
        Ok(Some(window.saturating_sub(self.max_tokens).saturating_sub(told)))
    }

    /// The row of a retelling. `reads` is how many answers had been read before it.
    pub(super) fn row(
        &self,
        of: &Retold,
        protocol: &str,
        (status, faithful): (Status, Option<bool>),
        parts: Vec<PartVerdict>,
        (cx, reads): (&Cx<'_>, usize),
    ) -> Judgement {
        let judge = if self.called.is_empty() { self.model } else { self.called };
        Judgement {
            id: format!("{}/{protocol}/{judge}", of.id),
            of: of.of.clone(),
            retelling: of.id.clone(),
            story: of.story.clone(),
            protocol: protocol.to_owned(),
            judge: judge.to_owned(),
            written_by: of.written_by.clone(),
            split: of.split.clone(),
            status,
            faithful,
            meant_false: of.edits.is_some(),
            parts,
            gold: of.gold.as_ref().map(|gold| gold.faithful),
            difficulty: of.gold.as_ref().and_then(|gold| gold.difficulty),
            answers: cx.reads()[reads..].iter().map(|(key, _)| key.0).collect(),
        }
    }
}

/// The words of a retelling, sentence after sentence.
pub(super) fn whole(of: &Retold) -> String {
    of.sentences.iter().map(|sentence| sentence.trim()).collect::<Vec<_>>().join(" ")
}
