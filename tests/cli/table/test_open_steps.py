"""News of a step that is open: told as they come, kept while it lasts, and proofs folded behind them."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli.games.interface import Players
from cli.reports import describe, history, match_text
from cli.reports.history import Teller
from cli.screen.replay.replay import screen
from cli.studies.playback import Replay
from cli.table.news.events import EventLog
from cli.table.news.looks import Looks
from cli.table.seat.watching import WatchedMatch
from cli.text.layout import words
from p2p_stratego.core.game import Choose
from p2p_stratego.spies.formats import narration
from p2p_stratego.spies.rules.state import State
from protocol.record.asks.base import Answered, Reached
from protocol.replication.onlooker import Onlooker
from protocol.seat.session import Session
from tests.helpers.spies.moments import PEOPLE
from tests.helpers.spies.observed import recorded_game

SEATS = 3
NAMES = PEOPLE[:SEATS]


class Copy:
    """A copy of a match of SPIES! whose history grows as a test says: of a session what the news read."""

    def __init__(self) -> None:
        people = [SimpleNamespace(name=name) for name in NAMES]
        game = SimpleNamespace(name="spies")
        self.genesis = SimpleNamespace(
            game=game, players=people, proofs=True, takebacks=False, sides=((0,), (1,), (2,))
        )
        self.genesis.seat_names = ("germany", "russia", "britain")
        self.table = SimpleNamespace(history=[], gone={}, since=[])
        self.referee = SimpleNamespace(table=self.table, record=[], decided_at=((), (), ()))
        self.seat = 1

    def log(self, *, lesson: bool = False) -> EventLog:
        session, players = cast("Session", self), Players(NAMES, self.seat)
        return EventLog(session, players, Looks(session, players, None), lesson=lesson)

    def teller(self, *, live: bool) -> Teller:
        return Teller(cast("Any", self.genesis), live=live)


def steps() -> list[tuple[State, list[tuple[Any, Any]], State]]:
    return recorded_game(SEATS, 8, ())[0].steps


def searched() -> tuple[State, list[tuple[Any, Any]], State, int]:
    """A step in which a search is answered, and the number of the Ask that follows the answer."""
    for before, asked, after in steps():
        kinds = [event.kind for event in after.report]
        if kinds[:3] == ["moves", "searches", "plays"] and any(
            "papers" in str(answer) for _, answer in asked
        ):
            number = next(n for n, (ask, answer) in enumerate(asked) if str(answer).startswith("papers "))
            return before, asked, after, number
    raise AssertionError("no search was answered")


def test_a_search_and_its_answer_are_told_before_the_search_is_over() -> None:
    before, asked, after, answered = searched()
    copy = Copy()
    copy.table.history += [Reached(before, 4), *(Answered(*pair, 5) for pair in asked[:answered])]
    log = copy.log()
    log.read()
    assert "searches" in log.history[-1]
    assert log.recent[-1][1] == log.history[-1]
    length = len(log.history)
    for number, pair in enumerate(asked[answered:]):
        copy.table.history.append(Answered(*pair, 6 + number))
        log.read()
    assert log.history[length].split(" plays ")[1].startswith("Papers")
    assert (True, log.history[length]) in log.recent, "the chit was opened, and found right"
    copy.table.history.append(Reached(after, 60))
    log.read()
    whole = narration.step(before, after, NAMES)
    assert len(log.history[length - 2 :]) >= len(whole)
    assert [text for text in log.history[length:] if " plays " in text] == log.history[length : length + 1]


def test_an_answer_in_the_middle_keeps_what_began_the_step_and_drops_what_was_before() -> None:
    before, asked, after, answered = searched()
    copy = Copy()
    earlier = steps()[: [step[0] for step in steps()].index(before)][-3:]
    for start, _, _ in earlier:
        copy.table.history.append(Reached(start, 3))
    copy.table.history += [Reached(before, 4), *(Answered(*pair, 5) for pair in asked[:answered])]
    log = copy.log()
    log.read()
    assert len(log.recent) > 1
    log.decided()
    for number, pair in enumerate(asked[answered:]):
        copy.table.history.append(Answered(*pair, 6 + number))
    log.read()
    for phrase, (_, text) in zip(("goes to", "searches", "Papers"), log.recent, strict=False):
        assert phrase in text
    assert len(log.recent) == len(after.report)
    assert log.own


def test_what_was_proved_is_no_news_and_belongs_to_the_last_step() -> None:
    copy = Copy()
    log = copy.log()
    proved = 0
    for number, (before, asked, after) in enumerate(steps()):
        if not number:
            copy.table.history.append(Reached(before, 0))
        copy.table.history += [*(Answered(*pair, number) for pair in asked), Reached(after, number)]
        log.read()
        assert not any(text.startswith("Checked:") for _, text in log.recent)
        assert not log.proved or log.proved == log.history[-1]
        proved += bool(log.proved)
    assert proved > 5
    assert sum(text.startswith("Checked:") for text in log.history) >= proved


def test_in_a_lesson_no_check_is_spelt_out() -> None:
    """ "Checked: 33 drawn unseen, and proved." stood beside a learner's first decisions."""
    copy = Copy()
    log = copy.log(lesson=True)
    for number, (before, asked, after) in enumerate(steps()):
        if not number:
            copy.table.history.append(Reached(before, 0))
        copy.table.history += [*(Answered(*pair, number) for pair in asked), Reached(after, number)]
        log.read()
        assert not log.proved
    assert log.history
    assert not any(text.startswith("Checked:") for text in log.history)


