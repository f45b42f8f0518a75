//! The retellings that options are drawn from, by scene. What failed is not among them.

use storymill_core::{Distortion, Summary};

use super::{drawn::Told, other_book::Others, people::People};

/// Retellings of single scenes with their ids, which are put together once.
pub(super) struct Named<'r> {
    summaries: Vec<(String, &'r Summary)>,
    distortions: Vec<(String, &'r Distortion)>,
}

impl<'r> Named<'r> {
    pub(super) fn new(summaries: &'r [Summary], distortions: &'r [Distortion]) -> Self {
        let summaries = summaries.iter().filter(|summary| summary.level == 0);
        let distortions = distortions.iter().filter(|distortion| distortion.level == 0);
        Self {
            summaries: summaries.map(|summary| (summary.id(), summary)).collect(),
            distortions: distortions.map(|distortion| (distortion.id(), distortion)).collect(),
        }
    }
}

/// The retellings of a book's scenes.
pub(super) struct Pool<'r> {
    /// The true retelling of each scene; none where there is none.
    pub(super) truths: Vec<Option<Truth<'r>>>,
    /// The false retellings of each scene.
    pub(super) lies: Vec<Vec<Lie<'r>>>,
    /// The true retellings of other books' scenes.
    pub(super) others: Others,
    /// Who is named where.
    pub(super) people: People,
}

/// A true retelling.
pub(super) struct Truth<'r> {
    pub(super) told: Told<'r>,
    /// The first scene, other than its own, whose retelling it comes too near to.
    pub(super) near: Option<usize>,
}

/// A false retelling, and its true twin.
pub(super) struct Lie<'r> {
    pub(super) told: Told<'r>,
    pub(super) twin: Told<'r>,
    /// The first scene, other than its own, whose retelling it comes too near to.
    pub(super) near: Option<usize>,
}

impl<'r> Pool<'r> {
    /// The retellings of a book with so many scenes. Those of other scenes are passed over, and
    /// so are distortions of what was not told.
    pub(super) fn new(scenes: usize, named: &'r Named<'_>) -> Self {
        let mut truths: Vec<Option<Truth<'r>>> = (0..scenes).map(|_| None).collect();
        for (id, summary) in &named.summaries {
            let scene = summary.at as usize;
            if let Some(place) = truths.get_mut(scene) {
                let told =
                    Told { book: &summary.book, scene, text: &summary.text, from: id, names: &[] };
                *place = Some(Truth { told, near: None });
            }
        }
        let mut lies: Vec<Vec<Lie<'r>>> = (0..scenes).map(|_| Vec::new()).collect();
        for (id, distortion) in &named.distortions {
            let scene = distortion.first_scene as usize;
            if let (Some(Some(_)), Some(place)) = (truths.get(scene), lies.get_mut(scene)) {
                let told =
                    |text| Told { book: &distortion.book, scene, text, from: id, names: &[] };
                let (twin, told) = (told(&distortion.twin), told(&distortion.text));
                place.push(Lie { told, twin, near: None });
            }
        }
        Self { truths, lies, others: Others::default(), people: People::default() }
    }

    /// The true retelling of a scene.
    pub(super) fn told(&self, scene: usize) -> Option<Told<'r>> {
        Some(self.truths.get(scene)?.as_ref()?.told)
    }
}

impl Truth<'_> {
    /// Whether it is unlike the retelling of every scene up to `t` but its own.
    pub(super) fn is_far(&self, t: usize) -> bool {
        self.near.is_none_or(|near| near > t)
    }
}

impl Lie<'_> {
    /// Whether it is unlike the retelling of every scene up to `t` but its own.
    pub(super) fn is_far(&self, t: usize) -> bool {
        self.near.is_none_or(|near| near > t)
    }
}
