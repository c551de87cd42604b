"""trio beside prompt_toolkit in one thread: both go on, and every way out closes both."""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import pty
import signal
from io import FileIO, TextIOWrapper

import pytest
import trio
from prompt_toolkit import Application
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_input, create_pipe_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.output.vt100 import Vt100_Output

from cli.screen.event_loops import ENDING, Stage, StopSignal, run, run_plain


def application(keys: PipeInput, seen: list[str] | None = None) -> Application[str]:
    """Ends on `q` with "done", fails on `x`, and notes `k`."""
    bindings = KeyBindings()

    @bindings.add("q")
    def _(event: KeyPressEvent) -> None:
        event.app.exit(result="done")

    @bindings.add("x")
    def _(_: KeyPressEvent) -> None:
        raise ZeroDivisionError

    @bindings.add("k")
    def _(_: KeyPressEvent) -> None:
        if seen is not None:
            seen.append("k")

    return Application(key_bindings=bindings, input=keys, output=DummyOutput())


async def shown(app: Application[str]) -> None:
    """Until the application runs."""
    while not app.is_running:
        await trio.lowlevel.checkpoint()


def test_the_application_runs_while_trio_goes_on_and_its_result_comes_back() -> None:
    seen: list[str] = []

    async def main(stage: Stage) -> str:
        with create_pipe_input() as keys:
            app = application(keys, seen)

            async def press() -> None:
                await shown(app)
                keys.send_text("k")
                while not seen:
                    await trio.lowlevel.checkpoint()
                keys.send_text("q")

            async with trio.open_nursery() as nursery:
                nursery.start_soon(press)
                return await stage.show(app)
        raise AssertionError

    assert run(main) == "done"
    assert seen == ["k"]


def test_two_applications_one_after_the_other() -> None:
    async def main(stage: Stage) -> list[str]:
        results = []
        for _ in range(2):
            with create_pipe_input() as keys:
                keys.send_text("q")
                results.append(await stage.show(application(keys)))
        return results

    assert run(main) == ["done", "done"]


def test_collections_pass_over_what_was_there_only_while_an_application_runs() -> None:
    frozen: list[int] = []

    async def main(stage: Stage) -> str:
        with create_pipe_input() as keys:
            app = application(keys)
            app.after_render += lambda _: frozen.append(gc.get_freeze_count())
            keys.send_text("q")
            return await stage.show(app)

    before = gc.get_freeze_count()
    assert run(main) == "done"
    assert frozen[-1] > before
    assert gc.get_freeze_count() == 0


def test_a_failing_key_ends_the_application_with_its_error() -> None:
    async def main(stage: Stage) -> str:
        with create_pipe_input() as keys:
            keys.send_text("x")
            return await stage.show(application(keys))

    with pytest.raises(ZeroDivisionError):
        run(main)


def test_a_closed_terminal_is_a_hang_up() -> None:
    async def main(stage: Stage) -> str:
        with create_pipe_input() as keys:
            keys.close()
            return await stage.show(application(keys))

    with pytest.raises(StopSignal) as caught:
        run(main)
    assert caught.value.number == signal.SIGHUP


def test_a_closed_terminal_ends_what_runs_in_nurseries_as_a_signal_does() -> None:
    closed: list[str] = []

    async def main(stage: Stage) -> str:
        async def beside() -> None:
            try:
                await trio.sleep_forever()
            finally:
                closed.append("beside")

        with create_pipe_input() as keys:
            async with trio.open_nursery() as outer, trio.open_nursery() as inner:
                outer.start_soon(beside)
                inner.start_soon(stage.show, application(keys))
                keys.close()
        raise AssertionError

    with pytest.raises(StopSignal) as caught:
        run(main)
    assert caught.value.number == signal.SIGHUP
    assert closed == ["beside"]


