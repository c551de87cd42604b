"""The game, and the variant of it, that a command line asks for."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from cli.games.interface import NotPossible
from cli.games.setup_store import from_file
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.shared_options import NO_CLOCK, clock_seconds, place
from cli.text.sanitize import escape
from p2p_stratego.core.game import Game, OptionError, Options, Seat
from p2p_stratego.core.language import _
from p2p_stratego.core.narration import either, listed
from p2p_stratego.registry import ENTRIES, GAMES
from protocol.lobby.handshake import Terms
from protocol.record.pace import Pace
from protocol.record.time_control import TimeControl

FEWEST_IN_ESCROW: Final = 2
"""Players whom it takes at least to open the cards of another."""


def chosen(arguments: argparse.Namespace) -> tuple[Game[Any], Options]:
    """The game and its complete options.

    Raises OptionError, and Sorry for a folder in place of a file or for an option of another game.
    """
    fields = {field.name: field for field in ENTRIES[arguments.game].options}
    names = {field.name for entry in ENTRIES.values() for field in entry.options}
    given = {name: value for name in names if (value := getattr(arguments, place(name), None)) is not None}
    for name in sorted(given.keys() - fields.keys()):
        raise _of_another(name)
    for name, value in given.items():
        if name in fields and isinstance(value, str):
            try:
                given[name] = fields[name].values.read(value, _read)
            except OptionError as error:
                # The fault of a file, or of the word that should have been one of the option's.
                code = Exit.USAGE if _read(value) is None else Exit.DATA
                raise Sorry(escape(str(error)), code) from error
    game = GAMES[arguments.game]
    return game, game.options(given)


def at_table(arguments: argparse.Namespace) -> Terms:
    """The match that the command line asks for: game, options, and the number of seats.

    Raises as `chosen`, and Sorry for a number of seats that the game does not take.
    """
    game, options = chosen(arguments)
    title, count = ENTRIES[game.name].title, seats(arguments, game)
    escrow = arguments.escrow
    if escrow and (wrong := _no_escrow(game, title, count, escrow)):
        raise Sorry(wrong, Exit.USAGE)
    pace = Pace[getattr(arguments, "each", "live").upper()]
    proofs = arguments.proofs or game.needs_proofs
    seat = _seat(getattr(arguments, "seat", None), seat_words(game, options, count))
    clock = _clock(arguments, pace)
    return Terms(game, options, count, seat, proofs=proofs, escrow=escrow, pace=pace, clock=clock)


def seats(arguments: argparse.Namespace, game: Game[Any]) -> int:
    """The number of seats that the command line asks for.  Raises Sorry if the game does not take it."""
    title, counts = ENTRIES[game.name].title, game.seat_counts
    if arguments.teams:
        counts = tuple(n for n in counts if len(game.sides(n)) < n)
        if not counts:
            raise Sorry(_("{title} has no teams.", title=title), Exit.USAGE)
    wanted = arguments.seats or (counts[-1] if arguments.teams else counts[0])
    if wanted not in counts:
        several = _("{map} or ", map=", ".join(map(str, counts[:-1]))) * (len(counts) > 1)
        many = f"{several}{counts[-1]}"
        raise Sorry(
            (
                _("{title} is for {many} players in teams.", title=title, many=many)
                if arguments.teams
                else _("{title} is for {many} players.", title=title, many=many)
            ),
            Exit.USAGE,
        )
    return wanted


def seat_words(game: Game[Any], options: Options, seats: int) -> Sequence[Mapping[str, str]]:
    """Of each seat the words that choose it, and how each is shown.

    Raises Sorry for options that so many players cannot have.
    """
    own = ENTRIES[game.name].seats
    if own is None:
        return [{name: _(name)} for name in game.seat_names(seats)]
    try:
        return own.load()(seats, options)
    except OptionError as error:
        raise Sorry(escape(str(error)), Exit.USAGE) from error


def _seat(typed: str | None, words: Sequence[Mapping[str, str]]) -> Seat:
    """The seat that is called so, by a word of its own in English or as it is shown, or by its number.

    Raises Sorry if none is, or more than one.
    """
    if typed is None:
        return 0
    name = typed.strip().casefold()
    seats = [
        seat
        for seat, own in enumerate(words)
        if name == str(seat + 1)
        or any(name and title.casefold().startswith(name) for title in (*own, *own.values()))
    ]
    if len(seats) == 1:
        return seats[0]
    offered = either([word for own in words for word in own])
    raise Sorry(
        _(
            "With {count} players --seat is {offered}, or a number from 1 to {count}, and not “{typed}”.",
            offered=offered,
            count=len(words),
            typed=escape(typed, 40),
        ),
        Exit.USAGE,
    )


def _clock(arguments: argparse.Namespace, pace: Pace) -> TimeControl | None:
    """The clock that the command line asks for.  Raises Sorry for one at a slower pace."""
    text = getattr(arguments, "clock", None) or NO_CLOCK
    seconds = clock_seconds(text)
    if seconds is not None and pace is not Pace.LIVE:
        raise Sorry(_("A clock is for a live game: leave --clock out, or --pace."), Exit.USAGE)
    return None if seconds is None else TimeControl(*seconds)


def _no_escrow(game: Game[Any], title: str, seats: int, escrow: int) -> str:
    """Why the match cannot have this escrow, and what would do; "" if it can."""
    if not game.needs_proofs:
        return _("{title} goes on without the key of a player who vanishes: leave --escrow out.", title=title)
    most = seats - 1
    if most < FEWEST_IN_ESCROW:
        return _(
            "Of two players, one would hold the key to all cards of the other: leave --escrow out, "
            "or take --seats 3 or more."
        )
    if escrow < FEWEST_IN_ESCROW:
        return _("With --escrow 1 each player alone could read all cards of the others: take 2 or more.")
    if escrow > most:
        many = _("2 to {most}", most=most) if most > FEWEST_IN_ESCROW else "2"
        return _(
            "At a table of {seats}, {most} are left when one vanishes: --escrow can be {many}, or 0.",
            seats=seats,
            most=most,
            many=many,
        )
    return ""


def _of_another(name: str) -> Sorry:
    """For an option that the chosen game does not have."""
    owners = [entry.name for entry in ENTRIES.values() if any(field.name == name for field in entry.options)]
    text = _(
        "--{name} belongs to {owners}: add --game {owner}, or leave --{name} out.",
        name=name,
        owners=listed(owners),
        owner=owners[0],
    )
    return Sorry(text, Exit.USAGE)


def _read(path: str) -> str | None:
    """The text of a file; None if there is none.  Raises OSError, and Sorry for a file that is too long."""
    with suppress(FileNotFoundError, ValueError):
        try:
            return from_file(path) if path else None
        except NotPossible as error:
            raise Sorry(str(error), Exit.DATA) from error
    return None
