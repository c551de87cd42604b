"""Everything that is drawn can be read: WCAG 2.2, 1.4.3, for all pairs of colours of real screens."""

from __future__ import annotations

from functools import cache

import pytest
from prompt_toolkit.styles import Style

from cli.screen.match.renderer import draw
from cli.table.scene.scene import Scene
from cli.text.background import luminance
from cli.text.layout import Line, ascii_line
from cli.text.theme import TABLES, Tone, style
from p2p_stratego.registry import ENTRIES, GAMES
from tests.helpers.games.any_game import context, parts, views
from tests.helpers.program.screens import keys

BACKGROUNDS = {
    "dark": ("#000000", "#1e1e1e", "#282a36", "#002b36"),
    "light": ("#ffffff", "#fdf6e3", "#eeeeee"),
}
"""Of usual terminals, and of the two best known pairs of colour schemes."""
LEAST = 4.5
DECORATION = {"rule", "fog", "back0", "back1", "back2", "back3"}
"""Lines between parts, empty squares, and the edges of tiles: nothing is told by them alone."""
ASCII_DECORATION = {"rule", "fog"}
"""Drawn in ASCII, a closed piece has no area of colour: its strokes are all that tells of it."""
TONES: tuple[Tone, ...] = ("good", "warn", "bad", "dim")


def contrast(colour: str, other: str) -> float:
    """The contrast ratio of two colours (WCAG 2.2, definitions), from 1.0 to 21.0, in either order."""
    low, high = sorted((luminance(colour), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_ratio_is_that_of_the_recommendation() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert luminance("#ff0000") == pytest.approx(0.2126)
    assert contrast("#123456", "#123456") == 1.0


@cache
def drawn(game: str) -> list[Line]:
    """Rows of screens of a whole game, at two sizes."""
    terminal, kept = parts(game), views(game)
    lines: list[Line] = []
    for number, view in enumerate(kept[:: max(len(kept) // 8, 1)]):
        of = Scene(
            terminal=terminal,
            banner=terminal.description.banner(view),
            context=context(view, min(GAMES[game].seat_counts)),
            link=(TONES[number % 4], "direct"),
            checked=3,
            chat=[("class:seat1", "Boris", "Good luck!")],
            news=[(True, "It happened."), (False, "And this.")],
            alert=(TONES[number % 4], "Look here."),
            goal=terminal.description.goal(view),
            question="What now?",
            how="it",
            keys=keys(terminal),
        )
        for columns, rows in ((80, 24), (160, 50)):
            screen = draw(of, columns, rows)
            lines += [*screen.above, *screen.below]
    return lines


@cache
def pairs(name: str, *, ascii_only: bool = False) -> dict[tuple[str, str], str]:
    """Each pair of colours, "" for the terminal's own, with a style that leads to it."""
    decoration = ASCII_DECORATION if ascii_only else DECORATION
    theme: Style = style(name, 2**24)
    pairs: dict[tuple[str, str], str] = {}
    lines = {line for game in ENTRIES for line in drawn(game)}
    styles = {part for line in lines for part in (ascii_line(line) if ascii_only else line)}
    for used, text in styles:
        names = {word.removeprefix("class:").partition(".alt")[0] for word in used.split()}
        if text.strip() and not (names & decoration and not any(map(str.isalnum, text))):
            attributes = theme.get_attrs_for_style_str(used)
            colours = [attributes.color or "", attributes.bgcolor or ""]
            if attributes.reverse:
                colours.reverse()
            pairs[colours[0], colours[1]] = used
    return pairs


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("name", BACKGROUNDS)
def test_all_text_of_all_games_can_be_read(name: str, ascii_only: bool) -> None:
    own = TABLES[name][""].rpartition("#")[2]
    poor = {}
    for (front, back), used in pairs(name, ascii_only=ascii_only).items():
        for background in [f"#{back}"] if back else BACKGROUNDS[name]:
            ratio = contrast(f"#{front or own}", background)
            if ratio < LEAST:
                poor[used] = (front, background, round(ratio, 2))
    assert poor == {}
    assert len(pairs(name, ascii_only=ascii_only)) > 20


@pytest.mark.parametrize("name", BACKGROUNDS)
def test_every_look_of_a_theme_can_be_read(name: str) -> None:
    """Also those that no screen above has: each class on the terminal's background, or on its own."""
    poor = {}
    for names, rule in TABLES[name].items():
        front = next((word for word in rule.split() if word.startswith("#")), None)
        back = next((word[3:] for word in rule.split() if word.startswith("bg:")), None)
        if front is None or names.partition(".")[0] in DECORATION:
            continue
        worst = min(contrast(front, ground) for ground in ([back] if back else BACKGROUNDS[name]))
        if worst < LEAST:
            poor[names] = round(worst, 2)
    assert poor == {}
