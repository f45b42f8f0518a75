//! Where the keys of a JSON object stand in its text.

/// Line and column, from 1, of each key of the outermost object. The text must be JSON that was read already.
pub(crate) fn of_keys(json: &str) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    let (mut line, mut column, mut depth) = (1, 0, 0_usize);
    let (mut quoted, mut escaped, mut key) = (false, false, true);
    for symbol in json.chars() {
        column += 1;
        match symbol {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => {
                if !quoted && depth == 1 && key {
                    places.push((line, column));
                }
                quoted = !quoted;
            }
            '\n' => (line, column) = (line + 1, 0),
            _ if quoted => {}
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            ':' if depth == 1 => key = false,
            ',' if depth == 1 => key = true,
            _ => {}
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_the_outermost_object_only() {
        let json = "{\"a,\\\"{\": {\"b\": [\"x:{\"]},\n  \"é\": \"v\", \"c\": [1, {\"d\": 2}]}";
        assert_eq!(of_keys(json), [(1, 2), (2, 3), (2, 13)]);
        assert!(serde_json::from_str::<serde_json::Value>(json).is_ok());
    }
}
