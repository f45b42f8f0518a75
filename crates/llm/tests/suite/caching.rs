//! Caches of servers, by the rules of three providers: what a run pays for what its requests begin with alike, and
//! that it was forecast.

use std::{
    collections::{BTreeMap, HashMap, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
    sync::Mutex,
    time::Duration,
};

use serde_json::{Value, json};
use storymill_core::{Asked, Asker, Chat};
use storymill_llm::{Cost, Usage, Usd};

use crate::{
    server::{Act, Heard, Server, error, ok},
    world::{Setting, World, of_chat, world},
};

/// How long a request takes of the server's time, in thousandths of a second: eight at a time, half a minute each.
const TAKES: u64 = 3_750;
/// How long a server keeps what was used last.
const LIFE: u64 = 300_000;
const FEWEST: u64 = 1_024;

/// What a server has in its cache: beginnings by their digests, and when each was last used.
#[derive(Default)]
struct Cache {
    kept: HashMap<u64, u64>,
    now: u64,
}

/// A beginning of a request: its digest, and its tokens.
type Beginning = (u64, u64);

impl Cache {
    /// The tokens of the longest of some beginnings that is kept.
    fn hit(&mut self, beginnings: &[Beginning]) -> u64 {
        self.now += TAKES;
        let now = self.now;
        let alive = |(digest, tokens): &&Beginning| {
            let is_kept = self.kept.get(digest).is_some_and(|last| now - last <= LIFE);
            is_kept && *tokens >= FEWEST
        };
        let Some((digest, tokens)) = beginnings.iter().rev().find(alive) else { return 0 };
        self.kept.insert(*digest, now);
        *tokens
    }

    fn keep(&mut self, beginnings: &[Beginning]) {
        let now = self.now;
        let long = beginnings.iter().filter(|(_, tokens)| *tokens >= FEWEST);
        self.kept.extend(long.map(|(digest, _)| (*digest, now)));
    }
}

/// The beginnings of a text in pieces.
fn beginnings<'t>(pieces: impl Iterator<Item = &'t [u8]>, scale: u64) -> Vec<Beginning> {
    let (mut hasher, mut bytes) = (DefaultHasher::new(), 0);
    let next = |piece: &[u8]| {
        piece.hash(&mut hasher);
        bytes += piece.len() as u64;
        (hasher.finish(), (bytes * scale).div_ceil(4))
    };
    pieces.map(next).collect()
}

