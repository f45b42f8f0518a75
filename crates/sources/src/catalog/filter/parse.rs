//! From the pieces of a filter to tests. What breaks the grammar ends the reading; a test that
//! makes no sense is told and the next is looked at.

use super::{
    Expr, FIELDS, Field, Mistake,
    lex::{self, Token},
    values::test,
};
use storymill_core::nearest;

/// Deeper than this is no filter.
const DEEPEST: usize = 100;

/// Reads a filter.
pub(super) fn expression(text: &str) -> Result<Expr, Vec<Mistake>> {
    let tokens = lex::tokens(text).map_err(|mistake| vec![mistake])?;
    let mut parser = Parser { tokens: &tokens, next: 0, depth: 0, mistakes: Vec::new() };
    let root = parser.either().and_then(|root| match &parser.peek().kind {
        lex::Kind::End => Ok(root),
        _ => Err(parser.unexpected("`and`, `or` or the end")),
    });
    match root {
        Ok(root) if parser.mistakes.is_empty() => Ok(root),
        Ok(_) => Err(parser.mistakes),
        Err(mistake) => {
            parser.mistakes.push(mistake);
            Err(parser.mistakes)
        }
    }
}

struct Parser<'t> {
    tokens: &'t [Token],
    next: usize,
    depth: usize,
    mistakes: Vec<Mistake>,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> &'t Token {
        &self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    fn take(&mut self) -> &'t Token {
        let token = self.peek();
        self.next += 1;
        token
    }

    /// Takes a word like `and`, or a sign.
    fn takes(&mut self, what: &str) -> bool {
        let there = match &self.peek().kind {
            lex::Kind::Word(word) => word.eq_ignore_ascii_case(what),
            lex::Kind::Sign(sign) => *sign == what,
            lex::Kind::Quoted(_) | lex::Kind::End => false,
        };
        self.next += usize::from(there);
        there
    }

    fn unexpected(&self, wanted: &str) -> Mistake {
        let token = self.peek();
        let found = match &token.kind {
            lex::Kind::Word(word) => format!("`{word}`"),
            lex::Kind::Quoted(_) => "a value in quotes".to_owned(),
            lex::Kind::Sign(sign) => format!("`{sign}`"),
            lex::Kind::End => "the end".to_owned(),
        };
        Mistake {
            at: token.at.clone(),
            message: format!("expected {wanted}, found {found}"),
            hint: None,
        }
    }

    fn either(&mut self) -> Result<Expr, Mistake> {
        let mut all = vec![self.both()?];
        while self.takes("or") {
            all.push(self.both()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Expr::Or(all) })
    }

    fn both(&mut self) -> Result<Expr, Mistake> {
        let mut all = vec![self.one()?];
        while self.takes("and") {
            all.push(self.one()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Expr::And(all) })
    }

    fn one(&mut self) -> Result<Expr, Mistake> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Mistake {
                at: self.peek().at.clone(),
                message: format!("more than {DEEPEST} brackets are open"),
                hint: None,
            });
        }
        let found = if self.takes("not") {
            self.one().map(|one| Expr::Not(Box::new(one)))
        } else if self.takes("(") {
            self.either().and_then(|inner| {
                if self.takes(")") { Ok(inner) } else { Err(self.unexpected("`)`, `and` or `or`")) }
            })
        } else {
            self.test()
        };
        self.depth -= 1;
        found
    }

    fn test(&mut self) -> Result<Expr, Mistake> {
        let token = self.peek();
        let lex::Kind::Word(name) = &token.kind else {
            let mut mistake = self.unexpected("a field");
            mistake.hint = Some("a test is like `language = en`".to_owned());
            return Err(mistake);
        };
        self.next += 1;
        let field = Field::find(name);
        if field.is_none() {
            self.mistakes.push(no_field(name, token));
        }
        let operator = self.operator(name)?;
        let values = self.values(operator.1)?;
        let Some(field) = field else { return Ok(Expr::Broken) };
        Ok(match test(field, &operator, &values) {
            Ok(test) => {
                let test = Expr::Test { field, at: token.at.clone(), test };
                if operator.1.starts_with('!') { Expr::Not(Box::new(test)) } else { test }
            }
            Err(mistake) => {
                self.mistakes.push(mistake);
                Expr::Broken
            }
        })
    }

    fn operator(&mut self, field: &str) -> Result<(&'t Token, &'static str), Mistake> {
        let token = self.peek();
        if self.takes("in") {
            return Ok((token, "in"));
        }
        if self.takes("not") {
            let inside = self.takes("in");
            return if inside { Ok((token, "!in")) } else { Err(self.unexpected("`in`")) };
        }
        match token.kind {
            lex::Kind::Sign(sign) if !"(),".contains(sign) => {
                self.next += 1;
                Ok((token, sign))
            }
            _ => {
                let mut mistake = self.unexpected("an operator, one of = != ~ !~ < <= > >= in");
                mistake.hint = Some(format!(
                    "a test is like `{field} = …`; values with blanks stand in quotes"
                ));
                Err(mistake)
            }
        }
    }

    /// One value, or behind `in` a list of them in brackets.
    fn values(&mut self, operator: &str) -> Result<Vec<(&'t Token, &'t str)>, Mistake> {
        if !operator.ends_with("in") {
            return Ok(vec![self.value()?]);
        }
        if !self.takes("(") {
            return Err(self.unexpected("`(` and a list of values"));
        }
        let mut values = vec![self.value()?];
        while self.takes(",") {
            values.push(self.value()?);
        }
        if !self.takes(")") {
            return Err(self.unexpected("`,` or `)`"));
        }
        Ok(values)
    }

    fn value(&mut self) -> Result<(&'t Token, &'t str), Mistake> {
        match &self.peek().kind {
            lex::Kind::Word(value) | lex::Kind::Quoted(value) => Ok((self.take(), value)),
            _ => Err(self.unexpected("a value")),
        }
    }
}

fn no_field(name: &str, token: &Token) -> Mistake {
    let lower = name.to_lowercase();
    let known = FIELDS.iter().map(|field| field.name);
    let hint = match nearest(&lower, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the fields are {}", known.collect::<Vec<_>>().join(", ")),
    };
    Mistake {
        at: token.at.clone(),
        message: format!("there is no field `{name}`"),
        hint: Some(hint),
    }
}
