"""Scores of predictions: every metric of every row, and the means.

The numbers are those of `storymill score answers --format json`, to the last digit.
"""

import warnings
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from ..errors import ScoreError
from . import bootstrap, keyword, lists, rouge, rows, text, treebank
from .claims import score_claims
from .faithfulness import score_faithfulness
from .meteor import meteor
from .rows import Given
from .wordnet import WordNet

__all__ = ["score", "score_claims", "score_faithfulness", "score_file"]

Scores = List[Optional[float]]

NAMES = [
    "em",
    "f1",
    "f1_hotpot",
    "rouge1",
    "rouge2",
    "rougeL",
    "rouge1_stem",
    "rouge2_stem",
    "rougeL_stem",
    "rougeL_unique",
    "meteor",
    "keyword_f1_as_released",
    "keyword_f1_as_in_paper",
    "precision",
    "recall",
]
"""The metrics, in the order of each row's scores."""


def score(
    rows_: Iterable[Mapping[str, Any]],
    *,
    one_reference: bool = False,
    wordnet: Union[str, Path, WordNet, None] = None,
    wordlists: Union[str, Path, None] = None,
    seed: int = 0,
) -> Dict[str, Any]:
    """Scores predictions against references, the best of which counts.

    A row has `prediction`; `reference` or `references`; it may have `keywords`, `language` (`en`
    or `zh`), `id`, `cluster`, and for Chinese the words themselves: `tokens_prediction`,
    `tokens_answer`, `tokens_keywords`. Nothing here cuts Chinese, as the program does: a row without
    its words is a reject, of which a warning tells. `one_reference` refuses rows with several, as `storymill score pairs` does. `wordnet`
    is a WordNet folder for METEOR's synonyms, `wordlists` a file for the keyword-gated F1, `seed`
    that of the intervals, which are given where every row names its cluster.

    Raises `ScoreError` with the row's number where a row is not what a row should be.
    """
    return _table(rows.of_rows(rows_), one_reference, wordnet, wordlists, seed)


def score_file(
    path: Union[str, Path],
    *,
    one_reference: bool = False,
    wordnet: Union[str, Path, WordNet, None] = None,
    wordlists: Union[str, Path, None] = None,
    seed: int = 0,
) -> Dict[str, Any]:
    """Scores a file of JSON lines, as `storymill score answers FILE` does."""
    return _table(rows.of_file(path), one_reference, wordnet, wordlists, seed)


def _table(
    given: List[Given],
    one_reference: bool,
    wordnet: Union[str, Path, WordNet, None],
    wordlists: Union[str, Path, None],
    seed: int,
) -> Dict[str, Any]:
    several = [row for row in given if one_reference and len(row.references) > 1]
    if several:
        count = len(several[0].references)
        raise ScoreError(several[0].line, f"a pair has one reference, not {count}")
    net = WordNet(wordnet) if isinstance(wordnet, (str, Path)) else wordnet
    own = lists.OURS if wordlists is None else lists.read(wordlists)
    scored: List[Dict[str, Any]] = []
    rejects: List[Dict[str, Any]] = []
    for row in given:
        reason = _why_not(row)
        if reason is not None:
            rejects.append({"line": row.line, "reason": reason})
            continue
        scores = _english(row, net, own) if row.language == "en" else _chinese(row, own)
        scored.append({"line": row.line, "id": row.id, "cluster": row.cluster, "scores": scores})
    if rejects:
        first = f"the first is row {rejects[0]['line']}: {rejects[0]['reason']}"
        warnings.warn(f"{len(rejects)} of {len(given)} rows not scored; {first}", stacklevel=3)
    columns = [_column(at, variant, scored, seed) for at, variant in enumerate(_variants(net, own))]
    return {"columns": columns, "rows": scored, "rejects": rejects, "dictionary": None}


def _why_not(row: Given) -> Optional[str]:
    if any(text.blank(reference) for reference in row.references):
        return "a reference is empty"
    if row.language == "zh":
        wanted = [row.tokens_prediction, row.tokens_answer]
        if row.keywords is not None:
            wanted.append(row.tokens_keywords)
        if None in wanted:
            return "a Chinese row without its words, and nothing to cut it with"
    return None


def _variants(net: Optional[WordNet], own: lists.WordLists) -> List[str]:
    meteors = f"meteor+wordnet-{net.version}" if net else "meteor-without-synonyms"
    return [
        "squad-exact-match",
        "squad-f1",
        "hotpotqa-f1",
        *["rouge-score-0.1.2"] * 3,
        *["rouge-score-0.1.2+porter"] * 3,
        "rouge-1.0.1",
        f"nltk-3.9-{meteors}",
        f"lveval-keyword-f1-as-released+{own.name}",
        f"lveval-keyword-f1-as-in-paper+{own.name}",
        *["squad-f1"] * 2,
    ]


def _column(at: int, variant: str, scored: Sequence[Dict[str, Any]], seed: int) -> Dict[str, Any]:
    have = [row for row in scored if row["scores"][at] is not None]
    clustered = [(row["cluster"], row["scores"][at]) for row in have if row["cluster"] is not None]
    whole = len(clustered) == len(have)
    return {
        "name": NAMES[at],
        "variant": {"name": variant, "version": 1},
        "rows": len(have),
        "mean": bootstrap.mean([row["scores"][at] for row in have]),
        "interval": bootstrap.interval(clustered, seed) if whole else None,
    }


def _english(row: Given, net: Optional[WordNet], own: lists.WordLists) -> Scores:
    said = row.prediction

    def top(of: Callable[[str], float]) -> float:
        return max(of(reference) for reference in row.references)

    told, cut = text.normal(said), treebank.words(said)
    # Of the reference that the F1 counts, the first of equals.
    plain = max((text.prf(told, text.normal(reference)) for reference in row.references), key=_f1)
    rouges: List[float] = []
    for stem in (False, True):
        words = rouge.words(said, stem)
        each = [rouge.rouge(words, rouge.words(other, stem)) for other in row.references]
        rouges += [max(scores) for scores in zip(*each)]
    return [
        float(any(told == text.normal(reference) for reference in row.references)),
        plain.f1,
        top(lambda reference: text.f1_hotpot(told, text.normal(reference))),
        *rouges,
        top(lambda reference: rouge.rouge_unique(said, reference)),
        top(lambda reference: meteor(cut, treebank.words(reference), net)),
        top(lambda reference: keyword.english(True, own, said, reference, row.keywords)),
        top(lambda reference: keyword.english(False, own, said, reference, row.keywords)),
        plain.precision,
        plain.recall,
    ]


def _f1(found: text.Prf) -> float:
    return found.f1


def _chinese(row: Given, own: lists.WordLists) -> Scores:
    """Of the metrics made for English words only those that LV-Eval has for Chinese."""
    told, expected = row.tokens_prediction or [], row.tokens_answer or []
    wanted = None if row.keywords is None else row.tokens_keywords
    same = "".join(keyword.cleaned(own, told)) == "".join(keyword.cleaned(own, expected))
    scores: Scores = [None] * len(NAMES)
    scores[0] = float(same)
    plain = keyword.chinese_prf(own, told, expected)
    scores[1], scores[13], scores[14] = plain.f1, plain.precision, plain.recall
    scores[9] = rouge.rouge_unique(" ".join(told), " ".join(expected))
    scores[11] = keyword.chinese(True, own, told, expected, wanted)
    scores[12] = keyword.chinese(False, own, told, expected, wanted)
    return scores
