//! Sources, stages and corpus stages without their types, so that one engine can run them all.
//!
//! Rows are decoded just before a step's own code and encoded just after it; between steps there
//! are only bytes and digests.

use std::{collections::BTreeMap, num::NonZeroU32};

use storymill_core::{
    CorpusStage, Cx, Digest, EdgeSet, EdgeSpec, Encoding, Env, Fault, FaultKind, Inputs, Known,
    Listing, OpenSource, Options, PartRef, Parts, Reckoned, Record, Resource, Reviews, Seed, Size,
    Source, SourceUnit, Stage, Stop, UnitId, canonical,
};

/// Rows in canonical bytes, and how many.
#[derive(Debug)]
pub(crate) struct Encoded {
    pub(crate) bytes: Vec<u8>,
    pub(crate) rows: u32,
}

impl Encoded {
    fn of<R: Record>(rows: &[R]) -> Result<Self, Fault> {
        let bytes = R::encode(rows).map_err(|error| {
            Fault::new(FaultKind::Internal, format!("cannot encode {} rows", R::NAME))
                .because(error)
        })?;
        let most = crate::store::MOST_BYTES;
        if bytes.len() > most {
            let message = format!(
                "{} {} rows of one unit take {} bytes; {most} are allowed",
                rows.len(),
                R::NAME,
                bytes.len()
            );
            return Err(Fault::new(FaultKind::Input, message).hint("split the unit"));
        }
        Ok(Self { bytes, rows: u32::try_from(rows.len()).expect("a row takes at least one byte") })
    }
}

