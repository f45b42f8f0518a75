//! Lengths in bins, each twice as wide as the one before.

/// The bin of a length: 0 for nothing and one, else by the power of two below it.
pub(crate) fn bin(length: u32) -> u32 {
    length.max(1).ilog2()
}

/// From where to where a bin reaches, both included.
pub(crate) fn reach(bin: u32) -> (u32, u32) {
    let from = if bin == 0 { 0 } else { 1 << bin };
    (from, u32::try_from((2_u64 << bin) - 1).unwrap_or(u32::MAX))
}

/// A length as it stands on an axis: `512`, `4k`, `1M`; in powers of 1,024, as windows are named.
pub(crate) fn short(length: u64) -> String {
    match length {
        0..1_024 => length.to_string(),
        1_024..1_048_576 => format!("{}k", length / 1_024),
        _ => format!("{}M", length / 1_048_576),
    }
}

/// The label of a bin: `4k–8k`.
pub(crate) fn label(bin: u32) -> String {
    let (from, to) = reach(bin);
    format!("{}–{}", short(u64::from(from)), short(u64::from(to) + 1))
}
