//! Questions, and how far back their answers lie.

use serde::{Deserialize, Serialize};

use crate::{BookId, Demand, Item, Length, MadeBy, Record, Span, UnitId, record};

/// What the wrong options of a read-along question are made of. A question has decoys of one type
/// only (NarrativeXL, section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionType {
    /// True retellings of scenes that come later in the book.
    Lookahead,
    /// False retellings of scenes that were read.
    SceneDistortion,
    /// True retellings of scenes of other books.
    OtherBook,
    /// Other retellings of the same scene, all false.
    SameScene,
    /// True retellings of scenes that were read, told before or in another order.
    ToldOrder,
    /// True retellings of scenes that come before the one that is asked about.
    Since,
    /// People who came earlier or later, or who have not met.
    WhoWhen,
    /// What was so at other times than those that are asked about, or might have been.
    State,
}

impl QuestionType {
    /// Every type.
    pub const ALL: [Self; 8] = [
        Self::Lookahead,
        Self::SceneDistortion,
        Self::OtherBook,
        Self::SameScene,
        Self::ToldOrder,
        Self::Since,
        Self::WhoWhen,
        Self::State,
    ];

    /// The type of this name, or of this kind of question: `since`, `told-order-last`.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| {
            let ending = name.strip_prefix(one.name());
            ending.is_some_and(|ending| ending.is_empty() || one.endings().contains(&ending))
        })
    }

    /// What the kinds of its questions are called behind its own name, where it has several. Each asks something else
    /// and has a chance of its own, so that rows, figures and choices keep them apart.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            Self::ToldOrder => &["-first", "-second", "-third", "-last", "-all"],
            Self::WhoWhen => &["-first", "-second", "-third", "-last", "-met"],
            _ => &[],
        }
    }

    /// Whether its wrong options happened too, in what was read, or may have: they are no answer to what is asked, and
    /// nobody need look whether they are false.
    pub fn decoys_happened(self) -> bool {
        matches!(self, Self::ToldOrder | Self::Since | Self::WhoWhen | Self::State)
    }

    /// Whether none of the above is its last option.
    pub fn has_none(self) -> bool {
        !matches!(self, Self::ToldOrder | Self::WhoWhen | Self::State)
    }

    /// Every kind of question as it is published: `lookahead`, `told-order-last`.
    pub fn kinds() -> impl Iterator<Item = String> {
        Self::ALL.into_iter().flat_map(|one| {
            let endings = if one.endings().is_empty() { &[""][..] } else { one.endings() };
            endings.iter().map(move |ending| format!("{}{ending}", one.name()))
        })
    }

    /// Whether it was made so that no search of the book answers it, nor its options alone: a release holds every baseline to
    /// a limit near chance.
    pub fn withstands_search(self) -> bool {
        self.decoys_happened() || self == Self::SameScene
    }

    /// The type as it is published: `scene-distortion`.
    pub fn name(self) -> &'static str {
        crate::word(&self)
    }
}

/// What an option of a read-along question is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OptionKind {
    /// A true retelling of a scene that was read.
    True,
    /// A wrong option of this type.
    Decoy(QuestionType),
    /// None of the above.
    None,
    /// A wrong option of no type that has a name here.
    Wrong,
}

impl OptionKind {
    /// The kind as it is published: `true`, `lookahead`, `none`.
    pub fn name(self) -> &'static str {
        match self {
            Self::True => "true",
            Self::Decoy(of) => of.name(),
            Self::None => "none",
            Self::Wrong => "wrong",
        }
    }
}

/// An option of a read-along question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// What it is.
    pub kind: OptionKind,
    /// Its text.
    pub text: String,
    /// The names that were exchanged in it, if it tells of another book, in the order of the text.
    pub names: Vec<NewName>,
    /// The retelling it is taken from: the id of a summary or of a distortion. Blank for none of
    /// the above.
    pub from: String,
    /// The book it tells of.
    pub book: Option<BookId>,
    /// The scene it tells of.
    pub scene: Option<u32>,
    /// How far back that scene lies, if it is in what was read.
    pub demand: Option<Demand>,
}

/// A name of another book, and the name that stands for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewName {
    /// As its own book has it, with titles.
    pub old: String,
    /// As the option has it.
    pub new: String,
}

