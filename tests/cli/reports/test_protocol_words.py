"""What the protocol says of a damaged file is in the catalogue; tests/words has its other words."""

from __future__ import annotations

import ast
from pathlib import Path
from types import ModuleType

import pytest

from cli.reports import protocol_words
from protocol.wire import encoding, transcript

REFUSALS = {"Malformed", "NotATranscript"}


@pytest.mark.parametrize("module", [encoding, transcript])
def test_what_is_said_of_a_damaged_file_is_there_for_translators(module: ModuleType) -> None:
    texts = set()
    for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in REFUSALS:
            [text] = node.args
            texts |= {getattr(module, text.id)} if isinstance(text, ast.Name) else set()
            texts |= {text.value} if isinstance(text, ast.Constant) else set()
    assert texts
    assert texts <= set(protocol_words.REFUSALS)
