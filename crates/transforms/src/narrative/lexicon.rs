//! Word lists of the rule-made stages, written by hand for English.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

/// Words that are asked for at every word of a book.
pub(crate) type Words = LazyLock<HashSet<&'static str>>;

/// Titles that stand before a name, without their full stop.
#[rustfmt::skip]
pub(crate) static TITLES: Words = Words::new(|| HashSet::from([
    "Mr", "Mrs", "M", "Miss", "Ms", "Master", "Dr", "Doctor", "Sir", "Lady", "Lord", "Captain",
    "Capt", "Colonel", "Col", "Major", "General", "Gen", "Lieutenant", "Lieut", "Sergeant",
    "Inspector", "Professor", "Prof", "Reverend", "Rev", "Father", "Mother", "Aunt", "Uncle",
    "Cousin", "Brother", "Sister", "King", "Queen", "Prince", "Princess", "Duke", "Duchess",
    "Count", "Countess", "Baron", "Baroness", "Squire", "Judge", "Madame", "Mme", "Monsieur",
    "Mademoiselle", "Mlle", "Madam", "Herr", "Frau", "Fräulein", "St", "Saint", "Dame", "Widow",
    "Old", "Young", "Poor", "Little", "Constable", "Deacon", "Parson", "Granny", "Grandfather",
    "Grandmother",
]));

/// Words with a capital that name neither a person nor a place of the story.
#[rustfmt::skip]
pub(crate) static NOT_NAMES: Words = Words::new(|| HashSet::from([
    "I", "I'm", "I’m", "I'll", "I’ll", "I've", "I’ve", "I'd", "I’d", "O", "Oh", "God", "Lord",
    "Heaven", "Christ", "Jesus", "Almighty", "Providence", "Bible", "Scripture", "Testament",
    "Gospel", "Christmas", "Easter", "Lent", "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday",
    "Friday", "Saturday", "Sundays", "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December", "English", "French", "German",
    "Italian", "Spanish", "Dutch", "Irish", "Scotch", "Scottish", "Welsh", "American", "Indian",
    "Greek", "Latin", "Roman", "Russian", "Turkish", "Chinese", "Jewish", "Hebrew", "Christian",
    "Catholic", "Protestant", "Englishman", "Frenchman", "Englishmen", "Frenchmen", "Chapter",
    "Book", "Part", "Volume", "Section", "Esq", "Esquire", "Heavens", "Nature", "Fate", "Fortune",
    "Death", "Time", "State", "States", "Government", "Majesty", "Highness", "Honour", "Excellency",
    "Street", "Road", "North", "South", "East", "West", "The", "And", "But", "He", "She", "It",
    "They", "We", "You", "Yes", "No", "Well", "What", "Why", "How", "When", "Then", "Now", "There",
    "Here", "Is", "Are", "Do", "Did", "Not", "My", "Your", "His", "Her", "Who", "Where", "That",
    "This", "If", "In", "Of", "To", "At", "For", "With", "Good", "Come", "Ah", "Alas", "Hall",
    "House", "Inn", "College", "Church", "Company", "Note", "Footnote", "Illustration", "Project",
    "Gutenberg", "Papa", "Mamma", "Mama", "Ma", "Pa", "Mother", "Father", "Sir", "Madam",
    "Grandmamma", "Majesty's", "A", "An",
]));

/// Whether a noun in small letters is a person who may be a man, or a woman.
pub(crate) fn is_person(noun: &str, male: bool) -> bool {
    ANYBODY.contains(noun) || if male { &MEN } else { &WOMEN }.contains(noun)
}

