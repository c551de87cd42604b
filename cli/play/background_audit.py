"""The audit of the record for the end page, in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import trio

from cli.reports import describe
from p2p_stratego.registry import GAMES
from protocol.audit import verdict as audit_verdict


def verdict(path: Path) -> str:
    """The verdict on the record at `path`, in a sentence, as `audit` prints it."""
    return describe.verdict(audit_verdict.audit(path.read_bytes(), GAMES))


class BackgroundAudit:
    """Audits a record in a thread, once for each length that it has, while another thread draws."""

    def __init__(self, nursery: trio.Nursery, path: Callable[[], Path], ready: Callable[[], None]) -> None:
        """`path`: of the record in question; `ready`: called when there is a new verdict."""
        self._nursery, self._path, self._ready = nursery, path, ready
        self._of: tuple[Path, int] | None = None
        self._sentence: str | None = None

    def verdict(self) -> str | None:
        """The verdict on the record as it stands; None until the audit is done."""
        path = self._path()
        now = path, path.stat().st_size
        if now != self._of:
            self._of, self._sentence = now, None
            self._nursery.start_soon(self._audit, now)
        return self._sentence

    async def _audit(self, of: tuple[Path, int]) -> None:
        sentence = await trio.to_thread.run_sync(verdict, of[0], abandon_on_cancel=True)  # it only reads
        if of == self._of:
            self._sentence = sentence
            self._ready()
