"""The lobby's importer from the rules: what a table shows of a file, and what is refused before anything is written."""

from __future__ import annotations

import threading
from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from services.common.auth.signatures import TrustedKeys
from services.common.errors import Overloaded
from services.host import importing
from services.host.importing import RulesImporter
from services.lobby.domain.catalogue import RulingChoice
from services.lobby.domain.imports import ImportedGame, ImportWanted
from services.lobby.ports import ImportRefused, IsCancelled, never_cancelled
from services.rules.adapters.codec import encode_event
from services.rules.adapters.imported_games import unpacked_game
from services.rules.kernel.title import Title
from services.rules.titles import TITLES
from tests.golden.files import recorded as recorded_text
from tests.golden.plans import PLANS_BY_NAME
from tests.golden.playing import Playthrough, along
from tests.recorded.documents import act, document, encoded
from tests.rules.moving.files import KEYS, account, exported, recorded, records_of

SEATS = {"11": account(11), "B": account(12), "13": account(13)}
ACTIONS = (act(1, "pass", 13), act(2, "pass", 12), act(3, "buy_company", 11, company="EPP", price=120))
FILE = encoded(document(*ACTIONS))
SECONDS = 30.0


def importer(titles: Mapping[str, Title] = TITLES) -> RulesImporter:
    """One that trusts the key of the tests."""
    return RulesImporter(titles, TrustedKeys(KEYS))


def read(
    file: bytes, seats: Mapping[str, str] | None = None, is_cancelled: IsCancelled = never_cancelled
) -> ImportedGame:
    """The game in a file."""
    return importer().read(ImportWanted(file, (), "free"), SEATS if seats is None else seats, is_cancelled)


def code_of(file: bytes) -> str:
    """Why a file is refused."""
    with pytest.raises(ImportRefused) as refused:
        read(file, {})
    return refused.value.fault.code


def test_a_recorded_game_is_what_its_table_shows() -> None:
    """Title, seats, profile, policy, seed and origin; the kept events are those that the rules led to."""
    game = read(FILE)
    assert (game.title, game.players, game.seed) == ("1824", tuple(SEATS.values()), 5)
    assert (game.rulings.profile, game.rulings.single, game.undo_policy) == ("18xx.games", (), "free")
    assert (game.source, game.source_game_id, game.action_count) == ("18xx.games", "7", 3)
    kept = unpacked_game(game.events).facts
    assert kept[0].type == "game_created" and len(game.file_digest) == 64
    assert read(FILE).events == game.events


def test_an_export_keeps_its_choices() -> None:
    """Rulings that differ from the rulebook's are shown one by one, the policy is the game's own."""
    seats = {"11": account(11), "12": account(12), "13": account(13)}
    first, *others = recorded(FILE, seats).events
    ruling = next(each for each in TITLES["1824"].rulings if each.peer != each.values[0])
    rulings = [each for each in first.rulings if each.name == ruling.name]  # type: ignore[attr-defined]
    single = replace(first, rulings=tuple(rulings), undo_policy="none")
    game = read(exported(records_of([single, *others])), {})
    assert (game.rulings.profile, game.rulings.single) == ("", (RulingChoice(ruling.name, ruling.peer),))
    assert (game.source, game.source_game_id, game.undo_policy) == ("signalbox", "g1", "none")
    assert game.action_count == len(others) + 1


def test_books_that_would_not_balance_are_refused() -> None:
    """A trusted platform may have had a fault: a game that the ledger would hold is not made."""
    through = Playthrough(PLANS_BY_NAME["1824-stalemate"])
    chooser = along(recorded_text(through.plan))
    while through.step < 10 and (command := chooser(through)) is not None:
        through.carry_out(command)
    events = list(through.play.events)
    number = next(n for n, event in enumerate(events, 1) if encode_event(event)[0] == "cash_moved")
    events[number - 1] = replace(events[number - 1], amount=-5)
    with pytest.raises(ImportRefused) as refused:
        read(exported(records_of(events)), {})
    fault = refused.value.fault
    assert (fault.code, fault.number, fault.kind) == ("books_differ", number, "cash_moved")


def test_more_events_than_a_record_of_kafka_holds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a game could be played on the embedded host alone."""
    content = exported(records_of(recorded(FILE, {"11": "a1", "12": "a2", "13": "a3"}).events))
    monkeypatch.setattr(importing, "EVENTS_BYTES_MAX", 1_000)
    assert code_of(content) == "too_large"


def test_titles_that_are_not_installed_are_named() -> None:
    """Of either kind of file."""
    content = exported(records_of(recorded(FILE, {"11": "a1", "12": "a2", "13": "a3"}).events))
    for file, seats in ((content, {}), (FILE, SEATS)):
        with pytest.raises(ImportRefused) as refused:
            importer({}).read(ImportWanted(file, ()), seats, never_cancelled)
        assert refused.value.fault.code == "unknown_title" and "1824" in str(refused.value)


def test_one_file_is_read_at_a_time() -> None:
    """While it is, others are turned away with a hint; afterwards there is room again."""
    reader, inside, leave = importer(), threading.Event(), threading.Event()

    def wait_inside() -> bool:
        inside.set()
        assert leave.wait(SECONDS)
        return False

    wanted = ImportWanted(FILE, ())
    first = threading.Thread(target=lambda: reader.read(wanted, SEATS, wait_inside))
    first.start()
    assert inside.wait(SECONDS)
    with pytest.raises(Overloaded) as refused:
        reader.read(wanted, SEATS, never_cancelled)
    assert refused.value.trailing
    leave.set()
    first.join(SECONDS)
    assert reader.read(wanted, SEATS, never_cancelled).title == "1824"
