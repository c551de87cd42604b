"""A tournament as plain values, and as the files of its folder: what was announced, round by round.

Everything that a table shows follows from these values and from records, so that two directors with the same
files get the same table.  Reading takes nothing that is not exactly of the written form.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from cli.text.names import ROUND_LETTERS, ROUND_WORD
from p2p_stratego.core import strict_json
from p2p_stratego.core.game import OptionError, Options
from p2p_stratego.core.language import _
from p2p_stratego.core.strict_json import NotJson
from p2p_stratego.registry import GAMES
from protocol.crypto.keys import check_key
from protocol.errors import Malformed
from protocol.limits import MAX_NAME
from protocol.record.genesis import check_name

FORMAT: Final = 1
System: TypeAlias = Literal["round-robin", "swiss", "knockout"]
SYSTEMS: Final[tuple[System, ...]] = get_args(System)
FEWEST: Final = 2
MOST: Final = 256
"""Players."""
MOST_ROUNDS: Final = 2 * MOST
NONCE_DIGITS: Final = 32
MOST_REASON: Final = 500
T = TypeVar("T")

RESULTS: Final[Mapping[str, tuple[int, int]]] = {
    "1-0": (2, 0),
    "1/2-1/2": (1, 1),
    "0-1": (0, 2),
    "0-0": (0, 0),
}
"""Of a pairing, by how they are written: half points of both players."""


class EventError(ValueError):
    """A file of a tournament is not of the form that this program writes; the text says what is wrong."""


class Entrant(NamedTuple):
    """A player: the key (64 hex digits), and the name under which the event lists it, 1 to 26 characters."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Event:
    """What was announced.  Players are numbered from 1, in the order of their seeding."""

    name: str
    nonce: str
    """32 hex digits: with them no two events have the same words."""
    game: str
    options: Options
    system: System
    rounds: int
    """For a knockout, and a round robin, the number that the players make necessary."""
    words: bool
    """Whether a match counts only if both players wear the round's word behind their names."""
    players: tuple[Entrant, ...]

    def number(self, key: str) -> int | None:
        """The number of the player with this key."""
        return next((at for at, player in enumerate(self.players, 1) if player.key == key), None)

    def entrant(self, number: int) -> Entrant:
        """The player with this number."""
        return self.players[number - 1]


class Pairing(NamedTuple):
    """One match to be played: the number of the player in the first seat, and of the other."""

    table: int
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Round:
    """The pairings of a round as they were made; `byes`: who has no opponent; `word`: empty without words."""

    number: int
    pairings: tuple[Pairing, ...]
    byes: tuple[int, ...]
    word: str

    def off(self, left: Mapping[int, int]) -> tuple[int, ...]:
        """Who has the bye; `left`: by player, the round from which on that player has withdrawn."""
        return tuple(player for player in self.byes if left.get(player, self.number + 1) > self.number)


class Ruling(NamedTuple):
    """A director's decision on a pairing, and why."""

    round: int
    table: int
    result: str
    why: str


class Withdrawal(NamedTuple):
    """A player who plays no more from round `start` on; `why` may be empty."""

    player: int
    start: int
    why: str


def word(event: Event, number: int, pairings: Sequence[Pairing]) -> str:
    """The word of a round: nobody can know it before the event is announced and the round is paired."""
    if not event.words:
        return ""
    announcement = json.dumps([event.nonce, number, [list(pairing) for pairing in pairings]])
    bits = int.from_bytes(
        hashlib.sha256(f"p2p-stratego tournament round {announcement}".encode()).digest()[:4], "big"
    )
    return "".join(ROUND_LETTERS[bits >> 5 * place & 31] for place in range(ROUND_WORD))


def most_rounds(system: System, players: int) -> int:
    """The rounds of a system that is played once through; of a Swiss one, the most."""
    if system == "knockout":
        return (players - 1).bit_length()
    return players - 1 + players % 2


def check_rounds(system: System, players: int, rounds: int) -> None:
    """Raise EventError unless so many rounds can be played."""
    most = most_rounds(system, players)
    allowed = {"round-robin": {most, 2 * most}, "swiss": set(range(1, most + 1)), "knockout": {most}}[system]
    if rounds not in allowed:
        raise EventError(
            _("{rounds} rounds do not fit {players} players in this system", rounds=rounds, players=players)
        )


# As JSON


def event_json(event: Event) -> bytes:
    """The file of an event."""
    return _written(
        {
            "format": FORMAT,
            "name": event.name,
            "nonce": event.nonce,
            "game": event.game,
            "options": dict(event.options),
            "system": event.system,
            "rounds": event.rounds,
            "words": event.words,
            "players": [{"key": player.key, "name": player.name} for player in event.players],
        }
    )


