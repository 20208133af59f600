"""Who played the seats of others: what directors record, what the game shows, and records that were wrong."""

from __future__ import annotations

from services.lobby.domain.directing import SeatTakers
from services.lobby.domain.players import Player
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.tables import Table
from services.lobby.domain.tournaments.refusing import reject_no_director, reject_text, rejected
from services.lobby.domain.tournaments.rounds.deciding import Decided, no_table, not_seated
from services.lobby.domain.tournaments.rounds.round import (
    Round,
    RoundEvent,
    SubstitutionRecorded,
    SubstitutionWithdrawn,
    TableState,
)
from services.lobby.domain.tournaments.tournament import EntryState, Tournament

FOUND_IN_GAME = "The game names who decided it and why."
"""The reason of a substitution that the round learned from the game."""


def substitutes_in(state: TableState, seat: str) -> tuple[Player, ...]:
    """Who was recorded as a substitute of a seat, the last one at the end."""
    return tuple(each.substitute for each in state.substitutions if each.player_id == seat)


def has_agreed(tournament: Tournament, player_id: str) -> bool:
    """Whether a player asks to play in the event, also on the waiting list. Who has withdrawn does not any more, and a role is
    given to people unasked."""
    entry = tournament.entries.get(player_id)
    return entry is not None and entry.state is not EntryState.WITHDRAWN


def last_player(state: TableState, seat: str, takers: SeatTakers) -> str:
    """Who had a seat at the end: by the game where that knows, else who was recorded last. `takers`: see `Table.seat_takers`."""
    players = (seat, *(each.player_id for each in substitutes_in(state, seat)))
    borne = [each.bearer.player_id for each in takers if each.seat == seat]
    return next((each for each in reversed(borne) if each in players), players[-1])


def is_only_more_turns(state: TableState, seat: str, substitute: Player, turns: tuple[int, int]) -> bool:
    """Whether a request says no more than how much a known substitute played."""
    return bool(turns[1]) and substitute in substitutes_in(state, seat)


def decide_substitute(
    tournament: Tournament,
    caller: str,
    current: Round,
    number: int,
    player_id: str,
    substitute: Player,
    turns: tuple[int, int],
    reason: str,
    now_ms: int,
) -> Decided:
    """Records who took over a seat. `turns`: those that the substitute played, and those of the seat."""
    rejection = reject_no_director(tournament, caller) or reject_text(reason, "A substitution")
    state = current.tables.get(number)
    if rejection is not None:
        return rejection
    if state is None:
        return no_table(number)
    if player_id not in state.table.seats or substitute.player_id in state.table.seats:
        return not_seated()
    others = [
        each
        for each in state.substitutions
        if each.player_id == player_id and each.substitute.player_id != substitute.player_id
    ]
    played = turns[0] + (sum(each.substitute_turns for each in others) if turns[1] else 0)
    if not 0 <= turns[0] <= played <= turns[1]:
        return rejected(
            RejectionReason.RESULT_MALFORMED, "The substitutes of a seat play at most the turns of the seat."
        )
    return (
        SubstitutionRecorded(
            number, player_id, substitute, turns[0], turns[1], reason.strip(), caller, now_ms
        ),
    )


def decide_substitution_withdrawn(
    tournament: Tournament,
    caller: str,
    current: Round,
    number: int,
    player_id: str,
    substitute: str,
    reason: str,
    now_ms: int,
) -> tuple[SubstitutionWithdrawn, ...] | Rejection:
    """Takes back that somebody was a substitute, by id or name; nothing where that is not recorded."""
    rejection = reject_no_director(tournament, caller) or reject_text(
        reason, "A substitution that is taken back"
    )
    state = current.tables.get(number)
    if rejection is not None:
        return rejection
    if state is None:
        return no_table(number)
    if player_id not in state.table.seats:
        return not_seated()
    wanted = substitute.strip()
    meant = [
        each.player_id
        for each in substitutes_in(state, player_id)
        if each.player_id == wanted or each.name.casefold() == wanted.casefold()
    ]
    return tuple(
        SubstitutionWithdrawn(number, player_id, each, reason.strip(), caller, now_ms) for each in meant[:1]
    )


def decide_seats_taken(current: Round, number: int, table: Table, now_ms: int) -> tuple[RoundEvent, ...]:
    """Records who took seats of the game without being known here: the lobby died before it recorded that, or a director
    decided it at the table. A seat that its own player plays again keeps its records."""
    state = current.tables[number]
    events: list[RoundEvent] = []
    for seat in table.seats:
        takings = [each for each in table.seat_takers if each.seat == seat]
        known = [each.player_id for each in substitutes_in(state, seat)]
        for place, taken in enumerate(takings, 1):
            bearer = taken.bearer.player_id
            is_back = place == len(takings) and known[-1:] != [bearer]
            if bearer == seat or _is_withdrawn(state, seat, bearer, taken.sequence):
                continue
            if bearer not in known or is_back:
                known = [*(each for each in known if each != bearer), bearer]
                events.append(
                    SubstitutionRecorded(number, seat, taken.bearer, 0, 0, FOUND_IN_GAME, "", now_ms)
                )
    return tuple(events)


def _is_withdrawn(state: TableState, seat: str, bearer: str, sequence: int) -> bool:
    """Whether a record that is withdrawn was about this taking of a seat, which the lobby saw after event `sequence`."""
    return any(
        (each.player_id, each.substitute_id) == (seat, bearer) and sequence <= each.sequence
        for each in state.withdrawn_substitutions
    )
