"""What every game must pass: a list of checks, each a function of a Subject.

A part that a game's entry leaves out is not asked for: the check raises LeftOut.  What is only untidy, such
as a missing translation, is yielded as a warning.

A rulebook that asks a clock, draws lots by itself or depends on the order of a hash would lead two honest
players to different states (threat 46), and be told from the other one by no auditor.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from gettext import NullTranslations
from pathlib import Path
from typing import Any, Final

from cli.games import packages
from cli.games.interface import GameTerminal, Misunderstood, PlannedAnswers, Unknown
from cli.games.typed_names import in_english
from cli.testing.match import Decide, Table
from cli.testing.subject import NAMES, Failed, LeftOut, Subject, Warnings, require
from cli.text import language
from cli.text.layout import ascii_line, ascii_text, width, words
from p2p_stratego.core import language as speaking
from p2p_stratego.core import self_play
from p2p_stratego.core.entry import GameEntry, Text, Whole, Words
from p2p_stratego.core.game import (
    Ask,
    Choose,
    Claim,
    Commit,
    Decision,
    Face,
    Game,
    Mix,
    OptionError,
    Roll,
    Shuffle,
    Slot,
    Together,
)
from p2p_stratego.core.view import View
from protocol.audit.verdict import Verdict, audit
from protocol.record.asks.base import Answered, Decided
from protocol.seat.secrets import MASTER_BYTES, MatchSecrets
from protocol.seat.session import Session

LIAR: Final = 0
_SEED: Final = 5


def exact(subject: Subject) -> Warnings:
    """Who lays other cards than the set that the rules name is named by every audit."""
    honest = _played(subject)
    for ask in _asked(honest, Commit):
        if ask.exactly and ask.chosen and len(set(ask.faces)) > 1:
            lies = {slot: min(ask.faces) for slot in ask.slots}
            yield from _found(subject, lies, "wrong-faces")
            return
    raise LeftOut("nobody has to lay an exact set")


def claims(subject: Subject) -> Warnings:
    """Who claims what its own cards disprove is named by every audit."""
    honest = _played(subject)
    laid = {slot: ask for ask in _asked(honest, Commit) if ask.chosen for slot in ask.slots}
    known = honest.seats[LIAR].session.known
    for claim in _asked(honest, Claim):
        for slot in claim.slots:
            ask = laid.get(slot)
            lies = _false(ask, slot, claim, known) if ask is not None else None
            if lies is not None:
                yield from _found(subject, lies, claim.rule)
                return
    raise LeftOut("nobody claims anything about cards that it chose")


def _false(ask: Commit, slot: Slot, claim: Claim, known: Mapping[Slot, Face]) -> dict[Slot, Face] | None:
    """Other faces for slots of one Commit, with which the claim about `slot` is false."""
    if not ask.exactly:
        other = next((face for face in sorted(ask.faces) if face not in claim.faces), None)
        return None if other is None else {slot: other}
    place = next((place for place in ask.slots if known[place] not in claim.faces), None)
    return None if place is None else {slot: known[place], place: known[slot]}


def mixes(subject: Subject) -> Warnings:
    """Who lays one card twice where cards are mixed is named by every audit."""
    honest = _played(subject)
    known = honest.seats[LIAR].session.known
    for ask in _asked(honest, Mix):
        if not ask.chosen and len({known[slot] for slot in ask.old}) > 1:
            yield from _named(subject, ask.rule, secrets={LIAR: _OneFace})
            return
    raise LeftOut("nobody mixes cards blindly")


class _OneFace(MatchSecrets):
    """Secrets that lay the first card of a Mix everywhere."""

    def mix_order(self, game: bytes, seat: int, serial: int, length: int) -> list[int]:
        return [0] * length


def _played(subject: Subject, **terms: Any) -> Table:
    if subject.rules.needs_proofs:
        raise LeftOut("its claims are proved when they are made")
    terms = {"decide": subject.honest(), **terms}
    seats = subject.rules.seat_counts[0]
    return Table(_SEED, game=subject.rules, options=subject.short, seats=seats, **terms).play()


def _asked(table: Table, kind: type[Any]) -> Sequence[Any]:
    """The Asks of this kind that the liar answered, in their order."""
    history = table.seats[LIAR].session.referee.table.history
    asks = [step.ask for step in history if isinstance(step, Answered)]
    parts = [part for ask in asks for part in (ask.asks if isinstance(ask, Together) else (ask,))]
    return [part for part in parts if isinstance(part, kind) and part.seat == LIAR]


def _found(subject: Subject, lies: Mapping[Slot, Face], rule: str) -> Warnings:
    """Play with `lies` in the place of what the liar's bot lays."""
    truth: dict[Slot, Face] = {}
    yield from _named(subject, rule, decide=_lying(subject.honest(), lies, truth))


