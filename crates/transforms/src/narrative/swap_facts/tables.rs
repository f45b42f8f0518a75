//! What may be swapped for what, written by hand for English.
//!
//! A swap must change what happens, keep the grammar and sound like the book. So a pair stands
//! here only if either word fits nearly wherever the other stands.

/// Words and phrases, each with what is told instead. Each pair goes both ways. The first that fits
/// wins.
#[rustfmt::skip]
pub(crate) const REVERSALS: &[(&str, &str)] = &[
    ("allowed to", "forbidden to"), ("forbidden to", "allowed to"), ("agreed to", "refused to"),
    ("refused to", "agreed to"), ("managed to", "failed to"), ("failed to", "managed to"),
    ("was allowed to", "was forbidden to"), ("was forbidden to", "was allowed to"),
    ("was able to", "was unable to"), ("was unable to", "was able to"),
    ("were able to", "were unable to"), ("were unable to", "were able to"),
    ("sat down", "stood up"), ("stood up", "sat down"), ("went into", "came out of"),
    ("came into", "went out of"), ("went out of", "came into"), ("came out of", "went into"),
    ("ran into", "ran out of"), ("ran out of", "ran into"), ("came back", "went away"),
    ("went away", "came back"), ("went out", "came in"), ("came in", "went out"),
    ("went home", "left home"), ("left home", "went home"), ("put on", "took off"),
    ("took off", "put on"), ("picked up", "put down"), ("put down", "picked up"),
    ("shook his head", "nodded his head"), ("shook her head", "nodded her head"),
    ("nodded his head", "shook his head"), ("nodded her head", "shook her head"),
    ("burst into tears", "burst into laughter"), ("burst into laughter", "burst into tears"),
    ("burst out laughing", "burst out crying"), ("burst out crying", "burst out laughing"),
    ("fell asleep", "lay awake"), ("lay awake", "fell asleep"), ("turned pale", "turned red"),
    ("turned red", "turned pale"), ("walked towards", "walked away from"),
    ("walked away from", "walked towards"), ("went towards", "went away from"),
    ("went away from", "went towards"), ("ran towards", "ran away from"),
    ("ran away from", "ran towards"), ("ran to", "ran from"), ("ran from", "ran to"),
    ("opened the", "closed the"), ("opened his", "closed his"), ("closed his", "opened his"),
    ("opened her", "closed her"), ("closed her", "opened her"), ("closed the", "opened the"),
    ("locked", "unlocked"), ("unlocked", "locked"), ("remembered", "forgot"),
    ("forgot", "remembered"), ("laughed", "wept"), ("wept", "laughed"), ("smiled", "frowned"),
    ("frowned", "smiled"), ("bought", "sold"), ("sold", "bought"), ("loved", "hated"),
    ("hated", "loved"), ("liked", "disliked"), ("disliked", "liked"), ("entered the", "left the"),
    ("left the", "entered the"), ("won the", "lost the"), ("lost the", "won the"),
    ("hurried into", "hurried out of"), ("hurried out of", "hurried into"),
    ("walked into", "walked out of"), ("walked out of", "walked into"),
    ("climbed up", "climbed down"), ("climbed down", "climbed up"), ("ran up", "ran down"),
    ("ran down", "ran up"), ("went up", "went down"), ("went down", "went up"),
    ("looked up", "looked down"), ("looked down", "looked up"), ("stepped into", "stepped out of"),
    ("stepped out of", "stepped into"), ("sent for", "sent away"), ("sent away", "sent for"),
    ("told the truth", "told a lie"), ("told a lie", "told the truth"),
    ("in the presence of", "in the absence of"), ("in the absence of", "in the presence of"),
    ("with a smile", "with a frown"), ("with a frown", "with a smile"),
    ("said nothing", "said a great deal"), ("said a great deal", "said nothing"),
    ("with tears", "with laughter"), ("with laughter", "with tears"), ("praised", "blamed"),
    ("blamed", "praised"), ("helped", "hindered"), ("hindered", "helped"), ("obeyed", "defied"),
    ("defied", "obeyed"), ("trusted", "distrusted"), ("distrusted", "trusted"),
    ("believed", "doubted"), ("doubted", "believed"), ("confessed", "denied"),
    ("denied", "confessed"), ("whispered", "shouted"), ("shouted", "whispered"),
    ("followed", "avoided"), ("avoided", "followed"), ("raised", "lowered"), ("lowered", "raised"),
    ("pushed", "pulled"), ("pulled", "pushed"), ("saved", "abandoned"), ("abandoned", "saved"),
    ("arrested", "released"), ("released", "arrested"), ("hired", "dismissed"),
    ("dismissed", "hired"), ("arrived", "departed"), ("departed", "arrived"),
    ("succeeded in", "failed in"), ("failed in", "succeeded in"),
    ("approved of", "disapproved of"), ("disapproved of", "approved of"),
    ("for the first time", "for the last time"), ("for the last time", "for the first time"),
    ("to the left", "to the right"), ("to the right", "to the left"),
    ("on the left", "on the right"), ("on the right", "on the left"), ("left hand", "right hand"),
    ("right hand", "left hand"), ("left arm", "right arm"), ("right arm", "left arm"),
    ("left side", "right side"), ("right side", "left side"), ("left foot", "right foot"),
    ("right foot", "left foot"), ("left eye", "right eye"), ("right eye", "left eye"),
    ("upstairs", "downstairs"), ("downstairs", "upstairs"), ("indoors", "outdoors"),
    ("outdoors", "indoors"), ("inside", "outside"), ("outside", "inside"), ("above", "below"),
    ("below", "above"), ("before", "after"), ("after", "before"), ("always", "never"),
    ("never", "always"), ("often", "seldom"), ("seldom", "often"), ("slowly", "quickly"),
    ("quickly", "slowly"), ("loudly", "softly"), ("softly", "loudly"),
    ("willingly", "unwillingly"), ("unwillingly", "willingly"), ("gently", "roughly"),
    ("roughly", "gently"), ("kindly", "coldly"), ("coldly", "kindly"), ("calmly", "angrily"),
    ("angrily", "calmly"), ("cheerfully", "sadly"), ("sadly", "cheerfully"), ("proudly", "humbly"),
    ("humbly", "proudly"), ("carefully", "carelessly"), ("carelessly", "carefully"),
    ("bravely", "timidly"), ("timidly", "bravely"), ("openly", "secretly"), ("secretly", "openly"),
    ("too late", "in good time"), ("in good time", "too late"), ("alive", "dead"),
    ("dead", "alive"), ("asleep", "awake"), ("awake", "asleep"), ("guilty", "innocent"),
    ("innocent", "guilty"), ("young", "old"), ("old", "young"), ("happy", "unhappy"),
    ("unhappy", "happy"), ("glad", "sorry"), ("sorry", "glad"), ("pleased", "displeased"),
    ("displeased", "pleased"), ("eldest", "youngest"), ("youngest", "eldest"),
    ("elder", "younger"), ("younger", "elder"), ("thin", "stout"), ("stout", "thin"),
    ("warm", "cold"), ("cold", "warm"), ("wide", "narrow"), ("narrow", "wide"), ("strong", "weak"),
    ("weak", "strong"), ("clean", "dirty"), ("dirty", "clean"), ("wet", "dry"), ("dry", "wet"),
    ("beautiful", "ugly"), ("ugly", "beautiful"), ("honest", "dishonest"), ("dishonest", "honest"),
    ("friendly", "hostile"), ("hostile", "friendly"), ("friend", "enemy"), ("enemy", "friend"),
    ("friends", "enemies"), ("enemies", "friends"), ("victory", "defeat"), ("defeat", "victory"),
    ("success", "failure"), ("failure", "success"), ("joy", "grief"), ("grief", "joy"),
    ("willing", "unwilling"), ("unwilling", "willing"), ("satisfied", "dissatisfied"),
    ("dissatisfied", "satisfied"), ("noisy", "quiet"), ("quiet", "noisy"), ("larger", "smaller"),
    ("smaller", "larger"), ("largest", "smallest"), ("smallest", "largest"),
];

