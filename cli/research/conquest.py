"""Conquest: zones, cards and pieces are words; a move is two of them, an army is laid piece by piece."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.research.tables import (
    Asking,
    Field,
    GameTable,
    Moment,
    Word,
    face_words,
    laying_for,
    listed,
    picking,
)
from p2p_stratego.conquest.rules.atlas import LETTERS, NAMES, TERRITORIES, ZONE_NAMED, ZONES
from p2p_stratego.conquest.rules.cards import CARD_NAMES, CARDS
from p2p_stratego.conquest.rules.choices import Fillings, Trios
from p2p_stratego.conquest.rules.notation import fill, filled, regroup, zones, zones_in
from p2p_stratego.conquest.rules.observation import face_of, true_options
from p2p_stratego.conquest.rules.pieces import FACES, SEAT_COUNTS
from p2p_stratego.conquest.rules.pieces import NAMES as FACE_NAMES
from p2p_stratego.conquest.rules.state import SLOTS, Piece, State
from p2p_stratego.conquest.rules.underway import now
from p2p_stratego.core.game import Choose, Commit, Move
from p2p_stratego.core.self_play import Decided
from p2p_stratego.core.view import View

_VERBS: Final = ("take", "play", "place", "regroup", "look", "draw", "accuse", "flag", "none", "stop")
_PHASES: Final = ("draft", "army", "zones", "cards", "play", "move", "over")
_STATUS: Final = ("in", "out", "gone")
_SEATS: Final = SEAT_COUNTS[-1]


def ask(view: View[State]) -> Asking:
    """See GameTable.ask."""
    decision = view.asked
    if isinstance(decision, Commit):
        return (yield from laying_for(decision))
    options = decision.options
    if isinstance(options, Fillings):
        own = [NAMES[zone] for zone in options.zones]
        groups = [[own[place] for place in group] for group in options.groups()]
        words = yield from picking(SLOTS, own, groups)
        return fill((own.index(word) for word in words), options.digits)
    if isinstance(options, Trios):
        words = yield from picking(3, [NAMES[zone] for zone in options.zones])
        return regroup(ZONE_NAMED[word] for word in words)
    return (yield from listed((_split(move), move) for move in true_options(view)))


def spell(view: View[State], decided: Decided) -> Sequence[Word]:
    """See GameTable.spell."""
    if not isinstance(decided, str):
        return face_words(decided)
    options = view.asked.options if isinstance(view.asked, Choose) else ()
    if isinstance(options, Fillings):
        return [NAMES[options.zones[place]] for place in filled(decided)]
    if isinstance(options, Trios):
        return [NAMES[zone] for zone in zones_in(decided)]
    return _split(decided)


def _split(move: Move) -> Sequence[Word]:
    step = zones(move)
    return move.split(" ") if step is None else [NAMES[zone] for zone in step]


class _Moment(Moment[State]):
    """The board now, in the middle of an act too, with the faces that the seat knows."""

    def face(self, piece: Piece | None) -> int:
        """A piece's face + 1; 0: none, or not known."""
        face = None if piece is None else face_of(piece, self.view.known)
        return 0 if face is None else 1 + face

    def by_seat(self, of: Sequence[int]) -> list[int]:
        """A number of each seat, the own first; 0 for seats that nobody has."""
        here = [of[(self.view.seat + step) % self.state.seats] for step in range(self.state.seats)]
        return [*here, *[0] * (_SEATS - len(here))]


def _standing(it: _Moment) -> tuple[int, ...]:
    state = it.state
    return (
        _PHASES.index(state.phase),
        it.view.seat,
        state.seats,
        it.seat(state.seat),
        it.seat(state.first),
        state.round,
        state.rounds,
        state.picks,
        state.due,
        state.moves,
        state.made,
        it.face(state.hand),
        int(state.garrison),
        int(state.charge),
    )


def _flags(it: _Moment) -> list[int]:
    """Who holds each flag, as `_Moment.seat`; 0: on the board; -1: lost."""
    return it.by_seat([it.seat(where) if where >= 0 else 1 + where for where in it.state.flags])


def _own_bag(it: _Moment) -> list[int]:
    faces = [it.face(piece) for piece in it.state.bags[it.view.seat]]
    return [faces.count(1 + face) for face in FACES]


def _army(it: _Moment) -> list[int]:
    first = it.view.seat * SLOTS
    return [1 + it.view.known.get(slot, -1) for slot in range(first, first + SLOTS)]


def _cells(it: _Moment, facts: str) -> Iterator[int]:
    for piece in it.state.board:
        if facts == "owner":
            yield it.seat(None if piece is None else piece.seat)
        elif facts == "face":
            yield it.face(piece)
        else:
            yield 0 if piece is None else 2 if piece.face is not None else int(piece.stepped)


TABLE: Final = GameTable(
    words=(
        *face_words(FACES),
        *NAMES,
        *LETTERS,
        *_VERBS,
        *CARD_NAMES,
        *FACE_NAMES,
        "yes",
        "no",
        *map(str, range(SLOTS)),
    ),
    longest=SLOTS,
    fields=(
        Field(
            "phase, seat, seats, to move, starter, round, rounds, picks, cards due, moves, moves made, "
            "face + 1 in the hand, options garrison and scout",
            14,
            _standing,
        ),
        Field(
            "owner by zone: 0 nobody, 1 own, 2 to 4 the next seats",
            len(ZONES),
            lambda it: _cells(it, "owner"),
        ),
        Field("face + 1 by zone, as far as known", len(ZONES), lambda it: _cells(it, "face")),
        Field("by zone: 1 closed and stepped, 2 open to all", len(ZONES), lambda it: _cells(it, "shown")),
        Field(
            "possible faces by zone, a bit each",
            len(ZONES),
            lambda it: (0 if p is None else p.could for p in it.state.board),
        ),
        Field("who took each territory", len(TERRITORIES), lambda it: map(it.seat, it.state.taken)),
        Field("who owns each territory", len(TERRITORIES), lambda it: map(it.seat, it.state.territories)),
        Field(
            "pieces in the bags, by seat", _SEATS, lambda it: it.by_seat([len(bag) for bag in it.state.bags])
        ),
        Field("where the flags are, by seat", _SEATS, _flags),
        Field(
            "0 in, 1 out, 2 gone, by seat",
            _SEATS,
            lambda it: it.by_seat([*map(_STATUS.index, it.state.status)]),
        ),
        Field("the own bag, by face", len(FACES), _own_bag),
        Field("face + 1 of the own first pieces, in the order of laying", SLOTS, _army),
        Field("cards drawn in this turn, by kind", len(CARDS), lambda it: map(it.state.drawn.count, CARDS)),
    ),
    moment=lambda view: _Moment(view, now(view)),
    ask=ask,
    spell=spell,
)
