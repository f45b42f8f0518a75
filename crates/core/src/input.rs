//! What a stage reads: rows of the steps that its options name.

use std::{borrow::Cow, marker::PhantomData, ops::Deref, path::PathBuf, sync::Arc};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Digest, Fault, FaultKind, Partners, Record, UnitId};

/// The rows of one part, shared and read-only.
#[derive(Debug)]
pub struct Rows<R>(Arc<[R]>);

impl<R> Clone for Rows<R> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<R> From<Vec<R>> for Rows<R> {
    fn from(rows: Vec<R>) -> Self {
        Self(rows.into())
    }
}

impl<R> Deref for Rows<R> {
    type Target = [R];

    fn deref(&self) -> &[R] {
        &self.0
    }
}

/// The name of the step whose rows of `R` are read, as the user wrote it: `from = "scenes"`.
///
/// It serialises to nothing: a step's name is no part of what the stage does, so renaming a step
/// changes no key.
#[derive(Debug)]
pub struct Edge<R> {
    step: String,
    record: PhantomData<fn() -> R>,
}

impl<R> Edge<R> {
    /// An edge to the step of this name.
    pub fn to(step: impl Into<String>) -> Self {
        Self { step: step.into(), record: PhantomData }
    }

    /// The step's name.
    pub fn step(&self) -> &str {
        &self.step
    }
}

impl<R> Clone for Edge<R> {
    fn clone(&self) -> Self {
        Self::to(self.step.clone())
    }
}

impl<R> Serialize for Edge<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

impl<'de, R> Deserialize<'de> for Edge<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::to)
    }
}

impl<R: Record> JsonSchema for Edge<R> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Edge_{}", R::NAME).into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "description": format!("name of a step that makes {} rows", R::NAME) })
    }
}

/// A file that an option names, and its content once the engine has read it.
///
/// It serialises to the digest of its content, never to its path: a key holds what was read.
#[derive(Clone, Debug)]
pub struct Resource {
    path: PathBuf,
    content: Option<Arc<[u8]>>,
}

impl Resource {
    /// The path as the user wrote it, relative to the workflow file.
    pub fn path(&self) -> &std::path::Path {
        &self.path
    }

    /// Keeps the content. Called by the engine before any key is taken.
    pub fn fill(&mut self, content: impl Into<Arc<[u8]>>) {
        self.content = Some(content.into());
    }

    /// The content.
    ///
    /// # Panics
    ///
    /// If the engine has not filled it, which is a mistake in `Options::resources`.
    pub fn content(&self) -> &[u8] {
        self.content.as_deref().expect("`Options::resources` lists every resource")
    }
}

impl Serialize for Resource {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Digest::of(self.content()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Resource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        PathBuf::deserialize(deserializer).map(|path| Self { path, content: None })
    }
}

impl JsonSchema for Resource {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Resource".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "description": "path of a file, relative to the workflow file" })
    }
}

/// A part: the rows of one step for one unit, found by the digest of those rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartRef {
    /// The unit.
    pub unit: UnitId,
    /// The digest of the rows in canonical bytes.
    pub digest: Digest,
    /// How many rows.
    pub rows: u32,
}

/// Where the rows of parts are read.
pub trait Parts: Sync {
    /// The rows of a part in canonical bytes ([`Record::encode`]), checked against its digest.
    fn read(&self, part: &PartRef) -> Result<Vec<u8>, Fault>;
}

impl dyn Parts + '_ {
    /// The rows of a part.
    pub fn rows<R: Record>(&self, part: &PartRef) -> Result<Rows<R>, Fault> {
        let bytes = self.read(part)?;
        let rows = R::decode(&bytes).map_err(|error| {
            let message = format!("the rows of unit {} are not {} rows", part.unit, R::NAME);
            Fault::new(FaultKind::Internal, message).because(error)
        })?;
        Ok(rows.into())
    }
}

/// What an edge needs: a step by name, and the record that it must make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeSpec {
    /// The step's name.
    pub step: String,
    /// [`Record::NAME`] of the rows it must make.
    pub record: &'static str,
    /// The corpus stage that names the units whose rows are read; none if they are the unit's own.
    pub by: Option<String>,
}

/// An edge to rows of other units: those that a corpus stage makes the unit's partners.
///
/// It is made from the edges that a user writes ([`Edge::near`]), so that it needs no words of its own.
#[derive(Clone, Debug)]
pub struct NearEdge<R> {
    rows: Edge<R>,
    partners: Edge<Partners>,
}

impl<R> Edge<R> {
    /// The edge to the same step's rows of the units that `partners` names.
    pub fn near(&self, partners: &Edge<Partners>) -> NearEdge<R> {
        NearEdge { rows: self.clone(), partners: partners.clone() }
    }
}

