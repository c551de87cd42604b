"""Placing an army in Conquest: the player's draft as a value, and its changes.

The game asks twice: first for the ranks in secret, then, if not all of the player's zones are filled, for the
zones.  A player decides once: the draft answers both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from cli.games.conquest import names
from cli.games.conquest.names import ORDER, ZONE, face_called, zones_in
from cli.games.conquest.snapshot import is_setting_up
from cli.games.interface import Choice, Decided, NotPossible, Question, Unknown, ViewContext
from cli.games.placing import READY, SETTLED, Ground, Refusals, amiss, arranged, changes, laid, the_piece
from cli.text.layout import series
from p2p_stratego.conquest.formats.words import land, named, pieces
from p2p_stratego.conquest.rules import notation
from p2p_stratego.conquest.rules.atlas import NEIGHBOURS, TERRITORIES, TERRITORY_OF, ZONE_NAMED, ZONES, Zone
from p2p_stratego.conquest.rules.choices import own_zones
from p2p_stratego.conquest.rules.pieces import ARMY, CURSED, FLAG, PIECES
from p2p_stratego.conquest.rules.state import SLOTS, State
from p2p_stratego.core.game import Choose, Commit, Face, Seat
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.core.view import Chance, View


@dataclass(frozen=True, slots=True)
class Template:
    """Who stands in front, from the first to the last, and where cursed land goes."""

    front: tuple[Face, ...]
    cursed_in_cities: bool = False


TEMPLATES: Final[Mapping[str, Template]] = MappingProxyType(
    {
        "guarded": Template((9, 7, 3, 2, 6, 8, 5, 3, 2, 10, 4, 2, 3, 2, 1)),
        "forward": Template((10, 9, 8, 7, 3, 6, 2, 5, 3, 4, 2, 1, 2, 3, 2)),
        "cities": Template((8, 3, 9, 2, 7, 2, 10, 3, 6, 5, 2, 4, 3, 1, 2), cursed_in_cities=True),
        "scouting": Template((2, 2, 4, 5, 2, 3, 6, 2, 7, 3, 8, 9, 3, 10, 1)),
    }
)


class Steady:
    """Chance that always falls the same way, so that a template is the same each time."""

    def random(self) -> float:
        """Always 0."""
        return 0.0


def placed(
    own: Collection[Zone], template: Template, chance: Chance, army: Collection[Face] = ARMY
) -> dict[Zone, Face]:
    """The army on zones of `own`, at least as many as it has pieces, one piece a zone."""
    depth = _depths(own)
    jitter = {zone: chance.random() for zone in sorted(own)}
    deep = sorted(own, key=lambda zone: (-depth[zone] - jitter[zone], zone))
    home = deep[0]
    chosen = _chosen(own, home, depth, jitter, len(army))
    rest = [zone for zone in chosen if zone != home]
    places: dict[Zone, Face] = {home: FLAG}
    cursed = sorted(rest, key=lambda zone: _guards(zone, home, template))[: list(army).count(CURSED)]
    places.update(dict.fromkeys(cursed, CURSED))
    front = sorted((z for z in rest if z not in places), key=lambda zone: (depth[zone] + jitter[zone], zone))
    places.update(zip(front, template.front, strict=True))
    return places


def random_placement(own: Collection[Zone], chance: Chance) -> dict[Zone, Face]:
    """Another sensible one each time."""
    templates = list(TEMPLATES.values())
    template = templates[int(chance.random() * len(templates))]
    order = sorted(
        range(len(template.front)), key=lambda at: at + 4 * chance.random()
    )  # neighbours in the order change places
    mixed = Template(tuple(template.front[at] for at in order), template.cursed_in_cities)
    return placed(own, mixed, chance)


def in_order(own: Collection[Zone], faces: Collection[Face], chance: Chance) -> dict[Zone, Face]:
    """Faces whose order is settled, on zones of `own`, ascending."""
    depth = _depths(own)
    jitter = {zone: chance.random() for zone in sorted(own)}
    home = max(own, key=lambda zone: (depth[zone] + jitter[zone], zone))
    return dict(zip(sorted(_chosen(own, home, depth, jitter, len(faces))), faces, strict=True))


def _chosen(
    own: Collection[Zone], home: Zone, depth: Mapping[Zone, int], jitter: Mapping[Zone, float], count: int
) -> list[Zone]:
    """The zones to fill: `home`, one in every territory, those beside `home`, then the nearest to others."""
    zones = [home]
    for place in sorted({TERRITORY_OF[zone] for zone in own} - {TERRITORY_OF[home]}):
        there = [zone for zone in TERRITORIES[place].zones if zone in own]
        zones.append(min(there, key=lambda zone: (depth[zone] + jitter[zone], zone)))
    beside = [zone for zone in NEIGHBOURS[home] if zone in own]
    nearest = sorted(own, key=lambda zone: (depth[zone] + jitter[zone], zone))
    zones += [zone for zone in dict.fromkeys((*beside, *nearest)) if zone not in zones]
    return zones[:count]


def _guards(zone: Zone, home: Zone, template: Template) -> tuple[bool, bool, Zone]:
    """How well cursed land stands on a zone, the smallest first."""
    beside, city = zone in NEIGHBOURS[home], TERRITORIES[TERRITORY_OF[zone]].city
    return (not city, not beside, zone) if template.cursed_in_cities else (not beside, not city, zone)


def _depths(own: Collection[Zone]) -> dict[Zone, int]:
    """The steps from each own zone to the nearest zone of another owner; all alike if there is none."""
    depth = {zone: 0 for zone in ZONES if zone not in own}
    frontier = list(depth)
    while frontier:
        onward = []
        for zone in frontier:
            for other in NEIGHBOURS[zone]:
                if other not in depth:
                    depth[other] = depth[zone] + 1
                    onward.append(other)
        frontier = onward
    return {zone: depth.get(zone, 0) for zone in own}


@dataclass(frozen=True, slots=True)
class Draft:
    """A player's draft of its side."""

    places: Mapping[Zone, Face]
    """Zones with their pieces."""
    settled: bool = False
    """Whether the pieces are laid already, in this order, and only their zones can still be chosen."""