/// Words in front of which, or behind which, a reversal would break an idiom: `(word, before,
/// after)`, each a list separated by blanks.
#[rustfmt::skip]
pub(crate) const UNLESS: &[(&str, &str, &str)] = &[
    ("old", "years year months days weeks the-same of how", "age fashioned time times days friend"),
    ("young", "with", "ones"),
    ("before", "ever never long day night year week just even the had shortly years years months days weeks ago", ""),
    ("after", "day soon looked look long go going went run ran years shortly ever morning afternoon night time one day sought", "all"),
    ("cold", "a", ""),
    ("never", "", "mind the"), ("always", "not", ""), ("above", "", "all"),
    ("inside", "", "of out"),
    ("outside", "the from", "of world"),
    ("believed", "was were been be", "in"), ("remembered", "be was were", ""),
    ("quiet", "in the", ""), ("joy", "with for of", ""), ("raised", "was were had", ""),
    ("pushed", "", "on"), ("pulled", "", "himself herself on up out"),
    ("followed", "was were as been had", "by"), ("saved", "was were been be", "up"),
    ("helped", "not couldn’t couldn't be", "himself herself to"),
    ("loved", "be was were been", "ones"), ("liked", "", "to"), ("success", "", "ful"),
    ("denied", "", "himself herself it that"),
    ("pleased", "as", ""), ("ran to", "", "and"),
    ("came in", "", "a sight contact to time the his her with for"), ("went out", "", "to of"),
    ("wide", "", "awake open"),
    ("went up", "", "to"), ("went down", "", "to on with"), ("looked up", "", "at"),
    ("looked down", "", "at on upon"), ("ran up", "", "against a"), ("ran down", "", "to"),
    ("left the", "", "matter rest"),
    ("clean", "", "forgot gone"), ("ran to", "", "and the"), ("went into", "", "it them"),
    ("came into", "", "it them his her their view sight"),
    ("went out of", "", "it them his her their sight"), ("came out of", "", "it them his her"),
    ("ran into", "", "it them debt"), ("ran out of", "", "it"),
    ("dry", "", "up"), ("allowed to", "was were be been not", "be"), ("dead", "the half his her their a", "man men woman body bodies leaves wood letter of"),
];

