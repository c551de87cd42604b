"""Whole matches in memory, through the real protocol, for the figures to be measured on."""

from __future__ import annotations

import random
from collections import deque
from typing import Any

from p2p_stratego.core.game import Game, Options
from p2p_stratego.registry import make_bot
from protocol.crypto.keys import Identity
from protocol.record import genesis
from protocol.record.evidence import read_record
from protocol.record.genesis import Genesis, Player, chain_length
from protocol.seat.effects import Duty
from protocol.seat.secrets import MatchSecrets
from protocol.seat.session import Session
from protocol.wire import transcript
from protocol.wire.encoding import Frame, read_frame


def match(
    game: Game[Any], seed: int, level: str = "recruit", options: Options | None = None
) -> tuple[Genesis, list[Frame]]:
    """One match between two bots: its genesis and the log of seat 0."""
    rng = random.Random(seed)
    identities = [Identity(rng.randbytes(32)) for _ in range(2)]
    secrets = [MatchSecrets(rng.randbytes(32)) for _ in range(2)]
    players = tuple(
        Player(identities[s].key, f"bot {s}", secrets[s].nonce, secrets[s].links(s, chain_length(game))[0])
        for s in range(2)
    )
    begun = genesis.make(game, options or {}, players)
    bots = [make_bot(game.name, level, random.Random(rng.random())) for _ in range(2)]
    sessions = [Session(begun, s, identities[s], secrets[s]) for s in range(2)]
    queues: list[deque[Frame]] = [deque(), deque()]
    logs: list[list[Frame]] = [[], []]
    for session in sessions:
        session.agree()
        session.go_live()
    busy = True
    while busy:
        busy = False
        for seat, session in enumerate(sessions):
            if queues[seat]:
                session.receive(read_record(queues[seat].popleft()))
            elif session.decision is not None:
                session.decide(bots[seat].decide(session.view))
            for output in session.outputs():
                busy = True
                if output.duty is Duty.SECRET:
                    continue
                frame = read_frame(output.data, 0)
                if frame is None:
                    raise RuntimeError("an output is not a whole frame")
                logs[seat].append(frame)
                if output.duty is Duty.SEND:
                    queues[1 - seat].append(frame)
    return begun, logs[0]


def transcripts(game: Game[Any], count: int, level: str = "recruit") -> list[bytes]:
    """`count` finished transcripts."""
    made = (match(game, seed, level) for seed in range(count))
    return [transcript.write(begun.body, log) for begun, log in made]
