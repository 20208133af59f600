"""Turns the documents of a title folder into TitleData and names every malformed entry by file and key."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, ParamSpec, TypeVar

import msgspec
from msgspec import Struct

from services.rules.domain import notation, titlecheck
from services.rules.domain.conversion import Converter
from services.rules.domain.hexes import EDGES, HexIdError, neighbour, parse_hex_id
from services.rules.domain.overlay import OverlayError, overlaid
from services.rules.domain.tiles import Face, make_face, rotated
from services.rules.domain.titledata import (
    Company,
    DrawHints,
    Hex,
    Market,
    Phase,
    Terrain,
    Tile,
    TitleData,
    TitleFigures,
    TrainKind,
)

FILES: Final = ("title", "board", "tiles", "companies", "trains", "phases", "market")

Document = Mapping[str, Any]
Entry = TypeVar("Entry")
Given = ParamSpec("Given")


class TitleDataError(ValueError):
    """The data of a title cannot be used. `problems` tells file, key and fault of each malformed entry."""

    def __init__(self, problems: Iterable[str]) -> None:
        """Keep all problems; the message shows them one per line."""
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class _HexEntry(Struct, frozen=True, forbid_unknown_fields=True):
    at: str
    colour: str = "white"
    name: str = ""
    label: str = ""
    stops: tuple[str, ...] = ()
    track: tuple[str, ...] = ()
    terrain: Terrain = {}
    draw: DrawHints = DrawHints()


class _TileEntry(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    count: int
    colour: str
    track: tuple[str, ...]
    label: str = ""
    stops: tuple[str, ...] = ()
    base: str = ""
    only_at: tuple[str, ...] = ()


_FIGURES: Final = Converter(TitleFigures)
_REVENUES: Final = Converter(dict[str, int])
_HEX: Final = Converter(_HexEntry)
_TILE: Final = Converter(_TileEntry)
_COMPANY: Final = Converter(Company)
_TRAIN_KIND: Final = Converter(TrainKind)
_PHASE: Final = Converter(Phase)
_MARKET: Final = Converter(Market)


class _Reader:
    """Converts entries and collects what is wrong with them."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def convert(self, value: object, converter: Converter[Entry], where: str) -> Entry | None:
        try:
            return converter(value)
        except msgspec.ValidationError as error:
            self.problems.append(f"{where}: {error}")
            return None

    def entries(
        self, document: Document, file: str, section: str, key: str, converter: Converter[Entry]
    ) -> dict[str, Entry]:
        """The entries of a list by their key field, in order."""
        found: dict[str, Entry] = {}
        for index, raw in enumerate(document.get(section, ())):
            name = raw.get(key) if isinstance(raw, dict) else None
            where = f"{file}.toml: {section} {name}" if name else f"{file}.toml: {section}[{index}]"
            entry = self.convert(raw, converter, where)
            if entry is None:
                continue
            if not isinstance(name, str) or name in found:
                self.problems.append(f"{where}: {key} {name!r} stands twice")
                continue
            found[name] = entry
        if not found and not self.problems:
            self.problems.append(f"{file}.toml: {section}: nothing is listed")
        return found

    def attempt(
        self, where: str, read: Callable[Given, Entry], *args: Given.args, **kwargs: Given.kwargs
    ) -> Entry | None:
        try:
            return read(*args, **kwargs)
        except (notation.NotationError, HexIdError) as error:
            self.problems.append(f"{where}: {error}")
            return None

    def stop_if_faulty(self) -> None:
        if self.problems:
            raise TitleDataError(self.problems)


def build_title(
    documents: Mapping[str, Document], variants: Iterable[str] = (), rulings: Mapping[str, str] | None = None
) -> TitleData:
    """Build a title from its parsed files, keyed by file name without ending.

    Each chosen variant and ruling changes the base entries where a file has a part for it; a ruling value
    without such a part changes nothing. Raises TitleDataError.
    """
    reader = _Reader()
    reader.problems += [f"{file}.toml: the file is missing" for file in FILES if file not in documents]
    reader.stop_if_faulty()
    chosen = tuple(variants)
    try:
        merged = {file: overlaid(documents[file], chosen, rulings or {}) for file in FILES}
    except OverlayError as error:
        raise TitleDataError([str(error)]) from error
    figures = reader.convert(merged["title"], _FIGURES, "title.toml")
    if figures is None:
        raise TitleDataError(reader.problems)
    reader.problems += [
        f"title.toml: variants: {variant!r} is not offered"
        for variant in chosen
        if variant not in figures.variants
    ]
    reader.stop_if_faulty()
    return _assemble(reader, merged, figures, chosen)


