"""trio as the guest of asyncio: the one module in which both loops are named.

prompt_toolkit runs on asyncio, connections run on trio, both in this one thread: a key press reaches trio
in a fraction of a millisecond and nothing has to be locked (trio's documentation, "Using guest mode").  A
signal, a closed terminal or a bug ends the application first and cancels trio after it, so that the screen
is restored and everything is closed properly on every way out; what was played is on the disk already.
"""

from __future__ import annotations

import asyncio
import errno
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar

import trio

if TYPE_CHECKING:
    from outcome import Outcome
    from prompt_toolkit import Application

T = TypeVar("T")
ENDING: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


class Stopped(Exception):
    """A signal asked the program to end, or its terminal is gone.  `number`: the signal's."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__("The program was asked to end.")


class Stage:
    """The stage on which the trio side shows applications."""

    def __init__(self) -> None:
        self._apps: list[Application[Any]] = []
        self.signal: int | None = None

    async def show(self, app: Application[T]) -> T:
        """Run `app` full-screen to its end.  Called from trio.  Raises what a key binding raised, and
        Stopped if the terminal is closed.
        """
        done = trio.Event()
        self._apps.append(app)
        task = asyncio.get_running_loop().create_task(_run(app))
        task.add_done_callback(lambda _: done.set())
        try:
            await done.wait()
        except trio.Cancelled:
            _exit(app)
            with trio.CancelScope(shield=True):
                await done.wait()
            with suppress(Stopped, asyncio.CancelledError):
                task.result()
            raise
        finally:
            self._apps.remove(app)
        return task.result()

    def stop(self) -> None:
        """End the application that is shown."""
        for app in self._apps:
            _exit(app)


def _exit(app: Application[Any]) -> None:
    if app.is_running and app.future is not None and not app.future.done():
        app.exit()


async def _run(app: Application[T]) -> T:
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()

    def failed(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        # prompt_toolkit's own handler would print the traceback, wait for ENTER and limp on.
        error = context.get("exception")
        if app.is_running and app.future is not None and not app.future.done():
            app.exit(exception=error or RuntimeError(context["message"]))

    loop.set_exception_handler(failed)
    try:
        return await app.run_async(handle_sigint=False, set_exception_handler=False)
    except EOFError:
        raise Stopped(signal.SIGHUP) from None
    except OSError as error:
        if error.errno in (errno.EIO, errno.EBADF, errno.ENXIO):
            raise Stopped(signal.SIGHUP) from error
        raise
    finally:
        loop.set_exception_handler(before)


def run(main: Callable[[Stage], Awaitable[T]]) -> T:
    """Run `main` on trio, with a Stage on asyncio.  Raises what `main` raises, and Stopped after a signal."""
    return asyncio.run(_host(main))


async def _host(main: Callable[[Stage], Awaitable[T]]) -> T:
    loop = asyncio.get_running_loop()
    finished: asyncio.Future[Outcome[T]] = loop.create_future()
    stage = Stage()
    scope = trio.CancelScope()

    async def guest() -> T:
        with scope:
            return await main(stage)
        raise Stopped(stage.signal or signal.SIGTERM)

    def end(number: int) -> None:
        stage.signal = number
        stage.stop()
        scope.cancel()

    for number in ENDING:
        loop.add_signal_handler(number, end, number)
    try:
        trio.lowlevel.start_guest_run(
            guest,
            run_sync_soon_threadsafe=loop.call_soon_threadsafe,
            run_sync_soon_not_threadsafe=loop.call_soon,
            done_callback=finished.set_result,
            host_uses_signal_set_wakeup_fd=True,
        )
        return (await finished).unwrap()
    finally:
        for number in ENDING:
            loop.remove_signal_handler(number)


def run_plain(main: Callable[[], Awaitable[T]]) -> T:
    """Run `main` on trio alone.  Raises what `main` raises, and Stopped after a signal."""

    async def watched() -> T:
        async with trio.open_nursery() as nursery:
            stopped: list[int] = []
            nursery.start_soon(_watch, nursery.cancel_scope, stopped)
            result = await main()
            nursery.cancel_scope.cancel()
            return result
        raise Stopped(stopped[0])

    return trio.run(watched)


async def _watch(scope: trio.CancelScope, stopped: list[int]) -> None:
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGHUP, signal.SIGINT) as signals:
        async for number in signals:
            stopped.append(number)
            scope.cancel()
            return