COMMANDS: Final = (
    ("a1 b1", mark("exchange what stands on two zones, or move a piece to an empty one of yours.")),
    ("a1 flag, b1 K", mark("put pieces on zones, by name, letter or number; a1 - takes one away.")),
    ("random", mark("another sensible placing.")),
    ("clear", mark("empty zones.")),
    (READY, mark("done: this is how you place your army.")),
)


_REFUSALS: Final = Refusals(
    another=mark("What about {put}? Name a piece to put there, or another zone."),
    same=mark("{name} is one zone: name two, to exchange what stands there."),
    beyond=mark("There is no zone {beyond}: columns are a to l, rows are 1 to 6."),
    form=mark(
        "“{part}” changes nothing. Type two zones ({place} {other}), or a zone and a piece "
        "({place} flag); ? tells more."
    ),
)


def still_to_place(draft: Draft) -> list[Face]:
    """The pieces that have no place yet, the highest first."""
    missing = Counter(ARMY) - Counter(draft.places.values())
    return [face for face in ORDER for _ in range(missing[face])]


def too_many(draft: Draft) -> list[Face]:
    """The pieces that no army has so many of."""
    return list((Counter(draft.places.values()) - Counter(ARMY)).elements())


class SetUp:
    """Implements `cli.games.interface.SetupEditor`."""

    commands: Sequence[tuple[str, str]] = COMMANDS

    def is_time(self, view: View[State]) -> bool:
        """From the first pick on, until all armies stand: the draft begins once the territories are known."""
        return view.state.phase in ("draft", "army", "zones")

    def begin(self, view: View[State], kept: str | None, chance: Chance) -> Draft | None:
        """The kept draft if it fits the laid pieces; else a sensible one; None before all picks are made."""
        if not is_setting_up(view.state):
            return None
        own, laid = own_zones(view.state, view.seat), _laid(view)
        places = _kept(kept or "", own)
        if laid is None:
            return Draft(places or random_placement(own, chance))
        if places is not None and _in_order(places) == laid:
            return Draft(places, settled=(kept or "").startswith(SETTLED))
        return Draft(in_order(own, laid, chance), settled=True)

    def question(self, context: ViewContext) -> Question | None:
        """The next thing to do, while the draft can still be changed."""
        view: View[State] = context.view
        draft: Draft | None = context.draft
        if draft is None:
            return None
        zone, other = map(names.zone, own_zones(view.state, view.seat)[:2])
        if draft.settled and isinstance(view.decision, Choose):
            text = _("Your pieces are laid in this order. Choose their zones again.")
            return Question(
                text,
                _(
                    "{ready}, random, or two zones such as {zone} {other}",
                    ready=READY,
                    zone=zone,
                    other=other,
                ),
            )
        if not isinstance(view.decision, Commit) or view.state.phase != "army":
            return None
        few, many = still_to_place(draft), too_many(draft)
        if not few and not many:
            empty = _empty_territories(view.state, view.seat, draft.places)
            return Question(
                _to_place(len(empty)),
                _(
                    "{ready}, random, load NAME, or two zones: {zone} {other}",
                    ready=READY,
                    zone=zone,
                    other=other,
                ),
            )
        parts = [_("{count} still to place", count=len(few))] * bool(few) + [
            _("{count} too many", count=len(many))
        ] * bool(many)
        how = _("a zone and a piece such as {zone} flag, or random", zone=zone)
        return Question(_("Place your army: {parts}.", parts="; ".join(parts)), how)

    def choices(self, context: ViewContext) -> tuple[Choice, ...]:
        """The changes to the draft that begin with the typed text."""
        if self.question(context) is None:
            return ()
        draft: Draft = context.draft
        words = ["random"] if draft.settled else ["random", "clear"]
        right = not _refused(draft)
        return changes(context.typed, words, right=right)

    def edit(self, context: ViewContext, typed: str, chance: Chance) -> Draft:
        """The draft after what was typed.  Raises Misunderstood."""
        view: View[State] = context.view
        draft: Draft = context.draft
        if self.question(context) is None:
            raise NotPossible(_("Your army is laid and cannot be changed any more."))
        own, line = own_zones(view.state, view.seat), typed.strip().lower()
        if draft.settled:
            return _settled_anew(own, draft, line, chance)
        if line == "random":
            return Draft(random_placement(own, chance))
        if line == "clear":
            return Draft({})
        return Draft(arranged(draft.places, typed, _ground(own)))

    def warnings(self, context: ViewContext) -> list[str]:
        """What is missing and what is too many, if this is not the army that everybody has."""
        refused = _refused(context.draft)
        return [refused] if refused else []

    def decide(self, context: ViewContext) -> Decided:
        """The faces in the order of their zones; for a settled draft, the zones.

        Raises NotPossible, also for another army than everybody has: where decisions are taken back nobody
        opens it at the end, and nothing would show the cheat.
        """
        view: View[State] = context.view
        if self.question(context) is None:
            raise NotPossible(_("Your army is laid already."))
        draft: Draft = context.draft
        if refused := _refused(draft):
            raise NotPossible(refused)
        empty = _empty_territories(view.state, view.seat, draft.places)
        if view.state.garrison and empty:
            raise NotPossible(
                _("Each territory of yours must get a piece: there is none in {empty}.", empty=series(empty))
            )
        return _in_order(draft.places) if isinstance(view.decision, Commit) else _fill(view, draft)

    def follow(self, view: View[State], draft: Draft | None) -> Decided | None:
        """The zones, once all armies are laid."""
        if draft is None or draft.settled or view.state.phase != "zones":
            return None
        if not isinstance(view.decision, Choose) or _in_order(draft.places) != _laid(view):
            return None
        return _fill(view, draft)

    def templates(self, view: View[State]) -> Mapping[str, Draft]:
        """The placings that have names, on the territories of this match."""
        own = own_zones(view.state, view.seat)
        if len(own) < len(ARMY):
            return MappingProxyType({})
        return {name: Draft(placed(own, template, Steady())) for name, template in TEMPLATES.items()}

    def made_for(self, name: str) -> Sequence[str]:
        """Templates fit any territories."""
        return (_("any territories"),) if name in TEMPLATES else ()

    def read(self, view: View[State], text: str) -> list[Draft]:
        """The draft in a file: a line for each piece, "a1 flag".  Raises Misunderstood."""
        return [Draft(_read(text, own_zones(view.state, view.seat)))]

    def write(self, draft: Draft | None) -> str:
        """The file that `read` gives the draft back for."""
        if draft is None:
            return ""
        lines = [f"{names.zone(at)} {PIECES[face].name}\n" for at, face in sorted(draft.places.items())]
        return SETTLED * draft.settled + "".join(lines)


