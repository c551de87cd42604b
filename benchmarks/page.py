"""Figures of the page of HTML that holds a match: its bytes, and how soon a browser has checked it."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Final

from benchmarks.measure import Floor, Missing, Taken, exact, rounds, timed
from cli.page import content
from p2p_stratego.registry import GAMES
from protocol.audit.verdict import replay
from tests.helpers.games.players import honest
from tests.helpers.machine.browser import commands, running
from tests.helpers.seats.pair import Table

ROUNDS: Final = 9


@cache
def _match() -> bytes:
    """The transcript of a classic game of Stratego between recruits."""
    options = {"army": "classic"}
    return Table(1, game=GAMES["stratego"], options=options, decide=honest).play().seats[0].transcript


@cache
def _page() -> bytes:
    return content.page(replay(_match(), GAMES), _match(), "en")


def length() -> Taken:
    """The bytes of the page, beside the record that it holds."""
    return Taken(exact(len(_page())), Floor("its record", exact(len(_match()))))


def opening() -> Taken:
    """From its address to the page as it can be read, beside one that holds nothing."""
    if commands() is None:
        raise Missing("There is no Chromium with its chromedriver.")
    with tempfile.TemporaryDirectory() as folder, running() as window:
        full, empty = Path(folder, "match.html"), Path(folder, "empty.html")
        full.write_bytes(_page())
        empty.write_bytes(b"<!doctype html><title>empty</title>")
        value, floor = rounds(ROUNDS, timed(lambda: window.open(full)), timed(lambda: window.open(empty)))
    return Taken(value, Floor("an empty page", floor))
