//! Texts of one byte a symbol come back, whatever a file says of itself.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use encoding_rs::Encoding;
use proptest::prelude::*;
use storymill_core::{Decisions, Reviews};
use storymill_sources::{clean, clean_decided, encoding::decode};

/// The tables of DOS, from a place of their own: what Python says of `bytes(range(128, 256))`, letters and quotes alone.
const DOS: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ_£___áíóúñÑªº¿__½¼¡«»";

/// The letters of code page 852, by the byte of the first of each stretch; from the same place.
const CENTRAL: [(usize, &str); 8] = [
    (0x80, "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ_čáíóúĄąŽžĘę_źČş«»"),
    (0xb5, "ÁÂĚŞ"),
    (0xbd, "Żż"),
    (0xc6, "Ăă"),
    (0xd0, "đĐĎËďŇÍÎě"),
    (0xdd, "ŢŮ"),
    (0xe0, "ÓßÔŃńňŠšŔÚŕŰýÝţ"),
    (0xfb, "űŘř"),
];

/// The bytes of a text in an encoding by name; none where it lacks a symbol.
fn bytes(text: &str, encoding: &str) -> Option<Vec<u8>> {
    if encoding == "IBM852" {
        let byte = |c: char| match c {
            _ if c.is_ascii() => u8::try_from(c).ok(),
            _ => CENTRAL.iter().find(|(_, letters)| letters.contains(c)).and_then(
                |(from, letters)| {
                    u8::try_from(from + letters.chars().position(|one| one == c)?).ok()
                },
            ),
        };
        return text.chars().map(byte).collect();
    }
    if let "IBM437" | "IBM850" = encoding {
        let byte = |c: char| match c {
            'ß' => Some(0xe1),
            _ if c.is_ascii() => u8::try_from(c).ok(),
            _ => u8::try_from(0x80 + DOS.chars().position(|one| one == c)?).ok(),
        };
        return text.chars().map(byte).collect();
    }
    let encoding = Encoding::for_label(encoding.as_bytes()).unwrap();
    let (bytes, _, lacks) = encoding.encode(text);
    (!lacks).then(|| bytes.into_owned())
}

/// Sentences by language, with quotes as printed and as typed.
const TEXTS: &[(&str, &[&str])] = &[
    (
        "windows-1252 macintosh",
        &[
            "“You’re late,” said Zoë. “It’s the café’s doing—isn’t it?” ",
            "He’d a naïve air, and the mill’s wheel… stood. ",
            "‘Tis cold,’ she said; “don’t tell the curé.” ",
            "« Où étiez-vous ? » demanda l’élève. Il n’avait pas d’argent. ",
            "„Schön ist’s,“ sagte der Müller, „und größer als früher.“ ",
            "—¿Dónde está el niño? —preguntó la señora. ",
            "“Perché non è venuto?” L’uomo cominciò così. ",
        ],
    ),
    (
        "windows-1252 macintosh IBM437 IBM850",
        &[
            "\"Zoë's café,\" said Françoise, and the naïve curé bowed. ",
            "Le garçon était là, près de la fenêtre; il avait déjà mangé. ",
            "Der Müller ging über die Brücke, und das Mädchen hörte ihn. Es war größer. ",
            "¿Qué quería el señor? Mañana será otro día, dijo el niño. ",
            "La città era già lontana, perché il cavallo andò più lontano. ",
            "Mannen från ön såg två små bröder; då började vägen. ",
        ],
    ),
    (
        "windows-1251 KOI8-R IBM866 x-mac-cyrillic",
        &[
            "Мельник сказал, что он никогда не был на той стороне реки. ",
            "В деревне не было огня, и все спали. ",
        ],
    ),
    (
        "windows-1250 iso-8859-2 IBM852",
        &[
            "Przyszedł młynarz i powiedział, że nie będzie już mąki. ",
            "Wieś leżała nad rzeką; życie tam było ciężkie, lecz ludzie śpiewali. ",
        ],
    ),
    (
        "windows-1250 iso-8859-2 IBM852",
        &[
            "Když mlynář přišel, řekl, že už není žádná mouka. ",
            "Šel k řece a uviděl loď; děvče stálo u mostu a plakalo štěstím. ",
            "Keď mlynár prišiel, povedal, že múky už niet; ľudia stáli a čakali. ",
        ],
    ),
    (
        "windows-1250 iso-8859-2 IBM852",
        &[
            "Mlinar je rekel, da moke že več ni; možje so šli čez reko. ",
            "Mlinar reče da brašna više nema; ljudi su došli do kuće i čekali. ",
        ],
    ),
    (
        "windows-1250 iso-8859-2 IBM852",
        &[
            "A molnár eljött, és azt mondta, hogy nincs több finomra őrölt liszt. ",
            "Később a nő is eljött, és kérte, hogy a király és az öreg menjen velük. ",
        ],
    ),
    ("windows-1253", &["Ο μυλωνάς είπε ότι δεν ήταν στο χωριό και το ποτάμι. "]),
    ("shift_jis euc-jp", &["昔々、川のほとりに水車小屋があった。粉屋は言った。"]),
    ("big5", &["從前有一座磨坊，在一條河邊。磨坊主人說道。"]),
    ("gbk", &["从前有一座磨坊，在一条河边。磨坊主人说道。"]),
];

