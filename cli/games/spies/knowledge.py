"""What the player knows of cities, pieces and hands in SPIES!, as sentences and short texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from cli.games.interface import Players
from cli.games.spies.map.board import LETTERS
from cli.games.spies.snapshot import Snapshot
from p2p_stratego.core.game import Face, Seat
from p2p_stratego.core.language import _, _c, mark, n_
from p2p_stratego.core.narration import either
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.atlas import (
    BY_AIR,
    BY_RAIL,
    HAVENS,
    NAMES,
    PORTS,
    POWERS,
    SEAS_AT,
    SIGNED,
    City,
    Power,
    voyage,
)
from p2p_stratego.spies.rules.counters import KINDS, SPIES, STRENGTHS, spy_names
from p2p_stratego.spies.rules.map_data import DIE
from p2p_stratego.spies.rules.observation import Known, funds, hand, secret_face, spy_face, strength_in
from p2p_stratego.spies.rules.state import DROP, POLICE, SecretId, SpyId, State
from p2p_stratego.spies.rules.tiles import TILES, TileId, fitting

ALL_POWERS: Final = range(len(POWERS))


def own_powers(moment: Snapshot) -> list[Power]:
    """The powers that the player runs."""
    return [power for power in ALL_POWERS if moment.runs(power)]


def acting(moment: Snapshot) -> Power | None:
    """The power that the player acts for: the one to move, if it is the player's, else the first."""
    own = own_powers(moment)
    return moment.state.power if moment.state.power in own else own[0] if own else None


def chits(moment: Snapshot, power: Power, *, priced: bool = False) -> list[str]:
    """The chits in a hand by kind, with their number, `priced` with pounds and points: "2 Papers £1/1"."""
    count = Counter(hand(moment.state, power, moment.known))
    names = []
    for face, number in sorted((face, number) for face, number in count.items() if face is not None):
        name = f"{number} {words.chit(face)}" if number > 1 else words.chit(face)
        names.append(f"{name} {price(face)}" if priced else name)
    return names + [n_("{count} closed chit", "{count} closed chits", count[None])] * bool(count[None])


def price(kind: Face) -> str:
    """What a chit costs, in pounds and in points of one's own turn: "£4/2"."""
    cost = KINDS[kind]
    return f"{words.pounds(cost.pounds)}/{cost.points}" if cost.points else words.pounds(cost.pounds)


def tiles(moment: Snapshot, power: Power) -> tuple[list[TileId], list[TileId]]:
    """The tiles in a hand that fit this year, and all others."""
    faces = [moment.known[slot] for slot in moment.state.tiles[power] if slot in moment.known]
    fit = fitting(moment.state.year)
    return sorted(face for face in faces if face in fit), sorted(face for face in faces if face not in fit)


def purse(moment: Snapshot, power: Power) -> str:
    """The money of a power, as far as the player can tell."""
    money = funds(moment.state, power, moment.known)
    return "£?" if money is None else words.pounds(money)


def spy_text(moment: Snapshot, spy: SpyId) -> str:
    """A spy with what is known of it, or what it can still be."""
    face = spy_face(moment.state, spy, moment.known)
    if face is not None:
        return words.spy(spy, face)
    return f"{words.spy(spy, None)}, {can_be(moment, spy)}"


def piece_texts(moment: Snapshot, spy: SpyId) -> Iterator[str]:
    """All about a spy on the map: where it stands, what it carries, how far it goes and where to."""
    piece = moment.state.spies[spy]
    spaces = n_("{count} space", "{count} spaces", moment.state.spaces(spy))
    yield _(
        "{spy_told} in {city}, {spaces} left.",
        spy_told=spy_text(moment, spy),
        city=words.city(piece.city),
        spaces=spaces,
    )
    secret = moment.state.carried(spy)
    if secret is not None:
        yield _("It carries {secret_told}.", secret_told=secret_text(moment, secret))
    yield from ways(piece.city)
    yield from voyages(piece.city)


def can_be(moment: Snapshot, spy: SpyId) -> str:
    """The names that a closed spy can still have."""
    power = spy // SPIES
    mates = range(power * SPIES, (power + 1) * SPIES)
    taken = {spy_face(moment.state, other, moment.known) for other in mates if other != spy}
    names = spy_names(power)
    left = [f"{names[face]} {STRENGTHS[face]}" for face in range(SPIES) if face not in taken]
    return either(left)


def hidden_text(state: State, secret: SecretId, known: Known) -> str:
    """A secret, with its content if the player knows it: "the secret of Rome (genuine, worth 3)"."""
    face = secret_face(state, secret, known)
    content = "" if face is None else f" ({words.content(face)})"
    return f"{words.secret(state.secrets[secret].origin)}{content}"


