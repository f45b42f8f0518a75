//! What may be swapped for what, written by hand for English.
//!
//! A swap must change what happens, keep the grammar and sound like the book. So a pair stands
//! here only if either word fits nearly wherever the other stands.

/// Words and phrases, each with what is told instead. The first that fits wins, so longer ones
/// come first.
#[rustfmt::skip]
pub(crate) const REVERSALS: &[(&str, &str)] = &[
    // What somebody does.
    ("agreed to", "refused to"), ("refused to", "agreed to"), ("began to", "refused to"),
    ("consented to", "refused to"), ("decided to", "refused to"), ("promised to", "refused to"),
    ("resolved to", "refused to"), ("managed to", "failed to"), ("failed to", "managed to"),
    ("was allowed to", "was forbidden to"), ("was forbidden to", "was allowed to"),
    ("was able to", "was unable to"), ("was unable to", "was able to"),
    ("were able to", "were unable to"), ("were unable to", "were able to"),
    ("sat down", "stood up"), ("stood up", "sat down"), ("went into", "came out of"),
    ("came into", "went out of"), ("went out of", "came into"), ("came out of", "went into"),
    ("went up to", "walked away from"), ("came up to", "walked away from"),
    ("ran into", "ran out of"), ("ran out of", "ran into"), ("came back", "went away"),
    ("went away", "came back"), ("ran away", "came back"), ("went out", "came in"),
    ("came in", "went out"), ("went home", "left home"), ("came home", "left home"),
    ("put on", "took off"), ("took off", "put on"), ("picked up", "put down"),
    ("put down", "picked up"), ("shook his head", "nodded his head"),
    ("shook her head", "nodded her head"), ("nodded his head", "shook his head"),
    ("nodded her head", "shook her head"), ("burst into tears", "burst into laughter"),
    ("burst out laughing", "burst out crying"), ("burst out crying", "burst out laughing"),
    ("fell asleep", "lay awake"), ("lay awake", "fell asleep"), ("turned pale", "turned red"),
    ("turned red", "turned pale"), ("made up his mind to", "lost all wish to"),
    ("made up her mind to", "lost all wish to"), ("looked at", "looked away from"),
    ("walked towards", "walked away from"), ("walked toward", "walked away from"),
    ("went towards", "went away from"), ("ran towards", "ran away from"), ("ran to", "ran from"),
    ("opened", "closed"), ("closed", "opened"), ("locked", "unlocked"), ("unlocked", "locked"),
    ("accepted", "refused"), ("remembered", "forgot"), ("forgot", "remembered"),
    ("laughed", "wept"), ("wept", "laughed"), ("smiled", "frowned"), ("frowned", "smiled"),
    ("bought", "sold"), ("sold", "bought"), ("loved", "hated"), ("hated", "loved"),
    ("liked", "disliked"), ("disliked", "liked"), ("entered", "left"), ("won", "lost"),
    ("borrowed", "stole"), ("praised", "blamed"), ("blamed", "praised"), ("thanked", "scolded"),
    ("scolded", "praised"), ("welcomed", "turned away"), ("helped", "hindered"),
    ("obeyed", "defied"), ("trusted", "distrusted"), ("believed", "doubted"),
    ("confessed", "denied"), ("denied", "confessed"), ("admitted", "denied"),
    ("whispered", "shouted"), ("shouted", "whispered"), ("hurried", "strolled"),
    ("followed", "avoided"), ("found", "lost"), ("hid", "showed"), ("lifted", "lowered"),
    ("raised", "lowered"), ("lowered", "raised"), ("pushed", "pulled"), ("pulled", "pushed"),
    ("gained", "lost"), ("kissed", "slapped"), ("saved", "abandoned"), ("rescued", "abandoned"),
    ("arrested", "released"), ("released", "arrested"), ("hired", "dismissed"),
    ("dismissed", "hired"), ("invited", "turned away"), ("arrived", "departed"),
    ("departed", "arrived"), ("disappeared", "appeared"), ("vanished", "appeared"),
    ("succeeded in", "failed in"), ("failed in", "succeeded in"), ("approved of", "disapproved of"),
    ("disapproved of", "approved of"),
    // How and when it happens.
    ("for the first time", "for the last time"), ("for the last time", "for the first time"),
    ("to the left", "to the right"), ("to the right", "to the left"),
    ("on the left", "on the right"), ("on the right", "on the left"), ("left hand", "right hand"),
    ("right hand", "left hand"), ("left arm", "right arm"), ("right arm", "left arm"),
    ("left side", "right side"), ("right side", "left side"), ("left foot", "right foot"),
    ("right foot", "left foot"), ("left eye", "right eye"), ("right eye", "left eye"),
    ("upstairs", "downstairs"), ("downstairs", "upstairs"), ("indoors", "outdoors"),
    ("outdoors", "indoors"), ("inside", "outside"), ("outside", "inside"), ("above", "below"),
    ("below", "above"), ("in front of", "behind"), ("behind", "in front of"), ("before", "after"),
    ("after", "before"), ("always", "never"), ("never", "always"), ("often", "seldom"),
    ("seldom", "often"), ("slowly", "quickly"), ("quickly", "slowly"), ("loudly", "softly"),
    ("softly", "loudly"), ("gladly", "unwillingly"), ("eagerly", "unwillingly"),
    ("willingly", "unwillingly"), ("gently", "roughly"), ("roughly", "gently"),
    ("kindly", "coldly"), ("coldly", "kindly"), ("calmly", "angrily"), ("angrily", "calmly"),
    ("cheerfully", "sadly"), ("sadly", "cheerfully"), ("proudly", "humbly"),
    ("carefully", "carelessly"), ("bravely", "timidly"), ("suddenly", "gradually"),
    ("openly", "secretly"), ("secretly", "openly"), ("without a word", "with many words"),
    ("too late", "in good time"),
    // What somebody or something is like.
    ("alive", "dead"), ("dead", "alive"), ("asleep", "awake"), ("awake", "asleep"),
    ("guilty", "innocent"), ("innocent", "guilty"), ("rich", "poor"), ("young", "old"),
    ("old", "young"), ("happy", "unhappy"), ("unhappy", "happy"), ("glad", "sorry"),
    ("sorry", "glad"), ("angry", "pleased"), ("pleased", "displeased"), ("frightened", "calm"),
    ("afraid", "unafraid"), ("eldest", "youngest"), ("youngest", "eldest"), ("elder", "younger"),
    ("younger", "elder"), ("tall", "short"), ("thin", "stout"), ("stout", "thin"),
    ("heavy", "light"), ("empty", "full"), ("warm", "cold"), ("hot", "cold"), ("cold", "warm"),
    ("wide", "narrow"), ("narrow", "wide"), ("strong", "weak"), ("weak", "strong"),
    ("clean", "dirty"), ("dirty", "clean"), ("wet", "dry"), ("dry", "wet"), ("beautiful", "ugly"),
    ("ugly", "beautiful"), ("pretty", "plain"), ("generous", "mean"), ("honest", "dishonest"),
    ("friendly", "hostile"), ("friend", "enemy"), ("enemy", "friend"), ("friends", "enemies"),
    ("enemies", "friends"), ("victory", "defeat"), ("defeat", "victory"), ("success", "failure"),
    ("failure", "success"), ("joy", "grief"), ("grief", "joy"), ("possible", "impossible"),
    ("impossible", "possible"), ("willing", "unwilling"), ("unwilling", "willing"),
    ("satisfied", "dissatisfied"), ("early", "late"), ("late", "early"), ("noisy", "quiet"),
    ("quiet", "noisy"), ("larger", "smaller"), ("smaller", "larger"), ("largest", "smallest"),
    ("smallest", "largest"), ("better", "worse"), ("worse", "better"), ("best", "worst"),
    ("worst", "best"),
];

