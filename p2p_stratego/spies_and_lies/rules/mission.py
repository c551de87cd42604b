"""One mission turn: a guess, the card it turns up, and their effects on the markers of the board.

The order of the questions is the order of the rule text's table.  A change of a line here is a new version of
the rules.  A Ledger is the only mutable thing in the rules: it is made from a frozen State, lives for one
turn, notes an Effect for each change, asks nothing and knows no hidden card.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import cache
from typing import Any, Final, TypeAlias, TypeVar

from p2p_stratego.core.game import Ask, Breach, Choose, Move, Outcome, Seat, Turn
from p2p_stratego.core.sides import without
from p2p_stratego.spies_and_lies.rules.asks import (
    CAPTAIN_ASKS,
    GUESS_ASKS,
    MARSHAL_ASKS,
    OPEN_ASKS,
    TOKEN_ASKS,
)
from p2p_stratego.spies_and_lies.rules.checks import (
    falsely_marked,
    impossibility,
    is_false_mark,
    is_out_of_order,
    out_of_order,
)
from p2p_stratego.spies_and_lies.rules.components import (
    BLUE,
    CAPTAIN,
    DAYS,
    DECEPTION,
    FORWARD,
    IDENTIFICATION,
    IDENTIFICATION_WITH_SCOUT,
    INFILTRATION,
    MARSHAL,
    MISSIONS,
    RAID,
    RANKS,
    RED,
    SCOUT,
    SOLDIERS,
    TOKENS_HELD_AT_MOST,
    TURNS,
    Mission,
    Rank,
    Side,
    Soldier,
)
from p2p_stratego.spies_and_lies.rules.notation import CAPTAIN_POINTS, COPIES, GUESSES, LAY, MARSHAL_FIVE
from p2p_stratego.spies_and_lies.rules.seating import Seating, sides
from p2p_stratego.spies_and_lies.rules.state import (
    COUNTS_AS_IDENTIFIED,
    CardLine,
    Effect,
    EffectKind,
    Phase,
    Report,
    Result,
    Shown,
    State,
    slot,
    with_side,
)

_T = TypeVar("_T")
Answering: TypeAlias = Generator[Ask, Any, _T]
"""A part of a turn: it yields Asks, and returns a value made from their answers."""
_RESULTS: Final[tuple[Result, ...]] = (
    *("counted", "incorrect-order", "incorrect-intel", "identified"),
    *("retreated", "activated", "impossible", "opened"),
)
_SHOWN: Final = {(rank, result): Shown(rank, result) for rank in RANKS for result in _RESULTS}


def mission(state: State) -> Turn[State]:
    """Token, guess, opening, and the first line of the table that fits."""
    guesser, number = state.guesser, state.mission
    owner = 1 - guesser
    ledger = Ledger(state)
    holder, namer, token, guess, rank = yield from _turn_up(state, guesser, number)
    if token:
        ledger.lay_token(owner)
    marked, shown = number in state.marks[owner], _ranks(state.cards[owner])
    breach = None if rank is None else impossibility(rank, shown, state.exhausted[owner])
    result = _result(state, owner, guess, rank, shown, marked=marked) if breach is None else "impossible"
    identified = result in COUNTS_AS_IDENTIFIED
    if state.blast[guesser] and breach is None:
        ledger.use_blast(guesser, identified=identified)
    if identified:
        _identify(ledger, guesser, result)
    elif rank is not None and breach is None:
        if result == "activated" and SOLDIERS[rank].chooses:
            yield from _choose(state, ledger, holder, rank)
        elif result == "activated":
            ledger.use(owner, SOLDIERS[rank])
        if token:
            # Scored even when the soldier has just taken the flag: a turn is played to its end.
            ledger.gain(owner, DECEPTION)
    report = Report(
        state.day,
        state.turn + 1,
        guesser,
        number,
        guess,
        token,
        marked,
        rank,
        result,
        tuple(ledger.effects),
        ledger.points,
        ledger.agent,
        ledger.tokens,
        namer,
        holder,
    )
    cards = state.cards
    if rank is not None:
        cards = _with_card(cards, owner, number, _SHOWN[rank, result])
    if breach is not None:
        return _after(state, ledger, report, cards, _cheated(state.seating, holder, breach))
    if ledger.flag is not None:
        return (yield from _flag(state, ledger, report, cards, ledger.flag))
    return _after(state, ledger, report, cards, _last_word(state, ledger))


def _turn_up(
    state: State, guesser: Side, number: Mission
) -> Answering[tuple[Seat, Seat, bool, Rank | None, Rank | None]]:
    """Token, guess and opening, as far as they are due.

    Returns the seats that hold the card and guess it, whether a token was laid, the rank that was named, and
    the card's rank (None: the card stays closed, because its holder is gone).
    """
    seating, owner = state.seating, 1 - guesser
    holder, namer = seating.players[owner][number], seating.players[guesser][number]
    if number in state.closed[owner]:
        return seating.holder(owner, number), namer, False, None, None
    token, guess = False, None
    if not state.caught[owner]:
        if state.tokens[owner]:
            answer = yield TOKEN_ASKS[holder]
            if answer is None:
                return holder, namer, False, None, None
            token = answer == LAY
        named = yield GUESS_ASKS[namer]
        if named is None and (mate := seating.mate(namer)) is not None:
            namer, named = mate, (yield GUESS_ASKS[mate])
        guess = None if named is None else GUESSES[named]
    rank = yield OPEN_ASKS[slot(state.day, owner, number)]
    return holder, namer, token, guess, rank


def _answer_of(seating: Seating, seat: Seat, asks: Sequence[Choose]) -> Answering[tuple[Seat, Move | None]]:
    """The answer of `seat`, or of its mate if it has gone just now, and whose it is.

    None if nobody of the side is left.
    """
    answer: Move | None = yield asks[seat]
    if answer is None and (mate := seating.mate(seat)) is not None:
        return mate, (yield asks[mate])
    return seat, answer


def _ranks(line: CardLine) -> list[Rank]:
    return [card.rank for card in line if card is not None]


def _result(  # noqa: PLR0913 - the whole line of the table
    state: State, owner: Side, guess: Rank | None, rank: Rank | None, shown: list[Rank], *, marked: bool
) -> Result:
    """The first line of the table that fits a card of this rank (None: it stays closed).

    `shown`: its owner's open cards of today; `marked`: whether its mission is.
    """
    if rank is None or state.caught[owner]:
        return "counted"
    if is_out_of_order(rank, shown):
        return "incorrect-order"
    if is_false_mark(rank, marked=marked, intel=state.intel[-1]):
        return "incorrect-intel"
    if rank == guess:
        return "identified"
    guesser = 1 - owner
    if state.blast[guesser] or SOLDIERS[rank].yields_to in state.active[guesser]:
        return "retreated"
    return "activated"


def _identify(ledger: Ledger, guesser: Side, result: Result) -> None:
    """The first four lines of the table: the guesser scores, the soldier does nothing."""
    if result == "incorrect-order":
        ledger.punish(1 - guesser)
    scouted = SCOUT in ledger.active[guesser]
    ledger.gain(guesser, IDENTIFICATION_WITH_SCOUT if scouted else IDENTIFICATION)


def _choose(state: State, ledger: Ledger, holder: Seat, rank: Rank) -> Turn[None]:
    """`holder` uses its soldier in one of two ways; a Captain may stand in for an exhausted one of its side.

    If `holder` goes now, its mate chooses; if nobody is left, the soldier just scores.
    """
    seating = state.seating
    owner = seating.side(holder)
    tired = state.exhausted[owner]
    if rank == CAPTAIN and tired:
        _, move = yield from _answer_of(seating, holder, CAPTAIN_ASKS[tired])
        if move is not None and move != CAPTAIN_POINTS:
            rank = COPIES[move]
            ledger.note("copied", owner, rank)
            if SOLDIERS[rank].yields_to in state.active[1 - owner]:
                ledger.note("in vain", owner, rank)
                return
    if rank == MARSHAL:
        _, move = yield from _answer_of(seating, holder, MARSHAL_ASKS)
        if move == MARSHAL_FIVE:
            ledger.raid(owner)
            return
    ledger.use(owner, SOLDIERS[rank])


def _flag(
    state: State, ledger: Ledger, report: Report, cards: tuple[CardLine, CardLine], winner: Side
) -> Turn[State]:
    """The winners show their line; a flaw in it, or a card that stays closed, loses the game.

    Flaws are any card out of order, and a false mark of a card that was still closed.  The losers show
    nothing.
    """
    seating = state.seating
    for number in MISSIONS:
        if cards[winner][number - 1] is None and number not in state.closed[winner]:
            rank: Rank | None = yield OPEN_ASKS[slot(state.day, winner, number)]
            if rank is None:
                continue  # its owner has gone just now
            breach = impossibility(rank, _ranks(cards[winner]), state.exhausted[winner])
            cards = _with_card(cards, winner, number, _SHOWN[rank, "impossible" if breach else "opened"])
            if breach is not None:
                culprit = seating.player(winner, number)
                return _after(state, ledger, report, cards, _cheated(seating, culprit, breach))
    line = _ranks(cards[winner])
    whole = len(line) == len(MISSIONS)
    # "All your remaining cards": a false mark that a guess turned up has cost its two points already.
    remaining = [
        card.rank if card is not None and card.result == "opened" else None for card in cards[winner]
    ]
    if not whole or out_of_order(line) or falsely_marked(remaining, state.marks[winner], state.intel[-1]):
        return _after(state, ledger, report, cards, _won(seating, 1 - winner, "critical-flaw"))
    return _after(state, ledger, report, cards, _won(seating, winner, "flag"))


def _won(seating: Seating, side: Side, reason: str) -> Outcome:
    return Outcome(sides(seating.seats)[side], reason)


def _cheated(seating: Seating, seat: Seat, breach: str) -> Outcome:
    return Outcome(without(sides(seating.seats), seat), "cheated", Breach(seat, breach))


def _last_word(state: State, ledger: Ledger) -> Outcome | None:
    """Who wins when the last card of day 3 has been played out; None before that."""
    if state.day < DAYS or state.turn + 1 < TURNS:
        return None
    red, blue = ledger.points
    for reason, lead in (("territory", ledger.agent), ("points", red - blue)):
        if lead:
            return _won(state.seating, RED if lead > 0 else BLUE, reason)
    return Outcome(frozenset(), "draw")


def _with_card(
    cards: tuple[CardLine, CardLine], owner: Side, number: Mission, shown: Shown
) -> tuple[CardLine, CardLine]:
    first, second, third, fourth = cards[owner]
    line: CardLine
    if number == 1:
        line = (shown, second, third, fourth)
    elif number == 2:
        line = (first, shown, third, fourth)
    elif number == 3:
        line = (first, second, shown, fourth)
    else:
        line = (first, second, third, shown)
    return with_side(cards, owner, line)


def _after(
    state: State, ledger: Ledger, report: Report, cards: tuple[CardLine, CardLine], ended: Outcome | None
) -> State:
    """The frozen state after the turn: the ledger's values, the rest unchanged.

    All fields in their order, which takes half the time of `replace`.
    """
    played = state.turn + (report.result != "impossible")
    phase: Phase = "over" if ended is not None else "night" if played == TURNS else "mission"
    return State(
        state.seating,
        state.wall,
        state.first_starter,
        phase,
        state.day,
        played,
        state.starter,
        ledger.agent,
        report.points,
        report.tokens,
        ledger.spare,
        state.intel,
        state.exhausted,
        state.marks,
        cards,
        ledger.active,
        ledger.blast,
        ledger.caught,
        ledger.double,
        state.closed,
        ledger.moved,
        report,
        ended,
    )


_effect: Final = cache(Effect)
"""There are a few hundred effects, so each is made once."""


class Ledger:
    """The board during one turn of `state`; pairs are indexed by side."""

    __slots__ = (
        "active", "agent", "blast", "caught", "day", "double", "effects", "flag", "moved", "points", "spare",
        "start", "tokens", "wall",
    )  # fmt: skip

    def __init__(self, state: State) -> None:
        self.day, self.wall = state.day, state.wall
        self.start = self.agent = state.agent
        self.points, self.tokens, self.spare = state.points, state.tokens, state.spare
        self.active, self.blast, self.caught = state.active, state.blast, state.caught
        self.double, self.moved = state.double, state.moved
        self.flag: Side | None = None
        self.effects: list[Effect] = []

    def note(self, kind: EffectKind, side: Side, amount: int = 0) -> None:
        self.effects.append(_effect(kind, side, amount))

    def lay_token(self, side: Side) -> None:
        """`side` has laid a deception token on its card, and gives it away."""
        self.tokens = with_side(self.tokens, side, self.tokens[side] - 1)

    def gain(self, side: Side, points: int, *, keeps_excess: bool = False) -> None:
        """`side` scores; at 10 the marker wraps and the agent moves as many steps as the day's number."""
        self.note("points", side, points)
        total = self.points[side] + points
        if total < INFILTRATION:
            self.points = with_side(self.points, side, total)
            return
        kept = total - INFILTRATION if keeps_excess else 0
        self.points = with_side(self.points, side, kept)
        self.note("infiltrated", side, kept)
        self.push(side, self.day)

    def push(self, side: Side, steps: int) -> None:
        """`side` moves the agent; the enemy wall stops it for this turn, a later turn takes the flag.

        "Later" depends on the agent's place when the turn began: if it came onto the wall since, even by an
        undo of the wall's owner, the step behind the wall waits for another turn.
        """
        done = self.agent * FORWARD[side]
        if done > self.wall:
            return  # the flag is taken: nothing is left to move for
        if done == self.wall:
            if self.start != self.agent:
                self.note("wall", side, steps)
                return
            self._move(side, 1)
            self.flag = side
            self.note("flag", side)
            return
        made = min(steps, self.wall - done)
        self._move(side, made)
        self.note("agent", side, made)
        if done + made == self.wall:
            self.note("wall", side, steps - made)

    def _move(self, side: Side, steps: int) -> None:
        self.agent += FORWARD[side] * steps
        self.moved = with_side(self.moved, side, self.moved[side] + steps)

    def punish(self, side: Side) -> None:
        """`side` is caught out of order: its moves of today are undone, its marker falls to 0."""
        self.caught = with_side(self.caught, side, value=True)
        forward = FORWARD[side]
        back = min(self.moved[side], self.agent * forward + self.wall)
        self.moved = with_side(self.moved, side, 0)
        if back:
            self.agent -= forward * back
            self.note("undone", side, back)
        if self.points[side]:
            self.note("zeroed", side, self.points[side])
            self.points = with_side(self.points, side, 0)

    def use_blast(self, guesser: Side, *, identified: bool) -> None:
        """The guesser's waiting blast goes off; on an identified card it does double damage."""
        self.blast = with_side(self.blast, guesser, value=False)
        self.note("blasted", guesser)
        if identified and self.day < DAYS:
            self.double = with_side(self.double, 1 - guesser, value=True)
            self.note("double", 1 - guesser, 2)

    def use(self, side: Side, soldier: Soldier) -> None:
        """The effects of `soldier` for `side` that need no choice."""
        if soldier.points:
            self.gain(side, soldier.points, keeps_excess=soldier.keeps_excess)
        if soldier.steps:
            self.push(side, soldier.steps)
        if soldier.wins_token and self.spare and self.tokens[side] < TOKENS_HELD_AT_MOST:
            self.spare -= 1
            self.tokens = with_side(self.tokens, side, self.tokens[side] + 1)
            self.note("token", side, 1)
        if soldier.lasts:
            self.active = with_side(self.active, side, self.active[side] | {soldier.rank})
            self.note("in force", side, soldier.rank)
        if soldier.blast:
            self.blast = with_side(self.blast, side, value=True)
            self.note("blast", side)

    def raid(self, side: Side) -> None:
        """The Marshal's second choice: `side` scores 5, the enemy loses 5, not below 0."""
        self.gain(side, RAID)
        enemy = 1 - side
        lost = min(RAID, self.points[enemy])
        if lost:
            self.points = with_side(self.points, enemy, self.points[enemy] - lost)
            self.note("lost", enemy, lost)