def _lying(honest: Decide, lies: Mapping[Slot, Face], truth: dict[Slot, Face]) -> Decide:
    class Blind:
        """A session whose view shows what the bot believes to have laid."""

        def __init__(self, session: Session) -> None:
            opened = session.referee.table.faces
            believed = {slot: face for slot, face in truth.items() if slot not in opened}
            known = {**session.known, **believed}
            self.view = replace(session.view, known=known)
            self.seat = session.seat

    def decide(session: Session, decision: Decision, rng: random.Random) -> Decided:
        if session.seat != LIAR:
            return honest(session, decision, rng)
        decided = honest(Blind(session), decision, rng)  # type: ignore[arg-type]  # it has all that bots are given
        if isinstance(decision, Commit) and not lies.keys().isdisjoint(decision.slots):
            laid = zip(decision.slots, map(int, decided), strict=True)
            truth.update(laid)
            return tuple(lies.get(slot, truth[slot]) for slot in decision.slots)
        return decided

    return decide


def _named(subject: Subject, rule: str, **terms: Any) -> Warnings:
    """Every audit says that the liar broke a rule; the claim's own unless the rules have seen it before."""
    table = _played(subject, **terms)
    for seat in table.seats:
        report = audit(seat.transcript, {subject.rules.name: subject.rules})
        require(report.verdict is Verdict.CHEATED, f"the lie against {rule} is not found: {report.verdict}")
        culprit = report.fault.seat if report.fault is not None else None
        breach = report.outcome.breach if report.outcome is not None else None
        require(LIAR in (culprit, breach.seat if breach else None), "another player is blamed for the lie")
    yield from ()


_SEEDS: Final = 4
"""Whole games for each number of players, and ways to lay."""
_LEAVING: Final = 0.01
"""How often somebody leaves, of all Asks of a game in which players leave."""
MOST_ASKS: Final = 100_000
"""Of one game: a record of so many would be longer than one may be."""
_STEPS: Final = 60
"""Of a match whose beginnings are compared."""
_GOAL: Final = 70


def entry(subject: Subject) -> Warnings:
    """The entry leads to its parts, and lists the options of the rules."""
    entry, rules = subject.entry, subject.rules
    require(rules.name == subject.name, "the rules bear another name than the entry")
    require(isinstance(subject.terminal, GameTerminal), "the terminal is no GameTerminal")
    require(subject.terminal.title == entry.title, "the terminal has another title than the entry")
    require(next(iter(entry.bots)) == "agent", 'the strongest bot is called "agent", and stands first')
    for bot in entry.bots.values():
        require(callable(bot.load()(random.Random(1)).decide), "a bot decides")
    for word in ("step", "ending", "reason", "breach", "options"):
        require(callable(getattr(entry.narration.load(), word, None)), f"the narration lacks {word}")
    for part in ("scenarios", "record", "moment", "standing", "analysis", "tallying", "seats", "unfolding"):
        if (lazy := getattr(entry, part)) is not None:
            require(lazy.load() is not None, f"{part} leads nowhere")
    require(not entry.setups or subject.terminal.setup_editor is not None, "set-ups need a SetupEditor")
    _options(entry, rules)
    yield from ()


def _options(entry: GameEntry, rules: Game[Any]) -> None:
    usual = list(rules.options({}))
    require([field.name for field in entry.options] == usual, "the entry's options are those of the rules")
    for field in entry.options:
        values = field.values
        if isinstance(values, Whole):
            offered = [str(values.least), str(values.most)]
        else:
            offered = list(values.words if isinstance(values, Words) else values.names)
        for word in offered:
            value = values.read(word, lambda _: None)
            require(rules.options({field.name: value})[field.name] == value, f"{field.name}={word} is none")
        for word in ("nobody-calls-it-so", *([] if isinstance(values, Text) else ["-1"])):
            try:
                values.read(word, lambda _: None)
            except OptionError:
                continue
            raise Failed(f"{field.name}={word} is read")
    require(entry.presets[0].options == {}, "the first preset is the usual variant")
    for preset in entry.presets:
        agreed = rules.options(preset.options)
        require(agreed.items() >= preset.options.items(), f"the preset {preset.title} is none")


