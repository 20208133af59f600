"""The texts of the pages: one catalogue for each language, found by keys such as `game.your_turn`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

FOLDER = Path(__file__).parent
LANGUAGE = "en"
_decode = msgspec.json.Decoder(dict[str, dict[str, str]]).decode


class Texts:
    """The catalogue of one language."""

    def __init__(self, language: str = LANGUAGE) -> None:
        self.language = language
        written = tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8"))
        self._groups: Mapping[str, Mapping[str, str]] = _decode(msgspec.json.encode(written))

    def __call__(self, key: str, **values: Any) -> str:
        """The text of a key, filled in."""
        group, _, name = key.partition(".")
        return self._groups[group][name].format(**values)

    def group(self, name: str) -> Mapping[str, str]:
        """All texts of a group, by name."""
        return self._groups[name]

    def found(self, group: str, name: str) -> str | None:
        """A text that may be missing."""
        return self._groups[group].get(name)
