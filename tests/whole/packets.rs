//! Packets of a private set: given out in one file, read once. No word of a book or a claim is in a byte of them.

use std::{fs, sync::Arc};

use serde_json::{Value, json};
use storymill_disk::RealDisk;
use storymill_shelf::{Access, Key, Private as Hidden, Recipient, Shelf, letter};

use crate::{
    leaks::{MARKS, Private, marked, nothing_leaks},
    private_claims::{at, cat, set, table},
};

/// What the shelf remembers of a packet of the set.
fn kept(private: &Private, number: usize) -> Value {
    let key =
        Key::from_file(&fs::read(private.project.path("ann.key")).unwrap(), || unreachable!());
    let root = private.project.path("shelf");
    let shelf = Shelf::open(&root, Arc::new(RealDisk), &key.unwrap(), Access::Look).unwrap();
    let bytes = shelf.read(&format!("sets/family/packets/{number:06}")).unwrap().unwrap();
    serde_json::from_slice(bytes.expose()).unwrap()
}

/// The ids of its items.
fn ids(private: &Private, number: usize) -> Vec<String> {
    let told = private
        .run(&cat(&["review", "family", "--queue", "adequacy", "--list", "--format", "json"]));
    let listed: Vec<Value> = serde_json::from_str(&told.exits(0).text).unwrap();
    let items = kept(private, number)["items"].as_array().unwrap().clone();
    let id = |item: &Value| {
        let same = listed.iter().find(|one| one["review"]["item"] == item["review"]["item"]);
        same.unwrap()["id"].as_str().unwrap().to_owned()
    };
    items.iter().map(id).collect()
}

/// What the page of a packet seals.
fn votes(private: &Private, number: usize, chosen: &[(&str, &str)]) -> Value {
    let packet = kept(private, number);
    let vote = |(item, choice): &(&str, &str)| json!({ "item": item, "fields": [["choice", choice], ["note", format!("{} did", MARKS[0])], ["seconds", "61"]] });
    let votes: Vec<Value> = chosen.iter().map(vote).collect();
    json!({ "version": 1, "packet": packet["id"], "digest": packet["digest"], "for": packet["for"], "votes": votes })
}

fn sealed(votes: &Value, to: &Recipient) -> Vec<u8> {
    letter::seal(votes.to_string().as_bytes(), std::slice::from_ref(to)).unwrap()
}

fn ann(private: &Private) -> Recipient {
    private.run(&["shelf", "init", "--key-only", "--key", "ann.key"]).text.trim().parse().unwrap()
}

