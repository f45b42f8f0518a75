"""Scores of predictions: every metric of every row, and the means.

The program scores; here rows and files are handed to it.
"""

import json
import warnings
from pathlib import Path
from typing import Any, Dict, Iterable, Mapping, Optional, Sequence, Union

from . import _storymill
from ._storymill import WordNet, verdict
from .errors import DatasetError, ScoreError

__all__ = ["WordNet", "score", "score_claims", "score_faithfulness", "score_file", "verdict"]


def score(
    rows: Iterable[Mapping[str, Any]],
    *,
    one_reference: bool = False,
    wordnet: Union[str, Path, WordNet, None] = None,
    wordlists: Union[str, Path, None] = None,
    seed: int = 0,
) -> Dict[str, Any]:
    """Scores predictions against references, the best of which counts.

    A row has `prediction`; `reference` or `references`; it may have `keywords`, `language` (`en`
    or `zh`), `id`, `cluster`. Chinese is cut into words by jieba, unless a row brings its own:
    `tokens_prediction`, `tokens_answer`, `tokens_keywords`. `one_reference` refuses rows with several, as
    `storymill score pairs` does. `wordnet` is a WordNet folder for METEOR's synonyms, or a
    `storymill.scoring.WordNet` of one, which is read once; `wordlists` a file for the keyword-gated F1; `seed`
    that of the intervals, which are given where every row names its cluster.

    Raises `ScoreError` with the row's number where a row is not what a row should be.
    """
    lines = []
    for number, row in enumerate(rows, start=1):
        try:
            lines.append(json.dumps(row, ensure_ascii=False, allow_nan=False))
        except (TypeError, ValueError) as error:
            raise ScoreError(number, str(error)) from error
    return _table("\n".join(lines), one_reference, wordnet, wordlists, seed)


def score_file(
    path: Union[str, Path],
    *,
    one_reference: bool = False,
    wordnet: Union[str, Path, WordNet, None] = None,
    wordlists: Union[str, Path, None] = None,
    seed: int = 0,
) -> Dict[str, Any]:
    """Scores a file of JSON lines, as `storymill score answers FILE` does."""
    return _table(_text(path), one_reference, wordnet, wordlists, seed)


def score_claims(path: Union[str, Path], common: Sequence[str] = ()) -> Dict[str, Any]:
    """Scores every `response-*` field of a file as NoCha's `data_sample.json`.

    `common` names the systems whose answered pairs make up the common set. The result is that of
    `storymill score claims FILE --format json`.
    """
    return dict(json.loads(_storymill.claims(_text(path), list(common))))


def score_faithfulness(
    labels: Union[str, Path],
    predictions: Sequence[Union[str, Path]],
    allow_missing: bool = False,
) -> Dict[str, Any]:
    """Scores files of predictions, one judge each, against StorySumm's labels.

    A prediction is `{"label": 0 or 1}` or `{"probs": number}`; where every entry has a label, that
    counts, else the threshold is tuned on the split `val`. A summary that a judge says nothing of
    counts as judged wrongly, unless `allow_missing` leaves it out. The result is that of `storymill score
    faithfulness LABELS PREDICTIONS... --format json`.
    """
    stems = [Path(path).stem for path in predictions]
    judges = [
        (stem if stems.count(stem) == 1 else str(path), _text(path))
        for stem, path in zip(stems, predictions)
    ]
    return dict(json.loads(_storymill.faithfulness(_text(labels), judges, allow_missing)))


def _table(
    lines: str,
    one_reference: bool,
    wordnet: Union[str, Path, WordNet, None],
    wordlists: Union[str, Path, None],
    seed: int,
) -> Dict[str, Any]:
    table: Dict[str, Any] = json.loads(
        _storymill.answers(
            lines,
            one_reference=one_reference,
            wordnet=WordNet(wordnet) if isinstance(wordnet, (str, Path)) else wordnet,
            wordlists=None if wordlists is None else _text(wordlists),
            seed=seed,
        )
    )
    rejects = table["rejects"]
    if rejects:
        given = len(table["rows"]) + len(rejects)
        first = f"the first is row {rejects[0]['line']}: {rejects[0]['reason']}"
        warnings.warn(f"{len(rejects)} of {given} rows not scored; {first}", stacklevel=3)
    return table


def _text(path: Union[str, Path]) -> str:
    try:
        return Path(path).read_bytes().decode("utf-8")
    except OSError as error:
        raise DatasetError(path, f"cannot be read: {error}") from error
    except UnicodeDecodeError as error:
        raise DatasetError(path, "not UTF-8 text") from error
