//! The tree of commitments.
//!
//! With `H` for BLAKE3, `n(x)` for the length of `x` in bytes as eight bytes, little-endian:
//!
//! ```text
//! leaf = H(0x00 n(set) set n(pair) pair salt n(content) content)    salt: 32 bytes
//! node = H(0x01 left right)                                         a node without a partner goes up as it is
//! root = H(0x02 count top)                                          count: eight bytes, little-endian
//! ```

use storymill_core::Digest;
use zeroize::Zeroize;

/// 32 random bytes that keep a leaf from being guessed.
#[derive(Clone, Copy, PartialEq, Eq)]
#[expect(missing_debug_implementations, reason = "a salt is private until its pair is revealed")]
pub struct Salt(pub [u8; 32]);

impl Zeroize for Salt {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

/// The leaf of a pair. `content` is its canonical JSON.
pub fn leaf(set: &str, pair: &str, salt: &Salt, content: &str) -> Digest {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[0]);
    for part in [set, pair] {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
    }
    hasher.update(&salt.0);
    hasher.update(&(content.len() as u64).to_le_bytes()).update(content.as_bytes());
    Digest::from(*hasher.finalize().as_bytes())
}

fn node(left: &Digest, right: &Digest) -> Digest {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[1]).update(left.as_bytes()).update(right.as_bytes());
    Digest::from(*hasher.finalize().as_bytes())
}

fn crown(count: u64, top: Option<Digest>) -> Digest {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[2]).update(&count.to_le_bytes());
    if let Some(top) = top {
        hasher.update(top.as_bytes());
    }
    Digest::from(*hasher.finalize().as_bytes())
}

fn above(level: &[Digest]) -> Vec<Digest> {
    let pair = |pair: &[Digest]| match pair {
        [left, right] => node(left, right),
        rest => rest[0],
    };
    level.chunks(2).map(pair).collect()
}

/// The root over leaves in their order.
pub fn root(leaves: &[Digest]) -> Digest {
    let mut level = leaves.to_vec();
    while level.len() > 1 {
        level = above(&level);
    }
    crown(leaves.len() as u64, level.first().copied())
}

/// The partners on the way from a leaf to the root.
pub fn path(leaves: &[Digest], mut at: usize) -> Vec<Digest> {
    let (mut level, mut path) = (leaves.to_vec(), Vec::new());
    while level.len() > 1 {
        path.extend(level.get(at ^ 1));
        level = above(&level);
        at /= 2;
    }
    path
}

/// The root that a leaf, its place and the partners on its way lead to; none if there are too few or too
/// many of them, or no such place.
///
/// ```
/// use storymill_core::Digest;
/// use storymill_shelf::proof::{path, root, walk};
/// let leaves: Vec<Digest> = (0..7_u8).map(|n| Digest::of(&[n])).collect();
/// for (at, leaf) in leaves.iter().enumerate() {
///     assert_eq!(walk(leaf, at as u64, 7, &path(&leaves, at)), Some(root(&leaves)));
/// }
/// ```
pub fn walk(leaf: &Digest, at: u64, count: u64, path: &[Digest]) -> Option<Digest> {
    if at >= count {
        return None;
    }
    let (mut here, mut at, mut width, mut path) = (*leaf, at, count, path.iter());
    while width > 1 {
        if at ^ 1 < width {
            let partner = path.next()?;
            here = if at.is_multiple_of(2) { node(&here, partner) } else { node(partner, &here) };
        }
        at /= 2;
        width = width.div_ceil(2);
    }
    path.next().is_none().then(|| crown(count, Some(here)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn leaves(count: usize) -> Vec<Digest> {
        (0..count).map(|at| Digest::of(&at.to_le_bytes())).collect()
    }

    proptest! {
        #[test]
        fn a_way_leads_to_the_root_from_its_own_leaf_alone(count in 1..40_usize, at in 0..40_usize, other in 0..40_usize) {
            let (at, other, leaves) = (at % count, other % count, leaves(count));
            let (root, path) = (root(&leaves), path(&leaves, at));
            let (at64, count64) = (at as u64, count as u64);
            prop_assert_eq!(walk(&leaves[at], at64, count64, &path), Some(root));
            if other != at {
                prop_assert_ne!(walk(&leaves[other], at64, count64, &path), Some(root));
                prop_assert_ne!(walk(&leaves[at], other as u64, count64, &path), Some(root));
            }
            prop_assert_ne!(walk(&leaves[at], at64, count64 + 1, &path), Some(root));
            let longer = [&path[..], &[root]].concat();
            prop_assert_eq!(walk(&leaves[at], at64, count64, &longer), None);
        }

        #[test]
        fn any_change_is_another_root(count in 1..40_usize, at in 0..40_usize) {
            let (at, sound) = (at % count, leaves(count));
            let mut changed = sound.clone();
            changed[at] = Digest::of(b"other");
            prop_assert_ne!(root(&changed), root(&sound));
            changed = sound.clone();
            changed.remove(at);
            prop_assert_ne!(root(&changed), root(&sound));
            changed = sound.clone();
            changed.push(sound[at]);
            prop_assert_ne!(root(&changed), root(&sound));
        }
    }

    #[test]
    fn a_leaf_is_what_the_page_says() {
        let salt = Salt([7; 32]);
        let mut bytes = vec![0_u8];
        bytes.extend(3_u64.to_le_bytes());
        bytes.extend(b"set");
        bytes.extend(2_u64.to_le_bytes());
        bytes.extend(b"p1");
        bytes.extend([7; 32]);
        bytes.extend(2_u64.to_le_bytes());
        bytes.extend(b"{}");
        assert_eq!(leaf("set", "p1", &salt, "{}"), Digest::of(&bytes));
        assert_ne!(leaf("se", "tp1", &salt, "{}"), leaf("set", "p1", &salt, "{}"));
        assert_ne!(leaf("set", "p1", &Salt([8; 32]), "{}"), leaf("set", "p1", &salt, "{}"));
    }
}
