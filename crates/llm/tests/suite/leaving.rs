//! What is noted of private requests: all that were sent, and none that could not be. What servers say to them is not told.

use std::{
    collections::BTreeSet,
    io::{Read, Write},
    net::TcpListener,
    thread,
};

use storymill_core::Asker;
use storymill_llm::AskEvent;

use crate::{
    server::{Act, Server, answer, error},
    world::{Setting, World, whole, world},
};

fn private(folder: &tempfile::TempDir, url: &str) -> World {
    let lines = "concurrency = 1\nconnect_seconds = 1\nlongest_wait_seconds = 1\n";
    world(
        folder.path(),
        url,
        Setting { lines, private: Some(vec![url.to_owned()]), ..Setting::default() },
    )
}

fn noted(world: &World) -> BTreeSet<String> {
    world.ear.1.lock().unwrap().iter().cloned().collect()
}

/// A server that is gone after so many answers.
fn gone_after(answers: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let mut left = answers;
        while left > 0 {
            let (mut stream, _) = listener.accept().unwrap();
            // One that only looks whether somebody is there sends nothing.
            if matches!(stream.read(&mut [0; 1 << 12]), Ok(read) if read > 0) {
                left -= 1;
                if left == 0 {
                    drop(listener);
                    let _ = say(&mut stream);
                    return;
                }
                let _ = say(&mut stream);
            }
        }
    });
    format!("http://{address}/v1")
}

fn say(stream: &mut impl Write) -> std::io::Result<()> {
    let body = r#"{"choices":[{"message":{"content":"yes"},"finish_reason":"stop"}]}"#;
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[test]
fn nothing_is_shown_to_whom_no_connection_leads() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for url in [format!("http://{free}/v1"), "http://nobody.invalid:9/v1".to_owned()] {
        let folder = tempfile::tempdir().unwrap();
        let world = private(&folder, &url);
        let fault = world.asker.ask(&world.wave(3)).unwrap_err();
        assert!(whole(&fault).contains("cannot be reached at"), "{}", whole(&fault));
        assert_eq!(noted(&world), BTreeSet::new());
    }
}

#[test]
fn what_was_sent_is_noted_and_nothing_else() {
    for answers in 1..4 {
        let folder = tempfile::tempdir().unwrap();
        let world = private(&folder, &gone_after(answers));
        world.asker.ask(&world.wave(5)).unwrap_err();
        let sent = (0..answers).map(|number| number.to_string()).collect();
        assert_eq!(noted(&world), sent, "{answers} answers");
    }
    for act in [Act::Drop, Act::Truncate, error(401, &[], "no"), error(500, &[], "no"), answer("")]
    {
        let told = format!("{act:?}");
        let (folder, server) =
            (tempfile::tempdir().unwrap(), Server::start(move |_, _| act.clone()));
        let world = private(&folder, &server.url);
        let _ = world.asker.ask(&world.wave(1));
        assert_eq!(noted(&world).len(), 1, "{told}");
        assert!(server.count() > 0);
    }
}

#[test]
fn what_a_server_says_to_private_text_is_not_told() {
    let echo = |status| {
        error(status, &[], r#"{"error":{"message":"Ishmael cannot swim","type":"Ishmael"}}"#)
    };
    for status in [400, 401, 404, 413, 429, 500] {
        let (folder, server) =
            (tempfile::tempdir().unwrap(), Server::start(move |_, _| echo(status)));
        let world = private(&folder, &server.url);
        let told = whole(&world.ask_one().unwrap_err());
        let heard: Vec<AskEvent> = world.events();
        assert!(told.contains(&status.to_string()), "{told}");
        assert!(
            !told.contains("Ishmael") && !format!("{heard:?}").contains("Ishmael"),
            "{told} {heard:?}"
        );
    }
}
