//! Filters over the rows of a catalog.

use storymill_sources::catalog::{Catalog, Filter};

use crate::{CSV, read};

/// The ids of the rows that fit.
pub(crate) fn ids(catalog: &Catalog, filter: &str) -> Vec<String> {
    let filter = Filter::parse(filter).unwrap_or_else(|mistakes| panic!("{filter}: {mistakes}"));
    catalog.rows().iter().filter(|row| filter.matches(row)).map(|row| row.id.to_string()).collect()
}

#[test]
fn filters() {
    let catalog = read(CSV.as_bytes());
    let all = ["1342", "2199", "5427", "100", "7", "8"];
    let cases: &[(&str, &[&str])] = &[
        ("language = en", &["1342", "2199", "5427", "100", "7"]),
        ("language != en", &["8"]),
        ("LANGUAGE = FR, de", &["5427", "8"]),
        ("language != en, fr", &["8"]),
        ("title = \"emile, ou de l'education\"", &["5427"]),
        ("title ~ émile", &["5427"]),
        ("title ~ 'into english' AND title ~ 'prose'", &["2199"]),
        ("title ~ 'l'education'", &["5427"]),
        ("title ~ l'education", &["5427"]),
        ("title = 'tis", &[]),
        ("title ~ \"into english prose\"", &["2199"]),
        ("subject ~ fiction", &["1342", "7", "8"]),
        ("subject = fiction", &["7", "8"]),
        ("subject ~ fiction and subject !~ \"england\"", &["7", "8"]),
        ("subject !~ fiction and language = fr", &["5427"]),
        ("locc ~ P", &["1342", "2199", "7", "8"]),
        ("locc = b", &["5427"]),
        ("locc = pr, 'PT', \"b\"", &["1342", "5427", "8"]),
        ("locc != PR, PZ", &["2199", "5427", "100", "8"]),
        ("title ~ emile, twins", &["5427", "7"]),
        ("title !~ emile, twins, prejudice", &["2199", "100", "8"]),
        ("bookshelf ~ novels", &["1342"]),
        ("author ~ austen", &["1342"]),
        ("translator ~ butler", &["2199"]),
        ("illustrator ~ brock", &["1342"]),
        ("contributor ~ nobody", &["100"]),
        ("type = sound", &["100"]),
        // Every author counts, and nobody knows when Anonymous died.
        ("author.death < 1956", &["1342", "2199", "5427"]),
        ("author.death = unknown", &["100", "8"]),
        ("author.death != unknown", &["1342", "2199", "5427", "7"]),
        // Translators count, illustrators and narrators do not.
        ("life70 = 1888", &["1342"]),
        ("life70 <= 1972", &["1342", "5427"]),
        ("life70 > 1972", &["2199", "7"]),
        ("life70 = unknown", &["100", "8"]),
        ("author.birth < -100", &["2199"]),
        ("author.birth = \"751 BCE\"", &["2199"]),
        ("author.birth = 1700..1799", &["1342", "5427"]),
        ("author = \"\"", &["100"]),
        ("id = 1..10, 1342", &["1342", "7", "8"]),
        ("id >= 2199", &["2199", "5427"]),
        ("issued = 2010", &["7"]),
        ("issued > 2010-12-31", &["8"]),
        ("issued >= 2010-12 and issued <= 2010-12", &["7"]),
        ("issued < 2000-06", &["1342", "2199"]),
        ("id = 7, 8 and language = en", &["7"]),
        ("id != 7", &["1342", "2199", "5427", "100", "8"]),
        ("id != 1..9, 1342", &["2199", "5427", "100"]),
        ("id = 1..99999", &all),
        // An id that is no number is compared as text.
        ("id = 9..1", &[]),
        ("id ~ 1, 7", &["1342", "100", "7"]),
    ];
    for (filter, expect) in cases {
        assert_eq!(ids(&catalog, filter), *expect, "{filter}");
    }
}

