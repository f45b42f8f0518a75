//! Tests of names, of what two of them are to each other, and of whole corpora.

use super::*;

/// Writers from lines like `Wells, H. G. 1866-1946`, each in a book of its own; how they fall together,
/// as `0 1|2`.
#[track_caller]
fn check(lines: &[&str], expected: &str) {
    let books: Vec<Vec<Writer>> = lines.iter().map(|line| vec![writer(line)]).collect();
    let mut groups: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (at, people) in people(books.iter().map(|book| &book[..])).into_iter().enumerate() {
        groups.entry(people[0]).or_default().push(at.to_string());
    }
    let groups: Vec<_> = groups.into_values().collect();
    let mut groups: Vec<_> = groups.iter().map(|group| group.join(" ")).collect();
    groups.sort_by_key(|group| group.split(' ').next().unwrap().parse::<usize>().unwrap());
    assert_eq!(groups.join("|"), expected, "{lines:?}");
}

fn writer(line: &str) -> Writer {
    let (name, years) = match line.rsplit_once(' ') {
        Some((name, years)) if years.contains('-') && !years.contains(char::is_alphabetic) => {
            (name, years)
        }
        _ => (line, "-"),
    };
    let (birth, death) = years.split_once('-').unwrap();
    let (birth, death) = (birth.parse().ok(), death.parse().ok());
    // As catalogs without ids of their own make them.
    let words = name::sorted_words(name).join("-");
    let agent_id = birth.map_or(words.clone(), |year: i32| format!("{words}-{year}"));
    Writer::of(&Author { agent_id, name: name.into(), birth_year: birth, death_year: death })
}

#[track_caller]
fn one(lines: &[&str]) {
    let all: Vec<_> = (0..lines.len()).map(|at| at.to_string()).collect();
    check(lines, &all.join(" "));
}

#[track_caller]
fn each(lines: &[&str]) {
    let all: Vec<_> = (0..lines.len()).map(|at| at.to_string()).collect();
    check(lines, &all.join("|"));
}

#[test]
fn forms_of_one_name() {
    one(&[
        "Wells, H. G. 1866-1946",
        "Wells, H. G. (Herbert George) 1866-1946",
        "Wells, Herbert George 1866-1946",
        "H. G. Wells",
        "HG Wells",
        "H.G. Wells",
        "Herbert George Wells",
        "WELLS, H. G.",
        "Wells, Herbert 1866-1946",
    ]);
    one(&["Bronte, Charlotte 1816-1855", "Charlotte Brontë", "Brontë, C. 1816-1855"]);
    one(&["Bjørnson, Bjørnstjerne", "Bjornstjerne Bjornson"]);
    one(&[
        "Fitzgerald, F. Scott (Francis Scott) 1896-1940",
        "F. Scott Fitzgerald",
        "Scott Fitzgerald",
    ]);
    one(&["Dickens, Charles 1812-1870", "Chas. Dickens", "C. Dickens"]);
    one(&["Balzac, Honoré de 1799-1850", "Honoré de Balzac", "De Balzac, Honoré"]);
    one(&["Bulwer-Lytton, Edward", "Lytton, Edward Bulwer Lytton, Baron 1803-1873"]);
    one(&["Luo, Guanzhong 1330-1400", "Guanzhong Luo", "Luo Guanzhong"]);
    one(&["Cervantes Saavedra, Miguel de 1547-1616", "Miguel de Cervantes"]);
    one(&[
        "Doyle, Arthur Conan 1859-1930",
        "Conan Doyle, Arthur",
        "A. Conan Doyle",
        "Arthur Conan Doyle",
    ]);
    one(&["O’Brien, Fitz-James", "Fitz James O'Brien"]);
}

#[test]
fn titles_are_no_part_of_a_name() {
    one(&[
        "Doyle, Arthur Conan, Sir 1859-1930",
        "Sir Arthur Conan Doyle",
        "Doyle, A. Conan 1859-1930",
    ]);
    one(&[
        "Tolstoy, Leo, graf 1828-1910",
        "Leo Tolstoy",
        "Count Leo Tolstoy",
        "Tolstoy, Count Leo",
    ]);
    one(&[
        "Gaskell, Elizabeth Cleghorn 1810-1865",
        "Mrs. Gaskell",
        "Gaskell, Mrs. (Elizabeth Cleghorn)",
    ]);
    one(&["Byron, George Gordon Byron, Baron 1788-1824", "Lord Byron"]);
    one(&["Staël, Madame de (Anne-Louise-Germaine) 1766-1817", "Madame de Staël"]);
    one(&["Ward, Humphry, Mrs. 1851-1920", "Ward, Mary Augusta 1851-1920", "Mrs. Humphry Ward"]);
    one(&["Saint-Exupéry, Antoine de", "Antoine de Saint-Exupéry"]);
}

