"""Bots against each other by the rules alone: no protocol, no network, hidden faces held aside by the arena.

For measuring bots and for testing rules with whole games.  It must never show a seat more than a `View`
allows; otherwise its figures would not hold for real matches.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Generic, TypeAlias

from p2p_stratego.core.game import (
    Ask,
    Back,
    Choose,
    Claim,
    ClaimOneOf,
    Commit,
    Decision,
    Deck,
    DeckAsk,
    Draw,
    Face,
    Game,
    Give,
    Lay,
    Mix,
    Move,
    NewDeck,
    Open,
    OpenTo,
    Options,
    Outcome,
    Roll,
    S,
    Seat,
    Show,
    Shuffle,
    Slot,
    Together,
    Turn,
)
from p2p_stratego.core.rulebook import drive
from p2p_stratego.core.sampling import any_of, shuffled
from p2p_stratego.core.sides import last_side, remaining
from p2p_stratego.core.view import AnsweredAsk, Bot, Chance, View


class Dealer:
    """Holds the cards of `seats` players; `chance` orders the decks."""

    def __init__(self, seats: int, chance: Chance) -> None:
        self._chance = chance
        self.decks: dict[Deck, list[Face]] = {}
        """By deck: its cards, the top one first."""
        self.holders: dict[Slot, Seat | None] = {}
        """Who can show what lies under a slot; None where nobody has seen it."""
        self.faces: dict[Slot, Face] = {}
        self.opened: set[Slot] = set()
        self.missing: set[Slot] = set()
        """The slots under which a seat was to lay something and did not, because a seat had left."""
        self._dead: set[Slot] = set()
        self._known: tuple[dict[Slot, Face], ...] = tuple({} for _ in range(seats))
        self.known = tuple(map(MappingProxyType, self._known))
        """By seat: the faces that it can read."""

    def lay(self, holder: Seat | None, slots: Sequence[Slot], faces: Sequence[Face]) -> None:
        """`faces` lie under new `slots`; their holder reads them."""
        for slot, face in zip(slots, faces, strict=True):
            if slot in self.holders:
                raise RuntimeError(f"the rules used slot {slot} twice")
            self.holders[slot], self.faces[slot] = holder, face
        self.missing.difference_update(slots)
        if holder is not None:
            self.see(slots, holder)

    def see(self, slots: Iterable[Slot], seat: Seat) -> None:
        """`seat` can read what lies under `slots`."""
        self._known[seat].update((slot, self.faces[slot]) for slot in slots)

    def open(self, slot: Slot) -> Face:
        """Everybody sees the face under `slot`."""
        self.held((slot,))
        for known in self._known:
            known[slot] = self.faces[slot]
        self.opened.add(slot)
        return self.faces[slot]

    def held(self, slots: Sequence[Slot]) -> Seat | None:
        """The one holder of `slots`, of which none is dead."""
        if any(slot not in self.holders or slot in self._dead for slot in slots):
            raise RuntimeError(f"the rules ask for slots {slots} of which one was not laid, or is dead")
        holders = {self.holders[slot] for slot in slots}
        if len(holders) != 1 or len(set(slots)) != len(slots):
            raise RuntimeError(f"slots {slots} have not one holder, or one of them stands there twice")
        return holders.pop()

    def bury(self, slots: Iterable[Slot]) -> None:
        """Nothing may be asked of `slots` any more."""
        self._dead.update(slots)

    def deal(self, ask: DeckAsk, gone: Collection[Seat]) -> None:
        """Settle an Ask about decks; `gone`: the seats that have left, to which nothing is shown or given."""
        if isinstance(ask, NewDeck):
            if ask.deck in self.decks:
                raise RuntimeError(f"the rules lay deck {ask.deck} twice")
            self.decks[ask.deck] = list(ask.faces)
        elif isinstance(ask, Shuffle):
            self.decks[ask.deck] = shuffled(self.decks[ask.deck], self._chance)
        elif isinstance(ask, Draw):
            for seat, slots in ask.hands:
                self.lay(seat, slots, self._top(ask.deck, len(slots)))
        elif isinstance(ask, Lay):
            self.lay(None, ask.slots, self._top(ask.deck, len(ask.slots)))
        elif (left := remaining(ask, gone, self.missing)) is not None:
            if isinstance(left, Back):
                self._back(left)
            else:
                self._pass_on(left)

    def _top(self, deck: Deck, number: int) -> list[Face]:
        cards = self.decks[deck]
        if number > len(cards):
            raise RuntimeError(f"the rules draw {number} cards of deck {deck}, which has {len(cards)}")
        top, self.decks[deck] = cards[:number], cards[number:]
        return top

    def _back(self, ask: Back) -> None:
        if closed := [slot for slot in ask.slots if slot not in self.opened]:
            self.held(closed)
        for slot in ask.slots:
            self.held((slot,))
            self.bury((slot,))
            self.decks[ask.deck].append(self.faces[slot])

    def _pass_on(self, ask: Show | Give) -> None:
        holder = self.held(ask.slots)
        if isinstance(ask, Show):
            self.lay(ask.seat, ask.copies, [self.faces[slot] for slot in ask.slots])
        if isinstance(ask, Give) or holder is None:
            self.holders.update(dict.fromkeys(ask.slots, ask.seat))
        self.see(ask.slots, ask.seat)


Decided: TypeAlias = Move | tuple[Face, ...]


class IllegalDecision(Exception):
    """A bot's answer that the decision does not allow: a fault of the bot, never of the rules."""

    def __init__(self, seat: Seat, decision: Decision, answer: object) -> None:
        super().__init__(f"the bot on seat {seat} was asked {decision!r} and answered {answer!r}")
        self.seat = seat
        self.decision = decision
        self.answer = answer


