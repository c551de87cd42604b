"""A match as a story: the steps of its game in order, with the words that its game has for them.

For replays, exports and the demonstration; everything in it is public, so it reads the same for everybody.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from shutil import get_terminal_size
from typing import Any, Final, Protocol, TypeVar

from cli.reports import describe
from cli.reports.rows import Plain
from cli.text.layout import hung, series
from cli.text.names import shown as shown_name
from cli.text.sanitize import escape
from p2p_stratego.core.entry import GameEntry
from p2p_stratego.core.game import (
    Ask,
    Claim,
    ClaimOneOf,
    Draw,
    Face,
    Give,
    Mix,
    Open,
    OpenTo,
    Roll,
    Seat,
    Show,
    Shuffle,
    Slot,
)
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.narration import OUTSIDE_THE_RULES
from p2p_stratego.core.record import RecordedGame
from p2p_stratego.core.view import read_by
from p2p_stratego.registry import ENTRIES
from protocol.audit.verdict import Replayed
from protocol.record.asks.base import Answered, Reached
from protocol.record.entries import Entry
from protocol.record.genesis import Genesis
from protocol.record.referee import Referee
from protocol.record.statements import Kind, Statement, is_of_time


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the game: the entry that completed it, the state it led to, and its sentences.

    `asked`: how many Asks were answered in it.  `faces`: every card that is open after it.
    """

    number: int
    state: Any
    sentences: tuple[str, ...]
    asked: int
    faces: dict[Slot, Face]
    proofs: tuple[str, ...] = ()
    """What was shown to one seat, mixed and drawn in it, and how far that is verified: a clause each."""
    ends: bool = False
    """Whether it is no step of the game's, but an end that its rules did not bring about."""
    moment: str = ""
    """What makes it worth jumping to, in a word or two: "capture"."""
    unfinished: bool = False
    """Whether the record ends in the middle of it; its state is that of the step before."""

    @property
    def complete(self) -> bool:
        """Whether the game itself completed it."""
        return not (self.ends or self.unfinished)


@dataclass(frozen=True, slots=True)
class Part:
    """The sentences that are new of a step since an entry, while it is open or with its end."""

    number: int
    sentences: tuple[str, ...]
    opened: bool = False
    """Whether a hidden thing was opened in it."""
    begins: bool = False
    """Whether nothing of the step was told before."""
    step: Step | None = None
    """The whole step, if this completes it."""


Told = TypeVar("Told", bound=Step | Part)


@dataclass(frozen=True, slots=True)
class Story:
    """A game to be shown from its beginning to where it ends."""

    game: str
    """Its name in the registry."""
    names: tuple[str, ...]
    """By seat, escaped."""
    steps: tuple[Step, ...]
    closing: str
    """Sentences for its end: a verdict, a result."""
    since: tuple[tuple[Ask, Any], ...] = ()
    """The settled Asks, with their answers, behind the last complete step."""
    read: tuple[Mapping[Slot, int], ...] = ()
    """By seat: the step, counted from 1, since which it can read each hidden thing that it has ever read."""
    own: Seat | None = None
    """The seat of the person who looks at it, if it is that person's own match."""
    secrets: Mapping[Slot, Face] = field(default_factory=dict)
    """All faces that this seat could read at the end."""
    notes: Mapping[int, str] = field(default_factory=dict)
    """By step, counted from 1: what an annotator wrote beside it."""


def of_match(match: Replayed) -> Story:
    """The story of an audited match; its end also shows the cards that were revealed then.

    Its steps are counted alike in every report: those that the game completed, from 1, and one more for what
    came behind the last of them, be it a step that the record leaves unfinished or an end that the rules did
    not bring about.
    """
    genesis, referee = match.report.genesis, match.referee
    story_steps = [*steps(referee), *behind(referee)]
    if story_steps and referee.outcome is not None:
        story_steps[-1] = replace(story_steps[-1], faces=dict(referee.table.faces))
    closing = describe.verdict(match.report)
    return Story(
        genesis.game.name, names(genesis), tuple(story_steps), closing, since(referee), read(referee)
    )


