//! A store by URL, as storymill's disk: a bucket (`s3://`, `gs://`, `az://`), or a folder that many machines share
//! (`file://`). Every file is an object: written whole in one request, never appended to, locked by nobody.
//!
//! What replaces locks is left to those who write: names that nobody else has, digests, and
//! [`put_new`](storymill_core::Disk::put_new), of which a store is [asked for proof](BucketDisk::probe) first.

mod address;
mod backend;
mod blocks;
mod client;
mod disk;
mod folder;
mod probe;
mod secrets;

use std::{path::Path, sync::Arc};

use storymill_core::{Disk, Fault};
use storymill_disk::RealDisk;

pub use disk::BucketDisk;
pub use folder::{check_folder, local_locks, shared_by};
pub use probe::Finding;

/// Looks up a variable of the environment; the only way this crate sees one.
pub type Env<'e> = dyn Fn(&str) -> Option<String> + 'e;

/// Whether a place is named by a URL.
pub fn is_url(place: &Path) -> bool {
    address::scheme(place).is_some()
}

/// The disk that a place is on: this machine's, unless the place is a URL.
///
/// # Errors
///
/// The URL is none that this program knows, or its credentials cannot be used. Nobody is asked yet.
pub fn disk_of(place: &Path, environment: &Env<'_>) -> Result<Arc<dyn Disk>, Fault> {
    if is_url(place) {
        return Ok(Arc::new(BucketDisk::open(place, environment)?));
    }
    Ok(Arc::new(RealDisk))
}
