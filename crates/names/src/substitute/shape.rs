//! Names that look alike: the sound they begin with, the s they end in, their length, their capitals.

/// A substitute with the capitals of what it stands for.
pub(super) fn like(substitute: &str, surface: &str) -> String {
    let caps = surface.chars().any(char::is_uppercase) && !surface.chars().any(char::is_lowercase);
    if caps && surface.chars().nth(1).is_some() {
        substitute.to_uppercase()
    } else {
        substitute.to_owned()
    }
}

/// How far a candidate is from a name: what changes `a` to `an`, or `James’` to `James’s`, weighs most.
pub(super) fn distance(name: &str, candidate: &str) -> usize {
    let vowel = |name: &str| name.starts_with(['A', 'E', 'I', 'O', 'U', 'É', 'Á', 'Ö', 'Ü']);
    let s = |name: &str| name.ends_with(['s', 'x', 'z']);
    let length = |name: &str| name.chars().count();
    4 * usize::from(vowel(name) != vowel(candidate))
        + 4 * usize::from(s(name) != s(candidate))
        + length(name).abs_diff(length(candidate))
}
