"""The arguments that each command takes, for `cli.shell.commands`."""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from typing import Final

from cli.shell.exit_codes import Exit, Sorry
from cli.shell.settings import NOTIFY
from cli.shell.shared_options import (
    agreed_clock,
    elo_bounds,
    engines,
    flag,
    given,
    hidden,
    integer,
    pace,
    port,
    seconds,
    share,
    ways,
)
from cli.text.language import AUTO, NAMES
from cli.text.theme import THEMES
from p2p_stratego.core.characters import NAMED, level_of
from p2p_stratego.core.entry import OptionField, Whole, Words
from p2p_stratego.core.language import _
from p2p_stratego.core.narration import either, listed
from p2p_stratego.registry import ENTRIES

MOST_SEATS: Final = 5
"""The largest table that the command line asks for; a game says which numbers it takes."""
SEEDS: Final = 2**53
"""How many seeds there are, from 0: whole numbers that every reader of JSON takes."""
SHELLS: Final = ("bash", "zsh", "fish", "tcsh")


def common(parser: argparse.ArgumentParser, default: object) -> None:
    """Options that may stand before the command as well as after it.

    After it their default is SUPPRESS: else it would overwrite an option that stands before the command.
    """
    group = parser.add_argument_group(_("everywhere"))
    group.add_argument(
        "--home",
        metavar="DIR",
        type=Path,
        default=default,
        help=_("folder of keys and games (P2P_STRATEGO_HOME)"),
    )
    group.add_argument(
        "--plain", action="store_true", default=default or False, help=_("plain lines, no full screen")
    )
    group.add_argument(
        "--ascii", action="store_true", default=default or False, help=_("draw with ASCII characters only")
    )
    group.add_argument(
        "--log",
        metavar="FILE",
        type=Path,
        default=default,
        help=_("trace for developers, nothing secret in it (P2P_STRATEGO_LOG)"),
    )
    group.add_argument("--theme", choices=THEMES, default=default, help=_("colours of the screen"))
    group.add_argument(
        "--language",
        choices=(AUTO, *NAMES),
        default=default,
        help=_("of all text; default: the environment's (LANGUAGE, LC_ALL, LC_MESSAGES, LANG)"),
    )


def json(parser: argparse._ActionsContainer) -> None:
    flag(parser, "--json", _("for machines: JSON on standard output"))


def _perhaps(parser: argparse.ArgumentParser, name: str, metavar: str, about: str) -> None:
    """An argument that may be left out."""
    parser.add_argument(name, metavar=metavar, nargs="?", help=about)


