"""Word lists for the keyword-gated F1: storymill's own, or the user's from a file."""

import json
import string
import unicodedata
from pathlib import Path
from typing import FrozenSet, NamedTuple, Optional, Union

from ..errors import DatasetError

_ASCII = frozenset(string.punctuation)


class WordLists(NamedTuple):
    """Words that say little, and the punctuation of Chinese."""

    name: str
    english: FrozenSet[str]
    chinese: FrozenSet[str]
    punctuation: Optional[FrozenSet[str]]
    """None: every symbol or punctuation mark of Unicode."""

    def clean(self, word: str) -> str:
        """A Chinese word in lower case, without punctuation and spaces."""
        return "".join(
            c for c in word.lower() if not (c in _ASCII or c.isspace() or self._marks(c))
        )

    def _marks(self, symbol: str) -> bool:
        if self.punctuation is not None:
            return symbol in self.punctuation
        return unicodedata.category(symbol)[0] in "PS"


def read(path: Union[str, Path]) -> WordLists:
    """Reads lists from JSON: `blacklist_en`, `blacklist_zh`, `punctuation_zh`, and a free `source`.

    The name holds a checksum of the lists, so that two sets never share a variant.
    """
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
        unknown = set(found) - {"blacklist_en", "blacklist_zh", "punctuation_zh", "source"}
        if unknown:
            raise KeyError(f"unknown field {min(unknown)}")
        english, chinese = frozenset(found["blacklist_en"]), frozenset(found["blacklist_zh"])
        punctuation = frozenset(found["punctuation_zh"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DatasetError(path, f"cannot read the word lists: {error}") from error
    parts = [*sorted(english), "", *sorted(chinese), "".join(sorted(punctuation))]
    total = 0xCBF29CE484222325
    for byte in b"".join(part.encode() + b"\0" for part in parts):
        total = ((total ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return WordLists(f"lists-{total:016x}", english, chinese, punctuation)


_ENGLISH = """
    i me my mine myself you your yours yourself yourselves he him his himself she her hers
    herself it its itself we us our ours ourselves they them their theirs themselves this that
    these those such same own am is are was were be been being do does did doing done have has
    had having will would shall should can could may might must and or but nor so yet if then
    else because although though while unless until since as than of in on at by for from to
    into onto with without within about above below under over between among through during
    before after against along across behind beside upon near off out up down not no too very
    just only also even still again ever there here what which who whom whose when where why how
"""
"""Pronouns, auxiliaries, prepositions, conjunctions and question words."""

_CHINESE = """
    的 地 得 着 了 过 吗 呢 吧 啊 呀 嘛 之 所 者 是 有 在 为 会 能 可 可以 应 应该 要 将 被 把
    让 使 给 我 你 您 他 她 它 我们 你们 他们 她们 它们 自己 这 那 这个 那个 这些 那些 此 其 该 各
    每 什么 谁 哪 哪里 怎么 为什么 多少 几 和 与 及 以及 或 或者 而 而且 但 但是 并 并且 因为 所以
    如果 虽然 由于 因此 然后 首先 其次 于 从 自 由 到 至 向 对 对于 关于 以 用 按 根据 通过 比 跟 同
    除了 不 没 没有 也 都 就 才 又 还 再 很 更 最 太 已 已经 正在 只 仅 个 种 一种 一个 些 等 等等
    上 下 中 里 内 外 前 后 时 时候
"""
"""Particles, auxiliaries, pronouns, prepositions, conjunctions, common measure words."""

OURS = WordLists(
    "storymill-lists-1", frozenset(_ENGLISH.split()), frozenset(_CHINESE.split()), None
)
"""Function words of both languages; punctuation by its Unicode category."""
