"""The titles this platform plays, by name: those listed here, and those of other packages that `SIGNALBOX_TITLES` names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module

from services.rules.kernel.title import Title
from services.rules.loading import TitlesSettingError
from services.rules.titles.g1824.title import TITLE as TITLE_1824
from services.rules.titles.g1862.title import TITLE as TITLE_1862
from services.rules.titles.g1865.title import TITLE as TITLE_1865
from services.rules.titles.rotw.title import TITLE as TITLE_ROTW

# The titles of this package.
BUILT_IN = (TITLE_1824, TITLE_1862, TITLE_1865, TITLE_ROTW)
# Module and name of each title of other packages, separated by commas: `my_titles.tramways:TITLE`.
SETTING = "SIGNALBOX_TITLES"


def _listed() -> Iterator[Title]:
    yield from BUILT_IN
    for place in filter(None, map(str.strip, os.environ.get(SETTING, "").split(","))):
        yield _named(place)


def _named(place: str) -> Title:
    module, _, name = place.partition(":")
    try:
        title = getattr(import_module(module), name)
    except Exception as problem:
        # Importing somebody else's module may fail in any way.
        raise TitlesSettingError(
            f"{SETTING}: {place!r}: {type(problem).__name__}: {problem}; expected module:NAME of a title"
        ) from problem
    if not isinstance(title, Title):
        raise TitlesSettingError(f"{SETTING}: {place!r} is no title")
    return title


def _by_name() -> dict[str, Title]:
    titles: dict[str, Title] = {}
    for title in _listed():
        if title.name in titles:
            raise TitlesSettingError(f"{SETTING}: there are two titles called {title.name!r}")
        titles[title.name] = title
    return titles


TITLES: dict[str, Title] = _by_name()
