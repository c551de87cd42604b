"""Game records: written for people, read back exactly, refused with line and square where they are wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_stratego.core.game import Ask, Breach, Choose, Commit, Face, Open, Outcome, Slot, Together
from p2p_stratego.core.rulebook import drive
from p2p_stratego.stratego.formats.diagram import UNSEEN
from p2p_stratego.stratego.formats.record import LONGEST, Record, RecordError, of_match, read, write
from p2p_stratego.stratego.formats.setups import of_answers
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.board import PLACE, SQUARE_NAMED
from p2p_stratego.stratego.rules.game import GAME
from p2p_stratego.stratego.rules.movement import FALSE_NONE, WALKED, WRONG_ARMY, legal, own_reach
from p2p_stratego.stratego.rules.notation import fill
from p2p_stratego.stratego.rules.pieces import FACE_NAMED
from tests.helpers.machine.examples import examples
from tests.helpers.stratego.games import RECORDED, load, needs_data
from tests.helpers.stratego.texts import RECORD
from tests.helpers.stratego.walks import choose

RESIGNED = Outcome(frozenset({1}), "resigned")


def test_a_record_is_read_as_it_was_written() -> None:
    record = read(RECORD)
    assert record.names == ("Ada", "Grace")
    assert record.options == GAME.options({"army": "barrage"})
    assert record.moves == ("f4f7", "e7e6", "e4e5", "e6e5", "j4j6", "j7j6")
    assert record.outcome == RESIGNED
    assert write(record) == RECORD


def test_what_is_as_usual_need_not_be_said_and_space_does_not_matter() -> None:
    short = (
        RECORD.replace("first: red\n", "")
        .replace("quiet: 200\n", "")
        .replace("shuttle: letter\n", "")
        .replace("red: Ada\n", "")
    )
    loose = short.replace("   1  red   f4f7    ", "1 RED F4F7 ").replace("\n", "\r\n\n# said Grace\n")
    assert write(read(loose)) == RECORD.replace("Ada", "Red")


# Round trips


def played(
    random: Random, name: str, moves: int
) -> tuple[list[tuple[Ask, Any]], dict[Slot, Face], Outcome | None]:
    """A random game at a table: what was asked and answered, all faces, and how it ended."""
    faces: dict[Slot, Face] = {}
    steps: list[tuple[Ask, Any]] = []
    chosen: list[str] = []

    def reply(ask: Ask) -> Any:
        if isinstance(ask, Commit):
            dealt = list(ask.faces)
            random.shuffle(dealt)
            faces.update(zip(ask.slots, dealt, strict=True))
            return None
        if isinstance(ask, Together):
            return tuple(map(reply, ask.asks))
        if isinstance(ask, Choose) and state.phase == "squares":
            return fill(random.sample(range(40), state.army.size))
        if isinstance(ask, Choose):
            return chosen.pop()
        return faces[ask.slot] if isinstance(ask, Open) else None

    def answer(ask: Ask) -> Any:
        steps.append((ask, reply(ask)))
        return steps[-1][1]

    state = drive(GAME.setup(2, GAME.options({"army": name, "quiet": 40})), answer)
    while state.ended is None and (state.phase != "play" or state.plies < moves):
        if state.phase == "play":
            own = legal(state, own_reach(state.seat, faces))
            chosen.append(choose(random, state, own) if own else "none")
        state = drive(GAME.turn(state), answer)
    return steps, faces, state.ended


@examples(24, 240)
@given(
    st.builds(Random, st.integers(0, 2**64 - 1)),
    st.sampled_from([*ARMIES, "0-0-0-0-0-0-0-0-1-1-3-1"]),
    st.integers(0, 120),
)
def test_every_game_is_read_as_it_was_written(random: Random, name: str, moves: int) -> None:
    steps, faces, ended = played(random, name, moves)
    options = GAME.options({"army": name, "quiet": 40})
    whole = of_match(options, ("Ada", "Grace"), steps, faces, ended)
    assert read(write(whole)) == whole
    opened = {ask.slot: answer for ask, answer in steps if isinstance(ask, Open)}
    public = of_match(options, ("Ada", "Grace"), steps, opened, ended)
    assert read(write(public)) == public
    assert public.moves == whole.moves


@needs_data
@pytest.mark.parametrize("path", RECORDED[::6], ids=lambda path: path.stem)
def test_recorded_games_become_records(path: Path) -> None:
    game = load(path)
    name = path.stem.partition("-")[0]
    setups = [of_answers([], []), of_answers([], [])]
    for square, (seat, face) in game.pieces.items():
        place = PLACE[seat][square]
        setups[seat] = (*setups[seat][:place], face, *setups[seat][place + 1 :])
    options = GAME.options({"army": name, "quiet": 0, "shuttle": "tournament"})
    record = Record(options, ("Red", "Blue"), (setups[0], setups[1]), tuple(game.moves[:-1]), None)
    assert read(write(record)) == record
    with pytest.raises(RecordError, match="a chase"):
        write(replace(record, moves=tuple(game.moves)))


# What is not yet, or not quite, a game


def test_there_is_no_record_before_the_armies_stand() -> None:
    steps, faces, _ = played(Random(1), "duel", 0)
    for some in ([], steps[:1]):
        with pytest.raises(RecordError, match="do not stand"):
            of_match({"army": "duel"}, ("Ada", "Grace"), some, faces, None)
    assert of_match({"army": "duel"}, ("Ada", "Grace"), steps, faces, RESIGNED).moves == ()


def test_pieces_that_nobody_saw_are_left_open() -> None:
    text = RECORD.replace("F B\n", "? ?\n")
    record = read(text)
    assert record.setups[1].count(UNSEEN) == 2
    assert write(record) == text


def cheated(*moves: str, breach: Breach, **pieces: str) -> Record:
    """A record of a game that ended with a cheat; `pieces` stand where they should not."""
    record = read(RECORD)
    own = list(record.setups[0])
    for square, name in pieces.items():
        own[PLACE[0][SQUARE_NAMED[square]]] = FACE_NAMED[name]
    outcome = Outcome(frozenset({1}), "cheated", breach)
    return replace(record, setups=(tuple(own), record.setups[1]), moves=moves, outcome=outcome)


def test_a_bomb_that_was_caught_walking_is_on_record() -> None:
    moves = ("f4f6", "e7e6", "e4e5", "b7b6")
    walked = cheated(*moves, breach=Breach(0, WALKED), e4="bomb", b1="general")
    assert "result: blue wins, cheated (red: bomb-or-flag-moved)" in write(walked)
    assert read(write(walked)) == walked
    caught = replace(walked, moves=(*moves[:3], "e6e5"))
    assert read(write(caught)) == caught
    with pytest.raises(RecordError, match="e4: bombs and flags never move"):
        write(replace(walked, outcome=RESIGNED))


def test_an_army_with_two_marshals_is_on_record() -> None:
    two = cheated("f4f7", breach=Breach(0, WRONG_ARMY), e4="marshal")
    assert read(write(two)) == two
    with pytest.raises(RecordError, match="e4: one marshal too many"):
        write(replace(two, outcome=RESIGNED))


def test_a_false_none_is_on_record_as_what_it_is() -> None:
    """For all that anybody could see, the three free pieces might have been two bombs and a flag."""
    setup = of_answers([FACE_NAMED[name] for name in ("flag", "bomb", "bomb", "spy")], [0, 1, 10, 11])
    options = GAME.options({"army": "0-0-0-0-0-0-0-0-0-1-2-1"})
    outcome = Outcome(frozenset({1}), "cheated", Breach(0, FALSE_NONE))
    record = Record(options, ("Ada", "Grace"), (setup, setup), ("none", "i9i8"), outcome)
    assert "   1  red   none" in write(record)
    assert read(write(record)) == record
    with pytest.raises(RecordError, match="a side that can move"):
        write(replace(record, outcome=RESIGNED))


@pytest.mark.parametrize(
    "change",
    [
        {"outcome": Outcome(frozenset({0}), "flag")},
        {"outcome": Outcome(frozenset(), "quiet-draw")},
        {"outcome": Outcome(frozenset({0, 1}), "resigned")},
        {"outcome": Outcome(frozenset({0}), "No Such\nthing")},
        {"names": ("", "Grace")},
        {"names": ("Ada", "Grace\n")},
        {"names": ("Ada", "x" * 33)},
        {"moves": ("a4a5", "a5a6")},
        {"moves": ("f4f7", "none")},
        {"moves": ("zzz",)},
        {"moves": ("none",)},
    ],
)
def test_what_cannot_be_a_record_is_not_written(change: Any) -> None:
    assert read(write(replace(read(RECORD), outcome=None))).outcome is None
    with pytest.raises(RecordError):
        write(replace(read(RECORD), **change))


# What is wrong in a text


@pytest.mark.parametrize(
    ("old", "new", "line", "square", "words"),
    [
        ("stratego record 1", "stratego record 2", 1, "", "begins with"),
        ("red: Ada", "green: Ada", 2, "", "said once"),
        ("red: Ada", "red Ada", 2, "", "said once"),
        ("red: Ada", "blue: Ada", 3, "", "said once"),
        ("red: Ada", "red:", 2, "", "name has 1 to 32"),
        ("army: barrage", "army: chess", 4, "", "army must be"),
        ("first: red", "first: green", 5, "", "first must be"),
        ("quiet: 200", "quiet: 2000", 6, "", "quiet must be"),
        ("quiet: 200", "quiet: ten", 6, "", "quiet must be"),
        ("shuttle: letter", "shuttle: ten", 7, "", "shuttle must be"),
        (" 9  .", " 8  .", 10, "", "row 9"),
        (" 7  . 9", " 7  . Q", 12, "b7", "'Q' is no piece"),
        (" 7  . 9", " 7  . 3", 12, "b7", "one miner too many, since the army has 1"),
        (" 7  . 9", " 7  . .", 12, "", "7 pieces instead of 8"),
        (" 6  . . ~", " 6  . . .", 13, "", "only craters"),
        ("   1  red   f4f7", "   2  red   f4f7", 21, "", "move 1, by red"),
        ("   1  red   f4f7", "   1  blue  f4f7", 21, "", "move 1, by red"),
        ("   1  red   f4f7    scout and scout fall", "   1  red", 21, "", "move 1, by red"),
        ("scout and scout fall\n   2", "scout beats scout\n   2", 21, "f7", "it is: scout and scout fall"),
        ("f4f7    scout and scout fall", "f4f7", 21, "f7", "it is: scout and scout fall"),
        ("e7e6", "e7e6    marshal beats scout", 22, "e6", "nobody fights here"),
        ("e7e6", "e7f6", 22, "e7", "round a corner"),
        ("e7e6", "none", 22, "", "a side that can move"),
        ("e7e6", "e7", 22, "", "two squares"),
        ("e7e6", "i10i9", 22, "i10", "bombs and flags"),
        ("j4j6", "i4i6", 25, "i4", "no piece of the side"),
        ("2 . 3 . 2", "? . 3 . 2", 21, "f7", "set-up must show it"),
        ("result: blue wins, resigned", "result: blue wins", 28, "", "result should be here"),
        (
            "result: blue wins, resigned",
            "result: red wins, flag",
            28,
            "",
            "by the rules the result is: unfinished",
        ),
        ("result: blue wins, resigned", "result: draw, quiet-draw", 28, "", "unfinished"),
        ("result: blue wins, resigned\n", "", 0, "", "ends before its result"),
        ("resigned\n", "resigned\n   7  red   a4a5\n", 29, "", "nothing may follow"),
    ],
)
def test_what_is_wrong_is_said_with_line_and_square(
    old: str, new: str, line: int, square: str, words: str
) -> None:
    assert old in RECORD
    with pytest.raises(RecordError, match=words) as error:
        read(RECORD.replace(old, new, 1))
    assert (error.value.line, error.value.square) == (line, square)


def test_nothing_may_follow_the_end_of_the_game() -> None:
    record = read(RECORD)
    drawn = replace(record, options={**record.options, "quiet": 1}, moves=("f4f7", "e7e6"))
    with pytest.raises(RecordError, match="by the rules the result is: draw, quiet-draw"):
        write(drawn)
    drawn = replace(drawn, outcome=Outcome(frozenset(), "quiet-draw"))
    assert read(write(drawn)) == drawn
    with pytest.raises(RecordError, match="ended before"):
        write(replace(drawn, moves=(*drawn.moves, "e4e5")))


@pytest.mark.parametrize(
    "text", ["", "\n\n", "stratego record 1", "stratego record 1\n10", "x" * (LONGEST + 1)]
)
def test_noise_is_no_record(text: str) -> None:
    with pytest.raises(RecordError):
        read(text)
