"""Figures of the core, without a network: admission, audit, rules, and the size of a transcript."""

from __future__ import annotations

import random
from statistics import mean
from time import perf_counter
from typing import Any

from benchmarks import floors
from benchmarks.matches import match, transcripts
from benchmarks.measure import exact, rounds, timed
from benchmarks.report import Figure, at_least, at_most, micro, times, times_over, whole
from p2p_stratego.core.game import Choose, Commit, Game, Open, Roll, Together
from p2p_stratego.registry import GAMES
from protocol.audit.verdict import Verdict, audit
from protocol.record.entries import parse_entry
from protocol.record.genesis import Genesis
from protocol.record.referee import Referee
from protocol.record.statements import parse as parse_statement
from protocol.wire.encoding import ENTRY, STATEMENT, Frame

TRANSCRIPTS = 100
AUDITED = 20
"""Of these transcripts, those that are audited in every round."""
ROUNDS = 15
PLAYED = 200


def admission(game: Game[Any]) -> Figure:
    """One entry through the gate: decode, verify, rules, append without sync."""
    matches = [match(game, seed) for seed in range(4)]

    def admit() -> float:
        return mean(admitting(begun, log) for begun, log in matches)

    cost, floor = rounds(ROUNDS, admit, floors.verification())
    return Figure(
        "admit one entry", cost, micro, f"verify {micro(floor.median)}", times(cost.over(floor), 1.25)
    )


def admitting(begun: Genesis, log: list[Frame]) -> float:
    """Seconds an entry of this match, whose statements before the first entry are admitted already."""
    referee = Referee(begun)
    for frame in log:
        if frame.kind == STATEMENT and referee.count == 0 and not referee.agreed:
            referee.admit_statement(parse_statement(frame.payload))
    payloads = [frame.payload for frame in log if frame.kind == ENTRY]
    started = perf_counter()
    for payload in payloads:
        referee.admit_entry(parse_entry(payload))
    return (perf_counter() - started) / len(payloads)


def audits(game: Game[Any]) -> list[Figure]:
    """Complete transcripts by the shortcut, the same with every signature, and their size."""
    files = transcripts(game, TRANSCRIPTS)
    reports = [audit(data, GAMES) for data in files]
    whole_ones = [
        data for data, report in zip(files, reports, strict=True) if report.verdict is Verdict.COMPLETE
    ]
    entries = mean(report.checks.entries for report in reports)
    audited = whole_ones[:AUDITED]
    short, every = rounds(
        ROUNDS,
        timed(lambda: [audit(data, GAMES) for data in audited]),
        timed(lambda: [audit(data, GAMES, every_signature=True) for data in audited]),
    )
    rate, slow = short.rate(len(audited)), every.rate(len(audited))
    largest = exact(max(map(len, whole_ones)))
    name = "audit, complete games a second"
    bound = f"2 signatures of {entries:.0f}"
    return [
        Figure(name, rate, whole, bound, at_least(rate, 300, "≥ 300")),
        Figure("  and with every signature", slow, whole, "every signature", times_over(rate.over(slow), 6)),
        Figure(
            "largest finished transcript",
            largest,
            lambda size: f"{size:,.0f} B",
            f"of {len(whole_ones)}",
            at_most(largest, 16383, "< 16,384 B"),
        ),
    ]


def rules(game: Game[Any]) -> Figure:
    """Random games by the rules alone: no bots, no protocol."""
    rng = random.Random(1)
    [taken] = rounds(ROUNDS, timed(lambda: _random_game(game, rng), PLAYED))
    rate = taken.rate()
    return Figure("rules alone, games a second", rate, whole, "", at_least(rate, 3000, "≥ 3,000"))


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
