"""Validates the description of a release with MLCommons' own library, and reads its rows by it.

    croissant.py RELEASE

`mlcroissant` checks `croissant.json` against Croissant 1.1. Then every record set is read through
it: the rows must be as many as manifest.json says, and the first ones, records in lists included,
the same as pyarrow reads. CITATION.cff is checked by `cffconvert` against its schema.
"""

import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path


def main(folder):
    import mlcroissant

    path = folder / "croissant.json"
    dataset = mlcroissant.Dataset(path)
    issues = dataset.metadata.ctx.issues
    wrong = [*issues.errors, *issues.warnings]
    version = dataset.metadata.ctx.conforms_to.value
    if not version.endswith("/1.1"):
        wrong.append(f"it conforms to {version}")
    for field in ["data_collection", "data_collection_type", "data_annotation_protocol", "data_biases", "data_limitations",
                  "data_use_cases", "data_social_impact", "personal_sensitive_information", "data_release_maintenance_plan"]:
        if not getattr(dataset.metadata, field):
            wrong.append(f"no {field}")
    written = json.loads(path.read_text())
    wrong += [f"no {field}" for field in ["prov:wasDerivedFrom", "prov:wasGeneratedBy", "rai:hasSyntheticData"] if field not in written]
    manifest = json.loads((folder / "manifest.json").read_text())
    described = {one.id: one for one in dataset.metadata.distribution}
    for file in manifest["files"]:
        own = described.get(file["path"])
        if own is None or own.sha256 != file["sha256"]:
            wrong.append(f"{file['path']} is not described as it is")
    total = 0
    sets = {one.id: one for one in dataset.metadata.record_sets}
    for config in dict.fromkeys(file["config"] for file in manifest["files"]):
        listed = sum(file["rows"] for file in manifest["files"] if file["config"] == config)
        found = 0
        if listed:
            for row in dataset.records(config):
                if found == 0:
                    wrong += first_row(folder, manifest, config, row)
                found += 1
        elif config not in sets:
            wrong.append(f"{config} is not described")
        if found != listed:
            wrong.append(f"{config}: {found} rows instead of {listed}")
        total += found
    print(f"mlcroissant {metadata.version('mlcroissant')}: {total} rows, {len(sets)} record sets", *wrong, sep="; ")
    cff = subprocess.run(
        [Path(sys.executable).with_name("cffconvert"), "--validate", "-i", folder / "CITATION.cff"],
        capture_output=True,
        text=True,
    )
    if cff.returncode:
        wrong.append("CITATION.cff is not valid")
    print("cffconvert:", (cff.stdout + cff.stderr).strip().splitlines()[-1])
    return 1 if wrong else 0


def first_row(folder, manifest, config, row):
    """The first row as the description reads it, against the same row by pyarrow."""
    import pyarrow.dataset

    table = pyarrow.dataset.dataset(folder / config, format="parquet").to_table().to_pylist()
    key = f"{config}/{next(iter(table[0]))}"
    rows = [own for own in table if own[key.split("/")[-1]] == plain(row[key])]
    if len(rows) != 1:
        return [f"{config} has no row {row[key]}"]
    wrong = []
    for column, value in rows[0].items():
        seen = row.get(f"{config}/{column}")
        if isinstance(value, list) and value and isinstance(value[0], dict):
            prefix = f"{config}/{column}/"
            seen = [{k.removeprefix(prefix): plain(v) for k, v in one.items()} for one in seen]
        elif isinstance(value, list):
            seen = [plain(one) for one in seen]
        else:
            seen = plain(seen)
        if seen != value:
            wrong.append(f"{config}.{column} is {seen!r:.80} instead of {value!r:.80}")
    return wrong


def plain(value):
    return value.decode() if isinstance(value, bytes) else value


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: croissant.py RELEASE")
    sys.exit(main(Path(sys.argv[1]).resolve()))
