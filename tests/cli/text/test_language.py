"""Which language the environment asks for, and what is installed."""

from __future__ import annotations

import gettext
from collections.abc import Iterator

import pytest

from cli.text import language
from p2p_stratego.core.language import _
from p2p_stratego.core.language import install as speak_by


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    speak_by(None)


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "nl"}, "nl"),
        ({"LANG": "nl_BE@euro"}, "nl"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "nl_NL.UTF-8"}, "nl"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "nl_NL.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": ""}, "de"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "fr:nl:de"}, "nl"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "fr"}, "de"),
        ({"LANGUAGE": "de"}, "de"),
        ({"LANGUAGE": "de", "LC_ALL": "C"}, "en"),
        ({"LANGUAGE": "de", "LANG": "C.UTF-8"}, "en"),
        ({"LANGUAGE": "de", "LANG": "POSIX"}, "en"),
        ({"LANG": "../../etc"}, "en"),
    ],
)
def test_the_language_of_an_environment(environment: dict[str, str], wanted: str) -> None:
    assert language.of_environment(environment) == wanted
    assert language.install(language.AUTO, environment) == wanted


@pytest.mark.parametrize("code", [code for code in language.NAMES if code != language.ENGLISH])
def test_every_language_has_its_catalogue(code: str) -> None:
    assert gettext.find(language.DOMAIN, language.FOLDER, [code])
    assert language.install(code) == code
    assert _("no sentence of ours") == "no sentence of ours"


def test_a_terminal_of_ascii_gets_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    class German(gettext.NullTranslations):  # a package may bring more, if its tests ran in this process
        def gettext(self, message: str) -> str:
            return {"foul": "„Grüße an den Späher …“"}.get(message, message)

        def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
            return "ßä"

    monkeypatch.setattr(gettext, "translation", lambda *_, **__: German())
    language.install("de", ascii_only=True)
    assert _("foul") == '"Gruesse an den Spaeher ..."'
    assert _("“English” as it is") == "“English” as it is"
