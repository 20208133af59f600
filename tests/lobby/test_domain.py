"""The lobby's pure rules."""

import pytest
from hypothesis import given, strategies as st

from services.gen.signalbox.lobby.v1 import rejection_pb2
from services.lobby.domain.catalogue import RulingChoice, RulingSelection, TableChoices, reject_choices
from services.lobby.domain.players import (
    NameClaimed,
    NameReleased,
    Player,
    owner_after,
    reject_password,
)
from services.lobby.domain.quotas import Quotas, Usage, reject_another_table
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.seats import draw_seats
from services.lobby.domain.table_requests import decide_create, decide_join, decide_leave, decide_start
from services.lobby.domain.tables import (
    BrokenTableLog,
    PlayerJoined,
    Table,
    TableClosed,
    TableEvent,
    TableGameBegun,
    TableStarted,
    TableState,
    evolve,
)
from tests.lobby.fakes import OFFER

QUOTAS = Quotas(open_tables=2, seats=3, stored_bytes=1_000, joins_per_table=2, imports=2)
ANN, BOB, CY = Player("p-ann", "Ann"), Player("p-bob", "Bob"), Player("p-cy", "Cy")


def opened(player_count: int = 2) -> Table:
    """A new table of Ann's."""
    created = decide_create("t1", ANN, TableChoices("1824", player_count), 42, 1_000)
    assert not isinstance(created, Rejection)
    return evolve(None, created)


def after(table: Table, decided: object) -> Table:
    """The table after an accepted decision."""
    assert isinstance(decided, tuple)
    for event in decided:
        table = evolve(table, event)
    return table


def joined(table: Table, player: Player) -> tuple[TableEvent, ...] | Rejection:
    """The decision for a player who keeps nothing yet."""
    return decide_join(table, player, Usage(), QUOTAS)


def reason_of(decided: object) -> RejectionReason:
    """The reason of a rejection."""
    assert isinstance(decided, Rejection)
    return decided.reason


def test_seats_depend_on_seed_and_players_alone() -> None:
    """The order of joining plays no part; another seed may seat otherwise."""
    names = ["p-ann", "p-bob", "p-cy", "p-dan"]
    assert draw_seats(7, names) == draw_seats(7, reversed(names))
    assert len({draw_seats(seed, names) for seed in range(200)}) == 24


def test_a_known_draw_stays_as_it_is() -> None:
    """The documented algorithm is pinned: this seed seats these players so for ever."""
    assert draw_seats(42, ["p-ann", "p-bob", "p-cy"]) == ("p-cy", "p-bob", "p-ann")


@given(st.integers(0, 2**63 - 1), st.sets(st.text(min_size=1, max_size=8), max_size=6))
def test_a_draw_seats_everybody_once(seed: int, player_ids: set[str]) -> None:
    """Whatever the seed, the seats hold exactly the players."""
    assert sorted(draw_seats(seed, player_ids)) == sorted(player_ids)


@pytest.mark.parametrize(
    ("choices", "reason"),
    [
        (TableChoices("1999", 3), RejectionReason.TITLE_UNKNOWN),
        (TableChoices("1824", 7), RejectionReason.PLAYER_COUNT_NOT_OFFERED),
        (TableChoices("1824", -1), RejectionReason.PLAYER_COUNT_NOT_OFFERED),
        (TableChoices("1824", 3, ("steam",)), RejectionReason.OPTION_UNKNOWN),
        (TableChoices("1824", 3, ("goods_time", "goods_time")), RejectionReason.OPTION_REPEATED),
        (TableChoices("1824", 2, ("goods_time",)), RejectionReason.OPTION_NOT_OFFERED),
        (TableChoices("1824", 3, (), RulingSelection("house")), RejectionReason.RULING_PROFILE_UNKNOWN),
        (
            TableChoices("1824", 3, (), RulingSelection("", (RulingChoice("luck", "good"),))),
            RejectionReason.RULING_UNKNOWN,
        ),
        (
            TableChoices("1824", 3, (), RulingSelection("", (RulingChoice("export", "none"),) * 2)),
            RejectionReason.RULING_REPEATED,
        ),
        (
            TableChoices("1824", 3, (), RulingSelection("", (RulingChoice("export", "twice"),))),
            RejectionReason.RULING_VALUE_UNKNOWN,
        ),
        (TableChoices("1824", 3, seed=-1), RejectionReason.SEED_NEGATIVE),
    ],
    ids=lambda value: value.name if isinstance(value, RejectionReason) else "",
)
def test_what_is_not_offered_is_rejected(choices: TableChoices, reason: RejectionReason) -> None:
    """Every choice beyond the catalogue has its own reason."""
    offer = OFFER if choices.title == OFFER.title else None
    assert reason_of(reject_choices(choices, offer)) is reason


def test_what_is_offered_is_accepted() -> None:
    """Offered options, profile, rulings and seed pass."""
    rulings = RulingSelection("18xx.games", (RulingChoice("export", "none"),))
    assert reject_choices(TableChoices("1824", 3, ("goods_time",), rulings, "free", 0), OFFER) is None


