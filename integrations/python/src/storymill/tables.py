"""Files of tables: rows of a book, single rows, and what the Parquet reader says of bad files."""

from pathlib import Path
from typing import Any, Dict

import pyarrow
import pyarrow.parquet as parquet

from .errors import DatasetError
from .manifest import File


def row_at(path: Path, at: int) -> Dict[str, Any]:
    """The row at a position in a file, from 0."""
    with reading(path):
        reader = parquet.ParquetFile(path)
        for group in range(reader.num_row_groups):
            rows = reader.metadata.row_group(group).num_rows
            if at < rows:
                return dict(reader.read_row_group(group).slice(at, 1).to_pylist()[0])
            at -= rows
    raise DatasetError(path, "it has fewer rows than ids")


def counted(file: File, rows: int) -> None:
    """Refuses a file that has not as many rows as the manifest says."""
    if rows != file.rows:
        raise DatasetError(file.path, f"it has {rows} rows, the manifest says {file.rows}")


class reading:
    """Turns what the Parquet reader says of a file into an error that names the file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        if not self.path.is_file():
            raise DatasetError(self.path, "the manifest lists it, but it is not there")

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, (pyarrow.ArrowException, OSError)):
            raise DatasetError(self.path, f"cannot be read: {error}", "storymill verify") from error
