"""Positions of 1824 just before a state railway forms."""

from services.rules.kernel.events import Event
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.data import train_kinds_of
from tests.titles.g1824.positions import ADA, BEN, CLEO, DORA, Table, owned_table

TRIGGERS = {"SD": "4", "UG": "5", "KK": "6"}
PHASE_BEFORE = {"4": "3", "5": "4", "6": "5"}
ALL = {"SD1": ADA, "SD2": BEN, "SD3": CLEO, "UG1": ADA, "UG2": BEN, "KK1": ADA, "KK2": BEN}
TRIOS = {"SD": ("SD1", "SD2", "SD3"), "UG": ("UG1", "UG2"), "KK": ("KK1", "KK2")}


def owners_of(state: str) -> dict[str, str]:
    """Who owns the pre-states of a state when all are sold, as in `ALL`."""
    return {symbol: ALL[symbol] for symbol in TRIOS[state]}


def before_formation(state: str, owners: dict[str, str], **rulings: str) -> Table:
    """Dora's BH is about to buy the train that forms the state, in the first round of a set of two. BH has a 2g-train."""
    table = owned_table(owners, 4, **rulings)
    train = TRIGGERS[state]
    table.phase(PHASE_BEFORE[train])
    table.deplete(PHASE_BEFORE[train])
    table.price("BH", 100)
    table.hold(DORA, "BH", 5, director=True)
    table.open("BH", 1_000)
    table.train("BH", "2g")
    table.operating_round("BH", count=2)
    return table


def form(table: Table, state: str) -> list[Event]:
    """BH buys the train, and the round ends."""
    train = TRIGGERS[state]
    number = table.game.current_round.number
    found = list(table.act(DORA, BuyTrain("BH", f"{train}-0", train_kinds_of(table.data)[train].price)))
    while (table.game.current_round.kind, table.game.current_round.number) == ("operating", number):
        found += table.pass_on()
    return found
