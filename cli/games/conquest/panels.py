"""Beside and below the map: the players at a glance, the pile, the notes; the cards and the own bag."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cli.games.conquest.cards import unplayable
from cli.games.conquest.explained import explanation
from cli.games.conquest.names import SIGNS, grouped, piece, short_card, zone
from cli.games.conquest.notes import noted
from cli.games.conquest.setup_editor import still_to_place, too_many
from cli.games.conquest.snapshot import Snapshot, is_setting_up, snapshot
from cli.games.interface import Panel, ViewContext
from cli.text.layout import EMPTY, Line, both_ends, fit, longest, styled, told_apart, whole, width, wrapped
from cli.text.sanitize import cells
from p2p_stratego.conquest.formats.words import land, pieces
from p2p_stratego.conquest.rules.atlas import TERRITORIES, TERRITORY_OF
from p2p_stratego.conquest.rules.cards import KINDS, NUMBER, TRAITOR
from p2p_stratego.conquest.rules.state import LOST, ON_BOARD, State
from p2p_stratego.core.game import Seat, Slot
from p2p_stratego.core.language import _


def looked(context: ViewContext, slot: Slot) -> list[str]:
    """The piece under a slot, and where it stands, as one sentence."""
    face = context.view.known.get(slot)
    if face is None:
        return []
    for at, seen in snapshot(context).pieces.items():
        if seen.piece is not None and seen.piece.slot == slot:
            where = f"{zone(at)}, {land(TERRITORY_OF[at])}"
            return [f"{where}: {context.players.has(seen.seat, piece(face))}."]
    return [_("It is the {piece}.", piece=piece(face))]


_WIDEST: Final = 66
"""Columns beyond which figures would stand too far from their names."""
_WIDE: Final = 38
"""Columns from which on a player takes one row with a heading, not two with signs."""


def panels(context: ViewContext, columns: int, board: tuple[int, int] | None = None) -> list[Panel]:
    """The panels beside the map, the most useful first; no size of the `board` makes one superfluous."""
    del board
    moment = snapshot(context)
    state = moment.state
    players = at_a_glance(context, moment, columns)
    panels_shown = [Panel("players", _("Players"), players, len(players))]
    if state.phase == "draft" or is_setting_up(state):
        return panels_shown
    pile = _pile(state, columns)
    panels_shown.append(
        Panel(
            "pile",
            longest(
                (
                    _("Pile: {size} of {number} cards", size=state.pile.size, number=NUMBER),
                    _("Pile: {size}", size=state.pile.size),
                ),
                columns - 4,
            ),
            pile,
            2,
        )
    )
    if context.notes and state.phase != "over":
        panels_shown.append(Panel("notes", _("Notes: closed pieces"), noted(context, moment, columns), 3))
    return panels_shown


def at_a_glance(context: ViewContext, moment: Snapshot, columns: int) -> list[Line]:
    """Every player: the territories, cities, pieces on the map and in the bag, flags."""
    return list(_players(context, moment, columns))


def _players(context: ViewContext, moment: Snapshot, columns: int) -> Iterator[Line]:
    wide, columns = columns >= _WIDE, min(columns, _WIDEST)
    if wide:
        yield both_ends(EMPTY, styled(_("land  ★  map  bag  flags   "), "dim"), columns)
    for seat in range(moment.state.seats):
        figures = _figures(moment, seat) if wide else EMPTY
        name = _name(context, moment, seat, columns - width(figures))
        if wide:
            yield both_ends(name, figures, columns)
        else:
            yield fit(name, columns)
            yield fit((("", " "), *_short(moment, seat)), columns)


def _name(context: ViewContext, moment: Snapshot, seat: Seat, columns: int) -> Line:
    """A player in at most `columns` cells: sign and name, of ours "you" where there is little room."""
    state, names = moment.state, context.players.names
    turn = seat == state.seat and state.phase != "over" and not is_setting_up(state)
    room = columns - cells(f"▶{SIGNS[seat]}  ")
    called = told_apart(names, room)[seat]
    if seat == context.players.me:
        called = longest((names[seat] + _(" (you)"), _("you")), room)
    styles = (f"seat{seat}",) if state.status[seat] == "in" else ("dim",)
    return (
        *styled("▶" if turn else " ", "strong"),
        *styled(f"{SIGNS[seat]} ", *styles, "strong"),
        *styled(called, *styles),
        ("", " "),
    )


def counted(state: State, seat: Seat, owners: tuple[Seat | None, ...]) -> tuple[int, int, int, int]:
    """The territories and cities of a player, and its pieces on the map and in the bag."""
    owned = [territory for territory, owner in zip(TERRITORIES, owners, strict=True) if owner == seat]
    cities = sum(territory.city for territory in owned)
    return len(owned), cities, len(state.zones_held(seat)), len(state.bags[seat])


def _figures(moment: Snapshot, seat: Seat) -> Line:
    land, cities, there, bag = counted(moment.state, seat, moment.owners)
    return styled(f"{land:>4}{cities:>3}{there:>5}{bag:>5}  ") + fit(_flags(moment.state, seat), 8)


def _short(moment: Snapshot, seat: Seat) -> Line:
    land, cities, there, bag = counted(moment.state, seat, moment.owners)
    standing = f"{there}+{bag} " if moment.state.round else ""
    return styled(f"{land}/{cities}★ {standing}") + _flags(moment.state, seat)


def _flags(state: State, seat: Seat) -> Line:
    """Where a player's flag is, whose flags it holds, and whether it is out or gone."""
    if state.status[seat] == "gone":
        return styled(_("gone"), "dim")
    where = state.flags[seat]
    own = styled("⚑") if where == ON_BOARD else styled("–" if where == LOST else f"→{SIGNS[where]}", "bad")
    held = state.captives(seat)
    others = styled("+" + "".join(SIGNS[other] for other in held), "good") if held else EMPTY
    out = styled(_(" out"), "dim") if state.status[seat] == "out" else EMPTY
    return (*own, *others, *out)


