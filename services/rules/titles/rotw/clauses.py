"""Where the rules of Railways of the World with shares say what may be chosen."""

from __future__ import annotations

from services.rules.kernel.stepclauses import StepClauses
from services.rules.parts.auctions.commands import Bid
from services.rules.titles.rotw.commands import (
    BuildLink,
    DeliverGood,
    NameShare,
    PayDividend,
    ProposeMerger,
    RepayBonds,
)

CLAUSES: StepClauses = {
    "name_share": {NameShare: "rotw/newauction-a"},
    "bid": {Bid: "rotw/auction-d"},
    "act": {DeliverGood: "rotw/deliver-a", BuildLink: "rotw/build-a"},
    "second_link": {BuildLink: "rotw/build-c"},
    "propose_merger": {ProposeMerger: "rotw/merge-b"},
    "repay_bonds": {RepayBonds: "rotw/dividends-c"},
    "dividend": {PayDividend: "rotw/dividends-f"},
}