#[test]
fn a_packet_goes_out_and_its_votes_come_in_once() {
    let private = set();
    let run = |args: &[&str]| private.run(&cat(args));
    let said = run(&["shelf", "packet", "family", "--for", "robert"]).exits(0);
    let said = said.says("packet 1 for robert: 10 items, in packet-1.html");
    let said = said.says("`storymill shelf packet family --read VOTES --key ann.key`");
    let passphrase = said.text.lines().find_map(|line| line.strip_prefix("passphrase: ")).unwrap();
    assert_eq!(passphrase.len(), 24, "{passphrase}");
    nothing_leaks(&private.project.path(""));
    run(&["shelf", "list"])
        .exits(0)
        .says("packet 1 for robert, 10 items, made on 20")
        .says("no votes yet");

    // Somebody with the file and the passphrase opens it, with another one nobody does.
    let page = private.project.read("packet-1.html");
    let inside = page.split("id=\"sealed\">").nth(1).unwrap().split('<').next().unwrap();
    for private in ["robert", "set family", "n01/0001", passphrase] {
        assert!(!page.contains(private), "{private} stands in clear");
    }
    let sealed_in = base64(inside);
    let opened = |word: &str| {
        Key::from_file(&sealed_in, || Ok(Hidden::new(word.to_owned()))).unwrap_err().message
    };
    assert!(opened(passphrase).contains("no key"), "{}", opened(passphrase));
    assert!(opened("abcd-abcd-abcd-abcd-abcd").contains("does not open"));

    let ids = ids(&private, 1);
    let some: Vec<(&str, &str)> = ids[..9].iter().map(|id| (&**id, "A")).collect();
    let file = at(&private, "votes.age", sealed(&votes(&private, 1, &some), &ann(&private)));
    assert_eq!(marked(&fs::read(&file).unwrap()), None);
    let read = || run(&["shelf", "packet", "family", "--read", &file]);
    read()
        .exits(0)
        .says("packet 1 for robert: votes on 9 of 10 items taken in, in 9 minutes")
        .says("1 item left");
    read().exits(4).says("a packet is read once").says("nothing was changed");
    run(&["shelf", "list"]).exits(0).says("9 votes in 9 minutes, read on 20");

    // They are votes as any other: what is open for robert is one item, and nobody else's are touched.
    let out = ["shelf", "packet", "family", "--out", "two.html", "--for"];
    run(&[&out[..], &["robert"]].concat())
        .exits(0)
        .says("packet 2 for robert: 1 item, in two.html");
    run(&[&out[..], &["eve"]].concat()).exits(4).says("there is such a file already");
    let eve = ["shelf", "packet", "family", "--for", "eve", "--format", "json"];
    let said: Value = serde_json::from_str(&run(&eve).exits(0).text).unwrap();
    assert_eq!([&said["packet"], &said["items"]], [&json!(3), &json!(10)]);
    run(&["review", "family", "--agreement"]).exits(0).says("robert");
    nothing_leaks(&private.project.path(""));
}

/// The letters of base 64 as bytes.
fn base64(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text.bytes().filter(|letter| *letter != b'=').map(value).collect();
    let four = |four: &[u8]| {
        let bits = four.iter().fold(0_u32, |bits, six| bits << 6 | u32::from(*six))
            << (6 * (4 - four.len()));
        bits.to_be_bytes()[1..four.len()].to_vec()
    };
    letters.chunks(4).flat_map(four).collect()
}

#[test]
fn votes_that_are_bent_or_of_others_are_refused() {
    let private = set();
    let run = |args: &[&str]| private.run(&cat(args));
    run(&["shelf", "packet", "family", "--for", "bob", "--items", "n01/0001,n01/0002"])
        .exits(0)
        .says("2 items");
    run(&["shelf", "packet", "family", "--for", "eve", "--items", "n01/0003"])
        .exits(0)
        .says("1 item");
    let (ids, others, to) = (ids(&private, 1), ids(&private, 2), ann(&private));
    let good = votes(&private, 1, &[(&ids[0], "A"), (&ids[1], "neither")]);
    let refused = |bytes: &[u8], why: &str| {
        let file = at(&private, "bent.age", bytes);
        let said = run(&["shelf", "packet", "family", "--read", &file]).exits(4).says(why);
        // A message says what is wrong and none of what was sent.
        assert!(!said.text.contains("zebra"), "{}", said.text);
    };
    refused(good.to_string().as_bytes(), "this is not a file of votes");
    refused(&sealed(&good, &Key::mint().unwrap().recipient()), "this key does not open");
    let whole = sealed(&good, &to);
    for at in (0..whole.len()).step_by(97).skip(1) {
        let mut bent = whole.clone();
        bent[at] ^= 1;
        refused(&bent, "bent.age");
    }
    refused(&whole[..whole.len() - 1], "damaged or cut off");
    let with = |change: &dyn Fn(&mut Value)| {
        let mut votes = good.clone();
        change(&mut votes);
        sealed(&votes, &to)
    };
    let first = |votes: &mut Value, fields: Value| votes["votes"][0]["fields"] = fields;
    refused(&with(&|it| it["more"] = json!("zebra")), "no votes of a packet");
    refused(&with(&|it| it["version"] = json!(2)), "another version");
    refused(
        &with(&|it| it["packet"] = json!("zebra")),
        "these votes are of no packet of set `family`",
    );
    refused(
        &with(&|it| it["for"] = json!("eve")),
        "packet 1 was made for bob, and these votes are by eve",
    );
    refused(
        &with(&|it| it["packet"] = kept(&private, 2)["id"].clone()),
        "packet 2 was made for eve, and these votes are by bob",
    );
    refused(
        &with(&|it| it["digest"] = kept(&private, 2)["digest"].clone()),
        "not on the items of packet 1",
    );
    refused(&with(&|it| it["votes"] = json!([])), "no item of packet 1 is answered");
    refused(
        &with(&|it| it["votes"][0]["item"] = json!(others[0])),
        "a vote on an item that is not in it",
    );
    refused(&with(&|it| it["votes"][0]["item"] = json!(ids[1])), "two votes on one item");
    let not = "the vote on n01/0001 cannot be taken";
    refused(&with(&|it| first(it, json!([["choice", "zebra"]]))), not);
    refused(&with(&|it| first(it, json!([["note", "zebra"]]))), not);
    refused(&with(&|it| first(it, json!([["choice", "A"], ["do", "drop"]]))), not);
    refused(&with(&|it| first(it, json!([["choice", "A"], ["span", "9:1:2"]]))), not);
    refused(&with(&|it| first(it, json!([["choice", "A"], ["by", "eve"]]))), not);
    // Another set has not made it, and of all this nothing was taken in.
    let more = at(&private, "more.csv", table(1, 2));
    run(&["claims", "import", &more, "--into", "other"]).exits(0);
    let file = at(&private, "votes.age", &whole);
    run(&["shelf", "packet", "other", "--read", &file])
        .exits(4)
        .says("these votes are of no packet of set `other`");
    run(&["shelf", "packet", "family", "--read", &file])
        .exits(0)
        .says("votes on 2 of 2 items taken in");
}

