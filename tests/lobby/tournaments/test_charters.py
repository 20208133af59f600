"""What a charter may not hold."""

from __future__ import annotations

import json
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from msgspec.structs import replace

from services.lobby.domain.rejections import Rejection
from services.lobby.domain.tournaments.charter import FORBIDDEN_MAX, Charter, charter_json, read_charter
from services.lobby.domain.tournaments.formats.stages import Groups, KnockOut, Stage, Swiss
from services.lobby.domain.tournaments.pairing.problem import SizePolicy
from tests.lobby.tournaments.club import TITLE, Club, charter_of, done, reason


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


@pytest.mark.parametrize(
    ("stage", "field"),
    [
        (Stage("a", Swiss(0)), "format.rounds"),
        (Stage("a", Groups(3, 4)), "format.group_size"),
        (Stage("a", Groups(7, 7)), "format.table_size"),
        (Stage("a", Groups(7, 4, 51)), "format.rounds"),
        (Stage("a", Groups(8, 4)), "format.rounds"),
        (Stage("a", Groups(11, 6)), "format.table_size"),
        (Stage("a", Groups(5, 4, 2)), "format.table_size"),
        (Stage("a", Groups(2, 2, 2)), "format.group_size"),
        (Stage("a", KnockOut(4)), "format.advancing"),
        (Stage("a", KnockOut(0)), "format.advancing"),
        (Stage("a", KnockOut(2), SizePolicy(5, (5, 6))), "sizes.allowed"),
        (Stage("a", Swiss(2), SizePolicy(4, ())), "sizes.allowed"),
        (Stage("a", Swiss(2), places=-1), "places"),
        (Stage("a", Swiss(2), deadline=5), "deadline"),
    ],
)
def test_a_stage_that_nobody_could_play_is_refused(stage: Stage, field: str) -> None:
    """When the event is made, by its setting: titles are for three or four. An amendment cannot bring it in either."""
    club = Club(4)
    usual = charter_of(Swiss(1), Swiss(1))
    charter = charter_json(replace(usual, stages=(stage,)))
    refused = club.desk.create(club.director, charter)
    path = f"stages[0].{field}"
    assert (reason(refused), refused.field, path in refused.sentence) == ("CHARTER_MALFORMED", path, True)
    event = club.tournament(usual)
    final = replace(stage, name="final")
    text = charter_json(replace(usual, stages=(usual.stages[0], final)))
    refused = club.desk.amend(club.director, event.tournament_id, text, 1, "new rules")
    assert (reason(refused), refused.field) == ("CHARTER_MALFORMED", f"stages[1].{field}")


def test_titles_of_a_stage_that_has_begun_may_go() -> None:
    """Those that its tables have had are played; the stages to come need theirs."""
    club = Club(8)
    stages = (Stage("first", Swiss(1), SizePolicy(4, (4,))), Stage("final", Swiss(1), SizePolicy(3, (3,))))
    charter = charter_of(Swiss(1), stages=stages)
    event = club.tournament(charter)
    fewer = charter_json(replace(charter, titles=(replace(TITLE, players_max=3),)))
    more = charter_json(replace(charter, titles=(replace(TITLE, players_min=4),)))
    refused = club.desk.amend(club.director, event.tournament_id, more, 1, "a box got lost")
    assert (reason(refused), refused.field) == ("CHARTER_MALFORMED", "stages[1].sizes.allowed")
    done(club.desk.amend(club.director, event.tournament_id, fewer, 1, "a box got lost"))


def _structs_in(kind: Any) -> set[Any]:
    found = {kind} if isinstance(kind, type) and issubclass(kind, msgspec.Struct) else set()
    inner = get_type_hints(kind).values() if found else get_args(kind)
    return found.union(*map(_structs_in, inner))
