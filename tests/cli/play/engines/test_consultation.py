"""The lines of engines: what is said in which order, and what a strange, late or false answer leads to."""

from __future__ import annotations

import json
import random
import re
import threading
from collections.abc import Iterable
from functools import partial
from typing import Any

import pytest

from cli.play.engines.consultation import (
    LONGEST,
    PATIENCE,
    READY_WITHIN,
    Consultation,
    EngineOption,
    LossCause,
    Lost,
)
from cli.play.engines.engine_bot import EngineBot
from cli.play.engines.forms import GameTerms
from p2p_stratego.core.game import Choose
from p2p_stratego.core.self_play import allowed, play
from p2p_stratego.core.view import View
from p2p_stratego.registry import GAMES, make_bot
from tests.helpers.games.any_game import views
from tests.helpers.program.engines import HELLO, READY, FakePipe, Replies, Reply, obliging, polite

GAME = GAMES["spies-and-lies"]


def seated(replies: Replies, name: str = GAME.name) -> tuple[EngineBot, FakePipe]:
    """An engine that sits on the first seat of a game of two."""
    line = FakePipe(replies)
    bot = EngineBot(lambda: line, {}, line.clock, random.Random(1))
    game = GAMES[name]
    bot.begin(GameTerms(game, game.options({}), 0, ("Anna", "Boris"), 7))
    return bot, line


def guessing(name: str = GAME.name) -> View[Any]:
    """A view of the first seat that has several options."""
    return next(
        view
        for view in views(name)
        if view.seat == 0 and isinstance(view.decision, Choose) and len(list(view.decision.options)) > 2
    )


def decided(*answers: Reply, name: str = GAME.name) -> tuple[object, FakePipe]:
    """What comes of these answers to one question."""
    bot, line = answering(answers, name)
    return bot.decide(guessing(name)), line


def answering(answers: Iterable[Reply], name: str) -> tuple[EngineBot, FakePipe]:
    """An engine that says this to each question."""
    return seated(polite(lambda message: answers if message["type"] == "decide" else []), name)


def choice(option: object, number: int = 1) -> dict[str, Any]:
    return {"type": "choose", "number": number, "option": option}


def errors(line: FakePipe) -> list[str]:
    return [message["code"] for message in line.received if message["type"] == "error"]


@pytest.mark.parametrize("name", ["spies-and-lies", "stratego", "conquest"])
def test_an_engine_without_any_knowledge_plays_a_whole_game(name: str) -> None:
    """It takes the first option always: none that is offered breaks a rule."""
    bot, line = seated(polite(obliging), name)
    game = GAMES[name]
    options: dict[str, int | str] = {"army": "barrage", "quiet": 20} if name == "stratego" else {}
    played = play(game, [bot, make_bot(name, "recruit", random.Random(2))], options, random.Random(3))
    bot.end(played.outcome)
    bot.close()
    assert played.outcome.reason != "cheated"
    assert [message["type"] for message in line.received[:3]] == ["hello", "options", "game"]
    assert {message["type"] for message in line.received[3:-2]} == {"decide"}
    assert [message["type"] for message in line.received[-2:]] == ["end", "quit"]
    assert line.closed


def test_an_engine_can_resign_in_the_midst_of_a_long_game() -> None:
    def weary(message: dict[str, Any]) -> Iterable[Reply]:
        return [{"type": "resign", "number": 40}] if message.get("number") == 40 else obliging(message)

    bot, line = seated(polite(weary), "spies")
    with pytest.raises(Lost) as lost:
        play(GAMES["spies"], [bot, make_bot("spies", "recruit", random.Random(2))], {}, random.Random(3))
    assert lost.value.cause is LossCause.RESIGNED
    assert errors(line) == []


