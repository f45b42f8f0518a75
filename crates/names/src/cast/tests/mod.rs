mod evidence;
mod nobody;
mod people;

use super::*;
use crate::decision::Kind;

/// The cast of a text in which these names are found wherever they stand.
fn cast(text: &str, names: &[&str], policy: Policy) -> CastFile {
    let words = Words::new(text);
    let mut found: Vec<Found> = Vec::new();
    for name in names {
        let (name, kind) =
            name.strip_prefix('@').map_or((*name, Kind::Person), |name| (name, Kind::Place));
        let length = Words::new(name).len();
        for (byte, _) in text.match_indices(name) {
            let at = words.all().partition_point(|word| (word.start as usize) < byte);
            if !found.iter().any(|found| found.words.contains(&at)) {
                found.push(Found { words: at..at + length, kind });
            }
        }
    }
    found.sort_by_key(|found| found.words.start);
    CastFile::new("b1", &words, &found, policy)
}

#[track_caller]
fn check(text: &str, names: &[&str], expected: &[(&str, Gender, u32)]) {
    let cast = cast(text, names, Policy::default());
    let found: Vec<_> =
        cast.characters.iter().map(|one| (&*one.name, one.gender, one.seen)).collect();
    assert_eq!(found, expected, "{text}");
    assert_eq!(CastFile::parse(&cast.to_toml()).unwrap(), cast);
}

#[test]
fn short_names_join_full_ones_and_families_share() {
    use Gender::{Female, Male};
    check(
        "Elizabeth Bennet wrote to Jane Bennet. Lizzy smiled, and Elizabeth read. Mr. Bennet laughed. Mrs. Bennet cried; Elizabeth too.",
        &["Elizabeth Bennet", "Jane Bennet", "Lizzy", "Elizabeth", "Bennet"],
        &[
            ("Elizabeth Bennet", Female, 4),
            ("Jane Bennet", Female, 1),
            ("Mr. Bennet", Male, 1),
            ("Mrs. Bennet", Female, 1),
        ],
    );
}

#[test]
fn a_title_finds_the_one_it_fits() {
    use Gender::{Female, Male};
    check(
        "Charles Bingley and Caroline Bingley came. Mr. Bingley danced. Miss Bingley did not. Bingley left.",
        &["Charles Bingley", "Caroline Bingley", "Bingley"],
        &[("Charles Bingley", Male, 3), ("Caroline Bingley", Female, 2)],
    );
}

#[test]
fn titles_that_are_cut_short_are_titles() {
    use Gender::{Female, Male};
    check(
        "Paul Fontaine kissed Mlle. Fontaine. Mme. Fontaine wept. Gen. Lee and Robert Lee and Sergt. Cuff.",
        &["Paul Fontaine", "Fontaine", "Robert Lee", "Lee", "Cuff"],
        &[
            ("Robert Lee", Male, 2),
            ("Mlle. Fontaine", Female, 1),
            ("Mme. Fontaine", Female, 1),
            ("Paul Fontaine", Male, 1),
            ("Sergt. Cuff", Male, 1),
        ],
    );
}

#[test]
fn pronouns_tell_where_no_list_does() {
    check("Then Zorka lost her hat. I saw Zorka.", &["Zorka"], &[("Zorka", Gender::Female, 2)]);
    check("Then Zorka came. I saw Zorka.", &["Zorka"], &[("Zorka", Gender::Unknown, 2)]);
}

#[test]
fn common_words_are_careful_and_their_places_counted() {
    let text = "É! Then Will Fox will go. Fox said I will. A fox and Will Fox.";
    let cast = cast(text, &["Will Fox", "Fox"], Policy::default());
    let at: Vec<_> = cast.careful.iter().map(|one| (&*one.part, &one.at[..])).collect();
    assert_eq!(at, [("Fox", &[13, 26, 58][..]), ("Will", &[8, 53])]);
    let bytes = cast.places_in(text).unwrap();
    assert!(bytes.iter().all(|byte| text[*byte..].starts_with(['W', 'F'])), "{bytes:?}");
    assert_eq!(cast.places_in("another text"), None);
}

