//! What names nobody, and what somebody bears all the same.

use super::*;

/// What of these names is somebody's, and what is nobody's and why.
#[track_caller]
fn check_nobody(text: &str, names: &[&str], people: &[&str], nobody: &[&str]) {
    let cast = cast(text, names, Policy::default());
    let found: Vec<&str> = cast.characters.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(found, people, "{text}");
    let told: Vec<String> =
        cast.nobody.iter().map(|one| format!("{} {}", one.what, one.name)).collect();
    assert_eq!(told, nobody, "{text}");
}

#[test]
fn the_saint_of_a_church_is_nobody() {
    check_nobody(
        "By St. Mary’s. In Saint Antoine.",
        &["Mary", "Antoine"],
        &[],
        &["saint Antoine", "saint Mary"],
    );
    check_nobody(
        "Mr. St. Clare sat. Augustine St. Clare",
        &["Augustine St. Clare", "Clare"],
        &["Augustine St. Clare"],
        &[],
    );
    check_nobody("The Duke of St. Austell came.", &["Austell"], &["St. Austell"], &[]);
}

#[test]
fn titles_and_words_cut_short_are_no_names() {
    check_nobody(
        "Monseigneur bowed. The Rajah sat.",
        &["Monseigneur", "Rajah"],
        &[],
        &["title Monseigneur", "title Rajah"],
    );
    check_nobody("Mr. King saw Rufus King.", &["Rufus King", "King"], &["Rufus King"], &[]);
    check_nobody("In Louisville, Ga. Tom sat.", &["Ga", "Tom"], &["Tom"], &[]);
}

#[test]
fn gods_months_and_nations_are_nobody() {
    check_nobody(
        "By Michaelmas Satan and the Neapolitan God came.",
        &["Michaelmas", "Satan", "God"],
        &[],
        &["god God", "calendar Michaelmas", "god Satan"],
    );
    check_nobody(
        "’Fore George! By Jove! George sat.",
        &["George", "Jove"],
        &["George"],
        &["oath Jove"],
    );
}

#[test]
fn stage_directions_open_with_nobody() {
    check_nobody(
        "[Enter Jack.]\n\nJack sat.\n\n[Exit Ada.]\n\n[Enter Ada.]\n\nAda sat.",
        &["Enter Jack", "Enter Ada", "Exit Ada", "Jack", "Ada"],
        &["Ada", "Jack"],
        &["word Enter", "word Exit"],
    );
    let play = "Enter Jack.\n\nJack sat.\n\nEnter Ada.\n\nAda sat. ".repeat(3);
    check_nobody(
        &format!("{play}They Enter Ada."),
        &["Enter Jack", "Enter Ada", "Jack", "Ada"],
        &["Ada", "Jack"],
        &["word Enter"],
    );
    let called = "“Well, Lane, what now?” ".repeat(9);
    check_nobody(&called, &["Lane"], &["Lane"], &[]);
}

#[test]
fn ships_and_games_are_nobody() {
    let ship = "The Czarina Catherine sailed. ".repeat(3);
    check_nobody(&ship, &["Catherine"], &[], &["thing Catherine"]);
    let game = "They played Mah Jong again. ".repeat(9);
    check_nobody(&game, &["Mah Jong"], &[], &["thing Jong", "thing Mah"]);
    let called = "“Well, Garny, come again.” ".repeat(9);
    check_nobody(&called, &["Garny"], &["Garny"], &[]);
    check_nobody("At Shooter’s Hill Tom sat.", &["Shooter", "Tom"], &["Tom"], &["place Shooter"]);
}

#[test]
fn what_others_are_called_is_nobody() {
    let kind =
        "They saw the great Manxman. Of this Manxman he spoke, and to a grey Manxman. ".repeat(3);
    check_nobody(&kind, &["Manxman"], &[], &["epithet Manxman"]);
    let son =
        format!("He was the son of Tardos Mors. {}", "They saw Tardos Mors again. ".repeat(12));
    check_nobody(&son, &["Tardos Mors"], &["Tardos Mors"], &[]);
}

#[test]
fn somebody_taken_for_a_place_is_somebody() {
    let smith = "“Well, Perth, what now?” Perth smiled, and Perth sat. ".repeat(4);
    check_nobody(&smith, &["Perth"], &["Perth"], &[]);
    check_nobody(
        "Mrs. Lowick met Immanuel Fox.",
        &["@Lowick", "@Fox"],
        &["Immanuel Fox", "Mrs. Lowick"],
        &[],
    );
}

