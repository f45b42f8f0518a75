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
    assert_eq!(decode("e\u{301}\r\nx\ry\r\r\nz".as_bytes()).text, "é\nx\ny\nz");
}

#[test]
fn utf_16_without_a_mark() {
    for text in [
        "<html><body><h2>I</h2><p>Once upon a time there stood a mill.</p>",
        "Once upon a time\nthere stood a mill.\n",
        "<p>Жил-был на тихой реке мельник.</p>\n<p>Он молол зерно.</p>\n",
        "<p>從前有一座磨坊，在一條緩慢的河邊。一二三開始了。</p>\n<p>磨坊主人。</p>\n",
    ] {
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        check(&little, text, "UTF-16LE", "utf-16");
        check(&big, text, "UTF-16BE", "utf-16");
        check(&[b"\xff\xfe", &little[..]].concat(), text, "UTF-16LE", "bom");
        check(&[b"\xfe\xff", &big[..]].concat(), text, "UTF-16BE", "bom");
        // Some programs write out the sign that ends their strings.
        check(&[b"\xff\xfe", &little[..], b"\0\0"].concat(), text, "UTF-16LE", "bom");
        check(&[b"\xfe\xff", &big[..], b"\0\0\0\0"].concat(), text, "UTF-16BE", "bom");
        check(&[&little[..], b"\0\0"].concat(), text, "UTF-16LE", "utf-16");
        // A mark of the other order does not count.
        check(&[b"\xfe\xff", &little[..]].concat(), text, "UTF-16LE", "utf-16");
    }
}

#[test]
fn what_is_no_text_is_refused() {
    let story = "Once upon a time there stood a mill beside a slow river. ".repeat(20);
    let wide =
        |text: &str| text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect::<Vec<u8>>();
    let noise =
        |bytes: std::ops::RangeInclusive<u8>| bytes.cycle().take(4_000).collect::<Vec<u8>>();
    let mut nul = story.clone().into_bytes();
    nul[300] = 0;
    for (bytes, what) in [
        (wide(&story), "UTF-32"),
        ([b"\xff\xfe\0\0", &wide(&story)[..]].concat(), "UTF-32 with its mark"),
        (noise(1..=255), "all bytes but NUL"),
        (noise(0..=255), "all bytes"),
        (nul, "a text with a NUL byte"),
        ([b"\xff\xfe".as_slice(), &noise(0..=255)].concat(), "a mark before all bytes"),
    ] {
        let error = storymill_sources::clean(&bytes, "page.html").map(|_| ()).unwrap_err();
        assert_eq!(error.code, "binary", "{what}: {}", error.detail);
    }
    // A stray sign makes no page binary, nor does the end of an old text.
    assert!(
        storymill_sources::clean(format!("{story}\u{1}{story}\u{1a}").as_bytes(), "page.txt")
            .is_ok()
    );
}
