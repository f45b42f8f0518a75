//! What a process has used so far, as Linux tells it, and numbers that look random.

use crate::Done;

/// User and system time of this process.
pub(crate) fn cpu_seconds() -> Done<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let rest = stat.rsplit(')').next().ok_or("an odd stat")?;
    let fields: Vec<f64> =
        rest.split_whitespace().skip(11).take(2).map(str::parse).collect::<Result<_, _>>()?;
    Ok(fields.iter().sum::<f64>() / 100.0)
}

/// Memory by its field in `/proc/self/status`, in bytes: `VmRSS` now, `VmHWM` at its peak.
pub(crate) fn memory(field: &str) -> Done<usize> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with(field)).ok_or("no such field")?;
    Ok(line.split_whitespace().nth(1).ok_or("no number")?.parse::<usize>()? << 10)
}

/// Multiplication, exclusive or, and again (splitmix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}
