"""Words for people: English sentences, and the catalogue that has them in another language.

The sentences in the sources are English, and are the keys of the catalogue.  Without a catalogue they are
shown as they stand.  A sentence names what varies in braces, so that a translation may put it elsewhere.
What peers send and what other programs read never comes through here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from typing import Final, Protocol, TypeVar

T = TypeVar("T")


class Catalogue(Protocol):
    """Sentences by their English; a missing one stays English.  `gettext.GNUTranslations` is a Catalogue."""

    def __hash__(self) -> int: ...
    def gettext(self, message: str, /) -> str: ...
    def ngettext(self, singular: str, plural: str, n: int, /) -> str: ...
    def pgettext(self, context: str, message: str, /) -> str: ...


_installed: list[Catalogue] = []
"""Empty for English; else two catalogues: the one for the screen, and the same with all its letters."""
_machine: Final = ContextVar("_machine", default=False)
"""Whether the text at hand is for a program."""


_accented: Final = ContextVar("_accented", default=False)
"""Whether the text at hand has all its letters, also where a screen has none beyond ASCII."""


def install(catalogue: Catalogue | None, shown: Catalogue | None = None) -> None:
    """Speak by `catalogue` from now on, in the whole process; None: English.

    `shown`: the same for a screen without letters beyond ASCII.
    """
    _installed[:] = [] if catalogue is None else [shown or catalogue, catalogue]


def _catalogue() -> Catalogue:
    return _installed[_accented.get()]


@contextmanager
def english() -> Iterator[None]:
    """Speak English within the block, and in tasks that begin there: for output that programs read."""
    before = _machine.set(True)
    try:
        yield
    finally:
        _machine.reset(before)


@contextmanager
def accented() -> Iterator[None]:
    """In this block, or in a function that it decorates, sentences keep all their letters.

    For readers of typed text: players have these letters on their keyboards, whatever their screens show.
    """
    before = _accented.set(True)
    try:
        yield
    finally:
        _accented.reset(before)


def translating() -> bool:
    """Whether sentences are translated here and now."""
    return bool(_installed) and not _machine.get()


def once_a_language(words: Callable[[], T]) -> Callable[[], T]:
    """`words`, worked out once for each catalogue: nobody may change their result."""
    kept = lru_cache(maxsize=8)(lambda _: words())

    @wraps(words)
    def now() -> T:
        return kept(_catalogue() if translating() else None)

    return now


def _(message: str, /, **fields: object) -> str:
    """`message` in the player's language, with each `{name}` filled from the field of that name.

    Without fields, braces stand for themselves.
    """
    if message and translating():
        message = _catalogue().gettext(message)
    return message.format(**fields) if fields else message


def _c(context: str, message: str, /, **fields: object) -> str:
    """`message` as `_` says it, in its sense within `context`: for a short word that has several.

    The context is a note for translators, and is never shown.
    """
    if message and translating():
        message = _catalogue().pgettext(context, message)
    return message.format(**fields) if fields else message


def n_(singular: str, plural: str, count: int, /, **fields: object) -> str:
    """The sentence for `count` in the player's language, with `{count}` and the fields filled in."""
    if translating():
        message = _catalogue().ngettext(singular, plural, count)
    else:
        message = singular if count == 1 else plural
    return message.format(count=count, **fields)


def mark(message: str, /) -> str:
    """`message` as it is: a sentence in a table, to be translated by `_` where it is shown."""
    return message


def mark_c(_context: str, message: str, /) -> str:
    """`message` as it is, to be translated by `_c` with the same context where it is shown."""
    return message


def mark_each(messages: str, /) -> tuple[str, ...]:
    """The messages between the commas, each as `mark` would have it; line breaks count as spaces."""
    return tuple(" ".join(message.split()) for message in messages.split(","))


def mark_each_c(_context: str, messages: str, /) -> tuple[str, ...]:
    """The messages between the commas, each as `mark_c` would have it."""
    return tuple(" ".join(message.split()) for message in messages.split(","))


def number(value: float, decimals: int = 0, *, sign: bool = False) -> str:
    """`value` with so many decimals, as people who read the player's language write it: "1,234.5"."""
    written = f"{value:{'+' if sign else ''},.{decimals}f}"
    if not translating():
        return written
    point, comma = _c("decimal point", "."), _c("between thousands", ",")
    return written.translate({ord("."): point, ord(","): comma})
