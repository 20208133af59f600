"""Exports: read again they fold to the same state, and no event of them can be changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.common.auth.signatures import TrustedKeys
from services.common.auth.token_keys import SingleKey
from services.common.eventlog.port import Record
from services.rules.adapters.codec import encode_event
from services.rules.adapters.snapshots import state_bytes
from services.rules.kernel.events import CashMoved, Event, Undone
from services.rules.kernel.fold import replay
from services.rules.kernel.game import Game
from services.rules.moving.refusals import FileRefused
from tests.golden.files import recorded as recorded_text
from tests.golden.logs import read
from tests.golden.plans import PLANS, Plan
from tests.golden.playing import Playthrough, along
from tests.golden.test_logs import GAME_LOGS
from tests.recorded.documents import REPLAYED_GAMES, act, document, encoded, played
from tests.rules.moving.files import (
    KEYS,
    account,
    exported,
    imported,
    recorded,
    records_of,
)

# Where a game is left: running games are moved.
COMMANDS = 40
ACTIONS = (
    act(1, "pass", 13),
    act(2, "pass", 12),
    act(3, "buy_company", 11, company="EPP", price=120),
)


def refusal(content: bytes, **how: Any) -> FileRefused:
    """Why this file is not taken."""
    with pytest.raises(FileRefused) as refused:
        imported(content, **how)
    return refused.value


def small_game() -> list[Record]:
    """A game of three that has just begun."""
    seats = {"11": account(11), "12": account(12), "13": account(13)}
    return records_of(recorded(encoded(document(*ACTIONS)), seats).events)


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name)
def test_an_export_of_every_playthrough_folds_to_the_same_state(plan: Plan) -> None:
    """So many commands into a game of every title, variant and ruling."""
    through = Playthrough(plan)
    chooser = along(recorded_text(plan))
    while through.step < COMMANDS and (command := chooser(through)) is not None:
        through.carry_out(command)
    assert_equal_after_import(through.play.events, through.play.game)


@pytest.mark.parametrize("name", REPLAYED_GAMES)
def test_an_export_of_every_whole_game_folds_to_the_same_state(shared: Path, name: str) -> None:
    """Games played to their ends."""
    replay = played(shared, name)
    assert replay.game.finished
    assert_equal_after_import(replay.events, replay.game)


def assert_equal_after_import(events: Sequence[Event], game: Game) -> None:
    """The game goes out and comes in as it was: its events, and the bytes of the state after them."""
    records = records_of(events)
    opening = imported(exported(records))
    assert state_bytes(opening.game) == state_bytes(game)
    assert [encode_event(event) for event in opening.events] == [
        (record.type, record.schema_version, record.payload) for record in records
    ]


@pytest.mark.parametrize("path", GAME_LOGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_logs_of_older_versions_come_in_as_their_newest(path: Any) -> None:
    """The file keeps the stored bytes of every version; what is imported folds to the same state."""
    records = read(path).records("game/g1")
    opening = imported(exported(records))
    assert opening.game.sequence == len(records) and state_bytes(opening.game) == state_bytes(
        replay(opening.events)
    )


def test_an_undo_in_the_past_is_kept() -> None:
    """What was undone is part of the facts."""
    events = [*imported(exported(small_game())).events]
    events.append(Undone(account(11), len(events) - 2))
    opening = imported(exported(records_of(events)))
    assert state_bytes(opening.game) == state_bytes(replay(events)) and len(opening.events) == len(events)


def with_line(number: int, change: Callable[[dict[str, Any]], None]) -> bytes:
    """The export of the small game with one line changed, from 1; the last one has number 0."""
    lines = exported(small_game()).splitlines()
    line = json.loads(lines[number - 1])
    change(line)
    lines[number - 1] = msgspec.json.encode(line)
    return b"\n".join(lines) + b"\n"


@pytest.mark.parametrize("field", ["payload", "type", "schema_version", "recorded_time_ms", "digest"])
def test_a_changed_event_is_named(field: str) -> None:
    """Whatever of a line is changed, the refusal has its number and kind."""
    other = encode_event(CashMoved("bank", account(11), 999, "starting_cash"))
    changes: dict[str, Any] = {
        "payload": msgspec.to_builtins(other[2]),
        "type": "round_ended",
        "schema_version": 7,
        "recorded_time_ms": 5,
        "digest": "0" * 16,
    }
    found = refusal(with_line(4, lambda line: line.update({field: changes[field]})))
    assert (found.code, found.number) == ("event_differs", 4) and found.kind


def test_what_people_read_is_not_what_counts() -> None:
    """The words of an event may be changed without any effect."""
    content = with_line(4, lambda line: line.update(event={"amount": 10**6}))
    assert imported(content).events == imported(exported(small_game())).events


@pytest.mark.parametrize(
    ("cut", "code", "number"),
    [
        (lambda lines: [*lines[:2], *lines[3:]], "event_missing", 3),
        (lambda lines: [*lines[:3], lines[2], *lines[3:]], "event_missing", 4),
        (lambda lines: [*lines[:-3], lines[-1]], "event_missing", -1),
        (lambda lines: lines[:-1], "not_signed", 0),
        (lambda lines: [*lines[:2], b"[" * 100_000, *lines[2:]], "not_a_game", 3),
        (lambda lines: [*lines[:2], b'{"sequence":3}', *lines[2:]], "not_a_game", 3),
    ],
)
def test_a_file_with_other_lines_is_refused(
    cut: Callable[[list[bytes]], list[bytes]], code: str, number: int
) -> None:
    """Lines left out, doubled, cut off or put in are named."""
    lines = exported(small_game()).splitlines()
    found = refusal(b"\n".join(cut(lines)))
    assert (found.code, found.number) == (code, len(lines) - 2 if number < 0 else number)


def test_only_signed_exports_are_taken() -> None:
    """No signature, one of another key, or one of other content: refused. A key of another platform may be trusted."""
    stranger = SingleKey(Ed25519PrivateKey.generate())
    foreign = exported(small_game(), stranger)
    assert refusal(foreign).code == "not_signed"
    assert imported(foreign, trusted=TrustedKeys(stranger)).game.players
    for change in ({"signature": ""}, {"signature": "AAAA"}, {"game_id": "g2"}, {"state": "00"}):
        content = with_line(0, lambda line, change=change: line["end"].update(change))  # type: ignore[misc]
        assert refusal(content).code == "not_signed", change


def test_a_signed_log_that_is_broken_is_named_at_its_event() -> None:
    """Also a trusted platform may have a fault: an event that this version cannot read, and one that cannot have happened."""
    records = small_game()
    unknown = [*records[:2], msgspec.structs.replace(records[2], type="cash_stolen"), *records[3:]]
    with pytest.raises(Exception, match="cash_stolen"):
        exported(unknown)
    doubled = [*records, msgspec.structs.replace(records[0], sequence=len(records) + 1)]
    found = refusal(exported(doubled))
    assert (found.code, found.number, found.kind) == ("event_impossible", len(doubled), "game_created")


def test_players_are_replaced_as_if_they_had_played() -> None:
    """The events with other accounts are those of the same game played by these accounts."""
    ids = (11, 12, 13)
    theirs, ours = ({str(each): account(each + more) for each in ids} for more in (0, 30))
    content = encoded(document(*ACTIONS))
    moved = imported(
        exported(records_of(recorded(content, theirs).events)),
        {theirs[str(each)]: ours[str(each)] for each in ids},
    )
    played = recorded(content, ours)
    assert moved.events == played.events and state_bytes(moved.game) == state_bytes(played.game)


def test_seats_have_to_fit() -> None:
    """Every player has an account of his own; players whose ids could be words keep them."""
    ids = {each: account(number) for number, each in enumerate(("11", "12", "13"), start=1)}
    content = exported(records_of(recorded(encoded(document(*ACTIONS)), ids).events))
    first, second, third = ids.values()
    seats = {first: account(7), second: account(8), third: account(9)}
    assert refusal(content, accounts={first: account(7)}).player == second
    assert refusal(content, accounts=seats | {"x": account(6)}).code == "seat_unknown"
    assert refusal(content, accounts=seats | {third: account(7)}).code == "account_repeated"
    by_words = exported(records_of(recorded(encoded(document()), {e: f"n{e}" for e in ids}).events))
    accounts = {f"n{each}": account(number) for number, each in enumerate(ids)}
    assert refusal(by_words, accounts=accounts).code == "players_not_replaceable"
    assert imported(by_words, {each: each for each in accounts}).game.players == tuple(accounts)


def test_the_key_of_a_file_is_named() -> None:
    """A file says which key has signed it."""
    assert json.loads(exported(small_game(), KEYS).splitlines()[-1])["end"]["key_id"] == ""
