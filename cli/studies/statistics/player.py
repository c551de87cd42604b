"""Which player is meant: by name, by the beginning of a fingerprint or of a key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from cli.shell.exit_codes import Exit, Sorry
from cli.text.names import person, shown
from p2p_stratego.core.language import _
from protocol.crypto.keys import fingerprint

_FEWEST: Final = 4
"""Letters of a fingerprint, or digits of a key, that name a player."""


class Player(NamedTuple):
    """A player: a key (64 hex digits), and the name by which it is known here."""

    key: str
    name: str

    @property
    def fingerprint(self) -> str:
        """Of the key."""
        return fingerprint(bytes.fromhex(self.key))

    def label(self, *, ascii_only: bool = False) -> str:
        """Name and fingerprint."""
        return person(self.name, self.fingerprint, ascii_only=ascii_only)


def find(wanted: str, known: Mapping[str, str], own: str = "") -> Player:
    """The player among `known` (names by key) that is meant; of those of one name the one with the key `own`.

    Raises Sorry for none, and for several.
    """
    everybody = [Player(key, name) for key, name in sorted(known.items())]
    named = [player for player in everybody if player.name.casefold() == wanted.casefold()]
    letters = re.sub(r"[^0-9a-z]", "", wanted.casefold())
    if not named and len(letters) >= _FEWEST:
        named = [
            player
            for player in everybody
            if player.key.startswith(letters)
            or player.fingerprint.replace("-", "").casefold().startswith(letters)
        ]
    named = [player for player in named if player.key == own] or named
    if len(named) == 1:
        return named[0]
    if named:
        raise Sorry(
            _(
                "Several players are called so: {players}. Name one by its fingerprint.",
                players=", ".join(player.label() for player in named),
            ),
            Exit.USAGE,
        )
    some = ", ".join(player.label() for player in everybody[:6])
    raise Sorry(
        _(
            "No record here has a player {name}. Players in them: {players}.",
            name=shown(wanted),
            players=some or _("nobody"),
        ),
        Exit.USAGE,
    )
