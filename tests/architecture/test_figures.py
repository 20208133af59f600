"""Figures of the rulebooks: each figure in a title's files is read by code, and none is written in code.

That a file has no key beside those of the types is the loader's to refuse (tests/rules/board/test_titledata.py)."""

from __future__ import annotations

import ast
import importlib
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from devtools.clauses import package_of
from services.rules.kernel.titledata import Header, Section
from services.rules.parts.map.part import MAP
from services.rules.titles import BUILT_IN

SERVICES = Path(__file__).parents[2] / "services"
TITLES = {title.name: title for title in BUILT_IN}
TITLES_FOLDER = SERVICES / "rules" / "titles"
PARTS = "services.rules.parts"
PART_SCHEMAS = (
    f"{PARTS}.map.data",
    f"{PARTS}.map.reading",
    f"{PARTS}.market.data",
    f"{PARTS}.shares.data",
    f"{PARTS}.trains.data",
)
HALF = "half: the word of the rule"
PERCENT = "percent"
WIDTH = "width of a column of the drawing"
TASTE = "what bots like, no rule"
CHANCE = "the random numbers of the platform"
TEXT = "the longest text"
PLACE = "a place in a list or a match"
PAIR = "two ends, halves or hexes"
HEXES = "six edges, and their directions"
# Numbers in code, by folder and by function or name, that are no figures of a rulebook, and what they are.
NO_FIGURES = {
    "g1824 _split 2": HALF,
    "g1824 _return_second_token 2": "hex and city of three fields",
    "g1824 percent_up 100": PERCENT,
    "g1862 PREFERENCES 24": TASTE,
    "g1862 PREFERENCES 6": TASTE,
    "g1862 OWN_PRESENTATION 48": WIDTH,
    "g1862 OWN_PRESENTATION 50": WIDTH,
    "g1862 OWN_PRESENTATION 62": WIDTH,
    "g1862 TOKENS 3": TASTE,
    "g1862 _keep_director_as_option 2": HALF,
    "g1862 _licences 2": HALF,
    "g1862 _mark 2": HALF,
    "g1862 _return_half 2": HALF,
    "g1862 _shares_to_direct 2": HALF,
    "g1862 _swap_or_sell 2": HALF,
    "g1862 _turn_charter 2": "both companies of a merger",
    "g1862 _worth 2": HALF,
    "g1862 cell_after_merger 2": HALF,
    "g1862 effective_price 2": HALF,
    "g1862 go_bankrupt 2": HALF,
    "g1862 price_beside 2": HALF,
    "g1865 PREFERENCES 2": TASTE,
    "g1865 PREFERENCES 4": TASTE,
    "g1865 PREFERENCES 8": TASTE,
    "g1865 CUBES_WIDTH 300": WIDTH,
    "g1865 NAME_WIDTH 130": WIDTH,
    "g1865 NUMBER_WIDTH 76": WIDTH,
    "g1865 PHASE_WIDTH 66": WIDTH,
    "g1865 PLACE_WIDTH 170": WIDTH,
    "g1865 OWN_PRESENTATION 48": WIDTH,
    "g1865 OWN_PRESENTATION 62": WIDTH,
    "g1865 OWN_PRESENTATION 70": WIDTH,
    "g1865 OWN_PRESENTATION 74": WIDTH,
    "g1865 RAILWAY_WIDTH 42": WIDTH,
    "g1865 RANK_WIDTH 50": WIDTH,
    "g1865 TOKENS_BESIDE 2": WIDTH,
    "rotw PREFERENCES 12": TASTE,
    "rotw PREFERENCES 4": TASTE,
    "rotw OWN_PRESENTATION 45": WIDTH,
    "rotw OWN_PRESENTATION 50": WIDTH,
    "rotw OWN_PRESENTATION 55": WIDTH,
    "rotw OWN_PRESENTATION 60": WIDTH,
    "rotw SEARCH_STEPS 4000": "how long choices are searched for",
    "rotw _check_path 2": "the hex after the next",
    "rotw _hex_at 2": "a hex is named by twice its place in the row",
    "kernel MULTIPLIER, INCREMENT, MODULUS 1103515245": CHANCE,
    "kernel MULTIPLIER, INCREMENT, MODULUS 12345": CHANCE,
    "kernel MULTIPLIER, INCREMENT, MODULUS 2": CHANCE,
    "kernel MULTIPLIER, INCREMENT, MODULUS 31": CHANCE,
    "kernel DETAIL_LENGTH_MAX 300": TEXT,
    "kernel LARGEST_NUMBER 1000000": "the largest number that a command may name",
    "kernel REASON_LENGTH_MAX 500": TEXT,
    "kernel _filled 2": PAIR,
    "kernel _pieces 2": PLACE,
    "kernel _rolled_back 2": "the two events of a rollback",
    "kernel plain_word 2": PLACE,
    "parts  2": HEXES,
    "parts  6": HEXES,
    "parts KEPT_VIEWS 512": "how much is remembered",
    "parts WHOLE 100": PERCENT,
    "parts _edge 2": PLACE,
    "parts _edge 3": PLACE,
    "parts _turned 6": HEXES,
    "parts _with_entries 2": PLACE,
    "parts across 3": HEXES,
    "parts across 6": HEXES,
    "parts axial 2": HEXES,
    "parts entry 2": PLACE,
    "parts grid_of 2": PAIR,
    "parts is_at_least 100": PERCENT,
    "parts is_more_than 100": PERCENT,
    "parts neighbour 26": "letters of rows",
    "parts opposite 3": HEXES,
    "parts opposite 6": HEXES,
    "parts parse_path 2": PAIR,
    "parts percent_text 100": PERCENT,
    "parts resolve_connections 2": PLACE,
    "parts ways_over 2": PAIR,
}