def test_an_option_is_chosen_by_its_index_or_by_its_typed_form() -> None:
    by_index, line = decided(choice(1))
    (asked,) = [message for message in line.received if message["type"] == "decide"]
    assert by_index == asked["choose"]["options"][1]
    by_name, _line = decided(choice(by_index))
    assert by_name == by_index


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (choice(99), "no-such-option"),
        (choice(-1), "no-such-option"),
        (choice("castle"), "not-offered"),
        (choice(True), "wrong-form"),
        (choice(1.0), "wrong-form"),
        (choice(None), "wrong-form"),
        (choice(0, number=2), "not-asked"),
        (choice(0, number=True), "not-asked"),
        ({**choice(0), "comment": ""}, "wrong-form"),
        ({"type": "choose", "number": 1}, "wrong-form"),
        ({"type": "lay", "number": 1, "faces": [1]}, "not-offered"),
        ({"type": "lay", "number": 1, "faces": "11"}, "wrong-form"),
        ({"type": "lay", "number": 1, "faces": [True]}, "wrong-form"),
        ({"type": "ready"}, "wrong-form"),
        ({"type": 1}, "wrong-form"),
        ([], "wrong-form"),
        (b"choose 1", "no-json"),
        (b"\xff", "no-json"),
        (b"", "no-json"),
        (b'{"type":"choose","type":"choose","number":1,"option":0}', "no-json"),
        (b'{"type":"choose","number":NaN,"option":0}', "no-json"),
        (b'{"type":"choose","number":1,"option":' + b"9" * 400 + b"}", "no-json"),
        (b'{"type":' * 500, "no-json"),
        (b"[" * 40 + b"]" * 40, "no-json"),
    ],
)
def test_a_wrong_answer_is_refused_and_may_be_mended(answer: Any, code: str) -> None:
    data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    taken, line = decided(data, choice(0))
    assert errors(line) == [code]
    assert taken == next(message for message in line.received if "choose" in message)["choose"]["options"][0]


def value(rng: random.Random, depth: int = 3) -> Any:
    """Any JSON."""
    inner = rng.randrange(4) if depth else 0
    if rng.random() < 0.7 and not inner:
        return rng.choice(
            (None, True, False, 0, 1, -1, 7, 10**20, 0.5, -0.0, 1e300, "", "1", "resign", "\x1b", "é\ud800")
        )
    if inner % 2:
        return [value(rng, depth - 1) for _ in range(inner)]
    return {rng.choice(("type", "option", "", "x")): value(rng, max(depth - 1, 0)) for _ in range(inner)}


def answer(rng: random.Random) -> bytes:
    """An answer of the right form in part, of another form, or no JSON."""
    form = rng.random()
    if form < 0.2:
        return rng.randbytes(rng.randrange(41))
    if form < 0.3:
        return json.dumps(choice(rng.randrange(9))).encode()
    if form < 0.5:
        fields = rng.sample(("type", "number", "option", "faces", "text"), rng.randrange(6))
        return json.dumps({name: value(rng) for name in fields}).encode()
    rest = {name: value(rng) for name in rng.sample(("option", "faces", "text", "number"), rng.randrange(3))}
    kind = rng.choice(("choose", "lay", "resign", "error", "hello"))
    return json.dumps({"type": kind, "number": 1, **rest}).encode()


@pytest.mark.parametrize("name", ["spies-and-lies", "stratego"])
def test_whatever_an_engine_says_it_is_taken_or_refused_or_lost(name: str) -> None:
    """Of Stratego an army is laid, of Spies & Lies a soldier guessed."""
    view, rng = views(name)[0] if name == "stratego" else guessing(), random.Random(name)
    taken = lost = 0
    for _ in range(100):
        answers = [answer(rng) for _ in range(rng.randrange(13))]
        bot, line = answering(answers, name)
        try:
            assert allowed(view.asked, bot.decide(view)), answers
            taken += 1
        except Lost:
            lost += 1
        assert len(errors(line)) <= min(len(answers), PATIENCE), answers
    assert lost > 5
    assert taken > 5 or name == "stratego"  # where nobody lays an army by chance


def test_patience_with_wrong_answers_ends() -> None:
    with pytest.raises(Lost) as lost:
        decided(*[b"?"] * (PATIENCE + 1), choice(0))
    assert lost.value.cause is LossCause.WRONG
    assert decided(*[b"?"] * PATIENCE, choice(0))[0]


