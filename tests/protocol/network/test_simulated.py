"""A few worlds of the simulation and a share of the failures, and that both would notice a fault."""

from __future__ import annotations

from errno import ENOSPC

import pytest

from protocol.storage import files
from protocol.storage.files import Log
from tests.campaigns.simulate.failures import MATCHES, Case, cases
from tests.campaigns.simulate.life import Misfortune
from tests.campaigns.simulate.plan import plan
from tests.campaigns.simulate.world import World
from tests.helpers.machine.examples import runs


@pytest.mark.parametrize("seed", range(1, runs(6, 60) + 1))
def test_no_world_breaks_a_promise(seed: int) -> None:
    assert World(plan(seed)).run().broken == []


def test_a_record_that_a_power_cut_took_before_it_was_synced_may_be_signed_anew() -> None:
    """A killed process had written it, no process sent it, and the machine of the next one lost its power."""
    world = World(plan(713172))
    assert world.run().broken == []


@pytest.mark.parametrize("seed", [720552, 720973])
def test_a_world_goes_on_while_those_who_gave_up_waiting_still_hear_of_each_other(seed: int) -> None:
    """720552: one lost its power after that; 720973: the word that freed the match was under way."""
    assert World(plan(seed)).run().broken == []


def test_a_world_is_the_same_each_time() -> None:
    logs: list[list[str]] = [[], []]
    digests = set()
    for notes in logs:
        world = World(plan(3), notes)
        world.run()
        digests.add(world.log.digest())
    assert logs[0] == logs[1]
    assert len(digests) == 1


@pytest.mark.parametrize("match", MATCHES)
def test_no_failure_of_a_call_breaks_a_promise(match: str) -> None:
    share = list(cases(match))[:: runs(400, 40)]
    assert {str(case): broken for case in share if (broken := case.world().run().broken)} == {}


def test_row_127_a_host_that_dies_with_the_last_agree_under_way_is_not_told_that_nobody_knows_the_match() -> (
    None
):
    """Its machine is gone, so the guest waits on for a beginning while the host comes back and calls."""
    began = [case for case in cases("two") if (case.name, case.call) == ("Ada", "rename") and case.how.power]
    died = [case for case in began if case.how.what == "kill after"]
    assert {str(case): broken for case in died if (broken := case.world().run().broken)} == {}


def test_it_notices_what_is_used_before_it_is_on_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    power_cut = Case("two", "Ada", "sync", Misfortune("kill before", 127, power=True))
    assert power_cut.world().run().broken == []
    append = Log.append
    monkeypatch.setattr(Log, "append", lambda log, data, **_: append(log, data, durable=False))
    assert power_cut.world().run().broken != [], "a decision is lost on which a record depends"


def test_it_notices_a_failure_without_a_type(monkeypatch: pytest.MonkeyPatch) -> None:
    case = next(case for case in cases("two") if case.call == "rename" and case.how.what == "ENOSPC")
    assert case.world().run().broken == []
    typed = files.failure
    monkeypatch.setattr(
        files, "failure", lambda error, at: error if error.errno == ENOSPC else typed(error, at)
    )
    assert any("stumbled" in text for text in case.world().run().broken)
