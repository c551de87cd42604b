"""The facts that line mode prints with a question: short, with prices, and the word that lists all."""

from __future__ import annotations

from cli.games.spies import description, questions
from cli.games.spies.answers import offered
from tests.helpers.spies.moments import context, moments

ROWS = 3
COLUMNS = 80


def offers(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("You can say: ")]


def test_the_offers_of_a_question_take_few_rows_whatever_there_is_to_say() -> None:
    long = short = 0
    for view, _ in moments(3):
        of = context(view)
        listed, options = offers(description.asked(of)), offered(view)
        if not options:
            assert all("whole layings" in line for line in listed)
            continue
        (line,) = listed
        assert len(line) < ROWS * COLUMNS
        first = questions.choices(of)[0].shown
        assert line.startswith(f"You can say: {first}"), "with its price"
        if "moves lists all" in line:
            long += 1
            named = line.removeprefix("You can say: ").partition(", and ")[0].count(", ") + 1
            assert f"and {len(questions.choices(of)) - named} more" in line
        else:
            short += 1
            assert all(choice.shown in line for choice in questions.choices(of))
    assert min(long, short) > 20


def test_what_is_typed_makes_no_difference_to_the_offers() -> None:
    view = next(view for view, _ in moments(3) if questions.kind(view) == "turn")
    assert description.asked(context(view)) == description.asked(context(view, typed="move"))
