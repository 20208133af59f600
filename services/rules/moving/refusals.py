"""Why a file is not taken over. The meaning of a code never changes; the codes of the rules stand beside these."""

from __future__ import annotations

from collections.abc import Mapping

from services.common.errors import SignalboxError
from services.common.shown import cut

REFUSALS: Mapping[str, str] = {
    "not_a_game": "the file cannot be read as a game",
    "too_large": "the file, or the game in it, is too large",
    "title_not_recorded": "recorded games of this title cannot be read",
    "seat_missing": "this player of the file has no account",
    "seat_unknown": "no player of the file is called so",
    "account_repeated": "the account has another seat",
    "result_differs": "the game ends here with another result than in the file",
    "fold_differs": "the events do not fold to the state that they had",
    "books_differ": "the books of the game would not balance",
    "not_signed": "no key that this platform trusts has signed the export",
    "event_missing": "an event is missing here",
    "event_differs": "the event is not the one that was exported",
    "event_unreadable": "this version cannot read the event",
    "event_impossible": "the event cannot follow those before it",
    "players_not_replaceable": "players of this export can only keep their ids",
}


class FileRefused(SignalboxError):
    """A file is not taken over. `number` (from 1; 0: the whole file), `action_id` and `kind` of the action or event, and the
    `player` behind it, are those of the file."""

    def __init__(
        self,
        code: str,
        detail: str = "",
        *,
        sentence: str = "",
        clause: str = "",
        number: int = 0,
        action_id: int = 0,
        kind: str = "",
        player: str = "",
    ) -> None:
        """`sentence`: of a code of the rules."""
        self.code = code
        self.clause = clause
        self.number = number
        self.action_id = action_id
        self.kind = kind
        self.player = player
        said = sentence or REFUSALS[code]
        super().__init__(cut(self._where() + said + (f": {detail}" if detail else "")))

    def _where(self) -> str:
        if not self.number:
            return f"player {self.player}: " if self.player else ""
        named = [f"id {self.action_id}"] if self.action_id else []
        named += [each for each in (self.kind, f"player {self.player}" if self.player else "") if each]
        return f"action {self.number} ({', '.join(named)}): "
