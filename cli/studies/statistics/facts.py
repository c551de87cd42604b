"""The facts of one match, found by the audit of its record: who played what, how it ended, how they played.

They can be kept as JSON.  Whoever can write that file can write anything into it: so a kept value is taken
only if it has the form of one (threat 23), and thrown away otherwise.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from cli.reports import describe, sources
from cli.reports.rows import VERDICTS, Plain
from p2p_stratego.core.game import Options, Seat
from p2p_stratego.core.sides import score
from p2p_stratego.core.tally import Counts, LikedChoices, Tally
from p2p_stratego.registry import ENTRIES
from protocol.audit.verdict import Replayed, Verdict
from protocol.errors import Malformed
from protocol.record.asks.base import Reached
from protocol.record.genesis import check_name
from protocol.storage.match_store import usable

VERSION: Final = 2
"""Of the form of kept facts."""
KEY_DIGITS: Final = 64
MOST_LIKED: Final = 64
"""Characters of a choice, and choices of one kind in a match."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """A seat of a match: its player's key (64 hex digits) and name there, and the side that it plays for."""

    key: str
    name: str
    seat: str
    side: int


@dataclass(frozen=True, slots=True)
class Facts:
    """One record, audited.  `id`: the match's, 64 hex digits; `head`: of the chain, where play stands."""

    id: str
    game: str
    options: Options
    head: str
    verdict: str
    players: tuple[Sitting, ...]
    winners: tuple[Seat, ...]
    """Empty for a draw, and if the match has not ended."""
    reason: str | None
    """How it ended; None if it has not."""
    practice: bool = False
    """Whether a decision was taken back in it."""
    began: tuple[Seat, ...] = ()
    counts: tuple[Counts, ...] = ()
    """By seat; empty for a game without a tally."""
    liked: tuple[LikedChoices, ...] = ()

    @property
    def counted(self) -> bool:
        """Whether the match was played to its end, honestly and not as practice: then it has a result."""
        return self.verdict == Verdict.COMPLETE.value and self.reason is not None and not self.practice

    def seat_of(self, key: str) -> Seat | None:
        """The seat of the player with this key."""
        return next((seat for seat, player in enumerate(self.players) if player.key == key), None)

    def score(self, seat: Seat) -> float:
        """1 for a win, ½ for a draw and for a first place that another side shares, 0 for a loss."""
        side = {other for other, player in enumerate(self.players) if player.side == self.players[seat].side}
        return score({*self.winners}, side)

    def against(self, seat: Seat, other: Seat) -> float:
        """1 if the seat won and the other did not, 0 the other way round; ½ if both or neither did."""
        return (1 + (seat in self.winners) - (other in self.winners)) / 2


def digest(data: bytes) -> str:
    """The name under which the facts of these bytes are kept."""
    return hashlib.sha256(data).hexdigest()


def read(name: str, data: bytes | None = None) -> Facts:
    """The facts of the record in a file.  Raises OSError, and Sorry if it is no transcript of ours."""
    return of(sources.replayed(name, usable(sources.read(name) if data is None else data)))


def of(match: Replayed) -> Facts:
    """The facts of an audited match."""
    report, genesis = match.report, match.report.genesis
    outcome = report.outcome
    sides = {seat: number for number, side in enumerate(genesis.sides) for seat in side}
    ended = Facts(
        genesis.id.hex(),
        genesis.game.name,
        dict(genesis.options),
        match.referee.head.hex(),
        report.verdict.value,
        tuple(
            Sitting(player.key.hex(), player.name, describe.seat_name(genesis, seat), sides[seat])
            for seat, player in enumerate(genesis.players)
        ),
        () if outcome is None else tuple(sorted(outcome.winners)),
        None if outcome is None else outcome.reason,
        bool(report.checks.takebacks),
    )
    tally = _tally(match) if ended.counted else None
    if tally is None:
        return ended
    return Facts(
        **{
            name: getattr(ended, name) for name in Facts.__slots__ if name not in ("began", "counts", "liked")
        },
        began=tuple(sorted(tally.began)),
        counts=tally.counts,
        liked=tally.liked,
    )


def _tally(match: Replayed) -> Tally | None:
    """How the seats played; None in a game without a tally."""
    tallying = ENTRIES[match.report.genesis.game.name].tallying
    if tallying is None:
        return None
    table = match.referee.table
    states = [item.state for item in table.history if isinstance(item, Reached)]
    return tallying.load().of(states, table.faces, len(match.report.genesis.players))


# Kept as JSON


def plain(facts: Facts) -> Plain:
    """JSON values that `restored` reads."""
    return asdict(facts)


def restored(value: Any) -> Facts:
    """The facts in JSON values.  Raises ValueError, TypeError or KeyError for anything else."""
    if type(value) is not dict or value.keys() != set(Facts.__slots__):
        raise ValueError("no facts")
    game, players = value["game"], tuple(map(_sitting, _list(value["players"])))
    seats = range(len(players))
    if game not in ENTRIES or value["verdict"] not in VERDICTS or len({player.key for player in players}) < 2:
        raise ValueError("no facts")
    tallied = len(_list(value["counts"]))
    if tallied not in (0, len(players)) or len(_list(value["liked"])) != tallied:
        raise ValueError("counts of other seats")
    return Facts(
        _hex(value["id"]),
        game,
        _options(value["options"]),
        _hex(value["head"]),
        value["verdict"],
        players,
        _seats(value["winners"], seats),
        None if value["reason"] is None else _word(value["reason"]),
        _flag(value["practice"]),
        _seats(value["began"], seats),
        tuple(map(_counts, value["counts"])),
        tuple(map(_liked, value["liked"])),
    )


def _list(value: Any) -> list[Any]:
    if type(value) is not list:
        raise TypeError("no list")
    return value


def _hex(value: Any) -> str:
    if type(value) is not str or len(value) != KEY_DIGITS or bytes.fromhex(value).hex() != value:
        raise ValueError("no hash")
    return value


def _flag(value: Any) -> bool:
    if type(value) is not bool:
        raise TypeError("neither true nor false")
    return value


def _word(value: Any) -> str:
    if type(value) is not str or not (value.isascii() and value.isprintable()) or len(value) > MOST_LIKED:
        raise ValueError("no word")
    return value


def _sitting(value: Any) -> Sitting:
    if type(value) is not dict or value.keys() != set(Sitting.__slots__) or type(value["side"]) is not int:
        raise ValueError("no seat")
    if type(value["name"]) is not str:
        raise TypeError("no name")
    try:
        check_name(value["name"])
    except Malformed as error:
        raise ValueError("no name") from error
    return Sitting(_hex(value["key"]), value["name"], _word(value["seat"]), value["side"])


def _options(value: Any) -> Options:
    if type(value) is not dict or not all(type(option) in (int, str) for option in value.values()):
        raise ValueError("no options")
    return value


def _seats(value: Any, seats: range) -> tuple[Seat, ...]:
    numbers = tuple(_list(value))
    if not all(type(seat) is int and seat in seats for seat in numbers):
        raise ValueError("no seats")
    return numbers


def _counts(value: Any) -> Mapping[str, float]:
    if type(value) is not dict:
        raise TypeError("no counts")
    for name, count in value.items():
        _word(name)
        if type(count) not in (int, float) or not math.isfinite(count) or count < 0:
            raise ValueError("no count")
    return value


def _liked(value: Any) -> LikedChoices:
    if type(value) is not dict:
        raise TypeError("no choices")
    return {_word(name): tuple(map(_word, _list(choices)[:MOST_LIKED])) for name, choices in value.items()}
