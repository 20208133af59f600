"""The lobby's adapters."""

import re

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import VerifyMismatchError
from msgspec.structs import replace

from services.common.eventlog.port import Record
from services.common.settings.accounts import THROWAWAY_ACCOUNTS
from services.gen.signalbox.lobby.v1 import lobby_event_pb2 as wire, tournament_event_pb2 as tournament_wire
from services.lobby import event_codec
from services.lobby.adapters.argon2_passwords import Argon2Passwords, hash_of_nobody
from services.lobby.adapters.attempt_limit import KEYS_MAX, AttemptLimit
from services.lobby.adapters.random_ids import random_player_id
from services.lobby.adapters.system_seeds import SystemSeeds
from services.lobby.domain import imports, players, tables
from services.lobby.domain.catalogue import RulingChoice, RulingSelection
from services.lobby.domain.games import GameResult
from services.lobby.domain.tournaments.rounds.adjudication import AppealDecided, AppealFiled
from services.lobby.event_codec import LobbyEvent, UnknownRecord, decode, encode
from services.lobby.ports import AttemptLimiter
from services.lobby.upcasts import LATEST, Upcast
from tests.contracts.attempt_limiter_contract import SLOW, AttemptLimiterContract

ANN = players.Player("p1", "Ann")
EVENTS: tuple[LobbyEvent, ...] = (
    players.NameClaimed("p1"),
    players.NameReleased("p1"),
    players.PlayerRegistered("p1", "Ann", "$argon2id$..."),
    tables.TableCreated(
        "t1",
        ANN,
        "1824",
        4,
        ("goods_time",),
        RulingSelection("18xx.games", (RulingChoice("export", "none"),)),
        "none",
        2**63 - 1,
        True,
        1_700_000_000_000,
        86_400,
    ),
    tables.TableImported(
        "t2",
        "g2",
        (players.Player("p2", "Bob"), ANN),
        "1862",
        ("short_game",),
        RulingSelection("", (RulingChoice("export", "none"),)),
        "free",
        5,
        imports.TableOrigin("signalbox", "g9", "ab" * 32, 612, "operator:eve"),
        "lobby.import.cd",
        1_700_000_000_000,
        3_600,
    ),
    imports.GameKept(b"events"),
    tables.PlayerJoined(ANN),
    tables.PlayerLeft("p1"),
    tables.TableStarted("g1", ("p2", "p1")),
    tables.TableGameBegun("g1"),
    tables.TableClosed(),
    tables.TableStartRefused("unknown_option", "The rules refuse.", "1862/11.3-a"),
    tables.TableFinished("g1", 9, "bank_broken", (GameResult("p2", 700), GameResult("p1", -5))),
    tables.TableReopened("g1", 10),
    tables.TurnOverdue("p1", 1_700_000_000_000, 7),
)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_events_survive_the_log(event: LobbyEvent) -> None:
    """Every event comes back from its record as it was."""
    record = encode(event)
    assert decode(Record("lobby.x", 1, record.type, record.schema_version, record.payload, 0, 1)) == event


@pytest.mark.parametrize(
    ("record_type", "version", "payload"),
    [("table_burnt", 1, b""), ("table_closed", 2, b""), ("player_left", 1, b"\x0a\xff")],
)
def test_unreadable_records_are_named(record_type: str, version: int, payload: bytes) -> None:
    """Unknown types, later versions and damaged bodies are rejected with location and type."""
    with pytest.raises(UnknownRecord, match=f"lobby.table.t1 #3: .*{record_type}"):
        decode(Record("lobby.table.t1", 3, record_type, version, payload, 0, 9))


def test_unknown_names_and_versions_of_events_are_named_exactly() -> None:
    """The message tells an event that is not known from a version that is not."""
    with pytest.raises(UnknownRecord, match=r"lobby\.x #1: no event is called 'table_burnt'"):
        decode(Record("lobby.x", 1, "table_burnt", 1, b"", 0, 1))
    with pytest.raises(
        UnknownRecord, match="table_closed: schema version 2 is unknown, 1 is the newest known"
    ):
        decode(Record("lobby.x", 1, "table_closed", 2, b"", 0, 1))


