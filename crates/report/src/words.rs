//! Numbers as pages and messages show them.

/// A share with two digits, without the nought before the point: `.76`, `1`, `−.09`.
pub fn decimal(value: f64) -> String {
    let text = format!("{:.2}", value.abs());
    let text = match text.as_str() {
        "0.00" => return "0".to_owned(),
        "1.00" => "1".to_owned(),
        text => text.strip_prefix('0').unwrap_or(text).to_owned(),
    };
    if value < 0.0 { format!("−{text}") } else { text }
}

/// A share in hundredths: `22 %`.
pub(crate) fn share(value: f64) -> String {
    format!("{:.0} %", value * 100.0)
}

/// A count with its noun: `1 book`, `2,367 questions`.
pub(crate) fn number(count: usize, noun: &str) -> String {
    if count == 1 {
        return format!("1 {noun}");
    }
    format!("{} {}", thousands(count as u64), storymill_core::many(noun))
}

/// A number with a comma before every three digits from the right: `41,200,000`.
pub fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(
            [0.756, 1.0, 0.0, -0.094, 0.999, -0.001].map(decimal),
            [".76", "1", "0", "−.09", "1", "0"]
        );
        assert_eq!(number(2_367, "question"), "2,367 questions");
        assert_eq!(number(1, "book"), "1 book");
    }
}
