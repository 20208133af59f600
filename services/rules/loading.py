"""Reads the data files of a title from its folder."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from services.rules.kernel.titlebuild import TITLE_FILE, Schema, TitleDataError, build_title, read_header
from services.rules.kernel.titledata import Header, TitleData

_loading = Lock()


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


def loader_of(folder: Path, schema: Schema) -> Callable[[tuple[str, ...], Mapping[str, str]], TitleData]:
    """What gives the data of the title in `folder` for the options and rulings of a table, loaded once for each combination."""

    @lru_cache(maxsize=64)
    def of_table(options: tuple[str, ...], rulings: frozenset[tuple[str, str]]) -> TitleData:
        return load_title(folder, schema, options, dict(rulings))

    return lambda options, rulings: of_table(options, frozenset(rulings.items()))


@lru_cache(maxsize=64)
def _loaded(
    folder: Path, schema: Schema, variants: tuple[str, ...], rulings: tuple[tuple[str, str], ...]
) -> TitleData:
    paths = {file: folder / f"{file}.toml" for file in schema.files}
    documents = {file: _read(path) for file, path in paths.items() if path.exists()}
    return build_title(schema, documents, variants, dict(rulings))


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise TitleDataError([f"{path.name}: {error}"]) from error
