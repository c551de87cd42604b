"""Options that several commands take: ports, and the ways by which players reach each other."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import Any, Final

from p2p_stratego.core.language import _


def integer(fewest: int, most: int, noun: str) -> Callable[[str], int]:
    """A converter for an option that is an integer within limits."""

    def convert(text: str) -> int:
        # Cut before int(), which refuses a number of thousands of digits with an error of its own.
        if not (text.isascii() and text.isdigit()) or not fewest <= int(text[:12]) <= most:
            raise argparse.ArgumentTypeError(
                _(
                    "{text!r} is not {what}, {fewest} to {most}",
                    text=text,
                    what=noun,
                    fewest=fewest,
                    most=most,
                )
            )
        return int(text)

    return convert


def seconds(fewest: float, most: float) -> Callable[[str], float]:
    """A converter for an option that is a number of seconds within limits."""

    def convert(text: str) -> float:
        try:
            value = float(text[:12])
        except ValueError:
            value = -1.0
        if not fewest <= value <= most:  # "nan" is outside, too
            refusal = _(
                "{text} is no number of seconds, {least} to {most}",
                text=repr(text),
                least=f"{fewest:g}",
                most=f"{most:g}",
            )
            raise argparse.ArgumentTypeError(refusal)
        return value

    return convert


def share(text: str) -> float:
    """A converter for a share, 0 to 1."""
    try:
        value = float(text[:12])
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(_("{text} is no share, 0 to 1", text=repr(text)))
    return value


def elo_bounds(text: str) -> tuple[float, float]:
    """A converter for two differences in Elo, the lower one first: "0:10"."""
    try:
        lower, higher = (float(part[:12]) for part in text.split(":"))
    except ValueError:
        lower = higher = 0.0
    if not -1000 <= lower < higher <= 1000:
        raise argparse.ArgumentTypeError(
            _("{text} is no LOWER:HIGHER, differences in Elo such as 0:10", text=repr(text))
        )
    return lower, higher


def flag(parser: argparse._ActionsContainer, name: str, about: str) -> None:
    """An option without a value."""
    parser.add_argument(name, action="store_true", help=about)


def place(name: str) -> str:
    """The attribute of argparse's namespace that has the option `--name`."""
    return name.replace("-", "_")


def given(parser: argparse._ActionsContainer, name: str, metavar: str, about: str) -> None:
    """An option whose value is a text; None if it is not there."""
    parser.add_argument(name, metavar=metavar, help=about)


PACES: Final = ("live", "hour", "day", "week")
"""Names of the paces of a match, as protocol.record.pace has them."""
NO_CLOCK: Final = "none"
# (?a:): else \d takes the digits of every script.
_CLOCK: Final = re.compile(r"(?a:(\d{1,4})(?::([0-5]\d))?\+(\d{1,4})|(?:(\d{1,3}):)?(\d{1,4})/move)")


def clock(text: str) -> str:
    """A converter for a clock: `clock_seconds` reads what it gives."""
    if text != NO_CLOCK and clock_seconds(text) is None:
        raise argparse.ArgumentTypeError(
            _(
                "{text} is no clock: 15+10 is 15 minutes and 10 seconds for each decision (up to 600+600), "
                "60/move is 60 seconds for each (5 to 3600), and none is none",
                text=repr(text),
            )
        )
    return text


def clock_seconds(text: str) -> tuple[int, int | None] | None:
    """The seconds of a Fischer clock and its increment, or the seconds for each decision and None, within the
    limits of SPEC 2; None: it is no clock.

    "15+10", "1:30+5": minutes or minutes and seconds, and seconds; "60/move", "1:30/move".
    """
    parts = _CLOCK.fullmatch(text)
    if parts is None:
        return None
    minutes, seconds, increment, each_minutes, each_seconds = parts.groups()
    if increment is not None:
        initial, more = int(minutes) * 60 + int(seconds or 0), int(increment)
        return (initial, more) if 10 <= initial <= 36_000 and more <= 600 else None
    whole = int(each_minutes or 0) * 60 + int(each_seconds)
    return (whole, None) if 5 <= whole <= 3600 else None


def pace(parser: argparse.ArgumentParser, default: str) -> None:
    """How long each decision may take."""
    parser.add_argument(
        "--pace",
        dest="each",
        choices=PACES,
        default=default,
        help=_(
            "how long each player has for a decision before the others may call it absent; all agree to it; "
            "default: %(default)s"
        ),
    )


def agreed_clock(parser: argparse.ArgumentParser) -> None:
    """The time of each player for all its decisions, or for each."""
    parser.add_argument(
        "--clock",
        metavar="CLOCK",
        type=clock,
        help=_(
            "15+10: 15 minutes for each player, and 10 seconds more after each decision; 60/move: 60 seconds "
            "for each decision; none; all agree to it; default: as in your settings"
        ),
    )


