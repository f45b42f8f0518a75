//! storymill-dataset.
