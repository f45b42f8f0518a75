//! How fast pages are cleaned on one core.

use std::{fs, path::PathBuf, time::Instant};

use storymill_sources::{clean, unpack::unpack};

use crate::Done;

/// Prints how fast pages are cleaned on one core
#[derive(clap::Args)]
pub(crate) struct Args {
    #[arg(required = true)]
    pages: Vec<PathBuf>,
}

impl Args {
    pub(crate) fn run(self) -> Done {
        let (mut bytes, mut seconds) = (0.0, 0.0);
        for path in self.pages {
            let (file, name) = (fs::read(&path)?, path.to_string_lossy());
            let page = unpack(&file).map_err(|reason| reason.detail)?;
            let spent = (0..3).map(|_| {
                let start = Instant::now();
                let cleaned = clean(&page, &name);
                let spent = start.elapsed().as_secs_f64();
                drop(cleaned);
                spent
            });
            let best = spent.fold(f64::INFINITY, f64::min);
            let size = page.len() as f64 / 1e6;
            println!("{:7.1} MB/s  {name}", size / best);
            bytes += size;
            seconds += best;
        }
        println!("{:7.1} MB/s in all, {bytes:.1} MB in {seconds:.3} s", bytes / seconds);
        Ok(())
    }
}