def with_kept(story: Story, faces: Mapping[Slot, Face]) -> Story:
    """The story of an own match that is over with `faces`, which its bots kept hidden, open at its end."""
    *before, last = story.steps
    if faces.keys() <= {**story.secrets, **last.faces}.keys():
        return story
    bots = [name for seat, name in enumerate(story.names) if seat != story.own]
    closing = f"{story.closing} {describe.kept_by_bots(bots)}"
    return replace(story, steps=(*before, replace(last, faces={**faces, **last.faces})), closing=closing)


def behind(referee: Referee) -> list[Step]:
    """What came behind the last complete step of a game that was set up, as one more step; none: nothing."""
    complete, outcome, genesis = steps(referee), referee.outcome, referee.genesis
    if not complete:
        return []
    begun = [sentence for part in open_step(referee) for sentence in part.sentences]
    last = replace(complete[-1], asked=0, proofs=())
    if outcome is not None and outcome.reason in OUTSIDE_THE_RULES:
        ending = describe.ending(genesis, outcome, names(genesis), referee)
        reason = _(OUTSIDE_THE_RULES[outcome.reason].short)
        return [replace(last, sentences=(*begun, ending), ends=True, moment=reason)]
    if outcome is None and since(referee):
        sentences, answered = (*begun, _("This step is unfinished.")), len(since(referee))
        return [replace(last, sentences=sentences, asked=answered, unfinished=True, moment=_("unfinished"))]
    return []


def read(referee: Referee) -> tuple[Mapping[Slot, int], ...]:
    """By seat: the step, counted from 1, since which it can read each hidden thing."""
    first_read: tuple[dict[Slot, int], ...] = tuple({} for _ in referee.genesis.players)
    step = 1
    for item in referee.table.history:
        if isinstance(item, Reached):
            step += 1
            continue
        for seat, slots in read_by(item.ask):
            for slot in slots:
                first_read[seat].setdefault(slot, step)
    return first_read


def since(referee: Referee) -> tuple[tuple[Ask, Any], ...]:
    """The settled Asks of the open step, with their answers."""
    return tuple((item.ask, item.answer) for item in referee.table.since)


def of_text(data: bytes) -> Story | None:
    """The story in the text of a game's own notation; None for any other text.  Raises RecordError."""
    entry = in_notation(data)
    if entry is None or entry.record is None:
        return None
    return _of_record(entry, entry.record.load().read_game(data.decode(errors="replace")))


def in_notation(data: bytes) -> GameEntry | None:
    """The game in whose own notation a text begins, right or wrong; None for any other text."""
    first = data.partition(b"\n")[0].strip().lower()
    for entry in ENTRIES.values():
        if entry.record is not None and first == entry.record.load().TITLE.encode():
            return entry
    return None


def _of_record(entry: GameEntry, read: RecordedGame) -> Story:
    words = entry.narration.load()
    shown = tuple(map(shown_name, read.names))
    recorded = []
    before = None
    for number, state in enumerate(read.states):
        sentences = tuple(words.step(before, state, shown))
        label = moment(entry.name, before, state)
        recorded.append(Step(number, state, sentences, 0, dict(read.known), moment=label))
        before = state
    closing = _("The game is unfinished.") if read.outcome is None else words.ending(read.outcome, shown)
    if recorded and closing in recorded[-1].sentences:
        closing = _("Here the record ends.")
    return Story(entry.name, shown, tuple(recorded), closing)


def moment(game: str, before: Any, after: Any) -> str:
    """What the step from state `before` (None: the set-up) to `after` brought, in a word or two, or ""."""
    tell = ENTRIES[game].moment
    return "" if tell is None else tell.load()(before, after)


