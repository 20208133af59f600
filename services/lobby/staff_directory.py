"""All staff acts in memory, and the bans that follow from them."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from services.common.clock import Clock
from services.common.errors import InvalidRequest
from services.common.staff.acts import BAN, UNBAN, is_staffs
from services.gen.signalbox.lobby.v1.staff_act_pb2 import StaffAct
from services.lobby.domain.rejections import Rejection, RejectionReason


class StaffDirectory:
    """Answers questions about the acts that `take` was given."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._acts: list[StaffAct] = []
        self._by_id: dict[str, StaffAct] = {}
        self._bans: dict[str, StaffAct] = {}

    def take(self, act: StaffAct) -> None:
        """One act more."""
        if not is_staffs(act):
            return
        with self._lock:
            self._acts.append(act)
            self._by_id[act.act_id] = act
            if act.act == BAN:
                self._bans[act.player_id] = act
            elif act.act == UNBAN:
                self._bans.pop(act.player_id, None)

    def with_id(self, act_id: str) -> StaffAct | None:
        """The act of this id, None if there is none."""
        with self._lock:
            return self._by_id.get(act_id)

    def ban_of(self, player_id: str) -> StaffAct | None:
        """The ban in force, None without one."""
        with self._lock:
            ban = self._bans.get(player_id)
        return ban if ban is not None and _lasts(ban, self._clock.now_ms()) else None

    def reject_banned(self, player_id: str) -> Rejection | None:
        """Why a player cannot sign in, None for one who is not banned."""
        ban = self.ban_of(player_id)
        if ban is None:
            return None
        until = f"until {_shown(ban.until_time_ms)}" if ban.until_time_ms else "for good"
        return Rejection(
            RejectionReason.PLAYER_BANNED,
            f"You are banned {until}. Reason: {ban.reason}",
            retry_after_ms=max(0, ban.until_time_ms - self._clock.now_ms()),
        )

    def bans(self, player_id: str, token: str, size: int) -> tuple[list[StaffAct], str]:
        """A page of the bans in force, or that of one player, newest first, and the token of the next, empty on the last.
        Raises `InvalidRequest` for a malformed token."""
        with self._lock:
            wanted = self._bans.values() if not player_id else filter(None, [self._bans.get(player_id)])
            now_ms = self._clock.now_ms()
            in_force = [each for each in wanted if _lasts(each, now_ms)]
        return _page(sorted(in_force, key=lambda each: (each.time_ms, each.act_id)), {}, token, size)

    def acts(self, narrowed: dict[str, str], token: str, size: int) -> tuple[list[StaffAct], str]:
        """A page of the acts whose fields have these values, newest first, and the token of the next, empty on the last.
        Raises `InvalidRequest` for a malformed token."""
        with self._lock:
            known = self._acts[:]
        return _page(known, narrowed, token, size)


def _page(
    acts: Sequence[StaffAct], narrowed: dict[str, str], token: str, size: int
) -> tuple[list[StaffAct], str]:
    """A token is the number of acts that are older than the page before."""
    if token and not (token.isascii() and token.isdigit() and len(token) < 10):
        raise InvalidRequest("page_token is not a token of an earlier answer")
    end = min(int(token), len(acts)) if token else len(acts)
    found: list[StaffAct] = []
    for index in range(end - 1, -1, -1):
        if not _fits(acts[index], narrowed.items()):
            continue
        if len(found) == size:
            return found, str(index + 1)
        found.append(acts[index])
    return found, ""


def _fits(act: StaffAct, wanted: Iterable[tuple[str, str]]) -> bool:
    return all(getattr(act, field) == value for field, value in wanted)


def _lasts(ban: StaffAct, now_ms: int) -> bool:
    return not ban.until_time_ms or now_ms < ban.until_time_ms


def _shown(time_ms: int) -> str:
    return datetime.fromtimestamp(time_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