/// Nouns for men and boys.
#[rustfmt::skip]
static MEN: Words = Words::new(|| HashSet::from([
    "man", "boy", "lad", "fellow", "gentleman", "father", "brother", "uncle", "son", "grandfather",
    "nephew", "husband", "widower", "bachelor", "papa", "king", "prince", "duke", "earl", "count",
    "baron", "lord", "squire", "master", "captain", "colonel", "general", "major", "sergeant",
    "officer", "soldier", "sailor", "priest", "vicar", "parson", "curate", "minister", "clergyman",
    "bishop", "monk", "groom", "bridegroom", "butler", "footman", "coachman", "driver", "gardener",
    "policeman", "constable", "detective", "inspector", "farmer", "shepherd", "fisherman", "miller",
    "smith", "blacksmith", "carpenter", "butcher", "baker", "merchant", "banker", "host", "landlord",
    "innkeeper", "schoolmaster", "headmaster", "tutor", "lover", "rival", "villain", "beggar", "thief",
    "foreman", "workman", "huntsman", "stepfather", "godfather", "professor", "barber", "porter",
]));

/// Nouns for women and girls.
#[rustfmt::skip]
static WOMEN: Words = Words::new(|| HashSet::from([
    "woman", "girl", "lass", "lady", "mother", "sister", "aunt", "daughter", "grandmother", "niece",
    "wife", "widow", "bride", "spinster", "mamma", "queen", "princess", "duchess", "countess",
    "mistress", "maid", "nurse", "governess", "housekeeper", "hostess", "landlady", "milkmaid",
    "schoolmistress", "laundress", "dressmaker", "stepmother", "godmother", "nun", "witch", "actress",
    "lover", "rival", "beggar", "matron", "heroine",
]));

/// Nouns for either.
#[rustfmt::skip]
static ANYBODY: Words = Words::new(|| HashSet::from([
    "child", "baby", "infant", "doctor", "physician", "surgeon", "lawyer", "judge", "clerk", "friend",
    "companion", "comrade", "cousin", "stranger", "visitor", "guest", "neighbour", "neighbor",
    "servant", "cook", "teacher", "pupil", "patient", "prisoner", "passenger", "traveller", "enemy",
    "orphan", "heir", "invalid", "messenger", "owner", "other", "another", "somebody", "someone",
    "nobody", "everybody", "person", "creature", "figure",
]));

/// Prepositions that stand before places and seldom before persons.
#[rustfmt::skip]
pub(crate) static IN_PLACE: Words = Words::new(|| HashSet::from([
    "in", "In", "into", "near", "Near", "through", "towards", "toward", "at", "At", "across",
    "round", "reached", "leaving", "left",
]));

/// Well-known women's names.
#[rustfmt::skip]
pub(crate) static FEMALE_NAMES: Words = Words::new(|| HashSet::from([
    "Ada", "Adela", "Adelaide", "Agatha", "Agnes", "Alice", "Amelia", "Amy", "Anna", "Anne",
    "Annie", "Augusta", "Beatrice", "Becky", "Bella", "Bertha", "Bess", "Bessie", "Betsy", "Betty",
    "Caroline", "Carrie", "Catherine", "Cecilia", "Cecily", "Charlotte", "Christina", "Clara",
    "Clarissa", "Constance", "Cordelia", "Daisy", "Deborah", "Diana", "Dinah", "Dolly", "Dora",
    "Dorcas", "Dorothea", "Dorothy", "Edith", "Effie", "Eleanor", "Elinor", "Eliza", "Elizabeth",
    "Ella", "Ellen", "Elsie", "Emily", "Emma", "Esther", "Ethel", "Eva", "Eve", "Evelyn", "Fanny",
    "Flora", "Florence", "Frances", "Georgiana", "Gertrude", "Grace", "Gwendolen", "Hannah",
    "Harriet", "Helen", "Henrietta", "Hester", "Honora", "Ida", "Irene", "Isabel", "Isabella",
    "Jane", "Janet", "Jean", "Jemima", "Jenny", "Jessie", "Joan", "Jo", "Josephine", "Judith",
    "Julia", "Juliet", "Kate", "Katherine", "Katie", "Kitty", "Laura", "Lavinia", "Letitia",
    "Lizzie", "Lizzy", "Louisa", "Louise", "Lucy", "Lucinda", "Lydia", "Mabel", "Madeline",
    "Maggie", "Margaret", "Maria", "Marian", "Marianne", "Marie", "Marilla", "Martha", "Mary",
    "Matilda", "Maud", "May", "Meg", "Mercy", "Mildred", "Millicent", "Mina", "Minnie", "Miriam",
    "Molly", "Myrtle", "Nancy", "Nell", "Nellie", "Nelly", "Nora", "Olive", "Olivia", "Patience",
    "Patty", "Peggy", "Penelope", "Phoebe", "Polly", "Priscilla", "Prudence", "Rachel", "Rebecca",
    "Rhoda", "Rosa", "Rosalind", "Rosamond", "Rose", "Ruby", "Ruth", "Sally", "Sarah", "Selina",
    "Sophia", "Sophy", "Stella", "Susan", "Susanna", "Sylvia", "Tabitha", "Theodora", "Theresa",
    "Ursula", "Victoria", "Violet", "Virginia", "Winifred",
]));

