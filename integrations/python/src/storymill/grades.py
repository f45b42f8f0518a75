"""A folder of results: what models answered to a dataset, and what the answers are worth.

    found = storymill.results("out/my-results")
    found.accuracy(model="gpt", setting="full", form="options")
    found.curve(by="tokens", model="gpt", setting="full", form="options")

Every question that was put to a model stays in the denominator, however its asking ended: refused, cut, too long.
Means are over one model, one setting, one form and one config: what is not said and not the only one is refused.
"""

from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import pyarrow
import pyarrow.compute as compute

from . import curve as curves
from .curve import Bin
from .dataset import Dataset
from .errors import DatasetError
from . import bootstrap

STATUSES = ("answered", "unparsed", "refused", "cut", "does-not-fit", "failed")
"""How the asking of one question can end."""

_KEYS = ("config", "model", "setting", "form")


class Share(NamedTuple):
    """A mean over all questions that were asked."""

    mean: Optional[float]
    interval: Optional[Tuple[float, float]]
    """95 %, by resampling authors; none for fewer than five."""
    rows: int
    authors: int
    """How many there are to resample: an interval over few of them is too narrow."""


def results(folder: Union[str, Path]) -> "Results":
    """Opens a folder of results."""
    return Results(Dataset(folder))


class Results:
    """The grades of a folder of results, and the answers beside them."""

    def __init__(self, data: Dataset) -> None:
        if "grades" not in data.configs:
            raise DatasetError(
                data.folder,
                "no config 'grades': this is not a folder of results",
                "storymill evaluate",
            )
        self.data = data
        self.table: pyarrow.Table = data.load("grades")
        """The grades, a row for each question, model and setting."""

    def __repr__(self) -> str:
        return f"<storymill.Results {self.data.manifest.name}, {self.table.num_rows} grades>"

    @property
    def answers(self) -> pyarrow.Table:
        """What the models wrote."""
        return self.data.load("answers")

    def to_pandas(self) -> Any:
        """The grades as a data frame, where pandas is installed."""
        return self.table.to_pandas()

    def values(self, column: str) -> List[str]:
        """What stands in a column, each once, in order: `values("model")`."""
        return sorted(set(self._column(self.table, column)))

    def accuracy(self, measure: str = "score", seed: int = 0, **only: str) -> Share:
        """The mean score: for options and verdicts the share that is right, for free text the first measure.

        `measure` may name another one: `rouge_l`, `copy_rouge_l`, `meteor`, `copy_meteor`, `em`, `f1`, `keyword_f1`.
        `only` says which rows, by column: `model=`, `setting=`, `form=`, `config=`, `kind=`, `of=`.
        """
        rows = self._chosen(only)
        scored = list(zip(self._clusters(rows), self._scores(rows, measure)))
        return _share(scored, seed)

    def pairs(self, seed: int = 0, **only: str) -> Share:
        """Pairs of claims of which both were judged right."""
        rows = self._chosen({**only, "form": "verdict"})
        halves: Dict[Tuple[str, str], List[float]] = {}
        names = zip(self._clusters(rows), self._column(rows, "pair"))
        for pair, score in zip(names, self._scores(rows)):
            halves.setdefault(pair, []).append(score)
        whole = {pair: scores for pair, scores in halves.items() if len(scores) == 2}
        return _share([(pair[0], float(min(scores))) for pair, scores in whole.items()], seed)

    def statuses(self, **only: str) -> Dict[str, int]:
        """How many askings ended how. Their sum is the denominator of `accuracy`."""
        told = self._column(self._chosen(only), "status")
        return {status: told.count(status) for status in STATUSES}

    def curve(
        self, by: str = "tokens", none_of_the_above: bool = False, seed: int = 0, **only: str
    ) -> List[Bin]:
        """Mean scores by how far back the answer lies, in bins that double; intervals resample authors.

        `by` is a unit, `scenes`, `words`, `symbols` or `tokens`, or the name of a column of lengths
        (`context_words`). Questions of which none of the above is right have no answer that lies
        anywhere, so they are left out, unless `none_of_the_above` is true: then they count for all
        that was read, as they do in a report.
        """
        rows = self._chosen(only)
        if not none_of_the_above:
            rows = rows.filter(compute.equal(rows["none_of_the_above"].cast(pyarrow.int64()), 0))
        lengths = self._column(rows, self._length(by))
        kept = [
            (length, cluster, score)
            for length, cluster, score in zip(lengths, self._clusters(rows), self._scores(rows))
            if length is not None
        ]
        return curves.curve(kept, seed)

    def _chosen(self, only: Dict[str, str]) -> pyarrow.Table:
        rows = self.table
        for column, value in only.items():
            known = set(self._column(self.table, column))
            if value not in known:
                there = ", ".join(sorted(map(str, known)))
                raise DatasetError(self.data.folder, f"no {column} {value!r}", f"there are {there}")
            rows = rows.filter(compute.equal(rows[column], value))
        for key in _KEYS:
            several = sorted(set(self._column(rows, key)))
            if len(several) > 1:
                raise DatasetError(
                    self.data.folder,
                    f"these rows have several values of {key}, which no mean goes over",
                    "say which: " + ", ".join(f"{key}={value!r}" for value in several),
                )
        return rows

    def _length(self, by: str) -> str:
        names = [
            name for name in self.table.column_names if name.startswith(("demand_", "context_"))
        ]
        for name in (by, f"demand_{by}"):
            if name in names:
                return str(name)
        tokens = [name for name in names if by == "tokens" and name.startswith("demand_tokens_")]
        if not tokens:
            raise DatasetError(
                self.data.folder, f"no length {by!r}", "there are " + ", ".join(names)
            )
        return str(tokens[-1])

    def _column(self, rows: pyarrow.Table, name: str) -> List[Any]:
        if name not in rows.column_names:
            raise DatasetError(self.data.folder, f"the grades have no column {name!r}")
        return list(rows[name].to_pylist())

    def _clusters(self, rows: pyarrow.Table) -> List[str]:
        return [
            author or book
            for author, book in zip(self._column(rows, "author"), self._column(rows, "of"))
        ]

    def _scores(self, rows: pyarrow.Table, measure: str = "score") -> List[float]:
        """In units of one. What was not answered counts as nothing; what was has to be measured."""
        told = zip(self._column(rows, f"{measure}_ppm"), self._column(rows, "status"))
        scores = []
        for ppm, status in told:
            if ppm < 0 and status == "answered":
                raise DatasetError(self.data.folder, f"{measure} is not measured in these rows")
            scores.append(max(ppm, 0) / 1_000_000)
        return scores


def _share(scored: List[Tuple[str, float]], seed: int) -> Share:
    mean = bootstrap.mean([score for _, score in scored])
    interval = bootstrap.interval(scored, seed)
    ends = None if interval is None else (interval["low"], interval["high"])
    return Share(mean, ends, len(scored), len({author for author, _ in scored}))
