"""What a token may be limited to: scopes, as OAuth 2.0 writes them in a claim (RFC 6749, 3.3; RFC 8693, 4.2)."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Scope: TypeAlias = Literal[
    "game:read",
    "game:play",
    "table:write",
    "tournament:write",
    "tournament:direct",
    "bot:play",
    "operator:*",
]
SCOPES: tuple[Scope, ...] = get_args(Scope)
AS_OPERATOR: Scope = "operator:*"


def scopes_in(claim: str) -> tuple[Scope, ...]:
    """The scopes in a claim; those that this version does not know allow nothing."""
    named = set(claim.split())
    return tuple(scope for scope in SCOPES if scope in named)
