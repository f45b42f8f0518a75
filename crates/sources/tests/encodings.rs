//! Which rule decides a page's encoding, and what comes out.

use storymill_sources::encoding::decode;

#[track_caller]
fn check(bytes: &[u8], text: &str, encoding: &str, rule: &str) {
    let page = decode(bytes);
    assert_eq!((page.text.as_str(), page.encoding, page.rule), (text, encoding, rule));
}

#[test]
fn rules_in_order() {
    check("\u{feff}é".as_bytes(), "é", "UTF-8", "bom");
    check(b"\xff\xfeh\0i\0", "hi", "UTF-16LE", "bom");
    check(
        b"<?xml version='1.0' encoding='iso-8859-1'?>\xe9",
        "<?xml version='1.0' encoding='iso-8859-1'?>é",
        "windows-1252",
        "xml",
    );
    check(
        b"<META http-equiv=x content=\"text/html; charset=ISO-8859-1\">\x97",
        "<META http-equiv=x content=\"text/html; charset=ISO-8859-1\">—",
        "windows-1252",
        "meta",
    );
    check("é".as_bytes(), "é", "UTF-8", "utf-8");
    check(
        b"<p>Elle \xe9tait l\xe0, tr\xe8s fatigu\xe9e, et le gar\xe7on attendait.",
        "<p>Elle était là, très fatiguée, et le garçon attendait.",
        "windows-1252",
        "detected",
    );
}

#[test]
fn declarations_that_the_bytes_contradict() {
    check(
        "<meta charset=iso-8859-1>“é”".as_bytes(),
        "<meta charset=iso-8859-1>“é”",
        "UTF-8",
        "utf-8",
    );
    check("<meta charset=utf-16>é".as_bytes(), "<meta charset=utf-16>é", "UTF-8", "meta");
    let page = decode(b"<meta charset=utf-8><p>caf\xe9 d\xe9j\xe0 vu, \xe9t\xe9, l\xe0-bas");
    assert_eq!((page.encoding, page.rule), ("windows-1252", "detected"));
}

#[test]
fn repairs() {
    // Once too often encoded.
    let twice = "“One” said “two” — “three”";
    let bytes: Vec<u8> = twice.bytes().collect();
    let wrong = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&bytes).0.into_owned();
    assert_eq!(decode(wrong.as_bytes()).text, twice);
    // Single bytes of windows-1252 amid UTF-8.
    let mut mixed = "“é” ".repeat(40).into_bytes();
    mixed.extend(b"it\x92s");
    assert!(decode(&mixed).text.ends_with("it’s"));
    // A text may speak of such signs.
    assert_eq!(decode("He wrote Ã© for é, à, è.".as_bytes()).text, "He wrote Ã© for é, à, è.");
    // Composed letters, Unix line ends.
    assert_eq!(decode("e\u{301}\r\nx\ry".as_bytes()).text, "é\nx\ny");
}
