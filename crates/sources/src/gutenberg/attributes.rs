//! The few attributes that the walk reads, in room that is used again for each tag.

/// The attributes that the walk reads.
#[derive(Debug, Default)]
pub(crate) struct Attributes {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) class: String,
    pub(crate) style: String,
    pub(crate) align: String,
    pub(crate) href: String,
    pub(crate) alt: String,
    /// `src`.
    pub(crate) source: String,
    pub(crate) title: String,
    /// `epub:type`.
    pub(crate) kind: String,
}

impl Attributes {
    pub(super) fn clear(&mut self) {
        for value in [
            &mut self.id,
            &mut self.name,
            &mut self.class,
            &mut self.style,
            &mut self.align,
            &mut self.href,
            &mut self.alt,
            &mut self.source,
            &mut self.title,
            &mut self.kind,
        ] {
            value.clear();
        }
    }

    pub(super) fn slot(&mut self, name: &[u8]) -> Option<&mut String> {
        Some(match name {
            b"id" => &mut self.id,
            b"name" => &mut self.name,
            b"class" => &mut self.class,
            b"style" => &mut self.style,
            b"align" => &mut self.align,
            b"href" => &mut self.href,
            b"alt" => &mut self.alt,
            b"src" => &mut self.source,
            b"title" => &mut self.title,
            b"epub:type" => &mut self.kind,
            _ => return None,
        })
    }
}
