//! The URL of a store, taken apart.

use std::path::{Path, PathBuf};

use object_store::path::Path as Key;
use storymill_core::{Fault, FaultKind};

/// Where a store is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) scheme: Scheme,
    /// The bucket or container; empty for a folder.
    pub(crate) bucket: String,
    /// What the names of all objects begin with.
    pub(crate) prefix: Key,
    /// The URL without a slash at its end.
    pub(crate) root: PathBuf,
}

/// Who keeps the objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    Folder,
    S3,
    Gcs,
    Azure,
}

/// What stands before `://`.
pub(crate) fn scheme(place: &Path) -> Option<&str> {
    let (scheme, _) = place.to_str()?.split_once("://")?;
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'+';
    (!scheme.is_empty() && scheme.bytes().all(fits)).then_some(scheme)
}

impl Address {
    /// Takes a URL apart. No message repeats what may be a secret.
    pub(crate) fn parse(place: &Path) -> Result<Self, Fault> {
        let text = place.to_str().unwrap_or_default();
        let (name, rest) = text.split_once("://").ok_or_else(|| wrong("it is not a URL"))?;
        let scheme = match name {
            "file" => Scheme::Folder,
            "s3" => Scheme::S3,
            "gs" => Scheme::Gcs,
            "az" => Scheme::Azure,
            _ => {
                let what = format!("`{name}://` is not known; `s3`, `gs`, `az` and `file` are");
                return Err(wrong(&what));
            }
        };
        if rest.contains('@') {
            let fault = wrong("it must not hold credentials");
            return Err(fault.hint("they are taken from the environment: `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, for example"));
        }
        if rest.contains(['?', '#', '\\']) {
            return Err(wrong("nothing may follow the bucket and the path"));
        }
        let (bucket, path) = rest.split_once('/').unwrap_or((rest, ""));
        let is_folder = scheme == Scheme::Folder;
        if is_folder && !(bucket.is_empty() && path.contains(|letter| letter != '/')) {
            return Err(wrong("a folder is named by its whole path: `file:///data/store`"));
        }
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        if !is_folder && (bucket.is_empty() || !bucket.bytes().all(fits)) {
            return Err(wrong("it names no bucket: `s3://BUCKET/PREFIX`"));
        }
        let path = path.trim_matches('/');
        let prefix = Key::parse(path).map_err(|error| wrong(&error.to_string()))?;
        let root = format!("{name}://{bucket}/{path}");
        let root = PathBuf::from(root.trim_end_matches('/'));
        Ok(Self { scheme, bucket: bucket.to_owned(), prefix, root })
    }
}

fn wrong(what: &str) -> Fault {
    Fault::new(FaultKind::Input, format!("the URL of the store cannot be used: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Address, String> {
        Address::parse(Path::new(text)).map_err(|fault| fault.to_string())
    }

    #[test]
    fn a_url_is_a_bucket_and_a_prefix() {
        let address = parse("s3://books/my/store/").unwrap();
        assert_eq!((address.scheme, address.bucket.as_str()), (Scheme::S3, "books"));
        assert_eq!(address.prefix.as_ref(), "my/store");
        assert_eq!(address.root, Path::new("s3://books/my/store"));
        assert_eq!(parse("gs://books").unwrap().prefix.as_ref(), "");
        assert_eq!(parse("file:///data/store").unwrap().prefix.as_ref(), "data/store");
        assert!(scheme(Path::new("data/store")).is_none());
        assert!(scheme(Path::new("C:/data")).is_none());
    }

    #[test]
    fn what_is_no_store_is_refused_and_no_secret_repeated() {
        for text in [
            "ftp://a/b",
            "s3://",
            "s3:///b",
            "s3://a b/c",
            "s3://a/../b",
            "s3://a/b?x=planted",
            "s3://me:planted@a/b",
            "file://",
            "file:///",
            "file://host/planted",
        ] {
            let told = parse(text).unwrap_err();
            assert!(told.starts_with("the URL of the store cannot be used"), "{text}: {told}");
            assert!(!told.contains("planted"), "{told}");
        }
    }
}
