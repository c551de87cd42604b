"""Games of installed packages: an entry point in the group `p2p_stratego.games` names a GameEntry.

    [project.entry-points."p2p_stratego.games"]
    liars-dice = "liars_dice.entry:ENTRY"

A package that is broken, or takes a name that is taken, is left out with a sentence; nothing else stops.  Its
catalogues stand beside its entry: `locale/LANGUAGE/LC_MESSAGES/GAME.mo`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, cast

from cli.shell import parser
from cli.shell.shared_options import place
from cli.text import language
from p2p_stratego import registry
from p2p_stratego.core.entry import GameEntry, Lazy
from p2p_stratego.core.game import Edition, Game, Version
from p2p_stratego.core.language import _
from p2p_stratego.registry import NotAdded

GROUP: Final = "p2p_stratego.games"
_RULES: Final = "rules"
"""The name of a folder of which all files are rules."""
MODULES: Final[dict[str, str]] = {}
"""By game of a package: the module of its entry."""
_SIGNS: Final = re.compile(r"[-_.]+")
_PACKAGE: Final = re.compile(r"(?=.{1,64}\Z)[a-z0-9]+(-[a-z0-9]+)*")
_packages: Final[dict[str, str]] = {}
PACKAGES: Final[Mapping[str, str]] = MappingProxyType(_packages)
"""By game: the package that it came with, its name normalised."""


def load() -> list[str]:
    """Add the games of all installed packages.  Returns a sentence about each that is left out."""
    sentences, seen = [], set[str]()
    for path in (path for folder in dict.fromkeys(sys.path) for path in described(folder or os.curdir)):
        package, name = os.path.basename(path), "?"
        try:
            # It reads about all packages, and costs each start 20 ms; so only where one has games.
            from importlib.metadata import Distribution

            distribution = Distribution.at(path)
            package = _normal(distribution.metadata["Name"])
            if package in seen:
                continue  # Python would import the one before
            seen.add(package)
            for point in distribution.entry_points.select(group=GROUP):
                name = point.name
                if _packages.get(name) != package:  # it may be here already
                    add(name, point.load(), point.module, package)
        except (Exception, SystemExit) as error:  # the code of others: whatever it does, ours goes on
            why = (str(error) or type(error).__name__).rstrip(".")
            sentences.append(
                _(
                    "The game {name} of the package {package} is left out: {why}.",
                    name=name,
                    package=package,
                    why=why,
                )
            )
    return sentences


def _normal(name: object) -> str:
    """The name of a package as installers normalise it (PEP 503).  Raises NotAdded."""
    package = _SIGNS.sub("-", name).lower() if isinstance(name, str) else ""
    if not _PACKAGE.fullmatch(package):
        raise NotAdded("its package has no name that a record can bear")
    return package


def described(folder: str) -> Iterator[str]:
    """The folders in `folder` that describe an installed package with games."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith((".dist-info", ".egg-info")))
    except OSError:
        return
    for path in (os.path.join(folder, name) for name in names):
        with suppress(OSError), open(os.path.join(path, "entry_points.txt"), "rb") as file:
            if b"[%b]" % GROUP.encode() in file.read():
                yield path


def add(name: str, entry: object, module: str, package: str) -> None:
    """List a game of `package`, its entry in `module`.  Raises NotAdded, and what its own code raises."""
    if not isinstance(entry, GameEntry) or entry.name != name:
        raise NotAdded("its entry point names no GameEntry of this name")
    taken = [field.name for field in entry.options if place(str(field.name)) in reserved()]
    if taken:
        raise NotAdded(f"its option {taken[0]} is one of this program")
    rules, locale = _Rules(entry.rules.place, package), _file(module).parent / "locale"
    if rules.load().name != entry.name:
        raise NotAdded("its rules bear another name")
    registry.add(replace(entry, rules=rules))
    _packages[entry.name], MODULES[entry.name] = package, module
    try:  # a fault of this game in command line or catalogues must not stop the others
        parser.parser()
        language.bring(entry.name, locale)
    except BaseException:  # SystemExit, too: `load` goes on after it
        remove(entry.name)
        raise


def remove(name: str) -> None:
    """List a game of a package no longer."""
    registry.remove(name)
    language.forget(name)
    del _packages[name], MODULES[name]


@cache
def reserved() -> frozenset[str]:
    """The places of the command line's flags and arguments that are no options of games."""
    of_games = {place(field.name) for entry in registry.ENTRIES.values() for field in entry.options}
    whole = parser.parser()
    actions = [
        action for command in (whole, *parser.commands_of(whole).values()) for action in command._actions
    ]
    flags = {place(flag.lstrip("-")) for action in actions for flag in action.option_strings}
    return (parser.ADDED | flags | {action.dest for action in actions}) - of_games


@dataclass(frozen=True, slots=True)
class _Rules(Lazy[Game[Any]]):
    """The rules of a package, with their edition in the place of the number that they state."""

    package: str

    def load(self) -> Game[Any]:
        """The rulebook.  Raises NotAdded, and what its own code raises."""
        return _edited(self.place, self.package)


class Edited:
    """A rulebook that bears an edition; everything else is its own."""

    def __init__(self, game: Game[Any], version: Edition) -> None:
        self._game = game
        self.version: Version = version

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


@cache
def _edited(place: str, package: str) -> Game[Any]:
    rules: Lazy[Game[Any]] = Lazy(place)
    game = rules.load()
    # By type, as a bool is an int; below 2^53, since the protocol has no larger integer (SPEC 3).
    if type(game.version) is not int or not 0 <= game.version < 1 << 53:
        raise NotAdded("its rules have no number for a version")
    return cast("Game[Any]", Edited(game, Edition(game.version, package, digest(place))))


def digest(place: str) -> bytes:
    """The hash (32 bytes) of the rules that stand at `place`, "package.module:name" (SPEC.md, section 5).

    What the rules import besides is no part of it: so the test kit refuses rules that import more than the
    core.
    """
    from protocol.wire import labels
    from protocol.wire.encoding import encode, tagged

    files = rules_at(place)[1]
    return tagged(labels.RULES)(encode([[name, path.read_bytes()] for name, path in files.items()]))


def rules_at(place: str) -> tuple[str, Mapping[str, Path]]:
    """The rules that stand at `place`: their module or package, and their files by name, ascending.

    In a folder called `rules` all files count, elsewhere the module alone.
    """
    module = place.partition(":")[0]
    file, parts = _file(module), module.split(".")
    if _RULES not in parts[:-1] and not (parts[-1] == _RULES and file.name == "__init__.py"):
        return module, {file.name: file}
    package = parts[: parts.index(_RULES) + 1]
    folder = _file(".".join(package)).parent
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.py"))
    return ".".join(package), {name: folder / name for name in names}


def _file(module: str) -> Path:
    spec = find_spec(module)
    if spec is None or spec.origin is None or not spec.has_location:
        raise NotAdded(f"{module} is no file")
    return Path(spec.origin)
