"""Pages in Chromium, from a file, without a network: what they show, refuse, and never do."""

from __future__ import annotations

import base64
import gzip
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from cli.page import content
from cli.text import language
from cli.text.language import NAMES
from p2p_stratego.registry import GAMES
from protocol.audit.verdict import replay
from tests.helpers.games.players import honest
from tests.helpers.in_javascript.matches import random_player
from tests.helpers.in_javascript.spies import LESSON
from tests.helpers.machine.browser import Browser, running
from tests.helpers.machine.node import ROOT
from tests.helpers.seats.pair import Table

PICTURES: Final = ROOT / "tests/page/pictures"
HOSTILE: Final = "</script><img src=x onerror=hacked=1> \u202eabc <svg onload=hacked=1> {name} ${1}"
ARROW_RIGHT, HOME, END = "\ue014", "\ue011", "\ue010"
NEAR: Final = 12
"""The mean difference of a channel, of 255, that other fonts may make in small pictures of one board."""


@pytest.fixture(scope="module")
def window() -> Iterator[Browser]:
    with running() as browser:
        yield browser


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Writes the page of a match, with a change to it; the true page of a match is made once."""
    folder = tmp_path_factory.mktemp("pages")
    true: dict[bytes, bytes] = {}

    def write(
        name: str, data: bytes, change: Callable[[bytes], bytes] = bytes, *, anew: bool = False
    ) -> Path:
        path = folder / f"{name}.html"
        made = None if anew else true.get(data)
        if made is None:
            made = content.page(replay(data, GAMES), data, "en")
        if not anew:
            true[data] = made
        path.write_bytes(change(made))
        return path

    return write


@pytest.fixture(scope="module")
def stratego() -> bytes:
    options = {"army": "1-1-0-0-0-0-1-1-2-1-1-1"}
    return Table(5, game=GAMES["stratego"], options=options, decide=honest).play().seats[0].transcript


@pytest.fixture(scope="module")
def lies() -> bytes:
    """A game whose names and talk attack the page."""
    table = Table(7, decide=honest, names=("<b>Eve</b>", "<img src=x onerror=hacked=1>")).play(steps=60)
    table.seats[0].session.say(HOSTILE)
    return table.play().seats[0].transcript


def text_at(window: Browser, place: str) -> str:
    text: str = window.run("return document.getElementById(arguments[0]).innerText", place)
    return text


def at(window: Browser) -> int:
    value: int = window.run("return Number(document.getElementById('slider').value)")
    return value


def show(window: Browser, page: Path, step: int) -> None:
    """A page at a step, all open; loaded only if another page is there."""
    if window.run("return location.pathname") != str(page.resolve()):
        window.open(page)
    window.run(_SHOW, step)


_SHOW: Final = """
document.documentElement.dataset.theme = 'auto';
document.querySelector('input[value=all]').click();
const slider = document.getElementById('slider');
slider.value = arguments[0];
slider.dispatchEvent(new Event('input', {bubbles: true}));
"""


@pytest.fixture(scope="module")
def conquest() -> bytes:
    """A game of four in short."""
    names = ("Ada", "Benedikt", "Chen", "Dorothea")
    options = {"rounds": 2}
    player = random_player("conquest", Random(2))
    return (
        Table(3, seats=4, game=GAMES["conquest"], options=options, decide=player, names=names)
        .play()
        .seats[0]
        .transcript
    )


@pytest.fixture(scope="module")
def spies() -> bytes:
    """The years of a lesson, of bots."""
    return Table(7, game=GAMES["spies"], seats=2, options=LESSON, decide=honest).play().seats[0].transcript


@contextmanager
def quiet(window: Browser) -> Iterator[None]:
    """Within it, nothing violates the policy, nothing fails, and no address but files is asked for."""
    window.log()
    window.requests()
    yield
    assert window.log() == []
    asked = window.requests()
    assert [address for address in asked if not address.startswith(("file:///", "about:"))] == []


def test_a_page_checks_its_record_and_follows_keys_and_pointer(
    window: Browser, page: Callable[..., Path], stratego: bytes
) -> None:
    path = page("stratego", stratego)
    window.size(1280, 800)
    with quiet(window):
        window.open(path)
        assert text_at(window, "badge") == "Checked: complete"
        assert window.run("return document.querySelectorAll('#check .roster .failed').length") == 0
        assert window.run("return document.querySelectorAll('#check .roster .passed').length") >= 10
        last = at(window)
        assert last == window.run("return Number(document.getElementById('slider').max)")
        window.keys(HOME)
        assert at(window) == 0
        window.keys(ARROW_RIGHT * 3)
        assert at(window) == 3
        live = window.run("return document.querySelector('[aria-live]').innerText")
        current = window.run("return document.querySelector('[aria-current] .words').innerText")
        assert live.split() == current.split()
        window.run("document.querySelectorAll('#history button')[7].click()")
        assert at(window) == 7
        window.keys("2")
        assert window.run("return document.querySelector('input[value=\"1\"]').checked")
        closed = "return document.querySelectorAll('#board .closed').length"
        assert window.run(closed) > 0
        window.keys("3")
        assert window.run(closed) == 0
        window.keys("?")
        assert window.run("return document.getElementById('help').open")
        window.keys("\ue00c")  # Escape
        window.keys(END)
        assert at(window) == last
        window.run("document.querySelector('[data-action=theme]').click()")
        assert window.run("return document.documentElement.dataset.theme") == "light"


def test_a_page_says_that_it_checks_and_only_then_that_it_has_checked(
    window: Browser, page: Callable[..., Path], stratego: bytes
) -> None:
    listening = window.devtools("Page.addScriptToEvaluateOnNewDocument", source=_LISTEN)
    window.open(page("stratego", stratego))
    window.devtools("Page.removeScriptToEvaluateOnNewDocument", **listening)
    lines: list[list[str]] = window.run("return said")
    assert [state for state, _ in lines] == ["opening", "shown"]
    assert "Its own program is checking the encoding" in lines[0][1]
    assert "Its own program has just checked the encoding" in lines[1][1]
    assert [text.count("audit FILE") for _, text in lines] == [1, 1]


_LISTEN: Final = """
const said = [];
new MutationObserver(() => {
  const told = document.getElementById('about')?.textContent;
  const now = document.documentElement.dataset.state;
  if (told && said.at(-1)?.[1] !== told) said.push([now, told]);
}).observe(document, {subtree: true, childList: true});
"""


def test_autoplay_goes_on_by_itself(window: Browser, page: Callable[..., Path], stratego: bytes) -> None:
    show(window, page("stratego", stratego), 1)
    window.run("document.querySelector('input[value=all]').focus()")
    window.keys("++ ")
    window.wait("return Number(document.getElementById('slider').value) >= 2")
    window.keys(" ")
    assert window.run("return document.querySelector('.toggle.playing') === null")


def test_another_record_is_checked_and_a_spoilt_one_refused(
    window: Browser, page: Callable[..., Path], stratego: bytes, lies: bytes
) -> None:
    with quiet(window):
        show(window, page("stratego", stratego), 5)
        spoilt = bytearray(lies)
        spoilt[len(lies) // 2] ^= 1
        for data, words in (
            (lies, "complete: the game was played to its end, and honestly."),
            (bytes(spoilt), "tampered: the record is damaged or forged"),
            (b"no record", "This is not the record of a game."),
        ):
            window.run(_CHOOSE, base64.b64encode(data).decode())
            window.wait(f"return document.getElementById('another-result').innerText.includes({words!r})")
        assert window.run("return typeof hacked") == "undefined"


_CHOOSE: Final = """
const bytes = Uint8Array.from(atob(arguments[0]), (sign) => sign.charCodeAt(0));
const files = new DataTransfer();
files.items.add(new File([bytes], '<img src=x onerror=hacked=1>.p2ps'));
const input = document.getElementById('file');
input.files = files.files;
input.dispatchEvent(new Event('change', {bubbles: true}));
"""


def test_mistakes_come_back_as_questions_and_their_words_stay_text(
    window: Browser, tmp_path: Path, lies: bytes
) -> None:
    question = {
        "at": 4,
        "heading": HOSTILE,
        "asked": "Which?",
        "answers": [["a", ["a: it costs 9.0 points."]], [HOSTILE, [f"well done {HOSTILE}"]]],
        "best": ["The bot would have chosen: b."],
    }
    asked = {"seat": 1, "player": "<b>Eve</b>", "bot": "The Agent", "questions": [question]}
    path = tmp_path / "mistakes.html"
    path.write_bytes(content.page(replay(lies, GAMES), lies, "en", asked))
    with quiet(window):
        window.open(path)
        assert "costs" not in text_at(window, "mistakes")
        window.run(_ANSWER, "1")
        assert text_at(window, "mistake-0").startswith("well done </script>")
        window.run("document.querySelector('[data-mistake=best]').click()")
        assert text_at(window, "mistake-0") == "The bot would have chosen: b."
        window.run("document.querySelector('[data-mistake=board]').click()")
        assert at(window) == 4
        assert window.run("return document.querySelector('input[name=view]:checked').value") == "1"
        assert window.run("return typeof hacked") == "undefined"


_ANSWER: Final = """
const choice = document.querySelector('#mistakes select');
choice.value = arguments[0];
choice.dispatchEvent(new Event('change', {bubbles: true}));
"""


@pytest.mark.parametrize("game", ["stratego", "lies", "conquest", "spies"])
def test_board_and_buttons_stand_in_a_phone_and_the_history_has_room_in_a_window(
    window: Browser, page: Callable[..., Path], request: pytest.FixtureRequest, game: str
) -> None:
    show(window, page(game, request.getfixturevalue(game)), 12)
    window.size(360, 740)
    phone = window.run(_PLACES)
    assert phone["wide"] <= 360
    assert phone["buttons"] <= 740
    assert len(phone["views"]) == 1
    assert text_at(window, "badge").startswith("Checked")
    window.size(1280, 900)
    desk = window.run(_PLACES)
    assert desk["buttons"] <= 900
    assert desk["title"] <= 2
    assert desk["history"] >= 8 * 36


@pytest.mark.parametrize("code", NAMES)
def test_names_of_usual_length_stand_whole_on_the_buttons_of_their_views(
    window: Browser, tmp_path: Path, code: str
) -> None:
    """They were cut in mid-word beside the words for all open and a spectator."""
    data = Table(7, decide=honest, names=("Günther Größe", "Recruit bot")).play(steps=60).seats[0].transcript
    language.install(code)
    try:
        (tmp_path / "named.html").write_bytes(content.page(replay(data, GAMES), data, code))
    finally:
        language.install("en")
    window.open(tmp_path / "named.html")
    for columns, rows in ((360, 740), (1280, 900)):
        window.size(columns, rows)
        assert window.run(_CUT) == [], columns


_CUT: Final = """
return [...document.querySelectorAll('.choice bdi')]
  .filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight)
  .map((one) => one.textContent);