def port(parser: argparse.ArgumentParser, default: int | None, about: str) -> None:
    parser.add_argument("--port", type=integer(0, 65535, _("a port")), default=default, help=about)


class _Engine(argparse.Action):
    """A program that plays: a text and its own options, appended to `engines`."""

    def __call__(self, _parser: object, space: argparse.Namespace, text: Any, *__: object) -> None:
        space.engines = [*(space.engines or ()), (text, {})]
        if hasattr(space, "players"):  # in an arena, in the order of its command line
            space.players = [*(space.players or ()), None]


class _EngineOption(argparse.Action):
    """An option of the engine that was named last."""

    def __call__(
        self, parser: argparse.ArgumentParser, space: argparse.Namespace, text: Any, *__: object
    ) -> None:
        name, equals, value = str(text).partition("=")
        if not (name and equals):
            parser.error(_("{text} is not NAME=VALUE", text=repr(text)))
        if not space.engines:
            parser.error(_("--engine-option is for an engine: name one with --engine first"))
        space.engines[-1][1][name] = value


def engines(parser: argparse.ArgumentParser, about: str) -> None:
    """Programs that play, and what they get."""
    group = parser.add_argument_group(_("engines: programs that play (docs/engines.md)"))
    group.add_argument("--engine", dest="engines", metavar="PROGRAM", action=_Engine, help=about)
    group.add_argument(
        "--engine-option",
        dest="engines",
        metavar="NAME=VALUE",
        action=_EngineOption,
        help=_("an option of the engine named before it; may be repeated"),
    )
    group.add_argument(
        "--engine-time",
        metavar="SECONDS",
        type=seconds(0.01, 3600),
        default=10.0,
        help=_("the most that an engine has for a decision; default: 10"),
    )


class _PlayersOnly(argparse.Action):
    """One option against every question to anybody besides the players."""

    def __call__(self, _parser: object, space: argparse.Namespace, *__: object) -> None:
        space.no_relay, space.upnp, space.nearby = True, False, False


def ways(parser: argparse.ArgumentParser, *, called: bool = True) -> None:
    """By which ways others are called and, if `called`, reach us."""
    group = parser.add_argument_group(_("ways to each other"))
    group.add_argument(
        "--relay",
        metavar="HOST:PORT",
        action="append",
        help=_("others can reach you through this relay, too; may be repeated")
        if called
        else _("with --relay-only: the relay to go through; may be repeated"),
    )
    proxy = group.add_mutually_exclusive_group()
    given(
        proxy,
        "--proxy",
        "URL",
        _("call through this SOCKS5 proxy alone, such as Tor's: socks5://127.0.0.1:9050"),
    )
    proxy.add_argument(
        "--no-proxy",
        dest="proxy",
        action="store_const",
        const="",
        help=_("not through the one in the settings"),
    )
    group.add_argument(
        "--relay-only",
        action=argparse.BooleanOptionalAction,
        help=_("only through the relays that you name: the others do not learn your address"),
    )
    flag(group, "--no-relay", _("never through a relay, whoever names it"))
    group.add_argument(
        "--players-only",
        action=_PlayersOnly,
        nargs=0,
        help=_("ask and tell nobody but the players: no relay, no router, nothing in the network around you"),
    )
    if called:
        group.add_argument(
            "--upnp",
            action=argparse.BooleanOptionalAction,
            help=_(
                "ask the router to let others in, by UPnP, NAT-PMP or PCP, or do not (P2P_STRATEGO_NO_UPNP)"
            ),
        )


def hidden(parser: argparse.ArgumentParser, about: str) -> None:
    parser.add_argument("--hidden", action="store_const", dest="nearby", const=False, help=about)
    parser.add_argument(
        "--no-hidden",
        action="store_const",
        dest="nearby",
        const=True,
        help=_("against --hidden in the settings"),
    )


def relay(parser: argparse.ArgumentParser) -> None:
    port(parser, 4001, _("port to listen on; default: %(default)s, 0 is any"))
    for flag, most, help_ in (
        ("--max-streams", 1_000_000, _("connections at one time; default: 4096")),
        ("--per-network", 1_000_000, _("the same of one address; default: 64")),
        ("--max-mib", 1_000_000, _("MiB of one pair; default: 1024")),
        ("--max-hours", 10_000, _("hours of one pair; default: 24")),
        ("--max-rate", 1_000_000, _("MiB a second of one pair; default: 2")),
    ):
        parser.add_argument(flag, type=integer(1, most, _("a number")), metavar="N", help=help_)
    parser.add_argument(
        "--metrics",
        type=integer(0, 65535, _("a port")),
        metavar="PORT",
        help=_("tell what it does at this port of this machine, for Prometheus; 0 is any"),
    )
