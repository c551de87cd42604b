"""The genesis: all that the players agree on before the first move; its hash is the match's id.

The genesis binds the versions of protocol and rules, the options, and every seat's key, name, nonce and
chance anchor.  So a record of one match is void in every other match, and all signatures show a downgrade of
a version (threats 4 and 11).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from unicodedata import ucd_3_2_0

from p2p_stratego.core.game import Edition, Game, OptionError, Options, Seat, Sides, Version
from protocol.crypto.keys import SIGNATURE_BYTES, check_key, verify
from protocol.errors import Malformed, Unsupported
from protocol.limits import MAX_NAME, MAX_OPTIONS, MAX_PACKAGE
from protocol.record.pace import Pace
from protocol.record.time_control import TimeControl, read_time, time_value
from protocol.wire import labels
from protocol.wire.encoding import Value, decode, encode, tagged
from protocol.wire.normal_form import is_normal

NONCE_BYTES: Final = 32
DIGEST_BYTES: Final = 32

_BLANK: Final = frozenset(
    chr(code)
    for first, last in (
        (0x034F, 0x034F),  # combining grapheme joiner
        (0x115F, 0x1160),  # Hangul fillers, which are letters
        (0x17B4, 0x17B5),  # Khmer inherent vowels
        (0x180B, 0x180F),  # Mongolian variation selectors
        (0x2800, 0x2800),  # the braille pattern without dots, a symbol
        (0x3164, 0x3164),  # Hangul filler
        (0xFE00, 0xFE0F),  # variation selectors
        (0xFFA0, 0xFFA0),  # halfwidth Hangul filler
        (0xE0100, 0xE01EF),  # variation selectors
    )
    for code in range(first, last + 1)
)
"""Invisible letters, marks and symbols: with them two names could look alike (threat 24)."""

_PACKAGE: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
id_of: Final = tagged(labels.GENESIS)
"""The id of the match with this genesis body, 32 bytes; the body is not checked."""


@dataclass(frozen=True, slots=True)
class Player:
    """One seat's part: Ed25519 key (32 bytes), name (1 to 32 characters), nonce and chance anchor (32
    bytes).
    """

    key: bytes
    name: str
    nonce: bytes
    anchor: bytes


@dataclass(frozen=True, slots=True)
class Genesis:
    """The agreement of the players, its bytes, and their hash (32 bytes), the match's id."""

    game: Game[Any] = field(compare=False)  # its name and version are in the body
    options: Options
    players: tuple[Player, ...]
    body: bytes
    id: bytes
    proofs: bool = False
    """Whether every step is proved with the entry that makes it; otherwise salted hashes hide."""
    escrow: int = 0
    """How many other seats together can give away the key of one that is gone; 0: none can."""
    pace: Pace = Pace.LIVE
    """How long the players have for what they owe."""
    clock: TimeControl | None = None
    """The clock of a live match, if it has one."""
    takebacks: bool = False
    """Whether the players may take decisions of their own back, as against bots alone."""

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The game's name of each seat, by seat."""
        return self.game.seat_names(len(self.players))

    @property
    def sides(self) -> Sides:
        """The seats that play together."""
        return self.game.sides(len(self.players))

    def signed(self, seat: Seat, label: bytes, payload: bytes) -> bool:
        """Whether `payload` ends with a signature of `seat`, under `label`, over the bytes before it."""
        body, signature = payload[:-SIGNATURE_BYTES], payload[-SIGNATURE_BYTES:]
        return verify(self.players[seat].key, label, self.id + body, signature)


def chain_length(game: Game[Any]) -> int:
    """The links of each seat's chance chain, also for each Roll that begins again because a seat leaves."""
    return game.most_rolls + (max(game.seat_counts) - 1 if max(game.seat_counts) > 2 else 0)


