"""Where the bots of a home folder keep theirs: for reports that must not load the network to say so."""

from __future__ import annotations

from typing import Final

FOLDER: Final = "bots"
"""In a home folder: a home folder for each of its bots, by level."""