def pure(subject: Subject) -> Warnings:
    """The rules import the core alone, and neither read, write nor draw lots."""
    own, files = packages.rules_at(subject.entry.rules.place)
    flaws = [fault for file in files.values() for fault in faults(file, own)]
    require(not flaws, "; ".join(flaws))
    yield from ()


def whole_games(subject: Subject) -> Warnings:
    """Bots play whole games by the rules alone, for every number of players, and players leave anywhere."""
    rules, levels = subject.rules, [bot for bot in subject.entry.bots if bot not in subject.facts.slow]
    for seats in rules.seat_counts:
        for seed in range(1 if subject.facts.heavy else 2 * _SEEDS):
            # Of two players one that leaves ends the match at once; the rules hear nothing of it.
            restless = seats if seats > 2 and (seed % 2 or subject.facts.heavy) else 0
            rng, counter = random.Random(f"{seats} {seed}"), _Counter(rules, restless, seed)
            bots = [subject.bot((seed, seat), levels[seed % len(levels)]) for seat in range(seats)]
            end = self_play.play(rules, bots, subject.short, rng, counter.leaves)
            require(end.state in {end.state}, "a state can be compared and hashed")
            winners = end.outcome.winners
            require(winners <= set(range(seats)), "the winners are seats of the table")
            sides = [side for side in rules.sides(seats) if side & winners]
            require(frozenset().union(*sides) == winners, "a side wins as a whole")
            require(max(end.faces, default=0) < 1 << 16, "a slot is a number from 0 to 65,535")
    yield from ()


class _Counter:
    """Counts what a game asks for, and lets seats leave."""

    def __init__(self, rules: Game[Any], restless: int, seed: int) -> None:
        """`restless`: so many of the first seats may leave."""
        self._rules, self._restless, self._rng = rules, restless, random.Random(seed)
        self._rolls = self._shuffles = 0

    def leaves(self, number: int, ask: Ask) -> Sequence[int]:
        self._rolls += isinstance(ask, Roll)
        self._shuffles += isinstance(ask, Shuffle)
        require(self._rolls <= self._rules.most_rolls, "there are more Rolls than most_rolls")
        require(self._shuffles <= self._rules.most_shuffles, "there are more Shuffles than most_shuffles")
        require(number < MOST_ASKS, f"a game has more than {MOST_ASKS} Asks: does it end?")
        goes = self._restless and self._rng.random() < _LEAVING
        return (self._rng.randrange(self._restless),) if goes else ()


def two_ends(subject: Subject) -> Warnings:
    """Whole matches through the protocol, at the smallest and the largest table, by hashes and by proofs."""
    rules = subject.rules
    tables = {rules.seat_counts[0], rules.seat_counts[0 if subject.facts.heavy else -1]}
    profiles = [True] if rules.needs_proofs else [False, True]
    for seats, proofs in ((seats, proofs) for seats in sorted(tables) for proofs in profiles):
        table = Table(
            seats, game=rules, options=subject.short, seats=seats, proofs=proofs, decide=subject.honest()
        ).play()
        for seat in table.seats:
            report = audit(seat.transcript, {rules.name: rules})
            require(report.verdict is Verdict.COMPLETE, f"{seats} seats, proofs {proofs}: {report.verdict}")
    yield from ()


def hidden(subject: Subject) -> Warnings:
    """Up to an opening, others are sent as many bytes and see the same, whatever a player lays."""
    rules = subject.rules
    if rules.needs_proofs:
        raise LeftOut("its cards lie under keys")
    seen: dict[object, object] = {}
    for variant in range(_SEEDS):
        for shown in _seen(subject, variant):
            place, sight = shown
            require(seen.setdefault(place, sight) == sight, f"what is laid changes what others see: {sight}")
    if not seen:
        raise LeftOut("the first player lays nothing before something is opened")
    yield from ()


