"""Our player types a short code that leads to nobody."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from cli.play.arriving import by_code
from cli.play.arriving.network_options import Ways
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.explain import sentence
from protocol.failures import Unreachable
from protocol.network.transport.choice import Wishes
from protocol.network.transport.relay_server import Relay
from protocol.rendezvous import short_code
from protocol.rendezvous.relay_switchboard import Limits
from protocol.wire.addresses import Endpoint
from tests.golden.dialogues import assert_told
from tests.helpers.links.peers import HANGING, LOOPBACK
from tests.helpers.program.playing import lines, play_session, printed


@pytest.mark.parametrize("person", [True, False])
async def test_a_number_at_which_nobody_waits_is_told_and_a_person_is_asked_again(
    tmp_path: Path, person: bool
) -> None:
    session = play_session(tmp_path, lines(), interactive=person, name="Ben")
    with trio.fail_after(HANGING), session.home:
        async with trio.open_nursery() as nursery:
            relay = Relay(Limits(hold=0.0))
            await relay.listen(nursery, 0, [LOOPBACK])
            ways = Ways(Wishes(), (Endpoint(LOOPBACK, relay.port),), shown=False)
            with pytest.raises(Sorry) as refusal:
                await by_code.visit(
                    session, nursery, session.owner("Ben"), short_code.read("7-amber-violin"), ways, desk=None
                )
            nursery.cancel_scope.cancel()
    words = "Nobody waits at number 7: it was misheard,"
    if person:
        assert words in printed(session).getvalue()
        assert "The code:" in printed(session).getvalue()
        assert refusal.value.code == Exit.DATA
    else:
        assert str(refusal.value).startswith(words)
        assert refusal.value.code == Exit.UNREACHABLE


async def test_a_relay_that_does_not_answer_is_named(tmp_path: Path) -> None:
    session = play_session(tmp_path, lines(), interactive=False, name="Ben")
    with trio.fail_after(HANGING), session.home:
        async with trio.open_nursery() as nursery:
            [listener] = await trio.open_tcp_listeners(0, host=LOOPBACK)
            port = listener.socket.getsockname()[1]
            await listener.aclose()
            ways = Ways(Wishes(), (Endpoint(LOOPBACK, port),), shown=False)
            with pytest.raises(Unreachable) as refusal:
                await by_code.visit(
                    session, nursery, session.owner("Ben"), short_code.read("7-amber-violin"), ways, desk=None
                )
            nursery.cancel_scope.cancel()
    assert f"{LOOPBACK}:{port}" in sentence(refusal.value)
    assert_told("by-code", "no host was found", sentence(Unreachable((), refused=False)))
