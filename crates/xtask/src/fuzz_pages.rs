//! Cleans bent pages for some seconds. Pages are cut, doubled, spliced and salted with tags. Ends with
//! a failure on a panic, a page that takes over a second, or memory over twenty times the page (on
//! Linux, for pages over a megabyte). The slowest page over a quarter of a second is kept to be looked
//! at.

use std::{
    fs,
    time::{Duration, Instant},
};

use storymill_sources::{clean, unpack::unpack};

use crate::{
    Done,
    measure::{Dice, memory},
};

/// Cleans bent pages until the time is over or one is not cleaned as it should be
#[derive(clap::Args)]
pub(crate) struct Args {
    seconds: u64,
    seed: u64,
    pages: Vec<String>,
}

#[rustfmt::skip] // one a line otherwise
const SALT: [&str; 40] = [
    "<p>", "</p>", "<div>", "</div>", "<h2>", "</h2>", "<i>", "</i>",
    "<pre>", "</pre>", "<table>", "<tr>", "<td>", "</table>", "<span class=pagenum>", "</span>",
    "<a href='#x'>", "<a id=x>", "</a>", "<br>", "<hr>", "<ul><li>", "<!--", "-->",
    "<![CDATA[", "<script>", "</script>", "<title>", "&", "&#0;", "&#x10ffff;", "<",
    "\u{ad}", "\u{1}", "[Footnote 1:", "*** END OF THIS PROJECT GUTENBERG EBOOK", "<div class=footnote>", "CHAPTER I", "<div id=pg-header>", "\n\n",
];

/// Largest page that is made.
const MOST: usize = 4 << 20;

impl Args {
    pub(crate) fn run(self) -> Done {
        let pages = self.pages.into_iter().map(|name| {
            let file = fs::read(&name)?;
            let page = unpack(&file).map_or(file.clone(), std::borrow::Cow::into_owned);
            Ok((page, name))
        });
        let pages = pages.collect::<Done<Vec<_>>>()?;
        let mut dice = Dice(self.seed);
        let end = Instant::now() + Duration::from_secs(self.seconds);
        let (mut runs, mut books, mut bytes, mut slowest, mut most) = (0_u64, 0_u64, 0, 0.0, 0.0);
        while Instant::now() < end {
            let (page, name) = bent(&pages, &mut dice);
            let base = reset_peak();
            let start = Instant::now();
            let result = clean(&page, name);
            let spent = start.elapsed().as_secs_f64();
            let peak = peak().ok().zip(base).map_or(0, |(peak, base)| peak.saturating_sub(base));
            let share = if page.len() > 1 << 20 { peak as f64 / page.len() as f64 } else { 0.0 };
            let failed = result.as_ref().is_err_and(|reason| reason.code == "cleaner-failed");
            if failed || spent > 1.0 || share > 20.0 {
                fs::write("fuzz-failure.bin", &page)?;
                let how =
                    if failed { "panic".to_owned() } else { format!("{spent:.2} s, {share:.1} x") };
                return Err(format!("{how}: {name}, kept as fuzz-failure.bin").into());
            }
            runs += 1;
            books += u64::from(result.is_ok());
            bytes += page.len();
            if spent > slowest && spent > 0.25 {
                fs::write("fuzz-slowest.bin", &page)?;
            }
            slowest = f64::max(slowest, spent);
            most = f64::max(most, share);
        }
        println!(
            "{runs} pages ({books} books), {} MB; slowest {slowest:.3} s, most memory {most:.1} x the page",
            bytes >> 20
        );
        Ok(())
    }
}

/// A page bent in a few places.
fn bent<'p>(pages: &'p [(Vec<u8>, String)], dice: &mut Dice) -> (Vec<u8>, &'p str) {
    let (mut page, name) = match pages {
        [] => (Vec::new(), "page.html"),
        pages => {
            let (page, name) = &pages[dice.index(pages.len())];
            // A window of a page, short more often than long.
            let size = page.len() >> dice.index(10);
            let from = dice.index(page.len() - size + 1);
            (page[from..from + size].to_vec(), name.trim_end_matches(".gz"))
        }
    };
    for _ in 0..=dice.index(12) {
        let at = dice.index(page.len() + 1);
        let size = dice.index(page.len() - at + 1) >> dice.index(12);
        match dice.index(6) {
            0 => drop(page.drain(at..at + size)),
            1 => page.truncate(page.len() - size / 8),
            2 if page.len() + size < MOST => {
                let again = page[at..at + size].to_vec();
                drop(page.splice(at..at, again));
            }
            3 => {
                let byte = u8::try_from(dice.index(256)).unwrap_or(0);
                if let Some(place) = page.get_mut(at) {
                    *place = byte;
                }
            }
            _ => {
                let salt = SALT[dice.index(SALT.len())];
                let times = if dice.index(20) == 0 { 1 << dice.index(16) } else { 1 };
                if page.len() + salt.len() * times < MOST {
                    drop(page.splice(at..at, salt.repeat(times).into_bytes()));
                }
            }
        }
    }
    (page, name)
}

/// Sets the peak of memory back to what is in use, and says how much that is.
fn reset_peak() -> Option<usize> {
    fs::write("/proc/self/clear_refs", "5").ok()?;
    peak().ok()
}

fn peak() -> Done<usize> {
    memory("VmHWM")
}
