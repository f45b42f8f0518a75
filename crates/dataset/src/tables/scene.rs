//! The table of scenes.

use storymill_core::Scene;

use super::tokens::OwnTokens;
use crate::table;

table! { Scene, "a scene", plain, |scene, added| {}
    "scene_id": Line => Scene::id_of(&scene.book, scene.scene), "the scene: `84/0012`";
    "book_id": Word => scene.book, "the book";
    "scene": Int => scene.scene, "position in the book, from 0";
    "chapter": Int => scene.chapter.map_or(-1, i64::from), "position in `chapters`; -1 before the first";
    "start_symbols": Int => scene.span.start.symbol, "first symbol in the book's text";
    "end_symbols": Int => scene.span.end.symbol, "the first symbol that is no longer in it";
    "start_bytes": Int => scene.span.start.byte, "first byte of the book's text in UTF-8";
    "end_bytes": Int => scene.span.end.byte, "the first byte that is no longer in it";
    "words": Int => scene.words, "words, split on whitespace";
    ..OwnTokens(scene);
    "text": Text => scene.text, "the text; scenes joined are the book";
}
