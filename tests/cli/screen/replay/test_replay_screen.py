"""The application of a replay: keys, clicks and the timer move it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from prompt_toolkit.data_structures import Point, Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Screen, WritePosition
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.output import DummyOutput

from cli.reports import history
from cli.reports.history import Story
from cli.screen.replay.replay import ABOUT, cut, screen
from cli.screen.replay.replay_screen import ReplayScreen
from cli.shell.settings import Settings
from cli.studies.analysis.analysing import Work
from cli.studies.analysis.analysis_text import decision
from cli.studies.playback import Replay
from cli.text import language
from cli.text.language import NAMES
from cli.text.layout import Line, width, words
from p2p_stratego.core.language import _
from p2p_stratego.registry import GAMES
from protocol.audit import verdict
from tests.helpers.program.commands import honest
from tests.helpers.seats.pair import Table


class Clock:
    """A timer whose time passes when the test says so."""

    def __init__(self) -> None:
        self.waiting: list[tuple[float, Callable[[], None]]] = []

    def __call__(self, seconds: float, call: Callable[[], None], /) -> Clock.Waiting:
        self.waiting.append((seconds, call))
        return Clock.Waiting(self, self.waiting[-1])

    def ring(self) -> None:
        (alarm,) = self.waiting
        self.waiting.clear()
        alarm[1]()

    class Waiting:
        def __init__(self, clock: Clock, alarm: tuple[float, Callable[[], None]]) -> None:
            self.clock, self.alarm = clock, alarm

        def cancel(self) -> None:
            self.clock.waiting.remove(self.alarm)


@contextmanager
def spoken(code: str) -> Iterator[None]:
    """A language in this process for a while."""
    language.install(code)
    try:
        yield
    finally:
        language.install("en")


@pytest.fixture(scope="module")
def story() -> Story:
    """A whole game."""
    table = Table(1, decide=honest).play()
    return history.of_match(verdict.replay(table.seats[0].transcript, GAMES))


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as entry:
        yield entry


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def shown(story: Story, keys: PipeInput, clock: Clock) -> ReplayScreen:
    return ReplayScreen(Replay.of(story), Settings(), streams=(keys, DummyOutput()), later=clock)


def typed(shown: ReplayScreen, keys: PipeInput, text: str) -> Replay:
    keys.send_text(f"{text}q")
    shown.app.run()
    return shown.place


def test_play_by_itself_goes_on_with_each_ring_until_the_end(shown: ReplayScreen, clock: Clock) -> None:
    shown.perform("play")
    rung = 0
    while clock.waiting:
        assert clock.waiting[0][0] == shown.place.pause(1.0)
        clock.ring()
        rung += 1
    assert rung == len(shown.place.story.steps) - 1
    assert shown.place.last


def test_another_speed_sets_the_timer_anew_and_stopping_takes_it_away(
    shown: ReplayScreen, clock: Clock
) -> None:
    shown.perform("play")
    before = clock.waiting[0][0]
    shown.perform("faster")
    assert [seconds for seconds, _ in clock.waiting] == [pytest.approx(before / 2)]
    shown.perform("open")
    assert len(clock.waiting) == 1
    shown.perform("next")
    assert clock.waiting == []


def test_leaving_while_it_plays_leaves_no_timer(shown: ReplayScreen, keys: PipeInput, clock: Clock) -> None:
    typed(shown, keys, " +")
    assert clock.waiting == []


@pytest.mark.parametrize(
    ("text", "at", "sought"),
    [
        ("/guesses the\r", 4, "guesses the"),
        ("/guesses the\rnn", 6, "guesses the"),
        ("/guesses the\rnnN", 5, "guesses the"),
        ("/gux\x7fesses the\r", 4, "guesses the"),
        ("j/jjj\x03", 2, ""),
        ("/no such thing\r", 1, "no such thing"),
        ("mjjj\r", 4, ""),
        ("\t\t", 5, ""),
    ],
)
def test_keys_search_and_jump(shown: ReplayScreen, keys: PipeInput, text: str, at: int, sought: str) -> None:
    place = typed(shown, keys, text)
    assert (place.at, place.sought) == (at, sought)


def mouse(shown: ReplayScreen, at: Point, kind: MouseEventType, button: MouseButton) -> None:
    """What the mouse does at a place of the screen."""
    handlers, size = MouseHandlers(), shown.app.output.get_size()
    whole = WritePosition(0, 0, size.columns, size.rows)
    shown.app.layout.container.write_to_screen(Screen(), handlers, whole, "", False, None)
    handlers.mouse_handlers[at.y][at.x](MouseEvent(at, kind, button, frozenset()))


def click(shown: ReplayScreen, sign: str, row: int = -1) -> None:
    """A click on the first place of a row where these words stand; the wheel for "up" and "down"."""
    lines = shown.lines()
    row = range(len(lines))[row]
    column = words(lines[row]).index(sign)
    mouse(shown, Point(column, row), MouseEventType.MOUSE_UP, MouseButton.LEFT)


def test_a_click_on_a_key_of_the_bar_is_that_key(shown: ReplayScreen, clock: Clock) -> None:
    click(shown, "→")
    assert shown.place.at == 2
    click(shown, "Space")
    assert shown.place.playing
    click(shown, "stop")
    assert clock.waiting == []
    click(shown, "moves")
    assert shown.place.pane == "moves"


def test_a_click_on_the_line_of_time_or_on_a_move_goes_there(shown: ReplayScreen) -> None:
    click(shown, "·", -2)
    assert shown.place.at == shown.place.events[0]
    shown.perform("moves")
    rows = [words(line) for line in shown.lines()]
    row = next(row for row, text in enumerate(rows) if " 5 " in text[:5])
    click(shown, " 5 ", row)
    assert shown.place.at == 5


def test_the_wheel_steps(shown: ReplayScreen) -> None:
    for kind, at in (
        (MouseEventType.SCROLL_DOWN, 2),
        (MouseEventType.SCROLL_DOWN, 3),
        (MouseEventType.SCROLL_UP, 2),
    ):
        mouse(shown, Point(5, 5), kind, MouseButton.NONE)
        assert shown.place.at == at


# The analysis beside the board


def judged(story: Story, keys: PipeInput, clock: Clock) -> ReplayScreen:
    replay = verdict.replay(Table(1, decide=honest).play().seats[0].transcript, GAMES)
    return ReplayScreen(
        Replay.of(story),
        Settings(),
        streams=(keys, DummyOutput()),
        later=clock,
        analysis=lambda: Work(replay, story),
    )


def text(shown: ReplayScreen) -> str:
    return "\n".join(words(line) for line in shown.lines())


def test_an_analysis_begins_when_it_is_wanted_and_is_made_between_keys(
    story: Story, keys: PipeInput, clock: Clock
) -> None:
    shown = judged(story, keys, clock)
    assert "a analysis" in text(shown)
    assert clock.waiting == []
    shown.perform("analysis")
    assert "analysed ..." in text(shown)
    rung = 0
    while clock.waiting:
        assert clock.waiting[0][0] == 0.0
        clock.ring()
        rung += 1
        shown.perform("next")  # keys work meanwhile
    assert rung > 40
    assert shown.place.analysed is not None
    assert not shown.place.judging
    shown.perform("analysis")
    assert shown.place.pane == "board"
    shown.perform("analysis")
    assert clock.waiting == []


@pytest.mark.parametrize("moves", [False, True])
def test_who_wants_to_see_where_it_turned_is_led_there_but_for_one_who_looks_elsewhere(
    story: Story, keys: PipeInput, clock: Clock, moves: bool
) -> None:
    shown = judged(story, keys, clock)
    shown.to_turn = True
    shown.perform("analysis")
    if moves:
        shown.perform("next")
    while clock.waiting:
        clock.ring()
    assert shown.place.analysed is not None
    turn = shown.place.analysed.pivot
    assert turn is not None
    assert shown.place.at == (2 if moves else turn.at)
    assert 2 < turn.at < len(story.steps)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)], ids=str)
def test_the_panel_tells_each_decision_of_the_step(
    story: Story, keys: PipeInput, clock: Clock, size: tuple[int, int]
) -> None:
    shown = judged(story, keys, clock)
    shown.perform("analysis")
    while clock.waiting:
        clock.ring()
    analysis = shown.place.analysed
    assert analysis is not None
    for at in range(1, len(story.steps) + 1, 3):
        lines = screen(shown.place.to(at), *size)
        assert {width(line) for line in lines} == {size[0]}
        assert len(lines) == size[1]
        text = "\n".join(words(line) for line in lines)
        for judgement in analysis.at(at)[:1]:
            assert analysis.names[judgement.made.seat] in text
            assert judgement.kind in text or judgement.kind == "use"
        if not analysis.at(at):
            assert "Nobody decided anything" in text


@pytest.mark.parametrize("code", NAMES)
def test_an_analysis_is_told_to_its_end_in_a_small_window(
    story: Story, keys: PipeInput, clock: Clock, code: str
) -> None:
    with spoken(code):
        shown = judged(story, keys, clock)
        shown.perform("analysis")
        while clock.waiting:
            clock.ring()
        analysis = shown.place.analysed
        assert analysis is not None
        for at in range(1, len(story.steps) + 1):
            place = shown.place.to(at)
            assert all(" │" in words(line) for line in screen(place, 80, 24)[1:10]), "the board stays"
            text = panel(screen(place.go("whole analysis") if cut(place, 80, 24) else place, 80, 24))
            for judgement in analysis.at(at):
                for _style, clause in decision(analysis, judgement):
                    assert "".join(clause.split()) in text


def test_of_an_analysis_that_is_cut_the_same_key_shows_the_rest_and_then_the_board(
    story: Story, keys: PipeInput, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DummyOutput, "get_size", lambda _output: Size(rows=24, columns=80))
    with spoken("de"):
        shown = judged(story, keys, clock)
        shown.perform("analysis")
        while clock.waiting:
            clock.ring()
        at = next(at for at in range(1, len(story.steps) + 1) if cut(shown.place.to(at), 80, 24))
        shown.place = shown.place.to(at)
        assert _("… a shows the rest") in text(shown)
        panes = []
        for _time in range(3):
            shown.perform("analysis")
            panes.append(shown.place.pane)
        assert panes == ["whole", "board", "analysis"]


def panel(lines: list[Line]) -> str:
    """What stands beside the board, or in its place, without blanks."""
    rows = [words(line) for line in lines]
    return "".join("".join(row.rpartition(" │ ")[2].split()) for row in rows)


@pytest.mark.parametrize("code", NAMES)
@pytest.mark.parametrize("size", [(80, 24), (100, 32)], ids=str)
def test_the_keys_are_told_to_the_last(story: Story, code: str, size: tuple[int, int]) -> None:
    with spoken(code):
        text = panel(screen(Replay.of(story).go("keys"), *size))
        for _key, about in ABOUT:
            assert "".join(_(about).split()) in text


def test_a_window_too_small_for_all_keys_says_so(story: Story) -> None:
    text = "\n".join(words(line) for line in screen(Replay.of(story).go("keys"), 50, 16))
    assert "A larger window shows the rest." in text


def test_without_an_analysis_its_key_does_nothing(shown: ReplayScreen) -> None:
    shown.perform("analysis")
    assert shown.place.pane == "board"
    assert "analysis" not in text(shown)


@pytest.mark.parametrize("code", NAMES)
def test_a_small_window_shows_the_keys_of_search_view_and_help(story: Story, code: str) -> None:
    mine = replace(
        story, own=0, secrets={slot: face for step in story.steps for slot, face in step.faces.items()}
    )
    with spoken(code):
        for at in (1, 5, len(mine.steps)):
            place = replace(Replay.of(mine), at=at, judges=True)
            shown = words(screen(place, 80, 24)[-1]).split()
            assert {"/", "v", "m", "a", "?", "q"} <= set(shown)
            assert shown[shown.index("/") + 1] == _("find")
            assert shown[shown.index("v") + 1] == _("view")
