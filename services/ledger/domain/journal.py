"""The entries of a journal, which is append-only.

A book is derived from its journal. Balances come from the transfers alone; the other entries record what
certificates were worth and the round, phase and turn, so that a balance can be explained and valued at any
sequence.
"""

from __future__ import annotations

from msgspec import Struct


class Seated(Struct, frozen=True, tag="seated", array_like=True):
    """The players of the game in seat order."""

    sequence: int
    players: tuple[str, ...]


class Restricted(Struct, frozen=True, tag="restricted", array_like=True):
    """Not everybody may see the game; rules knows who may."""

    sequence: int


class Transfer(Struct, frozen=True, tag="transfer", array_like=True):
    """`amount` > 0 of `unit` went from the account of `debit` to the account of `credit`.

    `id` is game/sequence/index; `correction_of` is the id of the transfer that this one takes back, or
    empty."""

    sequence: int
    id: str
    debit: str
    credit: str
    amount: int
    unit: str
    reason: str
    subject: str = ""
    correction_of: str = ""


class Valued(Struct, frozen=True, tag="valued", array_like=True):
    """From here on a share of `company` counts `price`; with an `owner` it is private and counts `price` as a
    whole for him."""

    sequence: int
    company: str
    price: int
    owner: str = ""


class Moment(Struct, frozen=True, tag="moment", array_like=True):
    """From here on the game is in this round (`round_over`: at its end) and phase, on the turn of `actor` (empty:
    between turns)."""

    sequence: int
    round_kind: str = ""
    turn: int = 0
    round_number: int = 0
    phase: str = ""
    actor: str = ""
    order: tuple[str, ...] = ()
    round_over: bool = False


class Declared(Struct, frozen=True, tag="declared", array_like=True):
    """`company` decided about `revenue`; a share received `per_share`."""

    sequence: int
    company: str
    kind: str
    revenue: int
    per_share: int


class RoundClosed(Struct, frozen=True, tag="round_closed", array_like=True):
    """The round being played ended here."""

    sequence: int


class TakenBack(Struct, frozen=True, tag="taken_back", array_like=True):
    """Everything after `to_sequence` was undone; the correcting entries follow."""

    sequence: int
    to_sequence: int


Entry = Seated | Restricted | Transfer | Valued | Moment | Declared | RoundClosed | TakenBack
