"""The player of replays: a place in a game, and what each key makes of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.reports import history, sources
from cli.reports.history import Step, Story
from cli.screen.replay.replay import KEYS, STEP, place, screen, timeline
from cli.studies.playback import MOST_SOUGHT, SPEEDS, USUAL, Replay
from cli.text.layout import place_of, words
from p2p_stratego.registry import GAMES
from protocol.audit import verdict
from tests.golden.dialogues import assert_told

COMMANDS = [command for command in KEYS if command != "quit"]


def story(*sentences: str, moments: tuple[int, ...] = (), **more: Any) -> Story:
    """A game of Stratego whose boards do not matter, one sentence a step."""
    steps = tuple(
        Step(at, None, (text,), 1, {}, moment="capture" if at in moments else "")
        for at, text in enumerate(sentences, start=1)
    )
    return Story("stratego", ("Anna", "Boris"), steps, "The end.", **more)


def ten(*moments: int, **more: Any) -> Story:
    return story(*(f"Step number {at}." for at in range(1, 11)), moments=moments, **more)


@pytest.mark.parametrize(
    ("start", "command", "at"),
    [
        (1, "next", 2), (1, "back", 1), (10, "next", 10), (1, "forth", 10), (10, "far back", 1),
        (5, "first", 1), (5, "last", 10), (1, "event", 4), (4, "event", 7), (7, "event", 10),
        (10, "event", 10), (10, "event back", 7), (5, "event back", 4), (4, "event back", 4),
        (3, "enter", 4), (3, "found", 4),
    ],
)  # fmt: skip
def test_a_command_moves_to_its_step(start: int, command: str, at: int) -> None:
    assert Replay(ten(4, 7), at=start).go(command).at == at


def test_it_plays_to_the_last_step_and_begins_anew_from_there() -> None:
    place = Replay(ten()).go("play")
    assert place.playing
    seen = []
    while place.playing:
        seen.append(place.at)
        place = place.ticked()
    assert seen == list(range(1, 10))
    assert place.at == 10
    again = place.go("play")
    assert (again.at, again.playing) == (1, True)
    assert not again.go("play").playing
    assert place.ticked() == place


@pytest.mark.parametrize("command", ["next", "back", "first", "event", "search", "keys"])
def test_other_keys_stop_play_by_itself(command: str) -> None:
    assert not Replay(ten(), at=5).go("play").go(command).playing


@pytest.mark.parametrize("command", ["faster", "slower", "view", "open", "turn", "moves"])
def test_these_keys_do_not_stop_it(command: str) -> None:
    assert Replay(ten(), at=5).go("play").go(command).playing


def test_a_watched_game_does_not_play_by_itself() -> None:
    assert not Replay(ten(), live="live").go("play").playing


def test_speed_has_bounds_and_an_event_stays_longer() -> None:
    place = Replay(ten(4), speed=USUAL)
    slow, fast = place, place
    for _ in range(20):
        slow, fast = slow.go("slower"), fast.go("faster")
    assert (SPEEDS[slow.speed], SPEEDS[fast.speed]) == (SPEEDS[0], SPEEDS[-1])
    assert slow.pause(0.4) == pytest.approx(place.pause(0.4) / SPEEDS[0])
    assert fast.pause(0.4) == pytest.approx(place.pause(0.4) / SPEEDS[-1])
    assert place.to(4).pause(0.4) > place.pause(0.4)


def test_the_list_of_moves_stays_or_goes_back() -> None:
    opened = Replay(ten(), at=3).go("moves").go("forth")
    assert (opened.at, opened.closes) == (10, True)
    assert (opened.go("enter").at, opened.go("enter").pane) == (10, "board")
    assert (opened.go("close").at, opened.go("close").pane) == (3, "board")
    assert opened.go("moves").at == 10
    assert not opened.go("enter").closes


def test_a_search_finds_the_next_place_and_goes_round() -> None:
    place = Replay(story("A wins.", "B takes it.", "a wins.", "B", "A WINS"), at=1)
    typed = place.go("search").typed("xA w").erased()
    assert typed.typing == "xA "
    searched = place.go("search").typed("a wins").searched()
    assert (searched.at, searched.hits) == (1, [1, 3, 5])
    assert [searched.go("found").at, searched.go("found").go("found").at] == [3, 5]
    assert searched.go("found").go("found").go("found").at == 1
    assert searched.go("found back").at == 5
    assert place.to(2).go("search").typed("wins").searched().at == 3
    again = searched.go("search").searched()
    assert again.sought == "a wins"
    assert searched.go("close").sought == ""


def test_a_search_for_nothing_that_is_there_says_so_and_stays() -> None:
    place = Replay(ten(), at=4).go("search").typed("dragon").searched()
    assert place.at == 4
    assert_told("replay", "a search for nothing that is there", place.notice)
    assert place.go("next").notice == ""
    empty = Replay(ten(), at=4).go("search").searched()
    assert (empty.at, empty.typing, empty.notice) == (4, None, "")


def test_a_search_is_given_up_and_takes_no_rubbish() -> None:
    typing = Replay(ten()).go("search")
    assert typing.given_up().typing is None
    assert typing.erased().typing is None
    assert typing.typed("a\x1b[2J\nb").typing == "a[2Jb"
    assert len(typing.typed("x" * 1000).typing or "") == MOST_SOUGHT
    assert Replay(ten()).typed("x") == Replay(ten())


@given(st.lists(st.sampled_from(COMMANDS), max_size=40), st.integers(1, 12))
def test_no_sequence_of_commands_leaves_the_game(commands: list[str], steps: int) -> None:
    place = Replay(story(*("Told.",) * steps, moments=(2, 5)))
    for command in commands:
        place = place.go(command).ticked()
        assert 1 <= place.at <= steps
        assert place.seat in (0, 1)
        assert not (place.playing and place.last)


def test_a_command_that_is_none_is_a_bug() -> None:
    with pytest.raises(KeyError):
        Replay(ten()).go("dance")


# Whose eyes


def two_cards() -> Story:
    """Red lays 1 in step 2, blue 2 in step 3; both are open in the last step, 4."""
    steps = [Step(at, None, ("Told.",), 1, {}) for at in range(1, 4)]
    steps.append(Step(4, None, ("Told.",), 1, {1: 10, 2: 20}))
    return Story("stratego", ("Anna", "Boris"), tuple(steps), "", read=({1: 2}, {2: 3}))


def test_each_seat_sees_its_own_things_from_the_step_on_in_which_it_laid_them() -> None:
    place = Replay(two_cards())
    assert place.views == (0, 1, None)
    assert [place.to(at).seen_by(0) for at in (1, 2, 3, 4)] == [{}, {1: 10}, {1: 10}, {1: 10, 2: 20}]
    assert [place.to(at).seen_by(1) for at in (1, 2, 3, 4)] == [{}, {}, {2: 20}, {1: 10, 2: 20}]
    assert [place.to(at).seen_by(None) for at in (1, 2, 3, 4)] == [{}, {}, {}, {1: 10, 2: 20}]
    assert place.known == {}
    assert place.go("open").known == {1: 10, 2: 20}


def test_the_key_for_views_goes_through_all_and_turns_the_board() -> None:
    place = Replay(two_cards(), at=3)
    seen = []
    for _ in range(4):
        seen.append((place.eyes, place.seat, dict(place.known)))
        place = place.go("view")
    assert seen == [(None, 0, {}), (0, 0, {1: 10}), (1, 1, {2: 20}), (None, 1, {})]


def test_the_owner_sees_own_things_that_were_never_opened() -> None:
    closed = replace(two_cards(), steps=two_cards().steps[:3])
    assert Replay.of(closed).known == {}
    assert Replay.of(closed).views == (None,)
    own = Replay.of(replace(closed, own=1, secrets={2: 20}))
    assert (own.eyes, own.seat, own.views) == (1, 1, (1, None))
    assert [own.to(at).known for at in (1, 2, 3)] == [{}, {}, {2: 20}]
    assert own.to(1).go("open").known == {2: 20}


def test_what_was_laid_in_the_open_step_is_seen_at_the_last_one() -> None:
    begun = replace(two_cards(), steps=two_cards().steps[:2], own=1, secrets={2: 20}, since=((None, 0),))  # type: ignore[arg-type]
    assert Replay.of(begun).to(2).known == {2: 20}
    assert Replay.of(begun).to(1).known == {}


@pytest.mark.parametrize("name", ["complete", "incomplete", "cheated"])
def test_row_42_no_eyes_see_more_than_their_seat_could(records: Path, name: str) -> None:
    """At every step, each seat sees what is open, and of the rest what it had laid itself by then."""
    replay = verdict.replay(sources.read(str(records / f"{name}.p2ps")), GAMES)
    place = Replay.of(history.of_match(replay))
    hidden = replay.referee.table.hidden
    assert place.eyes is None
    for at in range(1, len(place.story.steps) + 1):
        here = place.to(at)
        opened = here.story.steps[at - 1].faces
        for seat in (0, 1):
            more = here.seen_by(seat).keys() - opened.keys()
            assert {hidden[slot].seat for slot in more} <= {seat}
            assert here.seen_by(seat).items() <= here.everything.items()


# The line of time


@pytest.mark.parametrize("columns", [3, 10, 80, 200])
@pytest.mark.parametrize("steps", [1, 2, 77, 500])
def test_every_cell_of_the_line_of_time_is_a_step_and_this_one_stands_once(columns: int, steps: int) -> None:
    shown = story(*("Told.",) * steps, moments=tuple(range(1, steps, 7)))
    for at in {1, steps // 2 + 1, steps}:
        line = timeline(Replay(shown, at=at), columns)
        assert len(words(line)) == columns
        assert words(line).count("●") == 1
        places = [place(place_of(style) or "") for style, sign in line if sign.strip()]
        assert all(command == "step" and 1 <= to <= steps for command, to in places)
        assert [to for _, to in places] == sorted(to for _, to in places)


def test_a_place_is_a_step_a_command_or_nothing() -> None:
    assert place(f"{STEP}12") == ("step", 12)
    assert place("key-event-back") == ("event back", 0)
    assert place("key-dance") == ("", 0)
    assert place("card-3") == ("", 0)


@pytest.mark.parametrize("pane", ["moves", "keys", "search"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60), (30, 9)])
def test_every_pane_fills_the_screen_exactly(records: Path, pane: str, size: tuple[int, int]) -> None:
    replay = verdict.replay(sources.read(str(records / "complete.p2ps")), GAMES)
    at = Replay.of(history.of_match(replay)).to(9).go(pane).typed("identif")
    for here in (at, at.searched()):
        lines = screen(here, *size)
        assert len(lines) == size[1]
        assert {len(words(line)) for line in lines} == {size[0]}
