//! A command as it is typed: a program and its arguments. No shell reads it.

/// The words of a command: parted by blanks, but for what stands in quotation marks; `\` takes the next sign as it is, save on
/// Windows, where it parts folders.
pub(super) fn words(command: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word): (Vec<String>, Option<String>) = (Vec::new(), None);
    let mut mark: Option<char> = None;
    let mut signs = command.chars();
    while let Some(sign) = signs.next() {
        match sign {
            _ if mark == Some(sign) => mark = None,
            '"' | '\'' if mark.is_none() => {
                mark = Some(sign);
                word.get_or_insert_default();
            }
            '\\' if !cfg!(windows) && mark != Some('\'') => {
                word.get_or_insert_default().extend(signs.next());
            }
            blank if mark.is_none() && blank.is_whitespace() => words.extend(word.take()),
            sign => word.get_or_insert_default().push(sign),
        }
    }
    if let Some(mark) = mark {
        return Err(format!("a {mark} has no end"));
    }
    words.extend(word);
    if words.is_empty() { Err("there is no command".to_owned()) } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_cut_as_they_are_meant() {
        for (command, expected) in [
            ("python my_memory.py", &["python", "my_memory.py"][..]),
            ("  sh -c 'read x; echo \"$x\"' ", &["sh", "-c", "read x; echo \"$x\""]),
            ("a \"b c\"d ''", &["a", "b cd", ""]),
        ] {
            assert_eq!(words(command).unwrap(), expected, "{command}");
        }
        if !cfg!(windows) {
            assert_eq!(words(r#"a\ b "c\"d" '\'"#).unwrap(), ["a b", "c\"d", "\\"]);
        }
        for wrong in ["", "  ", "a 'b", "\""] {
            assert!(words(wrong).is_err(), "{wrong}");
        }
    }
}
