"""Why a tournament rejects what it was asked for. The reasons are stable; their meanings never change."""

from enum import StrEnum, unique


@unique
class Reason(StrEnum):
    """Reasons for programs."""

    PLAYER_TWICE = "PLAYER_TWICE"
    PLAYER_UNKNOWN = "PLAYER_UNKNOWN"
    PLAYER_MISSING = "PLAYER_MISSING"
    TOO_FEW_PLAYERS = "TOO_FEW_PLAYERS"
    TABLE_SIZE_NOT_ALLOWED = "TABLE_SIZE_NOT_ALLOWED"
    TITLE_NOT_OFFERED = "TITLE_NOT_OFFERED"
    PAIR_FORBIDDEN = "PAIR_FORBIDDEN"
    HOURS_DO_NOT_OVERLAP = "HOURS_DO_NOT_OVERLAP"
    OVERRIDE_WITHOUT_REASON = "OVERRIDE_WITHOUT_REASON"
    NO_ARRANGEMENT = "NO_ARRANGEMENT"
    DESIGN_UNKNOWN = "DESIGN_UNKNOWN"
    RESULT_UNKNOWN_TABLE = "RESULT_UNKNOWN_TABLE"
    RESULT_MALFORMED = "RESULT_MALFORMED"
    HOURS_MALFORMED = "HOURS_MALFORMED"
    HOURS_TOO_FEW = "HOURS_TOO_FEW"
    HOURS_TOO_SOON = "HOURS_TOO_SOON"
    VACATION_IN_FINAL = "VACATION_IN_FINAL"
    VACATION_MALFORMED = "VACATION_MALFORMED"
    VACATION_TOO_LONG = "VACATION_TOO_LONG"
    ZONE_UNKNOWN = "ZONE_UNKNOWN"
    POLICY_MALFORMED = "POLICY_MALFORMED"
    FILE_MALFORMED = "FILE_MALFORMED"
    STANDINGS_DIFFER = "STANDINGS_DIFFER"
    STAGE_OVER = "STAGE_OVER"
    PAIRING_DIFFERS = "PAIRING_DIFFERS"


class TournamentRejected(Exception):
    """A rejected request: a reason for programs, a sentence for people."""

    def __init__(self, reason: Reason, sentence: str) -> None:
        """`sentence` is shown to the person who asked."""
        super().__init__(sentence)
        self.reason = reason
        self.sentence = sentence
