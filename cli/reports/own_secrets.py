"""What the owner of this home folder knows of a match beyond its record: its own pieces and cards.

It is only looked at.  It never enters an export or a page (threat 37): only the owner's own screen shows it.
"""

from __future__ import annotations

from contextlib import suppress
from hmac import compare_digest
from pathlib import Path

from p2p_stratego.core.game import Face, Seat, Slot
from protocol.errors import Refusal
from protocol.failures import StorageFailure
from protocol.record.referee import Referee
from protocol.seat.faces import Faces
from protocol.seat.secrets import MatchSecrets
from protocol.storage.home import GAMES, ID_DIGITS
from protocol.storage.match_store import secrets_beside


def own(home: Path, referee: Referee) -> tuple[Seat, dict[Slot, Face]] | None:
    """The seat that the owner of `home` had in this match, and all faces that it could read at its end.

    None if the match is not one of the owner's, or its secrets cannot be read.
    """
    secrets = _secrets(home, referee)
    if secrets is None:
        return None
    for seat, player in enumerate(referee.genesis.players):
        if compare_digest(player.nonce, secrets.nonce):
            return seat, Faces(referee, seat, secrets).known
    return None


def _secrets(home: Path, referee: Referee) -> MatchSecrets | None:
    folder = home / GAMES / referee.genesis.id.hex()[:ID_DIGITS]
    if folder.is_dir():
        with suppress(StorageFailure, Refusal):
            return secrets_beside(folder)
    return None
