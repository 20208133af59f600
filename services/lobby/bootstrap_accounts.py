"""Builds what the lobby does for accounts: registration and sign-in, tokens for programs, and what operators do about them."""

from __future__ import annotations

from typing import NamedTuple

from services.common.auth.operators import Operators
from services.common.auth.tokens import TokenIssuer, TokenVerifier
from services.lobby.adapters.argon2_passwords import Argon2Passwords
from services.lobby.adapters.attempt_limit import AttemptLimit
from services.lobby.adapters.hashing_pool import HashingPool
from services.lobby.adapters.random_ids import random_player_id
from services.lobby.bootstrap_ports import LobbyPorts
from services.lobby.bootstrap_staff import Staff, bootstrap_staff, followed_staff
from services.lobby.handlers.api_tokens import ApiTokenHandlers
from services.lobby.handlers.players import PlayerHandlers
from services.lobby.handlers.sign_in_limits import SignInLimits


class Accounts(NamedTuple):
    """Who plays, how they prove it, and what operators do."""

    players: PlayerHandlers
    verifier: TokenVerifier
    operators: Operators
    staff: Staff


def bootstrap_accounts(ports: LobbyPorts) -> Accounts:
    """The accounts in the log."""
    log, settings, clock, freshen = ports.log, ports.settings, ports.clock, ports.freshen
    issuer = TokenIssuer(ports.signing_key, settings.token_lifetime_seconds, clock)
    staff_log, acts = followed_staff(ports.staff_log, log, clock)
    hashing = HashingPool(ports.passwords or Argon2Passwords(settings.sign_in), settings.sign_in)
    limits = SignInLimits(ports.attempts or AttemptLimit(), settings.sign_in)
    players = PlayerHandlers(log, hashing, limits, issuer, random_player_id, freshen, acts.reject_banned)
    tokens = ApiTokenHandlers(log, issuer, staff_log, clock, freshen)
    staff = bootstrap_staff(staff_log, acts, players, tokens, ports.queues, clock, settings)
    verifier = TokenVerifier(issuer.keys, clock, staff_log.revocations)
    return Accounts(players, verifier, Operators(verifier, settings.operators), staff)
