//! What may be typed after `storymill shelf`.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use clap::Subcommand;
use storymill_shelf::Key;

use super::Format;

#[derive(Debug, clap::Args)]
pub(crate) struct Shelf {
    #[command(subcommand)]
    pub(crate) what: ShelfWhat,
}

/// A shelf, and the key that opens it.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Place {
    /// The folder of the shelf.
    #[arg(long, value_name = "DIR", default_value = "shelf")]
    pub(crate) shelf: PathBuf,
    #[command(flatten)]
    pub(crate) key: KeyFile,
}

/// Where a private dataset lies.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct InShelf {
    /// The shelf that holds it: datasets and results are named as they are on the shelf, and what is made stays there.
    #[arg(long, value_name = "DIR")]
    pub(crate) shelf: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) key: KeyFile,
}

/// A maintainer's own key.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct KeyFile {
    /// The file with your key [default: what `STORYMILL_KEY` names]. A passphrase is asked for, or read from
    /// standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) key: Option<PathBuf>,
    #[arg(skip)]
    pub(crate) known: Known,
}

/// The key once it was read, so that its passphrase is asked for once. Copies of an argument share it.
#[derive(Clone, Default)]
pub(crate) struct Known(pub(crate) Arc<Mutex<Option<Key>>>);

impl std::fmt::Debug for Known {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Known")
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum ShelfWhat {
    /// Make a shelf, and a key for yourself where there is none
    Init(ShelfInit),
    /// Print the public key of a key file, and make one where there is none
    Key(ShelfKey),
    /// Ask for the passphrase of a key once, and keep the key open for some time
    #[command(
        after_long_help = "The key stands in clear in a file that only you can read, below `$XDG_RUNTIME_DIR`. `storymill shelf lock` removes it, and so does the first command after its time."
    )]
    Unlock(ShelfUnlock),
    /// Close all keys that `shelf unlock` keeps open
    Lock,
    /// Put a book on the shelf: EPUB, HTML or text
    Add(ShelfAdd),
    /// Show what is on the shelf
    List(ShelfList),
    /// Take a book off the shelf
    Remove(ShelfRemove),
    /// Seal everything anew, to other maintainers if you say so
    Rekey(ShelfRekey),
    /// Take a shelf as it lies, where it departs from what you have seen of it
    Trust(ShelfTrust),
    /// Put the claim pairs of a set on the shelf
    Pairs(ShelfPairs),
    /// Commit to the pairs of a set in a public statement
    State(ShelfState),
    /// Say why a pair goes, or is written anew
    Retire(ShelfRetire),
    /// Reveal a pair, with the proof that the set held it
    Reveal(ShelfReveal),
    /// Check a statement and revealed pairs, as an outsider
    Proof(ShelfProof),
    /// Publish counts, statements, and in full what everybody may have
    Publish(ShelfPublish),
    /// Read every record and check it
    Check {
        #[command(flatten)]
        place: Place,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShelfInit {
    #[command(flatten)]
    pub(crate) place: Place,
    /// The public key of another maintainer; may be given several times.
    #[arg(long = "recipient", value_name = "PUBLIC-KEY")]
    pub(crate) recipients: Vec<String>,
    /// Write a new key file without a passphrase: whoever reads the file opens the shelf.
    #[arg(long)]
    pub(crate) no_passphrase: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShelfKey {
    #[command(flatten)]
    pub(crate) key: KeyFile,
    /// Write a new key file without a passphrase: whoever reads the file opens the shelf.
    #[arg(long)]
    pub(crate) no_passphrase: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShelfUnlock {
    #[command(flatten)]
    pub(crate) key: KeyFile,
    /// How long: `8h`, `30m`, at most a day.
    #[arg(long = "for", value_name = "TIME", default_value = "8h", value_parser = crate::unlocked::time)]
    pub(crate) time: Duration,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShelfAdd {
    /// The book.
    pub(crate) book: PathBuf,
    /// Its id [default: the file's name without its ending].
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,
    /// What is known of its rights.
    #[arg(long, value_name = "TEXT", default_value = "in copyright")]
    pub(crate) rights: String,
    /// Everybody may have its text: it may be published.
    #[arg(long, conflicts_with = "rights")]
    pub(crate) public_domain: bool,
    /// Put it in place of the book of that id.
    #[arg(long)]
    pub(crate) replace: bool,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShelfList {
    #[command(flatten)]
    pub(crate) place: Place,
    /// Show titles and authors too.
    #[arg(long)]
    pub(crate) titles: bool,
    /// Show the headings of each book, by which pairs name the stories of a collection.
    #[arg(long, requires = "titles")]
    pub(crate) headings: bool,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShelfRemove {
    /// The book's id.
    pub(crate) id: String,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShelfRekey {
    /// The public key of a maintainer who shall open the shelf, as `storymill shelf key` prints it; may be given several
    /// times. With `age1...` alone they read and do not write.
    #[arg(long, value_name = "PUBLIC-KEY")]
    pub(crate) add: Vec<String>,
    /// The public key of one who shall no longer open it; may be given several times.
    #[arg(long, value_name = "PUBLIC-KEY")]
    pub(crate) remove: Vec<String>,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShelfTrust {
    /// Do not ask.
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShelfPairs {
    /// The set.
    pub(crate) set: String,
    /// The pairs, one JSON object a line, with `id` and `book`.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShelfState {
    /// The set.
    pub(crate) set: String,
    /// The set's version: three numbers.
    #[arg(long, value_name = "VERSION")]
    pub(crate) version: String,
    /// The file to write the statement to [default: standard output].
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShelfRetire {
    /// The set.
    pub(crate) set: String,
    /// The pair's id.
    pub(crate) pair: String,
    /// Why, in words that everybody may read.
    #[arg(long, value_name = "TEXT", required_unless_present = "undo")]
    pub(crate) reason: Option<String>,
    /// Take back what was said, as long as no statement has said it.
    #[arg(long, conflicts_with = "reason")]
    pub(crate) undo: bool,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShelfReveal {
    /// The set.
    pub(crate) set: String,
    /// The pair's id.
    pub(crate) pair: String,
    /// The file to write it to, in clear: everybody may have it from now on.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShelfProof {
    #[command(subcommand)]
    pub(crate) what: ProofWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProofWhat {
    /// Check a statement, and that it holds revealed pairs; needs neither shelf nor key
    Verify(ShelfProofVerify),
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShelfProofVerify {
    /// The statement.
    pub(crate) statement: PathBuf,
    /// Revealed pairs.
    pub(crate) reveals: Vec<PathBuf>,
    /// The statement before it.
    #[arg(long, value_name = "FILE")]
    pub(crate) before: Option<PathBuf>,
    /// The key of signatures that it must be signed with, as the maintainers have published it.
    #[arg(long, value_name = "KEY")]
    pub(crate) signer: Option<String>,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShelfPublish {
    /// The set.
    pub(crate) set: String,
    /// The folder to publish into; new, or one that an earlier version of the set was published into.
    #[arg(long, value_name = "DIR")]
    pub(crate) public: PathBuf,
    /// A book whose text is published too; may be given several times.
    #[arg(long = "text", value_name = "ID")]
    pub(crate) texts: Vec<String>,
    /// A workflow; its `i-hold-rights` says whether texts that are not in the public domain may go out.
    #[arg(long, value_name = "TOML")]
    pub(crate) workflow: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) place: Place,
}
