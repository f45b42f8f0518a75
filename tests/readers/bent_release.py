"""Bends one cell of a release, many times, and counts who notices: `check_release.sql` in DuckDB, which knows nothing of storymill;
`storymill verify`; and `storymill audit`.

    bent_release.py PROGRAM RELEASE [COUNT]

Of a copy of the release one cell is changed: a table, a column, a row and a way to change its value are drawn, each equally likely,
from the tables that questions are asked from. The untouched release must have no finding. The audit notices if it refuses
the folder, or if a figure is another one than of the untouched release. The seed is fixed, so the same cells are bent everywhere.
"""

import collections
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

SQL = Path(__file__).resolve().parents[2] / "integrations" / "check_release.sql"
TABLES = ["books", "books-text", "scenes", "summaries", "distortions", "read-along", "reconstruction", "eval", "eval-small", "prompts"]
LEAST = 0.9


def bent(value, draw, other):
    """Another value of the same type: a number moved, a letter changed, a list changed or shortened, or what another row has."""
    if isinstance(value, bool) or value is None:
        return other
    if isinstance(value, int):
        return draw.choice([value + 1, value - 1, value + 100, other if other != value else value + 2])
    if isinstance(value, str):
        if other != value and draw.random() < 0.4:
            return other
        at = draw.randrange(len(value)) if value else 0
        letter = draw.choice([c for c in "abcdefghij" if value[at : at + 1] != c])
        return value[:at] + letter + value[at + 1 :]
    if isinstance(value, dict):
        name = draw.choice(list(value))
        return {**value, name: bent(value[name], draw, (other or value).get(name))}
    if isinstance(value, list):
        if not value:
            return other
        at = draw.randrange(len(value))
        if draw.random() < 0.2:
            return value[:at] + value[at + 1 :]
        own = bent(value[at], draw, draw.choice(other) if other else value[at])
        return [*value[:at], own, *value[at + 1 :]]
    raise TypeError(type(value))


def bend(folder, draw):
    """Changes one cell of a folder; what was changed."""
    while True:
        table = draw.choice(TABLES)
        file = draw.choice(sorted((folder / table).glob("*.parquet")))
        rows = pq.read_table(file)
        column = draw.choice(rows.column_names)
        if not len(rows):
            continue
        values = rows[column].to_pylist()
        at, donor = draw.randrange(len(values)), draw.randrange(len(values))
        new = bent(values[at], draw, values[donor])
        if new == values[at]:
            continue
        kind = rows.schema.field(column)
        values[at] = new
        place = rows.column_names.index(column)
        rows = rows.set_column(place, kind, pa.array(values, type=kind.type))
        file.unlink()
        pq.write_table(rows, file)
        return table, column


def findings(folder):
    here = Path.cwd()
    os.chdir(folder)
    try:
        return duckdb.connect().execute(SQL.read_text()).fetchall()
    except duckdb.Error as error:
        return [(0, "", str(error)[:80])]
    finally:
        os.chdir(here)


def main(program, release, count):
    assert len(SQL.read_text().splitlines()) <= 200, "the checker is to be read in one go"
    own = findings(release)
    assert own == [], f"the release itself: {own[:5]}"
    code = lambda *words: subprocess.run([program, *words], capture_output=True).returncode

    def audit(folder):
        ran = subprocess.run([program, "audit", str(folder), "--format", "json"], capture_output=True, text=True)
        return ran.returncode, ran.stdout.replace(str(folder), "")

    audited = audit(release)
    assert audited[0] == 0, audited
    draw, seen, tables, missed = random.Random(2026), collections.Counter(), collections.Counter(), collections.Counter()
    for _ in range(count):
        with tempfile.TemporaryDirectory() as work:
            folder = Path(work) / "bent"
            # Links are enough: what is bent is written anew.
            shutil.copytree(release, folder, copy_function=os.link if os.stat(release).st_dev == os.stat(work).st_dev else shutil.copy2)
            table, column = bend(folder, draw)
            found = findings(folder)
            tables[table] += 1
            seen["sql"] += bool(found)
            seen["verify"] += code("verify", str(folder)) != 0
            seen["audit"] += audit(folder) != audited
            if not found:
                missed[f"{table}.{column}"] += 1
    shares = ", ".join(f"{name} {seen[name]} of {count} ({100 * seen[name] / count:.1f} %)" for name in ["sql", "verify", "audit"])
    print(f"one cell of a release bent: noticed by {shares}")
    print("not noticed by the SQL:", ", ".join(f"{name} {times}" for name, times in missed.most_common()) or "none")
    assert seen["sql"] >= LEAST * count and seen["verify"] == count, "too few are noticed"


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: bent_release.py PROGRAM RELEASE [COUNT]")
    main(sys.argv[1], Path(sys.argv[2]).resolve(), int(sys.argv[3]) if len(sys.argv) > 3 else 30)