/// Rows of a unit's partners, in the order of their ids. A partner without rows is not there.
#[derive(Clone, Debug)]
pub struct Near<R>(Vec<(UnitId, Rows<R>)>);

impl<R> From<Vec<(UnitId, Rows<R>)>> for Near<R> {
    fn from(mut rows: Vec<(UnitId, Rows<R>)>) -> Self {
        rows.sort_by(|a, b| a.0.cmp(&b.0));
        Self(rows)
    }
}

impl<R> Near<R> {
    /// The rows of a partner.
    pub fn of(&self, unit: &UnitId) -> Option<&Rows<R>> {
        let at = self.0.binary_search_by(|(other, _)| other.cmp(unit)).ok()?;
        Some(&self.0[at].1)
    }
}

/// The parts that edges lead to, one list for each edge, taken one after another.
#[derive(Debug)]
pub struct Found<'f>(std::slice::Iter<'f, Vec<PartRef>>);

impl<'f> From<&'f [Vec<PartRef>]> for Found<'f> {
    fn from(found: &'f [Vec<PartRef>]) -> Self {
        Self(found.iter())
    }
}

impl<'f> Found<'f> {
    /// The parts of the next edge.
    pub fn next_edge(&mut self) -> &'f [PartRef] {
        self.0.next().expect("the engine finds parts for every edge")
    }
}

/// One or several edges.
pub trait EdgeSet {
    /// The edges in the order in which the stage reads them.
    fn specs(&self) -> Vec<EdgeSpec>;
}

/// The input of a stage: rows of one step ([`Rows`]), of its partners ([`Near`]), an `Option` of
/// these, or a tuple.
pub trait Inputs: Sized {
    /// The edges that lead to it.
    type Edges: EdgeSet;

    /// Reads the rows. `found` has the parts that the edges lead to, in the order of
    /// [`EdgeSet::specs`].
    fn load(edges: &Self::Edges, found: &mut Found<'_>, from: &dyn Parts) -> Result<Self, Fault>;
}

impl<R: Record> EdgeSet for Edge<R> {
    fn specs(&self) -> Vec<EdgeSpec> {
        vec![EdgeSpec { step: self.step.clone(), record: R::NAME, by: None }]
    }
}

impl<R: Record> Inputs for Rows<R> {
    type Edges = Edge<R>;

    fn load(_: &Edge<R>, found: &mut Found<'_>, from: &dyn Parts) -> Result<Self, Fault> {
        from.rows(&found.next_edge()[0])
    }
}

impl<R: Record> EdgeSet for NearEdge<R> {
    fn specs(&self) -> Vec<EdgeSpec> {
        let by = Some(self.partners.step.clone());
        vec![EdgeSpec { step: self.rows.step.clone(), record: R::NAME, by }]
    }
}

impl<R: Record> Inputs for Near<R> {
    type Edges = NearEdge<R>;

    fn load(_: &NearEdge<R>, found: &mut Found<'_>, from: &dyn Parts) -> Result<Self, Fault> {
        let rows = |part: &PartRef| Ok((part.unit.clone(), from.rows(part)?));
        let rows: Vec<_> = found.next_edge().iter().map(rows).collect::<Result<_, Fault>>()?;
        Ok(rows.into())
    }
}

/// Edges that may be left out.
impl<E: EdgeSet> EdgeSet for Option<E> {
    fn specs(&self) -> Vec<EdgeSpec> {
        self.iter().flat_map(EdgeSet::specs).collect()
    }
}

impl<I: Inputs> Inputs for Option<I> {
    type Edges = Option<I::Edges>;

    fn load(edges: &Self::Edges, found: &mut Found<'_>, from: &dyn Parts) -> Result<Self, Fault> {
        edges.as_ref().map(|edges| I::load(edges, found, from)).transpose()
    }
}

macro_rules! tuples {
    ($($input:ident $at:tt),+) => {
        impl<$($input: EdgeSet),+> EdgeSet for ($($input,)+) {
            fn specs(&self) -> Vec<EdgeSpec> {
                [$(self.$at.specs()),+].concat()
            }
        }

        impl<$($input: Inputs),+> Inputs for ($($input,)+) {
            type Edges = ($($input::Edges,)+);

            fn load(
                edges: &Self::Edges,
                found: &mut Found<'_>,
                from: &dyn Parts,
            ) -> Result<Self, Fault> {
                Ok(($($input::load(&edges.$at, found, from)?,)+))
            }
        }
    };
}

tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);
tuples!(A 0, B 1, C 2, D 3);
tuples!(A 0, B 1, C 2, D 3, E 4);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
