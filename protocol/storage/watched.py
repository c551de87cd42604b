"""A match that we only watch, on the disk: its transcript, and nothing else.

A folder of its own: `transcript.p2ps` and `lock`.  We promised nobody any of these records, and can fetch
them again; so opening cuts a tail that a crash has spoilt.
"""

from __future__ import annotations

from typing import Final

from protocol.errors import Malformed, Refusal
from protocol.failures import Damaged, Part, StorageFailure
from protocol.storage.files import Folder, Lock, Log
from protocol.wire import transcript
from protocol.wire.encoding import Frame

TRANSCRIPT: Final = "transcript.p2ps"
LOCK: Final = "lock"


class WatchedStore:
    """The transcript of a watched match, which this process alone has open, until `close`."""

    def __init__(self, folder: Folder) -> None:
        """Open the match in `folder`, which the store closes.  Raises InUse, Damaged or a StorageFailure."""
        self._folder = folder
        self._closing: list[Lock | Log] = []
        try:
            self._closing.append(folder.lock(LOCK, wait=False))
            folder.tidy()
            contents = transcript.read(folder.read(TRANSCRIPT))
            self.genesis, self.recorded = contents.genesis, contents.frames
            self._log = folder.log(TRANSCRIPT, contents.size)
            self._closing.append(self._log)
        except (Malformed, transcript.NotATranscript) as error:
            self.close()
            raise Damaged(self.path, Part.RECORD) from error
        except (StorageFailure, Refusal):
            self.close()
            raise

    @property
    def path(self) -> str:
        """The path of the transcript."""
        return self._folder.place(TRANSCRIPT)

    def append(self, frames: list[Frame]) -> None:
        """Add records; a power cut may take them away again.  Raises StorageFailure."""
        data = b"".join(map(bytes, frames))
        if self._log.length + len(data) > transcript.longest(self.genesis):
            raise Malformed("The match is longer than any match can be.")
        self._log.append(data, durable=False)

    def close(self) -> None:
        """Let other processes open the match; a second call has no effect."""
        for held in reversed(self._closing):
            held.close()
        self._folder.close()


def create(folder: Folder, genesis: bytes) -> None:
    """Write the files of a newly watched match into the empty `folder`, all synced; `genesis`: its body."""
    folder.create(LOCK, b"")
    folder.create(TRANSCRIPT, transcript.start(genesis))
    folder.sync()
