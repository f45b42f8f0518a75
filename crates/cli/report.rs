//! Failures as people read them: what, where, why, what next.

use std::{error::Error, fmt};

use anstream::{AutoStream, ColorChoice};
use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode,
};
use storymill::Notice;
use storymill_core::{Fault, FaultKind};
use storymill_llm::LimitReached;
use storymill_pipeline::{Problem, Problems};

use crate::{
    args::Colour,
    exit::Failure,
    near,
    table::{plain, plural},
};

/// Decides for the whole program whether messages and results are coloured.
pub(crate) fn choose_colour(colour: Colour) {
    let choice = match colour {
        Colour::Always => ColorChoice::Always,
        Colour::Never => ColorChoice::Never,
        Colour::Auto => ColorChoice::Auto,
    };
    choice.write_global();
}

fn coloured() -> bool {
    AutoStream::choice(&std::io::stderr()) != ColorChoice::Never
}

/// A line to standard error. Nobody is left to hear of it if that fails.
pub(crate) fn say(line: impl fmt::Display) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr().lock(), "{}", plain(&line.to_string()));
}

/// A word before a message, coloured where colours are wanted.
pub(crate) fn label(word: &str, code: &str) -> String {
    if coloured() { format!("\u{1b}[1;{code}m{word}\u{1b}[0m:") } else { format!("{word}:") }
}

/// Says what can be done.
pub(crate) fn hint(message: &str) {
    labelled("hint", "36", message);
}

/// Tells of a failure.
pub(crate) fn failure(failure: &Failure) {
    match failure {
        Failure::Problems(problems) | Failure::Filter(problems) => draw(problems),
        Failure::Fault(fault) => tell(fault),
        Failure::Usage(message) => labelled("error", "31", message),
        Failure::Pipe => {}
    }
}

fn labelled(word: &str, code: &str, message: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr().lock(), "{} {}", label(word, code), plain(message));
}

/// Tells of something odd that is not wrong.
pub(crate) fn warn(message: &str) {
    labelled("warning", "33", message);
}

/// Tells of something that the library found.
pub(crate) fn notice(notice: &Notice) {
    if notice.is_warning {
        warn(&notice.message);
    } else {
        say(&notice.message);
    }
    notice.hints.iter().for_each(|one| hint(one));
}

fn tell(fault: &Fault) {
    // Whoever stops a run, or limits it, is told that it stopped and not that something went wrong.
    let limit = fault.source.as_ref().is_some_and(|source| source.is::<LimitReached>());
    if limit || fault.kind == FaultKind::Interrupted {
        return labelled("stopped", "33", &stopped(&fault.to_string(), fault.hint.as_deref()));
    }
    labelled("error", "31", &fault.to_string());
    let mut source = fault.source();
    while let Some(cause) = source {
        // `No such file or directory (os error 2)`: the number tells people nothing.
        let told = cause.to_string();
        labelled("  because", "2", told.split(" (os error").next().unwrap_or_default());
        source = cause.source();
    }
    for message in &hints(fault) {
        hint(message);
    }
}

/// What can be done: about a path that leads nowhere, what the fault itself says, and about our own mistakes.
fn hints(fault: &Fault) -> Vec<String> {
    let bug = (fault.kind == FaultKind::Internal)
        .then(|| "this is a bug in storymill: please report it".to_owned());
    near::meant(fault).into_iter().chain(fault.hint.clone()).chain(bug).collect()
}

/// What is said of a run that was stopped, behind that very word.
fn stopped(why: &str, hint: Option<&str>) -> String {
    match (why, hint) {
        ("stopped", hint) => hint.unwrap_or("what was done is kept").to_owned(),
        (why, Some(hint)) => format!("{why}; {hint}"),
        (why, None) => why.to_owned(),
    }
}

/// One mistake, for miette to draw.
#[derive(Debug)]
struct Drawn<'p> {
    problem: &'p Problem,
    source: NamedSource<String>,
}

impl fmt::Display for Drawn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&plain(&self.problem.message))
    }
}

impl Error for Drawn<'_> {}

impl Diagnostic for Drawn<'_> {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.problem.hint.as_ref().map(|hint| Box::new(plain(hint)) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.problem.span.as_ref().map(|_| &self.source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.problem.span.clone()?;
        // Something that is missing has no width; it is shown at the letter before it.
        let span =
            if span.is_empty() { span.start.saturating_sub(1)..span.start.max(1) } else { span };
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(None, span))))
    }
}

fn draw(problems: &Problems) {
    let theme =
        if coloured() { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(100).with_context_lines(1);
    let source =
        NamedSource::new(problems.path.display().to_string(), plain_source(&problems.text));
    for problem in problems.shown() {
        let source = source.clone();
        let mut text = String::new();
        let drawn = handler.render_report(&mut text, &Drawn { problem, source });
        match drawn {
            Ok(()) => {
                use std::io::Write;
                // One word for advice everywhere.
                let text = text.replacen("  help: ", "  hint: ", 1);
                let _ = write!(std::io::stderr().lock(), "{text}");
            }
            Err(_) => labelled("error", "31", &problem.message),
        }
    }
    let mistakes = plural(problems.problems.len() as u64, "mistake");
    let first = match problems.more() {
        0 => String::new(),
        _ => format!(" (the first {} are shown)", problems.shown().len()),
    };
    let path = problems.path.display();
    labelled("error", "31", &format!("{mistakes} in {path}{first}; nothing was run"));
}

/// The file's text with control characters taken out, at the same byte positions.
fn plain_source(text: &str) -> String {
    let shown = |symbol: char| match symbol {
        '\n' | '\t' => symbol,
        // One byte for one byte, two for two.
        _ if symbol.is_control() && symbol.len_utf8() == 1 => ' ',
        _ if symbol.is_control() => '\u{00B7}',
        // Two bytes again, and three for three.
        '\u{061C}' => '\u{00B7}',
        _ if storymill_core::turns(symbol) => '\u{FFFD}',
        _ => symbol,
    };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use storymill_core::{Fault, FaultKind};

    use super::{hints, stopped};

    #[test]
    fn our_own_mistakes_are_to_be_reported() {
        let fault = |kind| Fault::new(kind, "a unit has no rows").hint("go on");
        assert_eq!(hints(&fault(FaultKind::Input)), ["go on"]);
        let told = hints(&fault(FaultKind::Internal));
        assert_eq!(told, ["go on", "this is a bug in storymill: please report it"]);
    }

    #[test]
    fn what_stopped_says_so_once() {
        assert_eq!(stopped("stopped", Some("it is kept")), "it is kept");
        assert_eq!(stopped("stopped", None), "what was done is kept");
        assert_eq!(stopped("5 requests", Some("allow more")), "5 requests; allow more");
        assert_eq!(stopped("5 requests", None), "5 requests");
    }
}