def _seen(subject: Subject, variant: int) -> Iterator[tuple[object, object]]:
    """What all but the first player see until a face is opened, by its place in the match."""
    laid = False

    def decide(session: Session, decision: Decision, _rng: random.Random) -> Decided:
        nonlocal laid
        if isinstance(decision, Choose):
            return next(iter(decision.options))
        laid = laid or session.seat == 0
        faces = sorted(decision.faces)
        turn = (variant if session.seat == 0 else 0) % len(faces)
        return tuple((faces[turn:] + faces[:turn])[at % len(faces)] for at in range(len(decision.slots)))

    secrets = {0: lambda master, fresh: _Varied(master, fresh, variant)}
    table = Table(
        7,
        game=subject.rules,
        options=subject.short,
        seats=subject.rules.seat_counts[0],
        decide=decide,
        secrets=secrets,
    )
    for step in range(_STEPS):
        if not table.step() or any(seat.session.referee.table.faces for seat in table.seats):
            return
        first, *others = table.seats
        laid = laid or bool(first.session.referee.table.hidden)
        yield ("sent", step), [(frame.kind, len(frame)) for frame in first.log]
        if laid and first.session.referee.table.state is not None:
            # Drawn first: a terminal that keeps what it has seen would show it to the next.
            subject.terminal.description.board(subject.context(first.session.view))
            for seat in others:
                context = subject.context(seat.session.view)
                yield ("shown", step, seat.seat), subject.terminal.description.board(context)


class _Varied(MatchSecrets):
    """Secrets that draw other faces, and are the same ones otherwise."""

    def __init__(self, master: bytes, fresh: Callable[[int], bytes], variant: int) -> None:
        super().__init__(master, fresh)
        self._variant = variant

    def faces_seed(self, game: bytes, seat: int, serial: int) -> bytes:
        return bytes((self._variant,)) * MASTER_BYTES


def answers(subject: Subject) -> Warnings:
    """Every answer that is offered can be typed as it is shown, in every language and in ASCII."""
    here, read = subject.terminal, 0
    for code, plain in ((code, plain) for code in sorted(language.NAMES) for plain in (False, True)):
        language.install(code, ascii_only=plain)
        try:
            for view in subject.views:
                for choice in here.questions.choices(subject.context(view)):
                    shown = ascii_text(choice.shown) if plain else choice.shown
                    meant = _meant(here, view, choice.word)
                    # What sets a side up is read by its SetupEditor.
                    known = meant is not Unknown or here.setup_editor is not None
                    require(known, f"{code}: {choice.word!r} is offered, and is no answer")
                    same = _meant(here, view, shown) == meant
                    require(same, f"{code}: {shown!r} is not read as {choice.word!r}")
                    read += 1
        finally:
            language.install(language.ENGLISH)
    require(read > 0, "no answer is offered")
    yield from ()


def _meant(here: GameTerminal, view: View[Any], line: str) -> object:
    """What a line comes to at the table: a decision with what it plans, or why it is none yet."""
    try:
        decided = here.questions.read(view, in_english(line, here.names()))
    except Misunderstood as error:
        return type(error)
    return (decided.first, decided.then) if isinstance(decided, PlannedAnswers) else decided


def every_answer(subject: Subject) -> Warnings:
    """What a line means is what the rules allow; what means nothing is refused with a sentence."""
    here = subject.terminal
    for view in subject.views:
        for choice in here.questions.choices(subject.context(view)):
            meant = _meant(here, view, choice.word)
            planned = isinstance(meant, tuple) and len(meant) == 2 and isinstance(meant[1], tuple)
            decided = meant[0] if planned and isinstance(meant, tuple) else meant
            if isinstance(decided, str | tuple):
                require(self_play.allowed(view.asked, decided), f"{choice.word!r} means {decided!r}")
        try:
            here.questions.read(view, "no answer of any game")
        except Misunderstood as error:
            require(str(error) != "", "a refusal says why")
        else:
            raise Failed("any words are read as an answer")
    yield from ()


