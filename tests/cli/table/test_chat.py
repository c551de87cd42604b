"""Chat that would give an answer away is asked about; chat that would not goes out at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from p2p_stratego.core.game import Choose
from p2p_stratego.core.view import Bot
from p2p_stratego.spies_and_lies.rules.components import RANKS, SOLDIERS
from p2p_stratego.stratego.bots.recruit import Recruit as StrategoRecruit
from p2p_stratego.stratego.rules.board import HOME, NAMES
from p2p_stratego.stratego.rules.game import GAME as STRATEGO
from p2p_stratego.stratego.rules.pieces import PIECES
from tests.golden.tables import Chronicle, assert_as_kept
from tests.helpers.links.ends import Ends
from tests.helpers.spies_and_lies.typing_in import bots, hand
from tests.helpers.stratego.boards import write_line

SMALL_TALK = (
    "hello",
    "Good luck!",
    "are you there?",
    "well played",
    "nice bluff, I never saw it coming",
    "one moment please",
    "thanks for the game",
    "shall we play again tomorrow?",
    "the agent is mine :)",
)


def is_said(table: TableController, text: str) -> bool:
    """Whether a message goes out without a question; one that is asked about is not sent."""
    actions.say(table, text)
    asked = table.pending
    table.cancel()
    table.returned = ""
    return asked is None


def spellings(table: TableController) -> Iterator[str]:
    """Ways to type each answer that is possible now."""
    decision = table.session.view.asked
    assert isinstance(decision, Choose)
    for option in decision.options:
        yield option
        yield option.upper()
        yield f" {option}. "
    for choice in presentation.choices(table, ""):
        yield choice.word
        yield choice.shown


def play_through(ends: Ends, tables: Sequence[TableController], players: Sequence[Bot[Any]]) -> int:
    """A whole game, in which every answer is tried as chat first; how many were."""
    tried = 0
    while not all(table.over for table in tables):
        for table, bot in zip(tables, players, strict=True):
            if not table.asked:
                continue
            if isinstance(table.session.view.asked, Choose):
                leaked = [text for text in spellings(table) if is_said(table, text)]
                assert leaked == []
                tried += 1
            table.decide(bot.decide(table.session.view))
            ends.pump()
    return tried


def test_no_answer_of_a_whole_game_of_spies_and_lies_goes_out_as_chat(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    assert play_through(ends, tables, bots()) > 20
    assert [table.log.chat for table in tables] == [[], []]


@pytest.fixture(scope="module")
def deploying(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableController]:
    ends = Ends(tmp_path_factory.mktemp("deploying"))
    table = ends.table(0)
    ends.connect()
    yield table
    ends.close()


def lines(least: int, most: int, between: str, front: Sequence[str], end: Sequence[str]) -> Iterator[str]:
    """Many lines of `least` to `most` soldiers, by number or name, one of `between` between two of them."""
    rng = Random(1)
    for _ in range(100):
        ranks = rng.choices(RANKS, k=rng.randint(least, most))
        words = [rng.choice((str(rank), SOLDIERS[rank].name)) for rank in ranks]
        yield rng.choice(front) + rng.choice(between.split("|")).join(words) + rng.choice(end)


def test_no_deployment_goes_out_as_chat(deploying: TableController) -> None:
    """Nor one that is not possible, too short, too long, or with a slip at its end."""
    for line in lines(1, 6, " |, |,", ("", "deploy "), ("", ".", "!", " ")):
        assert not is_said(deploying, line), line


def test_no_deployment_of_the_hand_goes_out_as_chat(deploying: TableController) -> None:
    for line in permutations(hand(deploying)[:6], 4):
        assert not is_said(deploying, " ".join(map(str, line)))


@pytest.mark.parametrize("text", SMALL_TALK)
def test_small_talk_goes_out_at_once(
    ends: Ends, tables: tuple[TableController, TableController], text: str
) -> None:
    actions.say(tables[0], text)
    assert tables[0].pending is None
    ends.pump()
    assert [line[2] for line in tables[1].log.chat] == [text]


def test_an_answer_can_be_sent_after_all(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    anna, boris = tables
    chronicle.watch(anna, boris, pump=ends.pump)
    chronicle.type(anna, "/1 4 8 10", "yes")
    assert anna.returned == ""
    assert_as_kept(chronicle)


def test_no_deployment_goes_out_before_it_is_asked_for(unset: TableController) -> None:
    """While chance is still drawn; nor one with a slip, or with a word or two around it."""
    assert not unset.asked
    for line in lines(4, 5, " |, |,|-|/", ("", "deploy ", "my line "), ("", " 66")):
        assert not is_said(unset, line), line


@pytest.fixture(scope="module")
def unset(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableController]:
    """A table at which chance has not been drawn yet."""
    ends = Ends(tmp_path_factory.mktemp("unset"))
    table = ends.table(0)
    yield table
    ends.close()


def test_while_the_others_decide_no_decision_of_ones_own_goes_out_as_chat(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    """What was just decided and is not public, and what may be asked next."""
    waited = 0
    players = bots()
    before: list[list[str]] = [[], []]
    while not all(table.over for table in tables):
        for seat, (table, bot) in enumerate(zip(tables, players, strict=True)):
            if table.over:
                continue
            if not table.asked:
                texts = before[seat] + list(_next_answers(table))
                leaked = [text for text in texts if is_said(table, text)]
                assert leaked == []
                assert [text for text in SMALL_TALK if not is_said(table, text)] == []
                waited += bool(texts)
                continue
            decided = bot.decide(table.session.view)
            if not isinstance(decided, str):
                line = " ".join(map(str, decided))
                before[seat] = [
                    line,
                    line.replace(" ", ", "),
                    " ".join(SOLDIERS[rank].name for rank in decided),
                ]
            elif decided.startswith("mark"):
                before[seat][3:] = [decided, decided.removeprefix("mark ")]
            table.decide(decided)
            ends.pump()
    assert waited >= 5


def _next_answers(table: TableController) -> Iterator[str]:
    """Answers to the questions that may come next."""
    state = table.session.view.state
    yield from ("guess 7", "bomb", "7", "captain points", "points", "marshal ten", "ten", "mark 23", "none")
    if state.tokens[table.replica.seat]:
        yield from ("token", "no token", "yes", "no")


def test_small_talk_goes_out_while_nothing_is_asked(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    anna, _ = tables
    actions.enter(anna, " ".join(map(str, hand(anna)[:4])))
    actions.enter(anna, "yes")
    ends.pump()
    assert not anna.asked
    assert [text for text in SMALL_TALK if not is_said(anna, text)] == []
    chronicle.watch(anna)
    chronicle.type(anna, "/7")
    assert_as_kept(chronicle)


@pytest.mark.parametrize("army", ["quickplay", "duel"])
def test_no_set_up_and_no_move_of_stratego_goes_out_as_chat(tmp_path: Path, army: str) -> None:
    ends = Ends(tmp_path, options={"army": army}, game=STRATEGO)
    tables = ends.table(0), ends.table(1)
    ends.connect()
    for seat, table in enumerate(tables):
        own = [NAMES[at] for at in HOME[seat]]
        lines = [f"{square} {other}" for square, other in pairwise(own)]
        lines += [f"{own[0]} {word}" for piece in PIECES for word in (piece.name, piece.letter, "-")]
        lines += [f"{own[0]} flag, {own[1]} bomb", "ready", "done", "random", "mirror", "clear", "Ready!"]
        assert [text for text in lines if is_said(table, text)] == []
        assert [text for text in SMALL_TALK if not is_said(table, text)] == []
        draft = write_line(table.setting_up.draft.setup) if table.setting_up else ""
        assert not is_said(table, draft)
        actions.enter(table, "ready")
        ends.pump()
        decisions = [draft, *lines[: len(own) - 1], f"{own[0]} flag, {own[1]} bomb", f"{own[0]} 7"]
        assert [text for text in decisions if is_said(table, text)] == [], "laid, and not public"
        assert [text for text in SMALL_TALK if not is_said(table, text)] == []
    for table in tables:
        table.refresh()
    ends.pump()
    for _ in range(5):
        for table in tables:
            if table.asked:
                moves = table.session.view.asked
                assert isinstance(moves, Choose)
                spelled = [text for move in moves.options for text in (move, move.upper(), f"{move}!")]
                assert [text for text in [*spelled, *spellings(table)] if is_said(table, text)] == []
                table.decide(StrategoRecruit(table.environment.chance).decide(table.session.view))
                ends.pump()
    ends.close()


def test_an_answer_to_an_offered_draw_is_asked_about_before_it_is_sent_as_chat(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    anna, boris = tables
    assert is_said(boris, "accept"), "nothing is offered yet"
    actions.enter(anna, "draw")
    actions.enter(anna, "yes")
    ends.pump()
    chronicle.watch(anna, boris, pump=ends.pump)
    for text in ("accept", "Accept!", "draw"):
        chronicle.type(boris, f"/{text}", "no")
    assert [len(table.log.chat) for table in tables] == [1, 1]
    assert_as_kept(chronicle)


def test_a_command_that_decides_the_game_is_asked_about_while_it_can_be_meant(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, boris = tables
    assert [text for text in ("resign", "Resign.", "draw", "leave") if is_said(anna, text)] == []
    assert [
        text for text in ("accept", "rematch", "claim", "rules", "board") if not is_said(boris, text)
    ] == []
    actions.enter(anna, "resign")
    actions.enter(anna, "yes")
    ends.pump()
    assert anna.ended
    assert [text for text in ("rematch", "leave") if is_said(anna, text)] == []
    assert is_said(anna, "resign")
    assert is_said(anna, "accept")
    actions.enter(boris, "rematch")
    ends.pump()
    assert not is_said(anna, "accept")
