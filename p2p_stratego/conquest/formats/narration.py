"""Conquest Stratego in plain English: one line an event, for histories, plain mode and replays.

Only public things are told; `names` is as in p2p_stratego/core/narration.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from p2p_stratego.conquest.formats.words import card, cards, joined, piece, pieces, territories, territory
from p2p_stratego.conquest.rules import faults
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

_EVENTS: Final[Mapping[str, str]] = {
    "laid": "Every army is laid; nobody can change its pieces any more.",
    "arrayed": "The armies stand on the board.",
    "declined": "{M} plays none of them.",
    "regrouped": "{M} lays its pieces on {zones} back in an order that it alone knows.",
    "placed": "{M} puts a piece on {to} that chance drew from its bag; it alone has seen it.",
    "spy-placed": "{M}'s spy comes back on {to}, open.",
    "looked": "{M} looks at the pieces on {zones}, alone.",
    "hit": "{M} names the piece on {to} as {O}'s {faces}: right, it goes to {O}'s bag.",
    "missed": "{M} names the piece on {to} as {O}'s {faces}: wrong. It stays, and {M} alone sees what it is.",
    "betrayed-flag": "{M} names the piece on {to} as {O}'s Flag: right, it is captured!",
    "flag-back": "{M}'s flag is back on the board, on {to}.",
    "moved": "{M} moves {source} to {to}.",
    "ran": "{M} runs from {source} to {to}: it is a Scout (2).",
    "walked-in": "{M} takes {to} from {source}: {O} has left, so its piece there does not fight.",
    "won": "{M} attacks {to} from {source}: the {attacker} beats {O}'s {defender}, which goes to its bag.",
    "lost": "{M} attacks {to} from {source}: the {attacker} falls to {O}'s {defender} and goes to its bag.",
    "both": "{M} attacks {to} from {source}: the {attacker} meets its like, and both go to their bags.",
    "flag": "{M} attacks {to} from {source}: the {attacker} captures {O}'s flag!",
    "none": "{M} says that no piece of its can move.",
    "stop": "{M} makes no more moves.",
    "out": "{M} is out: it has neither its flag nor a piece on the board.",
    "left": "{M} has left: its pieces are gone.",
}
_EFFECTS: Final[Mapping[Card, str]] = {
    BLITZ: "two more moves",
    REGROUP: "three of its pieces change places",
    REINFORCE: "a piece from its bag comes next to its own",
    SECRET: "it shows that its spy is not in its bag, and looks at two pieces",
    SURPRISE: "a piece from its bag comes to any free zone",
    NEW_SPY: "its spy comes back from its bag",
    TRAITOR: "it names an enemy piece",
}
_REASONS: Final[Mapping[str, str]] = {
    "flag": "{W} wins: no other flag is left.",
    "rounds": "The last round is over: {W} wins by captured flags, then territories, then pieces.",
    "draw": "The last round is over: a draw, for all are equal.",
    "deserted": "{W} wins: all others have left.",
}
_SHORT_REASONS: Final[Mapping[str, str]] = {
    "flag": "no other flag left",
    "rounds": "the last round",
    "draw": "all equal after the last round",
}
_BREACHES: Final[Mapping[str, str]] = {
    faults.WRONG_FACES: "has pieces that are not in the army",
    faults.STEPPED: "moved its flag or cursed land",
    faults.RAN: "ran with a piece that is no scout",
    faults.FALSE_NONE: "could have moved and said that it could not",
    faults.CHANGED: "laid back other pieces than it took up",
    faults.FALSE_MISS: "denied what its piece is",
    faults.FALSE_HIT: "admitted what its piece is not",
    faults.NO_SPY: "has no spy where it said that the spy is",
}
WHY_ILLEGAL: Final[Mapping[str, str]] = {
    "taken": "this territory is taken",
    "wrong-army": "these are not exactly the pieces of the army",
    "foreign-territory": "a piece stands on a territory of another player",
    "empty-territory": "an own territory has no piece",
    "not-drawn": "this card was not drawn in this turn",
    "bag-empty": "the bag is empty",
    "occupied": "a piece stands on this zone",
    "not-adjacent": "the zone is not next to the other one, or to an own piece",
    "not-yours": "there is no piece of the player whose turn it is",
    "no-spy": "the spy is not where the card needs it",
    "no-piece": "there is no piece on this zone",
    "own-piece": "there is a piece of the player's own",
    "must-move": "a player whose piece can step must move",
    "too-many": "the player has no more moves",
    "fixed": "flag and cursed land never move",
    "too-far": "only a scout goes further than one zone, and under the plain rules not to an enemy",
    "blocked": "no way over free zones leads there",
    "mountain": "mountains lie between the two zones",
}
"""The rules of an illegal scenario, each in a clause."""


def step(before: State | None, after: State, names: Sequence[str]) -> tuple[str, ...]:
    """The events of the step from `before` (None: the set-up) to `after`, a line each."""
    lines = [tell(event, names) for event in after.report]
    if before is not None:
        lines += _flags(before, after, names)
        lines += _territories(before, after, names)
        if after.ended is None and after.turn and (after.turn, after.seat) != (before.turn, before.seat):
            lines.append(_turn(before, after, names))
    if after.ended is not None:
        lines.append(ending(after.ended, names))
    return tuple(lines)


def tell(event: Event, names: Sequence[str]) -> str:
    """One event in a sentence, or two."""
    mover = names[event.seat]
    if event.kind == "starts":
        return _start(event, names)
    if event.kind == "took":
        return f"{mover} takes {territory(TERRITORY_OF[event.zones[0]])}."
    if event.kind == "drew":
        return f"{mover} draws {cards(event.cards)}."
    if event.kind == "played":
        return f"{mover} plays {card(event.cards[0])}: {_EFFECTS[event.cards[0]]}."
    if event.kind == "bag-shown":
        held = f": {pieces(event.faces)}" if event.faces else ""
        return f"{mover} shows the closed pieces in its bag{held}; the spy is not among them."
    other = "" if event.other is None else names[event.other]
    shown = [piece(face) for face in event.faces]
    return _EVENTS[event.kind].format(
        M=mover,
        O=other,
        zones=joined([ZONES[zone] for zone in event.zones]),
        source=ZONES[event.zones[0]] if event.zones else "",
        to=ZONES[event.zones[-1]] if event.zones else "",
        faces=joined(shown),
        attacker=shown[0] if shown else "",
        defender=shown[-1] if shown else "",
    )


def _start(event: Event, names: Sequence[str]) -> str:
    drawn = joined([f"{name} {piece(face)}" for name, face in zip(names, event.faces, strict=True)])
    tied = [name for name, face in zip(names, event.faces, strict=True) if face == max(event.faces)]
    why = f" of {joined(tied)} chance picks {names[event.seat]}, who" if len(tied) > 1 else f" {tied[0]}"
    return f"Drawn for the start: {drawn};{why} begins."


def _flags(before: State, after: State, names: Sequence[str]) -> Iterator[str]:
    """Flags that came to another player."""
    for owner, (was, now) in enumerate(zip(before.flags, after.flags, strict=True)):
        if now >= 0 and now != was:
            yield f"{names[now]} holds {names[owner]}'s flag."
        elif now == LOST and was >= 0:
            yield f"{names[owner]}'s flag is gone from the game."


def _territories(before: State, after: State, names: Sequence[str]) -> Iterator[str]:
    """Territories that changed hands, or after set-up what everybody has."""
    if before.territories == after.territories:
        return
    if before.turn == 0:
        for seat in after.still_in:
            owned = _count(len(after.owned(seat)), "territory", "territories")
            cities = _count(after.cities(seat), "city", "cities")
            yield f"{names[seat]} holds {owned}, {cities} among them."
        return
    for seat in range(after.seats):
        gained = [place for place in after.owned(seat) if before.territories[place] != seat]
        if gained:
            yield f"{names[seat]} now holds {territories(gained)}."
    lost = [
        place
        for place, (was, now) in enumerate(zip(before.territories, after.territories, strict=True))
        if was is not None and now is None
    ]
    if lost:
        yield f"Now nobody's, or contested: {territories(lost)}."


def _turn(before: State, after: State, names: Sequence[str]) -> str:
    """Whose turn begins, with what is due, and why."""
    seat = after.seat
    owned = _count(len(after.owned(seat)), "territory", "territories")
    cities = _count(after.cities(seat), "city", "cities")
    due = f"{_count(after.due, 'card')} for {owned}"
    if after.flags[seat] != ON_BOARD:
        due = "no cards without its flag"
    new_round = f"Round {after.round}. " if after.round != before.round else ""
    return f"{new_round}{names[seat]}'s turn: {due}, {_count(after.moves, 'move')} with {cities}."


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number or 'no'} {one if number == 1 else many or one + 's'}"


def ending(outcome: Outcome, names: Sequence[str]) -> str:
    """How the game ended; a reason from outside the rules stays as it is."""
    broke = breach(outcome.breach.rule) if outcome.breach else ""
    if outcome.breach is not None and not outcome.winners:
        return f"The match is void: {names[outcome.breach.seat]} {broke}."
    return narration.ending(outcome, names, _REASONS, broke)


def reason(reason: str) -> str:
    """A reason in a few words, for lists; `ending` says it in a sentence."""
    return _SHORT_REASONS.get(reason, reason)


def breach(rule: str) -> str:
    """The offence against this rule, as the end of a sentence that begins with the offender's name."""
    return _BREACHES.get(rule, f"broke a rule: {rule}")


def options(options: Options, seats: int) -> list[str]:
    """The agreed variant, a clause each; the same for every number of seats."""
    del seats
    free, run = options["garrison"] == "free", options["scout"] == "run"
    return [
        "own territories may stay empty at first" if free else "each own territory gets a piece at first",
        "a scout's run ends on a free zone" if run else "a scout's run may end with an attack",
        f"ranked after {options['rounds']} rounds",
    ]
