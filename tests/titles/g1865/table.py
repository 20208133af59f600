"""Positions of 1865 for tests: a table driven through the real core, and facts written by hand to get to the middle of a game."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import Accepted, create
from services.rules.kernel.events import Event, RoundEnded
from services.rules.kernel.values import Ruling
from services.rules.parts.market.data import chart_of
from services.rules.parts.shares.shares import divide_shares
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1865.dragontable import table_of
from services.rules.titles.g1865.events import (
    CompanyAbsorbed,
    DirectRouteUsed,
    DragonCandidate,
    DragonsActed,
    DragonsChose,
    DragonsPassed,
    HomeChosen,
    MaritimeClosed,
    MaritimeTaken,
    PortUsed,
    RevenueReckoned,
    TableRowSet,
    TrafficChanged,
)
from services.rules.titles.g1865.figures import figures_of
from services.rules.titles.g1865.state import maritime_of, own, traffic_of
from services.rules.titles.g1865.stock.dragons import DRAGONS, take_turn
from services.rules.titles.g1865.title import TITLE
from tests.positions.reading import Events, facts
from tests.titles.table import TitleTable

ADA, BEN, CLEO, DORA = PLAYERS = ("Ada", "Ben", "Cleo", "Dora")


@dataclass(slots=True)
class Table(TitleTable):
    """A game of 1865."""

    title = TITLE

    def seller(self, company: str) -> str:
        """The offer of a company is with the company itself."""
        return company

    @property
    def dragons(self) -> str:
        """The name under which the Dragons hold shares."""
        return table_of(self.data).holder

    def price_is(self, company: str, price: int) -> None:
        """The marker of the company is on this value, under the others there."""
        self.marker_stands(company, 0, chart_of(self.data).rows[0].index(price))

    def row_is(self, company: str, row: str) -> None:
        """The company is on the row of this phase on the Dragon table."""
        self.write(TableRowSet(company, row))

    def traffic_is(self, company: str, traffic: int) -> None:
        """The company has so much traffic."""
        more = traffic - traffic_of(self.game, company)
        if more:
            self.write(TrafficChanged(company, more, "token", ""))

    def traffic(self, company: str) -> int:
        """The traffic of the company."""
        return traffic_of(self.game, company)

    def has_maritime(self, owner: str, *names: str) -> None:
        """The player or railway has these sea companies."""
        self.write(*(MaritimeTaken(name, owner) for name in names))

    def maritime(self, owner: str) -> tuple[str, ...]:
        """The sea companies of the player or railway."""
        return maritime_of(self.game, owner)

    def port_is_used(self, name: str, company: str) -> None:
        """The port brought its traffic to the railway."""
        self.write(PortUsed(name, company))

    def row(self, company: str) -> str:
        """The row on which the company is."""
        return own(self.game).rows[company]

    def is_launched(
        self,
        company: str,
        price: int,
        president: str,
        *,
        shares: int = 3,
        opened: bool = True,
        operated: bool = True,
        treasury: int = 0,
        row: str = "2",
    ) -> None:
        """The company has this value; its president holds so many shares. Open, it may have had turns and has so much money."""
        self.par_is(company, price)
        self.price_is(company, price)
        self.row_is(company, row)
        self.holds(president, company, shares, director=True)
        if opened:
            self.is_open(company)
            self.has_cash(company, treasury)
        if opened and operated:
            self.has_operated(company)

    def is_converted(self, company: str) -> None:
        """The company is divided as a major; the new shares are in its offer."""
        draft = self.draft()
        divide_shares(draft, company, figures_of(self.data).major_shares, company)
        self.take(draft)

    def is_absorbed(self, company: str) -> None:
        """The company was absorbed and can be launched anew."""
        self.write(CompanyAbsorbed(company, "", 0))

    def is_at_home_in(self, company: str, hex_id: str, city: int = 0) -> None:
        """The company was launched anew with its home there."""
        self.write(HomeChosen(company, hex_id, city))

    def stock_turn_is(self, first: str = "", *, turn: int = 2) -> None:
        """A stock round has begun with this player, and the Dragons have had their turn before."""
        self.stock_round_is(first, turn=turn)
        self.has_taken_action(DRAGONS)

    def dragons_take_turn(self) -> tuple[Event, ...]:
        """What the Dragons do now in a turn of theirs."""
        draft = self.draft()
        take_turn(draft, self.data)
        return self.take(draft)

    def stock_round_follows(self) -> tuple[Event, ...]:
        """The second operating round of a turn is over: what the stock round after it begins with."""
        self.round_is("operating", number=2, count=2)
        self.write(RoundEnded("operating"))
        return self.carry_on()

    def company_turn_is(self, *order: str, step: str = "", **others: int) -> None:
        """An operating round of these companies; the first one is at turn, before its first step unless one is named."""
        self.operating_round_is(*order, step=step, **others)

    def shares_in(self, company: str) -> int:
        """How many shares the company is divided into."""
        return companies_of(self.game)[company].shares


def new_table(players: int = 3, /, *options: str, seed: int = 0, **rulings: str) -> Table:
    """A new game under the synopsis's rulings, but for those named, at the start of the draft."""
    chosen = tuple(Ruling(name, value) for name, value in rulings.items())
    outcome = create(TITLE, CreateGame("1865", PLAYERS[:players], options, chosen, seed=seed))
    assert isinstance(outcome, Accepted), outcome
    return Table(outcome.game, TITLE.data_of(outcome.game), list(outcome.events))