def test_the_player_s_own_step_is_old_once_each_of_the_others_could_have_made_one() -> None:
    copy = Copy()
    log = copy.log()
    played = steps()
    first = next(n for n, (before, _, _) in enumerate(played) if before.phase == "turn")
    copy.table.history.append(Reached(played[first][0], 0))
    log.read()
    log.decided()
    kept = []
    for number, (_, asked, after) in enumerate(played[first : first + 12]):
        copy.table.history += [*(Answered(*pair, number) for pair in asked), Reached(after, number)]
        log.read()
        kept.append(log.own)
    assert kept[0]
    assert kept[2]
    assert not kept[-1]


def test_a_history_that_takes_the_place_of_another_is_not_told_again() -> None:
    copy = Copy()
    for live in (False, True):
        teller = copy.teller(live=live)
        played = steps()[40:60]
        history: list[Answered | Reached] = [Reached(played[0][0], 0)]
        for number, (_, asked, after) in enumerate(played):
            history += [*(Answered(*pair, number) for pair in asked), Reached(after, number)]
        assert len(list(teller.parts(history))) >= len(played)
        assert list(teller.parts(list(history))) == []
        again = [*history, *(Answered(*pair, 99) for pair in steps()[60][1])]
        assert all(part.step is None for part in teller.parts(again))


def test_a_teller_that_is_not_live_tells_whole_steps() -> None:
    copy = Copy()
    before, asked, after, _ = searched()
    teller = copy.teller(live=False)
    list(teller.parts([Reached(before, 0)]))
    history: list[Answered | Reached] = [Reached(before, 0), *(Answered(*pair, 1) for pair in asked)]
    assert list(teller.parts(history)) == []
    (part,) = teller.parts([*history, Reached(after, 2)])
    assert part.sentences == narration.step(before, after, NAMES)
    assert any(isinstance(ask, Choose) for ask, _ in asked)


def test_a_spectator_hears_an_open_step_too_and_every_event_once() -> None:
    before, asked, after, answered = searched()
    copy = Copy()
    copy.referee.owed = SimpleNamespace(seat=0, message=None, ask=None)
    onlooker = SimpleNamespace(match=copy.genesis, copy=SimpleNamespace(referee=copy.referee, outcome=None))
    watched = WatchedMatch(cast("Onlooker", onlooker))
    copy.table.history += [Reached(before, 4), *(Answered(*pair, 5) for pair in asked[:answered])]
    sentences = watched.read()
    assert " searches " in sentences[-1]
    assert watched.ending.endswith(f"{sentences[-1]} The game waits for {NAMES[0]}.")
    steps = len(watched.story.steps)
    copy.table.history += [*(Answered(*pair, 6) for pair in asked[answered:]), Reached(after, 7)]
    sentences += watched.read()
    whole = narration.step(before, after, NAMES)
    assert [text.partition(" (")[0] for text in sentences[-len(whole) :]] == [
        text.partition(" (")[0] for text in whole
    ]
    assert watched.story.steps[steps].sentences == whole
    assert watched.ending == f"The game waits for {NAMES[0]}."


@pytest.mark.parametrize("over", [True, False])
def test_a_text_and_a_replay_tell_how_far_the_last_step_went(
    over: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(describe, "heading", lambda _: ())
    monkeypatch.setattr(describe, "verdict", lambda _: "The verdict.")
    monkeypatch.setattr(describe, "ending", lambda *_: "Nobody has won by play.")
    before, asked, _, answered = searched()
    copy = Copy()
    copy.table.history += [Reached(before, 4), *(Answered(*pair, 5) for pair in asked[:answered])]
    copy.table.faces, copy.table.since = {}, copy.table.history[1:]
    copy.referee.genesis = copy.genesis
    copy.referee.outcome = SimpleNamespace(reason="unresponsive") if over else None
    copy.referee.statements = ()
    record = cast("Any", SimpleNamespace(report=SimpleNamespace(genesis=copy.genesis), referee=copy.referee))
    lines = [line.strip() for line in match_text.text(record)]
    searches = next(line for line in lines if " searches " in line)
    assert lines.index(searches) < lines.index("The verdict.")
    story = history.of_match(record)
    moved, still = (Replay(shown, len(story.steps)) for shown in (story, replace(story, since=())))
    boards = [[words(line) for line in screen(place, 120, 40)] for place in (moved, still)]
    assert boards[0] != boards[1], "the spy stands where it went"
    last = " ".join((*story.steps[-1].sentences, story.closing))
    assert last.endswith(" Nobody has won by play. The verdict." if over else " The verdict.")
    assert last.count(searches.split(maxsplit=1)[1]) == 1
