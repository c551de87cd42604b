"""The answer that Enter proposes in Conquest: every question has one, which the rules allow."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

from cli.games.conquest import questions
from cli.games.conquest.snapshot import kind
from cli.games.interface import Players
from p2p_stratego.conquest.bots.beliefs import Beliefs
from p2p_stratego.conquest.bots.evaluation import Weigher
from p2p_stratego.conquest.bots.recruit import Recruit
from p2p_stratego.conquest.lessons.advice import advise
from p2p_stratego.conquest.rules import notation
from p2p_stratego.conquest.rules.game import GAME
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.core.game import Choose, Face, Move
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View
from tests.helpers.conquest.acts import Acts

PLAYERS = Players(("Anna", "Boris"), 0)
EVERY = {"take", "play", "place", "regroup", "mix", "look", "accuse", "answer", "move"}


class Proposing:
    """A player who sends what Enter proposes, or by lot what a recruit would do."""

    def __init__(self, seed: int) -> None:
        self._bot, self._lots = Recruit(Random(seed)), Random(seed)
        self.met = Counter[str]()

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        line, asked = questions.ready_line(view, self._lots), questions.question(view, PLAYERS)
        if asked is None:
            assert not line, "the editor's"
            return self._bot.decide(view)
        decided = questions.read(view, line)
        assert isinstance(decided, str | tuple), line
        assert not questions.warnings(view, decided), line
        if isinstance(view.decision, Choose):
            assert decided in view.decision.options
        alone = "none" in asked.how and line == notation.NONE
        assert alone or "Enter" in asked.at_table
        self.met[kind(view)] += 1
        return decided if self._lots.random() < 0.3 else self._bot.decide(view)


def test_a_move_that_gains_nothing_is_not_proposed_where_none_has_to_be_made() -> None:
    """Neither one that leaves a city, which is nobody's then."""
    proposed = Counter[str]()

    class Watched:
        def __init__(self, seed: int) -> None:
            self._bot = Recruit(Random(seed))

        def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
            if kind(view) == "move" and view.state.made:
                line, state = questions.ready_line(view, Random(0)), view.state
                step = notation.zones(line)
                if step is None:
                    proposed["stop"] += 1
                elif state.board[step[1]] is None:
                    weigher = Weigher(Beliefs(state, view.seat, view.known))
                    assert weigher.land({step[0]: None, step[1]: view.seat}) > 0
                    proposed["land"] += 1
                return line
            return self._bot.decide(view)

    for seed in range(3):
        play(GAME, [Watched(seed), Watched(seed + 9)], {"rounds": 40}, Random(seed))
    assert {*proposed} == {"stop", "land"}


def test_enter_proposes_what_the_coach_is_sure_of() -> None:
    """The coach named an attack that surely wins, or land to gain, and Enter proposed another one."""
    agreed = Counter[str]()

    class Watched:
        def __init__(self, seed: int) -> None:
            self._bot = Recruit(Random(seed))

        def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
            if kind(view) in ("move", "play", "accuse"):
                line, remark = questions.ready_line(view, Random(0)), next(iter(advise(view))).text
                for name, sentence in SURE.items():
                    if hit := sentence.match(remark):
                        assert line == "".join(hit.groups()), remark
                        agreed[name] += 1
            return self._bot.decide(view)

    for seed in range(4):
        play(GAME, [Watched(seed), Watched(seed + 9)], {"rounds": 30}, Random(seed))
    assert {*agreed} == {"attack", "land"}


SURE = {
    "attack": re.compile(r"Your .+ on (\w\w) (?:beats|can take) .+ on (\w\w)[:.]"),
    "land": re.compile(r"A (?:step|run) from (\w\w) to (\w\w) "),
}


def test_enter_proposes_the_traitor_for_a_piece_that_is_sure() -> None:
    setup = {"red": {"a1": "flag", "d1": "duke"}, "blue": {"l1": "flag", "d2": "king", "d4": "queen"}}
    view = Acts(setup, cards=("blitz", "traitor")).view("d2")
    assert "d2 is sure to hold the King" in next(iter(advise(view))).text
    assert questions.ready_line(view, Random(0)) == "traitor"


def test_each_question_has_an_answer_that_enter_proposes() -> None:
    met = Counter[str]()
    for seed in range(6):
        players = [Proposing(seed), Proposing(seed + 100)]
        play(GAME, players, {"rounds": 40}, Random(seed))
        met += sum((player.met for player in players), Counter())
    assert {*met} >= EVERY, met
