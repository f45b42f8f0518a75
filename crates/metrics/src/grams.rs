//! How alike two texts are in style: the cosine of their character n-grams.

/// How often each run of one to four characters stands in a text, and how long that vector is.
///
/// Who compares the options of a question with the first scene of its book by nothing else should be right as
/// often as by chance; what is beyond that is style, not reading.
///
/// ```
/// use storymill_metrics::grams::CharGrams;
/// let text = CharGrams::of("the old gate");
/// assert!(text.cosine(&text) > 0.999);
/// assert!(text.cosine(&CharGrams::of("xyz")) < 0.001);
/// assert_eq!(text.cosine(&CharGrams::of("")), 0.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CharGrams {
    /// Each run with its count, in the order of the runs.
    counts: Vec<(Gram, u32)>,
    /// The square of the vector's length.
    square: u64,
}

type Gram = [char; CharGrams::LONGEST];

impl CharGrams {
    /// The longest run, in characters.
    pub const LONGEST: usize = 4;

    /// Counts the runs of a text as it is: case, spaces and marks count.
    pub fn of(text: &str) -> Self {
        Self::of_all([text])
    }

    /// Counts the runs of several texts as one.
    ///
    /// ```
    /// use storymill_metrics::grams::CharGrams;
    /// let [one, other] = ["the gate", "a lane"].map(CharGrams::of);
    /// let both = CharGrams::of_all(["the gate", "a lane"]);
    /// assert_eq!(both.cosine_without(&one), other.cosine(&one));
    /// ```
    pub fn of_all<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut grams: Vec<Gram> = Vec::new();
        for text in texts {
            let symbols: Vec<char> = text.chars().collect();
            for at in 0..symbols.len() {
                // No text has the symbol that fills short runs up.
                let mut gram = ['\0'; Self::LONGEST];
                for (length, symbol) in symbols[at..].iter().take(Self::LONGEST).enumerate() {
                    gram[length] = *symbol;
                    grams.push(gram);
                }
            }
        }
        grams.sort_unstable();
        let mut counts: Vec<(Gram, u32)> = Vec::new();
        for gram in grams {
            match counts.last_mut() {
                Some((last, count)) if *last == gram => *count += 1,
                _ => counts.push((gram, 1)),
            }
        }
        let square = counts.iter().map(|(_, count)| u64::from(*count).pow(2)).sum();
        Self { counts, square }
    }

    /// The cosine of both vectors, from 0 to 1; 0 if one text is empty.
    pub fn cosine(&self, other: &Self) -> f64 {
        cosine(self.product(other), self.square, other.square)
    }

    /// The cosine of one of the texts that these runs were counted in with all the others.
    pub fn cosine_without(&self, one: &Self) -> f64 {
        let product = self.product(one);
        let square = (self.square + one.square).saturating_sub(2 * product);
        cosine(product.saturating_sub(one.square), square, one.square)
    }

    fn product(&self, other: &Self) -> u64 {
        let (few, many) =
            if self.counts.len() <= other.counts.len() { (self, other) } else { (other, self) };
        // Both are in order: what was passed is not looked at again.
        let mut rest = &many.counts[..];
        let mut sum = 0;
        for (gram, count) in &few.counts {
            let at = rest.partition_point(|(one, _)| one < gram);
            rest = &rest[at..];
            if let Some((one, times)) = rest.first()
                && one == gram
            {
                sum += u64::from(*count) * u64::from(*times);
            }
        }
        sum
    }
}

#[expect(clippy::cast_precision_loss, reason = "products of texts are far below 2^53")]
fn cosine(product: u64, one: u64, other: u64) -> f64 {
    if one == 0 || other == 0 {
        return 0.0;
    }
    product as f64 / ((one as f64).sqrt() * (other as f64).sqrt())
}
