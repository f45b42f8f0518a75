//! Prints how long a folder takes to be listed.

use std::{
    io::{self, Write},
    path::Path,
    time::Instant,
};

use storymill_core::{Env, Known, Source};
use storymill_sources::Folder;

fn main() -> io::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let start = Instant::now();
    let folder = Folder::at(&path).open(&Env::at(Path::new(".")));
    let listing = folder.and_then(|folder| folder.units(&Known::default()));
    let listing = listing.map_err(io::Error::other)?;
    let spent = start.elapsed().as_secs_f64();
    writeln!(io::stdout(), "{} units in {spent:.3} s", listing.units.len())
}
