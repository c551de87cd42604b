"""Conquest Stratego in plain English: one line an event, for histories, plain mode and replays.

Only public things are told; `names` is as in p2p_stratego/core/narration.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from p2p_stratego.conquest.formats.words import card, cards, piece, pieces, territories, territory
from p2p_stratego.conquest.rules import act
from p2p_stratego.conquest.rules.atlas import NAMES as ZONES
from p2p_stratego.conquest.rules.atlas import TERRITORY_OF
from p2p_stratego.conquest.rules.cards import (
    BLITZ,
    NEW_SPY,
    REGROUP,
    REINFORCE,
    SECRET,
    SURPRISE,
    TRAITOR,
    Card,
)
from p2p_stratego.conquest.rules.state import LOST, ON_BOARD, Event, State
from p2p_stratego.core import narration
from p2p_stratego.core.game import Options, Outcome
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.core.narration import listed

_WITHOUT_PIECES: Final[Mapping[str, str]] = {"bag-shown": "bag-shown empty", "ran": "ran again"}
"""The sentence of an event that shows no piece: an empty bag, a scout that ran before."""
_EVENTS: Final[Mapping[str, str]] = {
    "took": mark("{player} takes {territory}."),
    "drew": mark("{player} draws {cards}."),
    "played": mark("{player} plays {card}: {effect}."),
    "bag-shown": mark("{player} shows the closed pieces in its bag: {pieces}; the spy is not among them."),
    "bag-shown empty": mark("{player} shows the closed pieces in its bag; the spy is not among them."),
    "laid": mark("Every army is laid; nobody can change its pieces any more."),
    "ran again": mark("{M} runs from {source} to {to}."),
    "arrayed": mark("The armies stand on the board."),
    "declined": mark("{M} plays no card."),
    "regrouped": mark("{M} lays its pieces on {zones} back in an order that it alone knows."),
    "placed": mark("{M} puts a piece on {to} that chance drew from its bag; it alone has seen it."),
    "spy-placed": mark("{M}'s spy comes back on {to}, open."),
    "looked": mark("{M} looks at the pieces on {zones}, alone."),
    "hit": mark("{M} says that the piece on {to} is {O}'s {faces}. Right: it goes to {O}'s bag."),
    "missed": mark(
        "{M} says that the piece on {to} is {O}'s {faces}. Wrong: it stays, and {M} alone sees what it is."
    ),
    "betrayed-flag": mark("{M} says that the piece on {to} is {O}'s Flag. Right: it is captured!"),
    "flag-back": mark("{M}'s flag is back on the board, on {to}."),
    "moved": mark("{M} moves {source} to {to}."),
    "ran": mark("{M} runs from {source} to {to}: it is a Scout (2)."),
    "walked-in": mark("{M} takes {to} from {source}: {O} has left, so its piece there does not fight."),
    "won": mark(
        "{M} attacks {to} from {source}: the {attacker} beats {O}'s {defender}, which goes to its bag."
    ),
    "lost": mark(
        "{M} attacks {to} from {source}: the {attacker} falls to {O}'s {defender} and goes to its bag."
    ),
    "both": mark("{M} attacks {to} from {source}: the {attacker} meets its like, and both go to their bags."),
    "flag": mark("{M} attacks {to} from {source}: the {attacker} captures {O}'s flag!"),
    "none": mark("{M} says that none of its pieces can move."),
    "stop": mark("{M} makes no more moves."),
    "out": mark("{M} is out: it has neither its flag nor a piece on the board."),
    "left": mark("{M} has left: its pieces are gone."),
}
_EFFECTS: Final[Mapping[Card, str]] = {
    BLITZ: mark("two more moves"),
    REGROUP: mark("three of its pieces change places"),
    REINFORCE: mark("a piece from its bag comes next to its own"),
    SECRET: mark("it shows that its spy is not in its bag, and looks at two pieces"),
    SURPRISE: mark("a piece from its bag comes to any free zone"),
    NEW_SPY: mark("its spy comes back from its bag"),
    TRAITOR: mark("it names an enemy piece"),
}
_REASONS: Final[Mapping[str, str]] = {
    "flag": mark("{W} wins: no other flag is left."),
    "rounds": mark("The last round is over: {W} wins by captured flags, then territories, then pieces."),
    "draw": mark("The last round is over: a draw, for all are equal."),
    "deserted": mark("{W} wins: all others have left."),
}
SEVERAL: Final = (
    mark("{W} win: no other flag is left."),
    mark("The last round is over: {W} win by captured flags, then territories, then pieces."),
)
"""The same of several winners, for translators (`core.narration.agreeing`)."""
_SHORT_REASONS: Final[Mapping[str, str]] = {
    "flag": mark("no other flag left"),
    "rounds": mark("the last round"),
    "draw": mark("all equal after the last round"),
}
_BREACHES: Final[Mapping[str, str]] = {
    act.WRONG_FACES: mark("has pieces that are not in the army"),
    act.STEPPED: mark("moved its flag or cursed land"),
    act.RAN: mark("ran with a piece that is no scout"),
    act.FALSE_NONE: mark("could have moved and said that it could not"),
    act.CHANGED: mark("laid back other pieces than it took up"),
    act.FALSE_MISS: mark("denied what its piece is"),
    act.FALSE_HIT: mark("admitted what its piece is not"),
    act.NO_SPY: mark("has no spy where it said that the spy is"),
}
_ENDS: Final = narration.Ends(_REASONS, _SHORT_REASONS, _BREACHES)
reason, breach = _ENDS.reason, _ENDS.breach
WHY_ILLEGAL: Final[Mapping[str, str]] = {
    "taken": mark("this territory is taken"),
    "wrong-army": mark("these are not exactly the pieces of the army"),
    "foreign-territory": mark("a piece stands on a territory of another player"),
    "empty-territory": mark("an own territory has no piece"),
    "not-drawn": mark("this card was not drawn in this turn"),
    "bag-empty": mark("the bag is empty"),
    "occupied": mark("a piece stands on this zone"),
    "not-adjacent": mark("the zone is not next to the other one, or to an own piece"),
    "not-yours": mark("there is no piece of the player whose turn it is"),
    "no-spy": mark("the spy is not where the card needs it"),
    "no-piece": mark("there is no piece on this zone"),
    "own-piece": mark("there is a piece of the player's own"),
    "must-move": mark("a player whose piece can step must move"),
    "too-many": mark("the player has no more moves"),
    "fixed": mark("flag and cursed land never move"),
    "too-far": mark("only a scout goes further than one zone, and under the plain rules not to an enemy"),
    "blocked": mark("no way over free zones leads there"),
    "mountain": mark("mountains lie between the two zones"),
}
"""The rules of an illegal scenario, each in a clause."""


def step(before: State | None, after: State, names: Sequence[str]) -> tuple[str, ...]:
    """The events of the step from `before` (None: the set-up) to `after`, a line each."""
    lines = step_results(before, after, names)
    ongoing = before is not None and after.ended is None and after.turn
    if before is not None and ongoing and (after.turn, after.seat) != (before.turn, before.seat):
        return (*lines, _turn(before, after, names))
    return lines


def step_results(before: State | None, after: State, names: Sequence[str]) -> tuple[str, ...]:
    """The same without whose turn begins."""
    lines = [tell(event, names) for event in after.report]
    if before is not None:
        lines += _flags(before, after, names)
        lines += _territories(before, after, names)
    if after.ended is not None:
        lines.append(ending(after.ended, names))
    return tuple(lines)


def tell(event: Event, names: Sequence[str]) -> str:
    """An event in one sentence or two."""
    if event.kind == "starts":
        return _start(event, names)
    named = event.kind
    if named in _WITHOUT_PIECES and not event.faces:
        named = _WITHOUT_PIECES[named]
    sentence = _(_EVENTS[named])
    return sentence.format_map(narration.Fields(_FIELDS, event, names))


_FIELDS: Final[Mapping[str, Callable[[Event, Sequence[str]], str]]] = {
    "M": lambda event, names: names[event.seat],
    "O": lambda event, names: "" if event.other is None else names[event.other],
    "player": lambda event, names: names[event.seat],
    "territory": lambda event, _names: territory(TERRITORY_OF[event.zones[0]]),
    "cards": lambda event, _names: cards(event.cards),
    "card": lambda event, _names: card(event.cards[0]),
    "effect": lambda event, _names: _(_EFFECTS[event.cards[0]]),
    "zones": lambda event, _names: listed([ZONES[zone] for zone in event.zones]),
    "source": lambda event, _names: ZONES[event.zones[0]],
    "to": lambda event, _names: ZONES[event.zones[-1]],
    "pieces": lambda event, _names: pieces(event.faces),
    "faces": lambda event, _names: listed([piece(face) for face in event.faces]),
    "attacker": lambda event, _names: piece(event.faces[0]),
    "defender": lambda event, _names: piece(event.faces[-1]),
}
"""By field of these sentences."""


def _start(event: Event, names: Sequence[str]) -> str:
    drawn = listed([f"{name} {piece(face)}" for name, face in zip(names, event.faces, strict=True)])
    tied = [name for name, face in zip(names, event.faces, strict=True) if face == max(event.faces)]
    if len(tied) == 1:
        return _("Drawn for the start: {drawn}; {player} begins.", drawn=drawn, player=tied[0])
    return _(
        "Drawn for the start: {drawn}; of {tied} chance picks {player}, who begins.",
        drawn=drawn,
        tied=listed(tied),
        player=names[event.seat],
    )


def _flags(before: State, after: State, names: Sequence[str]) -> Iterator[str]:
    """Flags that came to another player."""
    for owner, (was, now) in enumerate(zip(before.flags, after.flags, strict=True)):
        if now >= 0 and now != was:
            yield _("{player} holds {owner}'s flag.", player=names[now], owner=names[owner])
        elif now == LOST and was >= 0:
            yield _("{owner}'s flag is gone from the game.", owner=names[owner])


def _territories(before: State, after: State, names: Sequence[str]) -> Iterator[str]:
    """Territories that changed hands, or after set-up what everybody has."""
    if before.territories == after.territories:
        return
    if before.turn == 0:
        for seat in after.still_in:
            yield _(
                "{player} holds {territories}, {cities} among them.",
                player=names[seat],
                territories=_lands(len(after.owned(seat))),
                cities=_cities(after.cities(seat)),
            )
        return
    for seat in range(after.seats):
        gained = [place for place in after.owned(seat) if before.territories[place] != seat]
        if gained:
            yield _("{player} now holds {territories}.", player=names[seat], territories=territories(gained))
    lost = [
        place
        for place, (was, now) in enumerate(zip(before.territories, after.territories, strict=True))
        if was is not None and now is None
    ]
    if lost:
        yield _("Now nobody's, or contested: {territories}.", territories=territories(lost))


def _turn(before: State, after: State, names: Sequence[str]) -> str:
    """Whose turn begins, with what is due, and why."""
    seat, due = after.seat, _("no cards without its flag")
    if after.flags[seat] == ON_BOARD:
        number = n_("{count} card", "{count} cards", after.due) if after.due else _("no cards")
        due = _("{cards} for {territories}", cards=number, territories=_lands(len(after.owned(seat))))
    sentence = _(
        "{player}'s turn: {due}, {moves} with {cities}.",
        player=names[seat],
        due=due,
        moves=n_("{count} move", "{count} moves", after.moves) if after.moves else _("no moves"),
        cities=_cities(after.cities(seat)),
    )
    if after.round == before.round:
        return sentence
    return " ".join((_("Round {round}.", round=after.round), sentence))


def _lands(number: int) -> str:
    return n_("{count} territory", "{count} territories", number) if number else _("no territories")


def _cities(number: int) -> str:
    return n_("{count} city", "{count} cities", number) if number else _("no cities")


def ending(outcome: Outcome, names: Sequence[str]) -> str:
    """How the game ended; a reason from outside the rules stays as it is."""
    if outcome.breach is not None and not outcome.winners:
        offence = breach(outcome.breach.rule)
        return _("The match is void: {player} {breach}.", player=names[outcome.breach.seat], breach=offence)
    return _ENDS.ending(outcome, names)


def options(options: Options, seats: int) -> list[str]:
    """The agreed variant, a clause each; the same for every number of seats."""
    del seats
    free, run = options["garrison"] == "free", options["scout"] == "run"
    return [
        _("own territories may stay empty at first")
        if free
        else _("each own territory gets a piece at first"),
        _("a scout's run ends on a free zone") if run else _("a scout's run may end with an attack"),
        n_("ranked after {count} round", "ranked after {count} rounds", int(options["rounds"])),
    ]


_LABELS: Final[Mapping[str, str]] = {
    "flag": mark("flag"),
    "betrayed-flag": mark("flag"),
    "flag-back": mark("flag is back"),
    "out": mark("out"),
    "left": mark("left"),
    "won": mark("capture"),
    "lost": mark("attack lost"),
    "both": mark("both fall"),
    "hit": mark("named"),
    "missed": mark("misnamed"),
}
"""By kind of event, the most telling first."""


def moment(before: State | None, after: State) -> str:
    """The event of the step from `before` (None: the set-up) to `after`; "" for nothing of note."""
    if before is None:
        return ""
    kinds = {event.kind for event in after.report}
    heading = next((label for kind, label in _LABELS.items() if kind in kinds), "")
    if heading:
        return _(heading)
    if after.ended is not None:
        return _("the end")
    return _("round {round}", round=after.round) if after.round > before.round else ""
