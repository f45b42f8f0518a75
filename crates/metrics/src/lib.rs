//! storymill-metrics.