def _refused(draft: Draft) -> str:
    """Why a draft cannot be laid: the pieces still to be placed, and the superfluous ones; "" for none."""
    return amiss(pieces(still_to_place(draft)), pieces(too_many(draft)))


def _to_place(empty: int) -> str:
    """The question about an army that is whole, and what so many empty territories cost."""
    if not empty:
        return _("Place your army. Take it as it stands, or change it.")
    return n_(
        "Place your army. {count} territory stays empty: it is nobody's, and gives no cards and no moves.",
        "Place your army. {count} territories stay empty: they are nobody's, and give no cards and no moves.",
        empty,
    )


def _in_order(places: Mapping[Zone, Face]) -> tuple[Face, ...]:
    """The faces by zone, ascending: the order in which they are laid."""
    return tuple(places[at] for at in sorted(places))


def _fill(view: View[State], draft: Draft) -> str:
    """Which of the own zones are filled, as a move."""
    own = own_zones(view.state, view.seat)
    options = view.decision.options if isinstance(view.decision, Choose) else ()
    digits = len(next(iter(options), "")) - len("zones ")
    return notation.fill((own.index(at) for at in draft.places), digits)


def _laid(view: View[State]) -> tuple[Face, ...] | None:
    """The seat's pieces in the order in which it has laid them, if it has."""
    return laid(view, range(view.seat * SLOTS, (view.seat + 1) * SLOTS))


