"""Where the rulebook of 1865 says what may be chosen."""

from __future__ import annotations

from services.rules.kernel.stepclauses import Clauses, StepClauses
from services.rules.parts.map.commands import LayTile
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend
from services.rules.titles.g1865.commands import (
    Absorb,
    ConvertCompany,
    HandOver,
    LaunchAnew,
    PlaceTokenByRoute,
    TakeMaritime,
)

HANDING_OVER: Clauses = {HandOver: "1865/3-b"}
CLAUSES: StepClauses = {
    "take_maritime": {TakeMaritime: "1865/2-e"},
    "convert": {ConvertCompany: "1865/4.1-h"},
    "stock_turn": {
        SellCertificates: "1865/4.4-a",
        BuyCertificate: "1865/4.4-j",
        StartCompany: "1865/4.6-a",
        LaunchAnew: "1865/6.3-g",
    },
    "hand_over": HANDING_OVER,
    "owner_hands_over": HANDING_OVER,
    "absorb": {Absorb: "1865/6-a", **HANDING_OVER},
    "lay_track": {LayTile: "1865/5.1-a", **HANDING_OVER},
    "place_token": {PlaceTokenByRoute: "1865/5.2-a", **HANDING_OVER},
    "declare_dividend": {DeclareDividend: "1865/5.4-c"},
    "buy_trains": {BuyTrain: "1865/5.5-a", SellCertificates: "1865/5.5-h", **HANDING_OVER},
}
