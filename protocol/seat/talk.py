"""Talk of a seat, written and read: to all, or sealed to one other seat.

A writer cannot open its own box.  So the text is kept with the writer's secrets, for its program to show
again.
"""

from __future__ import annotations

from p2p_stratego.core.game import Seat
from protocol.crypto.sealed import public_key
from protocol.crypto.sealed_talk import TalkContext, seal, unseal
from protocol.errors import Malformed
from protocol.failures import NotNow, Why
from protocol.record.referee import Referee
from protocol.record.statements import Content, Kind, Statement, chat_text
from protocol.seat.effects import Duty, Output
from protocol.seat.secrets import MatchSecrets, encode_words


class Talk:
    """The talk of `seat` in a match."""

    def __init__(self, referee: Referee, seat: Seat, secrets: MatchSecrets) -> None:
        self._referee, self._seat, self._secrets = referee, seat, secrets

    @property
    def key(self) -> Content:
        """The content of the seat's AGREE: in a game with private talk, its key for talk (32 bytes)."""
        genesis = self._referee.genesis
        if not genesis.game.private_talk:
            return ()
        return (public_key(self._secrets.talk_secret(genesis.id, self._seat)),)

    def check(self, text: str, reader: Seat | None) -> None:
        """Raise NotNow unless the seat may say `text` now, to all or to `reader` alone."""
        try:
            chat_text(text)
        except Malformed as error:
            raise NotNow(Why.BAD_TEXT, str(error)) from error
        if self._referee.left_at(self._seat) is not None:
            raise NotNow(Why.ENDED)
        genesis = self._referee.genesis
        if reader is None:
            return
        if not genesis.game.private_talk:
            raise NotNow(Why.OPEN_TALK)
        if reader == self._seat or not 0 <= reader < len(genesis.players):
            raise NotNow(Why.NOBODY_THERE)
        if self._referee.left_at(reader) is not None:
            raise NotNow(Why.READER_GONE)

    def say(self, text: str, reader: Seat | None) -> tuple[Kind, Content, list[Output]]:
        """The kind and content of the statement with `text`, and the outputs to persist ahead of it.

        `check` has accepted `text`.
        """
        if reader is None:
            return Kind.CHAT, (text,), []
        index = len(self._referee.statements[self._seat])
        key = self._referee.statements[reader][0].content[0]
        box = seal(self._place(self._seat, reader, index), key, text.encode())
        self._secrets.words[index] = reader, text
        kept = Output(Duty.SECRET, encode_words(index, reader, text))
        return Kind.SEALED, (reader, box), [kept]

    def heard(self, statement: Statement) -> str | None:
        """The text of a CHAT, or of a SEALED that our seat wrote or may read.

        None for a SEALED between others, and for a SEALED without a text that a CHAT could hold: its writer
        is not blamed, since nobody else can verify that.
        """
        if statement.kind is Kind.CHAT:
            text: str = statement.content[0]
            return text
        reader, box = statement.content
        if statement.seat == self._seat:
            to, own = self._secrets.words.get(statement.index, (None, None))
            return own if to == reader else None
        if reader != self._seat:
            return None
        place = self._place(statement.seat, reader, statement.index)
        message = unseal(place, self._secrets.talk_secret(place.game, self._seat), box)
        try:
            return None if message is None else chat_text(message.decode())
        except (UnicodeDecodeError, Malformed):
            return None

    def _place(self, writer: Seat, reader: Seat, index: int) -> TalkContext:
        return TalkContext(self._referee.genesis.id, writer, reader, index)
