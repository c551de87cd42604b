"""The longest legal transcripts of the games, which an auditor must read from anybody.

Each is made by two players who play into each other's hands.  Every signature, commitment and move in them
is right, so nothing stops an audit before the end of the file.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, Final

from p2p_stratego.core.game import Choose, Commit, Game, Move, Options, Together
from p2p_stratego.registry import GAMES
from p2p_stratego.stratego.rules.armies import army
from p2p_stratego.stratego.rules.board import HOME, NEIGHBOURS
from p2p_stratego.stratego.rules.cells import EMPTY
from p2p_stratego.stratego.rules.movement import legal, possible_reach
from p2p_stratego.stratego.rules.notation import STEPS, fill
from p2p_stratego.stratego.rules.pieces import FLAG, MARSHAL
from p2p_stratego.stratego.rules.repetition import is_next_to_enemy
from p2p_stratego.stratego.rules.state import State, arrayed, start
from p2p_stratego.stratego.rules.transitions import moved
from protocol.crypto.keys import Identity
from protocol.limits import MAX_CHAT, MAX_STATEMENTS
from protocol.record import genesis, statements
from protocol.record.asks.base import Decided, Obligation
from protocol.record.entries import parse_entry
from protocol.record.genesis import Player, chain_length
from protocol.record.referee import Referee
from protocol.record.statements import Content, Kind
from protocol.record.statements import parse as parse_statement
from protocol.seat.replies import openings, reply
from protocol.seat.secrets import MatchSecrets
from protocol.wire import labels, transcript
from protocol.wire.encoding import ENTRY, STATEMENT, Frame, encode
from protocol.wire.transcript import Records

Decide = Callable[[Obligation], Decided]
PIECES: Final = 6
"""A side's pieces in a chase, its flag aside."""
FACES: Final = (FLAG, *[MARSHAL] * PIECES)
CHASE: Final[Options] = {"army": f"{PIECES}-0-0-0-0-0-0-0-0-0-0-1", "quiet": 0}
BACK: Final = 40
"""Moves taken back where a chase cannot go on."""
EMPTY_RECORD: Final = bytes(Frame(ENTRY, b""))
_SET_UP: Final = 6
"""Entries before the first move: commitments, and squares hidden and shown."""
_LAST: Final = (Kind.REVEAL, Kind.END)


class Match:
    """A match of two seats, both of which one hand plays."""

    def __init__(self, game: Game[Any], options: Options, decide: Decide) -> None:
        rng = random.Random(1)
        self._identities = [Identity(rng.randbytes(32)) for _ in range(2)]
        self._secrets = [MatchSecrets(rng.randbytes(32)) for _ in range(2)]
        self._decide = decide
        self._known: dict[int, int] = {}
        players = tuple(
            Player(identity.key, f"seat {seat}", secrets.nonce, secrets.links(seat, chain_length(game))[0])
            for seat, (identity, secrets) in enumerate(zip(self._identities, self._secrets, strict=True))
        )
        self.begun = genesis.make(game, options, players)
        self.referee = Referee(self.begun, history=False)
        self.frames: list[Frame] = []
        for seat in range(2):
            self.say(seat, Kind.AGREE)

    @property
    def transcript(self) -> bytes:
        return transcript.write(self.begun.body, self.frames)

    def say(self, seat: int, kind: Kind, content: Content = ()) -> None:
        referee = self.referee
        over = referee.count, referee.head
        after = len(referee.statements[seat]), referee.statement_heads[seat][-1]
        body = statements.body(seat, after, over, kind, content)
        payload = body + self._identities[seat].sign(labels.SIGN_STATEMENT, self.begun.id + body)
        referee.admit_statement(parse_statement(payload))
        self.frames.append(Frame(STATEMENT, payload))

    def play(self) -> bool:
        """The next entry; False if nobody owes one."""
        referee, owed = self.referee, self.referee.owed
        if owed is None:
            return False
        secrets = self._secrets[owed.seat]
        if isinstance(owed.part, Choose | Commit) and referee.table.serial not in secrets.decided:
            decided = self._decide(owed)
            secrets.decided = {referee.table.serial: decided}
            if isinstance(owed.part, Commit):
                self._known.update(zip(owed.part.slots, decided, strict=True))  # type: ignore[arg-type]  # faces
        message = reply(secrets, referee, owed, self._known)
        if message is None:
            raise RuntimeError("nothing was decided")
        body = referee.entry_body(message)
        payload = body + self._identities[owed.seat].sign(labels.SIGN_ENTRY, self.begun.id + body)
        referee.admit_entry(parse_entry(payload), verified=True)
        self.frames.append(Frame(ENTRY, payload))
        return True

    def finish(self) -> None:
        """Reveal the slots that claims speak of, and sign the END."""
        for seat in self.referee.unsettled:
            due = openings(self._secrets[seat], self.referee, seat, self._known)
            self.say(seat, Kind.REVEAL, (0, due))
        outcome = self.referee.outcome
        if outcome is None:
            raise RuntimeError("the match is not over")
        for seat in range(2):
            self.say(seat, Kind.END, statements.end_content(outcome))

    def chat(self, lines: int) -> None:
        """So many lines of chat from each seat, each as many bytes as one can have."""
        for number in range(lines):
            for seat in range(2):
                self.say(seat, Kind.CHAT, (f"{number:03}" + "\U0001d306" * (MAX_CHAT - 3),))

    def wrong_entry(self, frame: Frame) -> Frame:
        """An entry for the same place by the same seat, with a move that there is not."""
        entry = parse_entry(frame.payload)
        body = encode([entry.number, entry.seat, entry.previous, [1, "nowhere"]])
        signature = self._identities[entry.seat].sign(labels.SIGN_ENTRY, self.begun.id + body)
        return Frame(ENTRY, body + signature)


