"""Files of games to be moved, and who may be believed about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.common.auth.signatures import TrustedKeys, sign
from services.common.auth.token_keys import SingleKey
from services.common.eventlog.port import Record
from services.rules.adapters.codec import encode_event
from services.rules.kernel.events import Event
from services.rules.moving.export import export_lines
from services.rules.moving.native import open_export
from services.rules.moving.opening import Opening, Wanted
from services.rules.moving.recorded import open_recorded
from services.rules.titles import TITLES

KEYS = SingleKey(Ed25519PrivateKey.generate())
TRUSTED = TrustedKeys(KEYS)


def account(number: int) -> str:
    """An id of the form that a lobby makes."""
    return f"p{number:024d}".replace("0", "a").replace("1", "b").replace("8", "h").replace("9", "i")


def records_of(events: Sequence[Event]) -> list[Record]:
    """The events as they are stored."""
    return [
        Record("game/g1", sequence, *encode_event(event), 1_000 + sequence, sequence)
        for sequence, event in enumerate(events, start=1)
    ]


def exported(records: Sequence[Record], keys: SingleKey = KEYS) -> bytes:
    """The file of a game."""
    return b"".join(export_lines("g1", records, lambda content: sign(keys, content)))


def imported(
    content: bytes, accounts: Mapping[str, str] | None = None, trusted: TrustedKeys = TRUSTED
) -> Opening:
    """An export that is read."""
    return open_export(content, Wanted(accounts or {}), TITLES, trusted.have_signed)


def recorded(content: bytes, accounts: Mapping[str, str], as_recorded: bool = False) -> Opening:
    """A recorded game that is read."""
    return open_recorded(content, Wanted(accounts, "own_turn", as_recorded), TITLES, lambda: False)
