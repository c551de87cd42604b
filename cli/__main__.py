"""Where the program starts."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from cli.shell.guard import complain, run_guarded


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is one of `cli.shell.exit_codes.Exit`."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    from cli.games import packages
    from cli.shell import commands, parser, run_language

    def work() -> int:
        run_language.speak(given)
        for sentence in packages.load():
            complain(sentence)
        return parser.run(given)

    return run_guarded(work, given, [spec.name for spec in commands.COMMANDS])


if __name__ == "__main__":
    sys.exit(main())
