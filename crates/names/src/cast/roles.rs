//! Which parts are names of families, and what each part is in a mention.

use super::{mentions::Mention, parts::Census, signs::is_listed};
use crate::{
    knowledge::{Known, given, is_given},
    titles::Title,
};

/// The roles of a mention's parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) given: Vec<usize>,
    pub(super) family: Option<usize>,
    /// Whether the first names are her husband's: Mrs. John Dashwood.
    pub(super) husband: bool,
}

/// Whether a title is that of an unmarried woman.
pub(super) fn is_miss(title: &str) -> bool {
    is_listed("miss", title)
}

/// Whether a title is that of a wife, behind which her husband's name may stand.
pub(super) fn is_wife(title: &str) -> bool {
    is_listed("wife", title)
}

/// Which parts are names of families: last in full names, behind titles and in the plural, more than first.
pub(super) fn families(census: &Census) -> Vec<bool> {
    let mut votes = vec![0_i64; census.parts.len()];
    let mut of_both = vec![[false; 2]; census.parts.len()];
    let mut bearers = vec![Bearers::default(); census.parts.len()];
    for mention in &census.mentions {
        let title = mention.titles.first().map(String::as_str);
        match &mention.parts[..] {
            [only] => {
                let known = given(&census.parts[*only].shown.to_lowercase());
                let first = is_given(&census.parts[*only].shown.to_lowercase());
                votes[*only] += title.map_or(0, |title| of_title(title, known, first));
                let only_first = first && !census.parts[*only].known.has(Known::SURNAME);
                // Who is called Colin a hundred times is no Mr. Colin of a family.
                votes[*only] -= i64::from(title.is_none() && only_first);
                bearers[*only].bare += u32::from(title.is_none());
                if let Some(title) = title.map(Title::of) {
                    of_both[*only][0] |= title.has(Title::MALE);
                    of_both[*only][1] |= title.has(Title::FEMALE);
                    bearers[*only].titled |= !title.has(Title::GIVEN);
                }
            }
            [first, last] if is_double(census, mention) => {
                // On the lists of given names or not, it is a half of a family's name.
                votes[*first] += 4;
                votes[*last] += 4;
            }
            [first @ .., last] => {
                // Her husband may have a family's name for a first one: Mrs. Manson Mingott.
                let wife = title.is_some_and(is_wife);
                for part in first {
                    let listed = is_given(&census.parts[*part].shown.to_lowercase());
                    votes[*part] -= if wife && !listed { 0 } else { 3 };
                }
                votes[*last] += 3;
                let known = given(&census.parts[first[0]].shown.to_lowercase());
                let female = known.has(Known::FEMALE) && !known.has(Known::MALE);
                bearers[*last].women += u32::from(female);
                bearers[*last].others += u32::from(!female);
            }
            [] => {}
        }
    }
    let decide = |(at, part): (usize, &super::parts::Part)| {
        let mut votes = votes[at] + 3 * i64::from(part.plurals);
        let low = part.shown.to_lowercase();
        let first = is_given(&low);
        // Uncle Podger and Aunt Podger are of one family.
        votes += 3 * i64::from(of_both[at] == [true, true] && !first);
        if bearers[at].is_first_name() {
            return false;
        }
        // On the lists of given names alone, a part must stand as a family's name more than once.
        votes > if first && !part.known.has(Known::SURNAME) { 3 } else { 0 }
            || (votes == 0 && !first && part.known.has(Known::SURNAME))
    };
    census.parts.iter().enumerate().map(decide).collect()
}

/// Who bears a part at the end of a full name, and how often it stands alone.
#[derive(Clone, Copy, Debug, Default)]
struct Bearers {
    women: u32,
    others: u32,
    bare: u32,
    titled: bool,
}

impl Bearers {
    /// Whether it is a first name that comes from a mother's family: it mostly stands alone, and only women bear
    /// it as a family's name.
    fn is_first_name(self) -> bool {
        self.bare >= 8
            && self.others == 0
            && !self.titled
            && self.bare > 4 * self.women
            && self.women > 0
    }
}