#[test]
fn what_acts_like_somebody_is_nobody() {
    let hunger = "Hunger stared down. They fed their hunger. Hunger had a sigh. Hunger sat there. "
        .repeat(2);
    check_nobody(&hunger, &["Hunger"], &[], &["word Hunger"]);
    check_nobody("Old Nick came, and Nick sat.", &["Nick"], &["Nick"], &[]);
    check_nobody("It was Old Nick.", &["Nick"], &[], &["oath Nick"]);
}

#[test]
fn parties_orders_and_firms_are_nobody() {
    check_nobody(
        "The vote of Conservatives and Papists fell.",
        &["Conservatives", "Papists"],
        &[],
        &["people Conservatives", "people Papists"],
    );
    check_nobody(
        "I bought Porcupine Oilfields. Doris Day sang.",
        &["Porcupine Oilfields", "Doris Day"],
        &["Doris Day"],
        &["place Oilfields", "place Porcupine"],
    );
}

#[test]
fn words_inside_of_titles_are_no_names() {
    check_nobody(
        "My Lord Chief Justice rose. Sir John Lee, Bart. sat.",
        &["Chief", "John Lee", "Bart"],
        &["John Lee"],
        &[],
    );
    check_nobody("“Well, Bart. Come.” Bart came.", &["Bart"], &["Bart"], &[]);
}

#[test]
fn words_before_places_make_places() {
    check_nobody(
        "By the Pont-Neuf he saw Mont Ferrier. Ferrier Lowick sat.",
        &["Neuf", "Ferrier Lowick"],
        &["Ferrier Lowick"],
        &["place Neuf"],
    );
    // What is cut short of a place's name is the place.
    check_nobody(
        "Up Shooter’s Hill, and down Shooter’s Hill; not atop of Shooter’s yet.",
        &["Shooter"],
        &[],
        &["place Shooter"],
    );
    check_nobody(
        "Between Hilary Term and May, and then Hilary.",
        &["Hilary"],
        &[],
        &["place Hilary"],
    );
}

#[test]
fn houses_and_shops_are_nobody() {
    check_nobody(
        "News came to Garny’s from the sea. Ask at Garny’s, London.",
        &["Garny"],
        &[],
        &["place Garny"],
    );
    check_nobody("He took Garny’s hand. It was Garny’s.", &["Garny"], &["Garny"], &[]);
}

#[test]
fn calls_oaths_and_works_are_nobody() {
    let game = "She said, “Chow.” ".repeat(6);
    check_nobody(&game, &["Chow"], &[], &["word Chow"]);
    check_nobody("Mercy on us! In Mercy’s name!", &["Mercy"], &[], &["oath Mercy"]);
    check_nobody("Then Mercy sat on us.", &["Mercy"], &["Mercy"], &[]);
    check_nobody("He sang the ballad of Leonora.", &["Leonora"], &[], &["thing Leonora"]);
    check_nobody(
        "He sang the ballad of Leonora, and Leonora wept.",
        &["Leonora"],
        &["Leonora"],
        &[],
    );
}

#[test]
fn more_of_the_real_world_is_nobody() {
    check_nobody(
        "We Szekelys took Winchesters to Chartres, you Dolt.",
        &["Szekelys", "Winchesters", "Chartres", "Dolt"],
        &[],
        &["place Chartres", "word Dolt", "people Szekelys", "thing Winchesters"],
    );
    let often = "Then Fruiterer sat. ".repeat(5);
    check_nobody(&often, &["Fruiterer"], &["Fruiterer"], &[]);
    check_nobody(
        "Mr. Chartres saw Tom Finn.",
        &["Chartres", "Tom Finn"],
        &["Mr. Chartres", "Tom Finn"],
        &[],
    );
}

