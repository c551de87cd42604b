"""The end of a lesson: what was learnt, and what comes next."""

from __future__ import annotations

from collections.abc import Iterator

from cli.text.layout import whole
from p2p_stratego.core.language import _
from p2p_stratego.core.lesson import Lesson
from p2p_stratego.registry import ENTRIES


def told(game: str, taught: Lesson, command: str) -> Iterator[str]:
    """Lines for the learner; `command`: the one that runs this program in this home folder."""

    def run(words: str) -> str:
        return whole(f"`{command} {words}`")

    yield ""
    yield _("What you have learnt")
    for sentence in taught.learnt:
        yield f"- {_(sentence)}"
    yield _("What next")
    for name, entry in ENTRIES.items():
        if entry.lesson is not None and name != game:
            yield _("- {learn}: a lesson of {title}", learn=run(f"learn {name}"), title=_(entry.title))
    yield _("- {play}: a whole game against the Recruit", play=run(f"play {game} --level recruit"))
    yield _("- {host}: a game with a friend, who joins with an invite", host=run(f"host {game}"))
    yield _("- F6 at the table: a coach in ordinary games, too")
