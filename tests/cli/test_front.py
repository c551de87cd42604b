"""The desk: two players at two ends of a fake link, typing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli.front import Desk
from cli.settings import Settings
from cli.text import words
from p2p_stratego.spies_and_lies.recruit import Recruit
from protocol.channel import sync_frame
from protocol.failures import DiskFull, Unreachable
from protocol.limits import CLAIM_WHEN_AWAY, CLAIM_WHEN_CONNECTED
from protocol.replica import Status
from tests.cli.ends import Ends


@pytest.fixture
def ends(tmp_path: Path) -> Iterator[Ends]:
    both = Ends(tmp_path)
    yield both
    both.close()


@pytest.fixture
def desks(ends: Ends) -> tuple[Desk, Desk]:
    both = ends.desk(0), ends.desk(1)
    ends.connect()
    return both


def bots() -> list[Recruit]:
    return [Recruit(random.Random(seed)) for seed in (1, 2)]


def type_in(ends: Ends, desk: Desk, *lines: str) -> None:
    for line in lines:
        desk.enter(line)
        ends.pump()


def hand(desk: Desk) -> list[int]:
    state = desk.replica.session.view.state
    return [rank for rank in range(1, 11) if rank not in state.exhausted[desk.replica.seat]]


def honest_line(desk: Desk) -> str:
    """Four rising soldiers that are in hand, none of them the Sergeant."""
    return " ".join(map(str, [rank for rank in hand(desk) if rank != 4][:4]))


def deployed(ends: Ends, desks: tuple[Desk, Desk]) -> None:
    for desk in desks:
        type_in(ends, desk, honest_line(desk))


def marked(ends: Ends, desks: tuple[Desk, Desk]) -> None:
    deployed(ends, desks)
    for desk in desks:
        type_in(ends, desk, desk.choices("")[0].word)


def gone(desk: Desk) -> bool:
    return desk.left


def notice(desk: Desk) -> str:
    return desk.notice[1] if desk.notice else ""


def page(desk: Desk) -> str:
    assert desk.page is not None
    return "\n".join([desk.page.title, *map(words, desk.page.lines)])


def test_before_the_other_side_is_there_nothing_can_be_decided(ends: Ends) -> None:
    desk = ends.desk(0)
    assert desk.sight is None
    assert "set up" in desk.question()[0]
    desk.enter("1 4 8 10")
    assert "set up" in notice(desk)
    desk.enter("board")
    assert "set up" in page(desk)
    assert desk.link() == ("warn", "connecting 0:00")
    assert desk.scene().banner == "setting up"


def test_both_may_decide_at_the_same_time_and_neither_sees_the_others_first(
    ends: Ends, desks: tuple[Desk, Desk]
) -> None:
    anna, boris = desks
    assert (anna.asked, boris.asked) == (True, True)
    type_in(ends, boris, honest_line(boris))  # though red's commitments come first on the wire
    assert (anna.asked, boris.asked) == (True, False)
    assert boris.question()[0] == "Anna is still deploying."
    assert "deployed" not in " ".join(anna.history)
    type_in(ends, anna, honest_line(anna))
    assert "Day 1: both sides have deployed." in anna.history


def test_a_turn_is_told_to_both_and_its_verification_too(ends: Ends, desks: tuple[Desk, Desk]) -> None:
    anna, boris = desks
    marked(ends, desks)
    assert boris.question()[0].startswith("Anna guesses your mission 1")
    type_in(ends, boris, "no")
    assert anna.question()[0] == "Which soldier lies under Boris's mission 1?"
    type_in(ends, anna, "guess 4")
    for desk in desks:
        checked, told = desk.scene().told[-1]
        assert checked
        assert "Anna guesses the Sergeant (4) at Boris's mission 1." in told
    assert anna.checks().opened == 1
    assert anna.checks().choices == 2
    assert anna.checks().rolls == 2
    type_in(ends, anna, "checks")
    assert "1 of 8 laid were opened" in page(anna)


def test_what_my_own_guess_led_to_is_told_until_i_decide_again(ends: Ends, desks: tuple[Desk, Desk]) -> None:
    anna, boris = desks
    marked(ends, desks)
    type_in(ends, boris, "no")
    type_in(ends, anna, "guess 4")
    for _ in range(12):
        type_in(ends, boris, "draw", "yes")
    told = anna.scene().told
    assert anna.scene().own
    assert "Anna guesses the Sergeant" in told[0][1]
    assert told[-1][1] == "Boris offers a draw."
    assert len(told) < 12
    type_in(ends, anna, "no")  # the token for the next mission: a decision of its own
    type_in(ends, boris, "guess 4")
    assert "Anna guesses the Sergeant" not in anna.scene().told[0][1]


def test_the_bell_rings_once_when_it_becomes_my_turn(ends: Ends) -> None:
    desk = ends.desk(0)
    turns: list[bool] = []
    ends.replicas[0].on_change = lambda: turns.append(desk.refresh()[1])
    ends.connect()
    assert turns.count(True) == 1
    desk.refresh()
    assert turns.count(True) == 1


def test_an_out_of_order_line_is_possible_after_a_warning(ends: Ends, desks: tuple[Desk, Desk]) -> None:
    anna, _ = desks
    crooked = " ".join(reversed(honest_line(anna).split()))
    type_in(ends, anna, crooked)
    assert anna.asked
    assert anna.pending is not None
    assert "count as identified" in " ".join(anna.pending.warnings)
    assert anna.scene().careful == anna.pending.warnings
    type_in(ends, anna, "perhaps")
    assert notice(anna) == "Please answer yes or no."
    type_in(ends, anna, "no")
    assert anna.question()[0].startswith("Day 1")
    type_in(ends, anna, crooked, "yes")
    assert anna.question()[0] == "Boris is still deploying."


def test_a_false_mark_is_possible_after_a_warning(ends: Ends, desks: tuple[Desk, Desk]) -> None:
    anna, _ = desks
    deployed(ends, desks)
    false = anna.choices("")[-1].word
    type_in(ends, anna, false)
    assert anna.pending is not None
    assert "false intel" in anna.pending.warnings[0]
    type_in(ends, anna, "y")
    assert not anna.asked


def test_a_soldier_that_is_not_in_hand_is_refused(ends: Ends, desks: tuple[Desk, Desk]) -> None:
    anna, _ = desks
    tired = anna.replica.session.view.state.exhausted[0][0]
    others = [rank for rank in hand(anna) if rank != tired][:3]
    type_in(ends, anna, " ".join(map(str, [tired, *others])))
    assert "exhausted" in notice(anna)
    assert anna.pending is None
    assert anna.asked


def test_row_23_chat_arrives_escaped_and_is_no_part_of_the_history(
    ends: Ends, desks: tuple[Desk, Desk]
) -> None:
    anna, boris = desks
    type_in(ends, anna, "/hello\x1b]52;c;AAAA\x07", "say once more")
    assert [(name, text) for _, name, text in boris.chat] == [
        ("Anna", "hello<U+001B>]52;c;AAAA<U+0007>"),
        ("Anna", "once more"),
    ]
    assert not any("once more" in line for line in boris.history)
    type_in(ends, boris, "chat")
    assert "Anna: once more" in page(boris)
    type_in(ends, anna, "/")
    assert "after the slash" in notice(anna)


def test_chat_needs_a_connection_and_says_so(ends: Ends, desks: tuple[Desk, Desk]) -> None:
    ends.cut()
    desks[0].enter("/are you there?")
    assert "not connected" in notice(desks[0])


def test_resigning_is_confirmed_and_ends_the_game_for_both(ends: Ends, desks: tuple[Desk, Desk]) -> None:
    anna, boris = desks
    type_in(ends, anna, "resign", "no")
    assert anna.question()[0].startswith("Day 1")
    type_in(ends, anna, "resign", "yes")
    for desk in desks:
        assert desk.over
        assert desk.question()[0] == "Boris wins: Anna has resigned."
        assert "Anna resigns." in desk.history
        assert "The end" in page(desk)
        assert "complete: as audited." in page(desk)
        assert desk.replica.store.path.rsplit("/", 1)[1] in page(desk)
    type_in(ends, boris, "resign")
    assert "has ended" in notice(boris)


def test_a_draw_is_offered_seen_and_accepted(ends: Ends, desks: tuple[Desk, Desk]) -> None:
    anna, boris = desks
    type_in(ends, boris, "accept")
    assert "Nothing is offered" in notice(boris)
    type_in(ends, anna, "draw", "y")
    assert boris.alert() == ("warn", "Anna offers a draw: accept takes it, your next move declines.")
    type_in(ends, anna, "draw", "y")
    assert "still stands" in notice(anna)
    type_in(ends, boris, "accept", "y")
    assert anna.question()[0] == boris.question()[0] == "A draw, as both agreed."


def test_a_draw_offer_lapses_with_the_next_decision(ends: Ends, desks: tuple[Desk, Desk]) -> None:
    anna, boris = desks
    type_in(ends, anna, "draw", "y")
    deployed(ends, desks)
    assert boris.alert() is None


def test_leaving_is_confirmed_while_the_game_goes_on(ends: Ends, desks: tuple[Desk, Desk]) -> None:
    anna, _ = desks
    type_in(ends, anna, "leave")
    assert "The game is saved" in anna.question()[0]
    type_in(ends, anna, "no")
    assert gone(anna) is False
    type_in(ends, anna, "quit", "yes")
    assert gone(anna) is True


def test_after_the_end_leaving_needs_no_confirmation_and_a_rematch_swaps_seats(
    ends: Ends, desks: tuple[Desk, Desk]
) -> None:
    anna, boris = desks
    type_in(ends, anna, "rematch")
    assert "after the end" in notice(anna)
    type_in(ends, anna, "resign", "yes", "rematch", "yes")
    assert anna.question()[1] == "leave; your wish for a rematch is known"
    assert [choice.word for choice in anna.choices("")] == ["leave"]
    assert [choice.word for choice in boris.choices("")] == ["rematch", "leave"]
    assert boris.question()[1] == "rematch, for your opponent wants one, or leave"
    type_in(ends, boris, "accept", "yes")
    for desk in desks:
        desk.refresh()
        assert not desk.over
        assert desk.asked
        assert desk.voices.names == ("Boris", "Anna")
        assert desk.chat == []
    assert anna.replica.seat == 1
    type_in(ends, boris, "resign", "yes", "leave")
    assert boris.left


def test_while_the_other_is_away_there_is_a_countdown_and_then_a_claim(
    ends: Ends, desks: tuple[Desk, Desk]
) -> None:
    there = "Boris is away: wait, leave (all is saved),"
    then = "The connection broke. The game goes on when the connection is back."
    anna, boris = desks
    type_in(ends, anna, honest_line(anna))
    ends.cut()
    ends.clock.now += 65
    assert anna.link() == ("warn", "away 1:05")
    assert anna.alert() == ("warn", f"{there} or claim in 1:55. {then}")
    anna.enter("claim")
    assert notice(anna).startswith("Not yet")
    ends.clock.now += CLAIM_WHEN_AWAY
    assert anna.alert() == ("warn", f"{there} or claim the game. {then}")  # not what was said before
    anna.enter("claim")
    assert "your word alone" in anna.scene().careful[0]
    anna.enter("yes")
    assert anna.question()[0] == "Anna claims the game: Boris did not answer."
    assert "Anna says that Boris did not answer for 245 seconds." in anna.history
    assert anna.page is not None
    assert "should the other side answer after all" in anna.question()[1]
    anna.enter("rematch")
    type_in(ends, anna, "yes")
    assert "return match" in notice(anna)
    ends.connect()
    assert boris.alert() == ("warn", "Anna claims the game: answer now, and it goes on.")
    assert not boris.over
    type_in(ends, boris, honest_line(boris))
    assert all(desk.replica.session.outcome is None for desk in desks)
    assert [(desk.end_shown, desk.scene().page, desk.alert()) for desk in desks] == [(False, None, None)] * 2


def test_one_who_is_there_but_never_answers_can_be_claimed_against_too(
    ends: Ends, desks: tuple[Desk, Desk]
) -> None:
    anna, _ = desks
    type_in(ends, anna, honest_line(anna))
    ends.clock.now += CLAIM_WHEN_CONNECTED
    assert anna.alert() == ("warn", "Boris has not moved for long: wait, leave (all is saved), or claim.")


def test_nobody_can_claim_while_it_is_the_own_turn(ends: Ends, desks: tuple[Desk, Desk]) -> None:
    del ends
    desks[0].enter("claim")
    assert "your turn" in notice(desks[0])


def test_what_was_decided_before_both_copies_were_compared_is_told(
    ends: Ends, desks: tuple[Desk, Desk]
) -> None:
    anna, _ = desks
    ends.cut()
    ends.replicas[0].session._proven = False  # as after a restart: nothing is signed yet
    anna.enter(honest_line(anna))
    assert anna.question()[0].startswith("You have decided: lay ")
    assert anna.question()[0].endswith(". It goes out when Boris is there.")
    ends.connect()
    assert anna.question()[0] == "Boris is still deploying."


def test_who_waits_for_a_connection_is_told_why_and_what_becomes_of_a_move(
    ends: Ends, desks: tuple[Desk, Desk]
) -> None:
    anna, _ = desks
    ends.cut()
    again = ends.desk(0)
    ends.replicas[0].status = Status.CONNECTING
    ends.replicas[0].trouble = Unreachable("Nobody waits at 192.0.2.7. Ask whether Boris's program runs.")
    alert = again.alert()
    assert alert is not None
    assert alert[1].startswith("Boris is not connected yet: wait, or leave (all is saved)")
    assert "Nobody waits at 192.0.2.7. Your moves are kept, and go out when" in alert[1]
    type_in(ends, anna, honest_line(anna))
    alert = again.alert()
    assert alert is not None
    assert "Your moves" not in alert[1]
    ends.connect()
    assert again.alert() is None


def test_a_warning_goes_when_it_does_not_hold_any_more(ends: Ends, desks: tuple[Desk, Desk]) -> None:
    anna, boris = desks
    ends.cut()
    anna.enter("/are you there?")
    assert "not connected" in notice(anna)
    ends.connect()
    assert anna.alert() is None
    type_in(ends, anna, "accept")
    assert notice(anna) == "Nothing is offered at the moment."
    boris.enter("draw")
    boris.enter("yes")
    ends.pump()
    assert "offers a draw" in (anna.alert() or ("", ""))[1]
    ends.replicas[0].on_change = lambda: None  # also where nothing tells the desk
    type_in(ends, anna, "rubbish")
    assert "rubbish" in notice(anna)
    ends.cut()
    assert "rubbish" not in notice(anna)


def test_a_decision_made_while_the_other_is_away_goes_out_later(ends: Ends, desks: tuple[Desk, Desk]) -> None:
    anna, boris = desks
    ends.cut()
    anna.enter(honest_line(anna))
    boris.enter(honest_line(boris))
    assert not anna.asked
    ends.connect()
    assert "Day 1: both sides have deployed." in anna.history
    assert anna.link() == ("good", "direct 12 ms")


def test_who_is_connected_and_does_not_send_what_it_has_is_told_of(
    ends: Ends, desks: tuple[Desk, Desk]
) -> None:
    anna, _ = desks
    ends.cut()
    replica = ends.replicas[0]
    replica.linked(lambda _: None)
    ours = replica.session.position()
    replica.received([sync_frame(replica.match.id, replace(ours, count=ours.count + 1, head=b"h" * 32))])
    alert = anna.alert()
    assert alert is not None
    assert alert[1].startswith("Boris knows more of this game than this copy")
    ends.connect()
    assert anna.alert() is None


def test_a_resumed_desk_tells_the_whole_history_again(ends: Ends, desks: tuple[Desk, Desk]) -> None:
    marked(ends, desks)
    type_in(ends, desks[0], "/hi")
    again = ends.desk(0)
    again.refresh()
    assert again.history == desks[0].history
    assert again.chat == desks[0].chat


def test_what_was_said_stands_where_it_was_said_also_after_resuming(
    ends: Ends, desks: tuple[Desk, Desk]
) -> None:
    anna, boris = desks
    type_in(ends, boris, "draw", "yes")
    marked(ends, desks)
    type_in(ends, anna, "draw", "yes")
    type_in(ends, boris, "no")
    type_in(ends, anna, "guess 4")
    type_in(ends, boris, "resign", "yes")
    said = [anna.history.index(f"{what}.") for what in ("Boris offers a draw", "Anna offers a draw")]
    deployed = anna.history.index("Day 1: both sides have deployed.")
    guessed = next(at for at, told in enumerate(anna.history) if "Anna guesses the Sergeant" in told)
    assert said[0] < deployed < said[1] < guessed < anna.history.index("Boris resigns.")
    for seat, desk in enumerate(desks):
        again = ends.desk(seat)
        again.refresh()
        assert again.history == desk.history


def test_a_whole_game_is_told_the_same_on_both_sides(ends: Ends, desks: tuple[Desk, Desk]) -> None:
    ends.play_on(bots())
    anna, boris = desks
    assert anna.history == boris.history
    assert anna.over
    assert anna.replica.finished
    assert "wins" in anna.question()[0] or "draw" in anna.question()[0]
    assert anna.scene().choices[0].word == "rematch"


def test_a_failing_disk_is_told_and_nothing_more_is_promised(
    ends: Ends, desks: tuple[Desk, Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, _ = desks

    def full(*_: object, **__: object) -> bytes:
        raise DiskFull("games", "The disk is full. Make room and try again.")

    monkeypatch.setattr(anna.replica.store, "execute", full)
    anna.enter(honest_line(anna))
    assert anna.notice == ("bad", "The disk is full. Make room and try again.")
    del ends


@pytest.mark.parametrize(
    "line", ["help", "?", "rules", "rules bomb", "board", "hand", "notes", "history", "who"]
)
def test_every_page_opens_and_closes(ends: Ends, desks: tuple[Desk, Desk], line: str) -> None:
    marked(ends, desks)
    anna, _ = desks
    anna.enter(line)
    assert len(page(anna)) > 40
    assert all(len(row) <= 72 for row in page(anna).split("\n"))
    anna.cancel()
    assert anna.page is None


def test_who_shows_fingerprints_and_the_record(ends: Ends, desks: tuple[Desk, Desk]) -> None:
    anna, _ = desks
    anna.enter("who")
    assert page(anna).count("-") > 6
    assert "direct 12 ms" in page(anna)
    assert "Boris [" in page(anna)
    ends.cut()
    anna.enter("who")
    assert "broke" in page(anna)


def test_notes_and_bell_can_be_switched(ends: Ends, desks: tuple[Desk, Desk]) -> None:
    del ends
    anna, _ = desks
    anna.enter("notes off")
    assert anna.settings == Settings(notes=False)
    assert anna.sight is not None
    assert not anna.sight.notes
    anna.show("notes on")
    assert anna.settings == Settings()
    anna.enter("bell")
    assert anna.settings == Settings(bell=False)
    anna.enter("bell on")
    assert anna.settings == Settings()
    anna.enter("bell loud")
    assert "on or off" in notice(anna)


@pytest.mark.parametrize(
    "line", ["", "   ", "\x1b[A", "rm -rf /", "x" * 10_000, "no", "yes", "resign now", "\ud800"]
)
def test_rubbish_changes_nothing(ends: Ends, desks: tuple[Desk, Desk], line: str) -> None:
    anna, _ = desks
    before = anna.replica.session.position()
    anna.enter(line)
    ends.pump()
    assert anna.replica.session.position() == before
    assert anna.asked
    assert len(notice(anna)) < 200


def test_names_of_namesakes_are_told_apart_by_their_seats(tmp_path: Path) -> None:
    both = Ends(tmp_path, names=("Anna", "Anna"))
    assert both.desk(0).voices.names == ("Anna (red)", "Anna (blue)")
    both.close()
