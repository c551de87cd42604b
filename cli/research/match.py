"""One match by the rules alone, answered action by action, with the names of OpenSpiel's `State`.

Chance is drawn from a seed, commitments are left out, and no seat is shown more than its View.
OpenSpiel (Lanctot et al. 2019, arXiv:1908.09453) calls such a game sampled-stochastic.

A game of an installed package has no table of its own: an option is its place in the list, the board in
sentences is hashed.  Feature hashing: Weinberger et al. 2009, arXiv:0902.2206.
"""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import islice, pairwise
from typing import Any, Final, cast

from cli.games.interface import GameTerminal, Players, ViewContext
from cli.play.engines.question import LISTED, question
from cli.research.tables import (
    END,
    Asking,
    Field,
    GameTable,
    NotEncoded,
    Word,
    face_words,
    laying_for,
    listed,
)
from p2p_stratego.core.game import (
    Ask,
    Breach,
    Choose,
    Commit,
    Game,
    Move,
    Options,
    Outcome,
    Seat,
    Together,
    Turn,
)
from p2p_stratego.core.self_play import Decided, FalseClaim, Table
from p2p_stratego.core.sides import score, side_of, without
from p2p_stratego.core.view import AnsweredAsk, View
from p2p_stratego.registry import ENTRIES, GAMES, OWN

TERMINAL: Final = -4
"""The player of a match that is over, as OpenSpiel numbers it (kTerminalPlayerId)."""
ALOUD: Final = 16
"""Words that an observation tells of those said in the step under way: the latest ones."""


def table_of(game: str, seats: int) -> GameTable:
    """The table of a game of this program; of one from a package the table that fits any game.

    Raises KeyError if there is no such game.
    """
    if game not in OWN:
        return table(game, seats)
    own: GameTable = import_module(f"cli.research.{game.replace('-', '_')}").TABLE
    return own


class IllegalAction(Exception):
    """An action that the seat to act does not have now."""


class _Due(Exception):
    """A decision that nobody has made yet."""

    def __init__(self, view: View[Any]) -> None:
        super().__init__(view.seat)
        self.view = view


class _Hand:
    """Plays what it was given; raises _Due for any other decision.  Implements `view.Bot`."""

    def __init__(self) -> None:
        self.given: Decided | None = None

    def decide(self, view: View[Any]) -> Decided:
        if self.given is None:
            raise _Due(view)
        return self.given


