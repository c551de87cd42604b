"""How a line could go on as an answer in Conquest: whole inputs, the most promising first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Final

from cli.games.conquest.honesty import honest_answer
from cli.games.conquest.names import LETTERS, ORDER, short_card, zone, zones_in
from cli.games.conquest.notes import closed
from cli.games.conquest.snapshot import Kind, Snapshot, kind, own_moves, place_called, regrouped, snapshot
from cli.games.interface import Choice, ViewContext
from p2p_stratego.conquest.formats.words import named
from p2p_stratego.conquest.rules import notation
from p2p_stratego.conquest.rules.atlas import (
    BORDERS,
    CITIES,
    NEIGHBOURS,
    TERRITORIES,
    TERRITORY_OF,
    TerritoryId,
)
from p2p_stratego.conquest.rules.observation import own_plays
from p2p_stratego.conquest.rules.pieces import FIGHTS, FLAG, PIECES, SPY
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.core.game import Choose, Commit
from p2p_stratego.core.language import _
from p2p_stratego.core.view import View


def choices(context: ViewContext) -> tuple[Choice, ...]:
    """The choices that begin with the typed text, the most promising first."""
    view: View[State] = context.view
    offered = _CHOICES.get(kind(view))
    if offered is None:
        return ()
    typed = " ".join(context.typed.lower().split())
    if kind(view) == "take" and (place := place_called(typed)) is not None:
        typed = notation.take(place).lower()
    moment = snapshot(context)
    offers = offered(view, moment, typed)
    return tuple(
        offer
        for offer in offers
        if offer.word.lower().startswith(typed) or offer.shown.lower().startswith(typed)
    )


def _to_take(view: View[State], _: Snapshot, typed: str) -> Iterator[Choice]:
    """Cities first, then what borders on own territories."""
    taken = view.state.taken
    mine = {place for place, owner in enumerate(taken) if owner == view.seat}
    free = [place for place, owner in enumerate(taken) if owner is None]
    wanted = place_called(typed)

    def rank(place: TerritoryId) -> tuple[bool, bool, int, int]:
        return place != wanted, place not in CITIES, -len(mine & set(BORDERS[place])), place

    for place in sorted(free, key=rank):
        yield Choice(notation.take(place), f"{TERRITORIES[place].letter}{' ★' * (place in CITIES)}")


def _cards(view: View[State], _unused: Snapshot, typed: str) -> Iterator[Choice]:
    """The cards that can be played honestly: another one, though not offered, is read with a warning."""
    honest = own_plays(view.state, view.known)
    for move in sorted(honest, key=lambda move: move == notation.PLAY_NONE):
        card = notation.played(move)
        word = move if typed.startswith("play") else move.removeprefix("play ")
        yield Choice(word, _("none") if card is None else short_card(card))


def _zones(view: View[State], moment: Snapshot, typed: str) -> Iterator[Choice]:
    """Where a piece or flag can go: next to own pieces first, for a flag far from enemies."""
    state = moment.state
    prefix = f"{moment.asked} " if typed.startswith(moment.asked) else ""

    def enemies(at: int) -> int:
        return sum(p is not None and p.seat != view.seat for p in (state.board[o] for o in NEIGHBOURS[at]))

    def friends(at: int) -> int:
        return sum(p is not None and p.seat == view.seat for p in (state.board[o] for o in NEIGHBOURS[at]))

    for at in sorted(moment.goals, key=lambda at: (enemies(at), -friends(at), at)):
        yield Choice(prefix + zone(at), zone(at))


def _trios(view: View[State], moment: Snapshot, typed: str) -> Iterator[Choice]:
    """The zones that can be named next; open pieces first, for they gain most."""
    own = [(at, seen) for at, seen in moment.pieces.items() if seen.seat == view.seat]
    own.sort(key=lambda piece: (not piece[1].shown, not piece[1].moved, piece[0]))
    return _next_zone([at for at, _ in own], typed, "regroup ")


def _next_zone(candidates: Sequence[int], typed: str, prefix: str) -> Iterator[Choice]:
    """The typed zones and one more of the candidates."""
    start = prefix if typed.startswith(prefix) else ""
    there = zones_in(typed)
    begun = typed.removeprefix(prefix).split()
    if begun and len(there) < len(begun):
        begun.pop()  # a zone of which only the letter is typed
    before = start + "".join(f"{word} " for word in begun)
    for at in candidates:
        if at not in there:
            yield Choice(before + zone(at), zone(at))


def _orders(view: View[State], _: Snapshot, typed: str) -> Iterator[Choice]:
    """Every order of the three pieces; each is told with its zones."""
    del typed
    if not isinstance(view.decision, Commit):
        return
    zones = regrouped(view)
    faces = sorted(view.decision.faces, key=ORDER.index)
    for order in dict.fromkeys(permutations(faces)):
        shown = ", ".join(f"{zone(at)} {LETTERS[face]}" for at, face in zip(zones, order, strict=True))
        yield Choice(" ".join(LETTERS[face].lower() for face in order), shown)


def _pairs(view: View[State], moment: Snapshot, typed: str) -> Iterator[Choice]:
    """Pairs of closed enemy pieces first."""
    options = (
        [notation.zones_in(move) for move in view.decision.options]
        if isinstance(view.decision, Choose)
        else []
    )
    unread = {at for seat in range(moment.state.seats) if seat != view.seat for at, _ in closed(moment, seat)}
    prefix = "look " if typed.startswith("look ") else ""
    for pair in sorted(options, key=lambda pair: (-len(unread.intersection(pair)), pair)):
        text = " ".join(map(zone, pair))
        yield Choice(prefix + text, text)


def _in_bag(_unused: View[State], moment: Snapshot, typed: str) -> Iterator[Choice]:
    del typed
    for number, seen in sorted(enumerate(moment.bag), key=lambda piece: piece[1].face != SPY):
        if not seen.shown:
            name = "?" if seen.face is None else named(seen.face)
            yield Choice(notation.draw(number), _("draw {number}: {name}", number=number, name=name))


def _accusations(view: View[State], moment: Snapshot, typed: str) -> Iterator[Choice]:
    """A zone with an enemy's piece, the unread ones first; then the kinds that it can be."""
    prefix = "accuse " if typed.startswith("accuse ") else ""
    zones = zones_in(typed)
    enemies = [(at, seen) for at, seen in moment.pieces.items() if seen.seat != view.seat]
    if not zones:
        for at, _unused in sorted(
            enemies, key=lambda enemy: (enemy[1].shown, enemy[1].face is None, enemy[0])
        ):
            yield Choice(f"{prefix}{zone(at)}", zone(at))
        return
    seen = moment.pieces.get(zones[0])
    can_be = set(range(len(PIECES))) if seen is None or seen.face is None else {seen.face}
    if seen is not None and seen.face is None and seen.piece is not None:
        can_be = {face for face in can_be if seen.piece.could >> face & 1}
    for face in (FLAG, *(face for face in ORDER if face != FLAG)):
        if face in can_be:
            yield Choice(
                f"{prefix}{zone(zones[0])} {PIECES[face].name}",
                named(face),
            )