/// What every step has, whatever it is.
pub(crate) trait AnyOptions: Send + Sync {
    fn kind(&self) -> &'static str;
    fn version(&self) -> u32;
    /// The name and the version of the record that it makes.
    fn record(&self) -> (&'static str, u32);
    fn edges(&self) -> Vec<EdgeSpec>;
    fn options(&self) -> String;
    fn check(&self) -> Vec<(&'static str, String)>;
    fn models(&self) -> Vec<String>;
    /// Chooses what the user left open.
    fn settle(&mut self, here: &dyn Fn(&str) -> bool);
    /// The encodings whose tokens its rows carry from here on.
    fn encodings(&self) -> Vec<Encoding>;
    /// A digest over the texts that come with the stage; none if it has none.
    fn embedded(&self) -> Option<Digest>;
    /// The digests of the texts that come with it and of the files that it names.
    fn text_digests(&self) -> Vec<Digest> {
        self.texts().iter().map(|text| Digest::of(text)).collect()
    }
    /// These texts and files themselves.
    fn texts(&self) -> Vec<Vec<u8>>;
    fn resources(&mut self) -> Vec<&mut Resource>;
}

pub(crate) trait AnySource: AnyOptions {
    fn boxed(&self) -> Box<dyn AnySource>;
    /// Whether the store keeps its rows.
    fn is_kept(&self) -> bool;
    /// Whether its rows are private.
    fn is_private(&self) -> bool;
    fn open(&self, env: &Env<'_>) -> Result<Box<dyn AnyOpenSource>, Fault>;
}

pub(crate) trait AnyOpenSource: Send + Sync {
    fn units(&self, known: &Known) -> Result<Listing, Fault>;
    fn read(&self, unit: &SourceUnit, reviews: &mut Reviews<'_>) -> Result<Encoded, Stop>;
}

pub(crate) trait AnyStage: AnyOptions {
    fn boxed(&self) -> Box<dyn AnyStage>;
    fn run(
        &self,
        found: &[Vec<PartRef>],
        parts: &dyn Parts,
        cx: &mut Cx<'_>,
    ) -> Result<Encoded, Stop>;
    /// About what it will ask and make, from the size of what each edge reads.
    fn reckon(&self, input: &[Size]) -> Reckoned;
    /// Of how many scenes of a unit it makes something, if not of all.
    fn most_scenes(&self) -> Option<NonZeroU32>;
}

/// Canonical rows of something for each unit.
pub(crate) type Facts = BTreeMap<UnitId, Vec<u8>>;

pub(crate) trait AnyCorpusStage: AnyOptions {
    fn boxed(&self) -> Box<dyn AnyCorpusStage>;
    /// The name and the version of the fact record.
    fn fact_record(&self) -> (&'static str, u32);
    fn fact(
        &self,
        unit: &UnitId,
        found: &[Vec<PartRef>],
        parts: &dyn Parts,
    ) -> Result<Encoded, Stop>;
    /// What a base lock says it ruled, from JSON to canonical bytes; the name of a unit whose row does not fit.
    fn before(&self, ruled: &BTreeMap<UnitId, serde_json::Value>) -> Result<Facts, UnitId>;
    fn run(
        &self,
        facts: &Facts,
        before: &Facts,
        seed: Seed,
    ) -> Result<BTreeMap<UnitId, Encoded>, Stop>;
    /// What it ruled on one unit as JSON, for the lock.
    fn to_json(&self, row: &[u8]) -> Result<serde_json::Value, Fault>;
    /// Whether it has notes on facts.
    fn has_notes(&self) -> bool;
    /// What its user should be told of the facts.
    fn notes(&self, facts: &Facts) -> Result<Vec<String>, Fault>;
}

/// The most bytes that one unit's fact may take.
const MOST_FACT_BYTES: usize = 4096;

pub(crate) struct SourceBox<S>(pub(crate) S);
pub(crate) struct StageBox<S>(pub(crate) S);
pub(crate) struct CorpusStageBox<S>(pub(crate) S);

macro_rules! any_options {
    ($wrapper:ident, $bound:ident, $edges:expr) => {
        impl<S: $bound> AnyOptions for $wrapper<S> {
            fn kind(&self) -> &'static str {
                S::KIND
            }

            fn version(&self) -> u32 {
                S::VERSION
            }

            fn record(&self) -> (&'static str, u32) {
                (S::Out::NAME, S::Out::VERSION)
            }

            fn edges(&self) -> Vec<EdgeSpec> {
                let edges: fn(&S) -> Vec<EdgeSpec> = $edges;
                edges(&self.0)
            }

            fn options(&self) -> String {
                canonical::json(&self.0)
            }

            fn check(&self) -> Vec<(&'static str, String)> {
                Options::check(&self.0)
            }

            fn models(&self) -> Vec<String> {
                Options::models(&self.0).into_iter().map(str::to_owned).collect()
            }

            fn settle(&mut self, here: &dyn Fn(&str) -> bool) {
                Options::settle(&mut self.0, here);
            }

            fn encodings(&self) -> Vec<Encoding> {
                Options::encodings(&self.0).to_vec()
            }

            fn embedded(&self) -> Option<Digest> {
                let texts = Options::embedded(&self.0);
                let parts = texts.iter().map(|text| text.as_bytes());
                (!texts.is_empty()).then(|| Digest::of_parts("storymill 2026 embedded v1", parts))
            }

            fn texts(&self) -> Vec<Vec<u8>> {
                let own = Options::embedded(&self.0);
                let own = own.into_iter().map(|text| text.as_bytes().to_vec());
                let mut named = self.0.clone();
                let named = Options::resources(&mut named);
                own.chain(named.into_iter().map(|file| file.content().to_vec())).collect()
            }

            fn resources(&mut self) -> Vec<&mut Resource> {
                Options::resources(&mut self.0)
            }
        }
    };
}

any_options!(SourceBox, Source, |_| Vec::new());
any_options!(StageBox, Stage, |stage| stage.edges().specs());
any_options!(CorpusStageBox, CorpusStage, |corpus_stage| corpus_stage.edges().specs());

impl<S: Source> AnySource for SourceBox<S> {
    fn boxed(&self) -> Box<dyn AnySource> {
        Box::new(SourceBox(self.0.clone()))
    }

    fn is_kept(&self) -> bool {
        S::KEPT
    }

    fn is_private(&self) -> bool {
        S::PRIVATE
    }

    fn open(&self, env: &Env<'_>) -> Result<Box<dyn AnyOpenSource>, Fault> {
        Ok(Box::new(self.0.open(env)?))
    }
}

impl<R: Record> AnyOpenSource for Box<dyn OpenSource<R>> {
    fn units(&self, known: &Known) -> Result<Listing, Fault> {
        (**self).units(known)
    }

    fn read(&self, unit: &SourceUnit, reviews: &mut Reviews<'_>) -> Result<Encoded, Stop> {
        Ok(Encoded::of(&(**self).read(unit, reviews)?)?)
    }
}

impl<S: Stage> AnyStage for StageBox<S> {
    fn boxed(&self) -> Box<dyn AnyStage> {
        Box::new(StageBox(self.0.clone()))
    }

    fn run(
        &self,
        found: &[Vec<PartRef>],
        parts: &dyn Parts,
        cx: &mut Cx<'_>,
    ) -> Result<Encoded, Stop> {
        let input = S::In::load(&self.0.edges(), &mut found.into(), parts)?;
        Ok(Encoded::of(&self.0.run(input, cx)?)?)
    }

    fn reckon(&self, input: &[Size]) -> Reckoned {
        self.0.reckon(input)
    }

    fn most_scenes(&self) -> Option<NonZeroU32> {
        self.0.most_scenes()
    }
}

impl<S: CorpusStage> AnyCorpusStage for CorpusStageBox<S> {
    fn boxed(&self) -> Box<dyn AnyCorpusStage> {
        Box::new(CorpusStageBox(self.0.clone()))
    }

    fn fact_record(&self) -> (&'static str, u32) {
        (S::Fact::NAME, S::Fact::VERSION)
    }

    fn fact(
        &self,
        unit: &UnitId,
        found: &[Vec<PartRef>],
        parts: &dyn Parts,
    ) -> Result<Encoded, Stop> {
        let input = S::In::load(&self.0.edges(), &mut found.into(), parts)?;
        let encoded = Encoded::of(&[self.0.fact(unit, input)?])?;
        if encoded.bytes.len() > MOST_FACT_BYTES {
            let message = format!(
                "the {} fact of unit {unit} takes more than {MOST_FACT_BYTES} bytes",
                S::KIND
            );
            return Err(Fault::new(FaultKind::Internal, message).into());
        }
        Ok(encoded)
    }

    fn before(&self, ruled: &BTreeMap<UnitId, serde_json::Value>) -> Result<Facts, UnitId> {
        let row = |value: &serde_json::Value| {
            let row: S::Out = serde_json::from_value(value.clone()).ok()?;
            S::Out::encode(&[row]).ok()
        };
        ruled
            .iter()
            .map(|(unit, value)| Ok((unit.clone(), row(value).ok_or_else(|| unit.clone())?)))
            .collect()
    }

    fn run(
        &self,
        facts: &Facts,
        before: &Facts,
        seed: Seed,
    ) -> Result<BTreeMap<UnitId, Encoded>, Stop> {
        let facts: BTreeMap<_, _> = facts.iter().map(one::<S::Fact>).collect::<Result<_, _>>()?;
        let before: BTreeMap<_, _> = before.iter().map(one::<S::Out>).collect::<Result<_, _>>()?;
        let ruled = self.0.run(&facts, &before, seed)?;
        if ruled.keys().ne(facts.keys()) {
            let message =
                format!("the corpus stage `{}` did not rule on each unit exactly once", S::KIND);
            return Err(Fault::new(FaultKind::Internal, message).into());
        }
        ruled.into_iter().map(|(unit, row)| Ok((unit, Encoded::of(&[row])?))).collect()
    }

    fn to_json(&self, row: &[u8]) -> Result<serde_json::Value, Fault> {
        let (_, row) = one::<S::Out>((&"ruling".parse().expect("a plain word"), &row.to_vec()))?;
        serde_json::to_value(row).map_err(|error| {
            Fault::new(FaultKind::Internal, "cannot write what was ruled as JSON").because(error)
        })
    }

    fn has_notes(&self) -> bool {
        self.0.has_notes()
    }

    fn notes(&self, facts: &Facts) -> Result<Vec<String>, Fault> {
        let facts: BTreeMap<_, _> = facts.iter().map(one::<S::Fact>).collect::<Result<_, _>>()?;
        Ok(self.0.notes(&facts))
    }
}

fn one<R: Record>((unit, bytes): (&UnitId, &Vec<u8>)) -> Result<(UnitId, R), Fault> {
    let rows = R::decode(bytes).ok().filter(|rows| rows.len() == 1);
    let row = rows.and_then(|mut rows| rows.pop());
    let message = || {
        Fault::new(FaultKind::Internal, format!("unit {unit} has not exactly one {} row", R::NAME))
    };
    Ok((unit.clone(), row.ok_or_else(message)?))
}

/// The digest of what a corpus stage took over from a base lock.
pub(crate) fn digest_before(before: &Facts) -> Digest {
    let parts = before.iter().flat_map(|(unit, row)| [unit.as_str().as_bytes(), row.as_slice()]);
    Digest::of_parts("storymill 2026 rulings before v1", parts)
}
