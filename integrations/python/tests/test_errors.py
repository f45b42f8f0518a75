"""What is refused, and what is said then: the file or row, the reason, what to do."""

import contextlib
import io
import json
import shutil
import tempfile
import unittest
from pathlib import Path
from typing import Any, Callable

import storymill
from storymill import lm_eval

from program import FOLDER


class Errors(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name) / "data"
        shutil.copytree(FOLDER, self.folder)
        self.question = storymill.load(FOLDER, "eval")["question_id"][0].as_py()

    def refused(self, what: Callable[[], Any], *says: str) -> None:
        with self.assertRaises(storymill.StorymillError) as caught:
            what()
        for one in says:
            self.assertIn(one, str(caught.exception))

    def manifest(self, change: Callable[[Any], None]) -> None:
        path = self.folder / "manifest.json"
        manifest = json.loads(path.read_text())
        change(manifest)
        path.write_text(json.dumps(manifest))

    def test_folders(self) -> None:
        open_ = lambda: storymill.Dataset(self.folder)  # noqa: E731
        self.refused(lambda: storymill.Dataset(self.folder / "books"), "manifest.json", "published")
        self.manifest(lambda found: found.update(format="storymill-dataset/99"))
        self.refused(open_, "newer storymill", "storymill-dataset/99", "manifest.json")
        self.manifest(lambda found: found.update(format="croissant/1"))
        self.refused(open_, "not written by storymill")
        self.manifest(lambda found: found.update(format="storymill-dataset/2", files=[{}]))
        self.refused(open_, "damaged", "path")
        (self.folder / "manifest.json").write_text('{"format": "storymill-data')
        self.refused(open_, "damaged")
        (self.folder / "manifest.json").write_bytes(b"\xff\xfe")
        self.refused(open_, "cannot be read")

    def test_paths_that_lead_out(self) -> None:
        for path in ("../books/a.parquet", "/etc/passwd", "a/../../b", "C:\\b"):
            self.manifest(lambda found: found["files"][0].update(path=path))
            self.refused(lambda: storymill.Dataset(self.folder), "no file of its folder")

    def test_names(self) -> None:
        data = storymill.Dataset(self.folder)
        self.refused(lambda: data.load("evil"), "no config 'evil'", "eval-small")
        self.refused(lambda: data.load("books", "dev"), "no split 'dev'", "train, validation, test")
        self.refused(lambda: data.context(self.question[:-1]), "did you mean", self.question)
        self.refused(lambda: data.context("x"), "no question 'x'")
        self.refused(lambda: data.context(self.question, "scenes"), "no question")
        self.refused(lambda: data.context({"book_id": "sm01"}), "no context_symbols")
        self.refused(lambda: list(data.materialize("scenes")), "not a question")
        self.refused(lambda: data.score("scenes", {}), "no questions")
        self.refused(lambda: data.score("eval", {"x": "y"}), "no question 'x'")
        self.refused(lambda: data.score("eval", {self.question: "y"}), "119 questions have no")

    def test_tasks(self) -> None:
        tasks = self.folder / "tasks"
        self.refused(lambda: lm_eval.write(tasks), "name a published folder")
        self.refused(
            lambda: lm_eval.write(tasks, self.folder, by="tokns"), "no unit 'tokns'", "scenes"
        )
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()) as said:
            lm_eval.main([str(tasks), str(self.folder), "--by", "tokns"])
        self.assertIn("tokens", said.getvalue())

    def test_options(self) -> None:
        data = storymill.Dataset(self.folder)
        rows = list(data.rows("eval"))
        said = {row["question_id"]: 0 if row["options"] else "text" for row in rows}
        choice = next(row["question_id"] for row in rows if row["options"])
        free = next(row["question_id"] for row in rows if not row["options"])
        for name, position in ((choice, 6), (choice, -1), (free, 0), (choice, True)):
            self.refused(lambda: data.score("eval", {**said, name: position}), name, "no option")

    def test_files(self) -> None:
        data = storymill.Dataset(self.folder)
        path = next(file.path for file in data.manifest.files if file.config == "eval")
        whole = path.read_bytes()
        for part in (whole[: len(whole) // 2], b"", b"PAR1"):
            path.write_bytes(part)
            self.refused(lambda: storymill.load(self.folder, "eval"), path.name, "cannot be read")
            self.refused(lambda: storymill.context(self.folder, self.question, "eval"), path.name)
        path.unlink()
        self.refused(lambda: storymill.load(self.folder, "eval"), path.name, "not there")
        path.write_bytes(whole)
        self.manifest(lambda found: [file.update(rows=7) for file in found["files"]])
        self.refused(lambda: storymill.load(self.folder, "eval"), "the manifest says 7")
        self.refused(lambda: list(storymill.materialize(self.folder, "eval")), "manifest says 7")

    def test_without_books(self) -> None:
        def drop(*configs: str) -> Callable[[Any], None]:
            keep = lambda file: file["config"] not in configs  # noqa: E731
            return lambda found: found.update(files=list(filter(keep, found["files"])))

        asked = lambda: storymill.context(self.folder, self.question, "eval")  # noqa: E731
        context = asked()
        self.manifest(drop("books", "books-text"))
        self.assertEqual(asked(), context, "scenes joined are the book")
        (self.folder / "dataset.lock").write_text("not a lock")
        self.assertEqual(asked(), context, "the lock is a help, and no need")
        self.manifest(drop("scenes", "other-books", "other-books-text", "other-scenes"))
        self.refused(asked, "is not published with its questions", "dataset.books")

    def test_another_text(self) -> None:
        row = next(storymill.Dataset(self.folder).rows("eval"))
        row["context_words"] += 1
        self.refused(lambda: storymill.Dataset(self.folder).context(row), "another text of book")

    def test_rows(self) -> None:
        good = {"prediction": "a", "reference": "b"}
        for bad, says in (
            ({"prediction": "a"}, "line 2: no `reference`"),
            ({"reference": "a"}, "line 2: no `prediction`"),
            ({**good, "prediction": 1}, "line 2: invalid type"),
            ({**good, "reference": 1}, "a text or a list of texts"),
            ({**good, "reference": []}, "`references` is empty"),
            ({**good, "answer": "b"}, "duplicate field `reference`"),
            ({**good, "language": "fr"}, "`en` or `zh`, not `fr`"),
            ({**good, "id": True}, "an id is a text or a number"),
            ({**good, "reference": ["a", "b"], "tokens_answer": ["a"]}, "there are several"),
            ([1], "line 2: "),
        ):
            self.refused(lambda: storymill.score([good, bad]), says)
        several = {"prediction": "a", "references": ["a", "b"]}
        self.refused(lambda: storymill.score([several], one_reference=True), "one reference, not 2")
        self.refused(lambda: storymill.score([]), "no rows")
        path = self.folder / "rows.jsonl"
        path.write_text('{"prediction": "a", "reference": "b"}\n\n{"prediction": oops}\n')
        self.refused(lambda: storymill.score_file(path), "line 3: expected value")
        path.write_bytes(b"\xff")
        self.refused(lambda: storymill.score_file(path), "rows.jsonl: not UTF-8")
        self.refused(lambda: storymill.score_file(self.folder / "none"), "none: cannot be read")
        self.refused(lambda: storymill.score([good], wordnet=self.folder), "index.noun")
        self.refused(lambda: storymill.score([good], wordlists=path), "not UTF-8")


if __name__ == "__main__":
    unittest.main()
