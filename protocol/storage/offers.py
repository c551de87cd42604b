"""Offers to begin a match by post, kept so that the master secret of each serves one genesis alone.

offers/<id>/offer      the payload of the OFFER, ours or another player's
offers/<id>/secrets    the master secret for our seat, 32 bytes
offers/<id>/match      the body of the one genesis for which both serve, once that is known
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from protocol.failures import Damaged, Missing, Part
from protocol.seat.secrets import MASTER_BYTES
from protocol.storage.files import Folder

OFFERS: Final = "offers"
_OFFER, _SECRETS, _MATCH = "offer", "secrets", "match"
MOST: Final = 64
"""Offers that a home keeps; a new one then takes the place of the oldest."""


@dataclass(frozen=True, slots=True)
class SavedOffer:
    """An offer: the payload of the OFFER, our master secret (32 bytes), the body of its genesis or b""."""

    offer: bytes
    master: bytes
    match: bytes


class Offers:
    """The offers in the home in `folder`; its holder has the home's lock for each change."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    def get(self, name: str) -> SavedOffer | None:
        """The offer with this id (32 hex digits).  Raises Damaged."""
        with suppress(Missing), self._folder.folder(OFFERS) as offers, offers.folder(name) as folder:
            offer, master = folder.read(_OFFER), folder.read(_SECRETS)
            match = b""
            with suppress(Missing):
                match = folder.read(_MATCH)
            if len(master) != MASTER_BYTES:
                raise Damaged(folder.place(_SECRETS), Part.OFFER)
            return SavedOffer(offer, master, match)
        return None

    def unanswered(self) -> list[str]:
        """The ids of the offers that serve no genesis yet; all of them are ours."""
        with suppress(Missing), self._folder.folder(OFFERS) as offers:
            names = offers.names()
            return [name for name in names if (kept := self.get(name)) is not None and not kept.match]
        return []

    def put(self, name: str, kept: SavedOffer) -> None:
        """Keep a new offer, synced.  The OFFER is written last: a folder without an OFFER holds no offer."""
        with self._folder.folder(OFFERS, create=True) as offers:
            self._make_room(offers)
            with offers.folder(name, create=True) as folder:
                folder.clear()  # a process killed in the middle of this left files
                folder.create(_SECRETS, kept.master)
                if kept.match:
                    folder.create(_MATCH, kept.match)
                folder.create(_OFFER, kept.offer)
                folder.sync()

    def bind(self, name: str, match: bytes) -> None:
        """From now on the offer serves the genesis with the body `match` alone."""
        with self._folder.folder(OFFERS) as offers, offers.folder(name) as folder:
            folder.replace(_MATCH, match)

    def _make_room(self, offers: Folder) -> None:
        names = offers.names()
        aged = sorted(names, key=offers.modified)
        for name in aged[: max(0, len(names) - MOST + 1)]:
            with offers.folder(name) as folder:
                folder.clear()
            offers.remove_folder(name)
