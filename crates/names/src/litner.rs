//! The tagger `litner`: a small transformer trained on novels, run in pure Rust.
//!
//! `data/models/litner/README.md` numbers the steps of its input; steps 7 to 9 are here, the others
//! in [`crate::words`], [`crate::counts`] and [`crate::decision`]. The model's bytes are handed in.

use std::{collections::HashMap, fmt, ops::Range, sync::Arc};

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, ValueOrView};
use rten_tensor::{NdTensor, Tensor, prelude::*};
use storymill_core::{Digest, Fault, FaultKind};

use crate::{
    answers::{MODELS, VOCABULARY, rounded},
    counts::Counts,
    exact,
    pieces::Vocabulary,
    tagger::{NameTagger, Odds, Piece, Window},
    words::Words,
};

/// How many pieces a window holds at most, without the two that frame it.
pub(crate) const ROOM: usize = 190;
pub(crate) const BEGIN: i32 = 101;
pub(crate) const END: i32 = 102;
/// The largest number of the channel.
pub(crate) const CHANNELS: u8 = 169;

/// A model that was loaded, with its vocabulary.
pub struct Litner {
    model: Model,
    inputs: [NodeId; 3],
    output: NodeId,
    vocabulary: Vocabulary,
    digest: Digest,
    name: &'static str,
    options: RunOptions,
}

impl fmt::Debug for Litner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Litner").field("digest", &self.digest).finish_non_exhaustive()
    }
}

impl Litner {
    /// Loads a model (ONNX) and its vocabulary (one piece a line), and tries the model on two words.
    pub fn load(model: Vec<u8>, vocabulary: &str) -> Result<Self, Fault> {
        let digest =
            Digest::of_parts("storymill 2026 litner v1", [&model[..], vocabulary.as_bytes()]);
        let known = MODELS.iter().find(|(_, known)| digest.to_string() == *known);
        let name = known.map_or("litner", |(name, _)| *name);
        let vocabulary = Vocabulary::parse(vocabulary)?;
        // The digest is that of the file: the answers are the same either way.
        let model = exact::wanted().then(|| exact::halved(&model)).flatten().unwrap_or(model);
        // Weights are packed once, not for every window.
        let model = ModelOptions::with_all_ops().prepack_weights(true).load(model);
        let model = model.map_err(|error| {
            Fault::new(FaultKind::Input, "the model of the tagger `litner` cannot be read")
                .hint("the file may be cut short: fetch it again, or take the tagger `perceptron`")
                .because(error)
        })?;
        let node = |name: &str| model.node_id(name).map_err(|error| other_version().because(error));
        let inputs = [node("input_ids")?, node("attention_mask")?, node("token_type_ids")?];
        let output = node("logits")?;
        // One thread: whoever wants more runs more books at a time.
        let pool = Arc::new(ThreadPool::with_num_threads(1));
        let options = RunOptions::default().with_thread_pool(Some(pool));
        let litner = Self { model, inputs, output, vocabulary, digest, name, options };
        let last = Piece { id: END, channel: CHANNELS - 1, first: true };
        litner.infer(&[last, last]).map_err(|fault| other_version().because(fault))?;
        Ok(litner)
    }