/// A server by Anthropic's rules: what is marked is kept, at the ends of blocks; twenty blocks are looked back.
fn marked(cache: &Mutex<Cache>, body: &Value, scale: u64) -> Act {
    let content = &body["messages"][0]["content"];
    let one = [json!({ "text": content })];
    let blocks = content.as_array().map_or(&one[..], Vec::as_slice);
    let texts = blocks.iter().map(|block| block["text"].as_str().unwrap().as_bytes());
    let all = beginnings(texts, scale);
    let marks: Vec<usize> =
        (0..blocks.len()).filter(|at| blocks[*at].get("cache_control").is_some()).collect();
    if marks.len() > 4 {
        return error(400, &[], r#"{"error":{"message":"A maximum of 4 blocks may be marked"}}"#);
    }
    let seen: Vec<Beginning> =
        marks.iter().flat_map(|at| all[at.saturating_sub(19)..=*at].to_vec()).collect();
    let cached = cache.lock().unwrap().hit(&seen);
    std::thread::sleep(Duration::from_millis(10));
    let ends: Vec<Beginning> = marks.iter().map(|at| all[*at]).collect();
    cache.lock().unwrap().keep(&ends);
    let total = all.last().unwrap().1;
    let put = marks.last().map_or(0, |at| all[*at].1).max(cached);
    let put = if put < FEWEST { 0 } else { put - cached };
    ok(&json!({
        "type": "message", "stop_reason": "end_turn", "content": [{ "type": "text", "text": "good" }],
        "usage": {
            "input_tokens": total - cached - put, "cache_read_input_tokens": cached,
            "cache_creation_input_tokens": put, "output_tokens": 5,
        },
    })
    .to_string())
}

/// A server by OpenAI's rules, and those of one's own: whatever requests begin with is kept, in steps of 128 tokens.
fn prefixed(cache: &Mutex<Cache>, body: &Value, scale: u64) -> Act {
    let text = body["messages"][0]["content"].as_str().unwrap().as_bytes();
    let step = usize::try_from(512 / scale).unwrap();
    let whole = text.len() / step * step;
    let all = beginnings(text[..whole].chunks(step), scale);
    let cached = cache.lock().unwrap().hit(&all);
    std::thread::sleep(Duration::from_millis(10));
    cache.lock().unwrap().keep(&all);
    let total = (text.len() as u64 * scale).div_ceil(4);
    ok(&json!({
        "choices": [{ "finish_reason": "stop", "message": { "content": "good" } }],
        "usage": {
            "prompt_tokens": total, "completion_tokens": 5,
            "prompt_tokens_details": { "cached_tokens": cached },
        },
    })
    .to_string())
}

type Rules = fn(&Mutex<Cache>, &Value, u64) -> Act;

/// The rules of three providers, with the lines of the model and its prices.
const PROVIDERS: [(Rules, &str, &str); 3] = [
    (
        marked,
        "wire = \"anthropic\"",
        "[tiny]\ninput = 1.0\ncached_input = 0.1\ncache_write = 1.25\noutput = 0.0",
    ),
    (prefixed, "", "[tiny]\ninput = 1.0\ncached_input = 0.1\noutput = 0.0"),
    (prefixed, "", "[tiny]\ninput = 1.0\ncached_input = 0.5\noutput = 0.0"),
];

/// A book's text: no two begin alike.
fn book(number: usize, bytes: usize) -> String {
    let line = format!("In book {number} somebody goes somewhere and says something of it.\n");
    line.repeat(bytes / line.len() + 1)[..bytes].to_owned()
}

/// A question behind what is shown of a book.
fn put(world: &World, number: usize, shown: &str, question: &str) -> Asked {
    let text = format!("Read this.\n{shown}\n{question}");
    let chat = Chat { shared: "Read this.\n".len() + shown.len(), ..Chat::new(text) };
    world.asked(&format!("b{number:03}"), of_chat(chat), 0, 0)
}

/// What a run is forecast to come to and what it came to, asked in some slices, and what it would come to without
/// caches.
fn run(
    (rules, lines, prices): (Rules, &'static str, &'static str),
    scale: u64,
    ask: impl Fn(&World) -> Vec<Vec<Asked>>,
) -> [Cost; 3] {
    let cache = Mutex::new(Cache::default());
    let server = Server::start(move |_, heard: &Heard| rules(&cache, &heard.body, scale));
    let folder = tempfile::tempdir().unwrap();
    let world = world(folder.path(), &server.url, Setting { lines, prices, ..Setting::default() });
    let slices = ask(&world);
    let mut forecast = Cost::default();
    let mut books: BTreeMap<String, Vec<Asked>> = BTreeMap::new();
    for asked in slices.iter().flatten() {
        books.entry(asked.unit.to_string()).or_default().push(asked.clone());
    }
    // As a plan hears of them: unit by unit.
    for wave in books.values() {
        world.asker.forecast(wave).into_values().for_each(|one| forecast += one.once);
    }
    for slice in slices {
        world.asker.ask(&slice).unwrap();
        for asked in &slice {
            assert_eq!(world.asker.get(&asked.key).unwrap().unwrap().text, "good");
        }
    }
    let paid: Cost = world.asker.ledger().iter().map(|row| row.cost).sum();
    let usage = Usage { prompt: paid.usage.prompt, ..Usage::default() };
    let price = storymill_llm::Prices::parse(prices).unwrap().0["tiny"];
    assert_eq!(world.asker.expected().answers, paid.answers);
    [forecast, paid, Cost::of(paid.answers, usage, Some(price))]
}

/// How much one cost is of another, in thousandths.
fn share(part: Usd, whole: Usd) -> u128 {
    let micro = |usd: Usd| u128::from(usd.as_micro());
    micro(part) * 1_000 / micro(whole)
}

#[track_caller]
fn near(forecast: Usd, paid: Usd) {
    let share = share(forecast, paid);
    assert!((950..=1_050).contains(&share), "{forecast} is {share} thousandths of {paid}");
}

#[test]
fn what_is_forecast_is_paid_whatever_the_rules() {
    for provider in PROVIDERS {
        // Claims on whole books, and questions while a book is read, three of them at one place.
        let [forecast, paid, plain] = run(provider, 1, |world| {
            let mut wave = Vec::new();
            for number in 0..5 {
                let text = book(number, 60_000);
                wave.extend(
                    (0..9).map(|claim| put(world, number, &text, &format!("Is {claim} true?"))),
                );
            }
            for number in 5..8 {
                let text = book(number, 200_000);
                for question in 0..18 {
                    let read = 10_000 + question / 3 * 30_000;
                    wave.push(put(world, number, &text[..read], &format!("What of {question}?")));
                }
            }
            // And some that share nothing.
            wave.extend(
                (8..12).map(|number| put(world, number, &book(number, 20_000), "And now?")),
            );
            vec![wave]
        });
        near(forecast.usd, paid.usd);
        near(Usd::micro(forecast.usage.cached), Usd::micro(paid.usage.cached));
        assert!(
            share(paid.usd, plain.usd) < if provider.2.contains("0.5") { 620 } else { 330 },
            "{paid} of {plain}"
        );
    }
}

/// 2,328 claims on 63 books of 127,000 tokens, each byte of the texts here standing for 32, so that they are the
/// same in tokens.
#[test]
fn a_benchmark_of_claims_costs_a_seventh() {
    const SCALE: u64 = 32;
    for (provider, most) in PROVIDERS.into_iter().zip([150, 150, 550]) {
        let [_, paid, plain] = run(provider, SCALE, |world| {
            let mut slices = Vec::new();
            // As many books as fit a wave, of which first few requests are asked, then more.
            for four in (0..63).collect::<Vec<usize>>().chunks(4) {
                let mut wave = Vec::new();
                for number in four {
                    let text = book(*number, 127_000 * 4 / 32);
                    let claims = if *number < 60 { 37 } else { 36 };
                    let claim = |claim| {
                        put(
                            world,
                            *number,
                            &text,
                            &format!("Claim {claim:02}: somebody did something?"),
                        )
                    };
                    wave.extend((0..claims).map(claim));
                }
                let rest = wave.split_off(wave.len().min(80));
                let second = wave.split_off(20);
                slices.extend([wave, second, rest]);
            }
            slices
        });
        assert_eq!(paid.answers, 2_328);
        assert!(share(paid.usd, plain.usd) <= most, "{paid} of {plain}");
        println!("{} thousandths of {plain}: {paid}", share(paid.usd, plain.usd));
    }
}
