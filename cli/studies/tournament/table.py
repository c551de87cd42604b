"""The table of a tournament: all that is told of it, as plain values that text, JSON and HTML share.

It holds no time and no path, so that the same files give the same bytes wherever they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cli.reports.rows import Plain
from cli.studies.tournament.event import RESULTS, Event, Round, Withdrawal
from cli.studies.tournament.evidence import Decided, Judged, Problem
from cli.studies.tournament.pairing import Bye
from cli.studies.tournament.standings import Absent, Row, standings, uncounted
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.language import number as written
from protocol.crypto.keys import fingerprint

SYSTEMS: Final[Mapping[str, str]] = {
    "round-robin": mark("round robin"),
    "swiss": mark("Swiss system"),
    "knockout": mark("knockout"),
}
SAID: Final[Mapping[Problem, str]] = {
    "incomplete": mark("the match has no end in these copies; another copy may go further"),
    "absence": mark("one side says that the other does not answer"),
    "damaged": mark("the record is damaged: another copy is missing"),
    "disagreeing": mark("the copies contradict each other, and nobody's signature tells which is right"),
    "cheated": mark("a breach of the rules is proven"),
    "equivocated": mark("two signed versions of one thing are proven"),
    "void": mark("nobody has won"),
    "terms": mark("another game, or other options"),
    "seats": mark("the players sat in each other's seats"),
    "several": mark("more than one match with a result"),
    "drawn": mark("a draw: they play again"),
}
"""What each problem is."""
WRITTEN: Final = {halves: result for result, halves in RESULTS.items()}
"""How half points are written."""


@dataclass(frozen=True, slots=True)
class Table:
    """A tournament, as far as it is played."""

    event: Event
    rounds: Sequence[Round]
    decided: Sequence[Decided]
    rows: Sequence[Row]
    withdrawals: Sequence[Withdrawal]
    out: frozenset[int]
    """Those of them whose results do not count."""

    @property
    def left(self) -> dict[int, int]:
        """By player, the round from which on that player has withdrawn."""
        return {withdrawal.player: withdrawal.start for withdrawal in self.withdrawals}

    @property
    def open(self) -> int:
        """Pairings without a result."""
        return sum(pairing.halves is None for pairing in self.decided)

    def name(self, number: int) -> str:
        """The name of a player, as it was announced; not escaped."""
        return self.event.entrant(number).name


def made(
    event: Event,
    rounds: Sequence[Round],
    decided: Sequence[Decided],
    byes: Sequence[Bye],
    withdrawals: Sequence[Withdrawal] = (),
) -> Table:
    """The table of these pairings and results."""
    games, players = [pairing.game for pairing in decided], len(event.players)
    left = {withdrawal.player: withdrawal.start for withdrawal in withdrawals}
    out = uncounted(event.system, players, event.rounds, games, left)
    rows = standings(event.system, players, games, byes, Absent(left, out))
    return Table(event, rounds, decided, rows, withdrawals, out)


def result(decided: Decided) -> str:
    """How the result of a pairing is written: "1-0"; "*" while there is none."""
    return "*" if decided.halves is None else WRITTEN[decided.halves]


def halves(number: int) -> str:
    """A number of half points: "3", "3.5"."""
    return written(number / 2, number % 2)


def quarters(number: int) -> str:
    """A number of quarter points: "3", "3.5", "3.25"."""
    return written(number / 4, (0, 2, 1, 2)[number % 4])


def concerned(table: Table, decided: Decided) -> list[str]:
    """The names of the players whom the problems of a pairing concern; not escaped."""
    keys = {match.keys[seat] for match in decided.matches for seat in match.seats}
    numbers = [decided.pairing.first, decided.pairing.second]
    return [table.name(number) for number in numbers if table.event.entrant(number).key in keys]


def remarks(decided: Decided) -> list[str]:
    """What a director may want to know beside the problems."""
    if decided.origin == "play" and not all(match.confirmed for match in decided.matches if match.halves):
        return [_("not both players have signed the end: ask for the other copy")]
    return []


def plain(table: Table) -> Plain:
    """As JSON values; docs/json.md lists the keys."""
    event = table.event
    return {
        "name": event.name,
        "game": event.game,
        "options": dict(event.options),
        "system": event.system,
        "rounds": event.rounds,
        "paired": len(table.rounds),
        "words": [round_.word or None for round_ in table.rounds],
        "open": table.open,
        "players": [
            {
                "number": at,
                "name": player.name,
                "key": player.key,
                "fingerprint": fingerprint(bytes.fromhex(player.key)),
            }
            for at, player in enumerate(event.players, 1)
        ],
        "withdrawals": [
            {
                "player": withdrawal.player,
                "round": withdrawal.start,
                "why": withdrawal.why or None,
                "counts": withdrawal.player not in table.out,
            }
            for withdrawal in table.withdrawals
        ],
        "standings": [_row(row) for row in table.rows],
        "pairings": [_pairing(decided) for decided in table.decided],
        "byes": [
            {"round": round_.number, "player": player}
            for round_ in table.rounds
            for player in round_.off(table.left)
        ],
    }


def _row(row: Row) -> Plain:
    return {
        "place": row.place or None,
        "player": row.player,
        "played": row.played,
        "won": row.won,
        "drawn": row.drawn,
        "lost": row.lost,
        "points": row.points / 2,
        "direct": None if row.direct is None else row.direct / 2,
        "buchholz_cut": row.buchholz_cut / 2,
        "buchholz": row.buchholz / 2,
        "sonneborn_berger": row.sonneborn / 4,
        "survived": row.survived,
    }


def _pairing(decided: Decided) -> Plain:
    return {
        "round": decided.round,
        "table": decided.pairing.table,
        "seats": [decided.pairing.first, decided.pairing.second],
        "result": None if decided.halves is None else result(decided),
        "by": decided.origin or None,
        "problems": list(decided.problems),
        "matches": [_match(match) for match in decided.matches],
        "ruling": None
        if decided.ruling is None
        else {"result": decided.ruling.result, "why": decided.ruling.why},
    }


def _match(match: Judged) -> Plain:
    return {
        "id": match.id,
        "verdict": match.verdict,
        "problem": match.problem,
        "concerns": [match.keys[seat] for seat in match.seats],
        "confirmed": match.confirmed,
        "records": list(match.copies),
        "proof": None if match.proof is None else match.id[:32],
    }
