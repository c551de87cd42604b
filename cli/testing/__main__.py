"""`python -m cli.testing GAME`: run the test kit; a line for each check, and 1 if one fails."""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Sequence

from cli.games import packages
from cli.testing.checks import CHECKS
from cli.testing.subject import Failed, LeftOut, Subject, facts
from p2p_stratego.registry import ENTRIES


def main(words: Sequence[str] | None = None) -> int:
    """Check one game; 0 if it passes."""
    for sentence in packages.load():
        print(sentence, file=sys.stderr)
    parser = argparse.ArgumentParser(prog="python -m cli.testing", description=__doc__)
    parser.add_argument("game", choices=tuple(ENTRIES))
    parser.add_argument("--only", choices=[check.name for check in CHECKS], help="one check alone")
    given = parser.parse_args(words)
    subject, failures = Subject(given.game, facts(given.game)), 0
    for check in CHECKS:
        if given.only not in (None, check.name):
            continue
        try:
            warnings = list(check.run(subject))
        except LeftOut as why:
            print(f"left out  {check.name}: {why}")
        except Failed as why:
            failures += 1
            print(f"FAILED    {check.name}: {why}")
        except Exception:
            failures += 1
            print(f"FAILED    {check.name}: {check.about}\n{traceback.format_exc()}")
        else:
            print(f"passed    {check.name}: {check.about}")
            for warning in warnings:
                print(f"  warning: {warning}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
