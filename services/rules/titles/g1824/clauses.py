"""Where the rulebook of 1824 says what may be chosen."""

from __future__ import annotations

from services.rules.kernel.stepclauses import StepClauses
from services.rules.parts.map.commands import ChooseToken, LayTile, PlaceToken
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend, RunTrains
from services.rules.titles.g1824.commands import (
    BuyCompany,
    DiscardTrain,
    ExchangeCompany,
    RepayDebt,
    TradeInTrain,
)

CLAUSES: StepClauses = {
    "allotment_turn": {BuyCompany: "1824/X.5-a"},
    "initial_stock_turn": {
        BuyCompany: "1824/VI.3-a",
        BuyCertificate: "1824/VI.4-a",
        StartCompany: "1824/VI.4-b",
        SellCertificates: "1824/VI.3-d",
    },
    "stock_turn": {
        BuyCertificate: "1824/VI.4-a",
        StartCompany: "1824/VI.4-b",
        SellCertificates: "1824/VI.1-c",
        ExchangeCompany: "1824/VII.14-e",
        RepayDebt: "1824/VII.12-g",
    },
    "exchange_mountain": {ExchangeCompany: "1824/IV.1-h"},
    "lay_track": {LayTile: "1824/VII.5-c"},
    "place_token": {PlaceToken: "1824/VII.8-b"},
    "place_bond_token": {PlaceToken: "1824/X.4-l"},
    "choose_token": {ChooseToken: "1824/VII.8-e"},
    "run_trains": {RunTrains: "1824/VII.10-e"},
    "declare_dividend": {DeclareDividend: "1824/VII.10-f"},
    "buy_trains": {
        BuyTrain: "1824/VII.11-q",
        TradeInTrain: "1824/VII.13-a",
        SellCertificates: "1824/VII.12-c",
    },
    "discard_train": {DiscardTrain: "1824/VII.11-x"},
}
