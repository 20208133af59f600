"""How 18xx.games writes the recorded games of one title. All else about recorded games is the same for all titles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from services.rules.importer import actions as a
from services.rules.importer.names import Names, PartOf
from services.rules.importer.tracestate import TraceState
from services.rules.kernel.commands import Command
from services.rules.kernel.game import Game
from services.rules.kernel.title import Title
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.events import TokenReplaced
from services.rules.parts.trains.state import Run

RECORDED_GAMES = "recorded_games"
"""The capability of a title whose recorded games can be read; its value is a `Dialect`."""

Fields = dict[str, Any]
TraceStateT_co = TypeVar("TraceStateT_co", bound=TraceState, covariant=True)


@dataclass(frozen=True, slots=True)
class View(Generic[TraceStateT_co]):
    """What a line of a trace is made from: title, names of the players, and facts that the state does not keep."""

    title: Title
    data: TitleData
    names: Names
    trace_state: TraceStateT_co


class Drawn(NamedTuple):
    """A run as the file draws it and as it counts here; `stops` (hex, number) in the order of the file's `path`."""

    route: a.Route
    run: Run
    path: list[str]
    stops: list[tuple[str, int]]


class Scene(NamedTuple):
    """Where an action is asked for: the state, the title's data, the player asked first (empty: nobody), and
    the tokens that were taken over last, in the order in which that happened. `derived`: the peer added the action."""

    game: Game
    data: TitleData
    asked: str = ""
    inherited: tuple[TokenReplaced, ...] = ()
    derived: bool = False


# The command an action asks for; None where the file records a choice that does not exist here.
Translator = Callable[[Any, Scene], Command | None]
StateFields = Callable[[View[Any], Game], Fields]


def _none(view: View[Any], game: Game) -> Fields:
    return {}


def _always(view: View[Any], game: Game, company: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Dialect:
    """How 18xx.games writes one title.

    `profile`: the package with the file of what the peer does under each ruling. `variants`: other names of the title in
    files, each with the options of ours that it means. `step_name` gives the
    file's name of a step, `options` our name for the file's; `options_by_players` are ours that
    the peer plays without naming them. `treasury_income`: what a run brings beside its revenue, by `income_of` an action.
    `part_of`: a stop's place among the parts of its tile. `holder_name`: under whose name the certificates stand that a
    holder has of a company, if it `has_certificates` at all. `bought_as` and `paid_as`: the title's own reasons with which
    certificates, and the money for them, move in what the file calls a purchase. The functions draw parts of a trace
    line: `round` the round and who is asked, `setup` what the title adds to that field, `routes` the runs of a company,
    the others the field of their name.
    """

    revenue_clause: str
    treasury_income: str
    income_of: Callable[[a.RunRoutes], int]
    step_name: Callable[[Game, str], str]
    translators: Mapping[type[a.Action], Translator]
    part_of: PartOf
    trace_state: Callable[[TitleData], TraceState]
    round: StateFields
    players: StateFields
    corporations: StateFields
    depot: StateFields
    other: StateFields
    setup: StateFields
    routes: Callable[[Sequence[Drawn], Game, TitleData], list[Fields]]
    holder_name: Callable[[str, str], str]
    minors: StateFields = _none
    has_certificates: Callable[[View[Any], Game, str], bool] = _always
    bought_as: tuple[str, ...] = ()
    paid_as: tuple[str, ...] = ()
    profile: str = ""
    variants: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    options_by_players: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    options_together: Mapping[frozenset[str], str] = field(default_factory=dict)

    def options_of(self, named: tuple[str, ...], players: int, title: str = "") -> tuple[str, ...]:
        """The options of a table whose file names these and this title; one without a name of ours stays as it is."""
        ours = (*self.variants.get(title, ()), *(self.options.get(each, each) for each in named))
        for group, name in self.options_together.items():
            if group.issubset(ours):
                ours = (*(each for each in ours if each not in group), name)
        return (*ours, *self.options_by_players.get(players, ()))


def dialect_of(title: Title) -> Dialect | None:
    """The dialect of the recorded games of `title`; `None` if they cannot be read."""
    dialect: Dialect | None = title.capabilities.get(RECORDED_GAMES)
    return dialect


def title_named(titles: Mapping[str, Title], name: str) -> Title | None:
    """The title that files call `name`, which may be that of a variant; `None` if there is none."""
    if name in titles:
        return titles[name]
    dialects = ((title, dialect_of(title)) for title in titles.values())
    return next((title for title, dialect in dialects if dialect and name in dialect.variants), None)
