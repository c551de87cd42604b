"""Recorded games as pictures, films and recordings for asciinema."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pyte
import pytest

from cli.reports import history
from cli.reports.history import Story
from cli.screen.replay import film
from cli.text.layout import words
from p2p_stratego.registry import GAMES
from protocol.audit.verdict import replay
from tests.helpers.games.players import honest
from tests.helpers.seats.pair import Table

SVG = "{http://www.w3.org/2000/svg}"


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)  # noqa: S314 - it was just written here


@pytest.fixture(scope="module", params=["spies-and-lies", "stratego"])
def story(request: pytest.FixtureRequest) -> Story:
    options = {"army": "1-1-0-0-0-0-1-1-2-1-1-1"} if request.param == "stratego" else {}
    table = Table(5, game=GAMES[request.param], options=options, decide=honest).play(steps=60)
    return history.of_match(replay(table.seats[0].transcript, GAMES))


def test_a_film_shows_the_last_steps_and_nothing_but_text_and_boxes(story: Story) -> None:
    shown = film.frames(story, film.last_steps(story, 4))
    drawn = parsed(film.film(shown, film.caption(story)))
    groups = drawn.findall(f"{SVG}g")
    assert [group.get("class") for group in groups] == ["f", "f d1", "f d2", "l"]
    assert {element.tag.removeprefix(SVG) for element in drawn.iter()} == {
        "svg",
        "title",
        "style",
        "rect",
        "g",
        "text",
    }
    assert not re.search(r"url|import|http", drawn.findtext(f"{SVG}style") or "")
    still = parsed(film.svg(shown[-1], film.caption(story)))
    assert still.findtext(f"{SVG}title") == film.caption(story)
    assert ElementTree.tostring(still.findall(f"{SVG}g")[0][0]) == ElementTree.tostring(groups[-1][0])


def test_all_words_of_the_screen_stand_in_the_picture(story: Story) -> None:
    (shown,) = film.frames(story, film.last_steps(story, 1))
    drawn = parsed(film.svg(shown, "x"))
    texts = [text.text for text in drawn.iter(f"{SVG}text")]
    assert "".join(filter(None, texts)) == re.sub(r"\s", "", "".join(map(words, shown.lines)))


def test_row_92_names_in_a_picture_are_text(story: Story) -> None:
    evil = replace(story, names=("<script>alert(1)</script>", "]]>&\x00\u202e"))
    shown = film.frames(evil, film.last_steps(evil, 2))
    for drawn in (film.svg(shown[-1], film.caption(evil)), film.film(shown, film.caption(evil))):
        assert "script" not in {element.tag.removeprefix(SVG) for element in parsed(drawn).iter()}


def test_a_recording_draws_each_frame_as_the_replay_does(story: Story) -> None:
    shown = film.frames(story, film.last_steps(story, 5))
    head, *events = map(json.loads, film.cast(shown, film.caption(story)).splitlines())
    assert (head["version"], head["title"]) == (2, film.caption(story))
    assert [time for time, _, _ in events] == sorted(time for time, _, _ in events)
    assert events[0][0] == 0
    screen = pyte.Screen(head["width"], head["height"])
    stream = pyte.Stream(screen)
    for (_, kind, data), frame in zip(events, shown, strict=False):
        assert kind == "o"
        stream.feed(data)
        assert [line.rstrip() for line in screen.display] == [words(line).rstrip() for line in frame.lines]


def test_no_more_steps_are_shown_than_there_are(story: Story) -> None:
    assert film.last_steps(story, 10_000) == range(1, len(story.steps) + 1)
    assert film.last_steps(story, 1) == range(len(story.steps), len(story.steps) + 1)
