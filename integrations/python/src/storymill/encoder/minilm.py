"""all-MiniLM-L6-v2 in numpy: BERT with 6 layers of 384, the mean over words, length one.

Wang et al. 2020, "MiniLM"; the sentence encoder is that of Reimers and Gurevych 2019, "Sentence-BERT".
"""

import hashlib
from math import sqrt
from pathlib import Path
from typing import Any, Dict, List, Sequence

import numpy
from safetensors.numpy import load
from tokenizers import Tokenizer

from ..errors import DatasetError

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""The weights as sentence-transformers published them."""
LAYERS, WIDTH, HEADS = 6, 384, 12
LONGEST = 256
"""Tokens of a text; the rest is not read."""
AT_ONCE = 32


class MiniLm:
    """The encoder, with its weights in memory."""

    def __init__(self, folder: Path) -> None:
        path = folder / "model.safetensors"
        weights = path.read_bytes()
        if hashlib.sha256(weights).hexdigest() != SHA256:
            raise DatasetError(path, "these are not the weights of all-MiniLM-L6-v2")
        self._weights: Dict[str, Any] = {
            name: value.astype(numpy.float32) if value.dtype.kind == "f" else value
            for name, value in load(weights).items()
        }
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(LONGEST)
        self._tokenizer.no_padding()

    def __call__(self, texts: Sequence[str]) -> Any:
        """A row of 384 numbers for each text, of length one."""
        ids = [one.ids for one in self._tokenizer.encode_batch(list(texts))]
        # Texts of like length go together, so that little is padded.
        order = sorted(range(len(ids)), key=lambda at: len(ids[at]))
        out = numpy.zeros((len(ids), WIDTH), dtype=numpy.float32)
        for start in range(0, len(order), AT_ONCE):
            some = order[start : start + AT_ONCE]
            out[some] = self._batch([ids[at] for at in some])
        return out

    def _batch(self, ids: List[List[int]]) -> Any:
        longest = max(len(one) for one in ids)
        padded = numpy.array([one + [0] * (longest - len(one)) for one in ids])
        there = numpy.array([[1.0] * len(one) + [0.0] * (longest - len(one)) for one in ids])
        hidden = self._embedded(padded)
        shut = ((1.0 - there) * -1e9)[:, None, None, :].astype(numpy.float32)
        for layer in range(LAYERS):
            hidden = self._layer(f"encoder.layer.{layer}.", hidden, shut)
        weight = there[:, :, None].astype(numpy.float32)
        mean = (hidden * weight).sum(axis=1) / weight.sum(axis=1)
        return mean / numpy.linalg.norm(mean, axis=1, keepdims=True)

    def _embedded(self, ids: Any) -> Any:
        part = "embeddings."
        words = self._weights[part + "word_embeddings.weight"][ids]
        places = self._weights[part + "position_embeddings.weight"][: ids.shape[1]]
        kinds = self._weights[part + "token_type_embeddings.weight"][0]
        return self._normal(part + "LayerNorm", words + places + kinds)

    def _layer(self, part: str, hidden: Any, shut: Any) -> Any:
        some, long, _ = hidden.shape

        def heads(name: str) -> Any:
            told = self._linear(part + "attention.self." + name, hidden)
            return told.reshape(some, long, HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)

        scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / sqrt(WIDTH // HEADS) + shut
        scores = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        seen = (scores @ heads("value")).transpose(0, 2, 1, 3).reshape(some, long, WIDTH)
        seen = self._linear(part + "attention.output.dense", seen)
        hidden = self._normal(part + "attention.output.LayerNorm", seen + hidden)
        wide = _gelu(self._linear(part + "intermediate.dense", hidden))
        wide = self._linear(part + "output.dense", wide)
        return self._normal(part + "output.LayerNorm", wide + hidden)

    def _linear(self, name: str, values: Any) -> Any:
        return values @ self._weights[name + ".weight"].T + self._weights[name + ".bias"]

    def _normal(self, name: str, values: Any) -> Any:
        centred = values - values.mean(axis=-1, keepdims=True)
        spread = numpy.sqrt((centred * centred).mean(axis=-1, keepdims=True) + 1e-12)
        return centred / spread * self._weights[name + ".weight"] + self._weights[name + ".bias"]


def _gelu(values: Any) -> Any:
    """x times the normal distribution up to x, with the error function of Abramowitz and Stegun 7.1.26 (1.5e-7)."""
    scaled = numpy.abs(values) * numpy.float32(1 / sqrt(2))
    step = 1 / (1 + numpy.float32(0.3275911) * scaled)
    poly = numpy.float32(1.061405429)
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        poly = poly * step + numpy.float32(factor)
    error = 1 - poly * step * numpy.exp(-scaled * scaled)
    return values * 0.5 * (1 + numpy.sign(values) * error)
