//! Makes the table of the tagger `perceptron` from LitBank's proper names, of which only the books
//! marked `train` are used. Whole books, if there are any, are labelled by `litner` first; they must
//! be books of the same part. One layer is trained by the log loss (AdaGrad), and the label before is
//! now the true one and now the one it would give.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::PathBuf,
};

use storymill_core::Seed;
use storymill_names::{
    Case, Gold, Kind, Litner, NameTagger, WHOLE, Weights, Words, decide, lessons,
};

use crate::Done;

/// Makes the table of the tagger `perceptron`
#[derive(clap::Args)]
pub(crate) struct Args {
    /// LitBank's `proper_names.jsonl`
    names: PathBuf,
    /// The table
    out: PathBuf,
    /// The ONNX file of `litner`, its `vocab.txt`, and cleaned books for it to label
    #[arg(num_args = 3..)]
    silver: Vec<PathBuf>,
}

/// One capitalised word with what is wanted of it.
struct Example {
    features: [Vec<u32>; 5],
    follows: bool,
    wanted: Option<[f32; 5]>,
    weight: f32,
}

#[derive(Default)]
struct Features {
    numbers: HashMap<String, u32>,
    names: Vec<String>,
    /// The last text that had it, and in how many texts it was.
    texts: Vec<(usize, u32)>,
    text: usize,
}

impl Features {
    fn number(&mut self, feature: &str) -> u32 {
        let next = u32::try_from(self.names.len()).unwrap();
        let number = *self.numbers.entry(feature.to_owned()).or_insert(next);
        if number == next {
            self.names.push(feature.to_owned());
            self.texts.push((usize::MAX, 0));
        }
        let (last, count) = &mut self.texts[number as usize];
        if *last != self.text {
            *last = self.text;
            *count += 1;
        }
        number
    }

    /// The examples of a text; `wanted` has an entry for each word.
    fn examples(
        &mut self,
        words: &Words<'_>,
        wanted: &[Option<[f32; 5]>],
        weight: f32,
    ) -> Vec<Example> {
        lessons(words)
            .into_iter()
            .map(|lesson| Example {
                features: lesson
                    .features
                    .map(|some| some.iter().map(|one| self.number(one)).collect()),
                follows: lesson.follows,
                wanted: wanted[lesson.at],
                weight,
            })
            .collect()
    }
}

fn one_hot(label: usize) -> [f32; 5] {
    let mut all = [0.0; 5];
    all[label] = 1.0;
    all
}

/// The labels of gold: a name's first capitalised word begins it, the others go on.
fn gold_labels(words: &Words<'_>, gold: &Gold) -> Vec<Option<[f32; 5]>> {
    let mut wanted = vec![Some(one_hot(0)); words.len()];
    for (range, kind) in gold.names().unwrap() {
        let mut on = 0;
        for (at, word) in words.all().iter().enumerate() {
            if (word.start as usize) < range.end && range.start < word.end as usize {
                wanted[at] =
                    kind.map(|kind| one_hot(on + if kind == Kind::Person { 1 } else { 3 }));
                if word.case != Case::Low {
                    on = 1;
                }
            }
        }
    }
    wanted
}

/// The labels of a model: half what it says, half what the whole book decides; none where it doubts.
fn silver_labels(words: &Words<'_>, tagger: &impl NameTagger) -> Vec<Option<[f32; 5]>> {
    let odds = tagger.tag(words).unwrap();
    let mut decided = vec![0; words.len()];
    for found in decide(words, &odds, Weights { book: 2.0, bold: 0.0 }) {
        let base = if found.kind == Kind::Person { 1 } else { 3 };
        for (n, at) in found.words.enumerate() {
            decided[at] = base + usize::from(n > 0);
        }
    }
    let mix = |(odds, decided): (&storymill_names::Odds, usize)| {
        let said = [odds.none, odds.person, odds.person_on, odds.place, odds.place_on];
        let said = said.map(|share| f32::from(share) / f32::from(WHOLE));
        let mut both = one_hot(decided);
        both.iter_mut().zip(said).for_each(|(both, said)| *both = f32::midpoint(*both, said));
        both.iter().any(|share| *share > 0.7).then_some(both)
    };
    odds.iter().zip(decided).map(mix).collect()
}