"""
_PLACES: Final = """
const box = (name) => document.querySelector(name).getBoundingClientRect();
const title = document.querySelector('h1');
return {
  wide: document.documentElement.scrollWidth,
  buttons: scrollY + box('#controls').bottom,
  views: [...new Set([...document.querySelectorAll('.choice')].map((one) => one.offsetTop))],
  title: Math.round(title.clientHeight / parseFloat(getComputedStyle(title).lineHeight)),
  history: document.getElementById('history').clientHeight,
};
"""


@pytest.mark.parametrize("game", ["stratego", "lies", "conquest", "spies"])
def test_boards_look_as_they_did(
    window: Browser, page: Callable[..., Path], request: pytest.FixtureRequest, game: str
) -> None:
    """Compared in small, so that another font makes no difference.  A picture that is not there is drawn."""
    window.size(360, 900)
    show(window, page(game, request.getfixturevalue(game)), {"conquest": 45, "spies": 90}.get(game, 12))
    box = window.run(
        "const box = document.getElementById('board').getBoundingClientRect(); "
        "return {x: box.x, y: box.y + scrollY, width: box.width, height: box.height}"
    )
    now = window.picture(part=box)
    path = PICTURES / f"{game}.png"
    if not path.exists():
        path.write_bytes(now)
        pytest.skip(f"{path.name} was drawn anew: look at it")
    assert window.difference(now, path.read_bytes()) < NEAR
    others = [other.read_bytes() for other in PICTURES.glob("*.png") if other != path]
    assert all(window.difference(now, other) > 1.5 * NEAR for other in others)


def test_a_page_opens_at_the_step_that_its_address_names(
    window: Browser, page: Callable[..., Path], lies: bytes
) -> None:
    window.open(page("lies", lies), "#12")
    assert at(window) == 11


def test_row_92_names_and_talk_that_attack_are_text_on_every_screen(
    window: Browser, page: Callable[..., Path], lies: bytes
) -> None:
    with quiet(window):
        show(window, page("lies", lies), 11)
        for columns, rows in ((360, 740), (1280, 800)):
            window.size(columns, rows, dark=columns == 360)
            assert "onerror" in text_at(window, "history")
            assert all(name in text_at(window, "facts") for name in ("b Eve /b", "img src=x onerror=hac"))
            assert window.run("return typeof hacked") == "undefined"
            assert window.run("return document.querySelectorAll('img, iframe, b, object, embed').length") == 0
            assert window.run("return document.querySelectorAll('[style]').length") == 0
            assert window.run("return document.documentElement.scrollWidth <= innerWidth")
            assert min(window.run(_TARGETS)) >= 36


_TARGETS: Final = """
return [...document.querySelectorAll('button, select, input:not([type=range]), summary')]
  .filter((one) => one.checkVisibility())
  .map((one) => { const box = one.getBoundingClientRect(); return Math.min(box.width, box.height); });
