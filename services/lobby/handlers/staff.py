"""What operators do about players, and the notes of what else they did in the lobby.

A ban, the end of sessions and a token taken back are nothing but acts in the log of staff acts, which every service follows. What
an operator did to a game or a table is a fact there, and the act is noted after it. A request that was cut off between the two
notes the act when it is repeated."""

from __future__ import annotations

from collections.abc import Callable, Collection

from services.common.auth.tokens import Principal
from services.common.clock import Clock
from services.common.errors import InvalidRequest
from services.common.staff.acts import (
    BAN,
    END_SESSIONS,
    REASON_LENGTH_MAX,
    REVOKE_TOKEN,
    UNBAN,
    new_act,
)
from services.common.staff.log import StaffLog
from services.gen.signalbox.lobby.v1.staff_act_pb2 import StaffAct
from services.lobby.domain.api_tokens import ApiTokenMade
from services.lobby.domain.players import Player
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.handlers.api_tokens import API_TOKEN_DAYS_MAX, DAY_SECONDS, ApiTokenHandlers
from services.lobby.handlers.players import ID_OF_PLAYER
from services.lobby.handlers.requests import check_request_id, reused
from services.lobby.staff_directory import StaffDirectory

PAGE_SIZE_DEFAULT = 50
PAGE_SIZE_MAX = 100
# The latest that an end of a ban can be written as a date: 9999-12-31.
TIME_MS_MAX = 253_402_214_400_000