class Match:
    """A match of `game` between `seats` players, with the same course for the same seed and actions.

    A decision comes as one action or as several, a word each; where a seat has one legal action only, it is
    taken at once, and nobody is asked.
    """

    def __init__(
        self, game: str, *, seats: int | None = None, options: Options | None = None, seed: int = 0
    ) -> None:
        """`seats`: the fewest if None.  Raises KeyError, OptionError, and NotEncoded."""
        self.rules = GAMES[game]
        self.seats = self.rules.seat_counts[0] if seats is None else seats
        self.table = table_of(game, self.seats)
        self.options = self.rules.options(options or {})
        self.table.check(self.options)
        self.outcome: Outcome | None = None
        self.actions: Final = self.table.words
        """The word of each action."""
        self._number_of = {word: number for number, word in enumerate(self.actions)}
        self._hands = [_Hand() for _ in range(self.seats)]
        self.world = Table(self._hands, random.Random(seed), readable=self.rules.needs_proofs)
        """The table, with all that is hidden: no seat is shown more of it than its View."""
        self._turn: Turn[Any] = self.rules.setup(self.seats, self.options)
        self._state: Any = None
        self._ask: Ask | None = None
        self._reply: Any = None
        self._since: list[AnsweredAsk] = []
        self.history: list[AnsweredAsk] = []
        """Every Ask that is settled, with its public answer."""
        self._due: View[Any] | None = None
        self._asking: Asking | None = None
        self._legal: dict[int, Word] = {}
        self._posed: dict[Seat, View[Any]] = {}
        """By seat: the view with the decision that it has made, until that is settled."""
        self._aloud: list[int] = []
        self._observed: tuple[View[Any], list[int]] | None = None
        self._spoken: list[int] = []
        """The actions of the answer that is being given."""
        self._go_on()

    def current_player(self) -> Seat:
        """The seat to act; TERMINAL once the match is over."""
        return TERMINAL if self._due is None else self._due.seat

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.outcome is not None

    def num_distinct_actions(self) -> int:
        """The size of the action space."""
        return len(self.actions)

    def num_players(self) -> int:
        """The seats."""
        return self.seats

    def legal_actions(self, seat: Seat | None = None) -> list[int]:
        """The legal actions of `seat` (None: of the seat to act), ascending; none while others act."""
        return sorted(self._legal) if seat in (None, self.current_player()) else []

    def action_to_string(self, action: int) -> Word:
        """The word of an action."""
        return self.actions[action]

    def apply_action(self, action: int) -> None:
        """The seat to act says the word of `action`.  Raises IllegalAction."""
        if action not in self._legal:
            raise IllegalAction(f"{action} is none of the actions of seat {self.current_player()}")
        self._say(action)
        if self._due is None:
            self._go_on()

    def returns(self) -> list[float]:
        """By seat: 1 for a winner, -1 for a loser; 0 before the end, in draws, and for shared wins."""
        outcome = self.outcome
        if outcome is None:
            return [0.0] * self.seats
        if outcome.winners:
            sides = self.rules.sides(self.seats)
            return [2 * score(outcome.winners, side_of(sides, seat)) - 1 for seat in range(self.seats)]
        culprit = None if outcome.breach is None else outcome.breach.seat
        return [-1.0 if seat == culprit else 0.0 for seat in range(self.seats)]

    def view(self, seat: Seat) -> View[Any]:
        """What `seat` sees now; its decision only if it is the seat to act."""
        if self._due is not None and self._due.seat == seat:
            return self._due
        return View(seat, self._state, self.world.cards.known[seat], None, tuple(self._since))

    def observation_size(self) -> int:
        """How many numbers an observation has."""
        return sum(field.size for field in self.table.fields) + ALOUD + self.table.longest

    def observation(self, seat: Seat) -> list[int]:
        """What `seat` sees, as numbers.

        The fields of the game; what was said aloud in the step under way, the latest word first; what the
        seat has said so far of the answer that it is giving.  A word is its action + 1.
        """
        spoken = self._spoken if seat == self.current_player() else []
        return [
            *self._fields(seat),
            *(1 + action for action in reversed(self._aloud)),
            *[0] * (ALOUD - len(self._aloud)),
            *(1 + action for action in spoken),
            *[0] * (self.table.longest - len(spoken)),
        ]

    def _fields(self, seat: Seat) -> list[int]:
        """The fields of the game; while a seat gives one answer word by word, they stay as they are."""
        view = self.view(seat)
        if self._observed is None or self._observed[0] is not view:
            self._observed = view, self.table.observed(view)
        return self._observed[1]

    def observation_string(self, seat: Seat) -> str:
        """What `seat` sees, in English sentences."""
        return board(self.rules, self.seats, self.view(seat), self._spoken_by(seat))

    def information_state_string(self, seat: Seat) -> str:
        """All that `seat` has learnt since the beginning, in the notation of the rules."""
        return information(self.view(seat), self.history, self._spoken_by(seat))

    def spelt(self, decided: Decided) -> list[int]:
        """The actions, 0 or more, by which the seat to act gives a whole answer.  Raises IllegalAction."""
        view = self.view(self.current_player())
        words = iter(self.table.spell(view, decided))
        asking, actions, word = self.table.ask(view), list[int](), None
        try:
            while True:
                offered = next(asking) if word is None else asking.send(word)
                word = next(words, END if END in offered else offered[0])
                if word not in offered:
                    raise IllegalAction(f"{word!r} is not offered: {decided!r} breaks a rule")
                if len(offered) > 1:
                    actions.append(self._number_of[word])
        except StopIteration as end:
            if end.value != decided:
                raise IllegalAction(f"{decided!r} is spelt like {end.value!r}") from None
            return actions

    def _spoken_by(self, seat: Seat) -> Sequence[Word]:
        return [self.actions[action] for action in self._spoken] if seat == self.current_player() else ()

    def _go_on(self) -> None:
        """Play until a seat has something to decide, or to the end."""
        while self.outcome is None and self._due is None:
            if self._ask is None:
                try:
                    self._ask = self._turn.send(self._reply)
                except StopIteration as end:
                    self._begin(end.value)
                    continue
            self._answer(self._ask)

    def _begin(self, state: Any) -> None:
        """The next turn, from a frozen state."""
        self._state, self._reply = state, None
        self.world.past.append(state)
        self._since.clear()
        self._aloud.clear()
        self.outcome = self.rules.outcome(state)
        if self.outcome is None:
            self._turn = self.rules.turn(state)

    def _answer(self, ask: Ask) -> None:
        """Settle an Ask, if all its decisions are made; else ask for the first that is not."""
        try:
            # Nothing is settled before all have decided: so the same Ask can be put again.
            self._reply = self.world.answer(ask, self._state, tuple(self._since))
        except _Due as due:
            self._pose(due.view)
            return
        except FalseClaim as error:
            sides = self.rules.sides(self.seats)
            culprit = error.claim.seat
            self.outcome = Outcome(without(sides, culprit), "cheated", Breach(culprit, error.claim.rule))
            return
        self._ask = None
        self._since.append((ask, self._reply))
        self.history.append((ask, self._reply))
        self._hear(ask, self._reply)
        for hand in self._hands:
            hand.given = None

    def _hear(self, ask: Ask, answer: Any) -> None:
        """Keep what was said aloud as words."""
        parts = zip(ask.asks, answer, strict=True) if isinstance(ask, Together) else [(ask, answer)]
        for part, move in parts:
            if isinstance(part, Choose):
                words = self.table.spell(self._posed[part.seat], move)
                self._aloud = [*self._aloud, *map(self._number_of.__getitem__, words)][-ALOUD:]
        self._posed.clear()

    def _pose(self, view: View[Any]) -> None:
        self._due, self._asking = view, self.table.ask(view)
        self._posed[view.seat] = view
        self._listen(None)

    def _say(self, action: int) -> None:
        word = self._legal[action]
        self._spoken.append(action)
        self._listen(word)

    def _listen(self, word: Word | None) -> None:
        """Hear a word of the answer that is due; a word that alone is possible is said at once."""
        if self._due is None or self._asking is None:
            raise RuntimeError("nobody is asked")
        try:
            offered = next(self._asking) if word is None else self._asking.send(word)
            while len(offered) == 1:
                offered = self._asking.send(offered[0])
        except StopIteration as end:
            self._hands[self._due.seat].given = end.value
            self._due = self._asking = None
            self._legal, self._spoken = {}, []
        else:
            self._legal = {self._number_of[word]: word for word in offered}