def _game(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    games = tuple(ENTRIES)
    about = _("default: {default}", default=default or games[0])
    parser.add_argument("--game", type=str.lower, choices=games, default=default, help=about)


def _option(group: argparse._ActionsContainer, field: OptionField, about: str, *, shared: bool) -> None:
    """One option of a game; if several games have it, its values are checked once the game is known."""
    name, values = f"--{field.name}", field.values
    about = about.replace("%", "%%")  # argparse fills its own fields in, and a package may write 50 % [T122]
    if shared:
        group.add_argument(name, help=about)
    elif isinstance(values, Words):
        group.add_argument(name, choices=values.words, help=about)
    elif isinstance(values, Whole):
        convert = integer(values.least, values.most, _(values.noun))
        group.add_argument(name, type=convert, help=about)
    else:
        given(group, name, values.metavar, about)


def _variant(parser: argparse.ArgumentParser) -> None:
    """The game, and the options of each; a game refuses those of the others."""
    _perhaps(parser, "title", "GAME", _("{games}; the same as --game", games=either(list(ENTRIES))))
    _game(parser)
    _options(parser)


def _options(parser: argparse.ArgumentParser) -> None:
    """The options of each game."""
    owners = defaultdict(list)
    for entry in ENTRIES.values():
        for field in entry.options:
            owners[field.name].append((entry.title, field))
    groups: dict[str, argparse._ArgumentGroup] = {}
    for several in owners.values():
        title = listed([title for title, _field in several])
        if title not in groups:
            groups[title] = parser.add_argument_group(title)
        shared, field = len(several) > 1, several[0][1]
        helps = "; ".join(f"{title}: {field.about}" for title, field in several)
        _option(groups[title], field, helps if shared else field.about, shared=shared)


def _levels() -> tuple[str, ...]:
    """The levels of the bots of all games."""
    return tuple(dict.fromkeys(level for entry in ENTRIES.values() for level in entry.bots))


def _levels_typed() -> tuple[str, ...]:
    """What names a level: itself, and its character."""
    levels = _levels()
    return (*levels, *(word for word, level in NAMED.items() if word != level and level in levels))


def _level(parser: argparse.ArgumentParser, about: str, *, by_ladder: bool = False) -> None:
    """`by_ladder`: who names none meets the right one for it, None; a script meets the usual one."""
    usual = _levels()[0]
    default = _("default: {level}, and at a terminal the right one for you", level=usual) if by_ladder else ""
    parser.add_argument(
        "--level",
        type=level_of,
        choices=_levels_typed(),
        default=None if by_ladder else usual,
        help=f"{about}; {default}" if by_ladder else _("{about}; default: %(default)s", about=about),
    )


_MOST_LESSONS: Final = 99
_MOST_THOUGHT: Final = 10_000


def _think(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--think",
        metavar="MS",
        type=integer(1, _MOST_THOUGHT, _("a number of milliseconds")),
        help=_("milliseconds, about, for each decision of a bot that looks ahead; default: 50"),
    )


def _own_seat(parser: argparse.ArgumentParser) -> None:
    given(parser, "--seat", "NAME", _("your own seat, by its colour, power or number; default: the first"))


def _count_of_seats(parser: argparse.ArgumentParser) -> None:
    """How many play, and whether in teams."""
    parser.add_argument(
        "--seats",
        type=integer(2, MOST_SEATS, _("a number of seats")),
        metavar="N",
        help=_("players at the table, bots included; default: the fewest that the game takes"),
    )
    flag(parser, "--teams", _("a table with teams; default: the largest one"))


def _seats(parser: argparse.ArgumentParser) -> None:
    """How many play, whether in teams, and how steps are proved."""
    _count_of_seats(parser)
    flag(
        parser,
        "--proofs",
        _("prove every step when it is made, and reveal nothing at the end; games with decks always do"),
    )
    parser.add_argument(
        "--escrow",
        type=integer(0, MOST_SEATS - 1, _("a number of players")),
        default=0,
        metavar="T",
        help=_(
            "with decks, 3 players or more: any T others together can open the cards of one who vanishes, "
            "so that the game goes on; they could also read them in secret; default: 0, nobody can"
        ),
    )


def _table(parser: argparse.ArgumentParser) -> None:
    """The arguments of every command that leads to a game."""
    given(parser, "--name", "NAME", _("the name that the others see"))
    called = parser.add_mutually_exclusive_group()
    called.add_argument(
        "--notify",
        choices=NOTIFY,
        help=_(
            "how you are told that it is your turn: a sound, a notification of your terminal (OSC 9, OSC "
            "777), the command in your settings, or nothing"
        ),
    )
    called.add_argument(
        "--no-bell", dest="notify", action="store_const", const="off", help=_("the same as --notify off")
    )
    flag(parser, "--no-notes", _("hide the notes on the enemy's hidden things"))
    flag(parser, "--no-animation", _("show at once what happens, without motion"))
    flag(parser, "--coach", _("one sentence on what matters now (F6)"))


def play(parser: argparse.ArgumentParser) -> None:
    _variant(parser)
    _seats(parser)
    _own_seat(parser)
    agreed_clock(parser)
    _table(parser)
    _level(parser, _("every bot"), by_ladder=True)
    _think(parser)
    engines(parser, _("a program that plays in the place of a bot; may be repeated"))


def learn(parser: argparse.ArgumentParser) -> None:
    taught = [entry.name for entry in ENTRIES.values() if entry.lesson is not None]
    parser.add_argument(
        "game",
        metavar="GAME",
        nargs="?",
        choices=taught,
        help=_("{games}; without one all lessons are listed", games=either(list(taught))),
    )
    parser.add_argument(
        "number",
        metavar="NUMBER",
        nargs="?",
        type=integer(1, _MOST_LESSONS, _("the number of a lesson")),
        help=_("of the lesson; without it the first that you have not learnt"),
    )
    flag(parser, "--new", _("begin anew, though a lesson was left"))
    _table(parser)


def host(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--with",
        dest="friends",
        metavar="WHO",
        action="append",
        default=[],
        help=_("ask this friend to sit down, by name or fingerprint; may be repeated"),
    )
    _hosting(parser)


def again(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("who", metavar="WHO", help=_("a friend, by name or fingerprint: see contacts"))
    _hosting(parser)


def wait(parser: argparse.ArgumentParser) -> None:
    port(parser, None, _("listen there from now on; friends are told in the next game with them"))
    _address(parser, _("address to tell friends, e.g. your router's; may be repeated"))
    _table(parser)
    ways(parser)


def contacts(parser: argparse.ArgumentParser) -> None:
    _perhaps(parser, "action", "ACTION", _("name, block, unblock or forget; default: list them all"))
    _perhaps(parser, "who", "WHO", _("a contact, by name or fingerprint"))
    _perhaps(
        parser, "called", "NAME", _("with name: what you call that player; nothing: the player's own name")
    )
    json(parser)


def _address(parser: argparse.ArgumentParser, about: str) -> None:
    parser.add_argument("--address", metavar="HOST[:PORT]", action="append", help=about)


def _hosting(parser: argparse.ArgumentParser) -> None:
    _variant(parser)
    _seats(parser)
    _own_seat(parser)
    parser.add_argument(
        "--bots",
        type=integer(0, MOST_SEATS - 1, _("a number of bots")),
        default=0,
        metavar="K",
        help=_("seats for bots of this program; more can be seated in the lobby"),
    )
    _level(parser, _("the bots"))
    _think(parser)
    engines(parser, _("a program that plays in the place of a bot; may be repeated"))
    flag(parser, "--watch", _("print an invite to watch, too"))
    pace(parser, "live")
    agreed_clock(parser)
    _table(parser)
    port(parser, 0, _("port to listen on; default: any that is free"))
    _address(parser, _("address to put in the invite, e.g. your router's; may be repeated"))
    parser.add_argument(
        "--minutes",
        type=integer(1, 10080, "minutes"),
        default=60,
        help=_("how long the invite is good; default: 60"),
    )
    flag(parser, "--qr", _("show the invite as a QR code too"))
    ways(parser)
    hidden(parser, _("do not tell this network that your game is open (P2P_STRATEGO_HIDDEN)"))


def join(parser: argparse.ArgumentParser) -> None:
    _perhaps(
        parser, "invite", "INVITE", _("or a code; without it games nearby are listed; - is standard input")
    )
    port(parser, 0, _("port to listen on for the other players; default: any that is free"))
    _table(parser)
    ways(parser)
    hidden(parser, _("without an invite: do not ask this network for games (P2P_STRATEGO_HIDDEN)"))


def watch(parser: argparse.ArgumentParser) -> None:
    _perhaps(parser, "invite", "INVITE", _("asked for if it is missing; - is standard input"))
    ways(parser, called=False)


def resume(parser: argparse.ArgumentParser) -> None:
    _perhaps(parser, "match", "GAME", _("the start of its id; default: the only one that can go on"))
    port(parser, None, _("listen there; default: where you did before"))
    given(
        parser,
        "--at",
        "[SEAT=]HOST[:PORT]",
        _("where another player is now; default: where it was last, and the port of then"),
    )
    _table(parser)
    engines(parser, _("the program that played in the place of a bot; may be repeated"))
    flag(parser, "--show-address", _("go on straight in a game in which you hid your address"))
    ways(parser)


def post(parser: argparse.ArgumentParser) -> None:
    _perhaps(parser, "match", "GAME", _("the start of its id; default: the only one that can go on"))
    parser.add_argument(
        "--new",
        dest="title",
        metavar="TITLE",
        help=_("offer a new game of two, {games}: the options below say which", games=either(list(ENTRIES))),
    )
    given(parser, "--to", "SEAT", _("for this seat only; default: all others"))
    parser.add_argument(
        "-o", dest="output", metavar="FILE", help=_("write a file, not text for a mail; - is standard output")
    )
    flag(parser, "--all", _("the whole game, whatever the other one has"))
    flag(
        parser,
        "--only-copy",
        _("you are sure that you played it nowhere else: a copied or restored game signs again"),
    )
    flag(parser, "--yes", _("say yes to what --only-copy asks"))
    json(parser)
    pace(parser, "day")
    given(parser, "--name", "NAME", _("the name that the other one sees"))
    flag(parser, "--proofs", _("prove every step when it is made"))
    _options(parser)
    parser.set_defaults(game=None, seats=2, teams=False, escrow=0)


def take(parser: argparse.ArgumentParser) -> None:
    _perhaps(parser, "file", "FILE", _("a post, or a mail with posts in it; - is standard input"))
    flag(parser, "--yes", _("say yes to the new game that it begins"))
    flag(parser, "--only", _("do not sit down at the table afterwards"))
    given(parser, "--name", "NAME", _("the name that the other one sees"))
    json(parser)


def audit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help=_("a transcript, a folder of them, or the start of a game's id; - is standard input"),
    )
    json(parser)
    flag(parser, "--every-signature", _("verify each signature, even where an END endorses them all"))
    flag(parser, "--every-proof", _("check each proof about cards, even where an END endorses them all"))
    parser.add_argument(
        "--proof", metavar="OUT", type=Path, help=_("write the proof of a fault to this file")
    )


def one_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", help=_("a transcript, or the start of a game's id; - is standard input")
    )


