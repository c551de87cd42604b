"""The kit as one archive for authors of other implementations: `python -m conformance.archive build`.

It has the specification, all vectors, the runner, and forged matches, whole ones of SPIES! among them.  The
same tree gives the same bytes: names sorted, no time, no owner.
"""

from __future__ import annotations

import argparse
import gzip
import io
import shutil
import sys
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from conformance.forge import cases, write
from conformance.plans import left_spies, whole_spies

ROOT: Final = Path(__file__).resolve().parents[1]
NAME: Final = "p2p-stratego-conformance"
SEED: Final = "kit"
COUNT: Final = 300
SEATS: Final = (2, 3, 5)
"""Of the whole matches of SPIES!."""
PROGRAMS: Final = ("conformance/meet.py", "conformance/run.py")
FROM_HERE: Final = (
    "LICENSE",
    "SPEC.md",
    "spec/*.md",
    "spec/*.pml",
    "docs/scenarios.md",
    "docs/spies.md",
    "docs/spies.svg",
    "docs/stratego.md",
    "conformance/*.md",
    "conformance/vectors/**/*",
    *PROGRAMS,
)


def contents(forged: Path) -> Iterator[tuple[str, bytes]]:
    """Every file by its path below the archive's folder; `forged`: a folder of forged matches."""
    for pattern in FROM_HERE:
        for path in ROOT.glob(pattern):
            if path.is_file():
                yield str(path.relative_to(ROOT)), path.read_bytes()
    for path in forged.rglob("*"):
        if path.is_file():
            yield f"conformance/{path.relative_to(forged)}", path.read_bytes()


def packed(files: Iterator[tuple[str, bytes]]) -> bytes:
    """The files as a tar.gz that depends on nothing else."""
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in sorted(files):
            info = tarfile.TarInfo(f"{NAME}/{name}")
            info.size, info.mode = len(data), 0o755 if name in PROGRAMS else 0o644
            archive.addfile(info, io.BytesIO(data))
    return gzip.compress(tar.getvalue(), mtime=0)


def forge(folder: Path, count: int, seats: Sequence[int]) -> None:
    """Forge what git does not hold: fresh matches, and whole ones of SPIES!."""
    write(folder / "forged", cases(SEED, count))
    if seats:
        whole = [(f"spies-of-{number}", whole_spies(number)) for number in seats]
        write(folder / "spies", [*whole, ("spies-left-of-3", left_spies())])


def main(arguments: Sequence[str]) -> int:
    """The program."""
    parser = argparse.ArgumentParser(prog="python -m conformance.archive", description="Build the archive.")
    parser.add_argument("--count", type=int, default=COUNT, help=f"forged cases ({COUNT})")
    parser.add_argument("--seats", type=int, nargs="*", default=SEATS, help="whole matches of SPIES! (2 3 5)")
    parser.add_argument("folder", type=Path, help="where it is written")
    asked = parser.parse_args(arguments)
    forged = asked.folder / "conformance"
    shutil.rmtree(forged, ignore_errors=True)
    forge(forged, asked.count, asked.seats)
    archive = asked.folder / f"{NAME}.tar.gz"
    archive.write_bytes(packed(contents(forged)))
    print(f"{archive}: {archive.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
