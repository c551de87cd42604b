"""A table of three and more in words: who is where, who is away, who says that somebody does not answer."""

from __future__ import annotations

from cli.games.interface import Players
from cli.table.words.other_players import (
    Fellow,
    FellowWay,
    Silence,
    absence,
    place_of,
    returned,
    silence_sentences,
    summary,
)
from tests.golden.tables import Chronicle, assert_as_kept

PLAYERS = Players(("Anna", "Boris", "Chen", "Dana"), 0)


def fellow(seat: int, way: FellowWay = "direct", **more: object) -> Fellow:
    usual: dict[str, object] = {"seconds": 125.0}
    return Fellow(seat, PLAYERS.names[seat], "blue", way, **{**usual, **more})  # type: ignore[arg-type]


def test_each_player_has_a_place_in_words(chronicle: Chronicle) -> None:
    for what, boris in (
        ("linked, 23.4 ms away", fellow(1, rtt=0.0234)),
        ("linked, a tenth of that ms away", fellow(1, rtt=0.0001)),
        ("linked, and not measured", fellow(1)),
        ("linked through a relay, 61 ms away", fellow(1, rtt=0.061, via="relay")),
        ("linked through a proxy", fellow(1, via="proxy")),
        ("linked to Chen, not to us", fellow(1, "through", through="Chen")),
        ("away for 125 seconds", fellow(1, "away")),
        ("not come for 125 seconds", fellow(1, "never")),
        ("coming, for the first seconds", fellow(1, "never", coming=True)),
        ("by post", fellow(1, "post")),
        ("a bot", fellow(1, "bot")),
        ("left", fellow(1, "gone")),
    ):
        tone, text = place_of(boris)
        chronicle.show(what, f"{text} ({tone})")
    assert_as_kept(chronicle)


def test_the_title_says_who_is_missing(chronicle: Chronicle) -> None:
    for what, fellows in (
        ("Boris linked, Chen through Boris", (fellow(1), fellow(2, "through", through="Boris"))),
        ("Boris linked, Chen a bot, Dana has left", (fellow(1), fellow(2, "bot"), fellow(3, "gone"))),
        ("Boris linked, Chen away", (fellow(1), fellow(2, "away"))),
        ("Boris away, Chen not come, Dana linked", (fellow(1, "away"), fellow(2, "never"), fellow(3))),
        ("Boris linked, Chen coming back", (fellow(1), fellow(2, "away", coming=True))),
        ("Boris has left", (fellow(1, "gone"),)),
        ("Boris and Dana by post, Chen a bot", (fellow(1, "post"), fellow(2, "bot"), fellow(3, "post"))),
    ):
        tone, text = summary(fellows)
        chronicle.show(what, f"{text} ({tone})")
    assert_as_kept(chronicle)


def test_an_absence_is_pressing_only_if_the_game_waits_for_it(chronicle: Chronicle) -> None:
    assert absence((fellow(1), fellow(2, "gone")), "or leave") is None
    assert absence((fellow(1, "never", coming=True, owes=True),), "or leave") is None
    for what, warning in (
        ("Boris is away", absence((fellow(1, "away"), fellow(2)), "or leave", "The line broke. ")),
        (
            "Boris is asked, and away with Chen",
            absence((fellow(1, "away", owes=True), fellow(2, "away")), "or leave (all is saved)"),
        ),
        (
            "Boris and Chen are asked, and away",
            absence((fellow(1, "away", owes=True), fellow(2, "never", owes=True)), "leave, or claim in 1:00"),
        ),
    ):
        assert warning is not None
        chronicle.show(what, f"{warning[1]} ({warning[0]})")
    assert_as_kept(chronicle)


def test_who_comes_back_is_told() -> None:
    assert returned(fellow(1)) == "Boris is back."
    assert returned(fellow(1, "through", through="Dana")) == "Boris is back."


def test_a_silence_is_told_with_whose_word_is_missing_and_who_decides(chronicle: Chronicle) -> None:
    for what, silence in (
        ("Anna has said so of Boris, Chen has not", Silence(1, (0,), (2,), 3)),
        ("Chen has said so of Boris, Anna has not", Silence(1, (2,), (0,), 3)),
        ("Anna and Chen have said so of Boris", Silence(1, (0, 2), (), 3)),
        ("Boris has said so of Dana, and Anna decides", Silence(3, (1,), (), 0)),
        ("Boris and Chen have said so of Anna", Silence(0, (1, 2), (), 3)),
        ("they have, and without Anna's key the game ends", Silence(0, (1, 2), (), 3, ends=True)),
        ("Anna and Chen have, and without Boris's key it ends", Silence(1, (0, 2), (), 3, ends=True)),
        ("Dana, who decides, has resigned", Silence(1, (2,), (0,), 3, resigned=True)),
        ("Anna, who decides, has resigned", Silence(1, (2, 3), (), 0, resigned=True)),
    ):
        chronicle.show(what, silence_sentences(silence, PLAYERS))
    assert_as_kept(chronicle)