def secret_text(moment: Snapshot, secret: SecretId) -> str:
    """A secret: its owner, its content, and the power that controls it."""
    lying = moment.state.secrets[secret]
    face = secret_face(moment.state, secret, moment.known)
    whose = (
        _("neutral") if lying.owner is None else _c("belonging", "{name}'s", name=words.power(lying.owner))
    )
    parts = [whose, _("closed") if face is None else words.content(face)]
    if lying.on == DROP and lying.by is not None:
        parts.append(_("hidden by {power}", power=words.power(lying.by)))
    elif lying.on == POLICE and lying.by is not None:
        parts.append(_("under {power}'s police", power=words.power(lying.by)))
    elif lying.on >= 0:
        parts.append(_("with {spy}", spy=words.spy(lying.on, spy_face(moment.state, lying.on, moment.known))))
    else:
        parts.append(_("uncontrolled"))
    return f"{words.secret(lying.origin)}: {', '.join(parts)}"


def run_by(players: Players, seat: Seat | None) -> str:
    """Who runs a power, in brackets behind it: "run by you"."""
    if seat is None:
        return _("run by nobody")
    return _("run by you") if seat == players.me else _("run by {who}", who=players.names[seat])


_STRENGTH: Final = mark(", strength {strength}"), mark(", strength {strength} together")
"""Of one unit, and of several."""


def city_texts(moment: Snapshot, players: Players, city: City) -> Iterator[str]:
    """All about a city, a sentence each."""
    state = moment.state
    owner = state.territory[city]
    land = _("no power's") if owner is None else _("{power}'s territory", power=words.power(owner))
    signed = owner is not None and city in SIGNED[owner]
    also = _(", a haven of spies") if city in HAVENS else _(", a police sign") if signed else ""
    yield _("{city}: {land}{also}.", city=words.city(city), land=land, also=also)
    for spy in state.spies_in(city):
        runner = state.runs[state.spies[spy].power]
        whose = "" if runner is None else f" ({players.subject(runner)})"
        yield f"{spy_text(moment, spy)}{whose}."
    for power in ALL_POWERS:
        units = len(state.police_in(power, city))
        if units:
            strength = strength_in(state, power, city, moment.known)
            sentence = "" if strength is None else _(_STRENGTH[units > 1], strength=strength)
            yield _(
                "{counted} of {power}{strength}.",
                counted=n_("{count} police unit", "{count} police units", units),
                power=words.power(power),
                strength=sentence,
            )
    for secret in state.secrets_in(city):
        sentence = secret_text(moment, secret)
        yield f"{sentence[0].upper()}{sentence[1:]}."
    yield from ways(city)


def ways(city: City) -> Iterator[str]:
    """Where one gets from a city."""
    for kind, links in ((_("Rail"), BY_RAIL), (_("Air"), BY_AIR)):
        near = [words.city(other) for other in range(len(NAMES)) if (city, other) in links]
        if near:
            yield f"{kind}: {', '.join(near)}."
    if SEAS_AT[city]:
        yield _("Sea: {sea_name}.", sea_name=", ".join(words.sea(sea) for sea in SEAS_AT[city]))


def voyages(city: City) -> Iterator[str]:
    """The ports where a spy from a city can land, by the least roll that takes it there."""
    for sea in SEAS_AT[city]:
        by_length: dict[int, list[str]] = {}
        for port in sorted({port for ports in PORTS for port in ports} - {city}):
            length = voyage(sea, port)
            if length is not None and length <= max(DIE):
                by_length.setdefault(length, []).append(words.city(port))
        parts = [f"{length}: {', '.join(by_length[length])}" for length in sorted(by_length)]
        yield _(
            "By the {sea_name} sea, with a roll of {parts}.", sea_name=words.sea(sea), parts="; ".join(parts)
        )


def prices(kind: Face) -> str:
    """The price of a chit."""
    cost = KINDS[kind]
    points = (
        _(" and {counted} in your own turn", counted=n_("{count} point", "{count} points", cost.points))
        if cost.points
        else ""
    )
    return f"{words.pounds(cost.pounds)}{points}"


def tile_named(face: TileId) -> str:
    """A tile with its years: "2 Fire in the House (1933 to 1934)"."""
    return f"{words.tile(face)} ({words.years(face)})"


def tile_text(face: TileId) -> str:
    """A tile with its awards."""
    parts = []
    for award in TILES[face].awards:
        gain = n_("{count} chit", "{count} chits", award.chits) if award.chits else words.pounds(award.pounds)
        parts.append(_("{what} at {city}", what=gain, city=words.city(award.city)))
    return f"{words.tile(face)}, {words.years(face)}: {'; '.join(parts)}."


def letter(power: Power) -> str:
    """The letter of a power's pieces on the map."""
    return LETTERS[power]