def names(genesis: Genesis) -> tuple[str, ...]:
    """The players in sentences, by seat: escaped, and told apart by their seats if they are namesakes."""
    shown = [shown_name(player.name) for player in genesis.players]
    return by_seat(shown, [_(seat) for seat in genesis.seat_names])


def by_seat(players: Sequence[str], seats: Sequence[str]) -> tuple[str, ...]:
    """The players, with the names of their seats behind them if two are namesakes."""
    if len(set(players)) < len(players):
        return tuple(f"{name} ({seat})" for name, seat in zip(players, seats, strict=True))
    return tuple(players)


VOID: Final = mark("What was told last does not count any more.")
"""Of records that a Gone supersedes."""


class Teller:
    """Tells steps as they are reached, from a history that grows."""

    def __init__(self, genesis: Genesis, *, live: bool = False) -> None:
        """`live`: whether an open step is told, too, in a game that has words for it."""
        self._game = genesis.game.name
        self._narration = describe.narration(genesis)
        self._unfolder = describe.unfolder(genesis) if live else None
        self._names = names(genesis)
        self._proved, self._settled = genesis.proofs, not genesis.takebacks
        self._history: Sequence[Answered | Reached] = ()
        self._steps = 0
        self._begin()

    def _begin(self) -> None:
        """Read from the beginning."""
        self._before: Any = None
        self._read = 0
        self._faces: dict[Slot, Face] = {}
        self._open()

    def _open(self) -> None:
        """A step begins."""
        self._asked: list[Answered] = []
        self._told = 0
        self._opened = False
        live = None if self._before is None else self._unfolder
        self._unfolding = None if live is None else live(self._before, self._names)

    def hear(self, history: Sequence[Answered | Reached]) -> Iterator[Step]:
        """The steps that `history` completes since the last call."""
        for part in self.parts(history):
            if part.step is not None:
                yield part.step

    def parts(self, history: Sequence[Answered | Reached]) -> Iterator[Part]:
        """The parts that `history` tells since the last call.

        Another history can take the place of the one before, from its last steps on, as a player has left
        before them: the steps that were told are not told again.
        """
        known = 0
        if history is not self._history:
            known, self._steps = self._steps, 0
            self._history = history
            self._begin()
        fresh, self._read = history[self._read :], len(history)
        for item in fresh:
            part = self._answered(item) if isinstance(item, Answered) else self._reached(item)
            if part is not None and self._steps - (part.step is not None) >= known:
                yield part

    def _answered(self, item: Answered) -> Part | None:
        """The part of the open step that an answer makes known, if it has sentences."""
        self._asked.append(item)
        if isinstance(item.ask, Open):
            self._faces[item.ask.slot] = item.answer
            self._opened = True
        sentences = () if self._unfolding is None else tuple(self._unfolding.hear(item.ask, item.answer))
        return self._part(item.number, sentences) if sentences else None

    def _reached(self, reached: Reached) -> Part:
        step = self._step(reached)
        part = replace(self._part(step.number, step.sentences[self._told :]), step=step)
        self._before = reached.state
        self._steps += 1
        self._open()
        return part

    def _part(self, number: int, sentences: tuple[str, ...]) -> Part:
        part = Part(number, sentences, self._opened, begins=not self._told)
        self._told += len(sentences)
        self._opened = False
        return part

    def _step(self, reached: Reached) -> Step:
        sentences = self._narration.step(self._before, reached.state, self._names)
        proofs = tuple(
            _proved(self._asked)
            if self._proved
            else _counted(_proofs(self._asked, self._names, settled=self._settled))
        )
        label = moment(self._game, self._before, reached.state)
        faces = dict(self._faces)
        return Step(
            reached.number, reached.state, tuple(sentences), len(self._asked), faces, proofs, moment=label
        )


def _counted(notes: Iterable[str]) -> Iterator[str]:
    """Each note once, with how often it stands there."""
    for note, count in Counter(notes).items():
        yield note if count == 1 else _("{note} ({count} times)", note=note, count=count)