def make(  # noqa: PLR0913 - all that the players agree on
    game: Game[Any],
    options: Options,
    players: tuple[Player, ...],
    *,
    proofs: bool = False,
    escrow: int = 0,
    pace: Pace = Pace.LIVE,
    clock: TimeControl | None = None,
    takebacks: bool = False,
) -> Genesis:
    """The genesis of a new match; a game that needs proofs has them.

    Raises OptionError, and Malformed in the same cases as `parse`.
    """
    require_fit(game, len(players), game.options(options))
    time = time_value(pace, clock)
    last = [time, 1] if takebacks else [time] if time else []
    return parse(
        encode(
            [
                labels.PROTOCOL_VERSION,
                game.name,
                version_value(game.version),
                list(game.options(options).items()),
                [(p.key, p.name, p.nonce, p.anchor) for p in players],
                int(proofs or game.needs_proofs),
                escrow,
                *last,
            ]
        ),
        {game.name: game},
    )


def parse(body: bytes, games: Mapping[str, Game[Any]]) -> Genesis:
    """Read a genesis.  Raises Malformed, and Unsupported for a version or game that is not in `games`."""
    value = decode(body)
    if type(value) is not list or not value or type(value[0]) is not int:
        raise Malformed("The first record is not a genesis.")
    if value[0] != labels.PROTOCOL_VERSION:
        raise Unsupported("protocol", value[0], labels.PROTOCOL_VERSION)
    if len(value) not in (7, 8, 9):
        raise Malformed("A genesis has seven fields, one more for a slower pace or a clock, or two more.")
    _, name, version, options, seats, proofs, escrow, *more = value
    game = find_game(name, version, games)
    players = _players(seats, game)
    profile = read_profile(proofs, escrow, game, len(players))
    agreed = read_options(options, game)
    try:
        require_fit(game, len(players), agreed)
    except OptionError as error:
        raise Malformed(f"So many players cannot play by these options: {error}") from error
    pace, clock, takebacks = _more(more)
    return Genesis(game, agreed, players, body, id_of(body), *profile, pace, clock, takebacks)


def require_fit(game: Game[Any], seats: int, options: Options) -> None:
    """Raise OptionError if so many players cannot play by these options: the start of a set-up shows it."""
    next(game.setup(seats, options), None)


def _more(more: list[Value]) -> tuple[Pace, TimeControl | None, bool]:
    """Pace, clock and takebacks in the fields behind the others.

    A live match without a clock has a field for its time only if a field for takebacks follows.  A match
    without takebacks has no field for them.  So each agreement has exactly one form.
    """
    if len(more) == 2:
        if more[1] != 1 or type(more[1]) is not int:
            raise Malformed("The last field of a genesis of nine says that decisions can be taken back.")
        return *read_time(more[0]), True
    if not more:
        return Pace.LIVE, None, False
    if more == [int(Pace.LIVE)]:
        raise Malformed("The genesis of a live match says nothing of its pace.")
    return *read_time(more[0]), False


def read_profile(proofs: Value, escrow: Value, game: Game[Any], seats: int) -> tuple[bool, int]:
    """Whether a match of so many seats has proofs, and its escrow.  Raises Malformed if it cannot be so.

    An escrow serves decks only.  Its threshold is 2 to one fewer than there are seats.
    """
    if proofs not in (0, 1) or type(proofs) is not int or proofs < game.needs_proofs:
        raise Malformed("A match has proofs or not, and this game may need them.")
    if type(escrow) is not int or (escrow and not (game.needs_proofs and 2 <= escrow < seats)):
        raise Malformed("An escrow is 0 or, in a game with decks, 2 to one fewer than there are seats.")
    return bool(proofs), escrow


def version_value(version: Version) -> Value:
    """The version of rules as it stands in a genesis, a LOBBY and an OFFER."""
    return version if isinstance(version, int) else [version.number, version.package, version.digest]


