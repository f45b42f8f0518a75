//! What the stages that ask a model have in common: whom they ask, how often, and with which
//! templates.
//!
//! A stage names its templates once, in [`asking!`], and [`Asks::asking`] is the only way to them. So
//! whatever a model is told is part of the stage's key: there is no `embedded` to forget.

use storymill_core::{Fault, Resource, Stop};
use storymill_text::Language;

use crate::retelling::prompt::{Ask, Prompt};

/// A template that comes with a stage: its name, and its text.
pub(crate) type Template = (&'static str, &'static str);

/// A stage that asks a model.
pub(crate) trait Asks {
    /// The templates that come with it.
    const TEMPLATES: &'static [Template];

    /// The model, by its name in the workflow, and how often to ask it; none: nobody is asked.
    fn whom(&self) -> (Option<&str>, u32);

    /// Reads the templates, or the user's own in their places: one for all, or one for each.
    fn asking(&self, own: &[&Option<Resource>]) -> Result<Asking<'_>, Fault> {
        let (model, tries) = self.whom();
        let prompt = |(at, (name, text)): (usize, &Template)| {
            let own = own.get(at).or(own.last()).and_then(|own| own.as_ref());
            Prompt::new(own, name, text)
        };
        let prompts = Self::TEMPLATES.iter().enumerate().map(prompt).collect::<Result<_, _>>()?;
        Ok(Asking { prompts, model: model.unwrap_or_default(), tries })
    }
}

/// A stage that is ready to ask.
#[derive(Debug)]
pub(crate) struct Asking<'a> {
    prompts: Vec<Prompt>,
    model: &'a str,
    tries: u32,
}

impl Asking<'_> {
    /// With the template that has this place among those of the stage.
    pub(crate) fn with(&self, at: usize) -> Ask<'_> {
        Ask { prompt: &self.prompts[at], model: self.model, tries: self.tries, schema: None }
    }

    /// With the template in a language; the English one comes first.
    pub(crate) fn of(&self, language: Language) -> Ask<'_> {
        self.with(usize::from(language == Language::Chinese))
    }
}

/// A model that a stage always has, or one that it may have.
pub(crate) trait Named {
    /// Its name in the workflow.
    fn named(&self) -> Option<&str>;
}

impl Named for String {
    fn named(&self) -> Option<&str> {
        Some(self)
    }
}

impl Named for Option<String> {
    fn named(&self) -> Option<&str> {
        self.as_deref()
    }
}

/// What is wrong with numbers that are too small, each with its option and the least that it can be.
pub(crate) fn at_least(numbers: &[(&'static str, u32, u32)]) -> Vec<(&'static str, String)> {
    let few = numbers.iter().filter(|(_, number, least)| number < least);
    few.map(|(name, _, least)| (*name, format!("must be at least {least}"))).collect()
}

/// Asks about several things at once: what waits stops no other.
pub(crate) fn all<T, O>(
    things: impl IntoIterator<Item = T>,
    mut ask: impl FnMut(T) -> Result<O, Stop>,
) -> Result<Vec<O>, Stop> {
    let mut said = Vec::new();
    let mut waits = false;
    for thing in things {
        match ask(thing) {
            Ok(one) => said.push(one),
            Err(Stop::Waiting) => waits = true,
            Err(other) => return Err(other),
        }
    }
    if waits { Err(Stop::Waiting) } else { Ok(said) }
}

/// Implements [`Asks`] and `Options` for a stage with the options `model` and `tries`: its templates
/// in `data/prompts`, what those include, and the options that name files; then the numbers that
/// have a least, and what becomes of the faults found by that. `always` makes the templates part of the key even where nobody is asked.
macro_rules! asking {
    (
        $stage:ident, [$($template:literal),+], $included:expr, [$($file:ident),+]
        $(, least = [$(($option:ident, $least:literal)),+])?
        $(, check = $check:expr)? $(, always = $always:expr)? $(, more = $more:expr)?
    ) => {
        impl $crate::asking::Asks for $stage {
            const TEMPLATES: &'static [$crate::asking::Template] = &[$((
                $template,
                storymill_data::text(concat!("prompts/", $template)),
            )),+];

            fn whom(&self) -> (Option<&str>, u32) {
                ($crate::asking::Named::named(&self.model), self.tries)
            }
        }

        impl storymill_core::Options for $stage {
            fn check(&self) -> Vec<(&'static str, String)> {
                let faults = $crate::asking::at_least(&[
                    ("tries", self.tries, 1),
                    $($((stringify!($option), self.$option, $least)),+)?
                ]);
                $(
                    let check: fn(&Self, Vec<_>) -> Vec<(&'static str, String)> = $check;
                    let faults = check(self, faults);
                )?
                faults
            }

            fn models(&self) -> Vec<&str> {
                $crate::asking::Asks::whom(self).0.into_iter().collect()
            }

            fn embedded(&self) -> Vec<&'static str> {
                let asks = $crate::asking::Asks::whom(self).0.is_some();
                $(let asks = asks || $always;)?
                let own = <Self as $crate::asking::Asks>::TEMPLATES.iter().map(|(_, text)| *text);
                let own = own.chain($included);
                $(
                    let more: fn(&Self) -> Option<&'static str> = $more;
                    let own = own.chain(more(self));
                )?
                if asks { own.collect() } else { Vec::new() }
            }

            fn resources(&mut self) -> Vec<&mut storymill_core::Resource> {
                [$(&mut self.$file),+].into_iter().flatten().collect()
            }
        }
    };
}

pub(crate) use asking;
