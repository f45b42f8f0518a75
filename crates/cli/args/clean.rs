//! What may be typed after `storymill book clean`.

use std::path::PathBuf;

use crate::args::Format;

#[derive(Debug, clap::Args)]
pub(crate) struct Clean {
    /// Pages (.html, .txt, .epub, packed as .gz or not), or folders of pages.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// List every cut: where it stands in the decoded page, why, its first words.
    #[arg(long)]
    pub(crate) explain: bool,
    /// Read the page a second time, as a browser would, and list what that reading sees otherwise: letters, headings.
    #[arg(long, conflicts_with_all = ["gold", "html"])]
    pub(crate) check: bool,
    /// Draw what was kept and what was cut side by side, for one page.
    #[arg(long, value_name = "OUT")]
    pub(crate) html: Option<PathBuf>,
    /// Write each text as `ID.txt` into this folder, one paragraph a line, headings behind `# `.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Compare with gold texts: a folder of `ID.txt`, or a CSV file with columns `file` and `gold`.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["explain", "html"])]
    pub(crate) gold: Option<PathBuf>,
    /// How it is printed; `json` gives all paragraphs and cuts with their places.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}
