"""Hints and analyses name the version of the bot that speaks: if it decides otherwise, that has to grow."""

from __future__ import annotations

import hashlib
import random
from typing import Any, Final

import pytest

from p2p_stratego.core.self_play import Decided, play
from p2p_stratego.core.view import Bot, View
from p2p_stratego.registry import ENTRIES, GAMES, OWN, judge, make_bot

KNOWN: Final = {
    "conquest": (1, "f98953b7e234e1ac"),
    "spies": (1, "7d94f3e936f1d12f"),
    "spies-and-lies": (1, "e0ca3eca8b7ae6c8"),
    "stratego": (1, "22772722c1466d75"),
}
"""By game: the version of its bots, and the hash of what they decided in two games."""


class Heard:
    """A bot, with a hash of all that it decides."""

    def __init__(self, bot: Bot[Any], heard: Any) -> None:
        self._bot, self._heard = bot, heard

    def decide(self, view: View[Any]) -> Decided:
        decided = self._bot.decide(view)
        self._heard.update(repr(decided).encode())
        return decided


@pytest.mark.parametrize("game", sorted(OWN))
def test_a_bot_that_decides_otherwise_has_another_version(game: str) -> None:
    heard = hashlib.sha256()
    for seed in (1, 2):
        bots = [Heard(make_bot(game, judge(game), random.Random(f"{seed}/{seat}")), heard) for seat in (0, 1)]
        play(GAMES[game], bots, {}, random.Random(seed))
    version = (ENTRIES[game].bots_version, heard.hexdigest()[:16])
    assert version == KNOWN[game], "raise bots_version in the game's entry, and write both down here"
