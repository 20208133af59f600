"""Segments, route problems and runs described hop by hop, on small maps of 1824."""

from services.routing.domain.problem import Bonus, Parameters, RouteProblem
from services.routing.domain.solver import solve
from services.routing.domain.validation import validate_problem
from services.rules.parts.map.boardview import board_view
from services.rules.parts.trains.routes import (
    HexBonus,
    ResolvedRun,
    RunReason,
    RunRejection,
    RunTerms,
    network_of,
    resolve_connections,
    route_problem,
)
from tests.rules.board.boards import TokenDict, laid, title_1824

TITLE = title_1824()
LINE = laid("C12:57/2 D13:9/2 E14:57/2")


def problem(tiles: str, company: str, tokens: TokenDict, trains: str, phase: str = "2") -> RouteProblem:
    """The problem of a company with these trains on this map."""
    on_map = laid(tiles)
    named = tuple((f"{name}-{number}", name) for number, name in enumerate(trains.split()))
    question = route_problem(board_view(TITLE, on_map, tokens), company, named, phase)
    validate_problem(question)
    return question


def test_segment_from_city_to_city() -> None:
    """Two cities with a plain hex between them: one segment over two sides."""
    (segment,) = [way for way in network_of(TITLE, LINE).segments if (way.a, way.b) == ("C12.0", "E14.0")]
    assert segment.hexes == ("C12", "D13", "E14")
    assert len(segment.resources) == 2
    assert not segment.terminal_a
    assert not segment.terminal_b


def test_arrow_of_a_mine_is_terminal() -> None:
    """The end of a segment at a mine is terminal, the end at a town is not."""
    (segment,) = [way for way in network_of(TITLE, laid("A10:4/1")).segments if "A12.0" in (way.a, way.b)]
    assert {segment.a: segment.terminal_a, segment.b: segment.terminal_b} == {"A10.0": False, "A12.0": True}


def test_lanes_of_sarajevo_are_separate_resources() -> None:
    """Two runs into Sarajevo over J11 share no side."""
    network = network_of(TITLE, laid("I10:9/2 I12:9/0 H9:57/2 H13:57/0"))
    over_j11 = [set(way.resources) for way in network.segments if "J11" in way.hexes]
    assert len(over_j11) == 2
    assert not over_j11[0] & over_j11[1]


def test_hops_are_read_from_either_end() -> None:
    """A hop listed backwards is the same hop."""
    network = network_of(TITLE, laid("C12:57/2 D13:9/2 E14:57/2 F15:9/2 G16:4/2"))
    forward = resolve_connections(network, [["C12", "D13", "E14"], ["E14", "F15", "G16"]])
    mixed = resolve_connections(network, [["E14", "D13", "C12"], ["G16", "F15", "E14"]])
    assert isinstance(forward, ResolvedRun)
    assert forward == mixed
    assert forward.stops == ("C12.0", "E14.0", "G16.0")


def test_hops_that_make_no_run_are_refused() -> None:
    """No hops, hexes without such track, and hops that do not meet have their own reasons."""
    network = network_of(TITLE, LINE | laid("B5:57/0 B7:4/0"))
    cases = [
        ([], RunReason.NO_HOPS, 0),
        ([["C12", "E14"]], RunReason.NO_SUCH_TRACK, 0),
        ([["C12", "D13", "E14"], ["E14", "F15"]], RunReason.NO_SUCH_TRACK, 1),
        ([["C12", "D13", "E14"], ["B7", "C6"]], RunReason.HOPS_NOT_JOINED, 1),
    ]
    for hops, reason, number in cases:
        refusal = resolve_connections(network, hops)
        assert isinstance(refusal, RunRejection)
        assert (refusal.reason, refusal.hop) == (reason, number)


def test_problem_holds_what_the_company_reaches() -> None:
    """Stops in reach with their values, occupants and places; the solver finds the run."""
    tokens: TokenDict = {("C12", 0): ("MS",), ("E14", 0): ("BK", "")}
    question = problem("C12:57/2 D13:9/2 E14:14/2 B5:57/0", "MS", tokens, "2", "3")
    assert {stop.id: (stop.revenue, stop.slots, stop.place) for stop in question.stops} == {
        "C12.0": (20, ("MS",), "C12"),
        "E14.0": (30, ("BK", ""), "E14"),
    }
    assert question.token_stops == ("C12.0",)
    assert solve(question).revenue == 50


def test_red_hexes_of_one_area_are_one_place() -> None:
    """Both hexes of Bukarest are the same place, with the value of the phase."""
    question = problem("G26:14/1", "SB", {("G26", 0): ("SB", "")}, "3", "5")
    places = {stop.id: (stop.place, stop.revenue) for stop in question.stops}
    assert places["G28.0"] == places["H27.0"] == ("Bukarest", 40)
    assert solve(question).revenue == 30 + 40


def test_cities_of_one_hex_are_one_place_unless_ruled_otherwise() -> None:
    """The three cities of Wien are one place, or three under the other ruling."""
    tokens: TokenDict = {("E12", number): ("SD",) for number in range(3)}
    tiles = laid("E12:499/0")
    view = board_view(TITLE, tiles, tokens)
    one = route_problem(view, "SD", (), "2")
    three = route_problem(view, "SD", (), "2", "none")
    assert {stop.place for stop in one.stops} == {"E12"}
    assert len({stop.place for stop in three.stops}) == 3


def test_a_bonus_of_hexes_is_one_of_their_stops() -> None:
    """All stops of its hexes are in its groups; where a group has none, no run could have it, and it is left out."""
    terms = RunTerms(bonuses=(HexBonus("east", 50, (("E12", "B9"), ("D25",))),))
    found = terms.parameters_on(("B5.0", "B9.0", "D25.0", "E12.0", "E12.1"))
    origins, targets = {"B9.0": 0, "E12.0": 0, "E12.1": 0}, {"D25.0": 0}
    assert found.bonuses == (Bonus("east", (origins, targets), pays=50),)
    assert terms.parameters_on(("B5.0", "B9.0", "E12.0")) == Parameters()
