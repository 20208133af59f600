"""Tokens for programs: made, listed, and taken back.

A token is made once it is recorded in the stream of its player's tokens, without the token itself. One that is taken back is
an act in the log of staff acts, which every service follows: no other place says which tokens are refused.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from services.common.auth.scopes import SCOPES, scopes_in
from services.common.auth.tokens import Principal, TokenIssuer
from services.common.clock import Clock
from services.common.errors import InvalidRequest, Overloaded
from services.common.eventlog.port import EventLog
from services.common.shown import cut
from services.common.staff.acts import REVOKE_TOKEN, new_act
from services.common.staff.log import StaffLog
from services.lobby.domain.api_tokens import LABEL_LENGTH_MAX, TOKENS_MAX, ApiTokenMade, ApiTokens
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.event_codec import decode
from services.lobby.handlers.stream_changes import StreamChanges
from services.lobby.ports import Freshness
from services.lobby.remembered import Remembered

TOKENS_STREAM = "lobby.tokens."
API_TOKEN_DAYS = 30
API_TOKEN_DAYS_MAX = 90
DAY_SECONDS = 24 * 3600
ID_BYTES = 12
LAST_CHARACTERS = 4
PLAYERS_REMEMBERED = 512


class MadeToken(NamedTuple):
    """A new token, when it ends, in milliseconds since 1970 UTC, and its id."""

    token: str
    expire_time_ms: int
    token_id: str


class ApiTokenHandlers:
    """What the lobby does about tokens for programs."""

    def __init__(
        self, log: EventLog, issuer: TokenIssuer, staff_log: StaffLog, clock: Clock, freshen: Freshness
    ) -> None:
        self._log = log
        self._issuer = issuer
        self._staff_log = staff_log
        self._clock = clock
        self._freshen = freshen
        self._changes = StreamChanges(log, freshen, "the tokens of this player")
        self._remembered: Remembered[ApiTokens] = Remembered(PLAYERS_REMEMBERED)
        self._lock = threading.Lock()

    def make(self, caller: Principal, scopes: Sequence[str], lifetime_days: int, label: str) -> MadeToken:
        """A token limited to these scopes. Raises `InvalidRequest` for scopes, a lifetime or a label that there cannot be,
        `Overloaded` for one token too many, and `Unavailable`."""
        _check(scopes, lifetime_days, label)
        limited, now_ms = replace(caller, scopes=scopes_in(" ".join(scopes))), self._clock.now_ms()
        token_id = secrets.token_hex(ID_BYTES)
        issued = self._issuer.issue(limited, (lifetime_days or API_TOKEN_DAYS) * DAY_SECONDS, token_id)
        last = issued.token[-LAST_CHARACTERS:]
        made = ApiTokenMade(
            token_id, label.strip(), limited.scopes or (), last, now_ms, issued.expire_time_ms
        )

        def one_more(tokens: ApiTokens) -> tuple[ApiTokenMade, ...]:
            if len(tokens.lasting(now_ms)) >= TOKENS_MAX:
                raise Overloaded(f"a player has at most {TOKENS_MAX} tokens that have not come to their end")
            return (made,)

        stream = TOKENS_STREAM + caller.player_id
        self._changes.note(stream, lambda: self._tokens(caller.player_id), one_more)
        return MadeToken(issued.token, issued.expire_time_ms, token_id)

    def good(self, player_id: str) -> list[ApiTokenMade]:
        """The tokens of a player that are not refused, the newest first. Raises `Unavailable`."""
        self._freshen()
        is_revoked = self._staff_log.revocations.is_revoked
        lasting = self._tokens(player_id).lasting(self._clock.now_ms())
        return [each for each in lasting if not is_revoked(player_id, each.make_time_ms, each.token_id)]

    def of_player(self, player_id: str, token_id: str) -> ApiTokenMade | Rejection:
        """The token of this id, taken back or not, unless it has come to its end. Raises `Unavailable`."""
        self._freshen()
        found = self._tokens(player_id).with_id(token_id)
        return found or Rejection(
            RejectionReason.API_TOKEN_UNKNOWN, "There is no token for programs with this id."
        )

    def revoke(self, caller: Principal, token_id: str) -> ApiTokenMade | Rejection:
        """Take a token of the caller's back. Raises `Unavailable`."""
        found = self.of_player(caller.player_id, token_id)
        if not isinstance(found, Rejection):
            self._staff_log.write(
                new_act(
                    caller,
                    token_id,
                    self._clock,
                    REVOKE_TOKEN,
                    "",
                    player_id=caller.player_id,
                    token_id=token_id,
                    tokens_end_time_ms=found.expire_time_ms,
                )
            )
        return found

    def _tokens(self, player_id: str) -> ApiTokens:
        """Reads what was made since the last time: the stream of a player who makes tokens every day grows for ever."""
        with self._lock:
            known = self._remembered.get(player_id) or ApiTokens()
        records = self._log.read(TOKENS_STREAM + player_id, known.version)
        tokens = known.after([decode(each) for each in records], self._clock.now_ms())
        with self._lock:
            self._remembered.put(player_id, tokens)
        return tokens


def _check(scopes: Sequence[str], lifetime_days: int, label: str) -> None:
    unknown = sorted(set(scopes).difference(SCOPES))
    if unknown or not scopes:
        named = f"unknown: {', '.join(map(cut, unknown))}" if unknown else "none is named"
        raise InvalidRequest(f"scopes: {named}; there are {', '.join(SCOPES)}")
    if not 0 <= lifetime_days <= API_TOKEN_DAYS_MAX:
        raise InvalidRequest(f"lifetime_days may be up to {API_TOKEN_DAYS_MAX}")
    if len(label) > LABEL_LENGTH_MAX:
        raise InvalidRequest(f"label: has at most {LABEL_LENGTH_MAX} characters")
