"""What the services say in English, in the words of a translation: by the sentence itself, with names in braces for what differs
from time to time."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from html import escape, unescape
from string import Formatter

# Longer texts are those that people wrote.
LENGTH_MAX = 1_000
KEPT = 4_096
WRITTEN = re.compile(r">([^<>]*[^\W\d_][^<>]*)<")


class Phrases:
    """Sentences and their translations."""

    def __init__(self, translated: Mapping[str, str]) -> None:
        """By the English sentence. Of several that fit, the one with the most words of its own is taken."""
        self._exact = {text: own for text, own in translated.items() if not names_in(text)}
        open_ones = sorted((each for each in translated if names_in(each)), key=_own_length, reverse=True)
        self._open = [(_pattern(each), translated[each]) for each in open_ones]
        self._found = lru_cache(KEPT)(self._find)

    def __call__(self, text: str) -> str:
        """The translation of a sentence; itself where there is none."""
        if not (self._exact or self._open):
            return text
        return self._found(text)

    def in_drawing(self, svg: str) -> str:
        """A drawing with its texts translated."""
        if not (self._exact or self._open):
            return svg
        return WRITTEN.sub(lambda found: f">{escape(self(unescape(found[1])), quote=False)}<", svg)

    def _find(self, text: str) -> str:
        own = self._exact.get(text)
        if own is not None:
            return own
        if len(text) <= LENGTH_MAX:
            for pattern, translation in self._open:
                if (found := pattern.fullmatch(text)) is not None:
                    return translation.format_map(found.groupdict())
        return text


def plain(name: str) -> str:
    """A name of the rules, such as that of an option or a kind of round, in words: without the title it belongs to."""
    return name.rpartition(".")[2].replace("_", " ")


def names_in(text: str) -> Collection[str]:
    """What differs in a sentence. Raises `ValueError` for braces that hold no name, and for a name that is there twice."""
    names = [name for _, name, _, _ in Formatter().parse(text) if name is not None]
    if len(set(names)) < len(names) or not all(each.isidentifier() for each in names):
        raise ValueError(f"{text}: braces hold a name, each another one")
    return names


def _pattern(text: str) -> re.Pattern[str]:
    parts = Formatter().parse(text)
    return re.compile(
        "".join(re.escape(own) + (f"(?P<{name}>.+?)" if name else "") for own, name, _, _ in parts), re.DOTALL
    )


def _own_length(text: str) -> int:
    return sum(len(own) for own, _, _, _ in Formatter().parse(text))
