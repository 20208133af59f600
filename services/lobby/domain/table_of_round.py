"""How a table of a tournament begins."""

import msgspec

from services.lobby.domain.catalogue import TableChoices
from services.lobby.domain.players import Player


class TableSeated(msgspec.Struct, frozen=True):
    """A table was made for a round of a tournament; `players` in seat order, `owner_id` directs."""

    table_id: str
    game_id: str
    round_id: str
    round_table: int
    owner_id: str
    players: tuple[Player, ...]
    choices: TableChoices
    create_time_ms: int
    turn_seconds: int = 0
