"""The measurement of `make privacy`: no message is longer or shorter for what lies hidden."""

from __future__ import annotations

from typing import Final

import pytest

from protocol.record.asks.registry import HASHES, PROOFS
from protocol.wire.messages import Message
from tests.campaigns.lengths import lengths
from tests.helpers.machine.examples import THOROUGH
from tests.helpers.seats.twins import Match, matches

STEPS: Final = 50
LIGHT: Final = ("toy of 2, proofs", "cups of 2, proofs", "cups of 3, shares of keys")
"""Those with proofs that have every kind of message together; `make thorough` looks at all games."""


def looked_at(match: Match) -> bool:
    return THOROUGH or not match.proofs or match.name in LIGHT


@pytest.mark.parametrize("match", [*filter(looked_at, matches())], ids=str)
def test_row_39_every_message_is_equally_long_whatever_lies_hidden(match: Match) -> None:
    """The first of each kind; `make privacy` looks at all of whole matches."""
    for place in match.first_places(STEPS):
        assert len(lengths(place, hands=1, seed=5)) == 1, place.owed.message


def test_every_kind_of_message_is_looked_at() -> None:
    met: dict[bool, set[type[Message]]] = {True: set(), False: set()}
    for match in matches():
        if match.name in (*LIGHT, "toy of 3, hashes"):
            met[match.proofs] |= {place.owed.message for place in match.places(STEPS)}
    for proofs, profile in ((False, HASHES), (True, PROOFS)):
        assert met[proofs] == {message.shape.kind for ask in profile.values() for message in ask.messages}
