"""The charter of a tournament: what its directors decide before it begins, and may amend with a reason."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from services.lobby.domain.catalogue import RulingChoice, RulingSelection, TableChoices, UndoPolicy
from services.lobby.domain.invitations import TableArranged, Visibility
from services.lobby.domain.inviting import DELAY_MOVES_MAX, DELAY_SECONDS_MAX
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.table_requests import TURN_SECONDS_MAX
from services.lobby.domain.time_control.policy import ClockPolicy
from services.lobby.domain.tournaments.formats.stages import (
    DuplicateRounds,
    Groups,
    Heats,
    KnockOut,
    Stage,
    Swiss,
)
from services.lobby.domain.tournaments.pairing.problem import WEEK_HOURS, OfferedTitle
from services.lobby.domain.tournaments.rejections import TournamentRejected
from services.lobby.domain.tournaments.scoring.checking import check_policy
from services.lobby.domain.tournaments.scoring.policy import ScoringPolicy

NAME_LENGTH_MAX = 100
TEXT_LENGTH_MAX = 20_000
STAGES_MAX = 10
ROUNDS_MAX = 50
TITLES_MAX = 20
ENTRIES_MAX = 5_000
FORBIDDEN_MAX = 1_000
NUMBER_MAX = 10_000_000_000
"""Of every number in a charter: sums of weighted points stay within 64 bits."""
TABLE_SIZE_MAX = 6


class PlayedTitle(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A title that tables may play, by `players_min` to `players_max` players, with these options and rulings.

    The game of an external one is played elsewhere or over the board: none begins here, and its result is reported."""

    title: str
    players_min: int
    players_max: int
    options: tuple[str, ...] = ()
    ruling_profile: str = ""
    rulings: dict[str, str] = {}
    is_external: bool = False


