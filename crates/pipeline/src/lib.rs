//! storymill-pipeline.
