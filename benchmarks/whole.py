"""Whole matches of the games with decks, five bots in processes of their own, and the audit of the record."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from benchmarks.measure import Sampler, exact, rounds, timed
from benchmarks.report import Figure, whole
from cli.commands.audit import hold_on_all_cores
from cli.shell.workers import cores
from p2p_stratego.core.game import Game
from p2p_stratego.registry import GAMES
from protocol.audit.verdict import Proving, Verdict, audit
from protocol.crypto.proofs.checking import forget

SEATS: Final = 5
AUDITS: Final = 3


def audits(name: str, data: bytes, games: Mapping[str, Game[Any]]) -> list[Figure]:
    """A match that all have signed at the end: by hashes alone, and with every proof."""

    def checked(proving: Proving) -> Sampler:
        def check() -> None:
            forget()
            if audit(data, games, proving=proving).verdict is not Verdict.COMPLETE:
                raise RuntimeError("the match is not complete")

        return timed(check)

    ways = {
        "hashes alone": Proving(),
        "every proof, on one core": Proving(every=True),
        f"every proof, on {cores()}": Proving(every=True, hold=hold_on_all_cores),
    }
    taken = rounds(AUDITS, *map(checked, ways.values()))
    return [
        Figure(
            f"{'  and with' if number else f'audit of {name}:'} {way}", measure, seconds, f"{len(data):,} B"
        )
        for number, (way, measure) in enumerate(zip(ways, taken, strict=True))
    ]


def seconds(took: float) -> str:
    """`took` for people."""
    return f"{took:.2f} s"


def _demo(name: str) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-P", "-m", "cli", "demo", "--home", folder, "--game", name]
        command += ["--seats", str(SEATS), "--level", "recruit", "--json"]
        told = subprocess.run(command, check=True, capture_output=True, text=True)
        found = json.loads(told.stdout.splitlines()[-1])
        data = Path(found["transcripts"][0]).read_bytes()
    return [
        Figure(f"{name}: a whole demo of {SEATS}", exact(found["seconds"]), seconds),
        Figure("  its entries", exact(found["entries"]), whole),
        Figure("  its bytes", exact(found["bytes"]), whole),
        *audits("it", data, GAMES),
    ]


def figures() -> list[Figure]:
    """All figures of this room."""
    return [figure for name, game in GAMES.items() if game.needs_proofs for figure in _demo(name)]
