//! What a workflow is made of beside its sources: stages of one unit and of the whole corpus; and what all three share.

use std::{collections::BTreeMap, fmt::Debug, num::NonZeroU32};

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};

use crate::{Cx, Encoding, Inputs, Reckoned, Resource, Seed, Size, Source, Stop, UnitId};

/// A row that can be stored.
///
/// Its canonical bytes are postcard's: so no floats (scores are integers per mille), no maps in
/// hash order, and no serde attribute that hides or flattens a field.
pub trait Record: Serialize + DeserializeOwned + Clone + Debug + Send + Sync + 'static {
    /// The record's name, as edges and tables call it: `scene`.
    const NAME: &'static str;
    /// Counts changes of the fields; it is part of every key.
    const VERSION: u32;

    /// Rows to canonical bytes.
    fn encode(rows: &[Self]) -> Result<Vec<u8>, postcard::Error> {
        postcard::to_stdvec(rows)
    }

    /// Canonical bytes to rows.
    fn decode(bytes: &[u8]) -> Result<Vec<Self>, postcard::Error> {
        postcard::from_bytes(bytes)
    }
}

/// A record in one line: its type, name and version, and the field that tells its rows apart where
/// there is one, which makes it an [`Item`](crate::Item): `record!(Split, "split", 1, unit)`.
#[macro_export]
macro_rules! record {
    ($record:ty, $name:literal, $version:literal) => {
        impl $crate::Record for $record {
            const NAME: &'static str = $name;
            const VERSION: u32 = $version;
        }
    };
    ($record:ty, $name:literal, $version:literal, $id:ident) => {
        $crate::record!($record, $name, $version);
        impl $crate::Item for $record {
            fn item_id(&self) -> String {
                self.$id.clone()
            }
        }
    };
}

