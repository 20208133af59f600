"""What a table can choose: it is refused when the table is opened, or the game begins. No table is stuck between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from services.common.auth.tokens import Principal
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as pb, rejection_pb2, table_pb2
from services.host.embedded import EmbeddedHost
from services.host.game_starting import RulesCatalogue
from services.lobby.domain.catalogue import TableChoices
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.tables import TableState
from services.lobby.handlers.tables import TableHandlers
from services.rules.adapters.view import game_view
from services.rules.kernel.rejections import reject_if
from services.rules.titles import TITLES
from tests.host.signed_in_players import NAMES, SECONDS, Party
from tests.hosting import settings_in

PLAYERS = tuple(Principal(f"p{number}", f"Player {number}") for number in range(8))
MOST_AT_ONCE = 2
REASONS = {RejectionReason.OPTION_NOT_OFFERED, RejectionReason.OPTIONS_NOT_PLAYABLE}


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedHost]:
    """A host over a file."""
    host = EmbeddedHost(settings_in(tmp_path_factory.mktemp("choices")))
    yield host
    host.stop()


def choices_of(title: str) -> Iterator[TableChoices]:
    """Every choice of none, one or two options with every number of players, also numbers that are not offered."""
    counts = TITLES[title].all_player_counts
    names = [option.name for option in TITLES[title].options]
    for players in range(counts[0] - 1, counts[-1] + 2):
        for size in range(MOST_AT_ONCE + 1):
            for options in combinations(names, size):
                yield TableChoices(title, players, options, seed=players)


def play(tables: TableHandlers, number: int, choices: TableChoices) -> Rejection | str:
    """The id of the game at a table with these choices, or why the table was not opened."""
    request_id = f"{choices.title}-{number}"
    table = tables.create(PLAYERS[0], request_id, choices)
    if isinstance(table, Rejection):
        return table
    for player in PLAYERS[1 : choices.player_count]:
        tables.join(player, request_id, table.table_id)
    begun = tables.start(PLAYERS[0], f"start-{number}", table.table_id)
    assert not isinstance(begun, Rejection), (choices, begun)
    assert begun.state is TableState.PLAYING
    return begun.game_id


@pytest.mark.parametrize("title", TITLES)
def test_each_choice_is_refused_at_once_or_becomes_a_game(embedded: EmbeddedHost, title: str) -> None:
    """Up to two options together, with every number of players: no table is opened that cannot begin."""
    begun = 0
    for number, choices in enumerate(choices_of(title)):
        outcome = play(embedded._lobby.tables, number, choices)
        if isinstance(outcome, Rejection):
            is_offered = choices.player_count in TITLES[title].all_player_counts
            assert (outcome.reason in REASONS) == is_offered, (choices, outcome)
            assert f"options of {title}" in outcome.sentence.lower() or not is_offered
            continue
        found = embedded.rules.reader.game_at(outcome)
        view = game_view(outcome, found.loaded.title, found.loaded.data, found.game)
        assert (tuple(view.options), len(view.players)) == (choices.options, choices.player_count)
        begun += 1
    assert begun


def test_a_title_may_refuse_for_reasons_of_its_own() -> None:
    """Beside the conditions that its options name: the lobby asks the title itself."""

    def no_pairs(options: tuple[str, ...], players: int) -> None:
        reject_if(len(options) > 1 and players > 3, "unknown_option", "1862/1", "one is enough")

    catalogue = RulesCatalogue({"1862": replace(TITLES["1862"], check_further=no_pairs)})
    pair = ("short_game", "eight_stations")
    assert catalogue.refusal(TableChoices("1862", 3, pair)) is None
    refusal = catalogue.refusal(TableChoices("1862", 4, pair))
    assert refusal is not None
    assert refusal.sentence.endswith("one is enough")


def test_a_table_from_before_titles_were_asked_can_be_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was opened and filled, and nobody can play it: the start is rejected, the table stays open until its owner leaves."""
    host = EmbeddedHost(settings_in(tmp_path))
    tables = host._lobby.tables
    with monkeypatch.context() as earlier:
        earlier.setattr(tables, "unplayable", lambda choices: None)
        table = tables.create(PLAYERS[0], "c", TableChoices("1862", 2, ("beginners",)))
    assert not isinstance(table, Rejection)
    tables.join(PLAYERS[1], "j", table.table_id)
    rejected = tables.start(PLAYERS[0], "s", table.table_id)
    assert isinstance(rejected, Rejection)
    assert rejected.reason is RejectionReason.OPTIONS_NOT_PLAYABLE
    left = tables.leave(PLAYERS[0], "l", table.table_id)
    assert not isinstance(left, Rejection)
    assert left.state is TableState.CLOSED
    host.stop()


