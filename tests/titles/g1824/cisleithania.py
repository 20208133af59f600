"""Tables of two on the Cisleithania map: stacks as wanted, and the allotment played to its end."""

from __future__ import annotations

from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import Accepted, create
from services.rules.kernel.values import Ruling
from services.rules.titles.g1824.commands import BuyCompany
from services.rules.titles.g1824.state import State
from services.rules.titles.g1824.title import TITLE
from tests.titles.g1824.table import ADA, BEN, PLAYERS, Table

OPTION = "cisleithania"


def table_of_two(coal: str = "EOD", pre_state: str = "SD2", **rulings: str) -> Table:
    """A new game in whose first stack these two companies lie: the first seed that draws them."""
    chosen = tuple(Ruling(name, value) for name, value in rulings.items())
    for seed in range(1000):
        outcome = create(TITLE, CreateGame("1824", PLAYERS[:2], (OPTION,), chosen, seed=seed))
        assert isinstance(outcome, Accepted), outcome
        if State.of(outcome.game).stacks[0].companies == (coal, pre_state):
            return Table(outcome.game, TITLE.data_of(outcome.game), list(outcome.events))
    raise AssertionError("no seed draws these companies")


def left_of(names: tuple[str, ...], taken: str) -> list[str]:
    """The names without one of them."""
    return [name for name in names if name != taken]


def allotted(coal: str = "EOD", pre_state: str = "SD2", **rulings: str) -> Table:
    """After the allotment: Ada has the coal company of the first stack, KK1, a small pre-state, a coal company at 160 and B1;
    Ben has the pre-state of the first stack, SD1, a small pre-state, a coal company at 120 and B2."""
    table = table_of_two(coal, pre_state, **rulings)
    small = left_of(("KK2", "SD2", "SD3"), pre_state)
    others = left_of(("EPP", "EOD", "MLB"), coal)
    for player, company, price in (
        (ADA, coal, 120),
        (BEN, pre_state, 120),
        (BEN, "SD1", 240),
        (ADA, "KK1", 240),
        (BEN, small[0], 120),
        (ADA, small[1], 120),
        (ADA, others[0], 160),
        (BEN, others[1], 120),
        (ADA, "B1", 120),
        (BEN, "B2", 120),
    ):
        table.act(player, BuyCompany(company, price))
    return table
