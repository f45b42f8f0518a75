//! What must not be shown: a value without words.

use zeroize::Zeroize;

/// A private value. It has no `Debug`, no `Display` and no `Serialize`, is no `Record`, and is
/// overwritten when it is dropped.
///
/// ```compile_fail
/// println!("{:?}", storymill_shelf::Private::new(String::from("a claim")));
/// ```
///
/// ```compile_fail
/// println!("{}", storymill_shelf::Private::new(String::from("a claim")));
/// ```
///
/// ```compile_fail
/// serde_json::to_string(&storymill_shelf::Private::new(String::from("a claim")));
/// ```
///
/// ```
/// let claim = storymill_shelf::Private::new(String::from("a claim"));
/// assert_eq!(claim.expose().len(), 7);
/// ```
#[expect(missing_debug_implementations, reason = "that is what it is for")]
pub struct Private<T: Zeroize>(T);

impl<T: Zeroize> Private<T> {
    /// Takes a value in.
    pub fn new(value: T) -> Self {
        Self(value)
    }

    /// The value, for whoever computes with it. What leaves the machine or the shelf is not made
    /// from it, save where a maintainer asks for it by name.
    pub fn expose(&self) -> &T {
        &self.0
    }

    /// The value, to be changed in place.
    pub fn expose_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Zeroize + Default> Private<T> {
    /// Gives the value up to somebody who looks after it.
    pub fn into_inner(mut self) -> T {
        std::mem::take(&mut self.0)
    }
}

impl AsRef<[u8]> for Private<Vec<u8>> {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl<T: Zeroize> Drop for Private<T> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}
