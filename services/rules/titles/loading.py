"""Reads the data files of a title from its folder."""

import tomllib
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from services.rules.domain.titlebuild import FILES, TitleDataError, build_title
from services.rules.domain.titledata import TitleData

_loading = Lock()


def load_title(
    folder: Path, variants: tuple[str, ...] = (), rulings: Mapping[str, str] | None = None
) -> TitleData:
    """Load a title with these variants and rulings; the same choice gives the same object.

    Raises TitleDataError, which names every malformed entry by file and key.
    """
    # A cache alone would let two threads at once load a title twice, each with lookup tables of its own.
    with _loading:
        return _loaded(folder.resolve(), variants, tuple(sorted((rulings or {}).items())))


def loader_of(folder: Path) -> Callable[[tuple[str, ...], Mapping[str, str]], TitleData]:
    """What gives the data of the title in `folder` for the options and rulings of a table, loaded once for each combination."""

    @lru_cache(maxsize=64)
    def of_table(options: tuple[str, ...], rulings: frozenset[tuple[str, str]]) -> TitleData:
        return load_title(folder, options, dict(rulings))

    return lambda options, rulings: of_table(options, frozenset(rulings.items()))


@lru_cache(maxsize=64)
def _loaded(folder: Path, variants: tuple[str, ...], rulings: tuple[tuple[str, str], ...]) -> TitleData:
    documents = {file: _read(folder / f"{file}.toml") for file in FILES if (folder / f"{file}.toml").exists()}
    return build_title(documents, variants, dict(rulings))


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise TitleDataError([f"{path.name}: {error}"]) from error
