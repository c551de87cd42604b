"""Answers to questions of yes or no, in English and in the language that is spoken."""

from __future__ import annotations

from p2p_stratego.core.language import _


def yes_or_no(text: str) -> bool | None:
    """The answer in `text`: the word or its first letter; None if it is neither."""
    typed = text.strip().lower()
    for answer, words in ((True, ("yes", _("yes"))), (False, ("no", _("no")))):
        if any(typed in (word, word[:1]) for word in words):
            return answer
    return None
