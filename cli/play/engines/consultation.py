"""Consulting an engine: lines of JSON, strict both ways, as docs/engines.md has them.

No process here: lines go through a Pipe, and time is a clock's.  An engine that breaks the form is told so,
a few times; an engine that is late, silent or gone is Lost, and its game with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, NoReturn, Protocol, TypeAlias

from cli.play.engines.forms import GameTerms
from cli.play.engines.question import EngineQuestion, NotTaken
from cli.shell.version import program_version
from p2p_stratego.core import strict_json
from p2p_stratego.core.self_play import Decided

VERSION: Final = 1
"""Of the lines; it grows with every change that an engine could stumble over."""
LONGEST: Final = 1 << 14
"""Bytes of an engine's line, without its end."""
PATIENCE: Final = 8
"""Wrong lines in one game after which an engine is given up."""
READY_WITHIN: Final = 10.0
"""Seconds for "hello", and for "ready"."""
_NAME: Final = 40
"""Characters of an engine's name, and of an option's."""
_MOST_OPTIONS: Final = 32
_MOST_VALUES: Final = 64
_NUMBER: Final = re.compile("-?[0-9]{1,18}")
"""An integer that fits 64 bits, as all do in these lines."""
_TEXT: Final = 200
"""Characters of a text that an engine gives."""

OptionSetting: TypeAlias = bool | int | str


class LossCause(Enum):
    """Why an engine plays no further."""

    LATE = "late"
    GONE = "gone"
    """Its process ended, or closed its lines."""
    LONG = "long"
    """A line over LONGEST."""
    DEAF = "deaf"
    """It does not read what it is sent."""
    WRONG = "wrong"
    """No hello, another version, or too many wrong lines."""
    GAVE_UP = "gave up"
    """It said so itself."""
    RESIGNED = "resigned"


class Lost(Exception):
    """The engine plays no further; `cause`, and `text`: its own words or what was wrong, not escaped."""

    def __init__(self, cause: LossCause, text: str = "") -> None:
        self.cause = cause
        self.text = text
        super().__init__(f"{cause.value}: {text}" if text else cause.value)


class Pipe(Protocol):
    """Lines to an engine and back."""

    @property
    def complaints(self) -> str:
        """The end of the engine's standard error, not escaped."""
        ...

    def send(self, line: bytes) -> None:
        """Send a line, with its end, as soon as the engine reads.  Never waits.  Raises Lost."""
        ...

    def receive(self, until: float) -> bytes:
        """The next line, without its end, at most LONGEST bytes; `until`: a time of the clock.

        Raises Lost: LATE if there is none by then, GONE, LONG, DEAF.
        """
        ...

    def interrupt(self) -> None:
        """End a `receive` of another thread: it raises Lost."""
        ...

    def close(self) -> None:
        """End the engine and all that it started."""
        ...


@dataclass(frozen=True, slots=True)
class EngineOption:
    """An option that an engine has: its default, whose kind it keeps, and its values or limits, if any."""

    default: OptionSetting
    values: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None

    def read(self, typed: str) -> OptionSetting:
        """The value that a person typed.  Raises ValueError."""
        if isinstance(self.default, bool):
            return {"true": True, "false": False}[typed] if typed in ("true", "false") else _no(typed)
        if isinstance(self.default, int):
            value = int(typed) if _NUMBER.fullmatch(typed) else _no(typed)
            low = value if self.least is None else self.least
            high = value if self.most is None else self.most
            return value if low <= value <= high else _no(typed)
        return typed if not self.values or typed in self.values else _no(typed)


def _no(typed: str) -> NoReturn:
    raise ValueError(typed)


@dataclass(frozen=True, slots=True)
class EngineHello:
    """How an engine introduces itself: its name, not escaped, and its options by name."""

    name: str
    options: Mapping[str, EngineOption] = field(default_factory=dict)


