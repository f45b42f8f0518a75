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
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct InShelf {
    /// The shelf that holds it: sets, datasets and results are named as they are on the shelf, and what is made stays there.
    #[arg(long, value_name = "DIR")]
    pub(crate) shelf: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) key: KeyFile,
}

impl InShelf {
    /// The shelf and the key, if one was named.
    pub(crate) fn place(&self) -> Option<Place> {
        Some(Place { shelf: self.shelf.clone()?, key: self.key.clone() })
    }
}

/// A maintainer's own key.
#[derive(Clone, Debug, Default, clap::Args)]
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
    /// Make a shelf, and a key for yourself where there is none; or print your public key
    Init(ShelfInit),
    /// Ask for the passphrase of a key once, and keep the key open for some time
    #[command(
        after_long_help = "The key stands in clear in a file that only you can read, below `$XDG_RUNTIME_DIR`. `storymill shelf unlock --end` removes it, and so does the first command after its time."
    )]
    Unlock(ShelfUnlock),
    /// Put a book on the shelf: EPUB, HTML or text; or what another copy of the shelf has
    #[command(
        after_long_help = "Examples:\n  storymill shelf add novel.epub --id n01 --key ann.key\n  storymill shelf add ../bob/shelf --key ann.key    # joins Bob's copy of the shelf"
    )]
    Add(ShelfAdd),
    /// Show what is on the shelf
    List(ShelfList),
    /// Take a book off the shelf
    Remove(ShelfRemove),
    /// Seal everything anew, to other maintainers if you say so; or take a shelf as it lies
    Rekey(ShelfRekey),
    /// Show what was done apart, and settle it; commit to the pairs of a set in a public statement; say why a pair goes; reveal one
    #[command(
        after_long_help = "Examples:\n  storymill shelf state --key ann.key\n  storymill shelf state family/n01/0003=2 --key ann.key    # takes the second version\n  storymill shelf state family --version 1.0.0 --out statement-1.json --key ann.key\n  storymill shelf state family --retire n01/0003 --reason \"it is true in chapter 9\" --key ann.key\n  storymill shelf state family --reveal n01/0001 --out pair.json --key ann.key"
    )]
    State(ShelfState),
    /// Publish counts, statements, and in full what everybody may have
    Publish(ShelfPublish),
    /// Seal items of a set in one HTML file, for a reader without an installation; take in the votes that come back
    #[command(
        after_long_help = "Examples:\n  storymill shelf packet family --for bob --key ann.key\n  storymill shelf packet family --for bob --items n01 --out bob.html --key ann.key\n  storymill shelf packet family --read votes-0a1b2c3d.age --key ann.key"
    )]
    Packet(ShelfPacket),
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShelfInit {
    #[command(flatten)]
    pub(crate) place: Place,
    /// The public key of another maintainer; may be given several times.
    #[arg(long = "recipient", value_name = "PUBLIC-KEY")]
    pub(crate) recipients: Vec<String>,
    /// Make no shelf: print the public key of `--key`, which is made where there is none.
    #[arg(long, conflicts_with_all = ["shelf", "recipients"])]
    pub(crate) key_only: bool,
    /// Write a new key file without a passphrase: whoever reads the file opens the shelf.
    #[arg(long)]
    pub(crate) no_passphrase: bool,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShelfUnlock {
    #[command(flatten)]
    pub(crate) key: KeyFile,
    /// How long: `8h`, `30m`, at most a day.
    #[arg(long = "for", value_name = "TIME", default_value = "8h", value_parser = crate::unlocked::time)]
    pub(crate) time: Duration,
    /// Close all keys that are kept open.
    #[arg(long, conflicts_with_all = ["key", "time"])]
    pub(crate) end: bool,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShelfAdd {
    /// The book; or the folder of another copy of the shelf.
    pub(crate) book: PathBuf,
    /// Its id [default: the file's name without its ending].
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,
    /// What is known of its rights; `public-domain` lets everybody have its text: it may be published.
    #[arg(long, value_name = "TEXT", default_value = "in copyright")]
    pub(crate) rights: String,
    /// Put it in place of the book of that id.
    #[arg(long)]
    pub(crate) replace: bool,
    #[command(flatten)]
    pub(crate) place: Place,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
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
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShelfRekey {
    /// The public key of a maintainer who shall open the shelf, as `storymill shelf init --key-only` prints it; may be given several
    /// times. With `age1...` alone they read and do not write.
    #[arg(long, value_name = "PUBLIC-KEY")]
    pub(crate) add: Vec<String>,
    /// The public key of one who shall no longer open it; may be given several times.
    #[arg(long, value_name = "PUBLIC-KEY")]
    pub(crate) remove: Vec<String>,
    /// Seal nothing anew: take the shelf as it lies, where it departs from what you have seen of it.
    #[arg(long, conflicts_with_all = ["add", "remove"])]
    pub(crate) trust: bool,
    /// Do not ask.
    #[arg(long, requires = "trust")]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) place: Place,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShelfState {
    /// The set; or what to settle, as the list of what is open has it, and which version to take.
    #[arg(value_name = "SET|ITEM=VERSION")]
    pub(crate) of: Vec<String>,
    /// Make the statement of this version of the set: three numbers.
    #[arg(long, value_name = "VERSION", conflicts_with_all = ["retire", "reveal"])]
    pub(crate) version: Option<String>,
    /// Say why this pair goes, or is written anew.
    #[arg(long, value_name = "PAIR", conflicts_with_all = ["reveal", "out"])]
    pub(crate) retire: Option<String>,
    /// Why, in words that everybody may read.
    #[arg(long, value_name = "TEXT", requires = "retire")]
    pub(crate) reason: Option<String>,
    /// Take back what was said of the pair, as long as no statement has said it.
    #[arg(long, requires = "retire", conflicts_with = "reason")]
    pub(crate) undo: bool,
    /// Reveal this pair, with the proof that the set held it: everybody may have it from now on.
    #[arg(long, value_name = "PAIR", requires = "out")]
    pub(crate) reveal: Option<String>,
    /// The file to write the statement or the pair to, in clear [default: a statement is printed].
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) place: Place,
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
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShelfPacket {
    /// The set.
    pub(crate) set: String,
    /// Who reads it, by the name that their votes have in the set. A passphrase is printed, to be sent by another way than the file.
    #[arg(long = "for", value_name = "NAME", value_parser = super::person, required_unless_present = "read")]
    pub(crate) person: Option<String>,
    /// Only items of these books or pairs, or with ids that begin so; by commas [default: all that the reader has not voted on].
    #[arg(long, value_name = "ITEM", value_delimiter = ',', conflicts_with = "read")]
    pub(crate) items: Vec<String>,
    /// The queue that the items are taken from: in `adequacy` readers say which claim of a pair is true.
    #[arg(long, value_name = "NAME", default_value = "adequacy", value_parser = ["adequacy", "explanations", "claims"], conflicts_with = "read")]
    pub(crate) queue: String,
    /// The file to write [default: `packet-1.html`, by its number].
    #[arg(long, value_name = "FILE", conflicts_with = "read")]
    pub(crate) out: Option<PathBuf>,
    /// Take in the votes that came back: once, and all of them or none.
    #[arg(long, value_name = "VOTES", conflicts_with = "person")]
    pub(crate) read: Option<PathBuf>,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) place: Place,
}