#[test]
fn what_somebody_is_names_nobody() {
    use Gender::Unknown;
    let text = "The Huron saw Magua. Then the Huron ran; a Huron fell. I knew the Lees, and Lee. My Garny and the March Hare.";
    let names = ["Huron", "Magua", "Lees", "Lee", "Garny", "Hare"];
    check(text, &names, &[("Garny", Unknown, 1), ("Lee", Unknown, 1), ("Magua", Unknown, 1)]);
}

#[test]
fn what_is_real_may_stay() {
    let text = "In London lived Ann Lee, who read Shakespeare. By Thornleigh they met God.\n\n";
    let text = text.repeat(5);
    let names = ["@London", "@Thornleigh", "Ann Lee", "Shakespeare", "God"];
    let kept = |policy| {
        let cast = cast(&text, &names, policy);
        let people = cast.characters.into_iter().filter(|one| one.keep).map(|one| one.name);
        let mut kept: Vec<_> = people
            .chain(cast.places.into_iter().filter(|one| one.keep).map(|one| one.name))
            .collect();
        kept.sort();
        kept
    };
    let known = KnownPeople::Replace;
    assert_eq!(kept(Policy { places: false, known }), ["London", "Thornleigh"]);
    assert_eq!(kept(Policy { places: true, known }), ["London"]);
    assert_eq!(kept(Policy { places: true, ..Policy::default() }), ["London", "Shakespeare"]);
}

/// The places of a text that is said ten times, and where in the first of these careful parts are names.
#[track_caller]
fn check_places(text: &str, names: &[&str], places: &str, careful: &[(&str, &[u32])]) {
    let policy = Policy { places: true, ..Policy::default() };
    let cast = cast(&format!("{text}\n\n").repeat(10), names, policy);
    let parts = |one: &Locale| {
        let parts = if one.keep { "stays".to_owned() } else { one.parts.join(" ") };
        format!("{}: {parts}", one.name)
    };
    assert_eq!(cast.places.iter().map(parts).collect::<Vec<_>>().join("; "), places, "{text}");
    let once = |at: &&u32| (**at as usize) < text.len();
    let at: Vec<(&str, Vec<u32>)> = cast
        .careful
        .iter()
        .map(|one| (&*one.part, one.at.iter().take_while(once).copied().collect()))
        .collect();
    let expected: Vec<(&str, Vec<u32>)> =
        careful.iter().map(|(part, at)| (*part, at.to_vec())).collect();
    assert_eq!(at, expected, "{text}");
}

#[test]
fn invented_places_are_replaced_by_their_own_words() {
    // What it is and where it lies stays: Park, East. A word that is never another is replaced everywhere.
    let text = "By East Kelbrick she saw Kelbrick Park. At Kelbrick we rest.";
    let places = "East Kelbrick: Kelbrick; Kelbrick Park: Kelbrick";
    check_places(text, &["@East Kelbrick", "@Kelbrick Park"], places, &[]);
    // Common words and first names are replaced where the place is named.
    let text = "A berry! Berry Hill lay far. Berries. I left Berry Hill, and Howard. By Howard Grove we met.";
    let places = "Berry Hill: Berry; Howard Grove: Howard";
    let careful: &[(&str, &[u32])] = &[("Berry", &[9, 45]), ("Howard", &[72])];
    check_places(text, &["@Berry Hill", "@Howard Grove"], places, careful);
    check_places("A king came to the Kitchen of a kitchen.", &["@Kitchen"], "Kitchen: stays", &[]);
    // What has a real place in its name is real, and what is named after a queen.
    let text = "To Hyde Park, by Queen Maud Street.";
    check_places(
        text,
        &["@Hyde Park", "@Maud Street"],
        "Hyde Park: stays; Maud Street: stays",
        &[],
    );
}

#[test]
fn mistakes_in_a_cast_are_said() {
    let sound = cast("Ann Lee met Tom Lee.", &["Ann Lee", "Tom Lee"], Policy::default()).to_toml();
    let refused =
        |old: &str, new: &str| CastFile::parse(&sound.replacen(old, new, 1)).unwrap_err().message;
    assert!(refused("seen = 1", "seen = 1\nkeep = true").contains("contradicts itself"));
    assert!(refused("seen = 1", "sen = 1").contains("line "));
    assert!(refused("\"Lee\"", "\"Lee Lee\"").contains("not one word"));
    assert!(refused("version = 1", "version = 9").contains("form 9"));
}
