"""Files that are games, and files that are not."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from services.rules.importer import files
from services.rules.importer.record import NotAGameError, Record, parse
from tests.recorded.documents import Json, act, document, encoded

ROUTE = {"train": "2-0", "hexes": ["A1", "A3"], "connections": [["A1", "A3"]], "revenue": 20}


def without(key: str) -> Json:
    """A document that lacks one field."""
    return {name: value for name, value in document().items() if name != key}


def test_plain_and_packed_files_read_alike(tmp_path: Path) -> None:
    """Gzip is recognised by its first bytes, whatever the file is called."""
    content = encoded(document(act(1, "pass")))
    plain, packed = tmp_path / "a.json.gz", tmp_path / "b.json"
    plain.write_bytes(content)
    packed.write_bytes(gzip.compress(content))
    assert files.read_record(plain) == files.read_record(packed)


def test_record_says_what_the_file_says() -> None:
    """Title, seats, options, seed, result and the reason of the end are taken over."""
    found = parse(encoded(document(settings={"seed": 5, "optional_rules": ["goods_time"]})))
    assert (found.title, found.players, found.options, found.seed) == (
        "1824",
        (11, 12, 13),
        ("goods_time",),
        5,
    )
    assert (found.result["11"], found.end_reason) == (820, "manually_ended")


@pytest.mark.parametrize(
    ("changes", "seed"),
    [
        ({"settings": {"seed": "", "optional_rules": []}, "id": "hs_ab12cd34"}, 12),
        ({"settings": {"optional_rules": None}, "id": 46925}, 46925),
        ({"settings": {"seed": 2**31 + 3}}, 3),
        ({"settings": {"seed": str(2**80 + 3)}}, 3),
        ({"settings": {"seed": None}, "id": "none"}, 0),
    ],
)
def test_seed_comes_from_the_id_when_the_settings_lack_one(changes: Json, seed: int) -> None:
    """Without a seed the first digits of the id count, all modulo 2^31."""
    assert parse(encoded(document(**changes))).seed == seed


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "truncated"),
        (b"{", "truncated"),
        (b"not json", "malformed"),
        (b"\xff\xfe", "malformed|invalid"),
        (b"[]", r"Expected `object`, got `array`"),
        (b"null", r"Expected `object`, got `null`"),
        (b"[" * 100_000, "recursion|depth|truncated"),
    ],
)
def test_what_is_not_a_json_object_is_refused(content: bytes, reason: str) -> None:
    """No JSON, no object, endless nesting: refused with the parser's reason."""
    with pytest.raises(NotAGameError, match=rf"(?i){reason}"):
        parse(content)


@pytest.mark.parametrize("key", ["title", "players", "actions"])
def test_missing_fields_are_named(key: str) -> None:
    """A game needs a title, players and actions."""
    with pytest.raises(NotAGameError, match=f"missing required field `{key}`"):
        parse(encoded(without(key)))


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"title": 1824}, r"\$\.title"),
        ({"players": {}}, r"\$\.players"),
        ({"players": [{"name": "A"}]}, r"\$\.players\[0\]"),
        ({"players": [{"id": 1.5}]}, r"\$\.players\[0\]\.id"),
        ({"players": []}, r"\$\.players"),
        ({"players": [{"id": 1}, {"id": "1"}]}, r"\$\.players"),
        ({"settings": []}, r"\$\.settings"),
        ({"settings": {"optional_rules": [1]}}, r"\$\.settings\.optional_rules\[0\]"),
        ({"result": {"11": "much"}}, r"\$\.result"),
        ({"result": {"14": 1}}, r"\$\.result"),
        ({"actions": {}}, r"\$\.actions"),
        ({"actions": [3]}, r"\$\.actions\[0\]"),
    ],
)
def test_wrong_types_are_named_by_place(changes: Json, place: str) -> None:
    """The message says where in the file the wrong value stands."""
    with pytest.raises(NotAGameError, match=f"at `{place}"):
        parse(encoded(document(**changes)))


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (act(1, "conquer"), r"Invalid value 'conquer' - at `\$\.actions\[0\]\.type`"),
        ({"id": 1, "entity": 1, "entity_type": "player"}, "missing required field `type`"),
        ({"id": 1, "type": "pass", "entity_type": "player"}, "missing required field `entity`"),
        (act(1, "pass") | {"entity": None}, r"at `\$\.actions\[0\]\.entity`"),
        (act(1, "pass") | {"id": None}, r"missing required field `id` - at `\$\.actions\[0\]`"),
        (act(0, "pass"), r"id 0 is below 1"),
        (act(1, "buy_company", company="EPP"), r"missing required field `price`"),
        (act(1, "buy_company", company="EPP", price="120"), r"at `\$\.actions\[0\]\.price`"),
        (act(1, "lay_tile", "EPP", hex="B5", tile="6-0"), "missing required field `rotation`"),
        (act(1, "run_routes", "EPP", routes=[{}]), r"at `\$\.actions\[0\]\.routes\[0\]`"),
        (act(1, "run_routes", "EPP", routes=[ROUTE | {"hexes": "A1"}]), r"routes\[0\]\.hexes`"),
        (act(1, "pass", auto_actions=[{"type": "pass"}]), r"at `\$\.actions\[0\]\.auto_actions\[0\]`"),
        (act(1, "undo", action_id="x"), r"at `\$\.actions\[0\]\.action_id`"),
    ],
)
def test_malformed_actions_are_named(action: Json, reason: str) -> None:
    """Unknown types and missing or wrong fields of an action are refused by place."""
    with pytest.raises(NotAGameError, match=reason):
        parse(encoded(document(action)))