/// What a user writes under a step: the options **are** the stage.
///
/// Implementations derive `Deserialize` with `deny_unknown_fields`, `Serialize` (whose canonical
/// JSON is part of every key) and `JsonSchema` (which editors read).
pub trait Options:
    Serialize + DeserializeOwned + JsonSchema + Clone + Debug + Send + Sync + 'static
{
    /// The options with these values by name, and the defaults of all others:
    /// `Chunk::with(json!({ "from": "books" }))`.
    ///
    /// # Errors
    ///
    /// A name is unknown, one without a default is missing, or a value is of another type.
    fn with(values: serde_json::Value) -> Result<Self, serde_json::Error> {
        serde_json::from_value(values)
    }

    /// Checks that a type cannot make, one sentence for each fault: option name, what is wrong.
    fn check(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The models that the options name, each a `[model.NAME]` of the workflow.
    fn models(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Chooses what the user left open, by which of the models that come with the program can be asked
    /// here. Whatever is chosen becomes part of the options, and so of keys and locks.
    fn settle(&mut self, _here: &dyn Fn(&str) -> bool) {}

    /// The encodings whose tokens the rows carry, and so the rows that are made from these.
    fn encodings(&self) -> &[Encoding] {
        &[]
    }

    /// Texts that come with the stage and decide what it does, such as prompts. They are part of
    /// the key, so that a new version of one makes its rows anew.
    fn embedded(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// The files that the options name, to be read by the engine before anything runs.
    fn resources(&mut self) -> Vec<&mut Resource> {
        Vec::new()
    }
}

/// One step for one unit.
///
/// Pure: same input, options, seed and answers, same result. So the engine runs it again from
/// the top once the answers it waited for are in the log.
pub trait Stage: Options {
    /// The word that the workflow uses: `chunk`.
    const KIND: &'static str;
    /// Goes up when the same input would give other output.
    const VERSION: u32;
    /// What it reads.
    type In: Inputs;
    /// What it makes.
    type Out: Record;

    /// The steps it reads from.
    fn edges(&self) -> <Self::In as Inputs>::Edges;
    /// Makes the rows of one unit.
    fn run(&self, input: Self::In, cx: &mut Cx<'_>) -> Result<Vec<Self::Out>, Stop>;
    /// About what it will ask and make of rows that are not there yet; `input` has the size of what each
    /// edge reads. Without better knowledge: one request for each row of the first edge, and as many rows.
    fn reckon(&self, input: &[Size]) -> Reckoned {
        Reckoned::row_by_row(self, input)
    }
    /// Of how many scenes of a unit it makes something, those that [`middles`] names; without a number, of all.
    fn most_scenes(&self) -> Option<NonZeroU32> {
        None
    }
}

/// The head of a [`Stage`] or [`CorpusStage`], inside its `impl`: kind, version, what it reads (and its
/// fact), what it makes, and the options that are its edges; without options, `edges` is written out.
///
/// ```ignore
/// stage!("sample", 1, (Rows<Scene>, Rows<Summary>) => Retold, scenes, summaries);
/// stage!("split", 2, Rows<Book> => SplitFact => Split, from);
/// ```
#[macro_export]
macro_rules! stage {
    ($kind:literal, $version:literal, $in:ty => $($made:ty)=>+, $($edge:ident),+) => {
        $crate::stage!($kind, $version, $in => $($made)=>+);

        fn edges(&self) -> <Self::In as $crate::Inputs>::Edges {
            ($(self.$edge.clone()),+)
        }
    };
    ($kind:literal, $version:literal, $in:ty => $fact:ty => $out:ty) => {
        $crate::stage!($kind, $version, $in => $out);
        type Fact = $fact;
    };
    ($kind:literal, $version:literal, $in:ty => $out:ty) => {
        const KIND: &'static str = $kind;
        const VERSION: u32 = $version;
        type In = $in;
        type Out = $out;
    };
}

/// So many of the numbers below `all`, spread over them: the middles of as many stretches of one length.
///
/// ```
/// # use storymill_core::middles;
/// assert!(middles(9, 3).eq([1, 4, 7]));
/// assert!(middles(3, 5).eq([0, 1, 2]));
/// ```
pub fn middles(all: usize, most: usize) -> impl Iterator<Item = usize> {
    let most = most.min(all);
    (0..most).map(move |at| (2 * at + 1) * all / (2 * most))
}

/// Something for each unit, in the order of ids.
pub type ByUnit<T> = BTreeMap<UnitId, T>;

/// A stage that rules on all units from one small fact each: splits, duplicates, partners for decoys.
///
/// What it rules is stored unit by unit: what reads that of a unit is not run again while it stays
/// the same.
pub trait CorpusStage: Options {
    /// The word that the workflow uses: `split`.
    const KIND: &'static str;
    /// Goes up when the same facts would be ruled on otherwise.
    const VERSION: u32;
    /// What a unit's fact is taken from.
    type In: Inputs;
    /// The fact, at most 4 kB a unit.
    type Fact: Record;
    /// What it rules on one unit.
    type Out: Record;

    /// The steps it reads from.
    fn edges(&self) -> <Self::In as Inputs>::Edges;
    /// The fact of one unit.
    fn fact(&self, unit: &UnitId, input: Self::In) -> Result<Self::Fact, Stop>;
    /// Rules on all units. `before` holds what the base lock says it ruled.
    fn run(
        &self,
        facts: &ByUnit<Self::Fact>,
        before: &ByUnit<Self::Out>,
        seed: Seed,
    ) -> Result<ByUnit<Self::Out>, Stop>;
    /// Whether the facts are to be looked through for [`notes`](Self::notes) in every build.
    fn has_notes(&self) -> bool {
        false
    }
    /// Sentences for the user: what is odd about the facts and not wrong.
    fn notes(&self, _: &ByUnit<Self::Fact>) -> Vec<String> {
        Vec::new()
    }
}

/// Takes kinds one by one, each as its type. Crates that have kinds show them in one place, and
/// whoever runs workflows collects them.
pub trait Register {
    /// Takes a kind of source.
    fn source<S: Source>(&mut self);
    /// Takes a kind of stage.
    fn stage<S: Stage>(&mut self);
    /// Takes a kind of corpus stage.
    fn corpus_stage<S: CorpusStage>(&mut self);
}
