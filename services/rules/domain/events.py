"""What happened in a game: the facts of the log, past tense, titles' rules already applied.

`evolve` writes them down and decides nothing. Holders of money and certificates are named by one plain string: a player's
id, a company's symbol, `BANK` or `POOL`. Money is whole units.
"""

from __future__ import annotations

from msgspec import Struct

from services.rules.domain.vocabulary import (
    BANK as BANK,
    POOL as POOL,
    RESERVED_HOLDERS as RESERVED_HOLDERS,
    CashSource as CashSource,
    CertificateReason as CertificateReason,
    DebtReason as DebtReason,
    DividendKind as DividendKind,
    ExchangeKind as ExchangeKind,
    InterruptKind as InterruptKind,
    MoneyReason as MoneyReason,
    PriceReason as PriceReason,
    RoundKind as RoundKind,
    ServiceKind as ServiceKind,
    ServiceOrNone as ServiceOrNone,
    TokenReason as TokenReason,
    TrainReason as TrainReason,
    TurnAction as TurnAction,
    UndoPolicy as UndoPolicy,
)


class Ruling(Struct, frozen=True):
    """One named ruling and the value a table chose for it."""

    name: str
    value: str


class Run(Struct, frozen=True):
    """One train's run: stops in order as `HEX.n`, the hexes passed, what it earned.

    `revenue` is split or paid out; `treasury_income` (mines, subsidies) always goes to the treasury (1824/IV.2-i,
    1862/7.8.2-e). `counted`: the stops whose value is in the revenue, where a title leaves some out."""

    train: str
    stops: tuple[str, ...]
    segments: tuple[str, ...]
    hexes: tuple[str, ...]
    revenue: int
    treasury_income: int
    counted: tuple[str, ...] = ()


class Score(Struct, frozen=True):
    """A player's final wealth."""

    player: str
    value: int


class Event(Struct, frozen=True):
    """Base of all events; carries nothing itself."""


class GameCreated(Event, frozen=True):
    """A table's game begins: `players` in seat order; `seed` feeds every later draw, whose result is again an event."""

    title: str
    rules_version: int
    players: tuple[str, ...]
    options: tuple[str, ...]
    rulings: tuple[Ruling, ...]
    undo_policy: UndoPolicy
    seed: int
    bank_cash: int


class CashMoved(Event, frozen=True):
    """`amount` > 0 went from `source` to `target`; `subject` is the company, train or hex it was about."""

    source: str
    target: str
    amount: int
    reason: MoneyReason
    subject: str = ""


class CertificatesMoved(Event, frozen=True):
    """Certificates `numbers` of `company` (0 = director's), together `percent` of it, went from `source` to `target`."""

    company: str
    numbers: tuple[int, ...]
    source: str
    target: str
    reason: CertificateReason
    percent: int


class CertificatesReserved(Event, frozen=True):
    """From now on exactly these certificates of `company` in the bank are kept for an exchange, not for sale."""

    company: str
    numbers: tuple[int, ...]


class CompanyBought(Event, frozen=True):
    """A privately held company (mountain, coal, pre-state) was bought for `price` and is in play."""

    company: str
    owner: str
    price: int


class PriceStarted(Event, frozen=True):
    """`company` got its first price: its marker stands on the market at (`row`, `column`), the cell of `price`."""

    company: str
    price: int
    row: int
    column: int


class PriceMoved(Event, frozen=True):
    """The marker of `company` moved under the markers at (`row`, `column`), the cell of `price`."""

    company: str
    row: int
    column: int
    reason: PriceReason
    price: int


class CompanyOpened(Event, frozen=True):
    """`company` is operational from now on (floated, or a state railway formed)."""

    company: str


class DirectorChanged(Event, frozen=True):
    """`director` decides for `company`; empty when nobody does."""

    company: str
    director: str


class CompanyClosed(Event, frozen=True):
    """`company` left the game; `successor` took over what it had, or empty."""

    company: str
    successor: str = ""


class TileLaid(Event, frozen=True):
    """`company` laid copy `copy` of `tile` turned by `rotation` sixths on `hex`; `upgrade` when it replaced track.

    `station`: only a small station was added, and the piece that showed the same track stays beneath."""

    company: str
    hex: str
    tile: str
    rotation: int
    copy: int
    upgrade: bool
    station: bool = False


class CityTokens(Struct, frozen=True):
    """Who sits in the slots of one city, empty text for a free slot."""

    city: int
    slots: tuple[str, ...]