def _pile(state: State, columns: int) -> list[Line]:
    """The cards of the pile, by kind."""
    parts = [
        whole(f"{count} {_(kind.title) if columns >= _WIDE else short_card(card)}")
        for card, (kind, count) in enumerate(zip(KINDS, state.pile.counts, strict=True))
        if count
    ]
    last = (
        _(" The Traitor lies at the bottom.")
        if state.pile.traitor_last and state.pile.counts[TRAITOR]
        else ""
    )
    text = (
        f"{', '.join(parts)}.{last}"
        if parts
        else _("It is empty: the discards are shuffled when one is due.")
    )
    return wrapped((("", " "), *styled(text, "dim")), columns, 1)


def tray(context: ViewContext, columns: int) -> Line:
    """The pieces to be placed; in play the cards and moves of this turn, and the player's own bag."""
    moment = snapshot(context)
    state = moment.state
    if state.phase == "draft":
        return fit(_taken(moment), columns)
    if is_setting_up(state):
        return fit(_to_place(context), columns)
    turns, bag = [_turn(context, moment, *form) for form in _FORMS], _bag(moment, _("Your bag  "))
    if width(turns[0]) + width(bag) > columns:
        bag = _bag(moment, _("Bag "))
    room = columns - width(bag)
    return both_ends(next((turn for turn in turns if width(turn) <= room), turns[-1]), bag, columns)


def _taken(moment: Snapshot) -> Line:
    mine = [
        territory for territory, owner in zip(TERRITORIES, moment.owners, strict=True) if owner == moment.seat
    ]
    names = " ".join(territory.letter + "★" * territory.city for territory in mine)
    return styled(_(" You have taken "), "dim") + styled(names or _("nothing yet"), f"seat{moment.seat}")


def _to_place(context: ViewContext) -> Line:
    if context.draft is None:
        return EMPTY
    missing, many = still_to_place(context.draft), too_many(context.draft)
    if not missing and not many:
        return styled(_(" All pieces are placed."), "good")
    text = styled(_(" To place  "), "dim") + styled(grouped(missing), "strong") if missing else EMPTY
    rule = styled(" ·", "rule") if missing and many else EMPTY
    return text + rule + styled(_(" Too many: {pieces}", pieces=pieces(many)) if many else "", "warn")


_FORMS: Final = ((False, True), (True, True), (True, False))
"""The forms of a turn's cards, the longest first: whether by short names, and whether with reasons."""


def _turn(context: ViewContext, moment: Snapshot, short: bool, reasons: bool) -> Line:
    """The cards drawn in this turn, last the unplayable ones with the reason; and the moves left."""
    state = moment.state
    own = state.seat == moment.seat
    parts: Line = EMPTY
    why = {card: unplayable(context.view, card) if own else "" for card in state.drawn}
    for card in sorted(why, key=lambda card: (why[card] != "", card)):
        many = f" ×{state.drawn.count(card)}" * (state.drawn.count(card) > 1)
        name = short_card(card) if short else _(KINDS[card].title)
        parts += styled(f" {name}{many}", "dim" if why[card] else "strong")
        parts += styled(f" ({why[card]})" if why[card] and reasons else "", "dim") + styled(" ·", "rule")
    if state.phase == "over":
        return EMPTY
    label = _(" Cards:") if own else _(" {name}'s cards:", name=context.players.names[state.seat])
    cards = styled(label, "dim") + parts[:-1] if parts else EMPTY
    moves = _("  Moves left: {moves_left} of {moves}", moves_left=state.moves_left, moves=state.moves)
    left = styled(moves, "dim") if state.moves and state.phase == "move" else EMPTY
    return cards + left


def _bag(moment: Snapshot, label: str) -> Line:
    """The seat's own bag behind a label."""
    faces = [seen.face for seen in moment.bag if seen.face is not None]
    if not moment.bag:
        return styled(" " + _("{strip} empty ", strip=label.strip()), "dim")
    unread = len(moment.bag) - len(faces)
    text = grouped(faces) + f" ?×{unread}" * bool(unread)
    return styled(f" {label}", "dim") + styled(text, f"seat{moment.seat}") + styled(" ")


def explain(context: ViewContext) -> Line:
    """The piece or zone at the cursor, or the zone typed last; for an attack, its result."""
    return explanation(context, snapshot(context))
