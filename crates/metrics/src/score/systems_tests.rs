use super::*;

/// Systems whose answers get these scores: people's, then a metric's.
fn lines(systems: &[(&str, &[(f64, f64)])]) -> String {
    let line = |system: &str, at: usize, (people, score): (f64, f64)| {
        format!(
            "{{\"system\":\"{system}\",\"item\":\"q{at}\",\"people\":{people},\"scores\":{{\"m\":{score}}}}}\n"
        )
    };
    systems
        .iter()
        .flat_map(|(system, rows)| rows.iter().enumerate().map(|(at, row)| line(system, at, *row)))
        .collect()
}

#[track_caller]
fn tau_of(text: &str) -> Metric {
    systems(&[text], Over::Items, Plan { rounds: 200, ..Plan::default() })
        .unwrap()
        .metrics
        .remove(0)
}

#[test]
fn the_order_of_means_counts_and_not_that_of_items() {
    // The metric goes against people on every item of a system, and with them over the systems.
    let found = tau_of(&lines(&[
        ("a", &[(1.0, 0.2), (2.0, 0.1)]),
        ("b", &[(3.0, 0.5), (4.0, 0.4)]),
        ("c", &[(5.0, 0.9), (6.0, 0.8)]),
    ]));
    // Two items are too few to be drawn.
    assert_eq!((found.tau, found.low, found.high), (Some(1.0), None, None));
    assert_eq!((found.systems, found.items, found.left_out), (3, 2, 0));
    let turned = tau_of(&lines(&[
        ("a", &[(1.0, 0.9), (1.0, 0.9)]),
        ("b", &[(3.0, 0.2), (3.0, 0.2)]),
        ("c", &[(5.0, 0.5), (5.0, 0.5)]),
    ]));
    assert!((turned.tau.unwrap() + 1.0 / 3.0).abs() < 1e-12);
}

#[test]
fn an_interval_tells_items_that_disagree() {
    let rows = |shift: f64| -> Vec<(f64, f64)> {
        let wave = |at: u8| f64::from(at % 5) * 0.4;
        (0..20).map(|at| (shift + wave(at), shift + wave(at * 3 + 1))).collect()
    };
    let (a, b, c) = (rows(0.0), rows(0.1), rows(0.2));
    let found = tau_of(&lines(&[("a", &a), ("b", &b), ("c", &c)]));
    assert_eq!(found.tau, Some(1.0));
    // The same shift on all items: no sample turns the order.
    assert_eq!(found.low, Some(1.0));
    let mut noisy = b.clone();
    noisy
        .iter_mut()
        .enumerate()
        .for_each(|(at, row)| row.1 += if at % 2 == 0 { 0.9 } else { -0.9 });
    let found = tau_of(&lines(&[("a", &a), ("b", &noisy), ("c", &c)]));
    assert!(found.low.unwrap() < found.tau.unwrap(), "{found:?}");
}

#[test]
fn only_items_of_all_systems_count() {
    let text =
        lines(&[("a", &[(1.0, 0.1), (9.0, 9.0)]), ("b", &[(2.0, 0.2)]), ("c", &[(3.0, 0.3)])]);
    let found = tau_of(&text);
    assert_eq!((found.items, found.left_out, found.tau), (1, 1, Some(1.0)));
    assert_eq!(found.undefined.unwrap(), "no interval: it takes 5 items, clusters or systems");
}

#[test]
fn clusters_and_systems_may_be_drawn() {
    let line = |system: &str, item: &str, cluster: &str, people: &str, score: f64| {
        format!(
            "{{\"system\":\"{system}\",\"item\":\"{item}\",\"cluster\":\"{cluster}\",\"people\":{people},\"scores\":{{\"m\":{score}}}}}\n"
        )
    };
    let mut text = String::new();
    for (system, height) in [("a", 1.0), ("b", 2.0), ("c", 3.0), ("d", 4.0), ("e", 5.0)] {
        text += &line(system, "q1", "84", &format!("[{height}, {}]", height + 2.0), height);
        text += &line(system, "q2", "84", "1", height);
    }
    let found = tau_of(&text);
    let is_one = |value: Option<f64>| value.is_some_and(|value| (value - 1.0).abs() < 1e-9);
    assert!(is_one(found.tau) && found.low.is_none(), "{found:?}");
    assert_eq!(found.undefined.unwrap(), "no interval: it takes 5 items, clusters or systems");
    let over = systems(&[&text], Over::Systems, Plan::default()).unwrap();
    assert!(is_one(over.metrics[0].low) && is_one(over.metrics[0].high), "{over:?}");
    assert_eq!(over.systems[0].people, 1.5);
}

#[test]
fn undefined_is_said() {
    let two = lines(&[("a", &[(1.0, 1.0)]), ("b", &[(2.0, 2.0)])]);
    let found = tau_of(&two);
    assert_eq!(found.tau, None);
    assert_eq!(found.undefined.unwrap(), "undefined: an order needs 3 systems, and there are 2");
    let flat = lines(&[("a", &[(1.0, 1.0)]), ("b", &[(2.0, 1.0)]), ("c", &[(2.0, 1.0)])]);
    let told = tau_of(&flat).undefined.unwrap();
    assert_eq!(told, "undefined: all systems have the same mean, by this score or by people");
}

#[test]
fn bad_lines() {
    let check = |text: &str, expect: &str| {
        let (file, error) =
            systems(&[&lines(&[("z", &[(1.0, 1.0)])]), text], Over::Items, Plan::default())
                .unwrap_err();
        assert_eq!((file, error.to_string().as_str()), (1, expect));
    };
    check("{\"system\":\"a\",\"item\":\"q\"}", "line 1: no `people`");
    check("{\"item\":\"q\",\"people\":1}", "line 1: no `system`");
    check(
        "{\"system\":\"z\",\"item\":\"q0\",\"people\":1}",
        "line 1: `q0` of `z` was scored already",
    );
    check(
        "\n{\"system\":\"a\",\"item\":\"q\",\"people\":\"good\"}",
        "line 2, column 41: `people` is a number, or a list of numbers",
    );
    let (_, error) = systems(&[""], Over::Items, Plan::default()).unwrap_err();
    assert_eq!(error.to_string(), "the file has no rows");
}
