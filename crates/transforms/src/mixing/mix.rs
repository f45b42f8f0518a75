//! `mix`: recipes of long contexts, a question at several lengths.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Context, Cx, Edge, Item, Options, Resource, Review, Rows, SetQuestion, Stage, Stop, stage,
};
use storymill_mixing::{self as mixing, Pool, conflicts};
use storymill_text::Language;

use super::{asks, ends, language};

/// Mixes each question's supporting documents with others, once for each length.
///
/// ```
/// use storymill_transforms::Mix;
/// let stage: Mix = toml::from_str("from = 'sets'").unwrap();
/// assert_eq!(stage.levels, [16_000, 32_000, 64_000, 128_000, 256_000]);
/// assert!(stage.confusing && stage.replace && stage.nested && stage.balance && !stage.disperse);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that users turn")]
pub struct Mix {
    /// The source of question sets, or the last step that adds to its questions.
    pub from: Edge<SetQuestion>,
    /// The lengths: words in English, characters in Chinese. Default: LV-Eval's five, 16,000 to
    /// 256,000.
    #[serde(default = "crate::defaults::levels")]
    pub levels: Vec<u32>,
    /// The line above each passage. Default: `released` in English, `chinese` in Chinese.
    #[serde(default)]
    pub heading: Option<Heading>,
    /// Whether each supporting document gets a place of its own. Else they stand together.
    /// Default: false.
    #[serde(default)]
    pub disperse: bool,
    /// Whether a shorter context is a longer one with passages left out. Else each length draws its
    /// own passages. Default: true.
    #[serde(default = "crate::defaults::yes")]
    pub nested: bool,
    /// Whether the evidence of a question lies in the same tenth at every length; `false` needs
    /// `nested = false`. Default: true.
    #[serde(default = "crate::defaults::yes")]
    pub same_depth: bool,
    /// Whether the evidence of each ten questions lies in ten different tenths of the context.
    /// Else the tenth is drawn. Default: true.
    #[serde(default = "crate::defaults::yes")]
    pub balance: bool,
    /// Whether confusing facts go in. Default: true.
    #[serde(default = "crate::defaults::yes")]
    pub confusing: bool,
    /// Whether words and phrases are replaced by the rules of the question. Default: true.
    #[serde(default = "crate::defaults::yes")]
    pub replace: bool,
    /// What becomes of passages that hold the answer: `reject`, they distract nobody, or `flag`,
    /// they stay and are listed. Default: `reject`.
    #[serde(default)]
    pub answered: Answered,
    /// No context at all: one recipe a question, of level 0 and without a passage, for what is known
    /// without. `levels` and all that speaks of passages say nothing then. Default: false.
    #[serde(default)]
    pub bare: bool,
    /// Groups of words that mean the same, in place of ours: a group a line, separated by commas. A
    /// rule must not replace a word by one of its group.
    #[serde(default)]
    pub synonyms: Option<Resource>,
}

/// What becomes of passages that hold the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Answered {
    /// They distract nobody.
    #[default]
    Reject,
    /// They stay, and the recipe lists them.
    Flag,
}

/// The line above each passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Heading {
    /// `### Passage 7`, as in LV-Eval's released English contexts.
    Released,
    /// `Passage 7`, as in its paper.
    Paper,
    /// `文章7`.
    Chinese,
}

impl From<Heading> for storymill_core::Heading {
    fn from(heading: Heading) -> Self {
        match heading {
            Heading::Released => Self::Released,
            Heading::Paper => Self::Paper,
            Heading::Chinese => Self::Chinese,
        }
    }
}

const SYNONYMS: &str = storymill_data::text("mixing/synonyms.txt");

impl Options for Mix {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mut faults: Vec<_> =
            check_levels(&self.levels).into_iter().map(|fault| ("levels", fault)).collect();
        if self.nested && !self.same_depth {
            let fault =
                "is false, and contexts that are nested have one depth: add `nested = false`";
            faults.push(("same_depth", fault.to_owned()));
        }
        faults
    }

    fn embedded(&self) -> Vec<&'static str> {
        vec![SYNONYMS]
    }

    fn resources(&mut self) -> Vec<&mut Resource> {
        self.synonyms.iter_mut().collect()
    }
}

/// What is wrong with some lengths.
pub(super) fn check_levels(levels: &[u32]) -> Option<String> {
    if levels.is_empty() {
        return Some("is empty".to_owned());
    }
    if !levels.is_sorted_by(|a, b| a < b) {
        return Some("must ascend, each length once".to_owned());
    }
    (levels[0] < 100).then(|| format!("begins with {}, and the least is 100", levels[0]))
}

impl Stage for Mix {
    stage!("mix", 7, Rows<SetQuestion> => Context, from);

