"""Slips on the command line: the refusal, and the probable meaning."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import Final

from cli.shell.exit_codes import Exit, Run, Sorry, Words, worded
from cli.shell.version import PROGRAM
from p2p_stratego.core.entry import OptionField, Text
from p2p_stratego.core.entry import Words as OneOf
from p2p_stratego.core.language import _
from p2p_stratego.core.narration import joined, listed
from p2p_stratego.registry import ENTRIES

_OF_A_GAME: Final = "--option"
_LIKE: Final = 0.6
"""Of 1: the similarity from which on a word is taken for another (difflib's usual value)."""
_SHOWN: Final = 40
_INVITE: Final = 60
"""Characters: every invite is longer, and no name, id or command is."""
_CODE: Final = re.compile(r"\d{1,3}-[A-Za-z]{2,7}-[A-Za-z]{2,7}")
_ID: Final = re.compile(r"[0-9a-fA-F]{6,32}")


def nearest(word: str, known: Collection[str]) -> str | None:
    """The word of `known` that `word` probably meant: the only word that begins so, or that has one letter
    more, or else the most similar word; None if none is similar.

    The dashes of options do not count.  A common beginning goes first: few people miss the first letters.
    """
    typed = word.lower().lstrip("-")
    plain = {name.lower().lstrip("-"): name for name in known}
    begun = [name for name in plain if typed and name.startswith(typed)]
    if len(begun) == 1:
        return plain[begun[0]]
    short = [name for name in plain if any(name[:at] + name[at + 1 :] == typed for at in range(len(name)))]
    if len(short) == 1:
        return plain[short[0]]
    close = get_close_matches(typed, plain, len(plain) or 1, _LIKE)
    # max takes the first of several, and they come by likeness.
    return plain[max(close, key=lambda name: _common(name, typed))] if close else None


def _common(word: str, other: str) -> int:
    """The length of the common beginning of two words."""
    pairs = enumerate(zip(word, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(word), len(other)))


def is_invite(text: str) -> bool:
    """Whether `text` was meant as an invite, perhaps with a letter wrong."""
    from protocol.rendezvous.invite import PREFIX

    return len(text) > _INVITE and re.sub(r"[\s|\u2502-]", "", text).upper().startswith(PREFIX)


def is_id(text: str) -> bool:
    """Whether `text` looks like the beginning of a game's id."""
    return _ID.fullmatch(text) is not None and any(map(str.isdigit, text))


def invite_elsewhere(run: Run) -> str:
    """The refusal of an invite in the place of another argument.  It is a secret, and never repeated."""
    return _("That is an invite: {command} takes it.", command=run("join INVITE"))


def command(word: str, commands: Collection[str], games: Collection[str], prog: str) -> Sorry:
    """For a `word` that is no command."""
    likely = nearest(word, commands)

    def refusal(run: Run) -> str:
        if is_invite(word):
            return invite_elsewhere(run)
        if _CODE.fullmatch(word):
            return _("That is a code: {command} takes it.", command=run(f"join {word}"))
        if word.lower() in games:
            play = run(f"play {word.lower()}")
            return _("“{word}” is a game, no command: {command} begins one.", word=word, command=play)
        if os.path.exists(word):
            return _(
                "“{file}” is a file, no command. Try {replay} or {audit}.",
                file=_cut(word),
                replay=run("replay FILE"),
                audit=run("audit FILE"),
            )
        return joined(_("There is no command “{word}”.", word=_cut(word)), meant(likely and run(likely)))

    return _usage(refusal, prog)


def value(word: str, name: str, known: Collection[str], prog: str) -> Sorry:
    """For a `word` that is not among the values of the option or argument `name`."""
    known = list(map(str, known))
    refusal = _(
        "{option} is one of {known}, and not “{word}”.", option=name, known=", ".join(known), word=_cut(word)
    )
    return _usage(joined(refusal, meant(nearest(word, known))), prog)


def _games_options() -> Iterator[OptionField]:
    return (field for entry in ENTRIES.values() for field in entry.options)


def option(flag: str, command_name: str, options: Mapping[str, Collection[str]], prog: str) -> Sorry:
    """For an option that the command has not.  `options`: of every command by its name."""
    name = flag.partition("=")[0]
    own = options[command_name]
    elsewhere = [other for other, flags in options.items() if name in flags]
    begun = any(other.startswith(name) for other in own)  # --seat, where --seats is meant
    behind = command_name == PROGRAM  # no command has been named yet
    hint = (
        _("Write it behind its command, such as {line}.", line=f"`{prog} {elsewhere[0]} {name} …`")
        if elsewhere and behind
        else _("It belongs to {commands}.", commands=listed(elsewhere))
        if elsewhere and not begun
        else meant(nearest(name, own))
    )
    if name == _OF_A_GAME:
        hint = _("Here each option of a game goes by its own name: --NAME VALUE.")
    elif _OF_A_GAME in own and name.removeprefix("--") in (field.name for field in _games_options()):
        hint = _("Here it is written {option}.", option=f"{_OF_A_GAME} {name.removeprefix('--')}=VALUE")
    refusal = _("“{command}” has no option {option}.", command=command_name, option=_cut(name))
    return _usage(joined(refusal, hint), prog)


def argument(word: str, command_name: str, prog: str, flags: Collection[str] = ()) -> Sorry:
    """For a word that the command does not take; `flags`: its options."""
    if is_invite(word):
        return _usage(invite_elsewhere, prog)
    hint = _("A code is one word, such as 7-amber-violin.") if command_name == "join" else ""
    names = (f"--{field.name}" for field in _games_options() if _is_value(word, field))
    named = next((name for name in names if name in flags), None)
    hint = hint or meant(named and f"{named} {word.lower()}")
    refusal = _("“{command}” takes no “{word}”.", command=command_name, word=_cut(word))
    return _usage(joined(refusal, hint), prog)


def _is_value(word: str, field: OptionField) -> bool:
    match field.values:
        case OneOf(words=known) | Text(names=known):
            return word.lower() in known
    return False


def meant(likely: str | None) -> str:
    """The question whether something was meant; "" without a likely thing."""
    return _("Did you mean {what}?", what=likely) if likely else ""


def _cut(word: str) -> str:
    return word if len(word) <= _SHOWN else word[: _SHOWN - 1] + "…"


def _usage(words: Words, prog: str) -> Sorry:
    return Sorry(
        lambda run: joined(worded(words, run), _("See `{program} --help`.", program=prog)), Exit.USAGE
    )