@pytest.mark.parametrize("seconds", [9.9, 10.1])
def test_a_late_engine_is_lost_and_its_answer_does_not_count(seconds: float) -> None:
    if seconds < 10:
        assert decided(seconds, choice(0))[0]
        return
    with pytest.raises(Lost) as lost:
        decided(seconds, choice(0))
    assert lost.value.cause is LossCause.LATE


def test_wrong_answers_win_no_time() -> None:
    with pytest.raises(Lost) as lost:
        decided(6.0, b"?", 6.0, choice(0))
    assert lost.value.cause is LossCause.LATE


def test_what_comes_before_it_is_asked_for_is_refused() -> None:
    """An engine that answers the next questions in advance has not seen them."""

    def hasty(message: dict[str, Any]) -> Iterable[Reply]:
        if message["type"] == "error":
            return []
        number = message["number"]
        return [choice(0, number), choice(1, number + 1)]

    bot, line = seated(polite(hasty))
    view = guessing()
    first = bot.decide(view)
    assert errors(line) == []
    assert bot.decide(view) == first
    assert errors(line) == ["not-asked"]


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        ({"type": "resign", "number": 1}, LossCause.RESIGNED),
        ({"type": "error", "text": "no such game"}, LossCause.GAVE_UP),
        (Lost(LossCause.GONE), LossCause.GONE),
        (Lost(LossCause.LONG), LossCause.LONG),
    ],
)
def test_an_engine_that_is_lost_stays_lost_for_the_game(answer: Reply, cause: LossCause) -> None:
    bot, line = seated(polite(lambda _message: [answer]))
    for _ in range(2):
        with pytest.raises(Lost) as lost:
            bot.decide(guessing())
        assert lost.value.cause is cause
    assert len([message for message in line.received if message["type"] == "decide"]) == 1


def test_an_engine_that_was_lost_is_started_anew_for_the_next_game() -> None:
    lines = [FakePipe(polite(lambda _message: [Lost(LossCause.GONE)])), FakePipe(polite(obliging))]
    waiting = list(lines)
    bot = EngineBot(lambda: waiting.pop(0), {}, lambda: 0.0, random.Random(1))
    terms = GameTerms(GAME, GAME.options({}), 0, ("Anna", "Boris"))
    bot.begin(terms)
    with pytest.raises(Lost):
        bot.decide(guessing())
    bot.begin(terms)
    assert lines[0].closed
    assert bot.decide(guessing())
    assert not lines[1].closed


def test_who_leaves_while_the_engine_starts_does_not_wait_for_its_hello() -> None:
    line = FakePipe(lambda _message: [])
    bot = EngineBot(lambda: line, {}, line.clock, random.Random(1))
    bot.begin(GameTerms(GAME, GAME.options({}), 0, ("Anna", "Boris")))
    bot.stop_waiting()
    with pytest.raises(Lost) as lost:
        bot.decide(guessing())
    assert (lost.value.cause, line.now) == (LossCause.GONE, 0.0)


