"""The figures of a title as typed values: what every title has, the title's own, and a section for each part it plays with.

Data is loaded once for each choice of variants and rulings and shared by all games that play with it; every lookup table is
prepared at that time. Money is in whole units."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from msgspec import Struct, field

from services.rules.kernel.options import TableOption


class Section(Struct, frozen=True, eq=False):
    """The data of one part, `PART` by name. Compared by identity: it is loaded once and never copied."""

    PART: ClassVar[str] = ""

    def holders(self) -> Iterable[str]:
        """The names of those who can hold money or certificates, beside players and bank."""
        return ()


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """What `title.toml` says of every title. Tables by number of players; `figures` are the title's own, and `parts` what parts
    read here and not in files of their own, by the part's name. `layout`: a label for the printed layout in play, where the
    title has several."""

    title: str
    name: str
    currency: str
    players: tuple[int, int]
    bank: int
    starting_cash: dict[int, int]
    layout: str = ""
    options: tuple[TableOption, ...] = ()
    certificate_limit: dict[int, int] = field(default_factory=dict)
    figures: dict[str, Any] = field(default_factory=dict)
    parts: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def player_counts(self) -> range:
        """How many can play."""
        least, most = self.players
        return range(least, most + 1)


class TitleData(Struct, frozen=True, eq=False):
    """A title with the chosen variants and rulings. Compared by identity. `figures` are those that only the title has,
    `sections` the data of its parts by name."""

    header: Header
    figures: Any
    variants: tuple[str, ...]
    sections: dict[str, Any]

    def holders(self) -> frozenset[str]:
        """The names of those who can hold money or certificates, beside players and bank."""
        return frozenset(name for section in self.sections.values() for name in section.holders())
