"""Events that only 1865 has: sea companies, traffic, the Dragons and their table, direct routes, absorption."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from services.rules.kernel.events import Event
from services.rules.kernel.game import Game
from services.rules.titles.g1865.state import State


class MaritimeTaken(Event, frozen=True):
    """`owner`, a player or a railway, has the sea company `maritime` from now on."""

    maritime: str
    owner: str

    def write(self, game: Game) -> None:
        """It has one owner."""
        State.to_write(game).maritime[self.maritime] = self.owner


class MaritimeClosed(Event, frozen=True):
    """The sea company `maritime` of `player` closed."""

    maritime: str
    player: str

    def write(self, game: Game) -> None:
        """It is in nobody's hands."""
        del State.to_write(game).maritime[self.maritime]


class PortUsed(Event, frozen=True):
    """The port of `maritime` brought its traffic to `company`; it does so once."""

    maritime: str
    company: str

    def write(self, game: Game) -> None:
        """The port joins those that were used."""
        state = State.to_write(game)
        state.ports = (*state.ports, self.maritime)


class TrafficChanged(Event, frozen=True):
    """`company` got `amount` traffic (negative: gave away), by `reason` at or from `subject`: a hex, a sea company, a railway."""

    company: str
    amount: int
    reason: str
    subject: str

    def write(self, game: Game) -> None:
        """What it has changes by the amount."""
        traffic = State.to_write(game).traffic
        traffic[self.company] = traffic.get(self.company, 0) + self.amount


class TableRowSet(Event, frozen=True):
    """`company` is on the row of phase `row` of the Dragon table."""

    company: str
    row: str

    def write(self, game: Game) -> None:
        """It is on one row."""
        State.to_write(game).rows[self.company] = self.row


class TableRowLeft(Event, frozen=True):
    """`company` is on the Dragon table no more."""

    company: str

    def write(self, game: Game) -> None:
        """It is on no row."""
        del State.to_write(game).rows[self.company]


class DragonCandidate(Struct, frozen=True):
    """A certificate that the Dragons might buy: how many they have of its company, the company's rank, the price, and its
    place in the pile of markers at that price, 0 on top. `source`: where they would buy it."""

    company: str
    source: str
    held: int
    rank: int
    price: int
    place: int


class DragonsChose(Event, frozen=True):
    """The Dragons buy a certificate of `company` from `source`, the best of these candidates."""

    company: str
    source: str
    candidates: tuple[DragonCandidate, ...]

    def write(self, game: Game) -> None:
        """The certificate moves by a fact of its own."""


class DragonsActed(Event, frozen=True):
    """The Dragons sold and bought so many certificates in their turn."""

    sold: int
    bought: int

    def write(self, game: Game) -> None:
        """What follows for the round is a fact of its own."""


class PassesForgotten(Event, frozen=True):
    """The players who passed before the Dragons dealt are asked again; who dealt last does not change."""

    def write(self, game: Game) -> None:
        """Nobody has passed since."""
        game.round = replace(game.current_round, passed_in_succession=())


class DragonsPassed(Event, frozen=True):
    """The Dragons neither sold nor bought in their turn."""

    def write(self, game: Game) -> None:
        """Nothing changes."""


class DirectRouteUsed(Event, frozen=True):
    """`company` joins a city or mine of `hex` along `route`, hex by hex from one of its tokens: the hexsides crossed cost
    `cost`, the towns on the way and the goal bring `traffic`."""

    company: str
    hex: str
    route: tuple[str, ...]
    cost: int
    traffic: int

    def write(self, game: Game) -> None:
        """Token, money and traffic change by facts of their own."""


class RevenueReckoned(Event, frozen=True):
    """`company` has `traffic`, of which its trains and sea companies cover as much as `coverage`."""

    company: str
    traffic: int
    coverage: int
    trains: tuple[str, ...]
    maritime: tuple[str, ...]

    def write(self, game: Game) -> None:
        """What is earned is a fact of its own."""


class TrainPriceOffered(Event, frozen=True):
    """`price` was offered for the train about which its owner is asked next."""

    price: int

    def write(self, game: Game) -> None:
        """There is one offer at a time."""
        State.to_write(game).offered_price = self.price


class CompanyAbsorbed(Event, frozen=True):
    """`company` was absorbed by `absorber` at `price` for a share, and can be launched anew."""

    company: str
    absorber: str
    price: int

    def write(self, game: Game) -> None:
        """It joins those without home."""
        state = State.to_write(game)
        state.absorbed = (*state.absorbed, self.company)


class HomeChosen(Event, frozen=True):
    """`company`, launched anew, is at home in city `city` of `hex`."""

    company: str
    hex: str
    city: int

    def write(self, game: Game) -> None:
        """It can be launched no more."""
        state = State.to_write(game)
        state.homes[self.company] = (self.hex, self.city)
        state.absorbed = tuple([company for company in state.absorbed if company != self.company])


EVENTS: tuple[type[Event], ...] = (
    MaritimeTaken,
    MaritimeClosed,
    PortUsed,
    TrafficChanged,
    TableRowSet,
    TableRowLeft,
    DragonsChose,
    DragonsActed,
    PassesForgotten,
    DragonsPassed,
    DirectRouteUsed,
    RevenueReckoned,
    TrainPriceOffered,
    CompanyAbsorbed,
    HomeChosen,
)
