//! Cleans bent pages for some seconds: `fuzz SECONDS SEED PAGE...`. Pages are cut, doubled, spliced
//! and salted with tags. Ends with a failure on a panic, a page that takes over a second, or memory
//! over twenty times the page (on Linux, for pages over a megabyte). The slowest page over a quarter
//! of a second is kept to be looked at.

use std::{
    fs,
    io::{self, Write},
    time::{Duration, Instant},
};

use storymill_sources::{clean, unpack::unpack};

const SALT: [&str; 40] = [
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<h2>",
    "</h2>",
    "<i>",
    "</i>",
    "<pre>",
    "</pre>",
    "<table>",
    "<tr>",
    "<td>",
    "</table>",
    "<span class=pagenum>",
    "</span>",
    "<a href='#x'>",
    "<a id=x>",
    "</a>",
    "<br>",
    "<hr>",
    "<ul><li>",
    "<!--",
    "-->",
    "<![CDATA[",
    "<script>",
    "</script>",
    "<title>",
    "&",
    "&#0;",
    "&#x10ffff;",
    "<",
    "\u{ad}",
    "\u{1}",
    "[Footnote 1:",
    "*** END OF THIS PROJECT GUTENBERG EBOOK",
    "<div class=footnote>",
    "CHAPTER I",
    "<div id=pg-header>",
    "\n\n",
];

/// Largest page that is made.
const MOST: usize = 4 << 20;

struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.next() % (most.max(1) as u64)).unwrap_or(0)
    }
}

fn main() -> io::Result<()> {
    let mut args = std::env::args().skip(1);
    let mut number = || args.next().and_then(|arg| arg.parse::<u64>().ok());
    let (seconds, seed) = (number().unwrap_or(10), number().unwrap_or(1));
    let pages = std::env::args().skip(3).map(|name| {
        let file = fs::read(&name)?;
        let page = unpack(&file).map_or(file.clone(), std::borrow::Cow::into_owned);
        Ok((page, name))
    });
    let pages = pages.collect::<io::Result<Vec<_>>>()?;
    let mut dice = Dice(seed);
    let end = Instant::now() + Duration::from_secs(seconds);
    let (mut runs, mut books, mut bytes, mut slowest, mut most) = (0_u64, 0_u64, 0, 0.0, 0.0);
    while Instant::now() < end {
        let (page, name) = bent(&pages, &mut dice);
        let base = reset_peak();
        let start = Instant::now();
        let result = clean(&page, name);
        let spent = start.elapsed().as_secs_f64();
        let peak = peak().zip(base).map_or(0, |(peak, base)| peak.saturating_sub(base));
        let share = if page.len() > 1 << 20 { times(peak, page.len()) } else { 0.0 };
        let failed = result.as_ref().is_err_and(|reason| reason.code == "cleaner-failed");
        if failed || spent > 1.0 || share > 20.0 {
            fs::write("fuzz-failure.bin", &page)?;
            let how =
                if failed { "panic".to_owned() } else { format!("{spent:.2} s, {share:.1} x") };
            return Err(io::Error::other(format!("{how}: {name}, kept as fuzz-failure.bin")));
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
    writeln!(
        io::stdout(),
        "{runs} pages ({books} books), {} MB; slowest {slowest:.3} s, most memory {most:.1} x the page",
        bytes >> 20
    )
}

/// A page bent in a few places.
fn bent<'p>(pages: &'p [(Vec<u8>, String)], dice: &mut Dice) -> (Vec<u8>, &'p str) {
    let (mut page, name) = match pages {
        [] => (Vec::new(), "page.html"),
        pages => {
            let (page, name) = &pages[dice.below(pages.len())];
            // A window of a page, short more often than long.
            let size = page.len() >> dice.below(10);
            let from = dice.below(page.len() - size + 1);
            (page[from..from + size].to_vec(), name.trim_end_matches(".gz"))
        }
    };
    for _ in 0..=dice.below(12) {
        let at = dice.below(page.len() + 1);
        let size = dice.below(page.len() - at + 1) >> dice.below(12);
        match dice.below(6) {
            0 => drop(page.drain(at..at + size)),
            1 => page.truncate(page.len() - size / 8),
            2 if page.len() + size < MOST => {
                let again = page[at..at + size].to_vec();
                drop(page.splice(at..at, again));
            }
            3 => {
                let byte = u8::try_from(dice.below(256)).unwrap_or(0);
                if let Some(place) = page.get_mut(at) {
                    *place = byte;
                }
            }
            _ => {
                let salt = SALT[dice.below(SALT.len())];
                let times = if dice.below(20) == 0 { 1 << dice.below(16) } else { 1 };
                if page.len() + salt.len() * times < MOST {
                    drop(page.splice(at..at, salt.repeat(times).into_bytes()));
                }
            }
        }
    }
    (page, name)
}

#[expect(clippy::cast_precision_loss, reason = "a share for people")]
fn times(peak: usize, size: usize) -> f64 {
    peak as f64 / size as f64
}

/// Sets the peak of memory back to what is in use, and says how much that is.
fn reset_peak() -> Option<usize> {
    fs::write("/proc/self/clear_refs", "5").ok()?;
    peak()
}

/// The most memory that was in use, in bytes.
fn peak() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<usize>().ok()? * 1024)
}