/// Reversals that hold only in front of certain words; `NAME` stands for any name.
#[rustfmt::skip]
pub(crate) const ONLY_BEFORE: &[(&str, &str)] = &[
    ("old", "man woman lady gentleman fellow servant lawyer doctor farmer sailor soldier clerk couple people widow dame squire captain gardener shepherd fisherman priest men women master mistress king queen"),
    ("young", "man woman lady gentleman fellow servant lawyer doctor farmer sailor soldier clerk couple people widow squire captain men women master mistress king queen person"),
    ("before", "he she they it i we breakfast dinner supper dark noon midnight daylight sunrise sunset christmas going leaving starting coming NAME"),
    ("after", "he she they it i we breakfast dinner supper dark noon midnight daylight sunrise sunset christmas leaving NAME"),
    ("above", "the his her their my"), ("below", "the his her their my"),
    ("inside", "the his her their my"), ("outside", "the his her their my"),
    ("loved", "him her them the his NAME"), ("liked", "him her them the his NAME"),
    ("believed", "him her them the NAME"), ("trusted", "him her them the NAME"),
    ("helped", "him her them the NAME"), ("followed", "him her them the NAME"),
    ("saved", "him her them the his NAME"), ("raised", "his her the their"),
    ("lowered", "his her the their"),
    ("pushed", "the his her him open"),
    ("pulled", "the his her him"), ("thin", "man woman lady gentleman fellow boy girl person"),
    ("stout", "man woman lady gentleman fellow boy girl person"),
    ("cold", "water wind night morning day supper hands"),
    ("warm", "day night morning wind welcome hand"),
    ("elder", "brother sister son daughter"), ("younger", "brother sister son daughter"),
];

/// Nouns that stand behind an article, a possessive or a number.
#[rustfmt::skip]
pub(crate) const NOUNS: &[&str] = &[
    "father brother uncle son grandfather nephew husband",
    "mother sister aunt daughter grandmother niece wife", "brothers uncles sons nephews",
    "sisters aunts daughters nieces",
    "doctor lawyer minister vicar parson priest schoolmaster soldier sailor carpenter farmer butcher baker miller blacksmith clerk butler coachman gardener shepherd fisherman policeman constable banker merchant tailor judge captain servant innkeeper ferryman watchman postman pilot carter printer curate sexton beadle cobbler weaver glazier notary",
    "nurse governess housekeeper cook maid schoolmistress dressmaker landlady widow laundress milkmaid",
    "horse donkey mule pony ox", "dog cat", "cow pig sheep goat lamb calf",
    "horses donkeys mules oxen", "dogs cats", "cows pigs goats lambs calves", "hens geese ducks",
    "church barn inn mill cottage castle tower chapel farmhouse hotel shop stable prison library schoolhouse station bakery brewery lighthouse warehouse boathouse",
    "kitchen parlour parlor bedroom attic garret cellar pantry dining-room drawing-room nursery scullery dairy",
    "chair bench sofa stool bed armchair settle", "table desk cupboard shelf sideboard",
    "arm shoulder knee cheek forehead chin elbow wrist finger ankle",
    "hat cap bonnet cloak coat shawl apron dress gown shirt waistcoat jacket scarf",
    "gloves boots shoes slippers stockings mittens",
    "letter telegram note parcel newspaper book diary map photograph picture notebook ledger almanac",
    "letters telegrams notes parcels newspapers books maps photographs pictures",
    "lamp lantern candle", "knife pistol sword stick hammer", "basket bucket bottle purse",
    "lamps lanterns candles", "knives pistols swords sticks hammers", "baskets buckets bottles",
    "cart carriage wagon buggy coach train boat ship cab sleigh bicycle ferry barge",
    "river lake hill forest valley meadow orchard garden brook pond bridge wood marsh moor",
    "door gate", "doors gates", "roof floor ceiling wall", "clock bell mirror",
    "ring brooch necklace bracelet locket", "bread cheese butter meat soup cake",
    "breakfast dinner supper luncheon lunch", "tea coffee wine beer brandy milk",
    "rain snow fog frost hail", "boy youth", "boys girls", "king queen", "captain mate",
    "owner tenant", "thief beggar",
    "shillings guineas dollars crowns sovereigns pounds francs cents pence",
    "apple pear plum cherry peach", "apples pears plums cherries peaches potatoes turnips",
    "rose lily daisy violet tulip", "roses lilies daisies violets tulips",
    "oak elm birch maple poplar willow pine",
];