impl Args {
    pub(crate) fn run(self) -> Done {
        let mut features = Features::default();
        let mut texts: Vec<Vec<Example>> = Vec::new();
        for line in fs::read_to_string(&self.names)?.lines() {
            let gold: Gold = serde_json::from_str(line)?;
            if gold.split.as_deref() == Some("train") {
                let words = Words::new(&gold.text);
                features.text += 1;
                texts.push(features.examples(&words, &gold_labels(&words, &gold), 1.0));
            }
        }
        if let [model, vocabulary, books @ ..] = self.silver.as_slice() {
            let litner = Litner::load(fs::read(model)?, &fs::read_to_string(vocabulary)?)?;
            for path in books {
                // Cleaned texts have a paragraph a line.
                let text = fs::read_to_string(path)?.replace('\n', "\n\n");
                let words = Words::new(&text);
                let wanted = silver_labels(&words, &litner);
                features.text += 1;
                // Once with the book's own counts, then in pieces with the counts of each piece.
                texts.push(features.examples(&words, &wanted, 0.1));
                let mut from = 0;
                while from < words.len() {
                    let mut to = (from + 3000).min(words.len());
                    while to < words.len() && !words.all()[to].breaks {
                        to += 1;
                    }
                    let start = words.all()[from].start as usize;
                    let end = words.all()[to - 1].end as usize;
                    let piece = Words::new(&text[start..end]);
                    assert_eq!(piece.len(), to - from);
                    texts.push(features.examples(&piece, &wanted[from..to], 0.2));
                    from = to;
                }
                println!("{} {} words", path.display(), words.len());
            }
        }
        // What names one word alone is now and then left out, so that the rest learns to do without it.
        let lexical =
            |name: &String| ["w=", "lw=", "s3="].iter().any(|start| name.starts_with(start));
        let lexical: Vec<bool> = features.names.iter().map(lexical).collect();
        let weights = train(&texts, &lexical);
        let mut rows = BTreeMap::new();
        for (at, name) in features.names.iter().enumerate() {
            #[expect(clippy::cast_possible_truncation, reason = "weights are small")]
            let row = weights[at].map(|weight| (weight * 100.0).round() as i16);
            if features.texts[at].1 >= 2 && row.iter().any(|weight| weight.abs() >= 12) {
                rows.insert(name, row);
            }
        }
        let mut out =
            String::from("# feature\tnone\tperson\tperson on\tplace\tplace on (hundredths)\n");
        for (name, row) in &rows {
            let row = row.map(|weight| weight.to_string());
            out += &format!("{name}\t{}\n", row.join("\t"));
        }
        println!("{} features, {} bytes", rows.len(), out.len());
        fs::write(self.out, out)?;
        Ok(())
    }
}

fn train(texts: &[Vec<Example>], lexical: &[bool]) -> Vec<[f32; 5]> {
    const RATE: f32 = 0.2;
    const DECAY: f32 = 3e-5;
    /// How often, in a hundred, a word is not seen itself.
    const DROP: u32 = 50;
    const EPOCHS: usize = 8;
    let features = lexical.len();
    let mut weights = vec![[0.0_f32; 5]; features];
    let mut squares = vec![[1e-2_f32; 5]; features];
    let mut stream = Seed::new(7).derive("perceptron", &"train".parse().unwrap(), "", "order");
    let mut order: Vec<usize> = (0..texts.len()).collect();
    for epoch in 0..EPOCHS {
        stream.shuffle(&mut order);
        let (mut loss, mut count, mut wrong) = (0.0, 0.0_f32, 0.0);
        for &text in &order {
            let (mut previous, mut own) = (0, 0);
            for example in &texts[text] {
                if !example.follows {
                    (previous, own) = (0, 0);
                }
                let before = if stream.below(2) == 0 { previous } else { own };
                let mut active = example.features[before].clone();
                active.retain(|feature| !lexical[*feature as usize] || stream.below(100) >= DROP);
                let mut scores = [0.0_f32; 5];
                for &feature in &active {
                    scores
                        .iter_mut()
                        .zip(weights[feature as usize])
                        .for_each(|(sum, weight)| *sum += weight);
                }
                if !matches!(before, 1 | 2) {
                    scores[2] = f32::NEG_INFINITY;
                }
                if !matches!(before, 3 | 4) {
                    scores[4] = f32::NEG_INFINITY;
                }
                let most = scores.into_iter().fold(f32::NEG_INFINITY, f32::max);
                let raised = scores.map(|score| (score - most).exp());
                let sum: f32 = raised.iter().sum();
                let odds = raised.map(|one| one / sum);
                let best = (0..5).max_by(|a, b| odds[*a].total_cmp(&odds[*b])).unwrap();
                own = best;
                let Some(mut wanted) = example.wanted else {
                    previous = best;
                    continue;
                };
                // What cannot go on must begin.
                for on in [2, 4] {
                    if odds[on] == 0.0 {
                        wanted[on - 1] += wanted[on];
                        wanted[on] = 0.0;
                    }
                }
                let right = (0..5).max_by(|a, b| wanted[*a].total_cmp(&wanted[*b])).unwrap();
                previous = right;
                loss -= example.weight * odds[right].max(1e-9).ln();
                count += example.weight;
                wrong += if best == right { 0.0 } else { example.weight };
                for &feature in &active {
                    let feature = feature as usize;
                    for label in 0..5 {
                        let slope = example.weight * (odds[label] - wanted[label])
                            + DECAY * weights[feature][label];
                        squares[feature][label] += slope * slope;
                        weights[feature][label] -= RATE * slope / squares[feature][label].sqrt();
                    }
                }
            }
        }
        println!("epoch {epoch}: loss {:.4}, wrong {:.4}", loss / count, wrong / count);
    }
    weights
}
