//! Who keeps the objects of a store, opened with what the environment says.

#[cfg(feature = "http")]
mod remote;

use std::sync::Arc;

use object_store::{ObjectStore, local::LocalFileSystem};
use storymill_core::Fault;

use crate::{
    Env,
    address::{Address, Scheme},
    secrets::Secrets,
};

/// A keeper of objects, and what no message about it may show.
pub(crate) struct Backend {
    pub(crate) store: Arc<dyn ObjectStore>,
    pub(crate) secrets: Secrets,
    /// Whether an object can carry a mark of who wrote it.
    pub(crate) has_marks: bool,
}

/// Opens a keeper. Nobody is asked yet.
#[cfg_attr(not(feature = "http"), expect(unused_variables, reason = "folders need no environment"))]
pub(crate) fn open(address: &Address, environment: &Env<'_>) -> Result<Backend, Fault> {
    match address.scheme {
        Scheme::Folder => Ok(Backend {
            store: Arc::new(LocalFileSystem::new().with_fsync(true)),
            secrets: Secrets::default(),
            has_marks: false,
        }),
        #[cfg(feature = "s3")]
        Scheme::S3 => remote::s3(address, environment),
        #[cfg(feature = "gcs")]
        Scheme::Gcs => remote::gcs(address, environment),
        #[cfg(feature = "azure")]
        Scheme::Azure => remote::azure(address, environment),
        #[cfg(not(all(feature = "s3", feature = "gcs", feature = "azure")))]
        other => Err(absent(other)),
    }
}

#[cfg(not(all(feature = "s3", feature = "gcs", feature = "azure")))]
fn absent(scheme: Scheme) -> Fault {
    let (what, feature) = match scheme {
        Scheme::Folder => ("stores in folders", "fs"),
        Scheme::S3 => ("stores in buckets of S3", "s3"),
        Scheme::Gcs => ("stores in buckets of Google", "gcs"),
        Scheme::Azure => ("stores in containers of Azure", "azure"),
    };
    Fault::left_out(what).hint(format!("build it with the feature `{feature}`"))
}
