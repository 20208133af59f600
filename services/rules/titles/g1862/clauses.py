"""Where the rulebook of 1862 says what may be chosen."""

from __future__ import annotations

from services.rules.kernel.stepclauses import StepClauses
from services.rules.parts.auctions.commands import Bid
from services.rules.parts.map.commands import ChooseToken, LayTile, PlaceToken
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend, RunTrains
from services.rules.titles.g1862.commands import (
    BuyNewTrain,
    BuyTokens,
    ChooseSurvivor,
    Merge,
    RaiseCash,
    RedeemCertificate,
    SettleOption,
)

CLAUSES: StepClauses = {
    "open_auction": {Bid: "1862/4.1-b"},
    "bid": {Bid: "1862/4.1-c"},
    "open_company": {StartCompany: "1862/4.2-c"},
    "buy_more_shares": {BuyCertificate: "1862/4.2-g"},
    "pay_fine": {SellCertificates: "1862/4.3-c"},
    "stock_turn": {
        SellCertificates: "1862/6.4-a",
        BuyCertificate: "1862/6.5.1-a",
        StartCompany: "1862/6.5.3-a",
    },
    "buy_tokens": {BuyTokens: "1862/6.5.4.2-b"},
    "merge": {Merge: "1862/5.1.1-a"},
    "acquire": {Merge: "1862/5.1.2-a"},
    "choose_survivor": {ChooseSurvivor: "1862/5.2.1-a"},
    "settle_option": {SettleOption: "1862/5.2.4-l"},
    "remove_token": {ChooseToken: "1862/7.5.6-e"},
    "upgrade_home": {LayTile: "1862/7.2-c"},
    "lay_track": {LayTile: "1862/7.6-a"},
    "place_token": {PlaceToken: "1862/7.7-a"},
    "run_trains": {RunTrains: "1862/7.8-c"},
    "declare_dividend": {DeclareDividend: "1862/7.8.5-a"},
    "buy_trains": {BuyNewTrain: "1862/7.9-a", BuyTrain: "1862/7.9-c", RaiseCash: "1862/7.11-c"},
    "redeem_share": {RedeemCertificate: "1862/7.13-a"},
}
