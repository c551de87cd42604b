"""Ready answers of SPIES!: each question before a turn has one, which is read back and allowed."""

from __future__ import annotations

from random import Random

from cli.games.interface import PlannedAnswers
from cli.games.spies import questions, ready_made
from p2p_stratego.spies.lessons.layings import proposed
from p2p_stratego.spies.rules.counters import COUNTERSPIES, MEANS
from p2p_stratego.spies.rules.observation import secret_face
from tests.helpers.spies.moments import asked, carried_out, context, kinds, moments


def test_each_question_before_a_turn_has_a_ready_answer_that_the_rules_allow() -> None:
    of, met = moments(3), set[tuple[str, int, bool]]()
    for (view, _decided), kind in zip(of, kinds(of), strict=True):
        again = bool(view.since) and view.state.phase == "turn"
        if (kind, view.state.power, again) in met or (view.state.year > 1933 and not again):
            continue
        line = ready_made.line(view, Random(len(met)))
        assert bool(line) == (kind in ready_made.KINDS), kind
        if not line:
            continue
        met.add((kind, view.state.power, again))
        read = questions.read(view, line)
        planned = read if isinstance(read, PlannedAnswers) else PlannedAnswers(read)
        assert not planned.line, "it is shown already"
        assert kind == "talk" or carried_out(view, planned) == [planned.first, *planned.then], (kind, line)
        question = questions.question(view, context(view).players)
        assert question is not None
        assert question.proposes, "so that Enter gives no answer at once, though one alone be possible"
        if kind == "talk":
            assert line == "ready"
            continue
        if kind == "secret":
            assert len(planned.then) + 1 == MEANS[view.state.power].secrets
        assert "Enter" in question.at_table
    assert {kind for kind, *_where in met} >= {"secret", "police", "lay", "stand", "spies", "place", "tile"}
    assert any(kind == "police" and again for kind, _power, again in met)


def test_where_secrets_lie_depends_on_chance_and_what_is_worth_most_lies_no_safer_for_certain() -> None:
    view = asked(moments(3), "secret")
    layings = {proposed(view, Random(seed)) for seed in range(40)}
    assert len(layings) > 30
    own = [secret for secret, lying in enumerate(view.state.secrets) if lying.owner == view.state.power]
    genuine = [
        at for at, secret in enumerate(own) if secret_face(view.state, secret, view.known) not in COUNTERSPIES
    ]
    for at in genuine:
        assert len({laying[at] for laying in layings}) > 3
