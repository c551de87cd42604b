"""Writes every playthrough again; to be run after a change of rules that was meant."""

from tests.golden import PLAYTHROUGHS, written

for game, playthrough in PLAYTHROUGHS.items():
    written(game).write_text(playthrough(), encoding="utf-8")