def test_an_old_event_goes_through_all_versions_since(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if `player_left` were in version 3: each upcast makes the next version of the message."""
    upcasts = {
        ("player_left", 1): Upcast(wire.TableGameBegun, lambda old: wire.NameClaimed(player_id=old.game_id)),
        ("player_left", 2): Upcast(
            wire.NameClaimed, lambda old: wire.PlayerLeft(player_id=old.player_id + "!")
        ),
    }
    monkeypatch.setattr(event_codec, "UPCASTS", upcasts)
    monkeypatch.setattr(event_codec.Reader, "version", 3)
    first = wire.TableGameBegun(game_id="ann").SerializeToString()
    second = wire.NameClaimed(player_id="bob").SerializeToString()
    assert decode(Record("lobby.x", 1, "player_left", 1, first, 0, 1)) == tables.PlayerLeft("ann!")
    assert decode(Record("lobby.x", 1, "player_left", 2, second, 0, 1)) == tables.PlayerLeft("bob!")


def test_old_appeals_are_about_the_latest_adjudication() -> None:
    """Version 1 did not say which one."""
    filed = tournament_wire.AppealFiledV1(table=1, player_id="ann", text="unfair", time_ms=5)
    decided = tournament_wire.AppealDecidedV1(table=1, is_upheld=True, reason="was", author="dora", time_ms=6)
    for name, old, wanted in (
        ("appeal_filed", filed, AppealFiled(1, "ann", "unfair", 5, LATEST)),
        ("appeal_decided", decided, AppealDecided(1, True, "was", "dora", 6, LATEST)),
    ):
        assert decode(Record("lobby.round.x.0.1", 1, name, 1, old.SerializeToString(), 0, 1)) == wanted


def test_passwords_are_hashed_with_salt() -> None:
    """Two hashes of a password differ, both fit it and nothing else; nobody has no password."""
    passwords = Argon2Passwords(THROWAWAY_ACCOUNTS)
    first, second = passwords.hash("correct horse"), passwords.hash("correct horse")
    assert first != second
    assert first.startswith("$argon2id$")
    assert "correct horse" not in first
    assert passwords.verify(first, "correct horse")
    assert not passwords.verify(first, "Correct horse")
    assert not passwords.verify("no hash at all", "correct horse")
    assert not passwords.verify(None, "nobody")


def test_a_name_that_nobody_has_costs_as_much_as_any() -> None:
    """What is verified where a name is unknown is a whole hash of the same cost, which no password fits."""
    hasher = PasswordHasher(time_cost=1, memory_cost=32)
    nobody = hash_of_nobody(hasher)
    assert extract_parameters(nobody) == extract_parameters(hasher.hash("correct horse"))
    with pytest.raises(VerifyMismatchError):
        hasher.verify(nobody, "correct horse")


def test_a_hash_of_another_cost_still_fits() -> None:
    """An operator may change the cost: accounts keep their passwords."""
    before = Argon2Passwords(THROWAWAY_ACCOUNTS).hash("correct horse")
    assert Argon2Passwords(replace(THROWAWAY_ACCOUNTS, hash_passes=2)).verify(before, "correct horse")


class TestAttemptLimit(AttemptLimiterContract):
    """In memory."""

    @pytest.fixture
    def limiter(self) -> AttemptLimiter:
        """No attempts."""
        return AttemptLimit()


def test_attempts_take_bounded_memory() -> None:
    """However many keys are tried, only the latest are kept."""
    limit = AttemptLimit()
    for number in range(KEYS_MAX + 10):
        limit.begin(str(number), SLOW)
    assert len(limit._attempts) == KEYS_MAX


def test_waits_double_up_to_the_longest() -> None:
    """By a clock that is moved by hand: 60, 120, 240, 480, 600, 600 seconds; and none after an hour of rest."""
    now = [0.0]
    limit = AttemptLimit(lambda: now[0])
    assert [limit.begin("ann", SLOW) for _ in range(5)] == [0] * 5
    waits = []
    for _ in range(6):
        waits.append(limit.begin("ann", SLOW))
        now[0] += waits[-1] / 1000
        assert limit.begin("ann", SLOW) == 0
    assert waits == [60_000, 120_000, 240_000, 480_000, 600_000, 600_000]
    now[0] += SLOW.forget_ms / 1000
    assert [limit.begin("ann", SLOW) for _ in range(5)] == [0] * 5


def test_player_ids_are_random() -> None:
    """Of the same form as before, and never the same."""
    drawn = {random_player_id() for _ in range(100)}
    assert len(drawn) == 100
    assert all(re.fullmatch(r"p[a-z2-7]{24}", each) for each in drawn)


def test_seeds_are_in_range_and_differ() -> None:
    """Drawn seeds fit a signed 64-bit integer and are not all the same."""
    drawn = [SystemSeeds().draw() for _ in range(20)]
    assert all(0 <= seed < 2**63 for seed in drawn)
    assert len(set(drawn)) > 1
