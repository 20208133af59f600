"""The trains and phases of 1862: figures and what a new phase changes (9.0)."""

import pytest

from services.rules.parts.trains.state import phase_of, trains_of
from services.rules.titles.g1862.commands import BuyNewTrain
from services.rules.titles.g1862.figures import kind_of, phases_of
from services.rules.titles.g1862.trains.depots import bank_train, has_room, is_obsolete, is_permanent
from tests.positions.trains import phases
from tests.titles.g1862.runboard import board, earned
from tests.titles.g1862.table import ADA, Table, new_table

# Letter: freight, local, express (reach, counted), cost.
TRAINS = {
    "A": (1, (2, 0), (2, 0), 100),
    "B": (2, (3, 2), (3, 2), 200),
    "C": (3, (3, 0), (3, 0), 280),
    "D": (5, (4, 0), (4, 0), 360),
    "E": (6, (5, 4), (5, 4), 500),
    "F": (7, (5, 0), (5, 0), 600),
    "G": (8, (6, 5), (6, 5), 700),
    "H": (9, (6, 0), (6, 0), 800),
}
# Phase: level of the areas, rounds in a set, colours, obsolete letter, limit, of each kind, limit of simple games.
PHASES = {
    "A": ("low", 1, 1, "", 3, True, 4),
    "B": ("low", 2, 2, "", 3, True, 4),
    "C": ("middle", 2, 2, "A", 3, True, 4),
    "D": ("middle", 3, 3, "", 3, True, 4),
    "E": ("high", 3, 3, "B", 2, True, 3),
    "F": ("high", 3, 3, "C", 2, True, 3),
    "G": ("high", 3, 3, "D", 3, False, 2),
    "H": ("high", 3, 3, "", 3, False, 2),
}


def before(letter: str, *options: str) -> Table:
    """L&E of Ada is about to buy the first train of this letter, the one before it being sold out."""
    table = new_table(4, *options, offer=("L&E",))
    table.is_founded("L&E", 82, ADA, treasury=2000)
    letters = list(phases_of(table.data))
    earlier = letters[: letters.index(letter)]
    if earlier:
        table.phase_is(earlier[-1])
        table.trains_are_sold(earlier[-1])
    table.operating_round_is("L&E")
    return table


@pytest.mark.parametrize(
    "letter",
    [
        pytest.param("A", marks=pytest.mark.clause("1862/9.0-b")),
        pytest.param("B", marks=pytest.mark.clause("1862/9.0-c")),
        pytest.param("C", marks=pytest.mark.clause("1862/9.0-d")),
        pytest.param("D", marks=pytest.mark.clause("1862/9.0-e")),
        pytest.param("E", marks=pytest.mark.clause("1862/9.0-f")),
        pytest.param("F", marks=pytest.mark.clause("1862/9.0-g")),
        pytest.param("G", marks=pytest.mark.clause("1862/9.0-h")),
        pytest.param("H", marks=pytest.mark.clause("1862/9.0-i")),
    ],
)
def test_what_a_train_is_and_costs(letter: str) -> None:
    """The three faces of each card and its price, paid when it is bought."""
    freight, local, express, cost = TRAINS[letter]
    table = before(letter)
    faces = kind_of(table.data, letter).faces
    assert faces["freight"].reach == freight
    assert (faces["local"].reach, faces["local"].counts) == local
    assert (faces["express"].reach, faces["express"].counts) == express
    train = bank_train(table.game, table.data)
    assert train.startswith(letter)
    table.act(ADA, BuyNewTrain("L&E", train, cost, "local"))
    assert table.game.money("L&E") == 2000 - cost


@pytest.mark.parametrize(
    "letter",
    [
        pytest.param("A", marks=pytest.mark.clause("1862/9.0-j")),
        pytest.param("B", marks=pytest.mark.clause("1862/9.0-k")),
        pytest.param("C", marks=pytest.mark.clause("1862/9.0-l")),
        pytest.param("D", marks=pytest.mark.clause("1862/9.0-m")),
        pytest.param("E", marks=pytest.mark.clause("1862/9.0-n")),
        pytest.param("F", marks=pytest.mark.clause("1862/9.0-o")),
        pytest.param("G", marks=pytest.mark.clause("1862/9.0-p")),
        pytest.param("H", marks=pytest.mark.clause("1862/9.0-q")),
    ],
)
def test_what_a_phase_changes(letter: str) -> None:
    """Areas, rounds in a set, colours of tiles, what becomes obsolete, and the limit of trains."""
    level, rounds, colours, obsolete, limit, of_each, simple = PHASES[letter]
    table = before(letter)
    old = {each: table.owns_trains("L&E", each)[0] for each in "ABCD" if each < letter and _left(table, each)}
    if letter != "A":
        price = kind_of(table.data, letter).price
        table.act(ADA, BuyNewTrain("L&E", f"{letter}-0", price, "freight"))
    assert phase_of(table.game) == letter
    phase = phases_of(table.data)[letter]
    assert (phase.revenue, phase.operating_rounds, len(phase.tiles)) == (level, rounds, colours)
    gone = {each for each, train in old.items() if train not in trains_of(table.game).owned["L&E"]}
    assert gone == ({obsolete} if obsolete in old else set())
    assert (phase.train_limit["public"], phase.limit_of_each_kind) == (limit, of_each)
    other = new_table(4, "simple_express")
    assert phases_of(other.data)[letter].train_limit["public"] == simple
    assert not phases_of(other.data)[letter].limit_of_each_kind


def _left(table: Table, letter: str) -> bool:
    """Lets an owned train of an earlier letter come back, as none is left in the depot; false where it is obsolete."""
    if is_obsolete(table.game, table.data, f"{letter}-0"):
        return False
    trains_of(table.game).depot_gone[letter] -= 1
    return True


@pytest.mark.clause("1862/9.0-r")
@pytest.mark.parametrize(
    ("phase", "port"), [("A", 80), ("B", 80), ("C", 90), ("D", 90), ("E", 100), ("H", 100)]
)
def test_the_value_of_an_area_follows_the_phase(phase: str, port: int) -> None:
    """The first value counts in A and B, the middle one in C and D, the last one from E on."""
    table = board("WNR", "E2:57/2", "6E", phase=phase)
    assert earned(table, {"6E": "E2 D1"}) == (20 + port, 0)


@pytest.mark.clause("1862/9.0-a")
def test_only_the_first_of_a_letter_starts_its_phase() -> None:
    """The second B train changes nothing."""
    table = before("B")
    first = table.act(ADA, BuyNewTrain("L&E", "B-0", 200, "local"))
    second = table.act(ADA, BuyNewTrain("L&E", "B-1", 200, "local"))
    assert (phases(first), phases(second)) == (["B"], [])


def test_which_trains_are_permanent() -> None:
    """A to D go, E to H stay."""
    table = before("A")
    assert [letter for letter in TRAINS if is_permanent(table.data, f"{letter}-0")] == list("EFGH")


def test_room_is_counted_by_kind_or_in_all() -> None:
    """Three express trains leave room for a local in phase A, and for nothing in phase G."""
    table = before("A")
    table.owns_trains("L&E", "A", "A", "A")
    assert not has_room(table.game, table.data, "L&E", "express")
    assert has_room(table.game, table.data, "L&E", "local")
    table.phase_alone_is("G")
    assert not has_room(table.game, table.data, "L&E", "local")
