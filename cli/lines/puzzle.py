"""Puzzles in lines: for plain terminals, screen readers and pipes."""

from __future__ import annotations

from collections.abc import Iterator

from cli.lines.prompt import Prompt
from cli.studies.puzzles.desk import Desk
from p2p_stratego.core.language import _


def solve(desk: Desk, prompt: Prompt) -> None:
    """Puzzle after puzzle, until the player leaves or the input ends."""
    shown = None
    while True:
        if desk.sitting.position is not shown or desk.sitting.wish == "board":
            shown = desk.sitting.position
            for line in introduced(desk):
                prompt.say(line)
        for sentence in desk.sitting.sentences:
            prompt.say(sentence)
        if desk.sitting.over and desk.sitting.sentences:
            prompt.say(_("Enter brings the next puzzle, q leaves."))
        try:
            desk.typed(prompt.ask(_("puzzle {number}", number=desk.puzzle.number) + " > "))
        except EOFError:
            return
        if desk.sitting.wish == "quit":
            return


def introduced(desk: Desk) -> Iterator[str]:
    """The heading, the board in sentences, and the task."""
    at = desk.sitting.position
    yield desk.heading
    yield from at.here.description.board(at.context())
    yield at.task
    question = at.here.questions.question(at.view, at.context().players)
    how = question.how if question is not None else ""
    yield _("Type {how}; or hint, solution, next, q. ? tells more.", how=how)
