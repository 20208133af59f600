"""Reads the data files of a title from its folder."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from services.rules.kernel.titlebuild import TITLE_FILE, Schema, TitleDataError, build_title, read_header
from services.rules.kernel.titledata import Header, TitleData

_loading = Lock()


class TitlesSettingError(ValueError):
    """`SIGNALBOX_TITLES` does not name titles; the message says what is wrong."""


def header_of(folder: Path) -> Header:
    """The header of the title in `folder`. Raises TitleDataError."""
    return read_header(_read(folder / f"{TITLE_FILE}.toml"))


def load_title(
    folder: Path, schema: Schema, variants: tuple[str, ...] = (), rulings: Mapping[str, str] | None = None
) -> TitleData:
    """Load a title with these variants and rulings; the same choice gives the same object.

    Raises TitleDataError, which names every malformed entry by file and key.
    """
    # A cache alone would let two threads at once load a title twice, each with lookup tables of its own.
    with _loading:
        return _loaded(folder.resolve(), schema, variants, tuple(sorted((rulings or {}).items())))


@dataclass(frozen=True)
class TitleLoader:
    """What gives the data of the title in `folder` for the options and rulings of a table, loaded once for each combination
    that differs in it."""

    folder: Path
    schema: Schema

    @cached_property
    def rulings(self) -> frozenset[str]:
        """The names of the rulings that change data; others would load the same again."""
        documents = _documents(self.folder, self.schema).values()
        return frozenset(name for document in documents for name in document.get("rulings", ()))

    @cached_property
    def _load(self) -> Callable[[tuple[str, ...], frozenset[tuple[str, str]]], TitleData]:
        @lru_cache(maxsize=64)
        def of_choice(options: tuple[str, ...], rulings: frozenset[tuple[str, str]]) -> TitleData:
            return load_title(self.folder, self.schema, options, dict(rulings))

        return of_choice

    def __call__(self, options: tuple[str, ...], rulings: Mapping[str, str]) -> TitleData:
        """See `load_title`."""
        return self._load(options, frozenset(each for each in rulings.items() if each[0] in self.rulings))


def loader_of(folder: Path, schema: Schema) -> TitleLoader:
    """The loader of the title in `folder`."""
    return TitleLoader(folder, schema)


@lru_cache(maxsize=64)
def _loaded(
    folder: Path, schema: Schema, variants: tuple[str, ...], rulings: tuple[tuple[str, str], ...]
) -> TitleData:
    return build_title(schema, _documents(folder, schema), variants, dict(rulings))


def _documents(folder: Path, schema: Schema) -> dict[str, dict[str, Any]]:
    """The parsed files of a title that are there, by name without ending."""
    paths = {file: folder / f"{file}.toml" for file in schema.files}
    return {file: _read(path) for file, path in paths.items() if path.exists()}


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise TitleDataError([f"{path.name}: {error}"]) from error
