//! The tagger `litner`: a small transformer trained on novels, run in pure Rust. Its bytes are handed in.

use std::{fmt, ops::Range, sync::Arc};

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, ValueOrView, op_registry};
use rten_tensor::{NdTensor, Tensor, prelude::*};
use storymill_core::{Digest, Fault, FaultKind};

use crate::{
    answers::{MODELS, rounded},
    litner::{CHANNELS, FRAME, windows},
    pieces::Vocabulary,
    tagger::{NameTagger, Odds, Piece, Window},
    words::Words,
};

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
    /// Whether this build can run it at all.
    pub const BUILT: bool = true;

    /// Loads a model (ONNX) and its vocabulary (one piece a line), and tries the model on two words.
    pub fn load(model: Vec<u8>, vocabulary: &str) -> Result<Self, Fault> {
        let digest =
            Digest::of_parts("storymill 2026 litner v1", [&model[..], vocabulary.as_bytes()]);
        let known = MODELS.iter().find(|(_, known)| digest.to_string() == *known);
        let name = known.map_or("litner", |(name, _)| *name);
        let vocabulary = Vocabulary::parse(vocabulary)?;
        // What both models are made of: a tenth of what `rten` has.
        let operators = op_registry!(
            Add,
            Cast,
            Concat,
            DequantizeLinear,
            Div,
            DynamicQuantizeLinear,
            Erf,
            Gather,
            LayerNormalization,
            MatMul,
            MatMulInteger,
            Mul,
            Range,
            Reshape,
            Shape,
            Softmax,
            Sub,
            Transpose,
            Unsqueeze
        );
        // Weights are packed once, not for every window.
        let model = ModelOptions::with_ops(operators).prepack_weights(true).load(model);
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
        let last = Piece { id: FRAME.1, channel: CHANNELS - 1, first: true };
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
        let ids = framed(FRAME.0, FRAME.1, |piece| piece.id);
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