def _proofs(answered: Iterable[Answered], names: Sequence[str], *, settled: bool) -> Iterator[str]:
    """How far hidden acts are verified: looks at once, mixes when claims are `settled`, draws by all shares.

    Where decisions can be taken back nothing is settled.
    """
    answered = list(answered)
    looks = Counter(step.ask.seat for step in answered if isinstance(step.ask, OpenTo))
    if looks:
        viewers = (
            (
                _("{name} alone ({count} times)", name=names[seat], count=count)
                if count > 1
                else _("{name} alone", name=names[seat])
            )
            for seat, count in looks.items()
        )
        yield _("shown to {viewers}, sealed, and checked there", viewers=series(list(viewers)))
    mixed = 0
    for step in answered:
        if isinstance(step.ask, Mix):
            mixed = len(step.ask.new)
            yield (
                _("{mixed} mixed in secret, to be opened and compared after the game", mixed=mixed)
                if settled
                else _("{mixed} mixed in secret", mixed=mixed)
            )
        elif isinstance(step.ask, Roll) and mixed == step.ask.sides:
            yield _("drawn: 1 of {mixed}, fairly", mixed=mixed)


def _proved(answered: Iterable[Answered]) -> Iterator[str]:
    """The steps about hidden cards that were proved as they were made, by kind."""
    count: Counter[str] = Counter()
    for ask in (step.ask for step in answered):
        if isinstance(ask, Shuffle):
            count[mark("{count} shuffled by all")] += 1
        elif isinstance(ask, Draw):
            count[mark("{count} drawn unseen")] += sum(len(slots) for _unused, slots in ask.hands)
        elif isinstance(ask, Show | Give):
            count[mark("{count} shown or given")] += len(ask.slots)
        elif isinstance(ask, Mix):
            count[mark("{count} mixed")] += len(ask.new)
        elif isinstance(ask, Claim | ClaimOneOf):
            count[mark("{count} claimed")] += 1
    if count:
        clauses = ", ".join(_(done, count=number) for done, number in count.items())
        yield _("{steps}, and proved", steps=clauses)


def line(label: str, text: str, columns: int | None) -> str:
    """`text` behind `label`; if `columns` is given, broken to fit them, further lines moved in."""
    return "\n".join(hung(text, columns, label))


def reading_width() -> int | None:
    """The columns of a terminal on standard output; None for a file or a program, which take whole lines."""
    return get_terminal_size().columns if sys.stdout.isatty() else None


def steps(referee: Referee) -> list[Step]:
    """The whole game as far as it was played."""
    return list(Teller(referee.genesis).hear(referee.table.history))


def standing(genesis: Genesis, step: Step) -> str:
    """The markers after a complete step, in words, for people who check by hand."""
    teller = ENTRIES[genesis.game.name].standing
    return "" if teller is None or not step.complete else teller.load()(step.state, names(genesis))


def plain_steps(referee: Referee) -> list[Plain]:
    """All steps as JSON values; docs/json.md lists the keys."""
    return [
        {
            "step": at,
            "entry": step.number,
            "told": list(step.sentences),
            "standing": standing(referee.genesis, step) or None,
            "complete": step.complete,
        }
        for at, step in enumerate((*steps(referee), *behind(referee)), start=1)
    ]


def open_step(referee: Referee) -> list[Part]:
    """The parts of the step that is not complete, in a game that has words for them."""
    parts: list[Part] = []
    for part in Teller(referee.genesis, live=True).parts(referee.table.history):
        parts = [*parts, part] if part.step is None else []
    return parts


