//! `faithful`: a model judges whether retellings are borne out by what they tell of.

use minijinja::context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Cx, Edge, Encoding, Judgement, Label, PartVerdict, Reckoned, Resource, Retold, Rows, Size,
    Stage, Status, Stop, stage,
};

use super::{
    judge::{Judge, whole},
    verdict::{Rule, any, of_parts, part, unread, verdict},
    window::pieces,
};
use crate::{
    asking::{Asking, Asks, all, asking},
    retelling::prompt::Prompt,
};

/// Asks a model whether retellings are faithful. Whatever comes of it is a row, with how it ended.
///
/// ```
/// use storymill_core::Options;
/// use storymill_transforms::{Faithful, JudgeBy};
/// let stage: Faithful = toml::from_str("of = 'sampled'").unwrap();
/// assert_eq!((stage.protocol, stage.sentences), (JudgeBy::Claims, false));
/// assert!(stage.check().is_empty());
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Faithful {
    /// The retellings: the stage `sample`, or a source of labelled ones.
    pub of: Edge<Retold>,
    /// The model's name in the workflow. Default: `default`.
    #[serde(default = "crate::defaults::model")]
    pub model: String,
    /// What rows call the judge. Default: its name in the workflow.
    #[serde(default)]
    pub called: String,
    /// How it judges: `claims`, split into claims that are judged one by one (FABLES); `binary`, yes or no;
    /// `reasoned`, reasons first, then yes or no. Default: `claims`.
    #[serde(default)]
    pub protocol: JudgeBy,
    /// Whether each sentence is judged by itself, beside the whole retelling. Only for `binary` and `reasoned`.
    /// Default: no.
    #[serde(default)]
    pub sentences: bool,
    /// What becomes of an answer that is no verdict: no verdict (`unparsed`), or `unfaithful`, as StorySumm and
    /// FABLES count it. Default: `unparsed`.
    #[serde(default)]
    pub unclear: Unclear,
    /// The judge's window in tokens of `tokens`, request and answer together. Default: none is kept.
    #[serde(default)]
    pub window: Option<u32>,
    /// The encoding that sources are counted in. Default: `o200k_base`.
    #[serde(default = "crate::defaults::encoding")]
    pub tokens: Encoding,
    /// How many tokens an answer may have, thinking among them. Default: 1024.
    #[serde(default = "crate::defaults::count::<1024>")]
    pub max_tokens: u32,
    /// How often to ask: always once, since whatever is said counts. Default: 1.
    #[serde(default = "crate::defaults::count::<1>")]
    pub tries: u32,
    /// A template for `binary` and `reasoned`, instead of the one that comes with storymill (data/prompts).
    #[serde(default)]
    pub prompt: Option<Resource>,
    /// A template that splits a retelling into claims.
    #[serde(default)]
    pub prompt_split: Option<Resource>,
    /// A template that judges a claim.
    #[serde(default)]
    pub prompt_claim: Option<Resource>,
}

/// How a judge judges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum JudgeBy {
    /// Split into claims, which are judged one by one.
    #[default]
    Claims,
    /// Yes or no.
    Binary,
    /// Reasons, then yes or no.
    Reasoned,
}

/// What becomes of an answer that is no verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Unclear {
    /// There is no verdict.
    #[default]
    Unparsed,
    /// It speaks against the retelling.
    Unfaithful,
}

asking!(
    Faithful,
    ["judge.jinja", "judge-split.jinja", "judge-claim.jinja"],
    std::iter::empty(),
    [prompt, prompt_split, prompt_claim],
    least = [(max_tokens, 1)],
    check = |stage, mut faults| {
        if stage.sentences && stage.protocol == JudgeBy::Claims {
            let wrong =
                "is of use only with \"binary\" or \"reasoned\": claims are judged by themselves";
            faults.push(("sentences", wrong.to_owned()));
        }
        faults
    }
);

/// About how many claims or sentences a retelling has, and how many symbols a verdict.
const CLAIMS: u64 = 12;
const SENTENCES: u64 = 6;
const VERDICT: u64 = 100;

impl Stage for Faithful {
    stage!("faithful", 1, Rows<Retold> => Judgement, of);

    fn reckon(&self, input: &[Size]) -> Reckoned {
        let told = input.first().copied().unwrap_or_default();
        let rows = Size { rows: told.rows, symbols: told.rows * VERDICT };
        let (each, follow) = match (self.protocol, self.sentences) {
            (JudgeBy::Claims, _) => (1 + CLAIMS, CLAIMS),
            (_, true) => (SENTENCES, 0),
            (_, false) => (1, 0),
        };
        let size = (told.of_row(), VERDICT);
        Reckoned::questions(rows, (&self.model, 1), told.rows * each, size)
            .following(told.rows * follow)
    }

    fn run(&self, told: Rows<Retold>, cx: &mut Cx<'_>) -> Result<Vec<Judgement>, Stop> {
        let asking = self.asking(&[&self.prompt, &self.prompt_split, &self.prompt_claim])?;
        cx.each(&told, |cx, one| {
            let reads = cx.reads().len();
            let (found, parts) = match (self.protocol, self.sentences) {
                (JudgeBy::Claims, _) => self.claims(one, &asking, cx)?,
                (_, true) => self.sentences(one, asking.with(0).prompt, cx)?,
                (_, false) => self.whole(one, asking.with(0).prompt, cx)?,
            };
            Ok(self.judge().row(one, self.protocol(), found, parts, (cx, reads)))
        })
    }
}

