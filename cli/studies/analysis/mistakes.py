"""The costliest decisions of one player, as questions to be answered once more.

What a typed line comes to is decided here, alike for a screen and for lines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from cli.games.interface import (
    GameTerminal,
    Misunderstood,
    PlannedAnswers,
    Players,
    Question,
    ViewContext,
    terminal,
)
from cli.games.typed_names import as_typed, in_english
from cli.studies.analysis.analysing import Analysed
from cli.studies.analysis.analysis_text import points, share
from cli.text.language import leaves
from p2p_stratego.core.analysis import COSTLY, Enough, Judgement
from p2p_stratego.core.game import Face, Move, Seat
from p2p_stratego.core.language import _
from p2p_stratego.core.narration import joined
from p2p_stratego.registry import signature

MOST: Final = 3
"""How many come back."""
NEXT: Final = ("", "next", "n")
BEST: Final = ("best", "b")
HELP: Final = ("?", "help")
LEAVE: Final = "leave"
MOVES: Final = "moves"
BOARD: Final = "board"
"""As at the table: what can be answered, and the board in sentences."""


def costliest(analysed: Analysed, seat: Seat) -> list[Judgement]:
    """Up to MOST decisions of `seat` that cost it most beside the best ones, the costliest first."""
    costly = [
        decision
        for decision in analysed.of(seat)
        if (decision.lost or 0.0) >= COSTLY and decision.best and decision.best != decision.chosen
    ]
    return sorted(costly, key=lambda decision: -(decision.lost or 0.0))[:MOST]


class Retries:
    """The questions, and how far the player has come with them."""

    def __init__(self, analysed: Analysed, seat: Seat, begin: Callable[[], Enough]) -> None:
        """`begin`: a clock for each decision that is judged."""
        self.questions: Sequence[Judgement] = costliest(analysed, seat)
        self.at = 0
        """Which of them is open, from 0; behind the last: none."""
        self.sentences: Sequence[str] = ()
        """What the last line came to."""
        self.in_words = False
        """Whether these tell of the board or its moves, for a reader who need not see it."""
        self.seat, self.player = seat, analysed.names[seat]
        self._analysed, self._begin = analysed, begin
        self._players = Players(analysed.names, seat)

    @property
    def over(self) -> bool:
        """Whether no question is open."""
        return self.at >= len(self.questions)

    @property
    def game(self) -> GameTerminal:
        """The terminal part of the game."""
        return terminal(self._analysed.report.genesis.game.name)

    @property
    def open(self) -> Judgement:
        """The decision that is asked for again."""
        return self.questions[self.at]

    def context(self, typed: str = "") -> ViewContext:
        """What the player knew when it decided, with the typed line."""
        return ViewContext(self.open.made.view, self._players, in_english(typed, self.game.names()))

    @property
    def facts(self) -> Sequence[str]:
        """What the question rested on: a hand, a line, the chits."""
        return self.game.description.asked(self.context())

    @property
    def heading(self) -> str:
        """Which question this is, and what the first answer cost."""
        lucky = _("It came right by luck: what counts here is what you could know then.")
        return joined(self._chosen, lucky if self.open.came else "")

    @property
    def _chosen(self) -> str:
        return _(
            "Question {number} of {count}, step {step}. You chose: {chosen}. It cost {lost} points of your"
            " chance to win.",
            number=self.at + 1,
            count=len(self.questions),
            step=self.open.made.step,
            chosen=self.open.chosen,
            lost=points(self.open.lost or 0.0, sign=False),
        )

    @property
    def question(self) -> Question:
        """What the player was asked then."""
        asked = self.game.questions.question(self.open.made.view, self._players)
        return asked or Question(_("What would you do now?"), "")

    @property
    def asked(self) -> str:
        """The question, and how it is answered."""
        question = self.question
        return f"{question.text} ({question.how})" if question.how else question.text

    def enter(self, typed: str) -> None:
        """Take a line: an answer, or what to do with the question."""
        word = typed.strip().lower()
        self.in_words = word in (MOVES, BOARD)
        if leaves(word):
            self.at = len(self.questions)
        elif word in NEXT:
            self.at += 1
            self.sentences = ()
        elif word in BEST:
            self.sentences = self.best
        elif word in HELP:
            self.sentences = (
                _(
                    "Type another answer, to see its worth. best: what the bot does; next: the next question;"
                    " moves: all answers; board: the board in words; leave: the end."
                ),
            )
        elif word == MOVES:
            offers = self.game.questions.choices(self.context())
            self.sentences = (", ".join(choice.shown for choice in offers),)
        elif word == BOARD:
            self.sentences = self.game.description.board(self.context())
        else:
            self.sentences = self._tried(typed)

    def _tried(self, typed: str) -> Sequence[str]:
        """What an answer would have been worth."""
        try:
            again = self.judged(typed)
        except Misunderstood as error:
            return (as_typed(str(error), typed, self.game.names()),)
        return (*self._worth(again), *odds(again.odds))

    def _worth(self, again: Judgement) -> Sequence[str]:
        if again.lost is None:
            return (_("{choice}: this cannot be compared with the best choice.", choice=again.chosen),)
        if again.lost < COSTLY:
            return (as_good(again.chosen),)
        cost = points(again.lost, sign=False)
        return (
            _("{choice}: it costs {cost} points. Try again, or type best.", choice=again.chosen, cost=cost),
        )

    @property
    def best(self) -> Sequence[str]:
        """What the strong bot would have done, and what it thought likely."""
        likely = ", ".join(f"{thing.name} {share(thing.odds)}" for thing in self.open.knew)
        return (
            _("{bot} would have chosen: {best}.", bot=self.bot, best=self.open.best),
            *odds(self.open.best_odds),
            *[_("It thought likely: {things}.", things=likely)] * bool(likely),
        )

    @property
    def bot(self) -> str:
        """By whose eyes the answers are judged."""
        return signature(self._analysed.report.genesis.game.name)

    def judged(self, typed: str) -> Judgement:
        """A typed answer judged as the first one was.  Raises Misunderstood."""
        here = self.game
        decided = here.questions.read(self.open.made.view, in_english(typed, here.names()))
        return self._judged(decided.first if isinstance(decided, PlannedAnswers) else decided)

    def _judged(self, answer: Move | tuple[Face, ...]) -> Judgement:
        """The judgement of another answer, with all that its player had seen until then."""
        made = self.open.made
        before = [judged.made for judged in self._analysed.of(made.seat) if judged.made.number < made.number]
        left = len(before)

        def begin() -> Enough:
            nonlocal left
            left -= 1
            return _at_once if left >= 0 else self._begin()

        *_others, last = self._analysed.game.judge([*before, replace(made, answer=answer, after=None)], begin)
        return last


def _at_once() -> bool:
    """No time for a decision that was judged before."""
    return True


def odds(chance: float | None) -> Sequence[str]:
    """How likely an answer comes right, if that is known."""
    return () if chance is None else (_("Odds that it comes right: {odds}.", odds=share(chance)),)


def as_good(choice: str) -> str:
    """The praise for an answer that costs next to nothing."""
    return _("{choice}: as good as the best. Well done!", choice=choice)