/// Words in front of which, or behind which, a reversal would break an idiom: `(word, before,
/// after)`, each a list parted by blanks.
#[rustfmt::skip]
pub(crate) const UNLESS: &[(&str, &str, &str)] = &[
   
    ("found", "was were been be have had be well", "himself herself themselves myself it that out a fault"),
    ("lost", "was were been be have had", "in sight no"), ("won", "", "over"),
    ("old", "years year months days weeks the-same of how", "age fashioned time times days friend"),
    ("young", "with", "ones"),
    ("before", "ever never long day night year week just even the had shortly years years months days weeks ago", ""),
    ("after", "day soon looked look long go going went run ran years shortly ever morning afternoon night time one day sought", "all"),
    ("opened", "had been was were", "his her their out up on into upon"),
    ("closed", "had been was were", "in on upon around round"), ("light", "the", ""),
    ("late", "too of the so", ""), ("early", "", ""), ("left", "had was were been have", ""),
    ("full", "", "of"), ("entered", "had been", "into upon"), ("looked at", "", "each one"),
    ("put on", "", ""), ("pretty", "a so very", "well good much nearly sure"),
    ("better", "had had-been get got much", "than"),
    ("best", "at did do his her their my make made the-very", ""), ("worse", "", "than"),
    ("dead", "the half", "of"), ("short", "in for at", "of"), ("cold", "a", ""),
    ("never", "", "mind the"), ("always", "not", ""), ("above", "", "all"), ("below", "", ""),
    ("behind", "from left close", "and the-scenes"), ("inside", "", "of out"),
    ("outside", "the from", "of world"), ("afraid", "i’m i'm am", "that"),
    ("believed", "was were been be", "in"), ("remembered", "be was were", ""),
    ("quiet", "in the", ""), ("joy", "with for of", ""), ("mean", "i", ""),
    ("raised", "was were had", ""), ("pushed", "", "on"),
    ("pulled", "", "himself herself on up out"), ("followed", "was were as been had", "by"),
    ("saved", "was were been be", "up"),
    ("helped", "not couldn’t couldn't be", "himself herself to"),
    ("loved", "be was were been", "ones"), ("suddenly", "", ""), ("mean", "", ""),
    ("liked", "", "to"), ("friend", "", ""), ("success", "", "ful"),
    ("began to", "", "be feel think rain grow dawn get see look appear fall"),
    ("denied", "", "himself herself"), ("admitted", "was were been be", "to into"),
    ("pleased", "as", ""), ("ran to", "", "and"), ("heavy", "", ""), ("strong", "", ""),
    ("came in", "", "a sight contact to time the his her"), ("went out", "", "to of"),
    ("put down", "", ""), ("hid", "", "himself herself themselves itself"),
    ("hurried", "was were and a", ""), ("warm", "", ""), ("wide", "", "awake open"),
    ("far", "", ""),
];