/// Whether two parts behind a title are one family's name: Mrs. Scott-Siddons, but not Madame
/// Marie-Anne.
fn is_double(census: &Census, mention: &Mention) -> bool {
    let [_, last] = mention.parts[..] else { return false };
    let first = is_given(&census.parts[last].shown.to_lowercase());
    mention.hyphen && !mention.titles.is_empty() && !first
}

/// Which parts ever end a full name.
pub(super) fn last(census: &Census) -> Vec<bool> {
    let mut is = vec![false; census.parts.len()];
    for mention in census.mentions.iter().filter(|mention| mention.parts.len() > 1) {
        mention.parts.last().into_iter().for_each(|part| is[*part] = true);
    }
    is
}

/// What a title before a single part says of it.
fn of_title(title: &str, known: Known, first: bool) -> i64 {
    let of = Title::of(title);
    match title {
        // Miss Mary is a person, Miss Bennet one of a family.
        "miss" | "missy" | "lady" | "madam"
            if known.has(Known::FEMALE) && !known.has(Known::SURNAME) =>
        {
            -2
        }
        // So is Mrs. Rachel, who elsewhere is Rachel Lynde.
        _ if is_wife(title)
            && known.has(Known::FEMALE)
            && !known.has(Known::MALE)
            && !known.has(Known::SURNAME) =>
        {
            0
        }
        "lord" if first && !known.has(Known::SURNAME) => -2,
        "miss" | "missy" | "lady" | "madam" | "lord" => 1,
        "aunt" | "uncle" | "cousin" | "granny" | "grandmother" | "brother" | "sister" if !first => {
            0
        }
        _ if of.has(Title::GIVEN) => -2,
        _ if of.has(Title::FAMILY) || title == "m" => 3,
        _ if first => 0,
        _ => 1,
    }
}

/// What each part is in a mention. `last` says which parts ever end a full name.
pub(super) fn shape(census: &Census, family: &[bool], last: &[bool], mention: &Mention) -> Shape {
    let title = mention.titles.first().map(String::as_str);
    let list = |part: usize| {
        let known = given(&census.parts[part].shown.to_lowercase());
        (known.has(Known::FEMALE), known.has(Known::MALE))
    };
    let is_first = |part: usize| list(part) != (false, false);
    let wife = title.is_some_and(is_wife);
    match &mention.parts[..] {
        [] => Shape::default(),
        [only] => {
            let of = title.map(Title::of).unwrap_or_default();
            let ranked = title.is_some() && !of.has(Title::GIVEN) && !wife && last[*only];
            if family[*only] || (ranked && !is_first(*only)) {
                Shape { family: Some(*only), ..Shape::default() }
            } else {
                let lady = title == Some("lady") && list(*only).1;
                let husband = (wife || lady) && !list(*only).0;
                Shape { given: vec![*only], husband, ..Shape::default() }
            }
        }
        [_, end] if is_double(census, mention) => Shape { family: Some(*end), ..Shape::default() },
        [first, .., end] => {
            // The family is the last part that is one: `With Ben Weatherstaff Mary went` has a name too many.
            let at = mention.parts.iter().rposition(|part| family[*part]);
            let (names, surname) = match at {
                Some(0) if title.is_some_and(|title| Title::of(title).has(Title::FAMILY)) => {
                    return Shape { family: Some(*first), ..Shape::default() };
                }
                Some(0) => (&mention.parts[1..], *first),
                Some(at) if at > 0 => (&mention.parts[..at], mention.parts[at]),
                _ if !is_first(*end) => (&mention.parts[..mention.parts.len() - 1], *end),
                _ => return Shape { given: mention.parts.clone(), ..Shape::default() },
            };
            let husband = wife && !list(names[0]).0;
            Shape { given: names.to_vec(), family: Some(surname), husband }
        }
    }
}
