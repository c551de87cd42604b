"""Figures of the core, without a network: admission, audit, rules, and the size of a transcript."""

from __future__ import annotations

import random
from time import perf_counter
from typing import Any

from benchmarks import floors
from benchmarks.matches import match, transcripts
from benchmarks.report import Figure, micro
from p2p_stratego import GAMES
from p2p_stratego.core.game import Choose, Commit, Game, Open, Roll, Together
from protocol.audit.verdict import Verdict, audit
from protocol.record.genesis import Genesis
from protocol.record.referee import Referee
from protocol.wire.encoding import ENTRY, STATEMENT, Frame

AUDITED = 100
PLAYED = 2000


def admission(game: Game[Any]) -> Figure:
    """One entry through the gate: decode, verify, rules, append without sync."""
    matches = [match(game, seed) for seed in range(10)]
    best = min(admitting(begun, log) for begun, log in matches * 5)
    floor = floors.verification()
    ratio = best / floor
    return Figure(
        "admit one entry", micro(best), f"verify {micro(floor)}", f"≤ 2.0 x: {ratio:.2f} x", ratio <= 2
    )


def admitting(begun: Genesis, log: list[Frame]) -> float:
    """Seconds an entry of this match, whose statements before the first entry are admitted already."""
    referee = Referee(begun)
    for frame in log:
        if frame.kind == STATEMENT and referee.count == 0 and not referee.agreed:
            referee.admit_statement(frame.payload)
    payloads = [frame.payload for frame in log if frame.kind == ENTRY]
    started = perf_counter()
    for payload in payloads:
        referee.admit_entry(payload)
    return (perf_counter() - started) / len(payloads)


def audits(game: Game[Any]) -> list[Figure]:
    """Complete transcripts by the shortcut, the same with every signature, and their size."""
    files = transcripts(game, AUDITED)
    reports = [audit(data) for data in files]
    whole = [data for data, report in zip(files, reports, strict=True) if report.verdict is Verdict.COMPLETE]
    entries = sum(report.checks.entries for report in reports) / len(reports)
    short = 1 / (floors.seconds(lambda: [audit(data) for data in whole], number=1, rounds=3) / len(whole))
    every = 1 / (
        floors.seconds(lambda: [audit(d, every_signature=True) for d in whole], number=1, rounds=1)
        / len(whole)
    )
    largest = max(map(len, whole))
    bound = f"2 signatures of {entries:.0f}"
    return [
        Figure("audit, complete games a second", f"{short:.0f}", bound, "≥ 300", short >= 300),
        Figure("audit --every-signature, games a second", f"{every:.0f}", "every signature", "", met=True),
        Figure(
            "largest finished transcript", f"{largest} B", f"of {len(whole)}", "< 16,384 B", largest < 16384
        ),
    ]


def rules(game: Game[Any]) -> Figure:
    """Random games by the rules alone: no bots, no protocol."""
    rng = random.Random(1)
    rate = 1 / floors.seconds(lambda: _random_game(game, rng), number=PLAYED // 5)
    return Figure("rules alone, games a second", f"{rate:.0f}", "", "≥ 3,000", rate >= 3000)


def _random_game(game: Game[Any], rng: random.Random) -> None:
    """One game with random honest deployments and random choices."""
    faces: dict[int, int] = {}

    def answer(ask: Any) -> Any:
        if isinstance(ask, Together):
            return tuple(map(answer, ask.asks))
        if isinstance(ask, Choose):
            return ask.options[int(rng.random() * len(ask.options))]  # type: ignore[index]  # a tuple here
        if isinstance(ask, Commit):
            resting = state.exhausted[ask.seat]
            line = sorted(rng.sample([face for face in ask.faces if face not in resting], len(ask.slots)))
            faces.update(zip(ask.slots, line, strict=True))
            return None
        return faces[ask.slot] if isinstance(ask, Open) else int(rng.random() * ask.sides)

    def through(turn: Any) -> Any:
        reply = None
        while True:
            try:
                ask: Roll | Open | Choose | Commit | Together = turn.send(reply)
            except StopIteration as stop:
                return stop.value
            reply = answer(ask)

    state: Any = None
    state = through(game.setup(2, game.options({})))
    while game.outcome(state) is None:
        state = through(game.turn(state))


def figures() -> list[Figure]:
    """All figures of this room."""
    game = GAMES["spies-and-lies"]
    return [admission(game), *audits(game), rules(game)]