def test_ids_are_not_repeated() -> None:
    """An undo names an action by its id; the ids need not ascend."""
    assert len(parse(encoded(document(act(2, "pass"), act(1, "pass")))).steps) == 2
    with pytest.raises(NotAGameError, match=r"id 2 is there twice - at `\$\.actions\[1\]\.id`"):
        parse(encoded(document(act(2, "pass"), act(2, "pass"))))


def test_numbers_beyond_any_game_are_read_or_refused() -> None:
    """A number of many digits never does more than be refused."""
    huge = encoded(document(act(1, "buy_company", company="EPP", price=1))).replace(
        b'"price":1', b'"price":' + b"9" * 400
    )
    assert parsed(huge) is None or isinstance(parsed(huge), Record)


def test_missing_damaged_and_oversized_files_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be read, or is larger than any game, is no game."""
    damaged = tmp_path / "damaged.gz"
    damaged.write_bytes(gzip.compress(encoded(document()))[:-9])
    large = tmp_path / "large.json"
    large.write_bytes(encoded(document()))
    monkeypatch.setattr(files, "CONTENT_MAX", 10)
    for path, reason in (
        (tmp_path / "none", "No such file"),
        (tmp_path, "directory"),
        (large, "larger than 10"),
    ):
        with pytest.raises(NotAGameError, match=reason):
            files.read_record(path)
    with pytest.raises(NotAGameError):
        files.read_record(damaged)


def test_a_bad_trace_line_is_named(tmp_path: Path) -> None:
    """A trace holds one JSON object a line."""
    path = tmp_path / "trace.jsonl"
    path.write_text('{"n": 0}\n[]\n')
    with pytest.raises(NotAGameError, match="line 2"):
        files.read_trace(path)


@pytest.mark.parametrize("name", ["trace.jsonl", "trace.jsonl.gz"])
def test_a_trace_is_read_as_it_was_written(tmp_path: Path, name: str) -> None:
    """Traces come back equal, packed or not."""
    lines: list[dict[str, Any]] = [{"n": 0, "bank": 12000}, {"n": 1, "tiles": {"B5": ["6", 3, 0]}}]
    files.write_trace(tmp_path / name, lines)
    assert files.read_trace(tmp_path / name) == lines


def parsed(content: bytes) -> Record | None:
    """The game, or nothing when it is refused; any other error is a fault."""
    try:
        return parse(content)
    except NotAGameError:
        return None


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None)
@given(key=st.sampled_from(sorted(document())), value=JSON_VALUES)
def test_any_value_in_any_place_is_read_or_refused(key: str, value: Any) -> None:
    """Whatever stands in a top-level field, the answer is a game or a refusal."""
    found = parsed(encoded(document(**{key: value})))
    assert found is None or found.players
