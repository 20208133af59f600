"""Positions of Railways of the World for tests: a table driven through the real core, and facts written by hand to get to the
middle of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import Accepted, create
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import Event
from services.rules.kernel.title import Context
from services.rules.kernel.values import Ruling
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.market.data import chart_of
from services.rules.parts.shares.events import CompanyAdded
from services.rules.titles.rotw import auctions, companyrounds, dividends, merging
from services.rules.titles.rotw.commands import BuildLink, DeliverGood
from services.rules.titles.rotw.events import (
    ActionChosen,
    CityEmptied,
    CompanyAcquired,
    GameTurnBegan,
    GoodDelivered,
    GoodsPlaced,
    IncomeMarked,
    LinkBuilt,
    LinkTakenOver,
    MergerDecided,
)
from services.rules.titles.rotw.figures import figures_of
from services.rules.titles.rotw.state import own
from services.rules.titles.rotw.title import TITLE
from tests.positions.reading import Events, facts
from tests.titles.table import TitleTable

ADA, BEN, CLEO, DORA, EMIL, FAY = PLAYERS = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay")
RED, BLUE, GREEN, YELLOW, PURPLE, BLACK = COMPANIES = ("RED", "BLUE", "GREEN", "YELLOW", "PURPLE", "BLACK")

# Straight track between cities of the small map.
TRACK = {
    ("Ashford", "Brookton"): "E2 E4 E6 E8",
    ("Brookton", "Carlow"): "E8 E10 E12 E14",
    ("Carlow", "Dunmore"): "E14 E16 E18 E20",
    ("Elmira", "Fulton"): "B5 B7 B9 B11",
    ("Fulton", "Granby"): "B11 B13 B15 B17",
    ("Ashford", "Elmira"): "E2 D3 C4 B5",
    ("Brookton", "Elmira"): "E8 D7 C6 B5",
    ("Brookton", "Fulton"): "E8 D9 C10 B11",
    ("Carlow", "Fulton"): "E14 D13 C12 B11",
    ("Carlow", "Granby"): "E14 D15 C16 B17",
    ("Dunmore", "Granby"): "E20 D19 C18 B17",
    ("Ashford", "Hadley"): "E2 F3 G4 H5",
    ("Brookton", "Hadley"): "E8 F7 G6 H5",
    ("Brookton", "Ironton"): "E8 F9 G10 H11",
    ("Carlow", "Ironton"): "E14 F13 G12 H11",
    ("Carlow", "Jasper"): "E14 F15 G16 H17",
    ("Hadley", "Ironton"): "H5 H7 H9 H11",
    ("Ironton", "Jasper"): "H11 H13 H15 H17",
    ("Dunmore", "Jasper"): "E20 F19 G18 H17",
}


def track(one: str, other: str) -> tuple[str, ...]:
    """The hexes of the straight track from one city of the small map to another."""
    if (one, other) in TRACK:
        return tuple(TRACK[one, other].split())
    return tuple(reversed(TRACK[other, one].split()))


def build(company: str, one: str, other: str, shares: int = 0, bonds: int = 0) -> BuildLink:
    """The command to build the straight track between two cities."""
    return BuildLink(company, track(one, other), shares, bonds)


def deliver(company: str, city: str, colour: str, *links: str) -> DeliverGood:
    """The command to deliver a cube over links."""
    return DeliverGood(company, city, colour, links)


@dataclass(slots=True)
class Table(TitleTable):
    """A game of Railways of the World."""

    title = TITLE

    def owns(self, player: str, company: str, shares: int, *, controls: bool = False) -> None:
        """The player has so many shares more of those that were available; he controls the company if that is said."""
        numbers = self.game.held(BANK, company)[:shares]
        assert len(numbers) == shares, f"{company} has no {shares} available shares"
        self.gets_certificates(player, company, *numbers)
        if controls:
            self.directs(player, company)

    def has_issued(self, company: str, shares: int) -> None:
        """So many shares of the reserve lie on the issued board."""
        numbers = self.game.held(company, company)[:shares]
        self.gets_certificates(POOL, company, *numbers, source=company)

    def value_is(self, company: str, thousands: int) -> None:
        """The share value of the company is so many thousands; its marker comes last to the space."""
        self.marker_stands(company, 0, chart_of(self.data).rows[0].index(thousands * 1000))

    def has_bonds(self, company: str, bonds: int) -> None:
        """The company has so many bonds more, and no more money for them."""
        self.borrows(company, bonds * figures_of(self.data).bond, "rotw.bond")

    def has_link(self, company: str, *path: str) -> str:
        """The company has a link over these hexes, or on straight track between two cities; its id."""
        hexes = track(*path) if len(path) == 2 else path
        name = str(len(own(self.game).links) + 1)
        self.write(LinkBuilt(name, company, hexes))
        return name

    def has_links(self, company: str, *cities: str) -> tuple[str, ...]:
        """The company has a line of links from city to city on straight track; their ids."""
        return tuple(self.has_link(company, *pair) for pair in pairwise(cities))

    def goods_are(self, city: str, *cubes: str) -> None:
        """These cubes are in the city, and no others."""
        self.write(GoodsPlaced(city, cubes))

    def has_delivered(self, company: str, city: str, colour: str, target: str, *links: str) -> None:
        """The company has moved a cube over these links; nobody is paid for it."""
        self.write(GoodDelivered(company, city, colour, links, target))

    def is_emptied(self, *cities: str) -> None:
        """These cities have lost their last cube."""
        self.write(*(CityEmptied(city) for city in cities))

    def income_is(self, company: str, space: int) -> None:
        """The income marker of the company is on this space."""
        self.write(IncomeMarked(company, space))

    def has_chosen(self, company: str, *actions: str) -> None:
        """The company chose these actions in the rounds of this turn."""
        self.write(*(ActionChosen(company, action) for action in actions))

    def has_acquired(self, company: str, target: str) -> None:
        """It is noted that the company has acquired the other in the round at hand."""
        self.write(CompanyAcquired(company, target))

    def idle_turns_are(self, count: int, turn: int = 2) -> None:
        """In so many turns before this one no company built or delivered."""
        self.write(GameTurnBegan(turn, count))

    def company_round_is(self, *order: str, number: int = 1, turn: int = 2) -> None:
        """A round of these companies has begun; the first one is to act."""
        self.round_is(companyrounds.COMPANIES, *order, step="act", turn=turn, number=number, count=3)

    def dividends_begin(self, turn: int = 2) -> tuple[Event, ...]:
        """The round of dividends begins, and goes on until somebody is asked."""
        draft = self.draft()
        dividends.start_round(draft, Context(self.data), turn)
        return self._begin(draft)

    def mergers_begin(self, turn: int = 2) -> tuple[Event, ...]:
        """The round of mergers begins, and goes on until somebody is asked."""
        draft = self.draft()
        merging.start_round(draft, Context(self.data), turn)
        return self._begin(draft)

    def new_auctions_begin(self, turn: int = 2) -> tuple[Event, ...]:
        """The auctions of new shares begin, and go on until somebody is asked."""
        draft = self.draft()
        auctions.start_round(draft, auctions.NEW_SHARES, turn)
        return self._begin(draft)

    def _begin(self, draft: Draft) -> tuple[Event, ...]:
        begun = self.take(draft)
        return (*begun, *self.carry_on())

    def links(self, company: str) -> list[str]:
        """The ids of a company's links."""
        return [name for name, link in own(self.game).links.items() if link.owner == company]


