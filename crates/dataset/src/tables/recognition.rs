//! The table of recognitions: what a model takes passages for.

use storymill_core::{Recognition, Scene};

use super::row::SPLIT;
use crate::table;

table! { Recognition, "what a model takes a passage for", plain, |told, added| {}
    "recognition_id": Line => Scene::id_of(&told.book, told.scene), "the scene that was shown: `84/0012`";
    "book_id": Word => told.book, "the book";
    "split": Word => added.split, SPLIT;
    "scene": Int => told.scene, "the scene that was shown";
    "title": Line => told.title, "the title that the model named; blank if it knew none";
    "author": Line => told.author, "the author that it named; blank if it knew none";
    "title_right": Int => u32::from(told.title_right), "1 if that is the book's title, up to a subtitle";
    "author_right": Int => u32::from(told.author_right), "1 if that is an author of the book, by the family name";
}