/// Some sentences in one of their encodings, and what the page says of its encoding.
fn cases() -> impl Strategy<Value = (String, &'static str, &'static str)> {
    let kinds: Vec<(&'static str, &'static [&'static str])> = TEXTS
        .iter()
        .flat_map(|(names, texts)| names.split(' ').map(move |name| (name, *texts)))
        .collect();
    let says = prop::sample::select(vec!["", "", "iso-8859-1", "utf-8"]);
    (prop::sample::select(kinds), says).prop_flat_map(|((name, texts), says)| {
        let text = prop::collection::vec(prop::sample::select(texts), 3..8);
        let plain = "The miller went to the river and the mill. ".repeat(3);
        text.prop_map(move |parts| (parts.join(&plain), name, says))
    })
}

proptest! {
    /// Law: a text encoded in any of these comes back, also where the page says that it is in another.
    #[test]
    fn texts_come_back((text, encoding, says) in cases()) {
        let text = if says.is_empty() { text } else { format!("<meta charset={says}>{text}") };
        let read = decode(&bytes(&text, encoding).unwrap());
        prop_assert_eq!(&read.text, &text, "{} by {}", read.encoding, read.rule);
    }

    /// Law: so does one that was encoded twice, or three times.
    #[test]
    fn texts_encoded_twice_come_back(
        at in 0..2_usize,
        taken in prop::sample::select(vec!["windows-1252", "iso-8859-1", "macintosh"]),
        times in 1..3_usize,
    ) {
        let text = TEXTS[at].1.concat();
        let mut wrong = text.clone();
        for _ in 0..times {
            wrong = match taken {
                "iso-8859-1" => wrong.bytes().map(char::from).collect(),
                _ => Encoding::for_label(taken.as_bytes()).unwrap().decode_without_bom_handling(wrong.as_bytes()).0.into_owned(),
            };
        }
        let read = decode(wrong.as_bytes());
        prop_assert_eq!((read.text.as_str(), read.rule), (text.as_str(), "twice"));
    }
}

/// Texts of which two readings are words: the program says so, and people choose.
#[test]
fn what_a_text_does_not_tell_is_a_doubt() {
    let story =
        "The lamp had gone out, and Anna Reed stood by the window with her hand upon the latch. "
            .repeat(20);
    let text = format!("{story}\n\nShe met H\u{8a}rd at the mill.\n");
    let bytes: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let book = "mill".parse().unwrap();
    let cleaned = clean(&bytes, "mill.txt").unwrap();
    let reviews = cleaned.reviews(&book);
    assert_eq!(reviews.iter().map(|one| &*one.code).collect::<Vec<_>>(), ["encoding"]);
    assert!(reviews[0].excerpt.contains("Härd (macintosh)"), "{}", reviews[0].excerpt);
    let mut read = Vec::new();
    for choice in ["first", "second"] {
        let line = format!("{{\"review\": \"{}\", \"choice\": \"{choice}\"}}", reviews[0].id());
        let decisions = Decisions::parse([(String::new(), &*line)]).unwrap();
        let cleaned =
            clean_decided(&bytes, "mill.txt", &book, &mut Reviews::new(&decisions)).unwrap();
        assert_eq!(cleaned.reviews(&book)[0].excerpt, reviews[0].excerpt);
        read.push(cleaned.lines().lines().last().unwrap().to_owned());
    }
    read.sort();
    assert_eq!(read, ["She met Härd at the mill.", "She met Hèrd at the mill."]);
}

#[test]
fn a_sure_text_is_no_doubt() {
    for text in ["It’s the café’s doing.", "Plain words.", "Il était là, près de la fenêtre."]
    {
        let read = decode(&bytes(&text.repeat(5), "windows-1252").unwrap());
        assert_eq!(read.text, text.repeat(5));
        assert!(read.unsure.is_none(), "{:?}", read.unsure);
    }
}
