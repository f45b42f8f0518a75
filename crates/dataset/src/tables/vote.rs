//! The table of what people said of review items.

use storymill_core::Vote;

use crate::table;

table! { Vote, "what a person said of an item that a build had doubts about", evaluation, |vote, added| {}
    "vote_id": Line => vote.id, "the vote";
    "review_id": Line => vote.review, "the item that was decided: a digest of its code, name and content";
    "queue": Word => vote.queue, "the kind of item: cuts, casts, faithfulness, corrections, ...";
    "code": Word => vote.code, "the doubt: preface, cast, sentence-labels, ...";
    "item_id": Line => vote.item, "what it is about: a question, a retelling, a book";
    "step": Word => vote.step, "the step of the workflow that asked";
    "of": Word => vote.of, "the book or other unit";
    "split": Word => added.split, "train, validation or test; test where the unit was left out";
    "person": Word => vote.person, "a pseudonym: reader-01";
    "choice": Word => vote.choice, "what was chosen";
    "said": Text => vote.said, "what was said beyond it, as JSON; blank for nothing";
    "protocol": Word => vote.protocol, "independent, hybrid or adjudicator; blank where one person decided";
    "settles": Int => u8::from(vote.settles), "1 if it settled what others said, else 0";
    "proposal_shown": Int => u8::from(vote.proposal_shown), "1 if a model's proposal was visible, else 0";
    "seconds": Int => vote.seconds, "how long it took; 0 where nobody measured";
    "seen": Line => vote.seen.map(|seen| seen.to_string()).unwrap_or_default(), "a digest of the text that was shown; blank where nobody kept it";
}