def test_seed_is_drawn_only_if_none_was_chosen() -> None:
    """A chosen seed is kept, zero as well, and is marked as chosen."""
    chosen = decide_create("t", ANN, TableChoices("1824", 3, seed=0), 42, 0)
    drawn = decide_create("t", ANN, TableChoices("1824", 3), 42, 0)
    assert not isinstance(chosen, Rejection)
    assert not isinstance(drawn, Rejection)
    assert (chosen.seed, chosen.seed_chosen_by_owner) == (0, True)
    assert (drawn.seed, drawn.seed_chosen_by_owner) == (42, False)


def test_a_table_from_opening_to_game() -> None:
    """Two join and start: seats are drawn, then the game begins; each event counts one version."""
    table = after(opened(), joined(opened(), BOB))
    started = after(table, decide_start(table, ANN.player_id, "g1"))
    playing = evolve(started, TableGameBegun("g1"))
    assert started.state is TableState.STARTING
    assert started.seats == draw_seats(42, ["p-ann", "p-bob"])
    assert [player.player_id for player in started.seated_players()] == list(started.seats)
    assert (playing.state, playing.version, playing.game_id) == (TableState.PLAYING, 4, "g1")


def test_chairs_are_rejected_in_order_of_reasons() -> None:
    """Who sits cannot join again, a full table takes nobody, an absent player cannot leave."""
    table = after(opened(), joined(opened(), BOB))
    assert reason_of(joined(opened(), ANN)) is RejectionReason.ALREADY_SEATED
    assert reason_of(joined(table, CY)) is RejectionReason.TABLE_FULL
    assert reason_of(decide_leave(table, CY.player_id)) is RejectionReason.NOT_SEATED


def test_a_player_joins_a_table_only_so_often() -> None:
    """Joining and leaving without end would make the log of the table as long as one likes; others may still join."""
    table = opened()
    for _ in range(QUOTAS.joins_per_table):
        table = after(table, joined(table, BOB))
        table = after(table, decide_leave(table, BOB.player_id))
    assert reason_of(joined(table, BOB)) is RejectionReason.JOINED_TOO_OFTEN
    assert joined(table, CY) == (PlayerJoined(CY),)


@pytest.mark.parametrize(
    ("usage", "table", "seat"),
    [
        (Usage(1, 2, 999), None, None),
        (Usage(2, 2, 999), RejectionReason.TOO_MANY_OPEN_TABLES, None),
        (Usage(1, 3, 999), RejectionReason.TOO_MANY_SEATS, RejectionReason.TOO_MANY_SEATS),
        (Usage(1, 2, 1_000), RejectionReason.TOO_MUCH_STORED, RejectionReason.TOO_MUCH_STORED),
    ],
)
def test_quotas(usage: Usage, table: RejectionReason | None, seat: RejectionReason | None) -> None:
    """Each quota has its reason; open tables hold up nobody who joins."""
    another = reject_another_table(usage, QUOTAS)
    assert (another and another.reason) == table
    decided = decide_join(opened(), BOB, usage, QUOTAS)
    assert (reason_of(decided) if seat else None) == seat


def test_only_the_owner_starts_and_only_a_full_table() -> None:
    """Others may not start; free chairs hold the start up."""
    table = opened()
    assert reason_of(decide_start(table, BOB.player_id, "g1")) is RejectionReason.NOT_OWNER
    assert reason_of(decide_start(table, ANN.player_id, "g1")) is RejectionReason.TABLE_NOT_FULL


def test_leaving_frees_a_chair_and_the_owner_closes_the_table() -> None:
    """A guest's chair can be taken again; without its owner a table is closed for all."""
    table = after(opened(), joined(opened(), BOB))
    free = after(table, decide_leave(table, BOB.player_id))
    closed = after(table, decide_leave(table, ANN.player_id))
    assert not free.has(BOB.player_id)
    assert closed.state is TableState.CLOSED
    for decided in (
        joined(closed, CY),
        decide_leave(closed, BOB.player_id),
        decide_start(closed, ANN.player_id, "g1"),
    ):
        assert reason_of(decided) is RejectionReason.TABLE_NOT_OPEN


def test_events_that_do_not_fit_are_named() -> None:
    """A log that opens a table twice or never is broken, not guessed at."""
    created = decide_create("t1", ANN, TableChoices("1824", 2), 42, 0)
    assert not isinstance(created, Rejection)
    with pytest.raises(BrokenTableLog, match="opened twice"):
        evolve(opened(), created)
    for event in (PlayerJoined(BOB), TableStarted("g1", ()), TableClosed()):
        with pytest.raises(BrokenTableLog, match="never opened"):
            evolve(None, event)


@pytest.mark.parametrize("password", ["", "1234567", "x" * 257])
def test_malformed_passwords_are_rejected(password: str) -> None:
    """Passwords have bounds on both sides."""
    assert reason_of(reject_password(password)) is RejectionReason.PASSWORD_MALFORMED


def test_a_name_has_one_owner() -> None:
    """A claim gives the name, only its owner's release frees it."""
    assert owner_after(None, NameClaimed("p1")) == "p1"
    assert owner_after("p1", NameReleased("p1")) is None
    assert owner_after("p1", NameReleased("p2")) == "p1"


def test_reasons_equal_those_on_the_wire() -> None:
    """Domain and contract know the same reasons."""
    on_the_wire = {
        name.removeprefix("REJECTION_REASON_")
        for name in rejection_pb2.RejectionReason.DESCRIPTOR.values_by_name
    }
    assert on_the_wire - {"UNSPECIFIED"} == {reason.value for reason in RejectionReason}
