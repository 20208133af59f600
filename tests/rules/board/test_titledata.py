"""The schema of title data: every malformed entry is named by file and key."""

import copy
import shutil
import threading
import tomllib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from services.rules.kernel.overlay import OverlayError, names_of_parts, overlaid
from services.rules.kernel.titlebuild import TitleDataError, build_title
from services.rules.kernel.titledata import TitleData
from services.rules.loading import load_title
from services.rules.parts.map.data import map_data
from services.rules.parts.shares.data import cards_of
from services.rules.parts.trains.data import phases_of, train_kinds_of
from services.rules.titles.g1824.figures import SCHEMA
from tests.rules.board.boards import FOLDER_1824

Documents = dict[str, dict[str, Any]]
DOCUMENTS: Documents = {
    file: tomllib.loads((FOLDER_1824 / f"{file}.toml").read_text(encoding="utf-8")) for file in SCHEMA.files
}


def entry(documents: Documents, file: str, key: str, name: str) -> dict[str, Any]:
    """The entry of a file's list that bears this name."""
    return next(
        found for found in documents[file][file if file != "board" else "hexes"] if found[key] == name
    )


FAULTS: dict[str, tuple[Callable[[Documents], object], str]] = {
    "missing file": (lambda d: d.pop("market"), "market.toml: the file is missing"),
    "wrong type": (
        lambda d: d["title"].update(bank="much"),
        "title.toml: Expected `int`, got `str` - at `$.bank`",
    ),
    "unknown field": (
        lambda d: entry(d, "trains", "name", "4").update(colour="red"),
        "trains.toml: trains 4: Object contains unknown field `colour`",
    ),
    "key of a file that is not read": (
        lambda d: d["board"].update(rivers=[]),
        "board.toml: rivers: is not read",
    ),
    "table of a part that the title does not play with": (
        lambda d: d["title"]["parts"].update(rivers={}),
        "title.toml: parts.rivers: is not read",
    ),
    "figure that is not read": (
        lambda d: d["title"]["figures"].update(tokens_per_turn=1),
        "title.toml: figures: Object contains unknown field `tokens_per_turn`",
    ),
    "variant that cannot be chosen": (
        lambda d: d["trains"].update(variants={"fast_game": {}}),
        "trains.toml: variants fast_game: is not offered",
    ),
    "missing field": (
        lambda d: entry(d, "tiles", "id", "57").pop("colour"),
        "tiles.toml: tiles 57: Object missing required field `colour`",
    ),
    "twice": (
        lambda d: d["phases"]["phases"].append(entry(d, "phases", "name", "3")),
        "phases.toml: phases 3: name '3' stands twice",
    ),
    "edge": (
        lambda d: entry(d, "tiles", "id", "9").update(track=["0-7"]),
        "tiles.toml: tiles 9: '0-7': '7' is no edge from 0 to 5",
    ),
    "stop of track": (
        lambda d: entry(d, "tiles", "id", "57").update(track=["0-s1"]),
        "tiles.toml: tiles 57: '0-s1': 's1' is not one of 1 stops",
    ),
    "lane": (
        lambda d: entry(d, "board", "at", "J11").update(track=["2-4(2/2)"]),
        "board.toml: hexes J11: '2-4(2/2)': lane 2 of 2 does not exist",
    ),
    "kind of stop": (
        lambda d: entry(d, "board", "at", "A8").update(stops=["village"]),
        "board.toml: hexes A8: 'village' is not a kind of stop: city, town, offboard, port, mine",
    ),
    "area": (
        lambda d: d["board"]["areas"].pop("Kiew"),
        "board.toml: hexes A24: 'offboard @Kiew': '@Kiew' is no value, area or number of token spaces",
    ),
    "revenue key": (
        lambda d: d["board"]["areas"]["Kiew"].update(purple=1),
        "board.toml: areas Kiew: 'purple' is not a revenue key: yellow, green, brown, grey",
    ),
    "hex id": (
        lambda d: d["board"]["hexes"].append({"at": "7B"}),
        "board.toml: hexes 7B: '7B' is not a hex: one letter A to Z and a number are needed",
    ),
    "track off the map": (
        lambda d: entry(d, "board", "at", "A12").update(track=["3-s0"]),
        "board.toml: hexes A12: track leaves the map over edge 3",
    ),
    "lanes that do not meet": (
        lambda d: entry(d, "board", "at", "J15").update(track=["0-2"]),
        "board.toml: hexes J15: track leaves the map over edge 0",
    ),
    "side of no edge": (
        lambda d: entry(d, "board", "at", "B7").update(sides={"river": [6]}),
        "board.toml: hexes B7: sides river: 6 is no edge from 0 to 5",
    ),
    "side written twice": (
        lambda d: (
            entry(d, "board", "at", "B7").update(sides={"river": [4]}),
            entry(d, "board", "at", "B9").update(sides={"mountain": [1]}),
        ),
        "board.toml: hexes B9: sides mountain: along edge 1 there is 'river' already",
    ),
    "home": (
        lambda d: entry(d, "companies", "symbol", "BK").update(home={"hex": "B7", "stop": 0}),
        "companies.toml: companies BK: home: stop 0 of B7 has no token space",
    ),
    "certificates": (
        lambda d: entry(d, "companies", "symbol", "UG").update(certificates=[2, 1]),
        "companies.toml: companies UG: certificates: they add up to 3 shares, which is not the last of divided_into",
    ),
    "certificates without a division": (
        lambda d: entry(d, "companies", "symbol", "UG").update(divided_into=[]),
        "companies.toml: companies UG: certificates: they add up to 10 shares, which is not the last of divided_into",
    ),
    "certificate of no share": (
        lambda d: entry(d, "companies", "symbol", "UG").update(certificates=[10, 0]),
        "companies.toml: companies UG: certificates: each stands for one share or more",
    ),
    "divisions from many to few": (
        lambda d: entry(d, "companies", "symbol", "UG").update(divided_into=[10, 2]),
        "companies.toml: companies UG: certificates: they add up to 10 shares, which is not the last of divided_into",
    ),
    "first division": (
        lambda d: entry(d, "companies", "symbol", "UG").update(divided_into=[1, 10]),
        "companies.toml: companies UG: divided_into: no first certificates add up to 1 shares",
    ),
    "kind of company": (
        lambda d: entry(d, "companies", "symbol", "BH").update(kind="tramway"),
        "companies.toml: companies BH: kind 'tramway' is not described",
    ),
    "linked company": (
        lambda d: entry(d, "companies", "symbol", "BK").update(linked=["EPX"]),
        "companies.toml: companies BK: there is no company 'EPX'",
    ),
    "train named by a train": (
        lambda d: entry(d, "trains", "name", "2").update(removed_by=["7"]),
        "trains.toml: trains 2: there is no train '7'",
    ),
    "phase colour": (
        lambda d: entry(d, "phases", "name", "3").update(tiles=["pink"]),
        "phases.toml: phases 3: tiles: 'pink' is no tile colour",
    ),
    "colour of a hex": (
        lambda d: entry(d, "board", "at", "C12").update(colour="pink"),
        "board.toml: hexes C12: 'pink' is no colour of this title",
    ),
    "zone": (
        lambda d: d["market"]["zones"].update(start_national=[[6, 9]]),
        "market.toml: zones start_national: there is no cell [6, 9]",
    ),
    "number of players": (
        lambda d: d["title"]["certificate_limit"].pop("5"),
        "title.toml: certificate_limit: no figure for 5 players",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_malformed_entry_is_named_by_file_and_key(fault: str) -> None:
    """Each fault put into the data of 1824 is reported with its file, its key and what is wrong."""
    spoil, problem = FAULTS[fault]
    documents = copy.deepcopy(DOCUMENTS)
    spoil(documents)
    with pytest.raises(TitleDataError) as caught:
        build_title(SCHEMA, documents)
    assert problem in caught.value.problems


def test_all_faults_are_reported_at_once() -> None:
    """Faults in different files are reported together."""
    documents = copy.deepcopy(DOCUMENTS)
    entry(documents, "tiles", "id", "9").update(track=["0-7"])
    entry(documents, "trains", "name", "4").update(price="dear")
    with pytest.raises(TitleDataError) as caught:
        build_title(SCHEMA, documents)
    assert [problem.split(":")[0] for problem in caught.value.problems] == ["tiles.toml", "trains.toml"]


def test_variant_that_is_not_offered_is_refused() -> None:
    """A variant unknown to the title is an error, not ignored."""
    with pytest.raises(TitleDataError, match="'winter' is not offered"):
        load_title(FOLDER_1824, SCHEMA, ("winter",))


DOCUMENT = {
    "bank": 100,
    "hexes": [{"at": "A1", "stops": ["city"], "terrain": {"water": 20}}, {"at": "A3"}],
    "variants": {
        "fog": {
            "without": {"hexes": ["A1"]},
            "hexes": [{"at": "A1", "colour": "red"}, {"at": "A5"}],
            "bank": 90,
            "by_players": {"2": {"bank": 80, "without": {"hexes": ["A3"]}}},
            "rulings": {"cash": {"more": {"bank": 95}}},
        }
    },
}


def test_a_variant_leaves_base_entries_out() -> None:
    """What it lists under the same key is new, and keeps nothing of the entry left out."""
    assert overlaid(DOCUMENT, (), {}) == {"bank": 100, "hexes": DOCUMENT["hexes"]}
    changed = overlaid(DOCUMENT, ("fog",), {})
    assert changed == {"bank": 90, "hexes": [{"at": "A3"}, {"at": "A1", "colour": "red"}, {"at": "A5"}]}


def test_parts_of_a_variant_hold_for_players_and_rulings() -> None:
    """Only where it is chosen; the number of players comes last."""
    two = overlaid(DOCUMENT, ("fog",), {}, 2)
    assert (two["bank"], [entry["at"] for entry in two["hexes"]]) == (80, ["A1", "A5"])
    assert overlaid(DOCUMENT, ("fog",), {"cash": "more"})["bank"] == 95
    assert overlaid(DOCUMENT, ("fog",), {"cash": "more"}, 2)["bank"] == 80
    assert overlaid(DOCUMENT, (), {"cash": "more"}, 2)["bank"] == 100
    assert names_of_parts(DOCUMENT, "rulings") == {"cash"}
    assert names_of_parts(DOCUMENT, "by_players") == {"2"}


def test_an_entry_that_is_not_there_cannot_be_left_out() -> None:
    """The list and the key are named."""
    document = {"hexes": [{"at": "A1"}], "variants": {"fog": {"without": {"hexes": ["B2"]}}}}
    with pytest.raises(OverlayError, match="without: hexes has no B2"):
        overlaid(document, ("fog",), {})


def test_same_choice_gives_the_same_object() -> None:
    """A title is loaded once per choice of variants and rulings."""
    rulings = {"operating_rounds_in_phase_5": "three"}
    assert load_title(FOLDER_1824, SCHEMA, (), rulings) is load_title(FOLDER_1824, SCHEMA, (), dict(rulings))
    assert load_title(FOLDER_1824, SCHEMA) is not load_title(FOLDER_1824, SCHEMA, (), rulings)


def test_threads_that_load_a_title_at_once_get_the_same_object(tmp_path: Path) -> None:
    """Also when none of them finds it loaded: titles are compared by identity, and games share what is derived of one."""
    folder = shutil.copytree(FOLDER_1824, tmp_path / "title")
    begin = threading.Barrier(4)

    def load(_: int) -> TitleData:
        begin.wait()
        return load_title(folder, SCHEMA)

    with ThreadPoolExecutor(4) as pool:
        assert len({id(data) for data in list(pool.map(load, range(4)))}) == 1


def test_ruling_changes_only_what_it_names() -> None:
    """A ruling's part of a file changes its fields and leaves all others as they are."""
    plain = load_title(FOLDER_1824, SCHEMA)
    ruled = load_title(
        FOLDER_1824,
        SCHEMA,
        (),
        {
            "operating_rounds_in_phase_5": "three",
            "goods_trains_at_first_10": "kept",
            "mountain_companies_in_certificate_limit": "counted",
        },
    )
    assert {name for name, phase in phases_of(ruled).items() if phase != phases_of(plain)[name]} == {"5"}
    assert phases_of(ruled)["5"].operating_rounds == 3
    assert {
        name for name, train in train_kinds_of(ruled).items() if train != train_kinds_of(plain)[name]
    } == {"1g", "2g", "3g"}
    assert train_kinds_of(ruled)["3g"].removed_by == ("5g",)
    counted = {company.symbol for company in cards_of(ruled).values() if company.counts_for_limit}
    assert counted == set(cards_of(ruled))
    assert map_data(ruled).hexes == map_data(plain).hexes