#[test]
fn mistakes_have_a_place_and_a_way_out() {
    let cases = [
        ("langauge = en", "langauge", "there is no field `langauge`", "did you mean `language`?"),
        ("shelf = en", "shelf", "there is no field `shelf`", "the fields are id, title"),
        ("author.deth < 3", "author.deth", "no field", "did you mean `author.death`?"),
        ("language == en", "==", "filters have no `==`", "write `=`"),
        ("language = en && id = 3", "&&", "filters have no `&&`", "write `and`"),
        ("language = en or id = 3", "or", "filters have no `or`", "`language = en, fr`; else run"),
        ("language = en || id = 3", "||", "filters have no `||`", "`language = en, fr`"),
        ("not language = en", "not", "filters have no `not`", "`not X = Y` is `X != Y`"),
        ("!language = en", "!", "filters have no `!`", "`X !~ Y`"),
        ("(language = en)", "(", "filters have no `(`", "joined by `and` alone"),
        ("language = en)", ")", "filters have no `)`", "joined by `and` alone"),
        ("locc IN (PR)", "IN", "filters have no `IN`", "`X in (A, B)` is `X = A, B`"),
        ("locc not in (PR)", "not", "filters have no `not`", "is `X != A, B`"),
        ("locc = (PR, PS)", "(", "filters have no `(`", "`X = A, B`"),
        ("language = en id = 3", "id", "expected `and` or the end, found `id`", "stand in quotes"),
        ("language en", "en", "expected an operator, one of = != ~", "language = …"),
        ("language '=' en", "'='", "expected an operator", ""),
        ("title = \"a", "\"a", "the quotes are not closed", ""),
        ("language = ", "", "expected a value, found the end", ""),
        ("", "", "expected a field, found the end", "a test is like"),
        ("id = 1, ", "", "expected a value, found the end", ""),
        ("id < 1, 2", "<", "`<` takes one value", "lists of values"),
        ("id > many", "many", "`many` is not a number", "1..99"),
        ("downloads > 9", "downloads", "there is no field `downloads`", "the fields are id"),
        ("language < en", "<", "`language` is a text", "= != ~ !~"),
        ("author.death ~ 1900", "~", "`author.death` is a number", ""),
        ("author.death < soon", "soon", "`soon` is not a year", "43 BCE"),
        ("author.death = 1900, unknown", "unknown", "`unknown` is not a year", "stands alone"),
        ("author.death < unknown", "unknown", "`unknown` is not a year", "stands alone"),
        ("issued = 2010-13", "2010-13", "not a day, month or year", "2008-06"),
        ("issued = tomorrow", "tomorrow", "not a day, month or year", ""),
        ("title = Pride*", "*", "expected `and` or the end, found `*`", "quotes"),
        ("title = %", "%", "expected a value, found `%`", "quotes"),
    ];
    for (text, place, message, hint) in cases {
        let mistakes = Filter::parse(text).unwrap_err();
        let first = &mistakes.all[0];
        assert_eq!(&text[first.at.clone()], place, "{text}: {first:?}");
        assert!(first.message.contains(message), "{text}: {}", first.message);
        assert!(
            first.hint.as_deref().unwrap_or_default().contains(hint),
            "{text}: {:?}",
            first.hint
        );
    }
    let catalog = read(b"id,title\n1,A\n");
    let two = catalog.choose(&Filter::parse("kind = novel and flag = a").unwrap());
    let places: Vec<_> = two.unwrap_err().all.into_iter().map(|mistake| mistake.at).collect();
    assert_eq!(places, [0..4, 17..21]);
    // One of several columns is enough, capitals do not count, and a list of flags is a column.
    let mut catalog = read(b"ID,Title,Author,Kind\n1,A,Austen,novel\n");
    let chosen = |catalog: &Catalog, filter: &str| {
        catalog.choose(&Filter::parse(filter).unwrap()).map(|chosen| chosen.rows.len())
    };
    assert_eq!(chosen(&catalog, "author ~ austen and kind = novel"), Ok(1));
    assert!(chosen(&catalog, "flag = mine").is_err());
    // A name says years and roles as well.
    let named = read(
        "id,title,author\n1,A,\"Austen, Jane, 1775-1817; Brock, C. E. [Illustrator]\"\n".as_bytes(),
    );
    for filter in
        ["author.birth < 1800", "author.death = 1817", "life70 < 1900", "illustrator ~ brock"]
    {
        assert_eq!(chosen(&named, filter), Ok(1), "{filter}");
    }
    assert_eq!(chosen(&named, "translator ~ x and editor ~ x and contributor ~ x"), Ok(0));
    catalog.flag("mine", &["1".parse().unwrap()].into());
    assert_eq!(chosen(&catalog, "flag = mine"), Ok(1));
}