def folder_of(title: str) -> Path:
    """Where the modules and files of a title are."""
    return TITLES_FOLDER / package_of(title)


@cache
def attributes_read(module: Path) -> frozenset[str]:
    """The names of attributes that a module reads; what only checks the files themselves does not count."""

    def read(node: ast.AST) -> Iterator[str]:
        if isinstance(node, ast.FunctionDef) and node.name.endswith("faults"):
            return
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield node.attr
        for child in ast.iter_child_nodes(node):
            yield from read(child)

    return frozenset(read(ast.parse(module.read_text(encoding="utf-8"))))


def read_outside(*titles: str) -> frozenset[str]:
    """The names of attributes that the product reads, without the modules of these titles."""
    return frozenset(
        name
        for module in SERVICES.rglob("*.py")
        if not module.is_relative_to(SERVICES / "gen")
        if not any(module.is_relative_to(folder_of(title)) for title in titles)
        for name in attributes_read(module)
    )


def keys_in(value: object) -> Iterator[str]:
    """All keys of a document, at every depth."""
    if isinstance(value, dict):
        yield from value
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from keys_in(each)


def structs_of(title: str) -> Iterator[type[msgspec.Struct]]:
    """The types to which the files of a title are converted."""
    yield Header
    for name in (*PART_SCHEMAS, f"services.rules.titles.{package_of(title)}.figures"):
        module = importlib.import_module(name)
        for kind in vars(module).values():
            is_struct = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
            if is_struct and kind.__module__ == name and not issubclass(kind, Section):
                yield kind


