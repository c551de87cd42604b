"""trio as the guest of asyncio: the one module in which both loops are named.

prompt_toolkit runs on asyncio, connections run on trio, both in this one thread: a key press reaches trio
in a fraction of a millisecond and nothing has to be locked (trio's documentation, "Using guest mode").  A
signal, a closed terminal or a bug ends the application first and cancels trio after it, so that the screen
is restored and everything is closed properly on every way out; what was played is on the disk already.
"""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar

import trio

from p2p_stratego.core.language import _

if TYPE_CHECKING:
    from outcome import Outcome
    from prompt_toolkit import Application

    from cli.screen.lobby import LobbyScreen
    from cli.screen.match.application import Front
    from cli.shell.settings import Settings
    from cli.table.seat.controller import TableController
    from cli.table.words.lobby_view import LobbyPlace

T = TypeVar("T")
ENDING: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
_LOST: Final = (errno.EIO, errno.EBADF, errno.ENXIO, errno.EPIPE)
"""The system's errors for a terminal that is gone; files and sockets have the same."""


class StopSignal(Exception):
    """A signal asked the program to end, or its terminal is gone.  `number`: the signal's."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(_("The program was asked to end."))


class Stage:
    """The stage on which the trio side shows applications.  `scope`: of all that runs on trio."""

    def __init__(self, scope: trio.CancelScope) -> None:
        self._apps: list[Application[Any]] = []
        self._scope = scope
        self.signal: int | None = None

    async def show(self, app: Application[T]) -> T:
        """Run `app` full-screen to its end.  Called from trio.  Raises what a key binding raised.

        A closed terminal ends the program by cancelling, as its signal does, which may come later or be
        ignored.  Each nursery would wrap an exception into a group on its way out.
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
            with suppress(StopSignal, asyncio.CancelledError):
                task.result()
            raise
        finally:
            self._apps.remove(app)
        try:
            return task.result()
        except StopSignal as stopped:
            self.end(stopped.number)
            await trio.lowlevel.checkpoint()
            raise  # from within a shield, which cancelling does not reach

    @staticmethod
    def front(table: TableController) -> Front:
        """The application for a match.  The toolkit is loaded here: lines do without it."""
        from cli.screen.match.application import Front

        return Front(table)

    @staticmethod
    def lobby(place: LobbyPlace, settings: Settings, run_command: Callable[[str], None]) -> LobbyScreen:
        """The application for a lobby, loaded here likewise."""
        from cli.screen.lobby import LobbyScreen

        return LobbyScreen(place, settings, run_command=run_command)

    def end(self, number: int) -> None:
        """End the application that is shown, then all that runs on trio, for a signal of that number."""
        self.signal = number
        for app in self._apps:
            _exit(app)
        self._scope.cancel()


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
        with _quick_collections(app):
            return await app.run_async(handle_sigint=False, set_exception_handler=False)
    except (EOFError, OSError) as error:
        if not _is_gone(app):
            raise
        bug = _bug_before(error)
        if bug is not None:
            raise bug from None
        raise StopSignal(signal.SIGHUP) from error
    finally:
        loop.set_exception_handler(before)


@contextmanager
def _quick_collections(app: Application[Any]) -> Iterator[None]:
    """While `app` runs, garbage collections pass over the objects that were there at its first frame.

    A full collection reads every object of the program, 20 ms and more, and a key that comes then waits.
    The end gives the frozen objects back: none is kept for longer than one application.
    """

    def freeze(_: Application[Any]) -> None:
        app.after_render -= freeze
        gc.freeze()

    app.after_render += freeze
    try:
        yield
    finally:
        gc.unfreeze()


def _bug_before(error: BaseException | None) -> BaseException | None:
    """`error`, or the first error behind it that a closed terminal does not cause; None if there is none.

    If a bug ends an application, it is drawn a last time, and that fails too if the terminal is gone.
    """
    while isinstance(error, EOFError) or (isinstance(error, OSError) and error.errno in _LOST):
        error = error.__context__
    return error


def _is_gone(app: Application[Any]) -> bool:
    """Whether the terminal of `app` is closed: a disk that fails has the same error number."""
    if app.input.closed:
        return True
    return not (os.isatty(app.input.fileno()) and os.isatty(app.output.fileno()))


def run(main: Callable[[Stage], Awaitable[T]]) -> T:
    """Run `main` on trio, with a Stage on asyncio.  Raises what it raises, and StopSignal after a signal."""
    return asyncio.run(_host(main))


async def _host(main: Callable[[Stage], Awaitable[T]]) -> T:
    loop = asyncio.get_running_loop()
    finished: asyncio.Future[Outcome[T]] = loop.create_future()
    scope = trio.CancelScope()
    stage = Stage(scope)

    async def guest() -> T:
        with scope:
            return await main(stage)
        raise StopSignal(stage.signal or signal.SIGTERM)

    for number in ENDING:
        loop.add_signal_handler(number, stage.end, number)
    try:
        trio.lowlevel.start_guest_run(
            guest,
            run_sync_soon_threadsafe=loop.call_soon_threadsafe,
            run_sync_soon_not_threadsafe=loop.call_soon,
            done_callback=finished.set_result,
            host_uses_signal_set_wakeup_fd=True,  # asyncio's, for `add_signal_handler`: trio must not take it
        )
        return (await finished).unwrap()
    finally:
        for number in ENDING:
            loop.remove_signal_handler(number)


def run_plain(main: Callable[[], Awaitable[T]]) -> T:
    """Run `main` on trio alone.  Raises what it raises, and StopSignal after a signal."""

    async def watched() -> T:
        async with trio.open_nursery() as nursery:
            stopped: list[int] = []
            nursery.start_soon(_watch, nursery.cancel_scope, stopped)
            result = await main()
            nursery.cancel_scope.cancel()
            return result
        raise StopSignal(stopped[0])

    return trio.run(watched)


async def _watch(scope: trio.CancelScope, stopped: list[int]) -> None:
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGHUP, signal.SIGINT) as signals:
        async for number in signals:
            stopped.append(number)
            scope.cancel()
            return