/// Nouns that stand behind an article, a possessive or a number.
#[rustfmt::skip]
pub(crate) const NOUNS: &[&str] = &[
    "father brother uncle son grandfather nephew husband",
    "mother sister aunt daughter grandmother niece wife", "brothers uncles sons nephews",
    "sisters aunts daughters nieces",
    "doctor lawyer minister vicar parson priest schoolmaster soldier sailor carpenter farmer butcher baker miller blacksmith clerk butler coachman gardener shepherd fisherman policeman constable banker merchant tailor judge captain servant innkeeper ferryman watchman postman pilot carter printer curate sexton beadle cobbler weaver glazier notary",
    "nurse governess housekeeper cook maid schoolmistress dressmaker landlady widow laundress milkmaid",
    "horse cow dog cat pig sheep goat donkey mule pony ox lamb calf",
    "horses cows dogs cats pigs goats donkeys mules oxen lambs calves hens geese ducks",
    "church barn inn mill cottage castle tower chapel farmhouse hotel shop stable prison library schoolhouse station bakery brewery lighthouse warehouse boathouse",
    "kitchen parlour parlor bedroom attic garret cellar pantry dining-room drawing-room nursery scullery dairy",
    "table chair bench sofa desk cupboard shelf stool bed armchair sideboard settle",
    "arm shoulder knee cheek forehead chin elbow wrist finger ankle",
    "hat cap bonnet cloak coat shawl apron dress gown shirt waistcoat jacket scarf",
    "gloves boots shoes slippers stockings mittens",
    "letter telegram note parcel newspaper book diary map photograph picture notebook ledger almanac",
    "letters telegrams notes parcels newspapers books maps photographs pictures",
    "key lamp lantern candle knife pistol sword stick hammer rope basket bucket bottle purse spoon",
    "keys lamps lanterns candles knives pistols swords sticks hammers ropes baskets buckets bottles spoons",
    "cart carriage wagon buggy coach train boat ship cab sleigh bicycle ferry barge",
    "river lake hill forest valley meadow orchard garden brook pond bridge wood marsh moor",
    "door window gate", "doors windows gates", "roof floor ceiling wall", "clock bell mirror",
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
    "golden silver iron brass wooden leather",
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "January February March April June July August September October November December",
    "morning afternoon evening night", "summer autumn winter", "north south east west",
    "northern southern eastern western",
    "second third fourth fifth sixth seventh eighth ninth tenth", "sixpence threepence tuppence",
    "dawn noon dusk midnight", "minutes hours days weeks months years", "inches feet yards miles",
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
    "other hand", "at night", "all night", "the wall", "to-night", "window seat", "door step",
    "every second", "the second", "days ago", "feet tall", "his feet", "her feet", "their feet",
    "my feet", "your feet", "bare feet", "two feet", "of years", "in years", "these days",
    "those days", "for days", "of feet", "the feet", "on foot", "no man",
];
