"""Sentences about the events of the map."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.kernel.sentences import Template, detail

SENTENCES: Mapping[str, Template] = {
    "TileLaid": Template("{company} lays tile {tile} on {hex}"),
    "TokensArranged": Template(""),
    "TokenPlaced": Template("{company} has a token in {hex}: {reason:word}"),
    "TokenReplaced": Template("The token of {company} in {hex} is {reason:word}[; {successor} is there now]"),
    "CharterTokensSet": detail("The tokens left to {company} cost {costs}"),
}
