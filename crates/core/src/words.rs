//! Counts and near misses, as messages show them.

/// A count with its thing: `1 row`, `2 rows`, `3 entries`.
///
/// ```
/// use storymill_core::plural;
///
/// assert_eq!([plural(1, "try"), plural(2, "try"), plural(0, "day")], ["1 try", "2 tries", "0 days"]);
/// ```
pub fn plural(count: u64, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {}", many(thing)) }
}

/// The plural of a thing: `rows`, `entries`, `matches`.
pub fn many(thing: &str) -> String {
    let ends_in_vowel_y = ["ay", "ey", "oy", "uy"].iter().any(|end| thing.ends_with(end));
    let hisses = ["s", "x", "ch", "sh"].iter().any(|end| thing.ends_with(end));
    match thing.strip_suffix('y') {
        Some(stem) if !ends_in_vowel_y => format!("{stem}ies"),
        _ if hisses => format!("{thing}es"),
        _ => format!("{thing}s"),
    }
}

/// The first few of many, and how many more there are: `a, b and 3 more`.
pub fn few<A>(all: A, shown: usize) -> String
where
    A: IntoIterator<IntoIter: ExactSizeIterator, Item: ToString>,
{
    let mut all = all.into_iter();
    let named: Vec<_> = all.by_ref().take(shown).map(|one| one.to_string()).collect();
    let more = if all.len() == 0 { String::new() } else { format!(" and {} more", all.len()) };
    format!("{}{more}", named.join(", "))
}

/// The name most like a word that is not among them, if one is alike at all.
///
/// ```
/// let known = ["read-along", "reconstruction"];
/// assert_eq!(storymill_core::nearest("readalong", known), Some("read-along"));
/// assert_eq!(storymill_core::nearest("scenes", known), None);
/// ```
pub fn nearest<'n>(word: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let lower = word.to_lowercase();
    let distance = |name: &str| strsim::damerau_levenshtein(&lower, &name.to_lowercase());
    let near = known.into_iter().map(|name| (distance(name), name)).min();
    near.filter(|(distance, name)| *distance <= 1 + name.len().min(word.len()) / 4)
        .map(|(_, name)| name)
}

/// A hint on a word that is not known here: the name that was meant, as it seems, else those that there are.
///
/// ```
/// let hint = storymill_core::did_you_mean("tset", ["train", "test"]);
/// assert_eq!(hint.unwrap(), "did you mean `test`?");
/// ```
pub fn did_you_mean<'n>(word: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
    const SHOWN: usize = 40;
    let known: Vec<&str> = known.into_iter().collect();
    if let Some(near) = nearest(word, known.iter().copied()) {
        return Some(format!("did you mean `{near}`?"));
    }
    let named: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
    (!known.is_empty()).then(|| format!("known here: {}", few(&named, SHOWN)))
}