def _empty_territories(state: State, seat: Seat, places: Mapping[Zone, Face]) -> list[str]:
    """The names of the seat's territories without a piece."""
    filled = {TERRITORY_OF[at] for at in places}
    return [land(place) for place, owner in enumerate(state.taken) if owner == seat and place not in filled]


def _kept(text: str, own: Sequence[Zone]) -> dict[Zone, Face] | None:
    """The draft that `write` wrote, if it fits."""
    try:
        return _read(text, own) or None
    except (Unknown, NotPossible):
        return None


def _read(text: str, own: Sequence[Zone]) -> dict[Zone, Face]:
    """Zones with their pieces, from a line for each.  Raises Misunderstood, which names the line."""
    places: dict[Zone, Face] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(words) != 2 or words[0].lower() not in ZONE_NAMED or len(face_called(words[1])) != 1:
            raise Unknown(_("Line {number} is no zone and piece such as “a1 flag”.", number=number))
        at = ZONE_NAMED[words[0].lower()]
        if at not in own:
            raise NotPossible(
                _("Line {number}: {zone} is in no territory of yours.", number=number, zone=words[0])
            )
        places[at] = face_called(words[1])[0]
    return places


def _own(name: str, own: Sequence[Zone]) -> Zone:
    """One of the seat's own zones.  Raises NotPossible."""
    at = ZONE_NAMED[name]
    if at not in own:
        raise NotPossible(
            _(
                "{name} is not yours to fill: it is in {territory_name}.",
                name=name,
                territory_name=land(TERRITORY_OF[at]),
            )
        )
    return at


def _ground(own: Sequence[Zone]) -> Ground[Zone]:
    return Ground(
        refusals=_REFUSALS,
        pattern=ZONE,
        examples=(names.zone(own[0]), names.zone(own[1])),
        place=lambda name: _own(name, own),
        name=names.zone,
        piece=_face,
    )


def _face(word: str) -> Face:
    """The piece that a word names.  Raises Misunderstood."""
    known = ", ".join(f"{named(face)} {PIECES[face].letter}" for face in ORDER)
    known = _("Type a name, or its letter or number: {known}.", known=known)
    return the_piece(word, face_called(word), named, known)


def _settled_anew(own: Sequence[Zone], draft: Draft, line: str, chance: Chance) -> Draft:
    """Other zones for pieces whose order is settled.  Raises Misunderstood."""
    laid = _in_order(draft.places)
    if line == "random":
        return Draft(in_order(own, laid, chance), settled=True)
    if len(zones_in(line)) != 2:
        raise NotPossible(_("Only the zones can still be chosen, for the pieces as they are laid."))
    filled = sorted(arranged(draft.places, line, _ground(own)))
    return Draft(dict(zip(filled, laid, strict=True)), settled=True)
