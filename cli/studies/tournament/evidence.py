"""What records show about pairings: one match out of its copies, and which pairing it was played for.

A record proves who played, under which names, what game, with which options, and how it went.  It proves no
time.  So it belongs to a round by the round's word, which both players wore behind their names, and signed
with the genesis; without words by players and seats alone.  Nobody is blamed without bytes of their own:
where copies prove nothing, the pairing is a dispute for the director.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NamedTuple, TypeAlias

from cli.studies.tournament.event import RESULTS, Event, Pairing, Round, Ruling
from cli.studies.tournament.pairing import NOBODY, Game
from cli.text.names import worn
from p2p_stratego.core.game import Options
from p2p_stratego.core.sides import score
from p2p_stratego.registry import GAMES
from protocol.audit import comparison
from protocol.audit.verdict import Report, Verdict
from protocol.errors import Refusal

Problem: TypeAlias = Literal[
    "incomplete",
    "absence",
    "damaged",
    "disagreeing",
    "cheated",
    "equivocated",
    "void",
    "terms",
    "seats",
    "several",
    "drawn",
]
"""Why a match gives no result by itself, or what it shows beside one: it stopped; a claim that somebody is
away; a damaged record; copies that contradict each other, and nobody's signature tells which is right; a
proven breach; two signed versions; nobody won, though it was no draw; another game, other options or
takebacks; changed seats; more than one match with a result; a draw where somebody has to win."""
Origin: TypeAlias = Literal["play", "proof", "ruling", "withdrawal", ""]


@dataclass(frozen=True, slots=True)
class Judged:
    """One match, from all its copies at once; the same whatever their order.

    `halves`: half points by seat, if the match gives a result; `seats`: those whom the problem concerns: at
    fault, away, or owing the next message; `confirmed`: whether an END of every seat stands under the result.
    """

    id: str
    game: str
    options: Options
    keys: tuple[str, ...]
    names: tuple[str, ...]
    verdict: str
    halves: tuple[int, int] | None
    problem: Problem | None
    seats: tuple[int, ...]
    confirmed: bool
    copies: tuple[str, ...]
    """Names of the files: the SHA-256 of their bytes, ascending."""
    proof: bytes | None = field(default=None, repr=False, compare=False)


def digest(data: bytes) -> str:
    """The name under which a record is kept."""
    return hashlib.sha256(data).hexdigest()


def judged(copies: Mapping[str, bytes]) -> Judged | None:
    """The match of which these are the copies, by digest; None if not every player has signed the genesis:
    anybody can name a player in one, and the match would seem to wait for somebody who never heard of it.

    Copies of different matches must not be mixed: see `sorted_out`.
    """
    together = comparison.Copies(GAMES)
    reports: dict[str, Report] = {}
    for name in sorted(copies):
        with suppress(Refusal):
            reports[name] = together.add(copies[name])
    if not reports:
        return None
    result, begun = together.compare(), together.genesis
    whole = result.whole
    if whole is not None and len(whole.agreed) < len(begun.players):
        return None
    match = Judged(
        begun.id.hex(),
        begun.game.name,
        dict(begun.options),
        tuple(player.key.hex() for player in begun.players),
        tuple(player.name for player in begun.players),
        "disagreeing" if whole is None else whole.verdict.value,
        None,
        None,
        (),
        whole is not None and whole.checks.ends == len(begun.players),
        tuple(reports),
    )
    faults = [(report.fault, report.proof) for report in reports.values() if report.fault is not None]
    proven = [(result.fault, result.proof)] if result.fault is not None else faults
    if proven:
        fault = proven[0][0]
        proof = next((data for _, data in proven if data is not None), None)
        kind: Problem = "equivocated" if fault is not None and fault.rule == "equivocation" else "cheated"
        seat = 0 if fault is None else fault.seat
        halves = ((0, 2) if seat == 0 else (2, 0)) if len(begun.players) == 2 else None
        return _with(match, verdict=kind, halves=halves, problem=kind, seats=(seat,), proof=proof)
    if whole is None:
        return _with(match, problem="disagreeing")
    if whole.verdict is not Verdict.COMPLETE and any(
        report.verdict is Verdict.TAMPERED for report in reports.values()
    ):
        return _with(match, problem="damaged")  # who owes something behind the damage, nobody can tell
    return _concluded(match, whole)


def _with(match: Judged, **changes: object) -> Judged:
    known = {name: getattr(match, name) for name in Judged.__slots__}
    return Judged(**known | changes)


_PROBLEMS: Final[Mapping[Verdict, Problem]] = {
    Verdict.INCOMPLETE: "incomplete",
    Verdict.UNRESPONSIVE: "absence",
    Verdict.TAMPERED: "damaged",
}


_HALVES: Final = {1.0: (2, 0), 0.5: (1, 1), 0.0: (0, 2)}
"""By the score of the first seat."""


def _concluded(match: Judged, whole: Report) -> Judged:
    """By the verdict on all copies together."""
    if whole.verdict is not Verdict.COMPLETE or whole.outcome is None:
        problem = _PROBLEMS.get(whole.verdict, "damaged")
        return _with(match, problem=problem, seats=tuple(whole.waited_for))
    if whole.genesis.takebacks:
        return _with(match, problem="terms")
    winners = whole.outcome.winners
    if len(match.keys) != 2 or (not winners and whole.outcome.reason == "cheated"):
        return _with(match, problem="void")
    return _with(match, halves=_HALVES[score(winners, {0})])


def sorted_out(records: Mapping[str, bytes]) -> list[dict[str, bytes]]:
    """The records by match, each match's copies together, in an order that depends on their bytes alone."""
    matches: defaultdict[bytes, dict[str, bytes]] = defaultdict(dict)
    for name, data in sorted(records.items()):
        begun = comparison.match_in(data[: comparison.HEAD])
        if begun is not None:
            matches[begun][name] = data
    return [matches[begun] for begun in sorted(matches)]


