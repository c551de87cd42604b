"""Engines for tests: lines without a process, by a clock that the test sets; and programs in a file."""

from __future__ import annotations

import json
import sys
import textwrap
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias

from cli.play.engines.consultation import LossCause, Lost
from cli.play.engines.process import EngineCommand

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples" / "engines" / "random_player.py"
HELLO = {"type": "hello", "protocol": 1, "name": "Test Engine"}
READY = {"type": "ready"}

Reply: TypeAlias = dict[str, Any] | bytes | float | Lost
"""A line, as an object or in bytes; seconds that pass; or the end."""
Replies: TypeAlias = Callable[[dict[str, Any]], Iterable[Reply]]


class FakePipe:
    """An engine as a function, and its clock: time passes only as the engine says."""

    def __init__(self, replies: Replies, interrupted: Callable[[], None] = lambda: None) -> None:
        """`replies`: what the engine does once it is sent a line; `interrupted`: when nobody waits longer."""
        self.now = 0.0
        self.received: list[dict[str, Any]] = []
        """Every line that it was sent."""
        self.complaints = ""
        self.closed = False
        self._replies, self._interrupted = replies, interrupted
        self._waiting: deque[Reply] = deque()

    def clock(self) -> float:
        return self.now

    def send(self, line: bytes) -> None:
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        message = json.loads(line)
        self.received.append(message)
        self._waiting += self._replies(message)

    def receive(self, until: float) -> bytes:
        while self._waiting:
            reply = self._waiting.popleft()
            if isinstance(reply, Lost):
                raise reply
            if not isinstance(reply, float):
                return reply if isinstance(reply, bytes) else json.dumps(reply).encode()
            if self.now + reply > until:
                self._waiting.appendleft(self.now + reply - until)
                break
            self.now += reply
        self.now = max(self.now, until)
        raise Lost(LossCause.LATE)

    def interrupt(self) -> None:
        self._waiting.appendleft(Lost(LossCause.GONE))
        self._interrupted()

    def close(self) -> None:
        self.closed = True


def polite(answers: Replies) -> Replies:
    """An engine that says hello and is ready, and does as `answers` says when it is asked."""

    def replies(message: dict[str, Any]) -> Iterable[Reply]:
        if message["type"] == "hello":
            return [HELLO]
        if message["type"] == "options":
            return [READY]
        return answers(message) if message["type"] in ("decide", "error") else []

    return replies


def obliging(message: dict[str, Any]) -> list[Reply]:
    """The first option, or the example."""
    if message["type"] == "error":
        return []
    if "lay" in message:
        return [{"type": "lay", "number": message["number"], "faces": message["example"]}]
    return [{"type": "choose", "number": message["number"], "option": message["example"] or 0}]


def program(folder: Path, text: str) -> EngineCommand:
    """An engine in Python: `text` has `say(**message)` and `lines`, the messages that come."""
    path = folder / "engine.py"
    head = """
        import json, os, sys, time
        def say(**message):
            print(json.dumps(message), flush=True)
        lines = map(json.loads, sys.stdin)
        def greet():
            next(lines), say(type="hello", protocol=1, name="Test Engine")
            next(lines), say(type="ready")
        """
    path.write_text(f"{textwrap.dedent(head)}\n{textwrap.dedent(text)}")
    return EngineCommand((sys.executable, str(path)))
