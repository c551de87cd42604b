"""A table of three and more in words: who is where, who is away, who says that somebody does not answer."""

from __future__ import annotations

import pytest

from cli.games.interface import Players
from cli.table.words.company import (
    Fellow,
    FellowWay,
    Silence,
    absence,
    place_of,
    returned,
    silence_sentences,
    summary,
)

PLAYERS = Players(("Anna", "Boris", "Chen", "Dana"), 0)


def fellow(seat: int, way: FellowWay = "direct", **more: object) -> Fellow:
    usual: dict[str, object] = {"seconds": 125.0}
    return Fellow(seat, PLAYERS.names[seat], "blue", way, **{**usual, **more})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "told"),
    [
        (fellow(1, rtt=0.0234), ("good", "direct 23 ms")),
        (fellow(1, rtt=0.0001), ("good", "direct 1 ms")),
        (fellow(1), ("good", "direct")),
        (fellow(1, rtt=0.061, via="relay"), ("good", "relay 61 ms")),
        (fellow(1, via="proxy"), ("good", "proxy")),
        (fellow(1, "through", through="Chen"), ("good", "via Chen")),
        (fellow(1, "away"), ("warn", "away 2:05")),
        (fellow(1, "never"), ("warn", "not here 2:05")),
        (fellow(1, "never", coming=True), ("dim", "connecting")),
        (fellow(1, "post"), ("dim", "by post")),
        (fellow(1, "bot"), ("good", "bot")),
        (fellow(1, "gone"), ("dim", "gone")),
    ],
)
def test_each_player_has_a_place_in_words(one: Fellow, told: tuple[str, str]) -> None:
    assert place_of(one) == told


def test_the_title_says_who_is_missing() -> None:
    assert summary((fellow(1), fellow(2, "through", through="Boris"))) == ("good", "all are here")
    assert summary((fellow(1), fellow(2, "bot"), fellow(3, "gone"))) == ("good", "all are here")
    assert summary((fellow(1), fellow(2, "away"))) == ("warn", "Chen away 2:05")
    assert summary((fellow(1, "away"), fellow(2, "never"), fellow(3))) == ("warn", "2 of 3 away")
    assert summary((fellow(1), fellow(2, "away", coming=True))) == ("dim", "connecting")
    assert summary((fellow(1, "gone"),)) == ("good", "all others have left")
    assert summary((fellow(1, "post"), fellow(2, "bot"), fellow(3, "post"))) == ("dim", "by post")


def test_an_absence_is_pressing_only_if_the_game_waits_for_it() -> None:
    assert absence((fellow(1), fellow(2, "gone")), "or leave") is None
    assert absence((fellow(1, "never", coming=True, owes=True),), "or leave") is None
    told = absence((fellow(1, "away"), fellow(2)), "or leave", "The line broke. ")
    assert told == ("dim", "Boris is away. The line broke. The game goes on meanwhile.")
    told = absence((fellow(1, "away", owes=True), fellow(2, "away")), "or leave (all is saved)")
    assert told == ("warn", "The game waits for Boris, who is away: wait, or leave (all is saved).")
    told = absence((fellow(1, "away", owes=True), fellow(2, "never", owes=True)), "leave, or claim in 1:00")
    assert told == ("warn", "The game waits for Boris and Chen, who are away: wait, leave, or claim in 1:00.")


def test_who_comes_back_is_told() -> None:
    assert returned(fellow(1)) == "Boris is back."
    assert returned(fellow(1, "through", through="Dana")) == "Boris is back."


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (
            Silence(1, (0,), (2,), 3),
            "Boris does not answer (according to: you). Still to say so: Chen. Dana decides whether the game "
            "goes on without Boris.",
        ),
        (
            Silence(1, (2,), (0,), 3),
            "Boris does not answer (according to: Chen). Still to say so: you. Dana decides whether the game "
            "goes on without Boris.",
        ),
        (
            Silence(1, (0, 2), (), 3),
            "Boris does not answer (according to: you and Chen). Dana decides whether the game goes on "
            "without Boris.",
        ),
        (
            Silence(3, (1,), (), 0),
            "Dana does not answer (according to: Boris). You decide (claim) whether the game goes on without "
            "Dana.",
        ),
        (
            Silence(0, (1, 2), (), 3),
            "You do not answer (according to: Boris and Chen): decide now, or the game can go on without "
            "you.",
        ),
        (
            Silence(0, (1, 2), (), 3, ends=True),
            "You do not answer (according to: Boris and Chen): decide now, or the game can end for good.",
        ),
        (
            Silence(1, (0, 2), (), 3, ends=True),
            "Boris does not answer (according to: you and Chen). Dana decides whether the game ends here "
            "for good: without Boris's key no card can be drawn.",
        ),
        (
            Silence(1, (2,), (0,), 3, resigned=True),
            "Boris does not answer (according to: Chen). Still to say so: you. The program of Dana, who has "
            "resigned, decides whether the game goes on without Boris.",
        ),
        (
            Silence(1, (2, 3), (), 0, resigned=True),
            "Boris does not answer (according to: Chen and Dana). Your program decides whether the game goes "
            "on without Boris.",
        ),
    ],
)
def test_a_silence_is_told_with_whose_word_is_missing_and_who_decides(found: Silence, told: str) -> None:
    assert silence_sentences(found, PLAYERS) == told