@dataclass(slots=True)
class Consultation:
    """One engine, from hello to quit."""

    pipe: Pipe
    clock: Callable[[], float]
    _asked: int = 0
    """Questions so far, of all games."""
    _wrong: int = 0
    """Wrong lines in this game."""

    def greet(self, chosen: Mapping[str, str]) -> EngineHello:
        """Exchange hellos, and set the options that a person typed.  Raises Lost, ValueError.

        ValueError: the engine has no such option, or no such value; its text is the option's name.
        """
        self._send({"type": "hello", "protocol": VERSION, "program": program_version()})
        hello = self._hello()
        settings: dict[str, OptionSetting] = {}
        for name, typed in chosen.items():
            try:
                settings[name] = hello.options[name].read(typed)
            except (KeyError, ValueError):
                raise ValueError(name) from None
        self._send({"type": "options", "options": settings})
        try:
            ready = _fields(self.pipe.receive(self.clock() + READY_WITHIN), "ready")
            _require(ready == {"type": "ready"})
        except _Wrong as wrong:
            raise Lost(LossCause.WRONG, wrong.text) from wrong
        return hello

    def begin(self, terms: GameTerms) -> None:
        """A new game.  Raises Lost."""
        self._wrong = 0
        self._send({"type": "game", **terms.parts()})

    def decide(self, question: EngineQuestion, news: Mapping[str, Any], seconds: float) -> Decided:
        """The engine's decision; `news`: the other keys of the line; `seconds`: that it has.  Raises Lost."""
        until = self.clock() + seconds
        self._refuse_early()
        self._asked += 1
        self._send(
            {
                "type": "decide",
                "number": self._asked,
                "seconds": round(seconds, 3),
                **news,
                **question.parts(),
            }
        )
        while True:
            line = self.pipe.receive(until)
            try:
                return self._decided(_read(line), question)
            except NotTaken as refused:
                self._refuse(refused.code, refused.text)
            except _Wrong as wrong:
                self._refuse(wrong.code, wrong.text)

    def end(self, news: Mapping[str, Any]) -> None:
        """The game is over.  Raises Lost."""
        self._send({"type": "end", **news})

    def quit(self) -> None:
        """The last line.  Raises Lost."""
        self._send({"type": "quit"})

    def _send(self, message: Mapping[str, Any]) -> None:
        self.pipe.send(json.dumps(message, separators=(",", ":")).encode() + b"\n")

    def _refuse(self, code: str, text: str) -> None:
        self._wrong += 1
        if self._wrong > PATIENCE:
            raise Lost(LossCause.WRONG, text)
        self._send({"type": "error", "number": self._asked, "code": code, "text": text})

    def _refuse_early(self) -> None:
        """Refuse what came before it was asked for."""
        while True:
            try:
                self.pipe.receive(self.clock())
            except Lost as lost:
                if lost.cause is LossCause.LATE:
                    return
                raise
            self._refuse("not-asked", "nothing was asked")

    def _hello(self) -> EngineHello:
        try:
            hello = _fields(self.pipe.receive(self.clock() + READY_WITHIN), "hello")
            _require({"type", "protocol", "name"} <= hello.keys() <= {"type", "protocol", "name", "options"})
            _require_version(hello["protocol"])
            options = hello.get("options", [])
            _require(isinstance(options, list) and len(options) <= _MOST_OPTIONS)
            read = dict(map(_option, options))
            _require(len(read) == len(options))
            return EngineHello(_name(hello["name"]), read)
        except _Wrong as wrong:
            raise Lost(LossCause.WRONG, wrong.text) from wrong

    def _decided(self, message: dict[str, Any], question: EngineQuestion) -> Decided:
        """Raises NotTaken, _Wrong, and Lost for an engine that resigns or gives up."""
        kind = message["type"]
        if kind == "error":
            _require(message.keys() == {"type", "text"})
            raise Lost(LossCause.GAVE_UP, _text(message["text"], _TEXT))
        keys = _ANSWERS.get(kind)
        if keys is None or message.keys() != keys:
            raise _Wrong("wrong-form", "choose, lay, resign and error are the answers; see docs/engines.md")
        if type(message["number"]) is not int or message["number"] != self._asked:
            raise _Wrong("not-asked", f"the question is number {self._asked}")
        if kind == "resign":
            raise Lost(LossCause.RESIGNED)
        if kind == "choose":
            option = message["option"]
            _require(type(option) in (int, str))
            return question.chosen(option)
        faces = message["faces"]
        _require(isinstance(faces, list) and all(type(face) is int for face in faces))
        return question.laid(tuple(faces))


_ANSWERS: Final = {
    "choose": {"type", "number", "option"},
    "lay": {"type", "number", "faces"},
    "resign": {"type", "number"},
}
"""The keys of each answer."""


class _Wrong(Exception):
    """A line that is not in the form."""

    def __init__(self, code: str, text: str) -> None:
        self.code = code
        self.text = text
        super().__init__(text)


def _require(holds: bool) -> None:
    if not holds:
        raise _Wrong("wrong-form", "a key is missing, too many, or of the wrong kind; see docs/engines.md")


def _require_version(version: object) -> None:
    if type(version) is not int or version != VERSION:
        raise _Wrong("wrong-form", f"it speaks version {version!r:.40}, and version {VERSION} is spoken here")


def _read(line: bytes) -> dict[str, Any]:
    """The object in a line, which has a type.  Raises _Wrong."""
    try:
        message = strict_json.read(line, LONGEST)
    except strict_json.NotJson as error:
        raise _Wrong("no-json", str(error)) from error
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise _Wrong("wrong-form", 'a line is an object with a "type"')
    return message


def _fields(line: bytes, kind: str) -> dict[str, Any]:
    """The object in a line of this type.  Raises _Wrong, and Lost for an engine that gives up."""
    message = _read(line)
    if message["type"] == "error" and message.keys() == {"type", "text"}:
        raise Lost(LossCause.GAVE_UP, _text(message["text"], _TEXT))
    if message["type"] != kind:
        raise _Wrong("wrong-form", f'a line of type "{kind}" was due')
    return message


def _text(value: object, most: int) -> str:
    _require(isinstance(value, str) and 0 < len(value) <= most)
    return str(value)


def _name(value: object) -> str:
    """A name of an engine, of an option or of its value: on a line, and in files.  Raises _Wrong."""
    if not (
        isinstance(value, str) and 0 < len(value) <= _NAME and value.isprintable() and value == value.strip()
    ):
        raise _Wrong("wrong-form", f"a name has 1 to {_NAME} printable characters, and no space at its ends")
    return value


def _option(value: object) -> tuple[str, EngineOption]:
    """Raises _Wrong."""
    if not isinstance(value, dict):
        raise _Wrong("wrong-form", "an option is an object")
    _require({"name", "default"} <= value.keys() <= {"name", "default", "values", "least", "most"})
    default, values = value["default"], value.get("values", [])
    least, most = value.get("least"), value.get("most")
    _require(type(default) in (bool, int, str))
    _require(isinstance(values, list) and len(values) <= _MOST_VALUES)
    _require(type(default) is str or not values)
    limits = (type(None), int) if type(default) is int else (type(None),)
    _require(type(least) in limits and type(most) in limits)
    named = tuple(map(_name, values))
    return _name(value["name"]), EngineOption(default, named, least, most)
