//! Prints how fast pages are cleaned on one core.

use std::{
    io::{self, Write},
    time::Instant,
};

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let (mut bytes, mut seconds) = (0.0, 0.0);
    for name in std::env::args().skip(1) {
        let file = std::fs::read(&name)?;
        let page = storymill_sources::unpack::unpack(&file)
            .map_err(|reason| io::Error::other(reason.detail))?;
        let best = (0..3)
            .map(|_| {
                let start = Instant::now();
                let cleaned = storymill_sources::clean(&page, &name);
                let spent = start.elapsed().as_secs_f64();
                drop(cleaned);
                spent
            })
            .fold(f64::INFINITY, f64::min);
        let size = f64::from(u32::try_from(page.len()).unwrap_or(u32::MAX)) / 1e6;
        writeln!(out, "{:7.1} MB/s  {name}", size / best)?;
        bytes += size;
        seconds += best;
    }
    writeln!(out, "{:7.1} MB/s in all, {bytes:.1} MB in {seconds:.3} s", bytes / seconds)
}