def replay(parser: argparse.ArgumentParser) -> None:
    _perhaps(parser, "file", "FILE", _("a transcript, or the start of a game's id; - is standard input"))
    parser.add_argument(
        "--example",
        metavar="NAME",
        nargs="?",
        const="",
        help=_("a game with notes that came with the program; without a name: the list of them"),
    )
    flag(parser, "--analysis", _("begin with the analysis beside the board, as the key a opens it"))
    json(parser)


def _with_puzzles(name: str) -> str:
    """The name of a game as puzzles are asked for.  Raises Sorry for one of our games that has none."""
    entry = ENTRIES.get(name.lower())
    if entry is None or entry.puzzles is not None:
        return name.lower()
    able = listed([_(game.title) for game in ENTRIES.values() if game.puzzles is not None])
    raise Sorry(
        _("{game} has no puzzles yet; {games} have them.", game=_(entry.title), games=able), Exit.UNSUPPORTED
    )


def puzzle(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "number",
        metavar="NUMBER",
        nargs="?",
        type=integer(1, 9999, _("a number")),
        help=_("one of the puzzles, the easiest first; default: that of the day"),
    )
    games = [name for name, entry in ENTRIES.items() if entry.puzzles is not None]
    parser.add_argument(
        "--game", type=_with_puzzles, choices=games, help=_("one game alone; default: all that have puzzles")
    )
    given(parser, "--answer", "ANSWER", _("answer at once, as one types it, and see whether it is right"))
    json(parser)


