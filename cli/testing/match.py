"""Several seats of one match over a fake link: everything is persisted (in memory) before it is sent."""

from __future__ import annotations

import hashlib
import itertools
import random
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from p2p_stratego.core.game import Choose, Decision, Game, Options
from p2p_stratego.registry import GAMES
from protocol.crypto.keys import Identity
from protocol.record import genesis
from protocol.record.asks.base import Decided
from protocol.record.evidence import read_record
from protocol.record.genesis import Genesis, Player
from protocol.record.time_control import TimeControl
from protocol.seat.effects import Duty
from protocol.seat.secrets import MatchSecrets
from protocol.seat.session import Session
from protocol.wire import transcript
from protocol.wire.encoding import Frame, read_frame

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva")
Decide = Callable[[Session, Decision, random.Random], Decided]
Secrets = Callable[[bytes, Callable[[int], bytes]], MatchSecrets]


def any_decision(_session: Session, decision: Decision, rng: random.Random) -> Decided:
    """Any decision that looks legal: distinct faces, any option."""
    if isinstance(decision, Choose):
        return rng.choice(list(decision.options))
    return tuple(sorted(rng.sample(list(decision.faces), len(decision.slots))))


class Seat:
    """One seat with its persisted data: a log of frames, a list of secret records."""

    def __init__(
        self, begun: Genesis, seat: int, identity: Identity, master: bytes, secrets: Secrets = MatchSecrets
    ) -> None:
        """`secrets`: how the seat's secrets come from its master secret."""
        self.begun, self.seat, self.identity, self.master = begun, seat, identity, master
        self._derived = secrets
        self.log: list[Frame] = []
        self.vault: list[bytes] = []
        self.runs = 0
        self.secrets = secrets(master, self.fresh())
        """The secrets of the running session."""
        self.session = Session(begun, seat, identity, self.secrets)

    def fresh(self) -> Callable[[int], bytes]:
        """Bytes that no run of this seat has had: the same in every test, others after a restart."""
        self.runs += 1
        calls, start = itertools.count(), self.master + bytes((self.runs,))
        return lambda length: hashlib.shake_256(b"%b %d" % (start, next(calls))).digest(length)

    def restart(self) -> None:
        """Keep only the persisted data."""
        self.secrets = self._derived(self.master, self.fresh())
        for record in self.vault:
            self.secrets.remember(record)
        self.session = Session(self.begun, self.seat, self.identity, self.secrets, self.log)

    def persist(self) -> list[Frame]:
        """Store all outputs; return those to be sent."""
        sending = []
        for output in self.session.outputs():
            if output.duty is Duty.SECRET:
                self.vault.append(output.data)
                continue
            frame = read_frame(output.data, 0)
            if frame is None:
                raise RuntimeError("a session has put out no whole frame")
            self.log.append(frame)
            if output.duty is Duty.SEND:
                sending.append(frame)
        return sending

    @property
    def transcript(self) -> bytes:
        return transcript.write(self.begun.body, self.log)


class Table:
    """A whole match: `seats` sessions, and a queue of frames under way to each."""

    def __init__(
        self,
        seed: int = 0,
        *,
        game: Game[Any] | None = None,
        options: Options | None = None,
        seats: int = 2,
        decide: Decide | Iterable[Decide] = any_decision,
        proofs: bool = False,
        escrow: int = 0,
        clock: TimeControl | None = None,
        takebacks: bool = False,
        identities: Sequence[Identity] = (),
        names: Sequence[str] = NAMES,
        secrets: Mapping[int, Secrets] = MappingProxyType({}),
    ) -> None:
        """`decide`: how the players decide, each its own way if there are several; `secrets`: by seat, if not
        the usual ones.
        """
        self.rng = random.Random(seed)
        self.game = game or next(iter(GAMES.values()))
        identities = [*identities] or [Identity(self.rng.randbytes(32)) for _ in range(seats)]
        masters = [self.rng.randbytes(32) for _ in range(seats)]
        players = tuple(
            Player(identity.key, name, secrets.nonce, secrets.links(seat, genesis.chain_length(self.game))[0])
            for seat, (identity, name, secrets) in enumerate(
                zip(identities, names, map(MatchSecrets, masters), strict=False)
            )
        )
        self.begun = genesis.make(
            self.game,
            options or {},
            players,
            proofs=proofs,
            escrow=escrow,
            clock=clock,
            takebacks=takebacks,
        )
        self.seats = [
            Seat(self.begun, i, identities[i], masters[i], secrets.get(i, MatchSecrets)) for i in range(seats)
        ]
        self.decide = [decide] * seats if callable(decide) else list(decide)
        self._acknowledged: dict[int, int] = {}
        self.under_way: list[deque[Frame]] = [deque() for _ in range(seats)]
        for seat in self.seats:
            seat.session.agree()
            seat.session.go_live()

    def deliver(self, seat: Seat) -> None:
        """Persist the outputs of `seat`, then put them under way to all others."""
        for frame in seat.persist():
            for other, queue in enumerate(self.under_way):
                if other != seat.seat:
                    queue.append(frame)
        self.acknowledge(seat)

    def acknowledge(self, seat: Seat) -> None:
        """Give the others the receipt of `seat`, once for each time that it has to decide."""
        count = seat.session.referee.count
        if self._acknowledged.get(seat.seat) != count and (receipt := seat.session.receipt()):
            self._acknowledged[seat.seat] = count
            for other in self.seats:
                if other is not seat:
                    other.session.copy.acknowledged(seat.seat, *receipt)

    def step(self) -> bool:
        """Let one event happen at every seat; return False if there is none."""
        busy = False
        for seat, queue in zip(self.seats, self.under_way, strict=True):
            self.deliver(seat)
            if queue:
                seat.session.receive(read_record(queue.popleft()))
                busy = True
            elif decision := seat.session.decision:
                seat.session.decide(self.decide[seat.seat](seat.session, decision, self.rng))
                busy = True
            self.deliver(seat)
        return busy or any(self.under_way)

    def hold(self) -> Table:
        """Deliver all frames under way, and those that follow from them, without any decision."""
        for seat in self.seats:
            self.deliver(seat)
        while any(self.under_way):
            for seat, queue in zip(self.seats, self.under_way, strict=True):
                if queue:
                    seat.session.receive(read_record(queue.popleft()))
                self.deliver(seat)
        return self

    def play(self, *, steps: int = 1_000_000) -> Table:
        """Go on until there is no event left, or for a number of steps."""
        while steps and self.step():
            steps -= 1
        return self
