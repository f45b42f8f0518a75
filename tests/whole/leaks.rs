//! What tests of private books share: planted words that stand in no other book, and the search for them.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use crate::project::Project;

pub const MARKS: [&str; 4] = ["Zyxomander", "quillifrax", "Brennadotte", "Vossikund"];

/// An EPUB of chapters that each hold words which stand nowhere else.
pub fn epub(chapters: usize, paragraphs: usize) -> Vec<u8> {
    let (mut manifest, mut spine, mut files) = (String::new(), String::new(), Vec::new());
    for chapter in 0..chapters {
        manifest += &format!(
            "<item id=\"c{chapter}\" href=\"c{chapter}.xhtml\" media-type=\"application/xhtml+xml\"/>"
        );
        spine += &format!("<itemref idref=\"c{chapter}\"/>");
        let mut text = format!("<h2>Chapter {}</h2>", chapter + 1);
        for paragraph in 0..paragraphs {
            let at = chapter * paragraphs + paragraph;
            text += &format!(
                "<p>Captain {} found the {} at the mill on the {}th of May. Mrs. {} opened the door before noon and \
                 carried it to the harbour. “You are late, {},” said Anna Brook. She paid {} shillings for it and left the town.</p>",
                MARKS[at % 4],
                MARKS[1],
                4 + at % 20,
                MARKS[(at + 2) % 4],
                MARKS[3],
                3 + at % 40,
            );
        }
        files.push((format!("c{chapter}.xhtml"), format!(
            "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>c</title></head><body>{text}</body></html>"
        )));
    }
    files.push(("content.opf".into(), format!(
        "<?xml version=\"1.0\"?><package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" unique-identifier=\"i\"><metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\
         <dc:identifier id=\"i\">x</dc:identifier><dc:title>The {} Letters</dc:title><dc:creator>Ann {}</dc:creator><dc:language>en</dc:language></metadata>\
         <manifest>{manifest}</manifest><spine>{spine}</spine></package>", MARKS[0], MARKS[2]
    )));
    files.push(("META-INF/container.xml".into(),
        "<?xml version=\"1.0\"?><container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\"><rootfiles>\
         <rootfile full-path=\"content.opf\" media-type=\"application/oebps-package+xml\"/></rootfiles></container>".into()));
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let plain = zip::write::SimpleFileOptions::default();
    zip.start_file("mimetype", plain.compression_method(zip::CompressionMethod::Stored)).unwrap();
    zip.write_all(b"application/epub+zip").unwrap();
    for (name, content) in files {
        zip.start_file(name, plain).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Every file below a folder.
pub(crate) fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(bytes) = fs::read(&path) {
                found.insert(path, bytes);
            }
        }
    }
    found
}

/// Whether one of the words stands in some bytes, in whatever case.
pub fn marked(bytes: &[u8]) -> Option<&'static str> {
    let lower = bytes.to_ascii_lowercase();
    let holds = |mark: &&&str| {
        let mark = mark.to_ascii_lowercase();
        lower.windows(mark.len()).any(|window| window == mark.as_bytes())
    };
    MARKS.iter().find(holds).copied()
}

/// Nothing below a folder holds one of the words, in clear or by its name; and what lies in the shelf
/// is sealed, so that compressing would not hide them either.
#[track_caller]
pub fn nothing_leaks(folder: &Path) {
    for (path, bytes) in files(folder) {
        assert_eq!(marked(&bytes), None, "in {}", path.display());
        assert_eq!(marked(path.as_os_str().as_encoded_bytes()), None, "{}", path.display());
        if path
            .parent()
            .is_some_and(|parent| parent.ends_with("records") || parent.ends_with("log"))
            || path.ends_with("operation.new")
        {
            // What a kill or a full disk cut off is a beginning of a sealed record.
            let head = b"age-encryption.org/v1\n";
            let length = bytes.len().min(head.len());
            assert_eq!(&bytes[..length], &head[..length], "{}", path.display());
        }
    }
}

/// A project whose books lie elsewhere, and what the binary says there, kept to be searched.
pub(crate) struct Private {
    pub project: Project,
    pub books: tempfile::TempDir,
}

impl Private {
    pub(crate) fn new(chapters: usize, paragraphs: usize) -> Self {
        let books = tempfile::tempdir().unwrap();
        fs::write(books.path().join("n01.epub"), epub(chapters, paragraphs)).unwrap();
        let project = Project::new();
        fs::create_dir(project.path("tmp")).unwrap();
        let private = Self { project, books };
        private.run(&["shelf", "init", "--key", "ann.key", "--no-passphrase"]).exits(0);
        private
    }

