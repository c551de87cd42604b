"""Every answer that any game offers can be typed as it is shown, in every language, and in ASCII."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cli.games.interface import Misunderstood, Planned, terminal
from cli.games.typed_names import in_english
from cli.text import language
from cli.text.layout import ascii_text
from p2p_stratego.core.language import install
from p2p_stratego.core.view import View
from p2p_stratego.registry import GAMES
from tests.helpers.games.any_game import context, views


@pytest.fixture(params=[(code, plain) for code in sorted(language.NAMES) for plain in (False, True)])
def plain(request: pytest.FixtureRequest) -> Iterator[bool]:
    code, plain = request.param
    language.install(code, ascii_only=plain)
    yield plain
    install(None)


def meant(game: str, view: View[object], line: str) -> object:
    """What a line comes to at the table: a decision with what it plans, or why it is none yet."""
    here = terminal(game)
    try:
        decided = here.questions.read(view, in_english(line, here.names()))
    except Misunderstood as error:
        return type(error)
    return (decided.first, decided.then) if isinstance(decided, Planned) else decided


@pytest.mark.parametrize("game", sorted(GAMES))
def test_what_is_shown_is_read_as_what_it_stands_for(game: str, plain: bool) -> None:
    read = 0
    for view in (*views(game)[:12], *views(game)[12::9]):
        of = context(view, min(GAMES[game].seat_counts))
        for choice in terminal(game).questions.choices(of):
            shown = ascii_text(choice.shown) if plain else choice.shown
            assert meant(game, view, shown) == meant(game, view, choice.word), (shown, choice.word)
            read += 1
    assert read
