//! Numbers as headings write them: Roman, Arabic, in words of several languages.

/// A number in any writing.
pub(super) fn number(word: &str) -> Option<u32> {
    roman(word).or_else(|| arabic(word)).or_else(|| ordinal(word))
}

pub(super) fn arabic(word: &str) -> Option<u32> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
    (word.len() <= 6 && word.len() - digits.len() <= 2).then(|| digits.parse().ok()).flatten()
}

/// A Roman number of small letters.
pub(crate) fn roman(word: &str) -> Option<u32> {
    if word.is_empty() || word.len() > 9 {
        return None;
    }
    let value = |byte| {
        Some(match byte {
            b'i' | b'j' => 1,
            b'v' => 5,
            b'x' => 10,
            b'l' => 50,
            b'c' => 100,
            b'd' => 500,
            b'm' => 1000,
            _ => return None,
        })
    };
    let mut total = 0_u32;
    let mut last = 0_u32;
    for byte in word.bytes().rev() {
        let this = value(byte)?;
        if this < last {
            total = total.checked_sub(this)?;
        } else {
            total += this;
            last = this;
        }
    }
    (total > 0 && total < 400).then_some(total)
}

pub(super) fn ordinal(word: &str) -> Option<u32> {
    const WORDS: &[&[&str]] = &[
        &[
            "one",
            "first",
            "i",
            "un",
            "une",
            "premier",
            "première",
            "premiere",
            "eins",
            "erste",
            "erstes",
            "erster",
            "uno",
            "primo",
            "prima",
            "primero",
            "primera",
            "primeira",
            "primeiro",
            "eerste",
            "1st",
            "1er",
            "1re",
            "first.",
            "ensimmäinen",
            "første",
            "första",
        ],
        &[
            "two",
            "second",
            "deux",
            "deuxième",
            "seconde",
            "zwei",
            "zweite",
            "zweites",
            "zweiter",
            "dos",
            "secondo",
            "seconda",
            "segundo",
            "segunda",
            "tweede",
            "2nd",
            "2d",
            "due",
            "toinen",
            "anden",
            "andra",
        ],
        &[
            "three",
            "third",
            "trois",
            "troisième",
            "drei",
            "dritte",
            "drittes",
            "dritter",
            "tres",
            "terzo",
            "terza",
            "tercero",
            "tercera",
            "terceira",
            "derde",
            "3rd",
            "3d",
            "tre",
        ],
        &[
            "four",
            "fourth",
            "quatre",
            "quatrième",
            "vier",
            "vierte",
            "viertes",
            "vierter",
            "cuatro",
            "quarto",
            "quarta",
            "cuarto",
            "cuarta",
            "vierde",
            "4th",
        ],
        &[
            "five",
            "fifth",
            "cinq",
            "cinquième",
            "fünf",
            "fünfte",
            "fünftes",
            "fünfter",
            "cinco",
            "quinto",
            "quinta",
            "vijfde",
            "5th",
        ],
        &[
            "six", "sixth", "sixième", "sechs", "sechste", "sechstes", "sechster", "seis", "sesto",
            "sesta", "sexto", "zesde", "6th",
        ],
        &[
            "seven",
            "seventh",
            "sept",
            "septième",
            "sieben",
            "siebente",
            "siebentes",
            "siebtes",
            "siete",
            "settimo",
            "séptimo",
            "7th",
        ],
        &[
            "eight",
            "eighth",
            "huit",
            "huitième",
            "acht",
            "achte",
            "achtes",
            "ocho",
            "ottavo",
            "octavo",
            "8th",
        ],
        &[
            "nine",
            "ninth",
            "neuf",
            "neuvième",
            "neun",
            "neunte",
            "neuntes",
            "nueve",
            "nono",
            "noveno",
            "9th",
        ],
        &[
            "ten", "tenth", "dix", "dixième", "zehn", "zehnte", "zehntes", "diez", "decimo",
            "décimo", "10th",
        ],
        &["eleven", "eleventh", "onze", "onzième", "elf", "elfte", "elftes"],
        &["twelve", "twelfth", "douze", "douzième", "zwölf", "zwölfte", "zwölftes"],
        &["thirteen", "thirteenth", "treize", "dreizehntes"],
        &["fourteen", "fourteenth", "quatorze", "vierzehntes"],
        &["fifteen", "fifteenth", "quinze", "fünfzehntes"],
        &["sixteen", "sixteenth", "seize", "sechzehntes"],
        &["seventeen", "seventeenth", "siebzehntes"],
        &["eighteen", "eighteenth", "achtzehntes"],
        &["nineteen", "nineteenth", "neunzehntes"],
    ];
    const TENS: &[(&str, u32)] = &[
        ("twent", 20),
        ("thirt", 30),
        ("fort", 40),
        ("fift", 50),
        ("sixt", 60),
        ("sevent", 70),
        ("eight", 80),
        ("ninet", 90),
        ("vingt", 20),
        ("zwanzig", 20),
        ("trent", 30),
    ];
    if let Some(at) = WORDS.iter().position(|names| names.contains(&word)) {
        return u32::try_from(at).ok().map(|at| at + 1);
    }
    let (head, tail) = word.split_once('-').unwrap_or((word, ""));
    let (_, tens) = TENS.iter().find(|(name, _)| {
        head.strip_prefix(name)
            .is_some_and(|rest| matches!(rest, "y" | "ieth" | "" | "ième" | "e" | "stes"))
    })?;
    match tail {
        "" => Some(*tens),
        tail => ordinal(tail).filter(|ones| *ones < 10).map(|ones| tens + ones),
    }
}