def export(parser: argparse.ArgumentParser) -> None:
    one_file(parser)
    form = parser.add_mutually_exclusive_group()
    json(form)
    flag(form, "--record", _("in the game's own notation, which replay reads"))
    form.add_argument(
        "--html",
        metavar="OUT",
        type=Path,
        help=_(
            "write a page for any browser to this file: the board, the history, and a check of the record"
        ),
    )
    flag(parser, "--mistakes", _("with --html: your costliest decisions on the page, to be tried again"))
    form.add_argument(
        "--share",
        metavar="FOLDER",
        type=Path,
        help=_("make this folder for a friend: the page, a picture of where it turned, and three lines"),
    )
    form.add_argument("--svg", metavar="OUT", type=Path, help=_("write a picture of the end to this file"))
    form.add_argument("--cast", metavar="OUT", type=Path, help=_("write the game for asciinema to this file"))
    parser.add_argument(
        "--film",
        metavar="STEPS",
        nargs="?",
        type=integer(2, 60, _("a number of steps")),  # some 8 KB each
        const=12,
        help=_("with --svg: a short film of the last steps, 12 if no number is named"),
    )


def analyse(parser: argparse.ArgumentParser) -> None:
    one_file(parser)
    given(parser, "--seat", "NAME", _("the decisions of one seat or player alone"))
    parser.add_argument(
        "--time",
        metavar="SECONDS",
        type=seconds(0.01, 600),
        default=2.0,
        help=_("the most that the bot may think about a decision; default: 2"),
    )
    json(parser)