class StaffHandlers:
    """Records acts and lists them."""

    def __init__(
        self,
        log: StaffLog,
        directory: StaffDirectory,
        player_with_id: Callable[[str], Player | None],
        api_tokens: ApiTokenHandlers,
        clock: Clock,
        operators: Collection[str],
        token_lifetime_seconds: int,
    ) -> None:
        """`operators`: the players whom the settings name as operators. `token_lifetime_seconds`: of sessions."""
        self._log = log
        self._directory = directory
        self._player_with_id = player_with_id
        self._api_tokens = api_tokens
        self._clock = clock
        self._operators = frozenset(operators)
        # A day more for replicas that issued a token before they knew of the act.
        lifetime_days = max(API_TOKEN_DAYS_MAX, token_lifetime_seconds / DAY_SECONDS) + 1
        self._tokens_end_after_ms = int(lifetime_days * DAY_SECONDS * 1000)

    def ban(
        self, caller: Principal, request_id: str, player_id: str, reason: str, until_ms: int
    ) -> StaffAct | Rejection:
        """Ban a player until a time, or for good (0). Raises `InvalidRequest`, `Unavailable`."""
        if not 0 <= until_ms <= TIME_MS_MAX:
            raise InvalidRequest(f"until_time_ms must be 0 to {TIME_MS_MAX}")
        wanted = self._wanted(caller, request_id, BAN, player_id, reason, until_time_ms=until_ms)
        return self._repeated(wanted) or self._reject_ban(wanted) or self._recorded(wanted)

    def unban(self, caller: Principal, request_id: str, player_id: str, reason: str) -> StaffAct | Rejection:
        """End the ban of a player. Raises `InvalidRequest`, `Unavailable`."""
        wanted = self._wanted(caller, request_id, UNBAN, player_id, reason)
        repeated = self._repeated(wanted)
        if repeated is None and self._directory.ban_of(player_id) is None:
            return Rejection(RejectionReason.PLAYER_NOT_BANNED, "This player is not banned.")
        return repeated or self._recorded(wanted)

    def end_sessions(
        self, caller: Principal, request_id: str, player_id: str, reason: str
    ) -> StaffAct | Rejection:
        """Refuse all tokens of a player that were issued until now. Raises `InvalidRequest`, `Unavailable`."""
        wanted = self._wanted(caller, request_id, END_SESSIONS, player_id, reason)
        return self._repeated(wanted) or self._recorded(wanted)

    def api_tokens(self, player_id: str) -> list[ApiTokenMade]:
        """The tokens for programs of a player that are good, the newest first. Raises `Unavailable`."""
        return self._api_tokens.good(player_id) if ID_OF_PLAYER.fullmatch(player_id) else []

    def revoke_token(
        self, caller: Principal, request_id: str, player_id: str, token_id: str, reason: str
    ) -> StaffAct | Rejection:
        """Take a player's token for programs back. Raises `InvalidRequest`, `Unavailable`."""
        wanted = self._wanted(caller, request_id, REVOKE_TOKEN, player_id, reason, token_id=token_id)
        repeated = self._repeated(wanted)
        if repeated is not None:
            return repeated
        found = self._api_tokens.of_player(player_id, token_id)
        return found if isinstance(found, Rejection) else self._recorded(wanted)

    def note(
        self, caller: Principal, request_id: str, act: str, reason: str, game_id: str, detail: str = ""
    ) -> None:
        """Record what an operator did to a game, once for each request id. Raises `Unavailable`."""
        key = f"{game_id}/{request_id}"
        self._log.write(
            new_act(caller, key, self._clock, act, reason[:REASON_LENGTH_MAX], game_id=game_id, detail=detail)
        )

    def bans(self, player_id: str, token: str, size: int) -> tuple[list[StaffAct], str]:
        """See `StaffDirectory.bans`."""
        return self._directory.bans(player_id, token, _page_size(size))

    def acts(self, narrowed: dict[str, str], token: str, size: int) -> tuple[list[StaffAct], str]:
        """See `StaffDirectory.acts`; an empty value narrows nothing."""
        given = {field: value for field, value in narrowed.items() if value}
        return self._directory.acts(given, token, _page_size(size))

    def _wanted(
        self,
        caller: Principal,
        request_id: str,
        act: str,
        player_id: str,
        reason: str,
        **more: str | int,
    ) -> StaffAct:
        check_request_id(request_id)
        tokens_end_ms = self._clock.now_ms() + self._tokens_end_after_ms
        return new_act(
            caller,
            request_id,
            self._clock,
            act,
            reason.strip(),
            player_id=player_id,
            tokens_end_time_ms=tokens_end_ms,
            **more,
        )

    def _repeated(self, wanted: StaffAct) -> StaffAct | Rejection | None:
        """The answer to a request that was recorded before, or that can never be."""
        known = self._directory.with_id(wanted.act_id)
        if known is not None:
            return known if _content(known) == _content(wanted) else reused()
        rejection = reject_reason(wanted.reason)
        if rejection is not None:
            return rejection
        is_id = ID_OF_PLAYER.fullmatch(wanted.player_id) is not None
        if not is_id or self._player_with_id(wanted.player_id) is None:
            return Rejection(RejectionReason.ACCOUNT_UNKNOWN, "There is no player with this id.")
        return None

    def _reject_ban(self, wanted: StaffAct) -> Rejection | None:
        if wanted.player_id in self._operators:
            return Rejection(
                RejectionReason.PLAYER_IS_OPERATOR,
                "This player is an operator: take the id out of SIGNALBOX_OPERATORS first. Sessions can be ended.",
            )
        if wanted.until_time_ms and wanted.until_time_ms <= wanted.time_ms:
            return Rejection(RejectionReason.BAN_END_PASSED, "The end of the ban is in the past.")
        return None

    def _recorded(self, wanted: StaffAct) -> StaffAct:
        self._log.write(wanted)
        # Of requests at the same time with the same id the first one counts.
        return self._directory.with_id(wanted.act_id) or wanted


def reject_reason(reason: str) -> Rejection | None:
    """Why this is no reason for an act; None if it is one."""
    if not reason:
        return Rejection(RejectionReason.REASON_MISSING, "A reason has to be given.")
    if len(reason) > REASON_LENGTH_MAX:
        return Rejection(
            RejectionReason.REASON_TOO_LONG, f"A reason has at most {REASON_LENGTH_MAX} characters."
        )
    return None


def _content(act: StaffAct) -> tuple[str, str, int, str]:
    return act.player_id, act.reason, act.until_time_ms, act.token_id


def _page_size(size: int) -> int:
    if not 0 <= size <= PAGE_SIZE_MAX:
        raise InvalidRequest(f"page_size must be 0 to {PAGE_SIZE_MAX}")
    return size or PAGE_SIZE_DEFAULT