# Which pairing


class Place(NamedTuple):
    """A round and a pairing of it; `turned`: whether the players sat in each other's seats."""

    round: Round
    pairing: Pairing
    turned: bool


def places(event: Event, rounds: Iterable[Round], keys: Sequence[str], names: Sequence[str]) -> list[Place]:
    """The pairings for which a match could have been played: by the players' keys and, with words, names."""
    numbers = tuple(event.number(key) for key in keys)
    places = []
    for round_ in rounds:
        for pairing in round_.pairings:
            seats = (pairing.first, pairing.second)
            if numbers not in (seats, seats[::-1]):
                continue
            wanted = tuple(worn(event.entrant(number or 0).name, round_.word) for number in numbers)
            if not round_.word or tuple(names) == wanted:
                places.append(Place(round_, pairing, numbers != seats))
    return places


def place(event: Event, rounds: Iterable[Round], keys: Sequence[str], names: Sequence[str]) -> Place | None:
    """The pairing for which a match was played, by the keys and names in its genesis; None if there is none.

    Without words two pairings can have the same players: the one with the right seats, then the earliest.
    """
    fitting = places(event, rounds, keys, names)
    return min(fitting, key=lambda place: (place.turned, place.round.number), default=None)


@dataclass(frozen=True, slots=True)
class Decided:
    """A pairing, its result in half points of its first and second player, and where that comes from.

    `matches`: all that were played for it, with what each shows; `counted`: the one that gave the result.
    """

    round: int
    pairing: Pairing
    halves: tuple[int, int] | None
    origin: Origin
    problems: tuple[Problem, ...]
    matches: tuple[Judged, ...]
    ruling: Ruling | None
    counted: Judged | None = None

    @property
    def disputed(self) -> bool:
        """Whether there is something that a director has to look at."""
        return bool(self.problems)

    @property
    def waiting(self) -> bool:
        """Whether it is still to be played, by all that is known, or after a draw once more."""
        return self.halves is None and set(self.problems) <= {"drawn"}

    @property
    def game(self) -> Game:
        """For pairings and standings."""
        return Game(self.round, *self.pairing, self.halves, self.origin == "withdrawal")


def decided(
    event: Event,
    rounds: Sequence[Round],
    matches: Iterable[Judged],
    rulings: Iterable[Ruling],
    left: Mapping[int, int] = NOBODY,
) -> list[Decided]:
    """Every pairing with its result, by round and table; no order of the arguments matters.

    `left`: by player, the round from which on that player has withdrawn.
    """
    played: defaultdict[tuple[int, int], list[tuple[Judged, bool]]] = defaultdict(list)
    for match in sorted(matches, key=lambda match: match.id):
        where = place(event, rounds, match.keys, match.names)
        if where is not None:
            played[where.round.number, where.pairing.table].append((match, where.turned))
    ruled = {(ruling.round, ruling.table): ruling for ruling in rulings}
    return [
        _forfeited(_decide(event, round_.number, pairing, played[round_.number, pairing.table], ruled), left)
        for round_ in sorted(rounds, key=lambda round_: round_.number)
        for pairing in round_.pairings
    ]


def _decide(
    event: Event,
    number: int,
    pairing: Pairing,
    played: Sequence[tuple[Judged, bool]],
    ruled: Mapping[tuple[int, int], Ruling],
) -> Decided:
    problems: list[Problem] = []
    results: list[tuple[tuple[int, int], Judged]] = []
    for match, turned in played:
        wrong = _wrong(event, match, turned=turned)
        if wrong is None and match.halves is not None:
            results.append((match.halves[::-1] if turned else match.halves, match))
        problems += [problem for problem in (wrong, match.problem) if problem is not None]
    halves: tuple[int, int] | None = None
    origin: Origin = ""
    counted: Judged | None = None
    if event.system == "knockout":  # after a draw they play again, until somebody wins
        decisive = [result for result in results if result[0] != (1, 1)]
        if results and not decisive:
            problems.append("drawn")
        results = decisive
    if len(results) == 1:
        halves, counted = results[0]
        origin = "proof" if counted.problem else "play"
    elif results:
        problems.append("several")
    ruling = ruled.get((number, pairing.table))
    if ruling is not None:
        halves, origin, counted = RESULTS[ruling.result], "ruling", None
    unique = tuple(dict.fromkeys(problems))
    return Decided(
        number, pairing, halves, origin, unique, tuple(match for match, _ in played), ruling, counted
    )


def _forfeited(pairing: Decided, left: Mapping[int, int]) -> Decided:
    """The point goes to the other where a player has withdrawn and no match has given a result."""
    first, second = (left.get(player, pairing.round + 1) <= pairing.round for player in pairing.pairing[1:])
    if not (first or second) or pairing.halves is not None or "several" in pairing.problems:
        return pairing
    return replace(pairing, halves=(0 if first else 2, 0 if second else 2), origin="withdrawal")


def _wrong(event: Event, match: Judged, *, turned: bool) -> Problem | None:
    """Why a match is not the one that was to be played."""
    if match.game != event.game or match.options != event.options:
        return "terms"
    if turned and event.system != "knockout":
        return "seats"
    return None
