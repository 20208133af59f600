"""By which tokens replicas of rules know each other when they pass calls on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from services.common.auth.identity import service_id
from services.common.auth.tokens import METADATA_KEY, SCHEME, TokenVerifier
from services.common.errors import PermissionDenied, Unauthenticated
from services.common.grpc.callers import FORWARDED_KEY
from services.common.grpc.context import CallContext
from services.common.telemetry.tracing import TRACEPARENT
from services.rules.cluster.peers import Metadata

PEER_KEY = "signalbox-forwarded-by"
RULES = service_id("rules")
REASON_KEY = "signalbox-reason"
NOT_TRUSTED = "not_trusted"
# Of the caller's own metadata.
HANDED_ON = (METADATA_KEY, TRACEPARENT)
# A token of a service is good for a minute at least.
TOKEN_KEPT_SECONDS = 20.0


class PeerProof:
    """Marks the calls that this replica passes on, and checks the marks of others. Used on the event loop."""

    def __init__(self, verifier: TokenVerifier, token: Callable[[], str]) -> None:
        """`token`: proves to others that this is a replica of rules."""
        self._verifier = verifier
        self._token = token
        self._kept_token, self._token_until = "", 0.0

    def admit(self, context: CallContext) -> None:
        """Mark a call that another replica passed on, and whose address it is for. Raises `PermissionDenied`, with the reason
        that the player has nothing to do with it."""
        metadata = context.invocation_metadata()
        if not (given := values(metadata, PEER_KEY)):
            return
        try:
            principal = self._verifier.bearer([(METADATA_KEY, given[0])]).principal
        except Unauthenticated as problem:
            raise _denied(str(problem)) from problem
        if principal.kind != "service" or principal.player_id != RULES:
            raise _denied("only replicas of rules pass calls on")
        context.is_forwarded = True
        if address := values(metadata, FORWARDED_KEY):
            context.caller = replace(context.caller, address=address[-1])

    def metadata(self, context: CallContext) -> Metadata:
        """With which a call is passed on."""
        own: Metadata = context.invocation_metadata()
        handed_on = [(key, value) for key, value in own if key.lower() in HANDED_ON]
        return [
            *handed_on,
            (PEER_KEY, f"{SCHEME}{self._own_token()}"),
            (FORWARDED_KEY, context.caller.address),
        ]

    def renew(self) -> None:
        """The token was refused, perhaps because the clock was wrong when it was made: prove the next call with a new one."""
        self._token_until = 0.0

    def _own_token(self) -> str:
        now = time.monotonic()
        if now >= self._token_until:
            self._kept_token, self._token_until = self._token(), now + TOKEN_KEPT_SECONDS
        return self._kept_token


def values(metadata: Metadata, wanted: str) -> list[str]:
    """All that is in the metadata under a key."""
    found = [value for key, value in metadata if key.lower() == wanted]
    return [each.decode("ascii", "replace") if isinstance(each, bytes) else each for each in found]


def _denied(why: str) -> PermissionDenied:
    denied = PermissionDenied(f"{PEER_KEY}: {why}")
    denied.trailing = ((REASON_KEY, NOT_TRUSTED),)
    return denied
