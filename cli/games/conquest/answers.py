"""The meaning of a typed line as an answer in Conquest, or the reason that it has none."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from cli.games.conquest.cards import unplayable
from cli.games.conquest.names import (
    LETTERS,
    ORDER,
    cards_called,
    face_called,
    misspelt,
    piece,
    short_card,
    zone,
    zones_in,
)
from cli.games.conquest.snapshot import Kind, kind, own_moves, place_called, standing
from cli.games.interface import Ambiguous, Decided, NotPossible, Unknown
from cli.games.placing import the_piece
from cli.games.typed_names import begins
from cli.text.language import yes_or_no
from cli.text.layout import series
from p2p_stratego.conquest.formats.words import card, land, named
from p2p_stratego.conquest.rules import notation
from p2p_stratego.conquest.rules.atlas import ZONE_NAMED, Zone, beside
from p2p_stratego.conquest.rules.movement import illegal, public_face
from p2p_stratego.conquest.rules.pieces import FACES, PIECES
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.conquest.rules.underway import now
from p2p_stratego.core.game import Choose, Commit, Face, Move
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.narration import either, listed
from p2p_stratego.core.view import View

_NO_ZONE: Final = re.compile(r"(?<![a-z])([m-z][0-9]+|[a-l](?:[07-9]|[0-9]{2,}))(?![a-z0-9])")


def read(view: View[State], typed: str) -> Decided:
    """The decision that `typed` means.  Raises Misunderstood."""
    line = " ".join(typed.lower().split())
    reader = _READERS.get(kind(view))
    if reader is None:
        if zones_in(line) or line in (notation.NONE, notation.STOP):
            raise NotPossible(_("You have nothing to decide at the moment."))
        raise Unknown(_("Nothing is asked of you now. Type ? for help, or / and a message."))
    return reader(view, line)


def _offered(view: View[State], move: Move) -> bool:
    return isinstance(view.decision, Choose) and move in view.decision.options


def _unread(line: str, sort: str, example: str) -> Unknown:
    beyond = _NO_ZONE.search(line)
    if beyond:
        return Unknown(
            _("There is no zone {beyond}: columns are a to l, rows are 1 to 6.", beyond=beyond[1][:24])
        )
    return Unknown(_("“{typed}” is no {what}. Type {example}.", typed=line[:40], what=sort, example=example))


def _take(view: View[State], line: str) -> Move:
    place, how = place_called(line), _("take and its letter, one of its zones, or its name")
    if line == "take":
        raise NotPossible(_("Which territory? Type {how}.", how=how))
    if place is None:
        raise _unread(line, _("territory"), how)
    if not _offered(view, notation.take(place)):
        raise NotPossible(_("{name} is taken already.", name=land(place)))
    return notation.take(place)


def _play(view: View[State], line: str) -> Move:
    word = line.removeprefix("play ").rstrip("!")
    if word in ("none", "no", "nothing", "no card"):
        return notation.PLAY_NONE
    cards_meant = cards_called(word) if word else []
    drawn = [drawn_card for drawn_card in cards_meant if drawn_card in view.state.drawn]
    could = [*map(card, drawn), *[_("none")] * begins(("none", _("none")), word)]
    if drawn and len(could) > 1:
        raise Ambiguous(_("That could be {title}.", title=either(could)))
    if not cards_meant:
        # Only what can be played honestly: to play another card because a refusal names it loses the game.
        may = [
            drawn_card for drawn_card in dict.fromkeys(view.state.drawn) if not unplayable(view, drawn_card)
        ]
        raise _unread(line, _("card"), either([*map(short_card, may), _("none")]))
    if not drawn:
        raise NotPossible(_("{title} is not among the cards you drew.", title=card(cards_meant[0])))
    move = notation.play(drawn[0])
    if not _offered(view, move):
        raise NotPossible(
            _(
                "{title} cannot be played: {unplayable}.",
                title=card(drawn[0]),
                unplayable=unplayable(view, drawn[0]),
            )
        )
    return move


def _to_zone(view: View[State], line: str) -> Move:
    """A zone for a piece or a flag."""
    asked = kind(view)
    zones = zones_in(line.removeprefix(f"{asked} "))
    if len(zones) != 1:
        raise _unread(line, _("zone"), _("a free zone, such as c4"))
    move = notation.place(zones[0]) if asked == "place" else notation.flag(zones[0])
    if not _offered(view, move):
        there = now(view).board[zones[0]]
        why = _("it is not free") if there is not None else _("no piece of yours stands next to it")
        raise NotPossible(_("{zone} will not do: {why}.", zone=zone(zones[0]), why=why))
    return move


def _regroup(view: View[State], line: str) -> Move:
    zones = zones_in(line.removeprefix("regroup "))
    if not zones:
        raise _unread(line, _("choice of three pieces"), _("three zones, such as a1 b2 c3"))
    board = now(view).board
    for at in zones:
        there = board[at]
        if there is None or there.seat != view.seat:
            raise NotPossible(_("You have no piece on {zone}.", zone=zone(at)))
    if len(set(zones)) != 3:
        count = len(set(zones))
        raise NotPossible(
            _("Name three different zones: {count} is named.", count=count)
            if count == 1
            else _("Name three different zones: {count} are named.", count=count)
        )
    return notation.regroup(zones)


def _mix(view: View[State], line: str) -> tuple[Face, ...]:
    laid = view.decision.faces if isinstance(view.decision, Commit) else ()
    due = sorted(laid, key=ORDER.index)
    words = [word for word in re.split(r"[\s,=:]+", line) if word and word not in ZONE_NAMED]
    faces = tuple(_face(word) for word in words)
    if sorted(faces) != sorted(laid):
        shown = " ".join(LETTERS[face].lower() for face in due)
        pieces = series([piece(face) for face in due])
        raise NotPossible(
            _(
                "You mix {pieces}. Type all three in the order in which they are to lie: {shown}.",
                pieces=pieces,
                shown=shown,
            )
        )
    return faces


def _face(word: str) -> Face:
    """The one kind that a word means.  Raises Misunderstood."""
    known = _("Name one: {pieces}.", pieces=", ".join(map(named, FACES)))
    return the_piece(word, face_called(word), named, known)


def _look(view: View[State], line: str) -> Move:
    zones = zones_in(line.removeprefix("look "))
    if len(zones) != 2:
        raise _unread(line, _("pair of zones"), _("two zones side by side, such as c4 d4"))
    move = notation.look(zones)
    if _offered(view, move):
        return move
    board = now(view).board
    pieces = [board[at] for at in zones]
    empty = [zone(at) for at, there in zip(zones, pieces, strict=True) if there is None]
    if empty:
        raise NotPossible(_("Nothing stands on {empty}.", empty=listed(empty)))
    if all(there is not None and there.seat == view.seat for there in pieces):
        raise NotPossible(_("Both are your own: one at least must be an enemy's."))
    between = (
        _("a mountain is between them") if zones[1] in beside(zones[0]) else _("they are not side by side")
    )
    raise NotPossible(
        _(
            "{zone} and {zone2} will not do: {between}.",
            zone=zone(zones[0]),
            zone2=zone(zones[1]),
            between=between,
        )
    )


def _draw(view: View[State], line: str) -> Move:
    state = now(view)
    word = line.removeprefix("draw ").strip()
    for number, there in enumerate(state.bags[view.seat]):
        face = view.known.get(there.slot)
        names = (str(number), *(() if face is None else (PIECES[face].name, LETTERS[face].lower())))
        named = word == str(number) if line.startswith("draw ") else word in names[1:]
        if named and _offered(view, notation.draw(number)):
            return notation.draw(number)
    raise _unread(line, _("closed piece of your bag"), _("spy, or draw and its number, counted from 0"))


def _accuse(view: View[State], line: str) -> Move:
    rest = line.removeprefix("accuse ")
    zones = zones_in(rest)
    if len(zones) != 1:
        raise _unread(line, _("accusation"), _("a zone and a kind, such as c4 king"))
    there = now(view).board[zones[0]]
    if there is None:
        raise NotPossible(_("Nothing stands on {zone}.", zone=zone(zones[0])))
    if there.seat == view.seat:
        raise NotPossible(_("The piece on {zone} is your own.", zone=zone(zones[0])))
    word = rest.replace(zone(zones[0]), "", 1).strip(" =:,")
    if not word:
        raise NotPossible(
            _("What is the piece on {zone}? Type its kind too: {zone} king.", zone=zone(zones[0]))
        )
    return notation.accuse(zones[0], _face(word.removeprefix("the ")))


def _answer(_unused: View[State], line: str) -> Move:
    truly = yes_or_no(line)
    if truly is None:
        raise Unknown(
            _("Answer yes or no: your program knows which is true, and the record would prove a lie.")
        )
    return notation.YES if truly else notation.NO


def _move(view: View[State], line: str) -> Move:
    if line in (notation.NONE, notation.STOP):
        return _word(view, line)
    zones = zones_in(line)
    if _NO_ZONE.search(line):
        raise _unread(line, _("move"), "")
    if len(zones) == 2 and not misspelt(line):
        move = notation.move(zones[0], zones[1])
        if _offered(view, move):
            return move
        raise NotPossible(
            _(
                "{zone}{zone2} is not possible: {why_not}.",
                zone=zone(zones[0]),
                zone2=zone(zones[1]),
                why_not=_why_not(view, *zones),
            )
        )
    if len(zones) == 1 and not misspelt(line):
        return _one_zone(view, zones[0])
    moves = own_moves(view)
    raise _unread(line, _("move"), _("two zones, such as {move}", move=moves[0]))


def _word(view: View[State], line: str) -> Move:
    if _offered(view, line):
        return line
    if line == notation.STOP:
        raise NotPossible(_("The first move of a turn must be made."))
    if now(view).made:
        raise NotPossible(_("Say stop to make no more moves."))
    raise NotPossible(_("You cannot say that: everybody can see that a piece of yours can step."))


def _one_zone(view: View[State], at: Zone) -> Move:
    """The only move from or to a zone.  Raises Misunderstood."""
    steps = [step for move in own_moves(view) if (step := notation.zones(move)) is not None]
    seen = standing(view, now(view)).get(at)
    if seen is not None and seen.seat == view.seat:
        called = _("piece") if seen.face is None else piece(seen.face)
        goals = [zone(target) for source, target in steps if source == at]
        if not goals:
            raise NotPossible(_("Your {called} on {zone} cannot move now.", called=called, zone=zone(at)))
        shown = series(goals[:_NAMED]) + (
            _(" and {count} more", count=len(goals) - _NAMED) if len(goals) > _NAMED else ""
        )
        raise NotPossible(_("Where does your {called} go? It can go to {shown}.", called=called, shown=shown))
    sources = [source for source, target in steps if target == at]
    if len(sources) == 1:
        return notation.move(sources[0], at)
    if not sources:
        raise NotPossible(_("No piece of yours can go to {zone}.", zone=zone(at)))
    raise Ambiguous(
        _(
            "Several pieces can go to {zone}: from {value}.",
            zone=zone(at),
            value=series([zone(source) for source in sources]),
        )
    )


_NAMED: Final = 4
"""Zones that a sentence names."""


def _why_not(view: View[State], source: Zone, target: Zone) -> str:
    """Why a move between two zones is not possible by what everybody sees."""
    if source == target:
        return _("a move needs two different zones")
    state = now(view)
    rule = illegal(state, source, target, public_face(state, source))
    if state.charge and rule == "too-far":
        return _(_TOO_FAR_TO_CHARGE)
    return _(WHY_ILLEGAL.get(rule or "", "it is not possible now"))


WHY_ILLEGAL: Final[Mapping[str, str]] = {
    "not-yours": mark("you have no piece there"),
    "fixed": mark("flags and cursed land never move"),
    "own-piece": mark("a piece of yours stands there"),
    "mountain": mark("a mountain is between them"),
    "too-far": mark("a piece goes one zone, and only a scout runs further, over free zones to a free one"),
    "blocked": mark("there is no way over free zones"),
}
_TOO_FAR_TO_CHARGE: Final = mark(
    "a piece goes one zone, and only a scout runs further, over free zones to a free one or to an enemy "
    "behind them"
)
"""The same where a run may end with an attack."""

_READERS: Final[Mapping[Kind, Callable[[View[State], str], Decided]]] = {
    "take": _take,
    "play": _play,
    "place": _to_zone,
    "flag": _to_zone,
    "regroup": _regroup,
    "mix": _mix,
    "look": _look,
    "draw": _draw,
    "accuse": _accuse,
    "answer": _answer,
    "move": _move,
}


def reveals(view: View[State] | None, text: str) -> bool:
    """Whether half of a message is zones and kinds of pieces: it may tell a move, or a secret."""
    del view
    line = text.lower()
    named, words = zones_in(line), re.findall(r"[^\W_]+", line)
    pieces = sum(word in _KINDS for word in words)
    if not named and pieces < _FEW:
        return False
    return 2 * (len(named) + pieces) >= len(words)


_KINDS: Final = frozenset((*(facts.name for facts in PIECES), *(f"{facts.name}s" for facts in PIECES)))
_FEW: Final = 3
"""Kinds without a zone that could be small talk."""
