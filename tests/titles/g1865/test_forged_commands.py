"""Commands of 1865 that no honest client sends: each is refused with its own reason and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from services.rules.adapters.snapshots import state_bytes
from services.rules.kernel.commands import AnswerOffer, Command, Pass
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.commands import LayTile, PlaceToken
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend, RunTrains
from services.rules.titles.g1865.commands import (
    Absorb,
    ConvertCompany,
    HandOver,
    LaunchAnew,
    PlaceTokenByRoute,
    TakeMaritime,
)
from tests.titles.g1865.table import (
    ADA,
    BEN,
    OLBIA_TO_OZIERI_TO_SASSARI,
    TO_CAGLIARI,
    TO_CAGLIARI_HEXES,
    Table,
    new_table,
    stock_table,
)


@dataclass(frozen=True)
class Forged:
    """A command out of place, where it is sent, and the reason with which it has to come back."""

    reason: str
    table: Callable[[], Table]
    command: Command
    player: str = ADA


def operating(step: str, company: str = "FMS", treasury: int = 1000, trains: int = 1) -> Table:
    """The company of Ada is at turn in this step, with track to Cagliari and from Olbia to Sassari."""
    table = stock_table()
    for player in table.game.players:
        table.has_cash(player, 500)
    table.is_launched(company, 80, ADA, treasury=treasury)
    table.owns_trains(company, *("2",) * trains)
    table.traffic_is(company, 5)
    table.tiles_lie((*TO_CAGLIARI, *OLBIA_TO_OZIERI_TO_SASSARI))
    table.company_turn_is(company, step=step)
    return table


def placing() -> Table:
    """FMS in Iglesias is joined to Cagliari, about to place its token."""
    return operating("place_token")


def placing_in_olbia() -> Table:
    """FA in Olbia is joined to Ozieri, and Ozieri to Sassari."""
    return operating("place_token", "FA")


def dividing() -> Table:
    """FMS has earned 50."""
    table = operating("hand_over")
    table.carry_on()
    return table


def buying() -> Table:
    """FMS has a train and may buy more; RCSF of Ben has one too."""
    table = operating("buy_trains")
    table.is_launched("RCSF", 80, BEN)
    table.train_is_owned("2-9", "RCSF")
    table.company_turn_is("FMS", step="buy_trains")
    return table


def forced() -> Table:
    """FMS has neither train nor money."""
    return operating("buy_trains", treasury=0, trains=0)


def dragons_own() -> Table:
    """The Dragons have a share of FMS, which is white at 100; Ben has the cash for its value alone."""
    table = stock_table(first=BEN)
    table.is_launched("FMS", 100, ADA, shares=2)
    table.train_is_owned("2-0", "FMS")
    table.holds(table.dragons, "FMS", 1)
    table.has_cash(BEN, 109)
    table.stock_turn_is(BEN)
    return table


def absorbing() -> Table:
    """RCSF of Ada may absorb FMS, were it not for the money: FMS is dear and all of it is in players' hands."""
    table = stock_table()
    for player in table.game.players:
        table.has_cash(player, 500)
    table.is_launched("RCSF", 120, ADA, shares=2)
    table.is_launched("FMS", 490, ADA, shares=5)
    table.gets_certificates(BEN, "RCSF", *table.game.held("RCSF", "RCSF"), source="RCSF")
    table.tiles_lie(TO_CAGLIARI)
    table.company_turn_is("RCSF", "FMS", step="absorb")
    return table


def converting() -> Table:
    """Ada is asked whether FMS becomes a major."""
    table = stock_table()
    table.is_launched("FMS", 80, ADA)
    table.tiles_lie(TO_CAGLIARI)
    table.stock_round_follows()
    return table


def drafting() -> Table:
    """Ada begins the draft."""
    return next(table for seed in range(20) if (table := new_table(seed=seed)).asked() == ADA)


