"""The printed trains and phases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar

from msgspec import Struct

from services.rules.kernel.conversion import Converter
from services.rules.kernel.titlebuild import Documents, Reader, SectionReader, no_faults
from services.rules.kernel.titledata import Header, Section, TitleData
from services.rules.parts.map.data import MapFigures, has_map, map_data
from services.rules.parts.shares.data import shares_data

PART = "trains"


class TrainKind(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of train; a title may have kinds with more figures. `count` 0 means without limit; the meaning of `stops`
    depends on `kind`; `clause` prints it. `removed_by`: the kinds whose first train makes it obsolete. `on_sale_from`: it
    can be bought beside the next normal train once this kind has started."""

    name: str
    kind: str
    stops: int
    count: int
    price: int
    clause: str = ""
    removed_by: tuple[str, ...] = ()
    on_sale_from: str | None = None


class Phase(Struct, frozen=True, forbid_unknown_fields=True):
    """A phase, named by the train that starts it. A kind of company without a train limit is not in play."""

    name: str
    tiles: tuple[str, ...]
    revenue: str
    operating_rounds: int
    train_limit: dict[str, int]
    printed: str = ""


class TrainsData(Section, frozen=True, eq=False):
    """Kinds of trains and phases of a title, by name, first to come first."""

    PART: ClassVar[str] = PART

    kinds: dict[str, Any]
    phases: dict[str, Any]


def has_trains(data: TitleData) -> bool:
    """Whether the title has trains and phases."""
    return PART in data.sections


def train_kinds_of(data: TitleData) -> dict[str, TrainKind]:
    """The kinds of trains by name."""
    found: dict[str, TrainKind] = data.sections[PART].kinds
    return found


def phases_of(data: TitleData) -> dict[str, Phase]:
    """The phases by name."""
    found: dict[str, Phase] = data.sections[PART].phases
    return found


def trains_reader(
    kind: Converter[Any],
    phase: Converter[Any],
    faults: Callable[[TitleData], Iterable[str]] = no_faults,
) -> SectionReader:
    """Reads `trains.toml` and `phases.toml` with the title's own types. `faults`: what else is wrong with them."""

    def read(reader: Reader, documents: Documents, header: Header) -> TrainsData:
        kinds = reader.entries(documents["trains"], "trains", "trains", "name", kind)
        return TrainsData(kinds, reader.entries(documents["phases"], "phases", "phases", "name", phase))

    def all_faults(data: TitleData) -> Iterator[str]:
        yield from _train_faults(data)
        yield from _phase_faults(data)
        yield from faults(data)

    keys = {"trains": ("trains",), "phases": ("phases",)}
    return SectionReader(PART, ("trains", "phases"), read, all_faults, keys)


def _train_faults(data: TitleData) -> Iterator[str]:
    kinds = train_kinds_of(data)
    for train in kinds.values():
        named = (*train.removed_by, *((train.on_sale_from,) if train.on_sale_from else ()))
        for other in named:
            if other not in kinds:
                yield f"trains.toml: trains {train.name}: there is no train {other!r}"
        if train.price <= 0 or train.count < 0:
            yield f"trains.toml: trains {train.name}: price and count must be positive"


def _map_faults(phase: Phase, figures: MapFigures) -> Iterator[str]:
    if phase.revenue not in figures.revenue_keys:
        yield f"revenue: {phase.revenue!r} is not a revenue key"
    for colour in phase.tiles:
        if colour not in figures.tile_colours:
            yield f"tiles: {colour!r} is no tile colour"


def _phase_faults(data: TitleData) -> Iterator[str]:
    figures = map_data(data).figures if has_map(data) else None
    for phase in phases_of(data).values():
        where = f"phases.toml: phases {phase.name}"
        if figures is not None:
            yield from (f"{where}: {fault}" for fault in _map_faults(phase, figures))
        for kind in phase.train_limit:
            if kind not in shares_data(data).kinds:
                yield f"{where}: train_limit: there is no kind {kind!r}"
