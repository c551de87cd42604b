"""News of a match: each thing is told once, also when a Gone takes the place of what was told."""

from __future__ import annotations

from cli.games.interface import Players
from cli.reports import history
from cli.table.news.events import EventLog
from cli.table.news.looks import Looks, unknown
from p2p_stratego.registry import GAMES
from protocol.record.statements import parse_record
from tests.helpers.games.players import honest
from tests.helpers.seats.pair import Table

GAME = GAMES["spies-and-lies"]


def test_what_does_not_count_any_more_is_told_and_then_only_what_is_new() -> None:
    session = Table(4, game=GAME, decide=honest).play(steps=60).seats[0].session
    players = Players(("Anna", "Boris"), 0)
    log = EventLog(session, players, Looks(session, players, None))
    texts = [item.text for item in log.read()]
    assert len(texts) > 3
    frames = [record.frame for record in session.referee.record]
    session.referee.rewind(session.referee.count // 2)
    missing = frames[len(session.referee.record) :]
    assert [item.text for item in log.read()] == [history.VOID]
    for frame in missing:
        session.referee.admit(parse_record(frame))
    again = [item.text for item in log.read()]
    assert again
    assert again == texts[len(texts) - len(again) :]
    assert log.read() == []


def test_records_that_come_back_before_anybody_looks_are_not_told_again() -> None:
    session = Table(4, game=GAME, decide=honest).play(steps=60).seats[0].session
    players = Players(("Anna", "Boris"), 0)
    log = EventLog(session, players, Looks(session, players, None))
    log.read()
    frames = [record.frame for record in session.referee.record]
    session.referee.rewind(session.referee.count // 2)
    for frame in frames[len(session.referee.record) :]:
        session.referee.admit(parse_record(frame))
    assert log.read() == []


def test_a_sentence_that_says_nothing_at_this_table_is_not_told() -> None:
    session = Table(4, game=GAME, decide=honest).play(steps=60).seats[0].session
    players = Players(("Anna", "Boris"), 0)
    texts = [item.text for item in EventLog(session, players, Looks(session, players, None)).read()]
    untold = texts[1]
    log = EventLog(session, players, Looks(session, players, None), [untold])
    assert [item.text for item in log.read()] == [text for text in texts if text != untold]


def test_what_occurs_twice_counts_twice() -> None:
    assert unknown("abcab", "ba") == ["c", "a", "b"]
