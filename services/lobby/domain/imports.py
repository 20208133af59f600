"""Games begun elsewhere: where they come from, what is kept of them, and what in their files is refused."""

import msgspec

from services.lobby.domain.catalogue import RulingSelection, UndoPolicy
from services.lobby.domain.players import Player
from services.lobby.domain.quotas import Quotas, Usage, reject_another_seat
from services.lobby.domain.rejections import ImportFault, Rejection, RejectionReason


class TableOrigin(msgspec.Struct, frozen=True):
    """Where the game of an imported table comes from.

    `source`: "18xx.games", or "signalbox" for an export; `game_id` is its id there. `file_digest`: SHA-256 of the unpacked
    file. `action_count`: actions of a recorded game, or events of an export, that were taken over."""

    source: str
    game_id: str
    file_digest: str
    action_count: int
    imported_by: str


class GameKept(msgspec.Struct, frozen=True):
    """The events with which an imported game begins, compressed; see `ImportedGame` in log.proto."""

    events: bytes


class ImportSeat(msgspec.Struct, frozen=True):
    """Who takes the seat of a player in the file: the account of this name, or without one the account of this id."""

    recorded: str
    player_name: str = ""
    player_id: str = ""


class ImportWanted(msgspec.Struct, frozen=True):
    """What an operator asks for. `seats` may be empty for an export, whose players then keep their ids.

    `undo_policy` is that of a recorded game, an export has its own. `as_recorded`: book a recorded run's own revenue."""

    file: bytes
    seats: tuple[ImportSeat, ...]
    undo_policy: UndoPolicy = "own_turn"
    turn_seconds: int = 0
    as_recorded: bool = False


class ImportedGame(msgspec.Struct, frozen=True):
    """A file as the rules play it: what its table shows, and the first events of its game. `players` are accounts in seat
    order, `bearers` other accounts that play their seats now."""

    players: tuple[str, ...]
    title: str
    options: tuple[str, ...]
    rulings: RulingSelection
    undo_policy: UndoPolicy
    seed: int
    source: str
    source_game_id: str
    file_digest: str
    action_count: int
    events: bytes
    bearers: tuple[str, ...] = ()


def refused(fault: ImportFault, sentence: str, clause: str = "") -> Rejection:
    """The rejection of a file."""
    return Rejection(RejectionReason.IMPORT_REFUSED, sentence, clause, import_fault=fault)


def reject_another_import(usage: Usage, quotas: Quotas) -> Rejection | None:
    """Why the operator may not import one more game, None if that is possible."""
    if usage.imports < quotas.imports:
        return None
    return Rejection(
        RejectionReason.TOO_MANY_IMPORTS,
        f"You have imported {usage.imports} games, as many as an operator may.",
    )


def reject_seat(player: Player, usage: Usage, quotas: Quotas) -> Rejection | None:
    """Why this player may not be seated, None if that is possible."""
    rejection = reject_another_seat(usage, quotas)
    if rejection is None:
        return None
    return Rejection(rejection.reason, f"{player.name} has no seat left: {rejection.sentence}")
