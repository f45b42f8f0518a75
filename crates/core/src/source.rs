//! Sources: where units come from. A source is opened before it lists and reads, with what the caller
//! lends it, so that what it keeps while it is open needs no place in its options or in the process.

use std::{
    any::{Any, TypeId},
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use crate::{Digest, Fault, Options, Reason, Record, Reviews, Stop, UnitId};

/// Where units come from: a folder of pages, an archive, a shelf.
pub trait Source: Options {
    /// The word that the workflow uses: `folder`.
    const KIND: &'static str;
    /// Goes up when the same bytes would give other rows.
    const VERSION: u32;
    /// Whether the store keeps its rows. Rows that are large, and quickly read where they lie, need not be kept:
    /// a run reads them there again each time. Who looks into the store without the source does not find them.
    const KEPT: bool = true;
    /// Whether its rows are private: a workflow that reads them publishes nothing, and need not say how.
    const PRIVATE: bool = false;
    /// What it makes.
    type Out: Record;

    /// Opens it for one run.
    fn open(&self, env: &Env<'_>) -> Result<Box<dyn OpenSource<Self::Out>>, Fault>;
}

/// A source that is open.
pub trait OpenSource<R>: Send + Sync {
    /// Lists the units. Where `known` tells the digest of a unit, its bytes need not be read.
    fn units(&self, known: &Known) -> Result<Listing, Fault>;
    /// Reads the rows of one unit that is not spoiled. What a person may want to decide is put into the reviews.
    fn read(&self, unit: &SourceUnit, reviews: &mut Reviews<'_>) -> Result<Vec<R>, Stop>;
}

/// What a source is opened with.
#[derive(Clone, Copy, Debug)]
pub struct Env<'a> {
    /// The folder of the workflow file, from which paths count.
    pub root: &'a Path,
    /// What the caller lends.
    pub lent: &'a Lent,
}

impl<'a> Env<'a> {
    /// A folder, and nothing lent.
    pub fn at(root: &'a Path) -> Self {
        const NOTHING: &Lent = &Lent(BTreeMap::new());
        Self { root, lent: NOTHING }
    }
}

/// What the caller of a workflow lends its sources, one value of each type: an open shelf.
///
/// ```
/// let mut lent = storymill_core::Lent::default();
/// lent.lend(7_u8);
/// assert_eq!((lent.get::<u8>(), lent.get::<u16>()), (Some(&7), None));
/// ```
#[derive(Clone, Default)]
pub struct Lent(BTreeMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl Lent {
    /// Lends a value, in place of an earlier one of its type.
    pub fn lend<T: Any + Send + Sync>(&mut self, value: T) {
        self.0.insert(TypeId::of::<T>(), Arc::new(value));
    }

    /// The value of a type.
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.0.get(&TypeId::of::<T>())?.downcast_ref()
    }
}

/// Says how many values are lent: what is lent may be private.
impl fmt::Debug for Lent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lent({})", self.0.len())
    }
}

/// One unit that a source offers.
#[derive(Clone, Debug)]
pub struct SourceUnit {
    /// Its id.
    pub unit: UnitId,
    /// The file that holds it.
    pub path: PathBuf,
    /// The digest of everything its rows are made from: the file's bytes, its catalog row.
    pub digest: Digest,
    /// Why it cannot be read, found while listing; the unit is then a reject.
    pub spoiled: Option<Reason>,
    /// What all of that looks like from outside; none where the bytes have to be read to tell.
    pub stamp: Option<Stamp>,
}

/// What files look like without being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// A digest of their names, sizes and times, and of what else goes into the unit's digest.
    pub digest: Digest,
    /// When the last of them changed, in seconds since 1970.
    pub changed: u64,
}

/// What a source offers: units, and what its user should be told.
#[derive(Debug, Default)]
pub struct Listing {
    /// The units, each id once.
    pub units: Vec<SourceUnit>,
    /// Sentences for the user: things that are odd and not wrong.
    pub notes: Vec<String>,
}

/// The digests of an earlier listing, each with the stamp of the unit at that time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known(BTreeMap<UnitId, (Digest, Digest)>);

impl Known {
    /// A file may change twice within one tick of its clock, so digests of files that had changed within so
    /// many seconds of the listing do not count. It is long enough for clocks that differ a little.
    pub const SETTLED: u64 = 10;

    /// What a listing that began at `now`, in seconds since 1970, tells the next one.
    pub fn of(listing: &Listing, now: u64) -> Self {
        let known = |unit: &SourceUnit| {
            let stamp =
                unit.stamp.filter(|stamp| stamp.changed.saturating_add(Self::SETTLED) < now)?;
            unit.spoiled.is_none().then(|| (unit.unit.clone(), (stamp.digest, unit.digest)))
        };
        Self(listing.units.iter().filter_map(known).collect())
    }

    /// Remembers what a newer listing tells, beside what that one did not look for.
    pub fn remember(&mut self, newer: Self) {
        self.0.extend(newer.0);
    }

    /// The digest of a unit, if the stamp is what it was.
    pub fn digest(&self, unit: &UnitId, stamp: &Stamp) -> Option<Digest> {
        self.0.get(unit).filter(|(seen, _)| *seen == stamp.digest).map(|(_, digest)| *digest)
    }
}
