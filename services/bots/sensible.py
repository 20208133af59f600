"""The bot `sensible`: runs its best routes, pays out, buys trains, builds where it runs, and does nothing foolish."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from services.bots.preferences import by_preference, offered_at, prices_of_one
from services.rules.kernel.choice import Choice, filled
from services.rules.kernel.commands import AnswerOffer, Command, Pass
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.auctions.commands import Bid
from services.rules.parts.botpreferences import Moment
from services.rules.parts.map.commands import LayTile, PlaceToken
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend, RunTrains

DIVIDENDS_BY_TASTE = ("pay", "half", "withhold")
SALES_IN_A_ROW = 4
# Bids are no higher than so many steps above nothing, and so many more could be paid; a company is started for a share of
# what could be paid.
STEPS_BID = 4
STEPS_KEPT = 22
SHARE_FOR_A_START = 0.6

AnyCommand = TypeVar("AnyCommand", bound=Command)


def _offered(choices: Sequence[Choice], kind: type[AnyCommand]) -> list[tuple[Choice, AnyCommand]]:
    return [(choice, choice.command) for choice in choices if isinstance(choice.command, kind)]


def _from_bank(choices: Sequence[Choice]) -> list[tuple[Choice, BuyTrain]]:
    return [(choice, command) for choice, command in _offered(choices, BuyTrain) if command.seller == BANK]


class SensibleBot:
    """Checks one kind of command after the other in order of preference. Remembers only what it sent: the companies
    it put money into, the hexes its trains ran through, and whether a forced purchase may have left a debt."""

    def __init__(self, seed: int) -> None:
        self._draw = Random(seed)
        self._invested: Counter[str] = Counter()
        self._ran: dict[str, frozenset[str]] = {}
        self._sales = 0
        self._may_owe = False
        self._preferences = (
            self._divide,
            self._answer,
            self._taste("at_once"),
            self._taste("debts"),
            self._sell_to_repay,
            self._taste("before_shares"),
            self._invest_more,
            self._start_company,
            self._bid,
            self._invest_anew,
            self._buy_train,
            self._taste("trains"),
            self._taste("after_trains"),
            self._lay,
            self._place_token,
        )

    def choose(self, choices: Sequence[Choice]) -> Command:
        """The most useful command; a pass when nothing is worth doing."""
        passing = next((choice for choice in choices if isinstance(choice.command, Pass)), None)
        self._learn(choices)
        chosen = self._wanted(choices) if passing else self._due(choices)
        self._may_owe |= passing is None and chosen is not None and isinstance(chosen.command, BuyTrain)
        command = filled(chosen or passing or choices[0], self._value(chosen))
        self._remember(command)
        return command

    def _value(self, chosen: Choice | None) -> int:
        """Prices as low, repayments as high as can be."""
        if chosen is None:
            return 0
        return chosen.maximum if chosen.open_field == "amount" else chosen.minimum

    def _learn(self, choices: Sequence[Choice]) -> None:
        """Without debt it may buy shares; after selling some it could repay its debt."""
        may_buy = any(isinstance(choice.command, BuyCertificate | StartCompany) for choice in choices)
        if may_buy or (self._sales and not offered_at(choices, "debts")):
            self._may_owe = False

    def _remember(self, command: Command) -> None:
        self._sales = self._sales + 1 if isinstance(command, SellCertificates) else 0
        if isinstance(command, BuyCertificate | StartCompany):
            self._invested[command.company] += 1
        elif isinstance(command, RunTrains):
            hexes = (each for run in command.runs for hop in run.hops for each in hop.hexes)
            self._ran[command.company] = frozenset(hexes)

    def _wanted(self, choices: Sequence[Choice]) -> Choice | None:
        return next((found for preference in self._preferences if (found := preference(choices))), None)

    def _due(self, choices: Sequence[Choice]) -> Choice | None:
        """Forced sales and purchases: a useful command if there is one; a train is paid by selling shares, not the dearest."""
        trains = _from_bank(choices)
        if not trains and not offered_at(choices, "trains"):
            trains = _offered(choices, BuyTrain)
        if not trains:
            return self._wanted(choices) or self._sale(choices) or choices[0]
        sale = self._sale(choices) if self._sales < SALES_IN_A_ROW else None
        return sale or min(trains, key=lambda each: each[0].cost)[0]

    def _sale(self, choices: Sequence[Choice]) -> Choice | None:
        """The smallest part of what matters least."""
        sales = _offered(choices, SellCertificates)
        sales.sort(key=lambda each: (self._invested[each[1].company], each[1].shares))
        return sales[0][0] if sales else None

    def _taste(self, moment: Moment) -> Callable[[Sequence[Choice]], Choice | None]:
        """The wish for what a title has of its own."""
        return lambda choices: by_preference(choices, moment, self._draw)

    def _divide(self, choices: Sequence[Choice]) -> Choice | None:
        """Shareholders first."""
        kinds = {command.kind: choice for choice, command in _offered(choices, DeclareDividend)}
        return next((kinds[kind] for kind in DIVIDENDS_BY_TASTE if kind in kinds), None)

    def _sell_to_repay(self, choices: Sequence[Choice]) -> Choice | None:
        """A debt grows faster than any share."""
        wanted = self._may_owe and not _offered(choices, BuyTrain)
        return self._sale(choices) if wanted else None

    def _start_company(self, choices: Sequence[Choice]) -> Choice | None:
        """For so little that there is money left for more of it."""
        starts = [choice for choice, _ in _offered(choices, StartCompany)]
        if not starts:
            return None
        prices = prices_of_one(starts, self._draw)
        modest = [choice for choice in prices if choice.cost <= SHARE_FOR_A_START * prices[-1].cost]
        return (modest or prices)[-1 if modest else 0]

    def _invest_more(self, choices: Sequence[Choice]) -> Choice | None:
        """More of the company it has most of, before another is founded."""
        certificates = [each for each in _offered(choices, BuyCertificate) if self._invested[each[1].company]]
        return max(certificates, key=lambda each: self._invested[each[1].company], default=(None, None))[0]

    def _invest_anew(self, choices: Sequence[Choice]) -> Choice | None:
        """Part of what others founded."""
        certificates = _offered(choices, BuyCertificate)
        return self._draw.choice(certificates)[0] if certificates else None

    def _buy_train(self, choices: Sequence[Choice]) -> Choice | None:
        """The best one in the bank that the treasury pays for."""
        return max(_from_bank(choices), key=lambda each: each[0].cost, default=(None, None))[0]

    def _bid(self, choices: Sequence[Choice]) -> Choice | None:
        """A company as long as it goes for little and much is left to open it; one in which it holds shares before others."""
        bids = [
            (choice, command)
            for choice, command in _offered(choices, Bid)
            if choice.minimum <= STEPS_BID * choice.step
            and choice.maximum - choice.minimum >= STEPS_KEPT * choice.step
        ]
        if not bids:
            return None
        held = [each for each in bids if self._invested[each[1].company]]
        return self._draw.choice(held or bids)[0]

    def _answer(self, choices: Sequence[Choice]) -> Choice | None:
        """Trains are not for sale."""
        return next(
            (choice for choice, command in _offered(choices, AnswerOffer) if not command.accept), None
        )

    def _lay(self, choices: Sequence[Choice]) -> Choice | None:
        """Better track where the company runs; else track for nothing, or for little once there is a run to extend."""
        lays = _offered(choices, LayTile)
        ran = self._ran.get(lays[0][1].company, frozenset()) if lays else frozenset()
        better = [choice for choice, command in lays if command.hex in ran]
        cheapest = min((choice.cost for choice, _ in lays), default=0)
        cheap = [choice for choice, _ in lays if choice.cost == cheapest and (ran or not cheapest)]
        return self._draw.choice(better or cheap) if better or cheap else None

    def _place_token(self, choices: Sequence[Choice]) -> Choice | None:
        """A city the company runs to is worth keeping open."""
        tokens = _offered(choices, PlaceToken)
        return next(
            (choice for choice, command in tokens if command.hex in self._ran.get(command.company, ())), None
        )
