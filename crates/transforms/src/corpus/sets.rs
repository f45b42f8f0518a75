//! Sets that grow together, each under its smallest number.

/// Joins two sets; the smaller number is the root.
pub(crate) fn join(roots: &mut [usize], one: usize, other: usize) {
    let (one, other) = (root(roots, one), root(roots, other));
    roots[one.max(other)] = one.min(other);
}

/// The root of a node, with the way there made shorter.
pub(crate) fn root(roots: &mut [usize], mut at: usize) -> usize {
    while roots[at] != at {
        roots[at] = roots[roots[at]];
        at = roots[at];
    }
    at
}
