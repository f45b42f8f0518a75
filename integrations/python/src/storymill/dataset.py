"""A published folder: its tables, and the text that stands behind each question."""

import difflib
import json
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union

import pyarrow
import pyarrow.compute as compute
import pyarrow.parquet as parquet

from . import _storymill, answers
from . import manifest as manifests
from .answers import Predictions
from .errors import DatasetError
from .questions import CONTEXTS, FREE_TEXT, LONG_CONTEXT, OPTIONS, form_of, of_book
from .questions import Question as Asked
from .tables import counted, reading, row_at

Question = Union[str, Mapping[str, Any]]
"""A question by its id, or its row."""

ROWS_AT_ONCE = 256


class Dataset:
    """A folder that storymill published.

    Opening it reads the manifest and nothing else. Files are read when they are asked for.
    """

    def __init__(self, folder: Union[str, Path]) -> None:
        self.folder = Path(folder)
        self.manifest = manifests.read(self.folder)
        self._ids: Dict[Path, pyarrow.ChunkedArray] = {}
        self._behind: Dict[str, List[str]] = {}
        self._authors: Optional[Dict[str, str]] = None
        self._texts: Optional[_storymill.Contexts] = None

    def __repr__(self) -> str:
        return f"<storymill.Dataset {self.manifest.name} {self.manifest.version} in {self.folder}>"

    @property
    def configs(self) -> List[str]:
        """The tables, in the order of the manifest."""
        return list(dict.fromkeys(file.config for file in self.manifest.files))

    def splits(self, config: str) -> List[str]:
        """The splits that a table has."""
        return list(dict.fromkeys(file.split for file in self._files(config, None)))

    def load(self, config: str, split: Optional[str] = None) -> pyarrow.Table:
        """Reads the rows of a config, of one split or of all, in the order of its files."""
        tables = []
        for file in self._files(config, split):
            with reading(file.path):
                table = parquet.ParquetFile(file.path).read()
            counted(file, table.num_rows)
            tables.append(table)
        return pyarrow.concat_tables(tables)

    def rows(self, config: str, split: Optional[str] = None) -> Iterator[Dict[str, Any]]:
        """Yields the rows of a config as dictionaries, a few at a time in memory."""
        for file in self._files(config, split):
            yield from self._rows_of(file)

    def context(self, question: Question, config: Optional[str] = None, ask: bool = False) -> str:
        """Tells what is read before a question is asked, as `storymill inspect` prints it.

        `config` is needed where two configs have the id for different texts (books with and
        without other names), and helps where a row is given: then its text is taken from the
        config that it was made from. With `ask` the question stands behind the context.
        """
        if isinstance(question, str):
            config, row = self._find(question, config)
        else:
            row = dict(question)
        text = self._read(row, self._sources(config))
        return self._prompt(row, text) if ask else text

    def materialize(
        self, config: str, split: Optional[str] = None, ask: bool = False
    ) -> Iterator[Dict[str, Any]]:
        """Yields every row of a config of questions with its context as `context`.

        With `ask` it has the whole prompt as `prompt` too. A few books and groups of rows are in
        memory at a time, so a config whose contexts would fill a disk can be walked.
        """
        sources = self._sources(config)
        for row in self.rows(config, split):
            row["context"] = self._read(row, sources)
            if ask:
                row["prompt"] = self._prompt(row, row["context"])
            yield row

    def questions(
        self, config: str, split: Optional[str] = None, context: str = "full"
    ) -> Iterator[Asked]:
        """Yields the questions of a config in one form for every table, each with its context.

        `context` is `full`, or `none` for what can be answered without the book. Long contexts are
        recipes, which `storymill export` writes out: see `storymill.long_contexts`.
        """
        if context not in CONTEXTS:
            raise DatasetError(
                self.folder, f"no context {context!r}", "there are " + ", ".join(CONTEXTS)
            )
        sources = self._sources(config)
        for file in self._files(config, split):
            for row in self._rows_of(file):
                if form_of(row) not in (OPTIONS, FREE_TEXT):
                    raise DatasetError(
                        self.folder,
                        f"{config} has no questions about books",
                        "long contexts are written out by storymill export",
                    )
                text = self._read(row, sources) if context == "full" else ""
                yield of_book(row, config, file.split, self.authors.get(row["book_id"], ""), text)

    def forms(self, config: str) -> List[str]:
        """The forms that the questions of a config have; none for a table without questions."""
        found: Dict[str, None] = {}
        for file in self._files(config, None):
            with reading(file.path):
                reader = parquet.ParquetFile(file.path)
                names = set(reader.schema_arrow.names)
                if "context_id" in names:
                    found[LONG_CONTEXT] = None
                elif {"question_id", "context_symbols"} <= names:
                    some = {"options"} & names
                    lists = reader.read(["options"])["options"] if some else None
                    choices = compute.list_value_length(lists).to_pylist() if some else [0]
                    found.update({OPTIONS: None} if any(choices) else {})
                    found.update({} if all(choices) else {FREE_TEXT: None})
        return list(found)

    @property
    def authors(self) -> Dict[str, str]:
        """The first author of each book, where the books are published."""
        if self._authors is None:
            self._authors = {}
            for file in self.manifest.files:
                with reading(file.path):
                    reader = parquet.ParquetFile(file.path)
                    if not {"book_id", "authors"} <= set(reader.schema_arrow.names):
                        continue
                    for row in reader.read(["book_id", "authors"]).to_pylist():
                        names = [one["name"] for one in row["authors"] or []]
                        # Books under other names stand beside them, without their authors.
                        known = self._authors.get(row["book_id"])
                        self._authors[row["book_id"]] = known or (names[0] if names else "")
        return self._authors

    def score(
        self,
        config: str,
        predictions: Predictions,
        split: Optional[str] = None,
        **options: Any,
    ) -> Dict[str, Dict[str, Any]]:
        """Scores predictions by question id: a table for each form, `options` and `free-text`.

        A prediction is a text, or for a question with options the position of one, from 0. Every
        question of the split has to have one. Books are the clusters of the intervals. The table
        of free text is that of `storymill score answers`, that of options the share that is right,
        with what guessing would have. `options` are those of `storymill.score`.
        """
        return answers.by_form(self, config, predictions, split, **options)

    def lines(
        self,
        config: str,
        predictions: Predictions,
        split: Optional[str] = None,
        form: Optional[str] = None,
    ) -> List[Dict[str, Any]]:
        """The lines of a file for `storymill score answers`: prediction, reference, id, cluster.

        Where a config has questions of several forms, `form` says which.
        """
        return answers.lines(self, config, predictions, split, form)

    def audit(self, config: Optional[str] = None, without_book: bool = False) -> Dict[str, Any]:
        """What can be answered without understanding, set by set, as `storymill audit --format json` prints it.

        Only of one config if it is named; `without_book` leaves out what searches the books, which takes longest.
        """
        return dict(json.loads(_storymill.audit(self.folder, config, without_book)))

    def _rows_of(self, file: manifests.File) -> Iterator[Dict[str, Any]]:
        seen = 0
        with reading(file.path):
            for batch in parquet.ParquetFile(file.path).iter_batches(ROWS_AT_ONCE):
                seen += batch.num_rows
                yield from batch.to_pylist()
        counted(file, seen)

    def _files(self, config: str, split: Optional[str]) -> List[manifests.File]:
        files = [file for file in self.manifest.files if file.config == config]
        if not files:
            raise DatasetError(
                self.folder, f"no config {config!r}", "there are " + ", ".join(self.configs)
            )
        chosen = [file for file in files if split in (None, file.split)]
        if not chosen:
            there = ", ".join(dict.fromkeys(file.split for file in files))
            raise DatasetError(
                self.folder, f"{config} has no split {split!r}", f"there are {there}"
            )
        return chosen

    def _sources(self, config: Optional[str]) -> List[str]:
        """The configs that the text of a question may be taken from, the nearest first."""
        if config is not None and config not in self._behind:
            self._files(config, None)
            self._behind[config] = manifests.configs_behind(self.manifest, config)
        return self._behind.get(config or "") or self.configs

    def _find(self, question: str, config: Optional[str]) -> Tuple[str, Dict[str, Any]]:
        files = self.manifest.files if config is None else self._files(config, None)
        found: Optional[Tuple[str, Dict[str, Any]]] = None
        near: List[str] = []
        for file in files:
            at = compute.index(self._questions(file), question).as_py()
            if at < 0:
                if found is None and not near:
                    near = self._like(file, question)
                continue
            row = row_at(file.path, at)
            if found is None:
                found = file.config, row
            elif found[1].get("context_symbols") != row.get("context_symbols"):
                raise DatasetError(
                    self.folder,
                    f"{question!r} stands in {found[0]} and, with another text, in {file.config}",
                    "say which is meant: config=NAME",
                )
        if found is None:
            hint = f"did you mean {near[0]!r}?" if near else None
            raise DatasetError(self.folder, f"no question {question!r}", hint)
        return found

    def _questions(self, file: manifests.File) -> pyarrow.ChunkedArray:
        """The ids of the questions in a file; none if it has no questions."""
        if file.path not in self._ids:
            self._ids[file.path] = pyarrow.chunked_array([], pyarrow.string())
            with reading(file.path):
                reader = parquet.ParquetFile(file.path)
                for name in ("question_id", "context_id"):
                    if name in reader.schema_arrow.names:
                        self._ids[file.path] = reader.read([name])[name]
        return self._ids[file.path]

    def _like(self, file: manifests.File, question: str) -> List[str]:
        ids = self._questions(file)
        same = compute.starts_with(ids, question.split("/")[0] + "/")
        return difflib.get_close_matches(question, ids.filter(same).to_pylist()[:10_000], 1)

    @property
    def _contexts(self) -> _storymill.Contexts:
        if self._texts is None:
            self._texts = _storymill.Contexts(self.folder)
        return self._texts

    def _read(self, row: Mapping[str, Any], configs: List[str]) -> str:
        """What is read before the question of a row."""
        return self._contexts.of(json.dumps(dict(row)), configs)

    def _prompt(self, row: Mapping[str, Any], context: str) -> str:
        return self._contexts.prompt(json.dumps(dict(row)), context) + "\n"