class FalseClaim(Exception):
    """A bot's move made a claim that its own hidden faces disprove; in a real match that loses."""

    def __init__(self, claim: Claim | ClaimOneOf, faces: tuple[Face, ...]) -> None:
        super().__init__(f"the bot on seat {claim.seat} claimed {claim!r}, but the faces are {faces!r}")
        self.claim = claim
        self.faces = faces


@dataclass(frozen=True, slots=True)
class PlayedGame(Generic[S]):
    """A finished game: how it ended, its states, every hidden face, opened or not, and the decks."""

    outcome: Outcome
    states: tuple[S, ...]
    """Those to which turns led, oldest first; the last one is the one at the end."""
    faces: dict[Slot, Face]
    decks: dict[Deck, list[Face]] = field(default_factory=dict)

    @property
    def state(self) -> S:
        """The last one."""
        return self.states[-1]


Leaves: TypeAlias = Callable[[int, Ask], Collection[Seat]]
"""The seats that leave before the Ask of this number, counted from 0 through the whole game."""


def _nobody(_number: int, _ask: Ask) -> Collection[Seat]:
    return ()


def allowed(decision: Decision, answer: object) -> bool:
    """Whether `decision` allows `answer`."""
    if isinstance(decision, Choose):
        return answer in decision.options
    if not isinstance(answer, tuple) or len(answer) != len(decision.slots):
        return False
    if decision.exactly:
        return sorted(answer) == sorted(decision.faces)
    return all(face in decision.faces for face in answer)


def drawn(ask: Commit, chance: Chance) -> tuple[Face, ...]:
    """The faces that a program draws for its player."""
    if ask.exactly:
        return tuple(shuffled(tuple(ask.faces), chance))
    faces = sorted(set(ask.faces))
    return tuple(any_of(faces, chance) for _ in ask.slots)


def play(
    game: Game[S], bots: Sequence[Bot[S]], options: Options, chance: Chance, leaves: Leaves = _nobody
) -> PlayedGame[S]:
    """Play one game to its end.

    `bots`: one a seat; `chance` answers the game's Rolls and orders its Mixes, so no bot may share it.  When
    `leaves` has left players of one side only, that side wins, "deserted".  Raises IllegalDecision or
    FalseClaim for a bot that breaks a rule, and OptionError for unknown options.
    """
    return played(game, Table(bots, chance, leaves, readable=game.needs_proofs), options)


def played(game: Game[S], table: Table, options: Options) -> PlayedGame[S]:
    """One game to its end, at a table that answers its Asks.  Raises what `play` raises, and the table."""
    seats = len(table.bots)
    sides = game.sides(seats)
    state = table.through(game.setup(seats, game.options(options)), None)
    leavers_told = 0
    while (outcome := game.outcome(state)) is None:
        winners = last_side(sides, table.gone)
        if winners is not None:
            outcome = Outcome(winners, "deserted")
            break
        if leavers_told < len(table.gone):
            state = table.through(game.gone(state, table.gone[leavers_told]), state)
            leavers_told += 1
        else:
            state = table.through(game.turn(state), state)
    return PlayedGame(outcome, tuple(table.past), table.cards.faces, table.cards.decks)