/// The verdict on the whole, and on its parts.
type Found = ((Status, Option<bool>), Vec<PartVerdict>);

impl Faithful {
    fn judge(&self) -> Judge<'_> {
        let Self { model, called, window, tokens, max_tokens, .. } = self;
        Judge { model, called, window: *window, tokens: *tokens, max_tokens: *max_tokens }
    }

    /// The protocol as rows name it.
    fn protocol(&self) -> &'static str {
        match (self.protocol, self.sentences) {
            (JudgeBy::Claims, _) => "claims",
            (JudgeBy::Binary, false) => "binary",
            (JudgeBy::Binary, true) => "binary-sentences",
            (JudgeBy::Reasoned, false) => "reasoned",
            (JudgeBy::Reasoned, true) => "reasoned-sentences",
        }
    }

    fn whole(&self, of: &Retold, prompt: &Prompt, cx: &mut Cx<'_>) -> Result<Found, Stop> {
        let summary = &whole(of);
        let reasoned = self.protocol == JudgeBy::Reasoned;
        let variables = |source: &str| {
            context! { source, summary => summary, sentence => "", reasoned, part => false }
        };
        // No single scene bears out a retelling of several, so that there must be room for all of them.
        let room = self.judge().room(prompt, &variables(""))?;
        let said = match pieces(of, room, self.tokens)?.as_deref() {
            Some([source]) => self.judge().ask(prompt, &variables(source), cx)?,
            _ => Err(Status::DoesNotFit),
        };
        let said = said.and_then(|text| self.read(&text));
        Ok((of_parts(&[part(None, "", said)]), Vec::new()))
    }

    fn sentences(&self, of: &Retold, prompt: &Prompt, cx: &mut Cx<'_>) -> Result<Found, Stop> {
        let summary = &whole(of);
        let reasoned = self.protocol == JudgeBy::Reasoned;
        let parts = all(of.sentences.iter().enumerate(), |(at, sentence)| {
            let sentence = sentence.trim();
            let said = self.part(of, prompt, cx, |source, part| {
                context! { source, summary => summary, sentence, reasoned, part }
            })?;
            Ok(part(Some(at), sentence, said))
        })?;
        Ok((of_parts(&parts), parts))
    }

    fn claims(&self, of: &Retold, asking: &Asking<'_>, cx: &mut Cx<'_>) -> Result<Found, Stop> {
        let claims = if of.claims.is_empty() {
            let split = asking.with(1).prompt;
            let said = self.judge().ask(split, &context! { summary => whole(of) }, cx)?;
            match said.and_then(|text| listed(&text)) {
                Ok(claims) => claims,
                Err(status) => return Ok(((status, None), Vec::new())),
            }
        } else {
            of.claims.clone()
        };
        let prompt = asking.with(2).prompt;
        let parts = all(&claims, |claim| {
            let claim = claim.trim();
            let said =
                self.part(of, prompt, cx, |source, part| context! { source, claim, part })?;
            Ok(part(None, claim, said))
        })?;
        Ok((of_parts(&parts), parts))
    }

    /// What is said of a part, held against each piece of the source.
    fn part(
        &self,
        of: &Retold,
        prompt: &Prompt,
        cx: &mut Cx<'_>,
        variables: impl Fn(&str, bool) -> minijinja::Value,
    ) -> Result<Result<(Label, String), Status>, Stop> {
        let judge = self.judge();
        let room = judge.room(prompt, &variables("", true))?;
        let Some(pieces) = pieces(of, room, self.tokens)? else {
            return Ok(Err(Status::DoesNotFit));
        };
        let several = pieces.len() > 1;
        let verdicts = all(pieces, |source| {
            let said = judge.ask(prompt, &variables(source, several), cx)?;
            Ok(said.and_then(|text| self.read(&text)))
        })?;
        Ok(any(verdicts))
    }

    fn read(&self, text: &str) -> Result<(Label, String), Status> {
        let rule = match self.protocol {
            JudgeBy::Claims => Rule::Whole,
            JudgeBy::Binary => Rule::FirstWord,
            JudgeBy::Reasoned => Rule::Tag,
        };
        match (verdict(rule, text), self.unclear) {
            (Err(Status::Unparsed), Unclear::Unfaithful) => {
                Ok((Label::Unfaithful, text.trim().to_owned()))
            }
            (said, _) => said,
        }
    }
}

/// The claims of a list, one a line behind a dash, a star or a number; each once.
pub(super) fn listed(text: &str) -> Result<Vec<String>, Status> {
    let mut claims: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let behind = match numbered.strip_prefix(['.', ')']) {
            Some(rest) if numbered.len() < line.len() => Some(rest),
            _ => line.strip_prefix(['-', '*', '•']),
        };
        let claim = behind.unwrap_or_default().trim();
        if claim.chars().any(char::is_alphabetic) && !claims.iter().any(|one| one == claim) {
            claims.push(claim.to_owned());
        }
    }
    if claims.is_empty() { Err(unread(text)) } else { Ok(claims) }
}
