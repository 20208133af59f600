"""Registering and signing in.

Names and their looks have a stream each, which says who owns them; the registration is in the player's own stream. A
registration claims its names first. The request id is kept with the name, so a repeat finds the claim and, if the process
died in between, continues from there.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import quote

import msgspec

from services.common.auth.tokens import IssuedToken, Principal, TokenIssuer
from services.common.errors import InvalidRequest
from services.common.eventlog.port import Appended, EventLog, Repeated, RequestRecord
from services.lobby.domain.names import accepted_name, look_alike_keys, name_key
from services.lobby.domain.players import (
    NameClaimed,
    NameReleased,
    Player,
    PlayerRegistered,
    owner_after,
    reject_password,
)
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.event_codec import decode, encode
from services.lobby.handlers.requests import check_request_id, content_hash
from services.lobby.handlers.sign_in_limits import SignInLimits
from services.lobby.ports import Freshness, HashingBusy, PasswordChecks

PLAYER_STREAM = "lobby.player."
NAME_STREAM = "lobby.name."
LOOK_STREAM = "lobby.look."
NAMES_ASKED_MAX = 100
# No other text can be the end of a player's stream.
ID_OF_PLAYER = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Session(msgspec.Struct, frozen=True):
    """A player who signed in."""

    player: Player
    issued: IssuedToken


class PlayerHandlers:
    """What the lobby does for players. `address`: the network address of who calls, for the limits."""

    def __init__(
        self,
        log: EventLog,
        passwords: PasswordChecks,
        limits: SignInLimits,
        issuer: TokenIssuer,
        new_player_id: Callable[[], str],
        freshen: Freshness,
        reject_banned: Callable[[str], Rejection | None],
    ) -> None:
        """`reject_banned`: why the player of an id may not sign in, None for one who may."""
        self._log = log
        self._passwords = passwords
        self._limits = limits
        self._issuer = issuer
        self._new_player_id = new_player_id
        self._freshen = freshen
        self._reject_banned = reject_banned

    @property
    def public_key(self) -> bytes:
        """The 32 bytes of the key that verifies tokens signed now."""
        return self._issuer.public_key

    @property
    def public_keys(self) -> Mapping[str, bytes]:
        """Every key that verifies tokens, by id."""
        return self._issuer.public_keys

    def register(self, request_id: str, name: str, password: str, *, address: str) -> Player | Rejection:
        """Registers a player. Raises `InvalidRequest` for a malformed request id, `HashingBusy`."""
        check_request_id(request_id)
        accepted = accepted_name(name)
        if isinstance(accepted, Rejection):
            return accepted
        rejection = reject_password(password) or self._limits.begin_registration(address)
        if rejection is not None:
            return rejection
        # Before who asked for it: the same request at another replica may claim it in between.
        is_taken = any(self._owner(stream)[0] is not None for stream in _streams_of(accepted))
        player_id = self._claimed_by(request_id, accepted)
        if player_id is None:
            if is_taken:
                return _name_taken()
            password_hash = self._passwords.hash(password, address)
            player_id = self._claim(request_id, accepted, self._new_player_id())
        elif self._registered(player_id) is not None:
            return self._repeated(player_id, accepted, password, address)
        else:
            password_hash = self._passwords.hash(password, address)
        if player_id is None or not self._claim_looks(accepted, player_id):
            return _name_taken()
        event = PlayerRegistered(player_id, accepted, password_hash)
        if isinstance(self._log.append(PLAYER_STREAM + player_id, 0, [encode(event)]), Appended):
            return Player(player_id, accepted)
        return self._repeated(player_id, accepted, password, address)

    def log_in(self, name: str, password: str, *, address: str) -> Session | Rejection:
        """Signs in. Raises `HashingBusy`."""
        accepted = accepted_name(name)
        key = "" if isinstance(accepted, Rejection) else name_key(accepted)
        rejection = self._limits.begin(address, key)
        if rejection is not None:
            return rejection
        if not key:
            return _credentials_wrong()
        registered = self._registered_as(key)
        if registered is None:
            self._freshen()
            registered = self._registered_as(key)
        if not self._is_right(registered, password, address, key) or registered is None:
            return _credentials_wrong()
        # Who does not know the password learns nothing about a ban.
        rejection = self._reject_banned(registered.player_id)
        if rejection is not None:
            return rejection
        player = Player(registered.player_id, registered.name)
        return Session(player, self._issuer.issue(Principal(player.player_id, player.name)))

    def named(self, name: str) -> Player | None:
        """The player registered under this name, None if there is none."""
        accepted = accepted_name(name)
        if isinstance(accepted, Rejection):
            return None
        return _player_of(self._registered_as(name_key(accepted)))

    def with_id(self, player_id: str) -> Player | None:
        """The player of this id, None if there is none."""
        return _player_of(self._registered(player_id))

    def looked_up(self, player_ids: Sequence[str], name: str = "") -> list[Player]:
        """Those of these players who are registered, each once, in this order; then who has this name.

        Raises `InvalidRequest` for too many ids."""
        if len(player_ids) > NAMES_ASKED_MAX:
            raise InvalidRequest(f"player_ids may be up to {NAMES_ASKED_MAX}")
        ids = [each for each in dict.fromkeys(player_ids) if ID_OF_PLAYER.fullmatch(each)]
        found = [*map(self.with_id, ids), self.named(name) if name else None]
        return list(dict.fromkeys(player for player in found if player is not None))

    def _is_right(self, registered: PlayerRegistered | None, password: str, address: str, key: str) -> bool:
        """Checks the password of an attempt that has been counted."""
        try:
            fits = self._passwords.verify(registered.password_hash if registered else None, password, address)
        except HashingBusy:
            self._limits.was_not_made(address, key)
            raise
        if fits:
            self._limits.was_right(address, key)
        return fits

    def _repeated(self, player_id: str, name: str, password: str, address: str) -> Player | Rejection:
        """The answer to a request id that has registered a player. With a wrong password it is the answer that any other
        request for the name gets; the attempt counts like one to sign in."""
        registered = self._registered(player_id)
        assert registered is not None, "a player's stream begins with the registration"
        rejection = self._limits.begin(address, name_key(name))
        if rejection is not None:
            return rejection
        if not self._is_right(registered, password, address, name_key(name)) or registered.name != name:
            return _name_taken()
        return Player(registered.player_id, registered.name)

    def _registered_as(self, key: str) -> PlayerRegistered | None:
        owner, _ = self._owner(_name_stream(key))
        return self._registered(owner) if owner else None

    def _registered(self, player_id: str) -> PlayerRegistered | None:
        records = self._log.read(PLAYER_STREAM + player_id, up_to=1)
        event = decode(records[0]) if records else None
        return event if isinstance(event, PlayerRegistered) else None

    def _owner(self, stream: str) -> tuple[str | None, int]:
        owner: str | None = None
        records = self._log.read(stream)
        for record in records:
            owner = owner_after(owner, decode(record))
        return owner, len(records)

    def _claimed_by(self, request_id: str, name: str) -> str | None:
        """The player for whom this request has claimed the name."""
        known = self._log.outcome(_name_stream(name_key(name)), request_id)
        return None if known is None else known.player

    def _claim(self, request_id: str, name: str, player_id: str) -> str | None:
        """Claims the name; the player for whom this request has it now, None if somebody else has it."""
        stream, event = _name_stream(name_key(name)), encode(NameClaimed(player_id))
        while True:
            owner, sequence = self._owner(stream)
            if owner is not None:
                return self._claimed_by(request_id, name)
            # As of other requests, the outcome is the version of the stream after it.
            outcome = b"%d" % (sequence + 1)
            request = RequestRecord(request_id, player_id, content_hash("register"), outcome)
            result = self._log.append(stream, sequence, [event], request)
            if isinstance(result, Appended):
                return player_id
            if isinstance(result, Repeated):
                return self._claimed_by(request_id, name)

    def _claim_looks(self, name: str, player_id: str) -> bool:
        """Claims everything that the name looks like, or gives up the name."""
        streams = _streams_of(name)
        if all(self._claim_look(stream, player_id) for stream in streams):
            return True
        for stream in streams:
            self._release(stream, player_id)
        return False

    def _claim_look(self, stream: str, player_id: str) -> bool:
        while True:
            owner, sequence = self._owner(stream)
            if owner is not None or stream.startswith(NAME_STREAM):
                return owner == player_id
            if isinstance(self._log.append(stream, sequence, [encode(NameClaimed(player_id))]), Appended):
                return True

    def _release(self, stream: str, player_id: str) -> None:
        owner, sequence = self._owner(stream)
        if owner == player_id:
            self._log.append(stream, sequence, [encode(NameReleased(player_id))])


def _player_of(registered: PlayerRegistered | None) -> Player | None:
    return None if registered is None else Player(registered.player_id, registered.name)


def _name_stream(key: str) -> str:
    return NAME_STREAM + quote(key, safe="")


def _streams_of(name: str) -> list[str]:
    """The streams of a name and its looks, in the order in which they are claimed."""
    looks = [LOOK_STREAM + quote(key, safe="") for key in look_alike_keys(name)]
    return [_name_stream(name_key(name)), *looks]


def _name_taken() -> Rejection:
    return Rejection(
        RejectionReason.NAME_TAKEN, "Another player has this name, or one that can be taken for it."
    )


def _credentials_wrong() -> Rejection:
    return Rejection(RejectionReason.CREDENTIALS_WRONG, "Name and password do not belong together.")
