"""What is decided about a tournament as a whole: charter, roles, entries, check-in, penalties.

`decide_*` returns the events of a request or its rejection; `caller` is the player who asks."""

from __future__ import annotations

import msgspec

from services.lobby.domain.players import Player
from services.lobby.domain.rejections import Rejection, RejectionReason, shown
from services.lobby.domain.tournaments.charter import Charter, check_charter
from services.lobby.domain.tournaments.formats.stages import Groups, KnockOut
from services.lobby.domain.tournaments.pairing.problem import WEEK_HOURS
from services.lobby.domain.tournaments.refusing import (
    SCHEDULE_MS_MAX,
    not_entered,
    not_taking_part,
    reject_finished,
    reject_length,
    reject_no_director,
    reject_text,
    rejected,
)
from services.lobby.domain.tournaments.scoring.absence import HOUR_MS
from services.lobby.domain.tournaments.stage_events import StageJoined
from services.lobby.domain.tournaments.tournament import (
    AnnouncementPosted,
    CharterAmended,
    CheckedIn,
    CheckInOpened,
    EntriesClosed,
    EntriesOpened,
    EntryAdmitted,
    EntryMade,
    EntryState,
    EntryWithdrawn,
    PenaltyRecorded,
    PlaceRefused,
    Role,
    RoleGiven,
    RoleTaken,
    Tournament,
    TournamentCreated,
    TournamentEvent,
)

ANNOUNCEMENTS_MAX = 500
PENALTIES_MAX = 500
TEXTS_BYTES_MAX = 500_000
"""Of all announcements of a tournament, and of the reasons of its penalties: all are in each answer about it."""
PENALTY_MAX = 1_000_000_000_000
ROLES_MAX = 50
CHARTERS_MAX = 100
ENTRIES_PER_PLAYER = 20
"""Of one tournament: who enters and withdraws on and on would take the changes that all others may make."""

Decided = tuple[TournamentEvent, ...] | Rejection


class PlayerRecord(msgspec.Struct, frozen=True):
    """What counts when a player wants to enter: rated games, rating shown, and until when absences keep the player out."""

    rated_games: int = 0
    rating: int = 0
    banned_until_ms: int = 0


def decide_create(
    tournament_id: str, director: Player, charter: Charter, seed: int, game_seed: int, now_ms: int
) -> Decided:
    """A new tournament."""
    created = TournamentCreated(tournament_id, director, charter, seed, game_seed, now_ms)
    return check_charter(charter) or (created,)


def decide_amend(
    tournament: Tournament, caller: str, charter: Charter, version: int, reason: str, now_ms: int
) -> Decided:
    """A new version of the charter. Stages that have begun stay as they are. More places are for those who wait."""
    rejection = (
        reject_no_director(tournament, caller)
        or reject_finished(tournament)
        or reject_text(reason, "An amendment")
        or check_charter(charter)
    )
    if rejection is not None:
        return rejection
    if version != tournament.charter_version:
        return rejected(
            RejectionReason.CHARTER_VERSION_STALE,
            f"The charter is at version {tournament.charter_version}, not {version}; amend that one.",
        )
    if tournament.charter_version >= CHARTERS_MAX:
        return rejected(RejectionReason.TOO_MUCH_RECORDED, f"A charter has at most {CHARTERS_MAX} versions.")
    begun = len(tournament.stages)
    if charter.stages[:begun] != tournament.charter.stages[:begun]:
        return rejected(RejectionReason.STAGE_BEGUN, "A stage that has begun cannot be amended.")
    amended = CharterAmended(charter, reason.strip(), caller, now_ms)
    return (amended, *_moving_up(tournament, charter, len(tournament.active())))


def decide_role(tournament: Tournament, caller: str, player: Player, role: Role, is_given: bool) -> Decided:
    """Gives or takes a role. The last director stays one."""
    rejection = reject_no_director(tournament, caller)
    if rejection is not None:
        return rejection
    held = tournament.directors if role is Role.DIRECTOR else tournament.scorers
    has_role = any(each.player_id == player.player_id for each in held)
    if is_given:
        if len(held) >= ROLES_MAX:
            return rejected(
                RejectionReason.TOO_MUCH_RECORDED, f"There are {ROLES_MAX} with this role already."
            )
        return () if has_role else (RoleGiven(player, role, caller),)
    if not has_role:
        return rejected(RejectionReason.ROLE_NOT_HELD, f"{player.name} has not this role.")
    if role is Role.DIRECTOR and len(held) == 1:
        return rejected(RejectionReason.LAST_DIRECTOR, "A tournament keeps at least one director.")
    return (RoleTaken(player.player_id, role, caller),)


def decide_entries(tournament: Tournament, caller: str, is_open: bool) -> Decided:
    """Opens or closes the entries."""
    rejection = reject_no_director(tournament, caller) or reject_finished(tournament)
    if rejection is not None:
        return rejection
    if tournament.are_entries_open is is_open:
        return ()
    return (EntriesOpened(caller),) if is_open else (EntriesClosed(caller),)