def find_game(name: Value, version: Value, games: Mapping[str, Game[Any]]) -> Game[Any]:
    """The game of this name, by rules of this version.

    Raises Malformed if these are no name and no version, and Unsupported for a game or rules that are not
    in `games`: other rules under one name are another game, so nobody plays by them unknowingly (threat 121).
    """
    if type(name) is not str or not name.isascii() or not 0 < len(name) <= MAX_NAME:
        raise Malformed("The genesis names no game.")
    played = _version(version)
    game = games.get(name)
    if game is None:
        raise Unsupported("game", played, game=name)
    if played != game.version:
        raise Unsupported(f"rules of {game.name}", played, game.version, name)
    return game


def _version(value: Value) -> Version:
    match value:
        case int():
            return value
        case [int() as number, str() as package, bytes() as digest] if (
            # A reader is told this name as one to install: nothing but a name may stand there (threat 120).
            len(digest) == DIGEST_BYTES and len(package) <= MAX_PACKAGE and _PACKAGE.fullmatch(package)
        ):
            return Edition(number, package, digest)
    raise Malformed("The genesis names no version of its rules.")


def read_options(value: Value, game: Game[Any]) -> Options:
    """The options as agreed: complete, in the rulebook's order, and acceptable to it.  Raises Malformed."""
    if type(value) is not list or len(value) > MAX_OPTIONS:
        raise Malformed("The options of a genesis are not a short array.")
    options: dict[str, int | str] = {}
    for pair in value:
        if type(pair) is not list or len(pair) != 2:
            raise Malformed("An option is not a name and a value.")
        name, setting = pair
        if type(name) is not str or name in options:
            raise Malformed("An option has no name of its own.")
        if type(setting) is not int and type(setting) is not str:
            raise Malformed("An option's value is neither an integer nor a text.")
        options[name] = setting
    try:
        agreed = game.options(options)
    except OptionError as error:
        raise Malformed(f"The options are not among those of the game: {error}") from error
    if list(agreed.items()) != list(options.items()):
        raise Malformed("The options of a genesis are not complete and in order.")
    return agreed


def _players(value: Value, game: Game[Any]) -> tuple[Player, ...]:
    if type(value) is not list or len(value) not in game.seat_counts:
        raise Malformed("The number of players does not fit the game.")
    players = tuple(map(player, value))
    for part in ("key", "nonce", "anchor"):
        if len({getattr(p, part) for p in players}) != len(players):
            raise Malformed(f"Two players have the same {part}: one mirrors the other.")
    return players


def player(value: Value) -> Player:
    """One seat's part of a genesis, `[key, name, nonce, anchor]`.  Raises Malformed."""
    if type(value) is not list or len(value) != 4:
        raise Malformed("A player is not a key, a name, a nonce and an anchor.")
    key, name, nonce, anchor = value
    if type(key) is not bytes or type(name) is not str:
        raise Malformed("A player has no key or no name.")
    check_key(key)
    check_name(name)
    for part in (nonce, anchor):
        if type(part) is not bytes or len(part) != NONCE_BYTES:
            raise Malformed("A nonce or anchor is not 32 bytes.")
    return Player(key, name, nonce, anchor)  # type: ignore[arg-type]  # the loop above has narrowed both


def check_name(name: str) -> None:
    """Raise Malformed unless `name` is 1 to 32 visible characters in NFC, without space at its ends (threat
    24).
    """
    if not 0 < len(name) <= MAX_NAME or name != name.strip() or not is_normal(name):
        raise Malformed(f"A name has 1 to {MAX_NAME} characters, without space at its ends.")
    if not all(map(is_visible, name.replace(" ", ""))):
        raise Malformed("A name holds a character that cannot be seen, or is too new to be known everywhere.")


def is_visible(letter: str) -> bool:
    """Whether a name can hold this character: by Unicode 3.2 it has a shape that everybody sees."""
    return ucd_3_2_0.category(letter)[0] in "LMNPS" and letter not in _BLANK