/// Whom history and letters know is somebody: kept, and the cast says so, unless people want another name there too or
/// somebody of the story bears it.
#[test]
fn persons_of_history_are_kept_or_replaced_by_rule() {
    let text = "Napoleon met Mr. Shakespeare. Thornby saw Goethe. Napoleon slept.";
    let names = ["Napoleon", "Shakespeare", "Thornby", "Goethe"];
    for known in [KnownPeople::Replace, KnownPeople::Keep] {
        let cast = cast(text, &names, Policy { places: false, known });
        let keeps = known == KnownPeople::Keep;
        let kept = cast.characters.iter().filter(|one| one.keep).map(|one| one.name.as_str());
        let expected: Vec<&str> = if keeps { vec!["Napoleon", "Goethe"] } else { Vec::new() };
        assert_eq!(kept.collect::<Vec<_>>(), expected);
        assert_eq!(cast.characters.len(), 4);
        assert_eq!(cast.to_toml().contains("\nkeep = true"), keeps);
    }
}

#[test]
fn a_name_of_two_words_is_nobody_by_neither() {
    let text = "“Come,” said Vess Orrin. They feared Vess Orrin. ".repeat(5);
    check_nobody(&text, &["Vess Orrin"], &["Vess Orrin"], &[]);
}

#[test]
fn people_of_a_place_are_nobody() {
    let text = "He saw Zorva at last. Of Zorva they spoke, and of Zorva. Then the Zorvans fled, and six Zorvans died. A Zorvan fell.";
    check_nobody(text, &["Zorvans", "Zorvan", "@Zorva"], &[], &["people Zorvan", "people Zorvans"]);
    let text = "Mr. Zorvan came to Zorva, from Zorva, for Zorva.";
    check_nobody(text, &["Zorvan", "@Zorva"], &["Mr. Zorvan"], &[]);
}

#[test]
fn lands_and_shops_are_nobody() {
    let text = "On the river Ossel. By the river Ossel he sat. The sea of Ossel. It was Ossel.";
    check_nobody(text, &["Ossel"], &[], &["place Ossel"]);
    let world = "Upon Orlos they fought. They live on Orlos. In all that time in Orlos it was cold. The men of Orlos fought on Orlos.";
    check_nobody(world, &["Orlos"], &[], &["place Orlos"]);
    let shop = "They wrote from Dorn’s. It came from Dorn’s. Ask at Dorn’s. ".repeat(3)
        + "Dear Mr. Dorn was not there.";
    check_nobody(&shop, &["Dorn"], &[], &["place Dorn"]);
}

#[test]
fn what_somebody_calls_it_or_reads_is_a_thing() {
    check_nobody(
        "I shall call it Bonny. So Bonny was its name, and Tom sat.",
        &["Bonny", "Bonny", "Tom"],
        &["Tom"],
        &["thing Bonny"],
    );
    check_nobody(
        "He was reading Ben Hur. Then Ben Hur lay there.",
        &["Ben Hur", "Ben Hur"],
        &[],
        &["thing Ben", "thing Hur"],
    );
    check_nobody("I called it Vessa. “No,” said Vessa.", &["Vessa", "Vessa"], &["Vessa"], &[]);
}

#[test]
fn what_stands_behind_words_of_place_is_a_place() {
    let vale = "Go past Vessamere, and beyond Vessamere to a hill. It was Vessamere.";
    check_nobody(vale, &["Vessamere"; 3], &[], &["place Vessamere"]);
    let fort = "They went to Arthur Hugh. The chief of Arthur Hugh sat. ".repeat(3);
    let held = fort.clone() + "Sir Arthur Penn came.";
    check_nobody(&held, &["Arthur Hugh"; 6], &[], &["place Arthur", "place Hugh"]);
    check_nobody(
        &"They met Arthur Hugh. The son of Arthur Hugh sat. ".repeat(3),
        &["Arthur Hugh"; 6],
        &["Arthur Hugh"],
        &[],
    );
}

#[test]
fn one_of_many_is_nobody() {
    check_nobody(
        "You, Vaskamore, are a Vaskamore. The blood of the Vaskamores.",
        &["Vaskamore", "Vaskamore", "Vaskamores"],
        &[],
        &["epithet Vaskamore", "epithet Vaskamores"],
    );
    check_nobody(
        "One of those Johnnies sat, and all Johnnies do. Tom sat.",
        &["Johnnies", "Johnnies", "Tom"],
        &["Tom"],
        &["epithet Johnnies"],
    );
    check_nobody("He came, by Gar! And by Gar, he sat.", &["Gar", "Gar"], &[], &["oath Gar"]);
}
