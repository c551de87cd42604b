"""The genesis: what it binds, and what is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest

from p2p_stratego.core.game import OptionError
from p2p_stratego.spies.rules.game import GAME as SPIES
from protocol.crypto.keys import Identity
from protocol.errors import Forged, Malformed, Unsupported
from protocol.record.genesis import Genesis, Player, check_name, make, parse, player
from protocol.record.pace import Pace
from protocol.record.referee import Referee
from protocol.record.statements import parse as parse_statement
from protocol.wire import labels
from protocol.wire.encoding import decode, encode, tagged
from tests.helpers.games.toy import GAMES, TOY
from tests.helpers.seats.pair import Table

KEYS: Final = [Identity(bytes([i]) * 32) for i in range(4)]


def person(seat: int) -> Player:
    return Player(KEYS[seat].key, f"Player {seat}", bytes([seat]) * 32, bytes([seat + 100]) * 32)


def begun(seats: int = 3) -> Genesis:
    return make(TOY, {"rounds": 2}, tuple(map(person, range(seats))))


def fields(seats: int = 3) -> list[Any]:
    value = decode(begun(seats).body)
    assert isinstance(value, list)
    return value


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_genesis_is_read_as_it_was_made(seats: int) -> None:
    made = begun(seats)
    assert parse(made.body, GAMES) == made
    assert made.id == tagged(labels.GENESIS)(made.body)
    assert made.options == {"rounds": 2, "claims": "no", "looks": "no"}
    assert made.players == tuple(map(person, range(seats)))
    assert made.game is TOY


def test_everything_in_a_genesis_is_in_the_id() -> None:
    base = begun()
    others = [
        make(TOY, {"rounds": 3}, base.players),
        make(TOY, {"rounds": 2, "claims": "yes"}, base.players),
        make(TOY, base.options, base.players[::-1]),
        make(TOY, base.options, base.players[:2]),
        make(TOY, base.options, (replace(base.players[0], name="Another"), *base.players[1:])),
        make(TOY, base.options, (replace(base.players[0], nonce=b"n" * 32), *base.players[1:])),
        make(TOY, base.options, (replace(base.players[0], anchor=b"a" * 32), *base.players[1:])),
        make(TOY, base.options, (replace(base.players[0], key=KEYS[3].key), *base.players[1:])),
        *(make(TOY, base.options, base.players, pace=pace) for pace in list(Pace)[1:]),
    ]
    assert len({base.id, *(other.id for other in others)}) == 12


@pytest.mark.parametrize("pace", Pace)
def test_the_pace_is_read_as_it_was_agreed(pace: Pace) -> None:
    made = make(TOY, {}, tuple(map(person, range(2))), pace=pace)
    assert parse(made.body, GAMES) == made
    assert made.pace is pace


def changed(change: Callable[[list[Any]], Any]) -> bytes:
    value = fields()
    replaced = change(value)
    return encode(value if replaced is None else replaced)


def put(*path: Any) -> Callable[[list[Any]], None]:
    """Put the last of `path` where the others lead."""

    def change(value: list[Any]) -> None:
        *way, place, item = path
        for step in way:
            value = value[step]
        value[place] = item

    return change


WRONG: Final[dict[str, Callable[[list[Any]], Any]]] = {
    "no array": lambda _: 7,
    "nothing in it": lambda _: [],
    "a text for the protocol's version": put(0, "1"),
    "a field too few": lambda v: v[:-1],
    "a field too many": lambda v: [*v, 0],
    "bytes for the game": put(1, b"toy"),
    "no name of a game": put(1, ""),
    "a long name of a game": put(1, "x" * 33),
    "a game beyond ASCII": put(1, "tøy"),
    "a text for the rules' version": put(2, "3"),
    "options as a number": put(3, 1),
    "33 options": put(3, [[f"o{i}", 1] for i in range(33)]),
    "an option without a value": put(3, 0, ["rounds"]),
    "an option that is a text": put(3, 0, "rounds"),
    "an option whose name is a number": put(3, 0, [1, 1]),
    "an option twice": put(3, 1, ["rounds", 2]),
    "an option's value as bytes": put(3, 1, ["claims", b"no"]),
    "an option's value of 2,049 characters": put(3, 1, ["claims", "x" * 2049]),
    "an option's value that is not offered": put(3, 0, ["rounds", 4]),
    "an option that the game lacks": put(3, 0, ["colour", 4]),
    "an option missing": put(3, [["rounds", 2]]),
    "options in another order": lambda v: [*v[:3], v[3][::-1], v[4]],
    "players as a number": put(4, 3),
    "one player": lambda v: [*v[:4], v[4][:1]],
    "five players": lambda v: [*v[:4], [*v[4], *v[4][:2]]],
    "a player that is no array": put(4, 0, 7),
    "a player without an anchor": lambda v: [*v[:4], [v[4][0][:3], *v[4][1:]]],
    "a key as text": put(4, 0, 0, "x" * 32),
    "a key of 31 bytes": put(4, 0, 0, bytes(31)),
    "the key of small order": put(4, 0, 0, b"\x01" + bytes(31)),
    "a name as bytes": put(4, 0, 1, b"Ada"),
    "a nonce as text": put(4, 0, 2, "x" * 32),
    "a nonce of 31 bytes": put(4, 0, 2, bytes(31)),
    "an anchor of 33 bytes": put(4, 0, 3, bytes(33)),
    "another's key, mirrored": lambda v: put(4, 0, 0, v[4][1][0])(v),
    "another's nonce, mirrored": lambda v: put(4, 0, 2, v[4][1][2])(v),
    "another's anchor, mirrored": lambda v: put(4, 0, 3, v[4][1][3])(v),
}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG)
def test_what_is_no_genesis(change: Callable[[list[Any]], Any]) -> None:
    with pytest.raises(Malformed):
        parse(changed(change), GAMES)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ([["rounds", 2], ["claims", "no"], ["rounds", 2]], "name of its own"),
        ([["rounds", 2], ["claims", "no"], [7, 2]], "name of its own"),
        ([["rounds", 2], ["claims", "no"], [["rounds"], 2]], "name of its own"),
        ([["rounds", 2], ["claims", b"no"]], "neither an integer nor a text"),
        ([["rounds", 2], ["claims", ["no"]]], "neither an integer nor a text"),
    ],
)
def test_options_are_well_formed_before_the_game_sees_them(options: list[Any], why: str) -> None:
    """Above all, none stands twice: two geneses with two ids would mean the same."""
    with pytest.raises(Malformed, match=why):
        parse(changed(put(3, options)), GAMES)


def test_options_that_so_many_players_cannot_play_by_are_damage_and_no_failure() -> None:
    """Russia is bid for at tables of two and four; a forged genesis of five says so all the same."""
    five = (
        *map(person, range(4)),
        replace(person(0), key=Identity(bytes([9]) * 32).key, nonce=b"n" * 32, anchor=b"a" * 32),
    )
    value: Any = decode(make(SPIES, {}, five).body)
    value[3][0][1] = "bid"
    with pytest.raises(Malformed, match="So many players"):
        parse(encode(value), {SPIES.name: SPIES})
    with pytest.raises(OptionError):
        make(SPIES, {"allocation": "bid"}, five)


def test_the_number_of_options_is_limited_before_the_game_sees_them() -> None:
    many = [[f"o{number}", 1] for number in range(33)]
    with pytest.raises(Malformed, match="short array"):
        parse(changed(put(3, many)), GAMES)
    with pytest.raises(Malformed, match="not among those"):
        parse(changed(put(3, many[:32])), GAMES)


def test_the_length_of_an_options_value_is_limited_before_the_game_sees_it() -> None:
    with pytest.raises(Malformed, match="not among those"):
        parse(changed(put(3, 1, ["claims", "x" * 2048])), GAMES)


@pytest.mark.parametrize("version", [0, 1, 3, 255, 2**53 - 1])
def test_row_11_another_version_of_protocol_rules_or_game_is_said_to_be_unsupported(version: int) -> None:
    """Each by name, so that nobody takes a downgrade for damage; also when nothing else is as it is today."""
    for body in (changed(put(0, version)), encode([version]), encode([version, "what", "ever"])):
        with pytest.raises(Unsupported, match="of the protocol"):
            parse(body, GAMES)
    if version != TOY.version:
        with pytest.raises(Unsupported, match="of the rules"):
            parse(changed(put(2, version)), GAMES)
    with pytest.raises(Unsupported, match="does not know"):
        parse(changed(put(1, "ludo")), GAMES)


def test_row_11_no_version_or_option_can_be_talked_down_after_the_players_agreed() -> None:
    """Whatever is changed in the genesis, the signatures of the players are for another match."""
    table = Table(0, game=TOY, options={"rounds": 2})
    agree = table.seats[0].persist()[0]
    Referee(table.begun).admit_statement(parse_statement(agree.payload))
    players = table.begun.players
    other_rules = type(
        "Other", (), {**{n: getattr(TOY, n) for n in dir(TOY) if not n.startswith("__")}, "version": 2}
    )()
    for other in (
        make(TOY, {"rounds": 1}, players),
        make(TOY, table.begun.options, (replace(players[0], name="Eve"), players[1])),
        make(TOY, table.begun.options, (players[0], replace(players[1], key=KEYS[3].key))),
        make(other_rules, table.begun.options, players),
    ):
        with pytest.raises(Forged):
            Referee(other).admit_statement(parse_statement(agree.payload))


def test_options_that_the_game_does_not_offer_are_refused_before_anything_is_sent() -> None:
    with pytest.raises(OptionError):
        make(TOY, {"rounds": 9}, tuple(map(person, range(2))))


@pytest.mark.parametrize(
    "name", ["Ada", "A", "x" * 32, "Ada Lovelace", "Žofie", "阿达", "Ada 3", "o'Brien", "♥", "ا"]
)
def test_names_that_people_have(name: str) -> None:
    check_name(name)
    assert player([KEYS[0].key, name, bytes(32), bytes(32)]).name == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        " Ada",
        "Ada ",
        "x" * 33,
        "e\u0301",
        "A\x00",
        "A\x1b[31m",
        "A\nB",
        "A\u202eB",
        "A\u200bB",
        "A\u200dB",
        "A\ufeffB",
        "A\u2066B",
        "A\u00a0B",
        "A\u3000B",
        "A\u2028B",
        "A\ue000",
        "A\U000e0041",
        "A\u3164",
        "\u115f",
        "A\ufe0f",
        "\u2800",
        "A\u034f",
        "A\ud800",
    ],
    ids=ascii,
)
def test_row_24_names_that_could_pass_for_others_or_cannot_be_seen_are_refused(name: str) -> None:
    with pytest.raises(Malformed):
        check_name(name)
