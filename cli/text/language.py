"""The player's language: which one is wanted, and its catalogue.

Catalogues are made from `cli/locale/LANGUAGE/LC_MESSAGES/p2p_stratego.po` by `make words`.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from p2p_stratego.core import language
from p2p_stratego.core.language import _

ENGLISH: Final = "en"
AUTO: Final = "auto"
"""The language of the environment."""
NAMES: Final = {ENGLISH: "English", "de": "Deutsch", "nl": "Nederlands"}
"""Each language in its own words; only English needs no catalogue."""
DOMAIN: Final = "p2p_stratego"
FOLDER: Final = Path(__file__).parents[1] / "locale"
_brought: Final[dict[str, Path]] = {}
"""By domain: the folder of a catalogue that a package brings."""
_own: Final[list[gettext.NullTranslations]] = []
"""The catalogue that is spoken, if it is not English."""
_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
_MACHINES: Final = ("C", "POSIX")
"""Locales of programs that read other programs' output."""
_spoken: Final = [ENGLISH]
_PLAIN: Final = str.maketrans(
    {
        **dict(zip("äöüÄÖÜß", ("ae", "oe", "ue", "Ae", "Oe", "Ue", "ss"), strict=True)),
        **dict(zip("–—…É", ("-", "-", "...", "E"), strict=True)),
        **dict.fromkeys("éèêë", "e"),
        **dict.fromkeys("áàâ", "a"),
        **dict.fromkeys("íìîï", "i"),
        **dict.fromkeys("óòô", "o"),
        **dict.fromkeys("úùû", "u"),
        **dict.fromkeys("„“”«»", '"'),
        **dict.fromkeys("‚‘’", "'"),
    }
)
"""Letters of the catalogues for terminals that show ASCII alone."""


class _Plain:
    """A catalogue without letters beyond ASCII; an English sentence that it returns stays as it is."""

    def __init__(self, catalogue: language.Catalogue) -> None:
        self._catalogue = catalogue

    def gettext(self, message: str, /) -> str:
        translation = self._catalogue.gettext(message)
        return translation if translation is message else translation.translate(_PLAIN)

    def pgettext(self, context: str, message: str, /) -> str:
        translation = self._catalogue.pgettext(context, message)
        return translation if translation is message else translation.translate(_PLAIN)

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        return self._catalogue.ngettext(singular, plural, n).translate(_PLAIN)


def of_environment(environment: Mapping[str, str]) -> str:
    """The language that `environment` asks for, as gettext reads it; English if this program lacks it.

    LANGUAGE may name several, the best first; it counts for nothing in the locales C and POSIX.
    """
    locale = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    if _base(locale, ".@") in _MACHINES:
        return ENGLISH
    wanted = [*environment.get("LANGUAGE", "").split(":"), locale]
    return next((base for base in (_base(name, "_.@-").lower() for name in wanted) if base in NAMES), ENGLISH)


def _base(locale: str, ends: str) -> str:
    """`locale` up to the first of `ends`."""
    return next((locale[:at] for at, sign in enumerate(locale) if sign in ends), locale)


def bring(domain: str, folder: Path) -> None:
    """Speak by the catalogues `folder`/LANGUAGE/LC_MESSAGES/`domain`.mo, too, from now on.

    Raises OSError or another error of gettext for a broken one, and then takes none.
    """
    for code in NAMES:  # all now, and gettext keeps them: a player may change the language later [T122]
        gettext.translation(domain, folder, [code], fallback=True)
    _brought[domain] = folder
    _add(domain)


def forget(domain: str) -> None:
    """Speak by the catalogues of `domain` no longer, from the next `install` on."""
    _brought.pop(domain, None)


def _add(domain: str) -> None:
    for own in _own:  # behind ours, so that no package changes our sentences
        own.add_fallback(gettext.translation(domain, _brought[domain], [spoken()], fallback=True))


def install(wanted: str, environment: Mapping[str, str] = os.environ, *, ascii_only: bool = False) -> str:
    """Speak the language `wanted` (a key of NAMES, or AUTO) in this process; the one that is spoken now."""
    code = of_environment(environment) if wanted == AUTO else wanted
    catalogue = None
    if code != ENGLISH:
        catalogue = gettext.translation(DOMAIN, FOLDER, [code], fallback=True)
    language.install(catalogue, _Plain(catalogue) if catalogue and ascii_only else None)
    _spoken[:], _own[:] = [code], [catalogue] if catalogue else []
    for domain in _brought:
        _add(domain)
    return code


def catalogue() -> gettext.NullTranslations:
    """The catalogue of the language that is spoken; of English an empty one."""
    return _own[0] if _own else gettext.NullTranslations()


def spoken() -> str:
    """The language of this process, a key of NAMES."""
    return _spoken[0]


def yes_or_no(text: str) -> bool | None:
    """The answer in `text`: the word or its first letter; None if it is neither."""
    typed = text.strip().lower()
    for answer, words in ((True, ("yes", _("yes"))), (False, ("no", _("no")))):
        if any(typed in (word, word[:1]) for word in words):
            return answer
    return None


def on_or_off(text: str) -> bool | None:
    """The switch in `text`, in English or as it is shown; None if it is neither."""
    typed = text.strip().lower()
    return True if typed in ("on", _("on")) else False if typed in ("off", _("off")) else None


def leaves(text: str) -> bool:
    """Whether `text` is a word to leave with, in English or as it is shown."""
    return text.strip().lower() in ("q", "quit", "leave", "exit", _("leave"))
