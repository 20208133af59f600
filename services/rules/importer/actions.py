"""The recorded actions as typed values: a class per action type, only fields that carry game meaning."""

from __future__ import annotations

from msgspec import Struct


class Action(Struct, frozen=True, kw_only=True, tag_field="type"):
    """What every recorded action says. `entity` acts: a player's id or a company's symbol.

    Derived actions have no `id`."""

    entity: int | str
    entity_type: str
    id: int | None = None
    auto_actions: tuple[RecordedAction, ...] = ()


class Undo(Action, frozen=True, tag="undo"):
    """Take back the last action, or everything after `action_id` (0: all)."""

    action_id: int | None = None


class Redo(Action, frozen=True, tag="redo"):
    """Put back what the latest undo took."""


class Message(Action, frozen=True, tag="message"):
    """Chat."""


class ProgramSharePass(Action, frozen=True, tag="program_share_pass"):
    """A standing order to pass; what it causes is recorded as derived actions."""


class ProgramBuyShares(Action, frozen=True, tag="program_buy_shares"):
    """A standing order to buy; what it causes is recorded as derived actions."""


class ProgramMergerPass(Action, frozen=True, tag="program_merger_pass"):
    """A standing order not to merge; what it causes is recorded as derived actions."""


class ProgramAuctionBid(Action, frozen=True, tag="program_auction_bid"):
    """A standing order to bid; what it causes is recorded as derived actions."""


class ProgramDisable(Action, frozen=True, tag="program_disable"):
    """The end of a standing order."""


class EndGame(Action, frozen=True, tag="end_game"):
    """The players stopped here."""


class Pass(Action, frozen=True, tag="pass"):
    """Nothing, or nothing more."""


class BuyCompany(Action, frozen=True, tag="buy_company"):
    """A privately held company bought for `price`."""

    company: str
    price: int


class Bid(Action, frozen=True, tag="bid"):
    """An offer in an auction."""

    price: int
    corporation: str | None = None
    company: str | None = None


class Par(Action, frozen=True, tag="par"):
    """A company started; `share_price` is `price,row,column`."""

    corporation: str
    share_price: str


class BuyShares(Action, frozen=True, tag="buy_shares"):
    """Certificates bought, or taken for the company that acts."""

    shares: tuple[str, ...]
    percent: int


class SellShares(Action, frozen=True, tag="sell_shares"):
    """Certificates sold; `percent` is less than their sum when only part of a director's certificate is."""

    shares: tuple[str, ...]
    percent: int


class SpecialBuy(Action, frozen=True, tag="special_buy"):
    """A coal company exchanged; `description` is its symbol."""

    description: str


class LayTile(Action, frozen=True, tag="lay_tile"):
    """A tile (`name-copy`) laid."""

    hex: str
    tile: str
    rotation: int


class PlaceToken(Action, frozen=True, tag="place_token"):
    """A token placed in `city`, `tile-copy-part`."""

    city: str
    slot: int


class RemoveToken(Action, frozen=True, tag="remove_token"):
    """A token taken off."""

    city: str
    slot: int


class Route(Struct, frozen=True):
    """One train's run: stops in order, the hexes of each hop from either end, what was paid at the time."""

    train: str
    hexes: tuple[str, ...]
    connections: tuple[tuple[str, ...], ...]
    revenue: int
    revenue_str: str = ""
    subsidy: int = 0


class RunRoutes(Action, frozen=True, tag="run_routes"):
    """The runs of a company's trains; `subsidy` is what they brought beside their revenue, where the title records it there
    and not with the routes."""

    routes: tuple[Route, ...]
    subsidy: int | None = None

    @property
    def income_of_routes(self) -> int:
        """What the routes brought beside their revenue, added up."""
        return sum(route.subsidy for route in self.routes)

    @property
    def income_of_run(self) -> int:
        """What the run as a whole names beside its revenue, or where it names nothing, what its routes brought."""
        return self.income_of_routes if self.subsidy is None else self.subsidy


class Dividend(Action, frozen=True, tag="dividend"):
    """What became of the revenue."""

    kind: str


class BuyTrain(Action, frozen=True, tag="buy_train"):
    """A train bought, `exchange` handed in for it; `variant` is the face chosen, with so many `warranties` more."""

    train: str
    price: int
    exchange: str | None = None
    variant: str | None = None
    warranties: int | None = None


class DiscardTrain(Action, frozen=True, tag="discard_train"):
    """A train given up."""

    train: str


class Choose(Action, frozen=True, tag="choose"):
    """The answer to a question."""

    choice: str | int


class PayOffDebt(Action, frozen=True, tag="payoff_player_debt"):
    """As much of a debt repaid as the player can."""


class PayOffDebtPart(Action, frozen=True, tag="payoff_player_debt_partial"):
    """A part of a debt repaid."""

    amount: int


class Merge(Action, frozen=True, tag="merge"):
    """Two companies become one."""

    corporation: str


class Convert(Action, frozen=True, tag="convert"):
    """A company refinances."""


RecordedAction = (
    Undo
    | Redo
    | Message
    | ProgramSharePass
    | ProgramBuyShares
    | ProgramMergerPass
    | ProgramAuctionBid
    | ProgramDisable
    | EndGame
    | Pass
    | BuyCompany
    | Bid
    | Par
    | BuyShares
    | SellShares
    | SpecialBuy
    | LayTile
    | PlaceToken
    | RemoveToken
    | RunRoutes
    | Dividend
    | BuyTrain
    | DiscardTrain
    | Choose
    | PayOffDebt
    | PayOffDebtPart
    | Merge
    | Convert
)

STANDING_ORDERS = (
    ProgramSharePass,
    ProgramBuyShares,
    ProgramMergerPass,
    ProgramAuctionBid,
    ProgramDisable,
)