def _yes_no(view: View[State], _unused: Snapshot, typed: str) -> Iterator[Choice]:
    del typed
    truth = honest_answer(view)
    yield from (Choice(word, _(word)) for word in (truth, *({"yes", "no"} - {truth})))


def _moves(view: View[State], moment: Snapshot, typed: str) -> Iterator[Choice]:
    """Attacks that gain first, then steps into territories of others, other steps, runs, then what loses."""
    squeezed = "".join(letter for letter in typed if letter.isalnum())
    moves = [move for move in own_moves(view) if move.startswith(squeezed)]
    for move in sorted(moves, key=lambda move: (_rank(view, moment, move), move)):
        between = notation.zones(move)
        shown = move
        if between is not None and between[1] in moment.pieces:
            shown = f"{zone(between[0])}×{zone(between[1])}"
        # What was typed with a space between the zones goes on like that.
        yield Choice(typed + move[len(squeezed) :] if typed and squeezed else move, shown)


def _rank(view: View[State], moment: Snapshot, move: str) -> tuple[int, float]:
    between = notation.zones(move)
    if between is None:
        return (4, 0.0)
    source, target = between
    attacker, there = moment.pieces[source].face, moment.pieces.get(target)
    if there is not None and attacker is not None:
        if there.face is None:
            return (2, 0.0)
        result = FIGHTS[attacker][there.face]
        return {"flag": (0, -2.0), "won": (0, -1.0), "both": (2, 1.0), "lost": (5, 0.0)}[result]
    abroad = moment.owners[TERRITORY_OF[target]] != view.seat
    far = target not in NEIGHBOURS[source]
    return (3 if far else 1, 0.0 if abroad else 1.0)


_CHOICES: Final[Mapping[Kind, Callable[[View[State], Snapshot, str], Iterable[Choice]]]] = {
    "take": _to_take,
    "play": _cards,
    "place": _zones,
    "flag": _zones,
    "regroup": _trios,
    "mix": _orders,
    "look": _pairs,
    "draw": _in_bag,
    "accuse": _accusations,
    "answer": _yes_no,
    "move": _moves,
}
