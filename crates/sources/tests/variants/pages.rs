//! Pages made of a book: what makers of all ages put around it, and books of several stories.

use super::layouts::Part;

/// A book to make pages of.
#[derive(Clone, Debug)]
pub(crate) struct Story {
    pub(crate) title: String,
    pub(crate) parts: Vec<Part>,
}

impl Story {
    /// From lines, headings behind `# `, optional ones behind `? `.
    pub(crate) fn of(title: &str, lines: &str) -> Self {
        let part = |line: &str| match line.strip_prefix("# ") {
            Some(heading) => Part::Heading(heading.to_owned()),
            None => Part::Paragraph(line.strip_prefix("? ").unwrap_or(line).to_owned()),
        };
        let lines = lines.lines().filter(|line| !line.trim().is_empty());
        Self { title: title.to_owned(), parts: lines.map(part).collect() }
    }

    /// Its lines, as a gold text has them.
    pub(crate) fn gold(&self) -> String {
        let mut gold = String::new();
        for part in &self.parts {
            let (mark, text) = match part {
                Part::Heading(text) => ("# ", text),
                Part::Paragraph(text) | Part::Line(text) => ("", text),
            };
            gold += &format!("{mark}{text}\n");
        }
        gold
    }

    /// Several stories as one book; each begins with its title.
    pub(crate) fn collection(title: &str, stories: &[Self]) -> Self {
        let told = |story: &Self| {
            let mut parts = vec![Part::Heading(story.title.clone())];
            // The sections of a story among several have no headings of their own.
            parts.extend(story.parts.iter().filter(|p| matches!(p, Part::Paragraph(_))).cloned());
            parts
        };
        Self { title: title.to_owned(), parts: stories.iter().flat_map(told).collect() }
    }

    /// Title page, dedication and contents, then the book.
    pub(crate) fn printed(&self) -> Vec<Part> {
        let line = |text: &str| Part::Line(text.to_owned());
        let mut parts =
            vec![Part::Heading(self.title.to_uppercase()), line("by"), line("A. Rower")];
        parts.extend(["LONDON", "HOLT &amp; SPARROW, BRIDGE STREET", "1896"].map(line));
        parts.push(Part::Heading("CONTENTS".to_owned()));
        for part in &self.parts {
            if let Part::Heading(text) = part {
                parts.push(line(text));
            }
        }
        parts.extend(self.parts.iter().cloned());
        parts.push(line("THE END"));
        parts
    }
}

/// A name, and what stands before and behind the book.
pub(crate) type Makers = (&'static str, fn(&str) -> (Vec<Part>, Vec<Part>));

/// What makers of all ages put around a book.
pub(crate) const MAKERS: &[Makers] = &[
    ("nothing", |_| (Vec::new(), Vec::new())),
    ("small print", |title| {
        let mut front = vec![format!("The Project Gutenberg Etext of {title}, by A. Rower")];
        front.extend(licence(6));
        front.push("***START**THE SMALL PRINT!**FOR PUBLIC DOMAIN ETEXTS**START***".to_owned());
        front.extend(licence(12));
        front.push("*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*".to_owned());
        let back = format!("End of The Project Gutenberg Etext of {title}, by A. Rower");
        (lines(front), lines(vec![back]))
    }),
    ("transcribed", |title| {
        let mut back = vec![format!("***END OF THE PROJECT GUTENBERG EBOOK {title}***")];
        back.extend(licence(30));
        let front = "Transcribed from the 1896 Holt edition by a friend, who thanks the library.";
        (lines(vec![front.to_owned()]), lines(back))
    }),
    ("marker lines", |title| {
        let front = vec![
            format!("The Project Gutenberg EBook of {title}, by A. Rower"),
            "This eBook is for the use of anyone anywhere at no cost.".to_owned(),
            format!("Title: {title}"),
            "Author: A. Rower".to_owned(),
            format!("*** START OF THIS PROJECT GUTENBERG EBOOK {} ***", title.to_uppercase()),
            "Produced by two friends of ferries".to_owned(),
        ];
        let mut back = vec![
            format!("End of the Project Gutenberg EBook of {title}, by A. Rower"),
            format!("*** END OF THIS PROJECT GUTENBERG EBOOK {} ***", title.to_uppercase()),
        ];
        back.extend(licence(40));
        (lines(front), lines(back))
    }),
];

fn lines(lines: Vec<String>) -> Vec<Part> {
    lines.into_iter().map(Part::Line).collect()
}

/// Paragraphs that read like a licence, about 250 letters each.
fn licence(paragraphs: usize) -> Vec<String> {
    let paragraph = |at: usize| {
        format!(
            "Paragraph {at}. Whoever gives this etext to others gives all of it, with these lines, and takes \
             nothing for it but what the copy costs; whoever does not agree may give it back within thirty \
             days. Project Gutenberg etexts come as they are, and nobody answers for faults in them."
        )
    };
    (1..=paragraphs).map(paragraph).collect()
}
