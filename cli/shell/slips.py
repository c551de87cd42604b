"""Slips on the command line: the refusal, and the probable meaning."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Final

from cli.shell.exit_codes import Exit, Run, Sorry, Words, worded
from p2p_stratego.core.language import _
from p2p_stratego.core.narration import listed, said

_LIKE: Final = 0.6
"""Of 1: how much alike two words must be for one to be taken for the other (difflib's usual value)."""
_SHOWN: Final = 40
_INVITE: Final = 60
"""Characters: every invite is longer, and no name, id or command is."""
_CODE: Final = re.compile(r"\d{1,3}-[A-Za-z]{2,7}-[A-Za-z]{2,7}")
_ID: Final = re.compile(r"[0-9a-fA-F]{6,32}")


def nearest(word: str, known: Collection[str]) -> str | None:
    """The one of `known` that `word` probably meant: the only one that begins so, that has one letter more,
    or that is the most alike.

    The dashes of options do not count, and what begins alike goes first: few people miss the first letters.
    """
    said = word.lower().lstrip("-")
    plain = {one.lower().lstrip("-"): one for one in known}
    begun = [one for one in plain if said and one.startswith(said)]
    if len(begun) == 1:
        return plain[begun[0]]
    short = [one for one in plain if any(one[:at] + one[at + 1 :] == said for at in range(len(one)))]
    if len(short) == 1:
        return plain[short[0]]
    found = get_close_matches(said, plain, len(plain) or 1, _LIKE)
    # max takes the first of several, and they come by likeness.
    return plain[max(found, key=lambda one: _common(one, said))] if found else None


def _common(one: str, other: str) -> int:
    """How many letters both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def is_invite(text: str) -> bool:
    """Whether `text` was meant as an invite, perhaps with a letter wrong."""
    from protocol.rendezvous.invite import PREFIX

    return len(text) > _INVITE and re.sub(r"[\s|\u2502-]", "", text).upper().startswith(PREFIX)


def is_id(text: str) -> bool:
    """Whether `text` looks like the beginning of a game's id."""
    return _ID.fullmatch(text) is not None and any(map(str.isdigit, text))


def invite_elsewhere(run: Run) -> str:
    """That an invite stands where something else belongs.  It is a secret, and not repeated."""
    return _("That is an invite: {command} takes it.", command=run("join INVITE"))


def command(word: str, commands: Collection[str], games: Collection[str], prog: str) -> Sorry:
    """For a `word` that is no command."""
    meant = nearest(word, commands)

    def told(run: Run) -> str:
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
        return said(_("There is no command “{word}”.", word=_cut(word)), _meant(meant and run(meant)))

    return _usage(told, prog)


def value(word: str, name: str, known: Collection[str], prog: str) -> Sorry:
    """For a `word` that is not among the values of the option or argument `name`."""
    known = list(map(str, known))
    told = _(
        "{option} is one of {known}, and not “{word}”.", option=name, known=", ".join(known), word=_cut(word)
    )
    return _usage(said(told, _meant(nearest(word, known))), prog)


def option(flag: str, command_name: str, options: Mapping[str, Collection[str]], prog: str) -> Sorry:
    """For an option that the command has not.  `options`: of every command by its name."""
    name = flag.partition("=")[0]
    own = options[command_name]
    elsewhere = [other for other, flags in options.items() if name in flags]
    begun = any(one.startswith(name) for one in own)  # --seat, where --seats is meant
    hint = (
        _("It belongs to {commands}.", commands=listed(elsewhere))
        if elsewhere and not begun
        else _meant(nearest(name, own))
    )
    told = _("“{command}” has no option {option}.", command=command_name, option=_cut(name))
    return _usage(said(told, hint), prog)


def argument(word: str, command_name: str, prog: str) -> Sorry:
    """For a word that the command does not take."""
    if is_invite(word):
        return _usage(invite_elsewhere, prog)
    hint = _("A code is one word, such as 7-amber-violin.") if command_name == "join" else ""
    told = _("“{command}” takes no “{word}”.", command=command_name, word=_cut(word))
    return _usage(said(told, hint), prog)


def _meant(what: str | None) -> str:
    return _("Did you mean {what}?", what=what) if what else ""


def _cut(word: str) -> str:
    return word if len(word) <= _SHOWN else word[: _SHOWN - 1] + "…"


def _usage(words: Words, prog: str) -> Sorry:
    return Sorry(lambda run: said(worded(words, run), _("See `{program} --help`.", program=prog)), Exit.USAGE)
