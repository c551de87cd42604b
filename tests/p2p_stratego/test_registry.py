"""The registry: every entry leads to what it says, and lists what the rules have."""

from __future__ import annotations

from random import Random

import pytest

from cli.games.interface import GameTerminal
from p2p_stratego.core.entry import Text, Whole, Words
from p2p_stratego.core.game import OptionError
from p2p_stratego.registry import ENTRIES, GAMES


@pytest.mark.parametrize("name", ENTRIES)
def test_every_reference_of_an_entry_leads_to_its_part(name: str) -> None:
    entry = ENTRIES[name]
    assert entry.rules.load().name == name
    assert isinstance(entry.terminal.load(), GameTerminal)
    assert entry.terminal.load().title == entry.title
    assert entry.scenarios is None or callable(entry.scenarios.load())
    for word in ("step", "ending", "reason", "breach", "options"):
        assert callable(getattr(entry.narration.load(), word))
    for bot in entry.bots.values():
        assert callable(bot.load()(Random(1)).decide)
    if entry.record is not None:
        assert entry.record.load().TITLE
    assert not entry.setups or entry.terminal.load().setup_editor is not None


@pytest.mark.parametrize("name", ENTRIES)
def test_the_options_of_an_entry_are_those_of_the_rules(name: str) -> None:
    entry, rules = ENTRIES[name], GAMES[name]
    usual = rules.options({})
    assert [field.name for field in entry.options] == list(usual)
    for field in entry.options:
        if isinstance(field.values, Whole):
            said = [str(field.values.least), str(field.values.most)]
        else:
            said = list(field.values.words if isinstance(field.values, Words) else field.values.names)
        for word in said:
            value = field.values.read(word, lambda _: None)
            assert rules.options({field.name: value})[field.name] == value
        if not isinstance(field.values, Text):
            with pytest.raises(OptionError):
                field.values.read("-1", lambda _: None)
        else:
            with pytest.raises(OptionError):
                field.values.read("nobody-calls-it-so", lambda _: None)


@pytest.mark.parametrize("name", ENTRIES)
def test_every_preset_can_be_played(name: str) -> None:
    assert ENTRIES[name].presets[0].options == {}
    for preset in ENTRIES[name].presets:
        assert GAMES[name].options(preset.options).items() >= preset.options.items()


def test_the_rulebooks_are_a_mapping_of_every_game() -> None:
    assert list(GAMES) == list(ENTRIES)
    assert len(GAMES) == len(ENTRIES)
    assert "chess" not in GAMES
