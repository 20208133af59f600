"""What a charter may not hold."""

from __future__ import annotations

import json
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from services.lobby.domain.rejections import Rejection
from services.lobby.domain.tournaments.charter import FORBIDDEN_MAX, Charter, charter_json, read_charter
from services.lobby.domain.tournaments.formats.stages import Groups, KnockOut, Swiss
from services.lobby.domain.tournaments.pairing.problem import SizePolicy
from tests.lobby.tournaments.club import charter_of


@pytest.mark.parametrize(
    ("path", "name", "field"),
    [
        ((), "bestof", "bestof"),
        (("stages", 0), "place", "stages[0].place"),
        (("stages", 1, "format"), "groupsize", "stages[1].format.groupsize"),
        (("stages", 0, "sizes"), "prefer", "stages[0].sizes.prefer"),
        (("scoring",), "bestof", "scoring.bestof"),
        (("scoring", "system"), "list", "scoring.system.list"),
        (("scoring", "modifiers"), "virtual", "scoring.modifiers.virtual"),
        (("titles", 0), "player_min", "titles[0].player_min"),
    ],
)
def test_a_setting_that_does_not_exist_is_named(path: tuple[Any, ...], name: str, field: str) -> None:
    """With its path; nothing that was mistyped is passed over."""
    charter = json.loads(charter_json(charter_of(Swiss(3), Groups(7, 4), KnockOut(2))))
    charter["stages"][0]["sizes"] = {"preferred": 4}
    charter["scoring"]["modifiers"] = {}
    place = charter
    for step in path:
        place = place[step]
    place[name] = 3
    refused = read_charter(json.dumps(charter))
    assert isinstance(refused, Rejection)
    assert (refused.field, refused.sentence) == (field, f"The charter cannot be used: {field} is no setting.")


def test_what_is_missing_or_of_another_kind_is_named() -> None:
    """By its field."""
    text = charter_json(charter_of(Swiss(3)))
    for changed, field in (
        (text.replace('"name":"Spring cup",', ""), "name"),
        (text.replace('"rounds":3', '"rounds":"3"'), "stages[0].format.rounds"),
    ):
        refused = read_charter(changed)
        assert isinstance(refused, Rejection)
        assert refused.field == field


def test_forbidden_pairs_have_a_bound() -> None:
    """Everybody reads the charter with each list of events."""
    pairs = tuple((f"p{number}", f"q{number}") for number in range(FORBIDDEN_MAX + 1))
    assert isinstance(read_charter(charter_json(charter_of(Swiss(3), forbidden=pairs[1:]))), Charter)
    refused = read_charter(charter_json(charter_of(Swiss(3), forbidden=pairs)))
    assert isinstance(refused, Rejection)
    assert "forbidden has more than 1000 pairs" in refused.sentence


def test_every_part_of_a_charter_refuses_what_it_does_not_know() -> None:
    """Also parts that come later."""
    assert SizePolicy in (found := _structs_in(Charter))
    assert [each for each in found if not each.__struct_config__.forbid_unknown_fields] == []


def _structs_in(kind: Any) -> set[Any]:
    found = {kind} if isinstance(kind, type) and issubclass(kind, msgspec.Struct) else set()
    inner = get_type_hints(kind).values() if found else get_args(kind)
    return found.union(*map(_structs_in, inner))
