"""Why a command is rejected. The meaning of a reason never changes; parts and titles have reasons of their own beside these."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

# A detail may repeat what a client sent, whatever its length.
DETAIL_LENGTH_MAX = 300

REASONS: Mapping[str, str] = {
    "unknown_title": "no such title",
    "unknown_option": "the title has no such option, or it does not go with the others",
    "unknown_ruling": "the title has no such ruling or the ruling no such value",
    "player_count": "the title cannot be played by so many",
    "duplicate_player": "a player sits twice, or is called like a company or a holder",
    "game_finished": "the game is over",
    "game_archived": "the game is being brought back from the archive; the same request may be sent again in a moment",
    "not_a_player": "only the players of this game may move",
    "value_out_of_range": "a number in the command is outside what it can mean",
    "interrupt_first": "another question has to be answered before",
    "not_your_turn": "it is another player's turn",
    "wrong_step": "the game is at another step",
    "may_not_pass": "something has to be done before passing",
    "undo_forbidden": "the table's undo policy does not allow it",
    "undo_target": "there is nothing to take back to that sequence",
    "not_enough_cash": "the cash does not suffice",
    "request_id_reused": "a request with this id and other content was carried out before",
    "too_many_events": "the player's commands have written as many events into this game as they may, half of them for undo",
    "game_suspended": "a director has suspended the game",
    "not_suspended": "the game is not suspended",
    "unknown_seat": "the game has no such seat",
    "bearer_not_possible": "the account plays another seat of the game, or is called like a company or a holder",
    "reason_needed": "a decision of a director needs a reason, neither empty nor too long",
    "confirmed_by_author": "the person who confirms a decision cannot be the one who made it",
    "unknown_holder": "the game has no such holder of money",
    "scores_incomplete": "the scores have to name every seat of the game once",
    "ledger_hold": "the game is held, because the ledger found a difference or an operator wants it",
    "recorded_action_unknown": "the recorded action has no counterpart here",
}


class Rejection(Struct, frozen=True):
    """A rejected command: reason code, a sentence for people, and the clause it rests on. `retryable` when asking again may
    help."""

    code: str
    message: str
    clause: str = ""
    retryable: bool = False


class Rejected(Exception):
    """Raised inside a step to reject the command; `decide` turns it into a `Rejection` and drops the draft."""

    def __init__(self, code: str, clause: str = "", detail: str = "", retryable: bool = False) -> None:
        self.code = code
        self.clause = clause
        self.detail = detail if len(detail) <= DETAIL_LENGTH_MAX else detail[:DETAIL_LENGTH_MAX] + "..."
        self.retryable = retryable
        super().__init__(code)

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}" if self.detail else self.code

    def rejection(self, reasons: Mapping[str, str] = REASONS) -> Rejection:
        """What the player gets; `reasons` has the sentence for each code."""
        sentence = reasons[self.code]
        message = f"{sentence}: {self.detail}" if self.detail else sentence
        return Rejection(self.code, message, self.clause, self.retryable)


def reject_if(condition: bool, code: str, clause: str = "", detail: str = "") -> None:
    """Raise `Rejected` when `condition` holds."""
    if condition:
        raise Rejected(code, clause, detail)
