//! The random numbers of the bootstrap: SplitMix64 (Steele, Lea and Flood 2014), our own few lines
//! so that no release of a library changes an interval.

#[derive(Clone, Debug)]
pub(crate) struct Stream(u64);

impl Stream {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..bound`, each as likely as any other. `bound` is at least 1.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        // Numbers at the uneven end of the range are drawn again.
        let limit = u64::MAX - u64::MAX % bound;
        loop {
            let drawn = self.next();
            if drawn < limit {
                return usize::try_from(drawn % bound).expect("below a usize");
            }
        }
    }
}