def stock_table(players: int = 3, /, *options: str, first: str = ADA, **rulings: str) -> Table:
    """The first stock round of a game in which nobody has a sea company; everybody has 2000."""
    table = new_table(players, *options, seed=0, **rulings)
    for player in table.game.players:
        table.has_cash(player, 2000)
    table.stock_turn_is(first)
    return table


def traffic_changes(events: Events, *reasons: str) -> list[tuple[str, int, str, str]]:
    """(company, amount, reason, subject) of all traffic that came or went, or of that for these reasons."""
    return [
        (each.company, each.amount, each.reason, each.subject)
        for each in facts(events, TrafficChanged)
        if not reasons or each.reason in reasons
    ]


def maritime_moves(events: Events) -> list[tuple[str, str]]:
    """(sea company, owner) of those that got an owner."""
    return [(each.maritime, each.owner) for each in facts(events, MaritimeTaken)]


def closed_maritime(events: Events) -> list[tuple[str, str]]:
    """(sea company, player) of those that closed."""
    return [(each.maritime, each.player) for each in facts(events, MaritimeClosed)]


def used_ports(events: Events) -> list[tuple[str, str]]:
    """(sea company, railway) of ports that brought their traffic."""
    return [(each.maritime, each.company) for each in facts(events, PortUsed)]


def new_rows(events: Events) -> list[tuple[str, str]]:
    """(company, row) of moves on the Dragon table."""
    return [(each.company, each.row) for each in facts(events, TableRowSet)]


def dragon_turns(events: Events) -> list[str]:
    """What the Dragons did in each of their turns: `acted` or `passed`."""
    kinds = {DragonsActed: "acted", DragonsPassed: "passed"}
    return [kinds[type(each)] for each in events if type(each) in kinds]


def dragon_choices(events: Events) -> list[tuple[str, str]]:
    """(company, source) of what the Dragons bought."""
    return [(each.company, each.source) for each in facts(events, DragonsChose)]


def dragon_candidates(events: Events) -> list[tuple[DragonCandidate, ...]]:
    """What they chose from."""
    return [each.candidates for each in facts(events, DragonsChose)]


def routes_used(events: Events) -> list[tuple[str, str, tuple[str, ...], int, int]]:
    """(company, hex, route, cost, traffic) of tokens that were placed."""
    return [
        (each.company, each.hex, each.route, each.cost, each.traffic)
        for each in facts(events, DirectRouteUsed)
    ]


def reckonings(events: Events) -> list[tuple[str, int, int]]:
    """(company, traffic, coverage) of revenues."""
    return [(each.company, each.traffic, each.coverage) for each in facts(events, RevenueReckoned)]


def absorbed(events: Events) -> list[tuple[str, str, int]]:
    """(company, absorber, price of a share) of absorptions."""
    return [(each.company, each.absorber, each.price) for each in facts(events, CompanyAbsorbed)]


# FMS at home in Iglesias is joined to Cagliari, its destination, over the town of Siliqua: 10 + 40 + 10.
TO_CAGLIARI = (("D37", "58", 5), ("E38", "9", 2))
TO_CAGLIARI_HEXES = ("C38", "D37", "E38", "F39")
# CFD at home in Ajaccio is joined to Corte over the town of Bocognano: 10 + 60 + 10 + 40.
TO_CORTE = (("E10", "58", 5), ("F11", "7", 2), ("F9", "9", 0), ("F7", "57", 0))
TO_CORTE_HEXES = ("D11", "E10", "F11", "F9", "F7")
# FCS at home in Isili is joined to Arbatax, its destination, over the mountains and the town of Lanusei: 10 + 60 + 10.
TO_ARBATAX = (("E34", "57", 1), ("F33", "9", 1), ("G32", "4", 1), ("H31", "57", 1))
TO_ARBATAX_HEXES = ("E34", "F33", "G32", "H31")
# FA at home in Olbia is joined to Ozieri over Monti, and Ozieri to Sassari, its destination, over Thiesi.
OLBIA_TO_OZIERI_TO_SASSARI = (("F23", "4", 1), ("E24", "57", 1), ("D25", "58", 2))