# Stratego: red chases blue without an end, and never comes to a position twice


def chase(moves: int) -> Iterator[Move]:
    """That number of moves without an attack, in which red's chase never stops once it has begun."""
    rng = random.Random(2)
    places = (0, *range(30, 30 + PIECES))
    state = arrayed(start(army(CHASE["army"]), 0, 0), (places, places))
    trail: list[tuple[Move, State]] = []
    while len(trail) < moves:
        following = _onward(rng, state)
        if following is None:
            del trail[-BACK:]
            state = trail[-1][1]
            continue
        state = following[1]
        trail.append(following)
    return (move for move, _ in trail)


def _onward(rng: random.Random, state: State) -> tuple[Move, State] | None:
    """A move that keeps the chase going, as the next one can, and its state; any while there is no chase."""
    chases = list(_chasing(state))
    rng.shuffle(chases)
    for move in chases:
        then = moved(state, move)
        if next(_chasing(then), None):
            return move, then
    if max(state.memory.threats) > PIECES:
        return None
    move = rng.choice(list(_walks(state)))
    return move, moved(state, move)


def _chasing(state: State) -> Iterator[Move]:
    """Red's moves next to a blue piece; blue's away from where red has just gone."""
    theirs = state.memory.trails[1 - state.seat]
    for move in _walks(state):
        source, target, _ = STEPS[move]
        if is_next_to_enemy(state.board, 0, target) if state.seat == 0 else source in NEIGHBOURS[theirs[-1]]:
            yield move


def _walks(state: State) -> Iterator[Move]:
    """Steps of pieces other than the flags onto empty squares."""
    flag = HOME[state.seat][0]
    for move in legal(state, possible_reach(state, state.seat)):
        source, target, between = STEPS[move]
        if source != flag and not between and state.board[target] == EMPTY:
            yield move


def long_chase(moves: int = 100_000, chat: int = 900) -> Match:
    """A whole match of so many moves, with so many lines of chat a seat before it; with 100,000 moves the
    rules end it, else red gives up.
    """
    planned = chase(moves)
    squares = fill((0, *range(30, 30 + PIECES)))

    def decide(owed: Obligation) -> Decided:
        if isinstance(owed.part, Commit):
            return FACES
        return squares if isinstance(owed.ask, Together) else next(planned)

    made = Match(GAMES["stratego"], CHASE, decide)
    made.chat(chat)
    for _ in range(_SET_UP + moves):
        made.play()
    if made.referee.provisional is None:
        made.say(0, Kind.RESIGN)
    made.finish()
    return made


def cheating_chase(moves: int = 99_000) -> bytes:
    """A chase of which the last entry breaks a rule: the proof of it holds the whole chain."""
    made = long_chase(moves, 0)
    last = next(at for at in reversed(range(len(made.frames))) if made.frames[at].kind == ENTRY)
    frame = made.wrong_entry(made.frames[last])
    return transcript.write(made.begun.body, [*made.frames[:last], frame])


def without_ends(data: bytes) -> bytes:
    """A transcript without the ENDs that would vouch for its entries, and without its REVEAL."""
    records = Records(data)
    kept = [f for f in records if f.kind == ENTRY or statements.parse(f.payload).kind not in _LAST]
    return transcript.write(records.genesis, kept)


# Words


def much_chat() -> bytes:
    """A match under way in which both have said all that they may, each line as long as can be."""
    made = Match(GAMES["spies-and-lies"], {}, lambda _: ())
    made.chat(MAX_STATEMENTS - 1)
    return made.transcript


def many_statements() -> bytes:
    """A finished match in which both have signed the END as often as they may: each is judged anew."""
    made = long_chase(400, 0)
    outcome = made.referee.outcome
    if outcome is None:
        raise RuntimeError("the match is not over")
    for seat in range(2):
        while len(made.referee.statements[seat]) < MAX_STATEMENTS:
            made.say(seat, Kind.END, statements.end_content(outcome))
    return made.transcript