class Conditions(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who may enter: rated games so far, the rating shown (mu - 3 sigma) in millionths, and whether a director admits each."""

    rated_games_min: int = 0
    rating_min: int = 0
    needs_admission: bool = False


class Charter(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a tournament plays and how.

    - entries_max: further entries go to the waiting list; 0: as many as a tournament may have
    - has_check_in: only those who check in are paired
    - clock: how much time the players of each table have; not beside turn_seconds
    - forbidden: pairs of player ids that are never seated together, at most `FORBIDDEN_MAX`
    - hours_min: hours of the week that all players of a table must share
    - second_person_in: names of stages in which a ruling counts only once another director has confirmed it
    - appeal_hours: how long a ruling may be appealed against
    - is_rated, rates_substituted, rates_external: which results count for ratings
    - visibility: of the tables and their games: everybody, who knows the address, or who plays, and those who direct when a round
      is published; delay_moves, delay_seconds: by how much all others see the games later
    - bans_elsewhere: who did not show up may not enter any event, not only those that the person directs who recorded it

    What reaches beyond the event is for operators alone: `rates_external`, `bans_elsewhere`.
    """

    name: str
    stages: tuple[Stage, ...]
    titles: tuple[PlayedTitle, ...]
    scoring: ScoringPolicy
    text: str = ""
    entries_max: int = 0
    conditions: Conditions = Conditions()
    has_check_in: bool = False
    undo_policy: UndoPolicy = "own_turn"
    turn_seconds: int = 0
    clock: ClockPolicy | None = None
    forbidden: tuple[tuple[str, str], ...] = ()
    hours_min: int = 0
    second_person_in: tuple[str, ...] = ()
    appeal_hours: int = 48
    is_rated: bool = True
    rates_substituted: bool = False
    rates_external: bool = False
    bans_elsewhere: bool = False
    visibility: Visibility = Visibility.PUBLIC
    delay_moves: int = 0
    delay_seconds: int = 0

    @property
    def places(self) -> int:
        """How many players may take part."""
        return self.entries_max or ENTRIES_MAX

    def offered(self) -> tuple[OfferedTitle, ...]:
        """The titles as pairing reads them."""
        return tuple(OfferedTitle(each.title, each.players_min, each.players_max) for each in self.titles)

    def title(self, name: str) -> PlayedTitle | None:
        """The title of this name."""
        return next((each for each in self.titles if each.title == name), None)


_decoder = msgspec.json.Decoder(Charter)
_PATH = re.compile(r" - at `\$(.*)`$")
"""Where msgspec found a fault."""
_FIELD_FAULT = re.compile(r"^Object (contains unknown|missing required) field `(.*?)`(?: - at `\$(.*)`)?$")


def read_charter(text: str) -> Charter | Rejection:
    """The charter in a JSON document, or what is wrong with it and where."""
    try:
        charter = _decoder.decode(text)
        if _largest(msgspec.to_builtins(charter, str_keys=True)) > NUMBER_MAX:
            return malformed(f"a number is beyond {NUMBER_MAX}")
    except (msgspec.DecodeError, UnicodeError) as error:
        return _unreadable(str(error))
    return check_charter(charter) or charter


def charter_json(charter: Charter) -> str:
    """The charter as canonical JSON: equal charters give equal texts."""
    plain: Any = msgspec.to_builtins(charter, str_keys=True)
    return msgspec.json.encode(plain, order="deterministic").decode()


def charter_digest(charter: Charter) -> str:
    """SHA-256 of the canonical JSON, in hexadecimal."""
    return hashlib.sha256(charter_json(charter).encode()).hexdigest()


def check_charter(charter: Charter) -> Rejection | None:
    """Why no tournament can be played by this charter, None if one can."""
    fault = _fault(charter)
    if fault:
        return malformed(fault)
    rejection = _reject_stages(charter)
    if rejection is not None:
        return rejection
    try:
        check_policy(charter.scoring)
    except TournamentRejected as rejected:
        return malformed(f"scoring: {rejected.sentence}")
    return None


def reject_reach(charter: Charter, before: Charter | None, is_operator: bool) -> Rejection | None:
    """Why this person may not have an event reach beyond itself; None if they may, or the charter `before` has it already."""
    for name in reaching(charter):
        if not is_operator and (before is None or name not in reaching(before)):
            sentence = f"Only an operator of this platform sets {name}: it reaches beyond the event."
            return Rejection(RejectionReason.OPERATOR_NEEDED, sentence, field=name)
    return None


def reaching(charter: Charter) -> tuple[str, ...]:
    """The settings of a charter that reach beyond the event."""
    return tuple(name for name in ("rates_external", "bans_elsewhere") if getattr(charter, name))


def choices_of(charter: Charter, played: PlayedTitle, player_count: int, seed: int) -> TableChoices:
    """What a table of this title plays."""
    single = tuple(RulingChoice(name, value) for name, value in sorted(played.rulings.items()))
    return TableChoices(
        title=played.title,
        player_count=player_count,
        options=played.options,
        rulings=RulingSelection(played.ruling_profile, single),
        undo_policy=charter.undo_policy,
        seed=seed,
    )


def arranged_by(charter: Charter) -> TableArranged:
    """Who sees the tables of an event and their games."""
    return TableArranged(
        charter.visibility, delay_moves=charter.delay_moves, delay_seconds=charter.delay_seconds
    )


def clock_of(charter: Charter, stage: int) -> ClockPolicy | None:
    """The clocks of tables in a stage: until the deadline of the stage, and without vacation in the final, the last of several
    stages, unless the policy has it."""
    if charter.clock is None:
        return None
    is_final = stage == len(charter.stages) - 1 > 0
    has_vacation = not is_final or charter.clock.vacation_in_finals
    return replace(
        charter.clock,
        deadline=charter.stages[stage].deadline or charter.clock.deadline,
        vacation_days_per_year=charter.clock.vacation_days_per_year if has_vacation else 0,
    )


def malformed(sentence: str, field: str = "") -> Rejection:
    """The rejection of a charter; `field`: the setting that is wrong, such as `stages[0].sizes.preferred`."""
    text = f"The charter cannot be used: {sentence}."
    return Rejection(RejectionReason.CHARTER_MALFORMED, text, field=field)


def _unreadable(fault: str) -> Rejection:
    """The rejection of a document for what msgspec found in it."""
    named = _FIELD_FAULT.search(fault)
    if named is not None:
        kind, name, parent = named[1], named[2], (named[3] or "").removeprefix(".")
        field = f"{parent}.{name}" if parent else name
        return malformed(f"{field} is {'no setting' if kind == 'contains unknown' else 'missing'}", field)
    at = _PATH.search(fault)
    return malformed(fault, "" if at is None else at[1].removeprefix("."))


def _fault(charter: Charter) -> str:
    """What is wrong, empty if nothing is."""
    names = [stage.name for stage in charter.stages]
    titles = [each.title for each in charter.titles]
    faults = (
        (not 1 <= len(charter.name) <= NAME_LENGTH_MAX, f"name has not 1 to {NAME_LENGTH_MAX} characters"),
        (len(charter.text) > TEXT_LENGTH_MAX, f"text is longer than {TEXT_LENGTH_MAX} characters"),
        (not 1 <= len(charter.stages) <= STAGES_MAX, f"stages are not 1 to {STAGES_MAX}"),
        (len(set(names)) < len(names) or "" in names, "stages need names that differ"),
        (not 1 <= len(charter.titles) <= TITLES_MAX, f"titles are not 1 to {TITLES_MAX}"),
        (len(set(titles)) < len(titles) or "" in titles, "titles need names that differ"),
        (not 0 <= charter.entries_max <= ENTRIES_MAX, f"entries_max is not 0 to {ENTRIES_MAX}"),
        (not 0 <= charter.turn_seconds <= TURN_SECONDS_MAX, f"turn_seconds is not 0 to {TURN_SECONDS_MAX}"),
        (bool(charter.turn_seconds and charter.clock), "turn_seconds stands beside a clock"),
        (not 0 <= charter.hours_min <= WEEK_HOURS, f"hours_min is not 0 to {WEEK_HOURS}"),
        (charter.appeal_hours < 0, "appeal_hours is negative"),
        (not 0 <= charter.delay_moves <= DELAY_MOVES_MAX, f"delay_moves is not 0 to {DELAY_MOVES_MAX}"),
        (
            not 0 <= charter.delay_seconds <= DELAY_SECONDS_MAX,
            f"delay_seconds is not 0 to {DELAY_SECONDS_MAX}",
        ),
        (not set(charter.second_person_in) <= set(names), "second_person_in names no stage"),
        (len(charter.forbidden) > FORBIDDEN_MAX, f"forbidden has more than {FORBIDDEN_MAX} pairs"),
        (
            any(len(set(pair)) < len(pair) for pair in charter.forbidden),
            "forbidden pairs a player with itself",
        ),
    )
    found = next((text for is_wrong, text in faults if is_wrong), "")
    return found or _fault_of_titles(charter)


def _largest(plain: object) -> int:
    """The largest amount of all numbers in a document, 0 without any."""
    match plain:
        case bool() | str() | None:
            return 0
        case int():
            return abs(plain)
        case dict():
            return max(map(_largest, plain.values()), default=0)
        case list() | tuple():
            return max(map(_largest, plain), default=0)
        case _:
            return 0


def _fault_of_titles(charter: Charter) -> str:
    for each in charter.titles:
        if not 2 <= each.players_min <= each.players_max <= TABLE_SIZE_MAX:
            return f"{each.title} is not for 2 to {TABLE_SIZE_MAX} players"
    return ""


def _reject_stages(charter: Charter) -> Rejection | None:
    """Why a stage cannot be played, whatever the titles; the setting is named with its path."""
    for index, stage in enumerate(charter.stages):
        for setting, is_wrong, fault in _faults_of_stage(stage, charter.clock is not None):
            if is_wrong:
                path = f"stages[{index}].{setting}"
                return malformed(f"{path} {fault}", path)
    return None


def _faults_of_stage(stage: Stage, has_clock: bool) -> Iterator[tuple[str, bool, str]]:
    """Settings of a stage, whether they are wrong, and how."""
    allowed = stage.sizes.allowed
    is_size = bool(allowed) and min(allowed) >= 2 and max(allowed) <= TABLE_SIZE_MAX
    yield "sizes.allowed", not is_size, f"is not for 2 to {TABLE_SIZE_MAX} players"
    yield "places", stage.places < 0, "is negative"
    is_deadline = stage.deadline == 0 or (stage.deadline > 0 and has_clock)
    yield "deadline", not is_deadline, "needs a clock, and is later than 1970"
    match stage.format:
        case Swiss(rounds) | Heats(rounds) | DuplicateRounds(rounds):
            yield "format.rounds", not 1 <= rounds <= ROUNDS_MAX, f"is not 1 to {ROUNDS_MAX}"
        case Groups(group_size, table_size, rounds):
            is_table = 2 <= table_size <= TABLE_SIZE_MAX
            yield "format.table_size", not is_table, f"is not 2 to {TABLE_SIZE_MAX}"
            is_group = table_size <= group_size <= ENTRIES_MAX
            yield "format.group_size", not is_group, f"is not {table_size} to {ENTRIES_MAX}"
            yield "format.rounds", not 0 <= rounds <= ROUNDS_MAX, f"is not 0 to {ROUNDS_MAX}"
        case KnockOut(advancing):
            most = stage.sizes.preferred - 1
            yield (
                "format.advancing",
                not 1 <= advancing <= most,
                f"is not 1 to {most}, less than sizes.preferred",
            )
