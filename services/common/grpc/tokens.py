"""For services whose every call needs a signed token."""

from __future__ import annotations

from services.common.auth.tokens import ANYBODY, Kind, TokenVerifier
from services.common.grpc.interceptor import CheckInterceptor


class AuthInterceptor(CheckInterceptor):
    """Lets a call of `service` pass only with a token of one of `kinds`."""

    def __init__(self, service: str, verifier: TokenVerifier, kinds: tuple[Kind, ...] = ANYBODY) -> None:
        super().__init__(service, lambda context: verifier.authenticate(context, kinds))
