"""A listing: a host's proposal, and all that a player agrees to before there is a match.

It holds game, options, profile, and the key and name on every seat.  A guest gets it as a LOBBY, says READY
to its number, and checks that the genesis of the FOUND is made of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from p2p_stratego.core.game import Game, Options, Seat
from protocol.channel.channel import FOUND, LOBBY, READY
from protocol.crypto.keys import check_key
from protocol.errors import Malformed
from protocol.limits import MAX_OUT, MAX_WATCHERS
from protocol.lobby.handshake import Person
from protocol.record import genesis
from protocol.record.genesis import Genesis, Player
from protocol.record.pace import Pace
from protocol.record.time_control import TimeControl, read_time, time_value
from protocol.wire.encoding import Frame, Value, decode, encode


@dataclass(frozen=True, slots=True)
class ListedSeat:
    """A taken seat of a listing; `bot`: the level of a bot, as the host says, or ""; `ready`: it said yes."""

    person: Person
    bot: str
    ready: bool


@dataclass(frozen=True, slots=True)
class Listing:
    """A proposal of a host; `places`: by seat, None where nobody sits.

    `proofs` and `escrow` (the profile), `pace`, `clock`: as in the genesis.  A player's yes leaves out
    `watching`, the number of spectators that wait, and `out`, the players sent away for keeping the table
    busy: the host alone says these.
    """

    number: int
    game: Game[Any]
    options: Options
    places: tuple[ListedSeat | None, ...]
    watching: int = 0
    proofs: bool = False
    escrow: int = 0
    pace: Pace = Pace.LIVE
    clock: TimeControl | None = None
    out: tuple[Person, ...] = ()

    @property
    def full(self) -> bool:
        """Whether every seat is taken."""
        return None not in self.places

    @property
    def persons(self) -> tuple[Person | None, ...]:
        """By seat: the player, None where nobody sits."""
        return tuple(None if place is None else place.person for place in self.places)

    @property
    def takebacks(self) -> bool:
        """Whether decisions can be taken back in the match: where one player alone is no bot, as it says."""
        return sum(place is not None and not place.bot for place in self.places) == 1

    def seat_of(self, key: bytes) -> Seat | None:
        """The seat of the player with this key (32 bytes)."""
        seats = (seat for seat, person in enumerate(self.persons) if person and person.key == key)
        return next(seats, None)

    def same_terms(self, other: Listing) -> bool:
        """Whether both listings propose the same match; readiness does not count."""
        return self._agreed_on == other._agreed_on

    def proposes(self, match: Genesis) -> bool:
        """Whether the listing proposes `match`; nonces and anchors of the players do not count."""
        persons = tuple(Person(player.key, player.name) for player in match.players)
        profile = match.proofs, match.escrow, match.pace, match.clock, match.takebacks
        return self._agreed_on == (match.game.name, match.options, persons, *profile)

    @property
    def _agreed_on(self) -> tuple[object, ...]:
        profile = self.proofs, self.escrow, self.pace, self.clock, self.takebacks
        return self.game.name, self.options, self.persons, *profile

    @property
    def frame(self) -> Frame:
        """The LOBBY with this listing."""
        places = [
            [] if seat is None else [seat.person.key, seat.person.name, seat.bot, int(seat.ready)]
            for seat in self.places
        ]
        game, options = self.game, [list(option) for option in self.options.items()]
        profile = int(self.proofs), self.escrow, time_value(self.pace, self.clock)
        out: list[Value] = [[person.key, person.name] for person in self.out]
        fields = [
            self.number,
            game.name,
            genesis.version_value(game.version),
            options,
            places,
            *profile,
            self.watching,
            out,
        ]
        return Frame(LOBBY, encode(fields))


def read_listing(payload: bytes, games: Mapping[str, Game[Any]]) -> Listing:
    """The listing in a LOBBY.  Raises Malformed, and Unsupported for a game or version not in `games`."""
    match decode(payload):
        case [
            int() as number,
            str() as name,
            version,
            list() as options,
            list() as places,
            proofs,
            escrow,
            time,
            int() as watching,
            list() as out,
        ] if watching <= MAX_WATCHERS and len(out) <= MAX_OUT:
            game = genesis.find_game(name, version, games)
        case _:
            raise Malformed("A LOBBY is not a number, a game with its terms, seats and spectators.")
    if len(places) not in game.seat_counts:
        raise Malformed("The number of seats does not fit the game.")
    seats = tuple(map(_read_place, places))
    profile = *genesis.read_profile(proofs, escrow, game, len(places)), *read_time(time)
    agreed, sent = genesis.read_options(options, game), tuple(map(_read_person, out))
    listing = Listing(number, game, agreed, seats, watching, *profile, sent)
    keys = [person.key for person in listing.persons if person is not None]
    if len(set(keys)) != len(keys):
        raise Malformed("One player sits on two seats.")
    return listing


def _read_place(value: Value) -> ListedSeat | None:
    match value:
        case []:
            return None
        case [bytes() as key, str() as name, str() as bot, int() as ready] if ready < 2:
            if bot:
                genesis.check_name(bot)
            return ListedSeat(_read_person([key, name]), bot, bool(ready))
    raise Malformed("A seat of a LOBBY is neither empty nor a key, a name, a bot's level, and ready or not.")


def _read_person(value: Value) -> Person:
    match value:
        case [bytes() as key, str() as name]:
            check_key(key)
            genesis.check_name(name)
            return Person(key, name)
    raise Malformed("A player of a LOBBY is not a key and a name.")


def ready_frame(number: int, part: Player | None) -> Frame:
    """The READY for listing `number` with our `part` of the genesis; None takes our yes back."""
    return Frame(READY, encode([number] if part is None else [number, part.nonce, part.anchor]))


def found_frame(number: int, match: Genesis) -> Frame:
    """The FOUND: the genesis of `match`, made of listing `number`."""
    return Frame(FOUND, encode([number, match.body]))