class TokensArranged(Event, frozen=True):
    """After a tile was laid, the cities of `hex` hold these tokens."""

    hex: str
    cities: tuple[CityTokens, ...]


class TokenPlaced(Event, frozen=True):
    """`company`'s token stands in slot `slot` of city `city` of `hex`, a city with `slots` spaces; `charter_cost` is the
    charter space it came from."""

    company: str
    hex: str
    city: int
    slot: int
    charter_cost: int
    reason: TokenReason
    slots: int


class TokenReplaced(Event, frozen=True):
    """The token of `company` in this slot became one of `successor` (empty: taken off the map)."""

    company: str
    hex: str
    city: int
    slot: int
    successor: str
    reason: TokenReason


class CharterTokensSet(Event, frozen=True):
    """The tokens left on the charter of `company`, by their cost, cheapest first."""

    company: str
    costs: tuple[int, ...]


class TrainMoved(Event, frozen=True):
    """`train` went from `source` to `target`; `BANK` is the depot, an empty target is out of the game."""

    train: str
    source: str
    target: str
    reason: TrainReason


class PhaseStarted(Event, frozen=True):
    """The phase named `phase` began."""

    phase: str


class RoundStarted(Event, frozen=True):
    """Round `number` of `count` of this kind in game turn `turn`; `order` acts first to last."""

    kind: RoundKind
    turn: int
    number: int
    count: int
    order: tuple[str, ...]


class RoundEnded(Event, frozen=True):
    """The round is over with all that follows from it; the next one begins as soon as nobody has to answer."""

    kind: RoundKind


class OrderChanged(Event, frozen=True):
    """The round is acted in this order from now on; the turn stays at its place in it."""

    order: tuple[str, ...]


class TurnStarted(Event, frozen=True):
    """It is the turn of `order[position]`."""

    position: int


class StepStarted(Event, frozen=True):
    """The actor now stands in `step`."""

    step: str


class StepPassed(Event, frozen=True):
    """The actor does nothing more in `step`."""

    step: str


class PlayerPassed(Event, frozen=True):
    """`player` did nothing (more) in this stock-round turn; `acted` tells whether something was done before."""

    player: str
    acted: bool


class TurnEnded(Event, frozen=True):
    """The company or player `actor` finished its turn."""

    actor: str


class StockTurnActed(Event, frozen=True):
    """`player` bought (`bought`) or sold (`sold` = company) in this stock-round turn."""

    player: str
    bought: str = ""
    sold: str = ""


class TrainsRan(Event, frozen=True):
    """The trains of `company` ran; totals are the sums over `runs`."""

    company: str
    runs: tuple[Run, ...]
    revenue: int
    treasury_income: int


class RevenueCorrected(Event, frozen=True):
    """A recorded game booked other figures for this run than its routes earn; these count from here on."""

    company: str
    revenue: int
    treasury_income: int


class DividendDeclared(Event, frozen=True):
    """`company` paid, split or withheld `revenue`; `per_share` is what 10 % received."""

    company: str
    kind: DividendKind
    revenue: int
    per_share: int


class PriorityMoved(Event, frozen=True):
    """`player` holds the priority card."""

    player: str


class DebtChanged(Event, frozen=True):
    """The debt of `player` changed by `amount` (negative: less)."""

    player: str
    amount: int
    reason: DebtReason


class InterruptRaised(Event, frozen=True):
    """`player` must answer before play goes on: `kind` about `company`, `subject` narrows it down (a train)."""

    kind: InterruptKind
    player: str
    company: str
    subject: str = ""


class InterruptSettled(Event, frozen=True):
    """The oldest open interrupt of this kind about `company` is answered; `agreed` is the answer to an offer."""

    kind: InterruptKind
    company: str
    agreed: bool = True


class GameEndTriggered(Event, frozen=True):
    """The game will end (`reason`), after the operating rounds that still have to be played."""

    reason: str


class GameEnded(Event, frozen=True):
    """The game is over; `scores` from the wealthiest down."""

    reason: str
    scores: tuple[Score, ...]


class CompanyOffered(Event, frozen=True):
    """The draw put `company` on the next space of the offer: it can be opened from `phase` on and has this licence."""

    company: str
    phase: str
    licence: ServiceOrNone


class LicencesSet(Event, frozen=True):
    """`company` may run trains of these kinds."""

    company: str
    licences: tuple[ServiceKind, ...]


class CharterSideSet(Event, frozen=True):
    """The charter of `company` lies on its chartered side, or on the other."""

    company: str
    chartered: bool