    pub(crate) fn book(&self) -> String {
        self.books.path().join("n01.epub").to_str().unwrap().to_owned()
    }

    pub(crate) fn add(&self) -> &Self {
        self.run(&["shelf", "add", &self.book(), "--key", "ann.key"]).exits(0);
        self
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.project.command(args);
        command
            .env("TMPDIR", self.project.path("tmp"))
            .env("HOME", self.project.path(""))
            .env_remove("STORYMILL_KEY")
            .env_remove("STORYMILL_PASSPHRASE_FILE")
            .env_remove("XDG_RUNTIME_DIR")
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Said {
        let output = self.command(args).output().unwrap();
        let said = Said::of(&output);
        assert_eq!(marked(said.text.as_bytes()), None, "{}", said.text);
        said
    }

    pub(crate) fn workflow(&self, model: Option<u16>) -> &Self {
        let (model, retell) = match model {
            Some(port) => (
                format!(
                    "[model.default]\nurl = \"http://127.0.0.1:{port}/v1\"\nmodel = \"teller\"\nconcurrency = 4\nretries = 2\n\n"
                ),
                "[stage.summaries.summarize]\nfrom = \"scenes\"\ntries = 2\nneighbours = 100\n",
            ),
            None => (String::new(), "[stage.summaries.extract]\nfrom = \"scenes\"\n"),
        };
        let text = format!(
            "name = \"mine\"\nversion = \"1.0.0\"\nseed = 7\n\n[publish]\ntitle = \"Mine\"\nlicense = \"mit\"\ncanary = \"storymill-canary-0123456789\"\nexpected_rejects = 999\n\n\
             {model}[source.books.shelf]\n\n[stage.scenes.chunk]\nfrom = \"books\"\nmax = 600\n\n{retell}\n\
             [stage.distortions.swap-facts]\nscenes = \"scenes\"\nsummaries = \"summaries\"\n\n\
             [stage.questions.read-along]\nscenes = \"scenes\"\nsummaries = \"summaries\"\ndistortions = \"distortions\"\n\n[dataset.questions]\nfrom = \"questions\"\n"
        );
        self.project.write("my.toml", text);
        self
    }

    pub(crate) const BUILD: [&'static str; 6] =
        ["build", "my.toml", "--shelf", "shelf", "--key", "ann.key"];

    /// A process ended before it turned core files off may leave one; then it had not read its key, nor any text.
    #[track_caller]
    pub(crate) fn core_before_the_key(&self) {
        for entry in fs::read_dir(self.project.path("")).unwrap() {
            let path = entry.unwrap().path();
            if path.file_name().unwrap().as_encoded_bytes().starts_with(b"core") {
                let bytes = fs::read(&path).unwrap();
                let key = self.project.read("ann.key");
                let secret = key.lines().find(|line| line.starts_with("AGE-SECRET-KEY-")).unwrap();
                let told = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
                assert!(!told && marked(&bytes).is_none(), "{} tells of the shelf", path.display());
                fs::remove_file(path).unwrap();
            }
        }
    }

    #[track_caller]
    pub(crate) fn keeps_quiet(&self) {
        nothing_leaks(&self.project.path(""));
        let allowed = [
            "shelf",
            "ann.key",
            "ann.key.seen",
            "my.toml",
            "tmp",
            "bob.key",
            "bob.key.seen",
            "bob",
        ];
        for entry in fs::read_dir(self.project.path("")).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(allowed.contains(&name.as_str()), "`{name}` was written beside the shelf");
        }
        assert_eq!(fs::read_dir(self.project.path("tmp")).unwrap().count(), 0);
    }
}

pub(crate) struct Said {
    pub code: Option<i32>,
    pub text: String,
}

impl Said {
    pub(crate) fn of(output: &Output) -> Self {
        let text = [&output.stdout[..], &output.stderr].concat();
        Self { code: output.status.code(), text: String::from_utf8_lossy(&text).into_owned() }
    }

    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}", self.text);
        self
    }

    #[track_caller]
    pub(crate) fn says(self, part: &str) -> Self {
        assert!(self.text.contains(part), "expected `{part}` in\n{}", self.text);
        self
    }
}
