"""Choices in words: no title is known here, so whatever a title offers is shown."""

from __future__ import annotations

import json
from typing import Any

import pytest
from google.protobuf import any_pb2

from services.gen.signalbox.rules.v1 import choice_pb2, command_pb2, rules_pb2, title_pb2
from services.gen.signalbox.titles.g1824.v1 import g1824_pb2
from services.web.pages.choices import filled, grouped, sendable
from services.web.pages.texts import Texts

TEXTS = Texts()


def choice(command: command_pb2.Command, **fields: Any) -> choice_pb2.Choice:
    """A choice."""
    return choice_pb2.Choice(player="p1", command=command, **fields)


def test_choices_are_grouped_by_kind_and_hex() -> None:
    """Those on the map stand under their hex; passing stands alone."""
    tiles = [command_pb2.LayTile(company="BK", hex=each, tile="7") for each in ("A10", "A10", "B5")]
    laid = [command_pb2.Command(lay_tile=each) for each in tiles]
    offered = [choice(each, cost=40, clause="1824/VII.5-c") for each in laid]
    passing = choice(command_pb2.Command(pass_turn=command_pb2.Pass()))
    laying, rest = grouped([*offered, passing], TEXTS, {})
    assert {hex_: len(shown) for hex_, shown in laying.by_hex.items()} == {"A10": 2, "B5": 1}
    first = laying.by_hex["A10"][0]
    assert (first.words, first.cost) == ("BK: tile 7 on A10, turned 0", 40)
    assert (laying.clause, rest.clause) == ("1824/VII.5-c", "")
    assert [each.words for each in rest.by_hex[""]] == ["Pass"]


def test_a_tile_is_drawn_as_it_would_lie() -> None:
    """Its track turned by sixths, from edge to edge or to a stop; a tile that is not printed has none."""
    ends = [[title_pb2.TrackEnd(edge=edge) for edge in edges] for edges in ((0, 4), (2,))]
    track = [
        title_pb2.PrintedTrack(edges=ends[0]),
        title_pb2.PrintedTrack(edges=ends[1], stop=0),
    ]
    faces = {"7": title_pb2.PrintedFace(track=track)}
    tiles = [command_pb2.LayTile(hex="A10", tile=tile, rotation=3) for tile in ("7", "8")]
    laid = [choice(command_pb2.Command(lay_tile=each)) for each in tiles]
    (group,) = grouped(laid, TEXTS, {}, faces)
    assert [(each.tile, each.rotation, each.track) for each in group.by_hex["A10"]] == [
        *(("7", "3", "3-1 5"), ("8", "3", ""))
    ]


def test_commands_of_a_title_are_shown_with_their_fields() -> None:
    """Nobody has written words for them."""
    packed = any_pb2.Any()
    packed.Pack(g1824_pb2.BuyCompany(company="EPP", price=140))
    command = command_pb2.Command(title_command=packed)
    (group,) = grouped([choice(command, cost=140), choice(command, cost=160)], TEXTS, {})
    shown, dearer = group.by_hex[""]
    assert (group.heading, shown.words) == ("Buy company", "EPP, price 140")
    assert (shown.cost, dearer.cost) == (0, 160), "a price that is the cost is said once"
    assert filled(shown.command, "", "") == json.loads(shown.command)


def test_names_stand_for_ids() -> None:
    """Of players who hold what is bought."""
    buying = command_pb2.BuyCertificate(company="SD", source="p2", number=1)
    (group,) = grouped([choice(command_pb2.Command(buy_certificate=buying))], TEXTS, {"p2": "Bob"})
    assert group.by_hex[""][0].words == "SD from Bob, certificate 1"
    buying.number = -1
    (group,) = grouped([choice(command_pb2.Command(buy_certificate=buying))], TEXTS, {"p2": "Bob"})
    assert group.by_hex[""][0].words == "SD from Bob"
    buying.number = 0
    (group,) = grouped([choice(command_pb2.Command(buy_certificate=buying))], TEXTS, {"p2": "Bob"})
    assert group.by_hex[""][0].words == "SD from Bob, the director's certificate"


def test_an_open_field_is_filled() -> None:
    """With what the form has."""
    bid = command_pb2.Command(bid=command_pb2.Bid(company="SD"))
    offered = choice(bid, open_field=choice_pb2.OPEN_FIELD_PRICE, minimum=5, maximum=90, step=5)
    (group,) = grouped([offered], TEXTS, {})
    (shown,) = group.by_hex[""]
    assert (shown.field, shown.minimum, shown.maximum, shown.step) == ("price", 5, 90, 5)
    assert filled(shown.command, shown.field, "15") == {"bid": {"company": "SD", "price": "15"}}
    packed = any_pb2.Any()
    packed.Pack(g1824_pb2.BuyCompany(company="EPP", price=140))
    titled = command_pb2.Command(title_command=packed)
    (group,) = grouped([choice(titled, open_field=choice_pb2.OPEN_FIELD_PRICE)], TEXTS, {})
    assert group.by_hex[""][0].words == "EPP", "the field says the price"


def test_runs_that_routing_has_not_found_have_no_button() -> None:
    """All else has; with the best runs they have one too, also where no train has a run."""
    running = command_pb2.Command(run_trains=command_pb2.RunTrains(company="BK"))
    runs = choice(running, open_field=choice_pb2.OPEN_FIELD_RUNS)
    passing = choice(command_pb2.Command(pass_turn=command_pb2.Pass()))
    offered = rules_pb2.ListChoicesResponse(choices=[runs, passing])
    assert list(sendable(offered)) == [passing]
    offered.best_runs.SetInParent()
    assert list(sendable(offered)) == [runs, passing]


@pytest.mark.parametrize(
    ("command", "field"),
    [
        ("[]", ""),
        ("{}", ""),
        ("{", ""),
        ('{"a": 1, "b": 2}', ""),
        ('{"a": 1}', "price"),
        ('{"a": {}}', "runs"),
    ],
)
def test_what_no_page_sends(command: str, field: str) -> None:
    """Is refused."""
    with pytest.raises(ValueError):
        filled(command, field, "1")