/// What is asked: of what, in which words, in which form, where its answer stands and how far back
/// that is, and what is read before it is asked. One record for every task; what is published of it
/// is a table for each task ([`Asks`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The id: `84/0040/lookahead`, `84/0012/d2/reconstruct`, `lanterns_16k/q07`.
    pub id: String,
    /// What it is of: a book, or a question set.
    pub of: UnitId,
    /// What kind of question it is: `lookahead`, `reconstruction`, `long-context`, `claim`.
    pub kind: String,
    /// The task in words, without options and without the text that is to be worked on.
    pub task: String,
    /// What an answer looks like, and which one is right.
    pub form: Form,
    /// The scenes that the answer tells of: a stretch for each place that is needed to be sure of it, in the order of the
    /// text. Empty where all that was read is needed, as for none of the above, or where there are no scenes.
    pub about: Vec<Stretch>,
    /// Where these stand in what is read.
    pub evidence: Vec<Span>,
    /// How far back each of these is; empty where nobody counted.
    pub demands: Vec<Demand>,
    /// How far back the farthest of these is. If there are none: all that was read.
    pub demand: Demand,
    /// What is read before.
    pub context: Recipe,
    /// Who made the retellings that its texts are; none where nobody said, and where it has none.
    pub made_by: Option<MadeBy>,
}

/// Neighbouring scenes, and the level of the retelling that covers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// The level: 0 for one scene.
    pub level: u8,
    /// The first scene.
    pub first_scene: u32,
    /// The last scene.
    pub last_scene: u32,
}

impl Stretch {
    /// One scene.
    pub fn scene(scene: u32) -> Self {
        Self { level: 0, first_scene: scene, last_scene: scene }
    }
}

/// What an answer looks like, and which one is right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// One of these options.
    Options {
        /// Retellings that stand in the question: what is to be put in order, or what the options come after.
        given: Vec<Given>,
        /// The options.
        options: Vec<Choice>,
        /// Position of the right one, from 0.
        right: u8,
    },
    /// An answer in words of one's own.
    FreeText {
        /// The text that is to be worked on, as a false retelling that is to be put right.
        given: Option<Given>,
        /// Right answers, each by itself.
        references: Vec<String>,
        /// The words of the answer that matter, separated by spaces; blank if nobody said.
        keywords: String,
    },
    /// Whether a claim is true.
    Verdict {
        /// The claim.
        claim: String,
        /// The pair that it is one of: one is true, the other one false.
        pair: String,
        /// Whether it is true.
        holds: bool,
    },
}

/// A text that a question is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// The text.
    pub text: String,
    /// The retelling that it is: the id of a distortion or a summary.
    pub from: String,
}

/// What is read before a question is asked, as a recipe: nobody repeats a book in every row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Recipe {
    /// Nothing.
    Nothing,
    /// The beginning of the book, so long.
    Read(Length),
    /// A long context that was mixed for it, so many symbols.
    Mixed(u32),
}

impl Recipe {
    /// How long it is; only in symbols where it was mixed.
    pub fn length(&self) -> Length {
        match self {
            Self::Nothing => Length::default(),
            Self::Read(length) => length.clone(),
            Self::Mixed(symbols) => Length { symbols: *symbols, ..Length::default() },
        }
    }
}

impl Question {
    /// The last scene that was read when it is asked.
    pub fn asked_at(&self) -> u32 {
        match &self.context {
            Recipe::Read(length) => length.scenes.saturating_sub(1),
            Recipe::Nothing | Recipe::Mixed(_) => 0,
        }
    }

    /// The level of the retelling that it is about; 0 for a scene.
    pub fn level(&self) -> u8 {
        self.about.first().map_or(0, |about| about.level)
    }

    /// The first scene that the answer tells of.
    pub fn scene(&self) -> Option<u32> {
        self.about.first().map(|about| about.first_scene)
    }

    /// NarrativeXL's own figure (`MEMLOADS`): scenes from the true scene to the last one read, `t - i`; if none
    /// of the above is right, `t`.
    pub fn memload(&self) -> u32 {
        self.asked_at().saturating_sub(self.scene().unwrap_or(0))
    }

    /// Whether none of the above is the right option.
    pub fn none_is_right(&self) -> bool {
        let right = self.right().and_then(|right| self.options().get(usize::from(right)));
        right.is_some_and(|option| option.kind == OptionKind::None)
    }

    /// The options; none if it is answered in other ways.
    pub fn options(&self) -> &[Choice] {
        match &self.form {
            Form::Options { options, .. } => options,
            Form::FreeText { .. } | Form::Verdict { .. } => &[],
        }
    }

    /// Position of the right option, if there are any.
    pub fn right(&self) -> Option<u8> {
        match self.form {
            Form::Options { right, .. } => Some(right),
            Form::FreeText { .. } | Form::Verdict { .. } => None,
        }
    }

    /// The task with the texts that stand in it, as it is put to whoever answers. Several have letters, by which options
    /// name them.
    pub fn asked(&self) -> String {
        let mut asked = self.task.clone();
        if let Form::Options { given, .. } = &self.form {
            for (letter, one) in ('A'..).zip(given) {
                asked += "\n\n";
                if given.len() > 1 {
                    asked.extend([letter, '.', ' ']);
                }
                asked += &one.text;
            }
        } else if !self.given().is_empty() {
            asked += "\n\n";
            asked += self.given();
        }
        asked
    }

