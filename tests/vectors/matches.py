"""The transcripts among the vectors: good, bad and unfinished ones, each with what its audit must say."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from p2p_stratego import GAMES
from p2p_stratego.spies_and_lies.recruit import Recruit
from p2p_stratego.table import Commit, Decision
from protocol.audit import Report, audit
from protocol.messages import Choice
from protocol.secrets import Decided
from protocol.session import Session
from protocol.transcript import MAGIC
from tests.cheats.bout import Bout, owing
from tests.cheats.lies import ENTRIES, Lie
from tests.cheats.words import WORDS
from tests.helpers.pair import Seat, Table
from tests.helpers.players import honest

GAME = GAMES["spies-and-lies"]
Case = dict[str, Any]


def expected(report: Report) -> Case:
    """What the audit of a transcript says, as far as another auditor has to say the same."""
    outcome, fault = report.outcome, report.fault
    return {
        "verdict": report.verdict.value,
        "exit": report.exit_code,
        "id": report.genesis.id.hex(),
        "entries": report.checks.entries,
        "winners": None if outcome is None else sorted(outcome.winners),
        "reason": None if outcome is None else outcome.reason,
        "owes": None if report.owed is None else report.owed.seat,
        "fault": None
        if fault is None
        else {"seat": fault.seat, "what": fault.what, "number": fault.number, "rule": fault.rule},
        "torn": report.torn,
    }


def _played(seed: int, wall: int, *, steps: int = 1_000_000) -> Seat:
    return Table(seed, game=GAME, options={"wall": wall}, decide=honest).play(steps=steps).seats[0]


def _finished() -> Iterator[tuple[str, bytes]]:
    """One match for each way in which the rules end it."""
    wanted = {"flag", "critical-flaw", "territory", "points"}
    for seed in range(400):
        if not wanted:
            return
        crooked = seed % 2 and "critical-flaw" in wanted
        decide = _disorderly if crooked else honest
        seat = (
            Table(seed, game=GAME, options={"wall": 2 if seed % 4 < 2 else 8}, decide=decide).play().seats[0]
        )
        outcome = seat.session.outcome
        if outcome is not None and outcome.reason in wanted:
            wanted.remove(outcome.reason)
            yield outcome.reason, seat.transcript
    raise AssertionError(f"no match ends by {wanted}")


def _disorderly(session: Session, decision: Decision, rng: random.Random) -> Decided:
    """Lays cards that could be there, in any order."""
    decided = Recruit(rng).decide(session.view)
    if isinstance(decision, Commit) and isinstance(decided, tuple) and rng.random() < 0.5:
        return tuple(rng.sample(decided, len(decided)))
    return decided


def _said() -> Iterator[tuple[str, bytes]]:
    """Matches that end by what a seat says, or do not end."""
    for name in ("resigned", "agreed-draw", "unresponsive", "chat"):
        table = Table(7, game=GAME, decide=honest).play(steps=40)
        one, other = (seat.session for seat in table.seats)
        if name == "resigned":
            one.resign()
        elif name == "agreed-draw":
            one.offer_draw()
            table.deliver(table.seats[0])
            while table.under_way[1]:
                other.receive(table.under_way[1].popleft())
            other.accept_draw()
        elif name == "chat":
            one.say("Grüße, “Ben”!")
        late = one if one.referee.owed is not None and one.referee.owed.seat == 1 else other
        if name == "unresponsive":
            late.claim_away(200)
            seat = table.seats[late.seat]
            seat.persist()
            yield name, seat.transcript
            continue
        table.decide = [_never, _never]
        for seat in table.seats:
            table.deliver(seat)
        for _ in range(6):
            for seat, queue in zip(table.seats, table.under_way, strict=True):
                while queue:
                    seat.session.receive(queue.popleft())
                table.deliver(seat)
        yield name, table.seats[0].transcript


def _never(session: Session, decision: Decision, rng: random.Random) -> Decided:
    raise AssertionError("nobody decides here")


def _spoiled() -> Iterator[tuple[str, bytes]]:
    """What becomes of a good transcript when bytes are lost or changed."""
    whole = _played(11, 4, steps=60).transcript
    middle = len(whole) // 2
    yield "incomplete", whole
    yield "torn tail", whole[:-3]
    yield "flipped bit", bytes([*whole[:middle], whole[middle] ^ 4, *whole[middle + 1 :]])
    yield "a later version", MAGIC.replace(b" 1\n", b" 2\n") + whole[len(MAGIC) :]
    yield "no transcript", b"hello\n"
    yield "nothing", b""
    seat = _played(11, 4, steps=60)
    frames = list(seat.log)
    dropped = [*frames[:10], *frames[11:]]
    swapped = [*frames[:10], frames[11], frames[10], *frames[12:]]
    for name, log in (("a dropped record", dropped), ("swapped records", swapped)):
        seat.log = log
        yield name, seat.transcript


def _lies() -> Iterator[tuple[str, bytes]]:
    """One lie for each rule of the protocol, as the honest side keeps it."""
    done = set()
    for lie in (*ENTRIES, *WORDS):
        if lie.rule is None or lie.rule in done:
            continue
        bout = _reach(lie)
        if bout is not None:
            done.add(lie.rule)
            bout.lie(lie.frames(bout))
            yield lie.rule, bout.honest[0].transcript


def _reach(lie: Lie) -> Bout | None:
    for seed in range(12):
        bout = Bout(seed, game=GAME, options={"wall": 2}, agreeing="before any consent" not in lie.name)
        if lie.when(bout) or bout.run(lie.when):
            return bout
    return None


def _equivocation() -> Iterator[tuple[str, bytes]]:
    """Two versions of a choice: told to one side one after the other."""
    bout = Bout(3, game=GAME)
    assert bout.run(owing(Choice))
    owed = bout.liar.owes
    assert owed is not None
    truth = bout.liar.truth()
    second = next(move for move in _options(owed.part) if Choice(move) != truth)
    later = bout.liar.entry(Choice(second))
    bout.tell(bout.liar.entry(truth))
    bout.lie([later])
    yield "equivocated", bout.honest[0].transcript


def _options(part: Any) -> list[str]:
    return list(part.options)


def _impossible() -> Iterator[tuple[str, bytes]]:
    """A card that could not be there: a breach that the rules of the game find."""
    for seed in range(50):
        seat = Table(seed, game=GAME).play().seats[0]
        outcome = seat.session.outcome
        if outcome is not None and outcome.reason == "cheated":
            yield "an impossible card", seat.transcript
            return


ALL: tuple[Callable[[], Iterator[tuple[str, bytes]]], ...] = (
    _finished,
    _said,
    _spoiled,
    _lies,
    _equivocation,
    _impossible,
)


def transcripts() -> Iterator[tuple[str, bytes, Case]]:
    """Name, bytes, and what must come of them."""
    for make in ALL:
        for name, data in make():
            yield name.replace(" ", "-"), data, judged(data)


def judged(data: bytes) -> Case:
    """What the audit says, or the kind of refusal that keeps it from saying anything."""
    try:
        return expected(audit(data))
    except Exception as error:  # whatever it is stands in the vector for people to see
        return {"refused": type(error).__name__}
