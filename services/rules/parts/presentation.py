"""How a title's own words and figures are shown to people, on pictures and in texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from services.rules.kernel.game import Game
from services.rules.kernel.title import Title
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.values import kind_name

# The name of this capability among those of a title.
PRESENTATION = "presentation"


@dataclass(frozen=True, slots=True)
class CompanyColumn:
    """A column of the list of companies: its heading, how many units wide it is drawn, and its text for one company."""

    heading: str
    width: int
    text: Callable[[TitleData, Game, str], str]
    right: bool = False


def train_as_printed(data: TitleData, game: Game, train: str) -> str:
    """The kind of the train, from its id."""
    return kind_name(train)


def no_note(data: TitleData, name: str) -> str:
    """Nothing more to say."""
    return ""


def no_plain_note(data: TitleData) -> str:
    """Nothing to say of sides along which nothing lies."""
    return ""


def no_price_note(data: TitleData, price: int) -> str:
    """Nothing more to say."""
    return ""


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell of a title's own table: its text, the symbols of companies whose tokens are in it, and small cubes by colour.
    `ground` is the colour behind it, empty for that of the table."""

    text: str = ""
    tokens: tuple[str, ...] = ()
    cubes: tuple[str, ...] = ()
    ground: str = ""


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table that only the title has: columns with their width in units, and rows of as many cells."""

    heading: str
    columns: tuple[tuple[str, int], ...]
    rows: tuple[tuple[ShownCell, ...], ...]


@dataclass(frozen=True, slots=True)
class PlaceMark:
    """A small sign that a title puts on a place of its map: a word, in the colours of a company where it is that company's.
    `meaning` says what it stands for."""

    word: str
    meaning: str
    company: str = ""


def no_marks(data: TitleData) -> Mapping[str, tuple[PlaceMark, ...]]:
    """No signs."""
    return {}


def no_tables(data: TitleData, game: Game) -> tuple[ShownTable, ...]:
    """No tables of its own."""
    return ()


def nothing_of_player(data: TitleData, game: Game, player: str) -> str:
    """Nothing more to say."""
    return ""


@dataclass(frozen=True, slots=True)
class TrainTerms:
    """What the list of trains shows of each kind beside its price: two columns with headings, by the kind's name."""

    reach_heading: str = "stops"
    reach: Callable[[TitleData, str], str] = no_note
    note_heading: str = ""
    note: Callable[[TitleData, str], str] = no_note


@dataclass(frozen=True, slots=True)
class Presentation:
    """`round_names`: a name, and a short one, of each kind of round that only the title has. `train_name`: what a train
    somebody owns is called; `train_terms`: how kinds of trains are listed; `limit_note`: what is said of the train limits
    of a phase. `company_columns`, `player_note`: what else the lists of companies and players show. `price_note` is written
    below a share price, `side_note` beside a kind of hexside; `plain_note` says the same of all other sides. `shows_runs`:
    whether trains run on routes, so that the list of companies shows their last runs. `place_marks`: signs on the map, by
    hex; `tables`: what the title has beside all these. `sketch`: the board of a title that has one of its own kind, a `Sketch`
    of `parts.map.sketch`."""

    round_names: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    train_name: Callable[[TitleData, Game, str], str] = train_as_printed
    train_terms: TrainTerms = TrainTerms()
    limit_note: Callable[[TitleData, str], str] = no_note
    company_columns: tuple[CompanyColumn, ...] = ()
    player_note: Callable[[TitleData, Game, str], str] = nothing_of_player
    price_note: Callable[[TitleData, int], str] = no_price_note
    side_note: Callable[[TitleData, str], str] = no_note
    plain_note: Callable[[TitleData], str] = no_plain_note
    shows_runs: bool = True
    place_marks: Callable[[TitleData], Mapping[str, tuple[PlaceMark, ...]]] = no_marks
    tables: Callable[[TitleData, Game], tuple[ShownTable, ...]] = no_tables
    sketch: Callable[[TitleData, Game], Any] | None = None

    def round_name(self, kind: str) -> str:
        """The name of a kind of round, for example `stock round`."""
        return self.round_names[kind][0] if kind in self.round_names else f"{kind} round"

    def short_round_name(self, kind: str) -> str:
        """A short name, for example `SR`."""
        return self.round_names[kind][1] if kind in self.round_names else f"{kind[:1].upper()}R"


def presentation_of(title: Title) -> Presentation:
    """What the title says; a plain one of a title that says nothing."""
    found: Presentation = title.capabilities.get(PRESENTATION, Presentation())
    return found