def new_table(
    players: int = 3, /, *options: str, seed: int = 0, by: Mapping[str, str] | None = None, **rulings: str
) -> Table:
    """A new game at its first auction, on the small map for two and three players unless `large` is among the options, under
    the rulebook's rulings but for those named one by one, or `by` a mapping."""
    chosen = tuple(Ruling(name, value) for name, value in {**(by or {}), **rulings}.items())
    small = ("small_map",) if players <= 3 and "large" not in options else ()
    options = (*small, *(each for each in options if each != "large"))
    outcome = create(TITLE, CreateGame("rotw", PLAYERS[:players], options, chosen, seed=seed))
    assert isinstance(outcome, Accepted), outcome
    return Table(outcome.game, TITLE.data_of(outcome.game), [*outcome.events])


def running_table(
    players: int = 3, /, *options: str, cash: int = 0, by: Mapping[str, str] | None = None, **rulings: str
) -> Table:
    """A company round in which RED of Ada is to act, then BLUE of Ben; each of them has three shares and so much money. The
    opening auctions are over without a trace, and no city has a cube."""
    table = new_table(players, *options, by={**(by or {}), **rulings})
    for player, company in ((ADA, RED), (BEN, BLUE)):
        table.owns(player, company, 3, controls=True)
        table.has_cash(company, cash)
    table.priority_is(ADA)
    for city in own(table.game).goods:
        table.goods_are(city)
    table.company_round_is(RED, BLUE)
    return table


def built(events: Events) -> list[tuple[str, str, tuple[str, ...]]]:
    """(id, company, hexes) of links that were built."""
    return [(each.link, each.company, each.path) for each in facts(events, LinkBuilt)]


def taken_over(events: Events) -> list[tuple[str, str]]:
    """(id, new owner) of links that changed their owner."""
    return [(each.link, each.company) for each in facts(events, LinkTakenOver)]


def delivered(events: Events) -> list[tuple[str, str, str, str]]:
    """(company, city, colour, target) of cubes that were delivered."""
    return [(each.company, each.city, each.colour, each.target) for each in facts(events, GoodDelivered)]


def added(events: Events) -> list[str]:
    """The companies that are said to be of this game."""
    return [each.company for each in facts(events, CompanyAdded)]


def drawn(events: Events) -> dict[str, tuple[str, ...]]:
    """The cubes that were drawn, by city."""
    return {each.city: each.cubes for each in facts(events, GoodsPlaced)}


def emptied(events: Events) -> list[str]:
    """The cities that got an Empty City marker."""
    return [each.city for each in facts(events, CityEmptied)]


def income_marks(events: Events) -> list[tuple[str, int]]:
    """(company, space) of income markers that moved."""
    return [(each.company, each.space) for each in facts(events, IncomeMarked)]


def chosen_actions(events: Events) -> list[tuple[str, str]]:
    """(company, action) of what companies chose in a round."""
    return [(each.company, each.action) for each in facts(events, ActionChosen)]


def decided_mergers(events: Events) -> list[tuple[str, str, bool]]:
    """(company, target, accepted) of mergers that were voted on."""
    return [(each.company, each.target, each.accepted) for each in facts(events, MergerDecided)]
