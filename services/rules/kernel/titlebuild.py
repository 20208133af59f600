"""Turns the documents of a title folder into TitleData and names every malformed entry by file and key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, ParamSpec, TypeVar

import msgspec

from services.rules.kernel.conversion import Converter
from services.rules.kernel.options import option_faults
from services.rules.kernel.overlay import OverlayError, overlaid
from services.rules.kernel.titledata import Header, Section, TitleData

TITLE_FILE: Final = "title"

Document = Mapping[str, Any]
Documents = Mapping[str, Document]
Entry = TypeVar("Entry")
Given = ParamSpec("Given")

_HEADER: Final = Converter(Header)


class TitleDataError(ValueError):
    """The data of a title cannot be used. `problems` names file, key and fault of each malformed entry."""

    def __init__(self, problems: Iterable[str]) -> None:
        """Keep all problems; the message shows them one per line."""
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class MalformedEntryError(ValueError):
    """An entry of a data file says something that cannot be; the message names it."""


class Reader:
    """Converts entries and collects what is wrong with them."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def convert(self, value: object, converter: Converter[Entry], where: str) -> Entry | None:
        """The typed value; a problem is noted when there is none."""
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
        """What `read` returns; a problem is noted when it raises `MalformedEntryError`."""
        try:
            return read(*args, **kwargs)
        except MalformedEntryError as error:
            self.problems.append(f"{where}: {error}")
            return None

    def stop_if_faulty(self) -> None:
        """Raises `TitleDataError` when anything was wrong so far."""
        if self.problems:
            raise TitleDataError(self.problems)


def no_faults(data: TitleData) -> Iterable[str]:
    """Nothing to check."""
    return ()


@dataclass(frozen=True, slots=True)
class SectionReader:
    """How the data of one part is read: from `files` beside `title.toml`. `faults` finds what does not fit together once
    everything is read. `keys`: what is read of a file; one that is not named is converted whole and refuses other keys."""

    part: str
    files: tuple[str, ...]
    read: Callable[[Reader, Documents, Header], Section | None]
    faults: Callable[[TitleData], Iterable[str]] = no_faults
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Schema:
    """The data files of a title: its own figures, what is wrong with them, and the parts it plays with."""

    figures: Converter[Any]
    sections: tuple[SectionReader, ...] = ()
    faults: Callable[[TitleData], Iterable[str]] = no_faults

    @property
    def files(self) -> tuple[str, ...]:
        """The names of all files, without ending."""
        return (TITLE_FILE, *(file for section in self.sections for file in section.files))


def read_header(document: Document) -> Header:
    """The header of a title, whatever variants are chosen. Raises TitleDataError."""
    reader = Reader()
    header = reader.convert(overlaid(document, (), {}), _HEADER, "title.toml")
    if header is None:
        raise TitleDataError(reader.problems)
    return header


def build_title(
    schema: Schema,
    documents: Documents,
    variants: Iterable[str] = (),
    rulings: Mapping[str, str] | None = None,
    players: int = 0,
) -> TitleData:
    """Build a title from its parsed files, keyed by file name without ending.

    Each chosen variant and ruling changes the base entries where a file has a part for it, and so does the number of
    players (0: none in particular); a ruling value without such a part changes nothing. Raises TitleDataError.
    """
    reader = Reader()
    reader.problems += [f"{file}.toml: the file is missing" for file in schema.files if file not in documents]
    reader.stop_if_faulty()
    chosen = tuple(variants)
    try:
        merged = {file: overlaid(documents[file], chosen, rulings or {}, players) for file in schema.files}
    except OverlayError as error:
        raise TitleDataError([str(error)]) from error
    header = reader.convert(merged[TITLE_FILE], _HEADER, "title.toml")
    if header is None:
        raise TitleDataError(reader.problems)
    reader.problems += [
        f"title.toml: options: {variant!r} is not offered"
        for variant in chosen
        if variant not in _option_names(header)
    ]
    reader.problems += _unread(schema, documents, header)
    reader.stop_if_faulty()
    return _assemble(schema, reader, merged, header, chosen)


def _assemble(
    schema: Schema, reader: Reader, merged: Documents, header: Header, variants: tuple[str, ...]
) -> TitleData:
    figures = reader.convert(header.figures, schema.figures, "title.toml: figures")
    sections = {section.part: section.read(reader, merged, header) for section in schema.sections}
    reader.stop_if_faulty()
    data = TitleData(header, figures, variants, sections)
    reader.problems += _header_faults(header)
    for section in schema.sections:
        reader.problems += section.faults(data)
    reader.problems += schema.faults(data)
    reader.stop_if_faulty()
    return data


def _unread(schema: Schema, documents: Documents, header: Header) -> Iterable[str]:
    """The keys of files that nobody reads, and the variants that nobody can choose."""
    known = {section.part for section in schema.sections}
    yield from (f"title.toml: parts.{part}: is not read" for part in sorted(header.parts.keys() - known))
    for section in schema.sections:
        for file, keys in section.keys.items():
            unread = documents[file].keys() - {*keys, "variants", "rulings"}
            yield from (f"{file}.toml: {key}: is not read" for key in sorted(unread))
    for file in schema.files:
        unknown = documents[file].get("variants", {}).keys() - _option_names(header)
        yield from (f"{file}.toml: variants {variant}: is not offered" for variant in sorted(unknown))


def _option_names(header: Header) -> set[str]:
    return {option.name for option in header.options}


def _header_faults(header: Header) -> Iterable[str]:
    least, most = header.players
    if not 1 <= least <= most:
        yield f"title.toml: players: [{least}, {most}] is not a range"
    tables = {"starting_cash": header.starting_cash}
    if header.certificate_limit:
        tables["certificate_limit"] = header.certificate_limit
    for name, table in tables.items():
        yield from missing_counts(header, name, table)
    yield from option_faults(header.options, header.player_counts)


def missing_counts(header: Header, name: str, table: Mapping[int, int]) -> Iterable[str]:
    """The numbers of players for which a table has no figure."""
    for players in header.player_counts:
        if players not in table:
            yield f"title.toml: {name}: no figure for {players} players"
