//! Signatures of maintainers. `age` seals and does not say who sealed, so what everybody relies on is signed beside.

use std::{fmt, str::FromStr};

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use storymill_core::{Fault, FaultKind};
use zeroize::Zeroize;

use crate::random;

/// The public key that a maintainer's signatures are checked with: Ed25519, 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Signer(pub(crate) [u8; 32]);

impl fmt::Display for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&random::hex(&self.0))
    }
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<Signer> for String {
    fn from(signer: Signer) -> Self {
        signer.to_string()
    }
}

impl TryFrom<String> for Signer {
    type Error = Fault;

    fn try_from(text: String) -> Result<Self, Fault> {
        text.parse()
    }
}

impl FromStr for Signer {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        random::unhex(text).map(Self).ok_or_else(|| {
            Fault::new(FaultKind::Input, "not a key of signatures: it has 64 hexadecimal digits")
        })
    }
}

impl Signer {
    /// Whether this key has signed a message for a purpose.
    pub(crate) fn signed(&self, purpose: &str, message: &[u8], signature: &[u8; 64]) -> bool {
        self.has_signed(&digest(purpose, message), signature)
    }

    /// Whether this key has signed bytes as they are, which others can check with any program.
    pub(crate) fn has_signed(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        let Ok(key) = VerifyingKey::from_bytes(&self.0) else { return false };
        key.verify_strict(message, &Signature::from_bytes(signature)).is_ok()
    }
}

/// The secret side: made of the secret `age` key, so that a maintainer keeps one file.
#[derive(Clone)]
pub(crate) struct Signing(SigningKey);

impl Signing {
    pub(crate) fn of(secret: &str) -> Self {
        let purpose = "storymill 2026 signing key beside an age key v1";
        let mut seed = blake3::derive_key(purpose, secret.as_bytes());
        let key = SigningKey::from_bytes(&seed);
        seed.zeroize();
        Self(key)
    }

    pub(crate) fn signer(&self) -> Signer {
        Signer(self.0.verifying_key().to_bytes())
    }

    pub(crate) fn sign_bytes(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }

    pub(crate) fn sign(&self, purpose: &str, message: &[u8]) -> [u8; 64] {
        self.0.sign(&digest(purpose, message)).to_bytes()
    }
}

/// What is signed: 32 bytes that belong to one purpose.
fn digest(purpose: &str, message: &[u8]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key(purpose);
    hasher.update(message);
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_of_one_key_one_purpose_and_one_message() {
        let (ann, bob) = (Signing::of("one"), Signing::of("two"));
        let signature = ann.sign("index", b"text");
        assert!(ann.signer().signed("index", b"text", &signature));
        assert!(!bob.signer().signed("index", b"text", &signature));
        assert!(!ann.signer().signed("statement", b"text", &signature));
        assert!(!ann.signer().signed("index", b"test", &signature));
        for at in 0..64 {
            let mut other = signature;
            other[at] ^= 1;
            assert!(!ann.signer().signed("index", b"text", &other), "changed at {at}");
        }
        assert_eq!(ann.signer().to_string().parse::<Signer>().unwrap(), ann.signer());
        assert!("12".parse::<Signer>().is_err() && "é".repeat(32).parse::<Signer>().is_err());
    }
}
