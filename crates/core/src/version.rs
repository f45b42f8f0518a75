//! Versions of datasets and sets.

/// The three numbers of a version, by which one is higher than another; none if it is no version.
///
/// ```
/// use storymill_core::version;
/// assert!(version("1.10.0") > version("1.9.9"));
/// assert_eq!([version("1.0"), version("latest"), version("1.0.0-rc1")], [None; 3]);
/// ```
pub fn version(text: &str) -> Option<[u64; 3]> {
    let number = |part: &str| {
        let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if digits { part.parse().ok() } else { None }
    };
    let mut parts = text.split('.').map(number);
    let version = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(version)
}