def strings_of(folder: Path) -> frozenset[str]:
    """All text constants in the modules of a folder."""
    return frozenset(
        node.value
        for module in folder.rglob("*.py")
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def numbers_of(module: Path) -> Iterator[tuple[str, int]]:
    """The numbers above 1 in a module, with the function or the name they are in; sizes of caches do not count."""

    def walk(node: ast.AST, where: str) -> Iterator[tuple[str, int]]:
        if isinstance(node, ast.keyword) and node.arg == "maxsize":
            return
        if isinstance(node, ast.FunctionDef):
            where = node.name
        elif isinstance(node, ast.Assign) and not where:
            where = ast.unparse(node.targets[0]).strip("()")
        elif isinstance(node, ast.Constant) and type(node.value) is int and node.value > 1:
            yield where, node.value
        for child in ast.iter_child_nodes(node):
            yield from walk(child, where)

    return walk(ast.parse(module.read_text(encoding="utf-8")), "")


def documents_of(title: str) -> dict[str, dict[str, Any]]:
    """The data files of a title by name."""
    return {
        path.name: tomllib.loads(path.read_text(encoding="utf-8"))
        for path in sorted(folder_of(title).glob("*.toml"))
    }


@pytest.mark.parametrize("title", TITLES)
def test_every_figure_is_read(title: str) -> None:
    """No field of the types of the files is read by nobody, and none that this title's files set by another title alone."""
    given = set(keys_in(list(documents_of(title).values())))
    read, read_here = read_outside(), read_outside(*(set(TITLES) - {title}))
    dead = [
        f"{kind.__module__}.{kind.__name__}.{field}"
        for kind in structs_of(title)
        for field in kind.__struct_fields__
        if field not in (read_here if field in given else read)
    ]
    assert dead == []


@pytest.mark.parametrize("title", TITLES)
def test_every_ruling_in_the_files_can_be_chosen(title: str) -> None:
    """A part of a file for a ruling, or for a value of it, that the title does not have would never be read."""
    values = {ruling.name: ruling.values for ruling in TITLES[title].rulings}
    unknown = [
        f"{file}: rulings {name}: {value}"
        for file, document in documents_of(title).items()
        for name, parts in document.get("rulings", {}).items()
        for value in parts
        if value not in values.get(name, ())
    ]
    assert unknown == []


@pytest.mark.parametrize("title", [name for name, title in TITLES.items() if MAP in title.parts])
def test_every_zone_and_clause_of_a_tile_is_looked_up(title: str) -> None:
    """Zones of the chart are named by the code or by figures, clauses by a reason for which tiles are rejected."""
    documents = documents_of(title)
    in_figures = {
        key
        for value in documents["title.toml"]["figures"].values()
        if isinstance(value, dict)
        for key in value
    }
    named = strings_of(folder_of(title)) | in_figures
    assert [zone for zone in documents["market.toml"]["zones"] if zone not in named] == []
    reasons = strings_of(SERVICES / "rules" / "parts" / "map")
    clauses = documents["title.toml"]["parts"]["map"]["tile_clauses"]
    assert [
        key for key in clauses if not any(key == r or key.startswith(f"{r}_") for r in reasons if r)
    ] == []


def test_no_figure_is_written_in_code() -> None:
    """A number in the code of kernel, parts and titles is listed above with what it is; a figure of a rulebook belongs to the
    files of its title.

    How another platform spells its games is no rule."""
    folders = (SERVICES / "rules" / "kernel", SERVICES / "rules" / "parts", *map(folder_of, TITLES))
    found = {
        f"{folder.name} {where} {number}"
        for folder in folders
        for module in folder.rglob("*.py")
        if "importer" not in module.parts
        for where, number in numbers_of(module)
    }
    assert sorted(found - NO_FIGURES.keys()) == []
    assert sorted(NO_FIGURES.keys() - found) == []


def test_a_figure_that_is_not_read_would_be_seen(tmp_path: Path) -> None:
    """What only a check of the files reads does not count, nor what is only written."""
    module = tmp_path / "steps.py"
    module.write_text("def _faults(x): return x.checked\ndef f(x):\n    x.written = x.read\n    return 7\n")
    assert attributes_read(module) == {"read"}
    assert list(numbers_of(module)) == [("f", 7)]