#[test]
fn pen_names_in_brackets() {
    one(&["Mark Twain (Samuel Clemens)", "Twain, Mark 1835-1910", "Clemens, Samuel"]);
    one(&["Carroll, Lewis, pseud. 1832-1898", "Lewis Carroll (Charles Lutwidge Dodgson)"]);
    one(&["Samuel Clemens, pseudonym of nobody", "Clemens, Samuel"]);
    one(&["Saki 1870-1916", "Saki (H. H. Munro)", "Munro, Hector Hugh (Saki)"]);
    one(&[
        "Mary Wollstonecraft (Godwin) Shelley",
        "Mary Shelley",
        "Shelley, Mary Wollstonecraft 1797-1851",
    ]);
}

#[test]
fn two_people_stay_two() {
    each(&["Brontë, Emily 1818-1848", "Brontë, Charlotte 1816-1855", "Brontë, Anne 1820-1849"]);
    each(&["Emily Brontë", "Charlotte Brontë", "Anne Brontë"]);
    each(&["Dumas, Alexandre 1802-1870", "Dumas, Alexandre 1824-1895"]);
    each(&["Butler, Samuel 1612-1680", "Butler, Samuel 1835-1902"]);
    each(&["Churchill, Winston 1871-1947", "Churchill, Winston 1874-1965"]);
    each(&["Grimm, Jacob 1785-1863", "Grimm, Wilhelm 1786-1859"]);
    each(&["Goncourt, Edmond de 1822-1896", "Goncourt, Jules de 1830-1870"]);
    each(&[
        "Shelley, Percy Bysshe 1792-1822",
        "Shelley, Mary Wollstonecraft 1797-1851",
        "Godwin, William",
    ]);
    each(&[
        "Eliot, T. S. (Thomas Stearns) 1888-1965",
        "Eliot, George 1819-1880",
        "Wells, Carolyn",
        "H. G. Wells",
    ]);
    each(&["James, Henry 1843-1916", "James, William 1842-1910", "James, M. R. 1862-1936"]);
    each(&["Trollope, Anthony", "Trollope, Frances Milton", "Trollope, Thomas Adolphus"]);
    each(&["Holmes, Oliver Wendell, Sr.", "Holmes, Oliver Wendell, Jr."]);
    each(&["H. Wells", "Herbert George Wells"]);
}

#[test]
fn a_form_that_fits_two_people_is_left_with_neither() {
    check(&["J. Smith", "John Smith"], "0 1");
    each(&["J. Smith", "John Smith", "James Smith"]);
    each(&["Samuel Butler", "Butler, Samuel 1612-1680", "Butler, Samuel 1835-1902"]);
}

#[test]
fn ids_of_a_catalog_tell_namesakes_apart() {
    let own = |id: &str, name: &str, years: (Option<i32>, Option<i32>)| {
        Writer::of(&Author {
            agent_id: id.into(),
            name: name.into(),
            birth_year: years.0,
            death_year: years.1,
        })
    };
    let book = |writer: Writer| vec![writer];
    let rule = |books: &[Vec<Writer>]| {
        let people = people(books.iter().map(|book| &book[..]));
        people.windows(2).map(|pair| pair[0] == pair[1]).collect::<Vec<_>>()
    };
    let none = (None, None);
    assert_eq!(
        rule(&[
            book(own("agent-1", "Smith, John", none)),
            book(own("agent-2", "Smith, John", none))
        ]),
        [false]
    );
    assert_eq!(
        rule(&[book(own("agent-68", "Austen, Jane", none)), book(writer("Jane Austen"))]),
        [true]
    );
    let years = (Some(1775), Some(1817));
    assert_eq!(
        rule(&[
            book(own("agent-1", "Austen, Jane", years)),
            book(own("agent-2", "Austen, J.", years))
        ]),
        [true]
    );
}

#[test]
fn nobody_is_nobody() {
    for name in
        ["Various", "[Anonymous]", "Unknown (translated by Somebody)", " ", "(Unknown)", "佚名"]
    {
        assert!(!name::is_person(name), "{name}");
    }
    assert!(name::is_person("Saki (H. H. Munro)"));
}

#[test]
fn the_order_of_books_does_not_matter() {
    let mut lines =
        ["Wells, H. G. 1866-1946", "J. Smith", "H. G. Wells", "John Smith", "Smith, James", "Saki"];
    check(&lines, "0 2|1|3|4|5");
    lines.reverse();
    check(&lines, "0|1|2|3 5|4");
}
