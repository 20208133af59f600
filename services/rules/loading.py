"""Reads the data files of a title from its folder, and puts a title with such files together."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from services.rules.kernel.commands import CreateGame
from services.rules.kernel.draft import Draft
from services.rules.kernel.flow import Flow
from services.rules.kernel.game import Game
from services.rules.kernel.overlay import names_of_parts
from services.rules.kernel.part import Part
from services.rules.kernel.title import Context, RulingChoice, Title, printed_bank, printed_limit
from services.rules.kernel.titlebuild import TITLE_FILE, Schema, TitleDataError, build_title, read_header
from services.rules.kernel.titledata import Header, TitleData

_loading = Lock()


class TitlesSettingError(ValueError):
    """`SIGNALBOX_TITLES` does not name titles that can be played; the message says what is wrong."""


def header_of(folder: Path) -> Header:
    """The header of the title in `folder`. Raises TitleDataError."""
    return read_header(_read(folder / f"{TITLE_FILE}.toml"))


def load_title(
    folder: Path,
    schema: Schema,
    variants: tuple[str, ...] = (),
    rulings: Mapping[str, str] | None = None,
    players: int = 0,
) -> TitleData:
    """Load a title with these variants and rulings for so many players; the same choice gives the same object.

    Raises TitleDataError, which names every malformed entry by file and key.
    """
    # A cache alone would let two threads at once load a title twice, each with lookup tables of its own.
    with _loading:
        return _loaded(folder.resolve(), schema, variants, tuple(sorted((rulings or {}).items())), players)


@dataclass(frozen=True)
class TitleLoader:
    """What gives the data of the title in `folder` for the options, rulings and players of a table, loaded once for each
    combination that differs in it."""

    folder: Path
    schema: Schema

    @cached_property
    def rulings(self) -> frozenset[str]:
        """The names of the rulings that change data; others would load the same again."""
        return self._parts("rulings")

    @cached_property
    def player_counts(self) -> frozenset[str]:
        """The numbers of players that change data."""
        return self._parts("by_players")

    def _parts(self, kind: str) -> frozenset[str]:
        documents = _documents(self.folder, self.schema).values()
        return frozenset().union(*(names_of_parts(document, kind) for document in documents))

    @cached_property
    def _load(self) -> Callable[[tuple[str, ...], frozenset[tuple[str, str]], int], TitleData]:
        @lru_cache(maxsize=64)
        def of_choice(
            options: tuple[str, ...], rulings: frozenset[tuple[str, str]], players: int
        ) -> TitleData:
            return load_title(self.folder, self.schema, options, dict(rulings), players)

        return of_choice

    def __call__(self, options: tuple[str, ...], rulings: Mapping[str, str], players: int = 0) -> TitleData:
        """See `load_title`."""
        in_data = frozenset(each for each in rulings.items() if each[0] in self.rulings)
        return self._load(options, in_data, players if str(players) in self.player_counts else 0)


def loader_of(folder: Path, schema: Schema) -> TitleLoader:
    """The loader of the title in `folder`."""
    return TitleLoader(folder, schema)


def title_in(
    folder: Path,
    schema: Schema,
    flow: Flow,
    *,
    parts: tuple[Part, ...],
    own: Part,
    rulings: tuple[RulingChoice, ...],
    set_up: Callable[[Draft, Context, CreateGame], None],
    capabilities: Mapping[str, Any],
    opening_bank: Callable[[TitleData, int, Mapping[str, str]], int] = printed_bank,
    certificate_limit: Callable[[Game, TitleData], int] = printed_limit,
) -> Title:
    """The title whose files are in `folder`, played as `flow` says; `Title` explains the rest. Raises TitleDataError."""
    header = header_of(folder)
    return Title(
        name=header.title,
        parts=parts,
        own=own,
        options=header.options,
        player_counts=header.player_counts,
        rulings=rulings,
        load=loader_of(folder, schema),
        set_up=set_up,
        advance=flow.advance,
        step_of=flow.step_of,
        player_value=flow.player_value,
        opening_bank=opening_bank,
        certificate_limit=certificate_limit,
        capabilities=capabilities,
    )


@lru_cache(maxsize=64)
def _loaded(
    folder: Path,
    schema: Schema,
    variants: tuple[str, ...],
    rulings: tuple[tuple[str, str], ...],
    players: int,
) -> TitleData:
    return build_title(schema, _documents(folder, schema), variants, dict(rulings), players)


def _documents(folder: Path, schema: Schema) -> dict[str, dict[str, Any]]:
    """The parsed files of a title that are there, by name without ending."""
    paths = {file: folder / f"{file}.toml" for file in schema.files}
    return {file: _read(path) for file, path in paths.items() if path.exists()}


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise TitleDataError([f"{path.name}: {error}"]) from error
