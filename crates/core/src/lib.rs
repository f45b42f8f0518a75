//! The vocabulary of storymill and nothing else.
//!
//! Plain data (books, scenes, summaries, questions), the traits that a source, a stage and a
//! corpus stage implement, and the small tools that make results repeatable: digests, seeds, spans.
//! What is deliberately absent: files, network, clock, threads, async code and Arrow. The
//! traits [`Disk`] and [`Asker`] say what the outside must offer; other crates implement them.

mod adequacy;
mod answer_score;
mod archive;
mod ask;
mod book;
mod book_text;
pub mod canonical;
mod cast;
mod cx;
mod decision;
mod decisions;
mod digest;
mod disk;
mod document;
mod duplicate;
mod evaluation;
mod faithfulness;
mod fault;
mod id;
mod input;
mod length;
mod letters;
mod located;
mod made_by;
mod mixing;
mod partners;
pub mod person;
mod question;
pub mod reader;
mod reckon;
pub mod retry;
mod review;
mod reviews;
mod rule;
mod said;
mod scene;
mod seed;
mod source;
mod span;
mod spare;
mod stage;
mod state;
mod summary;
mod version;
mod vote;
mod who;
mod word;
mod words;

pub use adequacy::{AdequacyPair, AdequacyVote};
pub use answer_score::AnswerScore;
pub use archive::{Archive, ArchivedChunk, ArchivedQuestion, ArchivedRung};
pub use ask::{
    Answer, AskTotals, Asked, Asker, Changes, Chat, Content, Request, RequestKey, Role, Schema,
    Turn, UNFINISHED, Written,
};
pub use book::{Author, Book, Chapter, PageFacts, Paragraph, ParagraphKind};
pub use book_text::BookText;
pub use cast::{Cast, Leak, NameCount, Recognition, Substitution};
pub use cx::{Cx, Item, Judged, Refusal, Reject, Round, Trace};
pub use decision::Decision;
pub use decisions::Decisions;
pub use digest::Digest;
pub use disk::{Disk, DiskFile, DiskReader, Held, Hold, folder_of};
pub use document::{
    AskedDocument, AskedQuestion, LiteraryQuestion, Passed, Reply, Revision, RevisionState,
};
pub use duplicate::{Duplicate, Relation};
pub use evaluation::{
    Exam, ExamQuestion, Facet, Grade, ModelAnswer, NoSetting, Setting, Spent, Status, ToldSoFar,
};
pub use faithfulness::{
    Difficulty, Flag, Gated, GoldLabels, Judgement, Label, LabelVote, PartVerdict, Retold,
    SentenceLabel,
};
pub use fault::{FULL_BUILD, Fault, FaultKind, Reason, Stop};
pub use id::{BadId, BookId, UnitId};
pub use input::{
    Edge, EdgeSet, EdgeSpec, Found, Inputs, Near, NearEdge, PartRef, Parts, Resource, Rows,
};
pub use length::{Demand, Encoding, Length, Tokens};
pub use letters::{one_plain_line, turns};
pub use located::Located;
pub use made_by::MadeBy;
pub use mixing::{
    Context, Document, Evidence, Heading, Insertion, InsertionKind, Passage, Rule, Scope,
    SetQuestion,
};
pub use partners::Partners;
pub use question::{
    Asks, Choice, ClaimQuestion, EvalItem, Form, Given, NewName, OptionKind, Question,
    QuestionType, ReadAlongQuestion, Recipe, Reconstruction, Split, Stretch, TakenFrom,
};
pub use reckon::{Reckoned, Size};
pub use review::Review;
pub use reviews::{Followed, Reviews, Taken};
pub use rule::{Protocol, ReviewRule, Standing, Verdict};
pub use said::{
    NameChange, NamedPerson, ReviewField, ReviewForm, ReviewPassage, ReviewText, Said, SaidFields,
    SaidGrounds,
};
pub use scene::{Scene, SceneTokens};
pub use seed::{Seed, Stream};
pub use source::{Env, Known, Lent, Listing, OpenSource, Source, SourceUnit, Stamp};
pub use span::{ByteSpan, Place, Span, SymbolIndex};
pub use spare::{Spare, Spares};
pub use stage::{ByUnit, CorpusStage, Options, Record, Register, Stage, middles};
pub use state::StateDraft;
pub use summary::{Distortion, Edit, Summary};
pub use version::version;
pub use vote::Vote;
pub use who::{ChangedCast, ChangedPerson, NameApart, who_is_who};
pub use word::word;
pub use words::{did_you_mean, few, many, nearest, plural};
