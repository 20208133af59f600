"""What directors of tables decide about their games. Rules carries it out and keeps it; the lobby knows who directs.

Nothing is written here, so an interrupted decision is either in the game's log or was never made: the repeated request finds
out. The table learns of a seat that was taken from the status of its game.
"""

from collections.abc import Callable

from services.common.auth.tokens import Principal
from services.gen.signalbox.events.v1.events_pb2 import BEARER_KIND_BOT
from services.gen.signalbox.rules.v1.direction_pb2 import Direction
from services.lobby.directory import TableDirectory
from services.lobby.domain.directing import (
    SeatWanted,
    account_unknown,
    bearer_of,
    direction_refused,
    game_moved_on,
    game_not_begun,
    house_bot,
    named_house_bot,
    no_house_bots,
)
from services.lobby.domain.imports import reject_seat
from services.lobby.domain.players import Player
from services.lobby.domain.quotas import Quotas
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.table_requests import reject_bearer
from services.lobby.domain.tables import Table, TableState
from services.lobby.domain.visibility import Viewer, may_see
from services.lobby.handlers.requests import check_request_id, derived_id, no_such_table
from services.lobby.ports import (
    AccountOf,
    Directed,
    DirectionRefused,
    Freshness,
    GameDirector,
    GameMovedOn,
    NoteAct,
    RejectDirection,
)

BEGUN = (TableState.PLAYING, TableState.FINISHED)


def names_of_bearers(player_with_id: AccountOf) -> Callable[[str], str]:
    """How the accounts that take seats are called; one that is not known here has its id for a name."""

    def name_of(account: str) -> str:
        player = named_house_bot(account) or player_with_id(account)
        return account if player is None else player.name

    return name_of


class DirectingHandlers:
    """Passes on what directors decide. A request id is unique per director and table."""

    def __init__(
        self,
        directory: TableDirectory,
        get_table: Callable[[str], Table],
        director: GameDirector,
        reject_direction: RejectDirection,
        has_entered: Callable[[Table, str], bool],
        player_named: AccountOf,
        player_with_id: AccountOf,
        freshen: Freshness,
        quotas: Quotas,
        has_house_bots: bool,
        note_act: NoteAct,
    ) -> None:
        """`get_table` raises `NotFound` for an unknown table. `has_entered`: whether an account entered the event of a table.
        `has_house_bots`: somebody moves for bots of the house."""
        self._directory = directory
        self._get_table = get_table
        self._director = director
        self._reject_direction = reject_direction
        self._has_entered = has_entered
        self._player_named = player_named
        self._player_with_id = player_with_id
        self._freshen = freshen
        self._quotas = quotas
        self._has_house_bots = has_house_bots
        self._note_act = note_act

    def direct(
        self,
        caller: Principal,
        is_operator: bool,
        request_id: str,
        table_id: str,
        expected_sequence: int,
        direction: Direction,
        bearer_name: str = "",
    ) -> Directed | Rejection:
        """Has a decision carried out. Raises `NotFound`, `InvalidRequest`, and `Unavailable` when the outcome is unknown."""
        check_request_id(request_id)
        table = self._get_table(table_id)
        if not is_operator and not may_see(table, Viewer(caller.player_id)):
            raise no_such_table()
        if not is_operator and caller.player_id != table.director_id:
            rejection = self._reject_direction(caller.player_id, table, direction)
            if rejection is not None:
                return rejection
        # Only the lobby knows who confirmed a decision, and here nobody did.
        direction.confirmed_by = ""
        if table.state not in BEGUN:
            self._freshen()
            table = self._get_table(table_id)
        if table.state not in BEGUN:
            return game_not_begun()
        if direction.HasField("assign_seat"):
            bearer = self._bearer(table, direction, bearer_name, "" if is_operator else caller.player_id)
            if isinstance(bearer, Rejection):
                return bearer
            direction.assign_seat.bearer = bearer.player_id
        result = self._carried_out(caller, request_id, table, expected_sequence, direction)
        if is_operator and caller.player_id != table.director_id and isinstance(result, Directed):
            act, detail = direction.WhichOneof("body") or "", _detail(direction)
            self._note_act(caller, request_id, act, direction.reason, table.game_id, detail)
        return result

    def _carried_out(
        self, caller: Principal, request_id: str, table: Table, expected_sequence: int, direction: Direction
    ) -> Directed | Rejection:
        # Of everybody's requests to one game only the same one of the same director has this id.
        rules_request = derived_id("d", caller.player_id, table.table_id, request_id)
        try:
            return self._director.direct(
                table.game_id, caller.player_id, rules_request, expected_sequence, direction
            )
        except GameMovedOn as moved:
            return game_moved_on(moved.sequence)
        except DirectionRefused as refused:
            return direction_refused(refused.code, str(refused), refused.clause)

    def _bearer(
        self, table: Table, direction: Direction, bearer_name: str, director: str
    ) -> Player | Rejection:
        """The account that is to take the seat, which must have room for one more unless it has this one already, and must agree.

        `director`: empty for an operator, who asks by other ways."""
        assigned = direction.assign_seat
        wanted = SeatWanted(assigned.seat, assigned.bearer, bearer_name, assigned.kind == BEARER_KIND_BOT)
        if wanted.is_bot and not (wanted.player_id or wanted.player_name):
            return house_bot(table.seats, wanted.seat) if self._has_house_bots else no_house_bots()
        player = self._account(wanted)
        if player is None:
            self._freshen()
            player = self._account(wanted)
        if player is None:
            return account_unknown(wanted.player_id or wanted.player_name)
        if bearer_of(table.seat_takers, wanted.seat) == player.player_id:
            return player
        rejection = self._reject_unasked(table, player, director) if director else None
        usage = self._directory.usage_of(player.player_id)
        return rejection or reject_seat(player, usage, self._quotas) or player

    def _reject_unasked(self, table: Table, player: Player, director: str) -> Rejection | None:
        def decide(now: Table) -> Rejection | None:
            return reject_bearer(now, player, director, self._has_entered(now, player.player_id))

        if decide(table) is None:
            return None
        self._freshen()
        return decide(self._get_table(table.table_id))

    def _account(self, wanted: SeatWanted) -> Player | None:
        if wanted.player_id:
            return self._player_with_id(wanted.player_id)
        return self._player_named(wanted.player_name)


def _detail(direction: Direction) -> str:
    """What the name of a decision leaves open."""
    if direction.HasField("roll_back"):
        return f"to event {direction.roll_back.to_sequence}"
    if direction.HasField("assign_seat"):
        return f"seat {direction.assign_seat.seat} to {direction.assign_seat.bearer}"
    return ""