/// Words that stand anywhere.
#[rustfmt::skip]
pub(crate) const WORDS: &[&str] = &[
    "red white black blue green yellow brown grey gray pink purple scarlet crimson",
    "golden silver", "iron brass wooden leather",
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "January February March April June July August September October November December",
    "morning afternoon evening night", "summer autumn winter", "north south east west",
    "northern southern eastern western",
    "second third fourth fifth sixth seventh eighth ninth tenth", "sixpence threepence tuppence",
    "dawn noon dusk midnight", "minutes hours days weeks months years", "inches feet yards",
    "twice thrice",
];

/// Words behind which a noun of a class is the thing itself and no figure of speech.
#[rustfmt::skip]
pub(crate) const BEFORE_NOUN: &[&str] = &[
    "the", "a", "an", "his", "her", "their", "my", "our", "your", "this", "that", "every", "each",
    "another", "some", "little", "old", "new", "big", "small", "large", "great", "young", "two",
    "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "twenty", "hundred",
    "red", "white", "black", "blue", "green", "brown", "grey", "gray", "yellow", "wooden", "iron",
    "broken", "empty", "heavy", "poor", "long", "these", "those", "no", "any", "elder", "younger",
];

/// Words that a swapped-in word must not stand in front of or behind: fixed phrases.
#[rustfmt::skip]
pub(crate) const FIXED: &[&str] = &[
    "good morning", "good night", "good evening", "good afternoon", "second time", "a second",
    "one second", "black eye", "last night", "white lie", "great north", "next door", "front door",
    "other hand", "at night", "all night", "the wall", "cold water", "a quarter", "green gables",
    "tea table", "at table", "red cheeks", "white hair", "grey hair", "black eyes", "blue eyes",
    "dining table", "bed clothes", "back door", "to-night", "window seat", "door step",
    "every second", "the second", "days ago", "feet tall", "his feet", "her feet", "their feet",
    "my feet", "your feet", "bare feet", "two feet", "of years", "in years", "these days",
    "those days", "for days", "of feet", "the feet", "on foot", "no man",
];

/// Nouns that need no article.
#[rustfmt::skip]
pub(crate) const MASS: &[&str] = &[
    "bread", "cheese", "butter", "meat", "soup", "breakfast", "dinner", "supper", "luncheon",
    "lunch", "tea", "coffee", "wine", "beer", "brandy", "shillings", "guineas", "dollars",
    "sovereigns", "francs", "pence", "cents",
];

/// Units that are swapped only behind a number.
#[rustfmt::skip]
pub(crate) const MEASURES: &[&str] = &[
    "minutes", "hours", "days", "weeks", "months", "years", "feet", "miles", "inches", "yards",
];

/// Words too near to each other for a swap to be false.
#[rustfmt::skip]
pub(crate) const SAME: &[&str] = &[
    "grey gray", "parlour parlor drawing-room", "luncheon lunch dinner", "wagon cart",
    "minister vicar parson priest curate", "scarlet crimson red", "policeman constable watchman",
    "oxen cows", "photograph picture", "photographs pictures", "shelf cupboard sideboard",
    "forest wood", "coach carriage cab buggy", "notebook book ledger diary", "cap hat bonnet",
    "dress gown", "dollars crowns", "evening night", "boat ship ferry barge", "armchair chair",
    "settle bench sofa", "garret attic", "calf cow ox", "lamb sheep", "pony horse", "note letter",
    "notes letters", "brook river", "marsh moor", "purple crimson", "servant butler",
    "dawn morning", "cloak coat jacket", "tower castle", "inn hotel", "church chapel",
    "sword knife",
];

/// Colours that are swapped for others but that nothing is swapped for: few things have them.
pub(crate) const RARE: &[&str] = &["pink", "purple", "scarlet", "crimson", "gray"];

/// What has the colours of nature, and which those are.
#[rustfmt::skip]
pub(crate) const NATURAL: &[(&str, &str)] = &[
    ("eyes", "black blue brown grey gray green"),
    ("hair", "black brown red grey gray white golden"),
    ("beard", "black brown red grey gray white"), ("horse", "black brown grey white"), ("face", ""),
    ("form", ""), ("neck", ""), ("throat", ""), ("cheeks", ""), ("lips", ""), ("hands", ""),
    ("hand", ""),
];
