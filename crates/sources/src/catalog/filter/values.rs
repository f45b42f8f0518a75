//! From a field, a sign and values to a test, or to what is wrong with them.

use std::ops::RangeInclusive;

use storymill_text::word::fold;

use super::{
    Field, Mistake, Test,
    fields::{self, Kind},
    lex::Token,
};

use crate::catalog::agents;

/// The test of a field by a sign, whether turned round or not.
pub(super) fn test(
    field: &'static Field,
    operator: &(&Token, &'static str),
    values: &[(&Token, &str)],
) -> Result<Test, Mistake> {
    let (token, sign) = *operator;
    let texts = || values.iter().map(|(_, value)| fold(value)).collect();
    let kind = match field.kind {
        // An id is a number where it is compared with one.
        Kind::Id if values.iter().all(|(_, value)| range(Kind::Number, value).is_some()) => {
            Kind::Number
        }
        Kind::Id => Kind::Text,
        kind => kind,
    };
    match (kind, sign) {
        (Kind::Text, "=" | "!=" | "in" | "!in") => Ok(Test::Same(texts())),
        (Kind::Text, "~" | "!~") => Ok(Test::Has(fold(values[0].1))),
        (Kind::Text, _) => Err(Mistake {
            at: token.at.clone(),
            message: format!(
                "`{}` is a text, which is neither less nor more than another",
                field.name
            ),
            hint: Some("texts are compared by = != ~ !~ in".to_owned()),
        }),
        (_, "~" | "!~") => Err(Mistake {
            at: token.at.clone(),
            message: format!("`{}` is a number, and `{sign}` looks for words", field.name),
            hint: Some("numbers are compared by = != < <= > >= in".to_owned()),
        }),
        _ => numbers(field, kind, sign, values),
    }
}

fn numbers(
    field: &Field,
    kind: Kind,
    sign: &str,
    values: &[(&Token, &str)],
) -> Result<Test, Mistake> {
    if let [(_, value)] = values
        && matches!(sign, "=" | "!=")
        && (value.eq_ignore_ascii_case("unknown") || *value == "?")
    {
        return Ok(Test::Unknown);
    }
    let ranges: Result<Vec<_>, _> = values
        .iter()
        .map(|(token, value)| {
            let range = range(kind, value).ok_or_else(|| not_one(field, kind, token, value))?;
            let (low, high) = range.into_inner();
            Ok(match sign {
                "<" => i64::MIN..=low - 1,
                "<=" => i64::MIN..=high,
                ">" => high + 1..=i64::MAX,
                ">=" => low..=i64::MAX,
                _ => low..=high,
            })
        })
        .collect();
    Ok(Test::Within(ranges?))
}

/// What a value stands for: `1342`, `1..99`, `"43 BCE"`, `2008-06`.
fn range(kind: Kind, value: &str) -> Option<RangeInclusive<i64>> {
    if let Some((from, to)) = value.split_once("..") {
        let (from, to) = (range(kind, from)?, range(kind, to)?);
        return (from.start() <= to.end()).then(|| *from.start()..=*to.end());
    }
    match kind {
        Kind::Date => fields::day(value),
        Kind::Year => {
            let bare = value.strip_prefix('-').unwrap_or(value);
            let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
            let era = bare[digits..].trim().to_ascii_uppercase();
            let fits = digits > 0 && matches!(era.as_str(), "" | "BCE" | "BC" | "CE" | "AD");
            let year = i64::from(agents::year(value).filter(|_| fits)?);
            Some(year..=year)
        }
        _ => value.parse().ok().filter(|n: &i64| n.unsigned_abs() < 1 << 40).map(|n| n..=n),
    }
}

fn not_one(field: &Field, kind: Kind, token: &Token, value: &str) -> Mistake {
    let (what, hint) = match kind {
        Kind::Date => ("day, month or year", "days are written as 2008-06-25, 2008-06 or 2008"),
        Kind::Year => (
            "year",
            "years are written as 1775, -43 or \"43 BCE\"; `unknown` stands alone behind `=`",
        ),
        _ => ("number", "ranges are written as 1..99"),
    };
    Mistake {
        at: token.at.clone(),
        message: format!("`{value}` is not a {what}, as `{}` is", field.name),
        hint: Some(hint.to_owned()),
    }
}