def test_a_table_whose_start_was_cut_off_then_is_closed_by_the_next_start_of_the_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its seats were drawn, and it answered UNAVAILABLE for ever. Now everybody sees why there is no game."""
    host = EmbeddedHost(settings_in(tmp_path))
    tables = host._lobby.tables
    with monkeypatch.context() as earlier:
        earlier.setattr(tables, "unplayable", lambda choices: None)
        earlier.setattr(tables, "_begin_game", lambda table: table)
        table = tables.create(PLAYERS[0], "c", TableChoices("1862", 2, ("beginners",)))
        assert not isinstance(table, Rejection)
        tables.join(PLAYERS[1], "j", table.table_id)
        tables.start(PLAYERS[0], "s", table.table_id)
    assert tables.get(table.table_id).state is TableState.STARTING
    host.stop()
    host = EmbeddedHost(settings_in(tmp_path))
    host._lobby.tables.resume_starting_tables()
    closed = host._lobby.tables.get(table.table_id)
    assert closed.state is TableState.CLOSED
    assert closed.start_refusal is not None
    assert "beginners needs simple_express or simple_freight" in closed.start_refusal.sentence
    assert closed.start_refusal.clause == "1862/11.3-a"
    host.stop()


def create(party: Party, **chosen: object) -> pb.CreateTableResponse:
    """Ada opens a table of 1862."""
    request = pb.CreateTableRequest(request_id=party.request_id(), title="1862", **chosen)  # type: ignore[arg-type]
    answer: pb.CreateTableResponse = party.lobby.CreateTable(
        request, metadata=party.tokens["Ada"], timeout=SECONDS
    )
    return answer


@pytest.mark.parametrize(
    ("options", "clause"),
    [
        (["beginners"], "1862/11.3-a"),
        (["shorter_game"], "1862/11.2-a"),
        (["long_game", "short_game"], "1862/11.1-a"),
    ],
)
def test_both_hosts_refuse_what_the_title_does_not_play(
    party: Party, options: list[str], clause: str
) -> None:
    """With the reason, the clause, and the options there are."""
    rejected = create(party, player_count=3, options=options).rejected
    assert rejected.reason == rejection_pb2.REJECTION_REASON_OPTIONS_NOT_PLAYABLE
    assert rejected.clause == clause
    assert "Options of 1862 for 3 players: short_game, long_game" in rejected.sentence
    assert "extra_companies" not in rejected.sentence


def test_both_hosts_begin_what_the_title_plays(party: Party) -> None:
    """Beginners with simple trains: the same words together."""
    chosen = ["simple_freight", "beginners"]
    table_id = create(party, player_count=3, options=chosen, seed=3).table.table_id
    for name in NAMES[1:]:
        join = pb.JoinTableRequest(request_id=party.request_id(), table_id=table_id)
        party.lobby.JoinTable(join, metadata=party.tokens[name], timeout=SECONDS)
    start = pb.StartTableRequest(request_id=party.request_id(), table_id=table_id)
    started = party.lobby.StartTable(start, metadata=party.tokens["Ada"], timeout=SECONDS).table
    assert started.state == table_pb2.TABLE_STATE_PLAYING
    assert list(party.game(started.game_id).options) == chosen