def mistakes(parser: argparse.ArgumentParser) -> None:
    one_file(parser)
    given(parser, "--seat", "NAME", _("the decisions of this seat or player; default: your own"))


def setups(parser: argparse.ArgumentParser) -> None:
    _perhaps(parser, "which", "NAME|FILE", _("one of yours, a template, or a file"))
    parser.add_argument(
        "number",
        metavar="N",
        nargs="?",
        type=integer(1, 999999, _("a number")),
        default=1,
        help=_("the N-th in it"),
    )
    given(parser, "--save", "NAME", _("keep it under this name"))
    games = [entry for entry in ENTRIES.values() if entry.setups]
    _game(parser, games[0].name)
    for field in {
        field.name: field for entry in games for field in entry.options if field.of_setups
    }.values():
        _option(parser, field, field.about, shared=len(games) > 1)


def rules(parser: argparse.ArgumentParser) -> None:
    about = _("a game, a soldier or piece by name or rank, or both, as in `spies discovery`")
    parser.add_argument("topic", metavar="TOPIC", nargs="*", help=about)
    _game(parser)


def doctor(parser: argparse.ArgumentParser) -> None:
    port(parser, 0, _("try whether this port is free for `host`"))
    flag(
        parser,
        "--reach",
        _("ask the router, and the relays and the proxy named, what a friend from outside will meet"),
    )
    ways(parser)
    json(parser)


def referee(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help=_("a scenario (JSON, see docs/scenarios.md), or a folder of them; - is standard input"),
    )


def demo(parser: argparse.ArgumentParser) -> None:
    _variant(parser)
    _seats(parser)
    parser.add_argument(
        "--games", type=integer(1, 10000, _("a number of games")), default=1, help=_("how many, one by one")
    )
    parser.add_argument(
        "--seed",
        type=integer(0, SEEDS - 1, _("a seed")),
        help=_("the same records every time, no secrets; with 3 seats or more, in part in another order"),
    )
    _level(parser, _("all bots"))
    pace = parser.add_mutually_exclusive_group()
    pace.add_argument(
        "--fast", action="store_const", dest="pace", const="fast", help=_("do not wait between moves")
    )
    pace.add_argument(
        "--slow", action="store_const", dest="pace", const="slow", help=_("wait so that one can read along")
    )
    json(parser)


