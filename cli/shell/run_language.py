"""The language of this run: chosen before the command line is read, whose help is in it already.

No word is refused here: the parser and the commands refuse it later.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from cli.shell.locations import given_in, locate
from cli.shell.settings import unicode_is_possible
from cli.text import language
from p2p_stratego.core import strict_json
from p2p_stratego.core.strict_json import NotJson

_OPTION = "--language"
_MOST_BYTES = 1 << 16
"""Of settings: more is no file of ours."""


def speak(words: Sequence[str]) -> None:
    """Install the catalogue for the command line `words`: by its option, else the setting, else the
    environment."""
    saved = _saved(words)
    wanted = _option(words) or saved.get("language")
    plain = "--ascii" in words or saved.get("ascii") is True
    language.install(
        wanted if isinstance(wanted, str) and wanted in language.NAMES else language.AUTO,
        ascii_only=plain or not unicode_is_possible(sys.stdout.encoding),
    )


def _option(words: Sequence[str]) -> str | None:
    """The word after the last `--language`."""
    for at in reversed(range(len(words))):
        flag, equals, value = words[at].partition("=")
        if flag == _OPTION:
            return value if equals else next(iter(words[at + 1 :]), None)
    return None


def _saved(words: Sequence[str]) -> dict[str, object]:
    """The settings, as far as they can be read: `protocol.storage` would make the folder."""
    try:
        with open(os.path.join(locate(given_in(words)), "settings.json"), "rb") as file:
            value = strict_json.read(file.read(_MOST_BYTES))
    except (OSError, NotJson, RuntimeError):
        return {}
    return value if isinstance(value, dict) else {}