TO_SASSARI = ("G22", "F23", "E24", "D25", "C24")
FORGED = (
    Forged("1865.no_direct_route", placing_in_olbia, PlaceTokenByRoute("FA", "C24", 0, TO_SASSARI)),
    Forged(
        "1865.no_direct_route",
        placing,
        PlaceTokenByRoute("FMS", "F39", 0, ("C38", "D37", "D37", "E38", "F39")),
    ),
    Forged("1865.no_direct_route", placing, PlaceTokenByRoute("FMS", "F39", 0, TO_CAGLIARI_HEXES[1:])),
    Forged("1865.no_direct_route", placing, PlaceTokenByRoute("FMS", "F39", 0, TO_CAGLIARI_HEXES[::-1])),
    Forged("1865.no_direct_route", placing, PlaceTokenByRoute("FMS", "F39", 0, ())),
    Forged("unknown_city", placing, PlaceTokenByRoute("FMS", "F39", 7, TO_CAGLIARI_HEXES)),
    Forged("not_your_turn", placing, PlaceTokenByRoute("FMS", "F39", 0, TO_CAGLIARI_HEXES), BEN),
    Forged("wrong_step", placing, PlaceToken("FMS", "F39", 0)),
    Forged("wrong_step", dividing, RunTrains("FMS", ())),
    Forged("not_your_turn", dividing, DeclareDividend("RCSF", "pay")),
    Forged("dividend_kind", dividing, DeclareDividend("FMS", "pay twice")),
    Forged("wrong_step", dividing, HandOver("FMS", "M1")),
    Forged("train_price", buying, BuyTrain("FMS", "2-1", 1)),
    Forged("train_price", buying, BuyTrain("FMS", "2-9", -1, "RCSF")),
    Forged("not_enough_cash", buying, BuyTrain("FMS", "2-9", 1001, "RCSF")),
    Forged("train_not_available", buying, BuyTrain("FMS", "2-0", 1, "FMS")),
    Forged("sales_forbidden", buying, SellCertificates("FMS", 1)),
    Forged("may_not_pass", forced, Pass()),
    Forged("not_enough_cash", dragons_own, BuyCertificate("FMS", "dragons"), BEN),
    Forged("certificate_not_available", dragons_own, BuyCertificate("FMS", "dragons", 0), BEN),
    Forged("certificate_not_available", dragons_own, BuyCertificate("FMS", BANK), BEN),
    Forged("certificate_not_available", dragons_own, BuyCertificate("FMS", ADA, 0), BEN),
    Forged("unknown_company", dragons_own, BuyCertificate("XYZ", "XYZ"), BEN),
    Forged("unknown_company", dragons_own, LaunchAnew("XYZ", 60, "F7", 0), BEN),
    Forged("price_not_offered", dragons_own, StartCompany("FA", 0), BEN),
    Forged("1865.not_absorbed", dragons_own, LaunchAnew("FA", 60, "F7", 0), BEN),
    Forged("1865.without_means", absorbing, Absorb("RCSF", "FMS", ("C38",), ())),
    Forged("1865.absorption_not_possible", absorbing, Absorb("FMS", "FMS", (), ())),
    Forged("not_your_turn", converting, ConvertCompany("RCSF")),
    Forged("interrupt_first", converting, LayTile("FMS", "C38", "57", 0)),
    Forged("interrupt_first", converting, AnswerOffer(True)),
    Forged("1865.maritime_unknown", drafting, TakeMaritime("Cagliari")),
    Forged("not_your_turn", drafting, TakeMaritime("M1"), BEN),
)


@pytest.mark.parametrize("case", FORGED, ids=lambda case: f"{case.reason}-{type(case.command).__name__}")
def test_a_forged_command_is_refused_and_changes_nothing(case: Forged) -> None:
    """The reason is the one named, and the state is byte for byte what it was."""
    table = case.table()
    before = state_bytes(table.game)
    code, _ = table.refusal(case.player, case.command)
    assert code == case.reason
    assert state_bytes(table.game) == before
