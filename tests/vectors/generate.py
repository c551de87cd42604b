"""`python -m tests.vectors.generate` writes the vectors; with `--check` it compares them with what is there.

Everything comes from fixed seeds, so a difference is a change of the protocol, the rules or an encoding.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.vectors.matches import transcripts
from tests.vectors.small import files

FOLDER = Path(__file__).parent


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def everything() -> Iterator[tuple[str, bytes]]:
    """Every file of vectors: its name in this folder, and its bytes."""
    for name, value in files():
        yield name, _json(value)
    index = {}
    for name, data, case in transcripts():
        index[name] = case
        yield f"transcripts/{name}.p2ps", data
    yield "transcripts.json", _json(index)


def check() -> list[str]:
    """What differs from the files in the folder: a sentence for each."""
    made = dict(everything())
    kept = {
        str(path.relative_to(FOLDER)): path.read_bytes()
        for path in FOLDER.rglob("*")
        if path.is_file() and path.suffix in (".json", ".p2ps")
    }
    changed = [f"{name} differs" for name in sorted(made.keys() & kept.keys()) if made[name] != kept[name]]
    missing = [f"{name} is missing" for name in sorted(made.keys() - kept.keys())]
    return [
        *changed,
        *missing,
        *(f"{name} is not made any more" for name in sorted(kept.keys() - made.keys())),
    ]


def write() -> None:
    """Replace the files in the folder."""
    for path in FOLDER.rglob("*.p2ps"):
        path.unlink()
    for name, data in everything():
        path = FOLDER / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)


def main(arguments: list[str]) -> int:
    if arguments != ["--check"]:
        write()
        return 0
    differences = check()
    for difference in differences:
        print(f"tests/vectors: {difference}")  # the answer of this program
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
