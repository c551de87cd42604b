"""Figures of a home folder with thousands of games: how soon the lists of them are there."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import Sampler, rounds, timed
from benchmarks.report import Figure, at_most
from p2p_stratego.core.game import Seat
from p2p_stratego.registry import GAMES
from protocol.crypto.keys import Identity
from protocol.record import endings, genesis, statements
from protocol.record.genesis import Player
from protocol.record.statements import Content, Kind
from protocol.storage.home import ID_DIGITS, Home
from protocol.wire import labels, transcript
from protocol.wire.encoding import STATEMENT, Frame

GAME = GAMES["spies-and-lies"]
SAVED = 2000
ROUNDS = 7


def resigned(own: Identity, other: Identity, rng: random.Random) -> tuple[str, bytes]:
    """The id and the transcript of a match that `own` resigned before anything else."""
    identities = (own, other)
    players = tuple(
        Player(identity.key, name, rng.randbytes(32), rng.randbytes(32))
        for identity, name in zip(identities, ("Ada", "Ben"), strict=True)
    )
    begun = genesis.make(GAME, {}, players)
    end = statements.end_content(endings.resigned(len(players), 0))
    said: list[tuple[Seat, Kind, Content]] = [
        *((seat, Kind.AGREE, ()) for seat in range(len(players))),
        (0, Kind.RESIGN, ()),
        *((seat, Kind.END, end) for seat in range(len(players))),
    ]
    log, made = [], [(0, begun.id), (0, begun.id)]
    for seat, kind, content in said:
        body = statements.body(seat, made[seat], (0, begun.id), kind, content)
        signature = identities[seat].sign(labels.SIGN_STATEMENT, begun.id + body)
        log.append(Frame(STATEMENT, body + signature))
        made[seat] = made[seat][0] + 1, statements.statement_hash(body)
    return begun.id.hex()[:ID_DIGITS], transcript.write(begun.body, log)


def fill(path: Path, count: int) -> None:
    """A home folder with `count` finished games."""
    rng = random.Random(1)
    with Home(path) as home:
        own = home.identity()
    other = Identity(rng.randbytes(32))
    for _ in range(count):
        id_, data = resigned(own, other, rng)
        folder = path / "games" / id_
        folder.mkdir(mode=0o700, parents=True)
        (folder / "transcript.p2ps").write_bytes(data)


def asking(home: Path, *command: str) -> Sampler:
    """The wall-clock time of a command that nobody answers."""
    line = [sys.executable, "-m", "cli", "--home", str(home), *command]
    environment = os.environ | {"TERM": "dumb"}
    return timed(
        lambda: subprocess.run(
            line, check=False, capture_output=True, stdin=subprocess.DEVNULL, env=environment
        )
    )


def figures() -> list[Figure]:
    """All figures of this room."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        fill(home, SAVED)
        names = {"start menu": (), "games": ("games",), "resume": ("resume",)}
        first = asking(home, "games")()
        measured = rounds(ROUNDS, *(asking(home, *command) for command in names.values()))
    made = f"{first:.2f} s without an index"
    return [
        Figure(f"{name}, {SAVED:,} games saved", measure, _seconds, made, at_most(measure, 0.5, "< 0.5 s"))
        for name, measure in zip(names, measured, strict=True)
    ]


def _seconds(value: float) -> str:
    return f"{value:.3f} s"
