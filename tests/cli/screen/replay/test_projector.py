"""Films of what happens: every frame fits, a film is short, any key ends it, and nothing waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.games.drama import Capture, CardTurn, Closing, DiceRoll, DramaEvent, Duel, Figure, PointsChange, Walk
from cli.games.interface import Players
from cli.screen.match import frames
from cli.screen.replay.projector import MOST, SECONDS, SLOW, Film
from cli.shell.settings import Settings
from cli.table.orders import actions
from cli.table.seat.controller import TableController
from cli.text.layout import ascii_line, width, words
from p2p_stratego.registry import ENTRIES, GAMES
from tests.golden.screens import assert_as_it_was
from tests.helpers.games.any_game import NAMES, parts, states
from tests.helpers.games.facts import facts
from tests.helpers.links.ends import Ends
from tests.helpers.program.terminal import ENTER, ESCAPE, F10, Player, at_screen
from tests.helpers.spies_and_lies.typing_in import honest_line

TIMES = (0.0, 0.05, 0.2, 0.45, 0.55, 0.62, 0.7, 0.8, 0.99, 1.0)
ANNA, BORIS = Figure(0, "4", "Sergeant", "Anna"), Figure(1, "M", "Marshal", "Boris")
EVENTS: dict[str, DramaEvent] = {
    "duel": Duel("Combat on e5", ANNA, BORIS, "right", "The Marshal outranks the Sergeant."),
    "turned": CardTurn("Boris's mission 1", BORIS, "Guessed 4, it is 10 Marshal: activated"),
    "counted": PointsChange("Infiltration", 0, "Anna", 4, 7, 10, "Anna: 4 → 7"),
    "walked": Walk("The agent", 0, 3, -5, 5, (0, 1), "The agent is 3 steps from the middle."),
    "rolled": DiceRoll("A voyage", (4, 2), "ge1 puts out to the baltic sea and rolls 4, then 2."),
    "taken": Capture("The flag", 0, "⚑", "Anna takes the flag!"),
}


TITLE = "─ Combat on e5"


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@cache
def happened(game: str) -> tuple[tuple[DramaEvent, ...], tuple[Closing, ...]]:
    """All events and closings of some whole games."""
    terminal, dramas, closings = parts(game), list[DramaEvent](), list[Closing]()
    players = Players(NAMES[: min(GAMES[game].seat_counts)], 0)
    for seed in facts(game).seeds:
        steps: list[tuple[Any, Any]] = []
        history = states(game, seed)
        for before, after in pairwise(history):
            assert terminal.events is not None
            dramas += terminal.events(before, after, players)
            steps.append((before, after))
            closing = terminal.closing(steps, players) if terminal.closing else None
            if closing is not None:
                closings.append(closing)
                steps = []
    return tuple(dramas), tuple(closings)


@pytest.mark.parametrize("game", [game for game in ENTRIES if parts(game).events is not None])
def test_every_frame_of_whole_games_fits_its_box(game: str) -> None:
    events, closings = happened(game)
    kinds = {type(event) for event in events}
    assert kinds >= facts(game).events
    assert bool(closings) == facts(game).closings
    for event in set(events):
        for time in TIMES:
            lines = frames.frame(event, time)
            assert len(lines) == frames.ROWS
            assert {width(line) for line in lines} == {frames.COLUMNS}
            assert all(words(ascii_line(line)).isascii() for line in lines)


@pytest.mark.parametrize("kind", EVENTS)
def test_a_film_as_it_looked(kind: str) -> None:
    shown = [[words(line) for line in frames.frame(EVENTS[kind], time)] for time in (0.1, 0.45, 1.0)]
    assert_as_it_was(f"film-{kind}", "\n".join("  ".join(row) for row in zip(*shown, strict=True)))


def test_what_a_card_shows_is_not_seen_before_it_is_turned() -> None:
    for time in (0.0, 0.1, 0.2):
        shown = " ".join(words(line) for line in frames.frame(EVENTS["duel"], time))
        assert "Marshal" not in shown
        assert "Sergeant" not in shown
    assert "outranks" in " ".join(words(line) for line in frames.frame(EVENTS["duel"], 1.0))


@given(st.lists(st.sampled_from(list(EVENTS.values())), min_size=1, max_size=9))
def test_a_film_is_over_within_a_second_and_shows_each_event_in_its_order(events: list[DramaEvent]) -> None:
    clock = Clock()
    film = Film(clock)
    film.play(events)
    seen, times = list[DramaEvent](), list[float]()
    for step in range(101):
        clock.now = 100.0 + step / 100
        playing = film.now()
        if playing is None:
            break
        event, time = playing
        assert 0.0 <= time <= 1.0
        if not seen or seen[-1] is not event or time < times[-1]:
            seen.append(event)
        times.append(time)
    assert film.now() is None
    assert clock.now - 100.0 <= MOST + 0.01
    assert [event for event in seen if event in events] == seen
    assert seen[0] == events[0]


def test_a_film_ends_at_once_when_skipped_and_another_takes_its_place() -> None:
    clock = Clock()
    film = Film(clock)
    assert film.now() is None
    film.play([EVENTS["duel"]])
    clock.now += 0.3
    assert film.now() is not None
    film.play([EVENTS["taken"]])
    assert film.now() == (EVENTS["taken"], 0.0)
    film.skip()
    assert film.now() is None
    assert set(SECONDS) == {type(event) for event in EVENTS.values()}


def test_a_slow_terminal_gets_no_films_until_they_are_wanted_again() -> None:
    film = Film(Clock())
    film.play([EVENTS["duel"]])
    film.drew(SLOW * 2)
    film.drew(SLOW / 2)
    film.drew(SLOW * 2)
    assert film.now() is not None
    film.drew(SLOW * 2)
    assert film.now() is None
    film.play([EVENTS["duel"]])
    assert film.now() is None
    film.retry()
    film.play([EVENTS["duel"]])
    assert film.now() is not None


# At a table


@pytest.fixture
def ends(tmp_path: Path) -> Iterator[Ends]:
    both = Ends(tmp_path)
    yield both
    both.close()


def to_the_first_guess(ends: Ends, anna: TableController, boris: TableController) -> None:
    """Both lay and mark honestly, until Anna guesses."""
    ends.connect()
    for table in (anna, boris):
        table.refresh()
        actions.enter(table, honest_line(table))
        ends.pump()
    while anna.session.view.state.phase != "mission":
        for table in (anna, boris):
            table.refresh()
            decision = table.session.decision
            if decision is not None and anna.session.view.state.phase != "mission":
                actions.enter(
                    table, table.terminal.questions.choices(table.context_with("") or _never())[0].word
                )
                ends.pump()


def _never() -> Any:
    raise AssertionError("the match has begun")


def test_a_turned_card_is_played_and_the_match_does_not_wait(ends: Ends) -> None:
    anna, boris = ends.table(0, Settings(summary=False)), ends.table(1)
    to_the_first_guess(ends, anna, boris)

    async def play(player: Player) -> None:
        clock = Clock()
        player.front.film.clock = clock
        await player.look()
        while anna.session.decision is None:
            actions.enter(boris, "no" if boris.session.decision else "")
            await player.look()
        count = anna.session.referee.count
        line = "guess 4" if "guess 4" in str(anna.session.decision) else "4"
        shown = await player.press(line, ENTER)
        while boris.session.decision is not None and anna.session.referee.count == count:
            actions.enter(boris, "no")
            shown = await player.look()
        film = player.front.film
        if film.now() is None:
            actions.enter(boris, "no")
            await player.look()
        assert film.now() is not None
        assert anna.session.referee.count > count  # admitted, while the film begins only
        assert "any key" in await player.look()
        clock.now += 0.9
        shown = await player.look()
        assert "mission 1" in shown
        shown = await player.press(ESCAPE)
        assert film.now() is None
        assert "any key" not in shown

    at_screen(ends, anna, play)


@pytest.mark.parametrize(("key", "typed"), [(ENTER, ""), (ESCAPE, ""), (" ", ""), ("g", "g"), ("5", "5")])
def test_the_key_that_ends_a_film_acts_unless_it_only_means_to_go_on(
    ends: Ends, key: str, typed: str
) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        await player.look()
        player.front.film.clock = Clock()
        player.front.film.play([EVENTS["duel"]])
        assert TITLE in await player.look()
        shown = await player.press(key)
        assert TITLE not in shown
        assert player.front.hands.line.buffer.text == typed
        assert "Nothing is typed" not in shown
        assert player.front.film.now() is None
        assert "─ Settings" in await player.press(F10)

    at_screen(ends, ends.table(0, Settings()), play)


def test_nothing_is_played_for_a_player_who_wants_that(ends: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        await player.look()
        monkeypatch.setattr(player.front.table.unread, "take_events", lambda: [EVENTS["duel"]])
        assert TITLE not in await player.look()
        player.front.changed()
        assert player.front.film.now() is None
        assert TITLE not in await player.look()

    at_screen(ends, ends.table(0, Settings(animation=False)), play)


def test_a_terminal_of_the_smallest_size_shows_the_question_at_once(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        await player.look()
        player.front.film.clock = Clock()
        player.terminal.columns = 60
        player.front.film.play([EVENTS["duel"]])
        assert TITLE not in await player.look()

    at_screen(ends, ends.table(0, Settings()), play)
