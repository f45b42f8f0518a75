"""The command, as `storymill` and as `python -m storymill`."""

import sys
from pathlib import Path

from ._storymill import main as run

MODELS = Path(__file__).parent / "models"
"""The models of taggers that came with the package."""


def main() -> int:
    """Runs the command with the arguments of this process."""
    return run(["storymill", *sys.argv[1:]], str(MODELS) if MODELS.is_dir() else None)


if __name__ == "__main__":
    sys.exit(main())
