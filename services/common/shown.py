"""How texts from outside are repeated in sentences."""

from __future__ import annotations

LONGEST = 64
LONGEST_SENTENCE = 400


def shown(text: str) -> str:
    """`text` in quotes, its end left out if it is long: a status repeats nobody's megabyte."""
    if len(text) <= LONGEST:
        return repr(text)
    return f"{text[:LONGEST]!r}... ({len(text)} characters)"


def cut(sentence: str) -> str:
    """A sentence that repeats ids of a request, with its end left out if they are long."""
    if len(sentence) <= LONGEST_SENTENCE:
        return sentence
    return f"{sentence[:LONGEST_SENTENCE]}... ({len(sentence)} characters)"


def counted(count: int, noun: str) -> str:
    """So many of what has this name, as `1 table` or `2 tables`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