class Watched:
    """A lock that tells once somebody waits for it."""

    def __init__(self, waiting: threading.Event) -> None:
        self._waiting, self._lock = waiting, threading.RLock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            self._waiting.set()
            self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def test_who_leaves_waits_until_a_new_game_has_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that was lost ends first: else its process and folder would outlive the match."""
    order, waiting = [], threading.Event()
    line = FakePipe(polite(lambda _message: [Lost(LossCause.GONE)]))
    with monkeypatch.context() as patched:
        patched.setattr(threading, "Lock", partial(Watched, waiting))
        bot = EngineBot(lambda: line, {}, line.clock, random.Random(1))
    terms = GameTerms(GAME, GAME.options({}), 0, ("Anna", "Boris"))
    bot.begin(terms)
    with pytest.raises(Lost):
        bot.decide(guessing())

    def leave() -> None:
        bot.stop_waiting()
        order.append("left")

    leaver = threading.Thread(target=leave, daemon=True)

    def closing() -> None:
        leaver.start()
        assert waiting.wait(30)  # a watchdog
        order.append("closed")

    line.close = closing  # type: ignore[method-assign]  # another thread comes in between
    bot.begin(terms)
    leaver.join()
    assert order == ["closed", "left"]


def greeted(*replies: Reply, chosen: dict[str, str] | None = None) -> FakePipe:
    """The line after hello, with these replies to hello and to the options."""
    waiting = list(replies)
    line = FakePipe(lambda _message: [waiting.pop(0)] if waiting else [])
    Consultation(line, line.clock).greet(chosen or {})
    return line


@pytest.mark.parametrize(
    "hello",
    [
        {**HELLO, "protocol": 2},
        {**HELLO, "protocol": True},
        {**HELLO, "protocol": "1"},
        {**HELLO, "name": ""},
        {**HELLO, "name": "x" * 41},
        {**HELLO, "name": 1},
        {**HELLO, "name": "\ud800"},
        {**HELLO, "name": "a\nb"},
        {**HELLO, "name": "\x1b[31m"},
        {**HELLO, "name": " a"},
        {**HELLO, "options": [{"name": "\x00", "default": 1}]},
        {**HELLO, "author": "me"},
        {"type": "hello", "protocol": 1},
        {"type": "ready"},
        b"uciok",
        b"{" * 9,
        {**HELLO, "options": {}},
        {**HELLO, "options": [{"name": "a", "default": 1}] * 2},
        {**HELLO, "options": [{"name": "a"}]},
        {**HELLO, "options": [{"name": "a", "default": None}]},
        {**HELLO, "options": [{"name": "a", "default": 1, "values": ["1"]}]},
        {**HELLO, "options": [{"name": "a", "default": True, "least": 0}]},
        {**HELLO, "options": [{"name": str(n), "default": 1} for n in range(33)]},
        {**HELLO, "options": [{"name": "a", "default": "b", "values": [str(n) for n in range(65)]}]},
    ],
)
def test_a_wrong_hello_is_no_engine(hello: Any) -> None:
    with pytest.raises(Lost) as lost:
        greeted(hello, READY)
    assert lost.value.cause is LossCause.WRONG


@pytest.mark.parametrize("name", ["x" * 41, "a ", "\x1b[31m"])
def test_the_author_of_an_engine_reads_how_a_name_has_to_be(name: str) -> None:
    for hello in ({**HELLO, "name": name}, {**HELLO, "options": [{"name": name, "default": 1}]}):
        with pytest.raises(Lost, match="a name has 1 to 40 printable characters"):
            greeted(hello, READY)


def test_a_silent_program_is_given_up_in_time() -> None:
    line = FakePipe(lambda _message: [])
    with pytest.raises(Lost) as lost:
        Consultation(line, line.clock).greet({})
    assert (lost.value.cause, line.now) == (LossCause.LATE, READY_WITHIN)


OPTIONS = [
    {"name": "fast", "default": False},
    {"name": "depth", "default": 3, "least": 1, "most": 9},
    {"name": "style", "default": "calm", "values": ["calm", "wild"]},
    {"name": "book", "default": ""},
]


def test_options_are_set_by_their_kinds() -> None:
    chosen = {"fast": "true", "depth": "9", "style": "wild", "book": "a=b"}
    line = greeted({**HELLO, "options": OPTIONS}, READY, chosen=chosen)
    assert line.received[1]["options"] == {"fast": True, "depth": 9, "style": "wild", "book": "a=b"}


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("fast", "yes"),
        ("depth", "10"),
        ("depth", "x"),
        ("depth", "9" * 5000),
        ("style", "mad"),
        ("slow", "true"),
    ],
)
def test_an_option_that_is_not_there_is_named(name: str, typed: str) -> None:
    with pytest.raises(ValueError, match=name):
        greeted({**HELLO, "options": OPTIONS}, READY, chosen={name: typed})


def test_a_number_without_limits_has_any_value_of_64_bits_and_is_never_cut() -> None:
    assert EngineOption(0).read("-5") == -5
    for typed in ("9" * 25, "1" + "0" * 19, "1_0", " 5", "+5", "٥"):
        with pytest.raises(ValueError, match=re.escape(typed)):
            EngineOption(0).read(typed)


def test_the_longest_line_is_far_longer_than_any_answer() -> None:
    faces = {"type": "lay", "number": 10**6, "faces": [127] * 168}
    assert 8 * len(json.dumps(faces)) < LONGEST
