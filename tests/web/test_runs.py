"""Runs that a player draws as text."""

from __future__ import annotations

import pytest

from services.gen.signalbox.rules.v1 import choice_pb2, command_pb2, game_pb2, title_pb2
from services.web.pages.runs import drawn_runs, hexes_with_stops, open_runs

STOPS = {"A1", "A3", "B4"}


def hop(*hexes: str) -> command_pb2.Hop:
    """Track from stop to stop."""
    return command_pb2.Hop(hexes=hexes)


@pytest.mark.parametrize(
    ("text", "hops"),
    [
        ("A1 A2 A3 B4", [hop("A1", "A2", "A3"), hop("A3", "B4")]),
        (" A1, A2 - A3 ", [hop("A1", "A2", "A3")]),
        ("A1", [hop("A1")]),
        ("A1 C9", [hop("A1", "C9")]),
    ],
)
def test_hexes_are_split_at_stops(text: str, hops: list[command_pb2.Hop]) -> None:
    """However they are separated; what is no run the rules refuse."""
    drawn = drawn_runs("BK", {"train.2-0": text, "train.3-0": " ", "sequence": "7"}, STOPS)
    assert drawn == command_pb2.RunTrains(company="BK", runs=[command_pb2.TrainRun(train="2-0", hops=hops)])


def test_what_lies_on_a_hex_counts() -> None:
    """A tile with a stop makes one, and one without takes it away."""
    stop, plain = title_pb2.PrintedFace(stops=[title_pb2.PrintedStop(kind="town")]), title_pb2.PrintedFace()
    printed = title_pb2.PrintedMap(
        hexes=[title_pb2.PrintedHex(hex=name, face=face) for name, face in (("A1", stop), ("B2", plain))],
        tiles=[title_pb2.PrintedTile(tile=name, face=face) for name, face in (("7", plain), ("57", stop))],
    )
    title = title_pb2.TitleView(map=printed)
    laid = [game_pb2.LaidTile(hex="B2", tile="57"), game_pb2.LaidTile(hex="A1", tile="7")]
    assert hexes_with_stops(title, game_pb2.GameView()) == {"A1"}
    assert hexes_with_stops(title, game_pb2.GameView(tiles=laid)) == {"B2"}


def test_the_best_runs_are_where_drawing_begins() -> None:
    """Each train of the company has a field; without trains that may run there is none."""
    best = command_pb2.TrainRun(train="2-0", hops=[hop("A1", "A2", "A3"), hop("A3", "B4")])
    command = command_pb2.Command(run_trains=command_pb2.RunTrains(company="BK", runs=[best]))
    game = game_pb2.GameView(companies=[game_pb2.CompanyView(company="BK", trains=["2-0", "3-0"])])
    found = open_runs([choice_pb2.Choice(command=command)], game)
    assert found is not None
    assert [(each.train, each.hexes) for each in found.trains] == [("2-0", "A1 A2 A3 B4"), ("3-0", "")]
    assert open_runs([], game) is None
