use super::*;

/// `Ada Penn`, `Addie Penn` and `Kell`, who bear these names.
fn people() -> Vec<NamedPerson> {
    let person = |name: &str| NamedPerson {
        name: name.into(),
        names: name.split(' ').map(str::to_owned).collect(),
        gender: "unknown".into(),
        ..NamedPerson::default()
    };
    ["Ada Penn", "Addie Penn", "Kell"].map(person).to_vec()
}

fn merge(one: &str, with: &str) -> NameChange {
    NameChange::Merge { one: one.into(), with: with.into() }
}

fn keep(of: &str) -> NameChange {
    NameChange::Keep { of: of.into() }
}

fn split(of: &str, name: &str) -> NameChange {
    NameChange::Split { of: of.into(), name: name.into() }
}

fn put(name: &str, by: &str) -> NameChange {
    NameChange::Substitute { name: name.into(), by: by.into() }
}

/// Makes the changes in every order that turning them gives; all must say the same.
#[track_caller]
fn check(changes: &[NameChange], expected: Result<&[&[usize]], &str>) {
    for turn in 0..changes.len() {
        let mut turned = changes.to_vec();
        turned.rotate_left(turn);
        for changes in [turned.clone(), turned.into_iter().rev().collect()] {
            match (who_is_who(&people(), &changes, str::to_lowercase), expected) {
                (Ok(cast), Ok(expected)) => {
                    let of: Vec<&[usize]> = cast.people.iter().map(|one| &one.of[..]).collect();
                    assert_eq!(of, expected, "{changes:?}");
                }
                (Err(fault), Err(says)) => assert!(fault.message.contains(says), "{fault}"),
                (other, _) => panic!("{other:?}: {changes:?}"),
            }
        }
    }
}

#[test]
fn people_are_the_same_in_whatever_order_it_is_said() {
    let (ada, addie, kell) = ("Ada Penn", "Addie Penn", "Kell");
    check(&[merge(addie, ada), merge(ada, kell)], Ok(&[&[1, 0, 2]]));
    check(&[merge(ada, addie), merge(addie, kell)], Ok(&[&[0, 1, 2]]));
    check(&[merge(kell, ada), merge(kell, addie)], Ok(&[&[2, 0, 1]]));
    // Each is said to be the other: the first one's name stays.
    check(&[merge(ada, kell), merge(kell, ada)], Ok(&[&[0, 2], &[1]]));
    check(&[merge(ada, addie), merge(addie, kell), merge(kell, ada)], Ok(&[&[0, 1, 2]]));
    check(&[merge(ada, kell), split(ada, "penn")], Ok(&[&[0, 2], &[1]]));
    check(&[merge(ada, "Nobody")], Err("`Nobody` is nobody in the cast"));
    check(&[merge(kell, kell)], Err("with itself"));
    check(&[split(ada, "Ada"), split(ada, "Penn")], Err("the only name of `Ada Penn`"));
    check(&[split(kell, "Penn")], Err("`Penn` is not a name of `Kell`"));
}

#[test]
fn who_shares_a_name_stays_with_all_who_bear_it() {
    check(&[keep("Ada Penn")], Err("`Ada Penn` shares a name"));
    let apart: &[&[usize]] = &[&[0], &[1], &[2]];
    check(&[keep("Ada Penn"), keep("Addie Penn")], Ok(apart));
    check(&[keep("Kell")], Ok(apart));
    check(&[keep("Ada Penn"), merge("Addie Penn", "Ada Penn")], Ok(&[&[1, 0], &[2]]));
    check(&[keep("Ada Penn"), split("Addie Penn", "Penn")], Err("shares a name"));
}

#[test]
fn a_name_is_replaced_by_one_that_is_free() {
    let apart: &[&[usize]] = &[&[0], &[1], &[2]];
    check(&[put("Ada", "Ina"), put("penn", "Quill")], Ok(apart));
    check(&[put("Penn", "Quill"), put("Penn", "quill")], Ok(apart));
    check(&[put("Penn", "Quill"), put("Penn", "Rook")], Err("two names are to stand for"));
    check(&[put("Ada", "Ina"), put("Kell", "ina")], Err("is to stand for two names"));
    check(&[put("Ada", "kell")], Err("the cast has that name already"));
    check(&[put("Kell", "Rook"), keep("Kell")], Err("`Kell` stays as it is"));
    check(&[put("Bob", "Rook")], Err("not a name in the cast"));
    check(&[put("Kell", "")], Err("not one word"));
}

#[test]
fn what_is_said_of_one_counts_for_the_whole_person() {
    let gender =
        |of: &str, gender: &str| NameChange::Gender { of: of.into(), gender: gender.into() };
    let cast = |changes: &[NameChange]| who_is_who(&people(), changes, str::to_lowercase).unwrap();
    let both = cast(&[gender("Kell", "male"), merge("Ada Penn", "Kell")]);
    assert_eq!(both.people[0].gender.as_deref(), Some("male"));
    let hers = [gender("Kell", "male"), gender("Ada Penn", "female"), merge("Ada Penn", "Kell")];
    assert_eq!(cast(&hers).people[0].gender.as_deref(), Some("female"));
    let fault = who_is_who(&people(), &[gender("Kell", "she")], str::to_lowercase).unwrap_err();
    assert!(fault.message.contains("not a gender"), "{fault}");
}
