//! The setting `evidence`: the scenes that hold it, and as much of what was read where there is none.

use std::ops::Range;

use storymill_core::{Question, Span, Stream};

use super::shown::{GAP, Page};

impl Page<'_> {
    /// The scenes with the evidence; none where nobody knows it. Where none of the above is right there is none to know, and
    /// a blank page would tell the answer: then as much is shown as other questions get.
    pub(super) fn evidence(
        &self,
        question: &Question,
        whole: usize,
        stream: Stream,
    ) -> Option<String> {
        let mut spans = self.spans(question);
        for span in &mut spans {
            span.end = span.end.min(whole);
        }
        if question.none_is_right() {
            // As many places as others have, of which its own, if it has any, come first.
            let own = spans.len();
            spans.extend(self.stand_in(question, whole, stream).into_iter().skip(own));
        }
        spans.retain(|span| span.start < span.end);
        spans.sort_by_key(|span| (span.start, span.end));
        let mut joined: Vec<Range<usize>> = Vec::new();
        for span in spans {
            match joined.last_mut() {
                Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
                _ => joined.push(span),
            }
        }
        let pieces = joined.into_iter().map(|span| self.exam.text[span].trim());
        let shown = pieces.collect::<Vec<_>>().join(GAP);
        Some(shown).filter(|shown| !shown.is_empty())
    }

    /// Where the evidence of a question stands, in bytes.
    fn spans(&self, question: &Question) -> Vec<Range<usize>> {
        let place = |span: &Span| self.byte(span.start.symbol)..self.byte(span.end.symbol);
        question.evidence.iter().map(place).collect()
    }

    /// The evidence of another question of the same kind, all of it in what was read; of another kind, if there is none;
    /// else a stretch of what was read that is as long as another's. Drawn by a seed.
    fn stand_in(&self, question: &Question, whole: usize, mut stream: Stream) -> Vec<Range<usize>> {
        let others = || {
            let all = self.exam.questions.iter().map(|asked| &asked.question);
            all.filter(|one| {
                one.id != question.id && !one.evidence.is_empty() && !one.none_is_right()
            })
        };
        let read = |alike: bool| -> Vec<Vec<Range<usize>>> {
            let same = others().filter(|one| !alike || one.kind == question.kind);
            let sets = same.map(|one| self.spans(one));
            sets.filter(|set| set.iter().all(|span| span.end <= whole)).collect()
        };
        let (alike, any) = (read(true), read(false));
        if let Some(set) = stream.choose(if alike.is_empty() { &any } else { &alike }) {
            return set.clone();
        }
        let lengths: Vec<usize> =
            others().map(|one| self.spans(one).iter().map(ExactSizeIterator::len).sum()).collect();
        let Some(length) = stream.choose(&lengths).map(|length| (*length).min(whole)) else {
            return Vec::new();
        };
        let start = stream.index(whole - length + 1).unwrap_or(0);
        let boundary = |at| self.exam.text.floor_char_boundary(at);
        std::iter::once(boundary(start)..boundary(start + length)).collect()
    }
}
