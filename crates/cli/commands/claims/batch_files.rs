//! Requests about claims in clear, in files for a batch runner or for a provider's batch interface; and what became of
//! them, line by line. What a line looks like is the affair of `storymill-llm`.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use storymill_claims::answers::Ran;
use storymill_core::{Digest, Fault, FaultKind};
use storymill_llm::{
    FileLimits, ModelConfig, WireFormat,
    batch::{self, Became},
};
use storymill_sources::read_request;
use storymill_transforms::claim_answer;

use crate::args::{BatchFormat, claims::ClaimsRequests};

/// For whose batch interface requests are written, and for which model.
pub(super) struct Whose {
    name: &'static str,
    format: WireFormat,
    limits: FileLimits,
    config: ModelConfig,
}

impl Whose {
    /// What the arguments ask for; none where one file of any size is wanted. `model` is that of the requests.
    pub(super) fn of(args: &ClaimsRequests, model: &str) -> Option<Self> {
        let (name, format) = match args.format? {
            BatchFormat::Openai => ("openai", WireFormat::OpenAi),
            BatchFormat::Anthropic => ("anthropic", WireFormat::Anthropic),
        };
        let mut limits = format.limits();
        limits.bytes = args.max_bytes.unwrap_or(limits.bytes);
        Some(Self { name, format, limits, config: ModelConfig::to_write_for(model) })
    }

    /// Its name, as it is typed.
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    fn line(&self, line: &[u8]) -> Result<Vec<u8>, Fault> {
        let request = read_request(line)?;
        batch::request(self.format, &self.config, &request.id, &request.chat())
    }
}

/// Files that are being written: `out.jsonl`, and `out-2.jsonl` where that would be larger than the provider takes.
pub(super) struct Files<'a> {
    path: &'a Path,
    whose: Option<&'a Whose>,
    open: fn(&Path) -> io::Result<File>,
    now: BufWriter<File>,
    bytes: u64,
    requests: u64,
    made: Vec<PathBuf>,
    hasher: blake3::Hasher,
}

impl<'a> Files<'a> {
    /// Begins the first one. `open` makes a file.
    pub(super) fn begin(
        path: &'a Path,
        whose: Option<&'a Whose>,
        open: fn(&Path) -> io::Result<File>,
    ) -> Result<Self, Fault> {
        let file = open(path).map_err(|error| Fault::io("cannot write", path, error))?;
        Ok(Self {
            path,
            whose,
            open,
            now: BufWriter::new(file),
            bytes: 0,
            requests: 0,
            made: vec![path.to_owned()],
            hasher: blake3::Hasher::new(),
        })
    }

    /// Writes a request, given as a line without its end in the form of batch runners of the OpenAI API.
    pub(super) fn put(&mut self, line: &[u8]) -> Result<(), Fault> {
        let own;
        let parts: [&[u8]; 2] = match self.whose {
            None => [line, b"\n"],
            Some(whose) => {
                own = whose.line(line)?;
                [&own, b""]
            }
        };
        let length = (parts[0].len() + parts[1].len()) as u64;
        if let Some(Whose { limits, .. }) = self.whose {
            if length > limits.bytes {
                let message = format!("a request has {length} bytes");
                let hint = format!(
                    "a file may have {} (`--max-bytes`); show excerpts: `--show bm25:25`",
                    limits.bytes
                );
                return Err(Fault::new(FaultKind::Input, message).hint(hint));
            }
            if self.requests >= limits.requests || self.bytes + length > limits.bytes {
                self.next()?;
            }
        }
        for part in parts {
            self.hasher.update(part);
            self.now.write_all(part).map_err(|error| self.failed(error))?;
        }
        self.bytes += length;
        self.requests += 1;
        Ok(())
    }

    fn failed(&self, error: io::Error) -> Fault {
        Fault::io("cannot write", self.made.last().map_or(self.path, PathBuf::as_path), error)
    }

    fn next(&mut self) -> Result<(), Fault> {
        self.close()?;
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let mut name = format!("{stem}-{}", self.made.len() + 1);
        if let Some(ending) = self.path.extension() {
            name += &format!(".{}", ending.to_string_lossy());
        }
        let path = self.path.with_file_name(name);
        let file = (self.open)(&path).map_err(|error| Fault::io("cannot write", &path, error))?;
        self.now = BufWriter::new(file);
        self.made.push(path);
        (self.bytes, self.requests) = (0, 0);
        Ok(())
    }

    fn close(&mut self) -> Result<(), Fault> {
        let closed = self.now.flush().and_then(|()| self.now.get_ref().sync_all());
        closed.map_err(|error| self.failed(error))
    }

    /// The files and a digest of their bytes, one behind the other; where something has failed, none of them stays.
    pub(super) fn end(
        mut self,
        written: Result<(), Fault>,
    ) -> Result<(Vec<PathBuf>, Digest), Fault> {
        match written.and_then(|()| self.close()) {
            Ok(()) => Ok((self.made, Digest::from(*self.hasher.finalize().as_bytes()))),
            Err(fault) => {
                for path in &self.made {
                    drop(fs::remove_file(path));
                }
                Err(fault)
            }
        }
    }
}

/// What a line of results says of a request. Of a private set nothing is repeated that a provider said: it may hold words
/// of a book.
pub(super) fn result(line: &[u8], private: bool) -> Result<(String, Ran), String> {
    let (id, became) = batch::result(line).map_err(|not| {
        let said = if private { not.what.to_owned() } else { not.to_string() };
        format!("is not a result of a batch: {said}")
    })?;
    let told = |what: &str, said: String| {
        let status = said.split(' ').next().filter(|word| word.bytes().all(|b| b.is_ascii_digit()));
        match (private, status) {
            (false, _) => format!("{what} ({said})"),
            (true, Some(status)) if !status.is_empty() => format!("{what} ({status})"),
            (true, _) => what.to_owned(),
        }
    };
    let ran = match became {
        Became::Answered(answer) => Ran::Answer(claim_answer(&answer)),
        Became::Expired => Ran::Without("expired", "it expired before its turn came".to_owned()),
        Became::Canceled => {
            Ran::Without("canceled", "the batch was canceled before its turn came".to_owned())
        }
        Became::Failed(said) => {
            Ran::Without("failed", told("it failed, and may be sent again", said))
        }
        Became::Refused(said) => Ran::Without("refused", told("it is refused for good", said)),
    };
    Ok((id, ran))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_private_requests_no_word_of_the_provider_is_repeated() {
        for (line, public, private) in [
            (
                r#"{"custom_id":"a","result":{"type":"errored","error":{"type":"error","error":{"type":"invalid_request_error","message":"bad: zqx"}}}}"#,
                "zqx",
                "it is refused for good (400)",
            ),
            (
                r#"{"custom_id":"a","result":{"type":"errored","error":{"type":"overloaded_error","message":"zqx"}}}"#,
                "zqx",
                "it failed, and may be sent again (529)",
            ),
            (
                r#"{"custom_id":"a","result":{"type":"zqx"}}"#,
                "zqx",
                "its result is none that is known",
            ),
            (r#"{"id":"zqx"}"#, "custom_id", "it has no `custom_id`"),
            ("zqx", "not JSON", "it is not JSON"),
        ] {
            let said = |private| match result(line.as_bytes(), private) {
                Ok((_, Ran::Without(_, why))) | Err(why) => why,
                Ok((_, Ran::Answer(answer))) => panic!("{answer}"),
            };
            assert!(said(false).contains(public), "{}", said(false));
            assert!(said(true).contains(private) && !said(true).contains("zqx"), "{}", said(true));
        }
    }
}