/// Well-known men's names.
#[rustfmt::skip]
pub(crate) static MALE_NAMES: Words = Words::new(|| HashSet::from([
    "Abel", "Abraham", "Adam", "Albert", "Alec", "Alexander", "Alfred", "Allan", "Ambrose",
    "Andrew", "Angus", "Anthony", "Archibald", "Archie", "Arthur", "Aubrey", "Augustus", "Barnaby",
    "Bartholomew", "Basil", "Ben", "Benjamin", "Bernard", "Bertie", "Bertram", "Bob", "Caleb",
    "Cecil", "Charles", "Charley", "Charlie", "Christopher", "Clement", "Cuthbert", "Cyril",
    "Daniel", "David", "Davy", "Denis", "Dick", "Donald", "Duncan", "Ebenezer", "Edgar", "Edmund",
    "Edward", "Edwin", "Elias", "Enoch", "Ephraim", "Ernest", "Eustace", "Everard", "Felix",
    "Ferdinand", "Francis", "Frank", "Fred", "Frederick", "Geoffrey", "George", "Gerald", "Gilbert",
    "Giles", "Godfrey", "Gregory", "Guy", "Harold", "Harry", "Henry", "Herbert", "Herman", "Horace",
    "Hubert", "Hugh", "Hugo", "Humphrey", "Isaac", "Ivan", "Jack", "Jacob", "James", "Jasper",
    "Jay", "Jem", "Jeremiah", "Jerry", "Jim", "Joe", "John", "Johnny", "Jonas", "Jonathan",
    "Joseph", "Joshua", "Julian", "Lawrence", "Leonard", "Lewis", "Lionel", "Louis", "Luke",
    "Malcolm", "Mark", "Martin", "Matthew", "Maurice", "Michael", "Miles", "Morris", "Moses",
    "Nathan", "Nathaniel", "Ned", "Nicholas", "Nick", "Noah", "Oliver", "Oscar", "Oswald", "Owen",
    "Patrick", "Paul", "Percy", "Peter", "Philip", "Phineas", "Ralph", "Raymond", "Reginald",
    "Richard", "Robert", "Robin", "Roderick", "Roger", "Rupert", "Sam", "Samuel", "Septimus",
    "Sherlock", "Sidney", "Silas", "Simon", "Solomon", "Stanley", "Stephen", "Sydney", "Thaddeus",
    "Theodore", "Thomas", "Timothy", "Tobias", "Toby", "Tom", "Tommy", "Valentine", "Vincent",
    "Walter", "Wilfred", "Will", "William", "Willie", "Zachary",
]));

