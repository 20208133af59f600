"""How much one player may keep in the lobby."""

import msgspec

from services.lobby.domain.rejections import Rejection, RejectionReason


class Quotas(msgspec.Struct, frozen=True, kw_only=True):
    """The most of each; see `QuotaSettings`. Requests of a player at the same time may exceed them by their number."""

    open_tables: int
    seats: int
    stored_bytes: int
    joins_per_table: int
    imports: int


class Usage(msgspec.Struct, frozen=True):
    """What a player keeps: own open tables, seats at unfinished tables, bytes in the log; and games imported."""

    open_tables: int = 0
    seats: int = 0
    stored_bytes: int = 0
    imports: int = 0


def reject_another_table(usage: Usage, quotas: Quotas) -> Rejection | None:
    """Why the player may not open one more table, None if they may."""
    if usage.open_tables >= quotas.open_tables:
        return Rejection(
            RejectionReason.TOO_MANY_OPEN_TABLES,
            f"You own {usage.open_tables} open tables, as many as a player may; start or close one of them.",
        )
    return reject_another_seat(usage, quotas)


def reject_another_seat(usage: Usage, quotas: Quotas) -> Rejection | None:
    """Why the player may not take one more seat, None if they may."""
    if usage.seats >= quotas.seats:
        return Rejection(
            RejectionReason.TOO_MANY_SEATS,
            f"You sit at {usage.seats} tables whose games have not ended, as many as a player may.",
        )
    return reject_more_stored(usage, quotas)


def reject_more_stored(usage: Usage, quotas: Quotas) -> Rejection | None:
    """Why the lobby may not store more for the player, None if it may."""
    if usage.stored_bytes >= quotas.stored_bytes:
        return Rejection(
            RejectionReason.TOO_MUCH_STORED,
            f"Your requests have stored {usage.stored_bytes} bytes in the lobby, as many as a player's may.",
        )
    return None


def reject_another_event(usage: Usage, quotas: Quotas) -> Rejection | None:
    """Why the player may not begin one more tournament or series, None if they may: from half of the bytes on, so that the
    other half is left for those that go on."""
    if usage.stored_bytes >= quotas.stored_bytes // 2:
        return Rejection(
            RejectionReason.TOO_MUCH_STORED,
            f"Your requests have stored {usage.stored_bytes} bytes in the lobby, half of what a player's may: "
            "what has begun goes on, nothing else begins.",
        )
    return None
