"""Requests of owners about the guests of their tables, and of players who play a table again."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from services.common.auth.tokens import Principal
from services.common.clock import Clock
from services.common.errors import NotFound
from services.lobby.directory import TableDirectory
from services.lobby.domain.clock_policies import Timing
from services.lobby.domain.directing import DirectorNamed, account_unknown, named_house_bot
from services.lobby.domain.invitations import PlayerInvited
from services.lobby.domain.inviting import (
    Decided,
    decide_invite,
    decide_link,
    decide_remove,
    decide_withdraw,
    is_given_up,
    played_at,
    reject_another_rematch,
    reject_rematch,
)
from services.lobby.domain.players import Player
from services.lobby.domain.quotas import Quotas, reject_more_stored
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.table_clocks import ClockChosen
from services.lobby.domain.table_requests import decide_offer
from services.lobby.domain.tables import Table, TableEvent, TableState
from services.lobby.domain.visibility import Viewer
from services.lobby.handlers.requests import check_request_id, content_hash, derived_id
from services.lobby.handlers.tables import TableHandlers
from services.lobby.ports import AccountOf, Freshness, SeedSource


class InvitingHandlers:
    """A request id is unique per player and table. All methods raise `NotFound` for a table that the caller may not see."""

    def __init__(
        self,
        tables: TableHandlers,
        directory: TableDirectory,
        player_named: AccountOf,
        player_with_id: AccountOf,
        seeds: SeedSource,
        clock: Clock,
        freshen: Freshness,
        quotas: Quotas,
    ) -> None:
        self._tables = tables
        self._directory = directory
        self._player_named = player_named
        self._player_with_id = player_with_id
        self._seeds = seeds
        self._clock = clock
        self._freshen = freshen
        self._quotas = quotas

    def invite(
        self, caller: Principal, request_id: str, table_id: str, player_id: str, player_name: str
    ) -> Table | Rejection:
        """Invites the player of this id, else of this name."""
        player = self._account(player_id, player_name)
        if player is None:
            self._freshen()
            player = self._account(player_id, player_name)
        if player is None:
            self._tables.seen(table_id, Viewer(caller.player_id))
            return account_unknown(player_id or player_name)
        invited = player
        return self._change(
            caller,
            request_id,
            table_id,
            "invite",
            lambda table: decide_invite(table, caller.player_id, invited),
            player.player_id,
        )

    def withdraw(
        self, caller: Principal, request_id: str, table_id: str, player_id: str
    ) -> Table | Rejection:
        """Takes an invitation back."""
        return self._change(
            caller,
            request_id,
            table_id,
            "withdraw",
            lambda table: decide_withdraw(table, caller.player_id, player_id),
            player_id,
        )

    def make_link(self, caller: Principal, request_id: str, table_id: str) -> Table | Rejection:
        """Makes the token of an invitation link: `Table.guests.link_token`."""
        link_token = f"{self._seeds.draw():016x}{self._seeds.draw():016x}"
        return self._change(
            caller,
            request_id,
            table_id,
            "link",
            lambda table: decide_link(table, caller.player_id, link_token),
        )

    def remove(self, caller: Principal, request_id: str, table_id: str, player_id: str) -> Table | Rejection:
        """Takes a player's chair."""
        return self._change(
            caller,
            request_id,
            table_id,
            "remove",
            lambda table: decide_remove(table, caller.player_id, player_id),
            player_id,
        )

    def offer(
        self, caller: Principal, request_id: str, table_id: str, link_token: str = ""
    ) -> Table | Rejection:
        """Offers to take a seat of the game of a table. Raises like `TableHandlers.join`."""
        player = Player(caller.player_id, caller.name)

        def decide(table: Table) -> Decided:
            return decide_offer(table, player, self._directory.usage_of(caller.player_id), self._quotas)

        return self._tables.change(caller, request_id, table_id, "offer", decide, link_token=link_token)

    def rematch(self, caller: Principal, request_id: str, table_id: str) -> Table | Rejection:
        """Opens the table that follows one whose game is over, or joins it where another player has opened it.

        A table that was given up is followed by the next one: a player who closes one, or never starts it, does not keep the
        others from playing. Who owns one that was never started keeps it until another player has opened the next."""
        check_request_id(request_id)
        played = self._tables.seen(table_id, Viewer(caller.player_id))
        rejection = reject_rematch(played, caller.player_id)
        if rejection is not None:
            return rejection
        content = content_hash("rematch", table_id)
        rematch_id, opened, given_up = derived_id("t", "rematch", table_id), self._rematch_of(table_id), 0
        while opened is not None and is_given_up(opened, self._clock.now_ms()):
            is_own = opened.owner_id == caller.player_id
            following = self._rematch_of(rematch_id)
            if is_own and following is None and opened.state is TableState.OPEN:
                break
            asked = content if is_own else content_hash("join", rematch_id)
            repeated = self._tables.repeated(rematch_id, caller, request_id, asked)
            if repeated is not None:
                return repeated
            given_up += is_own
            rematch_id, opened = derived_id("t", "rematch", rematch_id), following
        if opened is None:
            # Without the limit anybody could make this search as long as they like.
            made = reject_another_rematch(given_up, self._quotas) or self._open(
                caller, request_id, rematch_id, content, played
            )
            if isinstance(made, Rejection) or made.owner_id == caller.player_id:
                return made
            opened = made
        if opened.owner_id == caller.player_id:
            return self._tables.repeated(rematch_id, caller, request_id, content) or opened
        return self._tables.join(caller, request_id, rematch_id)

    def _rematch_of(self, table_id: str) -> Table | None:
        """The table that the first who asked opened after another one, None where nobody has."""
        try:
            return self._tables.get(derived_id("t", "rematch", table_id))
        except NotFound:
            return None

    def _open(
        self, caller: Principal, request_id: str, rematch_id: str, content: bytes, played: Table
    ) -> Table | Rejection:
        arranged = replace(played.guests.arranged, rematch_of=played.table_id)
        choices = replace(played.choices, seed=None)
        others = [player for player in played_at(played) if player.player_id != caller.player_id]
        later: list[TableEvent] = [arranged]
        later += [PlayerInvited(player) for player in others if named_house_bot(player.player_id) is None]
        later += [DirectorNamed(caller.player_id)] if played.director_id == caller.player_id else []
        later += [ClockChosen(played.clock)] if played.clock is not None else []
        timing = Timing(played.turn_seconds, played.clock)
        opened = self._tables.open(caller, request_id, rematch_id, choices, timing, content, later, arranged)
        if isinstance(opened, Rejection):
            # Another player may have opened it at the same time.
            found = self._directory.get(rematch_id)
            return opened if found is None else found
        return opened

    def _change(
        self,
        caller: Principal,
        request_id: str,
        table_id: str,
        verb: str,
        decide: Callable[[Table], Decided],
        *content: object,
    ) -> Table | Rejection:
        def within_quota(table: Table) -> Decided:
            decided = decide(table)
            if isinstance(decided, Rejection):
                return decided
            return reject_more_stored(self._directory.usage_of(caller.player_id), self._quotas) or decided

        return self._tables.change(caller, request_id, table_id, verb, within_quota, *content)

    def _account(self, player_id: str, player_name: str) -> Player | None:
        return self._player_with_id(player_id) if player_id else self._player_named(player_name)