    /// The odds at each first piece.
    pub(crate) fn infer(&self, pieces: &[Piece]) -> Result<Vec<Odds>, Fault> {
        let failed = |why: String| {
            Fault::new(
                FaultKind::Model,
                format!("the tagger `{}` failed on a window: {why}", self.name),
            )
        };
        let length = pieces.len() + 2;
        let framed = |first: i32, last: i32, inner: fn(&Piece) -> i32| {
            let mut row = Vec::with_capacity(length);
            row.push(first);
            row.extend(pieces.iter().map(inner));
            row.push(last);
            NdTensor::from_data([1, length], row)
        };
        let ids = framed(BEGIN, END, |piece| piece.id);
        let mask = framed(1, 1, |_| 1);
        let channel = framed(0, 0, |piece| i32::from(piece.channel));
        let inputs: Vec<(NodeId, ValueOrView<'_>)> = self
            .inputs
            .into_iter()
            .zip([ids.view().into(), mask.view().into(), channel.view().into()])
            .collect();
        let [output] = self
            .model
            .run_n(inputs, [self.output], Some(self.options.clone()))
            .map_err(|error| failed(error.to_string()))?;
        let scores: Tensor<f32> =
            output.try_into().map_err(|_| failed("its scores are not floats".to_owned()))?;
        if scores.shape() != [1, length, 5] {
            return Err(failed(format!("its scores have the shape {:?}", scores.shape())));
        }
        let scores = scores.to_vec();
        let (rows, _) = scores.as_chunks::<5>();
        let firsts = rows[1..].iter().zip(pieces).filter(|(_, piece)| piece.first);
        Ok(firsts.map(|(row, _)| Odds::from_scores(*row)).collect())
    }
}

fn other_version() -> Fault {
    Fault::new(FaultKind::Input, "the model is not one that the tagger `litner` of this version can run")
        .hint("take `vocab.txt` and the model from the same release as storymill, or take the tagger `perceptron`")
}

impl NameTagger for Litner {
    fn name(&self) -> &'static str {
        self.name
    }

    fn digest(&self) -> Digest {
        self.digest
    }

    fn windows(&self, words: &Words<'_>, sentences: &[Range<usize>]) -> Vec<Window> {
        windows(&self.vocabulary, words, sentences)
    }

    fn read(&self, _: &Words<'_>, window: &Window) -> Result<Vec<Odds>, Fault> {
        Ok(rounded(self.infer(&window.input)?))
    }
}

/// Cuts books into windows without the model: to ask for what it says of them.
#[derive(Debug)]
pub struct Cutter(Vocabulary);

impl Cutter {
    /// A cutter with the vocabulary of the models that come with this version.
    pub fn new() -> Self {
        Self(Vocabulary::parse(VOCABULARY).expect("the vocabulary of this crate is sound"))
    }

    /// A cutter with the vocabulary of another model, one piece a line.
    pub fn of(vocabulary: &str) -> Result<Self, Fault> {
        Vocabulary::parse(vocabulary).map(Self)
    }

    /// The windows of sentences of a book, as the tagger with this vocabulary has them.
    pub fn windows(&self, words: &Words<'_>, sentences: &[Range<usize>]) -> Vec<Window> {
        windows(&self.0, words, sentences)
    }
}

impl Default for Cutter {
    fn default() -> Self {
        Self::new()
    }
}

/// Sentences in order, as many as fit; a sentence that alone is longer is cut between words.
pub(crate) fn windows(
    vocabulary: &Vocabulary,
    words: &Words<'_>,
    sentences: &[Range<usize>],
) -> Vec<Window> {
    let counts = Counts::new(words);
    let mut known: HashMap<&str, Vec<i32>> = HashMap::new();
    let form = |at| if vocabulary.cased() { words.surface(at) } else { words.low(Some(at)) };
    let mut filling = Filling::default();
    for sentence in sentences.iter().cloned() {
        for form in sentence.clone().map(form) {
            known.entry(form).or_insert_with(|| vocabulary.pieces(form));
        }
        let length: usize = sentence.clone().map(|at| known[form(at)].len()).sum();
        if filling.holds() + length > ROOM {
            filling.next();
        }
        for at in sentence {
            filling.add(at, &known[form(at)], counts.channel(&words.all()[at]));
        }
    }
    filling.next();
    filling.full
}

/// Windows in the making.
#[derive(Default)]
struct Filling {
    full: Vec<Window>,
    window: Window,
}

impl Filling {
    fn holds(&self) -> usize {
        self.window.input.len()
    }

    fn next(&mut self) {
        if !self.window.input.is_empty() {
            self.full.push(std::mem::take(&mut self.window));
        }
    }

    fn add(&mut self, at: usize, pieces: &[i32], channel: u8) {
        if self.holds() + pieces.len() > ROOM {
            self.next();
        }
        match self.window.stretches.last_mut() {
            Some(stretch) if stretch.end == at => stretch.end = at + 1,
            _ => self.window.stretches.push(at..at + 1),
        }
        let input =
            pieces.iter().enumerate().map(|(n, id)| Piece { id: *id, channel, first: n == 0 });
        self.window.input.extend(input);
    }
}