"""


def test_colours_follow_the_wish_of_the_reader_and_the_switch_and_paper_is_light(
    window: Browser, page: Callable[..., Path], lies: bytes
) -> None:
    show(window, page("lies", lies), 11)
    light, dark, white = "rgb(245, 242, 235)", "rgb(16, 20, 26)", "rgb(255, 255, 255)"
    for wish, by_theme in ((False, (light, light, dark)), (True, (dark, light, dark))):
        for theme, paper in zip(("auto", "light", "dark"), by_theme, strict=True):
            window.size(1280, 900, dark=wish)
            assert window.run(_PAPER, theme) == paper
            window.size(1280, 900, dark=wish, media="print")
            assert window.run(_PAPER, theme) == white
    window.size(1280, 900)


_PAPER: Final = """
document.documentElement.dataset.theme = arguments[0];
return getComputedStyle(document.body).backgroundColor;
"""


def test_everything_that_can_be_pressed_has_a_name(
    window: Browser, page: Callable[..., Path], lies: bytes
) -> None:
    show(window, page("lies", lies), 11)
    names = window.run(_NAMES)
    assert all(names)


_NAMES: Final = """
const named = document.querySelectorAll('button, select, input, summary, a, [role=img]');
return [...named].map((one) =>
  (one.getAttribute('aria-label') || one.labels?.[0]?.textContent || one.textContent).trim());