@pytest.mark.parametrize("error", [OSError(errno.EIO, "a disk"), EOFError("a file that is too short")])
def test_an_error_that_only_looks_like_a_closed_terminal_is_told(error: Exception) -> None:
    far, near = pty.openpty()
    bindings = KeyBindings()

    @bindings.add("x")
    def _(_: KeyPressEvent) -> None:
        raise error

    async def main(stage: Stage) -> None:
        output = Vt100_Output(screen, lambda: Size(rows=24, columns=80), enable_cpr=False)
        app = Application[None](key_bindings=bindings, input=create_input(keys), output=output)
        os.write(far, b"x")
        await stage.show(app)

    with (
        os.fdopen(far, "rb"),
        os.fdopen(near, "r") as keys,
        os.fdopen(os.dup(near), "w") as screen,
        pytest.raises(type(error)) as caught,
    ):
        run(main)
    assert caught.value is error


def test_a_bug_stays_one_if_the_terminal_is_closed_at_the_same_time() -> None:
    far, near = pty.openpty()
    bindings = KeyBindings()

    @bindings.add("x")
    def _(_: KeyPressEvent) -> None:
        os.close(far)
        raise ZeroDivisionError

    async def main(stage: Stage) -> None:
        output = Vt100_Output(screen, lambda: Size(rows=24, columns=80), enable_cpr=False)
        app = Application[None](key_bindings=bindings, input=create_input(keys), output=output)
        os.write(far, b"x")
        await stage.show(app)

    with (
        os.fdopen(near, "r") as keys,
        TextIOWrapper(FileIO(os.dup(near), "w"), write_through=True) as screen,  # nothing is left to flush
        pytest.raises(ZeroDivisionError),
    ):
        run(main)


@pytest.mark.parametrize("number", ENDING)
def test_a_signal_ends_the_application_then_trio_and_everything_is_closed(number: signal.Signals) -> None:
    closed: list[str] = []

    async def main(stage: Stage) -> str:
        with create_pipe_input() as keys:
            app = application(keys)

            async def kill() -> None:
                await shown(app)
                os.kill(os.getpid(), number)
                try:
                    await trio.sleep_forever()
                finally:
                    closed.append("trio")

            async with trio.open_nursery() as nursery:
                nursery.start_soon(kill)
                try:
                    return await stage.show(app)
                finally:
                    assert not app.is_running
                    closed.append("screen")
        raise AssertionError

    before = [signal.getsignal(number) for number in ENDING]
    with pytest.raises(StopSignal) as caught:
        run(main)
    assert caught.value.number == number
    assert sorted(closed) == ["screen", "trio"]
    assert [signal.getsignal(number) for number in ENDING] == before


def test_when_trio_is_cancelled_or_fails_the_application_ends_too() -> None:
    running: list[Application[str]] = []

    async def main(stage: Stage) -> str:
        with create_pipe_input() as keys:
            app = application(keys)
            running.append(app)

            async def fail() -> None:
                await shown(app)
                raise LookupError

            async with trio.open_nursery() as nursery:
                nursery.start_soon(fail)
                return await stage.show(app)
        raise AssertionError

    with pytest.raises(ExceptionGroup) as caught:
        run(main)
    assert caught.group_contains(LookupError)
    assert not running[0].is_running


def test_what_main_returns_and_raises_comes_through() -> None:
    async def fine(_: Stage) -> int:
        await trio.sleep(0)
        assert asyncio.get_running_loop().is_running()
        return 7

    async def broken(_: Stage) -> int:
        raise LookupError

    assert run(fine) == 7
    with pytest.raises(LookupError):
        run(broken)


@pytest.mark.parametrize("number", ENDING)
def test_without_a_screen_signals_are_heard_as_well(number: signal.Signals) -> None:
    closed: list[bool] = []

    async def main() -> None:
        try:
            await trio.testing.wait_all_tasks_blocked()  # the watch is set
            os.kill(os.getpid(), number)
            await trio.sleep_forever()
        finally:
            closed.append(True)

    with pytest.raises(StopSignal) as caught:
        run_plain(main)
    assert caught.value.number == number
    assert closed == [True]


def test_without_a_screen_results_come_through() -> None:
    async def main() -> str:
        await trio.lowlevel.checkpoint()
        return "done"

    assert run_plain(main) == "done"
