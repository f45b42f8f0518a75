//! Prints how long a folder takes to be listed.

use std::{
    io::{self, Write},
    path::Path,
    time::Instant,
};

use storymill_core::Source;
use storymill_sources::Folder;

fn main() -> io::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let start = Instant::now();
    let listing = Folder::at(&path).list(Path::new(".")).map_err(io::Error::other)?;
    let spent = start.elapsed().as_secs_f64();
    writeln!(io::stdout(), "{} units in {spent:.3} s", listing.units.len())
}