#[test]
fn a_packet_holds_what_it_is_told_to_and_nobody_judges_their_own() {
    let private = set();
    let run = |args: &[&str]| private.run(&cat(args));
    let own = format!(
        "id,book,true_claim,false_claim,written_by\nn01/0099,n01,\"{0} ate a pear.\",\"{0} ate a plum.\",bob\n",
        MARKS[0]
    );
    let own = at(&private, "own.csv", own);
    run(&["claims", "import", &own, "--into", "family"]).exits(0);
    let packet = ["shelf", "packet", "family", "--for"];
    let with = |more: &[&str]| run(&[&packet[..], more].concat());
    with(&["bob"]).exits(0).says("10 items");
    with(&["eve", "--items", "n01"]).exits(0).says("11 items");
    with(&["bob", "--items", "n01/0099"])
        .exits(4)
        .says("no item of the queue `adequacy` is called `n01/0099`");
    with(&["eve", "--items", "n01/0001,n02"])
        .exits(4)
        .says("is called `n02`")
        .says("--list --shelf shelf --key ann.key` has their names");
    with(&["eve", "--queue", "claims"])
        .exits(4)
        .says("nothing of the queue `claims` waits for eve");
    run(&["shelf", "packet", "nobody", "--for", "eve"])
        .exits(4)
        .says("there is no set of this name");
    run(&["shelf", "packet", "family"]).exits(2).says("--for <NAME>");
    // A claim is written anew while the packet is away: the vote on it is kept and counts nowhere.
    let ids = ids(&private, 1);
    let sealed = sealed(&votes(&private, 1, &[(&ids[0], "A"), (&ids[1], "B")]), &ann(&private));
    let anew = at(&private, "anew.csv", table(1, 1).replace(" shillings.\"", " crowns.\""));
    run(&["claims", "import", &anew, "--into", "family"]).exits(0).says("1 changed");
    let file = at(&private, "votes.age", sealed);
    run(&["shelf", "packet", "family", "--read", &file])
        .exits(0)
        .says("votes on 2 of 10 items taken in")
        .says("1 vote on pairs that were changed or removed since");
}
