//! storymill-sources.