def read_event(data: bytes) -> Event:
    """The event in a file.  Raises EventError."""
    keys = ("format", "name", "nonce", "game", "options", "system", "rounds", "words", "players")
    value = _object(_json(data), *keys)
    if value["format"] != FORMAT:
        raise EventError(_("another version of the program made this event"))
    game = GAMES.get(_of(value["game"], str))
    system = next((known for known in SYSTEMS if known == value["system"]), None)
    nonce = _hex(value["nonce"], NONCE_DIGITS)
    if game is None or system is None or FEWEST not in game.seat_counts:
        raise EventError(_("this game or system has no tournaments here"))
    options = _of(value["options"], dict)
    try:
        if list(game.options(options).items()) != list(options.items()):
            raise EventError(_("the options are not complete and in order"))
    except OptionError as error:
        raise EventError(_("the options are not those of the game: {error}", error=error)) from error
    players = tuple(map(_entrant, _of(value["players"], list)))
    if not FEWEST <= len(players) <= MOST:
        raise EventError(_("a tournament has {fewest} to {most} players", fewest=FEWEST, most=MOST))
    for part in (0, 1):
        if len({player[part] for player in players}) != len(players):
            raise EventError(_("two players have one key or one name"))
    rounds = _of(value["rounds"], int)
    check_rounds(system, len(players), rounds)
    name = _name(value["name"], MAX_NAME)
    return Event(name, nonce, game.name, options, system, rounds, _of(value["words"], bool), players)


def _entrant(value: Any) -> Entrant:
    fields = _object(value, "key", "name")
    key = _hex(fields["key"], 64)
    try:
        check_key(bytes.fromhex(key))
    except Malformed as error:
        raise EventError(_("a player's key is none")) from error
    return Entrant(key, _name(fields["name"], MAX_NAME - ROUND_WORD - 1))


def round_json(round_: Round) -> bytes:
    """The file of a round."""
    pairings = [{"table": pair.table, "seats": [pair.first, pair.second]} for pair in round_.pairings]
    return _written(
        {"round": round_.number, "word": round_.word, "pairings": pairings, "byes": list(round_.byes)}
    )


def read_round(data: bytes, event: Event) -> Round:
    """The round in a file.  Raises EventError, also for a word that is not this round's."""
    value = _object(_json(data), "round", "word", "pairings", "byes")
    pairings = []
    for table, item in enumerate(_of(value["pairings"], list), 1):
        pair = _object(item, "table", "seats")
        seats = _of(pair["seats"], list)
        if pair["table"] != table or len(seats) != 2:
            raise EventError(_("a pairing is not a table and two seats"))
        pairings.append(Pairing(table, seats[0], seats[1]))
    round_ = Round(_of(value["round"], int), tuple(pairings), tuple(_of(value["byes"], list)), value["word"])
    playing = [number for pair in pairings for number in pair[1:]] + list(round_.byes)
    if not all(type(number) is int and 0 < number <= len(event.players) for number in playing):
        raise EventError(_("a player of a pairing is none of the event's"))
    if len(set(playing)) != len(playing) or not 0 < round_.number <= MOST_ROUNDS:
        raise EventError(_("a player stands twice in a round"))
    if round_.word != word(event, round_.number, pairings):
        raise EventError(_("the word is not that of this event and these pairings"))
    return round_


def ruling_json(ruling: Ruling) -> bytes:
    """The file of a ruling."""
    return _written(ruling._asdict())


def read_ruling(data: bytes) -> Ruling:
    """The ruling in a file.  Raises EventError."""
    value = _object(_json(data), *Ruling._fields)
    ruling = Ruling(
        _of(value["round"], int), _of(value["table"], int), _of(value["result"], str), _of(value["why"], str)
    )
    if ruling.result not in RESULTS or not 0 < len(ruling.why) <= MOST_REASON:
        raise EventError(_("a ruling has a result and a reason"))
    return ruling


def withdrawal_json(withdrawal: Withdrawal) -> bytes:
    """The file of a withdrawal."""
    return _written({"player": withdrawal.player, "round": withdrawal.start, "why": withdrawal.why})


def read_withdrawal(data: bytes, event: Event) -> Withdrawal:
    """The withdrawal in a file.  Raises EventError."""
    value = _object(_json(data), "player", "round", "why")
    withdrawal = Withdrawal(_of(value["player"], int), _of(value["round"], int), _of(value["why"], str))
    if not (0 < withdrawal.player <= len(event.players) and 0 < withdrawal.start <= event.rounds):
        raise EventError(_("a withdrawal has a player and a round of the event"))
    if len(withdrawal.why) > MOST_REASON:
        raise EventError(_("a reason is too long"))
    return withdrawal


def _written(value: Any) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()


def _json(data: bytes) -> Any:
    try:
        return strict_json.read(data)
    except NotJson as error:
        raise EventError(_("it is no JSON")) from error


def _object(value: Any, *keys: str) -> Mapping[str, Any]:
    if type(value) is not dict or tuple(value) != keys:
        raise EventError(_("it does not hold exactly {keys}", keys=", ".join(keys)))
    return value


def _of(value: Any, kind: type[T]) -> T:
    if type(value) is not kind:
        raise EventError(_("a value is of another kind"))
    typed: T = value
    return typed


def _hex(value: Any, digits: int) -> str:
    text: str = _of(value, str)
    try:
        whole = len(text) == digits and bytes.fromhex(text).hex() == text
    except ValueError:
        whole = False
    if not whole:
        raise EventError(_("it is not {digits} hexadecimal digits", digits=digits))
    return text


def _name(value: Any, most: int) -> str:
    text: str = _of(value, str)
    try:
        check_name(text)
    except Malformed as error:
        raise EventError(_("this is no name: {error}", error=error)) from error
    if len(text) > most:
        raise EventError(_("a name has at most {most} characters here", most=most))
    return text