def arena(parser: argparse.ArgumentParser) -> None:
    _variant(parser)
    _count_of_seats(parser)
    parser.add_argument(
        "--level",
        dest="players",
        type=level_of,
        choices=_levels_typed(),
        action="append",
        help=_("a bot of this program plays; default: agent, then recruit"),
    )
    _think(parser)
    engines(parser, _("a program plays; two players in all, the first one named is the first"))
    parser.add_argument(
        "--games", type=integer(1, 1_000_000, _("a number of games")), default=400, help=_("default: 400")
    )
    parser.add_argument(
        "--seed",
        type=integer(0, SEEDS - 1, _("a seed")),
        help=_(
            "the same games every time, if the players take their chance from it; default: 1, and with "
            "--engine a secret one"
        ),
    )
    parser.add_argument(
        "--sprt",
        metavar="LOWER:HIGHER",
        type=elo_bounds,
        help=_("stop once it is decided whether the first is stronger by HIGHER Elo, or only by LOWER"),
    )
    parser.add_argument(
        "--at-least",
        metavar="SHARE",
        type=share,
        help=_("exit with 60 if the first wins a smaller share of the games, e.g. 0.75"),
    )
    parser.add_argument(
        "--records", metavar="OUT", type=Path, help=_("write a list of all games to this file, as text")
    )
    json(parser)


def completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", nargs="?", choices=SHELLS)
    flag(parser, "--game-ids", _("print the ids of saved games instead, for completion itself"))


def stats(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "player",
        metavar="PLAYER",
        nargs="?",
        help=_("a name, or the start of a fingerprint or key; default: the player of this home folder"),
    )
    parser.add_argument(
        "--game", type=str.lower, choices=tuple(ENTRIES), help=_("one game alone; default: all")
    )
    parser.add_argument(
        "--also",
        metavar="FILE",
        action="append",
        default=[],
        help=_("count this transcript, folder or archive's club/ID, too; any number of times"),
    )
    flag(parser, "--afresh", _("audit every record again, and not only the new ones"))
    json(parser)


_ACTIONS: Final = ("new", "pair", "take", "rule", "withdraw", "table", "key")
_SYSTEMS: Final = ("round-robin", "swiss", "knockout")
_RESULTS: Final = ("1-0", "1/2-1/2", "0-1", "0-0")
"""As `cli.studies.tournament.event` has them, whose module takes longer to load."""


def tournament(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action",
        metavar="ACTION",
        nargs="?",
        choices=_ACTIONS,
        help=_(
            "new, pair (the next round), take (records), rule (on a dispute), withdraw (a player), table, "
            "key (your own)"
        ),
    )
    parser.add_argument("folder", metavar="FOLDER", nargs="?", help=_("the tournament's folder"))
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help=_("take: transcripts, or folders of them, from players; withdraw: the player"),
    )
    json(parser)
    parser.add_argument("--html", metavar="OUT", type=Path, help=_("table: write a page to this file"))
    made = parser.add_argument_group(_("a new tournament"))
    given(made, "--name", "NAME", _("what it is called"))
    made.add_argument("--game", type=str.lower, choices=tuple(ENTRIES), help=_("what is played"))
    made.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help=_("an option of the game, such as wall=3; may be repeated"),
    )
    made.add_argument("--system", choices=_SYSTEMS, default=_SYSTEMS[0], help=_("default: %(default)s"))
    made.add_argument("--rounds", type=integer(1, 255, _("a number of rounds")), help=_("of a Swiss system"))
    flag(made, "--double", _("a round robin with both seats"))
    made.add_argument(
        "--players", metavar="FILE", type=Path, help=_("a line KEY NAME for each, the best first")
    )
    made.add_argument(
        "--player", metavar="'KEY NAME'", action="append", default=[], help=_("one player; may be repeated")
    )
    flag(made, "--no-words", _("take any match of two players, though nothing in it tells of this event"))
    _ruled(parser.add_argument_group(_("a ruling, or a withdrawal")))


def _ruled(ruled: argparse._ArgumentGroup) -> None:
    given(ruled, "--at", "ROUND.TABLE", _("the pairing"))
    ruled.add_argument("--result", choices=_RESULTS, help=_("the director's"))
    ruled.add_argument(
        "--from",
        dest="start",
        metavar="ROUND",
        type=integer(1, 510, _("a number of rounds")),
        help=_("withdraw: the first round without the player; default: after the last result"),
    )
    given(ruled, "--why", "REASON", _("the reason, which the table tells"))