class Table:
    """Answers each Ask as the table would."""

    def __init__(
        self, bots: Sequence[Bot[Any]], chance: Chance, leaves: Leaves = _nobody, *, readable: bool
    ) -> None:
        """`readable`: a seat that leaves gives its key away, so everybody can read its cards."""
        self.bots = bots
        self.chance = chance
        self.leaves = leaves
        self.readable = readable
        self.asked = 0
        self.past: list[Any] = []
        """The states that turns have led to, oldest first; the last one is the present one."""
        self.gone: list[Seat] = []
        """In the order of leaving."""
        self.cards = Dealer(len(bots), chance)

    def through(self, turn: Turn[S], state: S | None) -> S:
        """Run one turn from the frozen `state` (None: the set-up) to the next."""
        since: list[AnsweredAsk] = []

        def reply(ask: Ask) -> Any:
            left = sorted(set(self.leaves(self.asked, ask)).difference(self.gone))
            self.gone += left
            self.asked += 1
            answer = self.answer(ask, state, tuple(since))
            since.append((ask, answer))
            return answer

        reached = drive(turn, reply)
        self.past.append(reached)
        return reached

    def answer(self, ask: Ask, state: object, since: tuple[AnsweredAsk, ...]) -> Any:
        if isinstance(ask, Roll):
            return int(self.chance.random() * ask.sides)
        if isinstance(ask, Together):
            # All decide before any decision is settled: no seat sees another's decision first.
            there = [decision for decision in ask.asks if decision.seat not in self.gone]
            decided = {decision.seat: self.decide(decision, state, since) for decision in there}
            return tuple(
                self.settle(decision, decided[decision.seat]) if decision.seat in decided else None
                for decision in ask.asks
            )
        if isinstance(ask, DeckAsk):
            self.cards.deal(ask, self.gone)
            return None
        if self.absent(ask):
            if isinstance(ask, Commit | Mix):
                self.cards.missing.update(ask.slots if isinstance(ask, Commit) else ask.new)
            return None
        if isinstance(ask, Choose | Commit):
            return self.settle(ask, self.decide(ask, state, since))
        if isinstance(ask, Open):
            return self.cards.open(ask.slot)
        if isinstance(ask, OpenTo):
            self.cards.see((ask.slot,), ask.seat)
            return None
        if isinstance(ask, Mix):
            return self.mix(ask, state, since)
        return self.check(ask)

    def absent(self, ask: Choose | Commit | Open | OpenTo | Claim | ClaimOneOf | Mix) -> bool:
        """Whether a seat that has left would have to answer, or to look, and the others cannot do it."""
        if isinstance(ask, Open | OpenTo):
            viewed = isinstance(ask, OpenTo) and ask.seat in self.gone
            return viewed or ask.slot in self.cards.missing or self.unreadable(self.cards.holders[ask.slot])
        if isinstance(ask, Mix):
            return self.unreadable(ask.seat) or not self.cards.missing.isdisjoint(ask.old)
        return ask.seat in self.gone

    def unreadable(self, holder: Seat | None) -> bool:
        """Whether the holder has left and taken what it knew with it."""
        return holder in self.gone and not self.readable

    def mix(self, ask: Mix, state: object, since: tuple[AnsweredAsk, ...]) -> None:
        faces = tuple(self.cards.faces[slot] for slot in ask.old)
        if ask.seat in self.gone:
            pass  # everybody can read them: they stay in order
        elif ask.chosen:
            known = self.cards.known[ask.seat]
            faces = tuple(map(int, self.decide(ask.decision(known), state, since)))
        else:
            faces = tuple(shuffled(faces, self.chance))
        self.cards.held(ask.old)
        self.cards.bury(ask.old)
        self.cards.lay(ask.seat, ask.new, faces)

    def check(self, claim: Claim | ClaimOneOf) -> None:
        faces = tuple(self.cards.faces[slot] for slot in claim.slots)
        if faces not in claim.tuples if isinstance(claim, ClaimOneOf) else not claim.faces >= {*faces}:
            raise FalseClaim(claim, faces)

    def decide(self, decision: Decision, state: object, since: tuple[AnsweredAsk, ...]) -> Decided:
        if isinstance(decision, Commit) and not decision.chosen:
            return drawn(decision, self.chance)
        seat = decision.seat
        answer = self.bots[seat].decide(
            View(seat, state, self.cards.known[seat], decision, since, self.past[:-1])
        )
        if not allowed(decision, answer):
            raise IllegalDecision(seat, decision, answer)
        return answer

    def settle(self, decision: Decision, answer: Decided) -> Move | None:
        """The public answer to a decision: a move; None for faces that stay hidden."""
        if isinstance(decision, Choose):
            return str(answer)
        self.cards.lay(decision.seat, decision.slots, tuple(map(int, answer)))
        return None
