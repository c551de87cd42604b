"""The map of Conquest in words and letters: for line mode, screen readers, and players who ask for it.

It tells everything that the drawn map shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cli.games.conquest import names
from cli.games.conquest.cards import unplayable
from cli.games.conquest.explained import knowledge
from cli.games.conquest.names import LETTERS, ORDER, SIGNS, piece, zone
from cli.games.conquest.notes import ASSUMED, MATTERS, groups, mixed, named, others
from cli.games.conquest.panels import counted
from cli.games.conquest.snapshot import CONTESTED, SeenPiece, Snapshot, is_setting_up, own_moves, snapshot
from cli.games.interface import THE_END, ViewContext
from cli.text.layout import series, whole
from p2p_stratego.conquest.rules import notation
from p2p_stratego.conquest.rules.atlas import COLUMNS, MOUNTAINS, ROWS, TERRITORIES
from p2p_stratego.conquest.rules.cards import KINDS, TRAITOR
from p2p_stratego.conquest.rules.pieces import SEAT_NAMES
from p2p_stratego.conquest.rules.state import LOST, ON_BOARD, State
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.core.sampling import percent
from p2p_stratego.core.view import View

LEGEND: Final = mark(
    "Rows from north to south. Yours by their letters: F flag, 1 to 9 by rank, K king, X cursed land. The "
    "others' with their colour: R? closed, R+ closed and has stepped, R9 known to all, r9 seen by you alone. "
    "A dot is an empty zone; ^ between two zones, or under one, is a mountain."
)


def banner(view: View[State]) -> str:
    """How far the game is: "round 2/100 · pile 31"."""
    state = view.state
    if state.phase == "draft":
        return _("taking territories · {picks}/{count}", picks=state.picks + 1, count=len(TERRITORIES))
    if is_setting_up(state):
        return _("placing the armies")
    text = _("round {round}/{rounds}", round=state.round, rounds=state.rounds)
    return (
        f"{text}{_(THE_END)}"
        if state.phase == "over"
        else _("{cards} · pile {size}", cards=text, size=state.pile.size)
    )


def goal(_unused: View[State]) -> str:
    """How the game is won."""
    return _("Capture the others' flags, and keep your own: the last one wins.")


def board(context: ViewContext) -> list[str]:
    """The whole map: rows of zones, then every territory, player and piece in sentences."""
    moment = snapshot(context)
    return [
        *diagram(moment),
        _(LEGEND),
        *_lands(context, moment),
        *_players(context, moment),
        *_pile(moment.state),
    ]


def diagram(moment: Snapshot) -> list[str]:
    """The map as rows of zones."""
    lines = ["   " + "".join(f"{column:<4}" for column in COLUMNS).rstrip()]
    for row in reversed(range(ROWS)):
        cells = [_cell(moment, column * ROWS + row) for column in range(len(COLUMNS))]
        lines.append(f"{row + 1}  {''.join(cells)}".rstrip())
        below = "".join(
            "^   " if (column * ROWS + row - 1, column * ROWS + row) in MOUNTAINS else "    "
            for column in range(len(COLUMNS))
        ).rstrip()
        if below:
            lines.append(f"   {below}")
    return lines


def _cell(moment: Snapshot, at: int) -> str:
    """A zone in three cells, and what lies between it and the next one in the east."""
    seen = moment.pieces.get(at)
    return f"{_short(moment, seen):<3}{'^' if (at, at + ROWS) in MOUNTAINS else ' '}"


def _short(moment: Snapshot, seen: SeenPiece | None) -> str:
    if seen is None:
        return "."
    if seen.seat == moment.seat:
        return "?" if seen.face is None else LETTERS[seen.face]
    if seen.face is None:
        return SIGNS[seen.seat] + ("+" if seen.moved else "?")
    sign = SIGNS[seen.seat] if seen.shown else SIGNS[seen.seat].lower()
    return sign + LETTERS[seen.face]


def _lands(context: ViewContext, moment: Snapshot) -> Iterator[str]:
    """Whose each territory is."""
    for owner in (*range(moment.state.seats), CONTESTED, None):
        owned = [names.with_city(place) for place, whose in enumerate(moment.owners) if whose == owner]
        if owned:
            called = _(_OF.get(owner, "")) or _("{colour} owns", colour=_colour(context, owner or 0))
            yield f"{called}: {series(owned)}."


_OF: Final[dict[Seat | None, str]] = {CONTESTED: mark("Contested"), None: mark("Nobody's")}


def _colour(context: ViewContext, seat: Seat) -> str:
    you = _(", you") * (seat == context.players.me)
    return f"{context.players.names[seat]} ({_(SEAT_NAMES[seat])}{you})"


def _players(context: ViewContext, moment: Snapshot) -> Iterator[str]:
    """Every player: figures, flag, and the pieces that are open or can be told apart."""
    state = moment.state
    if state.phase == "draft" or is_setting_up(state):
        return
    for seat in range(state.seats):
        name = _colour(context, seat)
        if state.status[seat] == "gone":
            yield _("{name} has left.", name=name)
            continue
        land, cities, there, bag = counted(state, seat, moment.owners)
        out = _("; out of the game") * (state.status[seat] == "out")
        yield (
            _(
                "{player}: {lands}, {cities}, {pieces} on the map, {bag} in the bag; {flag}{out}.",
                player=name,
                lands=n_("{count} territory", "{count} territories", land),
                cities=n_("{count} city", "{count} cities", cities),
                pieces=n_("{count} piece", "{count} pieces", there),
                bag=bag,
                flag=_flag(context, state, seat),
                out=out,
            )
        )
        yield from _pieces(context, moment, seat)


def _flag(context: ViewContext, state: State, seat: Seat) -> str:
    where = state.flags[seat]
    text = (
        _("has its flag")
        if where == ON_BOARD
        else _("its flag is gone")
        if where == LOST
        else _("its flag is captured by {name}", name=context.players.names[where])
    )
    held = [context.players.names[other] for other in state.captives(seat)]
    return text + (_(", holds that of {held}", held=series(held)) if held else "")


def _pieces(context: ViewContext, moment: Snapshot, seat: Seat) -> Iterator[str]:
    pieces = [(at, seen) for at, seen in moment.pieces.items() if seen.seat == seat]
    known = [(at, seen) for at, seen in pieces if seen.face is not None]
    if known:
        yield "; ".join(_known(context, at, seen) for at, seen in known) + "."
    for stepped, called in ((True, _("Closed, have stepped")), (False, _("Closed, never stepped"))):
        zones = [at for at, seen in pieces if seen.face is None and seen.moved == stepped]
        if zones:
            yield f"{called}: {named(zones)}."


def _known(context: ViewContext, at: int, seen: SeenPiece) -> str:
    called = "?" if seen.face is None else piece(seen.face)
    return f"{zone(at)} {called}, {knowledge(context, seen)}"


def _pile(state: State) -> Iterator[str]:
    if state.phase == "draft" or is_setting_up(state):
        return
    parts = [
        f"{count} {_(kind.title)}" for kind, count in zip(KINDS, state.pile.counts, strict=True) if count
    ]
    last = _(", the Traitor at the bottom") if state.pile.traitor_last and state.pile.counts[TRAITOR] else ""
    yield _(
        "The pile has {number_of}{value}{parts}{last}.",
        number_of=n_("{count} card", "{count} cards", state.pile.size),
        value=": " * bool(parts),
        parts=", ".join(parts),
        last=last,
    )


def hand(context: ViewContext) -> list[str]:
    """All pieces of the player, and where they are."""
    moment = snapshot(context)
    lines = []
    bag = [seen.face for seen in moment.bag]
    for face in ORDER:
        where = [
            zone(at) for at, seen in moment.pieces.items() if seen.seat == moment.seat and seen.face == face
        ]
        where += (
            [_("the bag")] * bool(bag.count(face))
            if bag.count(face) < 2
            else [_("the bag ({count})", count=bag.count(face))]
        )
        if where:
            lines.append(f"{piece(face)}: {', '.join(where)}.")
    return lines or [_("You have no pieces now.")]


def notes(context: ViewContext) -> list[str]:
    """The pieces that each closed piece of the others can still be."""
    moment = snapshot(context)
    if moment.state.phase in ("draft", "army", "zones"):
        return [_("There is nothing to note before the armies stand on the map.")]
    lines = []
    for owner in others(moment):
        name = context.players.names[owner]
        for zones, odds in groups(context, moment, owner):
            can = ", ".join(
                whole(f"{piece(face)} {percent(odds[face])}") for face in MATTERS if odds.get(face)
            )
            lines.append(
                _("{name}, closed on {named}. Each can be: {can}.", name=name, named=named(zones), can=can)
            )
        lines += [
            _("{name}, mixed with each other: {named}.", name=name, named=named(zones))
            for zones in mixed(moment, owner)
        ]
    return (
        [*lines, _("The percentages take all {assumed}.", assumed=_(ASSUMED))]
        if lines
        else [_("No piece of the others is closed.")]
    )


def asked(context: ViewContext) -> list[str]:
    """The facts that the present question rests on."""
    moment = snapshot(context)
    describe = _ASKED.get(moment.asked)
    return [] if describe is None else list(describe(context, moment))


def _placed(_: ViewContext, moment: Snapshot) -> Iterator[str]:
    yield from diagram(moment) if moment.pieces else ()


def _left(_unused: ViewContext, moment: Snapshot) -> Iterator[str]:
    """The territories still to be taken, the first time with their zones."""
    owned = zip(enumerate(TERRITORIES), moment.owners, strict=True)
    free = [territory for territory, owner in owned if owner is None]
    taken = len(free) < len(moment.owners)
    names_left = (
        names.territory(number) + f" {'+'.join(map(zone, territory.zones))}" * (not taken)
        for number, territory in free
    )
    yield _("Left: {names}.", names=", ".join(names_left))


def _cards(context: ViewContext, moment: Snapshot) -> Iterator[str]:
    """The drawn cards, with the reason if a card cannot be played."""
    for card in dict.fromkeys(moment.state.drawn):
        why = unplayable(context.view, card)
        if why:
            yield _("{title} cannot be played: {why}.", title=_(KINDS[card].title), why=why)


def _moves(context: ViewContext, moment: Snapshot) -> Iterator[str]:
    """The pieces that can move."""
    sources = {between[0] for move in own_moves(context.view) if (between := notation.zones(move))}
    able = (_own(moment, at) for at in sorted(sources))
    if sources:
        yield _("You can move: {able}. The word board tells all.", able=", ".join(able))


def _own(moment: Snapshot, at: int) -> str:
    face = moment.pieces[at].face
    return zone(at) if face is None else f"{zone(at)} {LETTERS[face]}"


_ASKED: Final = {
    "take": _left,
    "army": _placed,
    "zones": _placed,
    "play": _cards,
    "move": _moves,
}