MOST_LAID: Final = 40
"""Words of an answer: the slots of a Commit."""
BUCKETS: Final = 1_024
_FACES: Final = range(128)
_WORD: Final = re.compile(r"\w+")


def _option(number: int) -> Word:
    return f"option {number}"


def _options(rules: Game[Any], view: View[Any], decision: Choose) -> dict[Word, Move]:
    """The options that break no rule by what the seat knows; each has its number among those that all see.

    So the number, which other seats hear, tells them nothing of what the seat hides.
    Raises NotEncoded if there are too many.
    """
    public = sorted(islice(decision.options, LISTED + 1))
    if len(public) > LISTED:
        raise NotEncoded(f"a decision of this game has more than {LISTED} options: it needs a table")
    true = {*question(rules, view).options}
    return {_option(number): move for number, move in enumerate(public) if move in true}


def hashed(sentences: str) -> list[int]:
    """By bucket: how many words, and pairs of words that stand side by side, fall into it."""
    words = _WORD.findall(sentences.lower())
    counts = [0] * BUCKETS
    for feature in (*words, *map(" ".join, pairwise(words))):
        counts[zlib.crc32(feature.encode()) % BUCKETS] += 1
    return counts


def table(game: str, seats: int) -> GameTable:
    """The table of any game at a table of `seats`.  Raises KeyError if there is no such game."""
    rules = GAMES[game]

    def ask(view: View[Any]) -> Asking:
        decision = view.asked
        if isinstance(decision, Commit):
            if len(decision.slots) > MOST_LAID or not {*decision.faces} <= {*_FACES}:
                raise NotEncoded("a Commit of this game is too large: it needs a table")
            return (yield from laying_for(decision))
        options = _options(rules, view, decision)
        return (yield from listed(((word,), move) for word, move in options.items()))

    def spell(view: View[Any], decided: Decided) -> Sequence[Word]:
        if isinstance(decided, str):
            options = _options(rules, view, cast("Choose", view.asked))
            return tuple(word for word, move in options.items() if move == decided)
        return face_words(decided)

    def sentences(view: View[Any]) -> Iterator[int]:
        yield from hashed(board(rules, seats, view, ()))

    return GameTable(
        words=(*face_words(_FACES), *map(_option, range(LISTED))),
        longest=MOST_LAID,
        fields=(
            Field("seat", 1, lambda view: (view.seat,)),
            Field("the board in sentences, hashed", BUCKETS, sentences),
        ),
        moment=lambda view: view,
        ask=ask,
        spell=spell,
    )


def context(rules: Game[Any], seats: int, view: View[Any]) -> ViewContext:
    """A view as its player reads it; players bear the names of their seats."""
    return ViewContext(view, Players(rules.seat_names(seats), view.seat))


def board(rules: Game[Any], seats: int, view: View[Any], words: Sequence[Word]) -> str:
    """The board in sentences, and the question that is open."""
    terminal: GameTerminal = ENTRIES[rules.name].terminal.load()
    moment = context(rules, seats, view)
    lines = list(terminal.description.board(moment))
    if view.decision is not None:
        question = terminal.questions.question(view, moment.players)
        lines += [] if question is None else [question.text]
        lines += [f"You said: {', '.join(words)}."] if words else []
    return "\n".join(lines)


def information(view: View[Any], history: Iterable[AnsweredAsk], words: Sequence[Word]) -> str:
    """Every settled Ask with its public answer, the faces that the seat can read, and its decision."""
    lines = [f"seat {view.seat}"]
    lines += (f"{_ask(ask)} -> {answer}" for ask, answer in history)
    lines += (f"slot {slot} shows {face}" for slot, face in sorted(view.known.items()))
    if view.decision is not None:
        lines += (f"asked: {_ask(view.decision)}", *(f"said: {word}" for word in words))
    return "\n".join(lines)


def _ask(ask: Any) -> str:
    """An Ask without its options: there may be billions, and they follow from what is told."""
    if isinstance(ask, Together):
        return " and ".join(map(_ask, ask.asks))
    if isinstance(ask, Commit):
        return f"Commit seat {ask.seat} slots {ask.slots}"
    named = ((name, getattr(ask, name)) for name in type(ask).__dataclass_fields__ if name != "options")
    return " ".join((type(ask).__name__, *(f"{name} {_plain(value)}" for name, value in named)))


def _plain(value: Any) -> str:
    return str(sorted(value)) if isinstance(value, frozenset) else str(value)
