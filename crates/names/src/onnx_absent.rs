//! The tagger `litner` in a build without the feature of that name: it cannot be loaded, and says why.

use std::{convert::Infallible, ops::Range};

use storymill_core::{Digest, Fault};

use crate::{
    tagger::{NameTagger, Odds, Piece, Window},
    words::Words,
};

/// A model that was loaded: there is none in this build.
#[derive(Debug)]
pub struct Litner(Infallible);

impl Litner {
    /// Whether this build can run it at all.
    pub const BUILT: bool = false;

    /// Fails: this build cannot run models.
    pub fn load(_: Vec<u8>, _: &str) -> Result<Self, Fault> {
        Err(Fault::left_out("tagger `litner`"))
    }

    pub(crate) fn infer(&self, _: &[Piece]) -> Result<Vec<Odds>, Fault> {
        match self.0 {}
    }
}

impl NameTagger for Litner {
    fn name(&self) -> &'static str {
        match self.0 {}
    }

    fn digest(&self) -> Digest {
        match self.0 {}
    }

    fn windows(&self, _: &Words<'_>, _: &[Range<usize>]) -> Vec<Window> {
        match self.0 {}
    }

    fn read(&self, _: &Words<'_>, _: &Window) -> Result<Vec<Odds>, Fault> {
        match self.0 {}
    }
}
