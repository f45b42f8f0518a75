//! What style sheets say of classes whose names say nothing.
//!
//! Converters move what a page says in `style` and `align` into a sheet, under names of their own: `calibre7`.
//! Only these names are looked up; what a book's own classes mean is known by their words.

use std::collections::HashMap;

use storymill_core::Reason;

use super::archive::Archive;
use crate::{encoding, gutenberg::marks::Marks};

/// Marks by class.
pub(crate) type Styles = HashMap<String, Marks>;

/// Reads the sheets of a book. One that is not there styles nothing.
pub(super) fn read(archive: &mut Archive<'_>, paths: &[String]) -> Result<Styles, Reason> {
    let mut styles = Styles::new();
    for path in paths {
        if let Some(bytes) = archive.read(path)? {
            sheet(&encoding::decode(&bytes).text, &mut styles);
        }
    }
    Ok(styles)
}

fn sheet(text: &str, styles: &mut Styles) {
    for rule in text.split('}') {
        let Some((selectors, body)) = rule.rsplit_once('{') else { continue };
        // `@namespace …;` and the like end before the first rule.
        let selectors = selectors.rsplit(';').next().unwrap_or(selectors);
        let marks = Marks::of_style(body);
        for selector in selectors.split(',') {
            if let Some(class) = selector.trim().strip_prefix('.').filter(|class| is_made(class)) {
                *styles.entry(class.to_owned()).or_default() |= marks;
            }
        }
    }
}

/// Whether a converter made up the name of a class.
fn is_made(class: &str) -> bool {
    let number = class.strip_prefix("pcalibre").or_else(|| class.strip_prefix("calibre"));
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_up_classes_are_read() {
        let mut styles = Styles::new();
        let text = "@namespace h \"x\";\n.calibre3 { text-align: center; margin: 0 }\n.calibre4, .calibre5 {\n  display: none\n}\n\
            .c { text-align: center }\n.calibre_x { display: none }";
        sheet(text, &mut styles);
        assert_eq!(styles["calibre3"], Marks::CENTER);
        assert_eq!((styles["calibre4"], styles["calibre5"]), (Marks::HIDDEN, Marks::HIDDEN));
        assert_eq!(styles.len(), 3);
    }
}
