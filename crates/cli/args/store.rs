//! What may be typed after `store`.

use std::path::PathBuf;

use clap::Subcommand;

use super::Format;

#[derive(Debug, clap::Args)]
pub(crate) struct Store {
    #[command(subcommand)]
    pub(crate) what: StoreWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StoreWhat {
    /// Check that a bucket or a folder can be used as a store
    ///
    /// Writes a few small files in its folder `tmp` and removes them. A build asks the same of a store by URL, and of
    /// a folder that other machines may have mounted.
    Check {
        /// The folder of the store, or its URL.
        #[arg(long, value_name = "DIR", default_value = ".storymill")]
        store: PathBuf,
        /// How it is printed.
        #[arg(long, value_name = "FORMAT", default_value = "text")]
        format: Format,
    },
}