"""


def test_row_92_the_policy_stops_what_it_must(
    window: Browser, page: Callable[..., Path], lies: bytes
) -> None:
    window.open(page("lies", lies))
    window.log()
    stopped = window.command("POST", "/execute/async", script=_ATTACK, args=[])
    assert stopped == ["connect-src", "img-src", "script-src-elem", "style-src-attr"]
    assert window.run("return typeof hacked") == "undefined"
    assert len(window.log()) >= 4


_ATTACK: Final = """
const done = arguments[0];
const stopped = [];
document.addEventListener('securitypolicyviolation', (event) => {
  stopped.push(event.effectiveDirective);
  if (stopped.length === 4) done(stopped.sort());
});
const script = document.createElement('script');
script.textContent = 'hacked = 1';
document.body.append(script);
document.body.setAttribute('style', 'color: red');
new Image().src = 'http://127.0.0.1:9/x.png';
fetch('http://127.0.0.1:9/').catch(() => {});
"""


def test_a_page_whose_record_was_changed_shows_nothing_of_it(
    window: Browser, page: Callable[..., Path], lies: bytes, stratego: bytes
) -> None:
    other = page("other", stratego).read_bytes()
    record = re.compile(rb'(id="record">)([^<]*)')
    hit = record.search(other)
    assert hit

    def swapped(made: bytes) -> bytes:
        return record.sub(lambda match: match[1] + hit[2], made)

    with quiet(window):
        window.open(page("swapped", lies, swapped))
        assert text_at(window, "badge") == "Refused"
        assert "was changed after the page was made" in text_at(window, "refusal")
        assert window.run("return document.querySelector('.table').checkVisibility()") is False
        text = window.run("return document.body.innerText")
        assert [name for name in ("Eve", "Ada", "Ben", "won") if name in text] == []


def test_a_page_whose_blocks_are_damaged_says_so(
    window: Browser, page: Callable[..., Path], stratego: bytes
) -> None:
    window.open(page("damaged", stratego, lambda made: made.replace(b'id="told">', b'id="told">AAAA')))
    assert "it is damaged, or the browser" in window.run("return document.body.innerText")


def test_row_92_a_block_that_unpacks_to_more_than_any_game_is_refused(
    window: Browser, page: Callable[..., Path], stratego: bytes
) -> None:
    bomb = base64.b64encode(gzip.compress(bytes(9 << 20), 1))
    path = page("bomb", stratego, lambda made: re.sub(rb'(?<=id="told">)[^<]*', bomb, made))
    window.open(path)
    assert window.run("return document.body.innerText").startswith("This page is refused: the data in it")


def test_a_page_that_says_another_result_is_refused(
    window: Browser, page: Callable[..., Path], lies: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    true = content.content

    def lying(*replies: Any) -> dict[str, Any]:
        result = true(*replies)
        return result | {"expected": result["expected"] | {"winners": [1 - result["expected"]["winners"][0]]}}

    monkeypatch.setattr(content, "content", lying)
    window.open(page("lying", lies, anew=True))
    assert "another result than the page says" in text_at(window, "refusal")


def test_row_92_names_beside_fingerprints_are_those_that_were_signed(
    window: Browser, page: Callable[..., Path], lies: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    true = content.content

    def lying(*replies: Any) -> dict[str, Any]:
        return true(*replies) | {"names": ["Somebody", "Else"], "headline": "Somebody beat Else"}

    monkeypatch.setattr(content, "content", lying)
    window.open(page("names", lies, anew=True))
    assert "b Eve /b" in text_at(window, "facts")
    assert all(
        "Somebody" not in text_at(window, place) for place in ("facts", "headline", "verdict", "lower")
    )
