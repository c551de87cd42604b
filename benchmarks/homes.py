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
from p2p_stratego.registry import GAMES
from protocol.crypto.keys import Identity
from protocol.record import genesis
from protocol.record.genesis import Player
from protocol.seat.effects import Duty
from protocol.seat.secrets import MatchSecrets
from protocol.seat.session import Session
from protocol.storage.home import ID_DIGITS, Home
from protocol.wire import transcript
from protocol.wire.encoding import Frame, read_frame

SAVED = 2000
ROUNDS = 7


def resigned(own: Identity, rng: random.Random) -> tuple[str, bytes]:
    """The id and the transcript of a match that `own` resigned at once."""
    game = GAMES["spies-and-lies"]
    identities = [own, Identity(rng.randbytes(32))]
    secrets = [MatchSecrets(rng.randbytes(32)) for _ in identities]
    players = tuple(
        Player(identities[seat].key, name, secrets[seat].nonce, secrets[seat].links(seat, game.most_rolls)[0])
        for seat, name in enumerate(("Ada", "Ben"))
    )
    begun = genesis.make(game, {}, players)
    one, two = (Session(begun, seat, identities[seat], secrets[seat]) for seat in range(2))
    log: list[Frame] = []

    def carry() -> None:
        for giver, taker in ((one, two), (two, one)):
            for output in giver.outputs():
                if output.duty is Duty.SEND and (frame := read_frame(output.data, 0)) is not None:
                    log.append(frame)
                    taker.receive(frame)

    for session in (one, two):
        session.agree()
    carry()
    for session in (one, two):
        session.go_live()
    one.resign()
    carry()
    carry()
    return begun.id.hex()[:ID_DIGITS], transcript.write(begun.body, log)


def fill(path: Path, count: int) -> None:
    """A home folder with `count` finished games."""
    rng = random.Random(1)
    with Home(path) as home:
        own = home.identity()
    for _ in range(count):
        id_, data = resigned(own, rng)
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