class IpoMarkerSet(Event, frozen=True):
    """The marker of `company` on the chart of initial offers stands at `price`; 0: it has none."""

    company: str
    price: int


class PriceRemoved(Event, frozen=True):
    """The marker of `company` left the market."""

    company: str


class CompanyReset(Event, frozen=True):
    """`company` is as if never opened and can be opened again; `successor` took over what it had, or empty."""

    company: str
    successor: str = ""


class AuctionOpened(Event, frozen=True):
    """`company` is put to auction among `bidders`, in the order in which they are asked."""

    company: str
    bidders: tuple[str, ...]


class BidMade(Event, frozen=True):
    """`player` bids `price`, the highest so far."""

    player: str
    company: str
    price: int


class AuctionPassed(Event, frozen=True):
    """`player` is out of the auction of `company`."""

    player: str
    company: str


class AuctionWon(Event, frozen=True):
    """The auction of `company` is over: `player` has to open it."""

    player: str
    company: str
    price: int


class AuctionClosed(Event, frozen=True):
    """The winner has opened `company` and bought what he wanted of it."""

    company: str


class ObligationTaken(Event, frozen=True):
    """`player` answers for `company` being quoted before the end of the next stock round (1862/4.3-a)."""

    player: str
    company: str


class ObligationEnded(Event, frozen=True):
    """`player` answers no more for `company`; `met`: it was quoted in time."""

    player: str
    company: str
    met: bool


class TrainKindChosen(Event, frozen=True):
    """`train` runs as this kind from now on, for the rest of the game (1862/2.2-b)."""

    train: str
    kind: ServiceKind


class WarrantiesSet(Event, frozen=True):
    """`train` has so many warranties left."""

    train: str
    count: int


class ActionTaken(Event, frozen=True):
    """The actor has used up this action of its turn."""

    action: TurnAction


class ExchangeStarted(Event, frozen=True):
    """Shares of `company` and `other` (empty: a refinancing) are exchanged 2 for 1 into `company` at `price`.

    `player` started it; `holders` act in this order."""

    kind: ExchangeKind
    company: str
    other: str
    player: str
    price: int
    holders: tuple[str, ...]


class OptionMarked(Event, frozen=True):
    """`holder` keeps certificate `number` of `company` as an option, to be redeemed or given up for these sums."""

    holder: str
    company: str
    number: int
    redeem_price: int
    give_up_price: int


class OptionSettled(Event, frozen=True):
    """The option of `holder` on certificate `number` of `company` is redeemed, or given up."""

    holder: str
    company: str
    number: int
    redeemed: bool


class HolderSettled(Event, frozen=True):
    """`holder` is through with the exchange."""

    holder: str


class ExchangeEnded(Event, frozen=True):
    """The exchange of shares into `company` is over."""

    company: str


class MonopolyFormed(Event, frozen=True):
    """The company that swallows all others forms (1862/10.3-a); the certificate limit is `certificate_limit` from now on."""

    name: str
    certificate_limit: int


class Undone(Event, frozen=True):
    """Everything after `to_sequence` is taken back: the game stands as it stood there."""

    player: str
    to_sequence: int


EVENT_TYPES: tuple[type[Event], ...] = (
    GameCreated,
    CashMoved,
    CertificatesMoved,
    CertificatesReserved,
    CompanyBought,
    PriceStarted,
    PriceMoved,
    CompanyOpened,
    DirectorChanged,
    CompanyClosed,
    TileLaid,
    TokensArranged,
    TokenPlaced,
    TokenReplaced,
    CharterTokensSet,
    TrainMoved,
    PhaseStarted,
    RoundStarted,
    RoundEnded,
    OrderChanged,
    TurnStarted,
    StepStarted,
    StepPassed,
    PlayerPassed,
    TurnEnded,
    StockTurnActed,
    TrainsRan,
    RevenueCorrected,
    DividendDeclared,
    PriorityMoved,
    DebtChanged,
    InterruptRaised,
    InterruptSettled,
    GameEndTriggered,
    GameEnded,
    Undone,
    CompanyOffered,
    LicencesSet,
    CharterSideSet,
    IpoMarkerSet,
    PriceRemoved,
    CompanyReset,
    AuctionOpened,
    BidMade,
    AuctionPassed,
    AuctionWon,
    AuctionClosed,
    ObligationTaken,
    ObligationEnded,
    TrainKindChosen,
    WarrantiesSet,
    ActionTaken,
    ExchangeStarted,
    OptionMarked,
    OptionSettled,
    HolderSettled,
    ExchangeEnded,
    MonopolyFormed,
)
