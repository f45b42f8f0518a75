"""A reader that looks up paragraphs by their words (BM25).

storymill evaluate FOLDER --reader "python reader_bm25.py --paragraphs 8 --mock"
"""

import math
import re
from collections import Counter
from typing import List, Tuple

from reader import arguments, paragraphs, serve

K1, B = 1.5, 0.75


class Bm25:
    def __init__(self, most: int) -> None:
        self.most = most

    def reset(self) -> None:
        self.found: List[Tuple[str, Counter]] = []
        self.holding: Counter = Counter()

    def read(self, scene: int, text: str) -> None:
        for paragraph in paragraphs(text):
            counts = Counter(re.findall(r"\w+", paragraph.lower()))
            self.found.append((paragraph, counts))
            self.holding.update(counts.keys())

    def excerpt(self, question: str, options: List[str]) -> str:
        query = set(re.findall(r"\w+", " ".join(options or [question]).lower()))
        mean = sum(sum(counts.values()) for _, counts in self.found) / max(len(self.found), 1)

        def score(counts: Counter) -> float:
            length = K1 * (1 - B + B * sum(counts.values()) / mean)
            rare = {word: math.log(1 + len(self.found) / self.holding[word]) for word in query & counts.keys()}
            return sum(weight * counts[word] * (K1 + 1) / (counts[word] + length) for word, weight in rare.items())

        best = sorted(range(len(self.found)), key=lambda at: -score(self.found[at][1]))[: self.most]
        return "\n\n".join(self.found[at][0] for at in sorted(best))


if __name__ == "__main__":
    parser = arguments("looks up paragraphs")
    parser.add_argument("--paragraphs", type=int, default=8, help="how many")
    args = parser.parse_args()
    serve(Bm25(args.paragraphs), "bm25" + (" mock" if args.mock else ""), args)
