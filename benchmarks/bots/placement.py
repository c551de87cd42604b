"""Where people put pieces: derives p2p_stratego/stratego/bots/placement_data.py from recorded set-ups.

    python -m benchmarks.bots.placement FOLDER

FOLDER holds setups-classic.txt, setups-twenty.txt and setups-barrage.txt, one 40-letter line a set-up, as
p2p_stratego/stratego/formats/setups.py reads them.  Only the shares come into the project, never a set-up.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from p2p_stratego.stratego.bots.placement_data import HALF, half
from p2p_stratego.stratego.formats.diagram import Setup
from p2p_stratego.stratego.formats.setups import read_line
from p2p_stratego.stratego.rules.pieces import FACES, NAMES

FILES = {"barrage": "setups-barrage.txt", "quickplay": "setups-twenty.txt", "classic": "setups-classic.txt"}
PARTS = 1000


def setups(path: Path) -> Iterator[Setup]:
    """Every set-up of one file."""
    return map(read_line, path.read_text(encoding="ascii").split())


def shares(setups: Iterable[Setup]) -> dict[int, list[int]]:
    """By face: how many in a thousand of its pieces stand on each half-place, mirrored ones counted alike."""
    counts = {face: [0] * HALF for face in FACES}
    for setup in setups:
        for place, face in enumerate(setup):
            if face is not None:
                counts[face][half(place)] += 1
    return {
        face: [round(PARTS * number / sum(row)) for number in row] for face, row in counts.items() if any(row)
    }


def main(folder: Path) -> None:
    for name, file in FILES.items():
        print(f"{name}:")
        for face, row in shares(setups(folder / file)).items():
            print(f"{NAMES[face]:10}", " ".join(f"{share:3}" for share in row))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
