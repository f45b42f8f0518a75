//! `archived-scenes`: the chunks of an archive as scenes, one for one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Archive, Cx, Edge, Encoding, Options, Rows, Scene, Stage, Stop, SymbolIndex, stage,
};
use storymill_text::word_count;

use super::{joined, only};
use crate::tokens;

/// Makes a scene of each chunk of an archive; scenes have the numbers of their chunks.
///
/// ```
/// use storymill_transforms::ArchivedScenes;
/// let stage: ArchivedScenes = toml::from_str("from = 'archive'").unwrap();
/// assert!(stage.tokens.is_empty());
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArchivedScenes {
    /// The source of the archive.
    pub from: Edge<Archive>,
    /// Encodings whose tokens are counted: `["o200k_base", "cl100k_base"]`. Whatever is made from
    /// these scenes has its lengths in those tokens too. Default: none.
    #[serde(default)]
    pub tokens: Vec<Encoding>,
}

impl Options for ArchivedScenes {
    fn check(&self) -> Vec<(&'static str, String)> {
        tokens::faults(&self.tokens)
    }

    fn encodings(&self) -> &[Encoding] {
        &self.tokens
    }
}

impl Stage for ArchivedScenes {
    stage!("archived-scenes", 1, Rows<Archive> => Scene, from);

    fn run(&self, archives: Rows<Archive>, _: &mut Cx<'_>) -> Result<Vec<Scene>, Stop> {
        let archive = only(&archives)?;
        let (text, spans) = joined(archive);
        let index = SymbolIndex::new(&text);
        let texts: Vec<&str> = spans.iter().map(|span| &text[span.clone()]).collect();
        let tokens = tokens::count(&texts, &self.tokens);
        let scenes = (0..).zip(&spans).zip(texts.iter().zip(tokens));
        let scene =
            |((scene, span), (text, tokens)): ((u32, &std::ops::Range<usize>), (&&str, _))| Scene {
                book: archive.book.clone(),
                scene,
                // The archive knows no chapters.
                chapter: None,
                span: index.span(span.clone()),
                words: word_count(text),
                tokens,
                text: (*text).to_owned(),
            };
        Ok(scenes.map(scene).collect())
    }
}