def decide_enter(
    tournament: Tournament,
    player: Player,
    preferences: tuple[str, ...],
    hours: tuple[int, ...],
    record: PlayerRecord,
    now_ms: int,
) -> Decided:
    """Enters a player; on the waiting list where all places are taken, a director has to admit, or a stage runs."""
    rejection = (
        reject_finished(tournament)
        or _reject_entry(tournament, player)
        or _reject_record(tournament, record, now_ms)
        or _reject_wishes(tournament, preferences, hours)
    )
    if rejection is not None:
        return rejection
    is_full = len(tournament.active()) >= tournament.charter.places
    is_waiting = is_full or bool(tournament.stages) or tournament.charter.conditions.needs_admission
    return (EntryMade(player, preferences, tuple(sorted(set(hours))), is_waiting, now_ms),)


def decide_withdraw(tournament: Tournament, caller: str, player_id: str, reason: str) -> Decided:
    """A player withdraws, or a director takes a player out with a reason. Before the first stage the waiting list moves up."""
    if caller != player_id:
        rejection = reject_no_director(tournament, caller) or reject_text(reason, "Taking a player out")
    else:
        rejection = reject_length(reason)
    if rejection is not None:
        return rejection
    entry = tournament.entries.get(player_id)
    if entry is None or entry.state is EntryState.WITHDRAWN:
        return not_taking_part() if caller == player_id else not_entered(player_id)
    rejection = reject_finished(tournament)
    if rejection is not None:
        return rejection
    withdrawn = EntryWithdrawn(player_id, reason.strip(), caller)
    if entry.state is EntryState.WAITING:
        return (withdrawn,)
    return (withdrawn, *_moving_up(tournament, tournament.charter, len(tournament.active()) - 1))


def decide_admit(tournament: Tournament, caller: str, player_id: str) -> Decided:
    """Takes a player from the waiting list. One who is admitted during the first stage plays its next rounds."""
    rejection = reject_no_director(tournament, caller) or reject_finished(tournament)
    if rejection is not None:
        return rejection
    entry = tournament.entries.get(player_id)
    if entry is None or entry.state is not EntryState.WAITING:
        return rejected(RejectionReason.NOT_ENTERED, f"{shown(player_id)} is not on the waiting list.")
    admitted = EntryAdmitted(player_id, caller)
    if not tournament.stages:
        return (admitted,)
    is_open = tournament.stage == 0 and not tournament.stages[0].is_finished
    if not is_open or isinstance(tournament.charter.stages[0].format, KnockOut | Groups):
        return rejected(RejectionReason.STAGE_BEGUN, "Nobody can join the stage that runs.")
    return (admitted, StageJoined(0, player_id))


def decide_open_check_in(
    tournament: Tournament, caller: str, number: int, until_ms: int, now_ms: int
) -> Decided:
    """Opens the check-in for round `number` of the stage that runs, or for the first of the next one."""
    rejection = reject_no_director(tournament, caller) or reject_finished(tournament)
    if rejection is not None:
        return rejection
    if until_ms <= now_ms or number < 1:
        return rejected(RejectionReason.CHECK_IN_CLOSED, "A check-in is for a round and ends later than now.")
    if until_ms > now_ms + SCHEDULE_MS_MAX:
        return rejected(RejectionReason.CHECK_IN_CLOSED, "A check-in ends within a year.")
    return (CheckInOpened(_next_stage(tournament), number, until_ms, caller),)


def decide_check_in(tournament: Tournament, player_id: str, now_ms: int) -> Decided:
    """A player says to be there; players of the waiting list may, as standbys."""
    check_in = tournament.check_in
    entry = tournament.entries.get(player_id)
    if entry is None or entry.state is EntryState.WITHDRAWN:
        return not_taking_part()
    if check_in is None or now_ms > check_in.until_ms or tournament.is_finished:
        return rejected(RejectionReason.CHECK_IN_CLOSED, "There is no check-in now.")
    if player_id in check_in.present:
        return ()
    return (CheckedIn(player_id, check_in.stage, check_in.number, now_ms),)


def decide_refuse_place(tournament: Tournament, player_id: str, stage: int) -> Decided:
    """A player does not play a later stage."""
    if player_id not in tournament.active():
        return not_taking_part()
    if stage == 0:
        return rejected(RejectionReason.STAGE_BEGUN, "Who does not play the first stage withdraws.")
    if not len(tournament.stages) <= stage < len(tournament.charter.stages):
        return rejected(RejectionReason.STAGE_BEGUN, "This stage has begun, or there is none.")
    if (stage, player_id) in tournament.refused:
        return ()
    return (PlaceRefused(player_id, stage),)


