"""Why the lobby rejects a request. Names equal those on the wire (`rejection.proto`); their meanings never change."""

from enum import StrEnum, unique

import msgspec


@unique
class RejectionReason(StrEnum):
    """Reasons for programs."""

    REQUEST_ID_REUSED = "REQUEST_ID_REUSED"
    NAME_MALFORMED = "NAME_MALFORMED"
    PASSWORD_MALFORMED = "PASSWORD_MALFORMED"
    NAME_TAKEN = "NAME_TAKEN"
    CREDENTIALS_WRONG = "CREDENTIALS_WRONG"
    TOO_MANY_ATTEMPTS = "TOO_MANY_ATTEMPTS"
    TITLE_UNKNOWN = "TITLE_UNKNOWN"
    PLAYER_COUNT_NOT_OFFERED = "PLAYER_COUNT_NOT_OFFERED"
    OPTION_UNKNOWN = "OPTION_UNKNOWN"
    OPTION_REPEATED = "OPTION_REPEATED"
    OPTION_NOT_OFFERED = "OPTION_NOT_OFFERED"
    RULING_PROFILE_UNKNOWN = "RULING_PROFILE_UNKNOWN"
    RULING_UNKNOWN = "RULING_UNKNOWN"
    RULING_REPEATED = "RULING_REPEATED"
    RULING_VALUE_UNKNOWN = "RULING_VALUE_UNKNOWN"
    SEED_NEGATIVE = "SEED_NEGATIVE"
    TABLE_NOT_OPEN = "TABLE_NOT_OPEN"
    ALREADY_SEATED = "ALREADY_SEATED"
    TABLE_FULL = "TABLE_FULL"
    NOT_SEATED = "NOT_SEATED"
    NOT_OWNER = "NOT_OWNER"
    TABLE_NOT_FULL = "TABLE_NOT_FULL"
    TURN_SECONDS_OUT_OF_RANGE = "TURN_SECONDS_OUT_OF_RANGE"
    NAME_MIXES_SCRIPTS = "NAME_MIXES_SCRIPTS"
    NAME_RESERVED = "NAME_RESERVED"
    TOO_MANY_OPEN_TABLES = "TOO_MANY_OPEN_TABLES"
    TOO_MANY_SEATS = "TOO_MANY_SEATS"
    TOO_MUCH_STORED = "TOO_MUCH_STORED"
    JOINED_TOO_OFTEN = "JOINED_TOO_OFTEN"
    OPTIONS_NOT_PLAYABLE = "OPTIONS_NOT_PLAYABLE"
    START_REFUSED = "START_REFUSED"
    IMPORT_REFUSED = "IMPORT_REFUSED"
    TOO_MANY_IMPORTS = "TOO_MANY_IMPORTS"
    NOT_DIRECTOR = "NOT_DIRECTOR"
    GAME_NOT_BEGUN = "GAME_NOT_BEGUN"
    ACCOUNT_UNKNOWN = "ACCOUNT_UNKNOWN"
    DIRECTION_REFUSED = "DIRECTION_REFUSED"
    GAME_MOVED_ON = "GAME_MOVED_ON"


class ImportFault(msgspec.Struct, frozen=True):
    """What in an imported file is refused: reason code; number (from 1; 0: the whole file), id and kind of the action or
    event, and the player behind it, all as the file has them."""

    code: str
    number: int = 0
    action_id: int = 0
    kind: str = ""
    player: str = ""


class Rejection(msgspec.Struct, frozen=True):
    """A rejected request: a reason for programs, a sentence for people, and the clause of a rulebook where one decides.

    `retry_after_ms`: when the same request may succeed; 0 where waiting does not help. `import_fault`: what in an imported
    file is refused. `rules_code`: the rules' own reason for refusing a director's decision."""

    reason: RejectionReason
    sentence: str
    clause: str = ""
    retry_after_ms: int = 0
    import_fault: ImportFault | None = None
    rules_code: str = ""


SHOWN_LENGTH_MAX = 40


def shown(text: str) -> str:
    """A client's text, quoted and shortened to fit into a sentence."""
    return repr(text if len(text) <= SHOWN_LENGTH_MAX else text[:SHOWN_LENGTH_MAX] + "...")