def _assemble(
    reader: _Reader, merged: Mapping[str, Document], figures: TitleFigures, variants: tuple[str, ...]
) -> TitleData:
    areas = _areas(reader, merged["board"], figures)
    hexes = _hexes(reader, merged["board"], areas, figures)
    tiles = _tiles(reader, merged["tiles"], figures)
    companies = _companies(reader, merged["companies"])
    trains = reader.entries(merged["trains"], "trains", "trains", "name", _TRAIN_KIND)
    phases = reader.entries(merged["phases"], "phases", "phases", "name", _PHASE)
    market = reader.convert(merged["market"], _MARKET, "market.toml")
    reader.stop_if_faulty()
    assert market is not None
    data = TitleData(
        figures=figures,
        hexes=hexes,
        tiles=tiles,
        companies=companies,
        trains=trains,
        phases=phases,
        market=market,
        areas=areas,
        faces={(tile.id, turn): rotated(tile.face, turn) for tile in tiles.values() for turn in EDGES},
        neighbours=_neighbours(merged["board"], hexes, figures),
        homes=_homes(companies),
        company_order=tuple(merged["companies"].get("kinds", {})),
        variants=variants,
    )
    reader.problems += titlecheck.faults(data)
    reader.stop_if_faulty()
    return data


def _areas(reader: _Reader, board: Document, figures: TitleFigures) -> dict[str, dict[str, int]]:
    areas = {}
    for name, values in board.get("areas", {}).items():
        where = f"board.toml: areas {name}"
        given = reader.convert(values, _REVENUES, where)
        if given is not None:
            filled = reader.attempt(where, notation.fill_revenue, given, figures.revenue_keys)
            areas[name] = filled or given
    return areas


def _face(
    reader: _Reader, entry: _HexEntry | _TileEntry, where: str, areas: notation.Areas, keys: tuple[str, ...]
) -> Face:
    stops = [reader.attempt(where, notation.parse_stop, text, areas, keys) for text in entry.stops]
    paths = [reader.attempt(where, notation.parse_path, text, len(stops)) for text in entry.track]
    return make_face(
        entry.colour,
        entry.label,
        tuple(stop for stop in stops if stop is not None),
        tuple(path for path in paths if path is not None),
    )


def _hexes(
    reader: _Reader, board: Document, areas: dict[str, dict[str, int]], figures: TitleFigures
) -> dict[str, Hex]:
    hexes = {}
    for at, entry in reader.entries(board, "board", "hexes", "at", _HEX).items():
        where = f"board.toml: hexes {at}"
        reader.attempt(where, parse_hex_id, at)
        if entry.colour not in ("white", *figures.fixed_colours, *figures.tile_colours):
            reader.problems.append(f"{where}: {entry.colour!r} is no colour of this title")
        face = _face(reader, entry, where, areas, figures.revenue_keys)
        hexes[at] = Hex(id=at, name=entry.name, face=face, terrain=entry.terrain, draw=entry.draw)
    return hexes


def _tiles(reader: _Reader, document: Document, figures: TitleFigures) -> dict[str, Tile]:
    tiles = {}
    for name, entry in reader.entries(document, "tiles", "tiles", "id", _TILE).items():
        where = f"tiles.toml: tiles {name}"
        if entry.colour not in figures.tile_colours:
            reader.problems.append(f"{where}: {entry.colour!r} is no tile colour of this title")
        face = _face(reader, entry, where, {}, figures.revenue_keys)
        tiles[name] = Tile(name, entry.count, face, entry.base, entry.only_at)
    return tiles


def _companies(reader: _Reader, document: Document) -> dict[str, Company]:
    kinds = document.get("kinds", {})
    raw = [
        {**kinds.get(entry.get("kind"), {}), **entry} if isinstance(entry, dict) else entry
        for entry in document.get("companies", ())
    ]
    companies = reader.entries({"companies": raw}, "companies", "companies", "symbol", _COMPANY)
    for company in companies.values():
        if company.kind not in kinds:
            reader.problems.append(
                f"companies.toml: companies {company.symbol}: kind {company.kind!r} is not described"
            )
    return companies


def _neighbours(
    board: Document, hexes: dict[str, Hex], figures: TitleFigures
) -> dict[str, tuple[str | None, ...]]:
    closed = {frozenset(pair) for pair in board.get("impassable", ())}

    def over(at: str, edge: int) -> str | None:
        other = neighbour(at, edge, figures.orientation)
        return other if other in hexes and frozenset((at, other)) not in closed else None

    return {at: tuple(over(at, edge) for edge in EDGES) for at in hexes}


def _homes(companies: dict[str, Company]) -> dict[str, tuple[str, ...]]:
    homes: dict[str, tuple[str, ...]] = {}
    for company in companies.values():
        if company.home is not None:
            homes[company.home.hex] = (*homes.get(company.home.hex, ()), company.symbol)
    return homes