    fn run(&self, rows: Rows<SetQuestion>, cx: &mut Cx<'_>) -> Result<Vec<Context>, Stop> {
        let language = language(&rows);
        let pool = Pool::new(cx.unit(), &rows, language, |at| asks(&rows[at]));
        let groups = groups(self.synonyms.as_ref());
        let chosen: Vec<Chosen<'_>> = (0..)
            .zip(rows.iter().enumerate().filter(|(_, row)| asks(row)))
            .map(|(turn, (at, row))| Chosen { turn, at, row })
            .collect();
        if language == Language::Chinese
            && let Some(review) = other_script(cx.unit().as_str(), &rows)
        {
            cx.review(review);
        }
        let ends = ends(language);
        let options = self.options();
        let mut failed = Vec::new();
        let mixed = cx.each(&chosen, |cx, one| {
            if one.row.language != language.tag() {
                let detail =
                    format!("it is in `{}`, and its set in `{}`", one.row.language, language.tag());
                return Err(Stop::reject("two-languages", detail));
            }
            self.check_rules(one.row, language, &groups)?;
            let (unit, seed) = (cx.unit().clone(), cx.seed());
            let mixed = mixing::mix(
                &unit,
                one.at,
                one.row,
                &pool,
                &options,
                one.turn,
                seed,
                &ends,
                &mut |_, _| (),
            );
            failed.extend(mixed.unmixable.into_iter().map(|what| {
                let level = Context::level_name(what.level);
                (format!("{unit}_{level}/{}", one.row.id), what.reason)
            }));
            Ok(mixed.contexts)
        })?;
        for (id, reason) in failed {
            cx.stop(id, Stop::Reject(reason))?;
        }
        let mut contexts: Vec<Context> = mixed.into_iter().flatten().collect();
        contexts.sort_by_key(|context| context.level);
        Ok(contexts)
    }
}

impl Mix {
    fn options(&self) -> mixing::Options {
        mixing::Options {
            levels: self.levels.clone(),
            heading: self.heading.map(Into::into),
            disperse: self.disperse,
            nested: self.nested,
            same_depth: self.same_depth,
            balance: self.balance,
            confusing: self.confusing,
            replace: self.replace,
            flag: self.answered == Answered::Flag,
            bare: self.bare,
        }
    }

    fn check_rules(
        &self,
        row: &SetQuestion,
        language: Language,
        groups: &[Vec<String>],
    ) -> Result<(), Stop> {
        if self.replace { check_rules(row, language, groups) } else { Ok(()) }
    }
}

/// What people should see where most passages are in another Chinese script than the evidence: the
/// characters alone tell which passage holds the answer.
fn other_script(set: &str, rows: &[SetQuestion]) -> Option<Review> {
    let own = rows.iter().filter(|row| asks(row)).flat_map(|row| &row.documents);
    let own: String = own.map(|document| &document.text[..]).collect();
    let own = mixing::script(&own)?;
    let others = rows.iter().filter(|row| !asks(row)).flat_map(|row| &row.documents);
    let scripts: Vec<_> = others.filter_map(|document| mixing::script(&document.text)).collect();
    let other = scripts.iter().filter(|script| **script != own).count();
    let first = scripts.iter().find(|script| **script != own)?;
    (other * 10 > scripts.len()).then(|| Review {
        item: set.to_owned(),
        code: "other-script".into(),
        question: "questions and passages that distract are in different Chinese scripts, so the script alone shows where the answer is: can one of them be converted?".into(),
        excerpt: format!(
            "the evidence is in {} characters, {other} of {} passages in {} ones",
            own.name(),
            scripts.len(),
            first.name()
        ),
        about: format!("{}, {}", own.name(), first.name()),
        choices: vec!["keep".to_owned()],
        default: "keep".to_owned(),
        ..Review::default()
    })
}

/// Stops at the first rule that cannot hold.
pub(super) fn check_rules(
    row: &SetQuestion,
    language: Language,
    groups: &[Vec<String>],
) -> Result<(), Stop> {
    let found = conflicts(row, language, groups);
    let Some(first) = found.first() else { return Ok(()) };
    let rule = &row.rules[first.rule];
    let more = if found.len() > 1 { format!("; {} more", found.len() - 1) } else { String::new() };
    let detail = format!(
        "rule {} (`{}` by `{}`), {}: {}{more}",
        first.rule + 1,
        rule.from,
        rule.to,
        first.place,
        first.detail
    );
    Err(Stop::reject(first.code, detail))
}

/// Groups of synonyms: the user's, or ours.
pub(super) fn groups(own: Option<&Resource>) -> Vec<Vec<String>> {
    let text = own.map_or(SYNONYMS.into(), |own| String::from_utf8_lossy(own.content()));
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let group = |line: &str| -> Vec<String> {
        let words = line.split([',', '，']).map(|word| word.trim().to_owned());
        words.filter(|word| !word.is_empty()).collect()
    };
    lines.map(group).filter(|group| group.len() > 1).collect()
}

/// A question that is asked, and its turn.
struct Chosen<'r> {
    turn: usize,
    at: usize,
    row: &'r SetQuestion,
}

impl Item for Chosen<'_> {
    fn item_id(&self) -> String {
        self.row.id.clone()
    }
}