/// Names that may mean the same person.
#[rustfmt::skip]
pub(crate) const NICKNAMES: &[&str] = &[
    "Elizabeth Lizzy Lizzie Eliza Bess Bessie Betsy Betty Lisbeth Beth Bella",
    "Margaret Maggie Meg Peggy Madge Daisy Greta", "Mary Molly Polly May Maria Minnie Marie",
    "Sarah Sally Sadie", "Catherine Katherine Kate Katie Kitty Cathy", "Martha Patty Matty",
    "Ellen Nell Nelly Nellie Eleanor Helen Nora Elinor", "Anne Anna Annie Nancy Nan Hannah",
    "Jane Jenny Janet Jean Joan", "Dorothy Dolly Dora Dorothea Dot",
    "William Will Willie Bill Billy", "Robert Bob Bobby Rob Robin", "Richard Dick Dickie",
    "Edward Ned Ted Teddy Eddie", "James Jim Jimmy Jem Jamie", "John Jack Johnny Jonny",
    "Henry Harry Hal", "Charles Charley Charlie", "Thomas Tom Tommy",
    "Joseph Joe Jo Joey Josephine", "Theodore Laurie Teddy Ted", "Francis Frank Fanny Frances",
    "Amelia Emmy Emily",
];

/// Whether a small-letter word looks like the past of a verb that moves a story.
pub(crate) fn is_past(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ed") && !word.ends_with("eed") || base_of(word).is_some()
}

/// The infinitive of a past tense in the table.
pub(crate) fn base_of(past: &str) -> Option<&'static str> {
    static BASES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| PAST.iter().copied().collect());
    BASES.get(past).copied()
}

/// The value of a number word up to twelve, or of a round one.
pub(crate) fn number_of(word: &str) -> Option<u32> {
    static VALUES: LazyLock<HashMap<&str, u32>> =
        LazyLock::new(|| NUMBERS.iter().copied().collect());
    VALUES.get(word).copied()
}

/// Number words. `one` is not among them: it is a pronoun as often.
#[rustfmt::skip]
pub(crate) const NUMBERS: &[(&str, u32)] = &[
    ("two", 2), ("three", 3), ("four", 4), ("five", 5), ("six", 6), ("seven", 7), ("eight", 8),
    ("nine", 9), ("ten", 10), ("eleven", 11), ("twelve", 12), ("thirteen", 13), ("fourteen", 14),
    ("fifteen", 15), ("sixteen", 16), ("seventeen", 17), ("eighteen", 18), ("nineteen", 19),
    ("twenty", 20), ("thirty", 30), ("forty", 40), ("fifty", 50), ("sixty", 60), ("seventy", 70),
    ("eighty", 80), ("ninety", 90), ("hundred", 100), ("thousand", 1000),
];