def screens(subject: Subject) -> Warnings:
    """Boards fill their cells, sentences have their fields, and ASCII alone is enough."""
    here, narration = subject.terminal, subject.entry.narration.load()
    names = NAMES[: subject.rules.seat_counts[0]]
    for view in subject.views:
        context = subject.context(view)
        for columns, rows in (here.board.LEAST, (80, 24), (140, 45)):
            wide, high = here.board.fitting(max(columns, here.board.LEAST[0]), max(rows, here.board.LEAST[1]))
            lines = here.board.draw(context, wide, high)
            require(
                [width(line) for line in lines] == [wide] * high, f"the board is not {wide} × {high} cells"
            )
            for line in lines:  # what ASCII has no sign for becomes a question mark
                known = words(ascii_line(line)).count("?") == words(line).count("?")
                require(known, f"a sign has no form in ASCII: {words(line).strip()!r}")
        require(len(here.description.goal(view)) <= _GOAL, f"the goal has more than {_GOAL} characters")
        edited = here.setup_editor is not None and here.setup_editor.is_time(view)
        asked = edited or here.questions.question(view, context.players) is not None
        require(asked, "a decision has a question")
        _sentences([*here.description.board(context), here.description.goal(view)])
    states = subject.played[1]
    for before, after in zip((None, *states), states, strict=False):
        _sentences(narration.step(before, after, names))
    require(bool(here.manual.page(None, 80).lines), "the manual is empty")
    yield from ()


def _sentences(sentences: Sequence[str]) -> None:
    for text in sentences:
        require("{" not in text and "}" not in text, f"a field is not filled: {text!r}")


def translations(subject: Subject) -> Warnings:
    """What is shown of the game is translated, and fits in every language."""
    for code in sorted(set(language.NAMES) - {language.ENGLISH}):
        language.install(code)
        heard = _Heard(language.catalogue())
        speaking.install(heard)
        try:
            yield from screens(subject)
        except Failed as why:
            yield f"{code}: {why}"
        finally:
            language.install(language.ENGLISH)
        yield from (f"{code} lacks: {text}" for text in heard.missing)


class _Heard:
    """A catalogue that notes the sentences which it lacks."""

    def __init__(self, catalogue: NullTranslations) -> None:
        self._catalogue = catalogue
        self.missing: dict[str, None] = {}

    def gettext(self, message: str, /) -> str:
        return self._noted(message, self._catalogue.gettext(message))

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        translated = self._catalogue.ngettext(singular, plural, n)
        return self._noted(plural if translated is plural else singular, translated)

    def pgettext(self, context: str, message: str, /) -> str:
        return self._noted(message, self._catalogue.pgettext(context, message))

    def _noted(self, message: str, translated: str) -> str:
        if translated is message:  # a translation that reads the same is another object
            self.missing[message] = None
        return translated


@dataclass(frozen=True)
class Check:
    """One check: its name, what it shows in a sentence, and its function."""

    name: str
    run: Callable[[Subject], Warnings]

    @property
    def about(self) -> str:
        """What holds if it passes."""
        return " ".join((self.run.__doc__ or "").split())


CHECKS: Final = tuple(
    Check(run.__name__.replace("_", "-"), run)
    for run in (
        *(entry, pure, whole_games, two_ends, hidden, exact, mixes, claims),
        *(answers, every_answer, screens, translations),
    )
)
"""All that every game must pass, the quick ones first where that is the same."""


PURE: Final = frozenset(
    """__future__ abc array bisect collections contextlib contextvars copy dataclasses enum fractions
    functools heapq itertools json math operator re string textwrap types typing unicodedata""".split()  # noqa: SIM905 - words
)
"""Of the standard library: the modules without clock, randomness, cryptography, input or output."""
IMPURE_CALLS: Final = frozenset(
    "open print input exec eval compile __import__ hash id".split()  # noqa: SIM905 - one line of words
)
"""Functions that read, write, run text, or differ from process to process."""
_CORE: Final = "p2p_stratego.core"


def faults(file: Path, own: str) -> Iterator[str]:
    """What is not pure in the module `file`, a sentence each; `own`: the module or package of the rules."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.Import():
                flaws = [f"imports {alias.name}" for alias in node.names if not _may(alias.name, own)]
            case ast.ImportFrom():
                module = "." * node.level + (node.module or "")
                flaws = [] if _may(module, own) else [f"imports {module}"]
            case ast.Call(func=ast.Name(called)) if called in IMPURE_CALLS:
                flaws = [f"calls {called}"]
            case _:
                continue
        yield from (f"{file.name}, line {node.lineno}, {flaw}" for flaw in flaws)


def _may(module: str, own: str) -> bool:
    """Whether rules may import a module."""
    inside = any(f"{module}.".startswith(f"{package}.") for package in (own, _CORE))
    return inside or module.partition(".")[0] in PURE