    /// The text that the task is about: what is to be put right, or the claim; blank if there is none.
    pub fn given(&self) -> &str {
        match &self.form {
            Form::FreeText { given, .. } => given.as_ref().map_or("", |given| &given.text),
            Form::Verdict { claim, .. } => claim,
            Form::Options { .. } => "",
        }
    }

    /// The pair that a claim is one of; none if it is no claim.
    pub fn pair(&self) -> Option<&str> {
        match &self.form {
            Form::Verdict { pair, .. } => Some(pair),
            Form::Options { .. } | Form::FreeText { .. } => None,
        }
    }

    /// The right answer in words.
    pub fn reference(&self) -> &str {
        match &self.form {
            Form::Options { options, right, .. } => {
                options.get(usize::from(*right)).map_or("", |option| &option.text)
            }
            Form::FreeText { references, .. } => references.first().map_or("", String::as_str),
            Form::Verdict { holds, .. } => {
                if *holds {
                    "true"
                } else {
                    "false"
                }
            }
        }
    }

    /// Every text that tells of the book, to be read or written anew: options with the book's names that were
    /// given to others, retellings in the question, the text that is to be worked on, references, the claim.
    pub fn texts_mut(&mut self) -> Vec<&mut String> {
        match &mut self.form {
            Form::Options { given, options, .. } => {
                let texts = options.iter_mut().flat_map(|option| {
                    let names = option.names.iter_mut().map(|name| &mut name.new);
                    std::iter::once(&mut option.text).chain(names)
                });
                texts.chain(given.iter_mut().map(|given| &mut given.text)).collect()
            }
            Form::FreeText { given, references, .. } => {
                given.iter_mut().map(|given| &mut given.text).chain(references).collect()
            }
            Form::Verdict { claim, .. } => vec![claim],
        }
    }

    /// The retellings that its texts are taken from, as far as they have ids.
    pub fn sources(&self) -> Vec<TakenFrom<'_>> {
        let mut sources = Vec::new();
        for (at, option) in self.options().iter().enumerate() {
            let (id, book) = (option.from.as_str(), option.book.as_ref());
            sources.push(TakenFrom { id, book, option: Some((at, option.kind)) });
        }
        let given = match &self.form {
            Form::FreeText { given, .. } => given.as_slice(),
            Form::Options { given, .. } => given,
            Form::Verdict { .. } => &[],
        };
        let given = given.iter().map(|one| TakenFrom { id: &one.from, book: None, option: None });
        sources.extend(given);
        sources.retain(|source| !source.id.is_empty());
        sources
    }
}

/// A retelling that a text of a question is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakenFrom<'q> {
    /// The id of a summary or a distortion.
    pub id: &'q str,
    /// The book that it tells of, where that is known.
    pub book: Option<&'q BookId>,
    /// Which option it is, from 0, and of which kind; none if it is no option.
    pub option: Option<(usize, OptionKind)>,
}

/// A record that is a question and nothing else. Its name says which table it is published as; whatever
/// handles questions takes any of them.
pub trait Asks: Record + Item + AsRef<Question> + From<Question> + Into<Question> {}

macro_rules! asks {
    ($($(#[$about:meta])* $record:ident = $name:literal, $version:literal;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $record(pub Question);

        impl Record for $record {
            const NAME: &'static str = $name;
            const VERSION: u32 = $version;
        }

        impl Asks for $record {}

        impl Item for $record {
            fn item_id(&self) -> String {
                self.0.id.clone()
            }
        }

        impl AsRef<Question> for $record {
            fn as_ref(&self) -> &Question {
                &self.0
            }
        }

        impl From<Question> for $record {
            fn from(question: Question) -> Self {
                Self(question)
            }
        }

        impl From<$record> for Question {
            fn from(record: $record) -> Self {
                record.0
            }
        }
    )*};
}

asks! {
    /// Which of these scenes was in what was read so far? Asked after every scene of a book.
    ReadAlongQuestion = "question", 6;
    /// Rewrite a distorted summary so that it fits the book. Asked when the whole book is read.
    Reconstruction = "reconstruction", 6;
    /// A question of any task that models are evaluated on.
    EvalItem = "eval-item", 6;
    /// Is this claim true? Asked when the whole book is read; its twin is told of the same facts, and one of both holds.
    ClaimQuestion = "claim", 2;
}

/// Which part of a dataset a unit belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// The unit.
    pub unit: UnitId,
    /// `train`, `validation` or `test`.
    pub split: String,
    /// The units that must share its split, named by the smallest id among them.
    pub group: UnitId,
}

record!(Split, "split", 1);
