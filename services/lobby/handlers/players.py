"""Registering and signing in.

A player's events are in the player's stream, whose id is derived from the request id; the owner of a name is in the stream
of the name. The name is claimed first: if the process dies in between, the repeated request continues from there.
"""

from collections.abc import Mapping

import msgspec

from services.common.auth.tokens import IssuedToken, Principal, TokenIssuer
from services.common.eventlog.port import Appended, EventLog
from services.lobby.domain.players import (
    NAME_LENGTH_MAX,
    NameClaimed,
    NameReleased,
    Player,
    PlayerRegistered,
    name_key,
    owner_after,
    reject_registration,
)
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.event_codec import decode, encode
from services.lobby.handlers.requests import check_request_id, derived_id, reused
from services.lobby.ports import AttemptLimiter, Freshness, PasswordHasher

PLAYER_STREAM = "lobby.player."
NAME_STREAM = "lobby.name."
# Unicode may take several characters for a letter; a name longer than this cannot exist.
WRITTEN_LENGTH_MAX = 4 * NAME_LENGTH_MAX


class Session(msgspec.Struct, frozen=True):
    """A player who signed in."""

    player: Player
    issued: IssuedToken


class PlayerHandlers:
    """What the lobby does for players."""

    def __init__(
        self,
        log: EventLog,
        passwords: PasswordHasher,
        attempts: AttemptLimiter,
        issuer: TokenIssuer,
        freshen: Freshness,
    ) -> None:
        self._log = log
        self._passwords = passwords
        self._attempts = attempts
        self._issuer = issuer
        self._freshen = freshen

    @property
    def public_key(self) -> bytes:
        """The 32 bytes of the key that verifies tokens signed now."""
        return self._issuer.public_key

    @property
    def public_keys(self) -> Mapping[str, bytes]:
        """Every key that verifies tokens, by id."""
        return self._issuer.public_keys

    def register(self, request_id: str, name: str, password: str) -> Player | Rejection:
        """Registers a player. Raises `InvalidRequest` for a malformed request id."""
        check_request_id(request_id)
        rejection = reject_registration(name, password)
        if rejection is not None:
            return rejection
        player_id = derived_id("p", request_id)
        known = self._registered(player_id)
        if known is not None:
            return self._repeated(known, name, password)
        if not self._claim(name, player_id):
            return Rejection(RejectionReason.NAME_TAKEN, "Another player has this name.")
        event = PlayerRegistered(player_id, name, self._passwords.hash(password))
        if isinstance(self._log.append(PLAYER_STREAM + player_id, 0, [encode(event)]), Appended):
            return Player(player_id, name)
        return self._lost_race(player_id, name, password)

    def log_in(self, name: str, password: str) -> Session | Rejection:
        """Signs in."""
        if len(name) > WRITTEN_LENGTH_MAX:
            return _credentials_wrong()
        key = name_key(name)
        if not self._attempts.allows(key):
            return Rejection(
                RejectionReason.TOO_MANY_ATTEMPTS, "Too many wrong passwords for this name; wait a minute."
            )
        registered = self._registered_as(key)
        if registered is None:
            self._freshen()
            registered = self._registered_as(key)
        fits = self._passwords.verify(registered.password_hash if registered else None, password)
        if registered is None or not fits:
            self._attempts.failed(key)
            return _credentials_wrong()
        self._attempts.succeeded(key)
        player = Player(registered.player_id, registered.name)
        return Session(player, self._issuer.issue(Principal(player.player_id, player.name)))

    def _registered_as(self, key: str) -> PlayerRegistered | None:
        owner, _ = self._owner(key)
        return self._registered(owner) if owner else None

    def _registered(self, player_id: str) -> PlayerRegistered | None:
        records = self._log.read(PLAYER_STREAM + player_id, up_to=1)
        event = decode(records[0]) if records else None
        return event if isinstance(event, PlayerRegistered) else None

    def _repeated(self, known: PlayerRegistered, name: str, password: str) -> Player | Rejection:
        if known.name != name or not self._passwords.verify(known.password_hash, password):
            return reused()
        return Player(known.player_id, known.name)

    def _owner(self, key: str) -> tuple[str | None, int]:
        owner: str | None = None
        records = self._log.read(NAME_STREAM + key)
        for record in records:
            owner = owner_after(owner, decode(record))
        return owner, len(records)

    def _claim(self, name: str, player_id: str) -> bool:
        key = name_key(name)
        while True:
            owner, sequence = self._owner(key)
            if owner is not None:
                return owner == player_id
            if isinstance(
                self._log.append(NAME_STREAM + key, sequence, [encode(NameClaimed(player_id))]), Appended
            ):
                return True

    def _lost_race(self, player_id: str, name: str, password: str) -> Player | Rejection:
        """The same request id was registered concurrently; if under another name, this name is released."""
        known = self._registered(player_id)
        assert known is not None, "a player's stream begins with the registration"
        key = name_key(name)
        owner, sequence = self._owner(key)
        if name_key(known.name) != key and owner == player_id:
            self._log.append(NAME_STREAM + key, sequence, [encode(NameReleased(player_id))])
        return self._repeated(known, name, password)


def _credentials_wrong() -> Rejection:
    return Rejection(RejectionReason.CREDENTIALS_WRONG, "Name and password do not belong together.")
