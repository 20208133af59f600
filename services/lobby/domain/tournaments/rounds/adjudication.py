"""An adjudication of a table: what a director ruled, who confirmed it, the appeal against it and its decision."""

from __future__ import annotations

from enum import StrEnum

import msgspec
from msgspec.structs import replace

from services.lobby.domain.positions import NO_TRANSFER, MoneyTransfer


class AdjudicationKind(StrEnum):
    """What an adjudication does to a table."""

    CONTINUE = "continue"
    AWARD = "award"
    VOID = "void"
    ROLL_BACK = "roll_back"
    CORRECT = "correct"


class Award(msgspec.Struct, frozen=True):
    """What an adjudication gives a player, in millionths of a point."""

    player_id: str
    points: int


class FinalWorth(msgspec.Struct, frozen=True):
    """What a player has at the end of a game that a director ends, in whole currency units."""

    player_id: str
    worth: int


class AdjudicationMade(msgspec.Struct, frozen=True):
    """A director adjudicated on a table. With `needs_second` it counts once another director has confirmed it.

    `sequence`: to which event of the game a roll-back goes; `transfer`: what a correction moves; `worths`: with which an award
    ends the game. `expected_sequence`: the position of the game for which one of these was decided."""

    table: int
    kind: AdjudicationKind
    awards: tuple[Award, ...]
    sequence: int
    reason: str
    needs_second: bool
    author: str
    time_ms: int
    transfer: MoneyTransfer = NO_TRANSFER
    worths: tuple[FinalWorth, ...] = ()
    expected_sequence: int = 0

    @property
    def changes_game(self) -> bool:
        """Whether it is carried out in the game of the table."""
        kinds = (AdjudicationKind.ROLL_BACK, AdjudicationKind.CORRECT)
        return self.kind in kinds or bool(self.worths)


class AdjudicationConfirmed(msgspec.Struct, frozen=True):
    """Another director confirmed the latest adjudication on a table."""

    table: int
    author: str
    time_ms: int


class AppealFiled(msgspec.Struct, frozen=True):
    """A player of the table appealed against the adjudication of this number, from 1; 0: the latest, as all appeals were
    once."""

    table: int
    player_id: str
    text: str
    time_ms: int
    adjudication: int = 0


class AppealDecided(msgspec.Struct, frozen=True):
    """Another director decided the appeal; if it is upheld, the adjudication counts no more."""

    table: int
    is_upheld: bool
    reason: str
    author: str
    time_ms: int
    adjudication: int = 0


class Appeal(msgspec.Struct, frozen=True):
    """An appeal and its decision, empty until it is decided."""

    player_id: str
    text: str
    time_ms: int
    is_decided: bool = False
    is_upheld: bool = False
    reason: str = ""
    author: str = ""


class Adjudication(msgspec.Struct, frozen=True):
    """An adjudication with what followed it."""

    made: AdjudicationMade
    confirmed_by: str = ""
    confirm_time_ms: int = 0
    appeal: Appeal | None = None

    @property
    def is_confirmed(self) -> bool:
        """Whether a second person confirmed it, if one is needed."""
        return bool(self.confirmed_by) or not self.made.needs_second

    @property
    def counts_since_ms(self) -> int:
        """Since when it counts, or has counted: that of one that needs a second person begins with the confirmation."""
        return self.confirm_time_ms if self.made.needs_second else self.made.time_ms

    @property
    def counts(self) -> bool:
        """Whether it is in force."""
        return self.is_confirmed and not (self.appeal is not None and self.appeal.is_upheld)


def adjudication_after(
    adjudication: Adjudication, event: AdjudicationConfirmed | AppealFiled | AppealDecided
) -> Adjudication:
    """The adjudication after what followed it."""
    match event:
        case AdjudicationConfirmed(author=author, time_ms=time_ms):
            return replace(adjudication, confirmed_by=author, confirm_time_ms=time_ms)
        case AppealFiled(player_id=player_id, text=text, time_ms=time_ms):
            return replace(adjudication, appeal=Appeal(player_id, text, time_ms))
        case AppealDecided(is_upheld=is_upheld, reason=reason, author=author):
            filed = adjudication.appeal or Appeal("", "", event.time_ms)
            decided = replace(filed, is_decided=True, is_upheld=is_upheld, reason=reason, author=author)
            return replace(adjudication, appeal=decided)
