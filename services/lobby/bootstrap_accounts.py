"""Builds what the lobby does for accounts: registration and sign-in, tokens for programs, and what operators do about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.common.auth.token_keys import TokenKeys
from services.common.auth.tokens import TokenIssuer, TokenVerifier
from services.common.clock import Clock
from services.common.eventlog.port import EventLog
from services.common.settings.service import Settings
from services.common.staff.log import StaffLog
from services.lobby.adapters.argon2_passwords import Argon2Passwords
from services.lobby.adapters.attempt_limit import AttemptLimit
from services.lobby.adapters.hashing_pool import HashingPool
from services.lobby.bootstrap_staff import Staff, bootstrap_staff, followed_staff
from services.lobby.handlers.api_tokens import ApiTokenHandlers
from services.lobby.handlers.players import PlayerHandlers
from services.lobby.handlers.sign_in_limits import SignInLimits
from services.lobby.ports import AttemptLimiter, Freshness, PasswordHasher
from services.lobby.queues import Queues


class Accounts(NamedTuple):
    """Who plays, how they prove it, and what operators do."""

    players: PlayerHandlers
    verifier: TokenVerifier
    staff: Staff


def bootstrap_accounts(
    log: EventLog,
    settings: Settings,
    clock: Clock,
    freshen: Freshness,
    new_player_id: Callable[[], str],
    signing_key: TokenKeys | Ed25519PrivateKey,
    passwords: PasswordHasher | None,
    attempts: AttemptLimiter | None,
    staff_log: StaffLog | None,
    queues: Queues | None,
) -> Accounts:
    """The accounts in `log`; see `bootstrap_lobby`."""
    issuer = TokenIssuer(signing_key, settings.token_lifetime_seconds, clock)
    staff_log, acts = followed_staff(staff_log, log, clock)
    hashing = HashingPool(passwords or Argon2Passwords(settings.sign_in), settings.sign_in)
    limits = SignInLimits(attempts or AttemptLimit(), settings.sign_in)
    players = PlayerHandlers(log, hashing, limits, issuer, new_player_id, freshen, acts.reject_banned)
    tokens = ApiTokenHandlers(log, issuer, staff_log, clock, freshen)
    staff = bootstrap_staff(staff_log, acts, players, tokens, queues, clock, settings)
    return Accounts(players, TokenVerifier(issuer.keys, clock, staff_log.revocations), staff)
