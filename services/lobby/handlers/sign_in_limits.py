"""How often an address may try to sign in and to register (docs/decisions/0021-sign-in-limits.md)."""

from __future__ import annotations

from msgspec.structs import replace

from services.common.settings.accounts import SignInSettings
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.ports import AttemptLimiter, RisingDelay


class SignInLimits:
    """Attempts are counted before they are made: by address, and by address and name. So wrong passwords from one address
    never delay the player at another one."""

    def __init__(self, limiter: AttemptLimiter, settings: SignInSettings) -> None:
        self._limiter = limiter
        self._of_name = RisingDelay(
            free=settings.free_attempts,
            first_ms=round(settings.delay_seconds * 1000),
            longest_ms=round(settings.delay_seconds_max * 1000),
            forget_ms=round(settings.forget_seconds * 1000),
        )
        self._of_address = replace(self._of_name, free=settings.free_attempts_per_address)
        self._of_registrations = replace(self._of_name, free=settings.free_registrations_per_address)

    def begin(self, address: str, name_key: str) -> Rejection | None:
        """Counts an attempt to sign in; the rejection if it may not be made now."""
        wait_ms = self._limiter.begin(_address_key(address), self._of_address)
        if wait_ms == 0:
            wait_ms = self._limiter.begin(_name_key(address, name_key), self._of_name)
            if wait_ms > 0:
                self._limiter.take_back(_address_key(address), self._of_address)
        return _too_many(wait_ms, "attempts to sign in")

    def was_right(self, address: str, name_key: str) -> None:
        """The password was right: earlier wrong ones for this name do not count any more."""
        self._limiter.forget(_name_key(address, name_key))
        self._limiter.take_back(_address_key(address), self._of_address)

    def was_not_made(self, address: str, name_key: str) -> None:
        """The password could not be checked."""
        self._limiter.take_back(_name_key(address, name_key), self._of_name)
        self._limiter.take_back(_address_key(address), self._of_address)

    def begin_registration(self, address: str) -> Rejection | None:
        """Counts a registration; the rejection if it may not be made now."""
        wait_ms = self._limiter.begin(f"registrations of {address}", self._of_registrations)
        return _too_many(wait_ms, "registrations")


def _address_key(address: str) -> str:
    return f"address {address}"


def _name_key(address: str, name_key: str) -> str:
    return f"name {address} {name_key}"


def _too_many(wait_ms: int, what: str) -> Rejection | None:
    if wait_ms == 0:
        return None
    return Rejection(
        RejectionReason.TOO_MANY_ATTEMPTS,
        f"Too many {what} from your address; try again in {wait_ms / 1000:.1f} seconds.",
        retry_after_ms=wait_ms,
    )