/// Past tenses that are no participles of another verb, with their infinitives, in order.
#[rustfmt::skip]
pub(crate) const PAST: &[(&str, &str)] = &[
    ("accepted", "accept"), ("allowed", "allow"), ("answered", "answer"), ("asked", "ask"),
    ("ate", "eat"), ("began", "begin"), ("begged", "beg"), ("believed", "believe"),
    ("bent", "bend"), ("bit", "bite"), ("blew", "blow"), ("bought", "buy"), ("bowed", "bow"),
    ("broke", "break"), ("brought", "bring"), ("built", "build"), ("buried", "bury"),
    ("burnt", "burn"), ("called", "call"), ("came", "come"), ("carried", "carry"),
    ("caught", "catch"), ("chose", "choose"), ("climbed", "climb"), ("closed", "close"),
    ("counted", "count"), ("crossed", "cross"), ("dragged", "drag"), ("drank", "drink"),
    ("drew", "draw"), ("dropped", "drop"), ("drove", "drive"), ("entered", "enter"),
    ("escaped", "escape"), ("fell", "fall"), ("felt", "feel"), ("fetched", "fetch"),
    ("filled", "fill"), ("fired", "fire"), ("flew", "fly"), ("followed", "follow"),
    ("forgave", "forgive"), ("forgot", "forget"), ("fought", "fight"), ("gathered", "gather"),
    ("gave", "give"), ("got", "get"), ("greeted", "greet"), ("handed", "hand"), ("heard", "hear"),
    ("helped", "help"), ("hid", "hide"), ("hired", "hire"), ("hung", "hang"), ("hurried", "hurry"),
    ("invited", "invite"), ("joined", "join"), ("jumped", "jump"), ("kept", "keep"),
    ("killed", "kill"), ("kissed", "kiss"), ("knelt", "kneel"), ("knew", "know"),
    ("knocked", "knock"), ("laid", "lay"), ("laughed", "laugh"), ("learned", "learn"),
    ("led", "lead"), ("lent", "lend"), ("lifted", "lift"), ("listened", "listen"), ("lit", "light"),
    ("locked", "lock"), ("looked", "look"), ("lost", "lose"), ("made", "make"),
    ("married", "marry"), ("met", "meet"), ("moved", "move"), ("nodded", "nod"),
    ("noticed", "notice"), ("obeyed", "obey"), ("offered", "offer"), ("opened", "open"),
    ("ordered", "order"), ("paid", "pay"), ("passed", "pass"), ("picked", "pick"),
    ("placed", "place"), ("played", "play"), ("promised", "promise"), ("pulled", "pull"),
    ("pushed", "push"), ("ran", "run"), ("rang", "ring"), ("reached", "reach"),
    ("received", "receive"), ("remembered", "remember"), ("returned", "return"), ("rode", "ride"),
    ("rose", "rise"), ("sang", "sing"), ("sank", "sink"), ("sat", "sit"), ("saw", "see"),
    ("searched", "search"), ("seized", "seize"), ("sent", "send"), ("served", "serve"),
    ("shook", "shake"), ("shot", "shoot"), ("showed", "show"), ("shut", "shut"), ("signed", "sign"),
    ("slept", "sleep"), ("sold", "sell"), ("spent", "spend"), ("spoke", "speak"),
    ("sprang", "spring"), ("stayed", "stay"), ("stole", "steal"), ("stood", "stand"),
    ("stopped", "stop"), ("struck", "strike"), ("swam", "swim"), ("swept", "sweep"),
    ("swore", "swear"), ("talked", "talk"), ("taught", "teach"), ("thanked", "thank"),
    ("threw", "throw"), ("told", "tell"), ("took", "take"), ("tore", "tear"), ("touched", "touch"),
    ("travelled", "travel"), ("turned", "turn"), ("understood", "understand"), ("visited", "visit"),
    ("waited", "wait"), ("walked", "walk"), ("wanted", "want"), ("warned", "warn"),
    ("watched", "watch"), ("went", "go"), ("wept", "weep"), ("whispered", "whisper"),
    ("won", "win"), ("wore", "wear"), ("wrapped", "wrap"), ("wrote", "write"),
];

/// Whether a word is a verb that moves no story: a past tense of such, or an auxiliary.
pub(crate) fn is_verb(word: &str) -> bool {
    STATES.contains(word)
}

/// Past tenses of verbs that move no story, or that look like something else; auxiliaries.
#[rustfmt::skip]
static STATES: Words = Words::new(|| HashSet::from([
    "was", "were", "had", "did", "said", "put", "set", "would", "could", "cut", "let", "became",
    "grew", "seemed", "thought", "began", "found", "left", "held", "read", "cast", "is", "are",
    "has", "have", "should", "might", "must", "does", "can", "will", "shall", "may", "am", "been",
    "be",
]));

/// Words of whoever speaks and is spoken to.
pub(crate) static SPEAKERS: Words =
    Words::new(|| HashSet::from(["I", "me", "my", "you", "your", "we", "us"]));

/// Words of the present.
pub(crate) static PRESENT: Words =
    Words::new(|| HashSet::from(["is", "are", "am", "has", "have", "don’t", "don't"]));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_in_order() {
        assert!(PAST.is_sorted());
        assert_eq!(base_of("went"), Some("go"));
    }
}
