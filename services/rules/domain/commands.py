"""What a player asks for, imperative. A command changes nothing by itself; `decide` turns it into events or refuses it."""

from __future__ import annotations

from msgspec import Struct

from services.rules.domain.events import CashSource, DividendKind, Ruling, ServiceOrNone, UndoPolicy


class Command(Struct, frozen=True):
    """Base of all commands; carries nothing itself."""


class CreateGame(Command, frozen=True):
    """Set up a game; sent by the lobby, never by a player."""

    title: str
    players: tuple[str, ...]
    options: tuple[str, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    undo_policy: UndoPolicy = "own_turn"
    seed: int = 0


class Pass(Command, frozen=True):
    """Do nothing, or nothing more, in the step at hand."""


class BuyCompany(Command, frozen=True):
    """Buy a privately held company (mountain, coal, pre-state) from the bank at `price`."""

    company: str
    price: int


class BuyCertificate(Command, frozen=True):
    """Buy one certificate of `company` from `source` (`bank`, `pool`, or a company for its treasury).

    `number` picks one printed certificate; -1 takes the first plain one."""

    company: str
    source: str = "bank"
    number: int = -1


class StartCompany(Command, frozen=True):
    """Buy the director's certificate of a company without price and set its starting price (after an auction: par)."""

    company: str
    price: int


class SellCertificates(Command, frozen=True):
    """Sell `percent` of `company` to the bank in one sale. `numbers` picks printed certificates; empty: the first plain ones."""

    company: str
    percent: int
    numbers: tuple[int, ...] = ()


class ExchangeCompany(Command, frozen=True):
    """Hand in `company` for a certificate of `target`. `number` picks the printed certificate; -1 takes the first plain one."""

    company: str
    target: str
    number: int = -1


class LayTile(Command, frozen=True):
    """Lay or upgrade `hex` with `tile` turned by `rotation`. `copy` picks the printed piece; -1 takes the lowest free one."""

    company: str
    hex: str
    tile: str
    rotation: int
    copy: int = -1


class PlaceToken(Command, frozen=True):
    """Place the next token of the charter in slot `slot` of a city; -1 takes the first free slot."""

    company: str
    hex: str
    city: int
    slot: int = -1


class Hop(Struct, frozen=True):
    """Track from one stop to the next, as the hexes it passes."""

    hexes: tuple[str, ...]


class TrainRun(Struct, frozen=True):
    """A run as the player draws it: for each hop between two stops, the hexes it passes, first and last included."""

    train: str
    hops: tuple[Hop, ...]


class RunTrains(Command, frozen=True):
    """Run the trains of `company`. Revenue is computed from the runs; a player never states it."""

    company: str
    runs: tuple[TrainRun, ...]


class DeclareDividend(Command, frozen=True):
    """Pay out or withhold what the trains of `company` earned."""

    company: str
    kind: DividendKind


class BuyTrain(Command, frozen=True):
    """Buy `train` from `seller` (`bank` or a company) for `price`, handing in `trade_in` (empty: none).

    What the treasury lacks in a forced purchase comes from the director and his loans (1824/VII.12). `kind`: what the
    train runs as, `warranties`: how many are bought for it, both from the bank only (1862/2.2-a, 7.10-a)."""

    company: str
    train: str
    price: int
    seller: str = "bank"
    trade_in: str = ""
    kind: ServiceOrNone = ""
    warranties: int = 0


class AnswerOffer(Command, frozen=True):
    """Agree or not to what another director offered: to buy a train, or to merge."""

    accept: bool


class DiscardTrain(Command, frozen=True):
    """Give up a train above the limit."""

    company: str
    train: str


class ChooseToken(Command, frozen=True):
    """Name the token on the map that `company` gives up."""

    company: str
    hex: str
    city: int


class RepayDebt(Command, frozen=True):
    """Pay back `amount` of one's own debt."""

    amount: int


class Bid(Command, frozen=True):
    """Bid `price` for opening `company`: the first bid opens its auction (1862/4.1)."""

    company: str
    price: int


class BuyTokens(Command, frozen=True):
    """Buy `count` tokens, the home token among them, for a company that has just been quoted (1862/6.5.4.2)."""

    company: str
    count: int


class Merge(Command, frozen=True):
    """Propose that `company`, whose turn it is, merges with `other` or acquires it (1862/7.5, 7.14)."""

    company: str
    other: str


class ChooseSurvivor(Command, frozen=True):
    """Name which of two merging companies goes on (1862/5.2.1-a)."""

    company: str


class SettleOption(Command, frozen=True):
    """Redeem one's option in an exchange of shares, or give it up (1862/5.2.4)."""

    redeem: bool


class RedeemCertificate(Command, frozen=True):
    """Buy a certificate of `company` from the pool into its own treasury (1862/7.13)."""

    company: str


class RaiseCash(Command, frozen=True):
    """Raise what `company` lacks for a train it must buy (1862/7.11)."""

    company: str
    source: CashSource


class Undo(Command, frozen=True):
    """Take back everything after `to_sequence`, as far as the table's undo policy allows."""

    to_sequence: int


COMMAND_TYPES: tuple[type[Command], ...] = (
    Pass,
    BuyCompany,
    BuyCertificate,
    StartCompany,
    SellCertificates,
    ExchangeCompany,
    LayTile,
    PlaceToken,
    RunTrains,
    DeclareDividend,
    BuyTrain,
    AnswerOffer,
    DiscardTrain,
    ChooseToken,
    RepayDebt,
    Undo,
    Bid,
    BuyTokens,
    Merge,
    ChooseSurvivor,
    SettleOption,
    RedeemCertificate,
    RaiseCash,
)
