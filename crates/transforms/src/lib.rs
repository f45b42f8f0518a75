//! storymill-transforms.
