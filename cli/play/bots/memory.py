"""The earlier matches of a bot with the players of this one, read from the records in its own home folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

from cli.reports.sources import genesis_in
from cli.shell.exit_codes import Sorry
from cli.shell.named_files import read_file
from p2p_stratego.core.game import Seat
from p2p_stratego.core.sides import side_of
from p2p_stratego.core.view import PastMatch
from p2p_stratego.registry import GAMES
from protocol.audit.verdict import replay
from protocol.errors import Refusal
from protocol.failures import Failure
from protocol.record.asks.base import Reached
from protocol.record.asks.takeback import is_takeback
from protocol.record.entries import parse_entry
from protocol.record.genesis import Genesis
from protocol.storage.index import FileStamp, stamp
from protocol.storage.match_store import TRANSCRIPT, is_practice, usable
from protocol.wire.encoding import ENTRY
from protocol.wire.transcript import Records

SEARCHED: Final = 256
"""Records that are looked at, the newest ones; a match of whom we met more often is among them."""
REPLAYED: Final = 16
"""Of these, the most that are replayed."""
LARGEST: Final = 1 << 20
"""Bytes of a record that is replayed, twenty times an ordinary one of a game that bots learn from."""


def past_matches(now: Genesis, seat: Seat, folder: Path) -> Iterator[PastMatch[Any]]:
    """The other matches of this game between the player of `seat` and its present opponents, newest first.

    `folder`: of the match that begins now, among those of the others.  It reads from the disk, each record as
    it is asked for; one that cannot be read was no match.
    """
    places = (path for path in folder.parent.glob(f"*/{TRANSCRIPT}") if path.parent != folder)
    newest = islice(sorted(places, key=_written, reverse=True), SEARCHED)
    seats = ((place, _seat_then(place, now, seat)) for place in newest)
    fitting = ((place, own) for place, own in seats if own is not None)
    for place, own in islice(fitting, REPLAYED):
        if states := _states(place, stamp(place)):
            yield PastMatch(states, own)


def _seat_then(place: Path, now: Genesis, seat: Seat) -> Seat | None:
    """The seat that the player of `seat` had in the match of the record at `place`, if that counts here."""
    key, match = now.players[seat].key, genesis_in(str(place))
    if match is None or match.game is not now.game:
        return None
    own = next((other for other, player in enumerate(match.players) if player.key == key), None)
    if own is None or _opponents(match, own) != _opponents(now, seat):
        return None
    with suppress(OSError, Sorry, Refusal):
        practice = is_practice(place.parent) or (match.takebacks and _has_takeback(place))
        return None if practice else own
    return None


def _has_takeback(place: Path) -> bool:
    """Whether a decision was taken back in a match."""
    frames = Records(usable(read_file(place, LARGEST)))
    return any(is_takeback(parse_entry(payload)) for kind, payload in frames.payloads() if kind == ENTRY)


@lru_cache(maxsize=REPLAYED)
def _states(place: Path, _: FileStamp) -> tuple[Any, ...]:
    """The states of a match; none if its record cannot be read.

    Kept, as a bot is asked anew with each return match, and behind each decision that somebody takes back.
    """
    with suppress(OSError, Sorry, Failure, Refusal):
        data = read_file(place, LARGEST + 1)
        if len(data) <= LARGEST:
            history = replay(usable(data), GAMES).referee.table.history
            return tuple(step.state for step in history if isinstance(step, Reached))
    return ()


def _opponents(match: Genesis, seat: Seat) -> frozenset[bytes]:
    """The keys of the players on the other sides."""
    side = side_of(match.sides, seat)
    return frozenset(player.key for other, player in enumerate(match.players) if other not in side)


def _written(place: Path) -> float:
    with suppress(OSError):
        return place.stat().st_mtime
    return 0.0