def decide_penalty(tournament: Tournament, caller: str, player_id: str, points: int, reason: str) -> Decided:
    """Takes points from a player in the stage that began last."""
    rejection = reject_no_director(tournament, caller) or reject_text(reason, "A penalty")
    if rejection is not None:
        return rejection
    if not tournament.stages:
        return rejected(RejectionReason.STAGE_NOT_RUNNING, "No stage has begun.")
    if player_id not in tournament.entries:
        return not_entered(player_id)
    if player_id not in tournament.stages[-1].entrants:
        stage, name = tournament.charter.stages[tournament.stage].name, tournament.name_of(player_id)
        return rejected(RejectionReason.NOT_ENTERED, f"{name} does not play in the stage {shown(stage)}.")
    if not 0 < points <= PENALTY_MAX:
        return rejected(
            RejectionReason.RESULT_MALFORMED, f"A penalty takes 1 to {PENALTY_MAX} millionths of a point."
        )
    reasons = [each.reason for each in tournament.penalties]
    if len(reasons) >= PENALTIES_MAX or _bytes_of(*reasons, reason) > TEXTS_BYTES_MAX:
        return rejected(
            RejectionReason.TOO_MUCH_RECORDED,
            f"A tournament has at most {PENALTIES_MAX} penalties, with reasons of {TEXTS_BYTES_MAX} bytes.",
        )
    return (PenaltyRecorded(tournament.stage, player_id, points, reason.strip(), caller),)


def decide_post(tournament: Tournament, caller: str, text: str, now_ms: int) -> Decided:
    """Shows a text to everybody."""
    rejection = reject_no_director(tournament, caller) or reject_text(text, "An announcement")
    if rejection is not None:
        return rejection
    texts = [each.text for each in tournament.announcements]
    if len(texts) >= ANNOUNCEMENTS_MAX or _bytes_of(*texts, text) > TEXTS_BYTES_MAX:
        return rejected(
            RejectionReason.TOO_MUCH_RECORDED,
            f"A tournament has at most {ANNOUNCEMENTS_MAX} announcements of {TEXTS_BYTES_MAX} bytes together.",
        )
    return (AnnouncementPosted(text.strip(), caller, now_ms),)


def _moving_up(tournament: Tournament, charter: Charter, active: int) -> tuple[EntryAdmitted, ...]:
    """Who moves up from the waiting list where `active` players take part: before the first stage, if nobody is asked."""
    if tournament.stages or charter.conditions.needs_admission:
        return ()
    free = max(0, charter.places - active)
    return tuple(EntryAdmitted(each, "") for each in tournament.waiting()[:free])


def _bytes_of(*texts: str) -> int:
    return sum(len(each.encode()) for each in texts)


def _next_stage(tournament: Tournament) -> int:
    """The stage that runs, or else the one that comes next."""
    is_running = bool(tournament.stages) and not tournament.stages[-1].is_finished
    return tournament.stage if is_running else tournament.stage + 1


def _reject_entry(tournament: Tournament, player: Player) -> Rejection | None:
    if not tournament.are_entries_open:
        return rejected(RejectionReason.ENTRIES_CLOSED, "Players cannot enter now.")
    entry = tournament.entries.get(player.player_id)
    if entry is not None and (entry.state is not EntryState.WITHDRAWN or tournament.stages):
        return rejected(RejectionReason.ALREADY_ENTERED, "You have entered this tournament before.")
    if entry is not None and entry.entry_count >= ENTRIES_PER_PLAYER:
        return rejected(
            RejectionReason.TOO_MUCH_RECORDED,
            f"You have entered this tournament {ENTRIES_PER_PLAYER} times, as often as a player may.",
        )
    if len(tournament.active()) + len(tournament.waiting()) >= 2 * tournament.charter.places:
        return rejected(RejectionReason.TOO_MUCH_RECORDED, "The waiting list is full.")
    return None


def _reject_record(tournament: Tournament, record: PlayerRecord, now_ms: int) -> Rejection | None:
    wait_ms = record.banned_until_ms - now_ms
    if wait_ms > 0:
        hours = -(-wait_ms // HOUR_MS)
        return Rejection(
            RejectionReason.ENTRY_BANNED,
            f"You did not show up at a table; finish a game, or wait {hours} h.",
            retry_after_ms=wait_ms,
        )
    wanted = tournament.charter.conditions
    if record.rated_games < wanted.rated_games_min:
        return rejected(
            RejectionReason.CONDITION_NOT_MET,
            f"{wanted.rated_games_min} rated games are needed; you have {record.rated_games}.",
        )
    if wanted.rating_min and record.rating < wanted.rating_min:
        return rejected(
            RejectionReason.CONDITION_NOT_MET, "Your rating is lower than this tournament asks for."
        )
    return None


def _reject_wishes(
    tournament: Tournament, preferences: tuple[str, ...], hours: tuple[int, ...]
) -> Rejection | None:
    unknown = [each for each in preferences if tournament.charter.title(each) is None]
    if unknown:
        return rejected(RejectionReason.TITLE_NOT_OFFERED, f"{shown(unknown[0])} is not played here.")
    if len(set(preferences)) < len(preferences):
        return rejected(RejectionReason.TITLE_NOT_OFFERED, "A title is preferred twice.")
    if not all(0 <= hour < WEEK_HOURS for hour in hours):
        return rejected(RejectionReason.HOURS_MALFORMED, f"Hours of the week are 0 to {WEEK_HOURS - 1}.")
    if hours and len(set(hours)) < tournament.charter.hours_min:
        return rejected(
            RejectionReason.HOURS_TOO_FEW, f"{tournament.charter.hours_min} hours of the week are needed."
        )
    return None