class Offers:
    """Tells when an offer of a draw has lapsed: another player than its author has decided something since.

    The record tells it alike to all, but says nothing of it itself.
    """

    def __init__(self, genesis: Genesis) -> None:
        self._names = names(genesis)
        self._standing: dict[Seat, Statement] = {}
        self._reached = -1
        """The entry that completed the last step."""

    def hear(self, event: Step | Statement, decided_at: Sequence[Sequence[int]]) -> list[str]:
        """A sentence for each offer that has lapsed with this step, or before this statement came.

        `decided_at`: as the referee of the match has it.
        """
        if isinstance(event, Step):
            self._reached = event.number
        elif event.kind is Kind.OFFER_DRAW:
            self._standing[event.seat] = event
        lapsed = [seat for seat, offer in self._standing.items() if self._has_lapsed(offer, decided_at)]
        for seat in lapsed:
            del self._standing[seat]
        return [
            _("The draw that {name} has offered is declined by playing on.", name=self._names[seat])
            for seat in lapsed
        ]

    def _has_lapsed(self, offer: Statement, decided_at: Sequence[Sequence[int]]) -> bool:
        for seat, numbers in enumerate(decided_at):
            at = bisect_left(numbers, offer.count)
            if seat != offer.seat and at < len(numbers) and numbers[at] <= self._reached:
                return True
        return False


def statements(record: Iterable[Entry | Statement]) -> list[Statement]:
    """The statements in `Referee.record` or a part of it, without consent and END.

    In the order of the entries that they stand over, and over one entry in the order of arrival.
    """
    listed = [
        record_item
        for record_item in record
        if isinstance(record_item, Statement) and record_item.kind not in (Kind.AGREE, Kind.END)
    ]
    return sorted(listed, key=lambda statement: statement.count)


class _Placed(Protocol):
    """Something beside the steps, after `count` entries."""

    @property
    def count(self) -> int: ...


_Beside = TypeVar("_Beside", bound=_Placed)


def woven(steps: Iterable[Told], statements: Sequence[_Beside]) -> Iterator[Told | _Beside]:
    """Steps or parts of steps, with the `statements` at their places, or with other things in the
    order of their counts.
    """
    waiting = deque(statements)
    for step in steps:
        while waiting and waiting[0].count <= step.number:  # its seat had not seen this step's last entry
            yield waiting.popleft()
        yield step
    yield from waiting


def _away(statement: Statement, name: str, other: str) -> str:
    """An AWAY of the player `name` against `other` as a sentence."""
    if is_of_time(statement):
        return _("{claimant} says that {player}'s clock has run out.", claimant=name, player=other)
    if not statement.content[1]:
        return _("{name} says that {other} does not answer.", name=name, other=other)
    asked = _("{content} seconds have passed since it was asked", content=statement.content[1])
    return _("{name} says that {other} did not answer: {asked}.", name=name, other=other, asked=asked)


def speak(statement: Statement, genesis: Genesis) -> str:
    """A statement as a sentence."""
    name = names(genesis)[statement.seat]
    match statement.kind:
        case Kind.CHAT:
            return f"{name}: {escape(statement.content[0])}"
        case Kind.SEALED:
            return _(
                "{name} writes to {names_name} alone: it is sealed.",
                name=name,
                names_name=names(genesis)[statement.content[0]],
            )
        case Kind.RESIGN:
            return _("{name} resigns.", name=name)
        case Kind.OFFER_DRAW:
            return _("{name} offers a draw.", name=name)
        case Kind.ACCEPT_DRAW if statement.content[0] == statement.seat:
            return _("{name}, who offered the draw, confirms it: all others have accepted.", name=name)
        case Kind.ACCEPT_DRAW:
            return _("{name} accepts the draw.", name=name)
        case Kind.AWAY:
            return _away(statement, name, names(genesis)[statement.content[0]])
        case Kind.REVEAL:
            return _("{name} opens what was still closed.", name=name)
        case Kind.COMPLAIN:
            return _("{name} complains of what it was shown alone.", name=name)
        case _ if statement.kind.name == "BACK":
            return _("{name} confirms that a late answer counts.", name=name)
        case _:
            return _("{name} signs the {kind}.", name=name, kind=statement.kind.name)
