"""Writes every playthrough, and an analysis, again; to be run after a change of rules that was meant."""

from tests.golden import PLAYTHROUGHS, written
from tests.golden.analysis import WRITTEN, analysis

for game, playthrough in PLAYTHROUGHS.items():
    written(game).write_text(playthrough(), encoding="utf-8")
WRITTEN.write_text(analysis(), encoding="utf-8")
