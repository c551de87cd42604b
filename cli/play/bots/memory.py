"""The earlier matches of a bot with the players of this one, read from the records in its own home folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, Final

from cli.reports import sources
from cli.shell.exit_codes import Sorry
from p2p_stratego.core.game import Seat
from p2p_stratego.core.sides import side_of
from p2p_stratego.core.view import PastMatch
from p2p_stratego.registry import GAMES
from protocol.audit.verdict import replay
from protocol.errors import Refusal
from protocol.failures import Failure
from protocol.record import genesis
from protocol.record.asks.base import Reached
from protocol.record.genesis import Genesis
from protocol.storage.match_store import TRANSCRIPT, usable
from protocol.wire.transcript import Records

SEARCHED: Final = 256
"""Records that are looked at, the newest ones; a match of whom we met more often is among them."""


def past_matches(now: Genesis, seat: Seat, folder: Path) -> Iterator[PastMatch[Any]]:
    """The other matches of this game between the player of `seat` and its present opponents, newest first.

    `folder`: of the match that begins now, among those of the others.  It reads from the disk, each record as
    it is asked for; one that cannot be read was no match.
    """
    key, met = now.players[seat].key, _opponents(now, seat)
    places = (path for path in folder.parent.glob(f"*/{TRANSCRIPT}") if path.parent != folder)
    for place in islice(sorted(places, key=_written, reverse=True), SEARCHED):
        with suppress(OSError, Sorry, Failure, Refusal):
            data = usable(sources.read(str(place)))
            match = genesis.parse(Records(data).genesis, GAMES)
            if match.game is not now.game:
                continue
            own = next((other for other, player in enumerate(match.players) if player.key == key), None)
            if own is None or _opponents(match, own) != met:
                continue
            table = replay(data, GAMES).referee.table
            if table.taken_back:
                continue  # practice counts for nothing
            history = table.history
            if states := [step.state for step in history if isinstance(step, Reached)]:
                yield PastMatch(states, own)


def _opponents(match: Genesis, seat: Seat) -> frozenset[bytes]:
    """The keys of the players on the other sides."""
    side = side_of(match.sides, seat)
    return frozenset(player.key for other, player in enumerate(match.players) if other not in side)


def _written(place: Path) -> float:
    with suppress(OSError):
        return place.stat().st_mtime
    return 0.0
