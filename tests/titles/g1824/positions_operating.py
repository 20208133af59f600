"""Positions of operating rounds of 1824: a few lines to run on, and companies ready to act on them."""

from __future__ import annotations

from services.routing.domain.solver import solve
from services.rules.parts.trains.bestruns import problem_for
from services.rules.parts.trains.commands import BuyTrain, Hop, TrainRun
from services.rules.titles.g1824.title import TITLE
from tests.titles.g1824.positions import ADA, BEN, CLEO, Table, clear_table

Lines = tuple[tuple[str, str, int], ...]

# Dresden - Pilsen - mine C6, and nothing else.
PILSEN: Lines = (("B5", "57", 2),)
# From mine A12: west over two towns to a green Prag and on to a town; east over one town to a green Mährisch-Ostrau.
TWO_WAYS_FROM_THE_MINE: Lines = (
    ("A10", "4", 1),
    ("A8", "3", 4),
    ("B9", "14", 1),
    ("C10", "4", 2),
    ("B13", "69", 0),
    ("B15", "14", 0),
)
# From mine C6 to a green Prag, over two towns, to a green Brünn.
ONE_LONG_WAY: Lines = (
    ("B7", "8", 4),
    ("B9", "14", 0),
    ("A10", "3", 5),
    ("B11", "8", 0),
    ("C10", "3", 3),
    ("C12", "14", 0),
)


def lay(table: Table, lines: Lines) -> None:
    """Lay these tiles as (hex, tile, rotation)."""
    for line in lines:
        table.tile(*line)


def major(
    table: Table, company: str, director: str, *, shares: int = 5, price: int = 80, treasury: int = 0
) -> None:
    """Open a regional in the hands of its director."""
    table.price(company, price)
    table.hold(director, company, shares, director=True)
    table.open(company, treasury)


def pilsen_table(*trains: str, players: int = 4, treasury: int = 0, **rulings: str) -> Table:
    """MS, directed by the first player with 50 % at 80 G, has a token in Pilsen and these trains, and is about to run."""
    table = clear_table(players, **rulings)
    director = table.game.players[0]
    major(table, "MS", director, treasury=treasury)
    lay(table, PILSEN)
    table.token("MS", "B5")
    table.train("MS", *trains)
    table.operating_round("MS", step="run_trains")
    return table


def run(train: str, *hops: str) -> TrainRun:
    """A run given by its hops, each as hexes parted by blanks: `run("2-0", "B5 A4")`."""
    return TrainRun(train, tuple(Hop(tuple(hop.split())) for hop in hops))


def best_revenue(table: Table, company: str) -> tuple[int, int]:
    """The proven best revenue of the company and what goes to its treasury beside it."""
    solution = solve(problem_for(TITLE, table.game, table.data, company))
    assert solution.proven
    return solution.revenue, solution.treasury_income


def train_commands(table: Table, player: str) -> list[BuyTrain]:
    """The purchases of trains a player is offered."""
    return [command for command in table.offered(player, BuyTrain) if isinstance(command, BuyTrain)]


def buyer(*trains: str, treasury: int = 5000, phase: str = "2", **rulings: str) -> Table:
    """MS, directed by the first player, has these trains and stands before its purchases in this phase."""
    table = clear_table(4, **rulings)
    major(table, "MS", table.game.players[0], treasury=treasury)
    table.token("MS", "C12")
    table.train("MS", *trains)
    table.phase(phase)
    table.operating_round("MS")
    return table


def neighbour(table: Table, director: str, *trains: str) -> tuple[str, ...]:
    """CL, directed by this player, has these trains; the round at hand goes on."""
    at_hand, turn = table.game.current_round, table.game.turn
    major(table, "CL", director, shares=2)
    given = table.train("CL", *trains)
    table.operating_round(*at_hand.order)
    assert table.game.turn == turn
    return given


def broke(treasury: int = 0, cash: int = 0, *, phase: str = "4", shares: int = 2, **rulings: str) -> Table:
    """MS without trains must buy; its treasury and its director Ada have this much. A 4-train costs 280, a 1g-train 120.

    Ben and Cleo hold 20 % of MS each."""
    table = clear_table(4, **rulings)
    major(table, "MS", ADA, shares=shares)
    table.hold(BEN, "MS", 2)
    table.hold(CLEO, "MS", 2)
    table.token("MS", "C12")
    table.phase(phase)
    table.operating_round("MS")
    table.cash("MS", treasury)
    table.cash(ADA, cash)
    return table


def only_4_trains(treasury: int = 0, cash: int = 0, *, shares: int = 2, **rulings: str) -> Table:
    """As `broke`, with no goods train left: the cheapest train is the 4-train for 280."""
    table = broke(treasury, cash, shares=shares, **rulings)
    for kind in ("1g", "2g", "3g"):
        table.deplete(kind)
    table.operating_round("MS")
    return table
